"""Errors of workers, as errors of the library where Spark was called."""

from __future__ import annotations

import traceback

import pytest
from pyspark.errors import PySparkException

import likelier as lk
from likelier._base.errors import error
from likelier.spark._failures import noted, told
from likelier.spark._version import check_version


def of_worker() -> str:
    """What Spark hands over of an error in a worker: the end of a traceback in the middle of its own text."""
    try:
        with noted():
            raise error("row-label-missing", name="label", place="partition 3 row 17")
    except lk.LikelierError:
        return f"Job aborted: Task 3 failed 4 times\n{traceback.format_exc()}\n\tat org.apache.spark.scheduler.Task.run"


def test_an_error_of_a_worker_keeps_its_kind_its_code_and_its_hint() -> None:
    with pytest.raises(lk.InputError, match="'label' is empty in partition 3 row 17") as found, told():
        raise PySparkException(message=of_worker())
    assert found.value.code == "row-label-missing"
    assert found.value.hint == "fill it in, or skip such rows: on_error='skip'"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ModuleNotFoundError: No module named 'likelier'", "spark-worker-missing"),
        ("ModuleNotFoundError: No module named 'pyarrow.lib'", "spark-worker-missing"),
        ("results (1.2 GiB) is bigger than spark.driver.maxResultSize (1 GiB)", "spark-result-too-large"),
        ("Caused by: java.lang.OutOfMemoryError: Java heap space", "spark-memory"),
        ("[UNABLE_TO_ACQUIRE_MEMORY] Unable to acquire 65536 bytes", "spark-memory"),
        ("Job 0 cancelled because SparkContext was shut down", "spark-ended"),
    ],
)
def test_what_has_a_simple_remedy_says_it(text: str, code: str) -> None:
    with pytest.raises(lk.LikelierError, match="Spark") as found, told():
        raise PySparkException(message=text)
    assert found.value.code == code


@pytest.mark.parametrize("failure", [ConnectionRefusedError(111, "Connection refused"), EOFError()], ids=repr)
def test_a_java_process_that_is_gone_is_an_error_with_a_hint(failure: Exception) -> None:
    with pytest.raises(lk.LearningError, match=r"ended during the job(?s:.*)hint: .*spark\.driver\.memory"), told():
        raise failure


def test_other_failures_stay_as_they_are() -> None:
    with pytest.raises(PySparkException, match="the disk is full"), told():
        raise PySparkException(message="the disk is full")
    with pytest.raises(ValueError, match="maxResultSize"), told():
        raise ValueError("spark.driver.maxResultSize")


def test_another_version_on_a_worker_is_refused() -> None:
    with pytest.raises(lk.SettingError, match=r"0\.0\.1 on the driver"):
        check_version("0.0.1")

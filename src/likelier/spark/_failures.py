"""Errors of the library that were raised in a worker, as the same errors where Spark was called.

A worker's error reaches the caller as text in the middle of Spark's own. So it carries its code as a note, which Python
prints below it, and is put together again from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.errors import PySparkException

from likelier._base import errors
from likelier._base.errors import LikelierError, error

_NOTE = "error code: "
_TOLD = re.compile(rf"likelier\.(\w+Error): (.*?)\nhint: (.*?)\n{_NOTE}([\w-]+)", re.DOTALL)


@contextmanager
def noted() -> Iterator[None]:
    """In a worker: errors of the library say their code."""
    try:
        yield
    except LikelierError as failure:
        failure.add_note(f"{_NOTE}{failure.code}")
        raise


def as_text(failure: LikelierError) -> str:
    """An error as a worker's traceback has it, for an expression of Spark that raises it."""
    return f"likelier.{type(failure).__name__}: {failure}\n{_NOTE}{failure.code}"


@contextmanager
def told() -> Iterator[None]:
    """Where Spark is called: what a worker has raised, and what has a simple remedy, as errors of the library."""
    try:
        yield
    except LikelierError:
        raise
    except Exception as failure:
        found = _in_words(str(failure)) if _is_of_spark(failure) else None
        if isinstance(failure, ConnectionError | EOFError):  # Python and Spark's Java process talk over one
            found = error("spark-ended")
        if found is None:
            raise
        raise found from failure


def _is_of_spark(failure: Exception) -> bool:
    return isinstance(failure, PySparkException) or type(failure).__module__.startswith("py4j")


def _in_words(text: str) -> LikelierError | None:
    """The error that Spark's message tells of; None where it is Spark's own."""
    if found := list(_TOLD.finditer(text)):
        name, message, hint, code = found[-1].groups()
        kind = getattr(errors, name, LikelierError)
        made: LikelierError = kind(code=code, message=message, hint=hint)
        return made
    if re.search(r"No module named '(likelier|numpy|pyarrow)", text):
        return error("spark-worker-missing")
    if "spark.driver.maxResultSize" in text:
        return error("spark-result-too-large")
    if re.search(r"OutOfMemoryError|Java heap space|GC overhead limit|UNABLE_TO_ACQUIRE_MEMORY", text):
        return error("spark-memory")
    if re.search(r"SparkContext was shut down|does not exist in the JVM|Error while sending or receiving", text):
        return error("spark-ended")
    return None

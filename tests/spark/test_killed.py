"""Workers that are killed in the middle of a job: it finishes, with the same counts and verdicts."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likelier as lk
import likelier.spark as on_spark
from cluster import Cluster
from likelier.demo import documents

PAIRS = [(f"{text} number{number}", label) for number in range(100) for text, label in documents()]
TABLE = pa.table({"text": [text for text, _ in PAIRS], "label": [label for _, label in PAIRS]})
OPTIONS: dict[str, Any] = {"text": "text", "label": "label", "view": "textbook"}
PARTS = 12
PATIENCE = 120.0  # seconds until a job has come so far that a worker can be killed in its middle
pytestmark = pytest.mark.slow


@pytest.fixture
def frame(spark: Any, tmp_path: Path) -> Any:
    """Rows in so many partitions that some are still to be done when others are; each takes a while to be read."""
    for part in range(PARTS):
        start = part * len(TABLE) // PARTS
        some = TABLE.slice(start, (part + 1) * len(TABLE) // PARTS - start)
        pq.write_table(some, tmp_path / f"{part:02}.parquet")
    rows = spark.read.option("recursiveFileLookup", "true").parquet(str(tmp_path)).repartition(PARTS)
    return slowed(rows)


def slowed(rows: Any) -> Any:
    """The rows, each of which takes a while; workers do not have this module, so they get the function itself."""
    from pyspark import cloudpickle
    from pyspark.sql import functions as F

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    return rows.withColumn("text", F.udf(after_a_while, "string")("text"))


def after_a_while(text):  # without types, of which Spark would make something else
    time.sleep(0.0005)
    return text


@pytest.fixture
def killing(spark: Any, cluster: Cluster) -> Iterator[list[int]]:
    """Kills a worker once some tasks of a job are done, and some are not; gives how many were."""
    killed: list[int] = []
    tracker = spark.sparkContext.statusTracker()

    def kill() -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not killed:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            done = [each.numCompletedTasks for each in stages if each and each.numTasks == PARTS]
            if any(0 < number < PARTS for number in done):
                cluster.kill_worker("one")
                killed.append(max(done))
            time.sleep(0.05)

    thread = Thread(target=kill, daemon=True)
    thread.start()
    yield killed
    thread.join()
    assert killed, "the job was over before a worker was killed"


def test_a_worker_killed_during_training_changes_nothing(frame: Any, killing: list[int]) -> None:
    model = on_spark.train(frame, **OPTIONS)
    assert killing
    assert model.counts.digest() == lk.train(TABLE, **OPTIONS).counts.digest()


def test_a_worker_killed_while_it_classifies_changes_nothing(frame: Any, killing: list[int]) -> None:
    model = lk.train(TABLE, **OPTIONS)
    rows = on_spark.classify(model, frame.drop("label"), probabilities=False).collect()
    assert killing
    texts = TABLE["text"].to_pylist()
    assert {row["text"]: row["label"] for row in rows} == dict(
        zip(texts, model.classify_many(texts).labels, strict=True)
    )


def test_a_worker_killed_during_a_stream_changes_nothing(
    spark: Any, frame: Any, killing: list[int], tmp_path: Path
) -> None:
    model = tmp_path / "model" / "shop.likelier"
    model.parent.mkdir()
    lk.train(PAIRS[:6], view="textbook").save(model)
    stream = spark.readStream.schema("text string, label string").parquet(f"{tmp_path}/*.parquet")
    learn = on_spark.stream_learner(model, text="text", label="label")
    slow = stream.repartition(PARTS)

    def learn_slowly(batch: Any, number: int) -> None:
        learn(slowed(batch), number)

    writing = slow.writeStream.foreachBatch(learn_slowly).option("checkpointLocation", str(tmp_path / "checkpoint"))
    writing.trigger(availableNow=True).start().awaitTermination()
    assert killing
    assert lk.load(model).counts == lk.train([*PAIRS[:6], *PAIRS], view="textbook").counts

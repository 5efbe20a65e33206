"""Streams: a batch is learned exactly once, also when Spark repeats it, and streams are classified as tables are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
import likelier.spark as on_spark
from likelier._storage.provenance import event, of_stream, trimmed
from likelier.demo import documents
from likelier.spark._streams import last_batch

PAIRS = list(documents())
FIELDS = "text string, label string"


def put(folder: Path, name: str, pairs: list[tuple[str, str]]) -> None:
    folder.mkdir(exist_ok=True)
    lines = [json.dumps({"text": text, "label": label}) for text, label in pairs]
    hidden = folder / f".{name}"
    hidden.write_text("\n".join(lines), "utf-8")
    hidden.rename(folder / name)


def run(spark: Any, folder: Path, learner: Any) -> None:
    stream = spark.readStream.schema(FIELDS).option("maxFilesPerTrigger", "1").json(str(folder / "mail"))
    writing = stream.writeStream.foreachBatch(learner).option("checkpointLocation", str(folder / "checkpoint"))
    query = writing.trigger(availableNow=True).start()
    query.awaitTermination()


def test_a_repeated_batch_of_a_stream_adds_nothing(spark: Any, tmp_path: Path) -> None:
    from pyspark.errors import StreamingQueryException

    path, first, rest = tmp_path / "shop.likelier", PAIRS[:100], PAIRS[100:]
    lk.train(first, view="textbook").save(path)
    put(tmp_path / "mail", "a.json", rest[:70])
    learn = on_spark.stream_learner(path, text="text", label="label", by="mailroom")
    seen: list[int] = []

    def learn_and_fail(frame: Any, batch: int) -> None:
        learn(frame, batch)
        seen.append(batch)
        if len(seen) == 1:
            raise RuntimeError("after the batch was learned, before Spark has noted it")

    with pytest.raises(StreamingQueryException, match="before Spark has noted it"):
        run(spark, tmp_path, learn_and_fail)
    put(tmp_path / "mail", "b.json", rest[70:])
    run(spark, tmp_path, learn_and_fail)
    assert seen == [0, 0, 1]
    model = lk.load(path)
    whole = lk.train(PAIRS, view="textbook")
    assert (model.counts, model.counts.digest()) == (whole.counts, whole.counts.digest())
    learned = [event for event in model.provenance if event["what"] == "learn"]
    assert [(event["documents"], event["by"]) for event in learned] == [(70, "mailroom"), (len(rest) - 70, "mailroom")]
    assert lk.load(path).learned(*rest[0])  # the ledger knows them too


def test_the_last_batch_of_a_stream_is_known_however_much_is_learned_after_it() -> None:
    events = [event("learn", [f"{of_stream('a')}{number}"], 1) for number in range(3)]
    for number in range(5000):
        events = trimmed([*events, event("learn", [f"{of_stream('b')}{number}"], 1)])
    assert (last_batch(events, "a"), last_batch(events, "b"), last_batch(events, "c")) == (2, 4999, -1)
    assert len(events) <= 1101
    assert sum(each["documents"] for each in events) == 5003


def test_a_stream_is_classified_as_a_table_is(spark: Any, tmp_path: Path) -> None:
    model = lk.train(PAIRS, view="textbook")
    put(tmp_path / "mail", "a.json", PAIRS[:30])
    stream = spark.readStream.schema(FIELDS).json(str(tmp_path / "mail")).select("text")
    found = on_spark.classify(model, stream, text="text", probabilities=False)
    query = found.writeStream.format("memory").queryName("verdicts").trigger(availableNow=True).start()
    query.awaitTermination()
    rows = {row["text"]: row["label"] for row in spark.table("verdicts").collect()}
    assert rows == {text: model.classify(text).label for text, _ in PAIRS[:30]}
    spark.catalog.dropTempView("verdicts")
    with pytest.raises(lk.InputError, match="a DataFrame that ends was expected"):
        on_spark.train(stream)
    with pytest.raises(lk.SettingError, match="the id of the stream is not known"):
        on_spark.stream_learner(tmp_path / "shop.likelier")(spark.createDataFrame(PAIRS[:1], FIELDS), 0)

"""Spark Connect: the same results through a server, and an error for what cannot work there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cluster import why_not

PATIENCE = 600  # seconds
PROGRAM = """
import json, sys, warnings
from pathlib import Path

warnings.simplefilter("ignore", FutureWarning)
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.errors import PySparkException

import likelier as lk
import likelier.spark as on_spark
from likelier.demo import documents
from likelier.spark.ml import NaiveBayesClassifier

folder = Path(sys.argv[1])
spark = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "2").getOrCreate()
table = pa.table({"text": [text for text, _ in documents()], "label": [label for _, label in documents()]})
frame = spark.createDataFrame(table)
local = lk.train(table, text="text", label="label", view="textbook")

model = on_spark.train(frame.repartition(3), text="text", label="label", view="textbook", ledger=True)
assert model.counts == local.counts and model.learned(*next(iter(documents())))
assert on_spark.learn(model, frame.limit(3), text="text", label="label") == 3

rows = on_spark.classify(local, frame.drop("label")).collect()
verdicts = local.classify_many([row["text"] for row in rows])
assert [row["probability"] for row in rows] == verdicts.probability.tolist()

judged = on_spark.evaluate(local, frame, text="text", label="label", method="folds", folds=3)
assert judged.verdicts == local.evaluate(table, method="folds", folds=3).verdicts
try:
    on_spark.train(spark.createDataFrame([("a", None)], "text string, label string"), label="label", view="textbook")
    raise AssertionError("a row without a label")
except lk.InputError as error:
    assert error.code == "row-label-missing", error

stage = NaiveBayesClassifier(textCol="text", view="textbook").fit(frame)
predicted = [row["prediction"] for row in stage.transform(frame).collect()]
assert predicted == [row["label"] for row in on_spark.classify(local, frame.select("text")).collect()]
try:
    stage.save(str(folder / "stage"))
    raise AssertionError("saved a stage")
except lk.SettingError as error:
    assert error.code == "spark-connect-stage", error

(folder / "mail").mkdir()
(folder / "mail" / "a.json").write_text(json.dumps({"text": "refund, please", "label": "refund"}))
stream = spark.readStream.schema("text string, label string").json(str(folder / "mail"))
found = on_spark.classify(local, stream.select("text"), probabilities=False)
found.writeStream.format("memory").queryName("verdicts").trigger(availableNow=True).start().awaitTermination()
assert [row["label"] for row in spark.table("verdicts").collect()] == [local.classify("refund, please").label]
local.save(folder / "shop.likelier")
learning = stream.writeStream.foreachBatch(on_spark.stream_learner(folder / "shop.likelier"))
learning = learning.option("checkpointLocation", str(folder / "checkpoint"))
try:
    learning.trigger(availableNow=True).start().awaitTermination()
    raise AssertionError("learned from a stream")
except PySparkException as error:
    assert "the id of the stream is not known here" in str(error), error
assert lk.load(folder / "shop.likelier").counts == local.counts
spark.stop()
print("all of it")
"""


@pytest.mark.slow
def test_all_but_learning_from_a_stream_works_through_spark_connect(tmp_path: Path) -> None:
    pytest.importorskip("grpc", reason="Spark Connect needs gRPC: pip install 'pyspark[connect]'")
    if reason := why_not():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stdout.rstrip().endswith("all of it"), done.stderr[-3000:]

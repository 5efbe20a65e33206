"""Classifying on Spark: the verdicts of the library, to the last bit, beside the rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import likelier as lk
import likelier.spark as on_spark
from likelier.demo import documents, new_messages

TEXTS = [text for text, _ in documents()]
MODEL = lk.train(TEXTS, [label for _, label in documents()])


def test_verdicts_are_those_of_the_library_to_the_last_bit(spark: Any) -> None:
    frame = spark.createDataFrame(pa.table({"text": TEXTS, "label": range(len(TEXTS))}))
    found = on_spark.classify(MODEL, frame)
    assert found.columns == ["text", "label", *(f"likelier_{name}" for name in VERDICT)]
    rows = sorted(found.repartition(2).collect(), key=lambda row: row["label"])
    verdicts = MODEL.classify_many(TEXTS)
    assert [row["likelier_label"] for row in rows] == verdicts.labels
    assert [row["likelier_probability"] for row in rows] == verdicts.probability.tolist()
    assert [row["likelier_probabilities"] for row in rows] == [each.probabilities for each in verdicts]
    assert [row["likelier_unknown_share"] for row in rows] == verdicts.unknown_share.tolist()
    assert [row["likelier_reason"] for row in rows] == verdicts.reasons


VERDICT = ["label", "probability", "probabilities", "unknown_share", "reason"]


def test_a_view_decides_by_its_own_settings_and_labels_may_be_integers(spark: Any) -> None:
    texts = list(new_messages())
    model = lk.train(
        TEXTS,
        [["billing", "delivery"].index(label) if label in ("billing", "delivery") else 2 for _, label in documents()],
    )
    view = model.view(decide=lk.Thresholds({1: 0.9}), without_evidence="none")
    found = on_spark.classify(view, spark.createDataFrame(pa.table({"text": texts})), probabilities=False)
    assert found.columns == ["text", "label", "probability", "unknown_share", "reason"]
    verdicts = view.classify_many(texts)
    assert [(row["label"], row["reason"]) for row in found.collect()] == list(
        zip(verdicts.labels, verdicts.reasons, strict=True)
    )


def test_refined_weights_are_shipped_and_not_judged(spark: Any) -> None:
    model, table = MODEL.copy(), pa.table({"text": TEXTS, "label": [label for _, label in documents()]})
    model.refine(table, text="text", label="label")
    found = on_spark.classify(model, spark.createDataFrame(table.select(["text"])).coalesce(1)).collect()
    assert [row["probability"] for row in found] == model.classify_many(TEXTS).probability.tolist()
    assert [row["probability"] for row in found] != MODEL.classify_many(TEXTS).probability.tolist()
    with pytest.raises(lk.SettingError, match="refined weights cannot be judged on a cluster"):
        on_spark.evaluate(model, spark.createDataFrame(table))


def test_documents_with_columns_are_classified_by_their_names(spark: Any) -> None:
    rows = [{"a.b c": "red", "n": 1.5, "label": "x"}, {"a.b c": "blue", "n": 3.5, "label": "y"}] * 6
    model = lk.train(rows, label="label", view="textbook")
    asked = pa.table({"n": [1.0, None, 4.0], "left out": [[1], [2], []], "a.b c": ["red", "green", None]})
    found = on_spark.classify(model, spark.createDataFrame(asked)).collect()
    verdicts = model.classify_many(asked.drop_columns(["left out"]))
    assert [row["probability"] for row in found] == verdicts.probability.tolist()
    assert [row["left out"] for row in found] == [[1], [2], []]
    with pytest.warns(UserWarning, match="column 'n' is not in the DataFrame: taken as missing"):
        without = on_spark.classify(model, spark.createDataFrame(asked.select(["a.b c"]))).collect()
    assert [row["probability"] for row in without] == model.classify_many(
        asked.select(["a.b c"]).append_column("n", pa.nulls(3, pa.float64()))
    ).probability.tolist()


def test_rows_without_a_text_stop_the_job_or_say_why_they_have_no_label(spark: Any) -> None:
    frame = spark.createDataFrame(pa.table({"text": ["Where is my parcel?", None, "refund"]})).coalesce(1)
    first, second, third = on_spark.classify(MODEL, frame, on_error="skip").collect()
    assert (first["label"], third["label"]) == tuple(MODEL.classify_many(["Where is my parcel?", "refund"]).labels)
    assert (second["label"], second["probability"], second["probabilities"]) == (None, None, None)
    assert second["reason"] == "every document needs a text, but 'text' is missing in partition 0 row 1"
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException, match="every document needs a text"):
        on_spark.classify(MODEL, frame).collect()


def test_what_cannot_be_classified_is_refused_in_words(spark: Any) -> None:
    frame = spark.createDataFrame(pa.table({"message": ["refund"]}))
    assert on_spark.classify(MODEL, frame, text="message").count() == 1
    with pytest.raises(lk.InputError, match="'text'"):
        on_spark.classify(MODEL, frame, text="text")
    with pytest.raises(lk.InputError, match="a model or a view"):
        on_spark.classify("model.likelier", frame)  # type: ignore[arg-type]
    with pytest.raises(lk.InputError, match="learned no document"):
        on_spark.classify(lk.Model(), frame)

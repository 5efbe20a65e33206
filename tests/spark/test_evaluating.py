"""Evaluating on Spark: the verdicts and scores of the library, to the last bit, over documents that stay there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import likelier as lk
import likelier.spark as on_spark
from likelier.demo import documents

TEXTS = pa.table({"text": [text for text, _ in documents()], "label": [label for _, label in documents()]})
MODEL = lk.train(TEXTS, text="text", label="label")


def check_same(found: lk.Evaluation, local: lk.Evaluation) -> None:
    assert found.how == local.how
    assert found.truth.tolist() == local.truth.tolist()
    assert found.verdicts == local.verdicts
    assert np.array_equal(found.scores.values, local.scores.values)
    assert str(found) == str(local)


@pytest.mark.parametrize("options", [{}, {"method": "folds", "folds": 3, "seed": 7}, {"method": "held-out"}], ids=str)
def test_verdicts_scores_and_figures_are_those_of_the_library(spark: Any, options: dict[str, Any]) -> None:
    found = on_spark.evaluate(MODEL, spark.createDataFrame(TEXTS), **options)
    check_same(found, MODEL.evaluate(TEXTS, **options))


def test_a_view_with_columns_and_weights_is_judged_and_bad_rows_are_skipped(spark: Any) -> None:
    rows = [
        {"color": color, "size": size, "new": size > 2, "label": label, "weight": weight}
        for color, size, label, weight in [("red", 1.5, "a", 1.0), ("blue", 2.5, "b", 2.0), ("red", 3.0, "b", 0.5)] * 4
    ]
    table = pa.Table.from_pylist(rows)
    plain, weights = table.drop_columns(["weight"]), table["weight"].to_pylist()
    view = lk.train(plain, label="label", weights=weights).view(alpha=0.5)
    bad = pa.Table.from_pylist([{**rows[0], "label": None}], schema=table.schema)
    frame = spark.createDataFrame(pa.concat_tables([table, bad]))
    with pytest.warns(UserWarning, match="skipped 1 row: 1 like this: every document needs a label"):
        found = on_spark.evaluate(view, frame, weights="weight", on_error="skip", method="folds", folds=2)
    check_same(found, view.evaluate(plain, weights=weights, method="folds", folds=2))


def test_a_label_that_the_model_lacks_is_a_mistake_and_documents_stay_on_the_cluster(spark: Any) -> None:
    asked = pa.table({"text": ["Where is my parcel?", "hello"], "label": ["delivery", "greeting"]})
    found = on_spark.evaluate(MODEL, spark.createDataFrame(asked), method="held-out")
    check_same(found, MODEL.evaluate(asked, method="held-out"))
    with pytest.raises(lk.InputError, match="are on the cluster"):
        found.mistakes()
    with pytest.raises(
        lk.LearningError, match="only a document that was learned can be left out, and partition 0 row 0"
    ):
        on_spark.evaluate(MODEL, spark.createDataFrame(asked.slice(0, 1)))
    with pytest.raises(lk.SettingError, match="`method` must be"):
        on_spark.evaluate(MODEL, spark.createDataFrame(asked), method="time-ordered")  # type: ignore[arg-type]

"""Stages for pipelines of MLlib: fitted, evaluated, saved, loaded and cross-validated with MLlib's own classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import likelier as lk
from likelier.demo import documents

TEXTS = pa.table({"text": [text for text, _ in documents()], "label": [label for _, label in documents()]})
TEXTBOOK = lk.train(TEXTS, text="text", label="label", view="textbook")


def numbered(**params: Any) -> Any:
    """A pipeline that numbers the labels and fits a classifier to the numbers."""
    from pyspark.ml import Pipeline
    from pyspark.ml.feature import StringIndexer

    from likelier.spark.ml import NaiveBayesClassifier

    indexer = StringIndexer(inputCol="label", outputCol="number")
    return Pipeline(
        stages=[indexer, NaiveBayesClassifier(textCol="text", labelCol="number", **{"view": "textbook", **params})]
    )


def test_predictions_are_the_verdicts_of_the_library_and_mllib_evaluates_them(spark: Any) -> None:
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.feature import IndexToString

    frame = spark.createDataFrame(TEXTS).coalesce(1)
    fitted = numbered().fit(frame)
    found = fitted.transform(frame)
    assert found.columns == ["text", "label", "number", "prediction", "probability"]
    named = IndexToString(inputCol="prediction", outputCol="said", labels=fitted.stages[0].labels).transform(found)
    verdicts = TEXTBOOK.classify_many(TEXTS["text"].to_pylist())
    assert [row["said"] for row in named.collect()] == verdicts.labels
    right = [said == truth for said, truth in zip(verdicts.labels, TEXTS["label"].to_pylist(), strict=True)]
    evaluator = MulticlassClassificationEvaluator(labelCol="number", metricName="accuracy")
    assert evaluator.evaluate(found) == pytest.approx(sum(right) / len(right))
    first = dict(zip(fitted.stages[0].labels, found.first()["probability"].tolist(), strict=True))
    assert first == verdicts[0].probabilities


def test_a_pipeline_is_saved_and_loaded_with_an_ordinary_model_file(spark: Any, tmp_path: Path) -> None:
    from pyspark.ml import Pipeline, PipelineModel

    frame, path = spark.createDataFrame(TEXTS), str(tmp_path / "fitted")
    pipeline = numbered(view={"ngrams": (1, 2)}, analyzer={"stop_words": 5}, minCount=2)
    fitted = pipeline.fit(frame)
    fitted.save(path)
    fitted.write().overwrite().save(path)
    loaded = PipelineModel.load(path)
    assert loaded.stages[1].uid == fitted.stages[1].uid
    assert loaded.transform(frame).collect() == fitted.transform(frame).collect()
    (file,) = tmp_path.rglob("*.likelier")
    assert lk.load(file).counts == fitted.stages[1].model.counts
    pipeline.save(str(tmp_path / "pipeline"))
    again = Pipeline.load(str(tmp_path / "pipeline")).fit(frame)
    assert again.stages[1].model.counts == fitted.stages[1].model.counts


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Exception ignored in.*Pool:pytest.PytestUnraisableExceptionWarning")  # MLlib's own
def test_settings_are_chosen_by_cross_validation(spark: Any) -> None:
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

    pipeline = numbered()
    grid = ParamGridBuilder().addGrid(pipeline.getStages()[1].view, ["textbook", {"alpha": 1e6}]).build()
    evaluator = MulticlassClassificationEvaluator(labelCol="number", metricName="logLoss")
    validator = CrossValidator(estimator=pipeline, estimatorParamMaps=grid, evaluator=evaluator, numFolds=2)
    found = validator.fit(spark.createDataFrame(TEXTS))
    good, bad = found.avgMetrics
    assert good < bad
    assert found.bestModel.stages[1].model.settings == TEXTBOOK.settings


def test_labels_may_be_text_or_integers_with_gaps_and_columns_may_be_mixed(spark: Any) -> None:
    from likelier.spark.ml import NaiveBayesClassifier

    rows = [{"color": color, "size": size, "label": size > 2} for color, size in [("red", 1.5), ("blue", 2.5)] * 4]
    table = pa.Table.from_pylist(
        [{**row, "name": ["small", "large"][row["label"]], "number": 3 * row["label"]} for row in rows]
    )
    frame = spark.createDataFrame(table).coalesce(1)
    columns: dict[str, Any] = {"categoricalCols": ["color"], "numericCols": ["size"], "view": "textbook"}
    of_text = NaiveBayesClassifier(labelCol="name", **columns).fit(frame)
    local = lk.train(table, label="name", categorical="color", numeric="size", view="textbook")
    assert of_text.model.counts == local.counts
    assert [row["prediction"] for row in of_text.transform(frame).collect()] == table["name"].to_pylist()
    with_gaps = NaiveBayesClassifier(labelCol="number", **columns).fit(frame).transform(frame).collect()
    assert [row["prediction"] for row in with_gaps] == table["number"].to_pylist()
    assert [len(row["probability"]) for row in with_gaps] == [4] * len(rows)
    assert [row["probability"][3] > 0.5 for row in with_gaps] == table["label"].to_pylist()


def test_rows_that_cannot_be_used_are_left_out_where_they_may_be(spark: Any) -> None:
    from likelier.spark.ml import NaiveBayesClassifier

    frame = spark.createDataFrame([("a b", 1.0), (None, 0.0), ("c", 0.0)], "text string, label double").coalesce(1)
    stage = NaiveBayesClassifier(textCol="text", view="textbook")
    with pytest.raises(lk.InputError, match="every document needs a text"):
        stage.fit(frame)
    stage.set(stage.handleInvalid, "skip")
    with pytest.warns(UserWarning, match="skipped 1 row"):
        fitted = stage.fit(frame)
    assert [(row["text"], row["prediction"]) for row in fitted.transform(frame).collect()] == [("a b", 1), ("c", 0)]


def test_what_a_stage_cannot_do_is_refused_in_words(spark: Any) -> None:
    from likelier.spark.ml import NaiveBayesClassifier

    frame = spark.createDataFrame(TEXTS)
    stage = NaiveBayesClassifier(textCol="text", labelCol="half", view="textbook")
    with pytest.raises(lk.InputError, match="must be integers, and column 'half' has others"):
        stage.fit(frame.selectExpr("text", "length(text) / 2 AS half"))
    with pytest.raises(lk.SettingError, match="`handleInvalid` must be one of error, skip, got 'keep'"):
        NaiveBayesClassifier(textCol="text", handleInvalid="keep").fit(frame)
    with pytest.raises(lk.InputError, match="'label' twice"):
        NaiveBayesClassifier(textCol="text", view="textbook", predictionCol="label").fit(frame).transform(frame)
    with pytest.raises(TypeError, match="Thresholds is not JSON"):
        NaiveBayesClassifier(textCol="text", view={"decide": lk.Thresholds({"a": 0.5})})

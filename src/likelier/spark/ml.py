"""Stages for pipelines of Spark MLlib: `NaiveBayesClassifier` is fitted, `NaiveBayesClassifierModel` adds predictions.

Labels may be text. MLlib's evaluators want numbers, as its StringIndexer gives them: 0.0, 1.0 and so on. These are
counted as integers, predictions are numbers of the same kind, and place i of a probability vector is that of label i.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator, Model
from pyspark.ml.functions import array_to_vector
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param import shared as has
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

import likelier
from likelier._base.checks import check_one_of
from likelier._base.errors import error
from likelier.spark import classify, train
from likelier.spark._failures import as_text
from likelier.spark._frames import NAME, column
from likelier.spark._shipping import context_of

__all__ = ["NaiveBayesClassifier", "NaiveBayesClassifierModel"]

FILE = "model.likelier"
_POLICIES = {"error": "stop", "skip": "skip"}  # of MLlib, and of likelier
_FRACTIONAL = (T.DoubleType, T.FloatType, T.DecimalType)


def _plain(value: Any) -> Any:
    json.dumps(value)  # a TypeError, which Param reports, for what could not be saved
    return value


def _param(name: str, doc: str, converter: Any) -> Any:
    return Param(Params._dummy(), name, doc, converter)


class _Columns(has.HasLabelCol, has.HasPredictionCol, has.HasProbabilityCol, has.HasHandleInvalid):
    textCol = _param("textCol", "the column with the texts", TypeConverters.toString)


class NaiveBayesClassifier(
    Estimator["NaiveBayesClassifierModel"],
    _Columns,
    has.HasWeightCol,
    DefaultParamsReadable["NaiveBayesClassifier"],
    DefaultParamsWritable,
):
    """An estimator for pipelines of Spark MLlib, which reads texts as they are: no tokenizer, no vectors.

    textCol, labelCol, weightCol, categoricalCols, binaryCols, numericCols: the columns. A label column with numbers,
        such as StringIndexer makes, must have whole ones.
    view, analyzer: as for `train`, of plain values that JSON can hold; the analyzer as a mapping of its arguments.
    mostTerms, minCount: how many terms a text column may have, and how often each must occur.
    predictionCol, probabilityCol: the columns that the model adds.
    handleInvalid: "error" at a row that cannot be used, or "skip" to leave it out.

    >>> from pyspark.ml import Pipeline  # doctest: +SKIP
    >>> from pyspark.ml.feature import StringIndexer  # doctest: +SKIP
    >>> frame = spark.createDataFrame(documents(), "text string, label string")  # doctest: +SKIP
    >>> stages = [StringIndexer(inputCol="label", outputCol="number")]  # doctest: +SKIP
    >>> stages.append(NaiveBayesClassifier(textCol="text", labelCol="number"))  # doctest: +SKIP
    >>> fitted = Pipeline(stages=stages).fit(frame)  # doctest: +SKIP
    >>> fitted.transform(frame).select("prediction").first()[0] in range(6)  # doctest: +SKIP
    True
    """

    categoricalCols = _param("categoricalCols", "columns with one value of several", TypeConverters.toListString)
    binaryCols = _param("binaryCols", "columns with yes or no", TypeConverters.toListString)
    numericCols = _param("numericCols", "columns with numbers", TypeConverters.toListString)
    view = _param("view", '"auto", "textbook" or a mapping of settings', _plain)
    analyzer = _param("analyzer", "how text becomes terms: arguments of Analyzer", _plain)
    mostTerms = _param("mostTerms", "how many terms a text column may have", TypeConverters.toInt)
    minCount = _param("minCount", "how often a term must occur", TypeConverters.toInt)

    @keyword_only
    def __init__(
        self,
        *,
        textCol: str | None = None,
        labelCol: str = "label",
        weightCol: str | None = None,
        categoricalCols: list[str] | None = None,
        binaryCols: list[str] | None = None,
        numericCols: list[str] | None = None,
        view: Any = "auto",
        analyzer: dict[str, Any] | None = None,
        mostTerms: int | None = None,
        minCount: int = 1,
        predictionCol: str = "prediction",
        probabilityCol: str = "probability",
        handleInvalid: str = "error",
    ) -> None:
        super().__init__()
        self._setDefault(labelCol="label", view="auto", minCount=1, handleInvalid="error")
        self._setDefault(predictionCol="prediction", probabilityCol="probability")
        self._set(**vars(self)["_input_kwargs"])  # which `keyword_only` notes

    def _fit(self, dataset: DataFrame) -> NaiveBayesClassifierModel:
        given = {param.name: value for param, value in self.extractParamMap().items()}
        label = given["labelCol"]
        model = train(
            _with_whole_labels(dataset, label),
            label=label,
            text=given.get("textCol"),
            weights=given.get("weightCol"),
            **{name: given.get(f"{name}Cols", ()) for name in ("categorical", "binary", "numeric")},
            view=given["view"],
            analyzer=likelier.Analyzer(**given["analyzer"]) if "analyzer" in given else None,
            most_terms=given.get("mostTerms"),
            min_count=given["minCount"],
            on_error=_policy(self),
        )
        fitted = NaiveBayesClassifierModel(model)
        fitted._set(numClasses=_classes(dataset, label, model))
        return self._copyValues(fitted)


class NaiveBayesClassifierModel(Model, _Columns, MLReadable["NaiveBayesClassifierModel"], MLWritable):
    """A fitted `NaiveBayesClassifier`: `transform` adds predictions and probabilities.

    model  the `likelier.Model`, which can do all that a model can; a change of its settings changes the predictions

    Predictions are numbers where the labels are, and labels where they are text. `save` writes the model file into a
    folder, beside the parameters.

    >>> frame = spark.createDataFrame(documents(), "text string, label string")  # doctest: +SKIP
    >>> fitted = NaiveBayesClassifier(textCol="text").fit(frame)  # doctest: +SKIP
    >>> fitted.save(str(folder / "stage"))  # doctest: +SKIP
    >>> NaiveBayesClassifierModel.load(str(folder / "stage")).model.documents  # doctest: +SKIP
    240
    """

    numClasses = _param("numClasses", "places of a probability vector, where labels are numbers", TypeConverters.toInt)

    def __init__(self, model: likelier.Model) -> None:
        super().__init__()
        self.model = model

    def _transform(self, dataset: DataFrame) -> DataFrame:
        added = {self.getPredictionCol(): "label", self.getProbabilityCol(): "probabilities"}
        for name in set(added) & set(dataset.columns):
            raise error("column-twice", got=name, source=NAME)
        text = self.getOrDefault("textCol") if self.model.schema.is_plain and self.isDefined("textCol") else None
        found = classify(self.model, dataset, text=text, on_error=_policy(self))
        label, _, several, _, _ = map(column, found.columns[len(dataset.columns) :])
        found = found.where(several.isNotNull()) if self.getHandleInvalid() == "skip" else found
        old = [column(name) for name in dataset.columns]
        number = label.cast("double") if self.model.labels and type(self.model.labels[0]) is int else label
        vector = array_to_vector(self._in_order(several))
        return found.select(*old, number.alias(self.getPredictionCol()), vector.alias(self.getProbabilityCol()))

    def _in_order(self, several: Any) -> Any:
        """The probabilities by place: place i for label i, or the order of labels that are no such numbers."""
        size = self.getOrDefault("numClasses")
        if self.model.labels == tuple(range(size)) or type(self.model.labels[0]) is not int or self.model.labels[0] < 0:
            return F.map_values(several)
        places = F.sequence(F.lit(0).cast("long"), F.lit(size - 1).cast("long"))
        return F.transform(places, lambda place: F.coalesce(F.try_element_at(several, place), F.lit(0.0)))

    def write(self) -> MLWriter:
        """Writes the stage: `write().overwrite().save(path)`; `save(path)` for short."""
        return _Writer(self)

    @classmethod
    def read(cls) -> MLReader[NaiveBayesClassifierModel]:
        """Reads a stage: `read().load(path)`; `load(path)` for short."""
        return _Reader()


class _Writer(MLWriter):
    def __init__(self, stage: NaiveBayesClassifierModel) -> None:
        super().__init__()
        self._stage = stage

    def saveImpl(self, path: str) -> None:
        DefaultParamsWriter.saveMetadata(self._stage, path, self.sparkSession)
        with TemporaryDirectory() as folder:
            self._stage.model.save(Path(folder, FILE))
            files, here, there = _addresses(self.sparkSession, Path(folder, FILE), path)
            files.copyFromLocalFile(here, there)


class _Reader(MLReader[NaiveBayesClassifierModel]):
    def load(self, path: str) -> NaiveBayesClassifierModel:
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        with TemporaryDirectory() as folder:
            files, here, there = _addresses(self.sparkSession, Path(folder, FILE), path)
            files.copyToLocalFile(False, there, here, True)
            stage = NaiveBayesClassifierModel(likelier.load(Path(folder, FILE)))
        stage._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(stage, metadata)
        return stage


def _addresses(session: SparkSession, here: Path, there: str) -> tuple[Any, Any, Any]:
    """Hadoop's file system with a folder of Spark; a file on this disk, and the model file in that folder."""
    if context_of(session) is None:
        raise error("spark-connect-stage")
    java: Any = session._jvm
    path = java.org.apache.hadoop.fs.Path
    target = path(there, FILE)
    return target.getFileSystem(session._jsc.hadoopConfiguration()), path(here.as_uri()), target


def _policy(stage: Any) -> Any:
    policy = stage.getHandleInvalid()
    check_one_of("spark-invalid-policy", policy, tuple(_POLICIES))
    return _POLICIES[policy]


def _with_whole_labels(frame: DataFrame, name: str) -> DataFrame:
    """The DataFrame with labels that are numbers as integers; a number that is not whole is an error."""
    if name not in frame.columns or not isinstance(frame.schema[name].dataType, _FRACTIONAL):
        return frame
    label = column(name)
    refused = F.raise_error(F.lit(as_text(error("spark-label-fraction", name=name))))
    return frame.withColumn(
        name, F.when(label.isNull() | (label == F.floor(label)), label.cast("long")).otherwise(refused)
    )


def _classes(frame: DataFrame, name: str, model: likelier.Model) -> int:
    """How many labels there may be: as StringIndexer says it, or up to the highest one."""
    named = len(frame.schema[name].metadata.get("ml_attr", {}).get("vals", ()))
    return max(named, *(label + 1 for label in model.labels if isinstance(label, int)), 0)

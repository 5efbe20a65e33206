"""`evaluate`: exact leave-one-out and folds over documents that stay on the cluster."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from likelier._answer.verdict import decided
from likelier._base.checks import check_one_of, checked_integer, checked_seed
from likelier._base.errors import error
from likelier._counts.by_column import pruned
from likelier._counts.pruning import check_whole
from likelier._documents.batch import Batch
from likelier._documents.labels import Label
from likelier._evaluate import splits
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.splits import Judge, stratified_folds
from likelier._explain.explanation import Explanation
from likelier._model.counted import hold
from likelier._model.models import Model
from likelier._model.view import View
from likelier._settings.values import Settings
from likelier.spark._choosing import named, reading_of, under, with_spellings
from likelier.spark._counting import Counting, gathered
from likelier.spark._failures import told
from likelier.spark._frames import checked_frame, with_columns
from likelier.spark._gathered import label_of, skipped_in_words
from likelier.spark._judging import PART, Arrays, FoldCounting, Folds, Judging, scores_of, unpacked
from likelier.spark._partition import Reading
from likelier.spark._rows import KEYS, NUMBERS, SPARK_SCHEMA
from likelier.spark._shipping import checked_model, ship, ship_model

Method = Literal["leave-one-out", "folds", "held-out"]
HOW = {
    "leave-one-out": "leave-one-out: each document judged by the counts without it",
    "folds": "{number} folds: each judged by the counts without it",
    "held-out": "held-out: each document judged by the model as it is",
}


def evaluate(
    model: Model | View,
    frame: DataFrame,
    *,
    label: str | None = None,
    text: str | None = None,
    weights: str | None = None,
    method: Method = "leave-one-out",
    folds: int = 10,
    seed: int = 0,
    on_error: Literal["stop", "skip"] = "stop",
) -> Evaluation:
    """How good the verdicts of a model are on the rows of a DataFrame. The documents stay on the cluster.

    The log scores of all documents come to the driver: 16 bytes for each document and label. Of very many documents,
    judge some: `frame.sample(0.01)`.

    model: a model that has learned the documents, or a view of one; with "held-out", one that has not.
    label, text, weights, on_error: as for `learn`.
    method: "leave-one-out" and "folds" judge documents by the counts without them, "held-out" by all counts.
    folds, seed: how many folds, stratified by label; random seed for the folds.

    >>> frame = spark.createDataFrame(documents(), "text string, label string")  # doctest: +SKIP
    >>> model = train(frame, text="text", label="label")  # doctest: +SKIP
    >>> round(evaluate(model, frame, text="text", label="label").figures.accuracy.share, 4)  # doctest: +SKIP
    0.7875
    """
    check_one_of("method-unknown", method, get_args(Method))
    folds, seed = checked_integer("folds-range", folds, 2), checked_seed(seed)
    counts = checked_model(model).counts
    if method != "held-out":
        check_whole(pruned(counts), "this judgment")
    view = model.view() if isinstance(model, Model) else model
    if view.layer is not None and view.layer.fits(view.settings, counts.labels):
        raise error("spark-refined")
    rows = checked_frame(frame)
    reading = reading_of(rows, named(text=text, schema=view.schema), label=label, weights=weights, on_error=on_error)
    if view.schema.clean_labels:
        reading = with_spellings(rows, reading, Model(view.counts, schema=view.schema, ledger=False))
    if not view.labels:
        raise error("model-empty")
    run = _Run(view, rows, reading, ship_model(rows.sparkSession, view))
    return run.by_folds(folds, seed) if method == "folds" else run.judged(method)


class _Run:
    """One evaluation: a view, and the documents on the cluster."""

    def __init__(self, view: View, frame: DataFrame, reading: Reading, name: str) -> None:
        self._view, self._reading, self._name = view, reading, name
        self._session = frame.sparkSession
        self._rows = with_columns(frame, reading.columns)

    def judged(self, method: str) -> Evaluation:
        """Each document by the counts without it, or by the model as it is."""
        found = self._collected(Judging(self._name, self._reading, method))
        return self._evaluation(HOW[method], [each for _, several in found for each in several])

    def by_folds(self, number: int, seed: int) -> Evaluation:
        """Each fold by the counts without it: a pass for the labels, one for the counts of the folds, one to judge."""
        found = self._collected(Judging(self._name, self._reading, "labels"))
        lengths = [sum(len(each["truth"]) for each in several) for _, several in found]
        ends = np.cumsum([0, *lengths]).tolist()
        truth = np.concatenate([np.zeros(0, dtype=np.intp), *(e["truth"] for _, several in found for e in several)])
        some = min(number, max(len(truth), 1))  # more have nothing to judge
        dealt = stratified_folds(truth, some, seed)
        buffer = io.BytesIO()
        np.save(buffer, dealt.astype(np.uint32))
        places = {which: (ends[place], ends[place + 1]) for place, (which, _) in enumerate(found)}
        folds = Folds(ship(self._session, buffer.getvalue(), "npy"), places)
        judging = Judging(self._name, self._reading, "folds", folds, tuple(self._rests(folds, some)))
        parts = [each for _, several in self._collected(judging) for each in several]
        return self._evaluation(HOW["folds"].format(number=number), parts, dealt)

    def _rests(self, folds: Folds, number: int) -> Iterator[str]:
        """The models without each fold, shipped; "" where nothing is left."""
        schema = self._view.schema
        counting = Counting(under(self._reading, schema), schema)
        rows = self._rows.mapInArrow(FoldCounting(counting, folds, number), f"{SPARK_SCHEMA}, fold int")
        sums = rows.groupBy("fold", *KEYS).agg(*(F.try_sum(name).alias(name) for name in NUMBERS))
        sums = sums.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            for fold in range(number):
                part = Model(schema=schema, ledger=False)
                hold(part, gathered(sums.where(F.col("fold") == fold).drop("fold"), counting).counts, None)
                rest = Judge(self._view, self._view.labels, 1).without(part)
                yield ship_model(self._session, rest) if rest.labels else ""
        finally:
            sums.unpersist()

    def _collected(self, judging: Judging) -> list[tuple[int, list[Arrays]]]:
        """What the workers give, by partition, in the order of the rows.

        A shuffle stands between: all judge at once, and the driver's Java never holds all that they give.
        """
        rows = self._rows.mapInArrow(judging, PART).select(F.spark_partition_id().alias("place"), "number", "part")
        numbered: dict[int, dict[int, Arrays]] = {}
        with told():
            for row in rows.repartition("place").toLocalIterator(prefetchPartitions=True):
                numbered.setdefault(row["place"], {})[row["number"]] = unpacked(row["part"])
        found = [(place, [parts[number] for number in sorted(parts)]) for place, parts in sorted(numbered.items())]
        reasons: dict[str, tuple[int, str]] = {}
        for _, several in found:  # the last part of a partition tells of its end
            for code, (count, message) in json.loads(several.pop()["reasons"].tobytes()).items():
                before, first = reasons.get(code, (0, message))
                reasons[code] = before + count, first
        if reasons and judging.method != "labels":
            warnings.warn(skipped_in_words(reasons), stacklevel=5)
        return found

    def _evaluation(self, how: str, parts: list[Arrays], dealt: NDArray[np.intp] | None = None) -> Evaluation:
        if not sum(len(part["truth"]) for part in parts):
            raise error("evaluation-empty")
        scores, labels = splits.joined([scores_of(part) for part in parts]), self._view.labels
        weights = [part["weights"] for part in parts if "weights" in part]
        return Evaluation(
            how=how,
            view=self._view,
            labels=labels,
            truth=np.concatenate([part["truth"] for part in parts]),
            verdicts=decided(self._view.estimates, scores, self._view.settings),
            scores=scores,
            weights=np.concatenate(weights) if weights else None,
            folds=dealt,
            _judged=_OnCluster([name for part in parts for name in _names(part, labels)]),
        )


def _names(part: Arrays, labels: tuple[Label, ...]) -> Iterator[Label]:
    strange = iter(part["strange"].tolist())
    for place in part["truth"].tolist():
        yield labels[place] if place >= 0 else label_of(next(strange))


@dataclass
class _OnCluster:
    """The documents that were judged: their labels are known here, and nothing else."""

    names: list[Label] = field(repr=False)

    @property
    def batches(self) -> Iterable[Batch]:
        raise error("spark-documents-away")

    def explain(self, row: int, document: Batch, settings: Settings) -> Explanation:
        raise error("spark-documents-away")

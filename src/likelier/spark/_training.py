"""`train` and `learn`: the rows stay where they are, and the counts come back."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from pyspark import StorageLevel
from pyspark.sql import DataFrame

from likelier._base.checks import check_flag, checked_integer
from likelier._counts.frequent import by_frequency
from likelier._documents.kinds import MISSING, Text
from likelier._documents.labels import alike, alike_in_words
from likelier._documents.schema import Schema
from likelier._estimate.numeric import NumericRule
from likelier._model.counted import hold, learn_counted
from likelier._model.models import Model
from likelier._model.one_pass import Names, TrainingData, to_count
from likelier._read.wanted import Others
from likelier._show.progress import Report, shown
from likelier._storage.provenance import check_name
from likelier._text.analyzer import Analyzer
from likelier._train.sample import Sample
from likelier._train.trainer import check_like, trained, without_settings
from likelier.spark._choosing import named, no_documents, reading_of, under, with_spellings
from likelier.spark._counting import Counting, gathered, summed
from likelier.spark._frames import checked_frame
from likelier.spark._gathered import Gathered, skipped_in_words
from likelier.spark._limits import limited, put_lost
from likelier.spark._partition import Reading
from likelier.spark._progress import watched
from likelier.spark._sample import sample_of

if TYPE_CHECKING:
    from likelier._train.search import By

SOURCE = "a DataFrame of Spark"  # in the provenance


@without_settings
def train(
    frame: DataFrame,
    *,
    label: str | None = None,
    text: Names | Mapping[str, Analyzer] | None = None,
    categorical: Names | Mapping[str, Sequence[str]] = (),
    binary: Names = (),
    numeric: Names | Mapping[str, NumericRule | str | Sequence[float]] = (),
    ignore: Names = (),
    others: Others = "leave",
    bind: Sequence[Sequence[str]] = (),
    missing_values: Sequence[str] = MISSING,
    weights: str | None = None,
    analyzer: Analyzer | None = None,
    view: Literal["auto", "textbook"] | Mapping[str, Any] = "auto",
    choose_by: By = "accuracy",
    like: Model | None = None,
    most_terms: int | None = None,
    min_count: int = 1,
    clean_labels: bool = False,
    on_error: Literal["stop", "skip"] = "stop",
    ledger: bool = False,
    progress: bool | Report | None = None,
) -> Model:
    """Trains a model on the rows of a Spark DataFrame. Its counts are those that `likelier.train` has of the same rows.

    label, text, categorical, binary, numeric, ignore, others, bind, missing_values, analyzer, view, choose_by, like,
        clean_labels, progress: as for `likelier.train`. `view="auto"` chooses by a sample of at most 40 MB of text.
    weights: the column that says how much each document counts; 1 if not given.
    most_terms: how many terms each text column may have. Spark adds up all of them and drops the rarest, so the counts
        of the others stay exact; `model.pruned` says what is lost.
    min_count: drop terms that occur less often in all documents together, in the same way.
    on_error: "stop" at a row that cannot be used, or "skip" it; a warning says how many were skipped, and why.
    ledger: keep a fingerprint of each document, 20 bytes, so that only what was learned can be forgotten.

    >>> frame = spark.createDataFrame(  # doctest: +SKIP
    ...     [("cheap watches", "spam"), ("lunch at noon", "ham")], "text string, label string"
    ... )
    >>> model = train(frame, text="text", label="label")  # doctest: +SKIP
    >>> model.classify("cheap lunch watches").label  # doctest: +SKIP
    'spam'
    """
    given = {"categorical": categorical, "binary": binary, "numeric": numeric, "ignore": ignore, "bind": bind}
    check_like(like, **given, others=others, missing_values=missing_values, analyzer=analyzer, view=view)
    check_flag("clean_labels", clean_labels)
    check_flag("ledger", ledger)
    rows = checked_frame(frame)
    asked = named(
        text=text, categorical=categorical, binary=binary, numeric=numeric, ignore=ignore, others=others,
        missing_values=missing_values, schema=None if like is None else like.schema,
    )  # fmt: skip
    reading = reading_of(rows, asked, label=label, weights=weights, on_error=on_error)
    if clean_labels or (like is not None and like.schema.clean_labels):
        reading = with_spellings(rows, reading, like)
    data = to_count(
        [no_documents(reading.choice)], text=text, numeric=numeric, bind=bind, analyzer=analyzer,
        most_terms=most_terms, clean_labels=clean_labels, like=like,
    )  # fmt: skip
    counting = _Counting(rows, reading, data.most_terms, checked_integer("min-count-range", min_count, 1), ledger)
    with shown(progress) as report, watched(rows, report):
        data = counting.with_stop_words(replace(data, report=report))
        model = trained(data, view, choose_by, like, ledger=ledger, sampled=counting.sampled, fill=counting.fill)
    counting.warn()
    if groups := alike(model.labels):
        warnings.warn(f"{alike_in_words(groups)}; clean_labels=True joins them", stacklevel=3)
    model.provenance[-1]["sources"] = [SOURCE]
    return model


def learn(
    model: Model,
    frame: DataFrame,
    *,
    label: str | None = None,
    text: str | None = None,
    weights: str | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    by: str | None = None,
) -> int:
    """Learns the rows of a Spark DataFrame; all of them, or none. Returns how many the ledger already had.

    label, text: the columns; those of the model if not given.
    weights, on_error: as for `train`.
    by: who teaches them, for the provenance.

    >>> frame = spark.createDataFrame([("cheap pills", "spam")], "text string, label string")  # doctest: +SKIP
    >>> learn(model, frame, text="text", label="label")  # doctest: +SKIP
    0
    >>> model.documents  # doctest: +SKIP
    3
    """
    check_name(by)
    return learn_from(
        model, checked_frame(frame), SOURCE, label=label, text=text, weights=weights, on_error=on_error, by=by
    )


def learn_from(model: Model, frame: DataFrame, source: str, *, by: str | None = None, **options: Any) -> int:
    """Learns rows from a source with this name in the provenance."""
    label, text, weights = (options.get(name) for name in ("label", "text", "weights"))
    asked = named(text=text, schema=model.schema)
    reading = reading_of(frame, asked, label=label, weights=weights, on_error=options.get("on_error", "stop"))
    if model.schema.clean_labels:
        reading = with_spellings(frame, reading, model)
    counting = _Counting(frame, reading, None, 1, model.ledger is not None)
    found = counting.all_of(model.schema)
    counting.warn()
    ledger = None if model.ledger is None else found.ledger
    return learn_counted(model, found.counts, ledger, sources=[source], by=by)


class _Counting:
    """The counting of one DataFrame: what is known of it, and what was skipped."""

    def __init__(self, frame: DataFrame, reading: Reading, most: int | None, least: int, ledger: bool) -> None:
        self._frame, self._reading = frame, reading
        self._most, self._least, self._ledger = most, least, ledger
        self._found: Gathered | None = None

    def sampled(self, data: TrainingData) -> tuple[Sample, TrainingData]:
        """The documents that settings are chosen on."""
        return sample_of(self._frame, self._reading, data), data

    def fill(self, model: Model) -> None:
        """Counts all documents as the schema of the model says, and puts the counts into it."""
        found = self.all_of(model.schema)
        hold(model, found.counts, found.ledger if self._ledger else None)

    def all_of(self, schema: Schema) -> Gathered:
        """The counts of all documents."""
        self._found = self._count(schema, self._most, self._least, self._ledger)
        return self._found

    def with_stop_words(self, data: TrainingData) -> TrainingData:
        """The same, with the most frequent words where a number of them is to be stop words; that takes a pass."""
        schema = data.schema(self._reading.choice.schema)
        if not any(kind.analyzer.is_open for kind in schema.texts.values()):
            return data
        words = schema.with_columns({name: Text(kind.analyzer.words_alone) for name, kind in schema.texts.items()})
        counts = self._count(words, None, 1, False).counts
        return replace(data, frequent={name: by_frequency(table) for name, table in counts.columns.items()})

    def _count(self, schema: Schema, most: int | None, least: int, ledger: bool) -> Gathered:
        counting = Counting(under(self._reading, schema), schema, ledger=ledger)
        sums = summed(self._frame, counting)
        if most is None and least <= 1:
            return gathered(sums, counting)
        sums = sums.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            some, lost = limited(sums, schema, counting.unit, most, least)
            found = gathered(some, counting)
        finally:
            sums.unpersist()
        put_lost(found.counts.columns, lost)
        return found

    def warn(self) -> None:
        """Says how many rows were skipped, and why."""
        if self._found is not None and self._found.reasons:
            warnings.warn(skipped_in_words(self._found.reasons), stacklevel=3)

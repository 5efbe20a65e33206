"""The documents, read several times, and their columns as values that can be counted in pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._columns.numbers import IntervalPart
from likelier._columns.registry import estimates
from likelier._counts.term_counts import Number, TermCounts
from likelier._counts.value_counts import NumericCounts
from likelier._documents.batch import Batch
from likelier._documents.labels import distinct_labels
from likelier._documents.values import Choices, Values
from likelier._documents.weights import checked_weights
from likelier._estimate.intervals import cut_points
from likelier._estimate.numeric import ByInformation, Cuts, EqualFrequency, Gaussian, NumericRule
from likelier._evaluate.dependence.information import Places
from likelier._model.view import View

SCATTER = 0x9E3779B1  # spreads row numbers evenly over folds, whatever the period in which labels come
MOST_BYTES = 2**28
CHUNK = 2048  # documents in one product; float32 is exact up to 2**24 of them
MOST_VALUES = 2000  # of all columns together
MOST_COLUMNS = 500
QUARTERS = 4
RARE = 5  # a value of fewer documents tells nothing about others: where all are different, each says everything
MANY = 50  # documents, from which on that holds
REST = "(other values)"

Present = NDArray[np.float32] | NDArray[np.float64]  # (documents, things), 0 or 1


@dataclass(frozen=True)
class Piece:
    """Some documents: the place of each one's label, its weight in units, and the number of the first document."""

    batch: Batch
    labels: Places
    units: NDArray[np.int64]
    start: int

    def folds(self, number: int) -> NDArray[np.int64]:
        """The fold of each document."""
        numbers = np.arange(self.start, self.start + len(self.labels), dtype=np.int64)
        return (numbers * SCATTER % 2**32 >> 16) % number


Find = Callable[[Piece], tuple[Places, Places, Places]]


class Corpus:
    """Documents that can be read more than once, and the model of them all under a view.

    rows  the number of documents, whatever their weight; known after the first pass
    """

    def __init__(self, batches: Iterable[Batch], view: View, weighted: bool, threads: int) -> None:
        self._batches, self.view, self.weighted, self.threads, self.rows = batches, view, weighted, threads, 0

    def __iter__(self) -> Iterator[Piece]:
        start, self.rows = 0, 0
        places = {label: place for place, label in enumerate(self.view.labels)}
        for batch in self._batches:
            assert batch.labels is not None
            distinct, which = distinct_labels(batch.labels)
            # A label that the model does not have has no document of any weight: any other will do.
            labels = np.array([places.get(label, 0) for label in distinct], dtype=np.intp)[which]
            units, unit = np.ones(len(batch), dtype=np.uint64), self.view.counts.sizes.unit
            if batch.weights is not None:
                units, unit = checked_weights(batch.weights)
            piece = Piece(
                batch, labels, (units * np.uint64(self.view.counts.sizes.unit // unit)).astype(np.int64), start
            )
            start += len(batch)
            self.rows += int((piece.units > 0).sum())
            yield piece

    @property
    def documents(self) -> Number:
        """How many there are, by weight."""
        return sum(self.view.counts.documents_per_label.values())

    def by_label(self, find: Find, things: int, pooled: bool = False) -> Iterator[tuple[int, Present, Floats]]:
        """Documents as rows of 0 and 1, some at a time: their label, which has which thing, and their weights.

        Products of such columns count what occurs together, exactly: all numbers are integers.
        find: which document of a piece has which thing, by rising document; and the rows of these documents
        pooled: as if all had the first label
        """
        for piece in self:
            documents, found, rows = find(piece)
            labels, weights = piece.labels[rows] * (not pooled), piece.units[rows].astype(np.float64)
            for start in range(0, len(rows), CHUNK):
                first, last = np.searchsorted(documents, [start, start + CHUNK])
                own, heavy = labels[start : start + CHUNK], weights[start : start + CHUNK]
                there = np.zeros((len(own), things), dtype=np.float64 if self.weighted else np.float32)
                there[documents[first:last] - start, found[first:last]] = 1
                for label in np.unique(own).tolist():
                    yield label, there[own == label], heavy[own == label]

    def room(self, labels: int) -> int:
        """The number of things for which there is room to count all pairs."""
        return math.isqrt(MOST_BYTES // ((8 if self.weighted else 4) * max(labels, 1)))

    def sample(self, units: float, weight: float, rows: int) -> float:
        """How many documents these units are: integer weights stand for documents, others only weigh the rows."""
        return units if self.view.counts.sizes.unit == 1 else rows * units / max(weight, 1e-300)


@dataclass(frozen=True)
class ColumnValues:
    """The columns that are looked at in pairs, with their values, and the intervals of numbers."""

    values: dict[str, list[str]]
    intervals: dict[str, IntervalPart]

    def choices(self, columns: Mapping[str, Values], name: str) -> Choices:
        """A column of some documents, numbers in intervals."""
        values = columns[name]
        found = self.intervals[name].choices(values) if name in self.intervals else values
        assert isinstance(found, Choices)
        return found

    def find(self, piece: Piece) -> tuple[Places, Places, Places]:
        """Which document has which value; the values of all columns are numbered one after the other."""
        codes, start = [], 0
        for name, values in self.values.items():
            choices, places = self.choices(piece.batch.columns, name), {value: at for at, value in enumerate(values)}
            own = [start + places.get(value, len(values) - 1) for value in choices.values]  # the last one is the rest
            codes.append(np.array([*own, -1], dtype=np.intp)[choices.which])
            start += len(values)
        every = np.stack(codes, axis=1)
        documents, which = np.nonzero(every >= 0)
        return documents, every[documents, which], np.arange(len(piece.labels))


def column_values(corpus: Corpus) -> ColumnValues:
    """The columns that can be looked at in pairs; one that has a single value cannot depend on another."""
    counts, schema, settings = corpus.view.counts, corpus.view.schema, corpus.view.settings
    numbers = {name: column for name, column in counts.columns.items() if isinstance(column, NumericCounts)}
    rules = {name: _rule(settings.of_column(name).numeric, column) for name, column in numbers.items()}
    own = {name: {"numeric": rule} for name, rule in rules.items() if rule}
    parts = estimates(counts, schema, settings.changed(columns=own)).parts
    intervals = {name: part for name, part in parts.items() if isinstance(part, IntervalPart)}
    values = {name: part.intervals for name, part in intervals.items()}
    least = RARE if counts.sizes.unit == 1 and corpus.documents >= MANY else 1
    for name, kind in schema.columns.items():
        if kind.has_one_value and name not in numbers:
            values[name] = _by_frequency(counts.columns[name], least)
    varied = {name: values[name] for name in schema.columns if len(values.get(name, ())) > 1}
    if len(varied) > MOST_COLUMNS:
        raise error("dependence-columns", most_columns=MOST_COLUMNS, got=len(varied))
    return ColumnValues(_fitting(varied, min(MOST_VALUES, corpus.room(len(counts.labels)))), intervals)


def _rule(rule: NumericRule, column: NumericCounts) -> NumericRule | None:
    """The view's own intervals; for a normal distribution the cut points that tell most about the label.

    Where these are few, quarters are cut too: inside a label, a single cut that tells it from others leaves nothing.
    """
    if not isinstance(rule, Gaussian):
        return rule
    values, counts = column.values()
    cuts = cut_points(ByInformation(), values, counts, unit=column.unit)
    if len(cuts) < QUARTERS - 1:
        cuts = sorted({*cuts, *cut_points(EqualFrequency(QUARTERS), values, counts, unit=column.unit)})
    return Cuts(tuple(cuts)) if cuts else None


def _by_frequency(table: TermCounts, least: int) -> list[str]:
    """The values, most frequent first; those that are too rare to tell anything are one value."""
    totals = table.snapshot.term_totals("tf")
    ids = np.flatnonzero(totals).astype(np.uint32)
    named = zip(totals[ids].tolist(), table.snapshot.table.texts(ids), strict=True)
    ranked = sorted(named, key=lambda pair: (-pair[0], pair[1]))
    often = [name for times, name in ranked if times >= least]
    return [*often, REST] if len(often) < len(ranked) - 1 else [name for _, name in ranked]


def _fitting(values: Mapping[str, list[str]], most: int) -> dict[str, list[str]]:
    """As many values of each column as fit into the whole; the rarer ones are one value."""
    limit = max((len(found) for found in values.values()), default=0)
    while sum(min(len(found), limit) for found in values.values()) > most and limit > 2:
        limit = max(limit * 3 // 4, 2)
    return {name: found if len(found) <= limit else [*found[: limit - 1], REST] for name, found in values.items()}

"""Exact leave-one-out: the log scores of learned documents, each by the counts without it.

Nothing is trained again. The counts without a document are a subtraction, and all that follows from them is worked out
by the formulas of `estimate`: N_c and N, the prior, tf and df of its terms, the vocabulary without the terms that only
it has, the sums over the vocabulary, the mean and variance of its label, the cut points. Terms and values that
are unknown without the document are treated as the view treats unknown terms.

If a document is the only one of its label, the label is not there without it: its score is minus infinity, a fitted
prior gives the other labels all, a uniform one has a label less, a given one stays as it is. Without the only document
of all there is no label, and all its terms are unknown. A document of weight 0 was never counted, so nothing changes
without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from likelier._answer.scores import Part, Scores, score
from likelier._base.numbers import Floats
from likelier._columns.numbers import IntervalPart, NormalPart
from likelier._columns.values import ValuePart
from likelier._columns.words import Words
from likelier._counts.by_column import Counts, settle, version_of
from likelier._documents.batch import Batch
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema
from likelier._documents.values import Choices
from likelier._estimate.prior import log_priors_of
from likelier._evaluate.leaving.bags import Left, LeftBags, Rows, bags_of_choices, bags_of_texts, left_out
from likelier._evaluate.leaving.intervals import Intervals, KnownCuts
from likelier._evaluate.leaving.numbers import added_numbers
from likelier._evaluate.leaving.terms import AddedRows, Terms
from likelier._model.view import View

MOST_REMEMBERED = 1 << 23  # numbers, 64 MB


@dataclass(frozen=True)
class KnownColumns:
    """What was worked out for columns of numbers and values, and holds whatever views read of the text.

    added  by column and settings, what it adds
    cuts   by column and rule, the cut points that documents leave behind
    """

    added: dict[object, list[AddedRows]] = field(default_factory=dict)
    cuts: KnownCuts = field(default_factory=dict)


@dataclass(frozen=True)
class Prepared:
    """Documents that counts hold, and their terms."""

    batch: Batch
    left: Left  # those that count
    uncounted: Rows  # those of weight 0
    bags: dict[str, LeftBags]  # of the columns of texts and values
    version: int  # of the counts
    _of_orders: dict[tuple[str, tuple[int, int] | None], LeftBags] = field(default_factory=dict)
    remembered: KnownColumns = field(default_factory=KnownColumns)

    def bags_of(self, part: Words | ValuePart) -> LeftBags:
        """The terms of a column that a view reads: those of the orders that it asks for."""
        reading = part.estimator.reading
        key = part.name, reading.orders
        if key not in self._of_orders:
            every = self.bags[part.name]
            other = reading.is_of_other_order(every.ids)
            self._of_orders[key] = every.only(~other) if other.any() else every
        return self._of_orders[key]

    def once(self, key: object, added: Callable[[], Iterator[AddedRows]]) -> list[AddedRows]:
        """What a column adds, worked out once for each key: views that differ elsewhere share it."""
        known = self.remembered.added
        if key not in known:
            if sum(each.values.size for several in known.values() for each in several) > MOST_REMEMBERED:
                known.clear()
            known[key] = list(added())
        return known[key]


def prepare(
    counts: Counts, schema: Schema, batch: Batch, threads: int, remembered: KnownColumns | None = None
) -> Prepared:
    """The documents of a batch with their terms as they were learned. The counts must not change afterwards.

    remembered: what is known of these documents by other counts, which differ only in what they have of texts.
    """
    settle(counts)
    everything = left_out(counts, batch)
    left = everything.some(everything.units > 0)
    bags = {}
    for name, kind in schema.columns.items():
        values: Any = batch.columns[name]
        table = counts.columns[name]
        if isinstance(kind, Text):
            bags[name] = bags_of_texts(table, kind.counting, values, left, threads)
        elif isinstance(values, Choices):
            bags[name] = bags_of_choices(table, values, left)
    return Prepared(
        batch,
        left,
        np.flatnonzero(everything.units == 0),
        bags,
        version_of(counts),
        remembered=remembered or KnownColumns(),
    )


def leave_one_out(view: View, documents: Batch | Prepared, threads: int) -> Scores:
    """The log scores of documents that the view's counts hold, each by the counts without it.

    documents: with labels, and with weights if they were learned with some; prepared, if several views judge them.
    threads: how many to use; the result does not depend on it.
    """
    return Leaving(view).scores(documents, threads)


class Leaving:
    """Leave-one-out under one view, for several batches. The counts must not change meanwhile."""

    def __init__(self, view: View) -> None:
        settle(view.counts)
        self._counts, self._schema, self._settings = view.counts, view.schema, view.settings
        self._estimates = view.estimates
        self._terms: dict[str, Terms] = {}

    def scores(self, documents: Batch | Prepared, threads: int) -> Scores:
        """The log scores of documents, each by the counts without it."""
        ready = (
            documents if isinstance(documents, Prepared) else prepare(self._counts, self._schema, documents, threads)
        )
        assert ready.version == version_of(self._counts)  # or the numbers of terms mean something else
        batch, left = ready.batch, ready.left
        values = np.full((len(batch), len(self._estimates.labels)), -np.inf)
        scores = Scores.starting(values, len(self._estimates.parts))
        values[left.rows] = self._log_priors(left)
        log_prior = values.copy()
        log_prior[ready.uncounted] = self._estimates.log_prior
        for place, part in enumerate(self._estimates.parts.values()):
            for added in (self._remembered if ready is documents else self._added)(part, ready, threads):
                values[added.rows] += added.values.T
                scores.known[added.rows] += added.known.astype(np.uint32)
                scores.unknown[added.rows, place] += added.unknown.astype(np.uint32)
        values[left.rows[left.is_last], left.labels[left.is_last]] = -np.inf
        self._put_uncounted(scores, batch, ready.uncounted, threads)
        return replace(scores, log_prior=log_prior)

    def _put_uncounted(self, scores: Scores, batch: Batch, rows: Rows, threads: int) -> None:
        """Documents of weight 0 are no part of the counts."""
        if len(rows):
            columns = {name: values.keep(rows) for name, values in batch.columns.items()}
            found = score(self._estimates, columns, few=False, threads=threads)
            scores.values[rows], scores.known[rows], scores.unknown[rows] = found.values, found.known, found.unknown

    # ---- prior ---------------------------------------------------------------------------------------------------

    def _log_priors(self, left: Left) -> Floats:  # (documents, labels)
        prior = self._settings.prior
        if isinstance(prior, Mapping):
            return np.repeat(self._estimates.log_prior[np.newaxis], len(left), axis=0)
        numbers = np.repeat(self._counts.sizes.snapshot.documents.astype(np.int64)[np.newaxis], len(left), axis=0)
        rows = np.arange(len(left))
        numbers[rows, left.labels] -= left.units
        there = np.ones(numbers.shape, dtype=bool)
        there[rows[left.is_last], left.labels[left.is_last]] = False
        return log_priors_of(numbers, there, prior)

    # ---- columns -------------------------------------------------------------------------------------------------

    def _remembered(self, part: Part, ready: Prepared, threads: int) -> Iterable[AddedRows]:
        """The same, for documents that several views judge: many differ only in how they read the text."""
        if part.of_terms:
            return self._added(part, ready, threads)
        own = self._settings.of_column(part.name)  # a rule of smoothing may hold a mapping, which is no key
        key = (
            part.name,
            repr(own.numeric),
            repr(own.smoothing),
            own.unknown,
            repr(self._settings.columns.get(part.name)),
        )
        return ready.once(key, lambda: self._added(part, ready, threads))

    def _added(self, part: Part, ready: Prepared, threads: int) -> Iterator[AddedRows]:
        """What one column adds, some documents at a time."""
        return LEFT_OUT[type(part)](self, part, ready, threads)

    def of_terms(self, part: Words | ValuePart, ready: Prepared, threads: int) -> Iterator[AddedRows]:
        """A column of texts or values."""
        terms = self._terms.get(part.name) or self._terms.setdefault(part.name, Terms(part.estimator))
        yield from terms.added(ready.bags_of(part), threads)

    def of_intervals(self, part: IntervalPart, ready: Prepared, threads: int) -> Iterator[AddedRows]:
        """A numeric column in intervals, which may be others without a document."""
        numbers: Any = ready.batch.columns[part.name]
        for some, choices, own in Intervals(part).groups(numbers, ready.left, ready.remembered.cuts):
            yield from Terms(own.estimator).added(bags_of_choices(own.estimator.counts, choices, some), threads)

    def of_numbers(self, part: NormalPart, ready: Prepared, threads: int) -> Iterator[AddedRows]:
        """A numeric column under normal distributions."""
        numbers: Any = ready.batch.columns[part.name]
        yield added_numbers(part.numbers, part.rule, numbers, ready.left)


LEFT_OUT: dict[type[Part], Callable[[Leaving, Any, Prepared, int], Iterator[AddedRows]]] = {
    Words: Leaving.of_terms,
    ValuePart: Leaving.of_terms,
    IntervalPart: Leaving.of_intervals,
    NormalPart: Leaving.of_numbers,
}

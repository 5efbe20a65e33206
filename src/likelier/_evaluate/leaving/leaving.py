"""Exact leave-one-out: the log scores of learnt documents, each by the counts without it.

Nothing is trained again. The counts without a document are a subtraction, and all that follows from them is worked out
by the formulas of `estimate`: N_c and N, the prior, tf and df of its terms, the vocabulary without the terms that only
it has, the sums over the vocabulary, the mean and variance of its label, the cut points. What becomes unknown without
the document is treated as the view treats unknown terms.

If a document is the only one of its label, the label is not there without it: its score is minus infinity, a fitted
prior gives the other labels all, a uniform one has a label less, a given one stays as it is. Without the only document
of all there is no label, and all its terms are unknown. A document of weight 0 was never counted, so nothing changes
without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from likelier._answer.scores import Scores, score
from likelier._base.numbers import Floats
from likelier._counts.mixed import MixedCounts
from likelier._counts.numeric import NumericCounts
from likelier._documents.batch import Batch
from likelier._documents.values import Numbers
from likelier._estimate.numeric import Gaussian
from likelier._estimate.parts import IntervalPart, NormalPart, Part, ValuePart, Words
from likelier._estimate.prior import log_priors_of
from likelier._evaluate.leaving.bags import bags_of_choices
from likelier._evaluate.leaving.intervals import Intervals
from likelier._evaluate.leaving.left import Left, Rows
from likelier._evaluate.leaving.numbers import added_numbers
from likelier._evaluate.leaving.prepared import Prepared, prepare
from likelier._evaluate.leaving.terms import Added, Terms
from likelier._model.view import View


def leave_one_out(view: View, documents: Batch | Prepared, threads: int) -> Scores:
    """The log scores of documents that the view's counts hold, each by the counts without it.

    documents: with labels, and with weights if they were learnt with some; prepared, if several views judge them.
    threads: how many to use; the result does not depend on it.
    """
    return Leaving(view).scores(documents, threads)


class Leaving:
    """Leave-one-out under one view, for several batches. The counts must not change meanwhile."""

    def __init__(self, view: View) -> None:
        view.counts.settle()
        self._counts, self._schema, self._settings = view.counts, view.schema, view.settings
        self._estimates = view.estimates
        self._terms: dict[str, Terms] = {}

    def scores(self, documents: Batch | Prepared, threads: int) -> Scores:
        """The log scores of documents, each by the counts without it."""
        ready = (
            documents if isinstance(documents, Prepared) else prepare(self._counts, self._schema, documents, threads)
        )
        assert ready.version == self._counts.version  # or the numbers of terms mean something else
        batch, left = ready.batch, ready.left
        values = np.full((len(batch), len(self._estimates.labels)), -np.inf)
        scores = Scores.starting(values, len(self._estimates.parts))
        values[left.rows] = self._log_priors(left)
        for place, part in enumerate(self._estimates.parts.values()):
            for added in (self._remembered if ready is documents else self._added)(part, ready, threads):
                values[added.rows] += added.values.T
                scores.known[added.rows] += added.known.astype(np.uint32)
                scores.unknown[added.rows, place] += added.unknown.astype(np.uint32)
        values[left.rows[left.is_last], left.labels[left.is_last]] = -np.inf
        self._put_uncounted(scores, batch, ready.uncounted, threads)
        return scores

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
        counts = self._counts.documents if isinstance(self._counts, MixedCounts) else self._counts
        numbers = np.repeat(counts.snapshot.documents.astype(np.int64)[np.newaxis], len(left), axis=0)
        rows = np.arange(len(left))
        numbers[rows, left.labels] -= left.units
        there = np.ones(numbers.shape, dtype=bool)
        there[rows[left.is_last], left.labels[left.is_last]] = False
        return log_priors_of(numbers, there, prior)

    # ---- columns -------------------------------------------------------------------------------------------------

    def _remembered(self, part: Part, ready: Prepared, threads: int) -> Iterable[Added]:
        """The same, for documents that several views judge: many differ only in how they read the text."""
        if isinstance(part, Words):
            return self._added(part, ready, threads)
        own = self._settings.of_column(part.name)
        if isinstance(part, NormalPart):
            key: tuple[object, ...] = (part.name, own.numeric)
        else:  # a rule of smoothing may hold a mapping, which is no key
            rule = own.numeric if isinstance(part, IntervalPart) else self._settings.columns.get(part.name, {})
            key = (part.name, repr(rule), repr(own.smoothing), own.unknown)
        return ready.once(key, lambda: self._added(part, ready, threads))

    def _added(self, part: Part, ready: Prepared, threads: int) -> Iterator[Added]:
        """What one column adds, some documents at a time."""
        values = ready.batch.columns[part.name]
        if isinstance(values, Numbers):
            yield from self._added_numbers(part, values, ready, threads)
        else:
            assert isinstance(part, Words | ValuePart)
            terms = self._terms.get(part.name) or self._terms.setdefault(part.name, Terms(part.estimator))
            yield from terms.added(ready.bags_of(part), threads)

    def _added_numbers(self, part: Part, numbers: Numbers, ready: Prepared, threads: int) -> Iterator[Added]:
        assert isinstance(self._counts, MixedCounts)
        counts, rule = self._counts.columns[part.name], self._settings.of_column(part.name).numeric
        assert isinstance(counts, NumericCounts)
        if isinstance(rule, Gaussian):
            yield added_numbers(counts, rule, numbers, ready.left)
            return
        assert isinstance(part, IntervalPart)
        for some, choices, own in Intervals(part, counts, rule).groups(numbers, ready.left, ready.remembered.cuts):
            yield from Terms(own.estimator).added(bags_of_choices(own.estimator.counts, choices, some), threads)

"""Weights where there are many labels: most terms have no count under most of them, and only the others cost anything.

Under a label where it was never seen, a term adds a number of its own plus a number of the label. For additive
smoothing the sum is log alpha - log(N_c + alpha |V|), the same for every term. So

    sum over the terms of a text  =  what they would add if the label had none of them        one pass over the labels
                                     + for each count what it adds more than no count would    their postings

in which no table of all terms and all labels is needed. The last bits of such a sum are not those of a sum term by
term. So which form is used depends on the settings and on the number of labels alone, for one text as for many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats, Value
from likelier._counts.snapshot import lengths
from likelier._estimate import bernoulli
from likelier._estimate.combinations import Event
from likelier._estimate.evidence import Ratio
from likelier._estimate.smoothing import Smoothing, shape_of
from likelier._estimate.view_vocabulary import Ids, Sums

if TYPE_CHECKING:
    from likelier._estimate.estimator import Estimator

MANY_LABELS = 100  # or more: as quick as a weight for each term and label, with far less memory
MOST = 1 << 26  # weights of terms under labels that are held at a time; 512 MB
AT_ONCE = 1 << 20  # postings that are estimated at a time
FIRST = np.zeros(1, dtype=np.intp)  # the column of the first label


def is_sparse(estimator: Estimator) -> bool:
    """Whether sums are taken over postings, else over a weight for each term and label."""
    is_many = len(estimator.labels) >= MANY_LABELS or is_large(estimator)
    return is_many and is_apart(estimator.event_name, estimator.smoothing)


def is_large(estimator: Estimator) -> bool:
    """Whether a weight for each term and label would take too much room."""
    return estimator.reading.snapshot.size * len(estimator.labels) * (3 if estimator.absence else 1) > MOST


def is_apart(event: Event, smoothing: Smoothing) -> bool:
    """Whether what an unseen term adds is a sum of a number of the term and one of the label, and never log 0.

    A share of the corpus makes it so: log(q(t) y(c)) = log q(t) + log y(c). But not where it is one of two summands,
    as in log(1 - q(t) y(c)) for the Bernoulli model.
    """
    return not smoothing.is_off and event in shape_of(smoothing).factors_in


@dataclass(frozen=True, slots=True)
class SparseWeights:
    """What terms add: of_term(t) * by_label(c) + factor(t) * of_label(c), and a correction for each posting."""

    of_term: Floats  # (terms,)
    factor: Floats  # (terms,) idf, or 1
    by_label: Floats  # (labels,) 1, or what normalized weights are divided by, as a factor
    of_label: Floats  # (labels,)
    ends: NDArray[np.uint64]  # (terms,)
    columns: NDArray[np.uint32]  # (postings,)
    corrections: Floats  # (postings,)

    def add(self, start: Floats, times: Floats) -> Floats:  # (labels,), (terms,) -> (labels,)
        """The sums of a text that has these terms so often: in the order in which the kernel adds."""
        of_terms, factors = _one_by_one(times * self.of_term), _one_by_one(times * self.factor)
        sums = start + of_terms * self.by_label + factors * self.of_label
        np.add.at(sums, self.columns, np.repeat(times, lengths(self.ends)) * self.corrections)
        return sums


def _one_by_one(numbers: Floats) -> float:
    return float(np.add.accumulate(np.append(0.0, numbers))[-1])


class Sparse:
    """The weights of one estimator, whose unseen terms are apart from labels."""

    def __init__(self, estimator: Estimator, grown: int = 0) -> None:
        """grown: by how much unknown terms make the vocabulary larger."""
        self._estimator = estimator
        self._reading = estimator.reading
        self._sums = estimator.sums.grown(grown) if grown else estimator.sums

    @cached_property
    def _unseen(self) -> Floats:  # (labels,)
        """What a term adds that was seen once in all, and not under the label; without idf and norm."""
        return np.asarray(self._weight(self._ratio(self._sums, np.zeros((1, 1)), np.ones((1, 1))))[0])

    @property
    def _norm(self) -> Floats | float:  # (labels,)
        return self._estimator.norm if self._estimator.normalize else 1.0

    def _ratio(self, sums: Sums, count: Value, term_total: Value) -> Ratio:
        evidence = self._estimator.event.evidence(sums, count, term_total, lambda given: 0.0)
        return self._estimator.smoothing.ratio(evidence)

    def _weight(self, ratio: Ratio) -> Floats:
        """What a term adds; for the Bernoulli model more than its absence would."""
        weights = self._estimator.event.weight(ratio)
        return weights - bernoulli.absent(ratio) if self._estimator.absence else weights

    def of(self, ids: Ids) -> SparseWeights:
        """The weights of these terms."""
        reading, estimator = self._reading, self._estimator
        found = reading.snapshot.postings(ids, reading.statistic)
        idf = estimator.idf_of(ids)
        factor = np.ones(len(ids)) if idf is None else idf
        totals = reading.snapshot.sums_of_terms(ids, reading.statistic) / reading.unit * factor
        totals[factor == 0] = 1.0  # any number: such a term adds nothing
        none, first = np.zeros((len(ids), 1)), self._sums.under(FIRST)
        of_term = self._weight(self._ratio(first, none, totals[:, np.newaxis]))[:, 0] - self._unseen[0]
        rows, columns = found.rows, found.columns.astype(np.intp)
        factors = factor.take(rows)
        count = found.numbers / reading.unit * factors
        weights = self._weight(self._ratio(self._sums.under(columns), count, totals.take(rows)))
        unseen = of_term.take(rows) + self._unseen.take(columns)
        by_label = np.ones(len(estimator.labels)) / self._norm
        return SparseWeights(
            of_term * factor,
            factor,
            by_label,
            self._unseen * by_label,
            found.ends,
            found.columns,
            (weights - unseen) * factors * by_label.take(columns),
        )

    @cached_property
    def of_all(self) -> SparseWeights:
        """The weights of every term of the table; what is not in the vocabulary has none."""
        snapshot, kept = self._reading.snapshot, self._reading.kept_ids
        room = int(snapshot.distinct.sum())
        ends, columns = np.zeros(snapshot.ids, dtype=np.uint64), np.empty(room, dtype=np.uint32)
        of_term, factor, corrections = np.zeros(snapshot.ids), np.zeros(snapshot.ids), np.empty(room)
        filled = 0
        for ids in self._pieces(kept):
            some = self.of(ids)
            of_term[ids], factor[ids] = some.of_term, some.factor
            ends[ids] = filled + some.ends
            place = slice(filled, filled + len(some.columns))
            columns[place], corrections[place] = some.columns, some.corrections
            filled += len(some.columns)
        none = self.of(kept[:0])
        ends = np.maximum.accumulate(ends)  # a term without postings ends where the one before it does
        return SparseWeights(
            of_term, factor, none.by_label, none.of_label, ends, columns[:filled], corrections[:filled]
        )

    def _pieces(self, ids: Ids) -> list[Ids]:
        """The ids in pieces small enough that their postings take little memory."""
        seen = self._reading.snapshot.sums_of_terms(ids, "tf")  # a term has no more postings
        done = np.cumsum(np.minimum(seen, len(self._estimator.labels))) // AT_ONCE
        return np.split(ids, np.flatnonzero(np.diff(done)) + 1)

"""What the terms of a column add to the scores of documents, each by the counts without it.

Known terms under additive smoothing, the quick way.

    sum of times(t) log((n + alpha) / (N + alpha k))
        = sum of times(t) log(n + alpha) - log(N + alpha k) * sum of times(t)

The numerators of all labels but the document's own are the same with the document and without it, so their logarithms
are taken once for all terms that are held; the denominators are the same for all terms of a document. With idf the
counts of the document's own terms change under all labels, in the same way for all documents of one weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._estimate.estimator import Estimator
from likelier._estimate.evidence import Ratio
from likelier._estimate.idf import weighed
from likelier._estimate.smoothing import shape_of
from likelier._estimate.view_vocabulary import Sums
from likelier._evaluate.leaving.bags import LeftBags, Rows, Units
from likelier._evaluate.leaving.held import Held, Whole
from likelier._evaluate.leaving.over_vocabulary import AbsentWithout, NormWithout
from likelier._evaluate.leaving.without import NO_SUMS, Without

MOST = 1 << 16  # numbers of an array, so that it stays near the processor


@dataclass(frozen=True)
class AddedRows:
    """What one column adds to the log scores of some documents, and how many of its terms are known and unknown."""

    rows: Rows  # (documents,) of the batch
    values: Floats  # (labels, documents)
    known: Units  # (documents,)
    unknown: Units  # (documents,)


class Terms:
    """A column of texts or values under one estimator."""

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator
        self._whole = Whole(estimator)
        self._absence = AbsentWithout(self._whole) if estimator.absence else None
        self._norm = NormWithout(self._whole) if estimator.normalize else None
        if estimator.event_name == "complement" and shape_of(estimator.smoothing).may_leave_zeros:
            for ids in estimator.reading.pieces(estimator.reading.kept_ids):
                estimator.weight(estimator.ratio_of(ids), estimator.idf_of(ids))  # refuses them

    def added(self, bags: LeftBags, threads: int) -> Iterator[AddedRows]:
        """What the terms of documents add, some documents at a time.

        Pieces are small, so that what they need stays near the processor, and are worked on by several threads.
        """
        with ThreadPoolExecutor(threads) as workers:
            for many in bags.pieces(self._whole.entries):
                held, numbered = self._whole.held(many)
                some = _Some(self._estimator, held, numbered, self._absence, self._norm)
                pieces = list(numbered.pieces(some.entries))
                in_turn = map if min(threads, len(pieces)) == 1 else workers.map  # a thread takes longer than one piece
                yield from in_turn(some.added, pieces)


class _Some:
    """Some documents, and the counts of all terms that they have."""

    def __init__(
        self, estimator: Estimator, held: Held, bags: LeftBags, absence: AbsentWithout | None, norm: NormWithout | None
    ) -> None:
        self._estimator, self._held = estimator, held
        self._absence, self._norm = absence, norm
        self._apart = Apart(held, bags) if Apart.fits(estimator, bags) else None
        self.entries = max(MOST // (1 if self._apart else len(estimator.labels)), 1)  # to be scored at a time

    def added(self, bags: LeftBags) -> AddedRows:
        """What the terms of each document add."""
        without = Without(self._held, bags)
        values = self._of_known(without) if self._apart is None else self._apart.of_known(without)
        norm = 1.0 if self._norm is None else self._norm.of(without)
        if self._norm is not None:
            values /= norm
        if self._absence is not None:
            values += self._absence.of(without)
        if self._estimator.unknown != "ignore":
            self._add_unknown(values, without, norm)
        return AddedRows(bags.left.rows, values, without.occurrences_known, without.occurrences_unknown)

    def _of_known(self, without: Without) -> Floats:  # (labels, documents)
        """What the known terms add."""
        weights = self._estimator.event.weight(self._estimator.smoothing.ratio(without.evidence))
        if without.whole.inverse is not None:
            weights = weighed(weights, without.idf)
        if not without.known.all():
            weights[:, ~without.known] = 0.0
        self._check_finite(weights)
        result: Floats = without.bags.sums(weights if self._estimator.once else weights * without.times)
        return result

    def _add_unknown(self, values: Floats, without: Without, norm: Floats | float) -> None:
        """Adds to the scores what unknown terms add."""
        estimator, inverse = self._estimator, without.whole.inverse
        times = estimator.unknown_times(without.unknown_weighed, without.unknown)  # type: ignore[arg-type]
        some = times > 0
        if not some.any():
            return
        ratio = estimator.smoothing.ratio(without.unknown_evidence)
        possible = ((ratio.numerator != 0) & without.there).any(axis=0) & (estimator.unknown != "zero")
        weights = np.where(some & possible, estimator.event.weight(ratio), 0.0)
        if inverse is not None:
            weights = weighed(weights, inverse.of_unknown(without.bags.left.units))
        self._check_finite(weights)
        values += np.where(some & ~possible, -np.inf, times * weights / norm)

    def _check_finite(self, weights: Floats) -> None:
        # A label that is not there has the most elsewhere, so its weights are not infinite before those of others.
        if self._estimator.event_name == "complement" and np.isposinf(weights).any():
            raise error("complement-needs-smoothing")


ONE = np.ones(1)


class Apart:
    """Numerators and denominators apart."""

    def __init__(self, held: Held, bags: LeftBags) -> None:
        self._estimator = held.whole.estimator
        numbers: Floats = held.counts / held.whole.unit
        if held.whole.inverse is not None:
            numbers *= held.idf(int(bags.left.units[0]))[0]
        self._numerators = self._of_numerators(numbers)  # (labels, held)

    @staticmethod
    def fits(estimator: Estimator, bags: LeftBags) -> bool:
        """Whether this can be done: without smoothing there would be minus infinity, and 0 times of it."""
        separable = shape_of(estimator.smoothing).is_separable and not estimator.smoothing.is_off
        alike = estimator.reading.idf is None or len(np.unique(bags.left.units)) == 1
        return separable and alike and estimator.event_name in ("multinomial", "binary")

    def _of_numerators(self, count: Floats) -> Floats:
        estimator = self._estimator
        evidence = estimator.event.evidence(NO_SUMS, count, ONE, lambda _: ONE)
        return estimator.event.weight(Ratio(estimator.smoothing.ratio(evidence).numerator, ONE))

    def _of_denominators(self, sums: Sums) -> Floats:
        estimator = self._estimator
        evidence = estimator.event.evidence(sums, ONE, ONE, lambda _: ONE)
        return estimator.event.weight(Ratio(ONE, estimator.smoothing.ratio(evidence).denominator))

    def of_known(self, without: Without) -> Floats:  # (labels, documents)
        """What the known terms of documents add."""
        bags = without.bags
        times = without.times * without.known  # (entries,)
        if without.whole.inverse is not None:
            times *= without.idf
        values = np.array([bags.sums(row.take(bags.ids) * times) for row in self._numerators])
        own = bags.sums(self._of_numerators(without.numbers(without.own)) * times)
        values[bags.left.labels, np.arange(len(bags))] = own
        values += self._of_denominators(without.grown_sums) * bags.sums(times)
        return values

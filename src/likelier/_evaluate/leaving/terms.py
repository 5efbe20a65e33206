"""What the terms of a column add to the scores of documents, each by the counts without it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from likelier._base.numbers import Floats
from likelier._estimate.estimator import Estimator
from likelier._estimate.fitting import complement_needs_smoothing
from likelier._estimate.idf import weighed
from likelier._estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate, Smoothing
from likelier._evaluate.leaving.absence import Absence
from likelier._evaluate.leaving.apart import Apart
from likelier._evaluate.leaving.bags import Bags
from likelier._evaluate.leaving.held import Held, Whole
from likelier._evaluate.leaving.left import Rows, Units
from likelier._evaluate.leaving.norm import Norm
from likelier._evaluate.leaving.without import Without

MOST = 1 << 16  # numbers of an array, so that it stays near the processor


@dataclass(frozen=True)
class Added:
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
        self._absence = Absence(self._whole) if estimator.absence else None
        self._norm = Norm(self._whole) if estimator.normalize else None
        if estimator.event_name == "complement" and _may_leave_zeros(estimator.smoothing):
            for ids in estimator.reading.pieces(estimator.reading.kept_ids):
                estimator.weight(estimator.ratio_of(ids), estimator.idf_of(ids))  # refuses them

    def added(self, bags: Bags, threads: int) -> Iterator[Added]:
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


def _may_leave_zeros(smoothing: Smoothing) -> bool:
    """Whether a term that was seen may get probability 0 all the same, unless smoothing is off."""
    if isinstance(smoothing, MEstimate):
        return not isinstance(smoothing.p, str)
    return not isinstance(smoothing, Additive | JelinekMercer | AbsoluteDiscounting)


class _Some:
    """Some documents, and the counts of all terms that they have."""

    def __init__(
        self, estimator: Estimator, held: Held, bags: Bags, absence: Absence | None, norm: Norm | None
    ) -> None:
        self._estimator, self._held = estimator, held
        self._absence, self._norm = absence, norm
        self._apart = Apart(held, bags) if Apart.fits(estimator, bags) else None
        self.entries = max(MOST // (1 if self._apart else len(estimator.labels)), 1)  # to be asked about at a time

    def added(self, bags: Bags) -> Added:
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
        return Added(bags.left.rows, values, without.occurrences_known, without.occurrences_unknown)

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
            raise complement_needs_smoothing()

"""The same estimates as fractions, one term and one label at a time."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier.estimate.evidence import Evidence, exact
from likelier.estimate.smoothing import Formula

if TYPE_CHECKING:
    from likelier.estimate.estimator import Estimator


class Exact:
    """What an estimator estimates, in fractions. `column` is the label's place among the sorted labels."""

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator
        self._reading = estimator.reading
        self._unit = estimator.counts.unit
        self._smoothing = estimator.smoothing.exact()

    def likelihood(self, term: str | None, column: int, grown: int = 0) -> Fraction:
        """P(t|c); None stands for an unknown term, or UNK; `grown` is by how much |V| grows."""
        ratio = self._smoothing.ratio(self._evidence(term, column, grown))
        return Fraction(ratio.numerator) / Fraction(ratio.denominator)

    def formula(self, term: str | None, column: int, grown: int = 0) -> Formula:
        """The same with its numbers put in."""
        return self._smoothing.formula(self._evidence(term, column, grown))

    def _evidence(self, term: str | None, column: int, grown: int) -> Evidence:
        row = self._row(term)
        return self._estimator.event.evidence(
            self._estimator.sums_in_units.column(column, self._unit).grown(grown),
            Fraction(int(row[column]), self._unit),
            Fraction(int(row.sum()), self._unit),
            lambda given: exact(given.get("UNK" if term is None else term, 0)),
        )

    def _row(self, term: str | None) -> NDArray[np.uint64]:  # (labels,), in units
        if term is None:
            unk = self._reading.unk_row
            return unk if self._reading.with_unk else np.zeros_like(unk)
        term_id = self._estimator.counts.find(term)
        if term_id is None:  # a declared value that was never seen
            return np.zeros_like(self._reading.snapshot.documents)
        return self._reading.snapshot.rows(np.array([term_id], dtype=np.uint32), self._reading.statistic)[0]

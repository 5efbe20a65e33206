"""The same estimates as fractions, one term and one label at a time.

An idf is a float, and here the number that this float is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import exact
from likelier._estimate.evidence import Evidence
from likelier._estimate.smoothing import Formula, Rounded
from likelier._estimate.view_vocabulary import Ids

if TYPE_CHECKING:
    from likelier._estimate.estimator import Estimator


class Exact:
    """What an estimator estimates, in fractions. `column` is the label's place among the sorted labels."""

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator
        self._reading = estimator.reading
        self._smoothing = estimator.smoothing.exact()
        self._held: dict[str, tuple[NDArray[np.uint64], Fraction]] = {}

    def holding(self, terms: Sequence[str]) -> Exact:
        """The same for these terms, whose counts are read now, so that later changes of the counts do not matter."""
        twin = Exact(self._estimator)
        twin._held = {term: (self._row(term), self._idf(term)) for term in terms}
        self._evidence(None, 0, 0)  # and the sums
        return twin

    def likelihood(self, term: str | None, column: int, grown: int = 0) -> Fraction:
        """P(t|c); None stands for an unknown term, or UNK; `grown` is by how much |V| grows."""
        numerator, denominator = self.ratio(term, column, grown)
        return numerator / denominator

    def ratio(self, term: str | None, column: int, grown: int = 0) -> tuple[Fraction, Fraction]:
        """Numerator and denominator of the same, not reduced."""
        ratio = self._smoothing.ratio(self._evidence(term, column, grown))
        return Fraction(ratio.numerator), Fraction(ratio.denominator)

    def unsmoothed(self, term: str | None, column: int) -> tuple[Fraction, Fraction]:
        """What was counted, and out of how much: the estimate without smoothing, not reduced."""
        evidence = self._evidence(term, column, 0)
        return Fraction(evidence.count), Fraction(evidence.total)

    def formula(self, term: str | None, column: int, grown: int = 0) -> Formula:
        """The same with its numbers put in."""
        evidence = self._evidence(term, column, grown)
        if not self._estimator.has_whole_counts:  # whose fractions would be too long to read
            count, total, share = map(Rounded, (evidence.count, evidence.total, evidence.share))
            evidence = replace(evidence, count=count, total=total, share=share)
        return self._smoothing.formula(evidence)

    def _evidence(self, term: str | None, column: int, grown: int) -> Evidence:
        row, unit = self._row(term), self._reading.unit
        idf = self._idf(term)
        return self._estimator.event.evidence(
            self._estimator.exact_sums(column).grown(grown),
            Fraction(int(row[column]), unit) * idf,
            Fraction(int(row.sum()), unit) * idf,
            lambda given: exact(given.get("UNK" if term is None else term, 0)),
        )

    def _idf(self, term: str | None) -> Fraction:
        if term in self._held:
            return self._held[term][1]
        if self._reading.idf is None or term is None:  # an unknown term has no counts
            return Fraction(1)
        return Fraction(float(self._reading.idf.of(self._ids(term))[0]))

    def _ids(self, term: str) -> Ids:
        found = self._estimator.counts.find(term)
        return np.array([] if found is None else [found], dtype=np.uint32)

    def _row(self, term: str | None) -> NDArray[np.uint64]:  # (labels,), in units
        if term is None:
            unk = self._reading.unk_row
            return unk if self._reading.with_unk else np.zeros_like(unk)
        if term in self._held:
            return self._held[term][0]
        # A declared value that was never seen has no id.
        return self._reading.snapshot.rows(self._ids(term), self._reading.statistic).sum(axis=0, dtype=np.uint64)

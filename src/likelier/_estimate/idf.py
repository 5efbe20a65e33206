"""Inverse document frequency: a term that every document has says nothing.

    idf(t) = log((N + 1) / (df(t) + 1))

N = all documents, df(t) = documents that have the term, all labels together, by their weights. A term that nobody
learned has df 0. Counts and questions are both multiplied by it:

    P(t|c)   from count(t,c) * idf(t), and from the sums of that over V
    score    adds times(t) * idf(t) * log P(t|c); where idf is 0, nothing, whatever the probability

Terms with the same document frequency have the same idf. So sums over V are taken by document frequency, in integers,
and do not depend on the order of the terms.
"""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats, Value, log
from likelier._kernel import rounded_sums

if TYPE_CHECKING:
    from likelier._estimate.view_vocabulary import Ids, Reading

Units = NDArray[np.uint64]


def idf(documents: Value, frequency: Value) -> Floats:
    """log((N + 1) / (df + 1))."""
    return log((documents + 1) / (frequency + 1))


def weighed(weights: Floats, factors: Floats) -> Floats:
    """Weights times idf; 0 times infinity is nothing here, not NaN."""
    with np.errstate(invalid="ignore"):
        return np.where(factors == 0, 0.0, weights * factors)


class Idf:
    """The idf of the terms of one reading."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._unit = reading.counts.unit
        self.documents: float = float(reading.snapshot.documents.sum(dtype=np.uint64)) / self._unit

    def of(self, ids: Ids) -> Floats:  # (ids,)
        """For these terms."""
        return idf(self.documents, self._reading.snapshot.sums_of_terms(ids, "df") / self._unit)

    @property
    def of_unknown(self) -> float:
        return float(idf(self.documents, np.zeros(1))[0])

    @cached_property
    def groups(self) -> tuple[Units, Units]:  # (groups,), (groups, labels)
        """The document frequencies of the vocabulary, rising, and the sums of the counts of its terms; in units."""
        return self._reading.vocabulary.frequencies()

    @cached_property
    def _of_groups(self) -> Floats:  # (groups,)
        return idf(self.documents, self.groups[0] / self._unit)

    @cached_property
    def totals(self) -> Floats:  # (labels,)
        """The sum of count(v,c) * idf(v) over V."""
        products = self._of_groups * (self.groups[1].T / self._reading.unit)  # (labels, groups)
        labels = np.repeat(np.arange(len(products), dtype=np.uint32), products.shape[1])
        return rounded_sums(products.reshape(-1), labels, np.ones(len(labels), dtype=np.uint64), len(products))

    @cached_property
    def exact_totals(self) -> list[Fraction]:  # (labels,)
        """The same as fractions, where each idf is the number that its float is."""
        parts = [factor.as_integer_ratio() for factor in self._of_groups.tolist()]
        unit = max((below for _, below in parts), default=1)  # powers of 2, so that all sums are of integers
        factors = [above * (unit // below) for above, below in parts]
        columns = self.groups[1].T.tolist()
        return [Fraction(sum(map(mul, factors, column)), unit * self._reading.unit) for column in columns]

    @cached_property
    def exact_total(self) -> Fraction:
        """The sum of `exact_totals`."""
        return sum(self.exact_totals, Fraction(0))

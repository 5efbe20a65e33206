"""Known terms under additive smoothing, the quick way.

    sum of times(t) log((n + alpha) / (N + alpha k))
        = sum of times(t) log(n + alpha) - log(N + alpha k) * sum of times(t)

The numerators of all labels but the document's own are the same with the document and without it, so their logarithms
are taken once for all terms that are held; the denominators are the same for all terms of a document. With idf the
counts of the document's own terms change under all labels, in the same way for all documents of one weight.
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from likelier._base.numbers import Floats
from likelier._estimate.estimator import Estimator
from likelier._estimate.evidence import Ratio
from likelier._estimate.reading import Sums
from likelier._estimate.smoothing import Additive
from likelier._evaluate.leaving.bags import Bags
from likelier._evaluate.leaving.held import Held
from likelier._evaluate.leaving.without import Without

ONE = np.ones(1)
NO_SUMS = Sums(**dict.fromkeys([one.name for one in fields(Sums)], np.zeros(1)))


class Apart:
    """Numerators and denominators apart."""

    def __init__(self, held: Held, bags: Bags) -> None:
        self._estimator = held.whole.estimator
        numbers: Floats = held.counts / held.whole.unit
        if held.whole.inverse is not None:
            numbers *= held.idf(int(bags.left.units[0]))[0]
        self._numerators = self._of_numerators(numbers)  # (labels, held)

    @staticmethod
    def fits(estimator: Estimator, bags: Bags) -> bool:
        """Whether this can be done: without smoothing there would be minus infinity, and 0 times of it."""
        additive = isinstance(estimator.smoothing, Additive) and not estimator.smoothing.is_off
        alike = estimator.reading.idf is None or len(np.unique(bags.left.units)) == 1
        return additive and alike and estimator.event_name in ("multinomial", "binary")

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

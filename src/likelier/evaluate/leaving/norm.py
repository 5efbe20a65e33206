"""The norms of the complement model, for each document by the counts without it.

    norm(c) = sum of |weight(t,c)| over V

The sum over V is taken with the counts as they are and the sums that the document leaves behind; then its own terms
are taken out as they went in, and put in as they are without it. No weight is below 0, since no probability is above
1; only what goes in and out again may be. Where few other terms remain, digits would be lost: there all terms are put
in anew.
"""

from __future__ import annotations

import math

import numpy as np

from likelier.estimate.evidence import Floats, Ratio
from likelier.estimate.reading import Named, Sums
from likelier.estimate.smoothing import Additive
from likelier.evaluate.leaving.apart import NO_SUMS
from likelier.evaluate.leaving.left import Units
from likelier.evaluate.leaving.vocabulary import Histogram, OverVocabulary
from likelier.evaluate.leaving.without import Whole, Without

NEEDED = ("total", "all_total", "outcomes", "seen_elsewhere")


class Norm:
    """The norms under one estimator."""

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._event, self._smoothing = whole.estimator.event, whole.estimator.smoothing
        self._ids = np.flatnonzero(whole.kept)
        self._place = np.cumsum(whole.kept) - 1  # of an id among the kept ones
        apart = isinstance(self._smoothing, Additive)
        self._numerators = self._of_numerators() if apart else None
        self._all = None if apart else OverVocabulary(whole, NEEDED, self._of_terms)

    def of(self, without: Without) -> Floats:  # (labels, documents)
        """For each document."""
        bags, whole = without.bags, self._whole
        given, sums = np.nan_to_num(whole.given.take(bags.ids)), without.spread(without.sums)
        before = self._weights(sums, without.before, whole.totals.take(bags.ids), lambda _: given)
        after = self._weights(sums, without.count, without.total, lambda _: given)
        for weights, kept in ((before, without.was_kept), (after, without.kept)):
            weights[:, ~kept] = 0.0
        norm: Floats = self._over_all(without.sums) - bags.sums(before) + bags.sums(after)
        for document in np.flatnonzero(without.size <= bags.lengths).tolist():
            norm[:, document] = self._anew(without, document)
        if without.estimator.unknown == "unk":
            norm += np.abs(self._event.weight(self._smoothing.ratio(without.unknown_evidence)))
        return norm + (norm == 0)

    def _weights(self, sums: Sums, count: Units, total: Units, named: Named) -> Floats:  # (labels, terms)
        unit = self._whole.unit
        evidence = self._event.evidence(sums, count / unit, total / unit, named)
        return self._event.weight(self._smoothing.ratio(evidence))

    # ---- over all terms ------------------------------------------------------------------------------------------

    def _over_all(self, sums: Sums) -> Floats:  # (labels, documents)
        if self._all is not None:
            return np.asarray(self._all.of(sums)[0])
        assert self._numerators is not None
        evidence = self._event.evidence(sums, np.zeros_like(sums.total), np.zeros(1), lambda _: np.zeros(1))
        denominator = self._smoothing.ratio(evidence).denominator
        return self._numerators + len(self._ids) * self._event.weight(Ratio(np.ones(1), denominator))

    def _of_numerators(self) -> Floats:  # (labels, 1)
        """The part of the sum that is the same for all documents: additive smoothing has sums in denominators only."""
        whole = self._whole
        count, total = whole.counts[:, self._ids] / whole.unit, whole.totals[self._ids] / whole.unit
        numerator = self._smoothing.ratio(self._event.evidence(NO_SUMS, count, total, lambda _: np.zeros(1))).numerator
        weights = self._event.weight(Ratio(numerator, np.ones(1)))
        return np.array([[math.fsum(row)] for row in weights])

    def _of_terms(self, terms: Histogram, sums: Sums) -> Floats:  # (1, documents)
        evidence = self._event.evidence(sums, terms.count, terms.total, lambda _: terms.given)
        weights = self._event.weight(self._smoothing.ratio(evidence))
        result: Floats = (weights * terms.times).sum(axis=-1)[np.newaxis]
        return result

    def _anew(self, without: Without, document: int) -> Floats:  # (labels,)
        """All terms, one by one; there are not many more than the document has."""
        whole, bags = self._whole, without.bags
        end = int(bags.lengths[: document + 1].sum())
        mine = np.arange(end - bags.lengths[document], end)
        mine = mine[without.was_kept[mine]]
        places = self._place[bags.ids[mine]]
        count, total = whole.counts[:, self._ids], whole.totals[self._ids]
        count[:, places], total[places] = without.count[:, mine], without.total[mine]
        kept = np.ones(len(self._ids), dtype=bool)
        kept[places] = without.kept[mine]
        given = np.nan_to_num(whole.given[self._ids])[kept]
        weights = self._weights(without.sums_of(document), count[:, kept], total[kept], lambda _: given)
        return np.array([math.fsum(row) for row in np.abs(weights)])

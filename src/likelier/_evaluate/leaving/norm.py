"""The norms of the complement model, for each document by the counts without it.

    norm(c) = sum of |weight(t,c)| over V

The sum over V is taken with the counts as they are and the sums that the document leaves behind; then its own terms
are taken out as they went in, and put in as they are without it. No weight is below 0, since no probability is above
1; only what goes in and out again may be. Where few other terms remain, digits would be lost: there all terms are put
in anew. With idf, all of it is at the number of documents that are left, and terms whose idf is 0 are no part of it.
"""

from __future__ import annotations

import math

import numpy as np

from likelier._base.numbers import Floats
from likelier._estimate import complement
from likelier._estimate.evidence import Ratio
from likelier._estimate.reading import Ids, Named, Reading, Sums
from likelier._estimate.smoothing import Additive
from likelier._evaluate.leaving.apart import NO_SUMS
from likelier._evaluate.leaving.held import Whole
from likelier._evaluate.leaving.left import Truths, Units
from likelier._evaluate.leaving.vocabulary import Histogram, OverVocabulary
from likelier._evaluate.leaving.without import Without

NEEDED = ("total", "all_total", "outcomes", "seen_elsewhere", "all_documents")


class Norm:
    """The norms under one estimator."""

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._event, self._smoothing = whole.estimator.event, whole.estimator.smoothing
        apart = isinstance(self._smoothing, Additive)
        self._numerators: dict[int, tuple[Floats, int]] = {}
        needed = NEEDED if whole.inverse is not None else NEEDED[:-1]
        self._all = None if apart else OverVocabulary(whole, needed, self._of_terms)

    def of(self, without: Without) -> Floats:  # (labels, documents)
        """For each document."""
        bags, held, sums = without.bags, without.held, without.spread(without.sums)
        given = np.nan_to_num(held.given.take(bags.ids))
        totals = held.totals.take(bags.ids)
        before = self._weights(
            sums,
            without.numbers(without.before, before=True),
            without.numbers(totals, before=True),
            lambda _: given,
            without.was_kept & (without.idf_before > 0),
        )
        after = self._weights(
            sums,
            without.numbers(without.count),
            without.numbers(without.total),
            lambda _: given,
            without.kept & (without.idf > 0),
        )
        norm: Floats = self._over_all(without) - bags.sums(before) + bags.sums(after)
        for document in np.flatnonzero(without.size <= bags.lengths).tolist():
            norm[:, document] = self._anew(without, document)
        if without.estimator.unknown == "unk":
            norm += np.abs(self._event.weight(self._smoothing.ratio(without.unknown_evidence)))
        return complement.divisor(norm)

    def _weights(self, sums: Sums, count: Floats, total: Floats, named: Named, told: Truths) -> Floats:
        """The weights of terms, (labels, terms); 0 for those that are no part of the sum."""
        weights = self._event.weight(self._smoothing.ratio(self._event.evidence(sums, count, total, named)))
        return np.where(told, weights, 0.0)

    # ---- over all terms ------------------------------------------------------------------------------------------

    def _over_all(self, without: Without) -> Floats:  # (labels, documents)
        sums = without.sums
        if self._all is not None:
            return np.asarray(self._all.of(sums)[0])
        evidence = self._event.evidence(sums, np.zeros_like(sums.total), np.zeros(1), lambda _: np.zeros(1))
        denominator = self._event.weight(Ratio(np.ones(1), self._smoothing.ratio(evidence).denominator))
        found = [self._of_numerators(units) for units in without.weights.tolist()]
        numerators = np.array([numerators for numerators, _ in found]).T[:, without.which_weight]
        terms = np.array([terms for _, terms in found])[without.which_weight]
        return numerators + terms * denominator

    def _of_numerators(self, units: int) -> tuple[Floats, int]:  # (labels,)
        """The part of the sum that is the same for all documents of one weight, and over how many terms it goes.

        Additive smoothing has sums in denominators only.
        """
        key = 0 if self._whole.inverse is None else units
        if key not in self._numerators:
            pieces = [self._of_some(ids, units) for ids in self._reading.pieces(self._reading.kept_ids)]
            sums = [[math.fsum(row) for row in weights] for weights in pieces]
            totals = np.array([math.fsum(column) for column in zip(*sums, strict=True)] or self._whole.documents * 0.0)
            self._numerators[key] = totals, sum(weights.shape[1] for weights in pieces)
        return self._numerators[key]

    def _of_some(self, ids: Ids, units: int) -> Floats:  # (labels, terms)
        rows = self._reading.snapshot.rows(ids, self._reading.statistic).T / self._whole.unit
        if self._whole.inverse is not None:
            idf = self._whole.inverse.as_they_are(units, self._whole.frequencies(ids))
            rows = (rows * idf)[:, idf > 0]
        evidence = self._event.evidence(NO_SUMS, rows, rows.sum(axis=0), lambda _: np.zeros(1))
        return self._event.weight(Ratio(self._smoothing.ratio(evidence).numerator, np.ones(1)))

    def _of_terms(self, terms: Histogram, sums: Sums) -> Floats:  # (1, documents)
        count, total, times = terms.count, terms.total, terms.times
        if self._whole.inverse is not None:  # (documents, kinds)
            units = self._whole.all_documents - np.rint(sums.all_documents * self._whole.of_documents).astype(np.int64)
            idf = self._whole.inverse.as_they_are(units, terms.frequency)
            count, total, times = count * idf, total * idf, times * (idf > 0)
        weights = self._weights(sums, count, total, lambda _: terms.given, times > 0)
        result: Floats = (weights * times).sum(axis=-1)[np.newaxis]
        return result

    @property
    def _reading(self) -> Reading:
        return self._whole.estimator.reading

    def _anew(self, without: Without, document: int) -> Floats:  # (labels,)
        """All terms, one by one; there are not many more than the document has."""
        ids, mine = self._reading.kept_ids, without.entries_of(document)
        mine = mine[without.was_kept[mine]]
        places = np.searchsorted(ids, without.held.ids[without.bags.ids[mine]])
        count: Units = self._reading.snapshot.rows(ids, self._reading.statistic).T.astype(np.int64)
        count[:, places] = without.count[:, mine]
        kept, idf = np.ones(len(ids), dtype=bool), np.ones(len(ids))
        kept[places] = without.kept[mine]
        if self._whole.inverse is not None:
            units = int(without.bags.left.units[document])
            idf = self._whole.inverse.as_they_are(units, self._whole.frequencies(ids))
            idf[places] = without.idf[mine]
        numbers = count / self._whole.unit * idf
        given = np.nan_to_num(self._whole.given(ids))
        weights = self._weights(
            without.sums_of(document), numbers, numbers.sum(axis=0), lambda _: given, kept & (idf > 0)
        )
        return np.array([math.fsum(row) for row in np.abs(weights)])

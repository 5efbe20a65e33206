"""Sums over the whole vocabulary, for documents that leave other sums behind.

A term's share of the sum depends on its counts alone, so a histogram of how many terms have each count is enough.
Documents that leave equal sums behind share the result.

Absent terms under the Bernoulli model add, for each document by the counts without it:

    absent(c) = sum of log(1 - P(t=1|c)) over V  -  the same over the terms of the document

A term that is not in the document has all its counts; only the numbers of documents are smaller. So the sum over V is
taken with the counts as they are, and the document's own terms are taken out of it as they went in, whatever becomes
of them. A term with more documents than there are without this one can only be a term of it; in and out it counts as
a term of all.

The norms of the complement model are, for each document by the counts without it:

    norm(c) = sum of |weight(t,c)| over V

The sum over V is taken with the counts as they are and the sums that the document leaves behind; then its own terms
are taken out as they went in, and put in as they are without it. No weight is below 0, since no probability is above
1; only what goes in and out again may be. Where few other terms remain, digits would be lost: there all terms are put
in anew. With idf, all of it is at the number of documents that are left, and terms whose idf is 0 are no part of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._estimate import bernoulli, complement
from likelier._estimate.evidence import Ratio
from likelier._estimate.smoothing import Smoothing, shape_of
from likelier._estimate.view_vocabulary import Named, Reading, Sums
from likelier._evaluate.leaving.bags import Ids, Rows, Truths, Units
from likelier._evaluate.leaving.held import Whole
from likelier._evaluate.leaving.without import NO_SUMS, Without

MOST = 1 << 16  # cells at a time, so that they stay near the processor


@dataclass(frozen=True)
class Histogram:
    """The kept terms by their counts under one label and in all, and by what else they depend on."""

    count: Floats  # (kinds,)
    total: Floats  # (kinds,)
    given: Floats  # (kinds,) what a mapping for `p` says of them
    frequency: Units  # (kinds,) how many documents have them, in units; 0 without idf
    times: Floats  # (kinds,) how many terms are of this kind


def histograms(whole: Whole) -> list[Histogram]:
    """One for each label."""
    reading = whole.estimator.reading
    found: list[list[NDArray[np.float64]]] = [[] for _ in whole.documents]
    for ids in reading.pieces(reading.kept_ids):
        rows = reading.snapshot.rows(ids, reading.statistic).astype(np.int64)
        keys = rows.sum(axis=1), np.nan_to_num(whole.given(ids)), _frequencies(whole, ids)
        for label, count in enumerate(rows.T):
            found[label].append(_counted([count, *keys], np.ones(len(ids))))
    return [_histogram(whole, pieces) for pieces in found]


def _frequencies(whole: Whole, ids: Ids) -> Units:
    return np.zeros(len(ids), dtype=np.int64) if whole.inverse is None else whole.frequencies(ids)


def _counted(keys: list[NDArray[Any]], times: Floats) -> NDArray[np.float64]:  # (keys + 1, kinds)
    """The different kinds of terms, and how many there are of each."""
    first, which = distinct(*keys)
    return np.array([*(key[first] for key in keys), np.bincount(which, times, minlength=len(first))])


def _histogram(whole: Whole, pieces: list[NDArray[np.float64]]) -> Histogram:
    joined = np.concatenate([np.zeros((5, 0)), *pieces], axis=1)
    *keys, times = _counted(list(joined[:4]), joined[4]) if len(pieces) > 1 else joined
    count, total, given, frequency = keys
    return Histogram(count / whole.unit, total / whole.unit, given, frequency.astype(np.int64), times)


Give = Callable[[Histogram, Sums], Floats]  # sums are (documents, 1) -> (parts, documents)


class OverVocabulary:
    """What all terms together give, for each label."""

    def __init__(self, whole: Whole, needed: tuple[str, ...], give: Give) -> None:
        """needed: the sums that `give` looks at."""
        self._histograms = histograms(whole)
        self._needed, self._give = needed, give
        self._found: list[dict[tuple[float, ...], Floats]] = [{} for _ in self._histograms]

    def of(self, sums: Sums) -> Floats:  # (labels, documents) -> (parts, labels, documents)
        """For the sums that each document leaves behind."""
        return np.stack([self._of_label(label, sums) for label in range(len(self._histograms))], axis=1)

    def _of_label(self, label: int, sums: Sums) -> Floats:  # (parts, documents)
        columns = [getattr(sums, name) for name in self._needed]
        keys = [column[label] if column.ndim > 1 else column for column in columns]
        first, which = distinct(*keys)
        asked = list(zip(*(key[first].tolist() for key in keys), strict=True))
        found = self._found[label]
        new = [key for key in asked if key not in found]
        step = max(MOST // max(len(self._histograms[label].times), 1), 1)
        for start in range(0, len(new), step):
            some = new[start : start + step]
            found.update(zip(some, self._give(self._histograms[label], self._as_sums(some)).T, strict=True))
        return np.array([found[key] for key in asked]).T[:, which]

    def _as_sums(self, keys: list[tuple[float, ...]]) -> Sums:
        columns = np.array(keys).T[:, :, np.newaxis]
        return replace(NO_SUMS, **dict(zip(self._needed, columns, strict=True)))


def distinct(*keys: NDArray[Any]) -> tuple[Rows, Rows]:
    """The place of one row of each kind, and for each row its kind. Rows are of one kind if all keys are equal.

    >>> distinct(np.array([5, 3, 5, 5]), np.array([0, 0, 0, 1]))
    (array([1, 0, 3]), array([1, 0, 1, 2]))
    """
    order = np.lexsort(keys[::-1])
    changes = np.zeros(len(order), dtype=bool)
    changes[:1] = True
    for key in keys:
        changes[1:] |= key[order[1:]] != key[order[:-1]]
    which = np.empty(len(order), dtype=np.intp)
    which[order] = np.cumsum(changes) - 1
    return order[changes], which


class AbsentWithout:
    """The absent terms of documents under one estimator."""

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._smoothing = whole.estimator.smoothing
        self._all = OverVocabulary(whole, ("documents", "all_documents"), self._of_terms)

    def _of_terms(self, terms: Histogram, sums: Sums) -> Floats:  # (2, documents)
        absent = _absent(self._smoothing, sums, terms.count, terms.total, lambda _: terms.given)
        result: Floats = (absent * terms.times).sum(axis=-1)
        return result

    def of(self, without: Without) -> Floats:  # (labels, documents)
        """What is absent from each document."""
        held, bags, sums = without.held, without.bags, without.spread(without.sums)
        count, total = without.before / self._whole.unit, held.totals.take(bags.ids) / self._whole.unit
        own = _absent(self._smoothing, sums, count, total, lambda _: np.nan_to_num(held.given.take(bags.ids)))
        if not without.was_kept.all():
            own *= without.was_kept
        absent, required = self._all.of(without.sums) - bags.sums(own)
        if without.estimator.unknown == "unk":  # UNK is one more term, absent where nothing is unknown
            of_unk = bernoulli.absent(self._smoothing.ratio(without.unknown_evidence))
            absent += np.where((without.unknown == 0) & ~np.isneginf(of_unk), of_unk, 0.0)
        return np.where(required > 0.5, -np.inf, absent)


def _absent(smoothing: Smoothing, sums: Sums, count: Floats, total: Floats, named: Named) -> Floats:  # (2, ...)
    """What the absence of terms adds, and whether they are required: whether their absence is impossible."""
    count, total = np.minimum(count, sums.documents), np.minimum(total, sums.all_documents)
    absent = bernoulli.absent(smoothing.ratio(bernoulli.evidence(sums, count, total, named)))
    required = np.isneginf(absent)
    return np.stack([np.where(required, 0.0, absent), required])


NEEDED = ("total", "all_total", "outcomes", "seen_elsewhere", "all_documents")


class NormWithout:
    """The norms under one estimator."""

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._event, self._smoothing = whole.estimator.event, whole.estimator.smoothing
        apart = shape_of(self._smoothing).is_separable
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

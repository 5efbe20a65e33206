"""What a numeric column adds in intervals, each document by the counts without it.

Own cut points stay. The others are those that the rule makes without the document. Documents that leave the same cut
points behind are judged together, like documents of a column of values: the value is the interval.

Most documents leave the cut points of their neighbors behind, so that few have to be made:

    equal width      depends on which values there are: on the first, the last, and those on both sides of a cut
    equal frequency  what lies below a value is less by the document's weight, or not; it matters at the cuts only
    information      see `information`

The cut points by information without each of some documents.

A document of label c at value i changes what a cut behind value j tells: left of it (j < i) the upper side has one
document of c less, right of it (j >= i) the lower side has. Neither depends on i otherwise. So for an interval and a
label both are worked out once, for all cuts, and each document takes the first up to its value and the second from
there. Intervals without the document are cut as with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._columns.numbers import IntervalPart, below_each, counts_of_intervals
from likelier._columns.values import ValuePart
from likelier._counts.moments import rounded
from likelier._documents.values import Choices, Numbers
from likelier._estimate.intervals import (
    _best_cut,
    _bits,
    _is_worth_it,
    _n_log_n,
    _round_between,
    cut_points,
    interval_names,
)
from likelier._estimate.intervals import (
    place as interval_of,
)
from likelier._estimate.numeric import ByInformation, Cuts, EqualFrequency, EqualWidth
from likelier._evaluate.leaving.bags import Left, Rows
from likelier._evaluate.leaving.over_vocabulary import distinct

KnownCuts = dict[tuple[str, str], tuple[list[list[float]], Rows]]
NEAR = 2  # values on each side of a cut that it may depend on


class Intervals:
    """A numeric column whose numbers are read in intervals."""

    def __init__(self, part: IntervalPart) -> None:
        self._part, self._counts, self._rule = part, part.numbers, part.rule
        self._values, self._units = self._counts.values()  # (values,) rising, and (values, labels)
        self._below = below_each(self._units)

    def groups(self, numbers: Numbers, left: Left, known: KnownCuts) -> Iterator[tuple[Left, Choices, ValuePart]]:
        """The documents by the cut points they leave behind; all their intervals, and what these add.

        known: the cut points that these documents leave behind, by column and rule; smoothing does not change them.
        """
        near = rounded(numbers.numbers, self._counts.digits)
        left = left.some(~np.isnan(near[left.rows]))
        key = self._part.name, repr(self._rule)
        if key not in known:
            known[key] = self._cuts(near[left.rows], left)
        cuts, which = known[key]
        for group, points in enumerate(cuts):
            part = self._part if points == self._part.cuts else self._part_under(points)
            yield left.some(which == group), Choices(interval_names(points), interval_of(near, points)), part

    def _cuts(self, near: Floats, left: Left) -> tuple[list[list[float]], Rows]:
        """The different lists of cut points, and which of them each document leaves behind."""
        if isinstance(self._rule, Cuts):
            return [self._part.cuts], np.zeros(len(left), dtype=np.intp)
        places = self._places(near, left)
        first, which = distinct(places, left.labels, left.units)
        numbers: dict[tuple[float, ...], int] = {}
        found = np.empty(len(first), dtype=np.intp)
        for some, cuts in self._of_kinds(places[first], left.some(first)):
            found[some] = numbers.setdefault(tuple(cuts), len(numbers))
        return [list(points) for points in numbers], found[which]

    def _places(self, near: Floats, left: Left) -> Rows:
        """The place of each document's number among the values."""
        places = np.searchsorted(self._values, near)
        there = np.append(self._values, np.nan)[places] == near
        there[there] = self._units[places[there], left.labels[there]] >= left.units[there].astype(np.uint64)
        if not there.all():
            raise left.refuse(int(np.flatnonzero(~there)[0]))
        return places

    def _of_kinds(self, places: Rows, left: Left) -> Iterator[tuple[Rows, list[float]]]:
        """Some of the documents, and the cut points that each of them leaves behind."""
        if isinstance(self._rule, ByInformation):
            information = Information(self._values, self._units, self._counts.unit)
            firsts, which = distinct(left.labels, left.units)
            for kind, first in enumerate(firsts.tolist()):
                some = np.flatnonzero(which == kind)
                cuts = information.cuts(places[some], int(left.labels[first]), int(left.units[first]))
                yield from zip(some[:, np.newaxis], cuts, strict=True)
            return
        width = isinstance(self._rule, EqualWidth)
        keys = self._by_width(places, left) if width else self._by_frequency(places, left)
        firsts, which = distinct(*keys)
        for kind, first in enumerate(firsts.tolist()):
            yield np.flatnonzero(which == kind), self._without(places[first], left, first)

    def _by_width(self, places: Rows, left: Left) -> tuple[Rows, ...]:
        """Numbers that are equal for documents that leave the same cut points of equal width behind."""
        assert isinstance(self._rule, EqualWidth)
        cuts, last = self._part.cuts, len(self._values) - 1
        is_gone = self._units[places].sum(axis=1, dtype=np.uint64) == left.units.astype(np.uint64)
        above = np.searchsorted(self._values, cuts)
        # Where cuts fell together, or there are none, it takes a closer look.
        matters = np.isin(places, [0, last, *above, *(above - 1)]) | (len(cuts) < self._rule.bins - 1)
        return (np.where(is_gone & matters, places, -1),)

    def _by_frequency(self, places: Rows, left: Left) -> tuple[Rows, ...]:
        """Numbers that are equal for documents that leave the same cut points of equal frequency behind."""
        assert isinstance(self._rule, EqualFrequency)
        ends, bins = np.cumsum(self._units.sum(axis=1, dtype=np.uint64)).astype(np.int64), self._rule.bins
        kinds = np.empty(len(places), dtype=np.intp)
        for units in np.unique(left.units).tolist():
            shares = np.array([-(-number * (int(ends[-1]) - units) // bins) for number in range(1, bins)])
            above = np.searchsorted(ends, shares)  # the value that reaches the share, if the document is above it
            critical = np.add.outer(above, np.arange(-NEAR, NEAR + 1)).reshape(-1)
            mine = left.units == units
            between = -1 - np.searchsorted(above, places[mine])
            kinds[mine] = np.where(np.isin(places[mine], critical), places[mine], between)
        return kinds, left.units

    def _without(self, value: int, left: Left, document: int) -> list[float]:
        """The cut points without one document."""
        label, units = left.labels[document], left.units[document].astype(np.uint64)
        self._units[value, label] -= units
        try:
            return cut_points(self._rule, self._values, self._units, unit=self._counts.unit)
        finally:
            self._units[value, label] += units

    def _part_under(self, cuts: Sequence[float]) -> ValuePart:
        """The column under other cut points."""
        table = counts_of_intervals(self._counts, cuts, self._values, self._below)
        estimator, names = self._part.estimator, interval_names(cuts)
        return ValuePart(
            self._part.name, table, names, smoothing=estimator.smoothing, unknown=estimator.unknown, closed=True
        )


Cumulative = NDArray[np.uint64]
Places = tuple[int, ...]  # behind which values to cut
REMEMBERED = 64  # intervals


class Information:
    """A column that is cut where its labels change."""

    def __init__(self, values: Floats, counts: Cumulative, unit: int) -> None:  # (values,) and (values, labels)
        self._values, self._unit = values, unit
        self._totals = counts.sum(axis=1, dtype=np.uint64)  # (values,)
        self._cumulative = np.cumsum(counts.T, axis=1, dtype=np.uint64)  # (labels, values)
        self._whole = cache(self._cut_whole)
        self._best_of_whole = cache(self._best_cut)
        self._worth = cache(self._is_worth_it)
        self._told = lru_cache(REMEMBERED)(self._told_of_whole)
        self._round = cache(_round_between)

    def cuts(self, places: Rows, label: int, units: int) -> Iterator[list[float]]:
        """The cut points without a document of this label and weight, for each of these values."""
        found = self._cut(np.unique(places), label, units)
        for place in places.tolist():
            gone = place if int(self._totals[place]) == units else -1
            yield [self._between(cut, gone) for cut in sorted(found[place])]

    def _between(self, cut: int, gone: int) -> float:
        """The cut point behind a value; `gone` is a value that is not there."""
        low, high = cut - (cut == gone), cut + 1 + (cut + 1 == gone)
        return self._round(float(self._values[low]), float(self._values[high]))

    # ---- intervals without the document --------------------------------------------------------------------------

    def _best_cut(self, start: int, end: int) -> int | None:
        return _best_cut(self._cumulative, start, end, self._unit) if end > start else None

    def _cut_whole(self, start: int, end: int) -> Places:
        """All cuts of an interval that the document is not in."""
        parts, cuts = [(start, end)], []
        while parts:
            start, end = parts.pop()
            cut = self._best_of_whole(start, end)
            if cut is not None:
                cuts.append(cut)
                parts += [(start, cut + 1), (cut + 1, end)]
        return tuple(cuts)

    # ---- intervals with the document -----------------------------------------------------------------------------

    def _cut(self, places: Rows, label: int, units: int) -> dict[int, Places]:
        """For each of these values all cuts without the document."""
        found: dict[int, Places] = {}
        parts: list[tuple[int, int, Rows, Places]] = [(0, len(self._values), places, ())]
        while parts:
            start, end, inside, outside = parts.pop()
            inside = self._at_ends(start, end, inside, units, outside, found)
            for cut, some in self._best(start, end, inside, label, units):
                if cut is None:
                    found.update(dict.fromkeys(some.tolist(), outside))
                    continue
                lower, upper = some[some <= cut], some[some > cut]
                if len(lower):
                    parts.append((start, cut + 1, lower, (*outside, cut, *self._whole(cut + 1, end))))
                if len(upper):
                    parts.append((cut + 1, end, upper, (*outside, cut, *self._whole(start, cut + 1))))
        return found

    def _at_ends(
        self, start: int, end: int, places: Rows, units: int, outside: Places, found: dict[int, Places]
    ) -> Rows:
        """Settles values at the ends of an interval that are gone without the document: it is smaller then."""
        gone = (self._totals[places] == units) & ((places == start) | (places == end - 1))
        for place in places[gone].tolist():
            rest = (start + 1, end) if place == start else (start, end - 1)
            found[place] = outside + self._whole(*rest)
        return places[~gone]

    def _best(self, start: int, end: int, places: Rows, label: int, units: int) -> Iterator[tuple[int | None, Rows]]:
        """The best cut of an interval, None when it is not worth it, and the places of documents that it is for."""
        _, totals = self._sums(start, end)
        totals[label] -= np.uint64(units)
        present = np.flatnonzero(totals)
        if not len(places) or end - start < 2 or len(present) < 2:
            yield None, places
            return
        upper, lower = self._sides(start, end, label, units)
        cuts = start + _first_best(upper, lower, places - start, 1e-12 * float(totals.sum() / self._unit))
        for cut in np.unique(cuts).tolist():
            for below, some in ((False, cuts < places), (True, cuts >= places)):
                mine = places[(cuts == cut) & some]
                if len(mine):
                    worth = self._worth(start, cut, end, label, units, below)
                    yield cut if worth else None, mine

    def _sides(self, start: int, end: int, label: int, units: int) -> tuple[Floats, Floats]:  # (cuts,) each
        """What all cuts leave to be told, if the document is on the upper side, and if it is on the lower one.

        Where a side has not that many, the document cannot be there, and nobody looks.
        """
        told, size = self._told(start, end)
        base, totals = self._sums(start, end)
        own = (self._cumulative[label, start : end - 1] - base[label]).astype(np.int64)
        rest, others = int(totals[label]) - own, int(totals.sum(dtype=np.uint64)) - size
        upper = told + self._changed(rest, units) - self._changed(others, units)
        return upper, told + self._changed(own, units) - self._changed(size, units)

    def _changed(self, numbers: NDArray[np.int64], units: int) -> Floats:
        """By how much n log n is less when n is less by the document."""
        return _n_log_n(numbers / self._unit) - _n_log_n((numbers - units) / self._unit)

    def _told_of_whole(self, start: int, end: int) -> tuple[Floats, NDArray[np.int64]]:  # (cuts,) each
        """What all cuts leave to be told with all documents, and how many are on the lower side.

        It is the same whatever the label of the document: so the number of labels goes into the work once, not squared.
        """
        base, totals = self._sums(start, end)
        present = np.flatnonzero(totals)
        inside = self._cumulative[present, start : end - 1]
        size = (inside - base[present, np.newaxis]).sum(axis=0, dtype=np.uint64).astype(np.int64)
        return _bits(inside, base[present], totals[present], self._unit), size

    def _is_worth_it(self, start: int, cut: int, end: int, label: int, units: int, below: bool) -> bool:
        base, totals = self._sums(start, end)
        left = self._cumulative[:, cut] - base
        totals[label] -= np.uint64(units)
        if below:
            left[label] -= np.uint64(units)
        return _is_worth_it(totals / self._unit, left / self._unit, (totals - left) / self._unit)

    def _sums(self, start: int, end: int) -> tuple[Cumulative, Cumulative]:  # (labels,) each
        """What is counted before an interval, and in it."""
        before = self._cumulative[:, start - 1] if start else np.zeros(len(self._cumulative), dtype=np.uint64)
        return before, self._cumulative[:, end - 1] - before


def _first_best(upper: Floats, lower: Floats, places: Rows, near: float) -> Rows:
    """For each place the first cut that is as good as the best; up to the place by `upper`, from there by `lower`."""
    best_before = np.minimum.accumulate(np.append(np.inf, upper))[places]  # places may be behind the last cut
    best_from = np.minimum.accumulate(np.append(lower, np.inf)[::-1])[::-1][places]
    limits = np.minimum(best_before, best_from) + near
    cuts = np.empty(len(places), dtype=np.intp)
    for limit in np.unique(limits):
        some = limits == limit
        first = int(np.append(np.flatnonzero(upper <= limit), len(upper))[0])
        later = np.append(np.flatnonzero(lower <= limit), len(lower))
        cuts[some] = np.where(first < places[some], first, later[np.searchsorted(later, places[some])])
    return cuts

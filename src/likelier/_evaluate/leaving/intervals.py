"""What a numeric column adds in intervals, each document by the counts without it.

Own cut points stay. The others are those that the rule makes without the document. Documents that leave the same cut
points behind are judged together, like documents of a column of values: the value is the interval.

Most documents leave the cut points of their neighbours behind, so that few have to be made:

    equal width      depends on which values there are: on the first, the last, and those on both sides of a cut
    equal frequency  what lies below a value is less by the document's weight, or not; it matters at the cuts only
    information      see `information`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from likelier._base.numbers import Floats
from likelier._counts.digits import rounded
from likelier._counts.numeric import NumericCounts
from likelier._documents.values import Choices, Numbers
from likelier._estimate.intervals import cut_points, interval_names, place
from likelier._estimate.numeric import Binning, ByInformation, Cuts, EqualFrequency, EqualWidth
from likelier._estimate.parts import IntervalPart, ValuePart, below_each, counts_of_intervals
from likelier._evaluate.leaving.information import Information
from likelier._evaluate.leaving.left import Left, Rows
from likelier._evaluate.leaving.vocabulary import distinct

KnownCuts = dict[tuple[str, str], tuple[list[list[float]], Rows]]
NEAR = 2  # values on each side of a cut that it may depend on


class Intervals:
    """A numeric column whose numbers are read in intervals."""

    def __init__(self, part: IntervalPart, counts: NumericCounts, rule: Binning) -> None:
        self._part, self._counts, self._rule = part, counts, rule
        self._values, self._units = counts.values()  # (values,) rising, and (values, labels)
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
            yield left.some(which == group), Choices(interval_names(points), place(near, points)), part

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
        table = counts_of_intervals(self._counts.table, cuts, self._values, self._below)
        estimator, names = self._part.estimator, interval_names(cuts)
        return ValuePart(
            self._part.name, table, names, smoothing=estimator.smoothing, unknown=estimator.unknown, closed=True
        )

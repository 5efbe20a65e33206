"""The cut points by information without each of some documents.

A document of label c at value i changes what a cut behind value j tells: left of it (j < i) the upper side has one
document of c less, right of it (j >= i) the lower side has. Neither depends on i otherwise. So for an interval and a
label both are worked out once, for all cuts, and each document takes the first up to its value and the second from
there. Intervals without the document are cut as with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._estimate.intervals import _best_cut, _bits, _is_worth_it, _n_log_n, _round_between
from likelier._evaluate.leaving.left import Rows

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

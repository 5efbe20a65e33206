"""The counts of a column of values: a value is a text of one term."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._counts.term_counts import TermCounts
from likelier._documents.labels import Label

Units = NDArray[np.uint64] | None


class ValueCounts(TermCounts):
    """The sufficient statistics of a categorical, binary or bound column."""

    def count_column(
        self, kind: Any, values: Any, labels: Sequence[Label], which: NDArray[np.intp], units: Units, threads: int
    ) -> None:
        """Counts each document's value under its label; missing values count nothing."""
        there = values.which >= 0
        size = len(values.values)
        places = which[there] * size + values.which[there]
        cells, times = _summed(places, None if units is None else units[there], len(labels) * size)
        for place, label in enumerate(labels):
            first, last = np.searchsorted(cells, [place * size, (place + 1) * size])
            terms = [values.values[cell] for cell in (cells[first:last] - place * size).tolist()]
            number = times[first:last]
            self.put(label, int(number.sum(dtype=np.uint64)), terms, number.tolist(), number.tolist())

    def _empty(self) -> TermCounts:
        return ValueCounts()


def _summed(places: NDArray[np.intp], units: Units, length: int) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """The places that occur, rising, and the sum of the units at each, exact."""
    if length > 4 * len(places) + 1000:  # too many places to have a number for each
        found, places = np.unique(places, return_inverse=True)
        return found, _sums(places, units, len(found))
    sums = _sums(places, units, length)
    found = np.flatnonzero(np.bincount(places, minlength=length)) if units is not None else np.flatnonzero(sums)
    return found, sums[found]


def _sums(places: NDArray[np.intp], units: Units, length: int) -> NDArray[np.uint64]:
    """For each place the sum of its units, exact."""
    if units is None:
        return np.bincount(places, minlength=length).astype(np.uint64)
    sums = np.zeros(length, dtype=np.uint64)
    np.add.at(sums, places, units)
    return sums

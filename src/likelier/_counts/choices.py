"""Counting values: a category is a text of one term."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likelier._counts.term_counts import Counts
from likelier._documents.labels import Label
from likelier._documents.values import Choices

Units = NDArray[np.uint64] | None


def count_choices(
    counts: Counts, choices: Choices, labels: Sequence[Label], which: NDArray[np.intp], units: Units
) -> None:
    """Counts each document's value under its label; `which` says which of the labels, missing values count nothing."""
    there = choices.which >= 0
    values = len(choices.values)
    places = which[there] * values + choices.which[there]
    cells, times = _summed(places, None if units is None else units[there], len(labels) * values)
    for place, label in enumerate(labels):
        first, last = np.searchsorted(cells, [place * values, (place + 1) * values])
        terms = [choices.values[cell] for cell in (cells[first:last] - place * values).tolist()]
        number = times[first:last]
        counts.put(label, int(number.sum(dtype=np.uint64)), terms, number.tolist(), number.tolist())


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

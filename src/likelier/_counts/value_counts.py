"""The counts of a column of values: a value is a text of one term.

A numeric column also has the exact sums behind mean and variance, and counts how often each rounded value occurs. The
sums give a normal distribution, the values give intervals; a view chooses between them after counting. Both are
sums over documents, so adding, subtracting and merging are exact in any order. Values are rounded to some significant
decimal digits, so that a column has a bounded number of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import error
from likelier._counts.moments import Moments, NumberSums, number_of, rounded, spelled, written
from likelier._counts.term_counts import Number, TermCounts
from likelier._documents.labels import Label
from likelier._documents.values import Choices

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


class NumericCounts(ValueCounts):
    """Rounded values by label as in any column of values; their sums by the table's label numbers in `moments`."""

    def __init__(self, digits: int) -> None:
        super().__init__()
        self.digits = digits
        self.moments = Moments()
        self.in_intervals: dict[tuple[str, int], tuple[list[float], TermCounts]] = {}  # by rule and version

    def count_column(
        self, kind: Any, values: Any, labels: Sequence[Label], which: NDArray[np.intp], units: Units, threads: int
    ) -> None:
        """Counts the numbers; missing ones count nothing."""
        self.moments.count(values.numbers, self.label_ids(labels)[which], units)
        super().count_column(kind, self._as_choices(values.numbers), labels, which, units, threads)

    def _as_choices(self, numbers: NDArray[np.float64]) -> Choices:
        there = ~np.isnan(numbers)
        distinct, inverse = np.unique(rounded(numbers[there], self.digits), return_inverse=True)
        which = np.full(len(numbers), -1, dtype=np.intp)
        which[there] = inverse
        return Choices(spelled(distinct, self.digits), which)

    # ---- adding and subtracting ----------------------------------------------------------------------------------

    def add(self, other: TermCounts) -> None:
        """Adds the other's counts."""
        assert isinstance(other, NumericCounts)
        moments = self._scaled(other)
        super().add(other)
        self.moments.add(moments, self.label_ids(other.all_labels).tolist())

    def subtract(self, other: TermCounts, *, thorough: bool = False) -> None:
        """Subtracts the other's counts, or changes nothing and says that they are not here."""
        assert isinstance(other, NumericCounts)
        moments = self._scaled(other)
        super().subtract(other, thorough=thorough)
        if not self.moments.subtract(moments, self.label_ids(other.all_labels).tolist()):
            super().add(other)  # exact, so it is as it was
            raise error("counts-not-held")

    def _scaled(self, other: NumericCounts) -> Moments:
        """The other's sums in the unit of both, which this takes over."""
        self.use_unit(max(self.unit, other.unit))
        moments = other.moments
        if other.unit < self.unit:
            moments = moments.copy()
            moments.scale(self.unit // other.unit)
        return moments

    def use_unit(self, unit: int) -> None:
        """Keeps the numbers as multiples of 1/unit, a finer one than before."""
        if unit > self.unit:
            self.moments.scale(unit // self.unit)
            super().use_unit(unit)

    def copy(self) -> NumericCounts:
        """The same counts, which can change on their own."""
        twin = super().copy()
        assert isinstance(twin, NumericCounts)
        twin.moments = self.moments.copy()
        return twin

    def _empty(self) -> NumericCounts:
        return NumericCounts(self.digits)

    # ---- reading -------------------------------------------------------------------------------------------------

    def sums(self) -> list[NumberSums]:
        """For each label how many numbers there are, their sum and the sum of their squares."""
        return self.moments.of(self.snapshot.order, self.unit)

    def sum_arrays(self) -> dict[str, NDArray[Any]]:
        """The sums as plain arrays, labels sorted, and their unit: the same for the same numbers, however they came."""
        whole = self.moments.is_whole(self.unit)
        arrays = self.moments.arrays(self.snapshot.order, unit=self.unit if whole else 1)
        return {"sum_unit": np.array([1 if whole else self.unit], dtype=np.uint64), **arrays}

    def hold_sums(self, sums: Mapping[str, NDArray[Any]]) -> None:
        """Takes over sums as `sum_arrays` gives them; ValueError says what is wrong with them."""
        self.moments.hold(sums)
        unit = int(sums["sum_unit"][0])
        TermCounts.use_unit(self, unit)
        self.moments.scale(self.unit // unit)

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"digits": self.digits, "sums": self.sum_arrays()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["digits"])  # type: ignore[misc]
        self._restore(state)
        self.hold_sums(state["sums"])

    def cells(self) -> Iterator[tuple[str, Label, Number, Number]]:
        """Value, label and twice how often the value occurs under the label, by increasing value."""
        rising = sorted(super().cells(), key=lambda cell: (number_of(cell[0]), cell[1]))
        return ((written(number_of(term)), *rest) for term, *rest in rising)  # type: ignore[misc]

    def values(self) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
        """The rounded values in increasing order, and their counts by label, in units: (values, labels)."""
        snapshot = self.snapshot
        matrix = snapshot.matrix("tf")
        ids = np.flatnonzero(matrix.any(axis=1)).astype(np.uint32)
        numbers = np.array(snapshot.table.texts(ids), dtype=np.float64)
        order = np.argsort(numbers)
        return numbers[order], matrix[ids[order]]

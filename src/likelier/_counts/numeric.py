"""The counts of a numeric column: exact sums behind mean and variance, and how often each rounded value stands.

The sums make a normal distribution, the values make intervals; which of the two is asked for can be settled after
counting. Both are sums over documents, so adding, subtracting and merging are exact in any order. Values are rounded
to some significant decimal digits, so that a column has a bounded number of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._counts.choices import Units, count_choices
from likelier._counts.digits import number_of, rounded, spelled, written
from likelier._counts.moments import Moments, Sums
from likelier._counts.refusals import not_held
from likelier._counts.term_counts import Counts, Number
from likelier._documents.labels import Label
from likelier._documents.values import Choices, Numbers


class NumericCounts:
    """Rounded values by label in `table`, sums by the table's label numbers in `moments`."""

    def __init__(self, digits: int) -> None:
        self.digits = digits
        self.table = Counts()
        self.moments = Moments()
        self.in_intervals: dict[tuple[str, int], tuple[list[float], Counts]] = {}  # by rule and version

    def count(self, values: Numbers, labels: Sequence[Label], which: NDArray[np.intp], units: Units) -> None:
        """Counts the numbers; missing ones count nothing."""
        label_ids = self.table.label_ids(labels)[which]
        self.moments.count(values.numbers, label_ids, units)
        count_choices(self.table, self._as_choices(values.numbers), labels, which, units)

    def _as_choices(self, numbers: NDArray[np.float64]) -> Choices:
        there = ~np.isnan(numbers)
        distinct, inverse = np.unique(rounded(numbers[there], self.digits), return_inverse=True)
        which = np.full(len(numbers), -1, dtype=np.intp)
        which[there] = inverse
        return Choices(spelled(distinct, self.digits), which)

    # ---- adding and subtracting ----------------------------------------------------------------------------------

    def add(self, other: NumericCounts) -> None:
        """Adds the other's counts."""
        moments = self._scaled(other)
        self.table.add(other.table)
        self.moments.add(moments, self.table.label_ids(other.table.all_labels).tolist())

    def subtract(self, other: NumericCounts, *, thorough: bool = False) -> None:
        """Subtracts the other's counts, or says that they are not here; `MixedCounts` puts all columns back then."""
        moments = self._scaled(other)
        if not self.moments.subtract(moments, self.table.label_ids(other.table.all_labels).tolist()):
            raise not_held()
        self.table.subtract(other.table, thorough=thorough)

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
            self.table.use_unit(unit)

    def copy(self) -> NumericCounts:
        """The same counts, which can change on their own."""
        twin = NumericCounts(self.digits)
        twin.table, twin.moments = self.table.copy(), self.moments.copy()
        return twin

    def require(self, labels: Collection[Label]) -> None:
        """These labels are there even without counts."""
        self.table.require(labels)

    # ---- reading -------------------------------------------------------------------------------------------------

    @property
    def unit(self) -> int:
        return self.table.unit

    def sums(self) -> list[Sums]:
        """For each label how many numbers there are, their sum and the sum of their squares."""
        return self.moments.of(self.table.snapshot.order, self.unit)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The sums as plain arrays, labels sorted, and their unit: the same for the same numbers, however they came."""
        whole = self.moments.is_whole(self.unit)
        arrays = self.moments.arrays(self.table.snapshot.order, unit=self.unit if whole else 1)
        return {"sum_unit": np.array([1 if whole else self.unit], dtype=np.uint64), **arrays}

    def hold(self, table: Counts, sums: Mapping[str, NDArray[Any]]) -> None:
        """Takes over a table, and sums as `arrays` gives them; ValueError says what is wrong with the sums."""
        self.moments.hold(sums)
        unit = int(sums["sum_unit"][0])
        table.use_unit(unit)
        self.moments.scale(table.unit // unit)
        self.table = table

    def __getstate__(self) -> dict[str, Any]:
        return {"digits": self.digits, "table": self.table, "sums": self.arrays()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["digits"])  # type: ignore[misc]
        self.hold(state["table"], state["sums"])

    def cells(self) -> Iterator[tuple[str, Label, Number, Number]]:
        """value, label and twice how often it stands there, rising by value."""
        rising = sorted(self.table.cells(), key=lambda cell: (number_of(cell[0]), cell[1]))
        return ((written(number_of(term)), *rest) for term, *rest in rising)  # type: ignore[misc]

    def values(self) -> tuple[NDArray[np.float64], NDArray[np.uint64]]:
        """The rounded values, rising, and how often each stands under each label, in units: (values, labels)."""
        snapshot = self.table.snapshot
        matrix = snapshot.matrix("tf")
        ids = np.flatnonzero(matrix.any(axis=1)).astype(np.uint32)
        numbers = np.array(snapshot.table.texts(ids), dtype=np.float64)
        order = np.argsort(numbers)
        return numbers[order], matrix[ids[order]]

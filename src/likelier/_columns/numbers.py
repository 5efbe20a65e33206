"""A numeric column: under a normal distribution for each label, or in intervals that are its values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.scores import Added, Part
from likelier._base.cached import cached_property
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._columns.values import ValuePart
from likelier._counts.moments import rounded
from likelier._counts.term_counts import TermCounts
from likelier._counts.value_counts import NumericCounts
from likelier._documents.labels import Label
from likelier._documents.values import Choices
from likelier._estimate.combinations import Unknown
from likelier._estimate.gaussian import Normal
from likelier._estimate.intervals import cut_points, interval_names, place
from likelier._estimate.numeric import Binning, Gaussian
from likelier._estimate.smoothing import Smoothing
from likelier._explain.build import Explained, item
from likelier._explain.explanation import Factor, Item, Power

MOST_RULES = 4  # for numbers, whose intervals are kept


class NormalPart(Part):
    """A numeric column under a normal distribution for each label."""

    def __init__(self, name: str, numbers: NumericCounts, rule: Gaussian) -> None:
        self.name, self.counts = name, numbers
        self.numbers, self.rule = numbers, rule

    @cached_property
    def normal(self) -> Normal:
        """Mean and variance under each label."""
        return Normal(self.numbers.sums(), self.rule.floor, sample=self.rule.sample)

    def add(self, values: Any, start: Floats, *, few: bool, threads: int) -> Added:
        """The logarithm of each number's density; one that is missing adds nothing."""
        there = (~np.isnan(values.numbers)).astype(np.uint32)
        return Added(start + self.normal.log_density(values.numbers), there, np.zeros_like(there))

    def explained(self, values: Any, labels: tuple[Label, ...], *, plain: bool) -> Explained | None:
        """What the number of one document adds."""
        number = float(values.numbers[0])
        return None if math.isnan(number) else _Number(self, number, labels)


class _Number(Explained):
    """A number under a normal distribution."""

    def __init__(self, part: NormalPart, number: float, labels: tuple[Label, ...]) -> None:
        self.part, self.labels = part, labels
        self.read = self.number = number

    def items(self) -> list[Item]:
        normal, number = self.part.normal, self.number
        weights = normal.log_density(np.array([number]))[0]

        def factor(place: int) -> Factor:
            return Factor(normal.formula(number, place), normal.density(number, place))

        makes = None if normal.is_constant else factor
        return [item("value", f"{self.part.name} {number:.12g}", self.labels, weights, makes, column=self.part.name)]

    def powers(self, place: int) -> list[Power]:
        if self.part.normal.is_constant:
            return []
        raise error("density-not-exact", name=self.part.name)


class IntervalPart(ValuePart):
    """A numeric column in intervals."""

    def __init__(
        self, name: str, numbers: NumericCounts, rule: Binning, *, smoothing: Smoothing, unknown: Unknown
    ) -> None:
        self.cuts, table = _in_intervals(numbers, rule)
        self.intervals = interval_names(self.cuts)
        self.numbers, self.rule = numbers, rule
        super().__init__(name, table, self.intervals, smoothing=smoothing, unknown=unknown, closed=True)

    def choices(self, values: Any) -> Choices:
        """The interval of each number, rounded as it was when it was counted."""
        return Choices(self.intervals, place(rounded(values.numbers, self.numbers.digits), self.cuts))


def _in_intervals(numbers: NumericCounts, rule: Binning) -> tuple[list[float], TermCounts]:
    """The cut points and the counts of the intervals, kept until the numbers change: many views may ask for them."""
    key = repr(rule), numbers.version
    found = numbers.in_intervals.get(key)  # another thread may clear them at any time
    if found is None:
        values, counts = numbers.values()
        cuts = cut_points(rule, values, counts, unit=numbers.unit)
        found = cuts, counts_of_intervals(numbers, cuts, values, below_each(counts))
        if len(numbers.in_intervals) >= MOST_RULES:
            numbers.in_intervals.clear()
        numbers.in_intervals[key] = found
    return list(found[0]), found[1]


def below_each(counts: NDArray[np.uint64]) -> NDArray[np.uint64]:  # (values, labels) -> (values + 1, labels)
    """How many documents have less than each value, and at last how many there are."""
    return np.insert(np.cumsum(counts, axis=0, dtype=np.uint64), 0, 0, axis=0)


def counts_of_intervals(
    table: TermCounts, cuts: Sequence[float], values: Floats, below: NDArray[np.uint64]
) -> TermCounts:
    """The counts of the intervals; `below` is what `below_each` says of the values."""
    ends = np.searchsorted(values, [-np.inf, *cuts, np.inf])
    grouped = TermCounts()
    grouped.use_unit(table.unit)
    grouped.put_values(table.labels, interval_names(cuts), np.diff(below[ends], axis=0))
    grouped.require(table.labels)
    return grouped

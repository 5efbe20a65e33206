"""The parts of a score: what each column of a document adds, under one view.

    log score(c) = log P(c) + what the first column adds + what the second adds + ...

Words         a text column: its terms under an event model
ValuePart     a categorical, binary or bound column: (n + m p) / (N + m) for its value, or another smoothing of it
IntervalPart  a numeric column in intervals: the interval is the value
NormalPart    a numeric column as it is: the density of the normal distribution
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._counts.digits import rounded
from likelier._counts.numeric import NumericCounts
from likelier._counts.term_counts import Counts
from likelier._documents.labels import Label
from likelier._documents.values import Choices, Numbers
from likelier._estimate.estimator import Estimator
from likelier._estimate.gaussian import Normal
from likelier._estimate.intervals import cut_points, interval_names, place
from likelier._estimate.numeric import Binning, Gaussian
from likelier._estimate.remembered import Remembered
from likelier._estimate.smoothing import Formula, MEstimate, Smoothing
from likelier._estimate.sparse import is_large
from likelier._estimate.unknown import Unknown
from likelier._kernel import Table
from likelier._text.analyzer import Analyzer

Truths = NDArray[np.bool_]
MOST_VALUES = 10_000  # that are remembered
MOST_RULES = 4  # for numbers, whose intervals are kept


@dataclass(frozen=True)
class Words:
    """A text column."""

    name: str
    estimator: Estimator
    analyzer: Analyzer

    @cached_property
    def remembered(self) -> Remembered | None:
        """The weights of terms that single texts asked for.

        None where the counts are still those of a file, and where there is no weight for each term and label.
        """
        table = self.estimator.reading.snapshot.table
        if self.estimator.is_sparse or is_large(self.estimator):
            return None
        return Remembered(self.estimator, table, self.analyzer.analysis) if isinstance(table, Table) else None


class ValuePart:
    """A column of values: each is a text of one term, and some may be there without having been seen."""

    def __init__(
        self,
        name: str,
        counts: Counts,
        values: Sequence[str],
        *,
        smoothing: Smoothing,
        unknown: Unknown,
        min_count: float = 1,
        closed: bool = False,
    ) -> None:
        """values: those that there are, seen or not; a mapping for `p` names more.

        closed: there can be no others, so that nothing is unknown but what is too rare.
        """
        self.name = name
        self._remembered: dict[str, tuple[Floats, Truths]] = {}
        given = smoothing.p if isinstance(smoothing, MEstimate) and not isinstance(smoothing.p, str) else ()
        self.estimator = Estimator(
            counts,
            event="multinomial",
            smoothing=smoothing,
            unknown=unknown,
            min_count=min_count,
            normalize=False,
            declared=[*values, *given],
            closed=closed,
        )

    def weights(self, values: Sequence[str]) -> tuple[Floats, Truths]:  # (values, labels), (values,)
        """What each value adds, and whether it is known; that of single values is remembered."""
        if len(values) != 1:
            return self._weights(values)
        found = self._remembered.get(values[0])
        if found is None:
            if len(self._remembered) >= MOST_VALUES:
                self._remembered.clear()
            self._remembered[values[0]] = found = self._weights(values)
        return found

    def _weights(self, values: Sequence[str]) -> tuple[Floats, Truths]:
        weights = np.zeros((len(values), len(self.estimator.labels)))
        known = np.ones(len(values), dtype=bool)
        found = [(row, self.estimator.counts.find(value)) for row, value in enumerate(values)]
        seen = [(row, term_id) for row, term_id in found if term_id is not None]
        ids = np.array([term_id for _, term_id in seen], dtype=np.uint32)
        rows = np.array([row for row, _ in seen], dtype=np.intp)
        kept = self.estimator.reading.is_kept(ids)
        weights[rows[kept]] = self.estimator.weight(self.estimator.ratio_of(ids[kept]))
        for row in {*range(len(values))} - {*rows[kept].tolist()}:
            known[row] = self.estimator.knows(values[row])
            weights[row] = self._unseen(values[row]) if known[row] else self.estimator.unknown_weight()
        return weights, known

    def _unseen(self, value: str) -> Floats:  # (labels,)
        return np.asarray(self.estimator.weight(self.estimator.unseen_ratio(value))[0])

    @property
    def grown(self) -> int:
        """By how many values an unknown one makes the column larger."""
        return 1 if self.estimator.unknown == "grow" else 0

    def shown(self, value: str) -> str:
        """The value as explanations name it."""
        return f"{self.name} {value}"


class IntervalPart(ValuePart):
    """A numeric column in intervals."""

    def __init__(
        self, name: str, numbers: NumericCounts, rule: Binning, *, smoothing: Smoothing, unknown: Unknown
    ) -> None:
        self.cuts, table = _in_intervals(numbers, rule)
        self.intervals = interval_names(self.cuts)
        self._digits = numbers.digits
        super().__init__(name, table, self.intervals, smoothing=smoothing, unknown=unknown, closed=True)

    def choices(self, numbers: Numbers) -> Choices:
        """The interval of each number, rounded as it was when it was counted."""
        return Choices(self.intervals, place(rounded(numbers.numbers, self._digits), self.cuts))


def _in_intervals(numbers: NumericCounts, rule: Binning) -> tuple[list[float], Counts]:
    """The cut points and the counts of the intervals, kept until the numbers change: many views may ask for them."""
    key = repr(rule), numbers.table.version
    found = numbers.in_intervals.get(key)  # another thread may clear them at any time
    if found is None:
        values, counts = numbers.values()
        cuts = cut_points(rule, values, counts, unit=numbers.unit)
        found = cuts, counts_of_intervals(numbers.table, cuts, values, below_each(counts))
        if len(numbers.in_intervals) >= MOST_RULES:
            numbers.in_intervals.clear()
        numbers.in_intervals[key] = found
    return list(found[0]), found[1]


def below_each(counts: NDArray[np.uint64]) -> NDArray[np.uint64]:  # (values, labels) -> (values + 1, labels)
    """How many documents have less than each value, and at last how many there are."""
    return np.insert(np.cumsum(counts, axis=0, dtype=np.uint64), 0, 0, axis=0)


def counts_of_intervals(table: Counts, cuts: Sequence[float], values: Floats, below: NDArray[np.uint64]) -> Counts:
    """The counts of the intervals; `below` is what `below_each` says of the values."""
    ends = np.searchsorted(values, [-np.inf, *cuts, np.inf])
    grouped = Counts()
    grouped.use_unit(table.unit)
    grouped.put_values(table.labels, interval_names(cuts), np.diff(below[ends], axis=0))
    grouped.require(table.labels)
    return grouped


class NormalPart:
    """A numeric column under a normal distribution for each label."""

    def __init__(self, name: str, numbers: NumericCounts, rule: Gaussian) -> None:
        self.name = name
        self.counts = numbers.table
        self._numbers, self._rule = numbers, rule

    @cached_property
    def normal(self) -> Normal:
        """Mean and variance under each label."""
        return Normal(self._numbers.sums(), self._rule.floor, sample=self._rule.sample)

    def weights(self, numbers: NDArray[np.float64]) -> Floats:  # (documents,) -> (documents, labels)
        """The logarithm of the density; 0 for what is missing."""
        return self.normal.log_density(numbers)

    def formula(self, number: float, column: int) -> Formula:
        """The density with its numbers put in."""
        return self.normal.formula(number, column)

    def density(self, number: float, column: int) -> float:
        return self.normal.density(number, column)

    def shown(self, number: float) -> str:
        """The number as explanations name it."""
        return f"{self.name} {number:.12g}"


Part = Words | ValuePart | NormalPart


@dataclass(frozen=True)
class Estimates:
    """One state of the counts, read under one set of settings."""

    labels: tuple[Label, ...]
    priors: list[Fraction]  # (labels,)
    log_prior: Floats  # (labels,)
    documents: list[Fraction] | None  # N_c, where the prior is fitted to them
    parts: dict[str, Part]

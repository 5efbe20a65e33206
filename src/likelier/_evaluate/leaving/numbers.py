"""What a numeric column adds under normal distributions, each document by the sums without it.

Without a document only the sums of its own label change, and those of the whole column. They are integers of any
size, so subtracting is exact:

    n, s, q    the sums of u, u x and u x x     u = a document's weight in units, x = its number in steps of 2**-bits
    mean       s / n                            in steps
    variance   (n q - s s) / (n n)              in steps squared; for the variance of a sample n (n - unit) is below

They are rounded once. The rules for labels with one value or none are those of `estimate.gaussian`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats, exact
from likelier._counts.moments import SCALE, NumberSums
from likelier._counts.value_counts import NumericCounts
from likelier._documents.values import Numbers
from likelier._estimate.gaussian import Normal
from likelier._estimate.numeric import Gaussian
from likelier._evaluate.leaving.bags import Left, Truths
from likelier._evaluate.leaving.over_vocabulary import distinct
from likelier._evaluate.leaving.terms import AddedRows

Wholes = NDArray[Any]  # of Python's integers, which have any length
SMALL = 2.0**-700  # a variance of the whole column below this is left to `Normal`, which counts in other units then


def added_numbers(counts: NumericCounts, rule: Gaussian, numbers: Numbers, left: Left) -> AddedRows:
    """What the numbers of documents add; `left` are all documents that count."""
    left = left.some(~np.isnan(numbers.numbers[left.rows]))
    given = numbers.numbers[left.rows]
    first, which = distinct(given, left.labels, left.units)  # equal ones share what they add
    values = np.zeros((0, len(counts.labels)))
    if len(first):
        values = _log_densities(counts, rule, given[first], left.some(first))
    nothing = np.zeros(len(left), dtype=np.int64)
    return AddedRows(left.rows, values[which].T, nothing + 1, nothing)


def _log_densities(counts: NumericCounts, rule: Gaussian, numbers: Floats, left: Left) -> Floats:
    """log p(x|c) of each number without its document: (documents, labels)."""
    rows = counts.moments.rows(counts.snapshot.order)
    steps = [(above << SCALE) // below for above, below in map(float.as_integer_ratio, numbers.tolist())]
    unused = _common_zeros([*steps, *(s for _, s, _ in rows)], [q for _, _, q in rows])
    column = _Column(SCALE - unused, counts.unit, rule)
    labels = _Moments(*map(_wholes, zip(*((n, s >> unused, q >> 2 * unused) for n, s, q in rows), strict=True)))
    x, units = _wholes(step >> unused for step in steps), _wholes(left.units.tolist())
    taken = _Moments(units, units * x, units * x * x)
    own = labels.at(left.labels).less(taken)
    strange = np.flatnonzero(~own.are_possible())
    if len(strange):
        raise left.refuse(int(strange[0]))
    whole = _Moments(*(np.array([sum(numbers)], dtype=object) for numbers in labels)).less(taken)
    values = column.log_densities(numbers, left, labels, own, whole)
    constant = (whole.spread() == 0).astype(bool)
    values[constant] = 0.0  # all values are equal: the column says nothing
    for place in np.flatnonzero(~constant & (column.variance(whole) < SMALL)).tolist():
        values[place] = _by_itself(counts.sums(), counts.unit, rule, float(numbers[place]), left, place)
    return values


class _Moments(NamedTuple):
    """n, s and q of several labels or documents."""

    n: Wholes
    s: Wholes
    q: Wholes

    def at(self, places: NDArray[np.intp]) -> _Moments:
        return _Moments(*(numbers[places] for numbers in self))

    def less(self, other: _Moments) -> _Moments:
        return _Moments(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))

    def spread(self) -> Wholes:
        """n q - s s: the variance times n n."""
        return self.n * self.q - self.s * self.s

    def are_possible(self) -> Truths:
        """Whether numbers can have such sums."""
        return ((self.n > 0) & (self.spread() >= 0) | (self.n == 0) & (self.s == 0) & (self.q == 0)).astype(bool)


class _Column:
    """How sums become means and variances."""

    def __init__(self, bits: int, unit: int, rule: Gaussian) -> None:
        self._bits, self._unit, self._rule = bits, unit, rule

    def log_densities(
        self, numbers: Floats, left: Left, labels: _Moments, own: _Moments, whole: _Moments
    ) -> Floats:  # (documents, labels)
        shape = (len(numbers), len(labels.n))
        mine = (np.arange(shape[0]), left.labels)
        of_whole = (*self.mean(whole), self.variance(whole))  # each (documents,)
        found = []
        for of_labels, of_own, otherwise, unclear in zip(
            (*self.mean(labels), self.variance(labels)),
            (*self.mean(own), self.variance(own)),
            of_whole,
            (self._is_empty, self._is_empty, self._is_single),
            strict=True,
        ):
            values, lacking = np.broadcast_to(of_labels, shape).copy(), np.broadcast_to(unclear(labels), shape).copy()
            values[mine], lacking[mine] = of_own, unclear(own)
            found.append(np.where(lacking, otherwise[:, np.newaxis], values))
        means, rests, variances = found
        floor = exact(self._rule.floor)
        least = self.variance(whole, floor)
        return _Normals(means, rests, np.maximum(variances, least[:, np.newaxis])).log_density(numbers)

    def _is_empty(self, sums: _Moments) -> Truths:
        return (sums.n == 0).astype(bool)

    def _is_single(self, sums: _Moments) -> Truths:
        """One value, or none: there is no variance."""
        return ((sums.n <= self._unit) & (sums.spread() == 0)).astype(bool)

    def mean(self, sums: _Moments) -> tuple[Floats, Floats]:
        """The means, and what is left of them behind the float."""
        below = np.maximum(sums.n, 1) << self._bits
        means = (sums.s / below).astype(np.float64)
        ratios = [float(mean).as_integer_ratio() for mean in means]
        above, under = _wholes(ratio[0] for ratio in ratios), _wholes(ratio[1] for ratio in ratios)
        return means, ((sums.s * under - above * below) / (below * under)).astype(np.float64)

    def variance(self, sums: _Moments, share: Fraction = Fraction(1)) -> Floats:
        """The variances, or a share of them."""
        n = np.maximum(sums.n, 1)
        less = np.where((sums.n > self._unit) & self._rule.sample, n - self._unit, n)
        above, below = sums.spread() * share.numerator, (n * less << 2 * self._bits) * share.denominator
        return np.asarray((above / below).astype(np.float64))


class _Normals(Normal):
    """Normal distributions that differ from document to document."""

    def __init__(self, means: Floats, rests: Floats, variances: Floats) -> None:  # (documents, labels)
        self.is_constant, self._exponent = False, 0
        self.means, self._means, self._rests = means, means, rests
        self.variances = np.maximum(variances, sys.float_info.min)
        self._doubled = 2 * self.variances
        self._constants = -0.5 * np.log(2 * np.pi * self.variances)


def _by_itself(sums: list[NumberSums], unit: int, rule: Gaussian, number: float, left: Left, place: int) -> Floats:
    """The same for one document, in fractions: (labels,)."""
    weight, x, label = Fraction(int(left.units[place]), unit), Fraction(number), int(left.labels[place])
    own = sums[label]
    rest = NumberSums(own.count - weight, own.total - weight * x, own.squares - weight * x * x)
    normal = Normal([*sums[:label], rest, *sums[label + 1 :]], rule.floor, sample=rule.sample)
    return np.asarray(normal.log_density(np.array([number]))[0])


def _wholes(numbers: Iterable[int]) -> Wholes:
    listed = list(numbers)
    found = np.empty(len(listed), dtype=object)
    found[:] = listed
    return found


def _common_zeros(numbers: list[int], squares: list[int]) -> int:
    """How many bits at the lower end are 0 in all numbers, and twice as many in all squares."""
    zeros = [_zeros(number) for number in numbers if number] + [_zeros(square) // 2 for square in squares if square]
    return min([SCALE, *zeros])


def _zeros(number: int) -> int:
    return (number & -number).bit_length() - 1

"""Evidence: the numbers that a smoothing rule turns into a probability.

The same rules are read in two ways: on arrays of floats, for speed, and on single fractions, for figures that are
exact. So the rules use only + - * / and comparisons, and everything they need stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.uint32]
Value = Any  # an array of floats, or one Fraction
Real = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about some outcomes, usually terms, under some labels.

    count     how often the outcome was seen                                      (terms, labels)
    total     how often any outcome was seen                                      (labels,)
    outcomes  how many outcomes there are: |V| for words, 2 for present or absent
    seen      how many different outcomes were seen                               (labels,) or (terms, labels)
    share     the outcome's share of everything seen, all labels together         (terms, 1)
    named     what a mapping of terms to numbers says of these terms              (terms, 1)
    """

    count: Value
    total: Value
    outcomes: Value
    seen: Value
    share: Value
    named: Callable[[Mapping[str, Real]], Value]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A probability as a fraction that is not divided yet, so that it can be shown and its logarithm be taken."""

    numerator: Value
    denominator: Value

    def log(self) -> Floats:
        return log(self.numerator) - log(self.denominator)

    def log_complement(self) -> Floats:
        """log(1 - p)."""
        left = np.asarray(self.denominator - self.numerator)
        nothing = np.abs(left) <= 4 * np.finfo(np.float64).eps * self.denominator  # but for rounding
        return log(np.where(nothing, 0.0, left)) - log(self.denominator)


def log(values: Value) -> Floats:
    """The natural logarithm; of 0 it is minus infinity, and that is no warning."""
    with np.errstate(divide="ignore"):
        result: Floats = np.log(np.asarray(values, dtype=np.float64))
        return result


def is_number(value: object) -> bool:
    """Whether this is a number, which True and False are not, and neither is what is too large for a float.

    >>> is_number(0.5), is_number(True), is_number("1"), is_number(10**400)
    (True, False, False, False)
    """
    if not isinstance(value, int | float | Fraction) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def exact(number: Real) -> Fraction:
    """The number as it is written: 0.1 is one tenth.

    >>> exact(0.1), exact(1), exact(1e-3)
    (Fraction(1, 10), Fraction(1, 1), Fraction(1, 1000))
    """
    return number if isinstance(number, Fraction) else Fraction(str(number))

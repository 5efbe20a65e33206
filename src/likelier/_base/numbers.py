"""Numbers: arrays, single numbers and fractions, and what is asked of any of them."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.uint32]
Value = Any  # an array of floats, or one Fraction
Real = int | float | Fraction


def log(values: Value) -> Floats:
    """The natural logarithm; of 0 it is minus infinity, and that is no warning."""
    with np.errstate(divide="ignore"):
        result: Floats = np.log(np.asarray(values, dtype=np.float64))
        return result


def log_of_fraction(value: Fraction) -> float:
    """The natural logarithm, however small the fraction is; of 0 it is minus infinity.

    >>> round(log_of_fraction(Fraction(1, 10**400)), 3), log_of_fraction(Fraction(0))
    (-921.034, -inf)
    """
    return math.log(value.numerator) - math.log(value.denominator) if value else -math.inf


def is_number(value: object) -> bool:
    """Whether this is a number, which True and False are not, nor what is larger than any float.

    >>> is_number(0.5), is_number(True), is_number("1"), is_number(10**400)
    (True, False, False, False)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return False
    return isinstance(value, float) or bool(-sys.float_info.max <= value <= sys.float_info.max)


def as_number(text: str) -> Real:
    """The text as a number; an integer stays one, unless it is too large for a float.

    >>> as_number("1"), as_number("0.5"), as_number("9" * 400)
    (1, 0.5, inf)
    """
    try:
        number = int(text)
        float(number)
        return number
    except (ValueError, OverflowError):
        return float(text)


def exact(number: Real) -> Fraction:
    """The number as it is written: 0.1 is one tenth.

    >>> exact(0.1), exact(1), exact(1e-3)
    (Fraction(1, 10), Fraction(1, 1), Fraction(1, 1000))
    """
    return number if isinstance(number, Fraction) else Fraction(str(number))


def is_decimal(value: Fraction) -> bool:
    """Whether it can be written with finitely many digits after the point.

    >>> is_decimal(Fraction(7, 20)), is_decimal(Fraction(1, 3))
    (True, False)
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1

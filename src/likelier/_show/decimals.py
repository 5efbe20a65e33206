"""Exact numbers as decimals: in a few digits, rounded as on a board, or from their logarithm."""

from __future__ import annotations

import math
from fractions import Fraction

from likelier._show.expressions import INFINITY, Expression, Minus, Number, Power, Symbol
from likelier._show.words import LARGE

E = Symbol("e", "e")
DIGITS = 10  # of a product that is worked out by hand
SMALLEST = -12  # power of ten, below which a number is not written with its zeros


def exact_decimal(value: Fraction, places: int = 4) -> str | None:
    """The number as a decimal, if that is exact with this number of places.

    >>> exact_decimal(Fraction(3, 20)), exact_decimal(Fraction(7, 22)), exact_decimal(Fraction(3))
    ('0.15', None, '3')
    """
    scaled = value * 10**places
    return _written(int(scaled), places) if scaled.denominator == 1 else None


def _written(scaled: int, places: int) -> str:
    """A number of units of the last place, without zeros at the end."""
    digits = str(abs(scaled)).rjust(places + 1, "0")
    whole, rest = (digits[:-places], digits[-places:]) if places else (digits, "")
    shown = f"{whole}.{rest.rstrip('0')}".rstrip(".")
    return f"-{shown}" if scaled < 0 else shown


def rounded(value: Fraction, places: int) -> Fraction:
    """Rounded, a half away from zero, as people do.

    >>> rounded(Fraction(7, 22), 3), rounded(Fraction(-1, 2000), 3)
    (Fraction(159, 500), Fraction(-1, 1000))
    """
    size = math.floor(abs(value) * 10**places + Fraction(1, 2))
    return Fraction(-size if value < 0 else size, 10**places)


def in_places(value: Fraction, places: int) -> str:
    """Rounded, without zeros at the end.

    >>> in_places(Fraction(1, 16), 3), in_places(Fraction(1, 2), 3)
    ('0.063', '0.5')
    """
    return _written(int(rounded(value, places) * 10**places), places)


def in_digits(value: Fraction, digits: int = DIGITS) -> str:
    """A number with its zeros and at most this number of digits after them.

    >>> in_digits(Fraction("0.75") * Fraction("0.318") ** 2 * Fraction("0.136") ** 2 * Fraction("0.091"))
    '0.0001276540836'
    """
    if not value:
        return "0"
    exponent = power_of_ten(abs(value))
    if exponent >= SMALLEST:
        return in_places(value, max(digits - 1 - exponent, 0))
    mantissa = rounded(value / Fraction(10) ** exponent, digits - 1)
    return f"{in_digits(mantissa, digits)}e{exponent}"


def power_of_ten(value: Fraction) -> int:
    """The exponent of a positive number that is written with one digit before the point."""
    about = len(str(value.numerator)) - len(str(value.denominator))
    return about if Fraction(10) ** about <= value else about - 1


def few(value: float) -> str:
    """In four digits, or those before the point.

    >>> few(0.318181), few(6.0), few(10368.2), few(0.0000179)
    ('0.3182', '6', '10368', '1.79e-05')
    """
    return f"{value:.0f}" if float(value).is_integer() or 1e4 <= abs(value) < 1e15 else f"{value:.4g}"


def by_logarithm(logarithm: float) -> Expression:
    """The number with this natural logarithm, to four digits.

    >>> print(by_logarithm(math.log(0.00030121)), by_logarithm(math.log(0.25)), by_logarithm(-14540.393))
    0.0003012 0.25 1.540·10⁻⁶³¹⁵
    """
    if math.isinf(logarithm):
        return INFINITY if logarithm > 0 else Number("0")
    if abs(logarithm) >= LARGE:
        return Power(E, Number(f"{logarithm:.3e}"))
    exponent = math.floor(logarithm / math.log(10))
    if -4 <= exponent < 6:
        return Number(few(math.exp(logarithm)))
    return Number(f"{10 ** (logarithm / math.log(10) - exponent):.3f}e{exponent}")


def logarithm(value: float, places: int = 3) -> Expression:
    """A logarithm with this number of decimals.

    >>> print(logarithm(-7.62899), logarithm(-math.inf), logarithm(-0.0001))
    -7.629 -∞ 0.000
    """
    if math.isinf(value):
        return INFINITY if value > 0 else Minus(INFINITY)
    return Number(f"{value:z.{places}f}" if abs(value) < LARGE else f"{value:.3e}")

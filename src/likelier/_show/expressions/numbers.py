"""Formulas of numbers: from their text, from a fraction, and what they are worth."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

from likelier._base.numbers import is_decimal
from likelier._show.expressions.atoms import (
    PRODUCT,
    Expression,
    Number,
    text_of,
)
from likelier._show.expressions.compound import (
    Bracket,
    Minus,
    Product,
    Quotient,
    Sum,
)

MOST_DIGITS = 12  # after the point, of a number that is not rounded

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[()+·/-])")


def parsed(written: str) -> Expression:
    """A worked formula from its text, with numbers, + - · / and brackets.

    >>> print(parsed("0.7 · 1/4 + 2e-05"), parsed("(2 - 0.5) + 0.5 · 3 · 1/10"))
    0.7·1/4+2·10⁻⁵ (2-0.5)+0.5·3·1/10
    """
    tokens = _TOKEN.findall(written)
    found, rest = _parsed_sum(tokens)
    assert not rest, written
    return found


def _parsed_sum(tokens: list[str]) -> tuple[Expression, list[str]]:
    summand, tokens = _parsed_product(tokens)
    summands = [summand]
    while tokens and tokens[0] in "+-":
        sign = tokens[0]
        summand, tokens = _parsed_product(tokens[1:])
        summands.append(Minus(summand) if sign == "-" else summand)
    return (Sum(summands, tight=True), tokens) if len(summands) > 1 else (summands[0], tokens)


def _parsed_product(tokens: list[str]) -> tuple[Expression, list[str]]:
    factor, tokens = _parsed_quotient(tokens)
    factors = [factor]
    while tokens and tokens[0] == "·":
        factor, tokens = _parsed_quotient(tokens[1:])
        factors.append(factor)
    return (_Tight(factors), tokens) if len(factors) > 1 else (factors[0], tokens)


def _parsed_quotient(tokens: list[str]) -> tuple[Expression, list[str]]:
    one, tokens = _parsed_atom(tokens)
    if tokens and tokens[0] == "/":
        two, tokens = _parsed_atom(tokens[1:])
        return Quotient(_bare(one), _bare(two)), tokens
    return one, tokens


def _parsed_atom(tokens: list[str]) -> tuple[Expression, list[str]]:
    if tokens[0] == "-":
        return Number(f"-{tokens[1]}"), tokens[2:]
    if tokens[0] != "(":
        return Number(tokens[0]), tokens[1:]
    inner, rest = _parsed_sum(tokens[1:])
    return Bracket(inner), rest[1:]


def _bare(part: Expression) -> Expression:
    """Without brackets, which a fraction sets where it needs them."""
    return part.of if isinstance(part, Bracket) else part


class _Tight(Product):
    """A product within a worked formula, without spaces."""

    def text(self) -> str:
        return "·".join(text_of(factor, PRODUCT) for factor in self.factors)


def of_fraction(value: Fraction) -> Expression:
    """An exact number.

    >>> print(of_fraction(Fraction(3, 4)), of_fraction(Fraction(-2)))
    3/4 -2
    """
    if value.denominator == 1:
        return Number(str(value.numerator))
    sign = Minus if value < 0 else None
    quotient = Quotient(Number(str(abs(value.numerator))), Number(str(value.denominator)))
    return quotient if sign is None else sign(quotient)


def worth(expression: Expression) -> Fraction | None:
    """The exact number behind a worked formula; None where there is a name or a symbol in it, or a division by 0.

    >>> from likelier._show.expressions import Name
    >>> worth(parsed("(6 + 1) / (15 + 7)")), worth(Name("x"))
    (Fraction(7, 22), None)
    """
    match expression:
        case Number(written):
            return Fraction(written)
        case Bracket(of):
            return worth(of)
        case Minus(part):
            found = worth(part)
            return None if found is None else -found
        case Quotient(one, two):
            over, under = worth(one), worth(two)
            return None if over is None or not under else over / under
        case Sum(parts) | Product(parts):
            found_parts = [worth(part) for part in parts]
            numbers = [number for number in found_parts if number is not None]
            if len(numbers) < len(found_parts):
                return None
            return sum(numbers, Fraction(0)) if isinstance(expression, Sum) else math.prod(numbers, start=Fraction(1))
    return None


def in_decimals(value: Fraction, digits: int = MOST_DIGITS) -> tuple[str, Number]:
    """An exact number as a decimal with its sign: all digits if they are few, else the first four and a rough sign.

    >>> [
    ...     f"{sign} {number}"
    ...     for sign, number in map(in_decimals, [Fraction(77, 800), Fraction(4, 35), Fraction(1, 12500)])
    ... ]
    ['= 0.09625', '≈ 0.1143', '= 0.00008']
    """
    if is_decimal(value) and value.denominator <= 10**digits and abs(value) < 10**digits:
        return "=", Number(_without_zeros(f"{value.numerator / Decimal(value.denominator):f}"))
    rounded, sign, exponent = f"{value.numerator / Decimal(value.denominator):.4g}".partition("e")
    return "≈", Number(f"{_without_zeros(rounded)}{sign}{exponent}")


def _without_zeros(written: str) -> str:
    return written.rstrip("0").rstrip(".") if "." in written else written

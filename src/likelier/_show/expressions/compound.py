"""Formulas that are put together of others: sums, products, fractions, powers, logarithms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from likelier._show.expressions.atoms import (
    ATOM,
    POWER,
    PRODUCT,
    RAISED,
    RELATIONS,
    SUM,
    Expression,
    Number,
    latex_of,
    mathml_of,
    sign_in_mathml,
    text_of,
)
from likelier._show.html_words import shown


@dataclass(frozen=True, slots=True)
class Joined(Expression):
    """Several expressions with something between them: a comma, or a word such as " and "."""

    parts: Sequence[Expression]
    between: str = ", "

    def text(self) -> str:
        return self.between.join(part.text() for part in self.parts)

    def latex(self) -> str:
        between = rf" \text{{{self.between}}} " if self.between.strip().isalpha() else self.between.strip() + r"\, "
        return between.join(part.latex() for part in self.parts)

    def mathml(self) -> str:
        between = f"<mtext>{shown(self.between).replace(' ', '&#160;')}</mtext>"
        return between.join(f"<mrow>{part.mathml()}</mrow>" for part in self.parts)


@dataclass(frozen=True, slots=True)
class Relation(Expression):
    """`cough=1`, `a > b`: two expressions with a sign between them."""

    left: Expression
    right: Expression
    sign: str = "="
    level: ClassVar[int] = SUM

    def text(self) -> str:
        gap = "" if self.sign == "=" else " "
        return f"{self.left.text()}{gap}{self.sign}{gap}{self.right.text()}"

    def latex(self) -> str:
        return f"{self.left.latex()} {RELATIONS[self.sign]} {self.right.latex()}"

    def mathml(self) -> str:
        return f"{self.left.mathml()}<mo>{shown(self.sign)}</mo><mrow>{self.right.mathml()}</mrow>"


@dataclass(frozen=True, slots=True)
class Not(Expression):
    r"""The opposite of an event.

    >>> from likelier._show.expressions import Name, Probability
    >>> print(Probability(Not(Name("spam"))), Not(Name("spam")).latex())
    P(not spam) \overline{\text{spam}}
    """

    event: Expression

    def text(self) -> str:
        return f"not {self.event.text()}"

    def latex(self) -> str:
        return rf"\overline{{{self.event.latex()}}}"

    def mathml(self) -> str:
        return f'<mrow class="not">{self.event.mathml()}</mrow>'


@dataclass(frozen=True, slots=True)
class And(Expression):
    r"""Two events together.

    >>> from likelier._show.expressions import Name, Probability
    >>> both = And(Name("spam"), Not(Name("cheap")))
    >>> print(Probability(both), both.latex())
    P(spam and not cheap) \text{spam} \cap \overline{\text{cheap}}
    """

    one: Expression
    other: Expression

    def text(self) -> str:
        return f"{self.one.text()} and {self.other.text()}"

    def latex(self) -> str:
        return rf"{self.one.latex()} \cap {self.other.latex()}"

    def mathml(self) -> str:
        return f"<mrow>{self.one.mathml()}</mrow><mo>∩</mo><mrow>{self.other.mathml()}</mrow>"


@dataclass(frozen=True, slots=True)
class Quotient(Expression):
    """A fraction; wide: with spaces, for longer parts.

    >>> from likelier._show.expressions import parsed
    >>> print(parsed("4/35"), Quotient(Product([Number("0.25"), Number("0.4")]), Number("0.13"), wide=True))
    4/35 0.25 · 0.4 / 0.13
    """

    numerator: Expression
    denominator: Expression
    wide: bool = False
    level: ClassVar[int] = PRODUCT

    def text(self) -> str:
        if self.wide:
            return f"{text_of(self.numerator, PRODUCT)} / {text_of(self.denominator, POWER)}"
        return f"{text_of(self.numerator, POWER)}/{text_of(self.denominator, POWER)}"

    def latex(self) -> str:
        over, under = (_at_bar(part, part.latex(), r"\;") for part in (self.numerator, self.denominator))
        return rf"\frac{{{over}}}{{{under}}}"

    def mathml(self) -> str:
        space = '<mspace width="0.3em"/>'
        over, under = (_at_bar(part, part.mathml(), space) for part in (self.numerator, self.denominator))
        return f"<mfrac><mrow>{over}</mrow><mrow>{under}</mrow></mfrac>"


def _at_bar(part: Expression, written: str, space: str) -> str:
    """A part of a fraction; one that is a fraction too has space around it, so that the main bar is the longest."""
    return f"{space}{written}{space}" if isinstance(part, Quotient) else written


@dataclass(frozen=True, slots=True)
class Power(Expression):
    """An expression with an exponent.

    >>> from likelier._show.expressions import Name, parsed
    >>> print(Power(parsed("7/22"), 2), Power(Name("e"), Number("-7.629")))
    (7/22)² e^(-7.629)
    """

    base: Expression
    exponent: int | Expression
    level: ClassVar[int] = POWER

    def _exponent(self) -> Expression:
        return Number(str(self.exponent)) if isinstance(self.exponent, int) else self.exponent

    def text(self) -> str:
        base = text_of(self.base, ATOM)
        if isinstance(self.exponent, int):
            return f"{base}{str(self.exponent).translate(RAISED)}"
        return f"{base}^{text_of(self.exponent, ATOM)}"

    def latex(self) -> str:
        return f"{latex_of(self.base, ATOM)}^{{{self._exponent().latex()}}}"

    def mathml(self) -> str:
        return f"<msup>{mathml_of(self.base, ATOM)}<mrow>{self._exponent().mathml()}</mrow></msup>"


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """Factors with dots between them."""

    factors: Sequence[Expression]
    level: ClassVar[int] = PRODUCT

    def text(self) -> str:
        return " · ".join(text_of(factor, PRODUCT) for factor in self.factors)

    def latex(self) -> str:
        return r" \cdot ".join(latex_of(factor, PRODUCT) for factor in self.factors)

    def mathml(self) -> str:
        return "<mo>·</mo>".join(mathml_of(factor, PRODUCT) for factor in self.factors)


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """Summands, those with a minus sign after a minus sign; tight: without spaces, as in `(2+1)/(5+7)`.

    >>> print(Sum([Number("1"), Number("-2.5")]), Sum([Number("2"), Number("1")], tight=True))
    1 - 2.5 2+1
    """

    summands: Sequence[Expression]
    tight: bool = False
    level: ClassVar[int] = SUM

    def _signed(self) -> list[tuple[str, Expression]]:
        return [(sign, rest) for sign, rest in map(without_sign, self.summands)]

    def text(self) -> str:
        gap = "" if self.tight else " "
        first, *others = self._signed()
        parts = [f"{'-' if first[0] == '-' else ''}{text_of(first[1], PRODUCT)}"]
        return "".join([*parts, *(f"{gap}{sign}{gap}{text_of(part, PRODUCT)}" for sign, part in others)])

    def latex(self) -> str:
        first, *others = self._signed()
        parts = [f"{'-' if first[0] == '-' else ''}{latex_of(first[1], PRODUCT)}"]
        gap = "" if self.tight else " "
        return "".join([*parts, *(f"{gap}{sign}{gap}{latex_of(part, PRODUCT)}" for sign, part in others)])

    def mathml(self) -> str:
        first, *others = self._signed()
        start = "<mo>−</mo>" if first[0] == "-" else ""
        rest = "".join(f"<mo>{sign_in_mathml(sign)}</mo>{mathml_of(part, PRODUCT)}" for sign, part in others)
        return f"{start}{mathml_of(first[1], PRODUCT)}{rest}"


def without_sign(summand: Expression) -> tuple[str, Expression]:
    """The sign of a summand, and the rest of it."""
    if isinstance(summand, Minus):
        return "-", summand.part
    if isinstance(summand, Number) and summand.written.startswith("-"):
        return "-", Number(summand.written[1:])
    return "+", summand


@dataclass(frozen=True, slots=True)
class Minus(Expression):
    """An expression with a minus sign."""

    part: Expression
    level: ClassVar[int] = SUM

    def text(self) -> str:
        return f"-{text_of(self.part, PRODUCT)}"

    def latex(self) -> str:
        return f"-{latex_of(self.part, PRODUCT)}"

    def mathml(self) -> str:
        return f"<mo>−</mo>{mathml_of(self.part, PRODUCT)}"


@dataclass(frozen=True, slots=True)
class Log(Expression):
    r"""A natural logarithm; of a fraction without brackets where a fraction has a bar.

    >>> from likelier._show.expressions import parsed
    >>> print(Log(parsed("2/3")), Log(parsed("2/3")).latex())
    log(2/3) \log \frac{2}{3}
    """

    of: Expression
    level: ClassVar[int] = PRODUCT

    def text(self) -> str:
        return f"log({self.of.text()})" if self.of.level < ATOM else f"log {self.of.text()}"

    def latex(self) -> str:
        stands_alone = self.of.level == ATOM or isinstance(self.of, Quotient | Power)
        return rf"\log {self.of.latex()}" if stands_alone else rf"\log\left({self.of.latex()}\right)"

    def mathml(self) -> str:
        least = self.of.level if isinstance(self.of, Quotient | Power) else ATOM
        return f'<mi>log</mi><mspace width="0.17em"/>{mathml_of(self.of, least)}'


@dataclass(frozen=True, slots=True)
class Bracket(Expression):
    """An expression in brackets that stay."""

    of: Expression

    def text(self) -> str:
        return f"({self.of.text()})"

    def latex(self) -> str:
        return rf"\left({self.of.latex()}\right)"

    def mathml(self) -> str:
        return f"<mrow><mo>(</mo>{self.of.mathml()}<mo>)</mo></mrow>"

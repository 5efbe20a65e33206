r"""The density of a normal distribution with its numbers put in, by its name and written out.

>>> print(Normal("4", "-2", "0.667"))
N(4; -2, 0.667)
>>> print(Density("4", "-2", "0.667"))
1/√(2π · 0.667) · e^(-(4+2)²/(2 · 0.667))
>>> print(Density("4", "-2", "0.667").latex())
\frac{1}{\sqrt{2\pi \cdot 0.667}}\, e^{-\frac{(4+2)^{2}}{2 \cdot 0.667}}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from likelier._show.expressions import (
    PRODUCT,
    Expression,
    Minus,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Symbol,
    in_brackets,
)


@dataclass(frozen=True, slots=True)
class Normal(Expression):
    """By its name: the number, the mean and the variance, as Python writes them."""

    x: str
    mean: str
    variance: str

    def _numbers(self) -> list[Expression]:
        return [Number(self.x), Number(self.mean), Number(self.variance)]

    def text(self) -> str:
        x, mean, variance = (each.text() for each in self._numbers())
        return f"N({x}; {mean}, {variance})"

    def latex(self) -> str:
        x, mean, variance = (each.latex() for each in self._numbers())
        return rf"\mathcal{{N}}({x}; {mean}, {variance})"

    def mathml(self) -> str:
        x, mean, variance = (f"<mrow>{each.mathml()}</mrow>" for each in self._numbers())
        return f"<mi>𝒩</mi>{in_brackets(f'{x}<mo>;</mo>{mean}<mo>,</mo>{variance}')}"


@dataclass(frozen=True, slots=True)
class Density(Expression):
    """The same written out."""

    x: str
    mean: str
    variance: str
    level: ClassVar[int] = PRODUCT

    def _under_root(self) -> Expression:
        return Product([Symbol("2π", r"2\pi", "<mn>2</mn><mi>π</mi>"), Number(self.variance)])

    def _exponent(self) -> Expression:
        away = Sum([Number(self.x), _negative(self.mean)], tight=True)
        return Quotient(Power(away, 2), Product([Number("2"), Number(self.variance)]))

    def text(self) -> str:
        return f"1/√({self._under_root()}) · e^({Minus(self._exponent())})"

    def latex(self) -> str:
        exponent = self._exponent().latex().replace(r"\left(", "(").replace(r"\right)", ")")
        return rf"\frac{{1}}{{\sqrt{{{self._under_root().latex()}}}}}\, e^{{-{exponent}}}"

    def mathml(self) -> str:
        root = f"<mfrac><mn>1</mn><msqrt>{self._under_root().mathml()}</msqrt></mfrac>"
        return f"{root}<msup><mi>e</mi><mrow>{Minus(self._exponent()).mathml()}</mrow></msup>"


def _negative(written: str) -> Expression:
    return Number(written[1:]) if written.startswith("-") else Number(f"-{written}")

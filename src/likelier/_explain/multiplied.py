"""One factor of the product: in symbols, worked out, as a fraction, as a decimal, and rounded."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from likelier._base.numbers import log_of_fraction
from likelier._documents.kinds import PLAIN
from likelier._documents.labels import Label
from likelier._estimate.smoothing import Formula, Rounded, short
from likelier._explain.explanation import Explanation, Factor, Item
from likelier._explain.table import often
from likelier._show.decimals import E, by_logarithm, exact_decimal, few, rounded
from likelier._show.expressions import (
    Expression,
    Joined,
    Minus,
    Name,
    Not,
    Number,
    Power,
    Probability,
    Quotient,
    Relation,
    Sum,
    Symbol,
    in_brackets,
    of_fraction,
    parsed,
    worth,
)
from likelier._show.html_words import LONGEST_NAME, cut
from likelier._show.latex import MOST_DIGITS, is_number
from likelier._show.normal import Density, Normal

_NORMAL = re.compile(r"N\((.+); (.+), (.+)\)")  # as `Normal.formula` writes it
REST = Symbol("…", r"\cdots", "<mo>⋯</mo>")

Sort = Literal["prior", "term", "value", "absent", "unknown", "zero", "weight", "more"]
Counted = Callable[["Multiplied", Label, Expression], Expression]  # a worked formula with its counts written out


@dataclass(frozen=True)
class Multiplied:
    """One factor of the product of each label.

    power          its exponent; negative where it divides
    contributions  label → the logarithm of the factor, with its exponent
    symbol         label → the factor as a formula, without its exponent
    factors        label → the probability behind it; of an absent term the probability that it is there
    terms          how many terms it stands for
    item           where it comes from; None for the sum of several
    """

    kind: Sort
    name: str
    power: float
    contributions: Mapping[Label, float]
    symbol: Callable[[Label], Expression] = field(repr=False)
    factors: Mapping[Label, Factor] = field(default_factory=dict, repr=False)
    terms: int = 1
    item: Item | None = field(default=None, repr=False)

    def logarithm(self, label: Label) -> float:
        """Of the factor once, without its exponent."""
        if not self.power:
            value = self.exact(label)
            return -math.inf if value is None else log_of_fraction(value)
        return self.contributions[label] / self.power

    def exact(self, label: Label) -> Fraction | None:
        """The factor without its exponent; None where it is no fraction."""
        if self.kind == "zero":
            return Fraction(0)
        if label not in self.factors or self.factors[label].is_density:
            return None
        value = Fraction(self.factors[label].value)
        return 1 - value if self.kind == "absent" else value

    def is_exact(self, label: Label) -> bool:
        """Whether the worked formula is the value and not close to it."""
        if self.kind in ("zero", "more"):
            return True
        return label in self.factors and type(self.factors[label].value) is Fraction

    def is_whole_fraction(self, label: Label) -> bool:
        """Whether `fraction` is the value; one that would be too long to read is a decimal."""
        if label not in self.factors:
            return self.kind != "weight"
        factor = self.factors[label]
        return self.is_exact(label) and worth(_unreduced(factor)) == factor.value

    def is_rounded(self, label: Label) -> bool:
        """Whether it is shown in few digits, because all of them would be too many."""
        return label not in self.factors or isinstance(self.factors[label].value, Rounded)

    # ---- in numbers ----------------------------------------------------------------------------------------------

    def worked(self, label: Label, counted: Counted | None = None) -> Expression:
        """`(6+1)/(15+7)`; the density by its name."""
        if label not in self.factors:
            return self._without_factor(label)
        factor = self.factors[label]
        if factor.is_density:
            return Normal(*normal_numbers(factor.formula))
        found = parsed(str(factor.formula))
        return self._there_or_not(found if counted is None else counted(self, label, found))

    def fraction(self, label: Label) -> Expression:
        """`7/22`, not reduced; the density written out."""
        if label not in self.factors:
            return self._without_factor(label)
        factor = self.factors[label]
        if factor.is_density:
            return Density(*normal_numbers(factor.formula))
        return self._there_or_not(_unreduced(factor))

    def _without_factor(self, label: Label) -> Expression:
        if self.kind == "weight":
            return Power(E, Number(f"{self.logarithm(label):.4g}"))
        return Number("0") if self.kind == "zero" else REST

    def _there_or_not(self, probability: Expression) -> Expression:
        return Sum([Number("1"), Minus(probability)]) if self.kind == "absent" else probability

    def decimal(self, label: Label) -> tuple[Expression, bool]:
        """`0.3182`, and whether that is all of it."""
        value = self._probability(label)
        if self.kind == "weight":
            return Number(f"{math.exp(self.logarithm(label)):.6g}"), False
        if value is None:
            return by_logarithm(self.logarithm(label)), False
        shown = exact_decimal(value)
        return self._there_or_not(_tiny(value) if shown is None else Number(shown)), shown is not None

    def rounded(self, label: Label, places: int) -> tuple[Expression, Fraction | None]:
        """With this number of decimals, and its value; None where many factors are one."""
        if self.kind == "more":
            return by_logarithm(self.contributions[label]), None
        value = self._probability(label)
        if value is None:
            logarithm = self.logarithm(label)
            value = Fraction(math.exp(min(logarithm, 700.0)))
        found = rounded(value, places)
        shown = self._there_or_not(Number(exact_decimal(found, places) or "0"))
        return shown, 1 - found if self.kind == "absent" else found

    def _probability(self, label: Label) -> Fraction | None:
        """What the formula has: of an absent term the probability that it is there."""
        value = self.exact(label)
        return 1 - value if value is not None and self.kind == "absent" else value


def _tiny(value: Fraction) -> Expression:
    return Number(few(float(value))) if float(value) else by_logarithm(log_of_fraction(value))


def _unreduced(factor: Factor) -> Expression:
    """Numerator and denominator worked out; the value where they are no short numbers."""
    value, formula = Fraction(factor.value), factor.formula
    if isinstance(factor.value, Rounded):
        return Number(short(factor.value))
    if formula.denominator is not None:
        over, under = (worth(parsed(part)) for part in (formula.numerator, formula.denominator))
        if over is not None and under and over / under == value:
            one, other = exact_decimal(over), exact_decimal(under)
            if one is not None and other is not None:
                return Quotient(Number(one), Number(other))
    return of_fraction(value) if is_short(value) else _tiny(value)


def is_short(value: Fraction, digits: int = MOST_DIGITS) -> bool:
    """Whether a fraction is short enough to be read."""
    return max(abs(value.numerator), value.denominator) < 10**digits


def normal_numbers(formula: Formula) -> tuple[str, str, str]:
    """Number, mean and variance of a worked density."""
    x, mean, variance = _NORMAL.fullmatch(formula.numerator).groups()  # type: ignore[union-attr]
    return x, mean, variance


def raised(base: Expression, power: float) -> Expression:
    """A factor with its exponent; one that divides is a fraction."""
    if power == 1:
        return base
    if power < 0:
        return Quotient(Number("1"), raised(base, -power))
    return Power(base, int(power)) if power == int(power) else Power(base, Number(often(power)))


# ---- symbols -----------------------------------------------------------------------------------------------------


def named(label: object) -> Name:
    """A label or a term in a formula: cut where it is long, in quotes where it is blank."""
    text = str(label)
    return Name(cut(text, LONGEST_NAME) if text.strip() else repr(text))


def equation(explanation: Explanation, item: Item) -> Expression:
    """`sex=male`; an interval has a name that says it all."""
    assert item.column is not None
    read, shown = explanation.document[item.column], item.name.removeprefix(f"{item.column} ")
    if isinstance(read, float) and shown != f"{read:.12g}":
        return named(item.name)
    value = Number(shown) if is_number(shown) else named(shown)
    return Relation(named(item.column), value)


def column_of(explanation: Explanation, item: Item) -> str:
    return PLAIN if explanation.is_plain else item.column or ""


def of_term(event: str, words: str, there: int = 1) -> Callable[[Label], Expression]:
    term = named(words)

    def symbol(label: Label) -> Expression:
        if event == "bernoulli":
            return Probability(Relation(term, Number(str(there))), named(label))
        return Probability(term, Not(named(label)) if event == "complement" else named(label))

    return symbol


def of_weight(words: str) -> Callable[[Label], Expression]:
    def symbol(label: Label) -> Expression:
        return Power(E, Weight(named(words), named(label)))

    return symbol


@dataclass(frozen=True, slots=True)
class Weight(Expression):
    """What one occurrence of a term adds, where that is no logarithm of a probability."""

    term: Expression
    label: Expression

    def text(self) -> str:
        return f"w({self.term}, {self.label})"

    def latex(self) -> str:
        return rf"w({self.term.latex()}, {self.label.latex()})"

    def mathml(self) -> str:
        return f"<mi>w</mi>{in_brackets(Joined([self.term, self.label]).mathml())}"

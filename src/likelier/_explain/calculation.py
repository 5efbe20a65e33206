"""The calculation for a label: in symbols, with numbers, and what comes out; as a product, or as a sum of logarithms.

Rounded, it is the calculation of a person at a board: every factor is rounded first, then they are multiplied exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from likelier._base.numbers import log_of_fraction
from likelier._documents.labels import Label
from likelier._explain.asked import DOCUMENT
from likelier._explain.explanation import Explanation
from likelier._explain.factors import Factors
from likelier._explain.multiplied import Counted, Multiplied, Weight, is_short, named, raised
from likelier._explain.table import often
from likelier._show.decimals import (
    by_logarithm,
    exact_decimal,
    in_digits,
    logarithm,
    rounded,
)
from likelier._show.expressions import (
    INFINITY,
    Chain,
    Equations,
    Expression,
    Log,
    Minus,
    Number,
    Power,
    Probability,
    Product,
    Sum,
    Symbol,
    of_fraction,
)

Step = tuple[str, Expression]
Line = tuple[Expression, list[Step]]
Writes = Callable[[Multiplied], Expression]
PLACES = 3  # decimals of a logarithm, where none are given
SMALL_PLACES = 6  # of normalized weights, which are small
EXACT_PLACES = 9  # of a product that is no fraction without end
ONE, ZERO = Number("1"), Number("0")
UNDEFINED = Symbol("undefined", r"\text{undefined}", "<mtext>undefined</mtext>")
EXACTLY = Symbol("exactly", r"\text{exactly}", "<mtext>exactly</mtext>")


@dataclass(frozen=True)
class Calculation:
    """How the score of each label is worked out.

    rounded  decimals of every factor, or of every logarithm; None: not rounded
    counted  writes the counts of a formula out over the documents
    """

    explanation: Explanation
    factors: Factors
    rounded: int | None = None
    counted: Counted | None = None

    # ---- product -------------------------------------------------------------------------------------------------

    def product(self, label: Label) -> Equations:
        """P(c) times every factor, step by step."""
        left = Probability(named(label), DOCUMENT)
        steps = [("∝", self._raised(label, lambda each: each.symbol(label))), *self._worked(label)]
        if self.rounded is None:
            steps += exact_first(*self._decimals(label), self.outcome(label))
            return Equations([(left, _without_repeats(steps))])
        steps += [("≈", self._rounded(label)), ("=", self._rounded_result(label))]
        return Equations([(left, _without_repeats(steps)), (EXACTLY, [self.outcome(label)])])

    def _worked(self, label: Label) -> list[Step]:
        """With numbers, and each fraction worked out."""
        all_exact = all(each.is_exact(label) for each in self.factors.all)
        sign = "=" if all_exact else "≈"
        worked = sign, self._raised(label, lambda each: each.worked(label, self.counted))
        if all(each.is_rounded(label) for each in self.factors.all if each.kind != "prior"):
            return [worked]  # fractions of rounded numbers are the decimals of the next line
        return [worked, (self._sign(label), self._raised(label, lambda each: each.fraction(label)))]

    def _sign(self, label: Label) -> str:
        """Before the fractions."""
        return "=" if all(each.is_whole_fraction(label) for each in self.factors.all) else "≈"

    def _raised(self, label: Label, write: Writes) -> Expression:
        """The product, with exponents; what has exponent 0 is 1, however it is worked out."""
        symbols = [self._one(each, write) for each in self.factors.all]
        return Product(symbols) if len(symbols) > 1 else symbols[0]

    def _one(self, each: Multiplied, write: Writes) -> Expression:
        found = write(each)
        is_symbol = isinstance(found, Probability) or _is_weight(found)
        return ONE if not each.power and not is_symbol else raised(found, each.power)

    def _decimals(self, label: Label) -> tuple[Expression, bool]:
        found = {id(each): each.decimal(label) for each in self.factors.all}
        is_exact = all(is_exact for _, is_exact in found.values())
        return self._raised(label, lambda each: found[id(each)][0]), is_exact

    def outcome(self, label: Label) -> Step:
        """The product, as a fraction where it is short, and as a decimal."""
        exact, score = self.factors.exact(label), self.explanation.naive_scores[label]
        if exact is None or not is_short(exact):
            return ("=", ZERO) if score == -math.inf else ("≈", by_logarithm(score))
        shown = exact_decimal(exact, EXACT_PLACES)
        if exact.denominator == 1:
            return "=", of_fraction(exact)
        end = ("≈", by_logarithm(score)) if shown is None else ("=", Number(shown))
        return "=", Chain([("=", of_fraction(exact)), end])

    # ---- rounded -------------------------------------------------------------------------------------------------

    def _rounded(self, label: Label) -> Expression:
        assert self.rounded is not None
        places = self.rounded
        return self._raised(label, lambda each: each.rounded(label, places)[0])

    def rounded_value(self, label: Label) -> Fraction | None:
        """The product of the rounded factors; None where it cannot be worked out exactly, or divides by 0."""
        assert self.rounded is not None
        product = Fraction(1)
        for each in self.factors.all:
            value = each.rounded(label, self.rounded)[1]
            if value is None or (value == 0 and each.power < 0) or each.power != int(each.power):
                return None
            product *= value ** int(each.power)
        return product

    def _rounded_result(self, label: Label) -> Expression:
        value = self.rounded_value(label)
        if value is not None:
            return Number(in_digits(value))
        assert self.rounded is not None
        return by_logarithm(self._rounded_logarithm(label, self.rounded))

    def _rounded_logarithm(self, label: Label, places: int) -> float:
        """Of the product of the rounded factors, where there are too many to multiply."""
        found = list[float]()
        for each in self.factors.all:
            value = each.rounded(label, places)[1]
            if value is None or not each.power:
                found.append(each.contributions[label])
            else:
                found.append(each.power * log_of_fraction(value))
        return _added(found)

    # ---- logarithms ----------------------------------------------------------------------------------------------

    @property
    def places(self) -> int:
        """Decimals of a logarithm."""
        if self.rounded is not None:
            return self.rounded
        return SMALL_PLACES if self.explanation.normalized else PLACES

    def logarithms(self, label: Label) -> Equations:
        """log P(c) plus every logarithm, step by step."""
        symbols = [_times(each.power, _log_symbol(each, label)) for each in self.factors.all]
        worked = [self._log_number(each, label, each.worked(label, self.counted)) for each in self.factors.all]
        fractions = [self._log_number(each, label, each.fraction(label)) for each in self.factors.all]
        values = [logarithm(value, self.places) for value in self.summands(label)]
        sign = "=" if all(each.is_exact(label) for each in self.factors.all) else "≈"
        steps = [("=", _sum(symbols)), (sign, _sum(worked)), (self._sign(label), _sum(fractions)), ("≈", _sum(values))]
        score = self.score(label)
        result = ("≈" if self.rounded is None and math.isfinite(score) else "=", logarithm(score, self.places))
        return Equations([(score_symbol(named(label)), _without_repeats([*steps, result]))])

    def _log_number(self, each: Multiplied, label: Label, number: Expression) -> Expression:
        if not each.power:
            return ZERO
        if each.kind in ("weight", "more"):
            return _times(each.power, logarithm(each.logarithm(label), self.places + 1))
        return _times(each.power, Log(number))

    def summands(self, label: Label) -> list[float]:
        """What each factor adds; rounded first, where numbers are rounded."""
        if self.rounded is None:
            return [each.contributions[label] for each in self.factors.all]
        return [_rounded_summand(each, label, self.rounded) for each in self.factors.all]

    def score(self, label: Label) -> float:
        """The sum."""
        if self.rounded is None:
            return self.explanation.naive_scores[label]
        return _added(self.summands(label))


def exact_first(decimals: Expression, is_exact: bool, outcome: Step) -> list[Step]:
    """The factors as decimals and the result of multiplying them; what is exact stands before what is rounded."""
    sign, result = outcome
    if is_exact:
        return [("=", decimals), outcome]
    if not isinstance(result, Chain):  # a factor of 0 or infinity makes it exact, whatever the others are
        return [("≈", decimals), (sign if result in (ZERO, INFINITY, UNDEFINED) else "≈", result)]
    (_, fraction), (_, decimal) = result.steps
    return [("=", fraction), ("≈", decimals), ("≈", decimal)]


def score_symbol(label: Expression) -> Expression:
    """q(c), the sum of logarithms."""
    return Probability(label, letter="q")


def _is_weight(found: Expression) -> bool:
    return isinstance(found, Power) and isinstance(found.exponent, Weight)


def _without_repeats(steps: Sequence[Step]) -> list[Step]:
    """Without steps that say the same as the one before."""
    kept = list[Step]()
    for sign, step in steps:
        if not kept or kept[-1][1].text() != step.text():
            kept.append((sign, step))
    return kept


def _sum(summands: list[Expression]) -> Expression:
    return Sum(summands) if len(summands) > 1 else summands[0]


def _added(logarithms: Sequence[float]) -> float:
    """The sum; what has probability 0 stays at 0, whatever else there is."""
    return -math.inf if -math.inf in logarithms else math.fsum(logarithms)


def _times(power: float, one: Expression) -> Expression:
    """`2 · log P`; with a minus sign where it divides."""
    if power == 1:
        return one
    product = one if power == -1 else Product([Number(often(abs(power))), one])
    return Minus(product) if power < 0 else product


def _log_symbol(each: Multiplied, label: Label) -> Expression:
    found = each.symbol(label)
    if isinstance(found, Power) and isinstance(found.exponent, Weight):
        return found.exponent
    return found if each.kind == "more" else Log(found)


def _rounded_summand(each: Multiplied, label: Label, places: int) -> float:
    """The logarithm rounded, then times the exponent."""
    value = each.contributions[label]
    if not math.isfinite(value) or not each.power:
        return value
    if each.power != int(each.power):
        return float(rounded(Fraction(value), places))
    return float(rounded(Fraction(each.logarithm(label)), places) * int(each.power))

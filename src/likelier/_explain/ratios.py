"""Two labels compared: the ratio of every factor, and their product; or their logarithms, and the sum.

    P(a)/P(b) * product of P(t|a)/P(t|b)           above 1 speaks for a
    log(P(a)/P(b)) + sum of log(P(t|a)/P(t|b))     above 0 speaks for a

Each occurrence has a line of its own, in the order of the text; in a long text each term.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from likelier._documents.kinds import PLAIN
from likelier._documents.labels import Label
from likelier._explain.asked import DOCUMENT
from likelier._explain.calculation import PLACES, UNDEFINED, Calculation, Line, Step, exact_first
from likelier._explain.explanation import Explanation
from likelier._explain.factors import MOST_TERMS
from likelier._explain.multiplied import Multiplied, is_short, named, raised
from likelier._explain.normalization import calibrated, posterior, probabilities, share
from likelier._show.blocks import Block, Sentence
from likelier._show.decimals import (
    E,
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
    Number,
    Power,
    Probability,
    Product,
    Quotient,
    Relation,
    Sum,
    of_fraction,
)

ODDS_PLACES = PLACES + 1


@dataclass(frozen=True)
class Comparison:
    """How one label compares with another."""

    calculation: Calculation
    one: Label
    other: Label

    @property
    def explanation(self) -> Explanation:
        return self.calculation.explanation

    @property
    def places(self) -> int:
        """Decimals of ratios and logarithms."""
        return ODDS_PLACES if self.calculation.rounded is None else self.calculation.rounded

    @property
    def factors(self) -> list[Multiplied]:
        """The factors that have a line each."""
        return occurrences(self.explanation, self.calculation.factors.all)

    # ---- ratios --------------------------------------------------------------------------------------------------

    def ratios(self) -> list[Block]:
        """A line for each ratio, and their product."""
        found = self.factors
        ratios = [raised(self._shown(each), abs(each.power)) for each in found]
        result = self.result
        product = Product(ratios) if len(ratios) > 1 else ratios[0]
        steps = exact_first(product, all(map(self._is_exact, found)), self._outcome())
        left = Quotient(Probability(named(self.one), DOCUMENT), Probability(named(self.other), DOCUMENT))
        blocks: list[Block] = [Equations([self._ratio(each) for each in found]), Equations([(left, steps)])]
        return [*blocks, *self._said(result, "1")]

    def _ratio(self, each: Multiplied) -> Line:
        if each.kind == "more":
            return each.symbol(self.one), [("≈", by_logarithm(self.difference(each)))]
        end = ("=" if self._is_exact(each) else "≈", self._shown(each))
        return self._quotient(each, "symbol"), [self._steps(each, [end])]

    def _steps(self, each: Multiplied, end: list[Step]) -> Step:
        """The two numbers divided: decimals where these are exact, else fractions first."""
        divided, is_exact = self._decimals(each)
        if is_exact:
            return "=", Chain([("=", divided), *end])
        about = [("≈", step) for _, step in end]
        return "=", Chain([("=", self._quotient(each, "fraction")), ("≈", divided), *about])

    def _decimals(self, each: Multiplied) -> tuple[Expression, bool]:
        """The two numbers as decimals, one above the other, and whether they are all there is."""
        (one, is_exact), (other, is_too) = (each.decimal(label) for label in self._sides(each))
        return Quotient(one, other), is_exact and is_too

    def _quotient(self, each: Multiplied, what: str) -> Expression:
        one, other = (getattr(each, what)(label) for label in self._sides(each))
        return Quotient(one, other)

    def _sides(self, each: Multiplied) -> tuple[Label, Label]:
        """The two labels, above and below the line; what divides changes sides."""
        return (self.other, self.one) if each.power < 0 else (self.one, self.other)

    def difference(self, each: Multiplied) -> float:
        """The logarithm of the ratio, once; NaN where both labels are impossible."""
        one, other = (each.logarithm(label) for label in self._sides(each))
        return math.nan if one == other == -math.inf else one - other

    def _shown(self, each: Multiplied) -> Expression:
        """The ratio as a number."""
        difference = self.difference(each)
        if math.isnan(difference):
            return UNDEFINED
        if math.isinf(difference):
            return INFINITY if difference > 0 else Number("0")
        exact = self._exact(each)
        if exact is None:
            return by_logarithm(difference)
        if self.calculation.rounded is not None:
            return Number(exact_decimal(rounded(exact, self.places), self.places) or "0")
        return Number(exact_decimal(exact) or in_digits(exact, 4))

    def _exact(self, each: Multiplied) -> Fraction | None:
        one, other = (each.exact(label) for label in self._sides(each))
        return None if one is None or not other else one / other

    def _is_exact(self, each: Multiplied) -> bool:
        """Whether the ratio as it is shown is all of it."""
        if (exact := self._exact(each)) is None:
            return not math.isfinite(self.difference(each))
        if self.calculation.rounded is not None:
            return rounded(exact, self.places) == exact
        return exact_decimal(exact) is not None

    def _outcome(self) -> Step:
        """The product, as a fraction where it is short, and as a decimal."""
        if math.isnan(self.result):
            return "=", UNDEFINED
        if math.isinf(self.result):
            return "=", INFINITY if self.result > 0 else Number("0")
        if self.calculation.rounded is not None:
            return "≈", by_logarithm(self.result)
        one, other = (self.calculation.factors.exact(label) for label in (self.one, self.other))
        if one is None or not other or not is_short(one / other):
            return "≈", by_logarithm(self.result)
        shown = exact_decimal(one / other)
        if shown is not None:
            return "=", Number(shown)
        return "=", Chain([("=", of_fraction(one / other)), ("≈", by_logarithm(self.result))])

    @property
    def result(self) -> float:
        """The logarithm of the product; NaN where both labels are impossible."""
        scores = self.explanation.naive_scores
        one, other = scores[self.one], scores[self.other]
        if one == other:
            return math.nan if math.isinf(one) else 0.0
        return one - other

    # ---- logarithms ----------------------------------------------------------------------------------------------

    def odds(self) -> list[Block]:
        """A line for each logarithm, and their sum."""
        found = self.factors
        values = [self._added(each) for each in found]
        total = self.total(values)
        numbers = [_number(value, self.places) for value in values]
        left = Log(Quotient(Probability(named(self.one), DOCUMENT), Probability(named(self.other), DOCUMENT)))
        result = _number(total, self.places)
        is_exact = total == 0 or not math.isfinite(total) or self.calculation.rounded is not None
        sign = "=" if is_exact else "≈"
        steps: list[Step] = [("≈", Sum(numbers) if len(numbers) > 1 else numbers[0]), (sign, result)]
        blocks: list[Block] = [Equations([self._log_ratio(each) for each in found]), Equations([(left, steps)])]
        return [*blocks, *self._said(total, "0", result)]

    def _log_ratio(self, each: Multiplied) -> Line:
        value = _number(self.difference(each), self.places)
        if each.kind == "more":
            return each.symbol(self.one), [("≈", value)]
        left = Log(self._quotient(each, "symbol"))
        ratio = self._shown(each)
        decimals, are_exact = self._decimals(each)
        first = decimals if are_exact else self._quotient(each, "fraction")
        if ratio in (INFINITY, UNDEFINED):
            return left, [("=", Chain([("=", Log(first)), ("=", value)]))]
        sign = "=" if self._is_exact(each) else "≈"
        last = "=" if self._exact(each) in (0, 1) else "≈"
        return left, [("=", Chain([("=", Log(first)), (sign, Log(ratio)), (last, value)]))]

    def _added(self, each: Multiplied) -> float:
        """What the factor adds, with its exponent; rounded first, where numbers are rounded."""
        difference = self.difference(each)
        if self.calculation.rounded is not None and math.isfinite(difference):
            difference = float(rounded(Fraction(difference), self.places))
        return difference * abs(each.power)

    def total(self, values: list[float]) -> float:
        """The sum of what is added; that of the scores, where numbers are not rounded."""
        if self.calculation.rounded is None or not all(map(math.isfinite, values)):
            return self.result
        return math.fsum(values)

    # ---- in words ------------------------------------------------------------------------------------------------

    def _said(self, result: float, neutral: str, shown: Expression | None = None) -> list[Block]:
        """Which of the two it is, and why."""
        if math.isnan(result):
            return [Sentence(["Both labels have probability 0."])]
        shown = shown or self._outcome_number()
        if result == 0:
            return [Sentence([Chain([("", shown), ("=", Number(neutral))]), ": both labels are equally probable."])]
        sign, label = (">", self.one) if result > 0 else ("<", self.other)
        other = self.other if label == self.one else self.one
        said: list[str | Expression] = [
            Relation(shown, Number(neutral), sign),
            ": ",
            named(label),
            " is more probable than ",
            named(other),
            ".",
        ]
        return [Sentence(said)]

    def shares(self, *, by_logarithms: bool) -> list[Block]:
        """The probabilities: from the ratio alone, where the two labels are all there are."""
        labels = [self.one, self.other]
        if len(self.explanation.labels) > 2 or not math.isfinite(self.result):
            return probabilities(self.calculation, labels, by_logarithms=False)
        total = self.total([self._added(each) for each in self.factors]) if by_logarithms else self.result
        lines: list[Line] = []
        for label, odds in ((self.one, total), (self.other, -total)):
            power = Power(E, logarithm(-odds, self.places))
            ratio = self._outcome_number()
            over = Number("1") if by_logarithms or label == self.other else ratio
            shown = share(-math.log1p(math.exp(-odds)) if odds > -700 else odds, self.calculation.rounded)
            steps = [("=", Quotient(over, Sum([Number("1"), power if by_logarithms else ratio]))), ("≈", shown)]
            lines.append((posterior(self.explanation, label), steps))
        return [Equations(lines), *calibrated(self.explanation, labels)]

    def _outcome_number(self) -> Expression:
        last = self._outcome()[1]
        return last.steps[-1][1] if isinstance(last, Chain) else last


def _number(value: float, places: int) -> Expression:
    if math.isnan(value):
        return UNDEFINED
    return Number("0") if value == 0 else logarithm(value, places)


def occurrences(explanation: Explanation, factors: list[Multiplied]) -> list[Multiplied]:
    """A factor for each occurrence, in the order of the text, if the text is short and counts each."""
    if not explanation.is_plain:
        return factors
    terms = {each.name: each for each in factors if each.kind == "term" and each.power}
    there = [term for term, _, _ in explanation.texts.get(PLAIN, ("", []))[1] if term in terms]
    counts = {name: abs(each.power) for name, each in terms.items()}
    if len(there) > MOST_TERMS or any(there.count(name) != count for name, count in counts.items()):
        return factors
    before = [each for each in factors if each.kind == "prior"]
    after = [each for each in factors if each.kind != "prior" and each.name not in terms]
    return [*before, *(_once(terms[name]) for name in there), *after]


def _once(each: Multiplied) -> Multiplied:
    added = {label: value / abs(each.power) for label, value in each.contributions.items()}
    return replace(each, power=1 if each.power > 0 else -1, contributions=added)

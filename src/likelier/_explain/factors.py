"""What is multiplied for a label: each factor in symbols and in numbers, with its exponent.

    P(c) * product of P(t|c)^n                            a text
    P(c) * product of P(t=1|c) * product of P(t=0|c)      the same under the Bernoulli model, over all of V
    P(c) / product of P(t|not c)^n                        under the complement model: the exponents are negative
    P(c) * P(sex=male|c) * p(age=22|c) * ...              a document with columns

Of a long text the terms that matter most have a factor each, and one more factor has all others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from likelier._documents.kinds import PLAIN
from likelier._documents.labels import Label
from likelier._estimate.smoothing import Formula, Rounded, short
from likelier._explain.explanation import EVIDENCE, Explanation, Factor, Item, Vocabulary
from likelier._explain.table import often, strength
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

MOST_TERMS = 20  # of a text that have a factor each
MOST_OF_VOCABULARY = 30  # terms that are there or not, up to which each has a factor
SOME_ABSENT = 6  # of more absent terms
MOST_POWERS = 200  # factors, up to which their exact product is worked out

_NORMAL = re.compile(r"N\((.+); (.+), (.+)\)")  # as `Normal.formula` writes it
_REST = Symbol("…", r"\cdots", "<mo>⋯</mo>")

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
            return math.log(value) if value else -math.inf
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
        return Number("0") if self.kind == "zero" else _REST

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
    return Number(few(float(value))) if float(value) else by_logarithm(_log(value))


def _log(value: Fraction) -> float:
    return math.log(value.numerator) - math.log(value.denominator)


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


def is_short(value: Fraction) -> bool:
    """Whether a fraction is short enough to be read."""
    return abs(value.numerator) < 10**MOST_DIGITS and value.denominator < 10**MOST_DIGITS


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


def _column(explanation: Explanation, item: Item) -> str:
    return PLAIN if explanation.is_plain else item.column or ""


def _of_term(event: str, words: str, there: int = 1) -> Callable[[Label], Expression]:
    term = named(words)

    def symbol(label: Label) -> Expression:
        if event == "bernoulli":
            return Probability(Relation(term, Number(str(there))), named(label))
        return Probability(term, Not(named(label)) if event == "complement" else named(label))

    return symbol


def _of_weight(words: str) -> Callable[[Label], Expression]:
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


# ---- all factors -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Factors:
    """All of them, and what was left out, in words."""

    all: list[Multiplied]
    notes: list[str] = field(default_factory=list)

    def exact(self, label: Label) -> Fraction | None:
        """The product, if it costs little to work it out and is a fraction."""
        if any(each.power != int(each.power) or each.kind in ("more", "weight") for each in self.all):
            return None
        if sum(abs(each.power) for each in self.all) > MOST_POWERS:
            return None
        product = Fraction(1)
        for each in self.all:
            value = each.exact(label)
            if value is None:
                return None
            product *= value ** int(each.power)
        return product


def factors(explanation: Explanation, *, whole_vocabulary: bool = False) -> Factors:
    """What is multiplied, in the order in which people write it."""
    weak = _weakest(explanation)
    left_out = set(map(id, weak))
    found, notes = list[Multiplied](), list[str]()
    for item in explanation.items:
        if id(item) in left_out:
            continue
        if item.kind == "absent":
            found += _absent(explanation, item, notes)
        else:
            found += _multiplied(explanation, item)
    if weak:
        found.append(_more(weak))
        notes.append(f"{_REST} stands for {len(weak):,} more terms and values, which matter less, together")
    if whole_vocabulary:
        found += _lacking(explanation, notes)
    return Factors(_in_order(explanation, found), notes)


def _weakest(explanation: Explanation) -> list[Item]:
    """The terms and values of a long document that share a factor."""
    evidence = [item for item in explanation.items if item.kind in EVIDENCE]
    if len(evidence) <= MOST_TERMS:
        return []
    return sorted(evidence, key=lambda item: -strength(item, explanation.compared))[MOST_TERMS:]


def _multiplied(explanation: Explanation, item: Item) -> list[Multiplied]:
    """The factor of one item; none where nothing is estimated for it."""
    if item.kind == "prior":
        return [_factor(item, "prior", 1, lambda label: Probability(named(label)))]
    divides = explanation.events.get(_column(explanation, item)) == "complement"
    if item.kind == "unknown" and (divides or not item.factors) and -math.inf in item.contributions.values():
        return [_factor(item, "zero", 1, _of_unknown(explanation, item))]
    if not item.factors or item.kind in ("missing", "correction"):
        return []
    column = _column(explanation, item)
    if column in explanation.events:
        symbol = _of_unknown(explanation, item) if item.kind == "unknown" else None
        return [_word(explanation, item, explanation.events[column], symbol)]
    is_density = any(factor.is_density for factor in item.factors.values())
    letter, event = "p" if is_density else "P", equation(explanation, item)
    return [_factor(item, "value", 1, lambda label: Probability(event, named(label), letter))]


def _word(explanation: Explanation, item: Item, event: str, symbol: Callable[[Label], Expression] | None) -> Multiplied:
    kind: Sort = "unknown" if item.kind == "unknown" else "term"
    if _column(explanation, item) in explanation.normalized:
        return replace(_factor(item, "weight", item.times, _of_weight(item.title)), factors={})
    power = item.times if item.idf == 1 else item.times * item.idf
    return _factor(item, kind, -power if event == "complement" else power, symbol or _of_term(event, item.title))


def _factor(item: Item, kind: Sort, power: float, symbol: Callable[[Label], Expression]) -> Multiplied:
    factors = {} if kind == "zero" else item.factors
    return Multiplied(kind, item.name, power, item.contributions, symbol, factors, item.terms, item)


def _of_unknown(explanation: Explanation, item: Item) -> Callable[[Label], Expression]:
    """P(UNK|c), or P of the unknown term."""
    column = _column(explanation, item)
    if column not in explanation.events:
        event = equation(explanation, item)
        return lambda label: Probability(event, named(label))
    if explanation.unknown.get(column) == "unk":
        return _of_term(explanation.events[column], "UNK")
    return _of_term(explanation.events[column], item.name if item.terms == 1 else "unknown")


def _absent(explanation: Explanation, item: Item, notes: list[str]) -> list[Multiplied]:
    """Bernoulli: a factor for each absent term; of many for some, and one for the rest."""
    vocabulary = explanation.vocabulary[_column(explanation, item)]
    lacking = [_factor(each, "absent", 1, _of_term("bernoulli", _title(item, each), 0)) for each in vocabulary.lacking]
    if item.terms == len(lacking) <= MOST_OF_VOCABULARY:
        return lacking
    shown = lacking[:SOME_ABSENT] if all(map(math.isfinite, item.contributions.values())) else []
    rest = {
        label: value - math.fsum(each.contributions[label] for each in shown)
        for label, value in item.contributions.items()
    }
    left = item.terms - len(shown)
    notes.append(f"{_REST} stands for {left:,} more terms that the text lacks, together")
    return [*shown, Multiplied("more", f"{left:,} absent terms", 1, rest, lambda _: _REST, terms=left)]


def _title(item: Item, term: Item) -> str:
    """The term, with its column where the other terms have it."""
    column = item.title.removesuffix(item.name)
    return f"{column}{term.name}"


def _more(items: Sequence[Item]) -> Multiplied:
    sums = {label: math.fsum(item.contributions[label] for item in items) for label in items[0].contributions}
    return Multiplied("more", f"{len(items):,} more", 1, sums, lambda _: _REST, terms=len(items))


def _lacking(explanation: Explanation, notes: list[str]) -> list[Multiplied]:
    """The terms of V that the text lacks, with exponent 0."""
    found = list[Multiplied]()
    for column, vocabulary in explanation.vocabulary.items():
        event = explanation.events[column]
        if event == "bernoulli":
            continue
        some = vocabulary.lacking[:MOST_OF_VOCABULARY]
        found += [_factor(each, "term", 0, _of_term(event, each.name)) for each in some]
        present = {
            item.name for item in explanation.items if item.kind == "term" and _column(explanation, item) == column
        }
        left = vocabulary.size - len(present) - len(some)
        left -= explanation.unknown.get(column) == "unk" and any(item.kind == "unknown" for item in explanation.items)
        if left > 0:
            notes.append(f"{left:,} more terms of the vocabulary have exponent 0")
    return found


def _in_order(explanation: Explanation, found: list[Multiplied]) -> list[Multiplied]:
    """Where all of a vocabulary is shown, its terms are in its order; all others as they are."""
    prior, *others = found
    for column, vocabulary in _shown_whole(explanation, others).items():
        places = {name: place for place, name in enumerate(vocabulary.names)}

        def place(each: Multiplied, column: str = column, places: Mapping[str, int] = places) -> int | None:
            is_own = each.item is not None and _column(explanation, each.item) == column
            return places.get(each.name) if is_own and each.kind in ("term", "absent", "weight") else None

        own = sorted((each for each in others if place(each) is not None), key=lambda each: place(each) or 0)
        first = next(index for index, each in enumerate(others) if place(each) is not None)
        rest = [each for each in others if place(each) is None]
        others = [*rest[:first], *own, *rest[first:]]
    return [prior, *others]


def _shown_whole(explanation: Explanation, found: Sequence[Multiplied]) -> dict[str, Vocabulary]:
    lacking = [each for each in found if each.kind == "absent" or not each.power]
    columns = {_column(explanation, each.item) for each in lacking if each.item is not None}
    return {
        column: vocabulary
        for column, vocabulary in (explanation.vocabulary.items() if columns else ())
        if column in columns and len(vocabulary.names) >= vocabulary.size
    }

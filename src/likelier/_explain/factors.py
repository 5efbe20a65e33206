"""What is multiplied for a label: each factor in symbols and in numbers, with its exponent.

    P(c) * product of P(t|c)^n                            a text
    P(c) * product of P(t=1|c) * product of P(t=0|c)      the same under the Bernoulli model, over all of V
    P(c) / product of P(t|not c)^n                        under the complement model: the exponents are negative
    P(c) * P(sex=male|c) * p(age=22|c) * ...              a document with columns

Of a long text the terms that matter most have a factor each, and one more factor has all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from likelier._documents.labels import Label
from likelier._explain.explanation import EVIDENCE, Explanation, Item, Vocabulary
from likelier._explain.multiplied import REST, Multiplied, Sort, column_of, equation, named, of_term, of_weight
from likelier._explain.table import strength
from likelier._show.expressions import Expression, Probability

MOST_TERMS = 20  # of a text that have a factor each
MOST_OF_VOCABULARY = 30  # terms that are there or not, up to which each has a factor
SOME_ABSENT = 6  # of more absent terms
MOST_POWERS = 200  # factors, up to which their exact product is worked out


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
        notes.append(f"{REST} stands for {len(weak):,} more terms and values, which matter less, together")
    if whole_vocabulary:
        found += _lacking(explanation, notes)
    return Factors(_in_order(explanation, found), notes)


def _weakest(explanation: Explanation) -> list[Item]:
    """The terms and values of a long document that share a factor."""
    evidence = [item for item in explanation.items if item.kind in EVIDENCE]
    if len(evidence) <= MOST_TERMS:
        return []
    return sorted(evidence, key=lambda item: -strength(explanation, item))[MOST_TERMS:]


def _multiplied(explanation: Explanation, item: Item) -> list[Multiplied]:
    """The factor of one item; none where nothing is estimated for it."""
    if item.kind == "prior":
        return [_factor(item, "prior", 1, lambda label: Probability(named(label)))]
    divides = explanation.events.get(column_of(explanation, item)) == "complement"
    if item.kind == "unknown" and (divides or not item.factors) and -math.inf in item.contributions.values():
        return [_factor(item, "zero", 1, _of_unknown(explanation, item))]
    if not item.factors or item.kind in ("missing", "correction"):
        return []
    column = column_of(explanation, item)
    if column in explanation.events:
        symbol = _of_unknown(explanation, item) if item.kind == "unknown" else None
        return [_word(explanation, item, explanation.events[column], symbol)]
    is_density = any(factor.is_density for factor in item.factors.values())
    letter, event = "p" if is_density else "P", equation(explanation, item)
    return [_factor(item, "value", 1, lambda label: Probability(event, named(label), letter))]


def _word(explanation: Explanation, item: Item, event: str, symbol: Callable[[Label], Expression] | None) -> Multiplied:
    kind: Sort = "unknown" if item.kind == "unknown" else "term"
    if column_of(explanation, item) in explanation.normalized:
        return replace(_factor(item, "weight", item.times, of_weight(item.title)), factors={})
    power = item.times if item.idf == 1 else item.times * item.idf
    return _factor(item, kind, -power if event == "complement" else power, symbol or of_term(event, item.title))


def _factor(item: Item, kind: Sort, power: float, symbol: Callable[[Label], Expression]) -> Multiplied:
    factors = {} if kind == "zero" else item.factors
    return Multiplied(kind, item.name, power, item.contributions, symbol, factors, item.terms, item)


def _of_unknown(explanation: Explanation, item: Item) -> Callable[[Label], Expression]:
    """P(UNK|c), or P of the unknown term."""
    column = column_of(explanation, item)
    if column not in explanation.events:
        event = equation(explanation, item)
        return lambda label: Probability(event, named(label))
    if explanation.unknown.get(column) == "unk":
        return of_term(explanation.events[column], "UNK")
    return of_term(explanation.events[column], item.name if item.terms == 1 else "unknown")


def _absent(explanation: Explanation, item: Item, notes: list[str]) -> list[Multiplied]:
    """Bernoulli: a factor for each absent term; of many for some, and one for the rest."""
    vocabulary = explanation.vocabulary[column_of(explanation, item)]
    lacking = [_factor(each, "absent", 1, of_term("bernoulli", _title(item, each), 0)) for each in vocabulary.lacking]
    if item.terms == len(lacking) <= MOST_OF_VOCABULARY:
        return lacking
    shown = lacking[:SOME_ABSENT] if all(map(math.isfinite, item.contributions.values())) else []
    rest = {
        label: value - math.fsum(each.contributions[label] for each in shown)
        for label, value in item.contributions.items()
    }
    left = item.terms - len(shown)
    notes.append(f"{REST} stands for {left:,} more terms that the text lacks, together")
    return [*shown, Multiplied("more", f"{left:,} absent terms", 1, rest, lambda _: REST, terms=left)]


def _title(item: Item, term: Item) -> str:
    """The term, with its column where the other terms have it."""
    column = item.title.removesuffix(item.name)
    return f"{column}{term.name}"


def _more(items: Sequence[Item]) -> Multiplied:
    sums = {label: math.fsum(item.contributions[label] for item in items) for label in items[0].contributions}
    return Multiplied("more", f"{len(items):,} more", 1, sums, lambda _: REST, terms=len(items))


def _lacking(explanation: Explanation, notes: list[str]) -> list[Multiplied]:
    """The terms of V that the text lacks, with exponent 0."""
    found = list[Multiplied]()
    for column, vocabulary in explanation.vocabulary.items():
        event = explanation.events[column]
        if event == "bernoulli":
            continue
        some = vocabulary.lacking[:MOST_OF_VOCABULARY]
        found += [_factor(each, "term", 0, of_term(event, each.name)) for each in some]
        present = {
            item.name for item in explanation.items if item.kind == "term" and column_of(explanation, item) == column
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
            is_own = each.item is not None and column_of(explanation, each.item) == column
            return places.get(each.name) if is_own and each.kind in ("term", "absent", "weight") else None

        own = sorted((each for each in others if place(each) is not None), key=lambda each: place(each) or 0)
        first = next(index for index, each in enumerate(others) if place(each) is not None)
        rest = [each for each in others if place(each) is None]
        others = [*rest[:first], *own, *rest[first:]]
    return [prior, *others]


def _shown_whole(explanation: Explanation, found: Sequence[Multiplied]) -> dict[str, Vocabulary]:
    lacking = [each for each in found if each.kind == "absent" or not each.power]
    columns = {column_of(explanation, each.item) for each in lacking if each.item is not None}
    return {
        column: vocabulary
        for column, vocabulary in (explanation.vocabulary.items() if columns else ())
        if column in columns and len(vocabulary.names) >= vocabulary.size
    }

"""Counts written out over the documents: (2+2+2+1)/(2+2+2+1+1+1+7) in place of (6+1)/(9+7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from likelier._base.cached import cached_property
from likelier._documents.kinds import PLAIN
from likelier._documents.labels import Label
from likelier._explain.multiplied import Multiplied
from likelier._show.expressions import Bracket, Expression, Number, Product, Quotient, Sum, worth

Learned = Counter[str]
MOST_ADDENDS = 60  # of a count that is written out
ONCE = ("bernoulli", "binary")  # event models that count documents, not occurrences


@dataclass(frozen=True)
class Expanded:
    """Writes out the counts of worked formulas.

    documents  each label, and text column → how often each term occurs
    events     text column → its event model
    """

    documents: Sequence[tuple[Label, dict[str, Learned]]]
    events: dict[str, str]

    def __call__(self, each: Multiplied, label: Label, formula: Expression) -> Expression:
        """The formula of a factor, with the counts of its term and of all terms written out where they are short."""
        column = PLAIN if each.item is None or each.item.column is None else each.item.column
        if each.kind not in ("term", "absent", "unknown") or column not in self.events:
            return formula
        learned = self._under(label, column)
        own = [count for count in (self._count(column, each.name, terms) for terms in learned) if count] or [0]
        if self.events[column] == "bernoulli":
            everything = [1 for _ in learned]
        else:
            every = (self._count(column, term, terms) for term in self._order[column] for terms in learned)
            everything = [count for count in every if count]
        return _written_out(formula, own, everything)

    def _under(self, label: Label, column: str) -> list[Learned]:
        """The documents that are counted for a label: the others, under the complement model."""
        is_complement = self.events[column] == "complement"
        return [terms[column] for found, terms in self.documents if (found == label) != is_complement]

    def _count(self, column: str, term: str, terms: Learned) -> int:
        return min(terms[term], 1) if self.events[column] in ONCE else terms[term]

    @cached_property
    def _order(self) -> dict[str, list[str]]:
        """The terms of each column in the order in which they were first seen."""
        return {
            column: list(dict.fromkeys(term for _, terms in self.documents for term in terms[column]))
            for column in self.events
        }


def _written_out(formula: Expression, own: list[int], everything: list[int]) -> Expression:
    """The first fraction with its counts written out."""
    if isinstance(formula, Quotient):
        return Quotient(_addends(formula.numerator, own), _addends(formula.denominator, everything))
    if isinstance(formula, Sum):
        first, *others = formula.summands
        return Sum([_written_out(first, own, everything), *others], formula.tight)
    if isinstance(formula, Product):
        return replace(formula, factors=[_written_out(each, own, everything) for each in formula.factors])
    return formula


def _addends(part: Expression, counts: list[int]) -> Expression:
    """The number at the start of a sum, or in its first bracket, written out."""
    if isinstance(part, Bracket):
        return Bracket(_addends(part.of, counts))
    first, others = (part.summands[0], part.summands[1:]) if isinstance(part, Sum) else (part, [])
    if isinstance(first, Bracket):
        return Sum([_addends(first, counts), *others], tight=True)
    if not isinstance(first, Number) or worth(first) != sum(counts) or not 1 < len(counts) <= MOST_ADDENDS:
        return part
    return Sum([*(Number(str(count)) for count in counts), *others], tight=True)

"""A limit to the vocabulary while documents are counted: the rarest terms are dropped on the way.

A term that is dropped and comes again starts at 0, so counts may be too low. By how much at most is known: with every
term goes the bound at the time when it was first seen, and what is dropped has the lowest sum of count and bound. The
largest such sum is the new bound. This is lossy counting (Manku & Motwani 2002) with room for a given number of terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from likelier._base.checks import checked_integer
from likelier._base.errors import error

if TYPE_CHECKING:
    from likelier._counts.term_counts import TermCounts

Errors = list[tuple[int, int]]  # from which id on counts may be too low, and by how much


@dataclass(frozen=True, slots=True)
class Pruned:
    """What counts have lost.

    terms   how many terms were dropped; one that came again and was dropped again counts twice
    tokens  how often they stood in the documents
    bound   no count of a term is too low by more, and no term that is not there stood in the documents more often
    """

    terms: int = 0
    tokens: int | Fraction = 0
    bound: int | Fraction = 0

    def __add__(self, other: Pruned) -> Pruned:
        """What the sum of two counts has lost."""
        return Pruned(self.terms + other.terms, self.tokens + other.tokens, self.bound + other.bound)


def both(one: Pruned | None, two: Pruned | None) -> Pruned | None:
    """What the sum of two counts has lost, if anything.

    >>> both(Pruned(3, 4, 1), None), both(Pruned(3, 4, 1), Pruned(1, 2, 2))
    (Pruned(terms=3, tokens=4, bound=1), Pruned(terms=4, tokens=6, bound=3))
    """
    return one + two if one and two else one or two


class Pruner:
    """Keeps the vocabulary of counts within a limit."""

    def __init__(self, counts: TermCounts, most: int) -> None:
        """From the beginning: nothing was dropped before."""
        self._counts, self._most = counts, most
        self._errors: Errors = [(0, 0)]
        self._unit = counts.unit

    def prune(self) -> None:
        """Drops the rarest terms if there are too many, and a quarter of those that may be, so that this is seldom."""
        counts = self._counts
        if counts.table.size() <= self._most:
            return
        finer, self._unit = counts.unit // self._unit, counts.unit
        errors = [(start, units * finer) for start, units in self._errors]
        terms, tokens, self._errors = counts.prune(self._most - self._most // 4, errors)
        before = counts.pruned or Pruned()
        bound = counts.number(self._errors[-1][1])
        counts.pruned = Pruned(before.terms + terms, before.tokens + counts.number(tokens), bound)


def checked_most_terms(most: object) -> int | None:
    """How large a vocabulary may get; None without a limit."""
    return None if most is None else checked_integer("most-terms-range", most, 1)


def check_whole(lost: Pruned | None, what: str) -> None:
    """Raises if terms of some counts were dropped: then documents cannot be taken out of them again."""
    if lost is None:
        return
    raise error("counts-pruned", what=what, terms=lost.terms)

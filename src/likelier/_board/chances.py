"""Probabilities as they are written: worked out, not reduced, reduced, as a decimal.

worked    (2+1)/(5+7)
fraction  3/12, not reduced
reduced   1/4
decimal   0.25
steps     (2+1)/(5+7) = 3/12 = 0.25
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from likelier._answer.scores import Estimates
from likelier._base.checks import check_one_of, checked_decimals
from likelier._board.outcomes import (
    Shown,
    chosen,
    has_unk,
)
from likelier._documents.labels import Label
from likelier._estimate.estimator import Estimator
from likelier._estimate.smoothing import Formula, Rounded, short
from likelier._show.decimals import in_places
from likelier._show.expressions import Expression, Name, Not, Number, Probability, Quotient, Symbol, of_fraction, parsed
from likelier._show.table import Cell

Form = Literal["worked", "fraction", "reduced", "decimal", "steps"]
FORMS = ("worked", "fraction", "reduced", "decimal", "steps")
DIGITS = 4
MOST_SUMMED = 300  # outcomes whose likelihoods are summed up in fractions


def check_written(form: Form, digits: int) -> None:
    """How probabilities are to be written."""
    check_one_of("table-form", form, FORMS)
    checked_decimals("digits", digits)


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability: how it is worked out, not reduced, and as a number."""

    formula: Formula
    numerator: Fraction
    denominator: Fraction

    @property
    def value(self) -> Fraction:
        """Exact."""
        return self.numerator / self.denominator if self.denominator else Fraction(0)

    def cell(self, form: Form, digits: int) -> Cell:
        """In one of the forms."""
        if form == "decimal":
            return Cell(decimal(self.value, digits), float(self.value))
        if form == "steps":
            return _cell(self._steps(digits), self.value)
        shown = (
            self.worked() if form == "worked" else self.unreduced() if form == "fraction" else of_fraction(self.value)
        )
        return _cell([shown], self.value)

    def worked(self) -> Expression:
        return parsed(str(self.formula))

    def unreduced(self) -> Expression:
        whole = self.numerator.denominator == self.denominator.denominator == 1 and self.denominator != 1
        if isinstance(self.numerator, Rounded):
            return Number(short(Rounded(self.value)))
        return _quotient(self.numerator, self.denominator) if whole else of_fraction(self.value)

    def _steps(self, digits: int) -> list[Expression]:
        middle = [] if isinstance(self.numerator, Rounded) else [self.unreduced()]  # which is a decimal too
        steps = [self.worked(), *middle, Number(decimal(self.value, digits))]
        return [step for place, step in enumerate(steps) if not place or step.text() != steps[place - 1].text()]


def _quotient(numerator: Fraction, denominator: Fraction) -> Expression:
    return Quotient(Number(str(numerator)), Number(str(denominator)))


def _cell(steps: Sequence[Expression], value: Fraction) -> Cell:
    text, latex = steps[0].text(), steps[0].latex()
    for step in steps[1:]:
        is_exact = not isinstance(step, Number) or Fraction(step.written) == value
        text += f" {'=' if is_exact else '≈'} {step.text()}"
        latex += f" {'=' if is_exact else chr(92) + 'approx'} {step.latex()}"
    return Cell(text, value, latex=latex)


def decimal(value: Fraction, digits: int = DIGITS) -> str:
    """A probability with at most this many decimals, or with a power of ten where those would be zeros.

    >>> decimal(Fraction(7, 22)), decimal(Fraction(1, 16), 3), decimal(Fraction(1, 10**7)), decimal(Fraction(0))
    ('0.3182', '0.063', '1e-07', '0')
    """
    number = float(value)
    if number == 0 or abs(number) >= min(10.0 ** (1 - digits), 0.05):
        return in_places(value, digits)
    return f"{number:.{min(digits, 3) - 1}e}".replace(".0e", "e")


def chance(estimator: Estimator, term: str | None, place: int, grown: int = 0) -> Chance:
    """P(t|c) of a term, or of UNK or an unknown term."""
    exact = estimator.exact
    numerator, denominator = exact.ratio(term, place, grown)
    is_long = not estimator.has_whole_counts
    return Chance(exact.formula(term, place, grown), Rounded(numerator) if is_long else numerator, denominator)


def prior_chance(estimates: Estimates, place: int) -> Chance:
    """P(c) of a label."""
    documents, prior = estimates.documents, estimates.priors[place]
    if documents is None:
        return Chance(Formula(short(prior)), Fraction(prior.numerator), Fraction(prior.denominator))
    total = sum(documents, Fraction(0))
    return Chance(Formula(short(documents[place]), short(total)), Fraction(documents[place]), total)


def column_sum(shown: Shown, place: int) -> Cell:
    """The sum of P(t|c) over all outcomes of a column, shown or not."""
    estimator = shown.estimator
    if estimator.sums_in_units.outcomes <= MOST_SUMMED:
        everything = chosen(shown.part, order="first", most=None, terms=None)
        values = (estimator.exact.likelihood(each.term, place) for each in everything.outcomes)
        exact = sum(values, Fraction(0))
        return Cell(str(exact), exact)
    parts: list[list[float]] = [estimator.ratio_under(estimator.reading.kept_ids, [place]).value[:, 0].tolist()]
    unseen: list[str | None] = [each for each in estimator.declared if estimator.counts.find(each) is None]
    unseen += [None] if has_unk(estimator) else []
    parts.append([float(estimator.exact.likelihood(each, place)) for each in unseen])
    total = math.fsum(number for part in parts for number in part)
    return Cell(f"{total:.6g}", Fraction(round(total, 9)).limit_denominator(10**6))


def symbol_cell(event: str, label: Label, tag: str = "", *, other: bool = False) -> Cell:
    """`P(t|OK)` as a heading; other: P(t|not OK)."""
    given = Not(Name(str(label))) if other else Name(str(label))
    chance = Probability(Symbol(event, event), given)
    latex = chance.latex() + (rf"\ \text{{{tag}}}" if tag else "")
    text = f"{chance.plain()} {tag}".rstrip()
    return Cell(text, text, latex=latex, is_own=bool(tag))

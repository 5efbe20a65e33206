"""Label by term: P(t|c) worked out, exact, with and without smoothing; of numbers the mean and the variance.

worked    (2+1)/(5+7)
fraction  3/12, not reduced
reduced   1/4
decimal   0.25
steps     (2+1)/(5+7) = 3/12 = 0.25
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from likelier._answer.scores import Estimates, Part
from likelier._base.checks import check_one_of
from likelier._base.errors import error
from likelier._base.numbers import is_number
from likelier._board.outcomes import (
    By,
    Order,
    Outcome,
    Shown,
    chosen,
    chosen_labels,
    chosen_parts,
    count_cell,
    has_unk,
    laid_out,
    remarks,
    whole,
)
from likelier._columns.numbers import NormalPart
from likelier._documents.labels import Label
from likelier._estimate.estimator import Estimator
from likelier._estimate.smoothing import Formula, Rounded, short
from likelier._show.expressions import Expression, Name, Not, Number, Probability, Quotient, Symbol, of_fraction, parsed
from likelier._show.table import Cell, Table, own

if TYPE_CHECKING:
    from likelier._show.pictures import Bar

Form = Literal["worked", "fraction", "reduced", "decimal", "steps"]
FORMS = ("worked", "fraction", "reduced", "decimal", "steps")
DIGITS = 4
MOST_SUMMED = 300  # outcomes whose likelihoods are summed up in fractions


def likelihood_table(
    parts: Mapping[str, Part],
    labels: Sequence[Label],
    *,
    plain: bool,
    column: str | None = None,
    form: Form = "worked",
    digits: int = DIGITS,
    before: Literal[True] | Mapping[str, Part] | None = None,
    by: By | None = None,
    order: Order = "first",
    most: int | None,
    terms: Iterable[str] | None = None,
    wanted: Iterable[Label] | None = None,
    asked: float | None = None,
) -> Table:
    """P(t|c) of each outcome under each label.

    before: also without smoothing, or under the view that these parts belong to
    wanted: the labels to show
    asked: a number, whose density under each label is shown; for a numeric column under a normal distribution
    """
    check_one_of("table-form", form, FORMS)
    some = chosen_parts(parts, column)
    picked, notes = chosen_labels(labels, wanted)
    places = [labels.index(label) for label in picked]
    if len(some) == 1 and isinstance(only := next(iter(some.values())), NormalPart):
        return _of_numbers(only, picked, places, notes, _checked_number(asked), digits)
    if asked is not None:
        raise error("asked-not-numeric", got=column)
    normal = {name: part for name, part in some.items() if isinstance(part, NormalPart)}
    shown = [chosen(part, order=order, most=most, terms=terms) for part in some.values() if part.estimator is not None]
    with_absence = any(each.estimator.absence for each in shown)
    chances = [_Chances(each, picked, places, form, digits, before, with_absence) for each in shown]
    notes = [
        *remarks(shown, summed=len(shown) == 1 and not with_absence),
        *(note for each in chances for note in each.notes()),
        *notes,
    ]
    if shown and not normal and laid_out(by, shown, plain=plain) == "label":
        return _by_label(chances[0], notes)
    return _by_term(chances, normal, picked, places, notes, named=not plain, digits=digits)


def prior_table(
    estimates: Estimates, *, form: Form = "steps", digits: int = DIGITS, wanted: Iterable[Label] | None = None
) -> Table:
    """P(c) of each label, with its documents where the prior is fitted to them."""
    check_one_of("table-form", form, FORMS)
    picked, notes = chosen_labels(estimates.labels, wanted)
    documents = estimates.documents
    heading = [own("label"), *([] if documents is None else [own("documents")]), Cell("P(c)", "P(c)", latex="P(c)")]
    body: list[list[Any]] = []
    for label in picked:
        place = estimates.labels.index(label)
        counted_as = [] if documents is None else [count_cell(whole(documents[place]))]
        body.append([str(label), *counted_as, prior_chance(estimates, place).cell(form, digits)])
    total = [] if documents is None else [count_cell(whole(sum(documents, Fraction(0))))]
    foot = [[own("sum"), *total, Cell("1", Fraction(1))]]
    return Table(heading, body, {1, 2}, foot, notes=tuple(notes))


def symbol_cell(event: str, label: Label, tag: str = "", *, other: bool = False) -> Cell:
    """`P(t|OK)` as a heading; other: P(t|not OK)."""
    given = Not(Name(str(label))) if other else Name(str(label))
    chance = Probability(Symbol(event, event), given)
    latex = chance.latex() + (rf"\ \text{{{tag}}}" if tag else "")
    text = f"{chance.text()} {tag}".rstrip()
    return Cell(text, text, latex=latex, is_own=bool(tag))


def prior_chance(estimates: Estimates, place: int) -> Chance:
    """P(c) of a label."""
    documents, prior = estimates.documents, estimates.priors[place]
    if documents is None:
        return Chance(Formula(short(prior)), Fraction(prior.numerator), Fraction(prior.denominator))
    total = sum(documents, Fraction(0))
    return Chance(Formula(short(documents[place]), short(total)), Fraction(documents[place]), total)


# ---- what is shown of one column ---------------------------------------------------------------------------------


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
        steps = [self.worked(), self.unreduced(), Number(decimal(self.value, digits))]
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


def decimal(value: Fraction | float, digits: int = DIGITS) -> str:
    """A probability with at most this many decimals, or with a power of ten where those would be zeros.

    >>> decimal(Fraction(7, 22)), decimal(Fraction(1, 4)), decimal(Fraction(1, 10**7)), decimal(Fraction(0))
    ('0.3182', '0.25', '1e-07', '0')
    """
    number = float(value)
    if number == 0 or abs(number) >= 10.0 ** (1 - digits) or digits < 2:
        shown = f"{number:.{digits}f}"
        return shown.rstrip("0").rstrip(".") if "." in shown else shown
    return f"{number:.{min(digits, 3) - 1}e}".replace(".0e", "e")


Find = Callable[[str | None, int], Chance | None]


class _Chances:
    """The likelihoods of one column, in one or more variants: before, present and absent."""

    def __init__(
        self,
        shown: Shown,
        labels: Sequence[Label],
        places: Sequence[int],
        form: Form,
        digits: int,
        before: Literal[True] | Mapping[str, Part] | None,
        with_absence: bool,
    ) -> None:
        """with_absence: the table has columns for terms that are absent, whether or not this one does."""
        self.with_absence = with_absence
        self.shown, self.labels, self.places, self.form, self.digits = shown, labels, places, form, digits
        self.estimator: Estimator = shown.estimator
        self.has_absence = self.estimator.absence is not None
        self.before: Find | None = None
        if before is True:
            self.before = self._unsmoothed
        elif before is not None:
            self.before = _Before(before[shown.part.name].estimator).chance
        self.variants: list[tuple[str, Find]] = [] if self.before is None else [("before", self.before)]
        self.variants.append(("", self.now))

    def now(self, term: str | None, place: int) -> Chance:
        return chance(self.estimator, term, place, self.shown.grown)

    def _unsmoothed(self, term: str | None, place: int) -> Chance:
        numerator, denominator = self.estimator.exact.unsmoothed(term, place)
        is_long = not self.estimator.has_whole_counts
        shown = [short(Rounded(each) if is_long else each) for each in (numerator, denominator)]
        return Chance(Formula(*shown), Rounded(numerator) if is_long else numerator, denominator)

    def symbol(self, label: Label, tag: str = "", absent: bool | None = None) -> Cell:
        """`P(t|OK)`, and what else the heading of a column has."""
        event = self.event() + ("" if absent is None else f"={int(not absent)}")
        return symbol_cell(event, label, tag, other=self.estimator.event_name == "complement")

    def event(self) -> str:
        """The letter for an outcome."""
        return "t" if self.shown.part.of_terms else "x"

    def given(self, label: Label) -> str:
        """What the probability is conditioned on: for the complement model the other labels."""
        return f"not {label}" if self.estimator.event_name == "complement" else str(label)

    def columns(self) -> list[tuple[Any, str, bool | None, Callable[[Outcome], Cell]]]:
        """Label, tag, whether it is of absence, and the cell of an outcome; in the order of the table."""
        presences = [False, True] if self.with_absence else [None]
        return [
            (label, tag, absent, partial(self._cell, find, place, absent))
            for label, place in zip(self.labels, self.places, strict=True)
            for tag, find in self.variants
            for absent in presences
        ]

    def _cell(self, find: Find, place: int, absent: bool | None, outcome: Outcome) -> Cell:
        chance = find(outcome.term, place)
        if chance is None or (absent and not self.has_absence):
            return Cell("")
        if not absent:
            return chance.cell(self.form, self.digits)
        left = Formula(f"1 - {chance.unreduced().text()}")
        rest = Chance(left, chance.denominator - chance.numerator, chance.denominator)
        return rest.cell(self.form, self.digits)

    def sums(self) -> list[Cell] | None:
        """The sum over all outcomes for each column; None for the Bernoulli model, whose terms are no alternatives."""
        if self.has_absence:
            return None
        return [self._sum(place, tag) for place in self.places for tag, _ in self.variants]

    def _sum(self, place: int, tag: str) -> Cell:
        if not tag:
            return column_sum(self.shown, place)
        seen = self.before != self._unsmoothed or self.estimator.exact.unsmoothed(None, place)[1] > 0
        return Cell(str(int(seen)), Fraction(int(seen)))

    def notes(self) -> list[str]:
        """What the numbers are, where they are no plain counts."""
        if self.estimator.has_whole_counts:
            return []
        return [f"counts are weighted: {self.estimator.weighting}{', idf' if self.estimator.reading.idf else ''}"]

    def panels(self, words: Mapping[str, str]) -> dict[str, list[tuple[str, list[Bar]]]]:
        """Each label's names and probabilities, before and after, for a picture; words: for likelier's own names."""
        cells = {each: self.shown.cell(each) for each in self.shown.outcomes}
        names = {each: words.get(cell.text, cell.text) if cell.is_own else cell.text for each, cell in cells.items()}
        return {
            given: [
                (names[each], [self._bar(find(each.term, place)) for _, find in self.variants])
                for each in self.shown.outcomes
            ]
            for given, place in zip(map(self.given, self.labels), self.places, strict=True)
        }

    def _bar(self, chance: Chance | None) -> Bar:
        from likelier._show.pictures import Bar

        if chance is None:
            return Bar(0.0, "–")
        shown = decimal(chance.value, self.digits) if self.form == "decimal" else chance.unreduced().text()
        return Bar(float(chance.value), shown)


@dataclass(frozen=True)
class _Before:
    """The same under another view of the same counts; None for what is not in its vocabulary."""

    estimator: Estimator

    def chance(self, term: str | None, place: int) -> Chance | None:
        is_there = has_unk(self.estimator) if term is None else self.estimator.knows(term)
        return chance(self.estimator, term, place) if is_there else None


def chance(estimator: Estimator, term: str | None, place: int, grown: int = 0) -> Chance:
    """P(t|c) of a term, or of UNK or an unknown term."""
    exact = estimator.exact
    numerator, denominator = exact.ratio(term, place, grown)
    is_long = not estimator.has_whole_counts
    return Chance(exact.formula(term, place, grown), Rounded(numerator) if is_long else numerator, denominator)


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


# ---- the tables --------------------------------------------------------------------------------------------------


def _by_label(chances: _Chances, notes: Sequence[str]) -> Table:
    columns, sums = chances.columns(), chances.sums()
    outcomes = chances.shown.outcomes
    start = [own("label"), *([""] if len(chances.variants) > 1 else []), *([own("t")] if chances.has_absence else [])]
    heading = [*start, *(chances.shown.named(each) for each in outcomes), *([] if sums is None else [own("sum")])]
    body = []
    for place, (label, tag, absent, cell) in enumerate(columns):
        row: list[Any] = [chances.given(label), *([own(tag)] if len(chances.variants) > 1 else [])]
        row += [] if absent is None else [int(not absent)]
        row += [cell(each) for each in outcomes]
        body.append([*row, *([] if sums is None else [sums[place]])])
    numbers = set(range(len(start) - chances.has_absence, len(heading)))
    return Table(heading, body, numbers, flexible=0, notes=tuple(notes), draw=partial(_bars, chances))


def _by_term(
    chances: Sequence[_Chances],
    normal: Mapping[str, NormalPart],
    labels: Sequence[Label],
    places: Sequence[int],
    notes: Sequence[str],
    *,
    named: bool,
    digits: int,
) -> Table:
    start = [own("column"), own("value")] if named else [own("term")]
    body: list[list[Any]] = []
    for each in chances:
        columns = each.columns()
        for outcome in each.shown.outcomes:
            first = [each.shown.part.name] if named else []
            body.append([*first, each.shown.cell(outcome), *(cell(outcome) for *_, cell in columns)])
    spread = max((len(each.columns()) // len(labels) for each in chances), default=1)
    for name, part in normal.items():
        for what, numbers in (("mean", part.normal.means), ("variance", part.normal.variances)):
            values = [[""] * (spread - 1) + [float(numbers[place])] for place in places]
            body.append([name, own(what), *(value for some in values for value in some)])
    heading: list[Any]
    if chances:
        heading = [*start, *(chances[0].symbol(*rest) for *rest, _ in chances[0].columns())]
    else:
        heading = [*start, *map(str, labels)]
    sums = chances[0].sums() if len(chances) == 1 and not normal else None
    foot = [] if sums is None else [[own("sum"), *([""] if named else []), *sums]]
    draw = partial(_bars, chances[0]) if len(chances) == 1 and not normal else None
    return Table(heading, body, set(range(len(start), len(heading))), foot, notes=tuple(notes), draw=draw, flexible=0)


# ---- numbers -----------------------------------------------------------------------------------------------------


def _checked_number(asked: Any) -> float | None:
    if asked is not None and not (is_number(asked) and math.isfinite(asked)):
        raise error("asked-number", got=asked)
    return None if asked is None else float(asked)


def _of_numbers(
    part: NormalPart,
    labels: Sequence[Label],
    places: Sequence[int],
    notes: Sequence[str],
    asked: float | None,
    digits: int,
) -> Table:
    """Mean and variance under each label, and the density of a number."""
    normal, sums = part.normal, part.numbers.sums()
    heading: list[Any] = [own("label"), own("values"), own("mean"), own("variance"), own("standard deviation")]
    body: list[list[Any]] = []
    for label, place in zip(labels, places, strict=True):
        variance = float(normal.variances[place])
        row = [str(label), count_cell(whole(sums[place].count)), float(normal.means[place]), variance]
        body.append([*row, math.sqrt(variance), *([] if asked is None else [_density(part, asked, place)])])
    heading += [] if asked is None else [f"p({asked:.12g}|c)"]
    name = part.name
    told = [f"p(x|c) is the density of a normal distribution with the mean and variance of {name} under the label"]
    return Table(
        heading,
        body,
        set(range(1, len(heading))),
        notes=(*told, *notes),
        draw=partial(_densities, part, list(labels), list(places), asked),
    )


def _density(part: NormalPart, asked: float, place: int) -> Cell:
    found = part.normal.density(asked, place)
    return Cell(f"{found:.4g}" if found else "<1e-300", found)


# ---- pictures ----------------------------------------------------------------------------------------------------


def _bars(chances: _Chances, names: Mapping[str, str] | None = None) -> str:
    from likelier._show.pictures import paired_bars

    series = ["before", "after"] if chances.before else [""]
    if chances.before == chances._unsmoothed:
        series = ["without smoothing", "with smoothing"]
    words = names or {}
    return paired_bars(f"P({chances.event()}|c)", chances.panels(words), [words.get(each, each) for each in series])


def _densities(
    part: NormalPart,
    labels: list[Label],
    places: list[int],
    asked: float | None,
    names: Mapping[str, str] | None = None,
) -> str:
    from likelier._show.pictures import densities

    normal = part.normal
    curves = [
        (str(label), float(normal.means[place]), float(normal.variances[place]))
        for label, place in zip(labels, places, strict=True)
    ]
    return densities(part.name, curves, asked, axis=part.name, words=names)

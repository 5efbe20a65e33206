"""Label by term: P(t|c) worked out, exact, with and without smoothing; the prior of each label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal

from likelier._answer.scores import Estimates, Part
from likelier._base.errors import error
from likelier._board.chances import (
    DIGITS,
    Chance,
    Form,
    chance,
    check_written,
    column_sum,
    decimal,
    prior_chance,
    symbol_cell,
)
from likelier._board.numbers import normal_table
from likelier._board.outcomes import (
    By,
    Order,
    Outcome,
    Shown,
    checked_terms,
    chosen,
    chosen_labels,
    chosen_parts,
    count_cell,
    has_unk,
    laid_out,
    on_labels,
    remarks,
    whole,
)
from likelier._columns.numbers import NormalPart
from likelier._documents.labels import Label
from likelier._estimate.estimator import Estimator
from likelier._estimate.smoothing import Formula, Rounded, short
from likelier._show.table import Cell, Table, own

if TYPE_CHECKING:
    from likelier._show.pictures import Bar


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
    check_written(form, digits)
    terms = None if terms is None else checked_terms(terms)
    some = chosen_parts(parts, column)
    picked = chosen_labels(labels, wanted)
    notes = on_labels(labels, picked, asked=wanted is not None, summed=False)
    places = [labels.index(label) for label in picked]
    if len(some) == 1 and isinstance(only := next(iter(some.values())), NormalPart):
        return normal_table(only, picked, places, notes, asked)
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
    check_written(form, digits)
    picked = chosen_labels(estimates.labels, wanted)
    documents = estimates.documents
    heading = [own("label"), *([] if documents is None else [own("documents")]), Cell("P(c)", "P(c)", latex="P(c)")]
    body: list[list[Any]] = []
    for label in picked:
        place = estimates.labels.index(label)
        counted_as = [] if documents is None else [count_cell(whole(documents[place]))]
        body.append([str(label), *counted_as, prior_chance(estimates, place).cell(form, digits)])
    total = [] if documents is None else [count_cell(whole(sum(documents, Fraction(0))))]
    foot = [[own("sum"), *total, Cell("1", Fraction(1))]]
    notes = on_labels(estimates.labels, picked, asked=wanted is not None, summed=True)
    return Table(heading, body, {1, 2}, foot, notes=tuple(notes))


# ---- what is shown of one column ---------------------------------------------------------------------------------

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
        self.is_unsmoothed_before = before is True
        self.variants: list[tuple[str, Find]] = [("", cache(self.now))]
        if before is not None:
            find = self._unsmoothed if before is True else _Before(before[shown.part.name].estimator).chance
            self.variants.insert(0, ("before", cache(find)))

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
        seen = not self.is_unsmoothed_before or self.estimator.exact.unsmoothed(None, place)[1] > 0
        return Cell(str(int(seen)), Fraction(int(seen)))

    def notes(self) -> list[str]:
        """What the numbers are, where they are no plain counts."""
        if self.estimator.has_whole_counts:
            return []
        return [f"counts are weighted: {self.estimator.weighting}{', idf' if self.estimator.reading.idf else ''}"]

    def drawn(self) -> Callable[..., str]:
        """Draws each label's probabilities, before and after; they are worked out now, as the cells are."""
        panels = {
            given: [
                (self.shown.cell(each), [self._bar(find(each.term, place)) for _, find in self.variants])
                for each in self.shown.outcomes
            ]
            for given, place in zip(map(self.given, self.labels), self.places, strict=True)
        }
        series = ["before", "after"] if len(self.variants) > 1 else [""]
        if self.is_unsmoothed_before:
            series = ["without smoothing", "with smoothing"]
        return partial(_bars, f"P({self.event()}|c)", panels, series)

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
    return Table(heading, body, numbers, flexible=0, notes=tuple(notes), draw=chances.drawn())


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
    draw = chances[0].drawn() if len(chances) == 1 and not normal else None
    return Table(heading, body, set(range(len(start), len(heading))), foot, notes=tuple(notes), draw=draw, flexible=0)


# ---- the picture -------------------------------------------------------------------------------------------------


def _bars(
    title: str,
    panels: Mapping[str, Sequence[tuple[Cell, list[Bar]]]],
    series: Sequence[str],
    names: Mapping[str, str] | None = None,
) -> str:
    from likelier._show.pictures import paired_bars

    words = names or {}
    named = {
        label: [(words.get(cell.text, cell.text) if cell.is_own else cell.text, bars) for cell, bars in rows]
        for label, rows in panels.items()
    }
    return paired_bars(title, named, [words.get(each, each) for each in series])

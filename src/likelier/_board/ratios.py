"""Two labels side by side: the likelihoods of each term, their ratio, and its logarithm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import numpy as np

from likelier._answer.scores import Estimates, Part
from likelier._base.checks import check_one_of, checked_k
from likelier._base.errors import error
from likelier._base.numbers import log_of_fraction
from likelier._board.chances import DIGITS, Chance, Form, chance, check_written, column_sum, prior_chance, symbol_cell
from likelier._board.outcomes import Outcome, Shown, checked_terms, chosen, chosen_parts, remarks
from likelier._columns.numbers import NormalPart
from likelier._documents.labels import Label, checked_label, unknown_label
from likelier._estimate.estimator import Estimator
from likelier._show.decimals import in_places
from likelier._show.table import Cell, Table, cell, own

Order = Literal["ratio", "first", "sorted", "frequent"]
ORDERS = ("ratio", "first", "sorted", "frequent")


def ratio_table(
    estimates: Estimates,
    label: Label,
    against: Label,
    *,
    plain: bool,
    column: str | None = None,
    form: Form = "decimal",
    digits: int = DIGITS,
    order: Order = "ratio",
    most: int | None,
    terms: Iterable[str] | None = None,
) -> Table:
    """P(t|label), P(t|against), their ratio and its logarithm; in the foot the sums, and the same of the prior.

    For the complement model it is P(t|not against) over P(t|not label): above 1 speaks for `label` there too.
    """
    check_written(form, digits)
    check_one_of("ratio-order", order, ORDERS)
    places = [_place(estimates.labels, each) for each in (label, against)]
    if places[0] == places[1]:
        raise error("ratio-labels", got=label)
    terms = None if terms is None else checked_terms(terms)
    some = chosen_parts(estimates.parts, column)
    normal = [name for name, part in some.items() if isinstance(part, NormalPart)]
    shown = [_chosen(part, places, order, most, terms) for name, part in some.items() if name not in normal]
    if not shown:
        raise error("column-without-terms", name=normal[0])
    return _Ratios(estimates, (label, against), places, shown, form, digits, order, terms is not None).table(
        plain=plain, left_out=normal
    )


def _place(labels: Sequence[Label], label: Label) -> int:
    if checked_label(label) not in labels:
        raise unknown_label(label, list(labels))
    return labels.index(checked_label(label))


def _chosen(part: Part, places: list[int], order: Order, most: int | None, terms: Sequence[str] | None) -> Shown:
    """The outcomes; where there are too many, those that best tell the two labels from the others."""
    estimator: Estimator = part.estimator
    limit = None if most is None else checked_k(most, "most")
    if order != "ratio" or terms is not None or limit is None or estimator.reading.size <= limit:
        return chosen(part, order="sorted" if order == "ratio" else order, most=most, terms=terms)
    found = [estimator.telling.best(place, limit) for place in places]
    ids, telling = (np.concatenate(parts) for parts in zip(*found, strict=True))
    best = list(dict.fromkeys(ids[np.argsort(-telling, kind="stable")].tolist()))[:limit]
    names = estimator.reading.names(np.array(best, dtype=np.uint32))
    return Shown(part, [Outcome(name, name) for name in names], estimator.reading.size - len(names))


class _Ratios:
    """The rows of the table."""

    def __init__(
        self,
        estimates: Estimates,
        labels: tuple[Label, Label],
        places: list[int],
        shown: list[Shown],
        form: Form,
        digits: int,
        order: Order,
        given: bool,
    ) -> None:
        self.estimates, self.labels, self.places, self.shown = estimates, labels, places, shown
        self.form, self.digits = form, digits
        self.events = {each.estimator.event_name for each in shown}
        self.rows = [(each, outcome, *self._chances(each, outcome)) for each in shown for outcome in each.outcomes]
        if order == "ratio" and not given:
            self.rows.sort(key=lambda row: (-_logarithm(*self._pair(row)), row[1].name))

    def _chances(self, shown: Shown, outcome: Outcome) -> tuple[Chance, Chance]:
        one, two = (chance(shown.estimator, outcome.term, place, shown.grown) for place in self.places)
        return one, two

    def _pair(self, row: tuple[Shown, Outcome, Chance, Chance]) -> tuple[Fraction, Fraction]:
        """What is divided by what."""
        shown, _, one, two = row
        return (two.value, one.value) if shown.estimator.event_name == "complement" else (one.value, two.value)

    def table(self, *, plain: bool, left_out: list[str]) -> Table:
        start = [own("term")] if plain else [own("column"), own("value")]
        event = "t" if any(each.part.of_terms for each in self.shown) else "x"
        event += "=1" if "bernoulli" in self.events else ""
        heads = [symbol_cell(event, label, other=self.events == {"complement"}) for label in self.labels]
        body = [self._line(row, plain) for row in self.rows]
        foot = [] if plain is False or "bernoulli" in self.events else [self._sums()]
        empty = [] if plain else [""]
        foot.append([own("prior"), *empty, *self._prior()])
        notes = remarks(self.shown, summed=len(foot) > 1)
        if left_out:
            notes.append(f"without {', '.join(left_out)}: a normal distribution has no terms")
        if "bernoulli" in self.events:
            notes.append("a term that is absent adds its own ratio, of P(t=0|c) = 1 - P(t=1|c)")
        numbers = set(range(len(start), len(start) + 4))
        return Table(
            [*start, *heads, own("ratio"), own("log ratio")],
            body,
            numbers,
            foot,
            notes=tuple(notes),
            draw=partial(
                _bars, self.labels, [(self._title(row, plain), _logarithm(*self._pair(row))) for row in self.rows]
            ),
            flexible=0,
        )

    def _title(self, row: tuple[Shown, Outcome, Chance, Chance], plain: bool) -> str:
        return row[1].name if plain else row[0].named(row[1])

    def _line(self, row: tuple[Shown, Outcome, Chance, Chance], plain: bool) -> list[Any]:
        shown, outcome, *chances = row
        cells = [each.cell(self.form, self.digits) for each in chances]
        pair = self._pair(row)
        return [*([] if plain else [shown.part.name]), outcome.name, *cells, *self._ratio(*pair)]

    def _ratio(self, one: Fraction, two: Fraction) -> list[Cell]:
        ratio = _cell_of_ratio(one, two, self.form, self.digits)
        logarithm = _logarithm(one, two)
        shown = {math.inf: "∞", -math.inf: "-∞"}.get(logarithm, f"{logarithm:z.{self.digits}f}")
        return [ratio, Cell(shown, logarithm, latex=shown.replace("∞", r"\infty"))]

    def _sums(self) -> list[Any]:
        (shown,) = self.shown
        return [own("sum"), *(column_sum(shown, place) for place in self.places), "", ""]

    def _prior(self) -> list[Any]:
        chances = [prior_chance(self.estimates, place) for place in self.places]
        one, two = (each.value for each in chances)
        return [*(each.cell(self.form, self.digits) for each in chances), *self._ratio(one, two)]


def _cell_of_ratio(one: Fraction, two: Fraction, form: Form, digits: int) -> Cell:
    if not two:
        return Cell("∞" if one else "0/0", math.inf if one else None, latex=r"\infty" if one else r"\frac{0}{0}")
    if form == "decimal":
        return Cell(_short(one / two, digits), float(one / two))
    return cell(one / two)


def _short(number: Fraction, digits: int) -> str:
    return in_places(number, digits) if 10.0 ** (1 - digits) <= number < 1e6 else f"{float(number):.{digits}g}"


def _logarithm(one: Fraction, two: Fraction) -> float:
    if not one or not two:
        return 0.0 if one == two else math.inf if one else -math.inf
    return log_of_fraction(one / two)


def _bars(labels: tuple[Label, Label], rows: list[tuple[str, float]], names: Mapping[str, str] | None = None) -> str:
    from likelier._show.pictures import diverging_bars

    title = f"log P(t|{labels[0]})/P(t|{labels[1]})"
    axis, only = ((names or {}).get(word, word) for word in ("log ratio", "only"))
    return diverging_bars(title, str(labels[1]), str(labels[0]), rows, axis=axis, only=only)

"""Label by term: how often each term, value or interval was counted, with the number of words and documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from likelier._answer.scores import Part
from likelier._base.checks import check_one_of
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
    in_numbers,
    laid_out,
    on_labels,
    reading_by,
    remarks,
    whole,
)
from likelier._counts.term_counts import Number
from likelier._documents.labels import Label
from likelier._show.table import Cell, Table, own

Counted = Literal["tf", "df"]


def count_table(
    parts: Mapping[str, Part],
    labels: Sequence[Label],
    documents: Mapping[Label, Number],
    *,
    plain: bool,
    column: str | None = None,
    counts: Counted | None = None,
    by: By | None = None,
    order: Order = "first",
    most: int | None,
    terms: Iterable[str] | None = None,
    wanted: Iterable[Label] | None = None,
) -> Table:
    """How often each outcome was counted under each label.

    documents: how many each label has
    wanted: the labels to show
    """
    if counts is not None:
        check_one_of("table-counts", counts, ("tf", "df"))
    terms = None if terms is None else checked_terms(terms)
    some = chosen_parts(parts, column)
    numeric = {name: part for name, part in some.items() if part.estimator is None}
    shown = [chosen(part, order=order, most=most, terms=terms) for part in some.values() if part.estimator is not None]
    rows = _Rows(shown, labels, wanted, counts)
    if shown and not numeric and laid_out(by, shown, plain=plain) == "label":
        return _by_label(rows, documents)
    return _by_term(rows, numeric, documents, named=not plain)


class _Rows:
    """The outcomes of each column with their counts under the labels that are shown."""

    def __init__(
        self, shown: Sequence[Shown], labels: Sequence[Label], wanted: Iterable[Label] | None, counts: Counted | None
    ) -> None:
        self.shown, self.all_labels, self.labels = shown, labels, chosen_labels(labels, wanted)
        self.asked = wanted is not None
        self.places = [labels.index(label) for label in self.labels]
        self.readings = [reading_by(each.estimator, counts) for each in shown]
        self.counts_words = counts != "df" and all(each.part.of_terms and not each.estimator.once for each in shown)

    def of(self, place: int) -> list[tuple[Outcome, list[Number]]]:
        """The outcomes of one column, with their counts under all labels."""
        shown, reading = self.shown[place], self.readings[place]
        return [(outcome, shown.numbers(outcome, reading)) for outcome in shown.outcomes]

    def sums(self, place: int) -> list[Number]:
        """Over all outcomes of the column, shown or not, under all labels."""
        reading = self.readings[place]
        total = reading.sums.total.tolist() if has_unk(self.shown[place].estimator) else reading.over_kept.sums.tolist()
        return [in_numbers(int(each), reading) for each in total]

    def picked(self, numbers: Sequence[Number]) -> list[Cell]:
        """Those of the labels that are shown."""
        return [count_cell(numbers[place]) for place in self.places]

    def notes(self, *, over_terms: bool, over_labels: bool) -> tuple[str, ...]:
        """What is not shown; over_terms, over_labels: the table has sums over them."""
        return (
            *remarks(self.shown, summed=over_terms),
            *on_labels(self.all_labels, self.labels, asked=self.asked, summed=over_labels),
        )


def _by_label(rows: _Rows, documents: Mapping[Label, Number]) -> Table:
    outcomes = rows.of(0)
    words = [own("words")] if rows.counts_words else []
    named = [rows.shown[0].named(outcome) for outcome, _ in outcomes]
    heading = [own("label"), *named, *words, own("documents")]
    sums = [rows.sums(0)] if words else []
    columns = [*(numbers for _, numbers in outcomes), *sums, [documents[label] for label in rows.all_labels]]
    cells = zip(*map(rows.picked, columns), strict=True)
    body = [[str(label), *row] for label, row in zip(rows.labels, cells, strict=True)]
    foot = [[own("sum"), *(count_cell(sum(numbers)) for numbers in columns)]]
    return Table(
        heading,
        body,
        set(range(1, len(heading))),
        foot,
        flexible=0,
        notes=rows.notes(over_terms=bool(words), over_labels=True),
    )


def _by_term(rows: _Rows, numeric: Mapping[str, Part], documents: Mapping[Label, Number], *, named: bool) -> Table:
    start = [own("column"), own("value")] if named else [own("term")]
    body: list[list[Any]] = []
    for place, shown in enumerate(rows.shown):
        for outcome, numbers in rows.of(place):
            body.append([*([shown.part.name] if named else []), shown.cell(outcome), *rows.picked(numbers)])
    for name, part in numeric.items():
        body += [[name, own(what), *numbers] for what, numbers in _of_numbers(part, rows.places)]
    foot: list[list[Any]] = [] if named else [[own("sum"), *rows.picked(rows.sums(0))]]
    foot.append([own("documents"), *([""] if named else []), *(count_cell(documents[label]) for label in rows.labels)])
    heading = [*start, *map(str, rows.labels)]
    right = set(range(len(start), len(heading)))
    return Table(heading, body, right, foot, notes=rows.notes(over_terms=not named, over_labels=False), flexible=0)


def _of_numbers(part: Any, places: Sequence[int]) -> list[tuple[str, list[Any]]]:
    """What a normal distribution is made of."""
    sums = part.numbers.sums()
    return [
        ("values", [count_cell(whole(sums[place].count)) for place in places]),
        ("mean", [float(part.normal.means[place]) for place in places]),
        ("variance", [float(part.normal.variances[place]) for place in places]),
    ]

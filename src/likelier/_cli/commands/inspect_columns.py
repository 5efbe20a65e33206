"""What `likelier inspect` shows of columns: a table of all, and the figures of one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from likelier._cli.shared.output import GAP, LABEL_CELLS, Table, plural, whole
from likelier._columns.numbers import IntervalPart, NormalPart
from likelier._columns.words import Words
from likelier._counts.by_column import Counts
from likelier._counts.in_words import labels_table, tokens_of
from likelier._counts.term_counts import TermCounts
from likelier._documents.kinds import Numeric, Text
from likelier._documents.labels import Label
from likelier._estimate.numeric import rule_name
from likelier._model.column_view import TopTerm
from likelier._model.models import Model
from likelier._model.view import View
from likelier._settings.in_words import text_in_words
from likelier._settings.values import Settings
from likelier._show.cells import clean, cut, width, wrap
from likelier._show.words import probability

DIGITS = 9  # most digits of a figure in a table
VALUE_CELLS = 32  # most cells of a value in a table


def plain_number(value: Any) -> int | float:
    """A count for JSON and CSV."""
    return value if isinstance(value, int) else float(value)


def plain_labels(
    counts: Counts | TermCounts, top_terms: Callable[[Label, int], Iterable[TopTerm]], top: int
) -> list[dict[str, Any]]:
    """Each label with its documents, tokens and most telling terms, for JSON."""
    tokens = tokens_of(counts)
    return [
        {
            "label": label,
            "documents": plain_number(documents),
            **({"tokens": plain_number(tokens[label])} if tokens else {}),
            "top_terms": [
                {"term": found.term, "telling": found.telling, "times": plain_number(found.times)}
                for found in top_terms(label, top)
            ],
        }
        for label, documents in counts.documents_per_label.items()
    ]


def plain_columns(model: Model, settings: Settings) -> list[dict[str, Any]]:
    """Each column with its kind, its number of outcomes, how often it is missing, and its rule."""
    counts = model.counts
    return [
        {
            "column": name,
            "kind": kind.name,
            "outcomes": counts.columns[name].vocabulary_size,
            "missing": plain_number(counts.missing(name)),
            **({"numbers": rule_name(settings.of_column(name).numeric)} if isinstance(kind, Numeric) else {}),
            **({"words": text_in_words(kind)} if isinstance(kind, Text) else {}),
        }
        for name, kind in model.schema.columns.items()
    ]


def columns_table(model: Model, settings: Settings) -> Table:
    """The columns as a table."""
    rows = [
        (
            each["column"],
            each["kind"],
            plural(each["outcomes"], "term" if each["kind"] == "text" else "value"),
            whole(each["missing"]) if each["missing"] else "",
            each.get("numbers", each.get("words", "")),
        )
        for each in plain_columns(model, settings)
    ]
    heading = ("column", "kind", "seen", "missing", "rule")
    return Table(heading, rows, numbers=frozenset({2, 3}), limits=((0, VALUE_CELLS),), spare=(3, 2))


# ---- one column --------------------------------------------------------------------------------------------------


def one_column(view: View, name: str, top: int) -> NormalFigures | ValueFigures | TellingTerms:
    """The figures of a column, by its kind."""
    part = view.estimates.parts[name]
    if isinstance(part, NormalPart):
        return NormalFigures(view, name)
    return TellingTerms(view, name, top) if isinstance(part, Words) else ValueFigures(view, name, top)


class NormalFigures:
    """A numeric column with normal distributions: mean and standard deviation by label."""

    def __init__(self, view: View, name: str) -> None:
        self.view, self.name = view, name

    def rows(self) -> list[tuple[Label, Any, float, float]]:
        """label, documents, mean, standard deviation."""
        figures, counts = self.view.column(self.name), self.view.counts
        return [
            (label, documents, figures.mean(label), math.sqrt(figures.variance(label)))
            for label, documents in counts.columns[self.name].documents_per_label.items()
        ]

    def lines(self, room: int, color: bool) -> list[str]:
        labels, documents, means, deviations = zip(*self.rows(), strict=True)
        rows = list(zip(map(str, labels), map(whole, documents), _aligned(means), _aligned(deviations), strict=True))
        heading = ("label", "documents", "mean", "standard deviation")
        table = Table(heading, rows, numbers=frozenset({1, 2, 3}), limits=((0, LABEL_CELLS),))
        title = f"{clean(self.name)}: numeric, with a normal distribution per label"
        return [*wrap(title, room), "", *table.lines(room, color)]

    def plain(self) -> dict[str, Any]:
        names = ("label", "documents", "mean", "standard_deviation")
        labels = [dict(zip(names, (label, plain_number(n), *rest), strict=True)) for label, n, *rest in self.rows()]
        return {"column": self.name, "kind": "numeric", "numbers": "gaussian", "labels": labels}


def _aligned(numbers: Sequence[float]) -> list[str]:
    """Numbers with the same number of decimals: enough for three digits of the smallest.

    >>> _aligned([16.45, 5.5541, 0.0]), _aligned([1e9, 0.001])
    (['16.45', '5.55', '0.00'], ['1e+09', '0.001'])
    """
    sizes = [abs(number) for number in numbers if number]
    places = max(2 - math.floor(math.log10(min(sizes))), 0) if sizes else 0
    if sizes and places + math.log10(max(sizes)) > DIGITS:
        return [f"{number:.4g}" for number in numbers]
    return [f"{number:,.{places}f}" for number in numbers]


class ValueFigures:
    """A column of values or intervals: the likelihood of each under each label."""

    def __init__(self, view: View, name: str, top: int) -> None:
        self.view, self.name, self.top = view, name, top
        self.kind = view.schema.columns[name].name
        self.rule: str | None = None
        part = view.estimates.parts[name]
        self.often: dict[str, Any] = dict.fromkeys(getattr(view.schema.columns[name], "values", ()), 0)
        for value, _, times, _ in view.column(name).counts.cells():
            self.often[value] = self.often.get(value, 0) + times
        if isinstance(part, IntervalPart):
            self.rule = rule_name(view.settings.of_column(name).numeric)
            self.values = part.intervals
        else:
            self.values = sorted(self.often, key=lambda value: (-self.often[value], value))[:top]

    def rows(self) -> list[tuple[str, Any, list[Any]]]:
        """value, documents, likelihood under each label; None if this view ignores the value."""
        figures = self.view.column(self.name)
        known = figures.estimator.knows
        return [
            (
                value,
                self.often.get(value, 0),
                [figures.likelihood(value, label) if known(value) else None for label in self.view.labels],
            )
            for value in self.values
        ]

    def lines(self, room: int, color: bool) -> list[str]:
        rows = [
            (value, whole(times), *("ignored" if each is None else probability(float(each)) for each in chances))
            for value, times, chances in self.rows()
        ]
        heading = ("interval" if self.rule else "value", "documents", *map(str, self.view.labels))
        if not _fits(heading, rows, room):
            return TellingTerms(self.view, self.name, self.top).lines(room, color)
        numbers = frozenset(range(1, len(heading)))
        limits = ((0, VALUE_CELLS), *((place, LABEL_CELLS) for place in range(2, len(heading))))
        alone = self.rule is not None and len(self.values) == 1
        more = 0 if self.rule else len(self.often) - len(rows)
        return [
            *wrap(f"{clean(self.name)}: {self.kind}{f', {self.rule}' if self.rule else ''}; P(value|label)", room),
            "",
            *Table(heading, rows, numbers=numbers, limits=limits).lines(room, color),
            *([f"... and {plural(more, 'more value')}; use --top {len(self.often)} to show all"] if more else []),
            *(wrap("no informative cut point was found, so the column has no effect", room) if alone else []),
        ]

    def plain(self) -> dict[str, Any]:
        values = [
            {
                "value": value,
                "documents": plain_number(times),
                "labels": [
                    {
                        "label": label,
                        "likelihood": None if chance is None else float(chance),
                        "exact": None if chance is None else str(chance),
                    }
                    for label, chance in zip(self.view.labels, chances, strict=True)
                ],
            }
            for value, times, chances in self.rows()
        ]
        numbers = {"numbers": self.rule} if self.rule else {}
        return {"column": self.name, "kind": self.kind, **numbers, "values": values}


def _cut(heading: Sequence[str]) -> list[str]:
    return [cut(clean(name), LABEL_CELLS) for name in heading]


def _fits(heading: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> bool:
    sizes = [min(max(map(width, column)), VALUE_CELLS) for column in zip(_cut(heading), *rows, strict=True)]
    return sum(sizes) + len(GAP) * (len(sizes) - 1) <= room


class TellingTerms:
    """The most telling terms of a column for each label."""

    def __init__(self, view: View, name: str, top: int) -> None:
        self.view, self.name, self.top = view, name, top
        self.figures = view.column(name)

    def lines(self, room: int, color: bool) -> list[str]:
        counts, kind = self.figures.counts, self.view.schema.columns[self.name].name
        what = "term" if kind == "text" else "value"
        title = f"{clean(self.name)}: {kind}, {plural(counts.vocabulary_size, what)}"
        table = labels_table(counts, self.figures.top_terms, top=self.top, what=f"{what}s")
        return [*wrap(title, room), "", *table.lines(room, color)]

    def plain(self) -> dict[str, Any]:
        counts = self.figures.counts
        return {
            "column": self.name,
            "kind": self.view.schema.columns[self.name].name,
            "terms": counts.vocabulary_size,
            "labels": plain_labels(counts, self.figures.top_terms, self.top),
        }

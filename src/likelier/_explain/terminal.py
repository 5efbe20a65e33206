"""An explanation as a table for the terminal.

Each label has a column with the worked fraction and one with what it adds to the score; the last column is the
difference of winner and runner-up, with a bar: to the right it speaks for the winner, to the left against it. Where
space is short, the fractions are written shorter and then left out; terms are cut, numbers never.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from likelier._documents.labels import Label
from likelier._explain.explanation import Explanation, Factor
from likelier._explain.table import (
    Row,
    chance,
    compared,
    decision,
    has_times,
    number,
    odds,
    often,
    places,
    probability,
    rows,
    signed,
    weighed,
)
from likelier._show.cells import clean, cut, left, paint, right, wrap
from likelier._show.cells import width as cells

MOST_TERMS, MOST_LABELS = 20, 20
GAP = "  "
BAR = (7, 25)  # fewest and most cells, the middle line included
NAME = (14, 32)
VALUE = 24  # up to so many cells the name of a value is whole
LABEL = (14, 40)  # most cells of a label above a column, and in a sentence


def render(explanation: Explanation, *, color: bool = False, width: int = 80) -> str:
    """The table.

    width: of the terminal, in characters. Lines are not longer, unless the numbers alone need more.
    """
    table = _Table(explanation, color, width)
    lines = [
        *(paint(line, "strong", color) for line in wrap(decision(explanation, _named), width)),
        *wrap(clean(explanation.verdict.reason or ""), width),
        "",
        *table.lines(),
        "",
        *_label_lines(explanation, table.places, color, width),
        *wrap(odds(explanation, _named), width),
        *(line for note in table.notes() for line in wrap(note, width)),
    ]
    return "\n".join(line.rstrip() for line in lines)


_COMPLEMENT = "complement: fractions are P(t|not c), the smaller one speaks for its label"
_WORKED_DENSITY = "N(x; mean, variance) is the density of a normal distribution"
_DENSITY = "decimals are densities of normal distributions"


def _named(label: Label) -> str:
    return cut(clean(str(label)), LABEL[1])


def _compact(worked: str) -> str:
    """`(6+1)/(15+7) = 7/22`."""
    return " = ".join(side.replace(" ", "") for side in worked.split(" = "))


def _worked(factor: Factor) -> str:
    return _compact(str(factor.formula))


# From long to short, of fractions and of densities; the first that fits is taken.
_Form = Callable[[Factor], str]
_FORMS: list[_Form] = [
    str,
    lambda factor: _compact(str(factor)),
    _worked,
    lambda factor: factor.shown if factor.is_density else _worked(factor),
    lambda factor: factor.shown,
]


@dataclass(frozen=True)
class _Columns:
    """How wide each column is; 0: left out."""

    name: int
    times: int
    fractions: tuple[int, ...]
    numbers: tuple[int, ...]
    difference: int
    bar: int

    @property
    def total(self) -> int:
        """The whole line."""
        columns = (self.times, *self.fractions, *self.numbers, self.difference, self.bar)
        return self.name + sum(cells + len(GAP) for cells in columns if cells)

    def label(self, place: int) -> int:
        """Both columns of a label together."""
        fraction = self.fractions[place]
        return self.numbers[place] + (fraction + len(GAP) if fraction else 0)


class _Table:
    def __init__(self, explanation: Explanation, color: bool, width: int) -> None:
        self.explanation = explanation
        self.color = color
        self.width = width
        self.labels = [clean(str(label)) for label in compared(explanation)]
        self.rows = rows(explanation, MOST_TERMS)
        self.places = places(self.rows)
        self.names = [clean(row.name) for row in self.rows]
        self.scores = tuple(explanation.log_scores[label] for label in compared(explanation))
        self.largest = max((abs(row.difference) for row in self.rows if math.isfinite(row.difference)), default=0.0)
        self.form, self.columns = self._layout()

    # ---- layout --------------------------------------------------------------------------------------------------

    def _layout(self) -> tuple[_Form | None, _Columns]:
        forms: list[_Form | None] = [*_FORMS, None]
        tries = [(form, BAR[0] if len(self.labels) > 1 else 0) for form in forms]
        for form, bar in [*tries, (None, 0)]:
            columns = self._columns(form, bar)
            if columns.total <= self.width:
                break
        return form, columns

    def _longest_name(self, fraction: int) -> int:
        """Without what a name may take over from the cells behind it."""
        times = self._times()
        free = len(GAP) + times if times else 0  # the sum of several items has no times
        more = len(GAP) + fraction if fraction else 0

        def taken_over(row: Row) -> int:
            return (free if row.times is None else 0) + (more if _says_nothing(row) else 0)

        pairs = zip(self.rows, self.names, strict=True)
        return max(cells("log score"), *(cells(name) - taken_over(row) for row, name in pairs))

    def _shortest_name(self) -> int:
        """Terms may be cut to this; the number of absent terms and short values may not."""
        pairs = list(zip(self.rows, self.names, strict=True))
        values = (min(cells(name), VALUE) for row, name in pairs if row.kind == "value")
        return max(NAME[0], *values, *(cells(name) for row, name in pairs if row.kind == "absent"), 0)

    def _columns(self, form: _Form | None, bar: int) -> _Columns:
        """The columns with this form of the fractions; names and bar share what is left."""
        fractions = tuple(self._widest_fraction(form, place) for place in range(len(self.labels)))
        numbers = tuple(self._widest_number(place, fractions[place]) for place in range(len(self.labels)))
        times, difference = self._times(), self._difference(bar)
        taken = [cells + len(GAP) for cells in (times, *fractions, *numbers, difference, bar) if cells]
        free = self.width - sum(taken)
        name = min(self._longest_name(fractions[0]), NAME[1], max(free, self._shortest_name()))
        if bar:
            bar = min(bar + max(free - name, 0), BAR[1])
            bar -= 1 - bar % 2  # the middle line and two equal sides
        return _Columns(name, times, fractions, numbers, difference, bar)

    def _widest_fraction(self, form: _Form | None, place: int) -> int:
        if form is None:
            return 0
        return max((cells(form(row.factors[place])) for row in self.rows if row.factors), default=0)

    def _widest_number(self, place: int, fraction: int) -> int:
        shown = [
            number(value, self.places)
            for value in (*(row.contributions[place] for row in self.rows), self.scores[place])
        ]
        widest = max(map(len, shown))
        return widest if fraction else max(widest, min(cells(self.labels[place]), LABEL[0]))

    def _times(self) -> int:
        if not has_times(self.explanation, self.rows):
            return 0
        return max(len("times"), *(len(often(row.times)) for row in self.rows))

    def _difference(self, bar: int) -> int:
        if len(self.labels) < 2:
            return 0
        heading = 0 if bar else len("difference")  # with a bar, it stands above both
        return max(heading, len(self._odds()), *(len(signed(row.difference, self.places)) for row in self.rows))

    def notes(self) -> list[str]:
        """What the table does not say by itself."""
        columns = self.columns
        room = columns.name + sum(len(GAP) + empty for empty in (columns.times, columns.fractions[0]) if empty)
        cut_off = [clean(row.name[1:-1]) for row in self.rows if _says_nothing(row) and cells(clean(row.name)) > room]
        densities = [factor for row in self.rows for factor in row.factors if factor.is_density]
        shown = self.form(densities[0]) if self.form and densities else None
        return [
            *cut_off,
            *([_WORKED_DENSITY if shown.startswith("N(") else _DENSITY] if shown else []),
            *([_COMPLEMENT] if "complement" in self.explanation.events.values() else []),
            *weighed(self.explanation),
        ]

    # ---- lines ---------------------------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        body = [self._line(row, name) for row, name in zip(self.rows, self.names, strict=True)]
        total = self._cells("log score", "", self.scores, (), self._odds())
        ruler = "─" * self.columns.total
        return [paint(self._heading(), "faint", self.color), *body, paint(ruler, "faint", self.color), total]

    def _heading(self) -> str:
        columns = self.columns
        parts = [left("item", columns.name), *([right("times", columns.times)] if columns.times else [])]
        for place, label in enumerate(self.labels):
            fill = left if columns.fractions[place] else right
            parts.append(fill(cut(label, columns.label(place)), columns.label(place)))
        if columns.difference:
            parts.append("difference" if columns.bar else right("difference", columns.difference))
        return GAP.join(parts)

    def _line(self, row: Row, name: str) -> str:
        columns = self.columns
        times = often(row.times)
        shown = signed(row.difference, self.places) if columns.difference else ""
        line = self._cells(name, times, row.contributions, row.factors, shown)
        return f"{line}{GAP}{self._bar(row.difference)}" if columns.bar else line

    def _cells(
        self, name: str, times: str, contributions: Sequence[float], factors: Sequence[Factor], difference: str
    ) -> str:
        columns, parts = self.columns, []
        if columns.times:
            parts.append(right(times, columns.times))
        for place, contribution in enumerate(contributions):
            if columns.fractions[place]:
                fraction = self.form(factors[place]) if self.form and factors else ""
                parts.append(left(fraction, columns.fractions[place]))
            parts.append(right(number(contribution, self.places), columns.numbers[place]))
        return GAP.join([*_run_on(name, columns.name, parts), right(difference, columns.difference)])

    def _odds(self) -> str:
        if len(self.scores) < 2 or self.scores[0] == -math.inf:
            return ""
        return signed(self.scores[0] - self.scores[1], self.places)

    def _bar(self, difference: float) -> str:
        half = self.columns.bar // 2
        share = 1.0 if math.isinf(difference) else abs(difference) / (self.largest or 1.0)
        length = round(share * half)
        against = right("▒" * length if difference < 0 else "", half)
        speaks_for = left("█" * length if difference > 0 else "", half)
        return f"{paint(against, 'against', self.color)}│{paint(speaks_for, 'for', self.color)}"


def _run_on(name: str, room: int, behind: list[str]) -> list[str]:
    """The name and the cells behind it; a long name takes over those that are empty."""
    taken = 0
    while cells(name) > room and not behind[taken].strip():
        room += len(GAP) + cells(behind[taken])
        taken += 1
    return [left(cut(name, room), room), *behind[taken:]]


def _says_nothing(row: Row) -> bool:
    """Columns without a value or with one that was never seen: their names have room where others have fractions."""
    return row.kind in ("missing", "unknown") and row.times is None


def _label_lines(explanation: Explanation, places: int, color: bool, width: int) -> list[str]:
    """Every label with its score and probability, likeliest first."""
    labels, scores, chances = explanation.labels, explanation.log_scores, explanation.verdict.probabilities
    shown = labels[:MOST_LABELS]
    numbers = [(number(scores[label], places), chance(explanation, label)) for label in shown]
    score_cells = max(len("log score"), *(len(score) for score, _ in numbers))
    names = [clean(str(label)) for label in shown]
    name_cells = min(
        max(len("label"), *map(cells, names)), max(width - score_cells - len(GAP) * 2 - len("probability"), 8)
    )

    def line(name: str, score: str, chance: str) -> str:
        return GAP.join(
            [left(cut(name, name_cells), name_cells), right(score, score_cells), right(chance, len("probability"))]
        )

    lines = [line(name, *pair) for name, pair in zip(names, numbers, strict=True)]
    rest = labels[MOST_LABELS:]
    if rest:
        lines.append(f"... and {len(rest)} more labels, together {probability(sum(chances[label] for label in rest))}")
    return [paint(line("label", "log score", "probability"), "faint", color), *lines]

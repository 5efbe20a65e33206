"""An explanation as tables: the items in the order in which people read them, and the labels.

The prior comes first, with its correction where a calibration has fitted one; then terms and values, strongest first,
for or against; then the absent and the unknown terms, and what is missing. Of a long text the terms that matter most
have a row each; one more row has the sum of all others, so that the columns still add up to the sums.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from likelier._documents.labels import Label
from likelier._explain.explanation import EVIDENCE, Explanation, Factor, Item
from likelier._explain.sentences import chance
from likelier._explain.steps import total
from likelier._show.cells import cut, left, paint, right
from likelier._show.html_words import named, safe
from likelier._show.table import Cell, Table
from likelier._show.words import log_score, percent, signed

NAME = 34  # most characters of an item
LABEL = 14  # most characters of a label above a column of numbers

RowKind = Literal["prior", "correction", "term", "value", "more", "absent", "unknown", "missing", "refined"]
Form = Callable[[Factor], str]  # how a factor is written


# ---- rows --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    times          how often the logarithm of the factor is added, idf included; None for the sum of several items, and
                   for columns that say nothing
    contributions  of the winner and the label it is compared with, or of the only label
    factors        behind them; empty where there is no single one
    column         the column that it comes from, where there is one
    refined        what refined weights say for the winner and against the other label
    """

    kind: RowKind
    name: str
    times: float | None
    contributions: tuple[float, ...]
    factors: tuple[Factor, ...] = ()
    column: str | None = None
    refined: float = 0.0

    @property
    def difference(self) -> float:
        """What the row says for the winner and against the other label; 0 with one label."""
        return difference(self.contributions)


def difference(pair: Sequence[float]) -> float:
    """The first minus the second; 0 where both are impossible, or there is no second."""
    return 0.0 if len(pair) < 2 or pair[0] == pair[1] else pair[0] - pair[1]


def rows(explanation: Explanation, most: int, *, full: bool = False) -> list[Row]:
    """The rows, one each for at most `most` terms and values; full: with the factors behind them."""
    labels = explanation.compared
    strongest = sorted(explanation.strongest(), key=lambda item: -strength(explanation, item))
    rest = strongest[most:]
    silent = [item for item in explanation.items if _is_silent(explanation, item)]
    alone = [item for item in explanation.items if not _is_silent(explanation, item)]
    others = {kind: [_row(item, labels, full) for item in alone if item.kind == kind] for kind in _BRACKETS}
    return [
        *others["prior"],
        *others["correction"],
        *(_row(item, labels, full) for item in strongest[:most]),
        *([_summed("more", f"{len(rest)} more, together", rest, labels)] if rest else []),
        *others["refined"],
        *others["absent"],
        *others["unknown"],
        *([_together(silent, labels)] if silent else []),
        *others["missing"],
    ]


def strength(explanation: Explanation, item: Item) -> float:
    """How much the item matters, for or against: the difference, or the contribution where there is one label."""
    labels = explanation.compared
    return abs(explanation._says(item, *labels)) if len(labels) > 1 else abs(item.contributions[labels[0]])


_BRACKETS = {  # no evidence
    "prior": "({})",
    "correction": "({})",
    "absent": "({})",
    "unknown": "(unknown: {})",
    "missing": "(missing: {})",
    "refined": "({})",
}


def _row(item: Item, labels: list[Label], full: bool) -> Row:
    title = item.title
    if item.kind == "prior" and not full:
        title = f"prior: {' to '.join(percent(math.exp(item.weights[label])) for label in labels)}"
    name = _BRACKETS.get(item.kind, "{}").format(title)
    contributions = tuple(item.contributions[label] for label in labels)
    factors = tuple(item.factors[label] for label in labels if item.factors) if full else ()
    times = None if item.kind in ("missing", "refined") else item.times if item.idf == 1 else item.times * item.idf
    return Row(item.kind, name, times, contributions, factors, item.column, _refined([item], labels))


def _is_silent(explanation: Explanation, item: Item) -> bool:
    """Unknown values that nothing is estimated for share a row; unknown terms of a text have theirs."""
    return item.kind == "unknown" and not item.factors and item.column not in (None, *explanation.events)


def _together(items: list[Item], labels: list[Label]) -> Row:
    names = ", ".join(item.name for item in items)
    return _summed("unknown", f"(unknown: {names})", items, labels)


def _summed(kind: RowKind, name: str, items: list[Item], labels: list[Label]) -> Row:
    return Row(kind, name, None, _sums(items, labels), refined=_refined(items, labels))


def _refined(items: list[Item], labels: list[Label]) -> float:
    return math.fsum(item.refined_difference(*labels) for item in items) if len(labels) > 1 else 0.0


def _sums(items: list[Item], labels: list[Label]) -> tuple[float, ...]:
    return tuple(sum(item.contributions[label] for item in items) for label in labels)


def often(times: float | None) -> str:
    """How often an item is added.

    >>> often(2), often(0.693147), often(None)
    ('2', '0.6931', '')
    """
    return "" if times is None else str(times) if isinstance(times, int) else f"{times:.4g}"


def places(table: Sequence[Row]) -> int:
    """Decimals that tell the terms apart: 3, or more where all their differences are small (normalized complement).

    >>> places([Row("term", "spam", 1, (-2.5, -1.0))]), places([Row("term", "spam", 1, (0.00042, 0.0002))])
    (3, 6)
    """
    sizes = [abs(row.difference) for row in table if row.kind in EVIDENCE]
    largest = max((size for size in sizes if 1e-8 < size < math.inf), default=1.0)
    return max(3, 2 - math.floor(math.log10(largest)))


# ---- tables ------------------------------------------------------------------------------------------------------


class Items:
    """The table of items, for the winner and the label it is compared with.

    An item has its name, a bar (to the right it speaks for the winner, to the left against it), and the difference:
    what it adds to the log odds. With `full`, each label has columns between them: the worked fraction, if it has a
    form, and what it adds to the label's sum. With one label there is its sum only. Beside refined weights
    one more column has what they add to the log odds.
    """

    def __init__(self, explanation: Explanation, rows: Sequence[Row], *, full: bool = False) -> None:
        self.labels, self.rows, self.places = explanation.compared, rows, places(rows)
        self.full = full or len(self.labels) < 2
        self.sums = [explanation.sums[label] for label in self.labels]
        self.total = total(explanation) if len(self.labels) > 1 else 0.0
        # values are always added once
        self.is_refined = explanation.naive is not None and len(self.labels) > 1
        self.refined = math.fsum(row.refined for row in rows)
        self.has_times = self.full and (explanation.is_plain or any(row.times not in (None, 1) for row in rows))
        finite = [abs(row.difference) for row in rows if math.isfinite(row.difference)]
        self.largest = max(finite, default=0.0) or 1.0

    def table(self, form: Form | None, bar: int, least: int = 8) -> Table:
        """The table; least: characters that names have at least."""
        bar = bar if len(self.labels) > 1 else 0
        heading: list[Any] = ["item"]
        if self.full:
            heading += [*([""] if bar else []), *(["times"] if self.has_times else [])]
            heading += [self._heading(label, form) for label in self.labels]
            heading += ["diff."] if len(self.labels) > 1 else []
        else:
            heading += [self._versus(bar)]
        behind, of_label = 1 + bool(bar) + self.has_times, 2 if form else 1
        after = behind + of_label * len(self.labels) * self.full
        numbers = {1 + bool(bar)} if self.has_times else set()
        numbers |= {*range(behind + of_label - 1, after, of_label), after, after + self.is_refined}
        heading += ["refined"] if self.is_refined else []
        lines = [self._line(row, form, bar) for row in self.rows]
        return Table(heading, lines, numbers, [self._foot(form, bar)], flexible=0, least=least, limits=((0, NAME),))

    def _heading(self, label: Label, form: Form | None) -> Cell:
        return Cell(str(label) if form else cut(str(label), LABEL), span=2 if form else 1, html=named(label))

    def _versus(self, bar: int) -> Cell:
        one, two = (cut(str(label), LABEL) for label in self.labels)
        html = f"{named(self.labels[0])} against {named(self.labels[1])}"
        return Cell(f"{one} against {two}", span=2 if bar else 1, html=html, attributes='class="versus"')

    def _line(self, row: Row, form: Form | None, bar: int) -> list[Any]:
        faint = "" if row.kind in EVIDENCE else 'class="faint"'
        cells: list[Any] = [Cell(row.name, html=f"<bdi>{safe(row.name)}</bdi>", attributes=faint)]
        cells += [self._bar(row.difference, bar)] if bar else []
        cells += [often(row.times)] if self.has_times else []
        for place, contribution in enumerate(row.contributions if self.full else ()):
            if form:
                cells.append(Cell(form(row.factors[place]) if row.factors else "", attributes='class="f"'))
            cells.append(log_score(contribution, self.places))
        cells += [signed(row.difference, self.places)] if len(self.labels) > 1 else []
        return [*cells, signed(row.refined, self.places)] if self.is_refined else cells

    def _foot(self, form: Form | None, bar: int) -> list[str]:
        cells = ["sum", *([""] if bar else []), *([""] if self.has_times else [])]
        for each in self.sums if self.full else ():
            cells += [*([""] if form else []), log_score(each, self.places)]
        shown = "" if self.sums[0] == -math.inf else signed(self.total, self.places)
        cells += [shown] if len(self.labels) > 1 else []
        return [*cells, signed(self.refined, self.places)] if self.is_refined else cells

    def _bar(self, value: float, cells: int) -> Cell:
        half = cells // 2
        share = 1.0 if math.isinf(value) else abs(value) / self.largest
        length = round(share * half)
        against = right("▒" * length if value < 0 else "", half)
        speaks_for = left("█" * length if value > 0 else "", half)
        side = "for" if value > 0 else "against"
        bar = f'<i class="{side}" style="width:{50 * share:.1f}%"></i>' if value else ""
        return Cell(
            f"{against}│{speaks_for}",
            color=f"{paint(against, 'against', True)}│{paint(speaks_for, 'for', True)}",
            html=f"<div>{bar}</div>",
            attributes='class="bar"',
        )


def labels_table(explanation: Explanation, digits: int, most: int) -> Table:
    """The labels with their scores and probabilities, most probable first."""
    lines = [
        (
            Cell(str(label), html=named(label)),
            log_score(explanation.log_scores[label], digits),
            chance(explanation, label),
        )
        for label in explanation.labels[:most]
    ]
    return Table(("label", "log score", "probability"), lines, {1, 2}, flexible=0)

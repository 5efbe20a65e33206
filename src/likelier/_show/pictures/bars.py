"""Horizontal bars side by side, for one or two series. Those of the first of two are striped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from likelier._show.svg import (
    MARGIN,
    WIDTH,
    Picture,
    finite,
    fitted,
    isolated,
    measured,
    one_line,
)
from likelier._show.words import Number, brief, counted

MOST_ROWS, MOST_PANELS = 60, 12
HIGH = 16.0  # of a bar
LONGEST_NAME = 190.0
BAR = ' data-bar=""'


class Bar(NamedTuple):
    """A number, and how it is written if not as a decimal."""

    value: Number
    text: str = ""


Value = Number | Bar


def number_and_text(value: Value) -> tuple[float, str]:
    """What is drawn, and what is written if not the number."""
    given = value if isinstance(value, Bar) else Bar(value)
    return finite(given.value), given.text


def paired_bars(
    title: str,
    panels: Mapping[str, Sequence[tuple[str, Sequence[Value]]]],
    series: Sequence[str] = ("without smoothing", "with smoothing"),
) -> str:
    """For each name of each panel a bar for each of the series (one or two); all have the same scale.

    >>> rows = [("Bob", (Bar(3 / 6, "3/6"), Bar(4 / 10, "4/10"))), ("Ann", (0, Bar(1 / 10, "1/10")))]
    >>> paired_bars("Names", {"": rows}).count("data-bar")
    4
    """
    most = max(MOST_ROWS // max(min(len(panels), MOST_PANELS), 2), 10)
    kept = {name: list(rows[:most]) for name, rows in islice(panels.items(), MOST_PANELS)}
    picture = Picture(title)
    top = picture.heading() + 14
    if any(series):
        top = _legend(picture, series, top) + 16
    layout = _Side.of(kept)
    tops = [top] * layout.columns
    for place, (name, rows) in enumerate(kept.items()):
        column = place % layout.columns
        if column == 0:
            tops = [max(tops)] * layout.columns
        left = MARGIN + column * (layout.width + layout.gap)
        tops[column] = _panel(picture, layout, name, rows, left, tops[column]) + 14
    left_out = [counted(len(panels) - len(kept), "more panel")] if len(panels) > len(kept) else []
    more = sum(len(rows) for rows in islice(panels.values(), MOST_PANELS)) - sum(map(len, kept.values()))
    left_out += [counted(more, "more row")] if more else []
    end = picture.note(f"… {' and '.join(left_out)}" if left_out else "", max(tops))
    said = [f"{_panel_words(name)}{_row_words(row, series)}" for name, rows in kept.items() for row in rows]
    return picture.svg(end + 6, "; ".join(said) or "no bars")


class _Side(NamedTuple):
    """Where names, bars and numbers of a panel are."""

    columns: int
    width: float
    gap: float
    names: float
    bars: float
    most: float

    @classmethod
    def of(cls, panels: Mapping[str, Sequence[tuple[str, Sequence[Value]]]]) -> _Side:
        rows = [row for panel in panels.values() for row in panel]
        values = [number_and_text(value) for _, bars in rows for value in bars]
        texts = max((measured(text or brief(value)) for value, text in values), default=0.0) + 14
        most = max((value for value, _ in values if value < math.inf), default=0.0)
        names = min(max((measured(one_line(name)) for name, _ in rows), default=0.0), LONGEST_NAME)
        for columns in (2, 1) if len(panels) > 1 else (1,):
            width = (WIDTH - 2 * MARGIN - 36 * (columns - 1)) / columns
            bars = width - names - 10 - min(texts, width / 2)
            if bars >= 110:
                break
        return cls(columns, width, 36.0, names, max(bars, 40.0), most if most > 1e-300 else 1.0)


def _panel(
    picture: Picture, layout: _Side, name: str, rows: Sequence[tuple[str, Sequence[Value]]], left: float, top: float
) -> float:
    if name:
        picture.text(left, top + 14, name, strong=True, size=15, most=layout.width)
        top += 28
    zero = left + layout.names + 10
    start = top
    for row, values in rows:
        high = len(values) * (HIGH + 2) - 2
        picture.text(zero - 10, top + high / 2 + 5, row, anchor="end", most=layout.names)
        for place, value in enumerate(values):
            number, text = number_and_text(value)
            y = top + place * (HIGH + 2)
            striped = place == 0 and len(values) > 1
            wide = layout.bars * min(max(number, 0.0) / layout.most, 1.0)
            color = "against" if striped else "for"
            if wide > 0:
                picture.bar(zero, y, wide, HIGH, color, striped=striped, kind=BAR)
            else:
                picture.line(zero, y, zero, y + HIGH, color, wide=2, extra=BAR)
            if number == math.inf:
                picture.arrow(zero + wide, y + HIGH / 2, HIGH / 2, color, 1)
            picture.text(
                zero + wide + (14 if number == math.inf else 6),
                y + HIGH - 3,
                text or brief(number),
                most=layout.width / 2,
            )
        top += high + 12
    picture.line(zero, start - 4, zero, top - 8, "faint")
    return top


def _legend(picture: Picture, series: Sequence[str], top: float) -> float:
    x = MARGIN
    for place, name in enumerate(series):
        striped = place == 0 and len(series) > 1
        picture.bar(x, top, 28, 13, "against" if striped else "for", striped=striped)
        words = fitted(name, 260)
        picture.text(x + 36, top + 12, words)
        x += 36 + measured(words) + 24
    return top + 20


def _panel_words(name: str) -> str:
    return f"{isolated(name)}, " if name else ""


def _row_words(row: tuple[str, Sequence[Value]], series: Sequence[str]) -> str:
    texts = (
        f"{series[place]} {_text(value)}".strip() if place < len(series) else _text(value)
        for place, value in enumerate(row[1])
    )
    return f"{isolated(row[0])}: {', '.join(texts)}"


def _text(value: Value) -> str:
    number, text = number_and_text(value)
    return text or brief(number)

"""Horizontal bars: side by side, to both sides of zero, and one after the other.

Color is never the only sign: bars of the first series, and bars to the left, are striped.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from likelier._show.svg import (
    MARGIN,
    SMALL,
    WIDTH,
    Picture,
    finite,
    fitted,
    isolated,
    measured,
    one_line,
    tick_texts,
    ticks,
)
from likelier._show.words import Number, brief, counted, signed

MOST_ROWS, MOST_PANELS, MOST_STEPS = 60, 12, 60
HIGH = 16.0  # of a bar
LONGEST_NAME = 190.0


class Bar(NamedTuple):
    """A number, and how it is written if not as a decimal."""

    value: Number
    text: str = ""


Value = Number | Bar


def _bar(value: Value) -> tuple[float, str]:
    given = value if isinstance(value, Bar) else Bar(value)
    return finite(given.value), given.text


# ---- side by side ------------------------------------------------------------------------------------------------


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
    kept = {name: list(rows[:MOST_ROWS]) for name, rows in islice(panels.items(), MOST_PANELS)}
    picture = Picture(title)
    top = picture.heading() + 14
    if any(series):
        top = _legend(picture, series, top) + 10
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
    end = _note(picture, f"… {' and '.join(left_out)}" if left_out else "", max(tops))
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
        values = [_bar(value) for _, bars in rows for value in bars]
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
            number, text = _bar(value)
            y = top + place * (HIGH + 2)
            striped = place == 0 and len(values) > 1
            wide = layout.bars * min(max(number, 0.0) / layout.most, 1.0)
            color = "against" if striped else "for"
            if wide > 0:
                picture.bar(zero, y, wide, HIGH, color, striped=striped, name=row)
            else:
                picture.line(zero, y, zero, y + HIGH, color, wide=2, extra=' data-bar="0"')
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
    return f"{isolated(fitted(name, 300))}, " if name else ""


def _row_words(row: tuple[str, Sequence[Value]], series: Sequence[str]) -> str:
    texts = (
        f"{series[place]} {_text(value)}".strip() if place < len(series) else _text(value)
        for place, value in enumerate(row[1])
    )
    return f"{isolated(fitted(row[0], 300))}: {', '.join(texts)}"


def _text(value: Value) -> str:
    number, text = _bar(value)
    return text or brief(number)


def _note(picture: Picture, text: str, top: float) -> float:
    if not text:
        return top
    picture.text(MARGIN, top + 8, text, ink="faint", size=SMALL, most=WIDTH - 2 * MARGIN)
    return top + 20


# ---- to both sides of zero ---------------------------------------------------------------------------------------


class _Row(NamedTuple):
    """A bar from `begin` to `end`; infinite where `end` is."""

    name: str
    begin: float
    end: float
    text: str
    strong: bool = False

    @property
    def sign(self) -> float:
        return math.copysign(1.0, self.end - self.begin)


def diverging_bars(
    title: str, left: str, right: str, rows: Sequence[tuple[str, Value]], *, axis: str = "log ratio", only: str = "only"
) -> str:
    """Bars to the left and right of 0: what is negative speaks for `left`, what is positive for `right`.

    An infinite one goes to the edge, and says `only` in place of a number.

    >>> "only" in diverging_bars("Words", "ham", "spam", [("money", 2.5), ("prize", math.inf)])
    True
    """
    kept = [(name, *_bar(value)) for name, value in rows[:MOST_ROWS]]
    bars = [
        _Row(name, 0.0, value, text or (only if math.isinf(value) else signed(value, 2))) for name, value, text in kept
    ]
    picture = Picture(title)
    top = _signed_bars(picture, bars, (left, right), axis, picture.heading() + 16)
    more = len(rows) - len(kept)
    end = _note(picture, f"… {counted(more, 'more row')}" if more else "", top)
    said = f"bars to the left: {fitted(left, 300)}; to the right: {fitted(right, 300)}; "
    return picture.svg(end + 6, said + "; ".join(f"{isolated(fitted(row.name, 300))} {row.text}" for row in bars))


# ---- one after the other -----------------------------------------------------------------------------------------


def waterfall(
    title: str,
    start: Value,
    steps: Sequence[tuple[str, Value]],
    labels: tuple[str, str],
    *,
    axis: str = "log odds",
    start_name: str = "prior",
    total_name: str = "sum",
    total_text: str = "",
) -> str:
    """From the prior to the verdict: each step is a bar from where the last one ended, and the sum comes at the end.

    labels      what bars to the left and to the right speak for
    total_text  the verdict in words, in place of the sum

    An infinite step goes to the edge. The steps after it go on from where it began, and the sum is infinite.

    >>> waterfall("Words", -1.0, [("money", 2.5), ("hi", -0.5)], ("ham", "spam")).count("data-bar")
    4
    """
    values = [(name, *_bar(value)) for name, value in steps]
    rest = values[MOST_STEPS:]
    if rest:
        values = values[:MOST_STEPS] + [(f"… {len(rest):,} more", _sum([each for _, each, _ in rest]), "")]
    values.insert(0, (start_name, *_bar(start)))
    bars, at = list[_Row](), 0.0
    for name, value, text in values:
        at = finite(at)
        at = 0.0 if math.isinf(at) else at
        bars.append(_Row(name, at, at + value, text or _signed(value)))
        at += 0.0 if math.isinf(value) else value
    total = _sum([each for _, each, _ in values])
    words = total_text or _signed(total)
    bars.append(_Row(total_name, 0.0, 0.0 if math.isnan(total) else total, words, strong=True))
    picture = Picture(title)
    top = _signed_bars(picture, bars, labels, axis, picture.heading() + 16, steps=True)
    said = f"bars to the left: {fitted(labels[0], 300)}; to the right: {fitted(labels[1], 300)}; "
    return picture.svg(top + 6, said + "; ".join(f"{isolated(fitted(row.name, 300))} {row.text}" for row in bars))


def _sum(values: Sequence[float]) -> float:
    """NaN where infinities of both signs meet."""
    infinite = {value for value in values if math.isinf(value)}
    if infinite:
        return infinite.pop() if len(infinite) == 1 else math.nan
    return finite(sum(values))


def _signed(value: float) -> str:
    return "undefined: ∞ - ∞" if math.isnan(value) else signed(value, 2)


# ---- bars to both sides ------------------------------------------------------------------------------------------


class _Scale(NamedTuple):
    """Numbers to places: zero and the pixels of a unit; and the edges for what is infinite."""

    zero: float
    unit: float
    per: float  # the unit, so that tiny and huge numbers do not overflow
    edges: tuple[float, float]
    low: float
    high: float

    def __call__(self, value: float) -> float:
        if math.isinf(value):
            return self.edges[value > 0]
        return self.zero + value / self.per * self.unit

    @classmethod
    def of(cls, rows: Sequence[_Row], left: float, right: float) -> _Scale:
        """Room for the numbers of all bars on the side to which they point."""
        known = [0.0, *(each for row in rows for each in (row.begin, row.end) if math.isfinite(each))]
        per = max(map(abs, known))
        per = per if per > 1e-300 else 1.0
        low, high = min(known) / per, max(known) / per
        if low == high:
            low, high = -1.0, 1.0
        infinite = {row.end for row in rows if math.isinf(row.end)}
        beyond = (high - low) * 0.12
        begin, end = (low - beyond if -math.inf in infinite else low), (high + beyond if math.inf in infinite else high)
        room = [
            max([10.0, *(measured(row.text, strong=row.strong) + 22 for row in rows if row.sign == side)])
            for side in (-1, 1)
        ]
        most = (right - left) * 0.4
        left, right = left + min(room[0], most), right - min(room[1], most)
        unit = (right - left) / (end - begin)
        return cls(left - begin * unit, unit, per, (left, right), low * per, high * per)


def _signed_bars(
    picture: Picture, rows: Sequence[_Row], labels: tuple[str, str], axis: str, top: float, *, steps: bool = False
) -> float:
    """Bars from begin to end, with names on the left, an axis below, and the meaning of both directions above."""
    names = min(max((measured(one_line(row.name), strong=row.strong) for row in rows), default=0.0), LONGEST_NAME)
    left, right = MARGIN + names + 12, WIDTH - MARGIN
    scale = _Scale.of(rows, left, right)
    half = (right - left) / 2 - 12
    picture.text(
        left, top + 12, f"← {isolated(fitted(labels[0], half - 24, strong=True))}", strong=True, most=half + 20
    )
    picture.text(
        right,
        top + 12,
        f"{isolated(fitted(labels[1], half - 24, strong=True))} →",
        strong=True,
        anchor="end",
        most=half + 20,
    )
    top += 28
    bottom = top + len(rows) * (HIGH + 10) + (8 if steps else 0)
    _axis(picture, scale, axis, top, bottom, left, right)
    for place, row in enumerate(rows):
        is_last = steps and place == len(rows) - 1
        y = top + 6 + place * (HIGH + 10) + (8 if is_last else 0)
        if is_last:
            picture.line(MARGIN, y - 9, right, y - 9, "line")
        picture.text(left - 12, y + HIGH - 3, row.name, anchor="end", strong=row.strong, most=names)
        _one_bar(picture, scale, row, y)
    if steps:
        for place, (one, other) in enumerate(pairwise(rows[:-1])):
            y = top + 6 + place * (HIGH + 10) + HIGH
            picture.line(scale(other.begin), y, scale(other.begin), y + 10, "faint")
    return bottom + 52


def _one_bar(picture: Picture, scale: _Scale, row: _Row, y: float) -> None:
    begin, end = scale(row.begin), scale(row.end)
    leads_left = row.sign < 0
    color = "against" if leads_left else "for"
    if abs(end - begin) < 0.01:
        picture.line(begin, y, begin, y + HIGH, "ink", wide=2, extra=' data-bar="0"')
    else:
        picture.bar(min(begin, end), y, abs(end - begin), HIGH, color, striped=leads_left, name=row.name)
    gap = 6.0
    if math.isinf(row.end):
        picture.arrow(end, y + HIGH / 2, HIGH * 0.6, color, row.sign)
        gap = 16.0
    picture.text(
        end + math.copysign(gap, row.sign),
        y + HIGH - 3,
        row.text,
        anchor="end" if leads_left else "start",
        strong=row.strong,
        most=(WIDTH - 2 * MARGIN) * 0.4,
    )


def _axis(picture: Picture, scale: _Scale, name: str, top: float, bottom: float, left: float, right: float) -> None:
    places = ticks(scale.low, scale.high, 6)
    texts = tick_texts(places)
    ends = -math.inf
    for place, text in zip(places, texts, strict=True):
        x = scale(place)
        wide = measured(text, SMALL)
        picture.line(x, top, x, bottom, "line")
        if x - wide / 2 > ends and x - wide / 2 >= left - 12:
            picture.text(x, bottom + 18, text, ink="faint", size=SMALL, anchor="middle")
            ends = x + wide / 2 + 8
    picture.line(scale(0.0), top - 4, scale(0.0), bottom + 4, "ink", wide=1.5, extra=' data-zero=""')
    picture.text((left + right) / 2, bottom + 38, name, ink="faint", size=SMALL, anchor="middle", most=right - left)

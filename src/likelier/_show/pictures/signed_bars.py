"""Horizontal bars to both sides of zero: each from zero, or each from where the last one ended.

Bars to the left are striped, and numbers are at the end to which a bar points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from likelier._show.pictures.bars import BAR, HIGH, LONGEST_NAME, MOST_ROWS, Value, number_and_text
from likelier._show.svg import MARGIN, SMALL, WIDTH, Picture, finite, isolated, measured, one_line, tick_texts, ticks
from likelier._show.words import counted, signed

MOST_STEPS = 60
LONGEST_TEXT = (WIDTH - 2 * MARGIN) * 0.48


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
    kept = [(name, *number_and_text(value)) for name, value in rows[:MOST_ROWS]]
    bars = [
        _Row(name, 0.0, value, text or (only if math.isinf(value) else signed(value, 2))) for name, value, text in kept
    ]
    picture = Picture(title)
    top = _signed_bars(picture, bars, (left, right), axis, picture.heading() + 16)
    more = len(rows) - len(kept)
    end = picture.note(f"… {counted(more, 'more row')}" if more else "", top)
    said = f"bars to the left: {isolated(left)}; to the right: {isolated(right)}; "
    return picture.svg(end + 6, said + "; ".join(f"{isolated(row.name)} {row.text}" for row in bars))


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
    values = [(name, *number_and_text(value)) for name, value in steps]
    rest = values[MOST_STEPS:]
    if rest:
        values = [*values[:MOST_STEPS], (f"… {len(rest):,} more", _sum([each for _, each, _ in rest]), "")]
    values.insert(0, (start_name, *number_and_text(start)))
    bars, at = list[_Row](), 0.0
    for name, value, text in values:
        bars.append(_Row(name, at, at if math.isnan(value) else at + value, text or _signed(value)))
        at += value if math.isfinite(value) else 0.0
    total = _sum([each for _, each, _ in values])
    words = total_text or _signed(total)
    bars.append(_Row(total_name, 0.0, 0.0 if math.isnan(total) else total, words, strong=True))
    picture = Picture(title)
    top = _signed_bars(picture, bars, labels, axis, picture.heading() + 16, steps=True)
    said = f"bars to the left: {isolated(labels[0])}; to the right: {isolated(labels[1])}; "
    return picture.svg(top + 6, said + "; ".join(f"{isolated(row.name)} {row.text}" for row in bars))


def _sum(values: Sequence[float]) -> float:
    """NaN where infinities of both signs meet."""
    infinite = {value for value in values if not math.isfinite(value)}
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
        if high - low < 1e-300:
            low, high = -1.0, 1.0
        infinite = {row.end for row in rows if math.isinf(row.end)}
        beyond = (high - low) * 0.12
        begin, end = (low - beyond if -math.inf in infinite else low), (high + beyond if math.inf in infinite else high)
        room = [
            max([10.0, *(measured(row.text, strong=row.strong) + 22 for row in rows if row.sign == side)])
            for side in (-1, 1)
        ]
        room = [min(each, LONGEST_TEXT + 22) for each in room]
        fit = min(1.0, (right - left) * 0.8 / sum(room))
        left, right = left + room[0] * fit, right - room[1] * fit
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
    picture.text(left, top + 12, f"← {isolated(labels[0], half - 24, strong=True)}", strong=True, most=half + 20)
    picture.text(
        right,
        top + 12,
        f"{isolated(labels[1], half - 24, strong=True)} →",
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
        for place, row in enumerate(rows[1:-1]):
            y = top + 6 + place * (HIGH + 10) + HIGH
            picture.line(scale(row.begin), y, scale(row.begin), y + 10, "faint")
    return bottom + 52


def _one_bar(picture: Picture, scale: _Scale, row: _Row, y: float) -> None:
    begin, end = scale(row.begin), scale(row.end)
    leads_left = row.sign < 0
    color = "against" if leads_left else "for"
    if abs(end - begin) < 0.01:
        picture.line(begin, y, begin, y + HIGH, "ink", wide=2, extra=BAR)
    else:
        picture.bar(min(begin, end), y, abs(end - begin), HIGH, color, striped=leads_left, kind=BAR)
    gap = 6.0
    if math.isinf(row.end):
        picture.arrow(end, y + HIGH / 2, HIGH * 0.6, color, row.sign)
        gap = 16.0
    picture.backed(
        end + math.copysign(gap, row.sign),
        y + HIGH - 3,
        row.text,
        anchor="end" if leads_left else "start",
        strong=row.strong,
        most=LONGEST_TEXT,
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

"""Normal densities of a number by label, with the value of a document.

    p(x) = exp(-(x - mean)² / (2 variance)) / sqrt(2 π variance)

A curve that is far higher than the others is cut at the top, with an arrow, so that the others stay visible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from likelier._show.svg import (
    MARGIN,
    SIZE,
    SMALL,
    WIDTH,
    Picture,
    attribute,
    finite,
    fitted,
    isolated,
    measured,
    tick_texts,
    ticks,
)
from likelier._show.words import Number, brief, counted

COLORS = ("for", "against", "third", "fourth", "fifth", "faint")
DASHES = ("", "9 4", "3 3", "12 4 3 4", "6 2", "16 5")
MOST = len(COLORS)
TALL = 12  # times the middle curve: what is higher is cut
HIGH = 260.0
LEFT, RIGHT = MARGIN + 52, WIDTH - MARGIN


class _Curve(NamedTuple):
    label: str
    mean: float
    variance: float
    spread: float

    def at(self, x: float) -> float:
        """The density; infinite at the mean of a curve without width."""
        if self.spread == 0:
            return math.inf if x == self.mean else 0.0
        deviation = (x - self.mean) / self.spread
        return math.exp(-0.5 * min(deviation * deviation, 1e6)) / (self.spread * math.sqrt(2 * math.pi))


class _Frame(NamedTuple):
    """What of the plane is shown."""

    low: float
    high: float
    top: float  # in pixels
    peak: float  # the density at the top

    def x(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return LEFT + min(max(share, 0.0), 1.0) * (RIGHT - LEFT)

    def y(self, density: float) -> float:
        return self.top + HIGH * (1 - min(density / self.peak, 1.0))


def densities(
    title: str,
    curves: Sequence[tuple[str, Number, Number]],
    asked: Number | None = None,
    *,
    axis: str = "value",
    words: Mapping[str, str] | None = None,
) -> str:
    """The density of each label (its name, mean and variance), and how high each is at the value `asked`.

    words  other words for "density", "density at", "mean" and "variance", as in another language

    >>> heights = densities("Fever", [("ill", 39.0, 0.25), ("well", 36.8, 0.16)], 38.2)
    >>> "0.222" in heights and "0.00218" in heights
    True
    """
    drawn = [_curve(*each) for each in curves[:MOST]]
    value = None if asked is None else finite(asked)
    picture = Picture(title, words)
    top = picture.heading() + 40
    frame = _frame(drawn, value, top)
    _axes(picture, frame, axis)
    for place, curve in enumerate(drawn):
        _draw(picture, frame, curve, place)
    if value is not None:
        _asked(picture, frame, drawn, value)
    _names(picture, frame, drawn, value)
    end = _key(picture, drawn, value, top + HIGH + 74)
    more = len(curves) - MOST
    end = picture.note(f"… {counted(more, 'more label')}" if more > 0 else "", end + 4, MARGIN + 52)
    return picture.svg(end + 14, "; ".join(_said(curve, value) for curve in drawn) or "no curves")


def _curve(label: str, mean: Number, variance: Number) -> _Curve:
    center, square = finite(mean), finite(variance)
    if math.isinf(center) or math.isinf(square) or square < 0:
        raise ValueError(f"a density needs a finite mean and variance, got {center} and {square}")
    return _Curve(label, center, square, math.sqrt(square))


def _frame(curves: Sequence[_Curve], asked: float | None, top: float) -> _Frame:
    """All curves as far as they can be seen, and the value `asked` if it is not too far off."""
    low = min((curve.mean - 3.3 * curve.spread for curve in curves), default=0.0)
    high = max((curve.mean + 3.3 * curve.spread for curve in curves), default=0.0)
    if not high - low > max(abs(low), abs(high)) * 1e-12:
        extra = abs(low) * 0.1 or 1.0
        low, high = low - extra, high + extra
    if asked is not None and low - 1.5 * (high - low) <= asked <= high + 1.5 * (high - low):
        margin = 0.04 * (high - low)
        low, high = min(low, asked - margin), max(high, asked + margin)
    peaks = sorted(curve.at(curve.mean) for curve in curves if curve.spread > 0)
    peak = min(peaks[-1], TALL * peaks[(len(peaks) - 1) // 2]) if peaks else 1.0
    return _Frame(low, high, top, peak * 1.06)


def _axes(picture: Picture, frame: _Frame, name: str) -> None:
    bottom = frame.top + HIGH
    picture.text(MARGIN, frame.top - 16, picture.say("density"), ink="faint", size=SMALL, most=150)
    heights = ticks(0.0, frame.peak, 4)
    for height, text in zip(heights, tick_texts(heights), strict=True):
        picture.line(LEFT, frame.y(height), RIGHT, frame.y(height), "line")
        picture.text(
            LEFT - 8, frame.y(height) + 4, text, ink="faint", size=SMALL, anchor="end", most=LEFT - 8 - MARGIN / 2
        )
    places, ends = ticks(frame.low, frame.high, 7), -math.inf
    for place, text in zip(places, tick_texts(places), strict=True):
        x, wide = frame.x(place), measured(text, SMALL)
        picture.line(x, bottom, x, bottom + 5, "faint")
        if x - wide / 2 > ends and x + wide / 2 < WIDTH - 4:
            picture.text(x, bottom + 20, text, ink="faint", size=SMALL, anchor="middle")
            ends = x + wide / 2 + 8
    picture.line(LEFT, bottom, RIGHT, bottom, "faint")
    picture.text((LEFT + RIGHT) / 2, bottom + 40, name, ink="faint", size=SMALL, anchor="middle", most=RIGHT - LEFT)


def _draw(picture: Picture, frame: _Frame, curve: _Curve, place: int) -> None:
    """A line through points that lie close where the curve bends."""
    steps = [*(step / 16 for step in range(-80, 81)), -8, -16, -40, 8, 16, 40] if curve.spread else []
    inner = [curve.mean + curve.spread * step for step in steps]
    points = sorted({frame.low, frame.high, *(x for x in inner if frame.low <= x <= frame.high)})
    path = [(frame.x(x), frame.y(curve.at(x))) for x in points]
    d = "M" + "L".join(f"{attribute(x)} {attribute(y)}" for x, y in path)
    picture.path(d, COLORS[place], wide=2.5, dash=DASHES[place], extra=' stroke-linejoin="round"')
    if curve.at(curve.mean) > frame.peak:
        if curve.spread == 0:
            picture.line(frame.x(curve.mean), frame.top, frame.x(curve.mean), frame.top + HIGH, COLORS[place], wide=2.5)
        x, y = frame.x(curve.mean), frame.top
        picture.path(
            f"M{attribute(x - 6)} {attribute(y)}L{attribute(x)} {attribute(y - 9)}L{attribute(x + 6)} {attribute(y)}Z",
            COLORS[place],
            fill=COLORS[place],
        )


def _asked(picture: Picture, frame: _Frame, curves: Sequence[_Curve], asked: float) -> None:
    """The vertical line, with a point on each curve; an arrow at the edge where the value is outside."""
    words = brief(asked)
    left = max(LEFT, MARGIN + min(measured(picture.say("density"), SMALL), 150) + 10)
    if not frame.low <= asked <= frame.high:
        is_above = asked > frame.high
        words, x = (f"{words} →", RIGHT) if is_above else (f"← {words}", left)
        picture.text(x, frame.top - 16, words, strong=True, anchor="end" if is_above else "start")
        return
    x = frame.x(asked)
    picture.line(x, frame.top - 10, x, frame.top + HIGH, "ink", wide=1.5, dash="2 3", extra=' data-asked=""')
    half = measured(words, strong=True) / 2
    picture.text(min(max(x, left + half), RIGHT - half), frame.top - 16, words, strong=True, anchor="middle")
    for place, curve in enumerate(curves):
        if curve.at(asked) <= frame.peak:
            picture.circle(x, frame.y(curve.at(asked)), 4.5, COLORS[place], "paper")


def _names(picture: Picture, frame: _Frame, curves: Sequence[_Curve], asked: float | None) -> None:
    """Each label beside its curve, at the first place that is free; where there is none, the key below has to do."""
    steps = [frame.low + (frame.high - frame.low) * step / 330 for step in range(331)]
    taken = [(frame.x(x), frame.y(curve.at(x))) for curve in curves for x in steps]
    taken += [
        (frame.x(curve.mean), frame.top + y)
        for curve in curves
        for y in range(0, int(HIGH), 8)
        if curve.at(curve.mean) > frame.peak
    ]
    if asked is not None:
        taken += [(frame.x(asked), frame.top + y) for y in range(0, int(HIGH), 8)]
    boxes = list[tuple[float, float, float, float]]()
    for curve in curves:
        text = fitted(curve.label, 150)
        for box in _around(frame, curve, measured(text)):
            if not (any(_holds(box, *point) for point in taken) or any(_meet(box, other) for other in boxes)):
                boxes.append(box)
                picture.text((box[0] + box[2]) / 2, box[3] - 6, text, anchor="middle", strong=True)
                break


def _around(frame: _Frame, curve: _Curve, wide: float) -> Iterator[tuple[float, float, float, float]]:
    """Boxes for a label: above the top of the curve, then along its flanks."""
    wide = wide * 1.12 + 8
    for away in (6, 14, 26, 44):
        for deviation in (0.0, 0.5, -0.5, 0.8, -0.8, 1.1, -1.1, 1.5, -1.5, 1.9, -1.9):
            at = curve.mean + deviation * curve.spread
            x, y = frame.x(at), frame.y(curve.at(at))
            side = (deviation > 0) - (deviation < 0)
            left = x - wide / 2 + side * (wide / 2 + away)
            bottom = y - away if side == 0 else y + SIZE / 2
            if curve.at(curve.mean) > frame.peak:
                left, bottom = (x + away if deviation >= 0 else x - wide - away), frame.top + 18 + away
            if left >= LEFT and left + wide <= RIGHT and bottom - 20 >= frame.top - 8:
                yield (left, bottom - 20, left + wide, bottom)


def _holds(box: tuple[float, float, float, float], x: float, y: float) -> bool:
    return box[0] - 3 < x < box[2] + 3 and box[1] < y < box[3] + 2


def _meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _key(picture: Picture, curves: Sequence[_Curve], asked: float | None, top: float) -> float:
    """Below: the sample of each line, its label, mean, variance, and the density at the value `asked`."""
    columns = [(picture.say("mean"), 420.0), (picture.say("variance"), 540.0)]
    columns += [(f"{picture.say('density at')} {brief(asked)}", RIGHT)] if asked is not None else []
    shift = 0.0 if asked is not None else RIGHT - 540.0
    for text, x in columns:
        x += shift if x < RIGHT else 0.0
        picture.text(x, top, text, ink="faint", size=SMALL, anchor="end", most=RIGHT - 545)
    for place, curve in enumerate(curves):
        y = top + 24 * (place + 1)
        picture.line(MARGIN, y - 5, MARGIN + 40, y - 5, COLORS[place], wide=2.5, dash=DASHES[place])
        picture.text(MARGIN + 52, y, curve.label, most=260)
        picture.text(420 + shift, y, brief(curve.mean), anchor="end")
        picture.text(540 + shift, y, brief(curve.variance), anchor="end")
        if asked is not None:
            picture.text(RIGHT, y, brief(curve.at(asked)), anchor="end", strong=True)
    return top + 24 * len(curves) + 8


def _said(curve: _Curve, asked: float | None) -> str:
    words = f"{isolated(curve.label)}: mean {brief(curve.mean)}, variance {brief(curve.variance)}"
    return words if asked is None else f"{words}, density {brief(curve.at(asked))} at {brief(asked)}"

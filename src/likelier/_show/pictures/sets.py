"""Two events as circles in a frame: areas fit P(A), P(B), P(A and B), and the frame fits the whole.

The distance d of two circles with radii r and s that share a given area has no closed form. It is found by bisection:
the shared area falls from that of the smaller circle at d = |r - s| to 0 at d = r + s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from likelier._show.svg import (
    MARGIN,
    SIZE,
    WIDTH,
    Picture,
    attribute,
    finite,
    isolated,
    measured,
)
from likelier._show.words import Number, brief

WIDE = WIDTH - 2 * MARGIN
RATIO = 1.9  # of the frame, where the circles allow it
AREA = WIDE**2 / RATIO  # of the frame, in square pixels
LEAST = 2.0  # the radius of a circle that can be seen
FREE = 3.0  # between the circles and the frame
NOTE = "not to scale"


class Circle(NamedTuple):
    """A circle in the picture."""

    x: float
    y: float
    radius: float

    @property
    def area(self) -> float:
        return math.pi * self.radius**2


def shared_area(radius: float, other: float, distance: float) -> float:
    """The area that two circles share.

    >>> shared_area(1, 1, 2), shared_area(2, 1, 0.5) == math.pi, round(shared_area(1, 1, 1), 6)
    (0.0, True, 1.22837)
    """
    if distance >= radius + other:
        return 0.0
    if distance <= abs(radius - other):
        return math.pi * min(radius, other) ** 2
    return _segment(radius, other, distance) + _segment(other, radius, distance)


def _segment(radius: float, other: float, distance: float) -> float:
    """The part of a circle beyond the chord, from half its angle.

    The chord is at (d² + r² - s²) / 2d from the center; written with differences, it is exact for thin segments too.
    """
    beyond = (other - distance + radius) * (other + distance - radius) / (2 * distance)  # r - chord
    half = 2 * math.asin(math.sqrt(min(max(beyond / (2 * radius), 0.0), 1.0)))
    return radius**2 * (half - math.sin(2 * half) / 2) if half > 1e-3 else radius**2 * half**3 * 2 / 3


def distance_for(radius: float, other: float, area: float) -> float:
    """How far apart two circles are that share this area."""
    low, high = abs(radius - other), radius + other
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if shared_area(radius, other, middle) > area else (low, middle)
    return (low + high) / 2


def venn(
    names: tuple[str, str],
    a: Number,
    b: Number,
    both: Number,
    whole: Number = 1,
    *,
    title: str = "",
    written: Callable[[Number], str] = brief,
    words: Mapping[str, str] | None = None,
) -> str:
    """Two events, what they share, and what is outside; from probabilities, or from counts with `whole`.

    written  how numbers are written
    words    other words for "only", "both", "neither" and "all", as in another language

    >>> "0.31" in venn(("positive", "happy"), 0.35, 0.05, 0.04)
    True
    """
    _check(a, b, both, whole)
    sizes = (finite(a), finite(b), finite(both), finite(whole))
    plan = _Plan.of(*sizes)
    picture = Picture(title, words)
    top = (picture.heading() + 12 if title.strip() else MARGIN) + 34
    left = (WIDTH - plan.size[0]) / 2
    one, other = (Circle(each.x + left, each.y + top, each.radius) for each in plan.circles)
    picture.rect(left, top, *plan.size, "none", "faint", ' rx="2" data-whole=""')
    for circle, color, slope in ((one, "for", 1), (other, "against", -1)):
        if circle.radius:
            _fill(picture, circle, color, slope)
    _names(picture, names, (a, b), (one, other), written, top - 14)
    end = _numbers(picture, names, (a, b, both, whole), (one, other), (left, top, *plan.size), written)
    notes = [f"{picture.say('all')}: {written(whole)}"] if whole != 1 else []
    notes += [picture.say(plan.note)] if plan.note else []
    end = picture.note("; ".join(notes), end + 10, left)
    said = [f"{isolated(name)} {written(value)}" for name, value in zip(names, (a, b), strict=True)]
    rest = written(whole - a - b + both)
    said += [f"{picture.say('both')} {written(both)}", f"{picture.say('neither')} {rest}", f"of {written(whole)}"]
    return picture.svg(end + 18, f"{', '.join(said)}; {plan.note or 'all areas are to scale'}")


def _check(a: Number, b: Number, both: Number, whole: Number) -> None:
    slack = abs(float(whole)) * 1e-9
    if not (whole > 0 and -slack <= both <= min(a, b) + slack and a + b - both <= whole + slack):
        raise ValueError(f"no events have these sizes: {a} and {b} of {whole}, both {both}")


class _Plan(NamedTuple):
    """Where the circles are within the frame, the size of the frame, and what is not to scale."""

    circles: tuple[Circle, Circle]
    size: tuple[float, float]
    note: str

    @classmethod
    def of(cls, a: float, b: float, both: float, whole: float) -> _Plan:
        shares = [max(each / whole, 0.0) for each in (a, b)]
        radii = [math.sqrt(share * AREA / math.pi) for share in shares]
        drawn = [max(radius, LEAST) if radius else 0.0 for radius in radii]
        apart = _apart(drawn, min(both / min(a, b), 1.0) if min(a, b) > 0 else 0.0)
        left = min(-drawn[0], apart - drawn[1])
        needed = (max(drawn[0], apart + drawn[1]) - left + 2 * FREE, 2 * max(drawn) + 2 * FREE)
        notes = ["small circles are drawn larger"] if drawn != radii else []
        if needed[0] * needed[1] <= AREA:
            ratio = min(max(RATIO, needed[0] ** 2 / AREA), AREA / needed[1] ** 2)
            size = (math.sqrt(AREA * ratio), math.sqrt(AREA / ratio))
        else:
            size = needed
            notes.append("the frame is larger than the whole")
        x, y = (size[0] - needed[0]) / 2 + FREE - left, size[1] / 2
        fit = min(1.0, WIDE / size[0])
        circles = (Circle(x * fit, y * fit, drawn[0] * fit), Circle((x + apart) * fit, y * fit, drawn[1] * fit))
        return cls(circles, (size[0] * fit, size[1] * fit), f"{NOTE}: {', '.join(notes)}" if notes else "")


def _apart(radii: list[float], share: float) -> float:
    """The distance at which the circles share this part of the smaller one."""
    small, large = sorted(radii)
    if share >= 1:
        return (large - small) * 0.55  # inside, and not at the edge
    if share <= 0:
        return small + large + 16
    return distance_for(large, small, share * math.pi * small**2)


def _fill(picture: Picture, circle: Circle, color: str, slope: int) -> None:
    """A tint, hatching along one of the diagonals, and the outline."""
    x, y, radius = circle
    picture.circle(x, y, radius, color, "none", ' fill-opacity="0.14"')
    lines = []
    for step in range(-int(radius / 8), int(radius / 8) + 1):
        offset = step * 8.0
        half = math.sqrt(max(radius**2 - offset**2, 0.0))
        across, along = offset * math.sqrt(0.5), half * math.sqrt(0.5)
        # The chord at this distance from the center, along (1, -slope).
        begin = (x + across - along, y + slope * (across + along))
        end = (x + across + along, y + slope * (across - along))
        lines.append(f"M{attribute(begin[0])} {attribute(begin[1])}L{attribute(end[0])} {attribute(end[1])}")
    if radius > 6:
        picture.path("".join(lines), color, wide=1, extra=' stroke-opacity="0.55"')
    picture.circle(x, y, radius, "none", color, ' stroke-width="2" data-event=""')


def _names(
    picture: Picture,
    names: tuple[str, str],
    sizes: tuple[Number, Number],
    circles: tuple[Circle, Circle],
    written: Callable[[Number], str],
    base: float,
) -> None:
    """Above the frame: the name and size of each event, with a line to its circle."""
    texts = [f"{isolated(name, 220, strong=True)}: {written(size)}" for name, size in zip(names, sizes, strict=True)]
    widths = [measured(text, strong=True) for text in texts]
    middle = [circle.x for circle in circles]
    starts = [max(MARGIN, middle[0] - widths[0] / 2), middle[1] - widths[1] / 2]
    starts[1] = min(max(starts[1], starts[0] + widths[0] + 28), picture.width - MARGIN - widths[1])
    starts[0] = max(MARGIN, min(starts[0], starts[1] - widths[0] - 28))
    for text, start, wide, circle in zip(texts, starts, widths, circles, strict=True):
        picture.text(start, base, text, strong=True)
        if circle.radius:
            foot = min(max(start + wide / 2, circle.x - circle.radius * 0.5), circle.x + circle.radius * 0.5)
            edge = circle.y - math.sqrt(max(circle.radius**2 - (foot - circle.x) ** 2, 0.0))
            picture.line(start + wide / 2, base + 6, foot, edge, "ink")


class _Outside(NamedTuple):
    """A number that has no room in its area: where that is (nowhere if it is empty), and what is written."""

    x: float
    y: float
    text: str
    is_empty: bool


def _numbers(
    picture: Picture,
    names: tuple[str, str],
    sizes: tuple[Number, Number, Number, Number],
    circles: tuple[Circle, Circle],
    frame: tuple[float, float, float, float],
    written: Callable[[Number], str],
) -> float:
    """The four numbers in their areas, or below with a line where an area is too small; where they end."""
    a, b, both, whole = sizes
    parts = (
        (a - both, f"{picture.say('only')} {isolated(names[0], 110)}"),
        (both, picture.say("both")),
        (b - both, f"{picture.say('only')} {isolated(names[1], 110)}"),
    )
    outside = []
    for (x, y, room), (number, words) in zip(_regions(*circles), parts, strict=True):
        text = written(number)
        if room >= measured(text, strong=True) + 18:
            picture.backed(x, y + 5, text, strong=True)
        else:
            outside.append(_Outside(x, y, f"{words}: {text}", number <= 0))
    rest = f"{picture.say('neither')}: {written(whole - a - b + both)}"
    corner = _corner(circles, frame, measured(rest, strong=True), [each.x for each in outside if not each.is_empty])
    if corner is None:
        outside.append(_Outside(frame[0] + frame[2], 0, rest, True))
    else:
        picture.text(*corner, rest, strong=True)
    return _below(picture, outside, frame[1] + frame[3])


def _below(picture: Picture, outside: list[_Outside], bottom: float) -> float:
    """Numbers below the frame, in the order of their areas, so that no lines cross."""
    outside = sorted(outside)
    widths = [measured(each.text) for each in outside]
    starts, free = [], MARGIN
    for each, wide in zip(outside, widths, strict=True):
        starts.append(max(free, each.x - wide / 2))
        free = starts[-1] + wide + 24
    free = picture.width - MARGIN
    for place in reversed(range(len(starts))):
        starts[place] = max(min(starts[place], free - widths[place]), MARGIN)
        free = starts[place] - 24
    for each, wide, start in zip(outside, widths, starts, strict=True):
        picture.text(start, bottom + 38, each.text)
        if not each.is_empty:
            foot = f"{attribute(start + wide / 2)} {attribute(bottom + 23)}"
            d = f"M{attribute(each.x)} {attribute(each.y)}V{attribute(bottom + 4)}L{foot}"
            picture.path(d, "ink")
            picture.circle(each.x, each.y, 2.5, "ink")
    return bottom + (44 if outside else 0)


def _corner(
    circles: tuple[Circle, Circle], frame: tuple[float, float, float, float], wide: float, lines: list[float]
) -> tuple[float, float] | None:
    """A corner of the frame where there is room for a text: its left end and base line."""
    left, top, width, high = frame
    lines = [*lines, *(circle.x for circle in circles)]
    for x in (left + width - wide - 12, left + 12):
        for y in (top + high - 14, top + 24):
            if x < left or any(x - 6 < line < x + wide + 6 for line in lines):
                continue
            if all(_gap(circle, x, y - SIZE, x + wide, y + 4) > 6 for circle in circles if circle.radius):
                return x, y
    return None


def _gap(circle: Circle, left: float, top: float, right: float, bottom: float) -> float:
    """How far a circle is from a box."""
    across = max(left - circle.x, 0.0, circle.x - right)
    down = max(top - circle.y, 0.0, circle.y - bottom)
    return math.hypot(across, down) - circle.radius


def _regions(one: Circle, other: Circle) -> list[tuple[float, float, float]]:
    """For what is only in the one, in both, and only in the other: a place in its middle, and how wide it is there."""
    low, high = one.x - one.radius, one.x + one.radius
    other_low, other_high = other.x - other.radius, other.x + other.radius
    shared = (max(low, other_low), min(high, other_high))
    alone = max((low, min(high, other_low)), (max(low, other_high), high), key=lambda each: each[1] - each[0])
    other_alone = max(
        (max(other_low, high), other_high), (other_low, min(other_high, low)), key=lambda each: each[1] - each[0]
    )
    return [((begin + end) / 2, one.y, end - begin) for begin, end in (alone, shared, other_alone)]

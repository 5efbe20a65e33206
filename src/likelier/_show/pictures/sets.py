"""Two events as circles in a frame: areas fit P(A), P(B), P(A and B), and the frame fits the whole.

The distance d of two circles with radii r and s that share a given area has no closed form. It is found by bisection:
the shared area falls from that of the smaller circle at d = |r - s| to 0 at d = r + s.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from likelier._show.svg import (
    MARGIN,
    SMALL,
    Picture,
    attribute,
    finite,
    fitted,
    isolated,
    measured,
)
from likelier._show.words import Number, brief

AREA = 440.0 * 300.0  # of the frame, in square pixels
LEAST = 2.0  # the radius of a circle that can be seen
FREE = 12.0  # between the circles and the frame
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
) -> str:
    """Two events, what they share, and what is outside; from probabilities, or from counts with `whole`.

    written  how numbers are written

    >>> "0.31" in venn(("positive", "happy"), 0.35, 0.05, 0.04)
    True
    """
    _check(a, b, both, whole)
    sizes = (finite(a), finite(b), finite(both), finite(whole))
    plan = _Plan.of(*sizes)
    picture = Picture(title)
    left, top = MARGIN, (picture.heading() + 10 if title.strip() else MARGIN) + 34
    wide, high = plan.size
    one, other = (Circle(each.x + left, each.y + top, each.radius) for each in plan.circles)
    picture.rect(left, top, wide, high, "none", "faint", ' rx="2" data-whole=""')
    for circle, color, slope in ((one, "for", 1), (other, "against", -1)):
        if circle.radius:
            _fill(picture, circle, color, slope)
    _names(picture, names, (a, b), (one, other), written, top - 14)
    numbers = {"only a": a - both, "both": both, "only b": b - both, "neither": whole - a - b + both}
    outside = _numbers(picture, names, numbers, (one, other), (left, top, wide, high), written)
    end = max(top + high, outside) + 24
    if plan.note:
        picture.text(left, end, plan.note, ink="faint", size=SMALL)
        end += 14
    said = [f"{isolated(fitted(name, 300))} {written(value)}" for name, value in zip(names, (a, b), strict=True)]
    said += [f"both {written(both)}", f"neither {written(numbers['neither'])}", f"of {written(whole)}"]
    return picture.svg(end + 4, f"{', '.join(said)}; {plan.note or 'all areas are to scale'}")


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
            ratio = min(max(440 / 300, needed[0] ** 2 / AREA), AREA / needed[1] ** 2)
            size = (math.sqrt(AREA * ratio), math.sqrt(AREA / ratio))
        else:
            size = needed
            notes.append("the frame is larger than the whole")
        x, y = (size[0] - needed[0]) / 2 + FREE - left, size[1] / 2
        circles = (Circle(x, y, drawn[0]), Circle(x + apart, y, drawn[1]))
        return cls(circles, size, f"{NOTE}: {', '.join(notes)}" if notes else "")


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
    texts = [
        f"{isolated(fitted(name, 180, strong=True))}: {written(size)}" for name, size in zip(names, sizes, strict=True)
    ]
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


def _numbers(
    picture: Picture,
    names: tuple[str, str],
    numbers: dict[str, Number],
    circles: tuple[Circle, Circle],
    frame: tuple[float, float, float, float],
    written: Callable[[Number], str],
) -> float:
    """The four numbers in their areas, or on the right with a line where an area is too small; where they end."""
    left, top, wide, high = frame
    places = _regions(*circles)
    words = {
        "only a": f"only {isolated(fitted(names[0], 120))}",
        "both": "both",
        "only b": f"only {isolated(fitted(names[1], 120))}",
        "neither": "neither",
    }
    outside = []
    for name, (x, y, room) in places.items():
        text = written(numbers[name])
        if room >= measured(text, strong=True) + 14:
            picture.backed(x, y + 5, text, strong=True)
        else:
            outside.append((y, x, f"{words[name]}: {text}"))
    text = f"{words['neither']}: {written(numbers['neither'])}"
    picture.text(left + wide, top + high + 22, text, anchor="end")
    y = top + 20.0
    for target, x, text in sorted(outside):
        y = max(y, target)
        picture.text(left + wide + 40, y + 5, text, most=picture.width - left - wide - 44)
        picture.line(left + wide + 34, y, x, target, "ink")
        picture.circle(x, target, 2, "ink")
        y += 26
    return y


def _regions(one: Circle, other: Circle) -> dict[str, tuple[float, float, float]]:
    """For each area that the circles make: a place in its middle, and how wide it is there."""
    ends = (
        ("only a", one.x - one.radius, min(one.x + one.radius, other.x - other.radius)),
        ("both", max(one.x - one.radius, other.x - other.radius), min(one.x + one.radius, other.x + other.radius)),
        ("only b", max(one.x + one.radius, other.x - other.radius), other.x + other.radius),
    )
    return {name: ((low + high) / 2, one.y, high - low) for name, low, high in ends}

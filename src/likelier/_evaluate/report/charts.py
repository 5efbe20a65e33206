"""Drawings as SVG: shares from 0 to 100 % on both axes.

They hold no text from outside. Colours come from the page's style, so they follow light, dark and paper; every drawing
has a title and a description for those who do not see it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from likelier._evaluate.figures.curves import Curve
from likelier._evaluate.figures.reliability import Bin
from likelier._evaluate.report.words import counted, percent

WIDTH, SIDE, LEFT, TOP = 340, 270, 54, 10
STRIP = 46  # the height of the bars below a reliability diagram
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Words:
    """What a drawing is about.

    name  its id in the page
    """

    name: str
    title: str
    description: str
    x: str
    y: str


def reliability(words: Words, bins: Sequence[Bin]) -> str:
    """What was said against what came true: a point with its interval for each bin, and how many documents it has."""
    most = max((point.documents for point in bins), default=1.0)
    total = sum(point.documents for point in bins) or 1.0
    base = TOP + SIDE + 22 + STRIP
    parts = [_line(0, 0, 1, 1, "even")]
    parts += [
        _line(point.confidence, point.interval.low, point.confidence, point.interval.high, "spread") for point in bins
    ]
    for point in bins:
        left, right = _x(point.low) + 1, _x(point.high) - 1
        height = max(STRIP * point.documents / most, 1.0)
        said = f"said {percent(point.confidence)}, right in {percent(point.accuracy)}: {counted(point.documents)}"
        title = f"<title>{said}</title>"
        size = 3 + 4 * (point.documents / total) ** 0.5
        parts.append(
            f'<circle cx="{_x(point.confidence):.1f}" cy="{_y(point.accuracy):.1f}" r="{size:.1f}">{title}</circle>'
        )
        parts.append(
            f'<rect class="bar" x="{left:.1f}" y="{base - height:.1f}" width="{max(right - left, 1):.1f}"'
            f' height="{height:.1f}">{title}</rect>'
        )
    parts.append(f'<path class="axis" d="M{LEFT} {base}H{LEFT + SIDE}"/>')
    parts.append(_text(LEFT - 8, base - STRIP / 2 + 4, "end", percent(most / total)))
    return _drawing(words, parts, bottom=base, label_at=base + 18)


def curves(words: Words, found: Sequence[Curve], *, even: bool) -> str:
    """One line for each curve; `even`: with the line that chance gives."""
    parts = [_line(0, 0, 1, 1, "even")] if even else []
    for place, curve in enumerate(found, start=1):
        points = list(zip(curve.x.tolist(), curve.y.tolist(), strict=True))
        parts += [_path(points, f"s{place}")] if points else []
    return _drawing(words, parts, bottom=TOP + SIDE + 18, label_at=TOP + SIDE + 36)


def side_by_side(charts: Mapping[str, str]) -> str:
    """Drawings with their captions."""
    figures = [f"<figure>\n<figcaption>{name}</figcaption>\n{chart}\n</figure>" for name, chart in charts.items()]
    return "\n".join(['<div class="charts">', *figures, "</div>"])


def key(place: int) -> str:
    """The sample of a line, for a table."""
    return (
        '<svg class="key" viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">'
        f'<path class="s{place}" d="M1 6H33"/></svg>'
    )


def _drawing(words: Words, parts: Sequence[str], *, bottom: float, label_at: float) -> str:
    grid = "".join(f"M{_x(tick):g} {TOP}V{TOP + SIDE}M{LEFT} {_y(tick):g}H{LEFT + SIDE}" for tick in TICKS)
    numbers = [_text(_x(tick), TOP + SIDE + 16, "middle", f"{tick * 100:g}") for tick in TICKS]
    numbers += [_text(LEFT - 8, _y(tick) + 4, "end", f"{tick * 100:g}") for tick in TICKS]
    middle = TOP + SIDE / 2
    lines = [
        f'<svg class="chart" role="img" aria-labelledby="{words.name}-title {words.name}-description"'
        f' viewBox="0 0 {WIDTH} {label_at + 8:g}">',
        f'<title id="{words.name}-title">{words.title}</title>',
        f'<desc id="{words.name}-description">{words.description}</desc>',
        f'<path class="grid" d="{grid}"/>',
        *numbers,
        _text(LEFT + SIDE / 2, label_at, "middle", words.x, "name"),
        f'<text class="name" text-anchor="middle" transform="translate(12 {middle:g}) rotate(-90)">{words.y}</text>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines)


def _x(share: float) -> float:
    return LEFT + SIDE * share


def _y(share: float) -> float:
    return TOP + SIDE * (1 - share)


def _text(x: float, y: float, anchor: str, text: str, name: str = "") -> str:
    kind = f' class="{name}"' if name else ""
    return f'<text{kind} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, name: str) -> str:
    return f'<path class="{name}" d="M{_x(x):.1f} {_y(y):.1f}L{_x(to_x):.1f} {_y(to_y):.1f}"/>'


def _path(points: Sequence[tuple[float, float]], name: str) -> str:
    """A line through the points; of neighbours on the same tenth of a pixel, one is enough."""
    places = (place for place, _ in groupby(f"{_x(x):.1f} {_y(y):.1f}" for x, y in points))
    return f'<path class="{name}" d="M{"L".join(places)}"/>'

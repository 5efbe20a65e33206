"""What all parts of the page are made of: numbers in words, tables, sections, and charts as SVG.

Tables and charts take text as HTML; all text from outside goes through `explain.html_words` first. Colors come from the
page's style, so they follow light, dark and paper. Every chart has a title and a description for screen readers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from likelier._evaluate.figures.curves import Curve
from likelier._evaluate.figures.losses import Bin
from likelier._evaluate.figures.rendering import counted
from likelier._show.html_words import safe
from likelier._show.table import Cell, Table
from likelier._show.words import percent as percent_of

NOTHING = "–"  # where a figure is 0/0
NO_BREAK = "\u00a0"
TALL = 24  # rows, from which on a table scrolls in a frame of its own
Cells = Sequence[str | Cell]  # text is HTML


# ---- numbers -----------------------------------------------------------------------------------------------------


def percent(share: float | None) -> str:
    r"""A share of documents, which may not be defined.

    >>> percent(0.9312), percent(0.99999), percent(None)
    ('93.1\xa0%', '&gt;99.9\xa0%', '–')
    """
    return NOTHING if share is None else safe(percent_of(share)).replace(" ", NO_BREAK)


def points(difference: float) -> str:
    """A difference of two shares, in percentage points.

    >>> points(0.0123), points(0.01), points(0.0001)
    ('1.2 points', '1.0 points', '&lt;0.1 points')
    """
    return "&lt;0.1 points" if 0 < difference < 0.0005 else f"{difference * 100:.1f} points"


def area(value: float | None) -> str:
    """An area, which is not 1 where it is only near to it.

    >>> area(0.9996), area(0.97), area(1.0), area(None)
    ('&gt;0.999', '0.970', '1', '–')
    """
    if value is None:
        return NOTHING
    return "1" if value == 1 else "&gt;0.999" if value > 0.9995 else f"{value:.3f}"


# ---- tables and sections -----------------------------------------------------------------------------------------


def html_table(
    caption: str,
    heading: Cells,
    rows: Sequence[Cells],
    *,
    numbers: Collection[int] = (),
    name: str = "",
    foot: Sequence[Cells] = (),
) -> str:
    """A table in a frame that the keyboard can reach and scroll; the first cell of each row is its heading.

    numbers  which cells of a row are aligned on the right
    name     a class, for the style
    foot     rows below a line
    """

    def cells(row: Cells) -> list[Cell]:
        return [each if isinstance(each, Cell) else Cell("", html=each) for each in row]

    table = Table(cells(heading), list(map(cells, rows)), numbers, list(map(cells, foot)), caption)
    frame = "wide tall" if len(rows) > TALL else "wide"
    start = f'<div class="{frame}" role="group" aria-label="{caption}" tabindex="0">'
    return f"{start}\n{table.to_html(name=name)}</div>"


def bar(share: float | None) -> Cell:
    """A share with a bar behind it."""
    style = "" if share is None else f' rate" style="--v:{share:.3f}'
    return Cell("", html=percent(share), attributes=f'class="n{style}"')


def section(name: str, heading: str, *parts: str) -> str:
    """A part of the page; nothing where it has no content."""
    kept = [part for part in parts if part]
    return "\n".join([f'<section id="{name}">', f"<h2>{heading}</h2>", *kept, "</section>"]) if kept else ""


def note(text: str) -> str:
    """A remark in smaller letters."""
    return f'<p class="note">{text}</p>' if text else ""


# ---- charts ------------------------------------------------------------------------------------------------------

WIDTH, SIDE, LEFT, TOP = 340, 270, 54, 10
STRIP = 46  # the height of the bars below a reliability diagram
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Caption(NamedTuple):
    """What a chart says: its id in the page, title and description, and the names of the axes."""

    name: str
    title: str
    description: str
    x: str
    y: str


def reliability_chart(caption: Caption, bins: Sequence[Bin]) -> str:
    """Confidence against accuracy: a point with its interval for each bin, and how many documents it has."""
    most = max((point.documents for point in bins), default=1.0)
    total = sum(point.documents for point in bins) or 1.0
    base = TOP + SIDE + 22 + STRIP
    parts = [_line([(0, 0), (1, 1)], "even")]
    parts += [_line([(each.confidence, end) for end in each.interval], "spread") for each in bins]
    for point in bins:
        left, right = _x(point.low) + 1, _x(point.high) - 1
        height = max(STRIP * point.documents / most, 1.0)
        size = 3 + 4 * (point.documents / total) ** 0.5
        shares = f"confidence {percent(point.confidence)}, accuracy {percent(point.accuracy)}"
        title = f"<title>{shares}: {counted(point.documents)}</title>"
        parts.append(
            f'<circle cx="{_x(point.confidence):.1f}" cy="{_y(point.accuracy):.1f}" r="{size:.1f}">{title}</circle>'
        )
        parts.append(
            f'<rect class="bar" x="{left:.1f}" y="{base - height:.1f}" width="{max(right - left, 1):.1f}"'
            f' height="{height:.1f}">{title}</rect>'
        )
    parts.append(f'<path class="axis" d="M{LEFT} {base}H{LEFT + SIDE}"/>')
    parts.append(_text(LEFT - 8, base - STRIP / 2 + 4, "end", percent(most / total)))
    return _chart(caption, parts, label_at=base + 18)


def curves_chart(caption: Caption, curves: Sequence[Curve], *, even: bool) -> str:
    """One line for each curve; `even`: with the line that chance gives."""
    parts = [_line([(0, 0), (1, 1)], "even")] if even else []
    for place, curve in enumerate(curves, start=1):
        if len(curve.x):
            parts.append(_line(list(zip(curve.x.tolist(), curve.y.tolist(), strict=True)), f"s{place}"))
    return _chart(caption, parts, label_at=TOP + SIDE + 36)


def side_by_side(charts: Mapping[str, str]) -> str:
    """Charts with their captions."""
    figures = [f"<figure>\n<figcaption>{name}</figcaption>\n{chart}\n</figure>" for name, chart in charts.items()]
    return "\n".join(['<div class="charts">', *figures, "</div>"])


def line_key(place: int) -> str:
    """The sample of a line, for a table."""
    return (
        '<svg class="key" viewBox="0 0 34 12" width="34" height="12" aria-hidden="true">'
        f'<path class="s{place}" d="M1 6H33"/></svg>'
    )


def _chart(caption: Caption, parts: Sequence[str], *, label_at: float) -> str:
    """A square with shares from 0 to 100 % on both axes."""
    name, title, description, x, y = caption
    grid = "".join(f"M{_x(tick):g} {TOP}V{TOP + SIDE}M{LEFT} {_y(tick):g}H{LEFT + SIDE}" for tick in TICKS)
    numbers = [_text(_x(tick), TOP + SIDE + 16, "middle", f"{tick * 100:g}") for tick in TICKS]
    numbers += [_text(LEFT - 8, _y(tick) + 4, "end", f"{tick * 100:g}") for tick in TICKS]
    middle = TOP + SIDE / 2
    lines = [
        f'<svg class="chart" role="img" aria-labelledby="{name}-title {name}-description"'
        f' viewBox="0 0 {WIDTH} {label_at + 8:g}">',
        f'<title id="{name}-title">{title}</title>',
        f'<desc id="{name}-description">{description}</desc>',
        f'<path class="grid" d="{grid}"/>',
        *numbers,
        _text(LEFT + SIDE / 2, label_at, "middle", x, ' class="name"'),
        f'<text class="name" text-anchor="middle" transform="translate(12 {middle:g}) rotate(-90)">{y}</text>',
        *parts,
        "</svg>",
    ]
    return "\n".join(lines)


def _x(share: float) -> float:
    return LEFT + SIDE * share


def _y(share: float) -> float:
    return TOP + SIDE * (1 - share)


def _text(x: float, y: float, anchor: str, text: str, kind: str = "") -> str:
    return f'<text{kind} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{text}</text>'


def _line(through: Sequence[tuple[float, float]], name: str) -> str:
    """A line through the points; of neighbors on the same tenth of a pixel, one is enough."""
    places = (place for place, _ in groupby(f"{_x(x):.1f} {_y(y):.1f}" for x, y in through))
    return f'<path class="{name}" d="M{"L".join(places)}"/>'

"""Charts as SVG, drawn by hand so that they need no library: bars and lines, in light and in dark.

Widths of texts are estimated on the wide side, and everything is laid out by them, so that no text is cut off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH = 760
EDGE, ROW, TITLE = 20, 26, 52
LETTER = 7.6  # pixels of a letter of 13 pixels, at most on average
PLOT = 260  # height of a chart of lines
LINE_COLORS = 5

STYLE = """<style>
.card{fill:#fff;stroke:#d1d9e0}text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}
.title{font-weight:600;font-size:14px}.soft{fill:#59636e}.end{text-anchor:end}.mid{text-anchor:middle}
.grid{stroke:#d1d9e0}.bar{fill:#afb8c1}.ours{fill:#0969da}.line{fill:none;stroke-width:2.5}
.s0{stroke:#0969da}.s1{stroke:#bc4c00}.s2{stroke:#1a7f37}.s3{stroke:#8250df}.s4{stroke:#59636e}
.d0{fill:#0969da}.d1{fill:#bc4c00}.d2{fill:#1a7f37}.d3{fill:#8250df}.d4{fill:#59636e}
@media (prefers-color-scheme:dark){
.card{fill:#0d1117;stroke:#3d444d}text{fill:#f0f6fc}.soft{fill:#9198a1}.grid{stroke:#3d444d}
.bar{fill:#656c76}.ours{fill:#4493f8}
.s0{stroke:#4493f8}.s1{stroke:#f0883e}.s2{stroke:#3fb950}.s3{stroke:#ab7df8}.s4{stroke:#9198a1}
.d0{fill:#4493f8}.d1{fill:#f0883e}.d2{fill:#3fb950}.d3{fill:#ab7df8}.d4{fill:#9198a1}}
</style>"""


@dataclass(frozen=True)
class Bar:
    """A name, its figure, how that is written, and whether it is ours."""

    name: str
    figure: float
    shown: str
    ours: bool = False


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars from zero, each with its figure."""
    left = EDGE + max(_width(row.name) for row in rows) + 12
    right = WIDTH - EDGE - max(_width(row.shown) for row in rows) - 8
    most = max(row.figure for row in rows)
    body = []
    for place, row in enumerate(rows):
        top = TITLE + place * ROW
        length = max((right - left) * row.figure / most, 1)
        kind = "ours" if row.ours else "bar"
        body += [
            _text(left - 12, top + 15, row.name, "end"),
            f'<rect class="{kind}" x="{left:.1f}" y="{top + 3}" width="{length:.1f}" height="{ROW - 9}" rx="2"/>',
            _text(left + length + 8, top + 15, row.shown, "soft"),
        ]
    return _svg(title, TITLE + len(rows) * ROW + 14, body)


Points = Sequence[tuple[float, float]]


def lines(title: str, series: dict[str, Points], across: str, bound: tuple[str, float] | None = None) -> str:
    """Lines over a logarithmic axis, up on one too where the figures differ much; each has its name at its end."""
    points = [point for each in series.values() for point in each]
    tall = [y for _, y in points] + ([bound[1]] if bound else [])
    axis, up = _Axis([x for x, _ in points], log=True), _Axis(tall, log=max(tall) > 20 * min(tall))
    names = [*series, *([bound[0]] if bound else [])]
    left, right = EDGE + max(map(_width, map(_short, up.ticks))) + 8, WIDTH - EDGE - max(map(_width, names)) - 14
    bottom = TITLE + PLOT

    def at(x: float, y: float) -> tuple[float, float]:
        return left + axis.share(x) * (right - left), bottom - up.share(y) * PLOT

    body = []
    for tick in up.ticks:
        _, y = at(axis.ticks[0], tick)
        body += [
            f'<path class="grid" d="M{left} {y:.1f}H{right:.1f}"/>',
            _text(left - 8, y + 4, _short(tick), "soft end"),
        ]
    body += [_text(at(tick, up.ticks[0])[0], bottom + 20, _short(tick), "soft mid") for tick in axis.ticks]
    body.append(_text((left + right) / 2, bottom + 42, across, "soft mid"))
    ends: list[tuple[float, str, str]] = []
    for place, (name, each) in enumerate(series.items()):
        color = place % LINE_COLORS
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (at(*point) for point in each))
        body.append(f'<path class="line s{color}" d="M{path}"/>')
        body += [f'<circle class="d{color}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>' for x, y in (at(*p) for p in each)]
        ends.append((at(*each[-1])[1], name, f"d{color}"))
    if bound:
        y = at(axis.ticks[0], bound[1])[1]
        body.append(f'<path class="line s4" stroke-dasharray="5 4" d="M{left} {y:.1f}H{right:.1f}"/>')
        ends.append((y, bound[0], "soft"))
    body += [_text(right + 10, y + 4, name, kind) for y, name, kind in _apart(ends)]
    return _svg(title, bottom + 58, body)


class _Axis:
    """From figures to shares of the way, with round numbers on it."""

    def __init__(self, figures: Sequence[float], log: bool) -> None:
        self.log = log
        low, high = min(figures), max(figures)
        if log:
            first = math.floor(math.log10(low) + 1e-9)
            last = max(math.ceil(math.log10(high) - 1e-9), first + 1)
            self.ticks = [10.0**power for power in range(first, last + 1)]
        else:
            step = _round_step(high / 4)
            self.ticks = [step * number for number in range(math.ceil(high / step - 1e-9) + 1)]

    def share(self, figure: float) -> float:
        first, last = self._on(self.ticks[0]), self._on(self.ticks[-1])
        return (self._on(figure) - first) / (last - first)

    def _on(self, figure: float) -> float:
        return math.log10(figure) if self.log else figure


def _round_step(step: float) -> float:
    size = 10.0 ** math.floor(math.log10(step))
    return next(factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= step)


def _short(figure: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if figure >= size:
            return f"{figure / size:g}{letter}"
    return f"{figure:g}"


def _apart(ends: list[tuple[float, str, str]]) -> list[tuple[float, str, str]]:
    """The same names, none nearer to another than a line."""
    moved: list[tuple[float, str, str]] = []
    for y, name, kind in sorted(ends):
        moved.append((max(y, moved[-1][0] + 17) if moved else y, name, kind))
    over = moved[-1][0] - (TITLE + PLOT)
    return [(y - max(over, 0), name, kind) for y, name, kind in moved]


def _width(text: str) -> float:
    return len(text) * LETTER


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _svg(title: str, height: float, body: list[str]) -> str:
    about = f'viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" role="img"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {about} aria-label="{escape(title, {chr(34): "&quot;"})}">'
    card = f'<rect class="card" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1:g}" rx="6"/>'
    return "\n".join([head, STYLE, card, _text(EDGE, 30, title, "title"), *body, "</svg>", ""])

"""What pictures are made of: text, lines, bars and axes as SVG, in light, dark and print.

Elements have their colors as attributes too, for programs that know no style. There are no ids: several pictures
in one page do not disturb each other. Stripes are wide dashes, hatching is drawn line by line.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise

from likelier._show import cells
from likelier._show.html_words import shown
from likelier._show.words import Number

WIDTH = 720.0
MARGIN = 24.0
SIZE, SMALL, LARGE = 14.0, 12.0, 18.0  # of letters
FONT = "system-ui, sans-serif"
COLORS = {  # name: light, dark, print
    "ink": ("#1b1f24", "#e6edf3", "#000"),
    "faint": ("#59636e", "#9198a1", "#444"),
    "line": ("#d1d9e0", "#3d444d", "#999"),
    "paper": ("#fff", "#0d1117", "#fff"),
    "for": ("#0969da", "#58a6ff", "#0969da"),
    "against": ("#db6d28", "#f0883e", "#db6d28"),
    "third": ("#1a7f37", "#56d364", "#1a7f37"),
    "fourth": ("#8250df", "#bc8cff", "#8250df"),
    "fifth": ("#bf3989", "#f778ba", "#bf3989"),
}
NARROW, BROAD = frozenset("fijlrtI.,:;'|!()[]/ "), frozenset("mwMW@%жмфшщыюЖМФШЩЫЮ—…∞")
STEERING = dict.fromkeys(map(ord, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
RIGHT_TO_LEFT = "\u200f"
LARGEST = 1e300  # from here on a number is drawn as infinite


def _rules(place: int, indent: str = "") -> str:
    rules = []
    for name, values in COLORS.items():
        rules.append(f".likelier-picture .f-{name} {{ fill: {values[place]}; }}")
        rules.append(f".likelier-picture .s-{name} {{ stroke: {values[place]}; }}")
    return "\n".join(indent + rule for rule in rules)


STYLE = f"""
.likelier-picture {{ font-family: {FONT}; max-width: 100%; height: auto; color-scheme: light dark;
  direction: ltr; letter-spacing: normal; word-spacing: 0;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
.likelier-picture text {{ unicode-bidi: isolate; text-transform: none; font-style: normal; text-shadow: none; }}
{_rules(0)}
@media (prefers-color-scheme: dark) {{
{_rules(1, "  ")}
}}
@media print {{
{_rules(2, "  ")}
}}
"""


# ---- numbers and text --------------------------------------------------------------------------------------------


def finite(value: Number) -> float:
    """A number to draw; one that is too large is infinite, and NaN has no place in a picture.

    >>> finite(0.5), finite(-1e305), finite(10**400)
    (0.5, -inf, inf)
    """
    if value != value:
        raise ValueError("a picture needs numbers, got NaN")
    if value >= LARGEST or value <= -LARGEST:
        return math.inf if value > 0 else -math.inf
    return float(value)


def attribute(value: float, places: int = 2) -> str:
    """A number in an attribute.

    >>> attribute(1.5), attribute(-0.001), attribute(1 / 3, 6)
    ('1.5', '0', '0.333333')
    """
    if not math.isfinite(value):
        raise ValueError(f"a place in a picture must be finite, got {value}")
    return f"{value:z.{places}f}".rstrip("0").rstrip(".")


def measured(text: str, size: float = SIZE, strong: bool = False) -> float:
    """About how wide the text is, rather too wide than too narrow: fonts differ."""
    return sum(map(_ems, text)) * size * (1.12 if strong else 1.0)


def _ems(character: str) -> float:
    if (count := cells.width(character)) != 1:
        return count * (0.5 if character < "\U0001f000" else 0.65)
    if character in NARROW:
        return 0.42
    return 1.0 if character in BROAD else 0.76 if character.isupper() else 0.64


def one_line(text: object) -> str:
    r"""Text from outside on one line, without a change of the writing direction; blank text in quotes.

    >>> one_line("one\n two"), one_line(" ")
    ('one two', "' '")
    """
    plain = str(text)[:2000].translate(STEERING)
    return " ".join(plain.split()) or repr(str(text)[:20])


def fitted(text: object, most: float, size: float = SIZE, strong: bool = False) -> str:
    """Text from outside on one line, cut to a width.

    >>> fitted("preposterous", 60)
    'prepo…'
    """
    line = one_line(text)
    if measured(line, size, strong) <= most and len(line) <= 4 * most / size + 8:
        return line
    kept, used = "", measured("…", size, strong)
    for character in line[: int(4 * most / size) + 8]:
        used += measured(character, size, strong)
        if used > most:
            break
        kept += character
    leads_left = any(unicodedata.bidirectional(character) in ("R", "AL") for character in kept[-3:])
    return f"{kept.rstrip()}…{RIGHT_TO_LEFT if leads_left else ''}"


def isolated(text: object, most: float = 300.0, size: float = SIZE, strong: bool = False) -> str:
    """Text from outside as a part of a line, cut; it cannot turn the direction of the rest."""
    return f"{cells.LEFT_TO_RIGHT}{fitted(text, most, size, strong)}{cells.LEFT_TO_RIGHT}"


# ---- axes --------------------------------------------------------------------------------------------------------


def ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers from low to high.

    >>> ticks(0, 1, 5), ticks(-3.2, 4.1, 5)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-2.0, 0.0, 2.0, 4.0])
    """
    if not low < high:
        return [low]
    step = _step(high / about - low / about)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [each * step for each in range(first, min(last, first + 4 * about) + 1)]


def _step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, ... that is not less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least * (1 - 1e-9)), 10 * power)


def tick_texts(places: Sequence[float]) -> list[str]:
    """The numbers at an axis, all with the same decimals.

    >>> tick_texts([0.0, 0.25, 0.5]), tick_texts([-1000.0, 0.0, 1000.0]), tick_texts([0.0, 1e-7])
    (['0', '0.25', '0.50'], ['-1,000', '0', '1,000'], ['0', '1e-07'])
    """
    step = min((abs(b - a) for a, b in pairwise(places)), default=0.0) or 1.0
    largest = max(map(abs, places), default=0.0)
    if largest >= 1e9 or step < 1e-5:
        return [f"{each:.6g}" for each in places]
    decimals = next((each for each in range(8) if abs(round(step, each) - step) < step * 1e-6), 8)
    return ["0" if abs(each) < step / 1e6 else f"{each:,.{decimals}f}" for each in places]


# ---- the picture -------------------------------------------------------------------------------------------------


class Picture:
    """A drawing surface: elements are added one by one, and `svg` writes them."""

    def __init__(self, title: str, words: Mapping[str, str] | None = None) -> None:
        self.title, self.words, self.width, self.parts = title, words or {}, WIDTH, list[str]()

    def say(self, word: str) -> str:
        """A word of likelier's own, or the one to write in its place."""
        return self.words.get(word, word)

    def heading(self) -> float:
        """Writes the title; where the picture goes on."""
        if not self.title.strip():
            return MARGIN
        lines = cells.wrap(one_line(self.title), int((self.width - 2 * MARGIN) / LARGE / 0.62))
        for place, line in enumerate(lines[:2]):
            text = f"{line}…" if place == 1 and len(lines) > 2 else line
            self.text(MARGIN, MARGIN + 14 + 24 * place, text, size=LARGE, strong=True, most=self.width - 2 * MARGIN)
        return MARGIN + 14 + 24 * len(lines[:2])

    def text(
        self,
        x: float,
        y: float,
        text: object,
        *,
        ink: str = "ink",
        size: float = SIZE,
        anchor: str = "start",
        strong: bool = False,
        most: float = WIDTH,
    ) -> None:
        """Text from outside, escaped and cut to `most`; y is the base line."""
        short, whole = fitted(text, most, size, strong), one_line(text)
        title = f"<title>{shown(whole[:480])}</title>" if short != whole else ""
        weight = ' font-weight="600"' if strong else ""
        end = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.parts.append(
            f'<text x="{attribute(x)}" y="{attribute(y)}" font-size="{attribute(size)}"{weight}{end}{_paint(ink)}>'
            f"{title}{shown(short)}</text>"
        )

    def backed(
        self, x: float, y: float, text: str, *, anchor: str = "middle", strong: bool = False, most: float = WIDTH
    ) -> None:
        """Text on paper, over whatever is drawn there."""
        short = fitted(text, most, SIZE, strong)
        wide = measured(short, SIZE, strong) * 0.96 + 4
        left = (
            x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] + {"start": -2, "middle": 0, "end": 2}[anchor]
        )
        self.rect(left, y - SIZE + 1, wide, SIZE + 3, "paper", extra=' rx="3"')
        self.text(x, y, text, anchor=anchor, strong=strong, most=most)

    def note(self, text: str, top: float, left: float = MARGIN) -> float:
        """A remark in small letters, if there is one; where it ends."""
        if not text:
            return top
        self.text(left, top + 8, text, ink="faint", size=SMALL, most=self.width - left - MARGIN)
        return top + 20

    def path(
        self, d: str, stroke: str, *, wide: float = 1.0, dash: str = "", fill: str = "none", extra: str = ""
    ) -> None:
        """A line or an outline."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<path d="{d}" stroke-width="{attribute(wide)}"{dashes}{_paint(fill, stroke)}{extra}/>')

    def line(self, x: float, y: float, to_x: float, to_y: float, stroke: str = "line", **kind: str | float) -> None:
        """A straight line."""
        d = f"M{attribute(x)} {attribute(y)}L{attribute(to_x)} {attribute(to_y)}"
        self.path(d, stroke, **kind)  # type: ignore[arg-type]

    def rect(
        self, x: float, y: float, wide: float, high: float, fill: str, stroke: str = "none", extra: str = ""
    ) -> None:
        """A filled rectangle, or a frame."""
        self.parts.append(
            f'<rect x="{attribute(x)}" y="{attribute(y)}" width="{attribute(max(wide, 0))}"'
            f' height="{attribute(max(high, 0))}"{_paint(fill, stroke)}{extra}/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str, stroke: str = "none", extra: str = "") -> None:
        """A circle, with digits enough to compute areas from."""
        place = f'cx="{attribute(x, 6)}" cy="{attribute(y, 6)}" r="{attribute(radius, 6)}"'
        self.parts.append(f"<circle {place}{_paint(fill, stroke)}{extra}/>")

    def bar(self, x: float, y: float, wide: float, high: float, color: str, *, striped: bool, kind: str = "") -> None:
        """A solid bar, or one with an outline and stripes."""
        if not striped:
            self.rect(x, y, wide, high, color, extra=kind)
            return
        if wide > 3:
            middle = y + high / 2
            self.line(x + 1, middle, x + wide - 1, middle, color, wide=high, dash="2 3")
        self.rect(x + min(wide, 1.0) / 2, y + 0.5, wide - 1, high - 1, "none", color, kind)

    def arrow(self, x: float, middle: float, high: float, color: str, sign: float) -> None:
        """The head of an arrow whose base is at x."""
        tip = attribute(x + math.copysign(high * 0.8, sign))
        points = f"M{attribute(x)} {attribute(middle - high)}L{tip} {attribute(middle)}"
        self.path(f"{points}L{attribute(x)} {attribute(middle + high)}Z", color, fill=color)

    def svg(self, height: float, description: str) -> str:
        """The whole, as a file of its own or as a part of a page."""
        size = f'width="{attribute(self.width)}" height="{attribute(height)}"'
        name = shown(one_line(self.title if self.title.strip() else description)[:480])
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" class="likelier-picture" role="img" {size}'
                f' viewBox="0 0 {attribute(self.width)} {attribute(height)}" font-family="{FONT}">',
                f"<title>{name}</title>",
                f"<desc>{shown(description[:4000].translate(STEERING))}</desc>",
                f"<style>{STYLE}</style>",
                f'<rect width="{attribute(self.width)}" height="{attribute(height)}"{_paint("paper")}/>',
                *self.parts,
                "</svg>",
            ]
        )


def _paint(fill: str, stroke: str = "none") -> str:
    names = [f"{kind}-{name}" for kind, name in (("f", fill), ("s", stroke)) if name in COLORS]
    outline = f' stroke="{COLORS[stroke][0]}"' if stroke in COLORS else ""
    return f' class="{" ".join(names)}" fill="{COLORS[fill][0] if fill in COLORS else "none"}"{outline}'

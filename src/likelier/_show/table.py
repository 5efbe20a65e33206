r"""A table in every form in which it is shown: terminal, plain text, Markdown, HTML, LaTeX, CSV, rows as mappings.

>>> table = Table(("term", "count", "P(t|c)"), [("chinese", 5, Fraction(3, 7)), ("tokyo", 0, Fraction(1, 14))], {1, 2})
>>> print(table)
term     count  P(t|c)
chinese      5     3/7
tokyo        0    1/14
>>> print(table.to_markdown())
| term | count | P(t\|c) |
| :--- | ---: | ---: |
| chinese | 5 | 3/7 |
| tokyo | 0 | 1/14 |
>>> table.to_dicts()[0]
{'term': 'chinese', 'count': 5, 'P(t|c)': Fraction(3, 7)}

Text from outside is harmless in each of them: it cannot become markup, a formula, or steer a terminal.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from likelier._show import latex
from likelier._show.cells import clean
from likelier._show.html_words import STYLE, shown
from likelier._show.layout import lines
from likelier._show.words import number

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|&~$#])")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that is more than its value.

    text        what is shown
    value       what CSV and mappings have; where not given, the text
    span        how many columns it takes; it widens none but the flexible one
    color       the text with its colors, for a terminal
    html        what a page has inside the cell, in place of the text
    attributes  of the cell in a page, such as `class="n"`
    latex       a formula, in place of the text
    """

    text: str
    value: Any = None
    span: int = 1
    color: str = ""
    html: str | None = None
    attributes: str = ""
    latex: str | None = None


def cell(value: Any) -> Cell:
    """Any value in a cell: a number in few digits, a list with commas, nothing for None."""
    if isinstance(value, Cell):
        return value
    if isinstance(value, str):
        return Cell(value, value)
    if isinstance(value, Fraction):
        return Cell(str(value), value, latex=latex.fraction(value))
    if isinstance(value, float):
        return Cell(f"{value:.4g}", value, latex=latex.number(f"{value:.4g}"))
    if isinstance(value, int) and not isinstance(value, bool):
        return Cell(number(value), value)
    if isinstance(value, list):
        return Cell(", ".join(map(str, value)), value)
    return Cell("" if value is None else str(value), value)


@dataclass(frozen=True)
class Table:
    """Rows under a heading; a cell is a value or a `Cell`. A heading without cells is not shown.

    numbers   the columns that are aligned on the right
    foot      rows below a line
    caption   a title, for pages and documents

    In a terminal that is too narrow, one column gives way:

    flexible  that column; of a list in the last one whole entries are left
    least     the fewest characters of it
    limits    column and most characters, for any
    spare     columns that are left out one after the other while the flexible one has little room
    height    most lines of a row, where its last cell is a list
    """

    heading: Sequence[Any]
    rows: Sequence[Sequence[Any]]
    numbers: Collection[int] = frozenset()
    foot: Sequence[Sequence[Any]] = ()
    caption: str = ""
    flexible: int = -1
    least: int = 8
    limits: tuple[tuple[int, int], ...] = ()
    spare: tuple[int, ...] = ()
    height: int = 1

    @property
    def column_count(self) -> int:
        """How many columns there are."""
        rows = (self.heading, *self.rows, *self.foot)
        return max(sum(cell(each).span for each in row) for row in rows)

    def cells(self, rows: Sequence[Sequence[Any]]) -> list[list[tuple[int, Cell]]]:
        """Each cell of these rows with the column in which it starts."""
        return [list(_placed(row)) for row in rows]

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, width: int | None = None, color: bool = False) -> str:
        """For a terminal of this width; plain text of any width without it."""
        return "\n".join(self.lines(width, color))

    def lines(self, width: int | None = None, color: bool = False) -> list[str]:
        """The same line by line."""
        return lines(self, width, color)

    # ---- data ----------------------------------------------------------------------------------------------------

    def to_dicts(self) -> list[dict[str, Any]]:
        """Each row as a mapping from the names of the columns; without the foot."""
        names = [each.text for each in _spread(self.heading)]
        return [dict(zip(names, map(_value, _spread(row)), strict=True)) for row in self.rows]

    def to_csv(self) -> str:
        """With a line of names; numbers in full."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(each.text for each in _spread(self.heading))
        writer.writerows(map(_value, _spread(row)) for row in self.rows)
        return file.getvalue()

    # ---- documents -----------------------------------------------------------------------------------------------

    def to_markdown(self) -> str:
        """As GitHub and notebooks read it."""
        aligned = ("---:" if place in self.numbers else ":---" for place in range(self.column_count))
        heading, *body = [
            [_markdown(each.text) for each in _spread(row)]
            for row in (self.heading or [""] * self.column_count, *self.rows, *self.foot)
        ]
        return "\n".join(f"| {' | '.join(row)} |" for row in (heading, aligned, *body))

    def to_html(self, *, name: str = "") -> str:
        """The `<table>`; name: its class."""
        parts = [
            f'<table class="{name}">' if name else "<table>",
            *([f"<caption>{shown(self.caption)}</caption>"] if self.caption else []),
            *([f"<thead>{self._html([self.heading], 'col')}</thead>"] if self.heading else []),
            f"<tbody>\n{self._html(self.rows)}\n</tbody>",
            *([f"<tfoot>\n{self._html(self.foot)}\n</tfoot>"] if self.foot else []),
            "</table>",
        ]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        return f'<section class="likelier">\n<style>{STYLE}</style>\n{self.to_html()}\n</section>'

    def _html(self, rows: Sequence[Sequence[Any]], scope: str = "") -> str:
        cells = (
            "".join(self._html_cell(place, each, scope or ("" if place else "row")) for place, each in row)
            for row in self.cells(rows)
        )
        return "\n".join(f"<tr>{row}</tr>" for row in cells)

    def _html_cell(self, place: int, each: Cell, scope: str) -> str:
        tag = "th" if scope else "td"
        attributes = [
            f'scope="{scope}"' if scope else "",
            f'colspan="{each.span}"' if each.span > 1 else "",
            each.attributes or ('class="n"' if place in self.numbers and each.span == 1 else ""),
        ]
        start = " ".join(filter(None, [tag, *attributes]))
        text = shown(each.text) if each.text.isascii() else f"<bdi>{shown(each.text)}</bdi>"
        return f"<{start}>{text if each.html is None else each.html}</{tag}>"

    def to_latex(self, *, math: bool = False) -> str:
        r"""A `tabular`; math: an `array`, for use within a formula."""
        kind = "array" if math else "tabular"
        columns = "".join("r" if place in self.numbers else "l" for place in range(self.column_count))
        heading = " & ".join(_latex(each, math) for _, each in _placed(self.heading))
        body = [
            " & ".join(_latex(each, math, place in self.numbers) for place, each in row)
            for row in self.cells([*self.rows, *self.foot])
        ]
        if self.foot:
            body[len(self.rows)] = rf"\hline {body[len(self.rows)]}"
        lines = [rf"{heading} \\ \hline"] if heading else []
        lines += [*(rf"{row} \\" for row in body[:-1]), *body[-1:]]
        return "\n".join([rf"\begin{{{kind}}}{{@{{}}{columns}@{{}}}}", *lines, rf"\end{{{kind}}}"])


def _placed(row: Sequence[Any]) -> Iterator[tuple[int, Cell]]:
    place = 0
    for each in map(cell, row):
        yield place, each
        place += each.span


def _spread(row: Sequence[Any]) -> list[Cell]:
    """The cells with empty ones where one takes several columns."""
    return [one for each in map(cell, row) for one in (each, *[Cell("")] * (each.span - 1))]


def _value(each: Cell) -> Any:
    return each.value if each.value is not None else each.text or None


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", clean(" ".join(text.split())))


def _latex(each: Cell, math: bool, is_number: bool = False) -> str:
    formula = each.latex
    if formula is None and is_number and latex.is_number(each.text):
        formula = latex.number(each.text)
    if formula is not None:
        shown = formula if math else f"${formula}$"
    else:
        shown = latex.name(each.text) if math and each.text else latex.text(each.text)
    return rf"\multicolumn{{{each.span}}}{{l}}{{{shown}}}" if each.span > 1 else shown

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
>>> table.rows()[0]
{'term': 'chinese', 'count': 5, 'P(t|c)': Fraction(3, 7)}

Text from outside is harmless in each of them: it cannot become markup, a formula, or steer a terminal.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any, Self

from likelier._base.checks import check_flag, checked_width, checked_words
from likelier._base.errors import error
from likelier._show import latex
from likelier._show.cells import clean, wrap
from likelier._show.html_words import in_section, shown
from likelier._show.layout import lines
from likelier._show.words import number

PAGE = 40  # rows on a page of a document
NOTE = 100  # characters of a line below a table, where no width is given
_STRUT = r"\rule[-0.65em]{0pt}{1.8em}"  # keeps fractions in LaTeX apart from those of the rows beside
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
    is_own      a word of likelier's and not of the data, which `Table.renamed` may replace
    """

    text: str
    value: Any = None
    span: int = 1
    color: str = ""
    html: str | None = None
    attributes: str = ""
    latex: str | None = None
    is_own: bool = False


def own(word: str) -> Cell:
    """A word of likelier's in a table, not of the data."""
    return Cell(word, word, is_own=True)


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
    """A table that prints in a terminal, displays in a notebook, and has every other form.

    Its rows have cells that are values or a `Cell`. The foot has rows such as sums, and notes are sentences below
    the table.

    >>> from likelier import train
    >>> table = train([("cheap watches", "spam"), ("lunch", "ham")]).count_table()
    >>> print(table.to_csv().rstrip())
    label,cheap,watches,lunch,words,documents
    ham,0,0,1,1,1
    spam,1,1,0,2,1
    sum,1,1,1,3,2
    """

    heading: Sequence[Any]  # without cells it is not shown
    body: Sequence[Sequence[Any]]
    numbers: Collection[int] = frozenset()  # the columns that are aligned on the right
    foot: Sequence[Sequence[Any]] = ()  # rows below a line
    caption: str = ""  # a title, for pages and documents
    # In a terminal that is too narrow, one column gives way.
    flexible: int = -1  # that column; of a list in the last one whole entries are left
    least: int = 8  # the fewest characters of it
    limits: tuple[tuple[int, int], ...] = ()  # column and most characters, for any
    spare: tuple[int, ...] = ()  # columns that are left out one after the other while the flexible one has little room
    height: int = 1  # most lines of a row, where its last cell is a list
    notes: tuple[str, ...] = ()
    draw: Callable[..., str] | None = field(default=None, repr=False, compare=False)  # takes the `names` of `renamed`

    @property
    def column_count(self) -> int:
        """How many columns there are."""
        rows = (self.heading, *self.body, *self.foot)
        return max(sum(cell(each).span for each in row) for row in rows)

    def cells(self, rows: Sequence[Sequence[Any]]) -> list[list[tuple[int, Cell]]]:
        """Each cell of these rows with the column in which it starts."""
        return [list(_placed(row)) for row in rows]

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, width: int | None = None, color: bool = False) -> str:
        """For a terminal of this width; plain text of any width without it."""
        check_flag("color", color)
        room = None if width is None else checked_width(width)
        notes = [line for note in self.notes for line in wrap(clean(note), room or NOTE)]
        return "\n".join([*self.lines(room, color), *notes])

    def lines(self, width: int | None = None, color: bool = False) -> list[str]:
        """The same line by line, without the notes."""
        return lines(self, width, color)

    def renamed(self, names: Mapping[str, str], caption: str | None = None) -> Self:
        """The table with other words for likelier's own, as in another language; terms and labels stay.

        A note is replaced as a whole.

        >>> print(
        ...     Table((own("label"), own("words")), [("words", 5)], {1}).renamed({"label": "Klasse", "words": "Wörter"})
        ... )
        Klasse  Wörter
        words        5
        """
        names = checked_words(names)

        def named(value: Any) -> Any:
            if not (isinstance(value, Cell) and value.is_own):
                return value
            before, space, last = value.text.rpartition(" ")
            if value.text in names or last not in names:
                text, formula = names.get(value.text, value.text), None
            else:  # a formula with a word after it
                text = f"{before}{space}{names[last]}"
                formula = value.latex and value.latex.replace(latex.name(last), latex.name(names[last]))
            return value if text == value.text else replace(value, text=text, value=text, html=None, latex=formula)

        def row(cells: Sequence[Any]) -> list[Any]:
            return [named(each) for each in cells]

        body, foot = list(map(row, self.body)), list(map(row, self.foot))
        caption = self.caption if caption is None else caption
        draw = None if self.draw is None else partial(self.draw, names=names)
        notes = tuple(names.get(note, note) for note in self.notes)
        return replace(self, heading=row(self.heading), body=body, foot=foot, caption=caption, notes=notes, draw=draw)

    # ---- data ----------------------------------------------------------------------------------------------------

    def rows(self) -> list[dict[str, Any]]:
        """Each row as a mapping from the names of the columns to exact values; those of the foot are the last.

        Of columns with the same name, the second is called `name (2)`.
        """
        names = self._names()
        return [dict(zip(names, map(_value, _spread(row)), strict=True)) for row in (*self.body, *self.foot)]

    def to_csv(self) -> str:
        """With a line of names; decimals in full, fractions as they are shown."""
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self._names())
        writer.writerows(map(_in_csv, _spread(row)) for row in (*self.body, *self.foot))
        return file.getvalue()

    def _names(self) -> list[str]:
        names: list[str] = []
        for each in _spread(self.heading):
            same = names.count(each.text) + sum(f"{each.text} ({k})" in names for k in range(2, len(names) + 2))
            names.append(f"{each.text} ({same + 1})" if each.text in names else each.text)
        return names

    # ---- documents -----------------------------------------------------------------------------------------------

    def to_markdown(self) -> str:
        """As GitHub and notebooks read it."""
        aligned = ("---:" if place in self.numbers else ":---" for place in range(self.column_count))
        heading, *body = [
            [markdown_text(each.text) for each in _spread(row)]
            for row in (self.heading or [""] * self.column_count, *self.body, *self.foot)
        ]
        table = [f"| {' | '.join(row)} |" for row in (heading, aligned, *body)]
        return "\n".join([*table, *(f"\n{markdown_text(note)}" for note in self.notes)])

    def to_html(self, *, name: str = "") -> str:
        """The `<table>`; name: its class."""
        parts = [
            f'<table class="{shown(name)}">' if name else "<table>",
            *([f"<caption>{shown(self.caption)}</caption>"] if self.caption else []),
            *([f"<thead>{self._html([self.heading], 'col')}</thead>"] if self.heading else []),
            f"<tbody>\n{self._html(self.body)}\n</tbody>",
            *([f"<tfoot>\n{self._html(self.foot)}\n</tfoot>"] if self.foot else []),
            "</table>",
            *(f'<p class="note">{shown(note)}</p>' for note in self.notes),
        ]
        return "\n".join(parts)

    def to_svg(self) -> str:
        """A picture of the numbers, for a page or a slide."""
        if self.draw is None:
            raise error("table-without-picture")
        return self.draw()

    def _repr_html_(self) -> str:
        picture = "" if self.draw is None else f"<figure>{self.draw()}</figure>"
        return in_section(f'<div class="wide">{self.to_html()}</div>', picture)

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

    def to_latex(self, *, math: bool = False, document: bool = False) -> str:
        r"""A `tabular`; math: an `array`, for use within a formula.

        document: a complete one with caption and notes, for pdflatex (Latin script), xelatex or lualatex (any)
        """
        check_flag("math", math)
        check_flag("document", document)
        if document:
            pages = [replace(self, body=body, foot=()) for body in self._pages()]
            pages[-1] = replace(pages[-1], foot=self.foot)
            parts = [*(page.to_latex() for page in pages), *map(latex.text, self.notes)]
            return latex.document("\n\n".join(parts), title=self.caption)
        kind = "array" if math else "tabular"
        columns = "".join("r" if place in self.numbers else "l" for place in range(self.column_count))
        heading = " & ".join(_latex(each, math) for _, each in _placed(self.heading))
        body = [
            _latex_row(_latex(each, math, place in self.numbers) for place, each in row)
            for row in self.cells([*self.body, *self.foot])
        ]
        if self.foot:
            body[len(self.body)] = rf"\hline {body[len(self.body)]}"
        lines = [rf"{heading} \\ \hline"] if heading else []
        lines += [*(rf"{row} \\" for row in body[:-1]), *body[-1:]]
        strut = _STRUT if any(r"\frac" in line for line in lines) else ""
        return "\n".join([rf"\begin{{{kind}}}{{@{{{strut}}}{columns}@{{}}}}", *lines, rf"\end{{{kind}}}"])

    def _pages(self) -> list[Sequence[Sequence[Any]]]:
        starts = range(0, max(len(self.body), 1), PAGE)
        return [self.body[start : start + PAGE] for start in starts]


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


def _in_csv(each: Cell) -> Any:
    if isinstance(each.value, Fraction) and each.value.denominator > 1 and latex.is_number(each.text):
        return float(each.value)
    return each.value if isinstance(each.value, int | float) else each.text


def markdown_text(text: str) -> str:
    """Words in Markdown, on one line, whatever they hold."""
    return _MARKDOWN.sub(r"\\\1", clean(" ".join(text.split())))


def _latex_row(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    return f"{{}}{row}" if row.startswith(("[", "*")) else row  # which would belong to the line break before


def _latex(each: Cell, math: bool, is_number: bool = False) -> str:
    formula = each.latex
    if formula is None and is_number and latex.is_number(each.text):
        formula = latex.number(each.text)
    if formula is not None:
        shown = formula if math else f"${formula}$"
    else:
        shown = latex.name(each.text) if math and each.text else latex.text(each.text)
    return rf"\multicolumn{{{each.span}}}{{l}}{{{shown}}}" if each.span > 1 else shown

"""Tables of the page: with a caption, headings for rows and columns, and a frame that scrolls where they are wide."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from likelier._evaluate.report.words import NOTHING, percent
from likelier._show.table import Cell, Table

TALL = 24  # rows, from which on a table scrolls in a frame of its own
Cells = Sequence[str | Cell]  # text is HTML


def framed(
    caption: str,
    heading: Cells,
    rows: Sequence[Cells],
    *,
    numbers: Collection[int] = (),
    name: str = "",
    foot: Sequence[Cells] = (),
) -> str:
    """A table in a frame that the keyboard can reach and scroll; the first cell of each row is its heading.

    numbers  the columns that are aligned on the right
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
    if share is None:
        return Cell("", html=NOTHING, attributes='class="n"')
    return Cell("", html=percent(share), attributes=f'class="n rate" style="--v:{share:.3f}"')


def section(name: str, heading: str, *parts: str) -> str:
    """A part of the page; nothing where it has no content."""
    kept = [part for part in parts if part]
    return "\n".join([f'<section id="{name}">', f"<h2>{heading}</h2>", *kept, "</section>"]) if kept else ""


def note(text: str) -> str:
    """A remark in smaller letters."""
    return f'<p class="note">{text}</p>' if text else ""

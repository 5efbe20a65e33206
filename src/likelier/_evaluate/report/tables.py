"""Tables of the page: with a caption, headings for rows and columns, and a frame that scrolls where they are wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from likelier._evaluate.report.words import NOTHING, percent

TALL = 24  # rows, from which on a table scrolls in a frame of its own
Cells = Sequence[str]  # each is HTML; a whole `<td ...>` is taken as it is


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of each row is its heading.

    numbers  the columns that are aligned on the right
    name     a class, for the style
    foot     rows below a line
    """

    caption: str
    heading: Cells
    rows: Sequence[Cells]
    numbers: frozenset[int] = frozenset()
    name: str = ""
    foot: Sequence[Cells] = ()

    def html(self) -> str:
        """The table in its frame, which the keyboard can reach and scroll."""
        tall = " tall" if len(self.rows) > TALL else ""
        foot = [f"<tfoot>\n{self._lines(self.foot)}\n</tfoot>"] if self.foot else []
        lines = [
            f'<div class="wide{tall}" role="group" aria-label="{self.caption}" tabindex="0">',
            f'<table class="{self.name}">' if self.name else "<table>",
            f"<caption>{self.caption}</caption>",
            f"<thead><tr>{self._heading()}</tr></thead>",
            f"<tbody>\n{self._lines(self.rows)}\n</tbody>",
            *foot,
            "</table></div>",
        ]
        return "\n".join(lines)

    def _heading(self) -> str:
        return "".join(f'<th scope="col"{self._class(place)}>{cell}</th>' for place, cell in enumerate(self.heading))

    def _class(self, place: int) -> str:
        return ' class="n"' if place in self.numbers else ""

    def _lines(self, rows: Sequence[Cells]) -> str:
        return "\n".join(
            f"<tr>{''.join(self._cell(place, cell) for place, cell in enumerate(row))}</tr>" for row in rows
        )

    def _cell(self, place: int, cell: str) -> str:
        if cell.startswith("<td"):
            return cell
        return f'<th scope="row">{cell}</th>' if place == 0 else f"<td{self._class(place)}>{cell}</td>"


def bar(share: float | None) -> str:
    """A share with a bar behind it."""
    if share is None:
        return f'<td class="n">{NOTHING}</td>'
    return f'<td class="n rate" style="--v:{share:.3f}">{percent(share)}</td>'


def section(name: str, heading: str, *parts: str) -> str:
    """A part of the page; nothing where it has no content."""
    kept = [part for part in parts if part]
    return "\n".join([f'<section id="{name}">', f"<h2>{heading}</h2>", *kept, "</section>"]) if kept else ""


def note(text: str) -> str:
    """A remark in smaller letters."""
    return f'<p class="note">{text}</p>' if text else ""

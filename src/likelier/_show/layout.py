"""A table in the cells of a terminal: how wide its columns are, and its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likelier._show.cells import clean, cut, left, paint, right, width

if TYPE_CHECKING:
    from likelier._show.table import Cell, Table

GAP = "  "
LABEL_CELLS = 24  # most cells of a label in a table
ROOM = 32  # cells that the flexible column should have
UNLIMITED = 10**6


def lines(table: Table, room: int | None, color: bool) -> list[str]:
    """The lines of a table, at most `room` cells wide as far as the numbers allow it."""
    return Layout(table, UNLIMITED if room is None else room).lines(color)


class Layout:
    """A table of a given width.

    sizes  how many cells each column takes; 0: left out
    """

    def __init__(self, table: Table, room: int) -> None:
        self.table = table
        self.last = table.column_count - 1
        self.flexible = table.flexible % table.column_count
        self.heading, *self.body = [
            [(place, each, clean(each.text)) for place, each in row]
            for row in table.cells([table.heading, *table.body, *table.foot])
        ]
        self.sizes = self._natural()
        self._leave_out(room)
        self._fit(room)

    @property
    def total(self) -> int:
        """The cells of a whole line."""
        return sum(size + len(GAP) for size in self.sizes if size) - len(GAP)

    # ---- sizes ---------------------------------------------------------------------------------------------------

    def _natural(self) -> list[int]:
        sizes, limits = [0] * (self.last + 1), dict(self.table.limits)
        for row in (self.heading, *self.body):
            for place, each, text in row:
                if each.span == 1:
                    sizes[place] = max(sizes[place], min(width(text), limits.get(place, UNLIMITED)))
        return sizes

    def _others(self) -> int:
        """What the columns beside the flexible one take."""
        return sum(size + len(GAP) for place, size in enumerate(self.sizes) if size and place != self.flexible)

    def _leave_out(self, room: int) -> None:
        for place in self.table.spare:
            if self._others() + ROOM > room:
                self.sizes[place] = 0

    def _fit(self, room: int) -> None:
        """The flexible column takes what it needs, or what is left."""
        needed = [self.sizes[self.flexible]]
        for row in self.body:
            needed += [
                width(text) - self.covered(place + 1, each.span - 1) - len(GAP)
                for place, each, text in row
                if each.span > 1 and place == self.flexible
            ]
        most = dict(self.table.limits).get(self.flexible, UNLIMITED)
        self.sizes[self.flexible] = min(max(needed), most, max(room - self._others(), self.table.least))

    def covered(self, place: int, span: int) -> int:
        """The cells of several columns, with the gaps between them."""
        sizes = [size for size in self.sizes[place : place + span] if size]
        return sum(sizes) + len(GAP) * (len(sizes) - 1)

    # ---- lines ---------------------------------------------------------------------------------------------------

    def lines(self, color: bool) -> list[str]:
        """The heading, the rows, and the foot below a line."""
        heading = [paint(self._row(self.heading, color=False)[0], "faint", color)] if self.heading else []
        rows = [self._row(row, color) for row in self.body]
        foot = len(self.table.body)
        ruler = [[paint("─" * self.total, "faint", color)]] if self.table.foot else []
        below = [line for row in (*rows[:foot], *ruler, *rows[foot:]) for line in row]
        return [*heading, *below]

    def _row(self, row: list[tuple[int, Cell, str]], color: bool) -> list[str]:
        parts, more, indent = list[str](), list[str](), 0
        for place, each, text in row:
            size = self.covered(place, each.span)
            if size <= 0:
                continue
            is_list = isinstance(each.value, list) and place == self.last
            first, *more = _fitted(text, size, self.table.height) if is_list else [cut(text, size)]
            filled = (right if place in self.table.numbers and each.span == 1 else left)(first, size)
            if color and each.color and first == text:
                filled = filled.replace(text, each.color)
            parts.append(filled)
            indent = self.covered(0, place) + len(GAP)
        return [GAP.join(parts).rstrip(), *(" " * indent + line for line in more)]


def _fitted(text: str, room: int, height: int) -> list[str]:
    """The text in at most `height` lines, cut to the room; a list with commas is cut between its entries."""
    if width(text) <= room or ", " not in text:
        return [cut(text, room)]
    kept, rest = "", text.split(", ")
    while rest and width(f"{kept}, {rest[0]}" if kept else rest[0]) + (1 if height > 1 else 3) <= room:
        kept = f"{kept}, {rest[0]}" if kept else rest[0]
        del rest[0]
    if not kept:
        return [cut(text, room)]
    return [f"{kept},", *_fitted(", ".join(rest), room, height - 1)] if height > 1 else [f"{kept}, …"]

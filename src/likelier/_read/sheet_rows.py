"""The row that a spreadsheet shows for a line of a CSV file: texts over several lines are one row.

Rows are counted only when a row cannot be used, by reading the file again up to that line.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator

from likelier._read.tabular import Layout

_END = "\0"


class SheetRows:
    """Row by line, both from 1. Lines that rise are found in one pass."""

    def __init__(self, blocks: Callable[[], Iterable[bytes]], layout: Layout) -> None:
        """blocks: the text of the file, read again."""
        self._blocks, self._layout = blocks, layout
        self._start()

    def _start(self) -> None:
        self._row = self._first = self._last = 0  # the row, and its first and last line
        lines = _lines(self._blocks())
        self._reader = csv.reader(lines, delimiter=self._layout.delimiter, quotechar=self._layout.quote)

    def row_of(self, line: int) -> int | None:
        """The row in which a line is; None if it cannot be told, as behind a quote that is never closed."""
        if line < self._first:
            self._start()
        try:
            while self._last < line:
                if "".join(next(self._reader)[-1:]).endswith(_END):
                    return None
                self._row, self._first, self._last = self._row + 1, self._last + 1, self._reader.line_num
        except (csv.Error, StopIteration):  # a field of more than 128 KB, or behind the end
            return None
        return self._row


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    """Lines in which every byte is a character, as only delimiters and quotes matter, and a last one that closes none.

    So a quote that is still open at the end makes a field that ends like no other.
    """
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        yield from (f"{line.decode('latin-1')}\n".replace("\r", " ") for line in lines)
    if rest:
        yield f"{rest.decode('latin-1')}\n".replace("\r", " ")
    yield _END

"""Spreadsheets: .xlsx, .xls and .ods, read by python-calamine, the extra `excel`. Rows are numbered as in the sheet.

A cell is the text that a person reads in it, as far as its format does not matter: 5 and not 5.0, dates in ISO form,
TRUE and FALSE; a cell with an error is empty. A workbook is held in memory as a whole, so its size is limited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from difflib import get_close_matches
from io import BytesIO
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import LikelierError, error
from likelier._kernel import Column
from likelier._read.faults import Fault, too_long
from likelier._read.tabular import SAMPLE_ROWS, RowsOf, TableRows, Tabular, listed

LARGEST_BOOK = 1 << 30  # bytes, unpacked
ROWS = 8192  # in one batch
MOST_TITLES = 10  # rows above the table
Row = tuple[int, list[Any]]  # its number, and its cells


class Spreadsheet(Tabular):
    """One sheet of a workbook; its first row with more than one cell has the names of the columns.

    sheet: its name. None: the first one.
    limit: bytes of a row, in the columns that are read.
    whole: give rows with numbers, dates and booleans as such, too.
    """

    def __init__(
        self, source: str, content: bytes, *, sheet: str | None, header: bool, limit: int, whole: bool
    ) -> None:
        self.source, self.whole, self._limit = source, whole, limit
        self.notes: list[str] = []
        self._cells = self._sheet(content, sheet)
        rows = list(islice(self._cells, SAMPLE_ROWS))
        if not rows:
            raise self._empty()
        self.names = [str(place) for place in range(1, len(rows[0][1]) + 1)]
        if header:
            rows = rows[_titles(rows) :]
            number, cells = rows.pop(0)
            self.names = [cell_text(cell).strip() for cell in cells]
            self.notes += [f"names of the columns: row {number} of {source} (guessed)"] if number > 1 else []
        self._first = rows

    def _empty(self) -> LikelierError:
        case, others = "sheet-empty.others" if self._others else "sheet-empty", self._others
        return error(case, source=self.source, sheet=self._name, others=listed(others), first=others[:1] and others[0])

    def _sheet(self, content: bytes, asked: str | None) -> Iterator[Row]:
        """The rows of the sheet that are not empty."""
        calamine = calamine_module(self.source)
        self._check_size(content)
        try:
            book = calamine.CalamineWorkbook.from_filelike(BytesIO(content))
            sheets = [each.name for each in book.sheets_metadata if each.typ == calamine.SheetTypeEnum.WorkSheet]
            self._name = self._chosen(sheets, asked)
            self._others = [name for name in sheets if name != self._name]
            rows = book.get_sheet_by_name(self._name).iter_rows()
        except calamine.PasswordError:
            raise error("spreadsheet-unreadable.password", source=self.source) from None
        except LikelierError:
            raise
        except Exception as failure:  # a damaged file raises anything
            raise error("spreadsheet-unreadable", source=self.source, reason=str(failure)[:200]) from None
        if asked is None and self._others:
            self.notes += [f"sheet of {self.source}: {self._name!r}, the first of {len(sheets)}"]
        return ((number, cells) for number, cells in enumerate(rows, 1) if any(cell != "" for cell in cells))

    def _check_size(self, content: bytes) -> None:
        from zipfile import BadZipFile, ZipFile

        size = len(content)
        try:
            with ZipFile(BytesIO(content)) as book:
                size = max(size, sum(part.file_size for part in book.infolist()))
        except BadZipFile:
            pass  # .xls is none
        if size > LARGEST_BOOK:
            raise error("spreadsheet-large", source=self.source, most=LARGEST_BOOK >> 20)

    def _chosen(self, sheets: Sequence[str], asked: str | None) -> str:
        if asked is None and sheets:
            return sheets[0]
        if asked in sheets:
            return str(asked)
        near = get_close_matches(str(asked), sheets, n=1) or sheets[:1] or ["Sheet1"]
        raise error("sheet-unknown", source=self.source, names=listed(sheets), got=asked, near=near[0])

    def sample(self) -> dict[str, list[str | None]]:
        rows = [cells for _, cells in self._first]
        return {name: [cell_text(cells[place]) for cells in rows] for place, name in reversed([*enumerate(self.names)])}

    def read(self, wanted: Sequence[str]) -> Iterator[TableRows]:
        places = {name: place for place, name in reversed(list(enumerate(self.names)))}  # of equal names the first
        rows = chain(self._first, self._cells)
        while some := list(islice(rows, ROWS)):
            texts = [[cell_text(cells[places[name]]) for name in wanted] for _, cells in some]
            long = [sum(len(text.encode()) for text in row) > self._limit for row in texts]
            good = [place for place, beyond in enumerate(long) if not beyond]
            yield TableRows(
                {name: Column.from_list([texts[row][place] for row in good]) for place, name in enumerate(wanted)},
                np.array([some[row][0] for row in good], dtype=np.uint64),
                [self._too_long(some[row][0]) for row, beyond in enumerate(long) if beyond],
                self._rows_of([some[row][1] for row in good]) if self.whole else None,
            )

    def _too_long(self, row: int) -> Fault:
        return Fault(self.source, row, 0, too_long(f"{self.source} row {row}", self._limit, row=True), "")

    def _rows_of(self, cells: Sequence[list[Any]]) -> RowsOf:
        names = self.names

        def rows_of(rows: NDArray[np.uint32]) -> list[dict[str, Any]]:
            return [dict(zip(names, map(cell_value, cells[row]), strict=True)) for row in rows.tolist()]

        return rows_of


def _titles(rows: Sequence[Row]) -> int:
    """How many rows precede the one with the names: those with a single cell, such as a title, if others have more."""
    few = rows[:MOST_TITLES]
    return next((place for place, (_, cells) in enumerate(few) if sum(cell != "" for cell in cells) > 1), 0)


def calamine_module(source: str) -> Any:
    """The reader of spreadsheets, if it is installed."""
    try:
        import python_calamine
    except ImportError:
        raise error("spreadsheet-extra", what=f"reading {source}", package="python-calamine") from None
    return python_calamine


def cell_value(cell: Any) -> Any:
    """The value of a cell: an integer where it is one, no time of day where there is none."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return int(cell)
    if isinstance(cell, datetime):
        return cell.date() if cell.time() == time.min else cell
    return cell


def cell_text(cell: Any) -> str:
    """What a person reads in a cell.

    >>> cell_text(5.0), cell_text(0.1 + 0.2), cell_text(True), cell_text(datetime(2024, 5, 3, 14, 30))
    ('5', '0.3', 'TRUE', '2024-05-03 14:30:00')
    """
    value = cell_value(cell)
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return f"{value:.15g}"  # as many digits as spreadsheets have
    return str(value) if isinstance(value, str | int | date | time | timedelta) else ""


def is_workbook(head: bytes) -> bool:
    """Whether the first bytes are those of an .xlsx or .ods file; an .xls file looks like any Office file."""
    return head.startswith(b"PK\x03\x04") and any(part in head for part in _INSIDE)


_INSIDE: Iterable[bytes] = (b"xl/workbook.", b"xl/worksheets/", b"application/vnd.oasis.opendocument.spreadsheet")

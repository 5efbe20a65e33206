"""Parquet files, read by DuckDB: in batches, every value as text, so that labels are the same in every kind of file.

DuckDB takes a path for a pattern and folders called name=value for columns, and gives columns whose names differ in
case alone other names. So the file is opened here, and the names of its columns are read from it directly.

Its rows come as Python values. As Arrow data they come 130,000 at a time, with twice the memory and no quicker:
for film reviews, 800,000 rows in 460 MB, 1.7 s and 0.6 GB against 2.2 s and 1.1 GB. Few come at a time, and values that
are too long not at all: a file of 1 KB can hold a value of 1 MB ten thousand times.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any
from weakref import finalize

import numpy as np

from likelier._base.errors import LikelierError, error
from likelier._documents.kinds import Binary
from likelier._kernel import Column
from likelier._read.choice import Choice
from likelier._read.faults import Fault, too_long
from likelier._read.streams import Passes, check_unchanged, open_file
from likelier._read.tabular import SAMPLE_ROWS, TableRows, Tabular

ROWS, CHARACTERS = 8192, 16 << 20  # in one batch
AT_ONCE = 16  # rows that are fetched before their lengths are known
SAMPLE_CHARACTERS = 10_000
NESTED = ("STRUCT", "MAP", "UNION")
DESCRIPTORS = "/dev/fd"  # where open files have a name
FROM = "FROM read_parquet(?, hive_partitioning = false)"


class Parquet(Tabular):
    """A Parquet file; its rows are counted from 1."""

    def __init__(self, source: str, path: str, passes: Passes, limit: int) -> None:
        """limit: bytes of a row, in the columns that are read."""
        import duckdb

        self.source, self._limit = source, limit
        self._problem = duckdb.Error
        self._file = open_file(path)
        self._close = finalize(self, self._file.close)
        self._state = passes.opened(0, self._file.fileno(), source)
        self._path = _plain_path(path, self._file.fileno())
        offline = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
        self._connection = duckdb.connect(config=offline)  # type: ignore[arg-type]
        described = self._rows(f"DESCRIBE SELECT * {FROM}")
        self.names = list(_top_level(self._rows("SELECT name, num_children FROM parquet_schema(?)")))
        columns = [(str(name), str(kind)) for name, kind, *_ in described]  # as DuckDB calls them
        self._columns = dict(zip(self.names, columns, strict=True))
        nested = {name for name, (_, kind) in self._columns.items() if kind.startswith(NESTED) or kind.endswith("]")}
        self.unreadable = dict.fromkeys(nested, "holds lists")
        self.known = {name: Binary() for name, (_, kind) in self._columns.items() if kind == "BOOLEAN"}

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, [self._path]).fetchall()
        except self._problem as error:
            raise self._damaged(error) from None

    def _damaged(self, failure: Exception) -> LikelierError:
        check_unchanged(self._state, self._file.fileno(), self.source)
        reason = str(failure).partition("\n")[0].replace(self._path, self.source)
        return error("parquet-unreadable", source=self.source, reason=reason)

    def check(self, choice: Choice) -> None:
        for name in choice.columns:
            if name in self.unreadable:
                raise error("column-values", name=name, source=self.source, what=self._columns[name][1])

    def sample(self) -> dict[str, list[str | None]]:
        beginnings = ", ".join(f"left({value}, {SAMPLE_CHARACTERS})" for value in self._values(self.names))
        rows = self._rows(f"SELECT {beginnings} {FROM} LIMIT {SAMPLE_ROWS}")
        return {name: [row[place] for row in rows] for place, name in enumerate(self.names)}

    def read(self, wanted: Sequence[str]) -> Iterator[TableRows]:
        start = 1
        try:
            result = self._connection.execute(self._query(wanted), [self._path])
            while rows := _some_rows(result):
                yield self._read(wanted, rows, start)
                start += len(rows)
            check_unchanged(self._state, self._file.fileno(), self.source)
        except self._problem as error:
            raise self._damaged(error) from None
        finally:
            self._connection.close()
            self._close()

    def _read(self, wanted: Sequence[str], rows: list[tuple[Any, ...]], start: int) -> TableRows:
        good = [row for row in rows if not row[-1]]
        columns = {name: Column.from_list([row[place] for row in good]) for place, name in enumerate(wanted)}
        lines = np.array([line for line, row in enumerate(rows, start) if not row[-1]], dtype=np.uint64)
        return TableRows(
            columns, lines, [self._fault(line, row[-1]) for line, row in enumerate(rows, start) if row[-1]]
        )

    def _fault(self, row: int, kind: str) -> Fault:
        failure = too_long(f"{self.source} row {row}", self._limit, row=True)
        if kind == "utf8":
            failure = error("row-encoding.bytes", source=self.source, row=row)
        return Fault(self.source, row, 0, failure, "")

    def _query(self, names: Sequence[str]) -> str:
        """The values and why the row cannot be used, in which case they are NULL."""
        places = range(len(names))
        values = ", ".join(f"{value} AS v{place}" for place, value in enumerate(self._values(names)))
        size = f"coalesce(list_sum([{', '.join(f'strlen(v{place})' for place in places)}]), 0)"
        fault = f"CASE WHEN {size} > {self._limit} THEN 'long' WHEN broken THEN 'utf8' END AS fault"
        shown = ", ".join(f"CASE WHEN fault IS NULL THEN v{place} END" for place in places)
        read = f"SELECT {values}, {self._broken(names)} AS broken {FROM}"
        return f"SELECT {shown}, fault FROM (SELECT *, {fault} FROM ({read}))"

    def _broken(self, names: Sequence[str]) -> str:
        """Whether bytes are no text."""
        of_bytes = [self._columns[name] for name in names if self._columns[name][1] == "BLOB"]
        return " OR ".join(f"({_quoted(n)} IS NOT NULL AND {_as_text(n, k)} IS NULL)" for n, k in of_bytes) or "false"

    def _values(self, names: Sequence[str]) -> list[str]:
        return [_as_text(*self._columns[name]) for name in names]


def _some_rows(result: Any) -> list[tuple[Any, ...]]:
    """As many rows as one batch has; few at a time, as nobody knows how long they are."""
    found: list[tuple[Any, ...]] = []
    size = 0
    while len(found) < ROWS and size < CHARACTERS and (rows := result.fetchmany(AT_ONCE)):
        found += rows
        size += sum(len(value) for row in rows for value in row[:-1] if value is not None)
    return found


def _plain_path(path: str, file: int) -> str:
    """A path of an open file that is no pattern."""
    opened = f"{DESCRIPTORS}/{file}"
    return opened if os.path.exists(opened) else glob.escape(os.path.abspath(path))  # Windows: no name has * or ?


def _top_level(nodes: Iterable[tuple[str, int | None]]) -> Iterator[str]:
    """The names of the columns, out of all nodes of the tree, each before its children; the first is the root."""
    below = 0  # nodes that belong to a column
    for name, children in islice(nodes, 1, None):
        if not below:
            yield name
        below = max(below - 1, 0) + (children or 0)


def _as_text(name: str, kind: str) -> str:
    # Bytes that are not marked as text: decoded, because a cast would write them as escapes; NULL if they are no text.
    return f"TRY(decode({_quoted(name)}))" if kind == "BLOB" else f"CAST({_quoted(name)} AS VARCHAR)"


def _quoted(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))

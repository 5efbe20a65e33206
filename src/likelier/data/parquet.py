"""Parquet files, read by DuckDB: in batches, every value as text, so that labels are the same in every kind of file.

DuckDB takes a path for a pattern and folders called name=value for columns, and gives columns whose names differ in
case alone other names. So the file is opened here, and the names of its columns are read as they stand in it.

Its rows come as Python values. As Arrow data they come 130,000 at a time, with twice the memory and no quicker:
for film reviews, 800,000 rows in 460 MB, 1.7 s and 0.6 GB against 2.2 s and 1.1 GB.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from weakref import finalize

import numpy as np

from likelier._kernel import Column
from likelier.data.head import Head
from likelier.data.source import Passes, check_unchanged
from likelier.data.streams import open_file
from likelier.data.tables import Read
from likelier.errors import FileError
from likelier.schema import Binary

ROWS = 8192  # in one batch
SAMPLE_ROWS = 1000
NESTED = ("STRUCT", "MAP", "UNION")
DESCRIPTORS = "/dev/fd"  # where open files have a name
FROM = "FROM read_parquet(?, hive_partitioning = false)"


class Parquet:
    """A Parquet file; its rows are counted from 1."""

    unit = "row"

    def __init__(self, source: str, path: str, passes: Passes) -> None:
        import duckdb

        self.source = source
        self.notes: list[str] = []
        self._problem = duckdb.Error
        self._file = open_file(path)
        self._close = finalize(self, self._file.close)
        self._state = passes.opened(0, self._file.fileno(), source)
        self._path = _plain_path(path, self._file.fileno())
        offline = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
        self._connection = duckdb.connect(config=offline)  # type: ignore[arg-type]
        described = self._rows(f"DESCRIBE SELECT * {FROM}")
        self.names = list(_top_level(self._rows("SELECT name, num_children FROM parquet_schema(?)")))
        self._columns = [(str(name), str(kind)) for name, kind, *_ in described]  # as DuckDB calls them

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, [self._path]).fetchall()
        except self._problem as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> FileError:
        check_unchanged(self._state, self._file.fileno(), self.source)
        reason = str(error).partition("\n")[0].replace(self._path, self.source)
        return FileError(
            code="parquet-unreadable",
            message=f"{self.source} cannot be read as Parquet: {reason}",
            hint="write it again, or export it as CSV",
        )

    @property
    def head(self) -> Head:
        """What is known of it before it is read."""
        kinds = [(name, kind) for name, (_, kind) in zip(self.names, self._columns, strict=True)]
        nested = {name: "holds lists" for name, kind in kinds if kind.startswith(NESTED) or kind[-1] == "]"}
        truths = {name: Binary() for name, kind in kinds if kind == "BOOLEAN"}
        return Head(self.source, self.names, self.sample, nested, truths)

    def sample(self) -> dict[str, list[str | None]]:
        """The values in the first rows, by column."""
        rows = self._rows(f"{self._query(self.names)} LIMIT {SAMPLE_ROWS}")
        return {name: [row[place] for row in rows] for place, name in enumerate(self.names)}

    def read(self, wanted: list[str]) -> Iterator[Read]:
        """The rows, batch by batch."""
        start = 1
        try:
            result = self._connection.execute(self._query(wanted), [self._path])
            while rows := result.fetchmany(ROWS):
                columns = [Column.from_list(list(values)) for values in zip(*rows, strict=True)]
                lines = np.arange(start, start + len(rows), dtype=np.uint64)
                yield Read(dict(zip(wanted, columns, strict=True)), lines, [])
                start += len(rows)
            check_unchanged(self._state, self._file.fileno(), self.source)
        except self._problem as error:
            raise self._damaged(error) from None
        finally:
            self._connection.close()
            self._close()

    def _query(self, names: list[str]) -> str:
        known = dict(zip(self.names, self._columns, strict=True))
        return f"SELECT {', '.join(_as_text(*known[name]) for name in names)} {FROM}"


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
    quoted = '"{}"'.format(name.replace('"', '""'))
    # Bytes that are not marked as text: decoded, because a cast would write them as escapes.
    return f"decode({quoted})" if kind == "BLOB" else f"CAST({quoted} AS VARCHAR)"

"""Readers of one file, each run by reading.py in a process of its own: `python benchmarks/readers.py DuckDB rows.csv`.

A reader imports what it needs and gives the work that is timed. The work gives the rows and the bytes of their texts.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

THREADS = 2
BLOCK = 1 << 20
OURS = "likelier's reader"


def opened(file: str | Path, mode: str) -> IO[bytes]:
    """The file, packed or not."""
    return gzip.open(file, mode, 6) if str(file).endswith(".gz") else open(file, mode)  # type: ignore[return-value]


def _read_by_likelier(file: str) -> Callable[[], tuple[int, int]]:
    import likelier as lk

    return lambda: _sums((len(batch), batch.texts.text_bytes()) for batch in lk.read(file))


def _read_by_duckdb(file: str, parallel: bool = True) -> Callable[[], tuple[int, int]]:
    import duckdb
    import pyarrow
    import pyarrow.compute

    columns = "{'id': 'VARCHAR', 'label': 'VARCHAR', 'text': 'VARCHAR'}"
    dialect = f"header = true, delim = ',', quote = '\"', escape = '\"', columns = {columns}"
    how = f"store_rejects = true, parallel = {parallel}"
    source = f"read_csv('{file}', auto_detect = false, {dialect}, {how})"
    if ".jsonl" in file:
        source = f"read_json('{file}', format = 'newline_delimited', columns = {columns})"
    connection = duckdb.connect(config={"threads": THREADS})

    def work() -> tuple[int, int]:
        batches = pyarrow.RecordBatchReader.from_stream(connection.sql(f"SELECT label, text FROM {source}"))
        length = pyarrow.compute.binary_length
        return _sums((len(batch), pyarrow.compute.sum(length(batch["text"])).as_py()) for batch in batches)

    return work


def _read_by_polars(file: str) -> Callable[[], tuple[int, int]]:
    import polars

    names = dict.fromkeys(("id", "label", "text"), polars.String)
    as_text = {**names, "id": polars.Int64}
    rows = polars.scan_ndjson(file, schema=as_text) if ".jsonl" in file else polars.scan_csv(file, schema=names)
    length = polars.col("text").str.len_bytes().sum()
    wanted = rows.select(rows=polars.len(), text=length, label=polars.col("label").str.len_bytes().sum())
    return lambda: wanted.collect(engine="streaming").row(0)[:2]


def _read_by_pyarrow(file: str) -> Callable[[], tuple[int, int]]:
    import pyarrow.compute
    import pyarrow.csv

    pyarrow.set_cpu_count(THREADS)
    parsing = pyarrow.csv.ParseOptions(newlines_in_values=True)
    kinds = dict.fromkeys(("label", "text"), pyarrow.string())
    converting = pyarrow.csv.ConvertOptions(column_types=kinds, include_columns=list(kinds))
    length = pyarrow.compute.binary_length

    def work() -> tuple[int, int]:
        batches = pyarrow.csv.open_csv(file, parse_options=parsing, convert_options=converting)
        return _sums((len(batch), pyarrow.compute.sum(length(batch["text"])).as_py()) for batch in batches)

    return work


def _pass_over_bytes(file: str) -> Callable[[], None]:
    """One look at every byte: as many as there are line feeds."""

    def work() -> None:
        with opened(file, "rb") as stream:
            while block := stream.read(BLOCK):
                block.count(b"\n")

    return work


def _sums(parts: Iterator[tuple[int, int]]) -> tuple[int, int]:
    rows = size = 0
    for more_rows, more in parts:
        rows, size = rows + more_rows, size + more
    return rows, size


READERS: dict[str, Callable[[str], Callable[[], tuple[int, int] | None]]] = {
    OURS: _read_by_likelier,
    "DuckDB": _read_by_duckdb,
    "DuckDB in order": partial(_read_by_duckdb, parallel=False),  # where a text with line feeds is never cut in two
    "Polars": _read_by_polars,
    "PyArrow": _read_by_pyarrow,
    "bare pass": _pass_over_bytes,
}
ONLY_CSV = ("DuckDB in order", "PyArrow")


def main(name: str, file: str) -> None:
    """Reads the file and prints how long it took and what there was in it."""
    work = READERS[name](file)
    start = time.perf_counter()
    found = work()
    print(json.dumps({"seconds": time.perf_counter() - start, "found": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])

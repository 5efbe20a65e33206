"""Counts as rows of a table, for Spark to add up: what a partition has counted, one row for each cell.

    kind  column  term        label   tf          df    weighted
    0     -1                  label   documents                     how many there are, where there are columns
    0     number              label   documents                     how many the column has
    1     number  term        label   tf          df    weighted    a cell of the column's table
    2     number  digit       label   n           s     q           the exact sums of a numeric column, digit by digit
    3     0       fingerprint         times                         the ledger
    4     0       code        message rows                          rows that could not be used

Numbers are in units, in all rows of one job the same. The sums of a numeric column are larger than what a machine adds,
so they travel as digits of 32 bits: s is the sum of digit i times 2**(32 i). Digits add up without carrying.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likelier._counts.by_column import Counts
from likelier._counts.tables import WEIGHTS
from likelier._counts.term_counts import TermCounts
from likelier._counts.value_counts import NumericCounts
from likelier._documents.labels import Label, key
from likelier._kernel import Ledger

DOCUMENTS, CELLS, SUMS, FINGERPRINTS, REJECTED = range(5)  # kinds of rows
KEYS = ("kind", "column", "term", "label")
NUMBERS = ("tf", "df", "weighted")
SCHEMA = pa.schema(
    [
        ("kind", pa.int8()),
        ("column", pa.int32()),
        ("term", pa.binary()),
        ("label", pa.string()),
        ("tf", pa.int64()),
        ("df", pa.int64()),
        ("weighted", pa.int64()),
    ]
)
SPARK_SCHEMA = "kind tinyint, column int, term binary, label string, tf long, df long, weighted long"
ALL_DOCUMENTS = -1  # in place of a column
DIGIT = 32  # bits
SOME = 1 << 16  # rows of one Arrow batch

Numbers = NDArray[Any]


def rows_of(counts: Counts, unit: int) -> Iterator[pa.RecordBatch]:
    """The rows of some counts, whose numbers are multiples of 1/unit."""
    if len(counts.tables) > len(counts.columns):
        yield _documents(ALL_DOCUMENTS, counts.sizes, unit)
    for column, table in enumerate(counts.columns.values()):
        yield _documents(column, table, unit)
        yield from _cells(column, table, unit)
        if isinstance(table, NumericCounts):
            yield _sums(column, table, unit)


def rows_of_ledger(ledger: Ledger) -> Iterator[pa.RecordBatch]:
    """The rows of a ledger; the bytes of a fingerprint sort like its number."""
    halves, times = ledger.sorted()
    prints = halves.astype(">u8").tobytes()
    for start in range(0, len(times), SOME):
        some = times[start : start + SOME].astype(np.int64)
        ends = np.arange(len(some) + 1, dtype=np.int32) * 16
        terms = _binary(prints[start * 16 : (start + len(some)) * 16], ends)
        yield _batch(FINGERPRINTS, 0, terms, pa.nulls(len(some), pa.string()), some)


def rows_of_rejected(reasons: dict[str, tuple[int, str]]) -> Iterator[pa.RecordBatch]:
    """The rows that tell how many documents were skipped, and why."""
    if reasons:
        codes = pa.array([code.encode() for code in reasons], pa.binary())
        messages = pa.array([message for _, message in reasons.values()], pa.string())
        yield _batch(REJECTED, 0, codes, messages, np.array([count for count, _ in reasons.values()]))


def _documents(column: int, table: TermCounts, unit: int) -> pa.RecordBatch:
    documents = table.snapshot.documents.astype(np.int64) * (unit // table.unit)
    return _batch(DOCUMENTS, column, pa.nulls(len(documents), pa.binary()), _names(table.labels), documents)


def _cells(column: int, table: TermCounts, unit: int) -> Iterator[pa.RecordBatch]:
    arrays = table.arrays()
    finer = unit // int(arrays["unit"][0])
    ends = np.append(np.uint64(0), arrays["cell_ends"]).astype(np.int64)
    term_ends = np.append(np.uint64(0), arrays["term_ends"]).astype(np.int64)
    names, text = _names(table.labels), arrays["terms"]
    parts = [arrays[name] for name in ("cell_tf", "cell_df", WEIGHTS) if name in arrays]
    start = 0
    while start < len(ends) - 1:  # some terms at a time, with all of their cells
        stop = max(int(np.searchsorted(ends, ends[start] + SOME, side="right")) - 1, start + 1)
        cells, first = slice(ends[start], ends[stop]), int(term_ends[start])
        own = (term_ends[start : stop + 1] - first).astype(np.int32)
        terms = _binary(text[first : term_ends[stop]].tobytes(), own)
        spread = terms.take(pa.array(np.repeat(np.arange(stop - start), np.diff(ends[start : stop + 1]))))
        labels = names.take(pa.array(arrays["cell_labels"][cells]))
        yield _batch(CELLS, column, spread, labels, *(part[cells].astype(np.int64) * finer for part in parts))
        start = stop


def _sums(column: int, table: NumericCounts, unit: int) -> pa.RecordBatch:
    order, finer = table.snapshot.order, unit // table.unit
    digits, labels = [], []
    rows: list[tuple[int, ...]] = []
    for label, sums in zip(table.labels, table.moments.rows(order), strict=True):
        for digit, numbers in enumerate(_digits([number * finer for number in sums])):
            digits.append(digit.to_bytes(4, "big"))
            labels.append(key(label))
            rows.append(numbers)
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return _batch(SUMS, column, pa.array(digits, pa.binary()), pa.array(labels, pa.string()), *columns)


def _digits(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Numbers by their digits, lowest first; of one below 0 all digits are.

    >>> list(_digits([1, -(2**32 + 7), 0]))
    [(1, -7, 0), (0, -1, 0)]
    """
    most = max(number.bit_length() for number in numbers)
    for shift in range(0, most, DIGIT):
        yield tuple((1 if number >= 0 else -1) * (abs(number) >> shift & (1 << DIGIT) - 1) for number in numbers)


def from_digits(digits: Sequence[tuple[int, int]]) -> int:
    """The number with these digits, each with its place.

    >>> from_digits([(0, -7), (1, -1)]) == -(2**32 + 7)
    True
    """
    return sum(number << DIGIT * place for place, number in digits)


def _names(labels: Sequence[Label]) -> pa.StringArray:
    return pa.array([key(label) for label in labels], pa.string())


def _binary(text: bytes, ends: NDArray[np.int32]) -> pa.BinaryArray:
    return pa.BinaryArray.from_buffers(pa.binary(), len(ends) - 1, [None, pa.py_buffer(ends), pa.py_buffer(text)])


def _batch(kind: int, column: int, terms: pa.Array, labels: pa.Array, *numbers: Numbers) -> pa.RecordBatch:
    length = len(terms)
    given = [*numbers, *(np.zeros(length, dtype=np.int64) for _ in range(len(NUMBERS) - len(numbers)))]
    keys = [pa.array(np.full(length, kind, dtype=np.int8)), pa.array(np.full(length, column, dtype=np.int32))]
    return pa.RecordBatch.from_arrays([*keys, terms, labels, *map(pa.array, given)], schema=SCHEMA)

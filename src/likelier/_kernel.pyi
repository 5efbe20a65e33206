"""The Rust kernel: text to integers and sums. It knows no formula. See rust/src/lib.rs."""

from collections.abc import Callable
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Analysis",
    "ArrowReader",
    "Column",
    "CsvReader",
    "JsonReader",
    "Ledger",
    "Rows",
    "Table",
    "check_arrays",
    "csv_record",
    "words",
]

_Value = str | int | bool | None
_Whole = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32] | NDArray[np.uint64]
_Fault = tuple[int, int, str, str, str]  # line, column in characters from 1 (0: none), kind, detail, raw text

def words(text: str, lowercase: bool, keep_punctuation: bool) -> list[str]: ...
def check_arrays(
    documents: NDArray[np.uint64],
    terms: NDArray[np.uint8],
    term_ends: _Whole,
    cell_ends: _Whole,
    cell_labels: _Whole,
    cell_tf: _Whole,
    cell_df: _Whole,
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """By label: sum of tf, sum of df, distinct terms. ValueError says what is wrong with the arrays."""

@final
class Analysis:
    def __new__(
        cls,
        *,
        lowercase: bool,
        keep_punctuation: bool,
        words: bool,
        ngrams: tuple[int, int],
        char_ngrams: tuple[int, int] | None,
        phrases: list[tuple[list[str], str]],
        map_tokens: Callable[[list[str]], list[str | None]] | None,
    ) -> Analysis: ...
    def locate(self, text: str) -> tuple[str, list[tuple[str, int, int]]]: ...

@final
class Table:
    def __new__(cls) -> Table: ...
    def count(
        self,
        texts: list[str] | Column,  # of text, and nothing is missing
        labels: NDArray[np.uint32],
        weights: NDArray[np.uint64] | None,
        analysis: Analysis,
        threads: int,
        ledger: Ledger | None = None,
        names: list[str] = ...,
        millionths: int = 1,
    ) -> None: ...
    def put(self, terms: list[str], label: int, tf: list[int], df: list[int]) -> None: ...
    def put_documents(self, label: int, documents: int) -> None: ...
    def merge(self, other: Table, labels: list[int]) -> None: ...
    def subtract(self, other: Table, labels: list[int]) -> bool: ...
    def scale(self, factor: int) -> None: ...
    def copy(self) -> Table: ...
    def size(self) -> int: ...
    def ids(self) -> int: ...
    def totals(
        self,
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]: ...
    def find(self, term: str) -> int | None: ...
    def texts(self, ids: NDArray[np.uint32]) -> list[str]: ...
    def rows(self, ids: NDArray[np.uint32], labels: list[int], documents: bool) -> NDArray[np.uint64]: ...
    def export(
        self, places: list[int]
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.uint64],
        NDArray[np.uint64],
        NDArray[np.uint32],
        NDArray[np.uint64],
        NDArray[np.uint64],
    ]: ...
    @staticmethod
    def load(
        documents: NDArray[np.uint64],
        terms: NDArray[np.uint8],
        term_ends: _Whole,
        cell_ends: _Whole,
        cell_labels: _Whole,
        cell_tf: _Whole,
        cell_df: _Whole,
    ) -> Table: ...
    def bag(self, text: str, analysis: Analysis) -> tuple[NDArray[np.uint32], NDArray[np.uint32], list[str]]: ...
    def score(
        self,
        texts: list[str] | Column,
        analysis: Analysis,
        rows: NDArray[np.float64],
        kept: NDArray[np.uint8],
        base: NDArray[np.float64],
        once: bool,
        threads: int,
    ) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]: ...

@final
class Ledger:
    def __new__(cls) -> Ledger: ...
    @staticmethod
    def load(halves: NDArray[np.uint64], times: NDArray[np.uint32]) -> Ledger: ...
    def merge(self, other: Ledger) -> None: ...
    def subtract(self, other: Ledger) -> bool: ...
    def holds(self, other: Ledger) -> bool: ...
    def common(self, other: Ledger) -> int: ...
    def copy(self) -> Ledger: ...
    def __len__(self) -> int: ...
    def sorted(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]: ...

@final
class Column:
    """A column of values that may be missing. It never changes; threads share it.

    kind is "text", "int", "bool", "null", or the name of an Arrow type that is not read, such as "float64"; of such a
    column there is only the length.
    """

    @staticmethod
    def from_list(values: list[str | None]) -> Column: ...
    @staticmethod
    def from_arrow(source: object) -> Column: ...
    @property
    def kind(self) -> str: ...
    def __len__(self) -> int: ...
    def missing(self) -> NDArray[np.uint32]: ...
    def distinct(self) -> tuple[list[_Value], NDArray[np.uint32]]: ...
    def to_list(self) -> list[_Value]: ...
    def keep(self, rows: NDArray[np.uint32]) -> Column: ...
    def text_bytes(self) -> int: ...

@final
class Rows:
    """What a push gave. Kinds of faults, and what is dropped with them:

    CSV:  "fields", "utf8" (the record), "quote-text", "quote-unclosed", "record-too-long" (its first line)
    JSON: "json", "json-object", "json-nested", "utf8", "record-too-long" (the line)
    """

    @property
    def columns(self) -> list[Column]: ...
    @property
    def lines(self) -> NDArray[np.uint64]: ...
    @property
    def faults(self) -> list[_Fault]: ...

@final
class CsvReader:
    def __new__(
        cls, *, delimiter: int, quote: int | None, width: int, wanted: list[int], line: int = 1
    ) -> CsvReader: ...
    def push(self, block: bytes, last: bool) -> Rows: ...

@final
class JsonReader:
    def __new__(cls, *, wanted: list[str], raw: bool, line: int = 1) -> JsonReader: ...
    def push(self, block: bytes, last: bool) -> Rows: ...
    def keys(self) -> list[str]: ...

@final
class ArrowReader:
    def __new__(cls, source: object) -> ArrowReader: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def kinds(self) -> list[str]: ...
    def next(self, wanted: list[int]) -> list[Column] | None: ...

def csv_record(
    block: bytes, delimiter: int, quote: int | None, last: bool
) -> tuple[list[str], int, int] | _Fault | None:
    """The first record: fields, bytes used, line of the next record; its fault; None if the block does not hold it."""

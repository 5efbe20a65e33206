"""The Rust kernel: text to integers and sums. It knows no formula. See rust/src/lib.rs."""

from collections.abc import Callable
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Analysis", "Ledger", "Table", "words"]

def words(text: str, lowercase: bool, keep_punctuation: bool) -> list[str]: ...

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
        texts: list[str],
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
        term_ends: NDArray[np.uint64],
        cell_ends: NDArray[np.uint64],
        cell_labels: NDArray[np.uint32],
        cell_tf: NDArray[np.uint64],
        cell_df: NDArray[np.uint64],
    ) -> Table: ...
    def bag(self, text: str, analysis: Analysis) -> tuple[NDArray[np.uint32], NDArray[np.uint32], list[str]]: ...
    def score(
        self,
        texts: list[str],
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
    def copy(self) -> Ledger: ...
    def __len__(self) -> int: ...
    def sorted(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]: ...

"""The values of one column of some documents, as they are counted and asked about.

Texts    for a text column
Choices  for a categorical, binary or bound column
Numbers  for a numeric column

Each can tell which rows have no value (`missing_rows`) and give itself as the ledger fingerprints it (`for_ledger`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._text.texts import Texts as TextData

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Texts:
    """One text for each document; where it is missing it is empty, and `missing` has the row."""

    texts: TextData
    missing: Rows  # rows, rising

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def missing_rows(self) -> Rows:
        return self.missing

    @property
    def for_ledger(self) -> Any:
        return "text", self.texts, self.missing.astype(np.int64)

    def present(self) -> tuple[TextData, Rows]:
        """The texts that are there, and their rows."""
        rows = np.delete(np.arange(len(self), dtype=np.intp), self.missing)
        if not len(self.missing):
            return self.texts, rows
        if isinstance(self.texts, list):
            return [self.texts[row] for row in rows.tolist()], rows
        return self.texts.keep(rows.astype(np.uint32)), rows

    def __reduce__(self) -> tuple[object, ...]:
        return Texts, (self.texts if isinstance(self.texts, list) else self.texts.to_list(), self.missing)


@dataclass(frozen=True, slots=True)
class Choices:
    """Which of some values each document has; -1 where it is missing."""

    values: list[str]
    which: NDArray[np.intp]  # (documents,)

    @property
    def missing_rows(self) -> Rows:
        return np.flatnonzero(self.which < 0)

    @property
    def for_ledger(self) -> Any:
        return "choices", self.values, self.which.astype(np.int64)

    def __len__(self) -> int:
        return len(self.which)


@dataclass(frozen=True, slots=True)
class Numbers:
    """One finite number for each document, NaN where it is missing."""

    numbers: NDArray[np.float64]  # (documents,)

    @property
    def missing_rows(self) -> Rows:
        return np.flatnonzero(np.isnan(self.numbers))

    @property
    def for_ledger(self) -> Any:
        return self.numbers

    def __len__(self) -> int:
        return len(self.numbers)


Values = Texts | Choices | Numbers

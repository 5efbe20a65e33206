"""The values of one column of some documents, as they are counted and classified.

Texts    for a text column
Choices  for a categorical, binary or bound column
Numbers  for a numeric column

Each can tell which rows have no value (`missing_rows`) and give itself as the ledger fingerprints it (`for_ledger`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._kernel import Column
from likelier._text.texts import Texts as TextData

Rows = NDArray[np.intp]
NO_ROWS: Rows = np.zeros(0, dtype=np.intp)


def at_rows(values: Any, rows: NDArray[Any]) -> Any:
    """Some rows of a kernel's column or of a list, as such."""
    return values.keep(rows.astype(np.uint32)) if isinstance(values, Column) else [values[row] for row in rows.tolist()]


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

    def keep(self, rows: Rows) -> Texts:
        """The values of some documents."""
        return Texts(at_rows(self.texts, rows), np.flatnonzero(np.isin(rows, self.missing)))

    @classmethod
    def joined(cls, pieces: Sequence[Any]) -> Texts:
        """The values of several pieces, one after the other."""
        listed: list[Any] = []
        missing = [NO_ROWS]
        for piece in pieces:
            missing.append(piece.missing + len(listed))
            listed += piece.texts if isinstance(piece.texts, list) else piece.texts.to_list()
        return cls(listed, np.concatenate(missing))

    def sizes(self) -> NDArray[np.int64]:
        """How many bytes each text has."""
        if isinstance(self.texts, Column):
            return self.texts.text_sizes().astype(np.int64)
        return np.array([len(text.encode(errors="surrogatepass")) for text in self.texts], dtype=np.int64)


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

    def keep(self, rows: Rows) -> Choices:
        """The values of some documents."""
        return Choices(self.values, self.which[rows])

    @classmethod
    def joined(cls, pieces: Sequence[Any]) -> Choices:
        """The values of several pieces, one after the other."""
        places: dict[str, int] = {}
        which = [NO_ROWS]
        for piece in pieces:
            codes = [places.setdefault(value, len(places)) for value in piece.values]
            which.append(np.array([*codes, -1], dtype=np.intp)[piece.which])  # -1 is the last of them
        return cls(list(places), np.concatenate(which))


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

    def keep(self, rows: Rows) -> Numbers:
        """The values of some documents."""
        return Numbers(self.numbers[rows])

    @classmethod
    def joined(cls, pieces: Sequence[Any]) -> Numbers:
        """The values of several pieces, one after the other.

        >>> Numbers.joined([Numbers(np.array([1.0])), Numbers(np.array([2.0]))])
        Numbers(numbers=array([1., 2.]))
        """
        return cls(np.concatenate([np.zeros(0), *(piece.numbers for piece in pieces)]))


Values = Texts | Choices | Numbers
VALUES: dict[str, type[Texts] | type[Choices] | type[Numbers]] = {  # by what a kind of column holds
    "terms": Texts,
    "value": Choices,
    "number": Numbers,
}

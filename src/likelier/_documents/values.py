"""The values of one column of some documents, as they are counted and asked about.

Texts    for a text column
Choices  for a categorical, binary or bound column
Numbers  for a numeric column
"""

from __future__ import annotations

from dataclasses import dataclass

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

    def __reduce__(self) -> tuple[object, ...]:
        return Texts, (self.texts if isinstance(self.texts, list) else self.texts.to_list(), self.missing)


@dataclass(frozen=True, slots=True)
class Choices:
    """Which of some values each document has; -1 where it is missing."""

    values: list[str]
    which: NDArray[np.intp]  # (documents,)

    def __len__(self) -> int:
        return len(self.which)


@dataclass(frozen=True, slots=True)
class Numbers:
    """One finite number for each document, NaN where it is missing."""

    numbers: NDArray[np.float64]  # (documents,)

    def __len__(self) -> int:
        return len(self.numbers)


Values = Texts | Choices | Numbers

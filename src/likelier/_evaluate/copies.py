"""Documents that are equal, whatever their labels."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from likelier._documents.batch import Batch
from likelier._documents.values import Choices, Texts, Values
from likelier._kernel import Column


def copies_of(batch: Batch) -> list[NDArray[np.intp]]:
    """The rows of each group of two or more equal documents.

    >>> [rows.tolist() for rows in copies_of(Batch.of_texts(["a", "b", "a"]))]
    [[0, 2]]
    """
    rows: dict[Hashable, list[int]] = {}
    for row, key in enumerate(zip(*(_keys(values) for values in batch.columns.values()), strict=True)):
        rows.setdefault(key, []).append(row)
    return [np.array(alike, dtype=np.intp) for alike in rows.values() if len(alike) > 1]


def _keys(values: Values) -> list[object]:
    """What stands for the value of each document; None where it is missing."""
    if isinstance(values, Texts):
        texts: list[object] = values.texts.to_list() if isinstance(values.texts, Column) else list(values.texts)  # type: ignore[assignment]
        for row in values.missing.tolist():
            texts[row] = None
        return texts
    if isinstance(values, Choices):
        named = [*values.values, None]  # -1 is the last
        return [named[place] for place in values.which.tolist()]
    return [None if number != number else number for number in values.numbers.tolist()]

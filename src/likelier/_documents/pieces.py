"""Columns of values taken apart and put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._documents.kinds import Kind, Numeric, Text
from likelier._documents.values import Choices, Numbers, Texts, Values
from likelier._kernel import Column


def values_at(values: Values, rows: NDArray[np.intp]) -> Values:
    """The values of some documents, as a column."""
    if isinstance(values, Numbers):
        return Numbers(values.numbers[rows])
    if isinstance(values, Texts):
        return Texts(at_rows(values.texts, rows), np.flatnonzero(np.isin(rows, values.missing)))
    return Choices(values.values, values.which[rows])


def at_rows(values: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of a column or a list, as such."""
    return values.keep(rows.astype(np.uint32)) if isinstance(values, Column) else [values[row] for row in rows.tolist()]


def joined_values(kind: Kind, pieces: Sequence[Values]) -> Values:
    """Pieces of a column one after the other.

    >>> joined_values(Numeric(), [Numbers(np.array([1.0])), Numbers(np.array([2.0]))])
    Numbers(numbers=array([1., 2.]))
    """
    if isinstance(kind, Numeric):
        return Numbers(
            np.concatenate([np.zeros(0), *(piece.numbers for piece in pieces if isinstance(piece, Numbers))])
        )
    if isinstance(kind, Text):
        return _texts([piece for piece in pieces if isinstance(piece, Texts)])
    return _choices([piece for piece in pieces if isinstance(piece, Choices)])


def _texts(pieces: Sequence[Texts]) -> Texts:
    listed: list[Any] = []
    missing = [np.zeros(0, dtype=np.intp)]
    for piece in pieces:
        missing.append(piece.missing + len(listed))
        listed += piece.texts if isinstance(piece.texts, list) else piece.texts.to_list()
    return Texts(listed, np.concatenate(missing))


def _choices(pieces: Sequence[Choices]) -> Choices:
    places: dict[str, int] = {}
    which = [np.zeros(0, dtype=np.intp)]
    for piece in pieces:
        codes = [places.setdefault(value, len(places)) for value in piece.values]
        which.append(np.array([*codes, -1], dtype=np.intp)[piece.which])  # -1 is the last of them
    return Choices(list(places), np.concatenate(which))

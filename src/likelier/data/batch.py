"""A batch: some documents as columns, with where each of them stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likelier._kernel import Column
from likelier.text.texts import Texts

Labels = Sequence[object] | Column


def _by_number(row: int) -> str:
    return f"document {row}"


@dataclass(frozen=True)
class Batch:
    """Documents as columns.

    labels   None when the documents are only to be classified
    where    row → where the document stands, for messages
    rows     the documents with all their columns, if they were asked for
    """

    texts: Texts
    labels: Labels | None = None
    weights: Sequence[object] | None = None
    where: Callable[[int], str] = _by_number
    rows: Callable[[], list[dict[str, Any]]] = list

    def __len__(self) -> int:
        return len(self.texts)

    def one(self, row: int) -> Batch:
        """One document of it."""
        return Batch(
            _at(self.texts, row),
            None if self.labels is None else _at(self.labels, row),
            None if self.weights is None else [self.weights[row]],
            where=lambda _: self.where(row),
        )


def _at(values: Any, row: int) -> Any:
    return values.keep(np.array([row], dtype=np.uint32)) if isinstance(values, Column) else [values[row]]

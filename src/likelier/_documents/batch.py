"""A batch: some documents as columns, with where each of them stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._documents.binding import bound
from likelier._documents.kinds import PLAIN, Text
from likelier._documents.pieces import at_rows, joined_values, values_at
from likelier._documents.schema import Schema
from likelier._documents.values import Texts, Values
from likelier._kernel import Column
from likelier._text.texts import Texts as TextData

Labels = Sequence[object] | Column


def _by_number(row: int) -> str:
    return f"document {row}"


@dataclass(frozen=True)
class Batch:
    """Documents as columns.

    columns  their values as they are counted; those of plain texts have the one column "text"
    labels   None when the documents are only to be classified
    where    row → where the document stands, for messages
    rows     the documents with all their columns, if they were asked for
    schema   None for plain texts
    notes    what is to be said about the columns
    """

    columns: Mapping[str, Values]
    labels: Labels | None = None
    weights: Sequence[object] | None = None
    where: Callable[[int], str] = _by_number
    rows: Callable[[], list[dict[str, Any]]] = list
    schema: Schema | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def of_texts(
        cls,
        texts: TextData,
        labels: Labels | None = None,
        weights: Sequence[object] | None = None,
        *,
        where: Callable[[int], str] = _by_number,
        rows: Callable[[], list[dict[str, Any]]] = list,
    ) -> Batch:
        """Plain texts, none of which is missing."""
        return cls({PLAIN: Texts(texts, NOWHERE)}, labels, weights, where, rows)

    def __getstate__(self) -> dict[str, Any]:
        labels = self.labels.to_list() if isinstance(self.labels, Column) else self.labels
        where = [self.where(row) for row in range(len(self))]
        return {**vars(self), "labels": labels, "where": where.__getitem__, "rows": list}

    @property
    def texts(self) -> TextData:
        """The plain texts."""
        column = self.columns[PLAIN]
        assert isinstance(column, Texts)
        return column.texts

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def under(self, schema: Schema) -> Batch:
        """The same documents as a schema has their columns: bound, or with other analyzers."""
        return replace(self, columns=bound(schema, self.columns), schema=schema)

    def one(self, row: int) -> Batch:
        """One document of it."""
        return self.keep(np.array([row], dtype=np.intp))

    def keep(self, rows: NDArray[np.intp]) -> Batch:
        """Some documents of it. Nothing of the others is held."""
        where = self.where
        return Batch(
            {name: values_at(values, rows) for name, values in self.columns.items()},
            None if self.labels is None else at_rows(self.labels, rows),
            None if self.weights is None else [self.weights[row] for row in rows.tolist()],
            where=lambda row: where(int(rows[row])),
            schema=self.schema,
        )


NOWHERE: NDArray[np.intp] = np.zeros(0, dtype=np.intp)  # rows in which a text is missing


def joined(batches: Sequence[Batch], notes: Sequence[str], schema: Schema) -> Batch:
    """Several batches as one, for documents that are only to be classified."""
    if len(batches) == 1:
        return replace(batches[0], notes=tuple(notes))
    kinds = {PLAIN: Text()} if schema.is_plain else schema.columns
    columns = {name: joined_values(kind, [batch.columns[name] for batch in batches]) for name, kind in kinds.items()}
    return Batch(columns, schema=None if schema.is_plain else schema, notes=tuple(notes))

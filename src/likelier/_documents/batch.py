"""A batch: some documents as columns, with where each of them is; and batches joined, bound or cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from likelier._documents.kinds import BINDS, PLAIN, Bound, Text
from likelier._documents.schema import Schema
from likelier._documents.values import NO_ROWS, VALUES, Choices, Texts, Values, at_rows
from likelier._kernel import Column
from likelier._text.texts import Texts as TextData

Labels = Sequence[object] | Column
_ALONE = re.compile(r"(?<![^ ])&+(?![^ ])")  # could be taken for the sign between two values


def _by_number(row: int) -> str:
    return f"document {row}"


@dataclass(frozen=True)
class Batch:
    """Documents as columns.

    columns  their values as they are counted; those of plain texts have the one column "text"
    labels   None when the documents are only to be classified
    where    row → where the document is, for messages
    rows     the documents with all their columns, if they were asked for
    schema   None for plain texts
    notes    messages about the columns
    text     the column in which a table has the plain texts, if it has a name
    """

    columns: Mapping[str, Values]
    labels: Labels | None = None
    weights: Sequence[object] | None = None
    where: Callable[[int], str] = _by_number
    rows: Callable[[], list[dict[str, Any]]] = list
    schema: Schema | None = None
    notes: tuple[str, ...] = ()
    text: str | None = None

    @classmethod
    def of_texts(
        cls, texts: TextData, labels: Labels | None = None, weights: Sequence[object] | None = None, **others: Any
    ) -> Batch:
        """Plain texts, none of which is missing."""
        return cls({PLAIN: Texts(texts, NO_ROWS)}, labels, weights, **others)

    def __getstate__(self) -> dict[str, Any]:
        labels = self.labels.to_list() if isinstance(self.labels, Column) else self.labels
        where = [self.where(row) for row in range(len(self))]
        return {**vars(self), "labels": labels, "where": where.__getitem__, "rows": list}

    @property
    def texts(self) -> TextData:
        """The plain texts."""
        return cast(Texts, self.columns[PLAIN]).texts

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def under(self, schema: Schema) -> Batch:
        """The same documents as a schema has their columns: bound, or with other analyzers."""
        return replace(self, columns=bound_columns(schema, self.columns), schema=schema)

    def one(self, row: int) -> Batch:
        """One document of it."""
        return self.keep(np.array([row], dtype=np.intp))

    def keep(self, rows: NDArray[np.intp]) -> Batch:
        """Some documents of it. Nothing of the others is held."""
        where = self.where
        return Batch(
            {name: values.keep(rows) for name, values in self.columns.items()},
            None if self.labels is None else at_rows(self.labels, rows),
            None if self.weights is None else [self.weights[row] for row in rows.tolist()],
            where=lambda row: where(int(rows[row])),
            schema=self.schema,
            text=self.text,
        )

    def sizes(self) -> NDArray[np.int64]:
        """How many bytes of text each document has."""
        total = np.zeros(len(self), dtype=np.int64)
        for values in self.columns.values():
            if isinstance(values, Texts):
                total += values.sizes()
        return total


def joined(batches: Sequence[Batch], notes: Sequence[str], schema: Schema) -> Batch:
    """Several batches as one, for documents that are only to be classified."""
    if len(batches) == 1:
        return replace(batches[0], notes=tuple(notes))
    kinds = {PLAIN: Text()} if schema.is_plain else schema.columns
    columns = {
        name: VALUES[kind.holds].joined([batch.columns[name] for batch in batches]) for name, kind in kinds.items()
    }
    return Batch(columns, schema=None if schema.is_plain else schema, notes=tuple(notes))


# ---- columns that are bound --------------------------------------------------------------------------------------


def bound_columns(schema: Schema, read: Mapping[str, Values]) -> dict[str, Values]:
    """The columns of a schema, of those that were read."""
    return {
        name: bound_values([cast(Choices, read[part]) for part, _ in kind.columns])
        if isinstance(kind, Bound) and kind.columns
        else read[name]
        for name, kind in schema.columns.items()
    }


def bound_values(parts: Sequence[Choices]) -> Choices:
    """Several columns as one: their values joined; missing where one of them is.

    >>> bound_values([Choices(["sunny", "rain"], np.array([0, 1])), Choices(["hot"], np.array([0, -1]))])
    Choices(values=['sunny & hot'], which=array([ 0, -1]))
    """
    values, which = [_unmistakable(value) for value in parts[0].values], parts[0].which
    for part in parts[1:]:
        codes = np.where((which < 0) | (part.which < 0), -1, which * len(part.values) + part.which)
        found, which = np.unique(codes, return_inverse=True)
        first = int(len(found) > 0 and found[0] < 0)
        which = which - first
        others = [_unmistakable(value) for value in part.values]
        pairs = (divmod(code, len(others)) for code in found[first:].tolist())
        values = [f"{values[before]}{BINDS}{others[after]}" for before, after in pairs]
    return Choices(values, which.astype(np.intp))


def _unmistakable(value: str) -> str:
    """A value in which the sign that binds is doubled: "a & b" and "c" must not be "a" and "b & c"."""
    return _ALONE.sub(r"\g<0>&", value)


# ---- batches cut by their size -----------------------------------------------------------------------------------


class Stretches:
    """Cuts one batch after the other; a stretch ends with the document that fills it.

    So the work between two stretches does not depend on how documents came: from CSV, JSON Lines or a list.
    """

    def __init__(self, size: int | None) -> None:
        """size: bytes of text in a stretch; without it nothing is cut."""
        self._size = size
        self._filled = 0

    def cut(self, batch: Batch) -> Iterator[tuple[Batch, bool]]:
        """The batch in pieces, each with whether a stretch ends with it."""
        if self._size is None:
            yield batch, False
            return
        start, ends = 0, self._filled + np.cumsum(batch.sizes())  # bytes in this stretch up to each document
        while start < len(batch):
            end = int(np.searchsorted(ends, self._size)) + 1
            is_full = end <= len(batch)
            rows = np.arange(start, min(end, len(batch)), dtype=np.intp)
            self._filled = 0 if is_full else int(ends[-1])
            yield batch if len(rows) == len(batch) else batch.keep(rows), is_full
            start, ends = end, ends - (ends[end - 1] if is_full else 0)

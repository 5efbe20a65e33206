"""The rows of one partition as documents, in a worker of Spark.

Arrow batches come in, as Spark cuts them; documents go out, in batches as large as a file's. A row that cannot be used
is an error or is skipped and counted, as in a data frame that is read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from likelier._base.errors import LikelierError
from likelier._documents.batch import Batch
from likelier._documents.labels import Label
from likelier._documents.values import at_rows
from likelier._documents.weights import checked_weight
from likelier._kernel import ArrowReader, Column
from likelier._read.choice import Choice
from likelier._read.cleaned import CleanedDocuments
from likelier._read.faults import Fault, Place
from likelier._read.origins import BATCH_BYTES
from likelier._read.rejects import Rejects
from likelier._read.tabular import ArrowTable, TableRows
from likelier._read.usable import PlaceOf, usable

Frames = Iterable[pa.RecordBatch]


@dataclass(frozen=True)
class Reading:
    """How rows become documents, decided once for all partitions.

    choice   the columns that are read
    weights  the column with the weights of the documents
    skip     whether rows that cannot be used are skipped
    labels   the spellings of labels that are joined; None: labels are taken as they are
    """

    choice: Choice
    weights: str | None = None
    skip: bool = False
    labels: tuple[Label, ...] | None = None

    @property
    def columns(self) -> list[str]:
        """The columns that are read, once each."""
        return list(dict.fromkeys([*self.choice.columns, *([] if self.weights is None else [self.weights])]))

    def rejects(self) -> Rejects:
        """What is done with rows that cannot be used."""
        return Rejects("skip" if self.skip else "stop")

    def batches(
        self, frames: Frames, name: str, rejects: Rejects, *, size: int = BATCH_BYTES, most: int | None = None
    ) -> Iterable[Batch]:
        """The documents of a partition with this name, in batches of about `size` bytes; `frames` have `columns`.

        most: how many documents a batch may have.
        """
        several = joined(frames, size) if most is None else cut(joined(frames, size), most)
        found = self._read((frame.rename_columns(self.columns) for frame in several), name, rejects)
        return found if self.labels is None else CleanedDocuments(found, self.labels)

    def _read(self, frames: Frames, name: str, rejects: Rejects) -> Iterator[Batch]:
        several = iter(frames)
        if (first := next(several, None)) is None:
            return
        reader = ArrowReader(pa.RecordBatchReader.from_batches(first.schema, chain([first], several)))
        table = ArrowTable(name, reader, reader.names)
        table.check(self.choice)
        for part in table.read(self.columns):
            yield self._batch(part, name, rejects)

    def _batch(self, part: TableRows, name: str, rejects: Rejects) -> Batch:
        place = _places(name, part.numbers)
        if self.weights is None:
            return usable(part.columns, self.choice, place, rejects)
        weights, faults = _weights(part.columns[self.weights], self.weights, place)
        rows = np.array([row for row, weight in enumerate(weights) if weight is not None], dtype=np.intp)
        there = [weights[row] for row in rows.tolist()]
        batch = usable(
            {name: at_rows(values, rows) for name, values in part.columns.items()} if faults else part.columns,
            self.choice,
            lambda row: place(int(rows[row])),
            rejects,
            faults=faults,
            rows_of=lambda kept: [{"weight": there[row]} for row in kept.tolist()],
        )
        return replace(batch, weights=[row["weight"] for row in batch.rows()], rows=list)


def _places(name: str, numbers: Any) -> PlaceOf:
    return lambda row: Place(name, "row", int(numbers[row]))


def _weights(raw: Any, column: str, place: PlaceOf) -> tuple[list[float | None], list[Fault]]:
    """The weights, None where one cannot be used, and why."""
    found: list[float | None] = []
    faults: list[Fault] = []
    for row, weight in enumerate(raw.to_list() if isinstance(raw, Column) else raw):
        try:
            found.append(checked_weight(weight, f" in column {column!r} of {place(row)}"))
        except LikelierError as failure:
            found.append(None)
            faults.append(Fault(place(row).source, place(row).number, 0, failure, str(weight)))
    return found, faults


def joined(frames: Frames, size: int) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of about this number of bytes: small ones are counted more slowly."""
    some: list[pa.RecordBatch] = []
    held = 0
    for frame in frames:
        some.append(frame)
        held += frame.nbytes
        if held >= size:
            yield _as_one(some)
            some, held = [], 0
    if some:
        yield _as_one(some)


def cut(frames: Frames, most: int) -> Iterator[pa.RecordBatch]:
    """The same rows, at most this number at a time."""
    for frame in frames:
        for start in range(0, frame.num_rows, most):
            yield frame.slice(start, most)


def _as_one(some: list[pa.RecordBatch]) -> pa.RecordBatch:
    return some[0] if len(some) == 1 else pa.concat_batches(some)

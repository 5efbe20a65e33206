"""What is left out of the counts with each document: one document of its label, with its weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import LearningError
from likelier._counts.mixed import MixedCounts
from likelier._counts.term_counts import Counts
from likelier._documents.batch import Batch
from likelier._documents.labels import distinct_labels
from likelier._documents.weights import checked_weights

Units = NDArray[np.int64]
Rows = NDArray[np.intp]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Left:
    """Some documents that are left out, each alone."""

    rows: Rows  # (documents,) which ones of the batch they are
    labels: Rows  # (documents,) the columns of their labels
    units: Units  # (documents,) their weights, in units of the counts
    is_last: Truths  # (documents,) whether the label has no other document
    where: Callable[[int], str]

    def some(self, places: Rows | Truths | slice) -> Left:
        """Some of them."""
        return Left(self.rows[places], self.labels[places], self.units[places], self.is_last[places], self.where)

    def refuse(self, place: int) -> LearningError:
        """The error for a document that is not part of the counts."""
        return LearningError(
            code="left-out-not-learnt",
            message="only a document that was learnt can be left out, and"
            f" {self.where(int(self.rows[place]))} was not, or not with this label and weight",
            hint="evaluate the documents that the model was trained on; for others there is method='held-out'",
        )

    def __len__(self) -> int:
        return len(self.rows)


def left_out(counts: Counts | MixedCounts, batch: Batch) -> Left:
    """The documents of a batch."""
    assert batch.labels is not None
    values, which = distinct_labels(batch.labels)
    columns = {label: column for column, label in enumerate(counts.labels)}
    labels = np.array([columns.get(value, -1) for value in values], dtype=np.intp)[which]
    units, fits = _units(batch, counts.unit)
    table = counts if isinstance(counts, Counts) else counts.documents
    others = np.append(table.snapshot.documents.astype(np.int64), 0)[labels] - units  # -1 is the last
    left = Left(np.arange(len(batch)), np.maximum(labels, 0), units, (others == 0) & (units > 0), batch.where)
    strange = np.flatnonzero((others < 0) | ~fits)
    if len(strange):
        raise left.refuse(int(strange[0]))
    return left


def _units(batch: Batch, unit: int) -> tuple[Units, Truths]:
    """The weights in units of the counts, and which of them are whole multiples of it."""
    if batch.weights is None:
        return np.full(len(batch), unit, dtype=np.int64), np.ones(len(batch), dtype=bool)
    given, fine = checked_weights(batch.weights)
    units = given.astype(np.int64) * max(unit // fine, 1)
    coarser = max(fine // unit, 1)
    return units // coarser, units % coarser == 0

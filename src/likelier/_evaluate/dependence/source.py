"""The documents that are looked at, several times over: as batches with labels as numbers and weights in units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import InputError
from likelier._documents.batch import Batch
from likelier._documents.labels import Label, distinct_labels
from likelier._documents.schema import Schema
from likelier._documents.values import Choices, Numbers, Texts, Values
from likelier._documents.weights import checked_weights
from likelier._evaluate.dependence.together import Units
from likelier._kernel import Column
from likelier._model.models import Model

SCATTER = 0x9E3779B1  # spreads row numbers evenly, whatever the period in which labels come


@dataclass(frozen=True)
class Piece:
    """Some documents: their columns, which label each has, its weight in units, and its number among all."""

    columns: Mapping[str, Values]
    labels: NDArray[np.intp]  # (documents,) places in the model's labels
    units: Units  # (documents,), None: each is one
    numbers: NDArray[np.int64]  # (documents,)
    batch: Batch

    def part(self, folds: int, fold: int) -> NDArray[np.intp]:
        """The documents of one fold, by their numbers."""
        return np.flatnonzero((self.numbers * SCATTER % 2**32 >> 16) % folds == fold)


class Source:
    """Documents that can be gone through more than once, and the model of them all.

    rows  how many there are, whatever their weight; known after the first time
    """

    def __init__(self, batches: Iterable[Batch], model: Model, weighted: bool) -> None:
        self.batches, self.model, self.weighted = batches, model, weighted
        self.rows = 0

    def __iter__(self) -> Iterator[Piece]:
        start = rows = 0
        for batch in self.batches:
            piece = self._piece(batch, start)
            start += len(batch)
            rows += len(batch) if piece.units is None else int((piece.units > 0).sum())
            yield piece
        self.rows = rows

    def _piece(self, batch: Batch, start: int) -> Piece:
        assert batch.labels is not None
        numbers = np.arange(start, start + len(batch), dtype=np.int64)
        distinct, which = distinct_labels(batch.labels)
        places = {label: place for place, label in enumerate(self.model.labels)}
        # A label that the model does not have has no document of any weight: any other will do.
        labels = np.array([places.get(label, 0) for label in distinct], dtype=np.intp)[which]
        return Piece(batch.columns, labels, None if batch.weights is None else self._units(batch), numbers, batch)

    def _units(self, batch: Batch) -> NDArray[np.uint64]:
        assert batch.weights is not None
        units, unit = checked_weights(batch.weights)
        return units * np.uint64(self.model.counts.unit // unit)


def counted(batches: Iterable[Batch], schema: Schema, threads: int) -> Model:
    """A model of these documents."""
    model = Model(schema=schema, ledger=False)
    for batch in batches:
        model.count(batch, threads)
    if not model.labels:
        raise InputError(
            code="no-documents",
            message="dependence is looked for in at least one document, got none",
            hint='dependence([({"age": 39, "sex": "f"}, "yes"), ...])',
        )
    return model


def some(batch: Batch, rows: NDArray[np.intp]) -> Batch:
    """Some documents of a batch; rows rise."""
    assert batch.labels is not None
    labels: list[Label] | Column
    if isinstance(batch.labels, Column):
        labels = batch.labels.keep(rows.astype(np.uint32))
    else:
        labels = [batch.labels[row] for row in rows.tolist()]
    weights = None if batch.weights is None else [batch.weights[row] for row in rows.tolist()]
    columns = {name: some_values(values, rows) for name, values in batch.columns.items()}
    return replace(batch, columns=columns, labels=labels, weights=weights)


def some_values(values: Values, rows: NDArray[np.intp]) -> Values:
    """Some rows of a column; rows rise."""
    if isinstance(values, Numbers):
        return Numbers(values.numbers[rows])
    if isinstance(values, Choices):
        return Choices(values.values, values.which[rows])
    missing = np.flatnonzero(np.isin(rows, values.missing))
    if isinstance(values.texts, list):
        return Texts([values.texts[row] for row in rows.tolist()], missing)
    return Texts(values.texts.keep(rows.astype(np.uint32)), missing)

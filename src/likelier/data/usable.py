"""From the columns of a table to a batch in which every document has a text and, where it must, a label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._kernel import Column
from likelier.data.batch import Batch, Labels
from likelier.data.columns import Choice
from likelier.data.faults import Fault, missing_label, missing_text
from likelier.data.rejects import Rejects

Place = Callable[[int], tuple[str, str, int]]  # row → source, unit (line or row), number
RowsOf = Callable[[NDArray[np.uint32]], list[dict[str, Any]]]


def usable(
    columns: dict[str, Column],
    choice: Choice,
    place: Place,
    rejects: Rejects,
    *,
    faults: Sequence[Fault] = (),
    label: str | None = None,
    rows_of: RowsOf | None = None,
) -> Batch:
    """The documents that can be used; the others, and rows that were broken before, go to `rejects`.

    label: one for all documents, in place of a column.
    rows_of: the whole rows of some documents.
    """
    texts = columns[choice.text]
    labels = None if choice.label is None or label is not None else columns[choice.label]
    missing = _missing(texts, labels, choice, place)
    rejects.take([*faults, *missing.values()])
    rows = _left(len(texts), missing)
    kept_labels: Labels | None = [label] * len(rows) if label is not None else labels
    if missing:
        texts, kept_labels = texts.keep(rows), kept_labels if labels is None else labels.keep(rows)

    def where(row: int) -> str:
        source, unit, number = place(int(rows[row]))
        return f"{source} {unit} {number}"

    return Batch(texts, kept_labels, where=where, rows=list if rows_of is None else lambda: rows_of(rows))


def _missing(texts: Column, labels: Column | None, choice: Choice, place: Place) -> dict[int, Fault]:
    """row → what is missing there."""
    found: dict[int, Fault] = {}
    for row in [] if labels is None else _without_label(labels):
        source, unit, number = place(row)
        found[row] = missing_label(source, number, str(choice.label), _shown(texts, row), unit=unit)
    for row in texts.missing().tolist():  # an empty text is there
        source, unit, number = place(row)
        found[row] = missing_text(source, number, choice.text, unit=unit)
    return found


def _without_label(labels: Column) -> list[int]:
    values, which = labels.distinct()
    blank = [place for place, value in enumerate(values) if value is None or not str(value).strip()]
    return np.flatnonzero(np.isin(which, blank)).tolist() if blank else []


def _shown(texts: Column, row: int) -> str:
    (text,) = texts.keep(np.array([row], dtype=np.uint32)).to_list()
    return str(text or "")[:1000]


def _left(length: int, dropped: dict[int, Fault]) -> NDArray[np.uint32]:
    mask = np.ones(length, dtype=bool)
    mask[list(dropped)] = False
    return np.flatnonzero(mask).astype(np.uint32)


def rows_of_columns(columns: dict[str, Column]) -> RowsOf:
    """The rows of a table that is held as columns."""

    def rows_of(rows: NDArray[np.uint32]) -> list[dict[str, Any]]:
        values = [column.keep(rows).to_list() for column in columns.values()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]

    return rows_of

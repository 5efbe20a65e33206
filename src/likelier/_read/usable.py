"""From the columns of a table to a batch in which every document can be used, and has a label where it must."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from likelier._documents.batch import NOWHERE, Batch, Labels
from likelier._documents.kinds import PLAIN
from likelier._documents.labels import is_missing
from likelier._documents.values import Texts, Values
from likelier._kernel import Column
from likelier._read.columns import Choice
from likelier._read.faults import Fault, missing_label, missing_text
from likelier._read.prepare import Raw, at, kept, prepare
from likelier._read.rejects import Rejects
from likelier._read.unusable import Place, unusable
from likelier._text.texts import checked_texts

RowsOf = Callable[[NDArray[np.uint32]], list[dict[str, Any]]]


def usable(
    columns: Mapping[str, Raw],
    choice: Choice,
    place: Place,
    rejects: Rejects,
    *,
    faults: Sequence[Fault] = (),
    label: str | None = None,
    rows_of: RowsOf | None = None,
    length: int | None = None,
) -> Batch:
    """The documents that can be used; the others, and rows that were broken before, go to `rejects`.

    label: one for all documents, in place of a column.
    rows_of: the whole rows of some documents.
    length: how many documents there are, where there may be no column at all.
    """
    length = len(next(iter(columns.values()))) if length is None else length
    labels = None if choice.label is None or label is not None else columns[choice.label]
    prepared, found = _prepared(columns, choice, place, length)
    found = _unlabelled(labels, columns, choice, place) | found
    rejects.take([*faults, *_with_rows(found, columns, choice, rejects)])
    rows = _left(length, found)
    if found:
        prepared, _ = _prepared({name: kept(raw, rows) for name, raw in columns.items()}, choice, place, len(rows))
        labels = None if labels is None else kept(labels, rows)
    kept_labels: Labels | None = [label] * len(rows) if label is not None else labels

    def where(row: int) -> str:
        source, unit, number = place(int(rows[row]))
        return f"{source} {unit} {number}".strip()

    shown = list if rows_of is None else lambda: rows_of(rows)
    return Batch(prepared, kept_labels, where=where, rows=shown, schema=choice.schema)


def _prepared(
    columns: Mapping[str, Raw], choice: Choice, place: Place, length: int
) -> tuple[dict[str, Values], dict[int, Fault]]:
    """The values, and what is wrong with them by row."""
    if choice.schema is not None:
        values, problems = prepare(choice.schema, columns, length)
        return values, {problem.row: unusable(problem, place) for problem in reversed(problems)}
    texts, found = columns[str(choice.text)], {}
    for row in _missing_rows(texts):  # an empty text is there
        source, unit, number = place(row)
        found[row] = missing_text(source, number, str(choice.text), unit=unit)
    return {} if found else {PLAIN: Texts(checked_texts(cast("Iterable[object]", texts)), NOWHERE)}, found


def _missing_rows(raw: Raw) -> list[int]:
    if isinstance(raw, Column):
        return raw.missing().tolist()
    return [row for row, value in enumerate(raw) if not isinstance(value, str) and is_missing(value)]


def _unlabelled(labels: Raw | None, columns: Mapping[str, Raw], choice: Choice, place: Place) -> dict[int, Fault]:
    found = {}
    for row in [] if labels is None else _without_label(labels):
        source, unit, number = place(row)
        shown = "" if choice.text is None else str(at(columns[choice.text], row) or "")[:1000]
        found[row] = missing_label(source, number, str(choice.label), shown, unit=unit)
    return found


def _without_label(labels: Raw) -> list[int]:
    if isinstance(labels, list):
        return [row for row, label in enumerate(labels) if _is_blank(label)]
    values, which = labels.distinct()
    blank = [place for place, value in enumerate(values) if _is_blank(value)]
    return np.flatnonzero(np.isin(which, blank)).tolist() if blank else []


def _is_blank(label: object) -> bool:
    return is_missing(label) or (isinstance(label, str) and not label.strip())


def _with_rows(found: dict[int, Fault], columns: Mapping[str, Raw], choice: Choice, rejects: Rejects) -> list[Fault]:
    """The faults with what the rows hold, if that is written down."""
    if choice.schema is None or rejects.path is None or not found:
        return list(found.values())
    rows = rows_of_columns(columns)(np.array(list(found), dtype=np.uint32))
    texts = [json.dumps(row, ensure_ascii=False, default=str)[:1000] for row in rows]
    return [fault._replace(raw=text) for fault, text in zip(found.values(), texts, strict=True)]


def _left(length: int, dropped: dict[int, Fault]) -> NDArray[np.uint32]:
    mask = np.ones(length, dtype=bool)
    mask[list(dropped)] = False
    return np.flatnonzero(mask).astype(np.uint32)


def rows_of_columns(columns: Mapping[str, Raw]) -> RowsOf:
    """The rows of a table that is held as columns."""

    def rows_of(rows: NDArray[np.uint32]) -> list[dict[str, Any]]:
        values = [_listed(kept(column, rows)) for column in columns.values()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]

    return rows_of


def _listed(raw: Raw) -> list[Any]:
    return raw.to_list() if isinstance(raw, Column) else raw

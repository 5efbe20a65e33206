"""From the columns of a table to a batch in which every document can be used, and has a label where it must.

Of a categorical or binary column each distinct value is looked at once; texts and numbers are left to the kernel.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._documents.batch import Batch, Labels, bound_columns
from likelier._documents.kinds import PLAIN, Kind
from likelier._documents.labels import is_missing
from likelier._documents.schema import Schema
from likelier._documents.spelling import is_single, spelled
from likelier._documents.values import NO_ROWS, Choices, Numbers, Texts, Values, at_rows
from likelier._kernel import Column
from likelier._read.choice import Choice
from likelier._read.decimals import with_points
from likelier._read.faults import (
    LARGEST_NUMBER,
    Fault,
    Place,
    Problem,
    RowOf,
    missing_label,
    missing_text,
    unusable_value,
)
from likelier._read.rejects import Rejects
from likelier._read.tabular import RawValues, RowsOf
from likelier._text.texts import checked_texts, surrogate_error

Columns = Mapping[str, RawValues]
PlaceOf = Callable[[int], Place]  # by row
_SHOWN = 1000  # characters of a row that cannot be used


def usable(
    columns: Columns,
    choice: Choice,
    place: PlaceOf,
    rejects: Rejects,
    *,
    faults: Sequence[Fault] = (),
    label: str | None = None,
    rows_of: RowsOf | None = None,
    length: int | None = None,
    row_of: RowOf | None = None,
) -> Batch:
    """The documents that can be used; the others, and rows that were broken before, go to `rejects`.

    label: one for all documents, in place of a column.
    rows_of: the whole rows of some documents.
    length: how many documents there are, where there may be no column at all.
    row_of: the row of a spreadsheet by line, for messages.
    """
    length = len(next(iter(columns.values()))) if length is None else length
    labels = None if choice.label is None or label is not None else columns[choice.label]
    values, found = _values_of(columns, choice, place, length)
    found = _unlabeled(labels, columns, choice, place) | found
    rejects.take([*faults, *_with_rows(found, columns, choice, rejects)], row_of)
    left = np.ones(length, dtype=bool)
    left[list(found)] = False
    rows = np.flatnonzero(left).astype(np.uint32)
    if found:
        kept = {name: at_rows(raw, rows) for name, raw in columns.items()}
        values, _ = _values_of(kept, choice, place, len(rows))
        labels = None if labels is None else at_rows(labels, rows)
    kept_labels: Labels | None = [label] * len(rows) if label is not None else labels
    shown = list if rows_of is None else lambda: rows_of(rows)
    return Batch(
        values,
        kept_labels,
        where=lambda row: str(place(int(rows[row]))),
        rows=shown,
        schema=choice.schema,
        text=choice.text if choice.is_named else None,
    )


def _values_of(
    columns: Columns, choice: Choice, place: PlaceOf, length: int
) -> tuple[dict[str, Values], dict[int, Fault]]:
    """The values, and what is wrong with them by row."""
    if choice.schema is not None:
        values, problems = prepare(choice.schema, columns, length, commas=choice.commas)
        return values, {problem.row: unusable_value(problem, place(problem.row)) for problem in reversed(problems)}
    texts: Any = columns[str(choice.text)]
    missing = texts.missing().tolist() if isinstance(texts, Column) else _missing_texts(texts)  # an empty one is there
    if missing:
        return {}, {row: missing_text(place(row), str(choice.text)) for row in missing}
    return {PLAIN: Texts(checked_texts(texts), NO_ROWS)}, {}


def _unlabeled(labels: RawValues | None, columns: Columns, choice: Choice, place: PlaceOf) -> dict[int, Fault]:
    found = {}
    for row in [] if labels is None else _without_label(labels):
        shown = "" if choice.text is None else str(_at(columns[choice.text], row) or "")[:_SHOWN]
        found[row] = missing_label(place(row), str(choice.label), shown)
    return found


def _without_label(labels: RawValues) -> list[int]:
    if isinstance(labels, list):
        return [row for row, label in enumerate(labels) if _is_blank(label)]
    values, which = labels.distinct()
    return _rows_with([number for number, value in enumerate(values) if _is_blank(value)], which)


def _is_blank(label: object) -> bool:
    return is_missing(label) or (isinstance(label, str) and not label.strip())


def _with_rows(found: dict[int, Fault], columns: Columns, choice: Choice, rejects: Rejects) -> list[Fault]:
    """The faults with the values of their rows, if those are written to a file."""
    if choice.schema is None or rejects.path is None or not found:
        return list(found.values())
    rows = rows_of_columns(columns)(np.array(list(found), dtype=np.uint32))
    texts = [json.dumps(row, ensure_ascii=False, default=str)[:_SHOWN] for row in rows]
    return [fault._replace(raw=text) for fault, text in zip(found.values(), texts, strict=True)]


def rows_of_columns(columns: Columns) -> RowsOf:
    """The rows of a table that is held as columns."""

    def rows_of(rows: NDArray[np.uint32]) -> list[dict[str, Any]]:
        values = [_listed(at_rows(raw, rows)) for raw in columns.values()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]

    return rows_of


def _listed(raw: RawValues) -> list[Any]:
    return raw.to_list() if isinstance(raw, Column) else raw


def _at(raw: RawValues, row: int) -> object:
    return _listed(at_rows(raw, np.array([row])))[0]


# ---- values as they are counted ----------------------------------------------------------------------------------


def prepare(
    schema: Schema, columns: Columns, length: int, *, commas: Sequence[str] = ()
) -> tuple[dict[str, Values], list[Problem]]:
    """The columns of a schema, and what cannot be used of them. Columns that are not there are missing.

    commas: columns with decimal commas.
    """
    read: dict[str, Values] = {}
    problems: list[Problem] = []
    for name, kind in schema.read.items():
        absent, prepared = _PREPARING[kind.holds]
        if name not in columns:
            read[name] = absent(kind, length)
            continue
        raw = with_points(_listed(_as_column(columns[name])[0]), schema.missing) if name in commas else columns[name]
        read[name], bad = prepared(kind, raw, schema.missing)
        problems += [Problem(row, name, kind.unusable, _at(columns[name], row)) for row in bad]
    return bound_columns(schema, read), problems


def _texts(kind: Kind, raw: RawValues, missing: Sequence[str]) -> tuple[Texts, list[int]]:
    if isinstance(raw, Column) and raw.kind == "text" and not len(raw.missing()):
        return Texts(raw, NO_ROWS), []
    listed = _listed(raw)
    if set(map(type, listed)) <= {str}:
        return Texts(listed, NO_ROWS), []
    absent = _missing_texts(listed)
    absent_rows = set(absent)
    bad = [row for row, value in enumerate(listed) if not isinstance(value, str) and row not in absent_rows]
    texts = [str(value) if isinstance(value, str) else "" for value in listed]
    return Texts(texts, np.array(absent, dtype=np.intp)), bad


def _missing_texts(listed: Sequence[object]) -> list[int]:
    return [row for row, value in enumerate(listed) if not isinstance(value, str) and is_missing(value)]


def _choices(kind: Kind, raw: RawValues, missing: Sequence[str]) -> tuple[Choices, list[int]]:
    column, bad = _as_column(raw)
    found, which = _distinct(column, missing)
    values = [None if text is None else kind.value(text) for text in found]
    unclear = [place for place, text in enumerate(found) if text is not None and values[place] is None]
    places = {value: place for place, value in enumerate(kind.declared if kind.is_closed else ())}
    codes = [-1 if value is None else places.setdefault(value, len(places)) for value in values]
    return Choices(list(places), _replaced(codes, which)), [*bad, *_rows_with(unclear, which)]


def _numbers(kind: Kind, raw: RawValues, missing: Sequence[str]) -> tuple[Numbers, list[int]]:
    bad: list[int] = []
    if isinstance(raw, list) and set(map(type, raw)) <= {float}:
        numbers = np.array(raw, dtype=np.float64)
    else:
        column, bad = _as_column(raw)
        numbers, rows = column.numbers(list(missing))
        bad = [*bad, *rows.tolist()]
    numbers = numbers + 0.0  # and -0.0 is 0
    for number in _stand_ins(tuple(missing)):
        numbers[numbers == number] = np.nan
    beyond = np.abs(numbers) > LARGEST_NUMBER  # not so for NaN
    return Numbers(numbers), sorted({*bad, *np.flatnonzero(beyond).tolist()}) if bad or beyond.any() else []


@cache
def _stand_ins(missing: tuple[str, ...]) -> list[float]:
    """Numbers that stand for missing ones, such as -1 or 999: they do so however they are written."""
    found = []
    for text in missing:
        try:
            found.append(float(text))
        except ValueError:
            continue
    return [number for number in found if np.isfinite(number)]


def _as_column(raw: RawValues) -> tuple[Column, list[int]]:
    """Python values as a column of text, and the rows in which there is more than one value."""
    if isinstance(raw, Column):
        return raw, []
    texts, bad = raw, []
    if not set(map(type, raw)) <= {str, type(None)}:
        bad = [row for row, value in enumerate(raw) if not is_single(value)]
        texts = [spelled(value) if is_single(value) else None for value in raw]
    try:
        return Column.from_list(texts), bad
    except UnicodeEncodeError:
        raise surrogate_error([text or "" for text in texts]) from None


def _distinct(column: Column, missing: Sequence[str]) -> tuple[list[str | None], NDArray[np.uint32]]:
    """The distinct values as text, None for missing ones, and which of them each document has."""
    values, which = column.distinct()
    without = frozenset(missing)
    texts = map(spelled, values)
    return [None if text in without else text for text in texts], which


def _replaced(codes: list[int], which: NDArray[np.uint32]) -> NDArray[np.intp]:
    return np.array(codes, dtype=np.intp)[which] if codes else NO_ROWS


def _rows_with(places: list[int], which: NDArray[np.uint32]) -> list[int]:
    return np.flatnonzero(np.isin(which, places)).tolist() if places else []


def _no_texts(kind: Kind, length: int) -> Texts:
    return Texts([""] * length, np.arange(length, dtype=np.intp))


def _no_choices(kind: Kind, length: int) -> Choices:
    return Choices(list(kind.declared) if kind.is_closed else [], np.full(length, -1, dtype=np.intp))


def _no_numbers(kind: Kind, length: int) -> Numbers:
    return Numbers(np.full(length, np.nan))


_PREPARING: dict[str, tuple[Callable[..., Values], Callable[..., tuple[Values, list[int]]]]] = {
    "terms": (_no_texts, _texts),  # by what a kind of column holds: all missing, and made of what was read
    "value": (_no_choices, _choices),
    "number": (_no_numbers, _numbers),
}

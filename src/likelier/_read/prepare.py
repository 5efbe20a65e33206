"""From columns as they are read to values as they are counted.

Of a categorical or binary column each distinct value is looked at once; texts and numbers are left to the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier._documents.binding import bound
from likelier._documents.kinds import NO, YES, Binary, Categorical, Kind, Numeric, Text
from likelier._documents.labels import is_missing
from likelier._documents.schema import Schema
from likelier._documents.spelling import is_single, spelled, truth
from likelier._documents.values import Choices, Numbers, Texts, Values
from likelier._kernel import Column
from likelier._text.texts import surrogate_error

Raw = Column | list[Any]
LARGEST = 1e150  # the square of what is larger leaves the range of floating-point numbers


class Problem(NamedTuple):
    """A value that cannot be used where a text, a value, a truth value or a number is expected."""

    row: int
    column: str
    expected: str
    value: object


class Prepared(NamedTuple):
    """The columns of some documents, and what cannot be used of them: where there are problems the rows are no good."""

    columns: dict[str, Values]
    problems: list[Problem]


def prepare(schema: Schema, raw: Mapping[str, Raw], length: int) -> Prepared:
    """The columns of a schema; those that `raw` does not have are missing."""
    read: dict[str, Values] = {}
    problems: list[Problem] = []
    for name, kind in schema.read.items():
        if name not in raw:
            read[name] = absent(kind, length)
            continue
        read[name], bad = _values(kind, raw[name], schema.missing)
        problems += [Problem(row, name, _EXPECTED[type(kind)], at(raw[name], row)) for row in bad]
    return Prepared(bound(schema, read), problems)


_EXPECTED: dict[type, str] = {Text: "text", Categorical: "value", Binary: "truth", Numeric: "number"}


def absent(kind: Kind, length: int) -> Values:
    """A column in which every value is missing."""
    if isinstance(kind, Text):
        return Texts([""] * length, np.arange(length, dtype=np.intp))
    if isinstance(kind, Numeric):
        return Numbers(np.full(length, np.nan))
    values = [NO, YES] if isinstance(kind, Binary) else []
    return Choices(values, np.full(length, -1, dtype=np.intp))


def at(raw: Raw, row: int) -> object:
    """One value of a column."""
    return raw.keep(np.array([row], dtype=np.uint32)).to_list()[0] if isinstance(raw, Column) else raw[row]


def kept(raw: Any, rows: NDArray[np.uint32]) -> Any:
    """Some rows of a column."""
    return raw.keep(rows) if isinstance(raw, Column) else [raw[row] for row in rows.tolist()]


def _values(kind: Kind, raw: Raw, missing: Sequence[str]) -> tuple[Values, list[int]]:
    """The values, and the rows that cannot be used."""
    if isinstance(kind, Text):
        return _texts(raw)
    if isinstance(kind, Numeric):
        return _numbers(raw, missing)
    column, bad = _as_column(raw)
    if isinstance(kind, Binary):
        choices, others = _truths(column, missing)
        return choices, [*bad, *others]
    return _choices(column, missing), bad


# ---- texts ---------------------------------------------------------------------------------------------------------


def _texts(raw: Raw) -> tuple[Texts, list[int]]:
    if isinstance(raw, Column) and raw.kind == "text" and not len(raw.missing()):
        return Texts(raw, np.zeros(0, dtype=np.intp)), []
    listed = raw.to_list() if isinstance(raw, Column) else raw
    if set(map(type, listed)) <= {str}:
        return Texts(listed, np.zeros(0, dtype=np.intp)), []  # type: ignore[arg-type]
    missing = [row for row, value in enumerate(listed) if not isinstance(value, str) and is_missing(value)]
    absent_rows = set(missing)
    bad = [row for row, value in enumerate(listed) if not isinstance(value, str) and row not in absent_rows]
    texts = [str(value) if isinstance(value, str) else "" for value in listed]
    return Texts(texts, np.array(missing, dtype=np.intp)), bad


# ---- one of some values --------------------------------------------------------------------------------------------


def _as_column(raw: Raw) -> tuple[Column, list[int]]:
    """Python values as a column of text, and the rows in which there is more than one value."""
    if isinstance(raw, Column):
        return raw, []
    if set(map(type, raw)) <= {str, type(None)}:
        return _column(raw), []
    bad = [row for row, value in enumerate(raw) if not is_single(value)]
    return _column([spelled(value) if is_single(value) else None for value in raw]), bad


def _column(texts: list[str | None]) -> Column:
    try:
        return Column.from_list(texts)
    except UnicodeEncodeError:
        raise surrogate_error([text or "" for text in texts]) from None


def _choices(column: Column, missing: Sequence[str]) -> Choices:
    found, which = _distinct(column, missing)
    places: dict[str, int] = {}
    codes = [-1 if text is None else places.setdefault(text, len(places)) for text in found]
    return Choices(list(places), _replaced(codes, which))


def _truths(column: Column, missing: Sequence[str]) -> tuple[Choices, list[int]]:
    found, which = _distinct(column, missing)
    said = [None if text is None else truth(text) for text in found]
    bad = [place for place, text in enumerate(found) if text is not None and said[place] is None]
    codes = [-1 if each is None else int(each) for each in said]
    return Choices([NO, YES], _replaced(codes, which)), _rows_with(bad, which)


def _distinct(column: Column, missing: Sequence[str]) -> tuple[list[str | None], NDArray[np.uint32]]:
    """The distinct values as text, None for missing ones, and which of them each document has."""
    values, which = column.distinct()
    without = frozenset(missing)
    texts = map(spelled, values)
    return [None if text in without else text for text in texts], which


def _replaced(codes: list[int], which: NDArray[np.uint32]) -> NDArray[np.intp]:
    return np.array(codes, dtype=np.intp)[which] if codes else np.zeros(0, dtype=np.intp)


def _rows_with(places: list[int], which: NDArray[np.uint32]) -> list[int]:
    return np.flatnonzero(np.isin(which, places)).tolist() if places else []


# ---- numbers -------------------------------------------------------------------------------------------------------


def _numbers(raw: Raw, missing: Sequence[str]) -> tuple[Numbers, list[int]]:
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
    beyond = np.abs(numbers) > LARGEST  # not so for NaN
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

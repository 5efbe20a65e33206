"""Data frames of any library: through Arrow where they offer it, else column by column."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from likelier._base.errors import InputError
from likelier._documents.batch import Batch
from likelier._documents.kinds import Binary, Categorical, Kind, Numeric, Text
from likelier._documents.spelling import spelled
from likelier._kernel import ArrowReader, Column
from likelier._read.columns import Choice, choose
from likelier._read.documents import Origin, Reading
from likelier._read.head import Head
from likelier._read.prepare import Raw
from likelier._read.rejects import Rejects
from likelier._read.rows import ListTable
from likelier._read.tables import SAMPLE_ROWS
from likelier._read.unusable import Place
from likelier._read.usable import rows_of_columns, usable

LABEL_KINDS = ("text", "int", "bool", "null")
KINDS: dict[type, tuple[str, ...]] = {
    Text: ("text", "null"),
    Categorical: (*LABEL_KINDS, "float"),
    Binary: (*LABEL_KINDS, "float"),
    Numeric: ("text", "int", "float", "null"),
}
RULES: dict[type, str] = {
    Text: "a text column holds text",
    Categorical: "a categorical column holds text, numbers or truth values",
    Binary: "a binary column holds truth values, or words and numbers for them",
    Numeric: "a numeric column holds numbers",
}


class FrameOrigin(Origin):
    """A data frame; its labels may also be whole numbers or truth values."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.name = f"the {type(frame).__name__}"
        self.once = not hasattr(frame, "shape")  # a reader that is used up, not a table

    def batches(self, reading: Reading, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        table = self._open()
        if table.is_empty:
            return
        self.choice = choose(table.head, reading.wanted, label=reading.label, labelled=reading.labelled)
        notes.extend(self.choice.notes)
        table.check(self.choice)
        start = 0
        for columns in table.read(list(table.head.names) if reading.all_columns else self.choice.columns):
            rows_of = rows_of_columns(columns) if reading.all_columns else None
            yield usable(columns, self.choice, self._place_from(start), rejects, rows_of=rows_of)
            start += len(next(iter(columns.values())))

    def _open(self) -> ArrowTable | ListTable:
        stream = _arrow(_without_nulls(self.frame))
        if stream is not None:
            return ArrowTable(self.name, stream, _pandas_names(self.frame))
        return ListTable(self.name, *_lists(self.frame, self.name))

    def _place_from(self, start: int) -> Place:
        return lambda row: (self.name, "row", start + row)


class ArrowTable:
    """Arrow data, piece by piece."""

    def __init__(self, source: str, stream: ArrowReader, names: list[str] | None) -> None:
        self._source, self._stream = source, stream
        self._kinds = dict(zip(stream.names, stream.kinds, strict=True))
        self._first = list(self._beginning())
        self.is_empty = not self._first
        unreadable = {name: f"holds {kind}" for name, kind in self._kinds.items() if kind not in KINDS[Categorical]}
        truths = {name: Binary() for name, kind in self._kinds.items() if kind == "bool"}
        self.head = Head(source, stream.names if names is None else names, self._sample, unreadable, truths)

    def _beginning(self) -> Iterator[list[Column]]:
        """As many pieces as it takes to have some rows."""
        rows = 0
        while rows < SAMPLE_ROWS and (columns := self._stream.next(list(range(len(self._kinds))))) is not None:
            if columns and len(columns[0]):
                rows += len(columns[0])
                yield columns

    def _sample(self) -> dict[str, list[str | None]]:
        pieces = zip(*self._first, strict=True)
        return {name: _spelled(columns) for name, columns in zip(self._stream.names, pieces, strict=True)}

    def check(self, choice: Choice) -> None:
        """Raises where a column does not hold what it was chosen for."""
        self._check_label(choice.label)
        chosen: Mapping[str, Kind] = {} if choice.schema is None else choice.schema.read
        for name, kind in (chosen if choice.text is None else {choice.text: Text()}).items():
            if name in self._kinds and self._kinds[name] not in KINDS[type(kind)]:
                raise self._wrong(name, RULES[type(kind)])

    def _check_label(self, name: str | None) -> None:
        if name is None or self._kinds[name] in LABEL_KINDS:
            return
        if self._kinds[name] != "float":
            raise self._wrong(name, "a label column holds text, whole numbers or truth values")
        raise InputError(
            code="label-kind",
            message="a label is text, a whole number or a truth value,"
            f" but column {name!r} of {self._source} holds floating-point numbers",
            hint="pandas makes such of whole numbers where one is missing: frame[name].astype('Int64') or .astype(str)",
        )

    def _wrong(self, name: str, rule: str) -> InputError:
        return InputError(
            code="column-values",
            message=f"{rule}; column {name!r} of {self._source} holds {self._kinds[name]}",
            hint="turn it into text first, or name another column with `text` or `label`",
        )

    def read(self, wanted: list[str]) -> Iterator[dict[str, Raw]]:
        """The columns, piece by piece."""
        places = [self._stream.names.index(name) for name in wanted]
        first = ([columns[place] for place in places] for columns in self._first)
        rest = iter(lambda: self._stream.next(places), None)
        for columns in chain(first, rest):
            yield dict(zip(wanted, columns or (), strict=True))


def _arrow(frame: Any) -> ArrowReader | None:
    if not hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "__arrow_c_array__"):
        return None
    try:
        return ArrowReader(frame)
    except ImportError:  # pandas without PyArrow
        return None
    except (TypeError, ValueError):  # pandas with a column of several kinds, or with two columns of one name
        if not hasattr(frame, "columns"):
            raise _no_table(frame) from None
        return None


def _without_nulls(frame: Any) -> Any:
    """Polars hands over columns of nothing but nulls in a way that Arrow does not allow; as text they are fine."""
    polars = sys.modules.get("polars")
    if polars is None or not isinstance(frame, polars.DataFrame):
        return frame
    return frame.cast({name: polars.String for name, kind in frame.schema.items() if kind == polars.Null})


def _pandas_names(frame: Any) -> list[str] | None:
    """pandas hands its index over as a further column; None for other frames."""
    if not type(frame).__module__.startswith("pandas"):
        return None
    return [str(name) for name in frame.columns]


def _lists(frame: Any, source: str) -> tuple[list[str], list[list[Any]]]:
    """The names of the columns, and their values."""
    try:
        return [str(name) for name in frame.columns], [_listed(frame, place) for place in range(len(frame.columns))]
    except (AttributeError, TypeError):
        raise _no_table(frame) from None


def _listed(frame: Any, place: int) -> list[Any]:
    column = frame.iloc[:, place] if hasattr(frame, "iloc") else frame[frame.columns[place]]
    return list(column.tolist() if hasattr(column, "tolist") else column.to_list())


def _no_table(frame: object) -> InputError:
    return InputError(
        code="frame-kind",
        message=f"a data frame has columns with names and values, got {type(frame).__name__}",
        hint="for a lazy frame frame.collect(); one column alone goes to `texts`",
    )


def _spelled(pieces: Sequence[Column]) -> list[str | None]:
    found: list[str | None] = []
    for column in pieces:
        few = np.arange(min(SAMPLE_ROWS - len(found), len(column)), dtype=np.uint32)
        readable = column.kind in KINDS[Categorical]
        found += [spelled(value) for value in column.keep(few).to_list()] if readable else [None] * len(few)
    return found

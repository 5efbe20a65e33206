"""Tables: anything with rows and columns. Here those in memory: lists, and data frames of any library.

Data frames are read through Arrow where they offer it, else column by column.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import LikelierError, error
from likelier._documents.kinds import SINGLE, Binary, Kind, Text
from likelier._documents.spelling import is_single, spelled
from likelier._kernel import ArrowReader, Column
from likelier._read.faults import Fault

if TYPE_CHECKING:
    from likelier._read.choice import Choice

RawValues = Column | list[Any]  # of one column, as they are read
RowsOf = Callable[[NDArray[np.uint32]], list[dict[str, Any]]]  # by their places
SAMPLE_ROWS = 1000
LONGEST_NAME = 60  # characters; what is longer at the head of a column is a text and no name
MOST_NAMES = 20  # that are listed


class Layout(NamedTuple):
    """How a file is written, so that a file with answers can be written in the same way.

    kind       csv, tsv, jsonl or json
    delimiter  between fields
    quote      character, "" for none
    all_quoted whether every field is in quotes
    line_end   a line feed, or a carriage return before it
    marked     whether it has a byte order mark, or a copy in UTF-8 needs one because it is not UTF-8
    """

    kind: str
    delimiter: str = ","
    quote: str = '"'
    all_quoted: bool = False
    line_end: str = "\n"
    marked: bool = False


class TableRows(NamedTuple):
    """Some rows of a table: the columns by name, and the number of the line or row at which each one begins."""

    columns: Mapping[str, RawValues]
    numbers: Sequence[int] | NDArray[np.uint64]
    faults: Sequence[Fault] = ()
    rows_of: RowsOf | None = None  # whole rows as they are in the source, if that is asked for


class Tabular(ABC):
    """A table, opened and not yet read.

    source      what it is called in messages
    names       of its columns
    unreadable  column → what it holds, where that is not one value
    known       column → kind, where the table says it
    grows       whether rows further on may have more columns
    loose       whether a row need not have every column: what it lacks is missing, and there is no note
    unit        what the numbers of rows count
    notes       what was guessed
    whole       whether rows come as they are in the source, too
    layout      how the file is written
    is_named    whether the columns have names, and not only numbers
    """

    source: str
    names: Sequence[str]
    unreadable: Mapping[str, str] = {}
    known: Mapping[str, Kind] = {}
    grows = False
    loose = False
    unit = "row"
    notes: Sequence[str] = ()
    whole = False
    layout: Layout | None = None
    is_named = True
    is_empty = False

    @abstractmethod
    def sample(self) -> dict[str, list[str | None]]:
        """The values in the first rows, by column."""

    @abstractmethod
    def read(self, wanted: Sequence[str]) -> Iterator[TableRows]:
        """The rows with these columns, some at a time."""

    def check(self, choice: Choice) -> None:  # noqa: B027
        """Raise where a column does not hold what it was chosen for."""


class ListTable(Tabular):
    """Columns as lists of Python values; loose: rows that Python has as mappings."""

    def __init__(self, source: str, names: Sequence[str], values: Sequence[list[Any]], *, loose: bool = False) -> None:
        self.source, self.names, self.loose = source, names, loose
        self.is_empty = not any(values)
        self._columns = dict(zip(names, values, strict=True))
        self._few = {name: values[:SAMPLE_ROWS] for name, values in self._columns.items()}
        self.unreadable = holding_lists(self._few)
        self.known = {name: Binary() for name, few in self._few.items() if set(map(type, few)) <= {bool, type(None)}}

    def sample(self) -> dict[str, list[str | None]]:
        return {name: [spelled(each) if is_single(each) else None for each in few] for name, few in self._few.items()}

    def read(self, wanted: Sequence[str]) -> Iterator[TableRows]:
        yield TableRows({name: self._columns[name] for name in wanted}, range(len(next(iter(self._columns.values())))))


def holding_lists(columns: Mapping[str, Sequence[object]]) -> dict[str, str]:
    """The columns in which most values are lists or mappings, and not single ones.

    >>> holding_lists({"age": [39], "tags": [["a", "b"]]})
    {'tags': 'holds lists'}
    """
    nested = {name: sum(not is_single(value) for value in values) for name, values in columns.items()}
    return {name: "holds lists" for name, values in columns.items() if 2 * nested[name] > len(values)}


def listed(names: Iterable[str]) -> str:
    """Names of columns in a message.

    >>> listed(["age", "size"])
    "'age', 'size'"
    """
    every = list(names)
    shown = ", ".join(
        repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…") for name in every[:MOST_NAMES]
    )
    return shown + (f" and {len(every) - MOST_NAMES} more" if len(every) > MOST_NAMES else "")


# ---- data frames ------------------------------------------------------------------------------------------------

_LABELS = ("text", "int", "bool", "null")  # kinds of Arrow data


class ArrowTable(Tabular):
    """Arrow data, piece by piece."""

    def __init__(self, source: str, stream: ArrowReader, names: Sequence[str]) -> None:
        self.source, self.names, self._stream = source, names, stream
        self._kinds = dict(zip(stream.names, stream.kinds, strict=True))
        self._first = list(self._beginning())
        self.is_empty = not self._first
        self.unreadable = {name: f"holds {kind}" for name, kind in self._kinds.items() if kind not in SINGLE}
        self.known = {name: Binary() for name, kind in self._kinds.items() if kind == "bool"}

    def _beginning(self) -> Iterator[list[Column]]:
        """As many pieces as it takes to have some rows."""
        rows = 0
        while rows < SAMPLE_ROWS and (columns := self._stream.next(list(range(len(self._kinds))))) is not None:
            if columns and len(columns[0]):
                rows += len(columns[0])
                yield columns

    def sample(self) -> dict[str, list[str | None]]:
        pieces = zip(*self._first, strict=True)
        return {name: _spelled(columns) for name, columns in zip(self._stream.names, pieces, strict=True)}

    def check(self, choice: Choice) -> None:
        self._check_label(choice.label)
        chosen: Mapping[str, Kind] = {} if choice.schema is None else choice.schema.read
        for name, kind in (chosen if choice.text is None else {choice.text: Text()}).items():
            if name in self._kinds and self._kinds[name] not in kind.from_arrow:
                raise self._wrong(name, kind.rule)

    def _check_label(self, name: str | None) -> None:
        if name is None or self._kinds[name] in _LABELS:
            return
        if self._kinds[name] != "float":
            raise self._wrong(name, "a label column holds text, integers or booleans")
        raise error("label-kind.floats", name=name, source=self.source)

    def _wrong(self, name: str, rule: str) -> LikelierError:
        return error("column-values.own", rule=rule, name=name, source=self.source, what=self._kinds[name])

    def read(self, wanted: Sequence[str]) -> Iterator[TableRows]:
        places = [self._stream.names.index(name) for name in wanted]
        first = ([columns[place] for place in places] for columns in self._first)
        start = 0
        for columns in chain(first, iter(lambda: self._stream.next(places), None)):
            rows = dict(zip(wanted, columns or (), strict=True))
            end = start + len(next(iter(rows.values())))
            yield TableRows(rows, range(start, end))
            start = end


def open_frame(frame: Any, source: str) -> Tabular:
    """A data frame as a table."""
    stream = _arrow(_without_nulls(frame))
    if stream is not None:
        is_pandas = type(frame).__module__.startswith("pandas")  # it hands its index over as a further column
        return ArrowTable(source, stream, [str(name) for name in frame.columns] if is_pandas else stream.names)
    try:
        names = [str(name) for name in frame.columns]
        values = [_values(frame, place) for place in range(len(names))]
    except (AttributeError, TypeError):
        raise error("frame-kind", got=frame) from None
    return ListTable(source, names, values)


def is_frame(value: object) -> bool:
    """Whether it is a table of any library: Arrow data, or something with columns that have names."""
    return hasattr(value, "__arrow_c_stream__") or (hasattr(value, "columns") and hasattr(value, "__getitem__"))


def _arrow(frame: Any) -> ArrowReader | None:
    if not hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "__arrow_c_array__"):
        return None
    try:
        return ArrowReader(frame)
    except ImportError:  # pandas without PyArrow
        return None
    except (TypeError, ValueError):  # pandas with a column of several kinds, or with two columns of one name
        if not hasattr(frame, "columns"):
            raise error("frame-kind", got=frame) from None
        return None


def _without_nulls(frame: Any) -> Any:
    """Polars hands over columns of nothing but nulls in a way that Arrow does not allow; as text they are fine."""
    polars = sys.modules.get("polars")
    if polars is None or not isinstance(frame, polars.DataFrame):
        return frame
    return frame.cast({name: polars.String for name, kind in frame.schema.items() if kind == polars.Null})


def _values(frame: Any, place: int) -> list[Any]:
    column = frame.iloc[:, place] if hasattr(frame, "iloc") else frame[frame.columns[place]]
    return list(column.tolist() if hasattr(column, "tolist") else column.to_list())


def _spelled(pieces: Sequence[Column]) -> list[str | None]:
    found: list[str | None] = []
    for column in pieces:
        few = np.arange(min(SAMPLE_ROWS - len(found), len(column)), dtype=np.uint32)
        readable = column.kind in SINGLE
        found += [spelled(value) for value in column.keep(few).to_list()] if readable else [None] * len(few)
    return found

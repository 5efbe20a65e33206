"""CSV, TSV and JSON: blocks of bytes in, columns out, with the line of every row and everything that is wrong.

The kernel reads the blocks; here the dialect is settled. Quotes are special in CSV; in TSV they are ordinary
characters, as its definition says, unless the first line begins with one.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from likelier._base.checks import is_one_of
from likelier._base.errors import InputError, LikelierError, error
from likelier._kernel import Column, CsvReader, JsonReader, Rows, csv_record
from likelier._read.encodings import guess_encoding
from likelier._read.faults import Fault, broken_row
from likelier._read.json_array import ArrayLines
from likelier._read.tabular import SAMPLE_ROWS, Layout, RowsOf, TableRows, Tabular, holding_lists

SAMPLE_BYTES = 1 << 18
LONG = 1 << 20  # bytes that may be looked at again with every block
DELIMITERS = ",;\t|"


@dataclass(frozen=True)
class Dialect:
    """How fields are separated, as far as it was given."""

    delimiter: str | None = None
    quote: str | None = None
    header: bool = True

    def __post_init__(self) -> None:
        if self.delimiter is not None and not (_is_ascii(self.delimiter) and self.delimiter != '"'):
            raise error("delimiter-kind", got=self.delimiter)
        if not (self.quote is None or is_one_of(self.quote, ("",)) or _is_ascii(self.quote)):
            raise error("quote-kind", got=self.quote)


def _is_ascii(character: object) -> bool:
    return isinstance(character, str) and len(character) == 1 and character.isascii() and character not in "\r\n"


class TextTable(Tabular):
    """A file with one row per line, read in blocks; the first block is extended until it holds a whole record."""

    unit = "line"

    def __init__(self, source: str, blocks: Iterable[bytes], *, limit: int, batch: int = 0) -> None:
        """limit: bytes of a row; batch: after how many bytes rows are given, 0: after every block."""
        self.source, self._limit, self._batch = source, limit, batch
        self._blocks = with_last(blocks)
        self._first, self._last = next(self._blocks)

    def _read_on(self) -> None:
        """One more block, or as much again of a long record, so that looking at it takes linear time."""
        parts, size = [self._first], len(self._first)
        enough = 2 * size if size >= LONG else size + 1
        while size < enough and not self._last:
            block, self._last = next(self._blocks)
            parts.append(block)
            size += len(block)
        self._first = b"".join(parts)

    def _rows(self, reader: CsvReader | JsonReader) -> Iterator[tuple[Rows, list[Fault]]]:
        """The rows of some blocks at a time, and what is wrong with others, which is given at once."""
        for block, last in chain([(self._first, self._last)], self._blocks):
            size, faults = reader.feed(block, last)
            if size >= self._batch or faults or last:
                rows = reader.take()
                yield rows, self._faults(rows, block)

    def _faults(self, rows: Rows, block: bytes) -> list[Fault]:
        """What is wrong with the rows of a block; for bytes that are not UTF-8 with a guess what they are."""
        undecodable = any(kind == "utf8" for _, _, kind, _, _ in rows.faults)
        guess = guess_encoding(block) if undecodable else "utf-8"
        encoding = "cp1252" if guess == "utf-8" else guess
        return [broken_row(self.source, found, encoding=encoding, unit=self.unit) for found in rows.faults]

    def _empty(self) -> LikelierError:
        return error("file-empty", source=self.source)


class DelimitedFile(TextTable):
    """A CSV or TSV file."""

    layout: Layout

    def __init__(self, source: str, blocks: Iterable[bytes], dialect: Dialect, *, usual: str, **sizes: int) -> None:
        """usual: the delimiter, unless it is given or the first record has another."""
        super().__init__(source, blocks, **sizes)
        quoted = usual != "\t" or self._first.lstrip()[:1] == b'"'
        quote = dialect.quote if dialect.quote is not None else '"' if quoted else ""
        self._quote = ord(quote) if quote else None
        self._delimiter = ord(dialect.delimiter or self._guess_delimiter(usual))
        fields, used, line = self._record(self._delimiter)
        kind, beginning = "tsv" if usual == "\t" else "csv", self._first[: used + SAMPLE_BYTES]
        self.layout = layout_of(kind, beginning, chr(self._delimiter), quote)
        self.names = fields if dialect.header else [str(place) for place in range(1, len(fields) + 1)]
        self.is_named = dialect.header
        self._line = line if dialect.header else 1
        self._first = self._first[used:] if dialect.header else self._first

    def _guess_delimiter(self, usual: str) -> str:
        fields = {each: self._fields(ord(each)) for each in dict.fromkeys(DELIMITERS + usual)}
        best = usual if fields[usual] > 1 else max(fields, key=lambda each: fields[each])
        if fields[best] <= 1 or best == usual:
            return usual
        self.notes = [f"delimiter of {self.source}: {best!r} (guessed)"]
        return best

    def _fields(self, delimiter: int) -> int:
        """How many fields the first record has; 0 where this delimiter makes no sense."""
        try:
            return len(self._record(delimiter)[0])
        except InputError:
            return 0

    def _record(self, delimiter: int) -> tuple[list[str], int, int]:
        """The first record, for which more blocks are read if they must be."""
        while (found := csv_record(self._first, delimiter, self._quote, self._last, self._limit)) is None:
            if self._last:
                raise self._empty()
            self._read_on()
        if isinstance(found[0], int):
            raise broken_row(self.source, found).error
        return found

    def sample(self) -> dict[str, list[str | None]]:
        some, all_of_it = self._first[:SAMPLE_BYTES], self._last and len(self._first) <= SAMPLE_BYTES
        rows = self._reader(range(len(self.names))).push(some, all_of_it)
        few = np.arange(min(len(rows.lines), SAMPLE_ROWS), dtype=np.uint32)
        columns: Any = zip(self.names, rows.columns, strict=True)
        return {name: column.keep(few).to_list() for name, column in columns}

    def read(self, wanted: Sequence[str]) -> Iterator[TableRows]:
        places = {name: place for place, name in reversed(list(enumerate(self.names)))}  # of equal names the first
        for rows, faults in self._rows(self._reader([places[name] for name in wanted])):
            yield TableRows(dict(zip(wanted, rows.columns, strict=True)), rows.lines, faults)

    def _reader(self, wanted: Iterable[int]) -> CsvReader:
        return CsvReader(
            delimiter=self._delimiter,
            quote=self._quote,
            width=len(self.names),
            wanted=list(wanted),
            limit=self._limit,
            line=self._line,
        )


def layout_of(kind: str, beginning: bytes, delimiter: str, quote: str) -> Layout:
    r"""How the first lines of a file are written; all is quoted if its first two records are.

    >>> layout_of("csv", b'"a";"b"\r\n"1";"2"\r\n', ";", '"')
    Layout(kind='csv', delimiter=';', quote='"', all_quoted=True, line_end='\r\n', marked=False)
    """
    end = beginning.find(b"\n")
    line_end = "\r\n" if beginning[max(end - 1, 0) : end] == b"\r" else "\n"
    mark = re.escape(quote)
    field = f"{mark}(?:[^{mark}]|{mark}{mark})*+{mark}" if quote else "(?!)"
    record = rf"{field}(?:{re.escape(delimiter)}{field})*+\r?(?:\n|\Z)"
    quoted = re.match(rf"{record}(?:{record}|\Z)".encode(), beginning)
    return Layout(kind, delimiter, quote, quoted is not None, line_end)


class JsonLines(TextTable):
    """A file with one JSON object a line; whole: keep each row as it is, too."""

    grows = True
    layout = Layout("jsonl")

    def __init__(self, source: str, blocks: Iterable[bytes], *, whole: bool = False, **sizes: int) -> None:
        super().__init__(source, blocks, **sizes)
        self.whole = whole
        while not self._last and b"\n" not in self._first and len(self._first) <= self._limit:
            self._read_on()
        end = self._first.find(b"\n", SAMPLE_BYTES) + 1  # of some whole lines
        reader = JsonReader(wanted=[], raw=True, limit=self._limit)
        rows = reader.push(*((self._first[:end], False) if end else (self._first, self._last)))
        lines = rows.columns[0].to_list()[:SAMPLE_ROWS]
        self._sampled = [json_object(line) for line in lines if isinstance(line, str)]
        self.names = list(dict.fromkeys(chain(reader.keys(), *self._sampled)))  # it remembers a thousand
        if not self.names:
            raise self._faults(rows, self._first)[0].error if rows.faults else self._empty()
        self.unreadable = holding_lists({name: [row.get(name) for row in self._sampled] for name in self.names})

    def sample(self) -> dict[str, list[str | None]]:
        return {name: [_as_text(row.get(name)) for row in self._sampled] for name in self.names}

    def read(self, wanted: Sequence[str]) -> Iterator[TableRows]:
        reader = JsonReader(wanted=list(wanted), raw=self.whole, limit=self._limit)
        for rows, faults in self._rows(reader):
            rows_of = _rows_of(rows.columns[-1]) if self.whole else None
            yield TableRows(dict(zip(wanted, rows.columns, strict=False)), rows.lines, faults, rows_of)


def _rows_of(raw: Column) -> RowsOf:
    def rows_of(rows: NDArray[np.uint32]) -> list[dict[str, Any]]:
        return [json_object(str(line)) for line in raw.keep(rows).to_list()]

    return rows_of


class JsonArray(JsonLines):
    """A file with a JSON array of objects; rows are numbered from 1."""

    unit = "row"
    layout = Layout("json")

    def __init__(self, source: str, blocks: Iterable[bytes], *, limit: int, **more: Any) -> None:
        super().__init__(source, ArrayLines(source, blocks, limit), limit=limit, **more)


def with_last(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each block with whether it is the last; an empty one if there is none.

    >>> list(with_last([b"a", b"b"])), list(with_last([]))
    ([(b'a', False), (b'b', True)], [(b'', True)])
    """
    before = None
    for block in blocks:
        if before is not None:
            yield before, False
        before = block
    yield before or b"", True


def _as_text(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


# ---- JSON objects as Python values ---------------------------------------------------------------------------------

DEEPEST = 100  # levels of nesting that become lists and mappings
_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]++|[\]}]++', re.DOTALL)  # a string may lack its end
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}


def json_object(text: str) -> dict[str, Any]:
    """The object that a text which begins with { spells, whatever it holds; a `json.JSONDecodeError` if it is none.

    Python's parser stops at a thousand levels of nesting, at integers of more than 4,300 digits, and takes 1e400 for
    infinity. Here what it cannot hold stays text, as it is spelled, so that a row can be used whatever its other
    columns hold. Values that are nested too deep stay a list or a mapping, which no column takes.

    >>> json_object('{"a": 1.50, "b": 1e400, "c": [true, null]}')
    {'a': 1.5, 'b': '1e400', 'c': [True, None]}
    """
    shallow = text if text.count("[") + text.count("{") <= DEEPEST else _shallow(text)
    found: dict[str, Any] = _DECODER.decode(shallow)
    return found


def _shallow(text: str) -> str:
    """The same with everything that is nested too deep as a string."""
    parts: list[str] = []
    done = depth = 0
    for found in _BRACKETS.finditer(text):
        before, depth = depth, depth + _STEP.get(found[0][0], 0) * len(found[0])
        cut = found.start() + abs(DEEPEST - before)  # where the depth passes the limit, if it does
        if before <= DEEPEST < depth:
            parts.append(text[done:cut])
            done = cut
        elif depth <= DEEPEST < before:
            parts.append(json.dumps(text[done:cut]))
            done = cut
    rest = text[done:]
    return "".join([*parts, json.dumps(rest) if depth > DEEPEST else rest])  # it may end before it is closed


def _whole(spelled: str) -> int | str:
    try:
        return int(spelled)
    except ValueError:  # too many digits
        return spelled


def _real(spelled: str) -> float | str:
    number = float(spelled)
    return number if math.isfinite(number) else spelled


def _no_number(spelled: str) -> NoReturn:
    raise json.JSONDecodeError(f"There is no {spelled} in JSON", "", 0)


_DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_real, parse_constant=_no_number)

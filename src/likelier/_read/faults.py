"""Rows and documents that cannot be used: what is wrong, the rule, and where.

A fault stops the reading or is skipped (`rejects`). Among the rules is how long
one document may be: more is a mistake, such as a quote that is never closed, or an attack, as a few hundred kilobytes
can unpack to gigabytes. Bytes count as they are read: unpacked, and not yet decoded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

from likelier._base.checks import whole_number
from likelier._base.errors import LikelierError, error

MAX_DOCUMENT = 64 << 20  # bytes
LARGEST = 2 << 30  # the kernel has 32 bits for the length of a text
LARGEST_NUMBER = 1e150  # the square of what is larger leaves the range of floating-point numbers
_UNITS = {"GB": 1 << 30, "MB": 1 << 20, "KB": 1 << 10}
_SIZE = re.compile(rf"([0-9]{{1,15}})\s*({'|'.join(_UNITS)})?", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+|[+-]?\d{1,3}([,.' ])\d{3}(?:\1\d{3})*(?:[.,]\d+)?")


RowOf = Callable[[int], int | None]  # the row of a spreadsheet, by line


class Fault(NamedTuple):
    """One row that cannot be used; line and character count from 1, and are 0 where there is none."""

    source: str
    line: int
    character: int
    error: LikelierError
    raw: str


class Place(NamedTuple):
    """Where a document is: a source, and the number of its line, row or document."""

    source: str
    unit: str
    number: int

    def __str__(self) -> str:
        return f"{self.source} {self.unit} {self.number}".strip()


class Problem(NamedTuple):
    """A value that cannot be used where a text, a value, a boolean or a number is expected."""

    row: int
    column: str
    code: str
    value: object


def line_of(source: str, line: int, character: int = 0, *, unit: str = "line") -> str:
    """A line of a source in words; in a row there are no characters to count.

    >>> line_of("mails.csv", 17, 4), line_of("mails.csv", 17)
    ('mails.csv line 17 column 4', 'mails.csv line 17')
    """
    column = f" column {character}" if character and unit == "line" else ""
    return f"{source}{f' {unit} {line}' if line else ''}{column}"


def with_row(fault: Fault, row_of: RowOf) -> Fault:
    """The fault with the row that a spreadsheet shows, where that is not the number of the line."""
    row = row_of(fault.line)
    if row is not None and row != fault.line:
        place = re.compile(rf"{re.escape(f'{fault.source} line {fault.line}')}(?: column \d+)?")
        shown = f" (row {row} in a spreadsheet)"
        fault.error.message = place.sub(lambda found: found[0] + shown, fault.error.message, count=1)
    return fault


def missing_label(place: Place, name: str, raw: str) -> Fault:
    """A document without a label."""
    return Fault(place.source, place.number, 0, error("row-label-missing", name=name, place=place), raw)


def missing_text(place: Place, name: str) -> Fault:
    """A document without a text."""
    return Fault(place.source, place.number, 0, error("row-text-missing", name=name, place=place), "")


# ---- how long a document may be ----------------------------------------------------------------------------------


def checked_limit(value: object) -> int:
    """The limit in bytes, from a number or a text with a unit.

    >>> checked_limit(1000), checked_limit("64MB")
    (1000, 67108864)
    """
    written = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    size = int(written[1]) * _UNITS.get((written[2] or "").upper(), 1) if written else whole_number(value)
    if size is None or not 1 <= size <= LARGEST:
        raise error("max-document-range", most=_size_in_words(LARGEST), got=value)
    return size


def _size_in_words(size: int) -> str:
    unit = next((unit for unit, length in _UNITS.items() if size >= length and size % length == 0), None)
    return f"{size // _UNITS[unit]} {unit}" if unit else f"{size:,} byte{'s' * (size != 1)}"


def too_long(where: str, limit: int, *, row: bool = False, skip: bool = True) -> LikelierError:
    """The error for a document beyond the limit."""
    code = "row-too-long" if row else "document-too-long" if skip else "document-too-long.alone"
    return error(code, where=where, limit=_size_in_words(limit))


# ---- rows that are broken ----------------------------------------------------------------------------------------


def broken_row(
    source: str, found: tuple[int, int, str, str, str], *, encoding: str = "cp1252", unit: str = "line"
) -> Fault:
    """A fault that the kernel found, in words; `encoding` is a guess for bytes that are not UTF-8."""
    line, character, kind, detail, raw = found
    where = line_of(source, line, character, unit=unit)
    if kind == "record-too-long":
        return Fault(source, line, character, too_long(where, int(detail), row=True), raw)
    limit = _size_in_words(int(detail)) if kind == "quote-unclosed" and detail.isdecimal() else ""
    code = "row-quote-unclosed.long" if limit else _BROKEN[kind]
    return Fault(source, line, character, error(code, got=detail, where=where, encoding=encoding, limit=limit), raw)


_BROKEN = {
    "fields": "row-fields",
    "quote-unclosed": "row-quote-unclosed",
    "quote-text": "row-quote-text",
    "utf8": "row-encoding",
    "json": "row-json",
    "json-object": "row-json-object",
    "json-nested": "row-json-nested",
}


# ---- values that cannot be used ----------------------------------------------------------------------------------


def unusable_value(problem: Problem, place: Place) -> Fault:
    """A value that cannot be used, as a fault of its row."""
    where = f" in column {problem.column!r} of {place}"
    code = _not_a_number(problem.value) if problem.code == "number-expected" else problem.code
    failure = error(code, got=problem.value, where=where, column=problem.column, most=LARGEST_NUMBER)
    failure.hint += "; such rows can be skipped: on_error='skip'" if place.source else ""
    return Fault(place.source, place.number, 0, failure, str(problem.value)[:1000])


def _not_a_number(value: object) -> str:
    number = _as_number(value)
    if number is not None and math.isinf(number):
        return "number-infinite"
    if number is not None and abs(number) > LARGEST_NUMBER:
        return "number-too-large"
    if number is not None:
        return "number-expected.point"  # its column has decimal commas
    comma = isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value.strip())
    return "number-expected.comma" if comma else "number-expected"


def _as_number(value: object) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None

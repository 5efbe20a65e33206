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
from likelier._base.errors import InputError, SettingError

MAX_DOCUMENT = 64 << 20  # bytes
LARGEST = 2 << 30  # the kernel has 32 bits for the length of a text
LARGEST_NUMBER = 1e150  # the square of what is larger leaves the range of floating-point numbers
_UNITS = {"GB": 1 << 30, "MB": 1 << 20, "KB": 1 << 10}
_SIZE = re.compile(rf"([0-9]{{1,15}})\s*({'|'.join(_UNITS)})?", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+|[+-]?\d{1,3}([,.' ])\d{3}(?:\1\d{3})*(?:[.,]\d+)?")
_SKIP = "skip such rows: on_error='skip'"
_OTHER_QUOTES = f"double a quote that belongs to the text, read quotes as ordinary characters with quote='', or {_SKIP}"


class Fault(NamedTuple):
    """One row that cannot be used; line and character count from 1, and are 0 where there is none."""

    source: str
    line: int
    character: int
    error: InputError
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
    expected: str
    value: object


def line_of(source: str, line: int, character: int = 0) -> str:
    """A line of a source in words.

    >>> line_of("mails.csv", 17, 4), line_of("mails.csv", 17)
    ('mails.csv line 17 column 4', 'mails.csv line 17')
    """
    return f"{source}{f' line {line}' if line else ''}{f' column {character}' if character else ''}"


def read_once(source: str) -> InputError:
    """The error for a source that would have to be read again."""
    return InputError(
        code="read-once",
        message=f"{source} can be read only once, and here it would have to be read again",
        hint="write it to a file first",
    )


def missing_label(place: Place, name: str, raw: str) -> Fault:
    """A document without a label."""
    error = InputError(
        code="row-label-missing",
        message=f"every document needs a label, but column {name!r} is empty in {place}",
        hint=f"fill it in, or {_SKIP}",
    )
    return Fault(place.source, place.number, 0, error, raw)


def missing_text(place: Place, name: str) -> Fault:
    """A document without a text."""
    error = InputError(
        code="row-text-missing",
        message=f"every document needs a text, but {name!r} is missing in {place}",
        hint="an empty text is written \"\"; rows without any can be skipped: on_error='skip'",
    )
    return Fault(place.source, place.number, 0, error, "")


# ---- how long a document may be ----------------------------------------------------------------------------------


def checked_limit(value: object) -> int:
    """The limit in bytes, from a number or a text with a unit.

    >>> checked_limit(1000), checked_limit("64MB")
    (1000, 67108864)
    """
    written = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    size = int(written[1]) * _UNITS.get((written[2] or "").upper(), 1) if written else whole_number(value)
    if size is None or not 1 <= size <= LARGEST:
        raise SettingError(
            code="max-document-range",
            message=f"`max_document` must be a size from 1 byte to {_size_in_words(LARGEST)}, got {value!r}",
            hint="a number of bytes, or a number with a unit: max_document='256MB'",
        )
    return size


def _size_in_words(size: int) -> str:
    unit = next((unit for unit, length in _UNITS.items() if size >= length and size % length == 0), None)
    return f"{size // _UNITS[unit]} {unit}" if unit else f"{size:,} byte{'s' * (size != 1)}"


def too_long(where: str, limit: int, *, row: bool = False, skip: bool = True) -> InputError:
    """The error for a document beyond the limit."""
    unit = "row" if row else "document"
    hint = "allow more if it is meant to be that long: max_document='1GB'"
    return InputError(
        code="row-too-long" if row else "document-too-long",
        message=f"a {unit} may have {_size_in_words(limit)} at most, got more in {where}",
        hint=f"{hint}; or skip such {unit}s: on_error='skip'" if skip else hint,
    )


# ---- rows that are broken ----------------------------------------------------------------------------------------


def broken_row(source: str, found: tuple[int, int, str, str, str], *, encoding: str = "cp1252") -> Fault:
    """A fault that the kernel found, in words; `encoding` is a guess for bytes that are not UTF-8."""
    line, character, kind, detail, raw = found
    return Fault(source, line, character, _BROKEN[kind](detail, line_of(source, line, character), encoding), raw)


def _unclosed_quote(detail: str, where: str) -> InputError:
    limit = _size_in_words(int(detail)) if detail.isdecimal() else ""
    return InputError(
        code="row-quote-unclosed",
        message=f"a quote must be closed, but the one opened in {where} is not"
        + (f" within {limit}, the most that a row may have" if limit else ""),
        hint=("allow more if the row is meant to be that long: max_document='1GB'; or else " if limit else "")
        + _OTHER_QUOTES,
    )


# By kind of fault: the error by detail, place and a guess at the encoding.
_BROKEN: dict[str, Callable[[str, str, str], InputError]] = {
    "fields": lambda detail, where, _: InputError(
        code="row-fields",
        message=f"every row must have as many fields as the first, got {detail} in {where}",
        hint=f"put a text that contains the delimiter into quotes, name the right one with `delimiter`, or {_SKIP}",
    ),
    "quote-unclosed": lambda detail, where, _: _unclosed_quote(detail, where),
    "quote-text": lambda detail, where, _: InputError(
        code="row-quote-text",
        message=f"after a closing quote comes the next field or the end of the line, got {detail!r} in {where}",
        hint=_OTHER_QUOTES,
    ),
    "utf8": lambda detail, where, encoding: InputError(
        code="row-encoding",
        message=f"the file must be UTF-8 unless told otherwise, got {detail} in {where}",
        hint=f"name the encoding, perhaps encoding={encoding!r}, or {_SKIP}",
    ),
    "json": lambda detail, where, _: InputError(
        code="row-json",
        message=f"every line must be one JSON object, but this one does not parse: {detail} in {where}",
        hint="write one object a line, with json.dumps(row); skip such rows with on_error='skip'",
    ),
    "json-object": lambda detail, where, _: InputError(
        code="row-json-object",
        message=f"every line must be one JSON object, got {detail} in {where}",
        hint='a line looks like {"label": "spam", "text": "..."}; skip such rows with on_error=\'skip\'',
    ),
    "json-nested": lambda detail, where, _: InputError(
        code="row-json-nested",
        message=f"every column holds single values, got a list or an object for {detail} in {where}",
        hint="name another column with `text` or `label`, or flatten the rows first",
    ),
    "record-too-long": lambda detail, where, _: too_long(where, int(detail), row=True),
}


# ---- values that cannot be used ----------------------------------------------------------------------------------


def unusable_value(problem: Problem, place: Place) -> Fault:
    """A value that cannot be used, as a fault of its row."""
    error = _UNUSABLE[problem.expected](problem, f"in column {problem.column!r} of {place}")
    error.hint += "; such rows can be skipped: on_error='skip'" if place.source else ""
    return Fault(place.source, place.number, 0, error, str(problem.value)[:1000])


def _number_error(problem: Problem, where: str) -> InputError:
    value, number = problem.value, _as_number(problem.value)
    if number is not None and math.isinf(number):
        return InputError(
            code="number-infinite",
            message=f"a number must be finite, got {value!r:.60} {where}",
            hint="leave the value empty where there is none",
        )
    if number is not None and abs(number) > LARGEST_NUMBER:
        return InputError(
            code="number-too-large",
            message=f"a number must be between -{LARGEST_NUMBER:g} and {LARGEST_NUMBER:g}, got {value!r:.60} {where}",
            hint="measure it in a larger unit",
        )
    comma = isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value.strip())
    point = "write numbers with a decimal point and nothing between thousands, as in 1234.5; " if comma else ""
    return InputError(
        code="number-expected",
        message=f"a numeric column holds numbers, got {value!r:.60} {where}",
        hint=f"{point}a column of categories is categorical; say what stands for a missing value: missing_values=[...]",
    )


def _as_number(value: object) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None


_UNUSABLE: dict[str, Callable[[Problem, str], InputError]] = {
    "text": lambda problem, where: InputError(
        code="text-kind",
        message=f"a text must be a `str`, got {type(problem.value).__name__} {problem.value!r:.60} {where}",
        hint="write it as text, or give the column another kind: categorical or numeric",
    ),
    "value": lambda problem, where: InputError(
        code="value-kind",
        message="a categorical value is one text, number or boolean,"
        f" got {type(problem.value).__name__} {problem.value!r:.60} {where}",
        hint="make a column for each of its parts, or write it as text",
    ),
    "truth": lambda problem, where: InputError(
        code="truth-expected",
        message=f"a binary column holds yes or no (true or false, 1 or 0), got {problem.value!r:.60} {where}",
        hint=f"with more than two values it is categorical={problem.column!r};"
        " say what stands for a missing value: missing_values=[...]",
    ),
    "number": _number_error,
}

"""Rows that cannot be used: what is wrong, the rule, and where. A fault stops the reading or is noted and skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from likelier._base.errors import InputError
from likelier._read.limits import size_in_words, too_long


class Fault(NamedTuple):
    """One row that cannot be used; line and column count from 1, and are 0 where there is none."""

    source: str
    line: int
    column: int
    error: InputError
    raw: str


def place(source: str, line: int, column: int) -> str:
    """Where something stands.

    >>> place("mails.csv", 17, 4), place("mails.csv", 17, 0)
    ('mails.csv line 17 column 4', 'mails.csv line 17')
    """
    return f"{source}{f' line {line}' if line else ''}{f' column {column}' if column else ''}"


def fault(source: str, line: int, column: int, kind: str, detail: str, raw: str, *, encoding: str = "cp1252") -> Fault:
    """A fault that the kernel found, in words; `encoding` is what the bytes may be in."""
    where = place(source, line, column)
    error = _encoding(detail, where, encoding) if kind == "utf8" else _ERRORS[kind](detail, where)
    return Fault(source, line, column, error, raw)


def read_once(source: str) -> InputError:
    """The error for a source that would have to be read again."""
    return InputError(
        code="read-once",
        message=f"{source} can be read only once, and here it would have to be read again",
        hint="write it to a file first",
    )


def missing_label(source: str, line: int, name: str, raw: str = "", *, unit: str = "line") -> Fault:
    """A document without a label."""
    error = InputError(
        code="row-label-missing",
        message=f"every document needs a label, but column {name!r} is empty in {_row(source, unit, line)}",
        hint="fill it in, or skip such rows: on_error='skip'",
    )
    return Fault(source, line, 0, error, raw)


def missing_text(source: str, line: int, name: str, raw: str = "", *, unit: str = "line") -> Fault:
    """A document without a text."""
    error = InputError(
        code="row-text-missing",
        message=f"every document needs a text, but {name!r} is missing in {_row(source, unit, line)}",
        hint="an empty text is written \"\"; rows without any can be skipped: on_error='skip'",
    )
    return Fault(source, line, 0, error, raw)


def _row(source: str, unit: str, line: int) -> str:
    return f"{source} {unit} {line}".strip()


def _fields(detail: str, where: str) -> InputError:
    return InputError(
        code="row-fields",
        message=f"every row must have as many fields as the first, got {detail} in {where}",
        hint="put a text that contains the delimiter into quotes, name the right one with `delimiter`,"
        " or skip such rows: on_error='skip'",
    )


def _quote_unclosed(detail: str, where: str) -> InputError:
    limit = size_in_words(int(detail)) if detail.isdecimal() else ""
    within = f" within {limit}, the most that a row may have" if limit else ""
    return InputError(
        code="row-quote-unclosed",
        message=f"a quote must be closed, but the one opened in {where} is not{within}",
        hint=("allow more if the row is meant to be that long: max_document='1GB'; or else " if limit else "")
        + "double a quote that belongs to the text, read quotes as ordinary characters with quote='',"
        " or skip such rows: on_error='skip'",
    )


def _quote_text(detail: str, where: str) -> InputError:
    return InputError(
        code="row-quote-text",
        message=f"after a closing quote comes the next field or the end of the line, got {detail!r} in {where}",
        hint="double a quote that belongs to the text, read quotes as ordinary characters with quote='',"
        " or skip such rows: on_error='skip'",
    )


def _encoding(detail: str, where: str, guess: str) -> InputError:
    return InputError(
        code="row-encoding",
        message=f"the file must be UTF-8 unless told otherwise, got {detail} in {where}",
        hint=f"name the encoding, perhaps encoding={guess!r}, or skip such rows: on_error='skip'",
    )


def _json(detail: str, where: str) -> InputError:
    return InputError(
        code="row-json",
        message=f"every line must be one JSON object, but this one does not parse: {detail} in {where}",
        hint="write one object a line, with json.dumps(row); skip such rows with on_error='skip'",
    )


def _json_object(detail: str, where: str) -> InputError:
    return InputError(
        code="row-json-object",
        message=f"every line must be one JSON object, got {detail} in {where}",
        hint='a line looks like {"label": "spam", "text": "..."}; skip such rows with on_error=\'skip\'',
    )


def _json_nested(detail: str, where: str) -> InputError:
    return InputError(
        code="row-json-nested",
        message=f"every column holds single values, got a list or an object for {detail} in {where}",
        hint="name another column with `text` or `label`, or flatten the rows first",
    )


def _too_long(detail: str, where: str) -> InputError:
    return too_long(where, int(detail), row=True)


_ERRORS: dict[str, Callable[[str, str], InputError]] = {
    "fields": _fields,
    "quote-unclosed": _quote_unclosed,
    "quote-text": _quote_text,
    "json": _json,
    "json-object": _json_object,
    "json-nested": _json_nested,
    "record-too-long": _too_long,
}

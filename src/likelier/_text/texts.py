"""Texts from the caller, checked before anything is done with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likelier._base.checks import has_entries
from likelier._base.errors import LikelierError, error
from likelier._kernel import Column, all_str

Texts = list[str] | Column

_WRONG: dict[type, str] = {
    bytes: "text-kind.bytes",
    type(None): "text-kind.missing",
    list: "text-kind.several",
    tuple: "text-kind.several",
}


def checked_texts(texts: Iterable[object]) -> Texts:
    """The texts as a list of `str`, or as a column where they are Arrow data; none may be missing."""
    column = column_of(texts)
    if isinstance(texts, str | bytes) or (column is None and not has_entries(texts)):
        raise error("texts-not-a-list", texts=texts)
    if column is not None and column.kind == "text" and not len(column.missing()):
        return column
    # A list is copied, because another thread may change it before it is read.
    listed: list[Any] = list(texts) if column is None else column.to_list()
    if all_str(listed):
        return listed
    return [checked_text(text, f" as document {row}") for row, text in enumerate(listed)]


def column_of(values: Any) -> Column | None:
    """Arrow data of any library as a column, without copying; None for what is not Arrow data."""
    if isinstance(values, Column):
        return values
    if not (hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")):
        return None
    try:
        column = Column.from_arrow(values)
    except (ImportError, TypeError):  # pandas without PyArrow, or with objects that are no Arrow data
        return None
    except ValueError as failure:
        raise error("column-kind.table", reason=failure) from None
    return column if column.kind in ("text", "int", "bool", "null") else None


def text_at(texts: Texts, row: int) -> str:
    """One of the texts."""
    if isinstance(texts, list):
        return texts[row]
    (text,) = texts.keep(np.array([row], dtype=np.uint32)).to_list()
    assert isinstance(text, str)
    return text


def listed_texts(texts: Texts) -> list[str]:
    """The texts as a list."""
    return texts if isinstance(texts, list) else texts.to_list()  # type: ignore[return-value]


def checked_text(text: object, where: str = "") -> str:
    """The text, if it is one.

    >>> checked_text("надо купить молоко")
    'надо купить молоко'
    """
    if isinstance(text, str):
        return str(text)
    raise error(_WRONG.get(type(text), "text-kind"), got=text, where=where)


def surrogate_error(texts: Sequence[str]) -> LikelierError:
    """The error for the first text that is not valid Unicode."""
    for row, text in enumerate(texts):
        try:
            text.encode()
        except UnicodeEncodeError as failure:
            return error("text-surrogate", got=text[failure.start], start=failure.start, row=row)
    raise AssertionError("called only when a text could not be encoded")

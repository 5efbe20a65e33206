"""Texts as they come in, checked before anything is done with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likelier._base.checks import has_entries
from likelier._base.errors import InputError
from likelier._kernel import Column, all_str

Texts = list[str] | Column

_HINTS: dict[type, str] = {
    bytes: "decode it first: data.decode('utf-8')",
    type(None): "an empty document is the text ''; a missing one is no document",
    list: "for many texts there is classify_many(texts)",
    tuple: "for many texts there is classify_many(texts)",
}


def checked_texts(texts: Iterable[object]) -> Texts:
    """The texts as a list of `str`, or as a column where they are Arrow data; none may be missing."""
    column = column_of(texts)
    if isinstance(texts, str | bytes) or (column is None and not has_entries(texts)):
        raise InputError(
            code="texts-not-a-list",
            message=f"`texts` must be several texts, got one {type(texts).__name__}",
            hint="put it into a list: [text]",
        )
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
    except ValueError as error:
        raise InputError(
            code="column-kind", message=f"one column is needed here, and {error}", hint="give the column: frame['text']"
        ) from None
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
    hint = _HINTS.get(type(text), "leave it out or write it as text")
    raise InputError(
        code="text-kind",
        message=f"a text must be a `str`, got {type(text).__name__} {text!r:.60}{where}",
        hint=hint,
    )


def surrogate_error(texts: Sequence[str]) -> InputError:
    """The error for the first text that is not valid Unicode."""
    for row, text in enumerate(texts):
        try:
            text.encode()
        except UnicodeEncodeError as error:
            return InputError(
                code="text-surrogate",
                message=f"a text must be valid Unicode, got the lone surrogate {text[error.start]!r}"
                f" at character {error.start} of document {row}",
                hint="it comes from text that was decoded wrongly; decode the source again,"
                " or replace it: text.encode('utf-8', 'replace').decode()",
            )
    raise AssertionError("called only when a text could not be encoded")

"""Texts as they come in, checked before anything is done with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from likelier.errors import InputError

_HINTS: dict[type, str] = {
    bytes: "decode it first: data.decode('utf-8')",
    type(None): "an empty document is the text ''; a missing one is no document",
    list: "for many texts there is classify_many(texts)",
    tuple: "for many texts there is classify_many(texts)",
}


def checked_texts(texts: Iterable[object]) -> list[str]:
    """The texts as a list; each must be a `str`."""
    if isinstance(texts, str | bytes):
        raise InputError(
            code="texts-not-a-list",
            message=f"`texts` must be several texts, got one {type(texts).__name__}",
            hint="put it into a list: [text]",
        )
    listed: list[object] = texts if type(texts) is list else list(texts)
    if set(map(type, listed)) <= {str}:
        return listed  # type: ignore[return-value]
    return [checked_text(text, f" as document {row}") for row, text in enumerate(listed)]


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

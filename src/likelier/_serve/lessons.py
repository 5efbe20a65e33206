"""A lesson: one line of the log. It says all that its replay needs, so that no line depends on another one.

    kind      learn, forget, relabel, undo, view, load; nothing: a request with a key that changed nothing
    document  a text or an object of columns, as JSON; None where the lesson has none, or where it was erased
    learned   the label under which the document is learned, as JSON
    forgot    the label under which it is forgotten, as JSON
    put, took fingerprints of the document with each of these labels and its weight
    settings  of a change of view: all settings after it, as JSON
    refers    of an undo: the position of the lesson that it undoes
    digest    that of the model after the lesson

To learn is to put a document in, to forget is to take one out, to relabel is both, and to undo is the same the other
way round.

The digest names the documents of a model. It is a sum, so that what is taught and then undone leaves it as it was:

    digest = base + sum of SHA-256(put) - sum of SHA-256(took)   modulo 2^256

with base the SHA-256 of the counts of the model file that the log began with.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple, cast

import msgspec

from likelier._documents.labels import Label
from likelier._model.view import Document

KINDS = ("learn", "forget", "relabel", "undo", "view", "load", "nothing")
SIZE = 32  # bytes of a digest
EXACT = 1 << 53  # below it every integer is a float too
_MODULUS = 1 << (8 * SIZE)

encoded = msgspec.json.Encoder().encode
decoded = msgspec.json.decode


class Lesson(NamedTuple):
    """One line of the log, in the order of its columns."""

    position: int
    kind: str
    at: int  # microseconds since 1970, UTC; never less than that of the lesson before
    name: str  # who taught it
    document: str | None = None
    weight: float = 1
    learned: str | None = None
    forgot: str | None = None
    put: bytes | None = None
    took: bytes | None = None
    settings: str | None = None
    refers: int | None = None
    digest: bytes = b""
    ticket: str = ""  # the same for all lessons of one request
    key: str | None = None  # the Idempotency-Key of that request
    request: bytes | None = None  # SHA-256 of that request, where it had a key
    answer: bytes | None = None  # what was answered to it, likewise


NOTHING = Lesson(0, "nothing", 0, "")


def dumped(value: Any) -> str:
    """A document or label as the log holds it."""
    return encoded(value).decode()


def loaded_document(lesson: Lesson) -> Document:
    """The document of a lesson that has one."""
    assert lesson.document is not None
    return cast(Document, decoded(lesson.document))


def loaded_label(stored: str) -> Label:
    """The label that `dumped` gave."""
    return cast(Label, decoded(stored))


def weight_of(stored: float) -> float:
    """A whole weight as an integer, which is what is learned quickly."""
    return int(stored) if isinstance(stored, float) and stored.is_integer() and abs(stored) < EXACT else stored


def moved(digest: bytes, put: Iterable[bytes | None], took: Iterable[bytes | None]) -> bytes:
    """The digest after documents were put in and taken out.

    >>> start = bytes(32)
    >>> moved(moved(start, [b"one"], []), [], [b"one"]) == start
    True
    """
    total = int.from_bytes(digest) + _sum(put) - _sum(took)
    return (total % _MODULUS).to_bytes(SIZE)


def _sum(prints: Iterable[bytes | None]) -> int:
    return sum(map(int.from_bytes, [sha256(each).digest() for each in prints if each is not None]))

"""A span: lessons in a row, as replay reads them. All that they come to is learned and forgotten in one step.

A list for each column in place of an object for each lesson: replay takes microseconds for a lesson, and an object
would be a good part of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from likelier._model.exchange import Labeled
from likelier._serve.lessons import Lesson, decoded, weight_of


@dataclass(frozen=True)
class Span:
    """Lessons in a row, column by column; see `Lesson`."""

    position: list[int]
    kind: list[str]
    document: list[str | None]
    weight: list[float]
    learned: list[str | None]
    forgot: list[str | None]
    put: list[bytes | None]
    took: list[bytes | None]
    settings: list[str | None]
    digest: list[bytes]
    ticket: list[str]

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[Any]]) -> Self:
        """Rows with these columns, in this order."""
        return cls(*([row[place] for row in rows] for place in range(len(COLUMNS))))

    @classmethod
    def of(cls, lessons: Sequence[Lesson]) -> Self:
        """These lessons."""
        return cls(*([getattr(each, name) for each in lessons] for name in COLUMNS))

    def __len__(self) -> int:
        return len(self.position)

    @property
    def documents(self) -> float:
        """How many were learned or forgotten, by their weights."""
        return taught(zip(self.put, self.took, self.weight, strict=True))

    def part(self, begin: int, end: int | None = None) -> Span:
        """Some of them, by their places in the lists."""
        return Span(*(column[begin:end] for column in vars(self).values()))


def taught(found: Iterable[tuple[bytes | None, bytes | None, float]]) -> float:
    """How many documents were learned or forgotten, by their weights, in lessons with these `put`, `took`, `weight`."""
    return weight_of(float(sum(weight for put, took, weight in found if put is not None or took is not None)))


COLUMNS = tuple(each.name for each in fields(Span))


def balance(span: Span) -> tuple[Counter[bytes], Counter[bytes]]:
    """How many times each fingerprint comes in, and goes out; one that does both cancels out.

    >>> first, second = Lesson(1, "learn", 0, "", put=b"one"), Lesson(2, "relabel", 0, "", put=b"two", took=b"one")
    >>> balance(Span.of([first, first, second]))
    (Counter({b'one': 1, b'two': 1}), Counter())
    """
    times = Counter([mark for mark in span.put if mark is not None])
    times.subtract(Counter([mark for mark in span.took if mark is not None]))
    return +times, -times


def documents(span: Span, into: Counter[bytes], out: Counter[bytes]) -> tuple[list[Labeled], list[Labeled]]:
    """The documents that come in and those that go out, by their fingerprints as `balance` gives them.

    Documents are the same if their fingerprints are, however their columns are ordered or their numbers written; the
    first one is taken. All are decoded, also those that cancel out: one that cannot be was damaged on the disk.
    """
    found: list[Any] = [None if each is None else decoded(each) for each in span.document]
    labels = {each: decoded(each or "null") for each in {*span.learned, *span.forgot}}

    def labeled(marks: Sequence[bytes | None], spelled: Sequence[str | None], wanted: Counter[bytes]) -> list[Labeled]:
        first = {marks[place]: place for place in reversed(range(len(marks)))}
        places = [first[mark] for mark in wanted.elements()]
        return [Labeled(found[place], labels[spelled[place]], weight_of(span.weight[place])) for place in places]

    return labeled(span.put, span.learned, into), labeled(span.took, span.forgot, out)


def net(lessons: Iterable[Lesson]) -> tuple[list[Labeled], list[Labeled]]:
    """What several lessons in a row come to: the documents to learn, and those to forget.

    In a model with a ledger, a document that was forgotten was there before, or was learned among these; so what
    remains can be forgotten.
    """
    span = Span.of([each for each in lessons if each.document is not None])
    return documents(span, *balance(span))

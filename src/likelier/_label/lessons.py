"""A lesson: one thing taught while labeling. It says all that is needed to follow it, to repeat it and to take it back.

    answer    a place gets a label, or another one
    skip      a place is not to be asked again
    word      a word is learned as a small document of its own; or, with the weight before it, taken back
    bulk      many places get the labels of their verdicts
    undo      the lesson `undoes`, the other way round

A lesson also holds the queue as it was before, so that undoing it brings back the very same questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple

from likelier._base.errors import error
from likelier._documents.labels import Label

Kind = Literal["answer", "skip", "word", "bulk", "undo"]
How = Literal["random", "chosen", "found", "bulk", "skipped"]


class Queued(NamedTuple):
    """A place that will be asked, and why: drawn at random, or chosen because its label is unsure."""

    place: int
    how: How


class Mark(NamedTuple):
    """What is known of a place: its label and how it came to be asked; or that it was skipped.

    apart  whether what is asked next must not depend on this label, because the accuracy is taken over it
    """

    label: Label | None
    how: How
    apart: bool = False


@dataclass(frozen=True)
class Lesson:
    """One thing taught.

    number  counts all lessons, those that undo others too
    places  the places that it changes
    after   what is known of each place after it; None: nothing
    before  the same before it
    word, label, weight  of a taught word; weight_before: what it counted before
    queue, draws         the queue before the lesson, and how many places had been drawn for it
    undoes  the number of the lesson that it takes back
    """

    number: int
    kind: Kind
    places: tuple[int, ...] = ()
    after: tuple[Mark | None, ...] = ()
    before: tuple[Mark | None, ...] = ()
    word: str | None = None
    label: Label | None = None
    weight: float = 0
    weight_before: float = 0
    queue: tuple[Queued, ...] = ()
    draws: int = 0
    undoes: int | None = None

    @property
    def labels(self) -> tuple[Label | None, ...]:
        """The label of each place after it."""
        return tuple(None if mark is None else mark.label for mark in self.after)

    @property
    def labels_before(self) -> tuple[Label | None, ...]:
        """The label of each place before it."""
        return tuple(None if mark is None else mark.label for mark in self.before)

    @property
    def how(self) -> How | None:
        """How the first place came to be asked."""
        first = next(iter(self.after), None)
        return None if first is None else first.how

    def inverse(self, number: int) -> Lesson:
        """The lesson that takes it back.

        >>> lesson = Lesson(0, "answer", (7,), (Mark("spam", "found"),), (None,))
        >>> undo = lesson.inverse(1)
        >>> undo.kind, undo.places, undo.labels, undo.labels_before, undo.undoes
        ('undo', (7,), (None,), ('spam',), 0)
        """
        return replace(
            self,
            number=number,
            kind="undo",
            after=self.before,
            before=self.after,
            weight=self.weight_before,
            weight_before=self.weight,
            undoes=self.number,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {name: _plain(value) for name, value in asdict(self).items() if value not in ((), None)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Lesson:
        """The lesson of `to_dict`.

        >>> lesson = Lesson(3, "answer", (7,), (Mark("spam", "found"),), (None,), queue=(Queued(7, "random"),))
        >>> Lesson.from_dict(lesson.to_dict()) == lesson
        True
        """
        try:
            marks = {name: tuple(_mark(each) for each in stored.get(name, ())) for name in ("after", "before")}
            queue = tuple(Queued(*each) for each in stored.get("queue", ()))
            return cls(**{**stored, **marks, "places": tuple(stored.get("places", ())), "queue": queue})
        except (TypeError, AttributeError):
            raise error("stored-lesson", got=stored) from None


def _plain(value: Any) -> Any:
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _mark(stored: Any) -> Mark | None:
    return None if stored is None else Mark(*stored)

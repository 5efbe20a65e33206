"""The model as it is served now, and where it stands in the log.

Reading is never blocked by learning. There is one model, which every thread may ask at any time. A lesson is written to the
log first, by a thread of its own, and nobody waits for that; then it is added to the counts, which takes microseconds, and
for so long the gate of the model keeps answers and changes apart (see `_base/threads`). Position and digest change inside
the same gate, so that an answer and the position it names belong together. A new model file becomes a new `Live`: whoever
has begun with the old one ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from likelier._base.errors import error
from likelier._counts.by_column import settle
from likelier._model.exchange import Exchange
from likelier._model.models import Model
from likelier._serve.lessons import Lesson, decoded, moved, net
from likelier._settings.values import Settings


class Live:
    """A model at a position of the log."""

    def __init__(self, model: Model, position: int, digest: bytes) -> None:
        settle(model.counts)
        _ = model.ledger  # made ready from the file now, not for the first lesson
        self.model = model
        self.position = position
        self.digest = digest
        self.hex = digest.hex()

    @contextmanager
    def reading(self) -> Iterator[tuple[int, str]]:
        """Position and digest, which stay while the block runs."""
        with self.model.gate.reading:
            yield self.position, self.hex

    def move(self, lesson: Lesson) -> None:
        """Stands after this lesson; to be called inside the gate."""
        self.position, self.digest = lesson.position, lesson.digest
        self.hex = lesson.digest.hex()

    def replay(self, lessons: Sequence[Lesson], name: str) -> None:
        """Follows the log, many lessons at a time; the counts are the same as one by one.

        name: of the log, for messages.
        """
        if not lessons:
            return
        for each in lessons:
            if each.document is None and (each.put or each.took):
                raise error("log-erased", name=name, position=each.position)
        reached = moved(self.digest, (each.put for each in lessons), (each.took for each in lessons))
        if reached != lessons[-1].digest:
            raise error("log-corrupt", name=name, reason=f"the digest of lesson {lessons[-1].position} is another one")
        exchange = Exchange(self.model, *net(lessons))
        changed = [each.settings for each in lessons if each.settings is not None]
        with self.model.gate.writing:
            exchange.make()
            if changed:
                self.model.use_settings(settings_from(changed[-1]))
            self.move(lessons[-1])


def settings_from(stored: str) -> Settings:
    """The settings of a lesson."""
    return Settings.from_dict(decoded(stored))

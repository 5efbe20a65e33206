"""The model as it is served now, and its position in the log.

Reading is never blocked by learning. There is one model, which every thread may ask at any time. A lesson is written to
the log first, by a thread of its own, and nobody waits for that; then it is added to the counts, which takes
microseconds, and for so long the gate of the model keeps answers and changes apart (see `_base/threads`). Position and
digest change inside the same gate, so that an answer and the position it names belong together. A new model file
becomes a new `Live`: whoever has begun with the old one ends with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from likelier._base.errors import LikelierError, error
from likelier._counts.by_column import settle
from likelier._model.exchange import Exchange
from likelier._model.models import Model
from likelier._model.view import View
from likelier._serve.lessons import decoded, moved
from likelier._serve.spans import Span, balance, documents
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

    def move(self, position: int, digest: bytes, documents: float) -> None:
        """Stands after this lesson; to be called inside the gate.

        documents: how many were learned or forgotten on the way, by their weights.
        """
        self.position, self.digest = position, digest
        self.hex = digest.hex()
        self.model._fall_behind(documents)

    def use(self, settings: Settings) -> None:
        """Answers by these settings; to be called inside the gate. They were checked when the lesson was drafted."""
        self.model.settings = settings

    def rehearse(self, exchange: Exchange) -> None:
        """Changes the model, unless it could not answer any more; to be called inside the gate.

        Settings can name labels: a threshold for one that is forgotten, a prior without the one that is new.
        """
        labels = self.model.labels
        exchange.make()
        if self.model.labels != labels:
            try:
                View(self.model.counts, self.model.schema, self.model.settings)
            except LikelierError as failure:
                exchange.take_back()
                raise error("lesson-unfit", message=failure.message, hint=failure.hint) from failure

    def replay(self, span: Span, name: str) -> None:
        """Follows the log, many lessons at a time; the counts are the same as one by one.

        name: of the log, for messages.
        """
        if not span:
            return
        _check_complete(span, self.position + 1, name)
        into, out = balance(span)
        if moved(self.digest, into.elements(), out.elements()) != span.digest[-1]:
            raise error("log-corrupt", name=name, reason=f"the digest of lesson {span.position[-1]} is another one")
        if not self._is_replayed(span, into, out):
            for place, position in enumerate(span.position):
                one = span.part(place, place + 1)
                if not self._is_replayed(one, *balance(one)):
                    raise error("log-corrupt", name=name, reason=f"lesson {position} does not fit the model")

    def _is_replayed(self, span: Span, into: Counter[bytes], out: Counter[bytes]) -> bool:
        """Replays lessons in one step, or does nothing if that is not the same as one by one.

        Without a ledger, a text can be forgotten that is part of several others: only after them. And where labels are
        cleaned, their spelling can depend on what was forgotten before.
        """
        changed = [each for each in span.settings if each is not None]
        try:
            settings = settings_from(changed[-1]) if changed else None
            exchange = Exchange(self.model, *documents(span, into, out))
            if exchange.fingerprints() not in (None, (into, out)):
                return False  # a text was damaged on the disk
            with self.model.gate.writing:
                exchange.make()
                if settings is not None:
                    self.use(settings)
                self.move(span.position[-1], span.digest[-1], span.documents)
        except (LikelierError, msgspec.DecodeError):
            return False
        return True


def _check_complete(span: Span, first: int, name: str) -> None:
    """Whether every lesson from the first position on is there, with its document."""
    for position, document, put, took in zip(span.position, span.document, span.put, span.took, strict=True):
        if document is None and (put or took):
            raise error("log-erased", name=name, position=position)
    for place, position in enumerate(span.position, first):
        if position != place:
            raise error("log-corrupt", name=name, reason=f"lesson {place} is missing")


def settings_from(stored: str) -> Settings:
    """The settings of a lesson."""
    return Settings.from_dict(decoded(stored))

"""What caused a verdict: the lessons without which it would fall, found by forgetting them and asking again.

Every lesson is forgotten once, in a copy of the model. Those that support the verdict most are then left out one after
the other, each time the one whose loss hurts most, until the verdict is another one. That set is small, and exact: the
verdict does fall without it. It need not be the smallest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from likelier._documents.labels import Label
from likelier._label.lessons import Lesson
from likelier._model.exchange import Exchange, Labeled
from likelier._model.models import Model

LOOKED_AT = 40  # lessons that are tried again after the first


@dataclass(frozen=True)
class Cause:
    """A lesson, and by how much the log odds of the verdict fall without it and those before it."""

    lesson: Lesson
    log_odds: float


@dataclass(frozen=True)
class Causes:
    """Why a verdict is what it is.

    label    the verdict
    lessons  those without which it would fall, the most important first
    falls    whether the verdict is another one without all of them
    instead  that other verdict
    """

    label: Label | None
    lessons: tuple[Cause, ...]
    falls: bool
    instead: Label | None = None


Held = tuple[Lesson, list[Labeled]]  # a lesson, and the documents that the model holds because of it


def causes(model: Model, text: str, lessons: Sequence[Held], k: int) -> Causes:
    """The lessons that caused the verdict on a text; at most k. The model is used up."""
    search = _Search(model, text)
    found: list[Cause] = []
    left = [held for effect, held in search.effects(lessons) if effect > 0][:LOOKED_AT]
    while left and len(found) < k and search.label() == search.verdict:
        (effect, held), *_ = search.effects(left)
        if effect <= 0:
            break
        search.without(held)
        left = [each for each in left if each is not held]
        found.append(Cause(held[0], effect))
    now = search.label()
    return Causes(search.verdict, tuple(found), now != search.verdict, now if now != search.verdict else None)


class _Search:
    """A copy of the model from which lessons are taken."""

    def __init__(self, model: Model, text: str) -> None:
        self._model, self._text = model, text
        self.verdict = self.label()

    def label(self) -> Label | None:
        """The verdict as it is now."""
        return self._model.classify(self._text).label if self._model.labels else None

    def _odds(self) -> float:
        """By how much the verdict is ahead of the next label, or behind the best."""
        if self.verdict is None or self.verdict not in self._model.labels:
            return -math.inf
        scores = self._model.classify(self._text).log_scores
        others = [score for label, score in scores.items() if label != self.verdict]
        return scores[self.verdict] - max(others, default=-math.inf)

    def without(self, held: Held) -> None:
        """Takes a lesson out."""
        Exchange(self._model, forgotten=held[1]).make()

    def effects(self, lessons: Sequence[Held]) -> list[tuple[float, Held]]:
        """By how much the log odds fall without each, the most first."""
        found, odds = [], self._odds()
        for held in lessons:
            exchange = Exchange(self._model, forgotten=held[1])
            exchange.make()
            without = self._odds()
            found.append((math.inf if without == -math.inf else odds - without, held))
            exchange.take_back()
        return sorted(found, key=lambda each: (-each[0], each[1][0].number))

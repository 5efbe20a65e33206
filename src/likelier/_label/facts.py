"""What is known of a labeling: places, lessons, progress; and how good the model is by now."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import TypeVar

from likelier._base.checks import checked_integer, checked_k
from likelier._base.errors import LikelierError, error
from likelier._base.numbers import is_number
from likelier._documents.labels import Label
from likelier._evaluate.evaluation import Evaluation, Mistake
from likelier._label import judging
from likelier._label.causes import Causes, causes
from likelier._label.judging import Accuracy, Contradiction, Suspicious
from likelier._label.lessons import Lesson, Mark
from likelier._label.pool import Pool
from likelier._label.state import Changed, State
from likelier._model.column_view import TopTerm
from likelier._model.models import Model
from likelier._model.view import View

Found = TypeVar("Found")
TRIES, PAUSE = 5, 0.05  # seconds


@dataclass(frozen=True)
class Progress:
    """How far the labeling is.

    pool      all texts
    labeled   those with a label; by_label: how many have each
    skipped   those that nobody wants to label
    random    the size of the random sample, which the accuracy is taken over
    """

    pool: int
    labeled: int
    skipped: int
    random: int
    by_label: dict[Label, int]


class Facts:
    """A pool, a model and the state, and everything that follows from them."""

    def __init__(self, pool: Pool, model: Model, state: State) -> None:
        self.model = model
        self._pool, self._state, self._lock = pool, state, RLock()
        self._accuracy: dict[bool, tuple[object, Accuracy]] = {}  # the last one, and the last one of sure verdicts

    @property
    def texts(self) -> Sequence[str]:
        """The pool; a text's place is its index."""
        return self._pool.texts

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, in the order in which they were first mentioned."""
        return tuple(self._state.labels)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons in force, in order; those that were undone are not among them."""
        return tuple(self._state.lessons)

    @property
    def words(self) -> dict[tuple[str, Label], float]:
        """The taught words with their labels, and what each counts."""
        with self._lock:
            return dict(self._state.words)

    @property
    def labeled(self) -> dict[int, Label]:
        """The labeled places."""
        with self._lock:
            return self._state.labeled

    @property
    def random(self) -> dict[int, Label]:
        """The labeled places that the accuracy is taken over: asked at random, and without influence on the others."""
        with self._lock:
            labeled = self._state.labeled
            return {place: labeled[place] for place in self._state.random}

    def mark(self, place: int) -> Mark | None:
        """What is known of a place: its label, and how it was picked; None if nothing."""
        return self._state.marks.get(self._checked_place(place))

    def view(self) -> View:
        """The view that all verdicts here are by."""
        return self.model.view()

    def progress(self) -> Progress:
        """How far the labeling is."""
        with self._lock:
            by_label = Counter(self._state.labeled.values())
            skipped = sum(mark.how == "skipped" for mark in self._state.marks.values())
            named = {label: by_label[label] for label in self._state.labels}
            return Progress(len(self._pool), by_label.total(), skipped, len(self._state.random), named)

    @property
    def changed(self) -> Changed | None:
        """How many verdicts of the pool the last lesson flipped; None as long as nothing can be compared."""
        with self._lock:
            return self._state.changed

    def search(self, text: str) -> list[int]:
        """The places whose texts contain this, in upper or lower case."""
        with self._lock:
            return self._pool.search(text)

    def _checked_place(self, place: object) -> int:
        found = checked_integer("place-range", place, 0, texts=f"{len(self._pool):,}")
        if found >= len(self._pool):
            raise error("place-range", got=place, texts=f"{len(self._pool):,}")
        return found

    # ---- judging -------------------------------------------------------------------------------------------------

    def accuracy(self, *, at_least: float = 0.0) -> Accuracy:
        """How often the model is right on new texts, by exact leave-one-out over the random sample.

        at_least: only of verdicts that are at least this probable, calibrated as `accept` takes them.
        """
        at_least = checked_threshold(at_least)
        with self._lock:
            key = self._state.number, self.model.settings, at_least
        found = self._accuracy.get(at_least > 0)
        if found is None or found[0] != key:
            found = key, self._steady(lambda _: judging.accuracy(self.view(), self._pool, self.random, at_least))
            self._accuracy[at_least > 0] = found
        return found[1]

    def evaluation(self, *, random: bool = False) -> Evaluation:
        """Leave-one-out over all labeled places, or over the random sample: confusion, calibration and more.

        The rows of the evaluation are the places of `labeled` or of `random`, in order.
        """
        return self._steady(
            lambda labeled: judging.evaluation(self.view(), self._pool, self.random if random else labeled)
        )

    def mistakes(self, k: int = 10) -> list[tuple[int, Mistake]]:
        """The most confident mistakes among the labeled places, each with its place."""

        def told(labeled: Mapping[int, Label]) -> list[tuple[int, Mistake]]:
            places, found = list(labeled), judging.evaluation(self.view(), self._pool, labeled)
            return [(places[each.row], each) for each in found.mistakes(k)]

        return self._steady(told) if self.labeled else []

    def suspicious(self, k: int = 10) -> list[Suspicious]:
        """The labels that leave-one-out contradicts most: likely errors."""
        k = checked_k(k)
        return self._steady(lambda labeled: judging.suspicious(self.view(), self._pool, labeled, k))

    def _steady(self, work: Callable[[Mapping[int, Label]], Found]) -> Found:
        """What follows from the labeled places; again, if the model has changed before the state followed."""
        for _ in range(TRIES - 1):
            try:
                return work(self.labeled)
            except LikelierError as failure:
                if failure.code != "left-out-not-learnt":
                    raise
                time.sleep(PAUSE)
        return work(self.labeled)

    def contradictions(self) -> list[Contradiction]:
        """Places with the same words and different labels."""
        return judging.contradictions(self._pool, self.labeled)

    def is_enough(self) -> str | None:
        """Why it is time to stop; None if it is not."""
        with self._lock:
            numbers = [lesson.number for lesson in self._state.lessons[-judging.RECENT :]]
            recent = [self._state.flips[number] for number in numbers if number in self._state.flips]
            left = int(self._state.free.sum())
        return judging.enough(self.accuracy(), recent, left)

    def telling_words(self, label: Label, k: int = 10) -> list[TopTerm]:
        """The words that best distinguish a label from the others; none as long as there is only one label."""
        return self.view().top_terms(label, k) if len(self.model.labels) > 1 and label in self.model.labels else []

    def causes(self, document: int | str, k: int = 5) -> Causes:
        """The lessons without which the verdict on a text would fall, at most k.

        document: a place, or a text.
        """
        text = document if isinstance(document, str) else self._pool.texts[self._checked_place(document)]
        with self._lock:
            held, model = self._state.held(), self.model.copy()
        return causes(model, text, held, checked_k(k))


def checked_threshold(threshold: float) -> float:
    """A probability, which verdicts are to have at least."""
    if not is_number(threshold) or not 0 <= threshold <= 1:
        raise error("accept-range", got=threshold)
    return float(threshold)

"""The state of a labeling: which places have which label, and the queue. Only lessons and refills change it.

Nothing here touches a model. Who changes the model elsewhere only has to follow its lessons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import error
from likelier._documents.labels import Label
from likelier._label import queue as asking
from likelier._label.lessons import Lesson, Mark, Queued
from likelier._label.pool import Places, Pool
from likelier._label.queue import Judged
from likelier._model.exchange import Labeled

RECENT = 10  # answers to which the next question should not be the same
STORED_FLIPS = 50  # lessons
FEWEST_APART = 10  # documents
NO_LABEL, NOT_JUDGED = -1, -2
Booleans = NDArray[np.bool_]


class Changed(NamedTuple):
    """How many verdicts of the pool a lesson flipped, of those that were compared."""

    flipped: int
    of: int


class State:
    """What is known of each place, the lessons in force, and the queue."""

    def __init__(self, pool: Pool, labels: Iterable[Label]) -> None:
        self.pool = pool
        self.labels: list[Label] = list(dict.fromkeys(labels))
        self.marks: dict[int, Mark] = {}
        self.words: dict[tuple[str, Label], float] = {}
        self.lessons: list[Lesson] = []
        self.queue: list[Queued] = []
        self.draws = 0
        self.number = 0  # of the next lesson
        self.flips: dict[int, Changed] = {}  # by the number of the lesson
        self._compared = -1  # the number of the next lesson, when verdicts were last compared
        self._verdicts: NDArray[np.intp] = np.zeros(0, dtype=np.intp)  # (places,) places among the labels

    # ---- lessons -------------------------------------------------------------------------------------------------

    def follow(self, lesson: Lesson) -> None:
        """Notes what a lesson has changed."""
        self.number = max(self.number, lesson.number + 1)
        for place, mark in zip(lesson.places, lesson.after, strict=True):
            if mark is None:
                self.marks.pop(place, None)
            else:
                self.marks[place] = mark
                self.name(mark.label)
        if lesson.word is not None:
            self._follow_word(lesson)
        if lesson.kind == "undo":
            self._take_back(lesson)
        elif lesson.places or lesson.word is not None:
            self.lessons.append(lesson)
        self.queue = [each for each in self.queue if each.place not in self.marks]

    def _follow_word(self, lesson: Lesson) -> None:
        assert lesson.word is not None
        assert lesson.label is not None
        key = lesson.word, lesson.label
        self.name(lesson.label)
        if lesson.weight:
            self.words[key] = lesson.weight
        else:
            self.words.pop(key, None)

    def _take_back(self, undo: Lesson) -> None:
        """Removes a lesson; if it is the last one, the queue is as it was before."""
        if self.lessons and self.lessons[-1].number == undo.undoes:
            self.queue, self.draws = list(undo.queue), undo.draws
        self.lessons = [each for each in self.lessons if each.number != undo.undoes]

    def held(self) -> list[tuple[Lesson, list[Labeled]]]:
        """Each lesson with the documents that the model holds because of it: those that no later one has changed."""
        last: dict[object, tuple[Lesson, Labeled]] = {}
        for lesson in self.lessons:
            for place in lesson.places:
                mark = self.marks.get(place)
                if mark is not None and mark.label is not None:
                    last[place] = lesson, Labeled(self.pool.texts[place], mark.label)
            if lesson.word is not None and lesson.label is not None and (lesson.word, lesson.label) in self.words:
                key = lesson.word, lesson.label
                last[key] = lesson, Labeled(*key, self.words[key])
        found: dict[int, tuple[Lesson, list[Labeled]]] = {}
        for lesson, document in last.values():
            found.setdefault(lesson.number, (lesson, []))[1].append(document)
        return [found[number] for number in sorted(found)]

    def name(self, label: Label | None) -> bool:
        """Adds a label to the list; whether it is new."""
        if label is None or label in self.labels:
            return False
        self.labels.append(label)
        return True

    # ---- places --------------------------------------------------------------------------------------------------

    @property
    def free(self) -> Booleans:  # (places,)
        """The places without a label that were not skipped."""
        free = np.ones(len(self.pool), dtype=bool)
        free[[*self.marks]] = False
        return free

    @property
    def labeled(self) -> dict[int, Label]:
        """The labeled places, in order."""
        return {place: mark.label for place, mark in sorted(self.marks.items()) if mark.label is not None}

    @property
    def random(self) -> list[int]:
        """The labeled places that the accuracy is taken over: those whose labels have no influence on the questions.

        Until there are ten of them, all places that were asked at random.
        """
        asked = [place for place in self.labeled if self.marks[place].how == "random"]
        apart = [place for place in asked if self.marks[place].apart]
        return apart if len(apart) >= FEWEST_APART else asked

    @property
    def apart(self) -> dict[int, Label]:
        """The labeled places that have no influence on what is asked."""
        return {place: label for place, label in self.labeled.items() if self.marks[place].apart}

    # ---- the queue -----------------------------------------------------------------------------------------------

    @property
    def is_beginning(self) -> bool:
        """Whether it is too early to choose what is asked."""
        times = Counter(mark.label for mark in self.marks.values() if mark.how != "bulk")
        return asking.is_beginning([times[label] for label in self.labels])

    def refill(self, judged: Judged | None, ahead: int) -> None:
        """Draws places until the queue is this long, or no place is left."""
        candidates = np.zeros(0, dtype=np.intp)
        if judged is not None and not self.is_beginning:
            candidates = judged.least_certain(self.pool.chances)
        free = self.free
        free[[each.place for each in self.queue]] = False
        while len(self.queue) < ahead:
            drawn = self._draw(free, candidates)
            if drawn is None:
                return
            free[drawn.place] = False
            self.queue.append(drawn)
            self.draws += 1

    def _draw(self, free: Booleans, candidates: Places) -> Queued | None:
        if not asking.is_random(self.draws):
            recent = [each.place for each in self.queue] + self._recent()
            chosen = asking.unlike(candidates, free, self.pool, recent)
            if chosen is not None:
                return Queued(chosen, "chosen")
        place = asking.at_random(free, self.pool.chances)
        return None if place is None else Queued(place, "random")

    def _recent(self) -> list[int]:
        return [lesson.places[0] for lesson in self.lessons[-RECENT:] if lesson.kind in ("answer", "skip")]

    # ---- verdicts ------------------------------------------------------------------------------------------------

    def compare(self, judged: Judged) -> None:
        """Counts the verdicts that the last lesson flipped, once."""
        last = self.number - 1
        if self._compared == self.number:
            return
        self._compared = self.number
        for label in judged.labels:
            self.name(label)
        places_of = {label: place for place, label in enumerate(self.labels)}
        names = np.array([*(places_of[label] for label in judged.labels), NO_LABEL])  # -1 is the last
        verdicts = np.full(len(self.pool), NOT_JUDGED)
        verdicts[judged.places] = names[judged.columns]
        before, self._verdicts = self._verdicts, verdicts
        if (before != NOT_JUDGED).any():
            both = (before != NOT_JUDGED) & (verdicts[: len(before)] != NOT_JUDGED)
            flipped = int((both & (before != verdicts[: len(before)])).sum())
            self.flips[last] = Changed(flipped, int(both.sum()))

    @property
    def changed(self) -> Changed | None:
        """What the last lesson changed, or the last undo."""
        return self.flips.get(self.number - 1)

    # ---- stored --------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: what does not follow from the lessons."""
        recent = [*(lesson.number for lesson in self.lessons[-STORED_FLIPS:]), self.number - 1]
        return {
            "labels": list(self.labels),
            "queue": [list(each) for each in self.queue],
            "draws": self.draws,
            "number": self.number,
            "flips": {str(number): list(self.flips[number]) for number in recent if number in self.flips},
        }

    def restore(self, stored: Mapping[str, Any], lessons: Iterable[Lesson]) -> None:
        """Goes back to what it was, and follows the lessons since then.

        lessons: all, in order; undone ones and those that undo them too, or without.
        """
        try:
            labels, queue = list(stored["labels"]), [Queued(*each) for each in stored["queue"]]
            flips = {int(number): Changed(*map(int, pair)) for number, pair in stored["flips"].items()}
            draws, number = int(stored["draws"]), int(stored["number"])
        except (KeyError, TypeError, ValueError, AttributeError):
            raise error("stored-labeling", got=stored) from None
        fresh, every = State(self.pool, labels), list(lessons)
        for lesson in every:
            if lesson.number < number:
                fresh.follow(lesson)
        fresh.queue = [each for each in queue if each.place not in fresh.marks]
        fresh.draws, fresh.number, fresh.flips = draws, number, flips
        for lesson in every:
            if lesson.number >= number:
                fresh.follow(lesson)
        vars(self).update(vars(fresh))

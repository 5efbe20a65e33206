"""Lessons that are not taught yet: who changes the model elsewhere takes them, changes it, and follows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from likelier._base.errors import error
from likelier._documents.labels import Label, checked_label, checked_labels
from likelier._label import judging
from likelier._label.facts import Facts, checked_threshold
from likelier._label.lessons import How, Lesson, Mark
from likelier._label.words import chosen_weight
from likelier._model.exchange import Labeled
from likelier._model.models import Model


class Drafts(Facts):
    """Makes lessons; nothing changes by them."""

    def draft_answer(self, place: int, label: Label) -> Lesson:
        """The lesson of `answer`, with nothing changed."""
        with self._lock:
            place, label = self._checked_place(place), checked_against(label, self._state.labels)
            before = self._state.marks.get(place)
            queued = {each.place: each.how for each in self._state.queue}
            if before is None:
                how = queued.get(place, "found")
                after = Mark(label, how, how == "random" and not self._state.is_beginning)
            else:
                after = Mark(label, _by_person(before.how), before.apart)
            return self._draft(kind="answer", places=(place,), after=(after,), before=(before,))

    def draft_skip(self, place: int) -> Lesson:
        """The lesson of `skip`, with nothing changed."""
        with self._lock:
            place = self._checked_place(place)
            before = self._state.marks.get(place)
            return self._draft(kind="skip", places=(place,), after=(Mark(None, "skipped"),), before=(before,))

    def draft_accept(self, threshold: float) -> Lesson:
        """The lesson of `accept`, with nothing changed."""
        threshold = checked_threshold(threshold)
        rule = self._steady(lambda _: judging.calibration(self.view(), self._pool, self.random))
        with self._lock:
            free = self._state.free.nonzero()[0]
            if not len(free) or len(self.model.labels) < 2:
                return self._draft(kind="bulk")
            view = self.model.view(calibration=rule)
            verdicts = view.classify_many(self._pool.batch(view).keep(free))
            sure = (verdicts.probability >= threshold) & (verdicts.columns >= 0)
            places = tuple(free[sure].tolist())
            names = verdicts.all_labels
            after = tuple(Mark(names[column], "bulk") for column in verdicts.columns[sure])
            return self._draft(kind="bulk", places=places, after=after, before=(None,) * len(places))

    def draft_word(self, word: str, label: Label, *, weight: float | None = None) -> Lesson:
        """The lesson of `teach`, with nothing changed; with the weight 0 that of `untaught`."""
        with self._lock:
            label, word = checked_against(label, self._state.labels), _checked_word(word, self.model)
            before = self._state.words.get((word, label), 0)
            if weight == 0 and not before:
                raise error("word-not-taught", word=word, label=label)
            if weight is None:
                without = self._without_word(word, label, before)
                weight = chosen_weight(without, self._pool, self._by_hand(), word, label)
            return self._draft(kind="word", word=word, label=label, weight=weight, weight_before=before)

    def _by_hand(self) -> dict[int, Label]:
        """The places that people labeled; what was accepted in bulk would only confirm the model."""
        return {place: label for place, label in self._state.labeled.items() if self._state.marks[place].how != "bulk"}

    def _without_word(self, word: str, label: Label, weight: float) -> Model:
        """The model without a word that is to be taught again."""
        if not weight:
            return self.model
        model = self.model.copy()
        model.forget(word, label, weight=weight)
        return model

    def draft_undo(self, number: int | None = None) -> Lesson | None:
        """The lesson of `undo`, with nothing changed; None if there is nothing to undo.

        number: of another lesson than the last. Places that later lessons have changed stay as they are.
        """
        with self._lock:
            found = [each for each in self._state.lessons if number is None or each.number == number]
            return self._in_force(found[-1]).inverse(self._state.number) if found else None

    def _in_force(self, lesson: Lesson) -> Lesson:
        """What no later lesson has changed of it."""
        rows = [row for row, place in enumerate(lesson.places) if self._state.marks.get(place) == lesson.after[row]]
        places, after, before = (
            tuple(values[row] for row in rows) for values in (lesson.places, lesson.after, lesson.before)
        )
        word = lesson.word
        if word is not None and lesson.label is not None:
            word = word if self._state.words.get((word, lesson.label), 0) == lesson.weight else None
        return replace(lesson, places=places, after=after, before=before, word=word)  # type: ignore[arg-type]

    def _draft(self, **fields: Any) -> Lesson:
        state = self._state
        return Lesson(number=state.number, queue=tuple(state.queue), draws=state.draws, **fields)

    def documents(self, lesson: Lesson) -> tuple[list[Labeled], list[Labeled]]:
        """The documents that the model learns by a lesson, and those that it forgets."""
        return self._documents(lesson, apart=True)

    def _documents(self, lesson: Lesson, *, apart: bool) -> tuple[list[Labeled], list[Labeled]]:
        """apart: with those that are kept apart."""
        after, before = (self._labeled(lesson.places, marks, apart) for marks in (lesson.after, lesson.before))
        learned = [new for new, old in zip(after, before, strict=True) if new is not None and new != old]
        forgotten = [old for new, old in zip(after, before, strict=True) if old is not None and new != old]
        if lesson.word is not None and lesson.label is not None:
            learned += [Labeled(lesson.word, lesson.label, lesson.weight)] * bool(lesson.weight)
            forgotten += [Labeled(lesson.word, lesson.label, lesson.weight_before)] * bool(lesson.weight_before)
        return learned, forgotten

    def _labeled(self, places: Sequence[int], marks: Sequence[Mark | None], apart: bool) -> list[Labeled | None]:
        return [
            None
            if mark is None or mark.label is None or (mark.apart and not apart)
            else Labeled(self._pool.texts[place], mark.label)
            for place, mark in zip(places, marks, strict=True)
        ]


def checked_against(label: Label, known: Sequence[Label]) -> Label:
    """The label, if it is one and of the kind of the others."""
    return checked_labels([checked_label(label)], known)[0]


def _by_person(how: How) -> How:
    """What a person labels is not accepted in bulk any more, nor skipped."""
    return "found" if how in ("bulk", "skipped") else how


def _checked_word(word: object, model: Model) -> str:
    if not isinstance(word, str) or (model.schema.is_plain and not model.analyzer.terms(word)):
        raise error("word-empty", got=word)
    return " ".join(word.split())

"""Labeling: what is asked, what the answers teach, and how good the model is by now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from likelier._base.checks import checked_integer, checked_seed
from likelier._documents.labels import Label, checked_labels
from likelier._label import starting
from likelier._label.drafts import Drafts, checked_against
from likelier._label.lessons import How, Lesson
from likelier._label.pool import Places, Pool
from likelier._label.queue import AHEAD, Judged, joined
from likelier._label.state import State
from likelier._model.exchange import Exchange, Labeled
from likelier._model.models import Model
from likelier._model.view import View

TRIES = 3  # to refill the queue while others change the state
STEP = 2000  # texts that are judged at a time: the counts cannot change meanwhile, so a lesson waits


class Asked(NamedTuple):
    """A text to label, and how it was picked: "random", or "chosen" because its label is unsure."""

    place: int
    text: str
    how: How


class Labeling(Drafts):
    """Labels a pool of texts with as few answers as possible; the model learns from each at once.

    Labelings are thread-safe. `follow` and `refill` are for programs that change the model themselves.

    >>> texts = ["cheap watches", "lunch at noon", "cheap pills", "lunch today"]
    >>> labeling = Labeling(texts, labels=("ham", "spam"))
    >>> (asked,) = labeling.next()
    >>> asked.how
    'random'
    >>> lesson = labeling.answer(0, "spam")
    >>> lesson = labeling.answer(1, "ham")
    >>> labeling.model.classify("cheap lunch watches").label
    'spam'
    >>> labeling.undo().labels_before
    ('ham',)
    >>> labeling.model.labels
    ('spam',)
    """

    def __init__(
        self,
        texts: Iterable[str],
        labels: Iterable[Label] = (),
        *,
        seed: int = 0,
        model: Model | None = None,
        refills_later: bool = False,
    ) -> None:
        """A labeling of texts, of which none has a label yet.

        labels: the labels to begin with; answers may bring others.
        seed: what the random order of the texts depends on.
        model: a model to go on with; a new one if not given, with settings that suit most texts.
        refills_later: answers leave the queue as it is, and `refill` is called elsewhere.
        """
        pool = Pool(checked_seed(seed))
        pool.add(texts)
        named = [*checked_labels(labels, () if model is None else model.labels), *(model.labels if model else ())]
        self._is_new = model is None
        model = starting.new_model(pool.texts, len(set(named))) if model is None else model
        super().__init__(pool, model, State(pool, named))
        self.refills_later = refills_later
        self._chooser = self.model.copy()  # all but what is kept apart; it decides what is asked
        self.refill()

    # ---- asking --------------------------------------------------------------------------------------------------

    def add_label(self, label: Label) -> None:
        """One more label."""
        with self._lock:
            if self._state.name(checked_against(label, self._state.labels)):
                self._suit()

    def add_texts(self, texts: Iterable[str]) -> None:
        """More texts, at the end of the pool; the order of the others stays as it is."""
        with self._lock:
            self._pool.add(texts)
        self._refill_now()

    def next(self, count: int = 1) -> list[Asked]:
        """The next texts to label; the same ones until they are answered or skipped."""
        count = checked_integer("k-range", count, 0, name="count")
        if count > len(self._state.queue) and not self.refills_later:
            self.refill(ahead=count)
        with self._lock:
            return [Asked(place, self._pool.texts[place], how) for place, how in self._state.queue[:count]]

    def refill(self, *, ahead: int = AHEAD) -> None:
        """Judges the pool by the model as it is now, and fills up the queue, whose first places stay as they are."""
        for left in reversed(range(TRIES)):
            with self._lock:
                number, places = self._state.number, self._pool.looked_at(self._state.free)
            judged, by_chooser = (self._judged(model, places) for model in (self.model, self._chooser))
            with self._lock:
                if left and number != self._state.number:
                    continue  # others have taught something meanwhile
                if judged is not None:
                    self._state.compare(judged)
                self._state.refill(by_chooser, ahead)
                return

    def _judged(self, model: Model, places: Places) -> Judged | None:
        """The verdicts on these places; those of two steps may have a lesson between them."""
        steps = (places[start : start + STEP] for start in range(0, len(places), STEP))
        return joined([self._judged_at_once(model, step) for step in steps])

    def _judged_at_once(self, model: Model, places: Places) -> Judged | None:
        if len(model.labels) < 2:
            return None
        view = self.view() if model is self.model else View(model.counts, model.schema, self.model.settings)
        return Judged.of(places, view.classify_many(self._pool.batch(view).keep(places)), self._pool.sizes[places])

    def _refill_now(self) -> None:
        if not self.refills_later:
            self.refill()

    # ---- teaching ------------------------------------------------------------------------------------------------

    def answer(self, place: int, label: Label) -> Lesson:
        """Labels a place, or relabels it; the model learns it at once."""
        with self._lock:
            return self._taught(self.draft_answer(place, label))

    def skip(self, place: int) -> Lesson:
        """Does not ask for this place again. If it has a label, the model forgets it."""
        with self._lock:
            return self._taught(self.draft_skip(place))

    def accept(self, threshold: float) -> Lesson:
        """Labels all places whose verdict is at least this probable, in one lesson. If there are none, it is empty.

        With 20 random answers or more, probabilities are calibrated by leave-one-out over them.
        """
        with self._lock:
            return self._taught(self.draft_accept(threshold))

    def teach(self, word: str, label: Label, *, weight: float | None = None) -> Lesson:
        """Teaches that a word speaks for a label.

        weight: how much it counts; chosen by leave-one-out over the labeled places if not given.
        """
        with self._lock:
            return self._taught(self.draft_word(word, label, weight=weight))

    def untaught(self, word: str, label: Label) -> Lesson:
        """Takes a taught word back."""
        with self._lock:
            return self._taught(self.draft_word(word, label, weight=0))

    def undo(self) -> Lesson | None:
        """Takes the last lesson back, exactly; None if there is none."""
        with self._lock:
            lesson = self.draft_undo()
            return None if lesson is None else self._taught(lesson)

    def _taught(self, lesson: Lesson) -> Lesson:
        learned, forgotten = self.documents(lesson)
        if _change(self.model, learned, forgotten):
            what = "relabel" if learned and forgotten else "learn" if learned else "forget"
            self.model.note(what, documents=sum(each.weight for each in learned or forgotten))
        self.follow(lesson)
        return lesson

    def follow(self, lesson: Lesson) -> None:
        """Notes a lesson by which the model has been changed already, see `documents`.

        Must not be called inside the gate of the model.
        """
        with self._lock:
            before = len(self._state.labels)
            _change(self._chooser, *self._documents(lesson, apart=False))
            self._state.follow(lesson)
            if len(self._state.labels) > before:
                self._suit()
        self._refill_now()

    def _suit(self) -> None:
        """A new model has the settings for the number of labels."""
        settings = starting.suited(self.model.settings, len(self._state.labels))
        if self._is_new and settings != self.model.settings:
            self.model.use_settings(settings)

    # ---- stored --------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What `restore` needs besides the lessons, as plain JSON values: labels, queue and counters."""
        with self._lock:
            return self._state.to_dict()

    def restore(self, state: Mapping[str, Any], lessons: Iterable[Lesson] = ()) -> None:
        """Goes back to a state, and follows the lessons since then; the model must have learned all of them already.

        lessons: all, those before the state too.
        """
        with self._lock:
            self._state.restore(state, lessons)
            self._suit()
            self._chooser = self.model.copy()
            apart = [Labeled(self._pool.texts[place], label) for place, label in self._state.apart.items()]
            _change(self._chooser, [], apart)
        self._refill_now()

    def __repr__(self) -> str:
        progress = self.progress()
        return f"<Labeling: {progress.labeled} of {progress.pool} texts, {len(self.labels)} labels>"


def _change(model: Model, learned: Sequence[Labeled], forgotten: Sequence[Labeled]) -> bool:
    """Changes the model in one step; whether there is something to change."""
    if learned or forgotten:
        Exchange(model, learned, forgotten).make()
    return bool(learned or forgotten)

"""Labeling: what is asked, what the answers teach, and how good the model is by now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Any, NamedTuple

from likelier._base.checks import checked_integer, checked_k, checked_seed
from likelier._base.errors import error
from likelier._base.numbers import is_number
from likelier._documents.labels import Label, checked_label, checked_labels
from likelier._evaluate.evaluation import Evaluation, Mistake
from likelier._label import judging, starting
from likelier._label.causes import Causes, causes
from likelier._label.judging import Accuracy, Contradiction, Suspicious
from likelier._label.lessons import How, Lesson, Mark
from likelier._label.pool import Pool
from likelier._label.queue import AHEAD, Judged
from likelier._label.state import Changed, State
from likelier._label.words import chosen_weight
from likelier._model.column_view import TopTerm
from likelier._model.exchange import Exchange, Labeled
from likelier._model.models import Model
from likelier._model.view import View

TRIES = 3  # to refill the queue while others change the state


class Asked(NamedTuple):
    """A text to label, and how it was picked: "random", or "chosen" because its label is unsure."""

    place: int
    text: str
    how: How


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


class Labeling:
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
        self.model = starting.new_model(pool.texts, len(set(named))) if model is None else model
        self.refills_later = refills_later
        self._pool, self._state, self._lock = pool, State(pool, named), RLock()
        self._accuracy: tuple[object, Accuracy] | None = None
        self.refill()

    # ---- what is there -------------------------------------------------------------------------------------------

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
        """The labeled places that are a random sample of the pool; the accuracy is taken over them."""
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

    def add_label(self, label: Label) -> None:
        """One more label."""
        with self._lock:
            if self._state.name(_checked(label, self._state.labels)):
                self._suit()

    def add_texts(self, texts: Iterable[str]) -> None:
        """More texts, at the end of the pool; the order of the others stays as it is."""
        with self._lock:
            self._pool.add(texts)
        self._refill_now()

    def search(self, text: str) -> list[int]:
        """The places whose texts contain this, in upper or lower case."""
        with self._lock:
            return self._pool.search(text)

    # ---- asking --------------------------------------------------------------------------------------------------

    def next(self, count: int = 1) -> list[Asked]:
        """The next texts to label; the same ones until they are answered or skipped."""
        count = checked_integer("k-range", count, 0, name="count")
        if count > len(self._state.queue) and not self.refills_later:
            self.refill(ahead=count)
        with self._lock:
            return [Asked(place, self._pool.texts[place], how) for place, how in self._state.queue[:count]]

    def refill(self, *, ahead: int = AHEAD) -> None:
        """Judges the pool by the model as it is now, and fills up the queue. What is in it stays as it is."""
        for left in reversed(range(TRIES)):
            with self._lock:
                number, free = self._state.number, self._state.free
            judged = self._judged(free)
            with self._lock:
                if left and number != self._state.number:
                    continue  # others have taught something meanwhile
                if judged is not None:
                    self._state.compare(judged)
                self._state.refill(judged, ahead)
                return

    def _judged(self, free: Any) -> Judged | None:
        places = self._pool.looked_at(free)
        if len(self.model.labels) < 2 or not len(places):
            return None
        view = self.view()
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
        """Labels all places whose verdict is at least this probable, in one lesson. If there are none, it is empty."""
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
        if learned or forgotten:
            Exchange(self.model, learned, forgotten).make()
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
            self._state.follow(lesson)
            if len(self._state.labels) > before:
                self._suit()
        self._refill_now()

    def documents(self, lesson: Lesson) -> tuple[list[Labeled], list[Labeled]]:
        """The documents that the model learns by a lesson, and those that it forgets."""
        texts, moved = self._pool.texts, zip(lesson.places, lesson.labels, lesson.labels_before, strict=True)
        changes = [(texts[place], after, before) for place, after, before in moved if after != before]
        learned = [Labeled(text, after) for text, after, _ in changes if after is not None]
        forgotten = [Labeled(text, before) for text, _, before in changes if before is not None]
        if lesson.word is not None and lesson.label is not None:
            learned += [Labeled(lesson.word, lesson.label, lesson.weight)] * bool(lesson.weight)
            forgotten += [Labeled(lesson.word, lesson.label, lesson.weight_before)] * bool(lesson.weight_before)
        return learned, forgotten

    def _suit(self) -> None:
        """A new model has the settings for the number of labels."""
        settings = starting.suited(self.model.settings, len(self._state.labels))
        if self._is_new and settings != self.model.settings:
            self.model.use_settings(settings)

    # ---- lessons that are not taught yet -------------------------------------------------------------------------

    def draft_answer(self, place: int, label: Label) -> Lesson:
        """The lesson of `answer`, with nothing changed."""
        with self._lock:
            place, label = self._checked_place(place), _checked(label, self._state.labels)
            before = self._state.marks.get(place)
            queued = {each.place: each.how for each in self._state.queue}
            how = queued.get(place, "found") if before is None or before.label is None else before.how
            return self._draft(kind="answer", places=(place,), after=(Mark(label, _by_hand(how)),), before=(before,))

    def draft_skip(self, place: int) -> Lesson:
        """The lesson of `skip`, with nothing changed."""
        with self._lock:
            place = self._checked_place(place)
            before = self._state.marks.get(place)
            return self._draft(kind="skip", places=(place,), after=(Mark(None, "skipped"),), before=(before,))

    def draft_accept(self, threshold: float) -> Lesson:
        """The lesson of `accept`, with nothing changed."""
        if not is_number(threshold) or not 0 <= threshold <= 1:
            raise error("accept-range", got=threshold)
        with self._lock:
            free = self._state.free.nonzero()[0]
            if not len(free) or len(self.model.labels) < 2:
                return self._draft(kind="bulk")
            view = self.view()
            verdicts = view.classify_many(self._pool.batch(view).keep(free))
            sure = (verdicts.probability >= threshold) & (verdicts.columns >= 0)
            places = tuple(free[sure].tolist())
            names = verdicts.all_labels
            after = tuple(Mark(names[column], "bulk") for column in verdicts.columns[sure])
            return self._draft(kind="bulk", places=places, after=after, before=(None,) * len(places))

    def draft_word(self, word: str, label: Label, *, weight: float | None = None) -> Lesson:
        """The lesson of `teach`, with nothing changed; with the weight 0 that of `untaught`."""
        with self._lock:
            label, word = _checked(label, self._state.labels), _checked_word(word, self.model)
            before = self._state.words.get((word, label), 0)
            if weight == 0 and not before:
                raise error("word-not-taught", word=word, label=label)
            if weight is None:
                without = self._without_word(word, label, before)
                weight = chosen_weight(without, self._pool, self._state.labeled, word, label)
            return self._draft(kind="word", word=word, label=label, weight=weight, weight_before=before)

    def _without_word(self, word: str, label: Label, weight: float) -> Model:
        """The model without a word that is to be taught again."""
        if not weight:
            return self.model
        model = self.model.copy()
        model.forget(word, label, weight=weight)
        return model

    def draft_undo(self, number: int | None = None) -> Lesson | None:
        """The lesson of `undo`, with nothing changed; of another lesson than the last one by its number."""
        with self._lock:
            found = [each for each in self._state.lessons if number is None or each.number == number]
            return found[-1].inverse(self._state.number) if found else None

    def _draft(self, **fields: Any) -> Lesson:
        state = self._state
        return Lesson(number=state.number, queue=tuple(state.queue), draws=state.draws, **fields)

    def _checked_place(self, place: object) -> int:
        found = checked_integer("place-range", place, 0, texts=f"{len(self._pool):,}")
        if found >= len(self._pool):
            raise error("place-range", got=place, texts=f"{len(self._pool):,}")
        return found

    # ---- judging -------------------------------------------------------------------------------------------------

    def accuracy(self) -> Accuracy:
        """How often the model is right on new texts, by exact leave-one-out over the random sample."""
        with self._lock:
            key, sample = (self._state.number, self.model.settings), self.random
        if self._accuracy is None or self._accuracy[0] != key:
            self._accuracy = key, judging.accuracy(self.view(), self._pool, sample)
        return self._accuracy[1]

    def evaluation(self, *, random: bool = False) -> Evaluation:
        """Leave-one-out over all labeled places in order, or over the random sample; confusion, calibration and more.

        The rows of the evaluation are the places of `labeled` or of `random`, in order.
        """
        return judging.evaluation(self.view(), self._pool, self.random if random else self.labeled)

    def mistakes(self, k: int = 10) -> list[tuple[int, Mistake]]:
        """The most confident mistakes among the labeled places, each with its place."""
        labeled = self.labeled
        if not labeled:
            return []
        places = list(labeled)
        return [(places[each.row], each) for each in judging.evaluation(self.view(), self._pool, labeled).mistakes(k)]

    def suspicious(self, k: int = 10) -> list[Suspicious]:
        """The labels that leave-one-out contradicts most: likely errors."""
        return judging.suspicious(self.view(), self._pool, self.labeled, checked_k(k))

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

    # ---- stored --------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """What `restore` needs besides the lessons, as plain JSON values: labels, queue and counters."""
        with self._lock:
            return self._state.to_dict()

    def restore(self, state: Mapping[str, Any], lessons: Iterable[Lesson] = ()) -> None:
        """Goes back to a state, with the lessons up to it; the model must have learned them already."""
        with self._lock:
            self._state.restore(state, lessons)
            self._suit()
        self._refill_now()

    def __repr__(self) -> str:
        progress = self.progress()
        return f"<Labeling: {progress.labeled} of {progress.pool} texts, {len(self.labels)} labels>"


def _checked(label: Label, known: Sequence[Label]) -> Label:
    return checked_labels([checked_label(label)], known)[0]


def _by_hand(how: How) -> How:
    """What a person labels is not accepted in bulk any more."""
    return "found" if how in ("bulk", "skipped") else how


def _checked_word(word: object, model: Model) -> str:
    if not isinstance(word, str) or (model.schema.is_plain and not model.analyzer.terms(word)):
        raise error("word-empty", got=word)
    return " ".join(word.split())

"""From a lesson of the labeling to lessons of the server; both are written in one turn, and undone in one turn.

An answer is a document to learn, or to relabel; a skip is none; a word is a small document; what was accepted in bulk
is many. Undoing a lesson of the labeling undoes those lessons of the log that it stands for, except where others have
changed the label of a text since then.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from likelier._base.errors import error
from likelier._documents.labels import Label, checked_label, checked_labels
from likelier._label import starting
from likelier._label.labeling import Labeling
from likelier._label.lessons import Lesson
from likelier._model.exchange import Exchange, Labeled, prints
from likelier._model.models import Model
from likelier._serve.drafts import Draft, Drafting, inverse, lesson_of
from likelier._serve.lessons import Lesson as LogLesson
from likelier._serve.lessons import dumped
from likelier._serve.live import Live
from likelier._serve.log import Rows, last
from likelier._settings.values import Settings
from likelier._workbench import store

if TYPE_CHECKING:
    from likelier._workbench.bench import Workbench

Making = Callable[[Rows, Labeling, Model], Lesson]


def teaching(bench: Workbench, name: str, make: Making) -> Drafting:
    """A lesson of the labeling.

    name: of whoever teaches it.
    make: the lesson, by the labeling as it is then.
    """

    def draft(rows: Rows, live: Live) -> Draft:
        labeling = bench.labeling
        lesson = make(rows, labeling, live.model)
        learned, forgotten = labeling.documents(lesson)
        named = [*labeling.labels, *(each.label for each in learned)]
        settings = bench.suited(live.model, named)
        lessons = [*_view(settings), *_lessons(rows, live.model, lesson, learned, forgotten)]
        state = labeling.state()

        def also(rows: Rows, numbered: Sequence[LogLesson]) -> None:
            store.write_line(rows, _line(rows, name, lesson, numbered))
            store.write_state(rows, state)

        exchange = Exchange(live.model, learned, forgotten) if learned or forgotten else None
        said = {"accepted": len(lesson.places)} if lesson.kind == "bulk" else {}
        return Draft(
            lessons, exchange, settings, said=said, also=also, done=lambda: bench.followed(lesson, state["queue"])
        )

    return draft


def _line(rows: Rows, name: str, lesson: Lesson, numbered: Sequence[LogLesson]) -> store.Line:
    if not numbered:
        position, at = last(rows)
        return store.Line(lesson.number, position + 1, position, max(time.time_ns() // 1000, at), name, lesson)
    return store.Line(lesson.number, numbered[0].position, numbered[-1].position, numbered[0].at, name, lesson)


def _view(settings: Settings | None) -> list[LogLesson]:
    return [] if settings is None else [LogLesson(0, "view", 0, "", settings=dumped(settings.to_dict()))]


def _lessons(
    rows: Rows, model: Model, lesson: Lesson, learned: Sequence[Labeled], forgotten: Sequence[Labeled]
) -> list[LogLesson]:
    put, took = prints(model, learned), prints(model, forgotten)
    into, out = list(zip(put, learned, strict=True)), list(zip(took, forgotten, strict=True))
    undone = [] if lesson.undoes is None else _undone(rows, lesson.undoes, into, out)
    if len(into) == len(out) == 1 and into[0][1]._replace(label=out[0][1].label) == out[0][1]:
        both = lesson_of("relabel", into[0][1], put=into[0][0], took=out[0][0])
        return [*undone, both._replace(forgot=dumped(out[0][1].label))]
    forgets = [lesson_of("forget", each, took=mark) for mark, each in out]
    return [*undone, *forgets, *(lesson_of("learn", each, put=mark) for mark, each in into)]


Marked = list[tuple[bytes, Labeled]]  # documents with their fingerprints


def _undone(rows: Rows, number: int, into: Marked, out: Marked) -> list[LogLesson]:
    """The lessons that undo those of a lesson of the labeling, the last one first; their documents are taken out.

    Those whose documents later lessons have changed stay.
    """
    line = store.line(rows, number)
    assert line is not None
    columns, found = ", ".join(LogLesson._fields), list[LogLesson]()
    wanted = Counter(mark for mark, _ in into), Counter(mark for mark, _ in out)
    where = "position BETWEEN ? AND ? AND (put IS NOT NULL OR took IS NOT NULL) ORDER BY position DESC"
    for row in rows.run(f"SELECT {columns} FROM lessons WHERE {where}", [line.first, line.position]):
        lesson = inverse(LogLesson(*row))
        if all(mark is None or some[mark] > 0 for some, mark in zip(wanted, (lesson.put, lesson.took), strict=True)):
            if lesson.document is None:
                raise error("texts-not-kept", position=f": lesson {lesson.refers}")
            wanted[0].subtract([] if lesson.put is None else [lesson.put])
            wanted[1].subtract([] if lesson.took is None else [lesson.took])
            found.append(lesson)
    for some, marked in zip(wanted, (into, out), strict=True):
        marked[:] = [each for each in marked if _taken(some, each[0])]
    return found


def _taken(some: Counter[bytes], mark: bytes) -> bool:
    """Whether this is there, which takes it out."""
    some[mark] -= 1
    return some[mark] >= 0


# ---- what is taught ----------------------------------------------------------------------------------------------


def answer(place: int, label: Label) -> Making:
    """A place gets a label."""
    return lambda _, labeling, model: labeling.draft_answer(place, spelled(model, label))


def skip(place: int) -> Making:
    """A place is not asked again."""
    return lambda _, labeling, __: labeling.draft_skip(place)


def accept(threshold: float) -> Making:
    """All places that are sure enough get the labels of their verdicts."""
    return lambda _, labeling, __: labeling.draft_accept(threshold)


def word(text: str, label: Label, weight: float | None) -> Making:
    """A word speaks for a label."""
    return lambda _, labeling, model: labeling.draft_word(text, spelled(model, label), weight=weight)


def undo(number: int | None, only: str | None) -> Making:
    """The last lesson is taken back, or the one with this number.

    only: the name whose lessons may be undone; of others only an administrator may.
    """

    def make(rows: Rows, labeling: Labeling, model: Model) -> Lesson:
        in_force = [each.number for each in labeling.lessons if number is None or each.number == number]
        own = in_force if only is None else store.taught_by(rows, only, in_force)
        if number is not None and in_force and not own:
            raise error("undo-others.labeling", number=number)
        lesson = labeling.draft_undo(own[-1]) if own else None
        if lesson is None:
            raise error("labeling-undo.number" if number is not None else "labeling-undo", number=number)
        return lesson

    return make


def spelled(model: Model, label: Label) -> Label:
    """The label as the model spells it; one that nobody could read is refused."""
    if isinstance(label, str) and not label.strip():
        raise error("label-blank", got=label)
    return model._spelling(label) if model.schema.clean_labels else label


# ---- what is no lesson -------------------------------------------------------------------------------------------


def pooling(bench: Workbench, texts: Sequence[str], said: dict[str, Any]) -> Drafting:
    """More texts for the pool; those that it has already are left out."""

    def draft(rows: Rows, live: Live) -> Draft:
        there = bench.labeling.texts
        new = store.new_texts(there, texts)
        settings = bench.suited_to_texts(live.model, [*there, *new]) if new else None
        return Draft(
            _view(settings),
            settings=settings,
            said={**said, "added": len(new), "total": len(there) + len(new)},
            also=lambda rows, _: store.add_texts(rows, len(there), new),
            done=lambda: bench.added(new),
        )

    return draft


def naming(bench: Workbench, labels: Sequence[Label]) -> Drafting:
    """More labels."""

    def draft(rows: Rows, live: Live) -> Draft:
        labeling = bench.labeling
        given = [checked_label(spelled(live.model, each)) for each in labels]
        named = list(dict.fromkeys([*labeling.labels, *checked_labels(given, labeling.labels)]))
        settings = bench.suited(live.model, named)
        state = {**labeling.state(), "labels": named}
        return Draft(
            _view(settings),
            settings=settings,
            also=lambda rows, _: store.write_state(rows, state),
            done=lambda: bench.named(named),
        )

    return draft


def keeping(bench: Workbench) -> Drafting:
    """The queue as it is now."""

    def draft(rows: Rows, live: Live) -> Draft:
        state = bench.labeling.state()
        return Draft([], also=lambda rows, _: store.write_state(rows, state), done=lambda: bench.kept(state["queue"]))

    return draft


def settings_for(model: Model, before: int, after: int) -> Settings | None:
    """The settings for another number of labels, if those of the model are still the ones for the number before."""
    now = model.settings
    found = starting.suited(now, after)
    return found if starting.suited(now, before) == now != found else None

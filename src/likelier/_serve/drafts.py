"""What is to be taught, as lessons that are not numbered yet.

A draft is made from the model and the log as they are in a turn, so it refuses what does not fit them: another text
than was learned, a lesson that is undone already.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from likelier._base.errors import error
from likelier._documents.labels import Label
from likelier._model import by_ledger
from likelier._model.exchange import Exchange, Labeled, prints
from likelier._model.models import Model
from likelier._model.view import Document, View
from likelier._read.intake import asked_one
from likelier._serve.lessons import Lesson, dumped
from likelier._serve.live import Live, settings_from
from likelier._serve.log import Log, Rows, Wanted, about, labeled_by, labeling_of
from likelier._serve.spans import net
from likelier._settings.values import Settings

MOST_UNDONE = 1_000_000  # lessons in one step


@dataclass
class Draft:
    """Lessons to come, what they do to the model, and what is answered beside position and digest.

    also  writes what belongs to the lessons, in the same turn; it gets them as they are numbered
    done  is called when the model is changed, and before that is acknowledged
    """

    lessons: list[Lesson]
    exchange: Exchange | None = None
    settings: Settings | None = None
    model: Model | None = None  # in place of the one that is served
    checksum: str = ""  # of its file
    said: dict[str, Any] = field(default_factory=dict)
    also: Callable[[Rows, Sequence[Lesson]], object] | None = None
    done: Callable[[], object] | None = None


Drafting = Callable[[Rows, Live], Draft]


def learning(documents: Sequence[Labeled]) -> Drafting:
    """Documents to learn."""

    def draft(rows: Rows, live: Live) -> Draft:
        spelled = _spelled(live.model, documents)
        exchange = Exchange(live.model, spelled)
        marks = prints(live.model, spelled)
        lessons = [lesson_of("learn", each, put=mark) for each, mark in zip(spelled, marks, strict=True)]
        known = live.model.labels
        new = list(dict.fromkeys(each.label for each in spelled if each.weight and each.label not in known))
        said = {"new_labels": new, "notes": exchange.notes}
        return Draft(lessons, exchange, said={name: found for name, found in said.items() if found})

    return draft


def forgetting(documents: Sequence[Labeled]) -> Drafting:
    """Documents to forget."""

    def draft(rows: Rows, live: Live) -> Draft:
        spelled = _spelled(live.model, documents)
        exchange = Exchange(live.model, (), spelled)
        marks = prints(live.model, spelled)
        _check_not_labeled(rows, marks)
        lessons = [lesson_of("forget", each, took=mark) for each, mark in zip(spelled, marks, strict=True)]
        return Draft(lessons, exchange)

    return draft


def relabeling(document: Document, label: Label, old: Label | None, weight: float) -> Drafting:
    """A document that gets another label."""

    def draft(rows: Rows, live: Live) -> Draft:
        model = live.model
        new = model._spelling(label)
        before = by_ledger.label_before(
            model, asked_one(model.schema, document), new, None if old is None else model._spelling(old), weight
        )
        if before == new and type(before) is type(new):
            return Draft([], said={"old": before})
        into, out = Labeled(document, new, weight), Labeled(document, before, weight)
        exchange = Exchange(model, [into], [out])
        put, took = (prints(model, [each])[0] for each in (into, out))
        _check_not_labeled(rows, [took])
        lesson = lesson_of("relabel", into, put=put, took=took)._replace(forgot=dumped(before))
        return Draft([lesson], exchange, said={"old": before})

    return draft


def changing_view(settings: Callable[[Model], Settings]) -> Drafting:
    """Other settings."""

    def draft(rows: Rows, live: Live) -> Draft:
        found = settings(live.model)
        View(live.model.counts, live.model.schema, found)  # refuses what does not fit the counts
        before, after = live.model.settings.calibration.name, found.calibration.name
        dropped = (
            [f"dropped the calibration ({before}), which was fitted to other scores"]
            if after == "none" != before
            else []
        )
        return Draft(
            [Lesson(0, "view", 0, "", settings=dumped(found.to_dict()))],
            settings=found,
            said={"notes": dropped} if dropped else {},
        )

    return draft


def loading(
    model: Model,
    checksum: str,
    base: str,
    known: Callable[[], str],
    *,
    check: Callable[[], object] | None = None,
    done: Callable[[], object] | None = None,
) -> Drafting:
    """Another model file. Nothing if it is still the one of the model that is served, which may be ahead of it.

    known: the checksum of that.
    check: raises why there cannot be another model now.
    """

    def draft(rows: Rows, live: Live) -> Draft:
        if checksum == known():
            return Draft([])
        if check is not None:
            check()
        lesson = Lesson(0, "load", 0, "", settings=dumped(model.settings.to_dict()), digest=bytes.fromhex(base))
        return Draft([lesson], model=model, checksum=checksum, done=done)

    return draft


def _check_not_labeled(rows: Rows, marks: Sequence[bytes]) -> None:
    """What was labeled is taken back by the labeling alone, which would not notice it otherwise."""
    number = labeled_by(rows, marks)
    if number is not None:
        raise error("forget-labeling", number=number)


def lesson_of(kind: str, one: Labeled, *, put: bytes | None = None, took: bytes | None = None) -> Lesson:
    """A lesson about one document: with the fingerprint of what comes in, or goes out."""
    learned, forgot = (dumped(one.label) if mark else None for mark in (put, took))
    return Lesson(0, kind, 0, "", dumped(one.document), one.weight, learned, forgot, put, took)


def _spelled(model: Model, documents: Sequence[Labeled]) -> Sequence[Labeled]:
    if not model.schema.clean_labels:
        return documents
    return [each._replace(label=model._spelling(each.label)) for each in documents]


# ---- undoing -----------------------------------------------------------------------------------------------------


def undoing(log: Log, wanted: Wanted, *, only: str | None = None) -> Drafting:
    """Lessons to undo: afterwards the model is as if they had never been.

    only: the name whose lessons may be undone; of others only an administrator may.
    """

    def draft(rows: Rows, live: Live) -> Draft:
        found = _Undo(rows, log, wanted)
        found.check(only)
        lessons = [inverse(each) for each in reversed(found.lessons)]  # the last one first, as one by one
        learned, forgotten = net(lessons)
        exchange = Exchange(live.model, learned, forgotten) if learned or forgotten else None
        settings = None
        if any(each.kind == "view" for each in found.roots):
            settings = settings_from(stored := found.settings_without())
            lessons = [each._replace(settings=stored) if each.document is None else each for each in lessons]
        undone = [each.position for each in found.lessons]
        return Draft(lessons, exchange, settings, said={"undone": undone})

    return draft


def inverse(lesson: Lesson) -> Lesson:
    """The lesson that undoes this one."""
    return Lesson(
        0, "undo", 0, "", lesson.document, lesson.weight, lesson.forgot, lesson.learned, lesson.took, lesson.put,
        refers=lesson.position,
    )  # fmt: skip


class _Undo:
    """Which lessons to turn around so that those that are wanted have no effect any more.

    An undo can be undone, so lessons come in chains: a lesson, what undoes it, what undoes that. The first is in effect
    if the chain has an odd number of lessons. Without the wanted lessons a chain ends before the first of them.
    """

    def __init__(self, rows: Rows, log: Log, wanted: Wanted) -> None:
        self._rows, self._log, self._wanted = rows, log, wanted
        referring = rows.run("SELECT position, refers FROM lessons WHERE refers IS NOT NULL")
        self._undone = {int(old): int(new) for new, old in referring}
        self._undoes = {new: old for old, new in self._undone.items()}
        found = rows.run("SELECT max(position) FROM lessons WHERE kind = 'load'")
        self.barrier = int(found[0][0] or 0)

    @cached_property
    def selected(self) -> dict[int, str]:
        """Position and name of the lessons that are wanted."""
        conditions, values = self._log.conditions(self._wanted)
        where = " AND ".join([*conditions, "kind NOT IN ('load', 'nothing')"])
        found = self._rows.run(f"SELECT position, name FROM lessons WHERE {where}", values)
        return {int(position): str(name) for position, name in found}

    @cached_property
    def _turned(self) -> list[tuple[int, int]]:
        """First and last lesson of each chain that has to change."""
        found = {}
        for position in self.selected:
            if position <= self.barrier:
                continue
            chain = self._chain(position)
            first = next(place for place, each in enumerate(chain) if each in self.selected)
            if (first % 2 == 1) != (len(chain) % 2 == 1):
                found[chain[0]] = chain[-1]
        return sorted(found.items())

    def _chain(self, position: int) -> list[int]:
        while position in self._undoes:
            position = self._undoes[position]
        chain = [position]
        while chain[-1] in self._undone:
            chain.append(self._undone[chain[-1]])
        return chain

    @cached_property
    def lessons(self) -> list[Lesson]:
        """The lessons to turn around."""
        return self._at([last for _, last in self._turned])

    @cached_property
    def roots(self) -> list[Lesson]:
        """The lessons that began those chains."""
        return self._at([first for first, _ in self._turned])

    def _at(self, positions: Collection[int]) -> list[Lesson]:
        columns, found = ", ".join(Lesson._fields), []
        for start in range(0, len(positions), 500):
            some = list(positions)[start : start + 500]
            marks = ", ".join("?" * len(some))
            found += self._rows.run(f"SELECT {columns} FROM lessons WHERE position IN ({marks})", some)
        return sorted((Lesson(*row) for row in found), key=lambda each: each.position)

    def check(self, only: str | None) -> None:
        """Whether they can be undone, and by this name."""
        named = self._wanted.positions
        for position in named or ():
            if position not in self.selected:
                raise error("lesson-unknown", position=position)
            if position <= self.barrier:
                raise error("undo-before-load", position=position, load=self.barrier)
            if position in self._undone:
                raise error("lesson-undone", position=position, by=self._undone[position])
        labeling = labeling_of(self._rows, [each.position for each in self.lessons])
        if labeling is not None:
            raise error("undo-labeling", number=labeling)
        others = [] if only is None else [each for each in self.lessons if each.name != only]
        if others:
            raise error("undo-others", position=others[0].position, name=others[0].name)
        if len(self.lessons) > MOST_UNDONE:
            raise error("too-many-lessons", most=MOST_UNDONE, got=len(self.lessons))
        for each in self.lessons:
            if each.document is None and (each.put or each.took):
                raise error("texts-not-kept", position=f": lesson {each.position}")

    def settings_without(self) -> str:
        """The settings of the last change of view that stays in effect; as the log began if there is none."""
        turned = {first for first, _ in self._turned}
        found = self._rows.run(
            "SELECT position, settings FROM lessons WHERE kind = 'view' AND position > ? ORDER BY position DESC",
            [self.barrier],
        )
        for position, settings in found:
            if (len(self._chain(int(position))) % 2 == 1) != (int(position) in turned):
                return str(settings)
        if self.barrier:
            return str(self._rows.run("SELECT settings FROM lessons WHERE position = ?", [self.barrier])[0][0])
        return about(self._rows, "settings") or "{}"

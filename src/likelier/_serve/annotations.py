"""From annotations to lessons: a model that follows what a team says in Label Studio.

A webhook can come twice, or after a later one, and counts once: it is compared with what the log holds of its
annotation. The log knows the lessons of an annotation by their keys

    label-studio/CALLER/PROJECT/ANNOTATION/0, /1, /2, ...

and each says when the annotation was updated. Of a deleted annotation the webhook has the number and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from likelier._base.errors import LikelierError, error
from likelier._documents.labels import Label
from likelier._model.exchange import Exchange, Labeled, prints
from likelier._model.models import Model
from likelier._model.view import Document
from likelier._serve.drafts import Draft, Drafting, forgetting, learning, relabeling
from likelier._serve.label_config import alike
from likelier._serve.lessons import NOTHING, Lesson, encoded, loaded_document, loaded_label, weight_of
from likelier._serve.live import Live
from likelier._serve.log import Rows, undone_by

_COLUMNS = ", ".join(Lesson._fields)
_UNKNOWN = ("document-not-learnt", "relabel-ledger", "relabel-unclear")  # the ledger cannot tell the old label


class State(NamedTuple):
    """What an annotation says.

    key       the begin of the keys of its lessons
    document  None: nothing that can be learned
    choice    the label as the annotator sees it; None without one
    at        when it was updated, microseconds
    changed   whether it said something else before, perhaps unheard
    deleted   whether it is gone for good
    """

    key: str
    document: Document | None = None
    choice: str | None = None
    at: int | None = None
    changed: bool = False
    deleted: bool = False


class _Noted(msgspec.Struct):
    """What is kept with a lesson about its annotation."""

    at: int | None = None
    deleted: bool = False


def key_of(caller: str, project: str, annotation: object) -> str:
    """The begin of the keys of an annotation's lessons. Those of another caller are others.

    >>> key_of("team", "12.1700000000", 7)
    'label-studio/team/12.1700000000/7'
    """
    return f"label-studio/{caller}/{project}/{annotation}"


def taught_by(rows: Rows, key: str) -> str | None:
    """The name under which the annotation was taught first; None if it was not."""
    found = rows.run("SELECT name FROM lessons WHERE key = ?", [f"{key}/0"])
    return str(found[0][0]) if found else None


def following(states: Sequence[State]) -> Drafting:
    """Lessons after which the model has learned what the annotations say, and nothing else of them."""

    def draft(rows: Rows, live: Live) -> Draft:
        latest = {each.key: each for each in states}
        drafts = [found for each in latest.values() for found in _drafts(rows, live, each)]
        lessons = [lesson for each in drafts for lesson in each.lessons]
        exchanges = [each.exchange for each in drafts if each.exchange is not None]
        exchange = exchanges[0] if len(exchanges) == 1 else None
        if len(exchanges) > 1:
            learned = [one for each in exchanges for one in each.learned]
            exchange = Exchange(live.model, learned, [one for each in exchanges for one in each.forgotten])
        return Draft(lessons, exchange, said={"lessons": sum(each.kind != "nothing" for each in lessons)})

    return draft


def _drafts(rows: Rows, live: Live, state: State) -> list[Draft]:
    """What is to be written for one annotation; the last lesson gets the key."""
    before = _before(rows, state.key)
    if before and _is_known(before[-1], state):
        return []
    held = _held(rows, before)
    new = _new(live.model, state)
    old = None if held is None else _old(live.model, held, state)
    found = _first(rows, live, new) if new and not before and state.changed else _changes(rows, live, old, new)
    found = [each for each in found if each.lessons]
    if not found and (state.deleted or state.at is not None):
        found = [Draft([NOTHING])]  # an older state is to come too late
    return _keyed(found, f"{state.key}/{len(before)}", _Noted(state.at, state.deleted)) if found else []


def _keyed(drafts: list[Draft], key: str, noted: _Noted) -> list[Draft]:
    lessons = drafts[-1].lessons
    lessons[-1] = lessons[-1]._replace(key=key, answer=encoded(noted))
    return drafts


def _changes(rows: Rows, live: Live, old: Labeled | None, new: Labeled | None) -> list[Draft]:
    if old and new and old.document == new.document:
        return [relabeling(new.document, new.label, old.label, old.weight)(rows, live)]
    out = [forgetting([old])(rows, live)] if old else []
    return [*out, learning([new])(rows, live)] if new else out


def _first(rows: Rows, live: Live, new: Labeled) -> list[Draft]:
    """Of an annotation that was changed, and of whose first state the log knows nothing: the ledger may know its label.

    It was learned before there was a log then; what is in the log belongs to others.
    """
    anew = learning([new])(rows, live)
    try:
        found = relabeling(new.document, new.label, None, new.weight)(rows, live)
    except LikelierError as failure:
        if failure.code not in _UNKNOWN:
            raise
        return [anew]
    mark = found.lessons[0].took if found.lessons else anew.lessons[0].put
    return [anew if _is_there(rows, mark) else found]


# ---- what the log holds of an annotation -------------------------------------------------------------------------


def _before(rows: Rows, key: str) -> list[Lesson]:
    found: list[Lesson] = []
    while row := rows.run(f"SELECT {_COLUMNS} FROM lessons WHERE key = ?", [f"{key}/{len(found)}"]):
        found.append(Lesson(*row[0]))
    return found


def _is_known(last: Lesson, state: State) -> bool:
    """Whether this was heard before, or came too late: after a later update, or after the end."""
    noted = msgspec.json.decode(bytes(last.answer or b"{}"), type=_Noted)
    if noted.deleted or state.deleted:
        return noted.deleted
    return noted.at is not None and state.at is not None and state.at <= noted.at


def _held(rows: Rows, lessons: Sequence[Lesson]) -> Lesson | None:
    """The lesson whose document the model has now; None if it was forgotten, undone, or was in another model."""
    changes = [each for each in lessons if each.kind != "nothing"]
    lesson = next((each for each in reversed(changes) if not _is_undone(rows, each)), None)
    if lesson is None or lesson.put is None:
        return None
    return lesson if _is_there(rows, lesson.put) else None


def _is_there(rows: Rows, mark: bytes | None) -> bool:
    """Whether a document with this fingerprint was put in since the model was loaded, and is still there."""
    loads = rows.run("SELECT max(position) FROM lessons WHERE kind = 'load'")
    values = [mark, int(loads[0][0] or 0)]
    return bool(rows.run("SELECT 1 FROM lessons WHERE put = ? AND gone IS NULL AND position > ? LIMIT 1", values))


def _is_undone(rows: Rows, lesson: Lesson) -> bool:
    """An undo can be undone."""
    undone, position = False, undone_by(rows, lesson.position)
    while position is not None:
        undone, position = not undone, undone_by(rows, position)
    return undone


# ---- documents and labels ----------------------------------------------------------------------------------------


def label_named(model: Model, name: str) -> Label:
    """The label of the model for a choice; a choice that it does not have becomes a new label."""
    labels = {str(label): label for label in model.labels}
    found = alike(name, labels)
    return name if found is None else labels[found]


def _new(model: Model, state: State) -> Labeled | None:
    if state.document is None or state.choice is None or state.deleted:
        return None
    return Labeled(state.document, label_named(model, state.choice))


def _old(model: Model, held: Lesson, state: State) -> Labeled:
    """What the model has learned of the annotation. If the log keeps no texts, it must be the text of the task."""
    assert held.learned is not None
    label, weight = loaded_label(held.learned), weight_of(held.weight)
    if held.document is not None:
        return Labeled(loaded_document(held), label, weight)
    same = None if state.document is None else Labeled(state.document, label, weight)
    if same is None or prints(model, [same])[0] != bytes(held.put or b""):
        raise error("texts-not-kept", position=f": lesson {held.position}")
    return same

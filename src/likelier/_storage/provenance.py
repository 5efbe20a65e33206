"""Provenance: what a model was made from, when, and by whom if that is given.

The first event and the last thousand are kept one by one; those between are combined, one event for each action. So a
model that learns a million times does not grow, and still tells how it began. Of each stream the last batch stays
named, so that it is not learned again. In a file, the event of the training also holds the selection of the settings;
in memory that is an attribute of the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from likelier._base.checks import is_unicode
from likelier._base.errors import error
from likelier._base.version import VERSION
from likelier._settings.selection import Selection
from likelier._storage.layout import Nonsense

LAST = 1000  # events that are kept one by one beside the first
MOST = LAST + 100  # events; the oldest are combined some at a time, so that this is seldom
SOURCES = 20  # named in one event

Event = dict[str, Any]
Kinds = Mapping[str, tuple[type, ...]]
SELECTION = "selection"  # the field of an event that holds it in a file
_BATCH = re.compile(r"(stream .+ batch )\d+")
BY = "by"  # the field of an event that names who did it, if that was given
_KINDS: Kinds = {
    "when": (str,),
    "what": (str,),
    "sources": (list,),
    "documents": (int, float),
    "likelier": (str,),
}
_SELECTION_KINDS: Kinds = {"why": (str,), "documents": (int,), "judged": (int,), "tried": (list,)}
_TRIED_KINDS: Kinds = {
    "settings": (str,),
    "accuracy": (float, int),
    "log_loss": (float, int, type(None)),
    "documents": (int,),
    "chosen": (bool,),
}


def event(what: str, sources: Iterable[str] = (), documents: float = 0, by: str | None = None) -> Event:
    """What happened just now.

    >>> event("learn", ["mails.csv"], 17, "Anna")["documents"]
    17
    """
    names = [str(source) for source in sources]
    if len(names) > SOURCES:
        names = [*names[: SOURCES - 1], f"and {len(names) - SOURCES + 1} more"]
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "what": what,
        "sources": names,
        "documents": documents if isinstance(documents, int) else float(documents),
        "likelier": VERSION,
        **({} if by is None else {BY: by}),
    }


def check_name(by: object) -> None:
    """Whether this can be who did something; None if that is not given."""
    if by is not None and (not isinstance(by, str) or not by.strip() or not is_unicode(by)):
        raise error("by-kind", got=by)


def trimmed(events: Sequence[Event]) -> list[Event]:
    """The first event and the last ones; those between are combined, if there are too many.

    >>> many = trimmed([event("train", documents=4)] + [event("learn", documents=1)] * 1500)
    >>> len(many), [each["documents"] for each in many[:3]]
    (1002, [4, 500, 1])
    """
    if len(events) <= MOST:
        return list(events)
    return [events[0], *_combined(events[1:-LAST]), *events[-LAST:]]


def _combined(events: Sequence[Event]) -> list[Event]:
    """One event for each action: the time of the last, all documents; who did it, if it is one and the same."""
    found: dict[str, Event] = {}
    for one in events:
        before = found.get(one["what"], one | {"documents": 0})
        last = {**_batches(before["sources"]), **_batches(one["sources"])}
        combined = {"sources": list(last.values()), "documents": before["documents"] + one["documents"]}
        found[one["what"]] = one | combined
        if before.get(BY) != one.get(BY):
            found[one["what"]].pop(BY, None)
    return list(found.values())


def of_stream(stream: str) -> str:
    """How the name of each batch of a stream begins; its number follows."""
    return f"stream {stream} batch "


def _batches(sources: Iterable[str]) -> dict[str, str]:
    """The last batch by stream, of sources in the order in which they were learned."""
    found = (_BATCH.fullmatch(source) for source in sources)
    return {each[1]: each[0] for each in found if each}


def with_selection(events: Sequence[Event], selection: Selection | None) -> list[Event]:
    """The events as a file has them: the first training, or else the first event, holds the selection."""
    found = list(events)
    if selection is not None and found:
        place = next((place for place, each in enumerate(found) if each["what"] == "train"), 0)
        found[place] = {**found[place], SELECTION: selection.to_dict()}
    return found


def without_selection(events: Sequence[Event]) -> tuple[list[Event], Selection | None]:
    """The events of a file, and the selection that one of them holds; of merged models that of the first counts."""
    stored = next((each[SELECTION] for each in events if SELECTION in each), None)
    plain = [{name: each[name] for name in each if name != SELECTION} for each in events]
    return plain, None if stored is None else Selection.from_dict(stored)


def checked_events(stored: object) -> list[Event]:
    """Events as a file has them."""
    if not isinstance(stored, list) or not all(map(_is_event, stored)):
        raise Nonsense("the provenance is not a list of events")
    return trimmed(stored)


def _is_event(stored: object) -> bool:
    if not isinstance(stored, dict):
        return False
    plain = {name: value for name, value in stored.items() if name not in (SELECTION, BY)}
    return (
        _has(plain, _KINDS)
        and all(isinstance(source, str) for source in plain["sources"])
        and isinstance(stored.get(BY, ""), str)
        and (SELECTION not in stored or is_selection(stored[SELECTION]))
    )


def is_selection(stored: object) -> bool:
    """Whether this is a selection as a file has it."""
    if not isinstance(stored, dict) or not isinstance(stored.get("note", ""), str):
        return False
    plain = {name: value for name, value in stored.items() if name != "note"}
    return _has(plain, _SELECTION_KINDS) and all(_has(each, _TRIED_KINDS) for each in plain["tried"])


def _has(stored: object, kinds: Kinds) -> bool:
    """Whether it is an object with these fields and no others."""
    return (
        isinstance(stored, dict)
        and stored.keys() == kinds.keys()
        and all(type(stored[name]) in kind for name, kind in kinds.items())  # a bool is no int here
    )

"""A stored model as texts and arrays, and back.

The counts are `Counts.arrays()`, each in the narrowest type that holds its values: equal counts are equal bytes. The
ledger is an array of fingerprints (two 64-bit halves, high one first) and one of how often each was learnt, sorted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from likelier._kernel import Ledger
from likelier.counts import Counts, Label
from likelier.counts.documents import UNIT
from likelier.errors import LikelierError
from likelier.settings import Settings
from likelier.storage.layout import Array, Nonsense, json_of, narrow
from likelier.storage.provenance import Event, checked_events, trimmed
from likelier.text.analyzer import Analyzer

COUNTS = ("unit", "documents", "term_ends", "cell_ends", "cell_labels", "cell_tf", "cell_df", "terms")
LEDGER = ("ledger", "ledger_times")
_HALVES = 2  # of a fingerprint

Part = TypeVar("Part")


class Unusable(Exception):
    """A part that is not damaged, but cannot be used here: what is wrong, and what helps."""


@dataclass(frozen=True)
class StoredLedger:
    """A ledger as it stands in a file; who only asks does not need it."""

    halves: Array
    times: Array

    def sorted(self) -> tuple[Array, Array]:
        """As a ledger gives it."""
        return self.halves, self.times

    def ledger(self) -> Ledger:
        """The same, ready for changes."""
        return Ledger.load(self.halves, self.times)


@dataclass
class Stored:
    """All that a model file holds."""

    counts: Counts
    analyzer: Analyzer
    settings: Settings = field(default_factory=Settings)
    ledger: Ledger | StoredLedger | None = None
    provenance: list[Event] = field(default_factory=list)


# ---- writing -----------------------------------------------------------------------------------------------------


def texts_of(stored: Stored) -> dict[str, str]:
    """What stands in the header as text: JSON."""
    parts = {
        "labels": list(stored.counts.labels),
        "has_df": stored.counts.has_df,
        "analyzer": stored.analyzer.to_dict(),
        "settings": stored.settings.to_dict(),
        "provenance": trimmed(stored.provenance),
    }
    return {name: json.dumps(part, separators=(",", ":"), allow_nan=False) for name, part in parts.items()}


def arrays_of(stored: Stored) -> dict[str, Array]:
    """What stands behind the header, in no order yet."""
    arrays = stored.counts.arrays()
    narrowed = {name: narrow(arrays[name]) for name in COUNTS}
    if stored.ledger is None:
        return narrowed
    halves, times = stored.ledger.sorted()
    return {"ledger": halves.astype("<u8", copy=False).reshape(-1, _HALVES), **narrowed, "ledger_times": narrow(times)}


# ---- reading -----------------------------------------------------------------------------------------------------


def stored_from(texts: Mapping[str, str], arrays: Mapping[str, Array]) -> Stored:
    """The model with these parts. Nothing about them is trusted."""
    check_names(arrays)
    return Stored(
        counts=_counts(texts, arrays),
        analyzer=_made("analyzer", lambda: Analyzer.from_dict(_mapping(texts, "analyzer"))),
        settings=_made("view", lambda: Settings.from_dict(_mapping(texts, "settings"))),
        ledger=_ledger(arrays["ledger"], arrays["ledger_times"]) if "ledger" in arrays else None,
        provenance=checked_events(json_of(texts, "provenance")),
    )


def check_names(arrays: Mapping[str, Array]) -> None:
    """Whether there are the arrays that there must be, and no others."""
    if set(arrays) not in ({*COUNTS}, {*COUNTS, *LEDGER}):
        raise Nonsense(f"it must hold the arrays {', '.join(COUNTS)}, got {', '.join(map(repr, arrays))[:200]}")
    flat = all(array.ndim == 1 for name, array in arrays.items() if name != "ledger")
    if not flat or arrays["terms"].itemsize != 1 or arrays["unit"].shape != (1,):
        raise Nonsense("an array has the wrong shape or type")


def _counts(texts: Mapping[str, str], arrays: Mapping[str, Array]) -> Counts:
    labels, has_df = _labels(texts), json_of(texts, "has_df")
    if not isinstance(has_df, bool) or int(arrays["unit"][0]) not in (1, UNIT):
        raise Nonsense("`has_df` or the unit of the counts makes no sense")
    if len(labels) != arrays["documents"].size or int(arrays["documents"].max(initial=0)) > 1 << 62:
        raise Nonsense("the numbers of documents do not fit the labels")
    counts = Counts()
    try:
        counts.hold(labels, {name: arrays[name] for name in COUNTS})
    except ValueError as reason:  # from the kernel
        raise Nonsense(str(reason)) from None
    counts.has_df = has_df
    if list(counts.labels) != labels:
        raise Nonsense("the labels are not sorted, or one has no counts")
    return counts


def _labels(texts: Mapping[str, str]) -> list[Label]:
    labels = json_of(texts, "labels")
    if not isinstance(labels, list) or not all(isinstance(label, str | int) for label in labels):
        raise Nonsense("the labels are not a list of texts, whole numbers or truth values")
    if len(set(labels)) < len(labels):
        raise Nonsense("a label stands twice")
    return labels


def _ledger(halves: Array, times: Array) -> StoredLedger:
    if halves.dtype.itemsize != 8 or times.itemsize > 4 or halves.shape != (times.size, _HALVES):
        raise Nonsense("the ledger has the wrong shape or type")
    high, low = halves[:, 0], halves[:, 1]
    rising = (high[1:] > high[:-1]) | ((high[1:] == high[:-1]) & (low[1:] > low[:-1]))
    if not rising.all() or not times.all():
        raise Nonsense("the ledger is not sorted, or has a document that was learnt 0 times")
    return StoredLedger(halves.astype(np.uint64, copy=False).reshape(-1), times.astype(np.uint32, copy=False))


def _mapping(texts: Mapping[str, str], name: str) -> dict[str, Any]:
    found = json_of(texts, name)
    if not isinstance(found, dict):
        raise Nonsense(f"{name!r} is not an object with settings")
    return found


def _made(what: str, make: Callable[[], Part]) -> Part:
    try:
        return make()
    except LikelierError as error:
        raise Unusable(f"its {what} cannot be used: {error.message}", error.hint) from error
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Nonsense(f"its {what} makes no sense: {error}") from error


def digest(texts: Mapping[str, str], arrays: Mapping[str, Array]) -> str:
    """SHA-256 of the counts alone: their labels and the bytes of their arrays as they stand in the file."""
    found = hashlib.sha256(f"{texts['labels']} {texts['has_df']} ".encode())
    for name in COUNTS:
        array = arrays[name]
        found.update(f"{name} {array.dtype.str} {array.size} ".encode())
        found.update(array.data.cast("B") if array.size else b"")
    return found.hexdigest()

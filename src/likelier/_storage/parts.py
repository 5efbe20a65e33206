"""A stored model as texts and arrays, and back.

A model of plain texts has one table of counts, and its files are of version 1; one with columns has a table for each,
and its files are of version 2. Either is of version 3 if more is counted of a text than its analyzer says, and,
whatever else it is, of version 4 if terms were dropped on the way, and of version 5 if it has refined weights. The
ledger is an array of fingerprints (two 64-bit halves, high one first) and one of how often each was learned, sorted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import numpy as np

from likelier._base.errors import LikelierError
from likelier._counts.by_column import Counts, pruned
from likelier._documents.kinds import PLAIN, Text
from likelier._documents.schema import Schema
from likelier._kernel import Ledger
from likelier._refine.layer import Layer
from likelier._settings.selection import Chosen, Selection
from likelier._settings.values import Settings, check_columns
from likelier._storage.columns import column_arrays, column_names, columns_from, has_df_of, outline
from likelier._storage.layout import (
    COLUMNS_VERSION,
    COUNTING_VERSION,
    PLAIN_VERSION,
    PRUNED_VERSION,
    REFINED_VERSION,
    Array,
    Nonsense,
    json_of,
    narrow,
)
from likelier._storage.provenance import Event, checked_events, is_selection, trimmed, with_selection, without_selection
from likelier._storage.refined import LAYER, layer_arrays, layer_from, layer_names, layer_to_plain
from likelier._storage.tables import (
    PRUNED,
    check_labels,
    hold,
    labels_of,
    pruned_to_plain,
    put_pruned,
    table_arrays,
    table_names,
)

TEXT = "text_column"
CHOSEN = "chosen"
CLEAN = "clean_labels"
LEDGER = ("ledger", "ledger_times")
_HALVES = 2  # of a fingerprint
_COLUMNS = ("numeric", "missing", "calibration", "columns")  # settings that version 1 did not have at first
_WHATEVER = (str(PRUNED_VERSION), str(REFINED_VERSION))  # versions that say nothing about what else is there
_TERMS = ("weighting", "idf", "ngrams", "stop_words")  # settings that versions 1 and 2 did not have at first

Part = TypeVar("Part")


class Unusable(Exception):
    """A part that is not damaged, but cannot be used here: what is wrong, and what helps."""


@dataclass(frozen=True)
class StoredLedger:
    """A ledger as it is in a file; classifying does not need it."""

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
    schema: Schema
    settings: Settings = field(default_factory=Settings)
    ledger: Ledger | StoredLedger | None = None
    provenance: list[Event] = field(default_factory=list)
    chosen: Chosen | None = None
    layer: Layer | None = None


# ---- writing -----------------------------------------------------------------------------------------------------


def version_of(stored: Stored) -> int:
    """The version of the format that this model needs."""
    if stored.layer is not None:
        return REFINED_VERSION
    if pruned(stored.counts) is not None:
        return PRUNED_VERSION
    if any(text.counting_to_plain() for text in stored.schema.texts.values()):
        return COUNTING_VERSION
    return PLAIN_VERSION if stored.schema.is_plain else COLUMNS_VERSION


def texts_of(stored: Stored) -> dict[str, str]:
    """The texts of the header: JSON."""
    parts: dict[str, Any] = {"labels": list(stored.counts.labels)}
    if stored.schema.is_plain:
        text = stored.schema.only_text
        parts["has_df"] = stored.counts.sizes.has_df
        parts["analyzer"] = text.analyzer.to_dict()
        parts |= {"counting": counting} if (counting := text.counting_to_plain()) else {}
        parts |= {} if stored.schema.text is None else {TEXT: stored.schema.text}
        later: tuple[str, ...] = (*_COLUMNS, *_TERMS)
    else:
        parts["has_df"] = has_df_of(stored.counts)
        parts["schema"] = stored.schema.to_dict()
        later = _TERMS
    parts["settings"] = _as_before(stored.settings.to_dict(), later)
    parts |= {CLEAN: True} if stored.schema.clean_labels else {}
    parts |= {PRUNED: lost} if (lost := pruned_to_plain(stored.counts)) else {}
    events, chosen = trimmed(stored.provenance), stored.chosen
    if chosen is not None and chosen.settings == stored.settings and events:
        events = with_selection(events, chosen.selection)
    elif chosen is not None:
        settings = _as_before(chosen.settings.to_dict(), later)
        parts[CHOSEN] = {"settings": settings, "selection": chosen.selection.to_dict()}
    parts |= {} if stored.layer is None else {LAYER: layer_to_plain(stored.layer)}
    parts["provenance"] = events
    return {name: json.dumps(part, separators=(",", ":"), allow_nan=False) for name, part in parts.items()}


def _as_before(settings: dict[str, Any], later: tuple[str, ...]) -> dict[str, Any]:
    """The settings without those that came later, where they change nothing: older versions can read them."""
    usual = Settings().to_dict()
    return {name: value for name, value in settings.items() if name not in later or value != usual[name]}


def arrays_of(stored: Stored) -> dict[str, Array]:
    """The arrays after the header, in no order yet."""
    counts = stored.counts
    narrowed = table_arrays(counts.sizes) if stored.schema.is_plain else column_arrays(counts)
    narrowed |= {} if stored.layer is None else layer_arrays(stored.layer)
    if stored.ledger is None:
        return narrowed
    halves, times = stored.ledger.sorted()
    return {"ledger": halves.astype("<u8", copy=False).reshape(-1, _HALVES), **narrowed, "ledger_times": narrow(times)}


# ---- reading -----------------------------------------------------------------------------------------------------


def stored_from(texts: Mapping[str, str], arrays: Mapping[str, Array]) -> Stored:
    """The model with these parts. Nothing about them is trusted."""
    check_names(texts, arrays)
    schema = _schema(texts)
    counts = _counts(texts, arrays, schema) if _is_plain(texts) else columns_from(texts, arrays, schema)
    if PRUNED in texts or _version(texts) == str(PRUNED_VERSION):
        put_pruned(counts, json_of(texts, PRUNED), schema)
    provenance, selection = without_selection(checked_events(json_of(texts, "provenance")))
    settings = _made("view", lambda: _settings(_mapping(texts, "settings"), schema))
    return Stored(
        counts=counts,
        schema=schema,
        settings=settings,
        ledger=_ledger(arrays["ledger"], arrays["ledger_times"]) if "ledger" in arrays else None,
        provenance=provenance,
        chosen=_chosen(texts, schema)
        if CHOSEN in texts
        else None
        if selection is None
        else Chosen(settings, selection),
        layer=_made("layer", lambda: layer_from(texts, arrays, schema)) if LAYER in texts else None,
    )


def check_names(texts: Mapping[str, str], arrays: Mapping[str, Array]) -> None:
    """Whether there are the arrays that there must be, and no others."""
    if (LAYER in texts) != (_version(texts) == str(REFINED_VERSION)):
        raise Nonsense(f"{LAYER!r} is not that of its version")
    of_layer = layer_names(texts)
    wanted = [*_names(texts), *of_layer, *(LEDGER if "ledger" in arrays or "ledger_times" in arrays else ())]
    for name in sorted(set(wanted) ^ set(arrays)):
        raise Nonsense(f"the array {name!r:.60} is {'missing' if name in wanted else 'not of such a model'}")
    counts = {name: array for name, array in arrays.items() if name not in of_layer}
    if any(array.dtype.kind != "u" or (array.ndim != 1 and name != "ledger") for name, array in counts.items()):
        raise Nonsense("an array has the wrong shape or type")


def _names(texts: Mapping[str, str]) -> list[str]:
    """The names of the arrays with counts."""
    return list(table_names(_counting(texts).get("weighting"))) if _is_plain(texts) else column_names(outline(texts))


def _version(texts: Mapping[str, str]) -> str:
    return texts.get("version", "")


def _is_plain(texts: Mapping[str, str]) -> bool:
    if _version(texts) in (str(COUNTING_VERSION), *_WHATEVER):
        return "schema" not in texts
    return _version(texts) == str(PLAIN_VERSION)


def _counting(texts: Mapping[str, str]) -> dict[str, Any]:
    """What a model of plain texts counts beyond what its analyzer says."""
    has_none = _version(texts) == str(PLAIN_VERSION) or (_version(texts) in _WHATEVER and "counting" not in texts)
    return {} if has_none else _mapping(texts, "counting")


def _schema(texts: Mapping[str, str]) -> Schema:
    if _is_plain(texts):
        analyzer = _mapping(texts, "analyzer")
        text = _made("analyzer", lambda: Text.from_parts(analyzer, _counting(texts)))
        schema = _made("text column", lambda: Schema({PLAIN: text}, text=_text_column(texts)))
    else:
        schema = _made("schema", lambda: Schema.from_dict(_mapping(texts, "schema")))
        if schema.is_plain:
            raise Nonsense("a model of plain texts has no schema")
    if CLEAN in texts:
        if json_of(texts, CLEAN) is not True:
            raise Nonsense(f"{CLEAN!r} is neither absent nor true")
        schema = replace(schema, clean_labels=True)
    counts_more = any(text.counting_to_plain() for text in schema.texts.values())
    version = _version(texts)
    if version not in _WHATEVER and counts_more != (version == str(COUNTING_VERSION)):
        raise Nonsense("n-grams and weightings are not those of its version")
    if any(column.analyzer.is_open for column in schema.texts.values()):
        raise Nonsense("the stop words of an analyzer are still to be found")
    return schema


def _text_column(texts: Mapping[str, str]) -> str | None:
    """The column from which a model of plain texts has learned, if the file says it."""
    found = json_of(texts, TEXT) if TEXT in texts else None
    if TEXT in texts and not isinstance(found, str):
        raise Nonsense("the name of the text column is not a text")
    return cast(str | None, found)


def _settings(stored: Mapping[str, Any], schema: Schema) -> Settings:
    settings = Settings.from_dict(stored)
    check_columns(settings, schema)
    return settings


def _chosen(texts: Mapping[str, str], schema: Schema) -> Chosen:
    """The settings that training chose, where others are set now."""
    stored = _mapping(texts, CHOSEN)
    has_parts = stored.keys() == {"settings", "selection"} and isinstance(stored["settings"], dict)
    if not has_parts or not is_selection(stored["selection"]):
        raise Nonsense(f"{CHOSEN!r} is not an object with settings and their selection")
    settings = _made("chosen view", lambda: _settings(stored["settings"], schema))
    return Chosen(settings, Selection.from_dict(stored["selection"]))


def _counts(texts: Mapping[str, str], arrays: Mapping[str, Array], schema: Schema) -> Counts:
    labels, counts = labels_of(texts), Counts(schema)
    hold(counts.sizes, labels, arrays, has_df=json_of(texts, "has_df"))
    check_labels(counts.sizes, labels)
    return counts


def _ledger(halves: Array, times: Array) -> StoredLedger:
    if halves.dtype.itemsize != 8 or times.itemsize > 4 or halves.shape != (times.size, _HALVES):
        raise Nonsense("the ledger has the wrong shape or type")
    high, low = halves[:, 0], halves[:, 1]
    rising = (high[1:] > high[:-1]) | ((high[1:] == high[:-1]) & (low[1:] > low[:-1]))
    if not rising.all() or not times.all():
        raise Nonsense("the ledger is not sorted, or has a document that was learned 0 times")
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
    """SHA-256 of the counts alone: their labels and the bytes of their arrays as they are in the file."""
    import hashlib  # when it is needed: importing likelier should be quick

    for name in ("labels", "has_df"):
        json_of(texts, name)
    found = hashlib.sha256(f"{texts['labels']} {texts['has_df']} ".encode())
    for column in [] if _is_plain(texts) else outline(texts):
        found.update(json.dumps(column.identity).encode())
    if _is_plain(texts) and (weighting := _counting(texts).get("weighting")) is not None:
        found.update(json.dumps(weighting).encode())
    for name in _names(texts):
        array = arrays[name]
        found.update(f"{name} {array.dtype.str} {array.size} ".encode())
        found.update(array.data.cast("B") if array.size else b"")
    return found.hexdigest()

"""Models that are to be merged and do not count the same: brought down to what both count.

Texts that are analyzed alike have words, occurrences and documents in common, whatever else is counted of them. Longer
n-grams and the sums of a weighting that only one model has are dropped. The settings are those of the first model;
where they need dropped counts, the nearest that do not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from likelier._base.errors import LikelierError
from likelier._counts.making import check_alike
from likelier._counts.narrowing import narrowed
from likelier._documents.kinds import Kind, Text
from likelier._documents.schema import Schema
from likelier._documents.weights import Extra, Weighting, extra
from likelier._estimate.smoothing import Additive, Smoothing, short
from likelier._model.view import View
from likelier._settings.values import Settings, check_columns

if TYPE_CHECKING:
    from likelier._model.models import Model

_NEAREST: dict[Extra, Weighting] = {  # weightings that are always counted
    "log": "once",
    "count-length": "count",
    "once-length": "once",
    "log-length": "once",
}
assert set(_NEAREST) == set(get_args(Extra))
_DIGITS = 2  # of a smoothing that is brought to another weighting


def common_schema(one: Schema, two: Schema) -> Schema:
    """What both count; an error if their columns or analyzers differ."""
    if one == two or one.missing != two.missing or one.columns.keys() != two.columns.keys():
        check_alike(one, two)
        return one
    columns = {name: _common_kind(kind, two.columns[name]) for name, kind in one.columns.items()}
    if any(kind is None for kind in columns.values()):
        check_alike(one, two)
    return one.with_columns({name: kind for name, kind in columns.items() if kind is not None})


def _common_kind(one: Kind, two: Kind) -> Kind | None:
    """What both count of a column; None if they are not of one kind."""
    if one == two:
        return one
    if not isinstance(one, Text) or not isinstance(two, Text) or one.analyzer != two.analyzer:
        return None
    (low, high), (other_low, other_high) = one.counted, two.counted
    ngrams = max(low, other_low), min(high, other_high)
    return Text(one.analyzer, ngrams, one.weighting if one.weighting == two.weighting else None)


def brought_to(model: Model, schema: Schema) -> Model:
    """A copy of the model that counts what this schema says, under the settings that are nearest to its own."""
    found = model.copy()
    if found.schema == schema:
        return found
    settings = _nearest(found, schema)
    counts = narrowed(found.counts, schema)
    chosen = found.chosen
    stored = replace(found._stored(), counts=counts, schema=schema, settings=settings, layer=None)
    if chosen is not None and not _fits(chosen.settings, schema):
        stored = replace(stored, chosen=None)
    return type(model)._of(stored)


def _fits(settings: Settings, schema: Schema) -> bool:
    try:
        check_columns(settings, schema)
    except LikelierError:
        return False
    return True


# ---- settings ----------------------------------------------------------------------------------------------------


def _nearest(model: Model, schema: Schema) -> Settings:
    """The settings of the model, as far as they can be read from what the schema counts."""
    own = {name: _changes(model, name, text) for name, text in schema.texts.items()}
    if schema.is_plain:
        (changes,) = own.values()
        return model.settings.changed(**changes) if changes else model.settings
    needed = {name: changes for name, changes in own.items() if changes}
    return model.settings.changed(columns=needed) if needed else model.settings


def _changes(model: Model, name: str, text: Text) -> Any:
    """What has to be changed of the settings of a text column."""
    before, changes = model.settings.of_column(name), dict[str, Any]()
    needs = extra(before.weighting)
    if needs is not None and needs != text.weighting:
        changes["weighting"] = _NEAREST[needs]
        changes["smoothing"] = _as_strong(model, name, changes["weighting"])
    if before.ngram_range is not None:
        (low, high), counted = before.ngram_range, text.counted
        fits = min(max(low, counted[0]), counted[1]), max(min(high, counted[1]), counted[0])
        if fits != (low, high):
            changes["ngrams"] = None if fits == text.analyzer.ngram_range else fits
    return changes


def _as_strong(model: Model, name: str, weighting: Weighting) -> Smoothing:
    """Additive smoothing that smooths as much under another weighting: by the mean weight of an occurrence."""
    settings = model.settings.of_column(name)
    if not isinstance(settings.smoothing, Additive):
        return settings.smoothing
    before, after = (_total(model, name, settings, each) for each in (settings.weighting, weighting))
    alpha = settings.smoothing.alpha * (after / before if before else 1)
    return Additive(float(f"{float(alpha):.{_DIGITS}g}"))


def _total(model: Model, name: str, settings: Settings, weighting: Weighting) -> float:
    """The sum of all weights of a column."""
    asked: Any = {"weighting": weighting, "idf": settings.idf, "ngrams": settings.ngram_range}
    plain = model.schema.is_plain
    view = View(model.counts, model.schema, Settings(**asked) if plain else Settings(columns={name: asked}))
    return float(view.column(name).estimator.sums.total.sum())


# ---- in words ----------------------------------------------------------------------------------------------------


def in_words(one: Model, two: Model, both: Model) -> list[str]:
    """What the merged model has lost, and what its settings are in place of."""
    said = [_dropped(name, text, two.schema.texts[name], both) for name, text in one.schema.texts.items()]
    notes = ["only one of the models counts these, so they were dropped: " + "; ".join(filter(None, said))]
    notes = notes if any(said) else []
    changed = [_changed(name, one.settings, both) for name in one.schema.texts]
    if any(changed):
        notes.append(
            f"the settings were changed to those that the merged counts allow: {'; '.join(filter(None, changed))}"
        )
    if one.settings.calibration.name != "none" and both.settings.calibration.name == "none":
        notes.append("the calibration was dropped with the settings; evaluate or calibrate the merged model again")
    if one.layer is not None or two.layer is not None:
        notes.append("the refined weights were dropped; refine the merged model to fit them again")
    if None not in (one.schema.text, two.schema.text) and one.schema.text != two.schema.text:
        names = f"{one.schema.text!r} and {two.schema.text!r}"
        notes.append(f"the texts come from different columns, {names}; the merged model reads {both.schema.text!r}")
    return notes


def _of(name: str, model: Model) -> str:
    return "" if model.schema.is_plain else f" of {name!r}"


def _dropped(name: str, one: Text, two: Text, both: Model) -> str:
    left = both.schema.texts[name]
    orders = sorted({*_orders(one), *_orders(two)} - {*_orders(left)})
    weightings = sorted({str(each.weighting) for each in (one, two) if each.weighting not in (None, left.weighting)})
    parts = [f"n-grams of {order} words" for order in orders]
    parts += [f"the sums of the weighting {weighting}" for weighting in weightings]
    return ", ".join(parts) + _of(name, both) if parts else ""


def _orders(text: Text) -> range:
    low, high = text.counted
    return range(low, high + 1)


def _changed(name: str, before: Settings, both: Model) -> str:
    old, new = before.of_column(name), both.settings.of_column(name)
    parts = []
    if old.weighting != new.weighting:
        parts.append(f"weighting {new.weighting} in place of {old.weighting}")
    if old.smoothing != new.smoothing and isinstance(old.smoothing, Additive) and isinstance(new.smoothing, Additive):
        parts.append(f"alpha {short(new.smoothing.alpha)} in place of {short(old.smoothing.alpha)}")
    if old.ngram_range != new.ngram_range:
        parts.append(
            f"n-grams of up to {both.schema.texts[name].counted[1]} in place of {(old.ngram_range or (1, 1))[1]}"
        )
    return ", ".join(parts) + _of(name, both) if parts else ""

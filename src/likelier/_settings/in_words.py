"""Settings and analyzers in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from likelier._answer.calibration import Discount
from likelier._answer.decisions import LeastCost, Thresholds
from likelier._documents.kinds import Numeric, Text
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._estimate.numeric import rule_name
from likelier._estimate.smoothing import short, smoothing_in_words
from likelier._settings.table import SETTINGS
from likelier._settings.values import Settings
from likelier._show.words import counted
from likelier._text.analyzer import Analyzer

FEW_WORDS = 5  # stop words to show


def settings_in_words(settings: Settings, schema: Schema) -> dict[str, str]:
    """Each setting of a view by the name of its option; those of columns only if there are such columns."""
    words = {}
    for name, setting in SETTINGS.items():
        value = getattr(settings, name)
        usual = name in _QUIET and value == setting.default
        fits = {"columns": False, "numeric": has_numbers(schema), "missing": not schema.is_plain}.get(name, True)
        if fits and not usual:
            words[shown_name(name)] = in_words(name, value)
    return words | {name: value for name, value, _ in _own_in_words(settings)}


def settings_rows(settings: Settings, schema: Schema) -> list[tuple[str, str, str]]:
    """Each setting with its value, and with that of the textbook if different."""
    usual = {
        shown_name(name): in_words(name, setting.default) for name, setting in SETTINGS.items() if name != "columns"
    }
    given = settings_in_words(settings, schema).items()
    return [(name, value, "" if usual.get(name, value) == value else usual[name]) for name, value in given]


def shown_name(setting: str) -> str:
    """The name of a setting in output."""
    return {"decide": "decision", "numeric": "numbers"}.get(setting, setting.replace("_", "-"))


def in_words(name: str, value: Any) -> str:
    """The value of a setting, as its option takes it if there is one."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in _IN_WORDS:
        return _IN_WORDS[name](value)
    return value if isinstance(value, str) else short(value)


def _few(words: Sequence[str]) -> str:
    more = len(words) - FEW_WORDS
    return " ".join(words[:FEW_WORDS]) + (f" and {more:,} more" if more > 0 else "") or "none"


def has_numbers(schema: Schema) -> bool:
    """Whether there is a numeric column."""
    return any(isinstance(kind, Numeric) for kind in schema.columns.values())


def _own_in_words(settings: Settings) -> Iterator[tuple[str, str, bool]]:
    """The settings of single columns, and whether each belongs in a summary: the event model does, and what differs."""
    for column, own in settings.columns.items():
        of_column = settings.of_column(column)
        for name in own:
            value = getattr(of_column, name)
            differs = name == "event" or value != getattr(settings, name)
            yield f"{shown_name(name)} of {column}", in_words(name, value), differs


def decision_in_words(rule: Any) -> str:
    """Which label is assigned."""
    match rule:
        case Thresholds(at_least, otherwise):
            every = "any label" if len(at_least) == 1 else "any other label"
            limits = [f"{every if label == '*' else label} ≥ {short(limit)}" for label, limit in at_least.items()]
            return f"{', '.join(limits)}; otherwise {'no label' if otherwise is None else otherwise}"
        case LeastCost(costs):
            return "minimum cost: " + ", ".join(
                f"{'no label' if decision is None else decision} for {truth} {short(cost)}"
                for decision, row in costs.items()
                for truth, cost in row.items()
            )
    return "most probable"


def _pairs(numbers: Mapping[Label, Any]) -> str:
    return ", ".join(f"{label}={short(number)}" for label, number in numbers.items())


def text_in_words(text: Text) -> str:
    """How text becomes terms, and what else is counted."""
    more = [f"n-grams {_value('ngrams', text.counted)}"] if text.ngrams else []
    more += [f"weighting {text.weighting}"] if text.weighting else []
    return analyzer_in_words(text.analyzer) + (f"; also counted: {', '.join(more)}" if more else "")


def analyzer_in_words(analyzer: Analyzer) -> str:
    """How text becomes terms, by the names of the options."""
    named = {"lowercase": "keep-case", "punctuation": "keep-punctuation", "words": "no-words"}
    words = []
    for setting in fields(analyzer):
        value = getattr(analyzer, setting.name)
        if value == getattr(Analyzer(), setting.name):
            continue
        name = named.get(setting.name, setting.name.replace("_", "-"))
        words.append(
            name if isinstance(value, bool) or setting.name in named else f"{name} {_value(setting.name, value)}"
        )
    return ", ".join(words) or "lowercased words"


def _value(name: str, value: Any) -> str:
    if name in ("ngrams", "char_ngrams"):
        return f"{value[0]}-{value[1]}" if value[0] != value[1] else str(value[0])
    if isinstance(value, tuple):
        return f"({len(value):,})"  # how many words
    return str(value)


def view_in_short(settings: Settings, schema: Schema) -> str:
    """The main settings in one line; those of single columns come last."""
    words = settings_in_words(settings, schema)
    parts = _texts_in_short(settings, schema)
    rule = settings.calibration
    fades = isinstance(rule, Discount) and rule.without_prior
    parts += [words["smoothing"], f"{words['prior']} prior{' only without evidence' * fades}"]
    parts += [f"unknown {'words' if schema.is_plain else 'values'}: {words['unknown']}"]
    numbers = [name for name, kind in schema.columns.items() if isinstance(kind, Numeric)]
    parts += [f"numbers: {words['numbers']}"] if _holds("numeric", numbers, settings) else []
    parts += _own_in_short(settings)
    calibrated = f"; calibrated by {words['calibration']}" if "calibration" in words else ""
    return ", ".join(parts) + calibrated


def _holds(name: str, columns: Iterable[str], settings: Settings) -> bool:
    """Whether one of these columns has no value of its own for a setting."""
    return any(name not in settings.columns.get(column, {}) for column in columns)


def _texts_in_short(settings: Settings, schema: Schema) -> list[str]:
    """The settings of text columns: the event model, and what differs from the textbook."""
    found: list[str] = [settings.event] if _holds("event", schema.texts, settings) else []
    for name, setting in SETTINGS.items():
        value = getattr(settings, name)
        told = name in ("event", "smoothing", "unknown") or "text" not in setting.kinds
        if not told and value != setting.default and _holds(name, schema.texts, settings):
            found.append(_IN_SHORT[name](value) if name in _IN_SHORT else f"{shown_name(name)} {in_words(name, value)}")
    return found


def _own_in_short(settings: Settings) -> list[str]:
    """The settings of single columns that differ from those of all; always the event model."""
    return [f"{name}: {value}" for name, value, differs in _own_in_words(settings) if differs]


_QUIET = ("normalize", "calibration", "weighting", "idf", "ngrams", "stop_words")  # shown only if different
_IN_WORDS: dict[str, Callable[[Any], str]] = {
    "smoothing": smoothing_in_words,
    "prior": lambda prior: prior if isinstance(prior, str) else _pairs(prior),
    "decide": decision_in_words,
    "numeric": rule_name,
    "calibration": lambda rule: rule.name,
    "ngrams": lambda orders: "the analyzer's" if orders is None else _value("ngrams", orders),
    "stop_words": _few,
}
_IN_SHORT: dict[str, Callable[[Any], str]] = {
    "normalize": lambda _: "normalized",
    "idf": lambda _: "idf",
    "ngrams": lambda orders: f"n-grams {_value('ngrams', orders)}",
    "stop_words": lambda words: counted(len(words), "stop word"),
}

"""Models in words: their settings, their size, the terms that tell their labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from likelier._cli.output import GAP, LABEL_CELLS, Table, documents_in_words, plural, share, whole
from likelier._counts.term_counts import Counts
from likelier._documents.kinds import Numeric, Text
from likelier._documents.schema import Schema
from likelier._estimate.numeric import rule_name
from likelier._estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate, short
from likelier._show.cells import clean, left, paint, width, wrap

if TYPE_CHECKING:
    from likelier._counts.pruning import Pruned
    from likelier._documents.labels import Label
    from likelier._model.models import Model
    from likelier._model.view import View
    from likelier._settings.values import Settings
    from likelier._text.analyzer import Analyzer

TELLING = 8  # terms of each label that are shown
VALUE_CELLS = 28  # of a setting, up to which the remarks stand in a column
MOST_LABELS = 20  # in the summary of a training
NUMBERS = Schema({"": Numeric()})
FEW_WORDS = 5  # of a list of stop words that are shown
_USUAL = {"weighting": "count", "ngrams": "the analyzer's", "stop-words": "none"}  # shown only where they differ


def settings_in_words(settings: Settings, schema: Schema) -> dict[str, str]:
    """Each setting of a view by the name of its option; those of columns only where there are such columns."""
    words = {
        "event": settings.event,
        "smoothing": smoothing_in_words(settings.smoothing),
        "prior": settings.prior if isinstance(settings.prior, str) else _pairs(settings.prior),
        "unknown": settings.unknown,
        "min-count": short(settings.min_count),
        "decision": decision_in_words(settings.decide),
        "without-evidence": settings.without_evidence,
    }
    words |= {"normalize": "yes"} if settings.normalize else {}
    words |= _terms_in_words(settings)
    if has_numbers(schema):
        words["numbers"] = rule_name(settings.numeric)
    if not schema.is_plain:
        words["missing"] = settings.missing
    words |= {"calibration": settings.calibration.name} if settings.calibration.name != "none" else {}
    return words | dict(_own_in_words(settings))


def _terms_in_words(settings: Settings) -> dict[str, str]:
    """Which terms are read and how they are weighed, where it is not the textbook's way."""
    words: dict[str, str] = {"weighting": settings.weighting} if settings.weighting != "count" else {}
    words |= {"idf": "yes"} if settings.idf else {}
    words |= {"ngrams": _value("ngrams", settings.ngram_range)} if settings.ngram_range else {}
    return words | ({"stop-words": _few(settings.stop_words)} if settings.stop_words else {})


def _few(words: Sequence[str]) -> str:
    more = len(words) - FEW_WORDS
    return " ".join(words[:FEW_WORDS]) + (f" and {more:,} more" if more > 0 else "")


def has_numbers(schema: Schema) -> bool:
    """Whether there is a numeric column."""
    return any(isinstance(kind, Numeric) for kind in schema.columns.values())


def _own_in_words(settings: Settings) -> Iterator[tuple[str, str]]:
    """What holds for single columns."""
    for column, own in settings.columns.items():
        words = settings_in_words(settings.of_column(column), NUMBERS)
        for name in own:
            option = {"numeric": "numbers"}.get(name, name.replace("_", "-"))
            yield f"{option} of {column}", words.get(option, _USUAL.get(option, "no"))


def smoothing_in_words(rule: Any) -> str:
    """As `--smoothing` takes it."""
    match rule:
        case Additive(alpha):
            return f"additive:{short(alpha)}"
        case MEstimate(m, "background"):
            return f"dirichlet:{short(m)}"
        case MEstimate(m, "uniform"):
            return f"m-estimate:{short(m)}"
        case MEstimate(m, _):
            return f"m-estimate:{short(m)} with a table of its own"
        case JelinekMercer(weight):
            return f"jelinek-mercer:{short(weight)}"
        case AbsoluteDiscounting(discount):
            return f"absolute-discounting:{short(discount)}"
    return str(rule)


def decision_in_words(rule: Any) -> str:
    """Which label is taken."""
    from likelier._answer.decisions import LeastCost, Thresholds

    match rule:
        case Thresholds(at_least, otherwise):
            every = "every label" if len(at_least) == 1 else "every other label"
            limits = ", ".join(
                f"{every if label == '*' else label} from {short(limit)} on" for label, limit in at_least.items()
            )
            return f"{limits}; otherwise {'no label' if otherwise is None else otherwise}"
        case LeastCost(costs):
            return "least cost: " + ", ".join(
                f"{'no label' if decision is None else decision} for {truth} costs {short(cost)}"
                for decision, row in costs.items()
                for truth, cost in row.items()
            )
    return "most probable"


def _pairs(numbers: Mapping[Label, Any]) -> str:
    return ", ".join(f"{label}={short(number)}" for label, number in numbers.items())


def settings_lines(settings: Settings, schema: Schema, room: int, color: bool) -> list[str]:
    """The settings, and the textbook's where they differ: beside them, or below if there is no room."""
    from likelier._settings.values import Settings as Textbook

    usual = _USUAL | settings_in_words(Textbook(), schema) | {"normalize": "no", "idf": "no"}
    given = {clean(name): clean(value) for name, value in settings_in_words(settings, schema).items()}
    indent = max(map(len, given)) + len(GAP)
    cells = max((width(value) for value in given.values() if width(value) <= VALUE_CELLS), default=0)
    lines = [paint(f"{'setting':{indent}}value", "faint", color)]
    for name, value in given.items():
        remark = "" if usual.get(name, value) == value else f"(textbook: {usual[name]})"
        shown = [f"{left(value, cells)}{GAP}{remark}".rstrip()]
        if width(shown[0]) > room - indent:
            shown = wrap(value, room - indent) + wrap(remark, room - indent)
        lines += [f"{start:{indent}}{line}" for start, line in zip_longest([name], shown, fillvalue="")]
    return lines


def text_in_words(text: Text) -> str:
    """How text becomes terms, and what is counted of them beyond that."""
    more = [f"n-grams {_value('ngrams', text.counted)}"] if text.ngrams else []
    more += [f"weighting {text.weighting}"] if text.weighting else []
    return analyzer_in_words(text.analyzer) + (f"; counted too: {', '.join(more)}" if more else "")


def analyzer_in_words(analyzer: Analyzer) -> str:
    """How text becomes terms, by the names of the options."""
    from likelier._text.analyzer import Analyzer as Plain

    named = {"lowercase": "keep-case", "punctuation": "keep-punctuation", "words": "no-words"}
    words = []
    for setting in fields(analyzer):
        value = getattr(analyzer, setting.name)
        if value == getattr(Plain(), setting.name):
            continue
        name = named.get(setting.name, setting.name.replace("_", "-"))
        words.append(
            name if isinstance(value, bool) or setting.name in named else f"{name} {_value(setting.name, value)}"
        )
    return ", ".join(words) or "words in lower case"


def _value(name: str, value: Any) -> str:
    if name in ("ngrams", "char_ngrams"):
        return f"{value[0]}-{value[1]}" if value[0] != value[1] else str(value[0])
    if isinstance(value, tuple):
        return f"({len(value):,})"  # how many words
    return str(value)


def size_in_words(model: Model) -> str:
    """`240 documents, 6 labels, 910 terms, 2,900 tokens`, or `60 documents, 3 labels, 5 columns`."""
    size = f"{documents_in_words(model.documents)}, {plural(len(model.labels), 'label')}"
    if not isinstance(model.counts, Counts):
        return f"{size}, {plural(len(model.schema.columns), 'column')}"
    tokens = sum(model.counts.tokens_per_label.values())
    return (
        f"{size}, {plural(model.counts.vocabulary_size, 'term')},"
        f" {whole(tokens)} {'token' if tokens == 1 else 'tokens'}"
    )


def pruned_in_words(pruned: Pruned) -> str:
    """What a model has lost, and what can be relied on.

    >>> from likelier._counts.pruning import Pruned
    >>> pruned_in_words(Pruned(terms=12, tokens=15, bound=2))
    '12 terms with 15 tokens; counts may be too low by up to 2'
    """
    tokens = f"{whole(pruned.tokens)} {'token' if pruned.tokens == 1 else 'tokens'}"
    return f"{plural(pruned.terms, 'term')} with {tokens}; counts may be too low by up to {whole(pruned.bound)}"


def view_in_short(model: Model) -> str:
    """The settings that matter most, in one line; those of single columns after those of all."""
    settings, schema = model.settings, model.schema
    words = settings_in_words(settings, schema)
    parts = _texts_in_short(settings, schema)
    parts += [words["smoothing"], f"{words['prior']} prior"]
    parts += [f"unknown {'words' if schema.is_plain else 'values'}: {words['unknown']}"]
    numbers = [name for name, kind in schema.columns.items() if isinstance(kind, Numeric)]
    parts += [f"numbers: {words['numbers']}"] if _holds("numeric", numbers, settings) else []
    parts += _own_in_short(settings)
    calibrated = f"; calibrated by {words['calibration']}" if "calibration" in words else ""
    return ", ".join(parts) + calibrated


def _holds(name: str, columns: Iterable[str], settings: Settings) -> bool:
    """Whether a setting of the view holds for one of these columns: not all of them have their own."""
    return any(name not in settings.columns.get(column, {}) for column in columns)


def _texts_in_short(settings: Settings, schema: Schema) -> list[str]:
    """The settings of texts that hold for one of them: the event, and what is not the textbook's way."""
    words = {
        "event": settings.event,
        "normalize": "normalized" if settings.normalize else None,
        "weighting": f"weighting {settings.weighting}" if settings.weighting != "count" else None,
        "idf": "idf" if settings.idf else None,
        "ngrams": f"n-grams {_value('ngrams', settings.ngram_range)}" if settings.ngram_range else None,
        "stop_words": plural(len(settings.stop_words), "stop word") if settings.stop_words else None,
        "min_count": f"min-count {short(settings.min_count)}" if settings.min_count != 1 else None,
    }
    return [shown for name, shown in words.items() if shown and _holds(name, schema.texts, settings)]


def _own_in_short(settings: Settings) -> list[str]:
    """What holds for single columns, where it is not what holds for all; an event always."""
    every = settings_in_words(replace(settings, columns={}), NUMBERS)
    return [
        f"{name}: {value}"
        for name, value in _own_in_words(settings)
        if (option := name.partition(" of ")[0]) == "event" or value != every.get(option, _USUAL.get(option, "no"))
    ]


def labels_table(model: Model, view: View, most: int | None = None, top: int = TELLING) -> Table:
    """Each label with its documents, their share and what tells it from the others; the largest first.

    Of plain texts it has the tokens too.
    """
    documents = model.counts.documents_per_label
    total = sum(documents.values())
    shown = list(model.labels) if most is None else sorted(model.labels, key=lambda label: -documents[label])[:most]
    plain = isinstance(model.counts, Counts)
    tokens = model.counts.tokens_per_label if isinstance(model.counts, Counts) else {}
    rows = [
        (
            str(label),
            whole(documents[label]),
            share(float(documents[label] / total)) if total else "",
            *([whole(tokens[label])] if plain else []),
            [found.term for found in view.top_terms(label, top)],
        )
        for label in shown
    ]
    heading = ("label", "documents", "share", *(["tokens"] if plain else []))
    last = f"most telling {'terms' if plain else 'values'}"
    numbers, spare = range(1, len(heading)), tuple(range(len(heading) - 1, 1, -1))
    limits = ((0, LABEL_CELLS),)
    return Table(
        (*heading, last), rows, numbers=frozenset(numbers), limits=limits, spare=spare, height=1 if plain else 3
    )

"""Models in words: their settings, their size, the terms that tell their labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from likelier.cli.output import GAP, LABEL_CELLS, Table, documents_in_words, plural, share, whole
from likelier.estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate, short
from likelier.explain.cells import clean, left, paint, width, wrap

if TYPE_CHECKING:
    from likelier.counts.labels import Label
    from likelier.model import Model
    from likelier.settings import Settings
    from likelier.text.analyzer import Analyzer
    from likelier.view import View

TELLING = 8  # terms of each label that are shown
VALUE_CELLS = 28  # of a setting, up to which the remarks stand in a column
MOST_LABELS = 20  # in the summary of a training


def settings_in_words(settings: Settings) -> dict[str, str]:
    """Each setting of a view by the name of its option."""
    words = {
        "event": settings.event,
        "smoothing": smoothing_in_words(settings.smoothing),
        "prior": settings.prior if isinstance(settings.prior, str) else _pairs(settings.prior),
        "unknown": settings.unknown,
        "min-count": short(settings.min_count),
        "decision": decision_in_words(settings.decide),
        "without-evidence": settings.without_evidence,
    }
    return words | ({"normalize": "yes"} if settings.normalize else {})


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
    from likelier.decide import LeastCost, Thresholds

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


def settings_lines(settings: Settings, room: int, color: bool) -> list[str]:
    """The settings, and the textbook's where they differ: beside them, or below if there is no room."""
    from likelier.settings import Settings as Textbook

    usual = settings_in_words(Textbook()) | {"normalize": "no"}
    given = {name: clean(value) for name, value in settings_in_words(settings).items()}
    indent = max(map(len, given)) + len(GAP)
    cells = max((width(value) for value in given.values() if width(value) <= VALUE_CELLS), default=0)
    lines = [paint(f"{'setting':{indent}}value", "faint", color)]
    for name, value in given.items():
        remark = "" if usual[name] == value else f"(textbook: {usual[name]})"
        shown = [f"{left(value, cells)}{GAP}{remark}".rstrip()]
        if width(shown[0]) > room - indent:
            shown = wrap(value, room - indent) + wrap(remark, room - indent)
        lines += [f"{start:{indent}}{line}" for start, line in zip_longest([name], shown, fillvalue="")]
    return lines


def analyzer_in_words(analyzer: Analyzer) -> str:
    """How text becomes terms, by the names of the options."""
    from likelier.text.analyzer import Analyzer as Plain

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
    """`240 documents, 6 labels, 910 terms, 2,900 tokens`."""
    tokens = sum(model.counts.tokens_per_label.values())
    return (
        f"{documents_in_words(model.documents)}, {plural(len(model.labels), 'label')},"
        f" {plural(model.counts.vocabulary_size, 'term')}, {whole(tokens)} {'token' if tokens == 1 else 'tokens'}"
    )


def labels_table(model: Model, view: View, most: int | None = None, top: int = TELLING) -> Table:
    """Each label with its documents, their share, its tokens and its most telling terms; the largest first."""
    documents, tokens = model.counts.documents_per_label, model.counts.tokens_per_label
    total = sum(documents.values())
    shown = list(model.labels) if most is None else sorted(model.labels, key=lambda label: -documents[label])[:most]
    rows = [
        (
            str(label),
            whole(documents[label]),
            share(float(documents[label] / total)) if total else "",
            whole(tokens[label]),
            ", ".join(found.term for found in view.top_terms(label, top)),
        )
        for label in shown
    ]
    heading = ("label", "documents", "share", "tokens", "most telling terms")
    return Table(heading, rows, numbers=frozenset({1, 2, 3}), limits=((0, LABEL_CELLS),), spare=(3, 2))

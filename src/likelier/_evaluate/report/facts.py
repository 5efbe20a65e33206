"""How it was judged, the settings of the view, and the model, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from likelier._base.version import VERSION
from likelier._counts.term_counts import Counts
from likelier._estimate.smoothing import short
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.report.tables import framed, section
from likelier._evaluate.report.words import counted, number
from likelier._settings.values import Settings
from likelier._show.html_words import LONGEST_NAME, apart
from likelier._text.analyzer import Analyzer

LONGEST = 300
MOST_ENTRIES = 12
LONGEST_PART = 160


def facts(evaluation: Evaluation, date: str | None) -> str:
    """The part of the page."""
    rows = [[apart(name, LONGEST_NAME), apart(value, LONGEST)] for name, value in _facts(evaluation, date)]
    table = framed("The evaluation and the model", ["fact", "value"], rows, name="facts")
    return section("facts", "How this was made", table, _settings(evaluation))


def _facts(evaluation: Evaluation, date: str | None) -> Iterator[tuple[str, str]]:
    counts, schema = evaluation.view.counts, evaluation.view.schema
    yield "judged by", evaluation.how
    yield "documents judged", f"{len(evaluation):,}" + ("" if evaluation.weights is None else ", with weights")
    if evaluation.folds is not None:
        yield "folds", str(int(evaluation.folds.max()) + 1)
    yield "documents learnt", number(float(sum(counts.documents_per_label.values())))
    yield "labels", f"{len(counts.labels):,}"
    if isinstance(counts, Counts):
        tokens = sum(counts.tokens_per_label.values())
        yield "vocabulary", f"{counted(counts.vocabulary_size, 'term')}, {counted(float(tokens), 'token')}"
        yield "text", _analysis(evaluation.view.analyzer)
    else:
        for name, column in schema.columns.items():
            kind = type(column).__name__.lower()
            analyzer = getattr(column, "analyzer", None)
            yield f"column {name}", kind if analyzer is None else f"{kind}: {_analysis(analyzer)}"
    if date is not None:
        yield "date", date
    yield "made with", f"likelier {VERSION}"


def _analysis(analyzer: Analyzer) -> str:
    usual = Analyzer()
    changed = [one.name for one in fields(analyzer) if getattr(analyzer, one.name) != getattr(usual, one.name)]
    words = [f"{name.replace('_', ' ')} {in_words(getattr(analyzer, name))}" for name in changed]
    return ", ".join(words) or "words in lower case"


def _settings(evaluation: Evaluation) -> str:
    """Every setting; those of columns only where there are columns."""
    settings, usual = evaluation.view.settings, Settings()
    rows = []
    for one in fields(settings):
        value, textbook = getattr(settings, one.name), getattr(usual, one.name)
        if value == textbook and evaluation.view.schema.is_plain and one.name in ("numeric", "missing", "columns"):
            continue
        if one.name == "columns" and not value:
            continue
        mark = "" if value == textbook else in_words(textbook)
        rows.append([one.name.replace("_", " "), apart(in_words(value), LONGEST), mark])
    heading = ["setting", "value", "in the textbook"]
    if not any(mark for *_, mark in rows):
        heading, rows = heading[:2], [row[:2] for row in rows]
    return framed("Settings of the view", heading, rows, name="facts")


def in_words(value: Any) -> str:
    """Any setting as a person reads it.

    >>> from likelier._estimate.smoothing import AbsoluteDiscounting, Additive
    >>> in_words(Additive(0.5)), in_words({"ham": 0.25}), in_words((1, 2)), in_words(True), in_words(None)
    ('additive (alpha 0.5)', 'ham 0.25', '1, 2', 'yes', 'none')
    """
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, Fraction | int | float):
        return f"{value:.6g}" if isinstance(value, float) else short(value)
    if is_dataclass(value) and not isinstance(value, type):
        return _rule_in_words(value)
    if isinstance(value, Mapping):
        entries = [f"{'no label' if name is None else name} {in_words(each)}" for name, each in value.items()]
    elif isinstance(value, list | tuple | set | frozenset):
        entries = sorted(map(in_words, value)) if isinstance(value, set | frozenset) else list(map(in_words, value))
    else:
        return str(value)
    more = [f"and {len(entries) - MOST_ENTRIES:,} more"] if len(entries) > MOST_ENTRIES else []
    return ", ".join([*entries[:MOST_ENTRIES], *more]) or "none"


def _rule_in_words(rule: Any) -> str:
    """A rule with its numbers; a table of numbers is left out."""
    name = re.sub(r"(?<=.)(?=[A-Z][a-z])", " ", type(rule).__name__).lower()
    parts = [f"{one.name.replace('_', ' ')} {in_words(getattr(rule, one.name))}" for one in fields(rule) if one.init]
    kept = [part for part in parts if len(part) <= LONGEST_PART]
    return f"{name} ({', '.join(kept)})" if kept else name

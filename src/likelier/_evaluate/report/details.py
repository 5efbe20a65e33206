"""Parts of the page about the model and single documents: telling terms, mistakes, likely label errors, settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from likelier._base.version import VERSION
from likelier._estimate.smoothing import short
from likelier._evaluate.evaluation import Evaluation, Mistake
from likelier._evaluate.figures.rendering import counted, number
from likelier._evaluate.report.elements import html_table, note, percent, section
from likelier._evaluate.report.quality import in_order
from likelier._explain.explanation import Explanation, Located
from likelier._settings.values import Settings
from likelier._show.html_words import LONGEST_NAME, SECTION_STYLE, apart, cut, named, shown
from likelier._text.analyzer import Analyzer

MOST_LABELS, TERMS = 150, 12
MISTAKES, ERRORS = 10, 25
SURE = 0.9  # from which probability on a label may be wrong
MOST_TRIED = 500
MOST_ENTRIES = 12
LONGEST_TERM, LONGEST_PLACE, LONGEST_PART, LONGEST_EXCERPT = 40, 60, 160, 180
LONGEST_TRIED, LONGEST_FACT, LONGEST_TEXT = 200, 300, 2000


# ---- terms -------------------------------------------------------------------------------------------------------


def terms(evaluation: Evaluation) -> str:
    """The terms and values by which each label is recognized."""
    view, known = evaluation.view, set(evaluation.view.labels)
    labels = [evaluation.labels[index] for index in in_order(evaluation.figures, MOST_LABELS)]
    rows = []
    for label in (label for label in labels if label in known):
        top = (apart(each.term, LONGEST_TERM) for each in view.top_terms(label, TERMS))
        rows.append([named(label), " ".join(f'<span class="term">{term}</span>' for term in top)])
    if len(known) < 2 or not any(top for _, top in rows):
        return ""
    what = "terms" if view.schema.is_plain else "terms and values"
    more = len(evaluation.labels) - len(labels)
    return section(
        "terms",
        "What the labels are recognized by",
        note(f"The {what} that tell a label from the others, the most telling first."),
        html_table(f"Most telling {what}", ["label", what], rows, name="terms"),
        note(f"{more:,} more labels are left out." if more else ""),
    )


# ---- mistakes ----------------------------------------------------------------------------------------------------


def mistakes(found: Sequence[Mistake]) -> str:
    """The most confident mistakes, each with its explanation folded away."""
    remark = note("Open one to see which words led to it. Each was judged by a model that had not learned it.")
    return section(
        "mistakes",
        "The most confident mistakes",
        remark if found else "<p>There is no document with a wrong label.</p>",
        *(_folded(place, mistake) for place, mistake in enumerate(found, start=1)),
    )


def _folded(place: int, mistake: Mistake) -> str:
    explained = _explained(mistake).to_html().replace(f"<style>{SECTION_STYLE}</style>\n", "", 1)  # the page has it
    true, decided = named(mistake.label), named(mistake.verdict.label)
    return "\n".join(
        [
            '<details class="mistake">',
            f"<summary><strong>{true}</strong> taken for <strong>{decided}</strong>,"
            f" {percent(mistake.verdict.probability)} sure"
            f' <span class="where">{apart(mistake.where, LONGEST_PLACE)}</span>'
            f' <span class="excerpt" dir="auto">{_excerpt(mistake.explanation)}</span></summary>',
            f'<div id="mistake-{place}">',  # within: a link to it opens it
            explained,
            "</div>",
            "</details>",
        ]
    )


def _explained(mistake: Mistake) -> Explanation:
    """The explanation with long texts cut, and the probabilities that were judged, which calibration may have changed.

    The sums stay those of the whole text.
    """
    found = mistake.explanation
    same = found.verdict.log_scores.keys() == mistake.verdict.log_scores.keys()
    texts = {column: _cut_text(each) for column, each in found.texts.items()}
    return replace(found, verdict=mistake.verdict if same else found.verdict, texts=texts)


def _cut_text(located: Located) -> Located:
    text, spans = located
    if len(text) <= LONGEST_TEXT:
        return located
    kept = f"{text[:LONGEST_TEXT]}…"
    # Terms behind the cut stand at the end and color nothing, but they still count as occurrences.
    return kept, [
        (term, start, min(end, LONGEST_TEXT)) if start < LONGEST_TEXT else (term, len(kept), len(kept))
        for term, start, end in spans
    ]


def _excerpt(explanation: Explanation) -> str:
    """The beginning of the text, or of the columns."""
    if explanation.is_plain:
        return shown(cut(explanation.text, LONGEST_EXCERPT))
    values = {name: value for name, value in explanation.document.items() if value is not None}
    parts = [
        f"{name}: {f'{value:.12g}' if isinstance(value, float) else cut(str(value), LONGEST_EXCERPT)}"
        for name, value in values.items()
    ]
    return shown(cut("; ".join(parts), LONGEST_EXCERPT))


def label_errors(evaluation: Evaluation, explained: Sequence[Mistake]) -> str:
    """Documents whose label may be wrong; `explained`: the mistakes that are shown above."""
    many, sure = len(evaluation.figures.label_errors(SURE)), f"{SURE * 100:g}&nbsp;%"
    above = {mistake.row: (place, mistake) for place, mistake in enumerate(explained, start=1)}
    found = [above.get(one.row, (None, one)) for one in evaluation.label_errors(ERRORS, at_least=SURE)]
    first = f" Here are the first {len(found)}." if many > len(found) else ""
    verb, whose = ("has", "Its label") if many == 1 else ("have", "Their labels")
    remark = note(f"{counted(many)} {verb} another verdict with {sure} or more. {whose} may be wrong.{first}")
    entries = ['<ol class="errors">', *(_entry(mistake, place) for place, mistake in found), "</ol>"]
    parts = [remark, *entries] if many else [f"<p>No verdict is another label with {sure} or more.</p>"]
    return section("label-errors", "Labels that may be wrong", *parts)


def _entry(mistake: Mistake, place: int | None) -> str:
    where = apart(mistake.where, LONGEST_PLACE)
    link = where if place is None else f'<a href="#mistake-{place}">{where}</a>'
    return (
        f"<li><strong>{named(mistake.label)}</strong>, by its verdict"
        f" <strong>{named(mistake.verdict.label)}</strong> ({percent(mistake.verdict.probability)} sure)"
        f' <span class="where">{link}</span>\n<p class="excerpt" dir="auto">{_excerpt(mistake.explanation)}</p></li>'
    )


# ---- settings that were tried ------------------------------------------------------------------------------------


class TriedRow(NamedTuple):
    """Settings that were tried before these were chosen.

    settings  in words
    figure    what they reached; a number is shown with four decimals
    chosen    whether they are the ones of this evaluation
    """

    settings: str
    figure: float | str
    chosen: bool = False


def tried(rows: Sequence[TriedRow | tuple[str, float | str, bool]], by: str) -> str:
    """The settings that were tried; nothing where none were."""
    if not rows:
        return ""
    lines = []
    for each in (TriedRow(*row) for row in rows[:MOST_TRIED]):
        text, figure = apart(each.settings, LONGEST_TRIED), each.figure
        reached = shown(cut(figure, LONGEST_TRIED)) if isinstance(figure, str) else f"{figure:.4f}"
        lines.append([f"<strong>{text}</strong>", reached, "chosen"] if each.chosen else [text, reached, ""])
    heading = ["settings", shown(by), '<span class="unseen">choice</span>']
    table = html_table("Settings and what they reached", heading, lines, numbers=(1,), name="tried")
    more = f"<p>{len(rows) - MOST_TRIED:,} more are left out.</p>" if len(rows) > MOST_TRIED else ""
    return section("tried", "Settings that were tried", table, more)


# ---- how it was made ---------------------------------------------------------------------------------------------


def facts(evaluation: Evaluation, date: str | None) -> str:
    """How it was judged, the model, and the settings of the view."""
    rows = [[apart(name, LONGEST_NAME), apart(value, LONGEST_FACT)] for name, value in _facts(evaluation, date)]
    table = html_table("The evaluation and the model", ["fact", "value"], rows, name="facts")
    return section("facts", "How this was made", table, _settings(evaluation))


def _facts(evaluation: Evaluation, date: str | None) -> Iterator[tuple[str, str]]:
    counts, schema = evaluation.view.counts, evaluation.view.schema
    yield "judged by", evaluation.how
    yield "documents judged", f"{len(evaluation):,}" + ("" if evaluation.weights is None else ", with weights")
    if evaluation.folds is not None:
        yield "folds", str(int(evaluation.folds.max()) + 1)
    yield "documents learned", number(float(sum(counts.documents_per_label.values())))
    yield "labels", f"{len(counts.labels):,}"
    if schema.is_plain:
        tokens = sum(counts.tokens_per_label.values())
        yield "vocabulary", f"{counted(counts.vocabulary_size, 'term')}, {counted(float(tokens), 'token')}"
        yield "text", _analysis(evaluation.view.analyzer)
    else:
        for name, column in schema.columns.items():
            kind, analyzer = column.name, getattr(column, "analyzer", None)
            yield f"column {name}", kind if analyzer is None else f"{kind}: {_analysis(analyzer)}"
    if date is not None:
        yield "date", date
    yield "made with", f"likelier {VERSION}"


def _analysis(analyzer: Analyzer) -> str:
    values = {one.name: getattr(analyzer, one.name) for one in fields(analyzer)}
    changed = {name: value for name, value in values.items() if value != getattr(Analyzer(), name)}
    return ", ".join(f"{name.replace('_', ' ')} {in_words(value)}" for name, value in changed.items()) or (
        "words in lower case"
    )


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
        rows.append([one.name.replace("_", " "), apart(in_words(value), LONGEST_FACT), mark])
    heading = ["setting", "value", "in the textbook"]
    if not any(mark for *_, mark in rows):
        heading, rows = heading[:2], [row[:2] for row in rows]
    return html_table("Settings of the view", heading, rows, name="facts")


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

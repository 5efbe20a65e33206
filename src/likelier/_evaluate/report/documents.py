"""Documents to look at: the most confident mistakes with their explanations, and labels that may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from likelier._evaluate.evaluation import Evaluation, Mistake
from likelier._evaluate.report.tables import note, section
from likelier._evaluate.report.words import LONGEST_EXCERPT, counted, percent
from likelier._explain.explanation import Explanation, Located
from likelier._show.html_words import STYLE, apart, cut, named, shown

MISTAKES, ERRORS = 10, 25
SURE = 0.9  # from which on a label may be wrong
LONGEST_TEXT = 2000
LONGEST_PLACE = 60


def mistakes(found: Sequence[Mistake]) -> str:
    """The part of the page with the most confident mistakes, each with its explanation folded away."""
    if not found:
        return section("mistakes", "The most confident mistakes", "<p>There is no document with a wrong label.</p>")
    return section(
        "mistakes",
        "The most confident mistakes",
        note("Open one to see which words led to it. Each was judged by a model that had not learnt it."),
        *(_folded(place, mistake) for place, mistake in enumerate(found, start=1)),
    )


def _folded(place: int, mistake: Mistake) -> str:
    explained = _cut(_explained(mistake)).to_html().replace(f"<style>{STYLE}</style>\n", "", 1)  # the page has it
    return "\n".join(
        [
            '<details class="mistake">',
            f"<summary>{_taken(mistake)}, {percent(mistake.verdict.probability)} sure"
            f' <span class="where">{apart(mistake.where, LONGEST_PLACE)}</span>'
            f' <span class="excerpt" dir="auto">{_excerpt(mistake.explanation)}</span></summary>',
            f'<div id="mistake-{place}">',  # within: a link to it opens it
            explained,
            "</div>",
            "</details>",
        ]
    )


def _explained(mistake: Mistake) -> Explanation:
    """The explanation with the probabilities that were judged, which calibration may have changed."""
    found = mistake.explanation
    same = found.verdict.log_scores.keys() == mistake.verdict.log_scores.keys()
    return replace(found, verdict=mistake.verdict) if same else found


def _taken(mistake: Mistake) -> str:
    return f"<strong>{named(mistake.label)}</strong> taken for <strong>{named(mistake.verdict.label)}</strong>"


def label_errors(evaluation: Evaluation, explained: Sequence[Mistake]) -> str:
    """The part of the page with documents whose label may be wrong; `explained`: those that are shown above."""
    number = len(evaluation.figures.label_errors(SURE))
    heading = "Labels that may be wrong"
    if not number:
        return section(
            "label-errors", heading, f"<p>No verdict is another label with {SURE * 100:g}&nbsp;% or more.</p>"
        )
    places = {mistake.row: place for place, mistake in enumerate(explained, start=1)}
    known = {mistake.row: mistake for mistake in explained}
    found = [known.get(one.row, one) for one in evaluation.label_errors(ERRORS, at_least=SURE)]
    first = f" Here are the first {len(found)}." if number > len(found) else ""
    return section(
        "label-errors",
        heading,
        note(
            f"{counted(number)} {'has' if number == 1 else 'have'} another verdict with {SURE * 100:g}&nbsp;% or more."
            f" Whoever labelled them may have been wrong: look at the first ones.{first}"
        ),
        '<ol class="errors">',
        *(_entry(mistake, places.get(mistake.row)) for mistake in found),
        "</ol>",
    )


def _entry(mistake: Mistake, place: int | None) -> str:
    where = apart(mistake.where, LONGEST_PLACE)
    link = where if place is None else f'<a href="#mistake-{place}">{where}</a>'
    return "\n".join(
        [
            f"<li><strong>{named(mistake.label)}</strong>, by its verdict"
            f" <strong>{named(mistake.verdict.label)}</strong> ({percent(mistake.verdict.probability)} sure)"
            f' <span class="where">{link}</span>',
            f'<p class="excerpt" dir="auto">{_excerpt(mistake.explanation)}</p></li>',
        ]
    )


def _excerpt(explanation: Explanation) -> str:
    """The beginning of the text, or of the columns."""
    if explanation.is_plain:
        return shown(cut(explanation.text, LONGEST_EXCERPT))
    parts = [f"{name}: {_value(value)}" for name, value in explanation.document.items() if value is not None]
    return shown(cut("; ".join(parts), LONGEST_EXCERPT))


def _value(value: str | float | None) -> str:
    return f"{value:.12g}" if isinstance(value, float) else cut(str(value), LONGEST_EXCERPT)


# ---- long texts --------------------------------------------------------------------------------------------------


def _cut(explanation: Explanation) -> Explanation:
    """The same with long texts cut; the sums stay those of the whole."""
    return replace(explanation, texts={column: _cut_text(each) for column, each in explanation.texts.items()})


def _cut_text(located: Located) -> Located:
    text, spans = located
    if len(text) <= LONGEST_TEXT:
        return located
    kept = f"{text[:LONGEST_TEXT]}…"
    # Terms behind the cut stand at the end and colour nothing, but they still count as occurrences.
    return kept, [
        (term, start, min(end, LONGEST_TEXT)) if start < LONGEST_TEXT else (term, len(kept), len(kept))
        for term, start, end in spans
    ]

"""What tells each label from the others: the terms and values by which it is recognised."""

from __future__ import annotations

from likelier._documents.labels import Label
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.report.labels import in_order
from likelier._evaluate.report.tables import framed, note, section
from likelier._model.view import View
from likelier._show.html_words import apart, named

MOST_LABELS = 150
TERMS = 12
LONGEST_TERM = 40


def terms(evaluation: Evaluation) -> str:
    """The part of the page."""
    view, known = evaluation.view, set(evaluation.view.labels)
    labels = [evaluation.labels[column] for column in in_order(evaluation.figures, MOST_LABELS)]
    rows = [[named(label), _telling(view, label)] for label in labels if label in known]
    if len(known) < 2 or not any(shown for _, shown in rows):
        return ""
    what = "terms" if view.schema.is_plain else "terms and values"
    more = len(evaluation.labels) - len(labels)
    return section(
        "terms",
        "What the labels are recognised by",
        note(f"The {what} that tell a label from the others, the most telling first."),
        framed(f"Most telling {what}", ["label", what], rows, name="terms"),
        note(f"{more:,} more labels are left out." if more else ""),
    )


def _telling(view: View, label: Label) -> str:
    found = view.top_terms(label, TERMS)
    return " ".join(f'<span class="term">{apart(each.term, LONGEST_TERM)}</span>' for each in found)

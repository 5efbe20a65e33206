"""Models and views as a notebook shows them: their size, their labels with what tells them apart, their settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from likelier._base.errors import LikelierError
from likelier._counts.in_words import MOST_LABELS, labels_table, pruned_in_words, size_in_words, title
from likelier._settings.in_words import settings_rows, text_in_words, view_in_short
from likelier._show.html_words import in_section
from likelier._show.table import Cell, Table

if TYPE_CHECKING:
    from likelier._documents.schema import Schema
    from likelier._model.models import Model
    from likelier._model.view import View

EMPTY = "It has learned nothing yet. learn() and learn_many() teach it."


def model_html(model: Model) -> str:
    """The size of a model, its labels, how it reads text, its settings and how they were chosen."""
    chosen = model.selection
    facts = [
        *_columns(model.schema),
        ("settings", view_in_short(model.settings, model.schema)),
        *([("choice", chosen.why)] if chosen is not None else []),
        *([("note", chosen.note)] if chosen is not None and chosen.note else []),
        *([("refined", str(model.layer))] if model.layer is not None else []),
        *([("dropped", pruned_in_words(model.pruned))] if model.pruned is not None else []),
    ]
    try:
        labels = labels_table(model.counts, model.view().top_terms, MOST_LABELS) if model.labels else None
    except LikelierError as problem:  # counts that the stored view cannot read
        labels = labels_table(model.counts, most=MOST_LABELS)
        facts.append(("note", problem.message))
    return in_section(title("Model", size_in_words(model.counts)), _labels(labels), _facts(facts))


def view_html(view: View) -> str:
    """The labels with their priors, and every setting."""
    counts = view.counts
    rows = settings_rows(view.settings, view.schema)
    heading = ("setting", "value", "textbook")[: 3 if any(usual for _, _, usual in rows) else 2]
    settings = Table(heading, [[name, *map(_flowing, rest)][: len(heading)] for name, *rest in rows])
    labels = None
    if counts.labels:
        labels = labels_table(counts, view.top_terms, MOST_LABELS, prior=lambda label: float(view.prior(label)))
    parts = [_facts(_columns(view.schema)), settings.to_html()]
    return in_section(title("View", f"on {size_in_words(counts)}"), _labels(labels), *parts)


def _columns(schema: Schema) -> list[tuple[str, str]]:
    if schema.is_plain:
        return [("words", text_in_words(schema.only_text))]
    return [("columns", schema.in_words())]


def _labels(table: Table | None) -> str:
    return f'<p class="note">{EMPTY}</p>' if table is None else f'<div class="wide">{table.to_html()}</div>'


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    rows = [(name, _flowing(value)) for name, value in facts]
    return Table((), rows).to_html() if rows else ""


def _flowing(text: str) -> Cell:
    """A cell whose text may take several lines."""
    return Cell(text, attributes='class="flowing"')

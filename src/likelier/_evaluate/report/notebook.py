"""An evaluation as a notebook shows it: the figures, which label is taken for which, and label by label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likelier._counts.in_words import title
from likelier._evaluate.figures.rendering import labels_table, summary_rows
from likelier._evaluate.report.quality import confusion_parts
from likelier._show.html_words import in_section
from likelier._show.table import Cell, Table
from likelier._show.words import counted

if TYPE_CHECKING:
    from likelier._evaluate.evaluation import Evaluation

MOST_MISTAKES = 20  # kinds of mistakes


def evaluation_html(evaluation: Evaluation) -> str:
    """The main figures with remarks, the confusion matrix, and the rates of each label."""
    figures = evaluation.figures
    rows = [(name, value, Cell(remark, attributes='class="flowing"')) for name, value, remark in summary_rows(figures)]
    return in_section(
        title("Evaluation", f"{counted(len(evaluation), 'document')}, {evaluation.how}"),
        Table((), rows, {1}).to_html(),
        *confusion_parts(figures, MOST_MISTAKES),
        f'<div class="wide">{labels_table(figures).to_html()}</div>',
    )

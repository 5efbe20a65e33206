"""How well one label is found among all documents: precision-recall and ROC curves."""

from __future__ import annotations

from collections.abc import Sequence

from likelier._evaluate.figures.curves import LabelCurves
from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.figures.plain import largest
from likelier._evaluate.report.charts import Words, curves, key, side_by_side
from likelier._evaluate.report.tables import framed, note, section
from likelier._evaluate.report.words import NOTHING, counted, number
from likelier._show.html_words import named

MOST_CURVES = 6
MEANING = (
    "Each curve goes through all thresholds from which on a label could be given."
    " Precision-recall: how pure the finds stay while more and more of the label's documents are found;"
    " the nearer to the upper right corner, the better."
    " ROC: how many of the label's documents are found against how many others are taken along;"
    " the nearer to the upper left corner, the better; the dashed line is chance."
)


def finding(figures: Figures) -> str:
    """The part of the page; nothing where no curve is defined."""
    drawn = [figures.curves(figures.labels[column]) for column in largest(figures, MOST_CURVES)]
    found = [each for each in drawn if each.precision_recall.area is not None and each.roc.area is not None]
    if not found:
        return ""
    few = f" Drawn are the {len(found)} labels with the most documents." if len(figures.labels) > len(found) else ""
    charts = {"Precision-recall": _precision_recall(found), "ROC": _roc(found)}
    return section(
        "finding", "Finding one label", side_by_side(charts), _areas(figures, found), note(f"{MEANING}{few}")
    )


def _precision_recall(found: Sequence[LabelCurves]) -> str:
    words = Words(
        "precision-recall",
        "Precision-recall curves",
        f"Precision against recall for {counted(len(found), 'label')}; the areas are in the table below.",
        "recall, %",
        "precision, %",
    )
    return curves(words, [each.precision_recall for each in found], even=False)


def _roc(found: Sequence[LabelCurves]) -> str:
    words = Words(
        "roc",
        "ROC curves",
        "Recall against the share of other documents that are taken along,"
        f" for {counted(len(found), 'label')}; the areas are in the table below.",
        "others taken along, %",
        "recall, %",
    )
    return curves(words, [each.roc for each in found], even=True)


def _areas(figures: Figures, found: Sequence[LabelCurves]) -> str:
    support = dict(zip(figures.labels, figures.per_label.support.tolist(), strict=True))
    rows = [
        [
            f"{key(place)} {named(each.label)}",
            number(support[each.label]),
            area(each.precision_recall.area),
            area(each.roc.area),
        ]
        for place, each in enumerate(found, start=1)
    ]
    heading = ["label", "documents", "precision-recall area", "ROC area"]
    return framed("Areas under the curves; 1 is perfect", heading, rows, numbers={1, 2, 3})


def area(value: float | None) -> str:
    """An area, which is not 1 where it is only near to it.

    >>> area(0.9996), area(0.97), area(1.0), area(None)
    ('&gt;0.999', '0.970', '1', '–')
    """
    if value is None:
        return NOTHING
    return "1" if value == 1 else "&gt;0.999" if value > 0.9995 else f"{value:.3f}"

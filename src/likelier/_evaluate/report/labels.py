"""Precision and recall, label by label."""

from __future__ import annotations

from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.figures.per_label import Rates
from likelier._evaluate.report.confusion import FEW
from likelier._evaluate.report.finding import area
from likelier._evaluate.report.tables import Cells, bar, framed, note, section
from likelier._evaluate.report.words import number
from likelier._show.html_words import named
from likelier._show.table import Cell

MOST_ROWS = 300
MEANING = (
    "Precision: of the documents that were given the label, how many have it."
    " Recall: of the documents that have it, how many were given it."
    " F1 is the mean of both that punishes the lower one."
    " ROC area: how often a document with the label is more probable to have it than one without."
)


def in_order(figures: Figures, most: int) -> list[int]:
    """The columns of at most so many labels: a few in order of their names, many with the largest first."""
    support = figures.per_label.support
    by_size = (-support).argsort(kind="stable").tolist()
    return list(range(len(support))) if len(support) <= FEW else by_size[:most]


def labels(figures: Figures) -> str:
    """The part of the page."""
    found, shown = figures.per_label, in_order(figures, MOST_ROWS)
    rows = [_row(figures, column) for column in shown]
    rest = sorted(set(range(len(figures.labels))) - set(shown))
    if rest:
        sums = (number(float(found.support[rest].sum())), number(float(found.decided[rest].sum())))
        rows.append([f"<em>{len(rest):,} more labels, together</em>", *sums, *_rates(found.rates(rest)), ""])
    averages = {"mean over labels": found.macro(), "mean by documents": found.weighted(), "all together": found.micro()}
    foot: list[Cells] = [
        [name, "", "", *_rates(rates), ""] for name, rates in averages.items() if len(figures.labels) > 1
    ]
    table = framed(
        "How well each label is found",
        ["label", "documents", "given it", "precision", "recall", "F1", "ROC area"],
        rows,
        numbers=range(1, 7),
        foot=foot,
    )
    return section("labels", "Label by label", note(MEANING), table)


def _row(figures: Figures, column: int) -> list[str | Cell]:
    one = figures.per_label.one(column)
    return [
        named(one.label),
        number(one.support),
        number(one.decided),
        *_rates(Rates(one.precision, one.recall, one.f)),
        area(figures.area(one.label)),
    ]


def _rates(rates: Rates) -> list[Cell]:
    return [bar(share) for share in rates]

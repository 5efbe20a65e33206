"""Parts of the page about the figures: the confusion matrix, label by label, calibration, and curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likelier._evaluate.figures.arrays import Floats
from likelier._evaluate.figures.curves import LabelCurves
from likelier._evaluate.figures.losses import Reliability
from likelier._evaluate.figures.metrics import Figures
from likelier._evaluate.figures.rendering import counted, number
from likelier._evaluate.report.elements import (
    Caption,
    Cells,
    area,
    bar,
    curves_chart,
    html_table,
    line_key,
    note,
    percent,
    points,
    reliability_chart,
    section,
    side_by_side,
)
from likelier._show.html_words import named
from likelier._show.table import Cell

FEW = 12  # labels, up to which there is a matrix
MOST_CELLS = 100
MOST_LABELS = 300
MOST_CURVES = 6
UNKNOWN = "label not seen in training"

RATES_NOTE = (
    "Precision: of the documents that were given the label, how many have it."
    " Recall: of the documents that have it, how many were given it."
    " F1: the harmonic mean of both, which is closer to the lower one."
    " ROC area: how often a document with the label is more probable to have it than one without."
)
CALIBRATION_NOTE = (
    "A point on the dashed line is calibrated: of documents with a probability of 90&nbsp;%, 90&nbsp;% are right."
    " Below the line the model is overconfident, above it underconfident. The bars below show how many documents"
    " each point stands for; the vertical lines are confidence intervals."
)
FITTED_NOTE = (
    "If the calibration was fitted on these same documents, the figures after it are a little too good."
    " For unbiased figures, evaluate on documents that neither the model nor the calibration has seen."
)
CURVES_NOTE = (
    "Each curve shows one label at all thresholds for its probability."
    " Precision-recall: how precision falls as more of the label's documents are found;"
    " the nearer to the upper right corner, the better."
    " ROC: recall against the false positive rate, the share of other documents that are given the label;"
    " the nearer to the upper left corner, the better; the dashed line is chance."
)


# ---- confusion ---------------------------------------------------------------------------------------------------


def confusion(figures: Figures) -> str:
    """Which label is taken for which: a matrix of few labels, the most frequent mistakes of many."""
    return section("confusion", "Which label is taken for which", *confusion_parts(figures))


def confusion_parts(figures: Figures, most: int = MOST_CELLS) -> list[str]:
    """The same without the heading; most: kinds of mistakes."""
    return _matrix(figures) if len(figures.labels) <= FEW else _pairs(figures, most)


def _matrix(figures: Figures) -> list[str]:
    matrix = figures.confusion.matrix
    names = [named(label) for label in figures.labels]
    true = [*names, f"<em>{UNKNOWN}</em>"][: len(names) + bool(matrix[-1].any())]
    decided = [*names, "<em>no label</em>"][: len(names) + bool(matrix[:, -1].any())]
    rights = [*range(len(names)), None]  # a label that was not seen is always a mistake
    rows = [[name, *_cells(matrix[row, : len(decided)], rights[row])] for row, name in enumerate(true)]
    return [
        note("Blue: right. Orange: mistakes. The stronger the color, the larger the share of the row."),
        html_table(
            "Confusion matrix: a row for each true label, a column for each decided label",
            ["true ↓ &nbsp; decided →", *decided, "all"],
            rows,
            numbers=range(1, len(decided) + 2),
            name="grid",
        ),
    ]


def _cells(documents: Floats, right: int | None) -> list[str | Cell]:
    """The cells of a row, and their sum; `right`: which of them is no mistake."""
    total, cells = float(documents.sum()), list[str | Cell]()
    for place, each in enumerate(documents.tolist()):
        share = each / total if each else 0.0
        kind, strength = ("for", share) if place == right else ("against", max(share, 0.06))  # one mistake is seen too
        filled, style = f"{number(each)}<small>{percent(share)}</small>", f'class="n {kind}" style="--w:{strength:.2f}"'
        cells.append(Cell("", html=filled, attributes=style) if each else Cell("0"))
    return [*cells, number(total)]


def _pairs(figures: Figures, most: int) -> list[str]:
    cells = figures.confusion.mistakes(most)
    if not cells:
        return ["<p>No document was given a wrong label.</p>"]
    support = _support(figures)
    rows = []
    for cell in cells:
        share = percent(cell.documents / support[cell.truth]) if cell.truth is not None else ""
        rows.append([named(cell.truth, UNKNOWN), named(cell.decided), number(cell.documents), share])
    kinds = int(np.count_nonzero(figures.confusion.is_wrong))
    all_of = f"the {len(cells)} most frequent of {kinds:,}" if kinds > len(cells) else "all"
    heading = ["true label", "decided", "documents", "share"]
    return [
        note(f"{counted(len(figures.labels), 'label')}; here are {all_of} kinds of mistakes."),
        html_table("The most frequent mistakes", heading, rows, numbers=(2, 3), name="pairs"),
    ]


def _support(figures: Figures) -> dict[object, float]:
    return dict(zip(figures.labels, figures.per_label.support.tolist(), strict=True))


# ---- label by label ----------------------------------------------------------------------------------------------


def in_order(figures: Figures, most: int) -> list[int]:
    """The indices of at most `most` labels: a few in order of their names, many with the most frequent first."""
    size = len(figures.labels)
    return list(range(size)) if size <= FEW else figures.per_label.most_frequent(most)


def labels(figures: Figures) -> str:
    """Precision and recall, label by label."""
    found, shown = figures.per_label, in_order(figures, MOST_LABELS)
    rows = list[Cells]()
    for one in (found.one(index) for index in shown):
        rates = map(bar, (one.precision, one.recall, one.f))
        rows.append([named(one.label), number(one.support), number(one.decided), *rates, area(figures.area(one.label))])
    if rest := sorted(set(range(len(figures.labels))) - set(shown)):
        sums = (number(float(each[rest].sum())) for each in (found.support, found.decided))
        rows.append([f"<em>{len(rest):,} more labels, together</em>", *sums, *map(bar, found.rates(rest)), ""])
    averages = found.averages() if len(figures.labels) > 1 else {}
    table = html_table(
        "Precision and recall of each label",
        ["label", "documents", "decided", "precision", "recall", "F1", "ROC area"],
        rows,
        numbers=range(1, 7),
        foot=[[f"{kind} average", "", "", *map(bar, rates), ""] for kind, rates in averages.items()],
    )
    return section("labels", "Label by label", note(RATES_NOTE), table)


# ---- calibration -------------------------------------------------------------------------------------------------


def calibration(figures: Figures, before: Figures | None) -> str:
    """Whether the probabilities can be trusted: the reliability diagram, before and after calibration."""
    judged = (
        {"Reliability diagram": figures}
        if before is None
        else {"Before calibration": before, "After calibration": figures}
    )
    diagrams = enumerate(judged.items())
    return section(
        "calibration",
        "Can the probabilities be trusted?",
        f"<p>{_in_words(figures.reliability, None if before is None else before.reliability)}</p>",
        side_by_side({name: _diagram(place, name, each.reliability) for place, (name, each) in diagrams}),
        note(CALIBRATION_NOTE if before is None else f"{CALIBRATION_NOTE} {FITTED_NOTE}"),
        _losses(judged),
        '<details class="numbers">',
        "<summary>The diagram in numbers</summary>",
        *(_bins(name, each) for name, each in judged.items()),
        "</details>",
    )


def _in_words(now: Reliability, before: Reliability | None) -> str:
    tendency = f": the model is {now.tendency}" if now.tendency else ""
    words = f"The mean confidence is {percent(now.confidence)}, and {percent(now.accuracy)} are right{tendency}."
    if before is None:
        return f"{words} The expected calibration error is {points(now.expected_error)}."
    change = f"from {points(before.expected_error)} to {points(now.expected_error)}"
    return f"{words} Calibration changes the expected calibration error {change}."


def _diagram(place: int, name: str, found: Reliability) -> str:
    caption = Caption(
        f"reliability-{place}",
        name if name.startswith("Reliability") else f"Reliability diagram: {name}",
        f"Confidence against accuracy in {len(found.bins)} bins."
        f" Expected calibration error {points(found.expected_error)}.",
        "confidence, %",
        "accuracy, %",
    )
    return reliability_chart(caption, found.bins)


def _losses(judged: dict[str, Figures]) -> str:
    rows = [
        ["expected calibration error", *(points(each.reliability.expected_error) for each in judged.values())],
        ["maximum calibration error", *(points(each.reliability.maximum_error) for each in judged.values())],
        ["log loss", *(f"{each.log_loss.loss:.4f}" for each in judged.values())],
        ["Brier score (0 to 2)", *(f"{each.brier:.4f}" for each in judged.values())],
    ]
    impossible = [each.log_loss.impossible for each in judged.values()]
    if any(impossible):
        rows.append(["documents whose label had probability 0", *map(number, impossible)])
    heading = ["figure", *(judged if len(judged) > 1 else ["value"])]
    caption = "How good the probabilities are; lower is better"
    return html_table(caption, heading, rows, numbers=range(1, len(heading)))


def _bins(name: str, figures: Figures) -> str:
    rows = []
    for point in figures.reliability.bins:
        edges, interval = (" to ".join(map(percent, pair)) for pair in ((point.low, point.high), point.interval))
        rows.append([edges, number(point.documents), percent(point.confidence), percent(point.accuracy), interval])
    heading = ["bin", "documents", "confidence", "accuracy", "confidence interval"]
    return html_table(f"Points: {name}", heading, rows, numbers=range(1, 5))


# ---- curves ------------------------------------------------------------------------------------------------------


def curves(figures: Figures) -> str:
    """How well one label is found among all documents; nothing where no curve is defined."""
    drawn = [figures.curves(figures.labels[index]) for index in sorted(figures.per_label.most_frequent(MOST_CURVES))]
    found = [each for each in drawn if each.precision_recall.area is not None and each.roc.area is not None]
    if not found:
        return ""
    few = f" Drawn are the {len(found)} labels with the most documents." if len(figures.labels) > len(found) else ""
    many = f"for {counted(len(found), 'label')}; the areas are in the table below."
    precision_recall = Caption(
        "precision-recall",
        "Precision-recall curves",
        f"Precision against recall {many}",
        "recall, %",
        "precision, %",
    )
    roc = Caption(
        "roc", "ROC curves", f"Recall against the false positive rate {many}", "false positive rate, %", "recall, %"
    )
    charts = {
        "Precision-recall": curves_chart(precision_recall, [each.precision_recall for each in found], even=False),
        "ROC": curves_chart(roc, [each.roc for each in found], even=True),
    }
    heading = "Precision-recall and ROC curves"
    return section("curves", heading, side_by_side(charts), _areas(figures, found), note(f"{CURVES_NOTE}{few}"))


def _areas(figures: Figures, found: Sequence[LabelCurves]) -> str:
    support = _support(figures)
    rows = []
    for place, each in enumerate(found, start=1):
        areas = (area(each.precision_recall.area), area(each.roc.area))
        rows.append([f"{line_key(place)} {named(each.label)}", number(support[each.label]), *areas])
    heading = ["label", "documents", "precision-recall area", "ROC area"]
    return html_table("Areas under the curves; 1 is perfect", heading, rows, numbers=range(1, 4))

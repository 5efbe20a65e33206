"""Figures for programs, as plain JSON values, and for people, as text for a terminal of 80 columns.

JSON has neither infinity nor NaN: undefined figures are null. Labels are listed as objects, because JSON turns keys
into text. Numbers of documents are integers where they are whole.

In the text at most 20 labels have a row, those with the most documents; the rest have one together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from likelier._documents.labels import Label
from likelier._evaluate.figures.curves import Curve, LabelCurves
from likelier._evaluate.figures.decisions import OneLabel, Rates
from likelier._evaluate.figures.losses import Reliability
from likelier._show.cells import clean, cut
from likelier._show.table import Table
from likelier._show.words import percent

if TYPE_CHECKING:
    from likelier._evaluate.figures.metrics import Figures

Plain = dict[str, Any]
Row = Sequence[str]
MOST_CELLS = 10_000
WIDTH = 80
NAME = 26  # most cells of a label
ROWS = 20
MISTAKES = 5


# ---- for programs ------------------------------------------------------------------------------------------------


def to_dict(figures: Figures, curves: int) -> Plain:
    """Every figure that needs no further argument."""
    found, labels, loss = figures.accuracy, figures.per_label, figures.log_loss
    cells = figures.confusion.cells(MOST_CELLS)
    return {
        "documents": len(figures),
        "weight": whole(found.documents),
        "accuracy": {
            "share": found.share,
            "interval": list(found.interval),
            "level": found.level,
            "right": whole(found.right),
            "effective_documents": found.effective,
            "without_label": found.without_label,
            "unknown_label": found.unknown,
        },
        "per_label": [
            {"label": one.label, **_rates(one), "support": whole(one.support), "decided": whole(one.decided)}
            for one in labels.all()
        ],
        "averages": {name: _rates(rates) for name, rates in labels.averages().items()},
        "confusion": {  # null is an unknown label, or no label
            "cells": [cell._asdict() | {"documents": whole(cell.documents)} for cell in cells],
            "left_out": len(figures.confusion.documents) - len(cells),
        },
        "log_loss": asdict(loss) | {"impossible": whole(loss.impossible), "floored": whole(loss.floored)},
        "brier": figures.brier,
        "calibration": {
            "equal_width": _reliability(figures.reliability),
            "equal_mass": _reliability(figures.reliability_by_mass),
        },
        "curves": [_curves(figures.curves(figures.labels[index])) for index in sorted(labels.most_frequent(curves))],
    }


def whole(number: float) -> float | int:
    """A number of documents.

    >>> whole(3.0), whole(0.5)
    (3, 0.5)
    """
    return int(number) if float(number).is_integer() else float(number)


def _rates(rates: Rates | OneLabel) -> Plain:
    return {"precision": rates.precision, "recall": rates.recall, "f1": rates.f}


def _reliability(found: Reliability) -> Plain:
    bins = [asdict(each) | {"interval": list(each.interval), "documents": whole(each.documents)} for each in found.bins]
    names = ("expected_error", "maximum_error", "confidence", "accuracy")
    return {name: getattr(found, name) for name in names} | {"bins": bins}


def _curves(found: LabelCurves) -> Plain:
    return {
        "label": found.label,
        "roc": _curve(found.roc, "false_positive_rate", "true_positive_rate"),
        "precision_recall": _curve(found.precision_recall, "recall", "precision"),
        "gains": [asdict(decile) for decile in found.gains],
    }


def _curve(curve: Curve, x: str, y: str) -> Plain:
    thresholds = [value if math.isfinite(value) else None for value in curve.thresholds.tolist()]
    return {"area": curve.area, x: curve.x.tolist(), y: curve.y.tolist(), "thresholds": thresholds}


# ---- for people --------------------------------------------------------------------------------------------------


def rendered(figures: Figures) -> str:
    """The text."""
    summary = [f"{figure:17}  {value:>7}  {remark}".rstrip() for figure, value, remark in summary_rows(figures)]
    blocks = [summary, labels_table(figures).lines(WIDTH), _mistakes(figures)]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def summary_rows(figures: Figures) -> list[tuple[str, str, str]]:
    """The name of a figure, its value, and a remark."""
    found, loss, calibration = figures.accuracy, figures.log_loss, figures.reliability
    level, (low, high) = f"{found.level * 100:g} %", map(percent, found.interval)
    weighted, right_of = figures.weights is not None, f"{number(found.right)} of {number(found.documents)} right"
    rows = [("accuracy", percent(found.share), f"{right_of}{', by weight' if weighted else ''}")]
    rows.append(("", "", f"{level} confidence interval: {low} to {high}"))
    if weighted:
        rows.append(("", "", f"as if by {counted(found.effective)} of equal weight"))
    if found.without_label:
        rows.append(("no label", percent(found.without_label), counted(found.without_label * found.documents)))
    if found.unknown:
        rows.append(("unknown label", percent(found.unknown), "have a label that the model does not have"))
    index = figures.per_label.most_frequent(1)[0]
    if share := float(figures.per_label.support[index]) / found.documents:
        rows.append(("most frequent", percent(share), f"always {clean(name(figures.labels[index]))}"))
    impossible = f"{counted(loss.impossible)} with a true label of probability 0" if loss.impossible else ""
    rows.append(("log loss", f"{loss.loss:.4f}", impossible))
    rows.append(("Brier score", f"{figures.brier:.4f}", "0 is the best, 2 the worst"))
    tendency = f": {calibration.tendency}" if calibration.tendency else ""
    said = f"confidence {percent(calibration.confidence)}, accuracy {percent(calibration.accuracy)}{tendency}"
    rows.append(("calibration error", percent(calibration.expected_error), said))
    return rows


def labels_table(figures: Figures) -> Table:
    """Precision, recall and their like of the most frequent labels, and averages."""
    found = figures.per_label
    shown = sorted(found.most_frequent(ROWS if len(figures.labels) > ROWS + 1 else ROWS + 1))
    rows: list[Row] = []
    for one in (found.one(index) for index in shown):
        rates = (one.precision, one.recall, one.f, figures.area(one.label))
        rows.append((name(one.label), number(one.support), number(one.decided), *map(_rate, rates)))
    if rest := sorted(set(range(len(figures.labels))) - set(shown)):
        sums = (number(float(each[rest].sum())) for each in (found.support, found.decided))
        rows.append((f"{len(rest):,} more, together", *sums, *map(_rate, found.rates(rest)), ""))
    if len(figures.labels) > 1:
        for kind, average in found.averages().items():
            rows.append((f"{kind} average", "", "", *map(_rate, average), ""))
    heading = ("label", "documents", "decided", "precision", "recall", "F1", "ROC area")
    return Table(heading, rows, range(1, 7), flexible=0)


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _mistakes(figures: Figures) -> list[str]:
    """The most frequent ones, where there are several kinds."""
    cells = figures.confusion.mistakes()
    if not cells:
        return []
    rows = [
        (number(cell.documents), name(cell.truth, "unknown label"), f"taken for {name(cell.decided, 'no label')}")
        for cell in cells[:MISTAKES]
    ]
    more = [f"and {len(cells) - MISTAKES:,} more kinds of mistakes"] if len(cells) > MISTAKES else []
    return ["most frequent mistakes", *Table((), rows, {0}).lines(), *more]


def name(label: Label | None, none: str = "") -> str:
    """A label in the cells of the text."""
    return f"({none})" if label is None else cut(str(label), NAME)


def number(documents: float) -> str:
    """A number of documents.

    >>> number(27301.0), number(0.5), number(1234.5678)
    ('27,301', '0.5', '1,234.6')
    """
    rounded = round(documents, 6)  # sums of shares
    return f"{int(rounded):,}" if float(rounded).is_integer() else f"{rounded:,.1f}"


def counted(how_many: float, noun: str = "document") -> str:
    """So many of something.

    >>> counted(1.0), counted(0.5), counted(1200, "term")
    ('1 document', '0.5 documents', '1,200 terms')
    """
    return f"{number(how_many)} {noun}{'' if how_many == 1 else 's'}"

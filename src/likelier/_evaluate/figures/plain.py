"""Figures as plain values, ready for JSON. Labels stand in lists of objects, because JSON turns keys into text.

There is neither infinity nor NaN: what is not defined is null. Numbers of documents are whole where they are whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from likelier._evaluate.figures.curves import Curve, LabelCurves
from likelier._evaluate.figures.per_label import Rates
from likelier._evaluate.figures.reliability import Reliability

if TYPE_CHECKING:
    from likelier._evaluate.figures.figures import Figures

Plain = dict[str, Any]
MOST_CELLS = 10_000


def to_dict(figures: Figures, curves: int) -> Plain:
    """Every figure that needs no further argument."""
    return {
        "documents": len(figures),
        "weight": documents(figures.accuracy.documents),
        "accuracy": _accuracy(figures),
        "per_label": _per_label(figures),
        "averages": {
            "macro": _rates(figures.per_label.macro()),
            "weighted": _rates(figures.per_label.weighted()),
            "micro": _rates(figures.per_label.micro()),
        },
        "confusion": _confusion(figures),
        "log_loss": _log_loss(figures),
        "brier": figures.brier,
        "calibration": {
            "equal_width": _reliability(figures.reliability),
            "equal_mass": _reliability(figures.reliability_by_mass),
        },
        "curves": [_curves(figures.curves(figures.labels[column])) for column in largest(figures, curves)],
    }


def largest(figures: Figures, most: int) -> list[int]:
    """The columns of the labels with the most documents, in order of the labels."""
    support = figures.per_label.support
    return sorted((-support).argsort(kind="stable")[: max(most, 0)].tolist())


def documents(number: float) -> float | int:
    """A number of documents.

    >>> documents(3.0), documents(0.5)
    (3, 0.5)
    """
    return int(number) if float(number).is_integer() else float(number)


def finite(number: float) -> float | None:
    """The number, or None in place of infinity.

    >>> finite(0.5), finite(math.inf)
    (0.5, None)
    """
    return number if math.isfinite(number) else None


def _accuracy(figures: Figures) -> Plain:
    found = figures.accuracy
    return {
        "share": found.share,
        "interval": list(found.interval),
        "level": found.level,
        "right": documents(found.right),
        "effective_documents": found.effective,
        "without_label": found.without_label,
        "unknown_label": found.unknown,
    }


def _per_label(figures: Figures) -> list[Plain]:
    return [
        {
            "label": one.label,
            "precision": one.precision,
            "recall": one.recall,
            "f1": one.f,
            "support": documents(one.support),
            "decided": documents(one.decided),
        }
        for one in figures.per_label.all()
    ]


def _rates(rates: Rates) -> Plain:
    return {"precision": rates.precision, "recall": rates.recall, "f1": rates.f}


def _confusion(figures: Figures) -> Plain:
    """The cells that are not empty, the largest first; null is an unknown label, or no label."""
    cells = figures.confusion.cells(MOST_CELLS)
    return {
        "cells": [
            {"truth": cell.truth, "decided": cell.decided, "documents": documents(cell.documents)} for cell in cells
        ],
        "left_out": len(figures.confusion.documents) - len(cells),
    }


def _log_loss(figures: Figures) -> Plain:
    found = asdict(figures.log_loss)
    return found | {name: documents(found[name]) for name in ("impossible", "floored")}


def _reliability(found: Reliability) -> Plain:
    return {
        "expected_error": found.expected_error,
        "maximum_error": found.maximum_error,
        "confidence": found.confidence,
        "accuracy": found.accuracy,
        "bins": [
            asdict(point) | {"interval": list(point.interval), "documents": documents(point.documents)}
            for point in found.bins
        ],
    }


def _curves(found: LabelCurves) -> Plain:
    return {
        "label": found.label,
        "roc": _curve(found.roc, "false_positive_rate", "true_positive_rate"),
        "precision_recall": _curve(found.precision_recall, "recall", "precision"),
        "gains": [asdict(tenth) for tenth in found.gains],
    }


def _curve(curve: Curve, x: str, y: str) -> Plain:
    def listed(values: Iterable[float]) -> list[float | None]:
        return [finite(value) for value in values]

    return {
        "area": curve.area,
        x: listed(curve.x.tolist()),
        y: listed(curve.y.tolist()),
        "thresholds": listed(curve.thresholds.tolist()),
    }

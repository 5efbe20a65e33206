"""Accuracy: which share of the documents got their true label, and which share got none.

    accuracy = sum of w over right documents / sum of w over all documents

A document without a label is not right. The interval is Wilson's, see `intervals`.
"""

from __future__ import annotations

from dataclasses import dataclass

from likelier._answer.decisions import NONE
from likelier._evaluate.figures.intervals import Interval, effective_documents, wilson
from likelier._evaluate.figures.judged import UNKNOWN, Columns, Floats, each_weight, is_right


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many documents are right, by weight.

    share          right, from 0 to 1
    interval       the share on all documents of this kind, at the level
    level          how sure that is, 0.95 unless given
    right          documents that are right, by weight
    documents      all documents, by weight
    effective      the number of documents behind the interval: fewer than there are where weights are unequal
    without_label  which share got no label
    unknown        which share has a true label that the labels lack: always wrong
    """

    share: float
    interval: Interval
    level: float
    right: float
    documents: float
    effective: float
    without_label: float
    unknown: float


def accuracy(truth: Columns, decided: Columns, *, weights: Floats | None = None, level: float = 0.95) -> Accuracy:
    """The accuracy with its interval.

    >>> import numpy as np
    >>> found = accuracy(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, -1]))
    >>> found.share, found.without_label, round(found.interval.low, 3), round(found.interval.high, 3)
    (0.6, 0.2, 0.231, 0.882)
    """
    each = each_weight(weights, len(truth))
    total, right = float(each.sum()), float(each[is_right(truth, decided)].sum())
    effective = effective_documents(each)
    share = min(right / total, 1.0)
    return Accuracy(
        share,
        wilson(share, effective, level=level),
        level,
        right,
        total,
        effective,
        without_label=float(each[decided == NONE].sum()) / total,
        unknown=float(each[truth == UNKNOWN].sum()) / total,
    )

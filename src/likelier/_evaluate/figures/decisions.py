"""Figures of the decided labels: accuracy; precision, recall and F; the confusion matrix. All sums are by weight.

    accuracy  = right documents / all documents            a document without a label is not right
    precision = right / decided                            which part of what was given the label has it
    recall    = right / support                            which part of what has the label was given it
    F_beta    = (1 + beta²) right / (beta² support + decided)      van Rijsbergen 1979; F1: their harmonic mean

right = documents that have the label and were given it, decided = were given it, support = have it.

0/0 is None: the precision of a label that was never decided, the recall of one that no document has, and F of one that
is neither. In averages None counts as 0, as scikit-learn's `zero_division=0` has it.

    macro      the unweighted mean of the labels that were decided or that some document has
    weighted   the mean of all labels, weighted by their support
    micro      from the sums over all labels: right / decided, right / support
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likelier._answer.decisions import NONE
from likelier._base.cached import cached_property
from likelier._base.numbers import is_number
from likelier._documents.labels import Label
from likelier._evaluate.figures.arrays import (
    UNKNOWN,
    Booleans,
    Floats,
    Indices,
    check_setting,
    each_weight,
    is_right,
    summed,
)
from likelier._evaluate.figures.significance import Interval, effective_documents, wilson


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many documents are right, by weight.

    share          right, from 0 to 1
    interval       the confidence interval of the share, see `wilson`
    level          of the interval
    right          documents that are right
    documents      all documents
    effective      the effective number of documents, on which the interval is based: fewer where weights are unequal
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


def accuracy(truth: Indices, decided: Indices, *, weights: Floats | None = None, level: float = 0.95) -> Accuracy:
    """The accuracy with its interval.

    >>> found = accuracy(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, -1]))
    >>> found.share, found.without_label, round(found.interval.low, 3), round(found.interval.high, 3)
    (0.6, 0.2, 0.231, 0.882)
    """
    each = each_weight(weights, len(truth))
    total, right = float(each.sum()), float(each[is_right(truth, decided)].sum())
    effective, share = effective_documents(each), min(right / total, 1.0)
    without_label, unknown = (float(each[missing].sum()) / total for missing in (decided == NONE, truth == UNKNOWN))
    interval = wilson(share, effective, level=level)
    return Accuracy(share, interval, level, right, total, effective, without_label, unknown)


# ---- label by label ----------------------------------------------------------------------------------------------


class Rates(NamedTuple):
    """Precision, recall and F; None where they are 0/0."""

    precision: float | None
    recall: float | None
    f: float | None


class OneLabel(NamedTuple):
    """The figures of one label."""

    label: Label
    precision: float | None
    recall: float | None
    f: float | None
    support: float
    decided: float


@dataclass(frozen=True, eq=False)
class PerLabel:
    """The figures of all labels.

    right, support, decided  (labels,)  documents by weight
    """

    labels: tuple[Label, ...]
    right: Floats
    support: Floats
    decided: Floats

    def rates(self, indices: Sequence[int] | Indices | slice = slice(None), *, beta: float = 1.0) -> Rates:
        """Of some labels together, all unless given: that is the micro average."""
        right, support, decided = (float(sums[indices].sum()) for sums in (self.right, self.support, self.decided))
        return Rates(ratio(right, decided), ratio(right, support), ratio(*_f_parts(right, support, decided, beta)))

    def one(self, index: int, *, beta: float = 1.0) -> OneLabel:
        """One label."""
        rates = self.rates([index], beta=beta)
        return OneLabel(self.labels[index], *rates, float(self.support[index]), float(self.decided[index]))

    def all(self, *, beta: float = 1.0) -> list[OneLabel]:
        """Each label, in order."""
        return [self.one(index, beta=beta) for index in range(len(self.labels))]

    def macro(self, *, beta: float = 1.0) -> Rates:
        """The macro average, of the labels that occur."""
        return self._mean((self.support + self.decided > 0).astype(np.float64), beta)

    def weighted(self, *, beta: float = 1.0) -> Rates:
        """The average of the labels, weighted by support."""
        return self._mean(self.support, beta)

    def micro(self, *, beta: float = 1.0) -> Rates:
        """From the sums over all labels."""
        return self.rates(beta=beta)

    def averages(self) -> dict[str, Rates]:
        """All three."""
        return {"macro": self.macro(), "weighted": self.weighted(), "micro": self.micro()}

    def most_frequent(self, k: int | None = None) -> list[int]:
        """The indices of the labels with the most documents, the most frequent first."""
        return (-self.support).argsort(kind="stable")[:k].tolist()

    def _mean(self, shares: Floats, beta: float) -> Rates:
        total = float(shares.sum())
        if total == 0:
            return Rates(None, None, None)
        f = f_beta(self.right, self.support, self.decided, beta)
        return Rates(*(float((shares * each).sum()) / total for each in (*self._rates, f)))

    @cached_property
    def _rates(self) -> tuple[Floats, Floats]:
        return _ratios(self.right, self.decided), _ratios(self.right, self.support)


def per_label(
    truth: Indices, decided: Indices, labels: tuple[Label, ...], *, weights: Floats | None = None
) -> PerLabel:
    """How many documents have each label, were given it, or both.

    >>> found = per_label(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, -1]), ("ham", "spam"))
    >>> found.one(1)
    OneLabel(label='spam', precision=0.6666666666666666, recall=0.6666666666666666, f=0.6666666666666666,
             support=3.0, decided=3.0)
    >>> found.macro()
    Rates(precision=0.8333333333333333, recall=0.5833333333333333, f=0.6666666666666666)
    """
    each = each_weight(weights, len(truth))
    kinds = ((truth, is_right(truth, decided)), (truth, truth >= 0), (decided, decided >= 0))
    return PerLabel(labels, *(summed(indices[which], each[which], len(labels)) for indices, which in kinds))


def f_beta(right: Floats, support: Floats | float, decided: Floats, beta: float) -> Floats:
    """F for many thresholds or labels at once; 0 for 0/0.

    >>> f_beta(np.array([2.0, 0.0]), 4.0, np.array([2.0, 0.0]), 1.0).round(4).tolist()
    [0.6667, 0.0]
    """
    return _ratios(*_f_parts(right, support, decided, beta))


def _f_parts(right: Any, support: Any, decided: Any, beta: float) -> tuple[Any, Any]:  # numbers or arrays
    check_setting(is_number(beta) and 0 < beta < 1e6, "beta-range", beta)
    square = beta * beta
    return (1 + square) * right, square * support + decided


def ratio(part: float, whole: float) -> float | None:
    """A share, but for rounding at most 1; None for 0/0."""
    return None if whole == 0 else min(part / whole, 1.0)


def _ratios(part: Floats, whole: Floats) -> Floats:
    return np.minimum(np.divide(part, whole, out=np.zeros_like(part), where=whole > 0), 1.0)


# ---- confusion ---------------------------------------------------------------------------------------------------


class ConfusionCell(NamedTuple):
    """Documents of one true label that were given one label; None: a label that is not known, or no label."""

    truth: Label | None
    decided: Label | None
    documents: float


@dataclass(frozen=True, eq=False)
class Confusion:
    """The confusion matrix. Only cells that are not empty are kept, so that it takes little memory with many labels.

    truth, decided  (cells,)  indices of labels, -1 for unknown and none
    documents       (cells,)  by weight
    """

    labels: tuple[Label, ...]
    truth: Indices
    decided: Indices
    documents: Floats

    @property
    def matrix(self) -> Floats:  # (labels + 1, labels + 1)
        """All cells, a row for each true label; the last is for no label, and for true labels that are not known."""
        matrix = np.zeros((len(self.labels) + 1, len(self.labels) + 1))
        matrix[self.truth, self.decided] = self.documents  # -1 is the last
        return matrix

    @property
    def is_wrong(self) -> Booleans:  # (cells,)
        """Which cells are mistakes."""
        return ~is_right(self.truth, self.decided)

    def cells(self, k: int | None = None) -> list[ConfusionCell]:
        """The cells with the most documents, all unless `k` says how many; of equal ones the first row first."""
        return self._largest(np.arange(len(self.documents)), k)

    def mistakes(self, k: int | None = None) -> list[ConfusionCell]:
        """The same without the right ones."""
        return self._largest(np.flatnonzero(self.is_wrong), k)

    def _largest(self, among: Indices, k: int | None) -> list[ConfusionCell]:
        named: list[Label | None] = [*self.labels, None]  # -1 is the last
        places = among[np.argsort(-self.documents[among], kind="stable")[:k]]
        found = (each[places].tolist() for each in (self.truth, self.decided, self.documents))
        return [
            ConfusionCell(named[truth], named[decided], number) for truth, decided, number in zip(*found, strict=True)
        ]


def confusion(
    truth: Indices, decided: Indices, labels: tuple[Label, ...], *, weights: Floats | None = None
) -> Confusion:
    """How often each label was taken for each.

    >>> found = confusion(np.array([0, 0, 1, 1]), np.array([0, 1, 1, -1]), ("ham", "spam"))
    >>> found.matrix.tolist()
    [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    >>> found.mistakes(1)
    [ConfusionCell(truth='ham', decided='spam', documents=1.0)]
    """
    each = each_weight(weights, len(truth))
    size = len(labels) + 1
    # -1 becomes the last, as in the matrix
    found, which = np.unique((truth % size) * size + decided % size, return_inverse=True)
    documents = summed(which, each, len(found))
    found, documents = found[documents > 0], documents[documents > 0]
    true, given = (np.where(part == size - 1, -1, part).astype(np.intp) for part in np.divmod(found, size))
    return Confusion(labels, true, given, documents)

"""Precision, recall and F for each label (van Rijsbergen 1979), and their averages.

    precision = right / decided      which part of what was given the label has it
    recall    = right / support      which part of what has the label was given it
    F_beta    = (1 + beta²) right / (beta² support + decided)        F1: their harmonic mean

right = documents that have the label and were given it, decided = were given it, support = have it; by weight.

0/0 is None: the precision of a label that was never decided, the recall of one that no document has, and F of one that
is neither. In averages None counts as 0, as scikit-learn's `zero_division=0` has it.

    macro      the mean over the labels that were decided or that some document has
    weighted   the mean over labels, each with its support
    micro      from the sums over all labels: right / decided, right / support
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.errors import SettingError
from likelier._base.numbers import is_number
from likelier._documents.labels import Label
from likelier._evaluate.figures.judged import Columns, Floats, each_weight, is_right, summed


class Rates(NamedTuple):
    """Precision, recall and F; None where they are 0/0."""

    precision: float | None
    recall: float | None
    f: float | None


@dataclass(frozen=True, slots=True)
class OneLabel:
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

    def rates(self, columns: Sequence[int] | Columns | slice = slice(None), *, beta: float = 1.0) -> Rates:
        """Of some labels together, all unless given: that is the micro average."""
        right, support, decided = (float(sums[columns].sum()) for sums in (self.right, self.support, self.decided))
        return Rates(
            _ratio(right, decided), _ratio(right, support), _ratio(*_f_parts(right, support, decided, check_beta(beta)))
        )

    def one(self, column: int, *, beta: float = 1.0) -> OneLabel:
        """One label."""
        rates = self.rates([column], beta=beta)
        return OneLabel(self.labels[column], *rates, float(self.support[column]), float(self.decided[column]))

    def all(self, *, beta: float = 1.0) -> list[OneLabel]:
        """Each label, in order."""
        return [self.one(column, beta=beta) for column in range(len(self.labels))]

    def macro(self, *, beta: float = 1.0) -> Rates:
        """The mean over labels that are there."""
        return self._mean((self.support + self.decided > 0).astype(np.float64), beta)

    def weighted(self, *, beta: float = 1.0) -> Rates:
        """The mean over labels by support."""
        return self._mean(self.support, beta)

    def micro(self, *, beta: float = 1.0) -> Rates:
        """From the sums over all labels."""
        return self.rates(beta=beta)

    def _mean(self, shares: Floats, beta: float) -> Rates:
        total = float(shares.sum())
        if total == 0:
            return Rates(None, None, None)
        f = _ratios(*_f_parts(self.right, self.support, self.decided, check_beta(beta)))
        return Rates(*(float((shares * each).sum()) / total for each in (*self._rates, f)))

    @cached_property
    def _rates(self) -> tuple[Floats, Floats]:
        return _ratios(self.right, self.decided), _ratios(self.right, self.support)


def per_label(
    truth: Columns, decided: Columns, labels: tuple[Label, ...], *, weights: Floats | None = None
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
    return PerLabel(labels, *(summed(columns[which], each[which], len(labels)) for columns, which in kinds))


def check_beta(beta: float) -> float:
    """Beta, if it can be one: recall matters beta times as much as precision."""
    if not (is_number(beta) and 0 < beta < 1e6):  # this way round, so that NaN is refused too
        raise SettingError(
            code="beta-range",
            message=f"`beta` must be a number above 0 and below 1,000,000, got {beta!r}",
            hint="1 weighs precision and recall alike; 2 puts recall first, 0.5 precision",
        )
    return beta


def f_beta(right: Floats, support: Floats | float, decided: Floats, beta: float) -> Floats:
    """F for many thresholds or labels at once; 0 for 0/0.

    >>> f_beta(np.array([2.0, 0.0]), 4.0, np.array([2.0, 0.0]), 1.0).round(4).tolist()
    [0.6667, 0.0]
    """
    return _ratios(*_f_parts(right, support, decided, check_beta(beta)))


def _f_parts(right: Any, support: Any, decided: Any, beta: float) -> tuple[Any, Any]:  # numbers or arrays
    square = beta * beta
    return (1 + square) * right, square * support + decided


def _ratio(part: float, whole: float) -> float | None:
    return None if whole == 0 else min(part / whole, 1.0)


def _ratios(part: Floats, whole: Floats) -> Floats:
    return np.minimum(np.divide(part, whole, out=np.zeros_like(part), where=whole > 0), 1.0)

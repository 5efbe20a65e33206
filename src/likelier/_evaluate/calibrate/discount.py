"""Fits `Discount`: how much less the evidence of a text counts, the more of it there is.

    P(c|d) = softmax of k s_c, k = weight n^power

s_c is the score with its prior, n the number of known terms. Weight and power have the least log loss on documents that
the scores had not seen; one more document, of which the label in second place is right, keeps the weight finite where
all verdicts are right. The order of the labels is that of the scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from likelier._answer.calibration import Discount
from likelier._base.numbers import Floats
from likelier._documents.labels import Label

FEWEST = 8  # documents to fit the rule to
LEAST_SHARE = 0.05  # of documents, the shortest ones: what is shorter than these was hardly ever judged
STEPS = 25
NEAR_ENOUGH = 1e-6
STIFF = 1.0  # how much a power far from -1/2 must gain, in documents
WEIGHTS = (-20.0, 20.0)  # logarithms


def fit_discount(
    scores: Floats, truth: ArrayLike, known: ArrayLike, offsets: Mapping[Label, float], weights: ArrayLike | None = None
) -> Discount | None:
    """The rule for these scores; None if there are too few documents to fit it to.

    scores: (documents, labels), with the prior and the offsets that they are decided by
    truth: for each document the column of its label
    known: how many known terms each document has
    """
    columns, numbers = np.asarray(truth), np.asarray(known, dtype=np.float64)
    given = np.ones(len(columns)) if weights is None else np.asarray(weights, dtype=np.float64)
    usable = (numbers > 0) & (given > 0) & np.isfinite(scores[np.arange(len(columns)), columns])
    if usable.sum() < FEWEST:
        return None
    least = max(float(np.quantile(numbers[usable], LEAST_SHARE)), 1.0)
    usable &= numbers >= least
    loss = _Loss(scores[usable], columns[usable], numbers[usable], given[usable])
    weight, power = loss.minimum()
    return Discount(weight, power, least, offsets)


class _Loss:
    """The log loss as a function of the logarithm of the weight at the typical length, and the power."""

    def __init__(self, scores: Floats, truth: Sequence[int], known: Floats, weights: Floats) -> None:
        rows = np.arange(len(truth))
        self.behind = scores - scores.max(axis=1, keepdims=True)
        self.behind[np.isneginf(self.behind)] = -1e9
        self.own = self.behind[rows, truth]
        others = self.behind.copy()
        others[rows, self.behind.argmax(axis=1)] = -np.inf
        second = others.max(axis=1)
        self.second = np.where(np.isfinite(second), second, 0.0)
        self.typical = float(np.average(np.log(known), weights=weights))
        self.length = np.log(known) - self.typical
        self.weights = weights
        self.one_more = weights / weights.sum()

    def minimum(self) -> tuple[float, float]:
        """The weight and the power. Newton's method, with steps that are halved until they help."""
        spread = float(np.sqrt(np.average(self.behind.min(axis=1) ** 2, weights=self.weights)))
        at = np.array([np.log(1.0 / max(spread / 4, 1e-6)), -0.5])
        value, slope, bend = self._at(at)
        for _ in range(STEPS):
            step = -np.linalg.solve(bend + np.eye(2) * 1e-9, slope)
            size = 1.0
            while True:
                there = at + size * step
                there = np.array([np.clip(there[0], *WEIGHTS), np.clip(there[1], -1.0, 0.0)])
                found = self._at(there)
                if found[0] <= value or size < 1e-3:
                    break
                size /= 2
            gain, at = value - found[0], there
            value, slope, bend = found
            if gain < NEAR_ENOUGH * max(abs(value), 1.0):
                break
        log_weight, power = at.tolist()
        return float(np.exp(np.clip(log_weight - power * self.typical, *WEIGHTS))), float(power)

    def _at(self, at: Floats) -> tuple[float, Floats, Floats]:
        """The loss, its slope, and its bend (that of least squares, which is never negative)."""
        factor = np.exp(at[0] + at[1] * self.length)
        scores = self.behind * factor[:, np.newaxis]
        share = np.exp(scores)
        total = share.sum(axis=1)
        share /= total[:, np.newaxis]
        mean = (share * scores).sum(axis=1)
        variance = (share * scores**2).sum(axis=1) - mean**2
        both = self.weights + self.one_more
        target = self.weights * self.own * factor + self.one_more * self.second * factor
        value = float((both * np.log(total) - target).sum()) + STIFF * (at[1] + 0.5) ** 2
        by_factor, curve = both * mean - target, both * variance
        slope = np.array([by_factor.sum(), (by_factor * self.length).sum() + 2 * STIFF * (at[1] + 0.5)])
        cross = float((curve * self.length).sum())
        bend = np.array([[curve.sum(), cross], [cross, (curve * self.length**2).sum() + 2 * STIFF]])
        return value, slope, bend

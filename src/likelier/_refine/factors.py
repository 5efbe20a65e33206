"""The factors of the parts of a score: those with the least log loss on documents that no part has seen.

    minimize - sum of w(d) log P(c(d)|d),  P(c|d) = softmax over c of sum of f(k) s(k,d,c)

s(k,d,c) is what the part k says of the label c, c(d) the true label and w(d) the weight of a document. The loss is
convex in f. A penalty, worth a document or two, draws the factors towards naive Bayes alone: 1 for its part and 0 for
the others. So few documents change little. A factor is at least `LEAST`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats

LEAST, MOST = 1e-3, 100.0
STIFF = 2.0  # documents
STEPS, NEAR_ENOUGH = 60, 1e-10
DIGITS = 6
FAR = 50.0  # how far a label may be behind the best one; infinities have no mean


def fitted_factors(parts: Sequence[Floats], truth: NDArray[np.intp], weights: Floats) -> tuple[float, ...]:
    """A factor for each part, (documents, labels) each; the first is that of naive Bayes."""
    loss = _Loss(parts, truth, weights)
    at = loss.usual.copy()
    value, slope, bend = loss.at(at)
    for _ in range(STEPS):
        free = (at > LEAST) | (slope < 0)
        step = np.zeros_like(at)
        step[free] = -np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        scale = 1.0
        while (found := loss.at(there := np.clip(at + scale * step, LEAST, MOST)))[0] > value and scale > NEAR_ENOUGH:
            scale /= 2
        gain = value - found[0]
        if gain <= NEAR_ENOUGH * max(abs(value), 1.0):
            break
        at, (value, slope, bend) = there, found
    return tuple(float(f"{number:.{DIGITS}g}") for number in at)


def log_loss(scores: Floats, truth: NDArray[np.intp], weights: Floats) -> float:
    """The mean of -log P(true label)."""
    behind = scores - scores.max(axis=1, keepdims=True)
    losses = np.log(np.exp(behind).sum(axis=1)) - behind[np.arange(len(truth)), truth]
    return float(np.average(losses, weights=weights))


def bounded(scores: Floats) -> Floats:
    """Scores as distances from the best one, which no infinity is among."""
    return np.asarray(np.maximum(scores - scores.max(axis=1, keepdims=True), -FAR))


class _Loss:
    """The loss as a function of the factors."""

    def __init__(self, parts: Sequence[Floats], truth: NDArray[np.intp], weights: Floats) -> None:
        self.parts = np.stack(parts)  # (parts, documents, labels)
        self.truth, self.weights = truth, weights
        self.of_truth = self.parts[:, np.arange(len(truth)), truth]  # (parts, documents)
        self.usual = np.array([1.0, *[LEAST] * (len(parts) - 1)])

    def at(self, factors: Floats) -> tuple[float, Floats, Floats]:
        """The loss, its slope and its bend."""
        scores = np.tensordot(factors, self.parts, 1)
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        totals = shares.sum(axis=1, keepdims=True)
        shares /= totals
        means = (self.parts * shares).sum(axis=2)  # (parts, documents)
        off = factors - self.usual
        losses = np.log(totals[:, 0]) - scores[np.arange(len(self.truth)), self.truth]
        value = float((self.weights * losses).sum() + STIFF / 2 * (off**2).sum())
        slope = ((means - self.of_truth) * self.weights).sum(axis=1) + STIFF * off
        both = np.einsum("idc,jdc,dc->ij", self.parts, self.parts, shares * self.weights[:, np.newaxis])
        bend = both - np.einsum("id,jd,d->ij", means, means, self.weights) + STIFF * np.eye(len(factors))
        return value, slope, bend

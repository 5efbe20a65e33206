"""Fits `Discount`: how much less the evidence of a text counts, the more of it there is.

    P(c|d) = softmax of -(k d_c)^bend, k = weight n^power

d_c is how far the score of a label, with its prior, is behind the best, n the number of known terms. The numbers have
the least log loss on documents that the scores had not seen; one more document, of which the label in second place is
right, keeps the weight finite where all verdicts are right. The order of the labels is that of the scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from likelier._answer.calibration import Discount
from likelier._base.numbers import Floats

FEWEST = 8  # documents to fit the rule to
LEAST_SHARE = 0.01  # of documents, the shortest ones: what is shorter than these was hardly ever judged
STEPS, NEAR_ENOUGH, LONGEST_STEP = 40, 1e-4, 1.0
LOWEST, HIGHEST = (-20.0, -1.0, 0.2), (20.0, 0.0, 1.0)  # log weight, power, bend
USUAL_POWER = -0.5
STIFF = 1.0  # how much a power or a bend that is not the usual one must gain, in documents
DIGITS = 6  # of what is fitted; those behind them differ between processors, as the last of logarithms do
TINY, FAR, MOST = 1e-9, 1e9, 500.0


def fit_discount(
    scores: Floats, truth: ArrayLike, known: ArrayLike, weights: ArrayLike | None = None
) -> Discount | None:
    """The rule for these scores; None with fewer than 8 documents to fit it to.

    scores: (documents, labels), with the prior and what else they are decided by
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
    weight, power, bend = (float(f"{number:.{DIGITS}g}") for number in loss.minimum())
    return Discount(weight, power, least, bend=bend)


class _Loss:
    """The log loss as a function of log weight (at the typical length), power and bend."""

    def __init__(self, scores: Floats, truth: Floats, known: Floats, weights: Floats) -> None:
        rows, behind = np.arange(len(truth)), scores.max(axis=1, keepdims=True) - scores
        self.log_behind = np.log(np.clip(behind, TINY, FAR))
        self.is_best = behind < TINY
        target = np.zeros_like(behind)
        target[rows, truth] = weights
        others = np.where(np.arange(scores.shape[1]) == scores.argmax(axis=1)[:, np.newaxis], -np.inf, scores)
        target[rows, others.argmax(axis=1)] += weights / weights.sum()
        self.target, self.weights = target, target.sum(axis=1)
        self.typical = float(np.average(np.log(known), weights=weights))
        self.length = (np.log(known) - self.typical)[:, np.newaxis]
        self.usual = np.array([0.0, USUAL_POWER, 1.0])
        self.stiffness = np.array([0.0, STIFF, STIFF])
        self.has_bend = scores.shape[1] > 2  # of two labels there is one distance, and lengths tell enough

    def minimum(self) -> tuple[float, float, float]:
        """Weight, power and bend. Newton's method, with caution where a step does not help (Marquardt 1963)."""
        start = -float(np.average(np.where(self.is_best, 0.0, self.log_behind).max(axis=1), weights=self.weights))
        at = np.array([np.clip(start + 1.0, LOWEST[0], HIGHEST[0]), USUAL_POWER, 1.0])
        value, slope, bend = self._at(at)
        caution = 0.01
        for _ in range(STEPS):
            step = -_solved(bend + np.diag(caution * bend.diagonal()), slope)
            there = np.clip(at + np.clip(step, -LONGEST_STEP, LONGEST_STEP), LOWEST, HIGHEST)
            found = self._at(there)
            gain = value - found[0]
            if gain < 0:
                caution *= 8
                continue
            at, (value, slope, bend), caution = there, found, caution / 4
            if gain < NEAR_ENOUGH * max(abs(value), 1.0):
                break
        log_weight, power, curve = at.tolist()
        return float(np.exp(np.clip(log_weight - power * self.typical, LOWEST[0], HIGHEST[0]))), power, curve

    def _at(self, at: Floats) -> tuple[float, Floats, Floats]:
        """The loss, its slope, and its bend (without what may be negative)."""
        log_weight, power, curve = at.tolist()
        log_distance = self.log_behind + log_weight + power * self.length
        scores = np.where(self.is_best, 0.0, -np.exp(np.minimum(curve * log_distance, MOST)))
        share = np.exp(scores)
        total = share.sum(axis=1, keepdims=True)
        share *= self.weights[:, np.newaxis] / total
        off = self.stiffness * (at - self.usual)
        value = float(
            (self.weights * np.log(total[:, 0])).sum() - (self.target * scores).sum() + (off * (at - self.usual)).sum()
        )
        by = [curve * scores, curve * scores * self.length]
        if self.has_bend:
            by.append(scores * log_distance)
        means = [(share * each).sum(axis=1) for each in by]
        slope, bend = 2 * off, np.diag(2 * self.stiffness + NEAR_ENOUGH)
        for i, one in enumerate(by):
            slope[i] += means[i].sum() - (self.target * one).sum()
            for j, two in enumerate(by[: i + 1]):
                both = float((share * one * two).sum() - (means[i] * means[j] / self.weights).sum())
                bend[i, j] += both
                bend[j, i] = bend[i, j]
        return value, slope, bend


def _solved(matrix: Floats, vector: Floats) -> Floats:
    """The solution of three linear equations by elimination: NumPy's starts threads that cost more than they bring."""
    rows = np.column_stack([matrix, vector]).tolist()
    for place in range(3):
        for other in range(3):
            if other != place:
                factor = rows[other][place] / rows[place][place]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[place], strict=True)]
    return np.array([rows[place][3] / rows[place][place] for place in range(3)])

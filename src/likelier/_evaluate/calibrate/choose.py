"""Which rule: the one with the least log loss on documents that it was not fitted to.

The documents are split into stratified folds; each fold is judged by rules fitted to the other folds. So a rule with
many parameters does not win by overfitting. Of the rules whose difference from the best is no more than its standard
error, the simplest is taken. No calibration is chosen only if no rule is better: naive Bayes is usually overconfident.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likelier._answer.calibration import Calibration, NoCalibration, Platt, Temperature
from likelier._answer.calibration_plain import KINDS
from likelier._answer.isotonic import Isotonic, TopLabel
from likelier._base.checks import checked_seed
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._evaluate.calibrate.calibration_set import CalibrationSet, usable
from likelier._evaluate.calibrate.isotonic_regression import isotonic, top_label
from likelier._evaluate.calibrate.scaling import platt, temperature
from likelier._evaluate.splits import stratified_folds

Rules = tuple[NoCalibration, Temperature, Platt, TopLabel, Isotonic]
ENOUGH_TO_JUDGE = 1 << 21  # numbers: of more, every second document, or every third, ...


@dataclass(frozen=True)
class TriedCalibration:
    """A rule fitted to all documents, and how it fared on those it was not fitted to.

    kind      none, temperature, platt, top-label or isotonic
    log_loss  mean of -log P(true label)
    behind    how much more that is than the best rule's, and the standard error of this difference
    """

    kind: str
    rule: Calibration
    log_loss: float
    behind: float
    behind_error: float


@dataclass(frozen=True)
class CalibrationChoice:
    """The rule, and all that were tried, from simple to complex.

    documents  how many the rules were fitted to in the end
    judged     how many were split into folds: all, or a sample of very many
    left_out   how many could not be used
    """

    rule: Calibration
    tried: tuple[TriedCalibration, ...]
    documents: int
    judged: int
    left_out: int

    def __str__(self) -> str:
        lines = [
            f"{'→' if each.rule is self.rule else ' '} {each.log_loss:8.4f}  {each.rule.name}" for each in self.tried
        ]
        return "\n".join([f"  log loss  calibration, by {self.judged} documents", *lines])


def choose(
    scores: ArrayLike,
    truth: ArrayLike,
    labels: Sequence[Label],
    weights: ArrayLike | None = None,
    *,
    folds: int = 5,
    seed: int = 0,
) -> CalibrationChoice:
    """The calibration with the least log loss; the same for the same documents in any order.

    scores: (documents, labels), by a model that has not learned the document
    truth: for each document the column of its label, -1 where it is unknown
    """
    _check_folds(folds)
    seed = checked_seed(seed)
    found = usable(scores, truth, labels, weights)
    sample = found.some(slice(None, None, -(-found.behind.size // ENOUGH_TO_JUDGE)))
    rules = _fit_all(found, platt(sample, temperature(sample)) if len(sample) < len(found) else None)
    tried = _compared(rules, _crossed(sample, rules[2], folds, seed), sample.weights)
    return CalibrationChoice(_simplest(tried), tried, len(found), len(sample), found.left_out)


def _crossed(found: CalibrationSet, near: Platt, folds: int, seed: int) -> dict[str, Floats]:
    """The losses of each document under rules that were fitted to other folds."""
    fold = stratified_folds(found.truth, folds, seed)
    losses = {kind: np.empty(len(found)) for kind in KINDS}
    for number in range(folds):
        judged = found.some(fold == number)
        for kind, rule in zip(KINDS, _fit_all(found.some(fold != number), near), strict=True):
            losses[kind][fold == number] = _log_losses(rule, judged)
    return losses


def _fit_all(found: CalibrationSet, near: Platt | None = None) -> Rules:
    """near: where to begin; it spares steps and does not change the result."""
    cooled = temperature(found)
    fitted = platt(found, cooled, near)
    return NoCalibration(), cooled, fitted, top_label(found, fitted), isotonic(found)


def _simplest(tried: Sequence[TriedCalibration]) -> Calibration:
    if tried[0].behind == 0:
        return tried[0].rule
    return next(each.rule for each in tried[1:] if each.behind <= each.behind_error)


def _log_losses(rule: Calibration, judged: CalibrationSet) -> Floats:  # (documents,)
    """-log P(true label), also where P is too small to be told from 0."""
    scores = rule.calibrated(-judged.behind, judged.labels)
    highest = scores.max(axis=1)
    total = np.exp(scores - highest[:, np.newaxis]).sum(axis=1)
    return np.log(total) + highest - scores[np.arange(len(judged)), judged.truth]


def _compared(rules: Rules, losses: dict[str, Floats], weights: Floats) -> tuple[TriedCalibration, ...]:
    mean = {kind: float(np.average(each, weights=weights)) for kind, each in losses.items()}
    best = min(KINDS, key=lambda kind: mean[kind])
    tried = []
    for kind, rule in zip(KINDS, rules, strict=True):
        apart = losses[kind] - losses[best]
        behind = float(np.average(apart, weights=weights))
        variance = float(np.average((apart - behind) ** 2, weights=weights))
        tried.append(TriedCalibration(kind, rule, mean[kind], behind, float(np.sqrt(variance / weights.sum()))))
    return tuple(tried)


def _check_folds(folds: object) -> None:
    if not isinstance(folds, int) or isinstance(folds, bool) or not 2 <= folds <= 20:
        raise error("calibration-folds-range", got=folds)

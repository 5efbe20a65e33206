"""Which of the settings that were judged: the best, or one that cannot be told from it and smooths more.

The difference between two settings on the same documents has a standard error. Settings that the best one does not beat
by more than that may as well be the best; of them the one that smooths most is taken, because it depends least on the
documents that happen to be there (Breiman, Friedman, Olshen & Stone 1984 take the simplest tree in the same way).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from likelier._answer.posterior import DIGITS
from likelier._base.numbers import Floats
from likelier._train.judging import Trial

By = Literal["accuracy", "log-loss"]


def figure(trial: Trial, by: By) -> float:
    """What is compared; more is better. Rounded, so that settings equal but for the last bits are equal everywhere."""
    return round(trial.accuracy if by == "accuracy" else -trial.log_loss, DIGITS)


def best_first(trials: Sequence[Trial], by: By) -> list[Trial]:
    """The best first; of equal ones the one that smooths more, then the one that was tried first."""
    return sorted(trials, key=lambda trial: (-figure(trial, by), -trial.candidate.strength))


def as_good(trials: Sequence[Trial], by: By) -> list[Trial]:
    """The best, and those that it does not beat by more than the standard error of the difference; best first."""
    best, *others = best_first(trials, by)
    return [best, *(each for each in others if _is_close(best, each, by))]


def chosen(trials: Sequence[Trial], by: By) -> Trial:
    """Of those that are as good as the best the one that smooths most, of these the one with the least log loss."""
    return max(as_good(trials, by), key=lambda trial: (trial.candidate.strength, figure(trial, "log-loss")))


def _is_close(best: Trial, other: Trial, by: By) -> bool:
    mine, theirs = (each.right if by == "accuracy" else -each.losses for each in (best, other))
    difference: Floats = (mine - theirs) * best.weights
    return bool(difference.sum() <= np.sqrt((difference**2).sum()))  # the error, if there is no difference at all

"""Documents whose label is known, as the rules are fitted to them.

Left out, and counted: documents with an unknown label, with a label that the scores say is impossible, with weight 0.
The others are in an order of their own, so that the order in which they came does not matter to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likelier._answer.calibration import Calibration
from likelier._answer.posterior import checked_scores, log_odds, rounded_distances
from likelier._base.cached import cached_property
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._documents.weights import LARGEST_WEIGHT

FEWEST = 20  # documents to fit a rule to
FARTHEST = 1e100  # a finite distance; its square is finite too
AT_ONCE = 1 << 18  # numbers; so memory is bounded and stays near
Rows = NDArray[np.intp] | NDArray[np.bool_] | slice
Rule = TypeVar("Rule", bound=Calibration)


@dataclass(frozen=True)
class CalibrationSet:
    """behind = how far each label is behind the best; truth = the column of the right one."""

    behind: Floats  # (documents, labels)
    truth: NDArray[np.intp]  # (documents,)
    weights: Floats
    labels: tuple[Label, ...]
    left_out: int

    def __len__(self) -> int:
        return len(self.truth)

    def some(self, rows: Rows) -> CalibrationSet:
        """Only these documents."""
        return replace(self, behind=self.behind[rows], truth=self.truth[rows], weights=self.weights[rows])

    @cached_property
    def odds(self) -> Floats:  # (documents, labels)
        """The log odds of each label against the others."""
        step = max(AT_ONCE // len(self.labels), 1)
        pieces = [log_odds(self.behind[row : row + step]) for row in range(0, len(self), step)]
        return np.concatenate([self.behind[:0], *pieces])

    @property
    def weight_per_label(self) -> Floats:  # (labels,)
        return np.bincount(self.truth, self.weights, minlength=len(self.labels)).astype(np.float64)


@dataclass(frozen=True)
class FittedCalibration(Generic[Rule]):
    """A rule, how many documents it was fitted to, and how many could not be used."""

    rule: Rule
    documents: int
    left_out: int


def calibration_set(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> CalibrationSet:
    """The documents that a rule can be fitted to.

    scores: (documents, labels), by a model that has not learned the document
    truth: for each document the column of its label, -1 where it is unknown
    """
    values = checked_scores(scores, labels)
    columns = np.asarray(truth) if np.size(truth) else np.empty(0, dtype=np.intp)
    given = np.ones(len(values)) if weights is None else _numbers(weights)
    _check(values, columns, given)
    there = np.flatnonzero((columns >= 0) & (given > 0))
    there = there[~np.isneginf(values[there, columns[there]])]
    behind = rounded_distances(values[there])
    np.minimum(behind, FARTHEST, out=behind, where=np.isfinite(values[there]))
    found = CalibrationSet(
        behind, columns[there].astype(np.intp), given[there], tuple(labels), len(values) - len(there)
    )
    return _sorted(found)


def usable(scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None) -> CalibrationSet:
    """The documents that a rule can be fitted to, when they are enough."""
    found = calibration_set(scores, truth, labels, weights)
    _check_enough(found)
    return found


def _numbers(weights: ArrayLike) -> Floats:
    try:
        return np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        return np.full(np.shape(weights), np.nan)


def _sorted(found: CalibrationSet) -> CalibrationSet:
    own = found.behind[np.arange(len(found)), found.truth]
    near = np.exp(-found.behind).sum(axis=1)
    keys = (found.weights, near, found.behind[:, 0], found.behind[:, -1], own, found.truth)
    return found.some(np.lexsort(keys))


def _check_enough(found: CalibrationSet) -> None:
    """Whether there is something to fit a rule to."""
    if len(found) < FEWEST:
        raise error("calibration-too-few", fewest=FEWEST, got=len(found), left_out=found.left_out)
    present = np.flatnonzero(found.weight_per_label)
    if len(present) < 2:
        raise error("calibration-one-label", got=len(found), label=found.labels[int(present[0])])


def _check(scores: Floats, truth: NDArray[np.intp], weights: Floats) -> None:
    if truth.shape != (len(scores),) or weights.shape != (len(scores),):
        raise error("lengths-differ.scores", got=len(scores), truth=truth.size, weights=weights.size)
    if truth.dtype.kind not in "iu":
        raise error("truth-kind", got=truth.dtype)
    wrong = np.flatnonzero((truth < -1) | (truth >= scores.shape[1]))
    if len(wrong):
        raise error("truth-range", last=scores.shape[1] - 1, got=truth[wrong[0]], row=wrong[0])
    bad = np.flatnonzero(~((weights >= 0) & (weights <= LARGEST_WEIGHT)))
    if len(bad):
        raise error("weight-range", most=LARGEST_WEIGHT, got=weights[bad[0]], where=f" for document {bad[0]}")

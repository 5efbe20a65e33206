"""Isotonic regression by pooling adjacent violators (Ayer et al. 1955), for isotonic and top-label calibration.

Of all rising sequences the result has the least sum of w (value - result)². Where a value is not above the one before
it, both are pooled into a block with their weighted mean, until the blocks rise.

isotonic   for each label, with two documents more: one of the label with the lowest odds of all, one of the others with
           the highest; so no value is 0 or 1. Rare labels share one map.
top label  Platt's rule, then the same for the label in front
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likelier._answer.calibration import Platt
from likelier._answer.isotonic import MOST_POINTS, Isotonic, Points, TopLabel, fronts
from likelier._answer.posterior import DIGITS
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._evaluate.calibrate.calibration_set import CalibrationSet, FittedCalibration, usable
from likelier._evaluate.calibrate.scaling import platt, temperature

RARE = 10  # documents; a label with fewer, or all but fewer, has no map of its own
GRID = 256  # steps of asinh(log odds) in the shared map
WORTH_A_PASS = 0.1  # of the blocks; fewer violators are pooled one by one


def fit_top_label(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> FittedCalibration[TopLabel]:
    """Platt's rule, and a map for the label in front; the arguments as for `fit_temperature`."""
    found = usable(scores, truth, labels, weights)
    return FittedCalibration(top_label(found, platt(found, temperature(found))), len(found), found.left_out)


def fit_isotonic(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> FittedCalibration[Isotonic]:
    """Isotonic maps; the arguments as for `fit_temperature`."""
    found = usable(scores, truth, labels, weights)
    return FittedCalibration(isotonic(found), len(found), found.left_out)


def top_label(found: CalibrationSet, base: Platt) -> TopLabel:
    """A rising map for the label that Platt's rule has in front."""
    _, front, odds = fronts(base.calibrated(-found.behind, found.labels))
    return TopLabel(base, _map(odds, front == found.truth, found.weights) or ((0.0, 0.5),))


def isotonic(found: CalibrationSet) -> Isotonic:
    """A rising map for each label that is frequent enough, and one for all others."""
    points: dict[Label, Points] = {}
    per_label = found.weight_per_label
    for column, label in enumerate(found.labels):
        enough = min(per_label[column], per_label.sum() - per_label[column]) >= RARE
        points[label] = _own_map(found, column) if enough else ()
    return Isotonic(points, _shared_map(found))


def _own_map(found: CalibrationSet, column: int) -> Points:
    return _map(found.odds[:, column], found.truth == column, found.weights)


def _map(odds: Floats, is_right: NDArray[np.bool_], weights: Floats) -> Points:
    """The map that goes with log odds, some of which were right; no points if none is finite."""
    usable = np.isfinite(odds)
    odds = np.round(odds, DIGITS)
    order = np.flatnonzero(usable)[np.argsort(odds[usable], kind="stable")]
    if not len(order):
        return ()
    at = odds[order]
    begins = np.flatnonzero(np.concatenate([[True], np.diff(at) > 0]))  # equal odds have one value
    return _rising(at[begins], sums((weights * is_right)[order], begins), sums(weights[order], begins))


def _shared_map(found: CalibrationSet) -> Points:
    """All labels in one map. Their odds are rounded: there may be many millions, and rounding makes them few."""
    columns = np.arange(len(found.labels))
    usable = np.isfinite(found.odds)
    place = np.rint(GRID * np.arcsinh(found.odds[usable])).astype(np.intp)
    first = int(place.min(initial=0))
    weights = np.broadcast_to(found.weights[:, np.newaxis], usable.shape)[usable]
    is_label = (found.truth[:, np.newaxis] == columns)[usable]
    total = np.bincount(place - first, weights, minlength=1).astype(np.float64)
    there = np.flatnonzero(total)
    if not len(there):
        return ((0.0, 0.5),)
    right = np.bincount(place - first, weights * is_label).astype(np.float64)[there]
    at = np.sinh((there + first) / GRID).astype(np.float64).round(DIGITS)
    return _rising(at, right, total[there])


def _rising(at: Floats, right: Floats, total: Floats) -> Points:
    """The ends of the blocks. `right` of `total` documents at these odds have the label."""
    values = np.concatenate([[1.0], right / total, [0.0]])  # with a document more at both ends, against the trend
    blocks = at_most(pool(values, np.concatenate([[1.0], total, [1.0]])), MOST_POINTS // 2)
    lower = np.maximum(blocks.start, 1) - 1
    upper = np.concatenate([blocks.start[1:], [len(values) - 1]]) - 2
    ends = zip(at[lower].tolist(), at[upper].tolist(), blocks.mean.tolist(), strict=True)
    return tuple(
        point for low, high, mean in ends for point in ([(low, mean), (high, mean)] if low < high else [(low, mean)])
    )


# ---- pooling adjacent violators --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PooledBlocks:
    """Rising means, each of a run of values: from `start` to where the next one starts."""

    start: NDArray[np.intp]  # (blocks,)
    total: Floats  # weighted sum of values
    weight: Floats

    @property
    def mean(self) -> Floats:
        return self.total / self.weight

    def merged(self, kept: NDArray[np.intp]) -> PooledBlocks:
        """Each block from one of those kept until before the next."""
        return PooledBlocks(self.start[kept], sums(self.total, kept), sums(self.weight, kept))


def sums(values: Floats, begins: NDArray[np.intp]) -> Floats:
    """The sum from each beginning until before the next."""
    return np.asarray(np.add.reduceat(values, begins), dtype=np.float64)


def pool(values: Floats, weights: Floats) -> PooledBlocks:
    """The blocks of values with positive weights, in order.

    >>> blocks = pool(np.array([1.0, 3.0, 2.0, 4.0]), np.ones(4))
    >>> blocks.start.tolist(), blocks.mean.tolist()
    ([0, 1, 3], [1.0, 2.5, 4.0])
    """
    blocks = PooledBlocks(np.arange(len(values)), values * weights, np.asarray(weights, dtype=np.float64))
    while len(blocks.start) > 1:  # runs of violators at once, as long as there are many
        rises = blocks.total[1:] * blocks.weight[:-1] > blocks.total[:-1] * blocks.weight[1:]
        if rises.all():
            return blocks
        if (~rises).sum() < WORTH_A_PASS * len(rises):
            return _pool_one_by_one(blocks)
        blocks = blocks.merged(np.flatnonzero(np.concatenate([[True], rises])))
    return blocks


def _pool_one_by_one(blocks: PooledBlocks) -> PooledBlocks:
    start: list[int] = []
    total: list[float] = []
    weight: list[float] = []
    for begin, sum_here, weight_here in zip(
        blocks.start.tolist(), blocks.total.tolist(), blocks.weight.tolist(), strict=True
    ):
        while start and sum_here * weight[-1] <= total[-1] * weight_here:  # not above the one before
            begin = start.pop()
            sum_here += total.pop()
            weight_here += weight.pop()
        start.append(begin)
        total.append(sum_here)
        weight.append(weight_here)
    return PooledBlocks(np.array(start, dtype=np.intp), np.array(total), np.array(weight))


def at_most(blocks: PooledBlocks, number: int) -> PooledBlocks:
    """No more blocks than this: neighbors are merged where that changes least. The means still rise."""
    while len(blocks.start) > number:
        apart = np.diff(blocks.mean) ** 2
        cost = apart / (1 / blocks.weight[:-1] + 1 / blocks.weight[1:])  # what the sum of squares grows by
        blocks = blocks.merged(np.delete(np.arange(len(blocks.start)), int(cost.argmin()) + 1))
    return blocks

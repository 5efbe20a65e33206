"""Isotonic regression by pooling adjacent violators (Ayer et al. 1955).

Of all rising sequences the result has the least sum of w (value - result)². Where a value is not above the one before
it, both are pooled into a block with their weighted mean, until the blocks rise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats

WORTH_A_PASS = 0.1  # of the blocks; fewer violators are pooled one by one


@dataclass(frozen=True, slots=True)
class Blocks:
    """Rising means, each of a run of values: from `start` to where the next one starts."""

    start: NDArray[np.intp]  # (blocks,)
    total: Floats  # weighted sum of values
    weight: Floats

    @property
    def mean(self) -> Floats:
        return self.total / self.weight

    def merged(self, kept: NDArray[np.intp]) -> Blocks:
        """Each block from one of those kept until before the next."""
        return Blocks(self.start[kept], sums(self.total, kept), sums(self.weight, kept))


def sums(values: Floats, begins: NDArray[np.intp]) -> Floats:
    """The sum from each beginning until before the next."""
    return np.asarray(np.add.reduceat(values, begins), dtype=np.float64)


def pool(values: Floats, weights: Floats) -> Blocks:
    """The blocks of values with positive weights, in order.

    >>> blocks = pool(np.array([1.0, 3.0, 2.0, 4.0]), np.ones(4))
    >>> blocks.start.tolist(), blocks.mean.tolist()
    ([0, 1, 3], [1.0, 2.5, 4.0])
    """
    blocks = Blocks(np.arange(len(values)), values * weights, np.asarray(weights, dtype=np.float64))
    while len(blocks.start) > 1:  # runs of violators at once, as long as there are many
        rises = blocks.total[1:] * blocks.weight[:-1] > blocks.total[:-1] * blocks.weight[1:]
        if rises.all():
            return blocks
        if (~rises).sum() < WORTH_A_PASS * len(rises):
            return _pool_one_by_one(blocks)
        blocks = blocks.merged(np.flatnonzero(np.concatenate([[True], rises])))
    return blocks


def _pool_one_by_one(blocks: Blocks) -> Blocks:
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
    return Blocks(np.array(start, dtype=np.intp), np.array(total), np.array(weight))


def at_most(blocks: Blocks, number: int) -> Blocks:
    """No more blocks than this: neighbours are merged where that changes least. The means still rise."""
    while len(blocks.start) > number:
        apart = np.diff(blocks.mean) ** 2
        cost = apart / (1 / blocks.weight[:-1] + 1 / blocks.weight[1:])  # what the sum of squares grows by
        blocks = blocks.merged(np.delete(np.arange(len(blocks.start)), int(cost.argmin()) + 1))
    return blocks

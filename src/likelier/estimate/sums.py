"""Sums that are rounded once, so that the order of what is added does not matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likelier._kernel import exact_sums
from likelier.estimate.evidence import Floats

UNIT_OF_EXACT = 1 << 1074  # every finite double is a whole multiple of its inverse


def rounded_sums(
    numbers: Floats, which: NDArray[np.uint32], times: NDArray[np.uint64] | None, sums: int
) -> Floats:  # (sums,)
    """So many sums of numbers, each as `math.fsum` gives it; NaN is left out.

    which: the sum that each number belongs to. times: how often it is added; None: once.

    >>> rounded_sums(
    ...     np.array([0.1, 1e16, 1.0]), np.array([0, 1, 1], dtype=np.uint32), np.array([10, 1, 1], np.uint64), 2
    ... )
    array([1.e+00, 1.e+16])
    """
    found = exact_sums(numbers, which, times, sums)
    exact = [int.from_bytes(total, "little", signed=True) for _, total, _ in found]
    return np.array([total / UNIT_OF_EXACT for total in exact], dtype=np.float64)

"""Intervals: how far a figure may be from what it would be on all documents of this kind.

Share p of n documents, Wilson 1927, with z the quantile of the normal distribution:

    (p + z²/2n ± z sqrt( p (1 - p)/n + z²/4n² )) / (1 + z²/n)

It never leaves 0 to 1 and is not empty where all documents are right. Documents of unequal weight say less than as many
of equal weight; n is then the effective number of Kish 1965:

    n = (sum of w)² / sum of w²

which is the number of documents where all weights are alike, whatever the weight. A weight is importance, not copies:
three documents of weight 2 are three observations.

Mean m of n differences (Student 1908), with t from the series in z of Abramowitz & Stegun 1964, 26.7.5:

    m ± t sqrt( n/(n-1) sum of w² (x - m)² ) / sum of w
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from likelier._base.errors import SettingError
from likelier._base.numbers import is_number
from likelier._evaluate.figures.judged import Floats


class Interval(NamedTuple):
    """From where to where."""

    low: float
    high: float


def quantile(level: float) -> float:
    """z: so many standard deviations to either side hold this share of a normal distribution.

    >>> round(quantile(0.95), 6)
    1.959964
    """
    if not (is_number(level) and 0 < level < 1):  # this way round, so that NaN is refused too
        raise SettingError(
            code="level-range",
            message=f"`level` must be a number between 0 and 1, got {level!r}",
            hint="level=0.95: in 95 of 100 evaluations the interval holds the true figure",
        )
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(share: float, documents: float, *, level: float = 0.95) -> Interval:
    """The interval of a share; everything is possible without documents.

    >>> low, high = wilson(0.8, 10)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    >>> wilson(1.0, 5).high, wilson(0.0, 5).low, wilson(0.0, 0)
    (1.0, 0.0, Interval(low=0.0, high=1.0))
    """
    z = quantile(level)
    if documents <= 0:
        return Interval(0.0, 1.0)
    spread = z * z / documents
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(max(share * (1 - share), 0.0) / documents + spread / (4 * documents))
    low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    return Interval(0.0 if share <= 0 else min(low, share), 1.0 if share >= 1 else max(high, share))


def effective_documents(weights: Floats) -> float:
    """Kish's n. Weights are taken relative to the largest, so that no square is too large.

    >>> import numpy as np
    >>> effective_documents(np.array([2.0, 2.0, 2.0])), effective_documents(np.array([3.0, 1.0]))
    (3.0, 1.6)
    """
    largest = float(weights.max()) if len(weights) else 0.0
    if largest == 0:
        return 0.0
    relative = weights / largest
    return float(relative.sum()) ** 2 / float((relative * relative).sum())


def student(level: float, degrees: float) -> float:
    """t for so many degrees of freedom; within 1 % from 2 degrees on.

    >>> round(student(0.95, 10), 3), round(student(0.95, 1e9), 4)
    (2.228, 1.96)
    """
    z = quantile(level)
    terms = [
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    ]
    return sum(term / degrees**power for power, term in enumerate(terms))


def mean_interval(values: Floats, weights: Floats, *, level: float = 0.95) -> Interval | None:
    """The interval of a weighted mean; None where fewer than two documents count.

    >>> import numpy as np
    >>> low, high = mean_interval(np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4))
    >>> round(low, 3), round(high, 3)
    (0.448, 4.552)
    """
    values, weights = values[weights > 0], weights[weights > 0]
    if len(values) < 2:
        return None
    share = weights / weights.sum()
    mean = float((share * values).sum())
    variance = float((share * share * (values - mean) ** 2).sum()) * len(values) / (len(values) - 1)
    half = student(level, max(effective_documents(weights) - 1, 1.0)) * math.sqrt(variance)
    return Interval(mean - half, mean + half)

"""Confidence intervals, and tests whether a difference can be chance.

Share p of n documents, Wilson 1927, with z the quantile of the normal distribution:

    (p + z²/2n ± z sqrt( p (1 - p)/n + z²/4n² )) / (1 + z²/n)

It never leaves 0 to 1 and is not empty where all documents are right. Documents of unequal weight say less than as many
of equal weight; n is then the effective number of Kish 1965:

    n = (sum of w)² / sum of w²

which is the number of documents where all weights are alike, whatever the weight. A weight is importance, not copies:
three documents of weight 2 are three observations.

Mean m of n differences (Student 1908), with t from the series in z of Abramowitz & Stegun 1964, 26.7.5:

    m ± t sqrt( n/(n-1) sum of w² (x - m)² ) / sum of w

Tests of two sets of verdicts on the same documents: if neither is better, then it is a toss of a coin for each document
which of the two it favors. McNemar 1947, exact: n documents are right under one of the two only, k of them under the
one with fewer,

    p = 2 · P(X <= k),   X binomial(n, 1/2),  at most 1

Sign flips (Fisher 1935): d_i is by how much a document favors the first, times its weight. The sum of d is compared
with the sums in which each d_i has its sign by the toss of a coin; p is the share of sums at least as far from 0. With
up to 13 differences all sums are tried, otherwise as many are drawn as asked for, from a seed, and the given one counts
as drawn too. Of very many differences the largest ones are tossed one by one, and the small rest together: their sum is
about normal, with the variance sum of d². Only sizes matter, so the order of documents does not. McNemar's test is the
case in which all d_i are of one size.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from likelier._base.numbers import is_number
from likelier._evaluate.figures.arrays import Floats, check_setting

ALONE = 1000  # this many of the largest differences are flipped one by one
EXACT = 13  # 2**13 sums are tried, not drawn
AT_ONCE = 500
ROUNDING = 1e-9


class Interval(NamedTuple):
    """From where to where."""

    low: float
    high: float


def quantile(level: float) -> float:
    """z: this share of a normal distribution is within z standard deviations of the mean.

    >>> round(quantile(0.95), 6)
    1.959964
    """
    check_setting(is_number(level) and 0 < level < 1, "level-range", level)
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
    center = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(max(share * (1 - share), 0.0) / documents + spread / (4 * documents))
    low, high = max(center - half, 0.0), min(center + half, 1.0)
    return Interval(0.0 if share <= 0 else min(low, share), 1.0 if share >= 1 else max(high, share))


def effective_documents(weights: Floats) -> float:
    """Kish's n. Weights are taken relative to the largest, so that no square is too large.

    >>> effective_documents(np.array([2.0, 2.0, 2.0])), effective_documents(np.array([3.0, 1.0]))
    (3.0, 1.6)
    """
    largest = float(weights.max()) if len(weights) else 0.0
    if largest == 0:
        return 0.0
    relative = weights / largest
    return float(relative.sum()) ** 2 / float((relative * relative).sum())


def student(level: float, degrees: float) -> float:
    """t for these degrees of freedom; within 1 % with 2 degrees or more.

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


# ---- tests -------------------------------------------------------------------------------------------------------


def binomial_tail(k: int, n: int, p: float) -> float:
    """P(X >= k) for X binomial(n, p).

    >>> binomial_tail(2, 2, 0.5), binomial_tail(0, 5, 0.1)
    (0.25, 1.0)
    """
    if k <= 0:
        return 1.0
    if p <= 0 or p >= 1 or k > n:
        return float(p >= 1 and k <= n)
    # P(X = k + j) / P(X = k) = product of (n - k - i) / (k + 1 + i) · p / (1 - p) over i < j
    steps = np.arange(n - k, dtype=np.float64)
    ratios = np.cumsum(np.log((n - k - steps) / (k + 1 + steps)) + math.log(p) - math.log1p(-p))
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    first = ways + k * math.log(p) + (n - k) * math.log1p(-p)
    return min(1.0, math.exp(first) + float(np.exp(first + ratios).sum()))


def mcnemar(first_only: int, second_only: int) -> float:
    """p for the numbers of documents that only the first, and only the second of two models gets right.

    >>> mcnemar(9, 1)  # 2 (1 + 10) / 1024
    0.021484375
    >>> mcnemar(3, 3), mcnemar(0, 0)
    (1.0, 1.0)
    """
    total = first_only + second_only
    return min(2 * binomial_tail(max(first_only, second_only), total, 0.5), 1.0)


def sign_flips(differences: Floats, *, flips: int = 9999, seed: int = 0) -> float:
    """p for the sum of these differences.

    >>> sign_flips(np.array([1.0, 1.0, 1.0, 1.0, 1.0, -1.0])), mcnemar(5, 1)  # 2 (1 + 6) / 64
    (0.21875, 0.21875)
    >>> sign_flips(np.full(100, 0.5)), sign_flips(np.zeros(5))
    (0.0001, 1.0)
    """
    for name, value, least, most in (("flips", flips, 99, 1_000_000), ("seed", seed, 0, 2**63)):
        is_good = not isinstance(value, bool) and isinstance(value, int) and least <= value <= most
        check_setting(is_good, "chance-range.flips", value, name=name, least=least, most=most)
    largest = float(np.abs(differences).max()) if len(differences) else 0.0
    if largest == 0:
        return 1.0
    sizes = np.sort(np.abs(differences[differences != 0]) / largest)[::-1]  # falling
    given = abs(float((differences / largest).sum()))
    limit = given - ROUNDING * float(sizes.sum())  # sums differ by rounding
    if len(sizes) <= EXACT:
        signs = (np.arange(2 ** len(sizes))[:, np.newaxis] >> np.arange(len(sizes)) & 1) * 2.0 - 1
        return float((np.abs(signs @ sizes) >= limit).mean())
    return (1 + _drawn(sizes, limit, flips, np.random.default_rng(seed))) / (1 + flips)


def _drawn(sizes: Floats, limit: float, flips: int, random: np.random.Generator) -> int:
    """How many sums with random signs are at least as far from 0 as the limit."""
    alone, rest = sizes[:ALONE], sizes[ALONE:]
    spread = math.sqrt(float(rest @ rest))
    found = 0
    for start in range(0, flips, AT_ONCE):
        number = min(AT_ONCE, flips - start)
        signs = random.integers(0, 2, size=(number, len(alone)), dtype=np.int8) * 2.0 - 1
        sums = signs @ alone + spread * random.standard_normal(number)
        found += int((np.abs(sums) >= limit).sum())
    return found

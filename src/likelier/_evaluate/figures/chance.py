"""Whether a difference between two sets of verdicts on the same documents can be chance.

If neither is better, then it is a toss of a coin for each document which of the two it favours.

McNemar 1947, exact: n documents are right under one of the two only, k of them under the one with fewer,

    p = 2 · P(X <= k),   X binomial(n, 1/2),  at most 1

Sign flips (Fisher 1935): d_i is by how much a document favours the first, times its weight. The sum of d is compared
with the sums in which each d_i has its sign by the toss of a coin; p is the share of sums at least as far from 0. With
up to 13 differences all sums are tried, otherwise as many are drawn as asked for, from a seed, and the given one counts
as drawn too. Of very many differences the largest ones are tossed one by one, and the small rest together: their sum is
about normal, with the variance sum of d². Only sizes matter, so the order of documents does not. McNemar's test is the
case in which all d_i are of one size.
"""

from __future__ import annotations

import math

import numpy as np

from likelier._base.errors import SettingError
from likelier._evaluate.figures.judged import Floats

ALONE = 1000  # so many of the largest differences are tossed one by one
EXACT = 13  # 2**13 sums are tried, not drawn
AT_ONCE = 500
ROUNDING = 1e-9


def mcnemar(first_only: int, second_only: int) -> float:
    """p for so many documents that are right under one of the two only.

    >>> mcnemar(9, 1)  # 2 (1 + 10) / 1024
    0.021484375
    >>> mcnemar(3, 3), mcnemar(0, 0)
    (1.0, 1.0)
    """
    total, fewer = first_only + second_only, min(first_only, second_only)
    if 2 * fewer >= total:
        return 1.0
    # P(X = k - j) / P(X = k) = product of (k - i) / (n - k + 1 + i) over i < j
    steps = np.arange(fewer, dtype=np.float64)
    ratios = np.cumsum(np.log(fewer - steps) - np.log(total - fewer + 1 + steps))
    last = math.lgamma(total + 1) - math.lgamma(fewer + 1) - math.lgamma(total - fewer + 1) - total * math.log(2)
    return min(2 * math.exp(last) * (1 + float(np.exp(ratios).sum())), 1.0)


def sign_flips(differences: Floats, *, flips: int = 9999, seed: int = 0) -> float:
    """p for the sum of these differences.

    >>> sign_flips(np.array([1.0, 1.0, 1.0, 1.0, 1.0, -1.0])), mcnemar(5, 1)  # 2 (1 + 6) / 64
    (0.21875, 0.21875)
    >>> sign_flips(np.full(100, 0.5)), sign_flips(np.zeros(5))
    (0.0001, 1.0)
    """
    _check(flips, seed)
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


def _check(flips: int, seed: int) -> None:
    for name, value, least, most in (("flips", flips, 99, 1_000_000), ("seed", seed, 0, 2**63)):
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise SettingError(
                code="chance-range",
                message=f"`{name}` must be a whole number from {least:,} to {most:,}, got {value!r}",
                hint="flips=9999, seed=0 are what is taken unless given",
            )


def in_words(p: float) -> str:
    """The number, short.

    >>> in_words(0.5), in_words(0.0123), in_words(0.00001)
    ('p = 0.5', 'p = 0.012', 'p < 0.0001')
    """
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}"

"""Intervals of a numeric column: where they are cut, what they are called, and which one a number lies in.

    equal width      the range of the numbers, divided evenly
    equal frequency  about as much weight in every interval; equal numbers stay together
    information      the cut that tells most about the labels, then the same on both sides (Fayyad & Irani 1993)

    gain(S) = Ent(S) - |S1|/|S| Ent(S1) - |S2|/|S| Ent(S2)                          Ent = entropy of the labels, in bits
    cut while  |S| gain > log2(|S| - 1) + log2(3^k - 2) - (k Ent(S) - k1 Ent(S1) - k2 Ent(S2))

S = the documents of an interval, S1 and S2 = those on both sides of the cut, k = how many labels each of them has.

An interval holds its lower end and not its upper one: 20-35 is 20 <= x < 35. Where a cut may lie anywhere between two
numbers that were seen, it is a round one near the middle.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._counts.moments import written
from likelier._estimate.numeric import Binning, ByInformation, Cuts, EqualFrequency, EqualWidth

Units = NDArray[np.uint64]
REMEMBERED = 1 << 12  # round numbers


def cut_points(rule: Binning, values: Floats, counts: Units, *, unit: int = 1) -> list[float]:
    """The cut points that a rule makes of what was counted, rising.

    values: (values,) all different, rising
    counts: (values, labels) in units

    >>> values, counts = np.array([18.0, 25.0, 40.0]), np.array([[3, 0], [4, 0], [0, 5]], dtype=np.uint64)
    >>> cut_points(EqualFrequency(2), values, counts)
    [30.0]
    """
    if isinstance(rule, Cuts):
        return list(rule.points)
    seen = counts.any(axis=1)
    values, counts = values[seen], counts[seen]
    if len(values) < 2:
        return []
    if isinstance(rule, EqualWidth):
        return _equal_width(rule.bins, values)
    cumulative = np.cumsum(counts.T, axis=1, dtype=np.uint64)  # (labels, values)
    if isinstance(rule, EqualFrequency):
        places = _equal_frequency(rule.bins, cumulative.sum(axis=0, dtype=np.uint64))
    else:
        assert isinstance(rule, ByInformation)  # a normal distribution has no cut points
        places = sorted(_by_information(cumulative, unit))
    return [_round_between(values[place], values[place + 1]) for place in places]


def interval_names(cuts: Sequence[float]) -> list[str]:
    """What the intervals are called.

    >>> interval_names([20, 35]), interval_names([-5, -1]), interval_names([])
    (['below 20', '20-35', '35 and more'], ['below -5', '-5 to -1', '-1 and more'], ['any'])
    """
    if not cuts:
        return ["any"]
    names = [written(cut) for cut in cuts]
    between = [f"{low} to {high}" if "-" in low + high else f"{low}-{high}" for low, high in pairwise(names)]
    return [f"below {names[0]}", *between, f"{names[-1]} and more"]


def place(numbers: Floats, cuts: Sequence[float]) -> NDArray[np.intp]:
    """Which interval each number lies in; -1 where it is missing (NaN).

    >>> place(np.array([19.9, 20.0, 35.0, np.nan]), [20, 35]).tolist()
    [0, 1, 2, -1]
    """
    return np.where(np.isnan(numbers), -1, np.searchsorted(np.asarray(cuts, dtype=np.float64), numbers, side="right"))


# ---- equal width and equal frequency -----------------------------------------------------------------------------


def _equal_width(bins: int, values: Floats) -> list[float]:
    least, greatest = _decimal(values[0]), _decimal(values[-1])
    width = (greatest - least) / bins
    cuts = []
    for number in range(1, bins):
        cut = least + number * width
        above = int(np.searchsorted(values, float(cut)))  # the first value that is not below
        low, high = _decimal(values[above - 1]) if above else least, _decimal(values[above])
        if low < cut <= high:  # round by a thousandth of the width at most, and past no value that was seen
            cut = _roundest(cut - width / 1000, min(high, cut + width / 1000), cut, above=low)
        cuts.append(float(cut))
    return [cut for cut in sorted(set(cuts)) if values[0] < cut <= values[-1]]


def _equal_frequency(bins: int, weights: Units) -> list[int]:
    """Behind which values to cut: where the weight up to there is nearest to each share of the whole."""
    ends = weights.tolist()
    places = set()
    for number in range(1, bins):
        share = Fraction(number * ends[-1], bins)
        after = bisect_left(ends, share, hi=len(ends) - 1)
        near = [place for place in (after - 1, after) if 0 <= place < len(ends) - 1]
        places.update([min(near, key=lambda place: abs(ends[place] - share))] if near else [])
    return sorted(places)


# ---- information -------------------------------------------------------------------------------------------------


def _by_information(cumulative: Units, unit: int) -> Iterator[int]:
    """Behind which values to cut."""
    parts = [(0, cumulative.shape[1])]
    while parts:
        start, end = parts.pop()
        cut = _best_cut(cumulative, start, end, unit)
        if cut is not None:
            yield cut
            parts += [(start, cut + 1), (cut + 1, end)]


def _best_cut(cumulative: Units, start: int, end: int, unit: int) -> int | None:
    """Behind which value of those from `start` to before `end` to cut, None when it is not worth it."""
    before = cumulative[:, start - 1] if start else np.zeros(len(cumulative), dtype=np.uint64)
    totals = cumulative[:, end - 1] - before
    present = np.flatnonzero(totals)
    if end - start < 2 or len(present) < 2:
        return None
    sides = _bits(cumulative[present, start : end - 1], before[present], totals[present], unit)
    # Of cuts that are equally good the first, whatever the last digits of a logarithm are on this machine.
    cut = int(np.flatnonzero(sides <= sides.min() + 1e-12 * float(totals.sum() / unit))[0])
    left = cumulative[:, start + cut] - before
    return start + cut if _is_worth_it(totals / unit, left / unit, (totals - left) / unit) else None


def _bits(cumulative: Units, before: Units, totals: Units, unit: int) -> Floats:  # (cuts,)
    """|S1| Ent(S1) + |S2| Ent(S2) for every cut."""
    left_size, bits = np.zeros(cumulative.shape[1]), np.zeros(cumulative.shape[1])
    for row, base, total in zip(cumulative, before, totals, strict=True):  # label by label: little memory
        left = row - base
        left_size += left / unit
        bits -= _n_log_n(left / unit) + _n_log_n((total - left) / unit)
    result: Floats = bits + _n_log_n(left_size) + _n_log_n(totals.sum(dtype=np.uint64) / unit - left_size)
    return result


def _n_log_n(numbers: Floats) -> Floats:
    result: Floats = numbers * np.log2(np.where(numbers > 0, numbers, 1.0))
    return result


def _is_worth_it(all_: Floats, left: Floats, right: Floats) -> bool:
    size = float(all_.sum())
    (bits, labels), *sides = (_bits_and_labels(part) for part in (all_, left, right))
    gain = bits - sum(side_bits for side_bits, _ in sides)  # times |S|
    entropies = [
        part_labels * part_bits / float(part.sum())
        for part, (part_bits, part_labels) in zip((all_, left, right), ((bits, labels), *sides), strict=True)
    ]
    price = math.log2(3**labels - 2) - (entropies[0] - entropies[1] - entropies[2])
    return gain > math.log2(max(size - 1, 1.0)) + price


def _bits_and_labels(counts: Floats) -> tuple[float, int]:
    """|S| Ent(S) and k."""
    there = counts[counts > 0]
    size = float(there.sum())
    return size * math.log2(size) - math.fsum((there * np.log2(there)).tolist()), len(there)


# ---- round numbers -----------------------------------------------------------------------------------------------


@lru_cache(REMEMBERED)
def _round_between(low: float, high: float) -> float:
    """A round number above `low` and not above `high`, near the middle, with no more decimals than they have.

    >>> _round_between(1.9, 3.0), _round_between(36, 37), _round_between(4.7, 4.8), _round_between(18, 31)
    (2.5, 37.0, 4.8, 25.0)
    """
    least, greatest = _decimal(low), _decimal(high)
    middle, quarter = (least + greatest) / 2, (greatest - least) / 4
    cut = _roundest(middle - quarter, middle + quarter, middle, above=least)
    if _decimals(cut) > max(_decimals(least), _decimals(greatest)):
        cut = _roundest(least, greatest, middle, above=least)
    return float(cut) if low < float(cut) else float(high)


def _roundest(low: Fraction, high: Fraction, near: Fraction, *, above: Fraction) -> Fraction:
    """The multiple of ... 50, 10, 5, 1, 0.5 ..., as large as possible, from `low` to `high`; of several the nearest."""
    size = float(max(abs(low), abs(high)))
    if not size:  # less than the least float above 0
        return near
    step = Fraction(10) ** (math.floor(math.log10(size)) + 1)
    for turn in range(80):  # far more digits than a float has
        least, most = max(math.ceil(low / step), math.floor(above / step) + 1), math.floor(high / step)
        if least <= most:
            return min(max(round(near / step), least), most) * step
        step /= (2, 5)[turn % 2]
    return near


def _decimal(number: float) -> Fraction:
    """The number as it is written: 0.1 is one tenth."""
    return Fraction(repr(float(number)))


def _decimals(number: Fraction) -> int:
    """How many decimals it takes to write the number, 99 when no number of them is enough."""
    return next((places for places in range(99) if (number * 10**places).denominator == 1), 99)

"""Calibration: whether what is said with 90 % probability is right in 90 of 100 documents.

Documents are put into bins by the probability of their most probable label. In each bin, confidence is the mean of
that probability, and accuracy the share of documents whose true label it is (DeGroot & Fienberg 1983):

    expected calibration error = sum over bins of  share of documents · |accuracy - confidence|     (Naeini et al. 2015)
    maximum calibration error  = largest |accuracy - confidence| of a bin

equal width   bin m of M holds probabilities above (m - 1)/M up to m/M; the first holds 0 too
equal mass    bins of about equally many documents; documents of the same probability stay together

A bin without documents is left out. A document whose labels are all impossible has probability 0 and is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from likelier._base.checks import is_one_of
from likelier._base.errors import SettingError
from likelier._evaluate.figures.intervals import Interval, wilson
from likelier._evaluate.figures.judged import (
    Columns,
    Floats,
    Truths,
    each_weight,
    is_right,
    most_probable,
    of_column,
    summed,
)

Binning = Literal["width", "mass"]
MOST_BINS = 1000


@dataclass(frozen=True, slots=True)
class Bin:
    """One point of the reliability diagram.

    low, high   the bounds of the bin; by equal mass, the lowest and the highest probability in it
    confidence  the mean probability
    accuracy    the share that is right, with its interval
    documents   by weight
    """

    low: float
    high: float
    confidence: float
    accuracy: float
    interval: Interval
    documents: float

    @property
    def gap(self) -> float:
        """Confidence minus accuracy: above 0, the verdicts are too sure."""
        return self.confidence - self.accuracy


@dataclass(frozen=True, slots=True)
class Reliability:
    """The reliability diagram and its errors.

    expected_error  the expected calibration error
    maximum_error   the maximum calibration error
    confidence      the mean probability over all documents
    accuracy        the share of them that is right
    """

    binning: Binning
    bins: tuple[Bin, ...]
    expected_error: float
    maximum_error: float
    confidence: float
    accuracy: float


def reliability(
    truth: Columns,
    probabilities: Floats,
    *,
    weights: Floats | None = None,
    bins: int = 15,
    binning: Binning = "width",
    level: float = 0.95,
) -> Reliability:
    """The diagram of the most probable label.

    >>> sure = np.array([[0.9, 0.1], [0.9, 0.1], [0.2, 0.8], [0.4, 0.6]])
    >>> found = reliability(np.array([0, 1, 1, 1]), sure, bins=2)
    >>> [(point.low, point.high, round(point.confidence, 12), point.accuracy) for point in found.bins]
    [(0.5, 1.0, 0.8, 0.75)]
    >>> round(found.expected_error, 12), round(reliability(np.array([0, 1, 1, 1]), sure, bins=10).expected_error, 12)
    (0.05, 0.35)
    """
    best = most_probable(probabilities)
    return reliability_of(
        of_column(probabilities, best),
        is_right(truth, best),
        weights=weights,
        bins=bins,
        binning=binning,
        level=level,
    )


def reliability_of(
    probability: Floats,
    outcome: Truths,
    *,
    weights: Floats | None = None,
    bins: int = 15,
    binning: Binning = "width",
    level: float = 0.95,
) -> Reliability:
    """The diagram of any probability (documents,) and whether it came true: one label's column, for example.

    >>> reliability_of(np.array([0.25, 0.25, 0.25, 0.25]), np.array([True, False, False, False])).expected_error
    0.0
    """
    each = each_weight(weights, len(probability))
    _check(bins, binning)
    which, edges = (_by_width if binning == "width" else _by_mass)(probability, each, bins)

    mass, confidence, right, squares = (
        summed(which, each * values, bins) for values in (np.ones(1), probability, outcome, each)
    )
    points = tuple(
        _bin(edges[place], confidence[place], right[place], mass[place], squares[place], level)
        for place in np.flatnonzero(mass).tolist()
    )
    total = float(mass.sum())
    gaps = [abs(point.gap) for point in points]
    return Reliability(
        binning,
        points,
        sum(gap * point.documents for gap, point in zip(gaps, points, strict=True)) / total,
        max(gaps),
        float(confidence.sum()) / total,
        float(right.sum()) / total,
    )


def _bin(edges: Floats, confidence: float, right: float, mass: float, squares: float, level: float) -> Bin:
    low, high = edges.tolist()
    accuracy = min(float(right / mass), 1.0)
    effective = float(mass * (mass / squares))  # Kish's n, as in `intervals`
    interval = wilson(accuracy, effective, level=level)
    return Bin(low, high, float(confidence / mass), accuracy, interval, float(mass))


def _by_width(probability: Floats, weights: Floats, bins: int) -> tuple[Columns, Floats]:
    edges = np.linspace(0.0, 1.0, bins + 1)
    which = np.clip(np.searchsorted(edges, probability, side="left") - 1, 0, bins - 1)
    return which, np.stack([edges[:-1], edges[1:]], axis=1)


def _by_mass(probability: Floats, weights: Floats, bins: int) -> tuple[Columns, Floats]:
    values, places = np.unique(probability, return_inverse=True)
    mass = summed(places, weights, len(values))
    middle = np.cumsum(mass) - mass / 2  # documents of one probability go where the middle one of them goes
    bin_of_value = np.minimum((middle / mass.sum() * bins).astype(np.intp), bins - 1)
    edges = np.zeros((bins, 2))
    there = mass > 0
    edges[bin_of_value[there], 1] = values[there]  # of several, the last one stays
    edges[bin_of_value[there][::-1], 0] = values[there][::-1]
    return bin_of_value[places], edges


def _check(bins: int, binning: str) -> None:
    if isinstance(bins, bool) or not isinstance(bins, int) or not 1 <= bins <= MOST_BINS:
        raise SettingError(
            code="reliability-bins",
            message=f"`bins` must be a whole number from 1 to {MOST_BINS}, got {bins!r}",
            hint="bins=15 is usual",
        )
    if not is_one_of(binning, ("width", "mass")):
        raise SettingError(
            code="reliability-binning",
            message=f"`binning` must be 'width' or 'mass', got {binning!r}",
            hint="binning='mass' puts equally many documents into each bin",
        )

"""Figures of the probabilities: log loss, Brier score, calibration. Lower is better, 0 is the best.

    log loss  = mean of  -ln P(true label | d)                                  (Good 1952)
    Brier     = mean of  sum over labels c of (P(c|d) - [c is true])²           (Brier 1950; from 0 to 2)

A true label of probability 0 makes the log loss infinite, whatever the other documents are. So it is given with
probabilities below a floor counted as the floor (2.2e-16, scikit-learn's, unless given), beside how many documents that
concerns; and without the floor, where it is finite. The Brier score is the sum over all labels. scikit-learn halves it
where there are two labels.

Calibration: whether what has a probability of 90 % is right in 90 of 100 documents. Documents are put into bins by the
probability of their most probable label. In each bin, confidence is the mean of that probability, and accuracy the
share of documents whose true label it is (DeGroot & Fienberg 1983):

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

from likelier._base.checks import check_one_of
from likelier._base.numbers import is_number
from likelier._evaluate.figures.arrays import (
    Booleans,
    Floats,
    Indices,
    check_setting,
    each_weight,
    entry_of,
    summed,
    weighted_mean,
)
from likelier._evaluate.figures.significance import Interval, wilson

Binning = Literal["width", "mass"]
FLOOR = float(np.finfo(np.float64).eps)
MOST_BINS = 1000


@dataclass(frozen=True, slots=True)
class LogLoss:
    """The log loss, in nats.

    loss        with probabilities below the floor counted as the floor: always finite
    exact       without the floor; None where it is infinite
    impossible  documents whose true label has probability 0, by weight
    floored     documents whose true label is below the floor, those among them, by weight
    floor       the floor
    """

    loss: float
    exact: float | None
    impossible: float
    floored: float
    floor: float


def log_losses(truth: Indices, probabilities: Floats, *, floor: float = FLOOR) -> Floats:  # (documents,)
    """The loss of each document.

    >>> log_losses(np.array([0, 1]), np.array([[0.5, 0.5], [1.0, 0.0]]), floor=0.001).round(4).tolist()
    [0.6931, 6.9078]
    """
    check_setting(is_number(floor) and 0 < floor <= 1, "floor-range.loss", floor)
    return np.abs(np.log(np.clip(entry_of(probabilities, truth), floor, 1.0)))


def log_loss(truth: Indices, probabilities: Floats, *, weights: Floats | None = None, floor: float = FLOOR) -> LogLoss:
    """The mean loss.

    >>> log_loss(np.array([0, 1]), np.array([[0.5, 0.5], [0.75, 0.25]]))  # (ln 2 + ln 4) / 2
    LogLoss(loss=1.0397207708399179, exact=1.0397207708399179, impossible=0.0, floored=0.0, floor=2.220446049250313e-16)
    """
    each = each_weight(weights, len(truth))
    of_truth = entry_of(probabilities, truth)
    impossible = float(each[of_truth == 0].sum())
    smallest = float(np.finfo(np.float64).smallest_subnormal)  # what is not 0 is not below it
    return LogLoss(
        weighted_mean(log_losses(truth, probabilities, floor=floor), each),
        None if impossible else weighted_mean(log_losses(truth, probabilities, floor=smallest), each),
        impossible,
        float(each[of_truth < floor].sum()),
        floor,
    )


def brier(truth: Indices, probabilities: Floats, *, weights: Floats | None = None) -> float:
    """The mean Brier score.

    >>> brier(np.array([0, 1]), np.array([[0.5, 0.5], [1.0, 0.0]]))  # (0.5 + 2) / 2
    1.25
    """
    of_truth = entry_of(probabilities, truth)
    squares = np.einsum("dc,dc->d", probabilities, probabilities)
    scores = np.maximum(squares - of_truth * of_truth, 0.0) + (1 - of_truth) ** 2
    return weighted_mean(scores, each_weight(weights, len(truth)))


# ---- calibration -------------------------------------------------------------------------------------------------


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
        """Confidence minus accuracy: above 0, the verdicts are overconfident."""
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

    @property
    def tendency(self) -> str:
        """Overconfident or underconfident; empty where confidence and accuracy differ by less than half a point."""
        gap = self.confidence - self.accuracy
        return "" if abs(gap) < 0.005 else "overconfident" if gap > 0 else "underconfident"


def reliability(
    probability: Floats,
    outcome: Booleans,
    *,
    weights: Floats | None = None,
    bins: int = 15,
    binning: Binning = "width",
    level: float = 0.95,
) -> Reliability:
    """The diagram of a probability (documents,) and whether it came true: of the most probable label, or of one label.

    >>> chances, came_true = np.array([0.9, 0.9, 0.8, 0.6]), np.array([True, False, True, True])
    >>> found = reliability(chances, came_true, bins=2)
    >>> [(point.low, point.high, round(point.confidence, 12), point.accuracy) for point in found.bins]
    [(0.5, 1.0, 0.8, 0.75)]
    >>> round(found.expected_error, 12), round(reliability(chances, came_true, bins=10).expected_error, 12)
    (0.05, 0.35)
    """
    each = each_weight(weights, len(probability))
    _check(bins, binning)
    which, edges = (_by_width if binning == "width" else _by_mass)(probability, each, bins)
    sums = np.stack([summed(which, each * values, bins) for values in (np.ones(1), probability, outcome, each)])
    points = tuple(_bin(edges[place], sums[:, place], level) for place in np.flatnonzero(sums[0]).tolist())
    total, confidence, right, _ = sums.sum(axis=1).tolist()
    gaps = [abs(point.gap) for point in points]
    return Reliability(
        binning,
        points,
        sum(gap * point.documents for gap, point in zip(gaps, points, strict=True)) / total,
        max(gaps),
        confidence / total,
        right / total,
    )


def _bin(edges: Floats, sums: Floats, level: float) -> Bin:
    (low, high), (mass, confidence, right, squares) = edges.tolist(), sums.tolist()
    accuracy = min(right / mass, 1.0)
    effective = mass * (mass / squares)  # Kish's n, as in `effective_documents`
    return Bin(low, high, confidence / mass, accuracy, wilson(accuracy, effective, level=level), mass)


def _by_width(probability: Floats, weights: Floats, bins: int) -> tuple[Indices, Floats]:
    edges = np.linspace(0.0, 1.0, bins + 1)
    which = np.clip(np.searchsorted(edges, probability, side="left") - 1, 0, bins - 1)
    return which, np.stack([edges[:-1], edges[1:]], axis=1)


def _by_mass(probability: Floats, weights: Floats, bins: int) -> tuple[Indices, Floats]:
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
    is_good = not isinstance(bins, bool) and isinstance(bins, int) and 1 <= bins <= MOST_BINS
    check_setting(is_good, "reliability-bins", bins, most=MOST_BINS)
    check_one_of("reliability-binning", binning, ("width", "mass"))

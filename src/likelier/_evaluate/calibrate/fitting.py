"""Fits the rules to documents that the model has not learnt and whose label is known.

temperature  the weight 1/T with the least log loss, by Newton's method between two bounds; the power by trying
Platt        from there, weight and offsets by Newton's method, with RIDGE/2 times the sum of b² for finite offsets
top label    Platt's rule, then pooled adjacent violators for the label in front, as below
isotonic     pooled adjacent violators for each label, with two documents more: one of the label with the lowest odds
             of all, one of the others with the highest; so no value is 0 or 1. Rare labels share one map.

What is fitted is rounded to nine digits: those behind them differ between processors, as the last of logarithms do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from likelier._answer.calibration import LARGEST, Calibration, Platt, Temperature
from likelier._answer.distances import DIGITS
from likelier._answer.isotonic import MOST_POINTS, Isotonic, Points
from likelier._answer.top_label import TopLabel, fronts
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._evaluate.calibrate.cases import Cases, cases, check_enough
from likelier._evaluate.calibrate.loss import Loss, Slopes
from likelier._evaluate.calibrate.violators import at_most, pool, sums

POWERS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
ENOUGH_FOR_POWER = 1 << 20  # numbers: of more, every second document, or every third, ...
RIDGE = 0.01  # an offset of 10 is as surprising as one standard deviation
RARE = 10  # documents; a label with fewer, or all but fewer, has no map of its own
GRID = 256  # steps of asinh(log odds) in the shared map


Rule = TypeVar("Rule", bound=Calibration)


@dataclass(frozen=True)
class Fitted(Generic[Rule]):
    """A rule, how many documents it was fitted to, and how many could not be used."""

    rule: Rule
    documents: int
    left_out: int


def fit_temperature(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> Fitted[Temperature]:
    """The temperature with the least log loss.

    scores: (documents, labels), by a model that has not learnt the document
    truth: for each document the column of its label, -1 where it is unknown
    """
    found = usable(scores, truth, labels, weights)
    return Fitted(temperature(found), len(found), found.left_out)


def fit_platt(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> Fitted[Platt]:
    """Platt's rule with the least log loss; the arguments as for `fit_temperature`."""
    found = usable(scores, truth, labels, weights)
    return Fitted(platt(found, temperature(found)), len(found), found.left_out)


def fit_top_label(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> Fitted[TopLabel]:
    """Platt's rule, and a map for the label in front; the arguments as for `fit_temperature`."""
    found = usable(scores, truth, labels, weights)
    return Fitted(top_label(found, platt(found, temperature(found))), len(found), found.left_out)


def fit_isotonic(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> Fitted[Isotonic]:
    """Isotonic maps; the arguments as for `fit_temperature`."""
    found = usable(scores, truth, labels, weights)
    return Fitted(isotonic(found), len(found), found.left_out)


def usable(scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None) -> Cases:
    """The documents that a rule can be fitted to, when they are enough."""
    found = cases(scores, truth, labels, weights)
    check_enough(found)
    return found


# ---- temperature -------------------------------------------------------------------------------------------------


def temperature(found: Cases) -> Temperature:
    """The temperature with the least log loss, of the power with the least."""
    step = -(-found.behind.size // ENOUGH_FOR_POWER)
    sample = found.some(slice(None, None, step))
    best_loss, power = np.inf, 1.0
    for tried in POWERS:
        loss = Loss(sample, tried)
        value = loss.value(_best_weight(loss), np.zeros(len(found.labels)))
        if value < best_loss * (1 - 1e-9):  # of equal powers the highest
            best_loss, power = value, tried
    return Temperature(_rounded(1 / _best_weight(Loss(found, power))), power)


def plain_temperature(found: Cases) -> Temperature:
    """The temperature with the least log loss, of the power 1; quicker."""
    return Temperature(1 / _best_weight(Loss(found, 1.0)))


def _best_weight(loss: Loss) -> float:
    """Where the slope of the loss is 0. It rises with the weight, so every look halves what is left at least."""
    low, high, weight = 1 / LARGEST, LARGEST, 1.0
    for _ in range(100):
        first, second = loss.slope(weight)
        if first == 0:
            break
        low, high = (low, weight) if first > 0 else (weight, high)
        newton = weight - first / second if second > 0 else np.nan
        before, weight = weight, newton if low < newton < high else float(np.sqrt(low * high))
        if abs(weight - before) <= 1e-10 * weight:
            break
    return float(weight)


# ---- Platt -------------------------------------------------------------------------------------------------------


def platt(found: Cases, start: Temperature, near: Platt | None = None) -> Platt:
    """Weight and offsets with the least log loss, with the power of the temperature.

    near: a rule with similar offsets for the same labels, to begin with
    """
    loss = Loss(found, start.power)
    offsets = np.array(list(near.offsets.values())) if near else np.zeros(len(found.labels))
    begin = np.concatenate([[1 / start.value], offsets])
    fitted = _newton(loss, begin, fixed=0)
    if not fitted[0] > 1 / LARGEST:  # scores that say the contrary of what is true are not believed at all
        fitted = _newton(loss, np.concatenate([[1 / LARGEST], begin[1:]]), fixed=1)
    offsets = np.round(fitted[1:] - fitted[1:].mean(), DIGITS)  # the mean is 0 but for rounding
    weight = min(_rounded(float(fitted[0])), LARGEST)
    return Platt(weight, dict(zip(found.labels, offsets.tolist(), strict=True)), start.power)


def _rounded(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")  # significant ones


def _newton(loss: Loss, place: Floats, *, fixed: int) -> Floats:
    """The place of the least loss; the first `fixed` numbers stay."""
    for _ in range(100):
        here = _with_ridge(loss.slopes(place[0], place[1:]), place)
        step = np.zeros_like(place)
        step[fixed:] = _solved(here.second[fixed:, fixed:], -here.first[fixed:])
        gain = -float((here.first * step).sum())
        place = _downhill(loss, place, step, here.value, gain)
        if gain <= 1e-12 * (1 + abs(here.value)):
            break
    return place


def _downhill(loss: Loss, place: Floats, step: Floats, value: float, gain: float) -> Floats:
    """The step, or half of it, or a quarter, until the loss is less."""
    for halvings in range(50):
        size = 0.5**halvings
        there = place + size * step
        if loss.value(there[0], there[1:]) + _ridge(there) <= value - 1e-4 * size * gain + 1e-12 * (1 + abs(value)):
            return there
    return place


def _ridge(place: Floats) -> float:
    return RIDGE / 2 * float((place[1:] ** 2).sum())


def _with_ridge(slopes: Slopes, place: Floats) -> Slopes:
    only_offsets = np.concatenate([[0.0], np.ones(len(place) - 1)])
    return Slopes(
        slopes.value + _ridge(place),
        slopes.first + RIDGE * place * only_offsets,
        slopes.second + RIDGE * np.diag(only_offsets),
    )


def _solved(matrix: Floats, right: Floats) -> Floats:
    """The solution, when each number is measured in its own unit: the weight may be a million times the offsets."""
    unit = np.sqrt(np.diag(matrix))
    unit[unit == 0] = 1.0
    scaled = matrix / np.outer(unit, unit) + 1e-14 * np.eye(len(matrix))
    scaled[np.diag_indices_from(scaled)] += np.diag(matrix) == 0  # nothing depends on it: it stays
    return np.linalg.solve(scaled, right / unit) / unit


# ---- top label ---------------------------------------------------------------------------------------------------


def top_label(found: Cases, base: Platt) -> TopLabel:
    """A rising map for the label that Platt's rule has in front."""
    _, front, odds = fronts(base.calibrated(-found.behind, found.labels))
    return TopLabel(base, _map(odds, front == found.truth, found.weights) or ((0.0, 0.5),))


# ---- isotonic ----------------------------------------------------------------------------------------------------


def isotonic(found: Cases) -> Isotonic:
    """A rising map for each label that is frequent enough, and one for all others."""
    points: dict[Label, Points] = {}
    per_label = found.weight_per_label
    for column, label in enumerate(found.labels):
        enough = min(per_label[column], per_label.sum() - per_label[column]) >= RARE
        points[label] = _own_map(found, column) if enough else ()
    return Isotonic(points, _shared_map(found))


def _own_map(found: Cases, column: int) -> Points:
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


def _shared_map(found: Cases) -> Points:
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

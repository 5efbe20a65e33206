"""Temperature scaling and Platt scaling: weight and offsets with the least log loss.

    loss(a, b) = sum over documents of w (a E_t[D] - E_t[b] + log sum over labels of exp(b_c - a D_c))

D = d^g, the distances to a power. t are the targets: not 1 for the true label and 0 for the others, but Platt's
(n + 1) / (n + 2), with n documents of that label, and the rest for the labels that come nearest, by their
probabilities. It is as if each label had one more document, which turned out to be of another label. So documents that
are all judged rightly do not make a rule infinitely sure. The loss is convex in a and b.

temperature  the weight a = 1/T with the least loss, by Newton's method between two bounds; the power by trying
Platt        from there, weight and offsets by Newton's method, with RIDGE/2 times the sum of b² for finite offsets

What is fitted is rounded to nine digits: those behind them differ between processors, as the last of logarithms do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likelier._answer.calibration import LARGEST, Platt, Temperature
from likelier._answer.posterior import DIGITS, posterior
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._evaluate.calibrate.calibration_set import AT_ONCE, CalibrationSet, FittedCalibration, usable

POWERS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
ENOUGH_FOR_POWER = 1 << 20  # numbers: of more, every second document, or every third, ...
RIDGE = 0.01  # an offset of 10 is as surprising as one standard deviation
FEW_LABELS = 256  # up to which products are added up here and not by threads


def fit_temperature(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> FittedCalibration[Temperature]:
    """The temperature with the least log loss.

    scores: (documents, labels), by a model that has not learned the document
    truth: for each document the column of its label, -1 where it is unknown
    """
    found = usable(scores, truth, labels, weights)
    return FittedCalibration(temperature(found), len(found), found.left_out)


def fit_platt(
    scores: ArrayLike, truth: ArrayLike, labels: Sequence[Label], weights: ArrayLike | None = None
) -> FittedCalibration[Platt]:
    """Platt's rule with the least log loss; the arguments as for `fit_temperature`."""
    found = usable(scores, truth, labels, weights)
    return FittedCalibration(platt(found, temperature(found)), len(found), found.left_out)


# ---- temperature -------------------------------------------------------------------------------------------------


def temperature(found: CalibrationSet) -> Temperature:
    """The temperature with the least log loss, of the power with the least."""
    step = -(-found.behind.size // ENOUGH_FOR_POWER)
    sample = found.some(slice(None, None, step))
    best_loss, power = np.inf, 1.0
    for tried in POWERS:
        loss = CalibrationLoss(sample, tried)
        value = loss.value(_best_weight(loss), np.zeros(len(found.labels)))
        if value < best_loss * (1 - 1e-9):  # of equal powers the highest
            best_loss, power = value, tried
    return Temperature(_rounded(1 / _best_weight(CalibrationLoss(found, power))), power)


def plain_temperature(found: CalibrationSet) -> Temperature:
    """The temperature with the least log loss, of the power 1; quicker."""
    return Temperature(1 / _best_weight(CalibrationLoss(found, 1.0)))


def _best_weight(loss: CalibrationLoss) -> float:
    """Where the slope of the loss is 0. It rises with the weight, so every look halves what is left at least."""
    low, high, weight = 1 / LARGEST, LARGEST, 1.0
    for _ in range(100):
        first, second = loss.along_weight(weight)
        if first == 0:
            break
        low, high = (low, weight) if first > 0 else (weight, high)
        newton = weight - first / second if second > 0 else np.nan
        before, weight = weight, newton if low < newton < high else float(np.sqrt(low * high))
        if abs(weight - before) <= 1e-10 * weight:
            break
    return float(weight)


# ---- Platt -------------------------------------------------------------------------------------------------------


def platt(found: CalibrationSet, start: Temperature, near: Platt | None = None) -> Platt:
    """Weight and offsets with the least log loss, with the power of the temperature.

    near: a rule with similar offsets for the same labels, to begin with
    """
    loss = CalibrationLoss(found, start.power)
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


def _newton(loss: CalibrationLoss, place: Floats, *, fixed: int) -> Floats:
    """The place of the least loss; the first `fixed` numbers stay."""
    for _ in range(100):
        here = _with_ridge(loss.derivatives(place[0], place[1:]), place)
        step = np.zeros_like(place)
        step[fixed:] = _solved(here.hessian[fixed:, fixed:], -here.gradient[fixed:])
        gain = -float((here.gradient * step).sum())
        place = _downhill(loss, place, step, here.value, gain)
        if gain <= 1e-12 * (1 + abs(here.value)):
            break
    return place


def _downhill(loss: CalibrationLoss, place: Floats, step: Floats, value: float, gain: float) -> Floats:
    """The step, or half of it, or a quarter, until the loss is less."""
    for halvings in range(50):
        size = 0.5**halvings
        there = place + size * step
        if loss.value(there[0], there[1:]) + _ridge(there) <= value - 1e-4 * size * gain + 1e-12 * (1 + abs(value)):
            return there
    return place


def _ridge(place: Floats) -> float:
    return RIDGE / 2 * float((place[1:] ** 2).sum())


def _with_ridge(here: Derivatives, place: Floats) -> Derivatives:
    only_offsets = np.concatenate([[0.0], np.ones(len(place) - 1)])
    return Derivatives(
        here.value + _ridge(place),
        here.gradient + RIDGE * place * only_offsets,
        here.hessian + RIDGE * np.diag(only_offsets),
    )


def _solved(matrix: Floats, right: Floats) -> Floats:
    """The solution, when each number is measured in its own unit: the weight may be a million times the offsets."""
    unit = np.sqrt(np.diag(matrix))
    unit[unit == 0] = 1.0
    scaled = matrix / np.outer(unit, unit) + 1e-14 * np.eye(len(matrix))
    scaled[np.diag_indices_from(scaled)] += np.diag(matrix) == 0  # nothing depends on it: it stays
    return np.linalg.solve(scaled, right / unit) / unit


# ---- log loss --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Derivatives:
    """The loss at a place with its derivatives; first the weight, then the offsets."""

    value: float
    gradient: Floats  # (1 + labels,)
    hessian: Floats  # (1 + labels, 1 + labels)


class CalibrationLoss:
    """The loss over some documents, with distances to some power. Documents are columns here: sums are quicker so."""

    def __init__(self, found: CalibrationSet, power: float) -> None:
        behind = np.ascontiguousarray(found.behind.T)
        self.possible = np.isfinite(behind)
        self.raised = np.where(self.possible, behind, 0.0) ** power  # (labels, documents)
        self.weights = found.weights
        self.target_distance, self.target_per_label = self._targets(found)

    def _targets(self, found: CalibrationSet) -> tuple[float, Floats]:
        """Sums over documents: of w E_t[D], and of w t for each label. Nothing else depends on the targets."""
        per_label = found.weight_per_label
        own_target = (per_label + 1) / (per_label + 2)
        distance, labels = 0.0, np.zeros(len(per_label))
        for some in self._pieces():
            truth = found.truth[some, np.newaxis]
            others = -found.behind[some]
            np.put_along_axis(others, truth, -np.inf, axis=1)
            target = posterior(others) * (1 - own_target[truth])
            np.put_along_axis(target, truth, 1 - target.sum(axis=1, keepdims=True), axis=1)
            target *= self.weights[some, np.newaxis]
            distance += float((target.T * self.raised[:, some]).sum())
            labels += target.sum(axis=0)
        return distance, labels

    def _pieces(self) -> Iterator[slice]:
        labels, documents = self.raised.shape
        step = max(AT_ONCE // labels, 1)
        return (slice(begin, begin + step) for begin in range(0, documents, step))

    def _shares(self, some: slice, weight: float, offsets: Floats) -> tuple[Floats, Floats]:
        """The probabilities, and the logarithm of what divides them."""
        logits = offsets[:, np.newaxis] - weight * self.raised[:, some]
        logits[~self.possible[:, some]] = -np.inf
        highest = logits.max(axis=0)
        relative = np.exp(logits - highest)
        total = relative.sum(axis=0)
        return relative / total, np.log(total) + highest

    def value(self, weight: float, offsets: Floats) -> float:
        total = weight * self.target_distance - float((self.target_per_label * offsets).sum())
        for some in self._pieces():
            total += float((self.weights[some] * self._shares(some, weight, offsets)[1]).sum())
        return total

    def along_weight(self, weight: float) -> tuple[float, float]:
        """The first and second derivative by the weight, all offsets being 0."""
        first, second = self.target_distance, 0.0
        none = np.zeros(len(self.raised))
        for some in self._pieces():
            share, _ = self._shares(some, weight, none)
            raised = self.raised[:, some]
            mean = (share * raised).sum(axis=0)
            first -= float((self.weights[some] * mean).sum())
            second += float((self.weights[some] * (share * (raised - mean) ** 2).sum(axis=0)).sum())
        return first, second

    def derivatives(self, weight: float, offsets: Floats) -> Derivatives:
        labels = len(offsets)
        gradient = np.concatenate([[self.target_distance], -self.target_per_label])
        hessian = np.zeros((1 + labels, 1 + labels))
        value = weight * self.target_distance - float((self.target_per_label * offsets).sum())
        for some in self._pieces():
            share, log_total = self._shares(some, weight, offsets)
            raised, weights = self.raised[:, some], self.weights[some]
            mean = (share * raised).sum(axis=0)
            weighted = share * weights
            value += float((weights * log_total).sum())
            gradient[0] -= float((weights * mean).sum())
            gradient[1:] += weighted.sum(axis=1)
            hessian[0, 0] += float((weighted * (raised - mean) ** 2).sum())
            hessian[0, 1:] -= (weighted * (raised - mean)).sum(axis=1)
            hessian[1:, 1:] -= _products(weighted, share)
        hessian[1:, 0] = hessian[0, 1:]
        hessian[1:, 1:] += np.diag(gradient[1:] + self.target_per_label)  # the sum of the weighted shares
        return Derivatives(value, gradient, hessian)


def _products(one: Floats, two: Floats) -> Floats:  # (labels, documents) twice -> (labels, labels)
    """one @ two.T. On a busy machine its threads wait for each other ten times as long as they work."""
    product: Floats = np.einsum("in,jn->ij", one, two) if len(one) <= FEW_LABELS else one @ two.T
    return product

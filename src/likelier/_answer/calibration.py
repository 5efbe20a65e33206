"""The rules with few numbers: none, a temperature, Platt's.

    none         softmax of s_c                          what naive Bayes says
    temperature  softmax of -d_c^g / T                   d_c = how far label c is behind the best one
    Platt        softmax of -w d_c^g + b_c               for two labels the logistic function of w z + b, if g = 1

With the power g = 1 the temperature is that of Guo et al. 2017, and Platt's rule that of Platt 1999, for more than two
labels in the form of Alexandari et al. 2020: one weight, an offset for each label. A power below 1 is for naive Bayes:
the words of a text repeat each other, so twice as many words are less than twice the evidence.

No rule makes a label possible that was impossible, and none makes one impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from likelier._answer.posterior import checked_scores, distances, posterior
from likelier._base.errors import error
from likelier._base.numbers import Floats, is_number
from likelier._documents.labels import Label, checked_labels, key

LARGEST = 1e9  # of a temperature, a weight, an offset; its inverse is the smallest


class Calibration(Protocol):
    """A rule that turns log scores into calibrated probabilities."""

    @property
    def name(self) -> str:
        """What to print."""

    def calibrated(self, scores: Floats, labels: Sequence[Label]) -> Floats:
        """Log scores whose softmax is calibrated; decide by these, so that the label fits its probability."""

    def apply(self, scores: Floats, labels: Sequence[Label]) -> Floats:
        """The probabilities: each row sums to 1, or is 0 where every label is impossible."""
        with np.errstate(over="ignore"):  # too far to tell is infinitely far
            return posterior(self.calibrated(scores, labels))

    def not_covered(self, labels: Sequence[Label]) -> list[Label]:
        """The labels that were not there when the rule was fitted; a rule without labels covers all."""
        return []


@dataclass(frozen=True)
class NoCalibration(Calibration):
    """No calibration: the probabilities of naive Bayes.

    >>> NoCalibration().apply(np.array([[0.0, -2.0]]), ["ham", "spam"]).round(4).tolist()
    [[0.8808, 0.1192]]
    """

    @property
    def name(self) -> str:
        return "none"

    def calibrated(self, scores: Floats, labels: Sequence[Label]) -> Floats:
        """The scores themselves."""
        return checked_scores(scores, labels)


@dataclass(frozen=True)
class Temperature(Calibration):
    """Softmax of -d^power / value: above 1 it is less sure than naive Bayes. The order of labels stays.

    >>> Temperature(2.0).apply(np.array([[0.0, -2.0]]), ["ham", "spam"]).round(4).tolist()
    [[0.7311, 0.2689]]
    """

    value: float
    power: float = 1.0

    def __post_init__(self) -> None:
        if not _is_within(self.value, 1 / LARGEST, LARGEST):
            raise error("temperature-range", got=self.value)
        _check_power(self.power)
        self.__dict__.update(value=float(self.value), power=float(self.power))

    @property
    def name(self) -> str:
        return f"temperature {self.value:.4g}{_with_power(self.power)}"

    def calibrated(self, scores: Floats, labels: Sequence[Label]) -> Floats:
        """-d^power / value."""
        with np.errstate(over="ignore"):
            return -(distances(checked_scores(scores, labels)) ** self.power) / self.value


@dataclass(frozen=True)
class Platt(Calibration):
    """Softmax of -weight d^power + offset of the label. A label that it does not know has the offset 0.

    >>> rule = Platt(0.5, {"ham": 0.25, "spam": -0.25})
    >>> rule.apply(np.array([[0.0, -2.0]]), ["ham", "spam"]).round(4).tolist()
    [[0.8176, 0.1824]]
    """

    weight: float
    offsets: Mapping[Label, float]
    power: float = 1.0

    def __post_init__(self) -> None:
        if not _is_within(self.weight, 1 / LARGEST, LARGEST):
            raise error("platt-weight-range", got=self.weight)
        if not isinstance(self.offsets, Mapping) or not all(
            _is_within(offset, -LARGEST, LARGEST) for offset in self.offsets.values()
        ):
            raise error("platt-offsets-range", got=self.offsets)
        _check_power(self.power)
        labels = checked_labels(self.offsets)
        offsets = dict(zip(labels, map(float, self.offsets.values()), strict=True))
        self.__dict__.update(weight=float(self.weight), offsets=offsets, power=float(self.power))

    @property
    def name(self) -> str:
        return f"Platt, weight {self.weight:.4g}{_with_power(self.power)}"

    def calibrated(self, scores: Floats, labels: Sequence[Label]) -> Floats:
        """-weight d^power + offset."""
        known = dict(zip(keys(self.offsets), self.offsets.values(), strict=True))
        offsets = np.array([known.get(label, 0.0) for label in keys(labels)])
        with np.errstate(over="ignore"):
            return offsets - self.weight * distances(checked_scores(scores, labels)) ** self.power

    def not_covered(self, labels: Sequence[Label]) -> list[Label]:
        """The labels without an offset."""
        return missing(self.offsets, labels)


def missing(covered: Mapping[Label, Any], labels: Sequence[Label]) -> list[Label]:
    """The labels that are not among these; 1 and True are two labels."""
    known = set(keys(covered))
    return [label for label, name in zip(labels, keys(labels), strict=True) if name not in known]


def keys(labels: Iterable[Label]) -> list[str]:
    """A text for each label; 1 and True differ, "a" from Python and from NumPy do not."""
    return [key(label) for label in checked_labels(labels)]


def _is_within(number: object, low: float, high: float) -> bool:
    return is_number(number) and low <= number <= high  # type: ignore[operator]


def _check_power(power: object) -> None:
    if not _is_within(power, 0.01, 1):
        raise error("calibration-power-range", got=power)


def _with_power(power: float) -> str:
    return "" if power == 1 else f", power {power:.4g}"

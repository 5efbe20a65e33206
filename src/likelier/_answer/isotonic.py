"""Isotonic and top-label calibration: by maps that rise, from log odds to probabilities.

    isotonic   z_c = log odds of label c                               P(c|d) in proportion to map_c(z_c)
    top label  z = log odds of the front label under Platt's rule      P(front|d) = map(z)

The maps are points with straight lines between them, level beyond the first and the last. They are maps of the log
odds and not of the probabilities of naive Bayes: these are so often 1 to the last digit that nothing could be told
apart there (Zadrozny & Elkan 2002 map the probabilities).

With many labels, one weight for all cannot calibrate the probability of the winner, and it is the one that people read
(Gupta & Ramdas 2022). So top-label calibration maps it after Platt's rule, and the other labels share what is left as
Platt's rule has it. The order of labels is that of Platt's rule: the front label has at least as much as the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._answer.calibration import Calibration, Platt, keys, missing
from likelier._answer.posterior import checked_scores, distances, log_odds
from likelier._base.errors import error
from likelier._base.numbers import Floats, Ints, is_number, log
from likelier._documents.labels import Label, checked_labels

Points = tuple[tuple[float, float], ...]  # (log odds, probability), both rising
MOST_POINTS = 100  # of one map, so that a file stays small


@dataclass(frozen=True)
class Isotonic(Calibration):
    """A rising map for each label, and one for `others`: labels too rare for their own (no points), or unknown.

    >>> straight = ((-2.0, 0.1), (2.0, 0.9))
    >>> fitted = Isotonic({"ham": straight, "spam": straight}, others=straight)
    >>> fitted.apply(np.array([[0.0, -1.0], [0.0, -1000.0]]), ["ham", "spam"]).round(4).tolist()
    [[0.7, 0.3], [0.9, 0.1]]
    """

    points: Mapping[Label, Points]
    others: Points

    def __post_init__(self) -> None:
        if not isinstance(self.points, Mapping):
            raise error("isotonic-points", rule="a mapping of labels to points is expected", got=self.points)
        labels = checked_labels(self.points)
        points = [() if given == () else checked_points(given) for given in self.points.values()]
        self.__dict__.update(points=dict(zip(labels, points, strict=True)), others=checked_points(self.others))

    @property
    def name(self) -> str:
        return f"isotonic, {sum(map(len, self.points.values())) + len(self.others)} points"

    def calibrated(
        self, scores: Floats, labels: Sequence[Label], *, log_prior: Floats | None = None, known: Ints | None = None
    ) -> Floats:
        """The logarithm of map_c(z_c); impossible labels stay impossible."""
        odds = log_odds(distances(checked_scores(scores, labels)))
        maps = dict(zip(keys(self.points), self.points.values(), strict=True))
        values = np.empty_like(odds)
        for column, label in enumerate(keys(labels)):
            values[:, column] = mapped(odds[:, column], maps.get(label) or self.others)
        return np.where(np.isneginf(odds), -np.inf, log(values))

    def not_covered(self, labels: Sequence[Label]) -> list[Label]:
        """The labels that are not among those it was fitted for."""
        return missing(self.points, labels)


@dataclass(frozen=True)
class TopLabel(Calibration):
    """Platt's rule with a rising map for the label in front.

    >>> fitted = TopLabel(Platt(1, {}), ((-1.0, 0.4), (3.0, 0.8)))
    >>> fitted.apply(np.array([[0.0, -3.0, -3.0], [0.0, 0.0, -1.0]]), ["a", "b", "c"]).round(4).tolist()
    [[0.7307, 0.1347, 0.1347], [0.4687, 0.3884, 0.1429]]
    """

    platt: Platt
    points: Points

    def __post_init__(self) -> None:
        if not isinstance(self.platt, Platt):
            raise error("top-label-platt", got=self.platt)
        self.__dict__.update(points=checked_points(self.points))

    @property
    def name(self) -> str:
        return f"top label with {len(self.points)} point{'s' * (len(self.points) != 1)}, after {self.platt.name}"

    def calibrated(
        self, scores: Floats, labels: Sequence[Label], *, log_prior: Floats | None = None, known: Ints | None = None
    ) -> Floats:
        """log map(z) for the label in front; the others share the rest."""
        found = self.platt.calibrated(scores, labels)
        if len(labels) < 2:
            return found
        rows, front, odds = fronts(found)
        others = found.copy()
        others[rows, front] = -np.inf
        alone = np.isneginf(others).all(axis=1, keepdims=True)  # or no label is possible: there is nothing to share
        next_best = np.where(alone, 0.0, others.max(axis=1, keepdims=True))
        share = others - next_best - log(np.exp(others - next_best).sum(axis=1, keepdims=True) + alone)
        largest = np.exp(share.max(axis=1))
        value = np.maximum(mapped(odds, self.points), largest / (1 + largest))
        calibrated = log(1 - value)[:, np.newaxis] + share
        calibrated[rows, front] = log(value)
        return np.where(alone, found, calibrated)

    def not_covered(self, labels: Sequence[Label]) -> list[Label]:
        """The labels without an offset."""
        return self.platt.not_covered(labels)


def fronts(scores: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Row numbers, the column of the label in front, and its log odds."""
    rows, front = np.arange(len(scores)), scores.argmax(axis=1)
    return rows, front, log_odds(distances(scores))[rows, front]


def mapped(odds: Floats, points: Points) -> Floats:
    """The probabilities of these log odds."""
    at, probability = np.array(points).T
    return np.clip(np.interp(odds, at, probability), probability[0], probability[-1])


def checked_points(points: object) -> Points:
    """The points as floats, when they rise; a probability of 0 would make something impossible that is not."""
    pairs = list(points) if isinstance(points, Sequence) and not isinstance(points, str) else []
    if not 1 <= len(pairs) <= MOST_POINTS:
        raise error("isotonic-points", rule=f"a map has from 1 to {MOST_POINTS} points", got=points)
    if not all(map(_is_pair, pairs)):
        raise error("isotonic-points", rule="a point is a pair of numbers", got=points)
    values = np.array(pairs, dtype=np.float64)
    if not np.isfinite(values).all() or not (np.diff(values[:, 0]) > 0).all() or not (np.diff(values[:, 1]) >= 0).all():
        raise error(
            "isotonic-points", rule="log odds and probabilities are finite and rise from point to point", got=points
        )
    if not 0 < values[0, 1] <= values[-1, 1] <= 1:
        raise error("isotonic-points", rule="probabilities are above 0 and at most 1", got=points)
    return tuple((at, probability) for at, probability in values.tolist())


def _is_pair(pair: object) -> bool:
    return isinstance(pair, Sequence) and len(pair) == 2 and is_number(pair[0]) and is_number(pair[1])

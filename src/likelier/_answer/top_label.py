"""Top-label calibration: Platt's rule, and then a rising map for the probability of the label that is in front.

    z = log odds of the front label under Platt's rule      P(front|d) = map(z)

The other labels share what is left as Platt's rule has it. With many labels, one weight for all cannot make the
probability of the winner honest, and it is the one that people read (Gupta & Ramdas 2022). The order of labels is that
of Platt's rule: the front label has at least as much as the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._answer.calibration import Calibration, Platt
from likelier._answer.distances import distances, log_odds
from likelier._answer.isotonic import Points, checked_points, mapped
from likelier._base.errors import SettingError
from likelier._base.numbers import Floats, log
from likelier._documents.labels import Label

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class TopLabel(Calibration):
    """Platt's rule with a rising map for the label in front.

    >>> rule = TopLabel(Platt(1, {}), ((-1.0, 0.4), (3.0, 0.8)))
    >>> rule.apply(np.array([[0.0, -3.0, -3.0], [0.0, 0.0, -1.0]]), ["a", "b", "c"]).round(4).tolist()
    [[0.7307, 0.1347, 0.1347], [0.4687, 0.3884, 0.1429]]
    """

    platt: Platt
    points: Points

    def __post_init__(self) -> None:
        if not isinstance(self.platt, Platt):
            raise SettingError(
                code="top-label-platt",
                message=f"top-label calibration goes on from Platt's rule, got {self.platt!r:.60}",
                hint="TopLabel(Platt(1, {}), ((-2, 0.1), (2, 0.9)))",
            )
        self.__dict__.update(points=checked_points(self.points))

    @property
    def name(self) -> str:
        return f"top label with {len(self.points)} point{'s' * (len(self.points) != 1)}, after {self.platt.name}"

    def calibrated(self, scores: Floats, labels: Sequence[Label]) -> Floats:
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
        honest = log(1 - value)[:, np.newaxis] + share
        honest[rows, front] = log(value)
        return np.where(alone, found, honest)

    def not_covered(self, labels: Sequence[Label]) -> list[Label]:
        """The labels without an offset."""
        return self.platt.not_covered(labels)


def fronts(scores: Floats) -> tuple[Rows, Rows, Floats]:
    """Row numbers, the column of the label in front, and its log odds."""
    rows, front = np.arange(len(scores)), scores.argmax(axis=1)
    return rows, front, log_odds(distances(scores))[rows, front]

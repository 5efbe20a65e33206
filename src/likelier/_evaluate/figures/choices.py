"""All thresholds for one label that differ in what they do, from the highest down, and the one that is asked for.

All thresholds between two neighbouring probabilities do the same to the documents, so each choice is a range: above one
probability, up to the next. Sums are by weight, and compared with a slack for rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

import numpy as np

from likelier._evaluate.figures.curves import Steps
from likelier._evaluate.figures.judged import Columns, Floats, Truths, summed
from likelier._evaluate.figures.per_label import f_beta

SLACK = 1e-12  # relative


@dataclass(frozen=True, eq=False)
class Choices:
    """The thresholds, and what each does.

    highest    (choices,)  the highest number that does it
    above      (choices,)  every number above this one, up to the highest, does it
    right      (choices,)  documents that have the label and are given it
    wrong      (choices,)  documents that do not have it and are given it
    positives  documents that have the label
    negatives  documents that do not
    """

    highest: Floats
    above: Floats
    right: Floats
    wrong: Floats
    positives: float
    negatives: float

    @property
    def decided(self) -> Floats:  # (choices,)
        """Documents that are given the label."""
        return self.right + self.wrong

    @property
    def precision(self) -> Floats:  # (choices,)
        """0 where the label is never given."""
        return np.divide(self.right, self.decided, out=np.zeros_like(self.right), where=self.decided > 0)

    def number(self, place: int) -> float:
        """The threshold in numbers."""
        return plainest(float(self.above[place]), float(self.highest[place]))

    def with_lost(self, share: float) -> int | None:
        """The lowest with at most this share of the negatives given the label."""
        return _last(self.wrong <= share * self.negatives * (1 + SLACK))

    def with_precision(self, least: float) -> int | None:
        """The lowest with at least this precision."""
        return _last((self.decided > 0) & (self.right >= least * self.decided * (1 - SLACK)))

    def with_recall(self, least: float) -> int | None:
        """The highest with at least this recall."""
        reached = np.flatnonzero((self.right >= least * self.positives * (1 - SLACK)) & (self.positives > 0))
        return int(reached[0]) if len(reached) else None

    def with_best_f(self, beta: float) -> int:
        """The lowest of those with the best F."""
        found = f_beta(self.right, self.positives, self.decided, beta)
        return int(np.flatnonzero(found >= found.max() * (1 - SLACK))[-1])

    def with_least_cost(self, extra: Floats) -> int:
        """The lowest of those with the least cost; `extra`: (choices,) what giving the label costs more than not."""
        return int(np.flatnonzero(extra <= extra.min() + SLACK * np.abs(extra).max())[-1])


def choices(found: Steps, has_label: Truths, weights: Floats) -> Choices:
    """The choices among the steps of the documents where the label is the most probable one.

    has_label, weights: (documents,) of all documents

    >>> from likelier._evaluate.figures.curves import steps
    >>> has_label = np.array([True, False, True])
    >>> found = choices(steps(np.array([0.9, 0.7]), has_label[:2], np.ones(2)), has_label, np.ones(3))
    >>> found.highest.tolist(), found.above.tolist(), found.right.tolist(), found.wrong.tolist()
    ([1.0, 0.9, 0.7], [0.9, 0.7, -inf], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0])
    """
    positives = float(weights[has_label].sum())
    first = 1 if len(found.thresholds) and found.thresholds[0] >= 1 else 0  # no threshold is above 1
    return Choices(
        np.concatenate([[1.0], found.thresholds])[first:],
        np.concatenate([found.thresholds, [-np.inf]])[first:],
        np.concatenate([[0.0], found.true_positives])[first:],
        np.concatenate([[0.0], found.false_positives])[first:],
        positives,
        float(weights[~has_label].sum()),
    )


def extra_costs(found: Steps, probability: Floats, changes: Floats) -> Floats:  # (choices,)
    """What giving the label costs more than not giving it, for each choice.

    probability, changes: (documents,) of the documents where it is the most probable one
    """
    place: Columns = np.searchsorted(-found.thresholds, -probability)
    sums = np.cumsum(summed(place, changes, len(found.thresholds)))
    first = 1 if len(found.thresholds) and found.thresholds[0] >= 1 else 0
    return np.concatenate([[0.0], sums])[first:]


def plainest(above: float, highest: float) -> float:
    """The number with the fewest decimals above one and up to the other; of those the highest, but 0 where it can be.

    >>> plainest(0.8312, 0.8467), plainest(0.5, 0.97), plainest(0.9999, 1.0), plainest(-np.inf, 0.7)
    (0.84, 0.9, 1.0, 0.0)
    """
    if above < 0:
        return 0.0
    for decimals in range(17):
        number = float(Decimal(highest).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_FLOOR))
        if above < number <= highest:
            return number
    return highest


def _last(which: Truths) -> int | None:
    places = np.flatnonzero(which)
    return int(places[-1]) if len(places) else None

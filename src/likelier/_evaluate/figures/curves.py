"""Curves of one label against the rest, over all thresholds for its probability.

From the highest probability down, with TP and FP the documents reached so far that have the label or do not, P and N
all of them, by weight; documents of the same probability, but for rounding, are reached together:

    ROC                 FP/N → TP/P
    area                P(a document with the label is more probable than one without it) + half of the ties
                        = sum over steps of (FP_k - FP_k-1)/N · (TP_k + TP_k-1)/2P        (Hanley & McNeil 1982)
    precision-recall    TP/P → TP/(TP + FP)
    average precision   sum over steps of (R_k - R_k-1) · precision_k             (as scikit-learn: no interpolation)

Where weights are integers, so are the sums, and they are divided once: areas are exact and the same on every machine.
They do not use dot products, because their order of addition differs between processors.

Areas are those of all points. For drawing, a curve is thinned to points that lie evenly along it.

Operating points: what each threshold does where a label is given only if it is the most probable one, see `thresholds`.

Gains: which share of the label's documents is among the tenth of documents most probable to have it, the two tenths,
and so on; lift is that share divided by what chance finds. Ties are shared out evenly, as if drawn by lot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from likelier._base.cached import cached_property
from likelier._documents.labels import Label
from likelier._evaluate.figures.arrays import Booleans, Floats, Indices, summed
from likelier._evaluate.figures.decisions import f_beta, ratio

MOST_POINTS = 200
SLACK = 1e-12  # relative, for rounding of sums
ROUNDING = 1e-12  # of log odds: the words of a text in another order give other last bits


@dataclass(frozen=True, eq=False)
class Curve:
    """Points of a curve, from the highest threshold down.

    x, y        (points,)
    thresholds  (points,)  the probability from which on; infinite for the first point, which no document reaches
    area        under the whole curve; None where it is not defined, and then there are no points
    """

    x: Floats
    y: Floats
    thresholds: Floats
    area: float | None


@dataclass(frozen=True, slots=True)
class Decile:
    """So many of the documents most probable to have the label.

    share      of all documents: 0.1, 0.2, ... 1
    documents  by weight
    found      how many of them have the label, by weight
    gain       which share of the label's documents that is
    lift       how many times as many as chance finds
    """

    share: float
    documents: float
    found: float
    gain: float
    lift: float


@dataclass(frozen=True, eq=False)
class LabelCurves:
    """All curves of one label."""

    label: Label
    roc: Curve
    precision_recall: Curve
    gains: tuple[Decile, ...]


@dataclass(frozen=True, eq=False)
class Steps:
    """What each threshold reaches, from the one that no document reaches.

    thresholds       (steps,)  infinite, then the distinct probabilities, falling; of those equal but for rounding the
                               lowest
    true_positives   (steps,)  documents with the label from there on, by weight
    false_positives  (steps,)  documents without it
    """

    thresholds: Floats
    true_positives: Floats
    false_positives: Floats

    @property
    def positives(self) -> float:
        """Documents with the label."""
        return float(self.true_positives[-1])

    @property
    def negatives(self) -> float:
        """Documents without it."""
        return float(self.false_positives[-1])

    @cached_property
    def precision(self) -> Floats:  # (steps,)
        """Of what is reached; 1 for nothing, as it is usually drawn."""
        reached = self.true_positives + self.false_positives
        return np.divide(self.true_positives, reached, out=np.ones_like(reached), where=reached > 0)

    @cached_property
    def area(self) -> float | None:
        """Under the ROC curve; None where all documents have the label, or none has."""
        if not self.positives or not self.negatives:
            return None
        heights = self.true_positives[1:] + self.true_positives[:-1]
        pairs = 2 * self.positives * self.negatives
        return min(float((np.diff(self.false_positives) * heights).sum()) / pairs, 1.0)

    @cached_property
    def average_precision(self) -> float | None:
        """None where no document has the label."""
        if not self.positives:
            return None
        return min(float((np.diff(self.true_positives) * self.precision[1:]).sum()) / self.positives, 1.0)

    def roc(self, points: int | None = MOST_POINTS) -> Curve:
        """The ROC curve, from (0, 0) to (1, 1); at most `points` of its points, all for None."""
        if self.area is None:
            return NO_CURVE
        x, y = self.false_positives / self.negatives, self.true_positives / self.positives
        return _thinned(Curve(x, y, self.thresholds, self.area), points)

    def precision_recall(self, points: int | None = MOST_POINTS) -> Curve:
        """The precision-recall curve, from recall 0 to recall 1."""
        if self.average_precision is None:
            return NO_CURVE
        recall = self.true_positives / self.positives
        return _thinned(Curve(recall, self.precision, self.thresholds, self.average_precision), points)

    def gains(self) -> tuple[Decile, ...]:
        """What each tenth of the documents holds; nothing where no document has the label.

        >>> ordered = steps(np.arange(10.0)[::-1] / 10, np.arange(10) < 2, np.ones(10))
        >>> ordered.gains()[0]
        Decile(share=0.1, documents=1.0, found=1.0, gain=0.5, lift=5.0)
        """
        if not self.positives:
            return ()
        reached = self.true_positives + self.false_positives
        shares = np.arange(1, 11) / 10
        documents = shares * reached[-1]
        hits = np.interp(documents, reached, self.true_positives)
        found = np.stack([shares, documents, hits, hits / self.positives, hits / self.positives / shares], axis=1)
        return tuple(Decile(*each) for each in found.tolist())


NO_CURVE = Curve(np.zeros(0), np.zeros(0), np.zeros(0), None)


def _thinned(curve: Curve, points: int | None) -> Curve:
    x, y = curve.x, curve.y
    if points is None or len(x) <= points:
        return curve
    way = np.cumsum(np.abs(np.diff(x, prepend=x[0])) + np.abs(np.diff(y, prepend=y[0])))
    kept = np.unique(np.searchsorted(way, np.linspace(0.0, way[-1], points - 1)).clip(max=len(x) - 1))
    kept = np.union1d(kept, [0, len(x) - 1])
    return Curve(x[kept], y[kept], curve.thresholds[kept], curve.area)


def steps(probability: Floats, has_label: Booleans, weights: Floats) -> Steps:  # three of (documents,)
    """All thresholds at once.

    >>> found = steps(np.array([0.9, 0.7, 0.4, 0.2]), np.array([True, False, True, False]), np.ones(4))
    >>> found.thresholds.tolist(), found.true_positives.tolist(), found.false_positives.tolist()
    ([inf, 0.9, 0.7, 0.4, 0.2], [0.0, 1.0, 1.0, 2.0, 2.0], [0.0, 0.0, 1.0, 1.0, 2.0])
    >>> found.area, round(found.average_precision, 6)
    (0.75, 0.833333)
    """
    if not weights.all():
        kept = weights > 0
        probability, has_label, weights = probability[kept], has_label[kept], weights[kept]
    order = np.argsort(probability)[::-1]
    falling, weights = probability[order], weights[order]
    hits = np.where(has_label[order], weights, 0.0)
    ends = np.flatnonzero(np.append(_falls(falling), True)[: len(order)])
    true_positives, false_positives = (np.append(0.0, np.cumsum(each)[ends]) for each in (hits, weights - hits))
    return Steps(np.append(np.inf, falling[ends]), true_positives, false_positives)


def _falls(probability: Floats) -> Booleans:  # (documents,) -> (documents - 1,)
    """Whether the next one is less by more than rounding: P (1 - P) times that of log odds, and that of P itself."""
    high = probability[:-1]
    return high - probability[1:] > high * (ROUNDING * (1 - high) + 4 * np.finfo(np.float64).eps)


class OperatingPoints(NamedTuple):
    """All thresholds for one label that differ in what they do, from the highest down.

    highest    (points,)  the highest number that does it; infinite for the first, if a threshold up to 1 does it
    right      (points,)  documents that have the label and are given it, by weight
    wrong      (points,)  documents that do not have it and are given it
    positives  documents that have the label
    negatives  documents that do not
    """

    highest: Floats
    right: Floats
    wrong: Floats
    positives: float
    negatives: float

    @classmethod
    def of(cls, reached: Steps, positives: float, negatives: float) -> OperatingPoints:
        """Of the steps of documents where the label is the most probable one."""
        first = 1 if (reached.thresholds[1:2] >= 1).any() else 0  # no threshold is above 1
        highest, right, wrong = (
            each[first:] for each in (reached.thresholds, reached.true_positives, reached.false_positives)
        )
        return cls(highest, right, wrong, positives, negatives)

    def reaching(self, name: str, wanted: float) -> Booleans:  # (points,)
        """Which of them reach the target."""
        decided = self.right + self.wrong
        if name == "false_positive_rate":
            return self.wrong <= wanted * self.negatives * (1 + SLACK)
        if name == "precision":
            return (decided > 0) & (self.right >= wanted * decided * (1 - SLACK))
        if name == "recall":
            return (self.right >= wanted * self.positives * (1 - SLACK)) & (self.positives > 0)
        f = f_beta(self.right, self.positives, decided, wanted)
        return np.asarray(f >= f.max() * (1 - SLACK))

    def of_least_cost(self, probability: Floats, extra: Floats) -> Booleans:  # (points,)
        """Which of them cost least; `extra`: (documents,) what giving the label costs more than not."""
        places: Indices = np.searchsorted(-self.highest, -probability)
        costs = np.cumsum(summed(places, extra, len(self.highest)))
        return costs <= costs.min() + SLACK * np.abs(costs).max()

    def best(self, name: str) -> float | None:
        """The best rate that any of them reaches; None where it is not defined."""
        if name == "false_positive_rate":
            return ratio(float(self.wrong[0]), self.negatives)
        if name == "recall":
            return ratio(float(self.right[-1]), self.positives)
        rates = map(ratio, self.right.tolist(), (self.right + self.wrong).tolist())
        return max((rate for rate in rates if rate is not None), default=None)

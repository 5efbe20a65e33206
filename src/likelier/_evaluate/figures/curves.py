"""Curves of one label against the rest, over all thresholds for its probability.

From the highest probability down, with TP and FP the documents reached so far that have the label or do not, P and N
all of them, by weight; documents of the same probability, but for rounding, are reached together:

    ROC                 FP/N → TP/P
    area                P(a document with the label is more probable than one without it) + half of the ties
                        = sum over steps of (FP_k - FP_k-1)/N · (TP_k + TP_k-1)/2P        (Hanley & McNeil 1982)
    precision-recall    TP/P → TP/(TP + FP)
    average precision   sum over steps of (R_k - R_k-1) · precision_k             (as scikit-learn: no interpolation)

Sums are of whole numbers where weights are, and are divided once: so areas are exact and the same on every machine. No
product of vectors is used for them, because its order of addition differs between processors.

Areas are those of all points. For drawing, a curve is thinned to points that lie evenly along it.

Gains: which share of the label's documents is among the tenth of documents most probable to have it, the two tenths,
and so on; lift is that share divided by what chance finds. Ties are shared out evenly, as if drawn by lot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likelier._base.cached import cached_property
from likelier._documents.labels import Label
from likelier._evaluate.figures.judged import Columns, Floats, Truths, column_of, each_weight

MOST_POINTS = 200
TENTHS = 10
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
class Tenth:
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
class Steps:
    """What each threshold reaches.

    thresholds       (steps,)  the distinct probabilities, falling; of those equal but for rounding the lowest
    true_positives   (steps,)  documents with the label from there on, by weight
    false_positives  (steps,)  documents without it
    """

    thresholds: Floats
    true_positives: Floats
    false_positives: Floats

    @property
    def positives(self) -> float:
        """Documents with the label."""
        return float(self.true_positives[-1]) if len(self.true_positives) else 0.0

    @property
    def negatives(self) -> float:
        """Documents without it."""
        return float(self.false_positives[-1]) if len(self.false_positives) else 0.0

    @cached_property
    def precision(self) -> Floats:  # (steps,)
        """Of what is reached."""
        return self.true_positives / (self.true_positives + self.false_positives)

    @cached_property
    def area(self) -> float | None:
        """Under the ROC curve; None where all documents have the label, or none has."""
        if not self.positives or not self.negatives:
            return None
        hits = np.concatenate([[0.0], self.true_positives])
        steps = np.diff(self.false_positives, prepend=0.0)
        pairs = 2 * self.positives * self.negatives
        return min(float((steps * (hits[1:] + hits[:-1])).sum()) / pairs, 1.0)

    @cached_property
    def average_precision(self) -> float | None:
        """None where no document has the label."""
        if not self.positives:
            return None
        steps = np.diff(self.true_positives, prepend=0.0)
        return min(float((steps * self.precision).sum()) / self.positives, 1.0)


def steps(probability: Floats, has_label: Truths, weights: Floats) -> Steps:  # three of (documents,)
    """All thresholds at once.

    >>> found = steps(np.array([0.9, 0.7, 0.7, 0.2]), np.array([True, True, False, False]), np.ones(4))
    >>> found.thresholds.tolist(), found.true_positives.tolist(), found.false_positives.tolist()
    ([0.9, 0.7, 0.2], [1.0, 2.0, 2.0], [0.0, 1.0, 2.0])
    >>> found.area, round(found.average_precision, 6)
    (0.875, 0.833333)
    """
    if not weights.all():
        kept = weights > 0
        probability, has_label, weights = probability[kept], has_label[kept], weights[kept]
    order = np.argsort(probability)[::-1]
    sorted_probability, sorted_weights = probability[order], weights[order]
    hits = np.where(has_label[order], sorted_weights, 0.0)
    ends = np.flatnonzero(np.append(_falls(sorted_probability), True)[: len(order)])
    reached = np.cumsum(hits)[ends]
    return Steps(sorted_probability[ends], reached, np.cumsum(sorted_weights - hits)[ends])


def _falls(probability: Floats) -> Truths:  # (documents,) -> (documents - 1,)
    """Whether the next one is less by more than rounding: P (1 - P) times that of log odds, and that of P itself."""
    high = probability[:-1]
    return high - probability[1:] > high * (ROUNDING * (1 - high) + 4 * np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class LabelCurves:
    """All curves of one label."""

    label: Label
    roc: Curve
    precision_recall: Curve
    gains: tuple[Tenth, ...]


def label_curves(
    truth: Columns,
    probabilities: Floats,
    labels: tuple[Label, ...],
    label: Label,
    *,
    weights: Floats | None = None,
    points: int | None = MOST_POINTS,
) -> LabelCurves:
    """The curves of one label; `points`: at most so many on each, None for all.

    >>> sure = np.array([[0.1, 0.9], [0.3, 0.7], [0.6, 0.4], [0.8, 0.2]])
    >>> found = label_curves(np.array([1, 0, 1, 0]), sure, ("ham", "spam"), "spam")
    >>> found.roc.x.tolist(), found.roc.y.tolist(), found.roc.area
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    column = column_of(labels, label)
    each = each_weight(weights, len(truth))
    found = steps(np.ascontiguousarray(probabilities[:, column]), truth == column, each)
    return LabelCurves(label, roc(found, points), precision_recall(found, points), gains(found))


def roc(found: Steps, points: int | None = MOST_POINTS) -> Curve:
    """The ROC curve, from (0, 0) to (1, 1)."""
    if found.area is None:
        return _no_curve()
    x, y = found.false_positives / found.negatives, found.true_positives / found.positives
    return _thinned(_with_first(x, 0.0), _with_first(y, 0.0), found, found.area, points)


def precision_recall(found: Steps, points: int | None = MOST_POINTS) -> Curve:
    """The precision-recall curve, from recall 0 with precision 1, as it is usually drawn, to recall 1."""
    if found.average_precision is None:
        return _no_curve()
    x = _with_first(found.true_positives / found.positives, 0.0)
    return _thinned(x, _with_first(found.precision, 1.0), found, found.average_precision, points)


def _no_curve() -> Curve:
    return Curve(np.zeros(0), np.zeros(0), np.zeros(0), None)


def _with_first(values: Floats, first: float) -> Floats:
    return np.concatenate([[first], values])


def _thinned(x: Floats, y: Floats, found: Steps, area: float, points: int | None) -> Curve:
    thresholds = _with_first(found.thresholds, np.inf)
    if points is None or len(x) <= points:
        return Curve(x, y, thresholds, area)
    way = np.cumsum(np.abs(np.diff(x, prepend=x[0])) + np.abs(np.diff(y, prepend=y[0])))
    kept = np.unique(np.searchsorted(way, np.linspace(0.0, way[-1], points - 1)).clip(max=len(x) - 1))
    kept = np.union1d(kept, [0, len(x) - 1])
    return Curve(x[kept], y[kept], thresholds[kept], area)


def gains(found: Steps) -> tuple[Tenth, ...]:
    """What each tenth of the documents holds; nothing where no document has the label.

    >>> ordered = steps(np.arange(10.0)[::-1] / 10, np.arange(10) < 2, np.ones(10))
    >>> gains(ordered)[0]
    Tenth(share=0.1, documents=1.0, found=1.0, gain=0.5, lift=5.0)
    """
    if not found.positives:
        return ()
    reached = _with_first(found.true_positives + found.false_positives, 0.0)
    shares = np.arange(1, TENTHS + 1) / TENTHS
    hits = np.interp(shares * reached[-1], reached, _with_first(found.true_positives, 0.0))
    rows = zip(shares.tolist(), (shares * reached[-1]).tolist(), hits.tolist(), strict=True)
    return tuple(
        Tenth(share, documents, found_here, found_here / found.positives, found_here / found.positives / share)
        for share, documents, found_here in rows
    )

"""All figures of an evaluation, each made when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np

from likelier._answer.decisions import NONE
from likelier._base.cached import cached_property
from likelier._base.checks import checked_k
from likelier._base.numbers import is_number
from likelier._documents.labels import Label, checked_label
from likelier._evaluate.figures import decisions, losses, rendering, thresholds
from likelier._evaluate.figures.arrays import (
    UNKNOWN,
    Booleans,
    Floats,
    Indices,
    check_arrays,
    check_setting,
    each_weight,
    entry_of,
    index_of,
    is_right,
    most_probable,
)
from likelier._evaluate.figures.comparison import Comparison, compare, documents_differ
from likelier._evaluate.figures.curves import LabelCurves, steps


@dataclass(frozen=True, eq=False, repr=False)
class Figures:
    """All figures of verdicts on documents whose labels are known.

    truth          (documents,)         the index of the true label; -1 where the labels lack it: always a mistake
    decided        (documents,)         the index of the decided label; -1 for no label
    probabilities  (documents, labels)  P(c|d)
    weights        (documents,)         how much each document counts; None: each counts 1
    level          of all intervals

    >>> sure = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.7, 0.3]])
    >>> figures = Figures(np.array([0, 0, 1, 1]), sure.argmax(axis=1), sure, ("ham", "spam"))
    >>> figures.accuracy.share, round(figures.log_loss.loss, 4), round(figures.brier, 4), figures.area("spam")
    (0.75, 0.5108, 0.35, 0.75)
    """

    truth: Indices
    decided: Indices
    probabilities: Floats
    labels: tuple[Label, ...]
    weights: Floats | None = None
    level: float = 0.95
    _curves: dict[Label, LabelCurves] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        kinds = {"truth": np.intp, "decided": np.intp, "probabilities": np.float64, "weights": np.float64}
        for name, kind in kinds.items():
            if (given := getattr(self, name)) is not None:
                object.__setattr__(self, name, np.asarray(given).astype(kind, copy=False))
        object.__setattr__(self, "labels", tuple(self.labels))
        check_arrays(self.truth, self.decided, self.probabilities, self.labels, self.weights)

    def __len__(self) -> int:
        return len(self.truth)

    # ---- decisions ----

    @cached_property
    def right(self) -> Booleans:  # (documents,)
        """Which documents were given their true label."""
        return is_right(self.truth, self.decided)

    @cached_property
    def accuracy(self) -> decisions.Accuracy:
        """The share of right documents with its interval, and the share without a label."""
        return decisions.accuracy(self.truth, self.decided, weights=self.weights, level=self.level)

    @cached_property
    def per_label(self) -> decisions.PerLabel:
        """Precision, recall, F and support of each label, and their averages."""
        return decisions.per_label(self.truth, self.decided, self.labels, weights=self.weights)

    @cached_property
    def confusion(self) -> decisions.Confusion:
        """How often each label was taken for each."""
        return decisions.confusion(self.truth, self.decided, self.labels, weights=self.weights)

    def cost(self, costs: thresholds.Costs) -> thresholds.Cost:
        """What the decisions cost; `costs`: decision → true label → cost."""
        return thresholds.cost(self.truth, self.decided, self.labels, costs, weights=self.weights)

    # ---- probabilities ----

    @cached_property
    def log_losses(self) -> Floats:  # (documents,)
        """The log loss of each document."""
        return losses.log_losses(self.truth, self.probabilities)

    @cached_property
    def log_loss(self) -> losses.LogLoss:
        """The mean log loss, and how many true labels have probability 0."""
        return losses.log_loss(self.truth, self.probabilities, weights=self.weights)

    @cached_property
    def brier(self) -> float:
        """The Brier score, from 0 to 2."""
        return losses.brier(self.truth, self.probabilities, weights=self.weights)

    @cached_property
    def reliability(self) -> losses.Reliability:
        """The reliability diagram and the calibration errors, with 15 bins of equal width."""
        return self.reliability_in()

    @cached_property
    def reliability_by_mass(self) -> losses.Reliability:
        """The same with 15 bins of equally many documents."""
        return self.reliability_in(binning="mass")

    def reliability_in(self, *, bins: int = 15, binning: losses.Binning = "width") -> losses.Reliability:
        """The same with other bins."""
        best = most_probable(self.probabilities)
        chances, right = entry_of(self.probabilities, best), is_right(self.truth, best)
        return losses.reliability(chances, right, weights=self.weights, bins=bins, binning=binning, level=self.level)

    @property
    def calibration_error(self) -> float:
        """The expected calibration error, with 15 bins of equal width."""
        return self.reliability.expected_error

    # ---- one label against the rest ----

    def curves(self, label: Label) -> LabelCurves:
        """ROC, precision-recall and gains of one label."""
        if checked_label(label) not in self._curves:
            index = index_of(self.labels, label)
            each = each_weight(self.weights, len(self))
            found = steps(np.ascontiguousarray(self.probabilities[:, index]), self.truth == index, each)
            self._curves[label] = LabelCurves(label, found.roc(), found.precision_recall(), found.gains())
        return self._curves[label]

    def area(self, label: Label) -> float | None:
        """The area under the ROC curve; None where all documents have the label, or none has."""
        return self.curves(label).roc.area

    def average_precision(self, label: Label) -> float | None:
        """The area under the precision-recall curve; None where no document has the label."""
        return self.curves(label).precision_recall.area

    def threshold(
        self, label: Label, *, otherwise: Label | None = None, **target: Unpack[thresholds.Target]
    ) -> thresholds.Threshold:
        """The threshold for a label by one target; `.decision` of it is the rule for a view."""
        return thresholds.threshold(
            self.truth, self.probabilities, self.labels, label, otherwise=otherwise, weights=self.weights, **target
        )

    # ---- documents ----

    def confident_mistakes(self, k: int | None = None, *, log_scores: Floats | None = None) -> Indices:
        """Rows of documents that were given another label than they have, the surest verdict first.

        Of equally sure ones the highest log odds of the decided label against the true one come first. Probabilities
        of long documents are often 0 or 1 to the last digit; `log_scores` tell them apart where they are given.
        """
        rows = np.flatnonzero((self.decided != NONE) & ~self.right)
        most = None if k is None else checked_k(k)
        sure, odds = self._sure(rows), self._log_odds(rows, log_scores)
        return rows[np.lexsort((-odds, -sure))][:most]  # stable: of equal ones the first

    def label_errors(self, at_least: float = 0.9, *, log_scores: Floats | None = None) -> Indices:
        """Rows of documents whose label is likely wrong, the highest log odds first.

        Their verdict is another label with at least this probability. Documents whose true label is not among the
        labels are left out.
        """
        check_setting(is_number(at_least) and 0 <= at_least <= 1, "label-errors-range", at_least)
        rows = np.flatnonzero((self.decided != NONE) & (self.truth != UNKNOWN) & ~self.right)
        rows = rows[self._sure(rows) >= at_least]
        return rows[np.lexsort((-self._sure(rows), -self._log_odds(rows, log_scores)))]

    def _sure(self, rows: Indices) -> Floats:
        return entry_of(self.probabilities[rows], self.decided[rows])

    def _log_odds(self, rows: Indices, log_scores: Floats | None) -> Floats:
        """How much likelier the decided label is than the true one; infinite where that is impossible."""
        labels = (self.decided[rows], self.truth[rows])
        if log_scores is None:
            with np.errstate(divide="ignore"):
                one, two = (np.log(entry_of(self.probabilities[rows], each)) for each in labels)
        else:
            one, two = (entry_of(log_scores[rows], each, missing=-np.inf) for each in labels)
        both = np.isneginf(one) & np.isneginf(two)  # 0 to 0: neither is likelier
        return np.where(both, 0.0, np.where(both, 0.0, one) - np.where(both, 0.0, two))

    # ---- against another evaluation ----

    def compare(
        self, other: Figures, *, names: tuple[str, str] = ("the first", "the second"), flips: int = 9999, seed: int = 0
    ) -> Comparison:
        """This one first, the other second, on the same documents; their labels may differ."""
        self._check_same_documents(other)
        right, loss = (self.right, other.right), (self.log_losses, other.log_losses)
        return compare(right, loss, weights=self.weights, names=names, level=self.level, flips=flips, seed=seed)

    def _check_same_documents(self, other: Figures) -> None:
        if not isinstance(other, Figures):
            raise documents_differ(f"the other are no figures but {type(other).__name__}")
        if len(self) != len(other):
            raise documents_differ(f"one has {len(self)} documents, the other {len(other)}")
        places = {label: place for place, label in enumerate(self.labels)}
        theirs = np.array([*(places.get(label, -1) for label in other.labels), -1], dtype=np.intp)[other.truth]
        differ = np.flatnonzero((theirs != self.truth) & (theirs >= 0) & (self.truth >= 0))
        if len(differ):
            raise documents_differ(f"document {int(differ[0])} has another true label in each")
        mine, given = (each_weight(each.weights, len(self)) for each in (self, other))
        if not np.array_equal(mine, given):
            raise documents_differ("their weights differ")

    # ---- for people and programs ----

    def to_dict(self, *, curves: int = 20) -> dict[str, Any]:
        """Plain JSON values; with the curves of at most `curves` labels, those with the most documents."""
        return rendering.to_dict(self, checked_k(curves))

    def __str__(self) -> str:
        return rendering.rendered(self)

    def __repr__(self) -> str:
        return f"<Figures: {len(self)} documents, {len(self.labels)} labels>"

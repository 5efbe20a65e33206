"""All figures of an evaluation, each made when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.checks import checked_k
from likelier._documents.labels import Label, checked_label
from likelier._evaluate.figures import accuracy as accuracies
from likelier._evaluate.figures import confusion as confusions
from likelier._evaluate.figures import cost as costing
from likelier._evaluate.figures import losses, paired, plain, showing, suspects, thresholds
from likelier._evaluate.figures import per_label as by_label
from likelier._evaluate.figures import reliability as reliabilities
from likelier._evaluate.figures.curves import LabelCurves, label_curves
from likelier._evaluate.figures.judged import Columns, Floats, Truths, check, is_right


@dataclass(frozen=True, eq=False, repr=False)
class Figures:
    """All figures of verdicts on documents whose labels are known.

    truth          (documents,)         the column of the true label; -1 where the labels lack it: always a mistake
    decided        (documents,)         the column of the decided label; -1 for no label
    probabilities  (documents, labels)  P(c|d)
    weights        (documents,)         how much each document counts; None: each counts 1
    level          of all intervals

    >>> sure = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.7, 0.3]])
    >>> figures = Figures(np.array([0, 0, 1, 1]), sure.argmax(axis=1), sure, ("ham", "spam"))
    >>> figures.accuracy.share, round(figures.log_loss.loss, 4), round(figures.brier, 4), figures.area("spam")
    (0.75, 0.5108, 0.35, 0.75)
    """

    truth: Columns
    decided: Columns
    probabilities: Floats
    labels: tuple[Label, ...]
    weights: Floats | None = None
    level: float = 0.95
    _curves: dict[Label, LabelCurves] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        given = {name: np.asarray(getattr(self, name)) for name in ("truth", "decided")}
        for name, columns in given.items():
            object.__setattr__(self, name, columns.astype(np.intp, copy=False))
        for name in ("probabilities", "weights"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        object.__setattr__(self, "labels", tuple(self.labels))
        check(self.truth, self.decided, self.probabilities, self.labels, self.weights)

    def __len__(self) -> int:
        return len(self.truth)

    # ---- decisions ----

    @cached_property
    def right(self) -> Truths:  # (documents,)
        """Which documents were given their true label."""
        return is_right(self.truth, self.decided)

    @cached_property
    def accuracy(self) -> accuracies.Accuracy:
        """The share of right documents with its interval, and the share without a label."""
        return accuracies.accuracy(self.truth, self.decided, weights=self.weights, level=self.level)

    @cached_property
    def per_label(self) -> by_label.PerLabel:
        """Precision, recall, F and support of each label, and their averages."""
        return by_label.per_label(self.truth, self.decided, self.labels, weights=self.weights)

    @cached_property
    def confusion(self) -> confusions.Confusion:
        """How often each label was taken for each."""
        return confusions.confusion(self.truth, self.decided, self.labels, weights=self.weights)

    def cost(self, costs: costing.Costs) -> costing.Cost:
        """What the decisions cost; `costs`: decision → true label → cost."""
        return costing.cost(self.truth, self.decided, self.labels, costs, weights=self.weights)

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
    def reliability(self) -> reliabilities.Reliability:
        """The reliability diagram and the calibration errors, with 15 bins of equal width."""
        return self.reliability_in()

    @cached_property
    def reliability_by_mass(self) -> reliabilities.Reliability:
        """The same with 15 bins of equally many documents."""
        return self.reliability_in(binning="mass")

    def reliability_in(self, *, bins: int = 15, binning: reliabilities.Binning = "width") -> reliabilities.Reliability:
        """The same with other bins."""
        return reliabilities.reliability(
            self.truth, self.probabilities, weights=self.weights, bins=bins, binning=binning, level=self.level
        )

    @property
    def calibration_error(self) -> float:
        """The expected calibration error, with 15 bins of equal width."""
        return self.reliability.expected_error

    # ---- one label against the rest ----

    def curves(self, label: Label) -> LabelCurves:
        """ROC, precision-recall and gains of one label."""
        if checked_label(label) not in self._curves:
            found = label_curves(self.truth, self.probabilities, self.labels, label, weights=self.weights)
            self._curves[label] = found
        return self._curves[label]

    def area(self, label: Label) -> float | None:
        """The area under the ROC curve; None where all documents have the label, or none has."""
        return self.curves(label).roc.area

    def average_precision(self, label: Label) -> float | None:
        """The area under the precision-recall curve; None where no document has the label."""
        return self.curves(label).precision_recall.area

    def threshold(
        self,
        label: Label,
        *,
        lost: float | None = None,
        precision: float | None = None,
        recall: float | None = None,
        costs: costing.Costs | None = None,
        f_beta: float | None = None,
        otherwise: Label | None = None,
    ) -> thresholds.Threshold:
        """The threshold for a label by one target; `.decision` of it is the rule for a view."""
        return thresholds.threshold(
            self.truth,
            self.probabilities,
            self.labels,
            label,
            lost=lost,
            precision=precision,
            recall=recall,
            costs=costs,
            f_beta=f_beta,
            otherwise=otherwise,
            weights=self.weights,
        )

    # ---- documents ----

    def confident_mistakes(self, k: int | None = None, *, log_scores: Floats | None = None) -> Columns:
        """Rows of the mistakes, the surest verdict first."""
        return suspects.confident_mistakes(self.truth, self.decided, self.probabilities, k, log_scores=log_scores)

    def label_errors(self, at_least: float = 0.9, *, log_scores: Floats | None = None) -> Columns:
        """Rows of documents whose label is likely wrong, the highest log odds first."""
        return suspects.label_errors(self.truth, self.decided, self.probabilities, at_least, log_scores=log_scores)

    # ---- against another evaluation ----

    def compare(
        self, other: Figures, *, names: tuple[str, str] = ("the first", "the second"), flips: int = 9999, seed: int = 0
    ) -> paired.Comparison:
        """This one first, the other second, on the same documents; their labels may differ."""
        self._check_same_documents(other)
        return paired.compare(
            (self.right, other.right),
            (self.log_losses, other.log_losses),
            weights=self.weights,
            names=names,
            level=self.level,
            flips=flips,
            seed=seed,
        )

    def _check_same_documents(self, other: Figures) -> None:
        if not isinstance(other, Figures):
            raise paired.documents_differ(f"the other are no figures but {type(other).__name__}")
        if len(self) != len(other):
            raise paired.documents_differ(f"one has {len(self)} documents, the other {len(other)}")
        places = {label: place for place, label in enumerate(self.labels)}
        theirs = np.array([*(places.get(label, -1) for label in other.labels), -1], dtype=np.intp)[other.truth]
        differ = np.flatnonzero((theirs != self.truth) & (theirs >= 0) & (self.truth >= 0))
        if len(differ):
            raise paired.documents_differ(f"document {int(differ[0])} has another true label in each")
        mine, given = (np.ones(len(self)) if weights is None else weights for weights in (self.weights, other.weights))
        if not np.array_equal(mine, given):
            raise paired.documents_differ("their weights differ")

    # ---- for people and programs ----

    def to_dict(self, *, curves: int = 20) -> dict[str, Any]:
        """Plain JSON values; `curves`: of at most so many labels, those with the most documents."""
        return plain.to_dict(self, checked_k(curves))

    def __str__(self) -> str:
        return showing.rendered(self)

    def __repr__(self) -> str:
        return f"<Figures: {len(self)} documents, {len(self.labels)} labels>"

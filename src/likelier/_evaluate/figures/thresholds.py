"""Thresholds: from which probability on a label is given, picked by a target; and what decisions cost.

A label is given where it is the most probable one and has at least the threshold; otherwise the fallback label is, or
none, as `Thresholds` decides. With TP and FP the documents that are given the label and have it, or do not, by weight:

    false_positive_rate  FP / documents without the label      the lowest threshold with at most this rate
    precision            TP / (TP + FP)                        the lowest threshold with at least this precision
    recall               TP / documents with the label         the highest threshold with at least this recall
    costs                sum of cost(decision, true label)     the threshold of least cost
    f_beta               see `decisions`                       the threshold of the best F

Of equally good ones the lowest is taken. All thresholds between two neighboring probabilities do the same to the
documents; of these it is the number with the fewest decimals, then the highest; but 0, "whenever it is the most
probable label", where that does the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import ROUND_FLOOR, Decimal
from typing import Any, TypedDict, Unpack

import numpy as np

from likelier._answer.decisions import NONE, LeastCost, Thresholds
from likelier._base.errors import LikelierError, error
from likelier._base.numbers import is_number
from likelier._documents.labels import Label
from likelier._evaluate.figures.arrays import (
    UNKNOWN,
    Floats,
    Indices,
    check_setting,
    each_weight,
    index_of,
    most_probable,
    summed,
)
from likelier._evaluate.figures.curves import OperatingPoints, steps
from likelier._evaluate.figures.decisions import ratio

Costs = Mapping[Label | None, Mapping[Label, float]]  # decision → true label → cost, as `LeastCost` has them


class Target(TypedDict, total=False):
    """What a threshold is to achieve: one of these."""

    false_positive_rate: float | None
    precision: float | None
    recall: float | None
    costs: Costs | None
    f_beta: float | None


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold for one label, and what it does on the documents by which it was picked.

    otherwise            the label that is given below it; None: no label
    target               what was asked for, in words
    decided              documents that are given the label, by weight
    precision            which share of them has it; None where there are none
    recall               which share of the documents with the label that is; None where there are none
    false_positive_rate  which share of the other documents is given the label; None where there are none
    """

    label: Label
    threshold: float
    otherwise: Label | None
    target: str
    decided: float
    precision: float | None
    recall: float | None
    false_positive_rate: float | None

    @property
    def decision(self) -> Thresholds:
        """The rule for `model.view(decide=...)`."""
        return Thresholds({self.label: self.threshold}, otherwise=self.otherwise)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        number = repr(self.threshold).removesuffix(".0")  # every digit counts next to 1
        below = "no label" if self.otherwise is None else self.otherwise
        given = f"if its probability is at least {number}, otherwise {below}"
        rates = {"precision": self.precision, "recall": self.recall}
        shown = "".join(f", {name} {rate:.4f}" for name, rate in rates.items() if rate is not None)
        if self.false_positive_rate is not None:
            shown += f", false positive rate {self.false_positive_rate * 100:.3g} %"
        return f"{self.label} {given if self.threshold else 'if it is the most probable label'} ({self.target}){shown}"


def threshold(
    truth: Indices,
    probabilities: Floats,
    labels: tuple[Label, ...],
    label: Label,
    *,
    otherwise: Label | None = None,
    weights: Floats | None = None,
    **target: Unpack[Target],
) -> Threshold:
    """The threshold for a label by one target.

    >>> sure = np.array([[0.02, 0.98], [0.05, 0.95], [0.23, 0.77], [0.35, 0.65], [0.9, 0.1]])
    >>> truth, labels = np.array([1, 1, 0, 1, 0]), ("ham", "spam")
    >>> found = threshold(truth, sure, labels, "spam", false_positive_rate=0, otherwise="ham")
    >>> found.threshold, found.precision, round(found.recall, 4), found.false_positive_rate
    (0.9, 1.0, 0.6667, 0.0)
    >>> found.decision
    Thresholds(at_least={'spam': 0.9}, otherwise='ham')
    """
    name, wanted = _checked(target)
    index, fallback = index_of(labels, label), _fallback(labels, label, otherwise)
    each = each_weight(weights, len(truth))
    mine = (most_probable(probabilities) == index) & (each > 0)
    probability = np.minimum(probabilities[mine, index], 1.0)
    reached = steps(probability, truth[mine] == index, each[mine])
    points = OperatingPoints.of(reached, float(each[truth == index].sum()), float(each[truth != index].sum()))
    if name == "costs":
        matrix = cost_matrix(wanted, labels, with_none=fallback == NONE)
        # what it costs more to give the label than the fallback; 0 where the truth is not known
        extra = np.where(truth[mine] == UNKNOWN, 0.0, matrix[index, truth[mine]] - matrix[fallback, truth[mine]])
        good = points.of_least_cost(probability, extra * each[mine])
    else:
        good = points.reaching(name, wanted)
    places = np.flatnonzero(good)
    if not len(places):
        raise _unreachable(label, name, wanted, points.best(name))
    place = int(places[0 if name == "recall" else -1])
    right, wrong = float(points.right[place]), float(points.wrong[place])
    rates = (ratio(right, right + wrong), ratio(right, points.positives), ratio(wrong, points.negatives))
    above = float(points.highest[place + 1]) if place + 1 < len(points.highest) else -np.inf
    number = plainest(above, min(float(points.highest[place]), 1.0))
    return Threshold(label, number, otherwise, _in_words(name, wanted), right + wrong, *rates)


def _checked(target: Target) -> tuple[str, Any]:
    """The name of the one target, and its value."""
    named = {name: value for name, value in target.items() if value is not None}
    if len(named) != 1 or not named.keys() <= Target.__annotations__.keys():
        names = ", ".join(Target.__annotations__)
        raise error("threshold-target", names=names, got=" and ".join(named) or "none")
    name, value = next(iter(named.items()))
    if name not in ("costs", "f_beta"):
        is_good = is_number(value) and isinstance(value, int | float) and 0 <= value <= 1
        check_setting(is_good, "threshold-target-range", value, name=name)
    return name, value


def _fallback(labels: tuple[Label, ...], label: Label, otherwise: Label | None) -> int:
    check_setting(otherwise != label, "threshold-otherwise", otherwise)
    return NONE if otherwise is None else index_of(labels, otherwise)


def _in_words(name: str, wanted: Any) -> str:
    if name == "costs":
        return "least cost"
    if name == "f_beta":
        return f"best F{float(wanted):g}"
    if name == "false_positive_rate":
        return f"false positive rate of at most {wanted * 100:g} %"
    return f"{name} of at least {wanted:g}"


def _unreachable(label: Label, name: str, bound: float, best: float | None) -> LikelierError:
    case = "threshold-unreachable.undefined" if best is None else "threshold-unreachable"
    return error(case, label=label, name=name, bound=bound, best=best)


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


# ---- cost --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cost:
    """What the decisions cost, by weight.

    total        over all documents
    mean         per document; 0 where none has a cost
    documents    that have a cost
    left_out     documents whose true label is not known, and so have none
    always       the decision that is cheapest if made for every document; None: no label
    always_mean  what that costs per document
    """

    total: float
    mean: float
    documents: float
    left_out: float
    always: Label | None
    always_mean: float


def cost(
    truth: Indices, decided: Indices, labels: tuple[Label, ...], costs: Costs, *, weights: Floats | None = None
) -> Cost:
    """The cost, and that of the best single decision.

    >>> costs = {"spam": {"ham": 10}, "ham": {"spam": 1}}
    >>> cost(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0]), ("ham", "spam"), costs)
    Cost(total=11.0, mean=2.2, documents=5.0, left_out=0.0, always='ham', always_mean=0.6)
    """
    each = each_weight(weights, len(truth))
    known = truth != UNKNOWN
    matrix = cost_matrix(costs, labels, with_none=bool((known & (decided == NONE) & (each > 0)).any()))
    support = summed(truth[known], each[known], len(labels))
    total = float((each[known] * matrix[decided[known], truth[known]]).sum())  # -1 is the last row
    documents = float(support.sum())
    always = (matrix[: len(labels) + (None in costs)] * support).sum(axis=1)
    best = int(always.argmin())
    per_document = max(documents, np.finfo(np.float64).tiny)
    return Cost(
        total,
        total / per_document,
        documents,
        float(each[~known].sum()),
        [*labels, None][best],
        float(always[best]) / per_document,
    )


def cost_matrix(costs: Costs, labels: tuple[Label, ...], *, with_none: bool = False) -> Floats:  # (labels + 1, labels)
    """The cost of each decision for each true label; the last row is the decision for no label, 0 if not given.

    with_none: documents get no label, so its costs are needed

    >>> cost_matrix({"spam": {"ham": 10}, "ham": {"spam": 1}, None: {"ham": 2, "spam": 0.5}}, ("ham", "spam")).tolist()
    [[0.0, 1.0], [10.0, 0.0], [2.0, 0.5]]
    """
    LeastCost(costs).check(labels)
    if with_none and None not in costs:
        row, more = dict.fromkeys(labels[:3], 1), "" if len(labels) <= 3 else " and so on"
        raise error("cost-of-none-missing", row=row, more=more)
    rows = [costs.get(decision, {}) for decision in (*labels, None)]
    return np.array([[row.get(label, 0.0) for label in labels] for row in rows], dtype=np.float64)

"""Thresholds: from which probability on a label is given, picked by what that is to achieve.

A label is given where it is the most probable one and has at least the threshold; otherwise the fallback label is, or
none, as `Thresholds` decides. With TP and FP the documents that are given the label and have it, or do not:

    lost        FP / documents without the label       "at most 0.1 % of ham lost"
    precision   TP / (TP + FP)
    recall      TP / documents with the label

by lost        the lowest threshold at which at most this share of the other documents is given the label
by precision   the lowest threshold with at least this precision
by recall      the highest threshold with at least this recall
by costs       the threshold of least cost, of equally good ones the lowest
by f_beta      the threshold of the best F, of equally good ones the lowest

Of the numbers that do the same to these documents, the threshold is the one with the fewest decimals, then the highest;
but 0, "whenever it is the most probable label", where that does the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from likelier._answer.decisions import NONE, Thresholds
from likelier._base.errors import InputError, SettingError
from likelier._base.numbers import is_number
from likelier._documents.labels import Label
from likelier._evaluate.figures.choices import Choices, choices, extra_costs
from likelier._evaluate.figures.cost import Costs, cost_matrix, none_without_cost
from likelier._evaluate.figures.curves import steps
from likelier._evaluate.figures.judged import UNKNOWN, Columns, Floats, column_of, each_weight, most_probable

TARGETS = ("lost", "precision", "recall", "costs", "f_beta")


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold for one label, and what it does on the documents by which it was picked.

    otherwise  the label that is given below it; None: no label
    target     what was asked for, in words
    decided    documents that are given the label, by weight
    precision  which share of them has it; None where there are none
    recall     which share of the documents with the label that is; None where there are none
    lost       which share of the other documents is given the label; None where there are none
    """

    label: Label
    threshold: float
    otherwise: Label | None
    target: str
    decided: float
    precision: float | None
    recall: float | None
    lost: float | None

    @property
    def decision(self) -> Thresholds:
        """The rule for `model.view(decide=...)`."""
        return Thresholds({self.label: self.threshold}, otherwise=self.otherwise)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        number = repr(self.threshold).removesuffix(".0")  # every digit counts next to 1
        given = f"from probability {number} on" if self.threshold else "whenever it is the most probable label"
        below = "" if not self.threshold else f", otherwise {'no label' if self.otherwise is None else self.otherwise}"
        rates = {"precision": self.precision, "recall": self.recall}
        shown = "".join(f", {name} {rate:.4f}" for name, rate in rates.items() if rate is not None)
        lost = "" if self.lost is None else f", {self.lost * 100:.3g} % of the other documents lost"
        return f"{self.label} {given}{below} ({self.target}){shown}{lost}"


def threshold(
    truth: Columns,
    probabilities: Floats,
    labels: tuple[Label, ...],
    label: Label,
    *,
    lost: float | None = None,
    precision: float | None = None,
    recall: float | None = None,
    costs: Costs | None = None,
    f_beta: float | None = None,
    otherwise: Label | None = None,
    weights: Floats | None = None,
) -> Threshold:
    """The threshold for a label by one target.

    >>> sure = np.array([[0.02, 0.98], [0.05, 0.95], [0.23, 0.77], [0.35, 0.65], [0.9, 0.1]])
    >>> found = threshold(np.array([1, 1, 0, 1, 0]), sure, ("ham", "spam"), "spam", lost=0, otherwise="ham")
    >>> found.threshold, found.precision, round(found.recall, 4), found.lost
    (0.9, 1.0, 0.6667, 0.0)
    >>> found.decision
    Thresholds(at_least={'spam': 0.9}, otherwise='ham')
    """
    wanted = _wanted({"lost": lost, "precision": precision, "recall": recall, "costs": costs, "f_beta": f_beta})
    column, fallback = column_of(labels, label), _fallback(labels, label, otherwise)
    each = each_weight(weights, len(truth))
    mine = (most_probable(probabilities) == column) & (each > 0)
    probability = np.minimum(probabilities[mine, column], 1.0)
    found = steps(probability, truth[mine] == column, each[mine])
    known = choices(found, truth == column, each)
    if costs is not None:
        changes = _changes(truth[mine], costs, labels, column, fallback) * each[mine]
        place, target = known.with_least_cost(extra_costs(found, probability, changes)), "least cost"
    elif f_beta is not None:
        place, target = known.with_best_f(f_beta), f"best F{float(f_beta):g}"
    else:
        place, target = _reaching(known, label, *wanted)
    return _result(known, place, label, otherwise, target)


def _wanted(given: Mapping[str, object]) -> tuple[str, float]:
    """The name of the one target, and its bound."""
    named = {name: value for name, value in given.items() if value is not None}
    if len(named) != 1:
        raise SettingError(
            code="threshold-target",
            message=f"a threshold is picked by one of {', '.join(TARGETS)},"
            f" got {' and '.join(named) or 'none of them'}",
            hint="lost=0.001: at most 0.1 % of the other documents are given the label",
        )
    name, value = next(iter(named.items()))
    if name in ("costs", "f_beta"):
        return name, 0.0
    if not (is_number(value) and isinstance(value, int | float) and 0 <= value <= 1):
        raise SettingError(
            code="threshold-target-range",
            message=f"`{name}` must be a share from 0 to 1, got {value!r}",
            hint="0.001 is 0.1 %",
        )
    return name, float(value)


def _fallback(labels: tuple[Label, ...], label: Label, otherwise: Label | None) -> int:
    if otherwise == label:
        raise SettingError(
            code="threshold-otherwise",
            message=f"below its threshold a label gives way to another one or to none, got {otherwise!r} itself",
            hint="otherwise=None gives no label",
        )
    return NONE if otherwise is None else column_of(labels, otherwise)


def _changes(truth: Columns, costs: Costs, labels: tuple[Label, ...], column: int, fallback: int) -> Floats:
    """What it costs more to give the label to each document than the fallback; 0 where the truth is not known."""
    matrix = cost_matrix(costs, labels)
    if fallback == NONE and None not in costs:
        raise none_without_cost(labels)
    return np.where(truth == UNKNOWN, 0.0, matrix[column, truth] - matrix[fallback, truth])


def _reaching(known: Choices, label: Label, name: str, bound: float) -> tuple[int, str]:
    if name == "lost":
        place, target = known.with_lost(bound), f"at most {bound * 100:g} % of the other documents lost"
        best = _share(float(known.wrong[0]), known.negatives)
    elif name == "precision":
        place, target = known.with_precision(bound), f"precision of at least {bound:g}"
        best = float(known.precision.max()) if known.decided.any() else None
    else:
        place, target = known.with_recall(bound), f"recall of at least {bound:g}"
        best = _share(float(known.right[-1]), known.positives)
    if place is None:
        possible = "it is not defined here" if best is None else f"the best on these documents is {best:.6g}"
        raise InputError(
            code="threshold-unreachable",
            message=f"no threshold for {label!r} reaches {name}={bound:g}: {possible}",
            hint="ask for a label that some document has and gets"
            if best is None
            else f"{name}={best!r} can be reached",
        )
    return place, target


def _share(part: float, whole: float) -> float | None:
    return min(part / whole, 1.0) if whole > 0 else None


def _result(known: Choices, place: int, label: Label, otherwise: Label | None, target: str) -> Threshold:
    right, wrong = float(known.right[place]), float(known.wrong[place])
    return Threshold(
        label,
        known.number(place),
        otherwise,
        target,
        right + wrong,
        _share(right, right + wrong),
        _share(right, known.positives),
        _share(wrong, known.negatives),
    )

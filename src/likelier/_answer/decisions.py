"""Decisions: from probabilities to one label, or none.

most probable   argmax of P(c|d)
thresholds      a label only from its threshold on ("spam from 0.8"), otherwise the fallback label or none
least cost      argmin over decisions a of the sum over labels c of cost(a, c) * P(c|d)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from likelier._answer.posterior import row_maxima
from likelier._base.checks import is_one_of
from likelier._base.errors import error
from likelier._base.numbers import is_number
from likelier._documents.labels import Label, checked_label
from likelier._documents.plain import (
    check_fields,
    distinct_pairs,
    label_from_plain,
    pairs_from_plain,
    pairs_to_plain,
)
from likelier._show.words import listed

Floats = NDArray[np.float64]
Columns = NDArray[np.intp]  # (documents,)
Truths = NDArray[np.bool_]  # (documents,)
NONE = -1  # the column of "no label"


class Decision(Protocol):
    """A rule that turns scores into a choice."""

    def check(self, labels: Sequence[Label]) -> None:
        """Whether the rule fits these labels."""

    def choose(self, scores: Floats, probabilities: Floats, labels: Sequence[Label]) -> tuple[Columns, Truths]:
        """For each document the column of a label, or NONE; and whether it is special: not just the most probable."""

    def reason(self, column: int, scores: Floats, probabilities: Floats, labels: Sequence[Label]) -> str:
        """Why it is special, for one such document."""


ROUNDING = 1e-12  # relative; sums of a thousand terms differ by less when only their order differs


def _highest(scores: Floats) -> NDArray[np.bool_]:  # (documents, labels)
    """Which scores are the highest. Scores that differ by no more than rounding are equal."""
    highest = row_maxima(scores)
    slack = ROUNDING * np.maximum(np.abs(highest), 1.0)  # infinite where every label is impossible, and equal
    return scores >= highest - slack


@dataclass(frozen=True)
class MostProbable:
    """The label with the highest posterior probability; of equal ones the first in sorted order.

    >>> from likelier import train
    >>> model = train([("cheap watches", "spam"), ("lunch at noon", "ham")])
    >>> model.view(decide=MostProbable()).classify("cheap lunch watches").label
    'spam'
    """

    def check(self, labels: Sequence[Label]) -> None:
        pass

    def choose(self, scores: Floats, probabilities: Floats, labels: Sequence[Label]) -> tuple[Columns, Truths]:
        highest = _highest(scores)
        return highest.argmax(axis=1), highest.sum(axis=1) > 1

    def reason(self, column: int, scores: Floats, probabilities: Floats, labels: Sequence[Label]) -> str:
        equal = [repr(labels[place]) for place in np.flatnonzero(_highest(scores[np.newaxis, :])[0]).tolist()]
        return f"{listed(equal)} are equally probable: the first in sorted order is taken"


@dataclass(frozen=True)
class Thresholds:
    """The most probable label, if its probability reaches its threshold; otherwise the fallback label, or none.

    at_least: label → threshold; "*" as label stands for every other label.

    >>> Thresholds({"spam": 0.8}, otherwise="ham")
    Thresholds(at_least={'spam': 0.8}, otherwise='ham')
    """

    at_least: Mapping[Label, float]
    otherwise: Label | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.at_least, Mapping):
            raise error("thresholds-kind", got=self.at_least)
        for label, threshold in self.at_least.items():
            if not is_number(threshold) or not 0 <= threshold <= 1:
                raise error("threshold-range", got=threshold, label=label)
        object.__setattr__(self, "at_least", dict(self.at_least))  # whatever becomes of the one that was given

    def check(self, labels: Sequence[Label]) -> None:
        _check_known([label for label in self.at_least if not is_one_of(label, ("*",))], labels)
        _check_known([] if self.otherwise is None else [self.otherwise], labels)

    def _limits(self, labels: Sequence[Label]) -> Floats:
        default = self.at_least.get("*", 0.0)
        return np.array([self.at_least.get(label, default) for label in labels], dtype=np.float64)

    def choose(self, scores: Floats, probabilities: Floats, labels: Sequence[Label]) -> tuple[Columns, Truths]:
        best = _highest(scores).argmax(axis=1)
        fallback = NONE if self.otherwise is None else list(labels).index(self.otherwise)
        reached = self._reached(best, probabilities, labels)
        return np.where(reached, best, fallback), ~reached

    def _reached(self, best: Columns, probabilities: Floats, labels: Sequence[Label]) -> Truths:
        return np.take_along_axis(probabilities, best[:, np.newaxis], axis=1)[:, 0] >= self._limits(labels)[best]

    def reason(self, column: int, scores: Floats, probabilities: Floats, labels: Sequence[Label]) -> str:
        best = int(_highest(scores[np.newaxis, :])[0].argmax())
        limit = self._limits(labels)[best]
        taken = "no label" if self.otherwise is None else f"{self.otherwise} instead"
        return f"{labels[best]} has probability {probabilities[best]:.4g}, below its threshold {limit:g}: {taken}"


@dataclass(frozen=True)
class LeastCost:
    """The decision with the least expected cost.

    costs: decision → true label → cost. The decision None is to give no label. A right decision costs 0 unless given.

    >>> LeastCost({"spam": {"ham": 10}, "ham": {"spam": 1}})
    LeastCost(costs={'spam': {'ham': 10}, 'ham': {'spam': 1}})
    """

    costs: Mapping[Label | None, Mapping[Label, float]]

    def __post_init__(self) -> None:
        rows = self.costs.values() if isinstance(self.costs, Mapping) else [None]
        if not all(isinstance(row, Mapping) for row in rows):
            raise error("costs-kind", got=self.costs)
        for decision, row in self.costs.items():
            for label, cost in row.items():
                if not is_number(cost) or not 0 <= cost < float("inf"):
                    raise error("cost-range", got=cost, decision=decision, label=label)
        costs = {decision: dict(row) for decision, row in self.costs.items()}
        object.__setattr__(self, "costs", costs)  # whatever becomes of those that were given

    def check(self, labels: Sequence[Label]) -> None:
        _check_known([decision for decision in self.costs if decision is not None], labels)
        for label in labels:
            if label not in self.costs:
                raise error("cost-missing", label=label)
        for decision, row in self.costs.items():
            _check_known(row, labels)
            missing = [label for label in labels if label != decision and label not in row]
            if missing:
                raise error("cost-missing.true-label", decision=decision, missing=missing[0])

    def _matrix(self, labels: Sequence[Label]) -> Floats:  # (decisions, labels)
        return np.array([[row.get(label, 0.0) for label in labels] for row in self.costs.values()], dtype=np.float64)

    def choose(self, scores: Floats, probabilities: Floats, labels: Sequence[Label]) -> tuple[Columns, Truths]:
        columns = [NONE if decision is None else list(labels).index(decision) for decision in self.costs]
        expected = probabilities @ self._matrix(labels).T  # (documents, decisions)
        chosen = np.array(columns, dtype=np.intp)[expected.argmin(axis=1)]
        return chosen, chosen != probabilities.argmax(axis=1)

    def reason(self, column: int, scores: Floats, probabilities: Floats, labels: Sequence[Label]) -> str:
        best = int(probabilities.argmax())
        cost = dict(zip(self.costs, self._matrix(labels) @ probabilities, strict=True))
        taken = None if column == NONE else labels[column]
        named = "no label" if taken is None else str(taken)
        return f"{labels[best]} is more probable, but {named} has the least expected cost, {cost[taken]:.4g}"


def _check_known(named: Sequence[Label] | Mapping[Label, float], labels: Sequence[Label]) -> None:
    for label in named:
        if checked_label(label) not in labels:
            raise error("decision-label-unknown", labels=", ".join(map(repr, labels)), got=label)


# ---- as plain values ---------------------------------------------------------------------------------------------


def decision_to_dict(decision: Decision) -> dict[str, Any]:
    """The rule as plain JSON values.

    >>> decision_to_dict(Thresholds({"spam": 0.8}, otherwise="ham"))
    {'kind': 'thresholds', 'at_least': [['spam', 0.8]], 'otherwise': 'ham'}
    """
    if type(decision) is MostProbable:
        return {"kind": "most-probable"}
    if type(decision) is Thresholds:
        otherwise = None if decision.otherwise is None else checked_label(decision.otherwise)
        return {"kind": "thresholds", "at_least": pairs_to_plain(decision.at_least), "otherwise": otherwise}
    if type(decision) is LeastCost:
        costs = [
            [None if decided is None else checked_label(decided), pairs_to_plain(row)]
            for decided, row in decision.costs.items()
        ]
        return {"kind": "least-cost", "costs": costs}
    raise error("decision-not-storable", got=decision)


def decision_from_dict(stored: object) -> Decision:
    """The rule with these settings.

    >>> decision_from_dict({"kind": "thresholds", "at_least": [["spam", 0.8]]})
    Thresholds(at_least={'spam': 0.8}, otherwise=None)
    """
    kind = stored.get("kind") if isinstance(stored, dict) else None
    if kind == "most-probable":
        check_fields(stored, ["kind"], what="a decision for the most probable label")
        return MostProbable()
    if kind == "thresholds":
        given = check_fields(stored, ["kind", "at_least", "otherwise"], what="a decision by thresholds")
        otherwise = given.get("otherwise")
        return Thresholds(
            pairs_from_plain(given.get("at_least")), None if otherwise is None else label_from_plain(otherwise)
        )
    if kind == "least-cost":
        given = check_fields(stored, ["kind", "costs"], what="a decision for the least cost")
        rows = distinct_pairs(given.get("costs"))
        return LeastCost(
            {None if decided is None else label_from_plain(decided): pairs_from_plain(row) for decided, row in rows}
        )
    raise error(
        "stored-kind", wanted="a decision of one of the kinds most-probable, thresholds, least-cost", got=stored
    )

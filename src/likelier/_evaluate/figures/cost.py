"""What the decisions cost.

    cost = sum of w · cost(decision, true label)        costs: decision → true label → cost, as `LeastCost` has them

The decision None is to give no label; it needs its own costs where a document has no label. A document whose true label
is not known has no cost, and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from likelier._answer.decisions import NONE, LeastCost
from likelier._base.errors import SettingError
from likelier._documents.labels import Label
from likelier._evaluate.figures.judged import UNKNOWN, Columns, Floats, each_weight, summed

Costs = Mapping[Label | None, Mapping[Label, float]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What the decisions cost.

    total        over all documents, by weight
    mean         per document; 0 where none has a cost
    documents    that have a cost, by weight
    left_out     documents whose true label is not known, by weight
    always       the decision that is cheapest if made for every document
    always_mean  what that costs per document
    """

    total: float
    mean: float
    documents: float
    left_out: float
    always: Label | None
    always_mean: float


def cost(
    truth: Columns,
    decided: Columns,
    labels: tuple[Label, ...],
    costs: Costs,
    *,
    weights: Floats | None = None,
) -> Cost:
    """The cost, and that of the best single decision.

    >>> costs = {"spam": {"ham": 10}, "ham": {"spam": 1}}
    >>> cost(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, 0]), ("ham", "spam"), costs)
    Cost(total=11.0, mean=2.2, documents=5.0, left_out=0.0, always='ham', always_mean=0.6)
    """
    each = each_weight(weights, len(truth))
    matrix = cost_matrix(costs, labels)
    known = truth != UNKNOWN
    support = summed(truth[known], each[known], len(labels))
    if None not in costs and bool((known & (decided == NONE) & (each > 0)).any()):
        raise none_without_cost(labels)
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
        labels[best] if best < len(labels) else None,
        float(always[best]) / per_document,
    )


def cost_matrix(costs: Costs, labels: tuple[Label, ...]) -> Floats:  # (labels + 1, labels)
    """The costs by columns; the last row is the decision for no label, 0 where it has no costs.

    >>> cost_matrix({"spam": {"ham": 10}, "ham": {"spam": 1}, None: {"ham": 2, "spam": 0.5}}, ("ham", "spam")).tolist()
    [[0.0, 1.0], [10.0, 0.0], [2.0, 0.5]]
    """
    LeastCost(costs).check(labels)
    rows = [costs.get(decision, {}) for decision in (*labels, None)]
    return np.array([[row.get(label, 0.0) for label in labels] for row in rows], dtype=np.float64)


def none_without_cost(labels: tuple[Label, ...]) -> SettingError:
    """The error for a document without a label where that has no cost."""
    return SettingError(
        code="cost-of-none-missing",
        message="some documents get no label, and the costs do not say what that costs",
        hint=f"add a row for it: None: {dict.fromkeys(labels[:3], 1)!r}{'' if len(labels) <= 3 else ' and so on'}",
    )

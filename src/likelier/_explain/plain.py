"""An explanation as plain values, ready for JSON.

Labels stand as they are, in lists of objects, because JSON turns the keys of an object into text. Fractions are text:
"7/22", or "0.3182" where the view weighs terms; a density is a number, under a name of its own, because it is no
probability. There is no infinity in JSON: a number that would be infinite is null, and `impossible` says which label it
is that has probability 0.

A plain text is there as `text` and `spans`, with its `event`. A document with columns is there as `document`, column by
column, null where a value is missing, and `texts` has the same for each text column.
"""

from __future__ import annotations

import math
from typing import Any

from likelier._documents.kinds import PLAIN
from likelier._explain.explanation import Explanation, Factor, Item
from likelier._explain.steps import steps

Plain = dict[str, Any]


def to_dict(explanation: Explanation) -> Plain:
    """All of it: the verdict, every label's score, and every item with its contributions, in the order of the sum."""
    return {
        **(_text(explanation, PLAIN) if explanation.is_plain else _document(explanation)),
        "calibration": explanation.calibration,
        "verdict": _verdict(explanation),
        "winner": explanation.winner,
        "runner_up": explanation.runner_up,
        "against": None if len(explanation.compared) < 2 else explanation.compared[1],
        "steps": [{"step": step.says, "value": step.value} for step in steps(explanation)],
        **({"naive_factor": explanation.naive_factor} if explanation.naive else {}),
        "log_odds": _finite(explanation.log_odds),
        "labels": _labels(explanation),
        "items": [_item(explanation, item) for item in explanation.items],
    }


def _document(explanation: Explanation) -> Plain:
    return {
        "document": dict(explanation.document),
        "texts": {column: _text(explanation, column) for column in explanation.texts},
    }


def _text(explanation: Explanation, column: str) -> Plain:
    text, spans = explanation.texts[column]
    return {
        "text": text,
        "spans": [{"term": term, "start": start, "end": end} for term, start, end in spans],
        "event": explanation.events[column],
        "weighting": explanation.weightings.get(column, "count"),
        "idf": column in explanation.with_idf,
    }


def _verdict(explanation: Explanation) -> Plain:
    verdict = explanation.verdict
    return {
        "label": verdict.label,
        "probability": verdict.probability,
        "unknown_share": verdict.unknown_share,
        "reason": verdict.reason,
    }


def _labels(explanation: Explanation) -> list[Plain]:
    """Likeliest first."""
    sums, scores, probabilities = explanation.sums, explanation.log_scores, explanation.verdict.probabilities
    return [
        {
            "label": label,
            "sum": _finite(sums[label]),
            **({"refined": explanation.refined_sums[label]} if explanation.naive else {}),
            "log_score": _finite(scores[label]),
            "probability": probabilities[label],
            "impossible": scores[label] == -math.inf,
        }
        for label in explanation.labels
    ]


def _item(explanation: Explanation, item: Item) -> Plain:
    return {
        "kind": item.kind,
        "name": item.name,
        "column": item.column,
        "times": item.times,
        "idf": item.idf,
        "difference": None if len(explanation.compared) < 2 else _finite(item.difference(*explanation.compared)),
        "labels": [
            {
                "label": label,
                "weight": _finite(item.weights[label]),
                "contribution": _finite(item.contributions[label]),
                **({"refined": item.refined.get(label, 0.0)} if explanation.naive else {}),
                "impossible": item.contributions[label] == -math.inf,
                "factor": _factor(item.factors.get(label)),
            }
            for label in explanation.labels
        ],
    }


def _factor(factor: Factor | None) -> Plain | None:
    if factor is None:
        return None
    return {"worked": str(factor.formula)} | (
        {"density": factor.value} if factor.is_density else {"value": factor.shown}
    )


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None

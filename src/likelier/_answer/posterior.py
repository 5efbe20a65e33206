"""From log scores to probabilities, distances and odds.

    P(c|d) = exp s_c / sum of exp s                 the posterior
    d_c = max of s - s_c                            0 for the best label, infinite for an impossible one
    z_c = s_c - log (sum of exp s over the others)  the logarithm of P(c|d) / (1 - P(c|d))

All are the same for scores that differ by a constant, so the length of a document drops out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likelier._base.errors import error
from likelier._base.numbers import Floats, log
from likelier._documents.labels import Label

SUMMED_IN_ORDER = 8  # numbers; as many or more NumPy adds up in another order
_LOWEST = np.finfo(np.float64).min
DIGITS = 9  # behind the point
FAR = 1e6  # from where such digits say nothing


def row_maxima(scores: Floats) -> Floats:  # (documents, labels) -> (documents, 1)
    """The largest of each row; NumPy's own `max(axis=1)` takes ten times as long for rows of few labels.

    >>> row_maxima(np.array([[1.0, 2.0], [4.0, 3.0]])).tolist()
    [[2.0], [4.0]]
    """
    return np.maximum.reduce(np.ascontiguousarray(scores.T))[:, np.newaxis]


def posterior(scores: Floats) -> Floats:  # (documents, labels) -> (documents, labels)
    """P(c|d) = 1 / (1 + sum over other labels of exp(q_c' - q_c)); 0 for all where every score is minus infinity.

    >>> posterior(np.array([[0.0, 0.0], [-1000.0, -1000.0 + np.log(3.0)], [-np.inf, -np.inf]])).round(12).tolist()
    [[0.5, 0.5], [0.25, 0.75], [0.0, 0.0]]
    """
    relative = np.exp(scores - np.maximum(row_maxima(scores), _LOWEST))  # that of the best label is 1
    return np.asarray(relative / np.maximum(relative.sum(axis=1, keepdims=True), 1.0))


def posterior_of_one(scores: Sequence[float]) -> list[float]:  # (labels,) -> (labels,)
    """The same, bit for bit, for one document of which at least one label is possible.

    >>> [round(each, 12) for each in posterior_of_one([-1000.0, -1000.0 + np.log(3.0)])]
    [0.25, 0.75]
    """
    highest = max(scores)
    relative = np.exp([each - highest for each in scores])
    if len(scores) >= SUMMED_IN_ORDER:
        return list((relative / np.add.reduce(relative)).tolist())
    few, total = relative.tolist(), 0.0
    for each in few:  # not `sum`, which is more exact than NumPy in later versions of Python
        total += each
    return [each / total for each in few]


def checked_scores(scores: object, labels: Sequence[Label]) -> Floats:
    """The scores as an array (documents, labels) of numbers or minus infinity."""
    try:
        values: Floats = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.ndim != 2 or values.shape[1] != len(labels) or not len(labels):
        shape = f"an array of shape {np.shape(scores)}" if hasattr(scores, "shape") else f"{scores!r:.60}"
        raise error("scores-shape", labels=len(labels), got=shape)
    if not values.max(initial=-np.inf) < np.inf:  # this way round, so that NaN is refused too
        row = int(np.flatnonzero(~(values < np.inf).all(axis=1))[0])
        raise error("scores-range", got=values[row].tolist(), row=row)
    return values


def distances(scores: Floats) -> Floats:  # (documents, labels) -> (documents, labels)
    """How far each label is behind the best.

    >>> distances(np.array([[-12.0, -10.0, -np.inf], [-np.inf, -np.inf, -np.inf]])).tolist()
    [[2.0, 0.0, inf], [inf, inf, inf]]
    """
    highest = scores.max(axis=1, keepdims=True)
    with np.errstate(over="ignore"):  # too far to tell is infinitely far
        return np.where(np.isneginf(highest), 0.0, highest) - scores


def rounded_distances(scores: Floats) -> Floats:  # (documents, labels) -> (documents, labels)
    """The same without the digits that are rounding: labels that are equal but for these are equally good.

    Leave-one-out would read in them which label the document was taken from.

    >>> rounded_distances(np.array([[-10.0, -10.000000000000002, -np.inf]])).tolist()
    [[0.0, 0.0, inf]]
    """
    behind = distances(scores)
    near = behind < FAR
    behind[near] = np.round(behind[near], DIGITS)
    return behind


def log_odds(behind: Floats) -> Floats:  # (documents, labels) -> (documents, labels)
    """Each label against all others: minus infinity if it is impossible, infinity if it alone is possible.

    >>> print(log_odds(np.array([[0.0, 0.0, np.inf], [0.0, 1000.0, 1000.0]])).round(4))
    [[    0.         0.        -inf]
     [  999.3069 -1000.     -1000.    ]]
    """
    rows = np.arange(len(behind))
    best = behind.argmin(axis=1)
    share = np.exp(-behind)
    odds = -behind - log(np.maximum(share.sum(axis=1, keepdims=True) - share, 1.0))  # the best is among the others
    others = behind.copy()
    others[rows, best] = np.inf
    second = others.min(axis=1, keepdims=True)
    second = np.where(np.isinf(second), 0.0, second)
    odds[rows, best] = second[:, 0] - log(np.exp(second - others).sum(axis=1))
    odds[np.isinf(behind)] = -np.inf
    return odds

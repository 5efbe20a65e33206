"""From log scores to probabilities."""

from __future__ import annotations

import numpy as np

from likelier._base.numbers import Floats


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
    highest = row_maxima(scores)
    relative = np.exp(scores - np.where(np.isneginf(highest), 0.0, highest))
    total = relative.sum(axis=1, keepdims=True)
    return relative / (total + (total == 0))


def posterior_of_one(scores: Floats) -> Floats:  # (labels,) -> (labels,)
    """The same, bit for bit, for one document of which at least one label is possible.

    >>> posterior_of_one(np.array([-1000.0, -1000.0 + np.log(3.0)])).round(12).tolist()
    [0.25, 0.75]
    """
    relative = np.exp(scores - np.maximum.reduce(scores))
    return np.asarray(relative / np.add.reduce(relative))

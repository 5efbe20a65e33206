"""Judged documents as arrays, and what all figures are made of.

truth          (documents,)         the index of the true label; UNKNOWN (-1) where the labels lack it
decided        (documents,)         the index of the decided label; NONE (-1) where no label was given
probabilities  (documents, labels)  P(c|d); a row of zeros where every label is impossible
weights        (documents,)         how much each document counts; None: each counts 1, and 0 leaves it out

A true label that is not among the labels can never be decided, so such a document is always a mistake, and the
probability of its truth is 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likelier._answer.decisions import NONE, ROUNDING
from likelier._base.errors import error
from likelier._documents.labels import Label, checked_label, unknown_label
from likelier._documents.weights import LARGEST_WEIGHT

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Booleans = NDArray[np.bool_]
UNKNOWN = -1  # the index of a true label that the labels lack


def each_weight(weights: Floats | None, size: int) -> Floats:  # (documents,)
    """The weight of every document; there must be a document that counts.

    >>> each_weight(None, 3).tolist(), each_weight(np.array([2.0, 0.5]), 2).tolist()
    ([1.0, 1.0, 1.0], [2.0, 0.5])
    """
    given = np.ones(size) if weights is None else weights
    if not given.any():
        raise error("no-documents.weighted", got=f"{size} of weight 0" if size else "none")
    return given


def summed(indices: Indices, values: Floats, size: int) -> Floats:  # (size,)
    """The sum of the values at each index.

    >>> summed(np.array([0, 2, 2]), np.array([1.0, 0.5, 2.0]), 3).tolist()
    [1.0, 0.0, 2.5]
    """
    return np.bincount(indices, weights=values, minlength=size).astype(np.float64, copy=False)


def weighted_mean(values: Floats, weights: Floats) -> float:
    """The mean by weight.

    >>> weighted_mean(np.array([1.0, 2.0]), np.array([3.0, 1.0]))
    1.25
    """
    return float((weights * values).sum()) / float(weights.sum())


def is_right(truth: Indices, decided: Indices) -> Booleans:
    """For which documents the true label was decided; no label is never right.

    >>> is_right(np.array([0, 1, -1]), np.array([0, 0, -1])).tolist()
    [True, False, False]
    """
    return np.asarray((truth == decided) & (truth != UNKNOWN))


def entry_of(table: Floats, indices: Indices, missing: float = 0.0) -> Floats:  # (documents,)
    """The entry of one label in each row; `missing` for the index -1.

    >>> entry_of(np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([1, -1])).tolist()
    [0.75, 0.0]
    """
    there = indices >= 0
    taken = np.take_along_axis(table, np.where(there, indices, 0)[:, np.newaxis], axis=1)[:, 0]
    return np.where(there, taken, missing)


def most_probable(probabilities: Floats) -> Indices:  # (documents,)
    """The index of the highest probability, of equal ones the first; NONE where every label is impossible.

    >>> most_probable(np.array([[0.25, 0.75], [0.5, 0.5], [0.0, 0.0]])).tolist()
    [1, 0, -1]
    """
    highest = probabilities.max(axis=1, keepdims=True)
    first = (probabilities >= highest - ROUNDING).argmax(axis=1)
    return np.where(highest[:, 0] > 0, first, NONE)


def index_of(labels: Sequence[Label], label: Label) -> int:
    """The index of a label.

    >>> index_of(("ham", "spam"), "spam")
    1
    """
    if checked_label(label) not in labels:
        raise unknown_label(label, labels)
    return list(labels).index(label)


# ---- checks ------------------------------------------------------------------------------------------------------


def check_setting(is_good: bool, code: str, got: object, **values: object) -> None:
    """Refuses a setting that breaks its rule. Ask whether it is good, not whether it is bad: NaN is neither."""
    if not is_good:
        raise error(code, got=got, **values)


def check_arrays(
    truth: Indices, decided: Indices, probabilities: Floats, labels: Sequence[Label], weights: Floats | None
) -> None:
    """Refuses arrays that do not belong together."""
    lengths = {"truths": len(truth), "decisions": len(decided), "rows of probabilities": len(probabilities)}
    lengths |= {} if weights is None else {"weights": len(weights)}
    if len(set(lengths.values())) > 1:
        raise error("lengths-differ.figures", got=", ".join(f"{length} {name}" for name, length in lengths.items()))
    if probabilities.ndim != 2 or probabilities.shape[1] != len(labels) or not len(labels):
        raise error("figures-shape", shape=probabilities.shape, labels=len(labels))
    each_weight(weights, len(truth))
    for name, indices in (("truth", truth), ("decided", decided)):
        if (row := _first_row(~((indices >= -1) & (indices < len(labels))))) is not None:
            raise error("figures-column", name=name, last=len(labels) - 1, got=int(indices[row]), row=row)
    if not (probabilities.min() >= 0 and probabilities.max() <= 1 + 1e-9):  # this way round, so that NaN is refused too
        row, place = np.argwhere(~((probabilities >= 0) & (probabilities <= 1 + 1e-9)))[0].tolist()
        raise error("probability-range.document", got=float(probabilities[row, place]), row=row)
    if weights is not None and (row := _first_row(~((weights >= 0) & (weights <= LARGEST_WEIGHT)))) is not None:
        raise error("weight-range", most=LARGEST_WEIGHT, got=float(weights[row]), where=f" for document {row}")


def _first_row(wrong: Booleans) -> int | None:
    rows = np.flatnonzero(wrong)
    return int(rows[0]) if len(rows) else None

"""Judged documents as arrays, and what each document says by itself.

truth          (documents,)         the column of the true label; UNKNOWN (-1) where the labels lack it
decided        (documents,)         the column of the decided label; NONE (-1) where no label was given
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
from likelier._base.errors import InputError
from likelier._documents.labels import Label, checked_label, unknown_label
from likelier._documents.weights import LARGEST_WEIGHT

Floats = NDArray[np.float64]
Columns = NDArray[np.intp]
Truths = NDArray[np.bool_]
UNKNOWN = -1  # the column of a true label that the labels lack


def each_weight(weights: Floats | None, documents: int) -> Floats:  # (documents,)
    """The weight of every document; there must be a document that counts.

    >>> each_weight(None, 3).tolist(), each_weight(np.array([2.0, 0.5]), 2).tolist()
    ([1.0, 1.0, 1.0], [2.0, 0.5])
    """
    given = np.ones(documents) if weights is None else weights
    if not given.any():
        raise InputError(
            code="no-documents",
            message="figures are made from at least one document that counts,"
            f" got {f'{documents} of weight 0' if documents else 'none'}",
            hint="model.evaluate([('text', 'label'), ...])",
        )
    return given


def summed(columns: Columns, values: Floats, size: int) -> Floats:  # (size,)
    """The sum of the values in each column.

    >>> summed(np.array([0, 2, 2]), np.array([1.0, 0.5, 2.0]), 3).tolist()
    [1.0, 0.0, 2.5]
    """
    return np.bincount(columns, weights=values, minlength=size).astype(np.float64, copy=False)


def is_right(truth: Columns, decided: Columns) -> Truths:
    """For which documents the true label was decided; no label is never right.

    >>> is_right(np.array([0, 1, -1]), np.array([0, 0, -1])).tolist()
    [True, False, False]
    """
    return np.asarray((truth == decided) & (truth != UNKNOWN))


def of_column(probabilities: Floats, columns: Columns) -> Floats:  # (documents,)
    """The probability of one column in each row; 0 for the column -1.

    >>> of_column(np.array([[0.25, 0.75], [0.5, 0.5]]), np.array([1, -1])).tolist()
    [0.75, 0.0]
    """
    there = columns >= 0
    taken = np.take_along_axis(probabilities, np.where(there, columns, 0)[:, np.newaxis], axis=1)[:, 0]
    return np.where(there, taken, 0.0)


def most_probable(probabilities: Floats) -> Columns:  # (documents,)
    """The column of the highest probability, of equal ones the first; NONE where every label is impossible.

    >>> most_probable(np.array([[0.25, 0.75], [0.5, 0.5], [0.0, 0.0]])).tolist()
    [1, 0, -1]
    """
    highest = probabilities.max(axis=1, keepdims=True)
    first = (probabilities >= highest - ROUNDING).argmax(axis=1)
    return np.where(highest[:, 0] > 0, first, NONE)


def column_of(labels: Sequence[Label], label: Label) -> int:
    """The place of a label.

    >>> column_of(("ham", "spam"), "spam")
    1
    """
    if checked_label(label) not in labels:
        raise unknown_label(label, labels)
    return list(labels).index(label)


# ---- checks ------------------------------------------------------------------------------------------------------


def check(
    truth: Columns, decided: Columns, probabilities: Floats, labels: Sequence[Label], weights: Floats | None
) -> None:
    """Whether the arrays belong together."""
    documents = len(truth)
    lengths = {"truths": documents, "decisions": len(decided), "rows of probabilities": len(probabilities)}
    lengths |= {} if weights is None else {"weights": len(weights)}
    if len(set(lengths.values())) > 1:
        raise InputError(
            code="lengths-differ",
            message="there must be one of each for every document,"
            f" got {', '.join(f'{length} {name}' for name, length in lengths.items())}",
            hint="Figures(truth, decided, probabilities, labels) needs one row for each document in all of them",
        )
    if probabilities.ndim != 2 or probabilities.shape[1] != len(labels) or not len(labels):
        raise InputError(
            code="figures-shape",
            message="`probabilities` must have a row for each document and a column for each label,"
            f" got the shape {probabilities.shape} for {len(labels)} labels",
            hint="verdicts.probabilities has it, and verdicts.all_labels are its labels",
        )
    each_weight(weights, documents)
    for name, columns in (("truth", truth), ("decided", decided)):
        _check_columns(name, columns, len(labels))
    _check_probabilities(probabilities)
    if weights is not None:
        _check_weights(weights)


def _check_columns(name: str, columns: Columns, labels: int) -> None:
    wrong = np.flatnonzero((columns < -1) | (columns >= labels))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            code="figures-column",
            message=f"`{name}` must hold columns from 0 to {labels - 1}, or -1 for none,"
            f" got {int(columns[row])} for document {row}",
            hint="labels.index(label) is the column of a label",
        )


def _check_probabilities(probabilities: Floats) -> None:
    lowest, highest = float(probabilities.min()), float(probabilities.max())
    if not (lowest >= 0 and highest <= 1 + 1e-9):  # this way round, so that NaN is refused too
        row, column = np.argwhere(~((probabilities >= 0) & (probabilities <= 1 + 1e-9)))[0].tolist()
        raise InputError(
            code="probability-range",
            message="a probability must be a number from 0 to 1,"
            f" got {float(probabilities[row, column])!r} for document {row}",
            hint="verdicts.probabilities are probabilities; verdicts.log_scores are not",
        )


def _check_weights(weights: Floats) -> None:
    wrong = np.flatnonzero(~((weights >= 0) & (weights <= LARGEST_WEIGHT)))  # NaN is wrong too
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            code="weight-range",
            message=f"a weight must be a number from 0 to {LARGEST_WEIGHT:g},"
            f" got {float(weights[row])!r} for document {row}",
            hint="1 is a document as it is; 0 leaves it out",
        )

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
from likelier._base.errors import InputError, SettingError
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
        raise InputError(
            code="no-documents",
            message="at least one document with a weight above 0 is needed,"
            f" got {f'{size} of weight 0' if size else 'none'}",
            hint="model.evaluate([('text', 'label'), ...])",
        )
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


def check_setting(is_good: bool, name: str, rule: str, value: object, *, code: str, hint: str) -> None:
    """Refuses a setting that breaks its rule. Ask whether it is good, not whether it is bad: NaN is neither."""
    if not is_good:
        raise SettingError(code=code, message=f"`{name}` must be {rule}, got {value!r}", hint=hint)


def check_arrays(
    truth: Indices, decided: Indices, probabilities: Floats, labels: Sequence[Label], weights: Floats | None
) -> None:
    """Refuses arrays that do not belong together."""
    lengths = {"truths": len(truth), "decisions": len(decided), "rows of probabilities": len(probabilities)}
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
            message="`probabilities` must have a row for each document and an entry for each label,"
            f" got the shape {probabilities.shape} for {len(labels)} labels",
            hint="verdicts.probabilities has it, and verdicts.all_labels are its labels",
        )
    each_weight(weights, len(truth))
    for name, indices in (("truth", truth), ("decided", decided)):
        if (row := _first_row(~((indices >= -1) & (indices < len(labels))))) is not None:
            raise InputError(
                code="figures-column",
                message=f"`{name}` must be label indices from 0 to {len(labels) - 1}, or -1 for none,"
                f" got {int(indices[row])} for document {row}",
                hint="labels.index(label) is the index of a label",
            )
    if not (probabilities.min() >= 0 and probabilities.max() <= 1 + 1e-9):  # this way round, so that NaN is refused too
        row, place = np.argwhere(~((probabilities >= 0) & (probabilities <= 1 + 1e-9)))[0].tolist()
        raise InputError(
            code="probability-range",
            message=f"a probability must be a number from 0 to 1, got {float(probabilities[row, place])!r}"
            f" for document {row}",
            hint="verdicts.probabilities are probabilities; verdicts.log_scores are not",
        )
    if weights is not None and (row := _first_row(~((weights >= 0) & (weights <= LARGEST_WEIGHT)))) is not None:
        raise InputError(
            code="weight-range",
            message=f"a weight must be a number from 0 to {LARGEST_WEIGHT:g},"
            f" got {float(weights[row])!r} for document {row}",
            hint="1 is a document as it is; 0 leaves it out",
        )


def _first_row(wrong: Booleans) -> int | None:
    rows = np.flatnonzero(wrong)
    return int(rows[0]) if len(rows) else None

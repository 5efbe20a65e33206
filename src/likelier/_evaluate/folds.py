"""Which document is in which fold of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import error

Rows = NDArray[np.intp]


def stratified_folds(truth: Rows, folds: int, seed: int) -> Rows:
    """A fold for each document: the documents of each label are shuffled and dealt out evenly.

    >>> stratified_folds(np.array([0, 0, 0, 0, 1, 1]), 2, seed=0).tolist().count(0)
    3
    """
    order = np.random.default_rng(seed).permutation(len(truth))
    order = order[np.argsort(truth[order], kind="stable")]
    found = np.empty(len(truth), dtype=np.intp)
    found[order] = np.arange(len(truth)) % folds
    return found


def grouped_folds(groups: Sequence[object], folds: int, seed: int) -> Rows:
    """A fold for each document, the same for all of a group: large groups first, each to the smallest fold so far."""
    numbers: dict[object, int] = {}
    try:
        which = np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.intp)
    except TypeError as failure:
        raise error("groups-kind", reason=failure) from None
    sizes = np.bincount(which, minlength=len(numbers))
    order = np.random.default_rng(seed).permutation(len(numbers))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled, fold_of = np.zeros(folds, dtype=np.intp), np.zeros(len(numbers), dtype=np.intp)
    for group in order.tolist():
        fold_of[group] = int(filled.argmin())
        filled[fold_of[group]] += sizes[group]
    return fold_of[which]

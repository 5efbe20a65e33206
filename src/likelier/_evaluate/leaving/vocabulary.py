"""Sums over the whole vocabulary, for documents that leave other sums behind.

What a term gives depends on its counts alone, so terms are counted by them: a histogram of how many terms have each
count. Documents that leave equal sums behind share what it gives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._estimate.reading import Sums
from likelier._evaluate.leaving.apart import NO_SUMS
from likelier._evaluate.leaving.bags import Ids
from likelier._evaluate.leaving.held import Whole
from likelier._evaluate.leaving.left import Rows, Units

MOST = 1 << 16  # cells at a time, so that they stay near the processor


@dataclass(frozen=True)
class Histogram:
    """The kept terms by their counts under one label and in all, and by what else they depend on."""

    count: Floats  # (kinds,)
    total: Floats  # (kinds,)
    given: Floats  # (kinds,) what a mapping for `p` says of them
    frequency: Units  # (kinds,) how many documents have them, in units; 0 without idf
    times: Floats  # (kinds,) how many terms are of this kind


def histograms(whole: Whole) -> list[Histogram]:
    """One for each label."""
    reading = whole.estimator.reading
    found: list[list[NDArray[np.float64]]] = [[] for _ in whole.documents]
    for ids in reading.pieces(reading.kept_ids):
        rows = reading.snapshot.rows(ids, reading.statistic).astype(np.int64)
        keys = rows.sum(axis=1), np.nan_to_num(whole.given(ids)), _frequencies(whole, ids)
        for label, count in enumerate(rows.T):
            found[label].append(_counted([count, *keys], np.ones(len(ids))))
    return [_histogram(whole, pieces) for pieces in found]


def _frequencies(whole: Whole, ids: Ids) -> Units:
    return np.zeros(len(ids), dtype=np.int64) if whole.inverse is None else whole.frequencies(ids)


def _counted(keys: list[NDArray[Any]], times: Floats) -> NDArray[np.float64]:  # (keys + 1, kinds)
    """The different kinds of terms, and how many there are of each."""
    first, which = distinct(*keys)
    return np.array([*(key[first] for key in keys), np.bincount(which, times, minlength=len(first))])


def _histogram(whole: Whole, pieces: list[NDArray[np.float64]]) -> Histogram:
    joined = np.concatenate([np.zeros((5, 0)), *pieces], axis=1)
    *keys, times = _counted(list(joined[:4]), joined[4]) if len(pieces) > 1 else joined
    count, total, given, frequency = keys
    return Histogram(count / whole.unit, total / whole.unit, given, frequency.astype(np.int64), times)


Give = Callable[[Histogram, Sums], Floats]  # sums are (documents, 1) -> (parts, documents)


class OverVocabulary:
    """What all terms together give, for each label."""

    def __init__(self, whole: Whole, needed: tuple[str, ...], give: Give) -> None:
        """needed: the sums that `give` looks at."""
        self._histograms = histograms(whole)
        self._needed, self._give = needed, give
        self._found: list[dict[tuple[float, ...], Floats]] = [{} for _ in self._histograms]

    def of(self, sums: Sums) -> Floats:  # (labels, documents) -> (parts, labels, documents)
        """For the sums that each document leaves behind."""
        return np.stack([self._of_label(label, sums) for label in range(len(self._histograms))], axis=1)

    def _of_label(self, label: int, sums: Sums) -> Floats:  # (parts, documents)
        columns = [getattr(sums, name) for name in self._needed]
        keys = [column[label] if column.ndim > 1 else column for column in columns]
        first, which = distinct(*keys)
        asked = list(zip(*(key[first].tolist() for key in keys), strict=True))
        found = self._found[label]
        new = [key for key in asked if key not in found]
        step = max(MOST // max(len(self._histograms[label].times), 1), 1)
        for start in range(0, len(new), step):
            some = new[start : start + step]
            found.update(zip(some, self._give(self._histograms[label], self._as_sums(some)).T, strict=True))
        return np.array([found[key] for key in asked]).T[:, which]

    def _as_sums(self, keys: list[tuple[float, ...]]) -> Sums:
        columns = np.array(keys).T[:, :, np.newaxis]
        return replace(NO_SUMS, **dict(zip(self._needed, columns, strict=True)))


def distinct(*keys: NDArray[Any]) -> tuple[Rows, Rows]:
    """The place of one row of each kind, and for each row its kind. Rows are of one kind if all keys are equal.

    >>> distinct(np.array([5, 3, 5, 5]), np.array([0, 0, 0, 1]))
    (array([1, 0, 3]), array([1, 0, 1, 2]))
    """
    order = np.lexsort(keys[::-1])
    changes = np.zeros(len(order), dtype=bool)
    changes[:1] = True
    for key in keys:
        changes[1:] |= key[order[1:]] != key[order[:-1]]
    which = np.empty(len(order), dtype=np.intp)
    which[order] = np.cumsum(changes) - 1
    return order[changes], which

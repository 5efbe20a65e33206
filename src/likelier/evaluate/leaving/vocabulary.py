"""Sums over the whole vocabulary, for documents that leave other sums behind.

What a term gives depends on its counts alone, so terms are counted by them: a histogram of how many terms have each
count. Documents that leave equal sums behind share what it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier.estimate.evidence import Floats
from likelier.estimate.reading import Sums
from likelier.evaluate.leaving.apart import NO_SUMS
from likelier.evaluate.leaving.left import Rows
from likelier.evaluate.leaving.without import Whole

MOST = 1 << 16  # cells at a time, so that they stay near the processor


@dataclass(frozen=True)
class Histogram:
    """The kept terms by their counts under one label and in all, and by what a mapping for `p` says of them."""

    count: Floats  # (kinds,)
    total: Floats  # (kinds,)
    given: Floats  # (kinds,)
    times: Floats  # (kinds,) how many terms are of this kind


def histograms(whole: Whole) -> Iterator[Histogram]:
    """One for each label."""
    ids = np.flatnonzero(whole.kept)
    total, given = whole.totals[ids], np.nan_to_num(whole.given[ids])
    for count in whole.counts[:, ids]:
        first, which = distinct(count, total, given)
        times = np.bincount(which, minlength=len(first)).astype(np.float64)
        yield Histogram(count[first] / whole.unit, total[first] / whole.unit, given[first], times)


Give = Callable[[Histogram, Sums], Floats]  # sums are (documents, 1) -> (parts, documents)


class OverVocabulary:
    """What all terms together give, for each label."""

    def __init__(self, whole: Whole, needed: tuple[str, ...], give: Give) -> None:
        """needed: the sums that `give` looks at."""
        self._histograms = list(histograms(whole))
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

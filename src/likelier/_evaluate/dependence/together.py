"""In how many documents two things stand together, for all pairs of some thousand things at once.

A thing is a value of a column, or a term of a text. Documents come as rows of 0 and 1; the products of such columns are
the counts, exact because all numbers are whole. Memory is bounded by the number of pairs, whatever the number of
documents.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats

MOST_BYTES = 2**28
CHUNK = 2048  # documents in one product; float32 is exact up to 2**24 of them
MOST_PAIRS = 8192  # of chosen ones

Units = NDArray[np.uint64] | None
Places = NDArray[np.intp]
Present = NDArray[np.float32] | NDArray[np.float64]  # (documents, things), 0 or 1


def most_things(labels: int, weighted: bool) -> int:
    """For how many things all pairs have room."""
    return math.isqrt(MOST_BYTES // ((8 if weighted else 4) * max(labels, 1)))


def most_pairs(labels: int) -> int:
    """For how many chosen pairs there is room."""
    return max(min(MOST_PAIRS, MOST_BYTES // 8 // max(labels, 1)), 1)


def _chunks(
    rows: Places, things: Places, number: int, labels: Places, units: Units
) -> Iterator[tuple[Present, Places, NDArray[np.float64]]]:
    """Documents as 0 and 1, some at a time, with their labels and weights."""
    for start in range(0, len(labels), CHUNK):
        end = min(start + CHUNK, len(labels))
        first, last = np.searchsorted(rows, [start, end])
        present = np.zeros((end - start, number), dtype=np.float32 if units is None else np.float64)
        present[rows[first:last] - start, things[first:last]] = 1
        weights = np.ones(end - start) if units is None else units[start:end].astype(np.float64)
        yield present, labels[start:end], weights


class Together:
    """All pairs of some things, label by label."""

    def __init__(self, things: int, labels: int, weighted: bool) -> None:
        """weighted: counts are in units of weight, beyond what 32 bits hold; floats hold them exactly up to 2**53."""
        self._weighted = weighted
        shape = (labels, things, things)
        self.sums: NDArray[np.float64] | NDArray[np.uint32]
        self.sums = np.zeros(shape) if weighted else np.zeros(shape, dtype=np.uint32)
        self.documents = np.zeros(labels)  # in units
        self.rows = 0  # documents, whatever their weight

    def add(self, rows: Places, things: Places, labels: Places, units: Units) -> None:
        """Adds documents.

        rows, things: which document has which thing; by rising rows
        labels, units: (documents,) of each document
        """
        for present, own, weights in _chunks(rows, things, self.sums.shape[1], labels, units):
            self.rows += int((weights > 0).sum())
            for label in np.unique(own).tolist():
                some, heavy = present[own == label], weights[own == label]
                weighed = some * heavy[:, np.newaxis] if self._weighted else some
                np.add(self.sums[label], weighed.T @ some, out=self.sums[label], casting="unsafe")
                self.documents[label] += heavy.sum()


class Chosen:
    """Some pairs of some things, label by label: how often each thing stands, and both of a pair."""

    def __init__(self, things: int, first: Places, second: Places, labels: int) -> None:
        self.first, self.second = first, second
        self.alone: Floats = np.zeros((labels, things))
        self.both: Floats = np.zeros((labels, len(first)))
        self.documents = np.zeros(labels)

    def add(self, rows: Places, things: Places, labels: Places, units: Units) -> None:
        """Adds documents, as for `Together`."""
        for present, own, weights in _chunks(rows, things, self.alone.shape[1], labels, units):
            there, place = np.unique(own, return_inverse=True)
            under = np.zeros((len(own), len(there)), dtype=present.dtype)
            under[np.arange(len(own)), place] = weights
            self.alone[there] += under.T @ present
            self.both[there] += under.T @ (present[:, self.first] * present[:, self.second])
            self.documents[there] += under.sum(axis=0, dtype=np.float64)

"""Counts as they stand in a file, read where they are: no term is numbered anew before many questions are asked.

Terms are sorted, so one is found by halving. Its number is its place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._kernel import Analysis, Table, check_arrays
from likelier.counts.tables import NAMES

Array = NDArray[Any]
Ids = NDArray[np.uint32]
Sums = NDArray[np.uint64]  # (labels,)


class StoredTable:
    """What a table can be asked, answered from plain arrays."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        """Checks the arrays; ValueError says what is wrong with them."""
        self.arrays = dict(arrays)
        self._documents = arrays["documents"].astype(np.uint64)
        self._sums = check_arrays(self._documents, *self._parts())
        self._term_ends, self._cell_ends = arrays["term_ends"], arrays["cell_ends"]
        self._terms = arrays["terms"].data  # bytes

    def _parts(self) -> list[Array]:
        return [self.arrays[name] for name in NAMES]

    def table(self) -> Table:
        """The same counts with their terms numbered, ready to grow."""
        return Table.load(self._documents, *self._parts())

    def wide(self) -> dict[str, Array]:
        """The arrays in the types in which the kernel gives them."""
        narrow = {"terms": np.uint8, "cell_labels": np.uint32}
        names = ("unit", "documents", *NAMES)
        return {name: self.arrays[name].astype(narrow.get(name, np.uint64), copy=False) for name in names}

    def totals(self) -> tuple[Sums, Sums, Sums, Sums]:
        tf, df, distinct = self._sums
        return self._documents, tf, df, distinct

    def ids(self) -> int:
        return len(self._term_ends)

    def size(self) -> int:
        return len(self._term_ends)

    def find(self, term: str) -> int | None:
        wanted = term.encode()
        place = bisect_left(range(self.ids()), wanted, key=self._term)
        return place if place < self.ids() and self._term(place) == wanted else None

    def texts(self, ids: Ids) -> list[str]:
        return [self._term(place).decode() for place in ids.tolist()]

    def _term(self, place: int) -> bytes:
        start = int(self._term_ends[place - 1]) if place else 0
        return bytes(self._terms[start : int(self._term_ends[place])])

    def rows(self, ids: Ids, labels: list[int], documents: bool) -> NDArray[np.uint64]:  # (ids, labels)
        values = self.arrays["cell_df" if documents else "cell_tf"]
        column = np.full(len(self._documents), -1)
        column[labels] = np.arange(len(labels))
        ends = self._cell_ends[ids].astype(np.int64)
        starts = np.where(ids > 0, self._cell_ends[np.maximum(ids, 1) - 1], 0).astype(np.int64)
        lengths = ends - starts
        row = np.repeat(np.arange(len(ids)), lengths)
        cells = np.arange(len(row)) + np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
        place = column[self.arrays["cell_labels"][cells]]
        found = np.zeros((len(ids), len(labels)), dtype=np.uint64)
        found[row[place >= 0], place[place >= 0]] = values[cells[place >= 0]]
        return found

    def bag(self, text: str, analysis: Analysis) -> tuple[Ids, Ids, list[str]]:
        """One text as ids and how often, in order of first sight; new terms get ids from `ids()` on."""
        times: dict[str, int] = {}
        for term, _, _ in analysis.locate(text)[1]:
            times[term] = times.get(term, 0) + 1
        new: list[str] = []
        ids = []
        for term in times:
            place = self.find(term)
            if place is None:
                place = self.ids() + len(new)
                new.append(term)
            ids.append(place)
        return np.array(ids, dtype=np.uint32), np.array(list(times.values()), dtype=np.uint32), new

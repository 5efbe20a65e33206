"""One state of the counts, as arrays with labels in sorted order. Numbers are in units.

The counts of a model file are used in place, without building the kernel's table: terms are sorted, so a term is found
by binary search, and its id is its index.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import error
from likelier._counts.tables import NAMES, WEIGHTS
from likelier._documents.labels import Label
from likelier._kernel import Analysis, Table, check_arrays

Array = NDArray[Any]
Ids = NDArray[np.uint32]
Sums = NDArray[np.uint64]
Statistic = Literal["tf", "df", "weighted"]  # the last in units of 1/65536, see `_documents/weights.py`
_CELLS = {"tf": "cell_tf", "df": "cell_df", "weighted": WEIGHTS}


class StoredTable:
    """What a table can be asked, answered from plain arrays."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        """Checks the arrays; ValueError says what is wrong with them."""
        self.arrays = dict(arrays)
        if WEIGHTS in arrays and not arrays[WEIGHTS].any():
            self.arrays[WEIGHTS] = np.zeros(0, dtype=np.uint64)  # as a table gives sums that are all 0
        self._documents = arrays["documents"].astype(np.uint64)
        self._sums = check_arrays(self._documents, *self._parts())
        self._term_ends, self._cell_ends = arrays["term_ends"], arrays["cell_ends"]
        self._terms = arrays["terms"].data  # bytes

    def _parts(self) -> list[Array]:
        weights = [self.arrays[WEIGHTS]] if WEIGHTS in self.arrays else []
        return [*(self.arrays[name] for name in NAMES), *weights]

    def table(self) -> Table:
        """The same counts with their terms numbered, ready to grow."""
        return Table.load(self._documents, *self._parts())

    def wide(self) -> dict[str, Array]:
        """The arrays in the types in which the kernel gives them."""
        narrow = {"terms": np.uint8, "cell_labels": np.uint32}
        names = ("unit", "documents", *NAMES, *([WEIGHTS] if WEIGHTS in self.arrays else []))
        return {name: self.arrays[name].astype(narrow.get(name, np.uint64), copy=False) for name in names}

    def totals(self) -> tuple[Sums, Sums, Sums, Sums, Sums]:
        tf, df, distinct, weighted = self._sums
        return self._documents, tf, df, distinct, weighted

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

    def orders(self, ids: Ids) -> NDArray[np.uint8]:  # (ids,)
        """How many words each term has: 1 and one for each space; 255 if there are more."""
        spaces = np.flatnonzero(self.arrays["terms"] == ord(" "))
        before = np.searchsorted(spaces, self._term_ends)  # by term, how many spaces stand up to its end
        own = np.diff(before, prepend=0)
        return np.minimum(own[ids] + 1, 255).astype(np.uint8)

    def rows(self, ids: Ids, labels: list[int], statistic: Statistic) -> NDArray[np.uint64]:  # (ids, labels)
        ends, columns, numbers = self.postings(ids, labels, statistic)
        found = np.zeros((len(ids), len(labels)), dtype=np.uint64)
        found[np.repeat(np.arange(len(ids)), np.diff(ends, prepend=np.uint64(0)).astype(np.intp)), columns] = numbers
        return found

    def postings(self, ids: Ids, labels: list[int], statistic: Statistic) -> tuple[Sums, Ids, Sums]:
        """The counts of terms that are not 0: where each term ends, then columns and numbers, end to end."""
        row, cells = self._cells(ids)
        column = np.full(len(self._documents), -1)
        column[labels] = np.arange(len(labels))
        place, number = column[self.arrays["cell_labels"][cells]], self._numbers(statistic, cells)
        there = (place >= 0) & (number > 0)
        ends = np.cumsum(np.bincount(row[there], minlength=len(ids)))
        return ends.astype(np.uint64), place[there].astype(np.uint32), number[there]

    def sums_of_terms(self, ids: Ids, statistic: Statistic) -> Sums:  # (ids,)
        row, cells = self._cells(ids)
        sums = np.zeros(len(ids), dtype=np.uint64)
        np.add.at(sums, row, self._numbers(statistic, cells))
        return sums

    def _cells(self, ids: Ids) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The cells of terms: to which term each belongs, and where it stands."""
        ends = self._cell_ends[ids].astype(np.intp)
        starts = np.where(ids > 0, self._cell_ends[np.maximum(ids, 1) - 1], 0).astype(np.intp)
        lengths = ends - starts
        row = np.repeat(np.arange(len(ids)), lengths)
        return row, np.arange(len(row)) + np.repeat(starts - np.cumsum(lengths) + lengths, lengths)

    def _numbers(self, statistic: Statistic, cells: NDArray[np.intp]) -> Sums:  # (cells,)
        values = self.arrays.get(_CELLS[statistic])
        if values is None or not len(values):  # nothing is weighted, or there are no terms
            return np.zeros(len(cells), dtype=np.uint64)
        return values[cells].astype(np.uint64)

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


Values = TypeVar("Values", np.uint64, np.float64)


def row_sums(matrix: NDArray[Values]) -> NDArray[Values]:  # (terms, labels) -> (terms,)
    """The sum of each row; NumPy's own `sum(axis=1)` takes five times as long for rows of few labels."""
    return np.einsum("ij->i", matrix)


def lengths(ends: NDArray[np.uint64]) -> NDArray[np.intp]:
    """How long each stretch is, of those that stand end to end."""
    return (ends - np.append(np.uint64(0), ends[:-1])).astype(np.intp)


class Postings(NamedTuple):
    """The counts of terms under the labels where they are not 0, end to end."""

    ends: NDArray[np.uint64]  # (terms,)
    columns: NDArray[np.uint32]
    numbers: NDArray[np.uint64]

    @property
    def rows(self) -> NDArray[np.intp]:
        """To which term each belongs."""
        return np.repeat(np.arange(len(self.ends)), lengths(self.ends))


class Version:
    """The number of a state of the counts; it goes up with every change."""

    __slots__ = ("number",)

    def __init__(self) -> None:
        self.number = 0


class Snapshot:
    """One state of the counts, with labels in sorted order."""

    def __init__(
        self, table: Table | StoredTable, labels: list[Label], always: frozenset[Label], version: Version
    ) -> None:
        """All labels by the table's numbers; those without counts are left out here, unless they are always there."""
        self._table = table
        self._version, self._number = version, version.number
        documents, tf, df, distinct, weighted = self.table.totals()
        counted = (documents | tf | df) > 0
        live = [label_id for label_id in range(len(documents)) if counted[label_id] or labels[label_id] in always]
        live.sort(key=lambda label_id: labels[label_id])
        self.order = live  # the table's numbers of the labels
        self.labels: tuple[Label, ...] = tuple(labels[label_id] for label_id in live)
        self.documents = documents[self.order]
        self.distinct = distinct[self.order]
        self.ids = self.table.ids()
        self.size = self.table.size()
        self._matrices: dict[Statistic, NDArray[np.uint64]] = {}
        self._totals = {"tf": tf[self.order], "df": df[self.order], "weighted": weighted[self.order]}
        self._orders: NDArray[np.uint8] | None = None

    @property
    def table(self) -> Table | StoredTable:
        """The table, as long as it is as it was."""
        if self._version.number != self._number:
            raise error("counts-changed")
        return self._table

    def totals(self, statistic: Statistic) -> NDArray[np.uint64]:  # (labels,)
        return self._totals[statistic]

    def rows(self, ids: NDArray[np.uint32], statistic: Statistic) -> NDArray[np.uint64]:  # (ids, labels)
        return self.table.rows(ids, self.order, statistic)

    def matrix(self, statistic: Statistic) -> NDArray[np.uint64]:  # (all ids, labels)
        """The counts of all terms, where these are few or the labels are."""
        if statistic not in self._matrices:
            self._matrices[statistic] = self.rows(self.all_ids, statistic)
        return self._matrices[statistic]

    def postings(self, ids: NDArray[np.uint32], statistic: Statistic) -> Postings:
        """What `rows` has where it is not 0, which takes as much room as there is of that."""
        return Postings(*self.table.postings(ids, self.order, statistic))

    @property
    def all_ids(self) -> NDArray[np.uint32]:
        return np.arange(self.ids, dtype=np.uint32)

    def sums_of_terms(self, ids: NDArray[np.uint32], statistic: Statistic) -> NDArray[np.uint64]:  # (ids,)
        """Over all labels."""
        return self.table.sums_of_terms(ids, statistic)

    def column(self, ids: NDArray[np.uint32], column: int, statistic: Statistic) -> NDArray[np.uint64]:  # (ids,)
        """The counts of terms under one label."""
        return self.table.rows(ids, [self.order[column]], statistic)[:, 0]

    def term_totals(self, statistic: Statistic) -> NDArray[np.uint64]:  # (all ids,)
        return self.sums_of_terms(self.all_ids, statistic)

    def orders(self) -> NDArray[np.uint8]:  # (all ids,)
        """How many words each term has: 1 and one for each space."""
        if self._orders is None:
            self._orders = self.table.orders(self.all_ids)
        return self._orders

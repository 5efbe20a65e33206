"""One state of the counts, as arrays with labels in sorted order. Numbers are in units."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import error
from likelier._counts.stored import Statistic as Statistic
from likelier._counts.stored import StoredTable
from likelier._documents.labels import Label
from likelier._kernel import Table

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

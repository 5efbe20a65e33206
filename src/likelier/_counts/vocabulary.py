"""Numbers about a vocabulary: the terms of a table that a view reads, those of some orders and seen often enough.

The kernel keeps them up while the table changes, so that after a change they cost no pass over the terms. For
counts that are still in a file, all terms are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._counts.snapshot import Snapshot, Statistic, row_sums
from likelier._kernel import Table, vocabulary_frequencies, vocabulary_spread, vocabulary_sums

Ids = NDArray[np.uint32]
Ints = NDArray[np.int64]
Units = NDArray[np.uint64]
By = Literal["own", "elsewhere", "both"]
PIECE = 1 << 20  # cells of the counts that are looked at at a time


@dataclass(frozen=True, slots=True)
class Kept:
    """Sums over the terms of the vocabulary, in units."""

    size: int
    sums: Units  # (labels,)
    seen: Ints  # (labels,) terms with a count under the label
    rare: Units  # (labels,) the sums over terms that are too rare


@dataclass(frozen=True, slots=True)
class Spread:
    """How many terms have the same count under a label, for one label after the other; in units.

    By "own" a count is that under the label, by "elsewhere" that under all other labels; by "both" it is that under the
    label, and terms with equal ones are distinguished by their count under all labels.
    """

    which: Ids  # (counts,) the label's place
    count: Units  # (counts,)
    total: Units  # (counts,) by "both", else 0
    times: Units  # (counts,) how many terms have it


class Vocabulary:
    """The terms of a snapshot with a minimum count, of some n-gram orders, without the excluded ones."""

    def __init__(
        self, snapshot: Snapshot, statistic: Statistic, least: int, orders: tuple[int, int] | None, without: Ids
    ) -> None:
        """least: in units, of all labels together. without: different terms."""
        self._snapshot, self._statistic = snapshot, statistic
        self._least, self._orders, self._without = least, orders, without

    @property
    def _wanted(self) -> tuple[int, tuple[int, int] | None, Ids, list[int]]:
        return self._least, self._orders, self._without, self._snapshot.order

    @property
    def kept(self) -> Kept:
        """The sums."""
        return self._sums[0]

    @property
    def elsewhere(self) -> Ints:  # (labels,)
        """How many terms have a count under another label."""
        return self._sums[1]

    @cached_property
    def _sums(self) -> tuple[Kept, Ints]:
        table, labels = self._snapshot.table, len(self._snapshot.labels)
        if isinstance(table, Table):
            size, sums, seen, elsewhere, rare = vocabulary_sums(table, self._statistic, *self._wanted)
            return Kept(size, sums, seen, rare), elsewhere
        size, sums, rare = 0, np.zeros(labels, dtype=np.uint64), np.zeros(labels, dtype=np.uint64)
        seen, elsewhere = np.zeros(labels, dtype=np.int64), np.zeros(labels, dtype=np.int64)
        for ids, kept in self._passed():
            mine = self._snapshot.rows(ids[kept], self._statistic)
            size += len(mine)
            sums += mine.sum(axis=0, dtype=np.uint64)
            seen += np.count_nonzero(mine, axis=0)
            elsewhere += np.count_nonzero(row_sums(mine)[:, np.newaxis] - mine, axis=0)
            rare += self._snapshot.rows(ids[~kept], self._statistic).sum(axis=0, dtype=np.uint64)
        return Kept(size, sums, seen, rare), elsewhere

    def spread(self, by: By) -> Spread:
        """How many terms have the same count."""
        if isinstance(table := self._snapshot.table, Table):
            return Spread(*vocabulary_spread(table, self._statistic, by, *self._wanted))
        found = [_alike(self._snapshot.rows(ids[kept], self._statistic), by) for ids, kept in self._passed()]
        kinds = np.concatenate([np.zeros((3, 0), dtype=np.uint64), *(kinds for kinds, _ in found)], axis=1)
        times = np.concatenate([np.zeros(0, dtype=np.uint64), *(times for _, times in found)])
        (which, count, total), times = _summed(kinds, times)
        return Spread(which.astype(np.uint32), count, total, times)

    def frequencies(self) -> tuple[Units, Units]:  # (groups,), (groups, labels)
        """The document frequencies in increasing order, and the sums of the counts of the terms with each of them."""
        if isinstance(table := self._snapshot.table, Table):
            return vocabulary_frequencies(table, self._statistic, *self._wanted)
        all_kept = np.concatenate([np.zeros(0, dtype=np.uint32), *(ids[kept] for ids, kept in self._passed())])
        frequencies, which = np.unique(self._snapshot.sums_of_terms(all_kept, "df"), return_inverse=True)
        labels = len(self._snapshot.labels)
        sums = np.zeros(len(frequencies) * labels, dtype=np.uint64)
        found = self._snapshot.postings(all_kept, self._statistic)
        np.add.at(sums, which[found.rows] * labels + found.columns, found.numbers)
        return frequencies, sums.reshape(-1, labels)

    # ---- counts in a file ----------------------------------------------------------------------------------------

    def _passed(self) -> Iterator[tuple[Ids, NDArray[np.bool_]]]:
        """All terms that are asked for, some at a time, and which of them are seen often enough."""
        every = np.arange(self._snapshot.ids, dtype=np.uint32)
        if self._orders is not None:
            orders = self._snapshot.orders()
            every = every[(orders >= self._orders[0]) & (orders <= self._orders[1])]
        every = np.setdiff1d(every, self._without, assume_unique=True)
        for ids in self._pieces(every):
            yield ids, self._snapshot.sums_of_terms(ids, "tf") >= self._least

    def _pieces(self, ids: Ids) -> Iterator[Ids]:
        return pieces(ids, len(self._snapshot.labels))


def has_possible_documents(snapshot: Snapshot) -> bool:
    """Whether no term occurs in more documents of a label than there are."""
    spread = Vocabulary(snapshot, "df", 1, None, np.zeros(0, dtype=np.uint32)).spread("own")
    return not bool((spread.count > snapshot.documents[spread.which]).any())


def pieces(ids: Ids, labels: int) -> Iterator[Ids]:
    """The ids in pieces small enough that the counts of all labels take little memory."""
    step = max(PIECE // max(labels, 1), 1)
    return (ids[start : start + step] for start in range(0, len(ids), step))


def _alike(rows: Units, by: By) -> tuple[Units, Units]:  # (3, kinds), (kinds,)
    """Label, count and total of terms, each once, and how many terms have them."""
    totals = np.repeat(row_sums(rows)[:, np.newaxis], rows.shape[1], axis=1)
    labels = np.repeat(np.arange(rows.shape[1], dtype=np.uint64)[np.newaxis], len(rows), axis=0)
    counts = totals - rows if by == "elsewhere" else rows
    kinds = np.stack([labels, counts, totals if by == "both" else np.zeros_like(totals)]).reshape(3, -1)
    return _summed(kinds, np.ones(kinds.shape[1], dtype=np.uint64))


def _summed(kinds: Units, times: Units) -> tuple[Units, Units]:
    """Each kind once, with the sum of its times."""
    distinct, which = np.unique(kinds, axis=1, return_inverse=True)
    sums = np.zeros(distinct.shape[1], dtype=np.uint64)
    np.add.at(sums, which.reshape(-1), times)
    return distinct, sums

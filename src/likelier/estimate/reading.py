"""The counts as a view reads them: which terms are in the vocabulary, and the sums over it.

With `min_count` k, terms seen fewer than k times in all labels together are left out. Under `unknown="unk"` they do
not vanish: UNK is one more entry of the vocabulary and holds their counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likelier.counts import Counts
from likelier.counts.snapshot import Statistic, row_sums
from likelier.estimate.evidence import Floats, Real, Value

Named = Callable[[Mapping[str, Real]], Value]
Ids = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the vocabulary, for all labels as arrays or for one label as fractions."""

    documents: Value  # N_c                               (labels,)
    all_documents: Value  # N
    total: Value  # sum of tf(v,c) or df(v,c) over V      (labels,)
    all_total: Value
    outcomes: Value  # |V|
    seen: Value  # terms with a count under the label     (labels,)
    seen_elsewhere: Value  # terms with a count under another label (labels,)

    def grown(self, more: int) -> Sums:
        """With more entries in the vocabulary."""
        return replace(self, outcomes=self.outcomes + more)

    def column(self, column: int, unit: int) -> Sums:
        """One label, exact. To be called on sums in units."""
        return Sums(
            documents=Fraction(int(self.documents[column]), unit),
            all_documents=Fraction(int(self.all_documents), unit),
            total=Fraction(int(self.total[column]), unit),
            all_total=Fraction(int(self.all_total), unit),
            outcomes=Fraction(int(self.outcomes)),
            seen=int(self.seen[column]),
            seen_elsewhere=int(self.seen_elsewhere[column]),
        )

    def floats(self, unit: int) -> Sums:
        """All labels, in floats. To be called on sums in units."""
        return Sums(
            documents=self.documents / unit,
            all_documents=float(self.all_documents) / unit,
            total=self.total / unit,
            all_total=float(self.all_total) / unit,
            outcomes=float(self.outcomes),
            seen=self.seen.astype(np.float64),
            seen_elsewhere=self.seen_elsewhere.astype(np.float64),
        )


class Reading:
    """One state of the counts under one statistic, `min_count` and UNK."""

    def __init__(self, counts: Counts, statistic: Statistic, min_count: float, with_unk: bool) -> None:
        self.counts = counts
        self.snapshot = counts.snapshot
        self.statistic: Statistic = statistic
        self.with_unk = with_unk
        # In units. 1 keeps every term, also one that was seen only in documents of little weight.
        self.least = 1 if min_count == 1 else round(min_count * counts.unit)

    def is_kept(self, ids: Ids) -> NDArray[np.bool_]:  # (ids,)
        """Which ids are terms of this vocabulary."""
        known = ids < self.snapshot.ids
        kept = np.zeros(len(ids), dtype=bool)
        kept[known] = row_sums(self.snapshot.rows(ids[known], "tf")) >= self.least
        return kept

    @cached_property
    def kept(self) -> NDArray[np.bool_]:  # (all ids,)
        return self.snapshot.term_totals("tf") >= self.least

    @cached_property
    def kept_ids(self) -> Ids:
        return np.flatnonzero(self.kept).astype(np.uint32)

    def knows(self, term: str) -> bool:
        """Whether the term is in this vocabulary."""
        term_id = self.counts.find(term)
        return term_id is not None and bool(self.is_kept(np.array([term_id], dtype=np.uint32))[0])

    @property
    def keeps_all(self) -> bool:
        return self.least == 1

    def rows(self, ids: Ids) -> Floats:  # (ids, labels)
        return self.snapshot.rows(ids, self.statistic) / self.counts.unit

    @cached_property
    def matrix(self) -> Floats:  # (all ids, labels)
        return self.snapshot.matrix(self.statistic) / self.counts.unit

    @cached_property
    def kept_totals(self) -> Floats:  # (kept,)
        """How often each term was seen under all labels together."""
        return self.snapshot.term_totals(self.statistic)[self.kept_ids] / self.counts.unit

    @cached_property
    def unk_row(self) -> NDArray[np.uint64]:  # (labels,), in units
        """What UNK holds: the counts of the terms that are too rare."""
        totals = self.snapshot.totals(self.statistic)
        return np.zeros_like(totals) if self.keeps_all else totals - self._kept_matrix.sum(axis=0, dtype=np.uint64)

    @cached_property
    def _kept_matrix(self) -> NDArray[np.uint64]:
        return self.snapshot.matrix(self.statistic)[self.kept]

    @cached_property
    def size(self) -> int:
        """Terms of the vocabulary, without UNK."""
        return self.snapshot.size if self.keeps_all else int(self.kept.sum())

    @cached_property
    def sums(self) -> Sums:
        """In units."""
        snapshot, unk = self.snapshot, self.unk_row if self.with_unk else np.uint64(0)
        own = snapshot.totals(self.statistic) if self.keeps_all else self._kept_matrix.sum(axis=0, dtype=np.uint64)
        seen = snapshot.distinct if self.keeps_all else np.count_nonzero(self._kept_matrix, axis=0)
        total = own + unk
        return Sums(
            documents=snapshot.documents,
            all_documents=snapshot.documents.sum(dtype=np.uint64),
            total=total,
            all_total=total.sum(dtype=np.uint64),
            outcomes=self.size + self.with_unk,
            seen=seen + (np.asarray(unk) > 0),
            seen_elsewhere=np.zeros_like(seen),
        )

    @cached_property
    def sums_with_elsewhere(self) -> Sums:
        """The same with `seen_elsewhere`, which costs a pass over the counts."""
        matrix = self.snapshot.matrix(self.statistic)[self.kept]
        if self.with_unk:
            matrix = np.vstack([matrix, self.unk_row])
        elsewhere = matrix.sum(axis=1, dtype=np.uint64, keepdims=True) - matrix
        return replace(self.sums, seen_elsewhere=np.count_nonzero(elsewhere, axis=0))

    def names(self, ids: Ids) -> list[str]:
        return self.snapshot.table.texts(ids)

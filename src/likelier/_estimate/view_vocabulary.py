"""The counts as a view reads them: which terms are in the vocabulary, and the sums over it.

With a least count k, terms seen fewer than k times in all labels together are left out. Under `unknown="unk"` they do
not vanish: UNK is one more entry of the vocabulary and holds their counts.

A view may also skip terms: n-grams that are longer or shorter than it asks for, and words it leaves out. Those are no
part of the vocabulary and not unknown either; a text is read as if it did not have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats, Real, Value
from likelier._counts.snapshot import Statistic
from likelier._counts.term_counts import TermCounts
from likelier._counts.vocabulary import Kept, Vocabulary, pieces
from likelier._documents.weights import UNIT_OF_WEIGHTS
from likelier._estimate.idf import Idf
from likelier._kernel import Table, find_all

Named = Callable[[Mapping[str, Real]], Value]
Ids = NDArray[np.uint32]
Units = NDArray[np.uint64]
States = NDArray[np.uint8]
UNKNOWN, KEPT, SKIPPED = 0, 1, 2  # what the kernel calls them
MOST = 1 << 62  # of units in a sum
MANY = 1000  # terms, of which the orders of all are worth their time
NO_IDS: Ids = np.zeros(0, dtype=np.uint32)


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the vocabulary, for all labels as arrays or for one label as fractions."""

    documents: Value  # N_c                               (labels,)
    all_documents: Value  # N
    total: Value  # sum of count(v,c) over V              (labels,)
    all_total: Value
    outcomes: Value  # |V|
    seen: Value  # terms with a count under the label     (labels,)
    seen_elsewhere: Value  # terms with a count under another label (labels,)

    def under(self, columns: NDArray[Any]) -> Sums:
        """For some labels, or for one posting after the other, each under its label."""
        names = ("documents", "total", "seen", "seen_elsewhere")
        return replace(self, **{name: getattr(self, name).take(columns) for name in names})

    def grown(self, more: int) -> Sums:
        """With more entries in the vocabulary."""
        return replace(self, outcomes=self.outcomes + more)

    def column(self, column: int, of_documents: int, unit: int) -> Sums:
        """One label, exact. To be called on sums in units, which documents and counts have their own of."""
        return Sums(
            documents=Fraction(int(self.documents[column]), of_documents),
            all_documents=Fraction(int(self.all_documents), of_documents),
            total=Fraction(int(self.total[column]), unit),
            all_total=Fraction(int(self.all_total), unit),
            outcomes=Fraction(int(self.outcomes)),
            seen=int(self.seen[column]),
            seen_elsewhere=int(self.seen_elsewhere[column]),
        )

    def floats(self, of_documents: int, unit: int) -> Sums:
        """All labels, in floats. To be called on sums in units."""
        return Sums(
            documents=self.documents / of_documents,
            all_documents=float(self.all_documents) / of_documents,
            total=self.total / unit,
            all_total=float(self.all_total) / unit,
            outcomes=float(self.outcomes),
            seen=self.seen.astype(np.float64),
            seen_elsewhere=self.seen_elsewhere.astype(np.float64),
        )


class Reading:
    """One state of the counts under one statistic, a least count, UNK, and what is skipped."""

    def __init__(
        self,
        counts: TermCounts,
        statistic: Statistic,
        least: float,
        with_unk: bool,
        *,
        with_idf: bool = False,
        orders: tuple[int, int] | None = None,
        stop_words: Sequence[str] = (),
    ) -> None:
        """orders: the fewest and the most words of a term that is not skipped; None: all."""
        self.counts = counts
        self.snapshot = counts.snapshot
        self.statistic: Statistic = statistic
        self.unit = counts.unit * (UNIT_OF_WEIGHTS if statistic == "weighted" else 1)
        self.with_unk = with_unk
        # In units. 1 keeps every term, also one that was seen only in documents of little weight.
        self.least = 1 if least == 1 else min(round(least * counts.unit), MOST)
        self.orders = orders
        self._stop_words = stop_words
        self.idf = Idf(self) if with_idf else None

    def counted_by(self, statistic: Statistic) -> Reading:
        """The same vocabulary by another statistic, without idf."""
        if statistic == self.statistic and self.idf is None:
            return self
        twin = Reading(self.counts, statistic, 1, self.with_unk, orders=self.orders, stop_words=self._stop_words)
        twin.snapshot, twin.least = self.snapshot, self.least
        return twin

    # ---- which terms ---------------------------------------------------------------------------------------------

    @cached_property
    def stop_ids(self) -> Ids:
        """The words that are left out, as far as they are among the terms."""
        if not self._stop_words:
            return NO_IDS
        if isinstance(table := self.snapshot.table, Table):
            return np.unique(find_all(table, list(self._stop_words)))
        found = [self.counts.find(word) for word in self._stop_words]
        return np.unique(np.array([term_id for term_id in found if term_id is not None], dtype=np.uint32))

    def is_of_other_order(self, ids: Ids) -> NDArray[np.bool_]:  # (ids,)
        """Which ids are n-grams that this view does not ask for."""
        if self.orders is None:
            return np.zeros(len(ids), dtype=bool)
        many = len(ids) > MANY
        orders = self.snapshot.orders()[ids] if many else self.snapshot.table.orders(ids)
        return (orders < self.orders[0]) | (orders > self.orders[1])

    def states_of(self, ids: Ids) -> States:  # (ids,)
        """Which ids are terms of this vocabulary, and which are skipped; an id that there is not is unknown."""
        known = ids < self.snapshot.ids
        if known.all():
            return self._states_of_known(ids)
        states = np.full(len(ids), UNKNOWN, dtype=np.uint8)
        states[known] = self._states_of_known(ids[known])
        return states

    def _states_of_known(self, ids: Ids) -> States:  # (ids,)
        states: States = (self.snapshot.sums_of_terms(ids, "tf") >= self.least).view(np.uint8)  # KEPT is 1
        if self.orders is not None:
            states[self.is_of_other_order(ids)] = SKIPPED
        if len(self.stop_ids):
            places = np.minimum(np.searchsorted(self.stop_ids, ids), len(self.stop_ids) - 1)
            states[self.stop_ids[places] == ids] = SKIPPED
        return states

    def is_kept(self, ids: Ids) -> NDArray[np.bool_]:  # (ids,)
        """Which ids are terms of this vocabulary."""
        return self.states_of(ids) == KEPT

    @cached_property
    def states(self) -> States:  # (all ids,)
        if self.keeps_all and self.snapshot.size == self.snapshot.ids:
            return np.full(self.snapshot.ids, KEPT, dtype=np.uint8)
        return self.states_of(self.snapshot.all_ids)

    def pieces(self, ids: Ids) -> Iterator[Ids]:
        """The ids in pieces small enough that the counts of all labels take little memory."""
        return pieces(ids, len(self.snapshot.labels))

    @cached_property
    def kept(self) -> NDArray[np.bool_]:  # (all ids,)
        return self.states == KEPT

    @cached_property
    def kept_ids(self) -> Ids:
        return np.flatnonzero(self.kept).astype(np.uint32)

    def knows(self, term: str) -> bool:
        """Whether the term is in this vocabulary."""
        return self._state(term) == KEPT

    def skips(self, term: str) -> bool:
        """Whether the term is left out, so that it is not unknown either."""
        return self._state(term) == SKIPPED

    def _state(self, term: str) -> int:
        term_id = self.counts.find(term)
        return UNKNOWN if term_id is None else int(self.states_of(np.array([term_id], dtype=np.uint32))[0])

    @property
    def keeps_all(self) -> bool:
        return self.least == 1 and self.orders is None and not len(self.stop_ids)

    def names(self, ids: Ids) -> list[str]:
        return self.snapshot.table.texts(ids)

    # ---- counts --------------------------------------------------------------------------------------------------

    def rows(self, ids: Ids) -> Floats:  # (ids, labels)
        """The counts of terms, times idf if there is one."""
        return self._weighed(self.snapshot.rows(ids, self.statistic) / self.unit, ids)

    @property
    def kept_rows(self) -> Floats:  # (kept, labels)
        """The counts of the whole vocabulary."""
        counts, kept = self.snapshot.matrix(self.statistic), self.kept_ids
        return self._weighed((counts if len(kept) == len(counts) else counts[kept]) / self.unit, kept)

    def column(self, ids: Ids, column: int) -> Floats:  # (ids,)
        """The counts of terms under one label, times idf if there is one."""
        counts = self.snapshot.column(ids, column, self.statistic) / self.unit
        return counts if self.idf is None else counts * self.idf.of(ids)

    def totals(self, ids: Ids) -> Floats:  # (ids,)
        """The sums of terms over all labels, times idf if there is one."""
        totals = self.snapshot.sums_of_terms(ids, self.statistic) / self.unit
        return totals if self.idf is None else totals * self.idf.of(ids)

    def _weighed(self, counts: Floats, ids: Ids) -> Floats:
        return counts if self.idf is None else counts * self.idf.of(ids)[:, np.newaxis]

    # ---- sums ----------------------------------------------------------------------------------------------------

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The terms of this vocabulary, UNK apart."""
        return Vocabulary(self.snapshot, self.statistic, self.least, self.orders, self.stop_ids)

    @cached_property
    def over_kept(self) -> Kept:
        """Sums over the vocabulary, UNK apart; those over all terms are there anyway."""
        if not self.keeps_all:
            return self.vocabulary.kept
        snapshot = self.snapshot
        sums, seen = snapshot.totals(self.statistic), snapshot.distinct.astype(np.int64)
        return Kept(snapshot.size, sums, seen, np.zeros(len(sums), dtype=np.uint64))

    @cached_property
    def unk_row(self) -> Units:  # (labels,), in units
        """What UNK holds: the counts of the terms that are too rare."""
        return np.zeros(len(self.snapshot.labels), dtype=np.uint64) if self.least == 1 else self.over_kept.rare

    @property
    def size(self) -> int:
        """Terms of the vocabulary, without UNK."""
        return self.over_kept.size

    @cached_property
    def sums(self) -> Sums:
        """In units, without idf."""
        kept, documents = self.over_kept, self.snapshot.documents
        total, seen = kept.sums, kept.seen
        if self.with_unk:
            total, seen = total + self.unk_row, seen + (self.unk_row > 0)
        return Sums(
            documents=documents,
            all_documents=documents.sum(),
            total=total,
            all_total=total.sum(),
            outcomes=kept.size + self.with_unk,
            seen=seen,
            seen_elsewhere=np.zeros(len(documents), dtype=np.int64),
        )

    @property
    def kept_elsewhere(self) -> NDArray[np.int64]:  # (labels,)
        """How many terms of the vocabulary, UNK apart, have a count under another label."""
        return self.vocabulary.elsewhere

    @cached_property
    def sums_with_elsewhere(self) -> Sums:
        """The same with `seen_elsewhere`."""
        unk = self.unk_row if self.with_unk else np.zeros_like(self.unk_row)
        return replace(self.sums, seen_elsewhere=self.kept_elsewhere + (unk.sum(dtype=np.uint64) > unk))

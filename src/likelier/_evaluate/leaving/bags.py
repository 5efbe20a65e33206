"""Documents that are left out, each alone, and their terms as flat arrays, document after document.

Texts are analyzed once, and any number of views can judge the documents. A value is a text of one term, so that columns
of values have the same arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._base.errors import LikelierError, error
from likelier._counts.by_column import Counts
from likelier._counts.term_counts import TermCounts
from likelier._documents.batch import Batch
from likelier._documents.labels import distinct_labels
from likelier._documents.values import Choices, Texts, at_rows
from likelier._documents.weights import checked_weights
from likelier._kernel import Analysis
from likelier._text.texts import surrogate_error

Units = NDArray[np.int64]
Rows = NDArray[np.intp]
Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Left:
    """Some documents that are left out, each alone."""

    rows: Rows  # (documents,) which ones of the batch they are
    labels: Rows  # (documents,) the columns of their labels
    units: Units  # (documents,) their weights, in units of the counts
    is_last: Truths  # (documents,) whether the label has no other document
    where: Callable[[int], str]

    def some(self, places: Rows | Truths | slice) -> Left:
        """Some of them."""
        return Left(self.rows[places], self.labels[places], self.units[places], self.is_last[places], self.where)

    def refuse(self, place: int) -> LikelierError:
        """The error for a document that is not part of the counts."""
        return error("left-out-not-learnt", document=self.where(int(self.rows[place])))

    def __len__(self) -> int:
        return len(self.rows)


def left_out(counts: Counts, batch: Batch) -> Left:
    """The documents of a batch."""
    assert batch.labels is not None
    values, which = distinct_labels(batch.labels)
    columns = {label: column for column, label in enumerate(counts.labels)}
    labels = np.array([columns.get(value, -1) for value in values], dtype=np.intp)[which]
    units, fits = _units(batch, counts.sizes.unit)
    others = np.append(counts.sizes.snapshot.documents.astype(np.int64), 0)[labels] - units  # -1 is the last
    left = Left(np.arange(len(batch)), np.maximum(labels, 0), units, (others == 0) & (units > 0), batch.where)
    strange = np.flatnonzero((others < 0) | ~fits)
    if len(strange):
        raise left.refuse(int(strange[0]))
    return left


def _units(batch: Batch, unit: int) -> tuple[Units, Truths]:
    """The weights in units of the counts, and which of them are whole multiples of it."""
    if batch.weights is None:
        return np.full(len(batch), unit, dtype=np.int64), np.ones(len(batch), dtype=bool)
    given, fine = checked_weights(batch.weights)
    units = given.astype(np.int64) * max(unit // fine, 1)
    coarser = max(fine // unit, 1)
    return units // coarser, units % coarser == 0


Ids = NDArray[np.uint32]
MARKED = np.iinfo(np.uint32).max  # the id of a term that is not in the vocabulary


@dataclass(frozen=True)
class LeftBags:
    """The terms of some documents."""

    left: Left
    lengths: Rows  # (documents,) how many different terms they have
    ids: Ids  # (entries,)
    times: Ids  # (entries,)
    weights: Units | None = None  # (entries,) what each was counted for, where there is a weighting

    def __len__(self) -> int:
        return len(self.lengths)

    def pieces(self, most: int) -> Iterator[LeftBags]:
        """The same in pieces of at most `most` entries, unless a single document has more."""
        ends = np.cumsum(self.lengths)
        start = entry = 0
        while start < len(self):
            stop = max(int(np.searchsorted(ends, entry + most, side="right")), start + 1)
            stop = min(stop, start + most)  # documents without terms take room too
            some, entries = slice(start, stop), slice(entry, int(ends[stop - 1]))
            yield self._of(self.left.some(some), self.lengths[some], entries)
            start, entry = stop, entries.stop

    def _of(self, left: Left, lengths: Rows, entries: slice | Truths) -> LeftBags:
        weights = None if self.weights is None else self.weights[entries]
        return LeftBags(left, lengths, self.ids[entries], self.times[entries], weights)

    def only(self, wanted: Truths) -> LeftBags:
        """The same documents with some of their terms alone."""
        return self._of(self.left, self.sums(wanted), wanted)

    def numbered(self, ids: Ids) -> LeftBags:
        """The same with other numbers for their terms."""
        return replace(self, ids=ids)

    @cached_property
    def _filled(self) -> tuple[Truths, Rows]:
        """Which documents have terms, and where those of each of them start."""
        filled = self.lengths > 0
        return filled, (np.cumsum(self.lengths) - self.lengths)[filled]

    def sums(self, entries: NDArray[Any]) -> NDArray[Any]:  # (..., entries) -> (..., documents)
        """For each document the sum over its entries."""
        filled, starts = self._filled
        kind = np.float64 if entries.dtype.kind == "f" else np.int64  # booleans are counted
        if len(starts) == len(filled) > 0:
            return np.add.reduceat(entries, starts, axis=-1, dtype=kind)
        found = np.zeros((*entries.shape[:-1], len(filled)), dtype=kind)
        if len(starts):
            found[..., filled] = np.add.reduceat(entries, starts, axis=-1, dtype=kind)
        return found

    def spread(self, documents: NDArray[Any]) -> NDArray[Any]:  # (..., documents) -> (..., entries)
        """For each entry what its document has."""
        return np.repeat(documents, self.lengths, axis=-1)

    def documents(self, entries: Rows) -> Rows:
        """Which of the documents some entries belong to."""
        return np.searchsorted(np.cumsum(self.lengths), entries, side="right")


def bags_of_texts(counts: TermCounts, counting: Analysis, texts: Texts, left: Left, threads: int) -> LeftBags:
    """The texts of documents that have one, as they were learned; `left` are all documents that count."""
    left = left.some(~np.isin(left.rows, texts.missing)) if len(texts.missing) else left
    some: Any = texts.texts if len(left) == len(texts) else at_rows(texts.texts, left.rows)
    try:
        ends, ids, times, weights = counts.table.bags(some, counting, threads, False, True)
    except UnicodeEncodeError:
        raise surrogate_error(some) from None
    lengths = np.diff(np.append(0, ends.astype(np.intp)))
    strange = np.flatnonzero(ids == MARKED)
    if len(strange):  # a text with a term that nobody learned was not learned
        raise left.refuse(int(np.searchsorted(ends, strange[0], side="right")))
    return LeftBags(left, lengths, ids, times, weights.astype(np.int64) if counts.weighting else None)


def bags_of_choices(counts: TermCounts, choices: Choices, left: Left) -> LeftBags:
    """The values of documents that have one; `left` are all documents that count."""
    left = left.some(choices.which[left.rows] >= 0)
    which = choices.which[left.rows]
    ids = np.full(len(choices.values), -1)
    for place in np.unique(which).tolist():
        found = counts.find(choices.values[place])
        ids[place] = -1 if found is None else found
    strange = np.flatnonzero(ids[which] < 0)
    if len(strange):
        raise left.refuse(int(strange[0]))
    ones = np.ones(len(left), dtype=np.intp)
    return LeftBags(left, ones, ids[which].astype(np.uint32), ones.astype(np.uint32))

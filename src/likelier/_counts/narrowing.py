"""Counts without what only some of their terms or statistics need: as if less had been counted from the beginning.

A text column may count longer n-grams than its analyzer makes, and the sums of a weighting. Both are beside the other
counts, which do not depend on them: dropping them is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._counts.by_column import Counts, counts_of
from likelier._counts.snapshot import StoredTable
from likelier._counts.tables import WEIGHTS
from likelier._counts.term_counts import TermCounts
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema

Arrays = dict[str, NDArray[Any]]


def narrowed(counts: Counts, schema: Schema) -> Counts:
    """A copy of the counts as this schema has them: the same columns, of which some texts may count less."""
    with counts.gate.reading:
        columns = {}
        for name, table in counts.columns.items():
            before, after = counts.schema.columns[name], schema.columns[name]
            if isinstance(before, Text) and isinstance(after, Text) and before != after:
                columns[name] = _narrowed(table, before, after)
            else:
                columns[name] = table.copy()
        sizes = counts.sizes.copy() if len(counts.tables) > len(columns) else None
        return counts_of(schema, columns, sizes)


def _narrowed(table: TermCounts, before: Text, after: Text) -> TermCounts:
    arrays = table.arrays()
    if before.counted != after.counted:
        arrays = _of_orders(arrays, after.counted)
    if before.extra != after.extra:
        arrays.pop(WEIGHTS, None)
    found = TermCounts(after.extra)
    found.hold(list(table.labels), arrays)
    found.has_df, found.pruned = table.has_df, table.pruned
    return found


def _of_orders(arrays: Arrays, orders: tuple[int, int]) -> Arrays:
    """The arrays without terms that have fewer or more words."""
    ids = np.arange(len(arrays["term_ends"]), dtype=np.uint32)
    words = StoredTable(arrays).orders(ids)
    stays = (words >= orders[0]) & (words <= orders[1])
    lengths, cells = (np.diff(arrays[name], prepend=np.uint64(0)) for name in ("term_ends", "cell_ends"))
    in_cells = np.repeat(stays, cells.astype(np.intp))
    by_cell = [name for name in ("cell_labels", "cell_tf", "cell_df", WEIGHTS) if len(arrays.get(name, ()))]
    return {
        **arrays,
        **{name: arrays[name][in_cells] for name in by_cell},
        "terms": arrays["terms"][np.repeat(stays, lengths.astype(np.intp))],
        "term_ends": np.cumsum(lengths[stays], dtype=np.uint64),
        "cell_ends": np.cumsum(cells[stays], dtype=np.uint64),
    }

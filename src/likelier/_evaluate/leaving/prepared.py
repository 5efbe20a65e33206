"""Documents made ready to be left out: their texts are analysed once, and any number of views can judge them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from likelier._counts.mixed import MixedCounts
from likelier._counts.term_counts import Counts
from likelier._documents.batch import Batch
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema
from likelier._documents.values import Choices, Texts
from likelier._estimate.parts import ValuePart, Words
from likelier._evaluate.leaving.bags import Bags, bags_of_choices, bags_of_texts
from likelier._evaluate.leaving.intervals import KnownCuts
from likelier._evaluate.leaving.left import Left, Rows, left_out
from likelier._evaluate.leaving.terms import Added

MOST_REMEMBERED = 1 << 23  # numbers, 64 MB


@dataclass(frozen=True)
class Remembered:
    """What was worked out for columns of numbers and values, and holds whatever views read of the text.

    added  by column and settings, what it adds
    cuts   by column and rule, the cut points that documents leave behind
    """

    added: dict[object, list[Added]] = field(default_factory=dict)
    cuts: KnownCuts = field(default_factory=dict)


@dataclass(frozen=True)
class Prepared:
    """Documents that counts hold, and their terms."""

    batch: Batch
    left: Left  # those that count
    uncounted: Rows  # those of weight 0
    bags: dict[str, Bags]  # of the columns of texts and values
    version: int  # of the counts
    _of_orders: dict[tuple[str, tuple[int, int] | None], Bags] = field(default_factory=dict)
    remembered: Remembered = field(default_factory=Remembered)

    def bags_of(self, part: Words | ValuePart) -> Bags:
        """The terms of a column that a view reads: those of the orders that it asks for."""
        reading = part.estimator.reading
        key = part.name, reading.orders
        if key not in self._of_orders:
            every = self.bags[part.name]
            other = reading.is_of_other_order(every.ids)
            self._of_orders[key] = every.only(~other) if other.any() else every
        return self._of_orders[key]

    def once(self, key: object, added: Callable[[], Iterator[Added]]) -> list[Added]:
        """What a column adds, worked out once for each key: views that differ elsewhere share it."""
        known = self.remembered.added
        if key not in known:
            if sum(each.values.size for several in known.values() for each in several) > MOST_REMEMBERED:
                known.clear()
            known[key] = list(added())
        return known[key]


def prepare(
    counts: Counts | MixedCounts, schema: Schema, batch: Batch, threads: int, remembered: Remembered | None = None
) -> Prepared:
    """The documents of a batch with their terms as they were learnt. The counts must not change afterwards.

    remembered: what is known of these documents by other counts, which differ only in what they have of texts.
    """
    counts.settle()
    everything = left_out(counts, batch)
    left = everything.some(everything.units > 0)
    bags = {}
    for name, kind in schema.columns.items():
        values, table = batch.columns[name], counts if isinstance(counts, Counts) else counts.columns[name]
        if isinstance(values, Texts):
            assert isinstance(kind, Text)
            assert isinstance(table, Counts)
            bags[name] = bags_of_texts(table, kind.counting, values, left, threads)
        elif isinstance(values, Choices):
            assert isinstance(table, Counts)
            bags[name] = bags_of_choices(table, values, left)
    return Prepared(
        batch, left, np.flatnonzero(everything.units == 0), bags, counts.version, remembered=remembered or Remembered()
    )

"""Documents made ready to be left out: their texts are analysed once, and any number of views can judge them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from likelier.counts import Counts
from likelier.counts.mixed import MixedCounts
from likelier.counts.values import Choices, Texts
from likelier.data.batch import Batch
from likelier.estimate.parts import ValuePart, Words
from likelier.evaluate.leaving.bags import Bags, bags_of_choices, bags_of_texts
from likelier.evaluate.leaving.left import Left, Rows, left_out
from likelier.schema import Schema, Text


@dataclass(frozen=True)
class Prepared:
    """Documents that counts hold, and their terms."""

    batch: Batch
    left: Left  # those that count
    uncounted: Rows  # those of weight 0
    bags: dict[str, Bags]  # of the columns of texts and values
    version: int  # of the counts
    _of_orders: dict[tuple[str, tuple[int, int] | None], Bags] = field(default_factory=dict)

    def bags_of(self, part: Words | ValuePart) -> Bags:
        """The terms of a column that a view reads: those of the orders that it asks for."""
        reading = part.estimator.reading
        key = part.name, reading.orders
        if key not in self._of_orders:
            every = self.bags[part.name]
            other = reading.is_of_other_order(every.ids)
            self._of_orders[key] = every.only(~other) if other.any() else every
        return self._of_orders[key]


def prepare(counts: Counts | MixedCounts, schema: Schema, batch: Batch, threads: int) -> Prepared:
    """The documents of a batch with their terms as they were learnt. The counts must not change afterwards."""
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
    return Prepared(batch, left, np.flatnonzero(everything.units == 0), bags, counts.version)

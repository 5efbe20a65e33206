"""The weights of the terms that single texts ask about, remembered as long as the counts stay as they are.

One text needs the weights of its own terms and no others, so a question after a change costs what the text costs,
whatever the size of the model. Once looking up the terms of new texts has taken
about as long as estimating all weights would, all are estimated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likelier._base.numbers import Floats
from likelier._estimate.view_vocabulary import KEPT, Ids
from likelier._kernel import Analysis, Memory, Table

if TYPE_CHECKING:
    from likelier._estimate.estimator import Estimator

Sums = tuple[Floats, int, int, int, float, int, float, float]  # as the kernel says
CELLS_PER_QUESTION = 400  # terms times labels whose weights take as long as looking up the new terms of one text
MOST_CELLS = 1 << 26  # what all weights may take: half a gigabyte


class Remembered:
    """The weights of one estimator that were asked for."""

    def __init__(self, estimator: Estimator, table: Table, analysis: Analysis) -> None:
        reading = estimator.reading
        self._estimator, self._reading = estimator, reading
        self._table, self._analysis, self._gate = table, analysis, estimator.counts.gate.reading
        self._columns = len(estimator.labels) * (3 if estimator.absence else 1)
        self.cells = reading.snapshot.ids * self._columns  # weights of the whole vocabulary
        self._memory = self._empty()
        self.looked_up = 0  # texts with terms that had to be estimated

    def at_once(self, text: str, base: Floats, unknown: Floats | None = None) -> Sums | None:  # (columns,)
        """What a text adds up to, from `base` on; with what one unknown term adds, if anything.

        None if the counts have changed, or terms must be looked up first.
        """
        found = self._memory.score(self._table, text, self._analysis, base, unknown, self._gate)
        return found if isinstance(found, tuple) else None

    def sums(self, text: str, base: Floats, unknown: Floats | None = None) -> Sums:  # (columns,)
        """The same in any case. To be called while the counts cannot change."""
        memory = self._memory
        found = memory.score(self._table, text, self._analysis, base, unknown, self._gate)
        if isinstance(found, tuple):
            return found
        assert found is not None  # nothing has changed
        self._look_up(memory, found)
        found = memory.score(self._table, text, self._analysis, base, unknown, self._gate)
        assert isinstance(found, tuple)  # all that was missing is there now
        if len(memory) > MOST_CELLS:
            self._memory = self._empty()
        return found

    def _empty(self) -> Memory:
        return Memory(self._table, self._columns, self._estimator.scale)

    def _look_up(self, memory: Memory, ids: Ids) -> None:
        self.looked_up += 1
        if self.cells > min(self.looked_up * CELLS_PER_QUESTION, MOST_CELLS):
            self._estimate(memory, ids)
            return
        memory.open()
        for some in self._reading.pieces(np.arange(self._reading.snapshot.ids, dtype=np.uint32)):
            self._estimate(memory, some)

    def _estimate(self, memory: Memory, ids: Ids) -> None:
        states = self._reading.states_of(ids)
        rows = self._estimator.columns_of(ids[states == KEPT])
        memory.put(ids, states, np.ascontiguousarray(rows))

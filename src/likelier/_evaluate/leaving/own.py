"""The terms of documents, with their counts without each of these documents, next to each other.

    tf(t,c), df(t,c)   are less by what the document has, under its own label
    V                  lacks the terms that only this document has, or that are too rare without it
    idf                see `inverse`

Arrays have labels first: (labels, entries), so that sums over the terms of a document run along memory.
"""

from __future__ import annotations

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._evaluate.leaving.bags import Bags
from likelier._evaluate.leaving.held import Held
from likelier._evaluate.leaving.left import Rows, Truths, Units
from likelier._kernel import weigh


class Own:
    """The terms of some documents, each by the counts without its document. Numbers are in units."""

    def __init__(self, held: Held, bags: Bags) -> None:
        """bags: with the numbers that their terms have among those that are held."""
        self.whole, self.held, self.bags = held.whole, held, bags
        self.estimator = held.whole.estimator
        units = bags.spread(bags.left.units)
        occurrences = bags.times * units
        self._taken = self._counted(occurrences, units)  # (entries,)
        self.occurrences = held.occurrences.take(bags.ids) - occurrences  # (entries,)
        self.total = held.totals.take(bags.ids) - self._taken  # (entries,)
        self._labels = bags.spread(bags.left.labels)  # (entries,)
        places = self._labels * len(held.totals) + bags.ids
        self.own_before = held.counts.reshape(-1).take(places)  # (entries,) under the document's label
        self.own = self.own_before - self._taken  # (entries,) the same without it
        self._check()
        stopped = held.is_stopped
        self._stopped = None if stopped is None else stopped.take(bags.ids)  # (entries,)
        enough = self.occurrences >= self.whole.least
        self.kept = enough if self._stopped is None else enough & ~self._stopped  # (entries,) in V without the document

    def _counted(self, occurrences: Units, units: Units) -> Units:
        statistic = self.estimator.reading.statistic
        if statistic == "weighted":
            assert self.bags.weights is not None
            return self.bags.weights * units
        return occurrences if statistic == "tf" else units

    def _check(self) -> None:
        """Whether the documents are part of the counts."""
        left = self.bags.left
        too_few = np.flatnonzero(self.whole.documents[left.labels] < left.units)
        if len(self.own) and self.own.min() < 0:
            too_few = self.bags.documents(np.flatnonzero(self.own < 0))
        if len(too_few):
            raise left.refuse(int(too_few[0]))

    @cached_property
    def before(self) -> Units:  # (labels, entries)
        """The counts with the document."""
        return self.held.counts.take(self.bags.ids, axis=1)

    @cached_property
    def count(self) -> Units:  # (labels, entries)
        """The counts without it."""
        count = self.before.copy()
        entries = count.shape[1]
        count.reshape(-1)[self._labels * entries + np.arange(entries)] = self.own
        return count

    def entries_of(self, document: int) -> Rows:
        """The entries of one document."""
        end = int(self.bags.lengths[: document + 1].sum())
        return np.arange(end - self.bags.lengths[document], end)

    # ---- the terms of the documents ------------------------------------------------------------------------------

    @cached_property
    def was_kept(self) -> Truths:  # (entries,)
        """Which terms are in the vocabulary with the document."""
        return self.held.kept.take(self.bags.ids)

    @cached_property
    def known(self) -> Truths:  # (entries,)
        """Which terms a view on the counts without the document knows."""
        if not self.estimator.declared:
            return self.kept
        return self.kept | (self.held.declared[self.bags.ids] & (self.occurrences == 0))

    @cached_property
    def _read(self) -> Truths | None:  # (entries,)
        """Which terms are read: a stop word is, as unknown, where nobody else has it. None: all."""
        return None if self._stopped is None else ~self._stopped | (self.occurrences == 0)

    @cached_property
    def occurrences_known(self) -> Units:  # (documents,)
        """How often any known term stands in the document."""
        return self.bags.sums(self.bags.times * self.known)

    @cached_property
    def occurrences_unknown(self) -> Units:  # (documents,)
        times = self.bags.times if self._read is None else self.bags.times * self._read
        return self.bags.sums(times) - self.occurrences_known

    @cached_property
    def unknown(self) -> Units:  # (documents,)
        """How many different unknown terms the document has."""
        lengths = self.bags.lengths if self._read is None else self.bags.sums(self._read)
        return lengths - self.bags.sums(self.known)

    @cached_property
    def times(self) -> Floats:  # (entries,)
        """What each term counts in the question."""
        return weigh(self.bags.times, self.estimator.scale)

    @cached_property
    def unknown_weighed(self) -> Floats:  # (documents,)
        """What the unknown terms of the document count."""
        unknown = ~self.known if self._read is None else ~self.known & self._read
        return self.bags.sums(self.times * unknown)

    # ---- idf -----------------------------------------------------------------------------------------------------

    @cached_property
    def weights(self) -> Units:
        """The different weights of the documents."""
        return np.unique(self.bags.left.units)

    @cached_property
    def which_weight(self) -> Rows:  # (documents,)
        return np.searchsorted(self.weights, self.bags.left.units)

    @cached_property
    def _idf(self) -> tuple[Floats, Floats]:  # (entries,), (entries,)
        inverse, ids = self.whole.inverse, self.bags.ids
        if inverse is None:
            return np.ones(len(ids)), np.ones(len(ids))
        if len(self.weights) == 1:
            after, before = self.held.idf(int(self.weights[0]))
            return after.take(ids), before.take(ids)
        units, frequencies = self.bags.spread(self.bags.left.units), self.held.frequencies.take(ids)
        return inverse.without(units, frequencies), inverse.as_they_are(units, frequencies)

    @property
    def idf(self) -> Floats:  # (entries,)
        """idf of the terms without the document."""
        return self._idf[0]

    @property
    def idf_before(self) -> Floats:  # (entries,)
        """idf that they would have if the document were left out and its terms were not."""
        return self._idf[1]

    def numbers(self, units: Units, *, before: bool = False) -> Floats:  # (..., entries)
        """Counts of the terms as they are read: times idf if there is one."""
        numbers: Floats = units / self.whole.unit
        return numbers if self.whole.inverse is None else numbers * self._idf[int(before)]

"""The terms of documents, with their counts without each of these documents, next to each other.

    tf(t,c), df(t,c)   are less by what the document has, under its own label
    V                  lacks the terms that only this document has, or that are too rare without it
    idf                see `inverse`

Arrays have labels first: (labels, entries), so that sums over the terms of a document run along memory.

The counts of one column without each of some documents, next to each other.

    N_c           is less by the document's weight, for its own label
    sums over V   are less by what the document has, and by all that is left of terms that V lost

Arrays have labels first: (labels, entries) and (labels, documents), so that sums over the terms of a document run along
memory. All formulas of `estimate` go term by term and label by label, so they hold for these shapes too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._estimate.estimator import UNK
from likelier._estimate.evidence import Evidence
from likelier._estimate.view_vocabulary import Sums
from likelier._evaluate.leaving.bags import Ids, LeftBags, Rows, Truths, Units
from likelier._evaluate.leaving.held import Held
from likelier._kernel import weigh


class Own:
    """The terms of some documents, each by the counts without its document. Numbers are in units."""

    def __init__(self, held: Held, bags: LeftBags) -> None:
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
        """How many tokens of the document are known terms."""
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


NO_SUMS = Sums(**dict.fromkeys([one.name for one in fields(Sums)], np.zeros(1)))


class Without(Own):
    """The counts without each document of some bags. Numbers are in units, but for `sums`."""

    @cached_property
    def there(self) -> Truths:  # (labels, documents)
        """Which labels have documents without this one."""
        left = self.bags.left
        there = np.ones((len(self.whole.documents), len(left)), dtype=bool)
        there[left.labels[left.is_last], np.flatnonzero(left.is_last)] = False
        return there

    @cached_property
    def _fell(self) -> tuple[Rows, Ids]:  # (fallen,)
        """Which documents make a term leave the vocabulary, and the term."""
        fell = np.flatnonzero(self.was_kept & ~self.kept)
        return self.bags.documents(fell), self.bags.ids[fell]

    def _less(self, whole: Units, own: Units) -> Units:  # (labels,), (documents,) -> (labels, documents)
        """The numbers of all labels, less something of the own label."""
        less = np.repeat(whole[:, np.newaxis], len(self.bags), axis=1)
        less[self.bags.left.labels, np.arange(len(self.bags))] -= own
        return less

    def _less_others(self, sums: Units, of_terms: Units) -> None:  # (labels, documents), (labels, held)
        """Takes from sums what terms that leave the vocabulary have under all labels but the own."""
        documents, ids = self._fell
        for label, numbers in enumerate(of_terms) if len(ids) else ():
            others = self.bags.left.labels[documents] != label
            np.subtract.at(sums[label], documents[others], numbers[ids[others]])

    @cached_property
    def size(self) -> Units:  # (documents,)
        """The terms of the vocabulary, without UNK."""
        return self.whole.size - np.bincount(self._fell[0], minlength=len(self.bags))

    @cached_property
    def unk(self) -> Units:  # (labels, documents)
        """What UNK holds; zeros if there is none."""
        if not self.estimator.reading.with_unk:
            return np.zeros((len(self.whole.documents), len(self.bags)), dtype=np.int64)
        return self._all_sums - self.kept_sums

    @cached_property
    def _all_sums(self) -> Units:  # (labels, documents)
        taken = self._taken if self._stopped is None else self._taken * ~self._stopped
        return self._less(self.whole.sums, self.bags.sums(taken))

    @cached_property
    def kept_sums(self) -> Units:  # (labels, documents)
        """The sums over the vocabulary, UNK apart; without idf."""
        if self.whole.least == 1:
            return self._all_sums
        own = np.where(self.kept, self._taken, self.own_before * self.was_kept)
        less = self._less(self.whole.kept_sums, self.bags.sums(own))
        self._less_others(less, self.held.counts)
        return less

    @cached_property
    def documents(self) -> Units:  # (labels, documents)
        return self._less(self.whole.documents, self.bags.left.units)

    @cached_property
    def sums(self) -> Sums:  # (labels, documents), or (documents,) for what holds for all labels
        unit, with_unk = self.whole.of_documents, self.estimator.reading.with_unk
        total, all_total = self._totals(self._all_sums if with_unk else self.kept_sums)
        return Sums(
            documents=self.documents / unit,
            all_documents=self.documents.sum(axis=0) / unit,
            total=total,
            all_total=all_total,
            outcomes=(self.size + self._with_unk + self.whole.unseen + self._undone).astype(np.float64),
            seen=self._seen.astype(np.float64),
            seen_elsewhere=self._seen_elsewhere.astype(np.float64),
        )

    def _totals(self, units: Units) -> tuple[Floats, Floats]:  # (labels, documents), (documents,)
        if self.whole.inverse is None:
            return units / self.whole.unit, units.sum(axis=0) / self.whole.unit
        totals = self.whole.inverse.totals(self)
        return totals, totals.sum(axis=0)

    @property
    def _with_unk(self) -> Truths | bool:  # (documents,)
        """Whether UNK is an outcome: in a closed column only where it holds something."""
        return np.asarray(self.unk.any(axis=0)) if self.estimator.closed else self.estimator.reading.with_unk

    @property
    def _undone(self) -> Units | int:  # (documents,)
        """How many declared values were seen in this document only."""
        return self.bags.sums(self.known & ~self.kept) if self.estimator.declared else 0

    @property
    def _seen(self) -> Units:  # (labels, documents)
        """How many terms each label has, UNK included."""
        whole, bags = self.whole, self.bags
        if not whole.needs_seen:
            return np.zeros((len(whole.documents), len(bags)), dtype=np.int64)
        lost = np.where(self.kept, self.own == 0, self.was_kept)
        seen = self._less(whole.seen, bags.sums(lost))
        if whole.least > 1:
            self._less_others(seen, (self.held.counts > 0).astype(np.int64))
        return seen + (self.unk > 0)

    @property
    def _seen_elsewhere(self) -> Units:  # (labels, documents)
        whole, bags = self.whole, self.bags
        if not whole.needs_elsewhere:
            return np.zeros((len(whole.documents), len(bags)), dtype=np.int64)
        before = bags.sums(self.was_kept & (self.held.totals.take(bags.ids) > self.before))
        after = bags.sums(self.kept & (self.total > self.count))
        return whole.seen_elsewhere[:, np.newaxis] - before + after + (self.unk.sum(axis=0) > self.unk)

    # ---- evidence ------------------------------------------------------------------------------------------------

    @cached_property
    def grown_sums(self) -> Sums:
        """The sums with |V| as the unknown terms of the document make it."""
        return self.sums.grown(self.unknown) if self.estimator.unknown == "grow" else self.sums  # type: ignore[arg-type]

    def spread(self, sums: Sums) -> Sums:
        """For each entry the sums of its document."""
        return self._each(sums, self.bags.spread)

    def sums_of(self, document: int) -> Sums:
        """The sums of one document."""
        return self._each(self.sums, lambda values: values[..., document : document + 1])

    def _each(self, sums: Sums, change: Callable[[Floats], Floats]) -> Sums:
        needed = {"seen": self.whole.needs_seen, "seen_elsewhere": self.whole.needs_elsewhere}
        names = [one.name for one in fields(sums) if needed.get(one.name, True)]
        return replace(sums, **{name: change(getattr(sums, name)) for name in names})

    @property
    def evidence(self) -> Evidence:  # (labels, entries)
        """What is known of the terms without their documents."""
        return self.estimator.event.evidence(
            self.spread(self.grown_sums), self.numbers(self.count), self.numbers(self.total), lambda _: self._given
        )

    @property
    def _given(self) -> Floats:  # (entries,)
        given = self.held.given.take(self.bags.ids)
        lacking = self.known & np.isnan(given)
        if lacking.any():
            self.estimator.ratio_of(self.held.ids[self.bags.ids[lacking]])  # says which
        return np.nan_to_num(given)

    @property
    def unknown_evidence(self) -> Evidence:  # (labels, documents)
        """What is known of an unknown term, or of UNK."""
        unit = self.whole.unit
        return self.estimator.event.evidence(
            self.grown_sums, self.unk / unit, self.unk.sum(axis=0) / unit, lambda given: float(given.get(UNK, 0))
        )

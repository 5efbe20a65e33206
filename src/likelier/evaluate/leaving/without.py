"""The counts of one column without each of some documents, next to each other.

    tf(t,c), df(t,c), N_c   are less by what the document has, for its own label and its own terms
    V                       lacks the terms that only this document has, or that are too rare without it
    sums over V             are less by what the document has, and by all that is left of terms that V lost

Arrays have labels first: (labels, entries) and (labels, documents), so that sums over the terms of a document run along
memory. All formulas of `estimate` go term by term and label by label, so they hold for these shapes too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cached_property

import numpy as np

from likelier.estimate.estimator import UNK, Estimator
from likelier.estimate.evidence import Evidence, Floats
from likelier.estimate.reading import Sums
from likelier.estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate
from likelier.evaluate.leaving.bags import Bags, Ids
from likelier.evaluate.leaving.left import Rows, Truths, Units


class Whole:
    """The counts behind an estimator, as arrays. Numbers are in units."""

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator
        reading = estimator.reading
        snapshot = reading.snapshot
        self.unit = estimator.counts.unit
        self.least = reading.least
        self.counts: Units = np.ascontiguousarray(
            snapshot.matrix(reading.statistic).T.astype(np.int64)
        )  # (labels, ids)
        self.totals: Units = self.counts.sum(axis=0)  # (ids,)
        same = reading.statistic == "tf"
        self.occurrences: Units = self.totals if same else snapshot.term_totals("tf").astype(np.int64)  # (ids,)
        self.kept = reading.kept  # (ids,)
        kept = self.counts[:, self.kept]
        self.documents: Units = snapshot.documents.astype(np.int64)  # (labels,)
        self.kept_sums: Units = kept.sum(axis=1)  # (labels,)
        self.sums: Units = self.counts.sum(axis=1)  # (labels,)
        self.seen: Units = np.count_nonzero(kept, axis=1)  # (labels,)
        self.size = reading.size
        self.unseen = estimator.unseen  # declared, and never seen
        # Only these smoothings are known not to look at it.
        self.needs_seen = not isinstance(estimator.smoothing, Additive | MEstimate | JelinekMercer)
        self.needs_elsewhere = estimator.event_name == "complement" and isinstance(
            estimator.smoothing, AbsoluteDiscounting
        )

    @cached_property
    def seen_elsewhere(self) -> Units:  # (labels,)
        return np.count_nonzero((self.totals - self.counts)[:, self.kept], axis=1)

    @cached_property
    def declared(self) -> Truths:  # (ids,)
        """Which ids are values that are there even if they were never seen."""
        declared = np.zeros(len(self.totals), dtype=bool)
        found = [self.estimator.counts.find(value) for value in self.estimator.declared]
        declared[[term_id for term_id in found if term_id is not None]] = True
        return declared

    @cached_property
    def given(self) -> Floats:  # (ids,)
        """What a mapping for `p` says of each term; NaN where it says nothing, 0 where there is no mapping."""
        smoothing = self.estimator.smoothing
        if not isinstance(smoothing, MEstimate) or isinstance(smoothing.p, str):
            return np.zeros(len(self.totals))
        given = smoothing.p
        names = self.estimator.reading.names(np.arange(len(self.totals), dtype=np.uint32))
        return np.array([float(given.get(name, np.nan)) for name in names], dtype=np.float64)


class Without:
    """The counts without each document of some bags. Numbers are in units, but for `sums`."""

    def __init__(self, whole: Whole, bags: Bags) -> None:
        self.whole, self.bags = whole, bags
        self.estimator = whole.estimator
        units = bags.spread(bags.left.units)
        occurrences = bags.times * units
        self._taken = occurrences if self.estimator.reading.statistic == "tf" else units  # (entries,)
        self.occurrences = whole.occurrences.take(bags.ids) - occurrences  # (entries,)
        self.kept = self.occurrences >= whole.least  # (entries,) in the vocabulary without the document
        self.total = whole.totals.take(bags.ids) - self._taken  # (entries,)
        self._labels = bags.spread(bags.left.labels)  # (entries,)
        places = self._labels * len(whole.totals) + bags.ids
        self.own = whole.counts.reshape(-1).take(places) - self._taken  # (entries,) under the document's label
        self._check()

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
        return self.whole.counts.take(self.bags.ids, axis=1)

    @cached_property
    def count(self) -> Units:  # (labels, entries)
        """The counts without it."""
        count = self.before.copy()
        entries = count.shape[1]
        count.reshape(-1)[self._labels * entries + np.arange(entries)] = self.own
        return count

    # ---- the terms of the documents ------------------------------------------------------------------------------

    @cached_property
    def was_kept(self) -> Truths:  # (entries,)
        """Which terms are in the vocabulary with the document."""
        return self.whole.kept.take(self.bags.ids)

    @cached_property
    def there(self) -> Truths:  # (labels, documents)
        """Which labels have documents without this one."""
        left = self.bags.left
        there = np.ones((len(self.whole.documents), len(left)), dtype=bool)
        there[left.labels[left.is_last], np.flatnonzero(left.is_last)] = False
        return there

    @cached_property
    def known(self) -> Truths:  # (entries,)
        """Which terms a view on the counts without the document knows."""
        if not self.estimator.declared:
            return self.kept
        return self.kept | (self.whole.declared[self.bags.ids] & (self.occurrences == 0))

    @cached_property
    def occurrences_known(self) -> Units:  # (documents,)
        """How often any known term stands in the document."""
        return self.bags.sums(self.bags.times * self.known)

    @cached_property
    def occurrences_unknown(self) -> Units:  # (documents,)
        return self.bags.sums(self.bags.times) - self.occurrences_known

    @cached_property
    def unknown(self) -> Units:  # (documents,)
        """How many different unknown terms the document has."""
        return self.bags.lengths - self.bags.sums(self.known)

    # ---- sums over the vocabulary --------------------------------------------------------------------------------

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

    def _less_others(self, sums: Units, of_terms: Units) -> None:  # (labels, documents), (labels, ids)
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
        return self._all_sums - self._kept_sums

    @cached_property
    def _all_sums(self) -> Units:  # (labels, documents)
        return self._less(self.whole.sums, self.bags.sums(self._taken))

    @cached_property
    def _kept_sums(self) -> Units:  # (labels, documents)
        if self.estimator.reading.keeps_all:
            return self._all_sums
        whole, bags = self.whole, self.bags
        own = np.where(self.kept, self._taken, (self.own + self._taken) * self.was_kept)
        less = self._less(whole.kept_sums, bags.sums(own))
        self._less_others(less, whole.counts)
        return less

    @cached_property
    def documents(self) -> Units:  # (labels, documents)
        return self._less(self.whole.documents, self.bags.left.units)

    @cached_property
    def sums(self) -> Sums:  # (labels, documents), or (documents,) for what holds for all labels
        unit, with_unk = self.whole.unit, self.estimator.reading.with_unk
        total = self._all_sums if with_unk else self._kept_sums
        return Sums(
            documents=self.documents / unit,
            all_documents=self.documents.sum(axis=0) / unit,
            total=total / unit,
            all_total=total.sum(axis=0) / unit,
            outcomes=(self.size + self._with_unk + self.whole.unseen + self._undone).astype(np.float64),
            seen=self._seen.astype(np.float64),
            seen_elsewhere=self._seen_elsewhere.astype(np.float64),
        )

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
        if not self.estimator.reading.keeps_all:
            self._less_others(seen, (whole.counts > 0).astype(np.int64))
        return seen + (self.unk > 0)

    @property
    def _seen_elsewhere(self) -> Units:  # (labels, documents)
        whole, bags = self.whole, self.bags
        if not whole.needs_elsewhere:
            return np.zeros((len(whole.documents), len(bags)), dtype=np.int64)
        before = bags.sums(self.was_kept & (whole.totals.take(bags.ids) > self.before))
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
        unit = self.whole.unit
        return self.estimator.event.evidence(
            self.spread(self.grown_sums), self.count / unit, self.total / unit, lambda _: self._given
        )

    @property
    def _given(self) -> Floats:  # (entries,)
        given = self.whole.given.take(self.bags.ids)
        lacking = self.known & np.isnan(given)
        if lacking.any():
            self.estimator.ratio_of(self.bags.ids[lacking])  # says which
        return np.nan_to_num(given)

    @property
    def unknown_evidence(self) -> Evidence:  # (labels, documents)
        """What is known of an unknown term, or of UNK."""
        unit = self.whole.unit
        return self.estimator.event.evidence(
            self.grown_sums, self.unk / unit, self.unk.sum(axis=0) / unit, lambda given: float(given.get(UNK, 0))
        )

"""The counts that documents are left out of: sums over all terms, and the counts of the terms that some of them have.

A table of all terms and all labels would not fit into memory where there are many of both. So only the terms of the
documents at hand have their counts here, numbered anew from 0; what all terms together give comes from `Reading`, which
goes over them in pieces.

idf without each of some documents.

    N' = N - u,  df'(t) = df(t) - u for its own terms        u = the document's weight

N' changes the idf of every term, in the same way for all documents of one weight. So for each weight the sums over V
are made once, with the document frequencies as they are; then a document's own terms are taken out as they went in and
put in as they are without it. A term with more documents than there are without this one can only be a term of it; in
and out it counts as a term of all. Where little is left of a sum, digits would be lost: there it is computed again,
by document frequencies, in integers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._estimate.estimator import Estimator
from likelier._estimate.idf import idf
from likelier._estimate.smoothing import MEstimate, shape_of
from likelier._evaluate.leaving.bags import Ids, LeftBags, Truths, Units

if TYPE_CHECKING:
    from likelier._evaluate.leaving.without import Without

MOST = 1 << 22  # cells that are held at a time


class Whole:
    """The sums behind an estimator. Numbers are in units."""

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator
        reading = estimator.reading
        self.unit, self.of_documents = reading.unit, estimator.counts.unit
        self.least = reading.least
        self.documents: Units = reading.snapshot.documents.astype(np.int64)  # (labels,)
        self.all_documents = int(self.documents.sum())
        self.size = reading.size
        self.kept_sums: Units = reading.over_kept.sums.astype(np.int64)  # (labels,)
        self.sums: Units = self.kept_sums + reading.over_kept.rare.astype(np.int64)  # (labels,)
        self.seen: Units = reading.over_kept.seen  # (labels,)
        self.unseen = estimator.unseen  # declared, and never seen
        self.needs_seen = shape_of(estimator.smoothing).needs_seen
        self.needs_elsewhere = self.needs_seen and estimator.event_name == "complement"
        self.inverse = None if reading.idf is None else Inverse(self)
        self._wanted = np.zeros(reading.snapshot.ids, dtype=bool)  # by id, for `held`
        self._numbers = np.zeros(reading.snapshot.ids, dtype=np.uint32)

    @cached_property
    def seen_elsewhere(self) -> Units:  # (labels,)
        return self.estimator.reading.kept_elsewhere

    def given(self, ids: Ids) -> Floats:  # (ids,)
        """What a mapping for `p` says of terms; NaN where it says nothing, 0 where there is no mapping."""
        smoothing = self.estimator.smoothing
        if not isinstance(smoothing, MEstimate) or isinstance(smoothing.p, str):
            return np.zeros(len(ids))
        given = smoothing.p
        names = self.estimator.reading.names(ids)
        return np.array([float(given.get(name, np.nan)) for name in names], dtype=np.float64)

    def frequencies(self, ids: Ids) -> Units:  # (ids,)
        """How many documents have these terms."""
        return self.estimator.reading.snapshot.sums_of_terms(ids, "df").astype(np.int64)

    def held(self, bags: LeftBags) -> tuple[Held, LeftBags]:
        """The counts of the terms that documents have, and the documents with the numbers that their terms have here.

        The numbers rise with the ids: frequent terms have low ones, so that what is looked up often lies together.
        """
        self._wanted[bags.ids] = True
        ids = np.flatnonzero(self._wanted).astype(np.uint32)
        self._wanted[ids] = False
        self._numbers[ids] = np.arange(len(ids), dtype=np.uint32)
        return Held(self, ids), bags.numbered(self._numbers[bags.ids])

    @property
    def entries(self) -> int:
        """So many terms can be held at a time."""
        return max(MOST // max(len(self.documents), 1), 1)


class Held:
    """The counts of some terms. Numbers are in units."""

    def __init__(self, whole: Whole, ids: Ids) -> None:
        self.whole, self.ids = whole, ids
        reading = whole.estimator.reading
        rows = reading.snapshot.rows(ids, reading.statistic)
        self.counts: Units = np.ascontiguousarray(rows.T).view(np.int64)  # (labels, held)
        self.totals: Units = self.counts.sum(axis=0)  # (held,)
        same = reading.statistic == "tf"
        occurrences = None if same else reading.snapshot.sums_of_terms(ids, "tf").astype(np.int64)
        self.occurrences: Units = self.totals if occurrences is None else occurrences  # (held,)
        self.is_stopped: Truths | None = np.isin(ids, reading.stop_ids) if len(reading.stop_ids) else None  # (held,)
        enough = self.occurrences >= whole.least
        self.kept: Truths = enough if self.is_stopped is None else enough & ~self.is_stopped  # (held,)
        self._idf: dict[int, tuple[Floats, Floats]] = {}

    @cached_property
    def frequencies(self) -> Units:  # (held,)
        return self.whole.frequencies(self.ids)

    def idf(self, units: int) -> tuple[Floats, Floats]:  # (held,), (held,)
        """idf of terms where a document of this weight is left out: of its own terms, and of those that it has not."""
        if units not in self._idf:
            inverse, frequencies = self.whole.inverse, self.frequencies
            assert inverse is not None
            self._idf[units] = inverse.without(units, frequencies), inverse.as_they_are(units, frequencies)
        return self._idf[units]

    @cached_property
    def declared(self) -> Truths:  # (held,)
        """Which of them are values that are there even if they were never seen."""
        estimator = self.whole.estimator
        found = [estimator.counts.find(value) for value in estimator.declared]
        return np.isin(self.ids, [term_id for term_id in found if term_id is not None])

    @cached_property
    def given(self) -> Floats:  # (held,)
        return self.whole.given(self.ids)


LITTLE = 1e-3  # of a sum; if less than that is left, it is computed again


class Inverse:
    """The idf of the terms of one column."""

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._bases: dict[int, Floats] = {}

    def without(self, units: Units | int, frequencies: Units) -> Floats:
        """idf of a document's own terms without it: their document frequencies are less by its weight."""
        return self._of(units, np.maximum(frequencies - units, 0))

    def as_they_are(self, units: Units | int, frequencies: Units) -> Floats:
        """idf of terms whose document frequencies stay, where a document of this weight is left out."""
        return self._of(units, np.minimum(frequencies, self._whole.all_documents - units))

    def _of(self, units: Units | int, frequencies: Units) -> Floats:
        unit = self._whole.of_documents
        return idf((self._whole.all_documents - units) / unit, frequencies / unit)

    def of_unknown(self, units: Units) -> Floats:
        """idf of a term that no document has."""
        return self._of(units, np.zeros_like(units))

    # ---- sums over the vocabulary --------------------------------------------------------------------------------

    def totals(self, without: Without) -> Floats:  # (labels, documents)
        """The sums of count * idf over the vocabulary without each document."""
        bags, held, unit = without.bags, without.held, self._whole.unit
        after, before = without.idf * without.kept, without.idf_before * without.was_kept
        change = after - before  # (entries,)
        totals = np.array([bags.sums(row.take(bags.ids) * change) for row in held.counts]).reshape(-1, len(bags))
        mine = (bags.left.labels, np.arange(len(bags)))
        totals[mine] = bags.sums(without.own * after) - bags.sums(without.own_before * before)
        base = np.array([self._base(int(units)) for units in without.weights]).T[:, without.which_weight]
        totals = base + totals / unit
        nothing = without.kept_sums == 0
        totals[nothing] = 0.0
        for document in np.flatnonzero(((totals <= LITTLE * base) & (base > 0) & ~nothing).any(axis=0)).tolist():
            totals[:, document] = self._anew(without, document)
        return totals

    def _base(self, units: int) -> Floats:  # (labels,)
        """The sums of count * idf, where a document of this weight is left out and none of its terms."""
        if units not in self._bases:
            assert self._whole.estimator.reading.idf is not None
            frequencies, sums = self._whole.estimator.reading.idf.groups
            factors = self.as_they_are(units, frequencies.astype(np.int64))
            self._bases[units] = np.array([math.fsum(factors * column) for column in sums.T / self._whole.unit])
        return self._bases[units]

    def _anew(self, without: Without, document: int) -> Floats:  # (labels,)
        assert self._whole.estimator.reading.idf is not None
        frequencies, sums = self._whole.estimator.reading.idf.groups
        mine, units = without.entries_of(document), int(without.bags.left.units[document])
        own = without.held.frequencies[without.bags.ids[mine]]
        kept, was_kept = without.kept[mine], without.was_kept[mine]
        rest = sums.astype(np.int64)
        places = np.searchsorted(frequencies, own[was_kept].astype(np.uint64))
        np.subtract.at(rest, places, without.before[:, mine].T[was_kept])
        factors = [self.as_they_are(units, frequencies.astype(np.int64)), self.without(units, own[kept])]
        counts = np.concatenate([rest, without.count[:, mine].T[kept]]) / self._whole.unit
        return np.array([math.fsum(np.concatenate(factors) * column) for column in counts.T])

"""idf without each of some documents.

    N' = N - u,  df'(t) = df(t) - u for its own terms        u = the document's weight

N' changes the idf of every term, in the same way for all documents of one weight. So for each weight the sums over V
are made once, with the document frequencies as they are; then a document's own terms are taken out as they went in and
put in as they are without it. A term with more documents than there are without this one can only be a term of it; in
and out it counts as a term of all. Where little is left of a sum, digits would be lost: there it is made anew, by
document frequencies, in whole numbers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from likelier._base.numbers import Floats
from likelier._estimate.idf import idf
from likelier._evaluate.leaving.left import Units

if TYPE_CHECKING:
    from likelier._evaluate.leaving.held import Whole
    from likelier._evaluate.leaving.without import Without

LITTLE = 1e-3  # of a sum; less than that is made anew


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

"""What absent terms add under the Bernoulli model, for each document by the counts without it.

    absent(c) = sum of log(1 - P(t=1|c)) over V  -  the same over the terms of the document

A term that is not in the document has all its counts; only the numbers of documents are smaller. So the sum over V is
taken with the counts as they are, and the document's own terms are taken out of it as they went in, whatever becomes
of them. A term with more documents than there are without this one can only be a term of it; in and out it counts as
a term of all.
"""

from __future__ import annotations

import numpy as np

from likelier._base.numbers import Floats
from likelier._estimate import bernoulli
from likelier._estimate.reading import Named, Sums
from likelier._estimate.smoothing import Smoothing
from likelier._evaluate.leaving.held import Whole
from likelier._evaluate.leaving.vocabulary import Histogram, OverVocabulary
from likelier._evaluate.leaving.without import Without


class Absence:
    """The absent terms of documents under one estimator."""

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._smoothing = whole.estimator.smoothing
        self._all = OverVocabulary(whole, ("documents", "all_documents"), self._of_terms)

    def _of_terms(self, terms: Histogram, sums: Sums) -> Floats:  # (2, documents)
        absent = _absent(self._smoothing, sums, terms.count, terms.total, lambda _: terms.given)
        result: Floats = (absent * terms.times).sum(axis=-1)
        return result

    def of(self, without: Without) -> Floats:  # (labels, documents)
        """What is absent from each document."""
        held, bags, sums = without.held, without.bags, without.spread(without.sums)
        count, total = without.before / self._whole.unit, held.totals.take(bags.ids) / self._whole.unit
        own = _absent(self._smoothing, sums, count, total, lambda _: np.nan_to_num(held.given.take(bags.ids)))
        if not without.was_kept.all():
            own *= without.was_kept
        absent, required = self._all.of(without.sums) - bags.sums(own)
        if without.estimator.unknown == "unk":  # UNK is one more term, absent where nothing is unknown
            of_unk = bernoulli.absent(self._smoothing.ratio(without.unknown_evidence))
            absent += np.where((without.unknown == 0) & ~np.isneginf(of_unk), of_unk, 0.0)
        return np.where(required > 0.5, -np.inf, absent)


def _absent(smoothing: Smoothing, sums: Sums, count: Floats, total: Floats, named: Named) -> Floats:  # (2, ...)
    """What the absence of terms adds, and whether they are required: whether their absence is impossible."""
    count, total = np.minimum(count, sums.documents), np.minimum(total, sums.all_documents)
    absent = bernoulli.absent(smoothing.ratio(bernoulli.evidence(sums, count, total, named)))
    required = np.isneginf(absent)
    return np.stack([np.where(required, 0.0, absent), required])

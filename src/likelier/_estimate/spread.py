"""Sums over the whole vocabulary, by how many terms have the same counts.

Terms with the same counts have the same probability. So a sum over V is one over the different counts, each as many
times as there are terms that have it: exact, rounded once, and the same as `math.fsum` over all terms. The table keeps
the different counts up to date, so that a change costs no pass over the vocabulary.

    additive, m-estimate with uniform p    P(t|c) follows from the count under the label, or under all others
    smoothing by the whole corpus          from that and the count in all
    a mapping for p, idf                   from the term itself: there all terms are gone through
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from likelier._base.numbers import Floats
from likelier._counts.vocabulary import By
from likelier._estimate.evidence import Ratio
from likelier._estimate.smoothing import shape_of
from likelier._kernel import rounded_sums

if TYPE_CHECKING:
    from likelier._estimate.estimator import Estimator

Measure = Callable[[Ratio], Floats]


def over_vocabulary(estimator: Estimator, measure: Measure) -> tuple[Floats, Floats]:  # (labels,), (labels,)
    """The sum over V, UNK included, of what a measure says of P(t|c); what is infinite is left out and counted."""
    by = _by(estimator)
    labels = np.arange(len(estimator.labels), dtype=np.uint32)
    if by is None:
        values = measure(estimator.kept_ratio).T.reshape(-1)
        which = np.repeat(labels, len(values) // len(labels))
        times = np.ones(len(values), dtype=np.uint64)
    else:
        spread = estimator.reading.vocabulary.spread(by)
        which, times = spread.which, spread.times
        values = measure(_ratio(estimator, by, which, spread.count, spread.total))
    if estimator.unknown == "unk":
        ends = np.searchsorted(which, labels, side="right")
        values = np.insert(values, ends, measure(estimator.unknown_ratio())[0])
        which, times = np.insert(which, ends, labels), np.insert(times, ends, np.uint64(1))
    of_infinite = np.zeros(len(labels))
    if (infinite := np.isinf(values)).any():
        of_infinite = np.bincount(which[infinite], times[infinite], minlength=len(labels)).astype(np.float64)
        values[infinite] = 0.0
    return rounded_sums(values, which, times, len(labels)), of_infinite


def _by(estimator: Estimator) -> By | None:
    """What the probabilities of terms follow from; None: from the terms themselves."""
    follows = shape_of(estimator.smoothing).follows
    if estimator.reading.idf is not None or follows == "term":
        return None
    if follows == "own":
        if estimator.event_name != "complement":
            return "own"
        if estimator.reading.unit == 1:  # else a difference of rounded numbers is not the rounded difference
            return "elsewhere"
    return "both"


def _ratio(estimator: Estimator, by: By, which: np.ndarray, count: np.ndarray, total: np.ndarray) -> Ratio:  # (counts,)
    sums, unit = estimator.sums, estimator.reading.unit
    of_labels = replace(
        sums,
        documents=sums.documents.take(which),
        total=sums.total.take(which),
        seen=sums.seen.take(which),
        seen_elsewhere=sums.seen_elsewhere.take(which),
    )
    own = np.zeros(len(count)) if by == "elsewhere" else count / unit
    in_all = count / unit if by == "elsewhere" else total / unit
    return estimator.smoothing.ratio(estimator.event.evidence(of_labels, own, in_all, _no_names))


def _no_names(given: object) -> NoReturn:
    raise AssertionError("terms with the same counts have no name")

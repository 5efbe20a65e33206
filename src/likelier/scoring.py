"""Texts to log scores, one at a time or in batches, with the same numbers.

A batch estimates the weights of the whole vocabulary once and lets the kernel add them up. A single text, asked right
after the counts changed, estimates only its own terms, so that learning and asking in turn stays quick whatever the
size of the model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._kernel import Analysis
from likelier.estimate.estimator import Estimator
from likelier.estimate.evidence import Floats
from likelier.text.texts import Texts, surrogate_error, text_at

Ints = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Scores:
    """Log scores, and how many terms of each text are known and unknown."""

    values: Floats  # (documents, labels)
    known: Ints  # (documents,)
    unknown: Ints


@dataclass(frozen=True, slots=True)
class Bag:
    """One text as the estimator sees it: known terms in order of first sight, and the unknown ones."""

    ids: Ints  # (known,)
    times: Ints  # how often the weight of each is added
    times_in_text: int  # how often any known term stands in the text
    unknown: list[str]
    unknown_times: list[int]

    def unknown_total(self, estimator: Estimator) -> int:
        """How often the weight of an unknown term is added."""
        occurrences, distinct = np.array([sum(self.unknown_times), len(self.unknown)], dtype=np.uint32)
        return int(estimator.unknown_times(occurrences, distinct))


def bag(estimator: Estimator, text: str, analysis: Analysis) -> Bag:
    """One text's terms, split by whether this view knows them."""
    try:
        ids, times, new = estimator.reading.snapshot.table.bag(text, analysis)
    except UnicodeEncodeError:
        raise surrogate_error([text]) from None
    kept = estimator.reading.is_kept(ids)
    known_ids = estimator.reading.snapshot.ids
    rare = ids[~kept & (ids < known_ids)]
    names = dict(zip(rare.tolist(), estimator.reading.names(rare), strict=True))
    names.update(zip(ids[ids >= known_ids].tolist(), new, strict=True))
    unknown = [names[term_id] for term_id in ids[~kept].tolist()]
    used = np.ones_like(times[kept]) if estimator.once else times[kept]
    return Bag(ids[kept], used, int(times[kept].sum()), unknown, times[~kept].tolist())


def score_one(estimator: Estimator, found: Bag) -> Floats:  # (labels,)
    """The log scores of one text, from its own terms alone."""
    grown = len(found.unknown) if estimator.unknown == "grow" else 0
    columns = estimator.columns(estimator.ratio_of(found.ids, grown))
    steps = np.vstack([estimator.base, found.times[:, np.newaxis] * columns])
    sums = np.add.accumulate(steps)[-1:]  # one after the other, as the kernel adds
    occurrences, distinct = np.array([[sum(found.unknown_times)], [len(found.unknown)]], dtype=np.uint32)
    return np.asarray(estimator.finish(sums, occurrences, distinct)[0])


def score_few(estimator: Estimator, texts: list[str], analysis: Analysis) -> Scores:
    """The log scores of a few texts, one by one."""
    found = [bag(estimator, text, analysis) for text in texts]
    known = np.array([each.times_in_text for each in found], dtype=np.uint32)
    unknown = np.array([sum(each.unknown_times) for each in found], dtype=np.uint32)
    return Scores(np.array([score_one(estimator, each) for each in found]), known, unknown)


def score_batch(estimator: Estimator, texts: Texts, analysis: Analysis, threads: int) -> Scores:
    """The log scores of many texts."""
    weights = estimator.weights
    try:
        sums, known, unknown, distinct = estimator.counts.table.score(
            texts, analysis, weights.rows, weights.kept, weights.base, estimator.once, threads
        )
    except UnicodeEncodeError:
        assert isinstance(texts, list)  # columns are valid Unicode
        raise surrogate_error(texts) from None
    if estimator.unknown != "grow":
        return Scores(estimator.finish(sums, unknown, distinct), known, unknown)
    values = estimator.finish(sums, np.zeros_like(unknown), np.zeros_like(distinct))
    for row in np.flatnonzero(distinct).tolist():  # every likelihood is another when |V| grows
        values[row] = score_one(estimator, bag(estimator, text_at(texts, row), analysis))
    return Scores(values, known, unknown)

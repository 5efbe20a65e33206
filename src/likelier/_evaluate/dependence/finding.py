"""Which pairs are worth a closer look: those that repeat each other most."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._counts.term_counts import Counts
from likelier._evaluate.dependence.columns import Columns, count_together
from likelier._evaluate.dependence.information import Measures, degrees_of_pairs, is_sure, measures, of_pairs
from likelier._evaluate.dependence.source import Source
from likelier._evaluate.dependence.terms import Vocabulary, count_terms, frequent_terms, neighbours, words_only
from likelier._evaluate.dependence.together import Chosen, Together, most_pairs
from likelier._text.analyzer import Analyzer


@dataclass(frozen=True)
class Candidate:
    """Two columns, or two terms of the text column `column`.

    units   (labels, first, second) how often each pair of values stands under each label
    sample  how many documents there are where chance is concerned
    tested  how many pairs were looked at
    """

    first: str
    second: str
    column: str | None
    units: NDArray[np.uint64]
    sample: float
    tested: int

    @cached_property
    def repeated(self) -> float:
        """What one repeats of the other."""
        return self._measures.repeated(self.sample)

    @cached_property
    def _measures(self) -> Measures:
        return measures(self.units.astype(np.float64))

    @cached_property
    def rank(self) -> tuple[bool, float, str, str]:
        """What is beyond chance and repeats most comes first; equal ones by name."""
        return not is_sure(self._measures, self.sample, self.tested), -self.repeated, self.first, self.second


def of_columns(source: Source, columns: Columns, most: int) -> list[Candidate]:
    """The pairs of columns."""
    if len(columns.values) < 2:
        return []
    together = count_together(source, columns)
    starts = np.concatenate([[0], np.cumsum([len(found) for found in columns.values.values()])])
    places = {name: slice(start, end) for name, start, end in zip(columns.values, starts, starts[1:], strict=False)}
    found, tested = [], len(columns.values) * (len(columns.values) - 1) // 2
    for first, second in combinations(columns.values, 2):
        table = together.sums[:, places[first], places[second]].astype(np.float64)
        sample = _sample(source, together, float(table.sum()))
        found.append(Candidate(first, second, None, table.astype(np.uint64), sample, tested))
    return sorted(found, key=lambda each: each.rank)[:most]


def of_terms(source: Source, column: str, analyzer: Analyzer, terms: int, most: int, threads: int) -> list[Candidate]:
    """The pairs of terms of a text column that stand together more often than chance would have it.

    First all pairs of terms with the labels left aside, for there may be many labels; then the best of them by label.
    """
    names = frequent_terms(source, column, analyzer, terms, threads)
    if len(names) < 2:
        return []
    vocabulary, labels = Vocabulary(names, words_only(analyzer)), len(source.model.labels)
    pooled = Together(len(names), 1, source.weighted)
    count_terms(source, column, vocabulary, pooled, threads)
    chosen = Chosen(len(names), *_strongest(pooled, most_pairs(labels)), labels)
    count_terms(source, column, vocabulary, chosen, threads)
    first, second = chosen.first, chosen.second
    sample = _sample(source, pooled, float(pooled.documents.sum()))
    nats, shares = of_pairs(chosen.alone, chosen.both, chosen.documents, first, second)
    excess = nats - degrees_of_pairs(chosen.alone, chosen.documents, first, second) / (2 * max(sample, 1e-300))
    together = np.flatnonzero(chosen.both.sum(axis=0) > _by_chance(chosen))
    found = []
    for each in together[np.argsort(-(excess * shares)[together], kind="stable")][:most].tolist():
        one, two = int(first[each]), int(second[each])
        units = _presence(chosen.documents, chosen.alone[:, one], chosen.alone[:, two], chosen.both[:, each])
        found.append(Candidate(names[one], names[two], column, units, sample, len(names) * (len(names) - 1) // 2))
    return found


def _strongest(pooled: Together, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs that repeat each other most when the labels are left aside."""
    first, second = np.triu_indices(pooled.sums.shape[1], 1)
    alone = np.diagonal(pooled.sums[0]).astype(np.float64)
    both = pooled.sums[0][first, second].astype(np.float64)
    likely = both * float(pooled.documents.sum()) > alone[first] * alone[second]
    first, second, both = first[likely], second[likely], both[likely]
    nats, shares = of_pairs(alone[np.newaxis], both[np.newaxis], pooled.documents, first, second)
    order = np.argsort(-nats * shares, kind="stable")[:most]
    return first[order], second[order]


def _by_chance(chosen: Chosen) -> Floats:  # (pairs,)
    """In how many documents both would stand if they were independent, given the label."""
    share = chosen.alone / np.maximum(chosen.documents, 1e-300)[:, np.newaxis]
    result: Floats = (share[:, chosen.first] * chosen.alone[:, chosen.second]).sum(axis=0)
    return result


def _presence(documents: Floats, a: Floats, b: Floats, both: Floats) -> NDArray[np.uint64]:  # (labels,) each
    """Two terms, each absent or present, from how often each stands and both do."""
    corners = [documents - a - b + both, b - both, a - both, both]
    return np.stack(corners, axis=1).reshape(-1, 2, 2).astype(np.uint64)


def _sample(source: Source, together: Together, units: float) -> float:
    """Whole weights stand for so many documents; others weigh documents, and each is one."""
    if source.model.counts.unit == 1:
        return units
    return together.rows * units / max(float(together.documents.sum()), 1e-300)


def of_neighbours(counts: Counts, column: str, terms: int, most: int) -> list[Candidate]:
    """The pairs of neighbouring words that a model has counted; from its counts alone."""
    documents = counts.snapshot.documents.astype(np.float64)
    sample = float(documents.sum()) / counts.unit
    found, pairs = [], list(neighbours(counts, terms))
    for first, second, numbers in pairs:
        both, a, b = numbers.astype(np.float64)
        units = _presence(documents, a, b, both)
        found.append(Candidate(first, second, column, units, sample, len(pairs)))
    return sorted(found, key=lambda each: each.rank)[:most]

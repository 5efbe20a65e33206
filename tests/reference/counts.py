"""Counts and scores in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from reference.weights import UNIT
from reference.weights import base as units


def bag(terms: Iterable[str]) -> dict[str, int]:
    """How often each term, in order of first sight."""
    times: dict[str, int] = {}
    for term in terms:
        times[term] = times.get(term, 0) + 1
    return times


@dataclass
class Counts:
    """By label how many documents; by term and label how often (tf), in how many documents (df), and what it weighs."""

    documents: Counter[int] = field(default_factory=Counter)
    tf: Counter[tuple[str, int]] = field(default_factory=Counter)
    df: Counter[tuple[str, int]] = field(default_factory=Counter)
    weighted: Counter[tuple[str, int]] = field(default_factory=Counter)

    def __add__(self, other: Counts) -> Counts:
        weighted = self.weighted + other.weighted
        return Counts(self.documents + other.documents, self.tf + other.tf, self.df + other.df, weighted)

    def __sub__(self, other: Counts) -> Counts:
        weighted = self.weighted - other.weighted
        return Counts(self.documents - other.documents, self.tf - other.tf, self.df - other.df, weighted)

    def holds(self, other: Counts) -> bool:
        """Can the other counts be subtracted, such that counts of documents are left?"""
        counted = other.documents <= self.documents and other.tf <= self.tf and other.df <= self.df
        if not (counted and other.weighted <= self.weighted):
            return False
        left = self - other
        cells = ((left.tf[cell], left.df[cell], left.weighted[cell], self.df[cell]) for cell in other.tf)
        return all(
            df <= tf and weighted <= UNIT * tf and (df > 0 or tf == 0 or before == 0)
            for tf, df, weighted, before in cells
        )

    def totals(self, label: int) -> tuple[int, int, int, int, int]:
        """Documents, sum of tf, sum of df, distinct terms, sum of what they weigh."""
        tf = [number for (_, of), number in self.tf.items() if of == label]
        df = [number for (_, of), number in self.df.items() if of == label and number > 0]
        weighted = [number for (_, of), number in self.weighted.items() if of == label]
        return self.documents[label], sum(tf), sum(df), len(df), sum(weighted)


def count(
    documents: Iterable[tuple[Iterable[str], int, int]], weigh: Callable[[dict[str, int]], dict[str, int]] | None = None
) -> Counts:
    """The counts of documents, each given as its terms, its label and how many times it counts.

    weigh: what the terms of a bag weigh.

    >>> count([(["a", "b", "a"], 0, 1), (["a"], 0, 1)]).tf
    Counter({('a', 0): 3, ('b', 0): 1})
    """
    counts = Counts()
    for terms, label, weight in documents:
        counts.documents[label] += weight
        times_of = bag(terms)
        weighs = weigh(times_of) if weigh else {}
        for term, times in times_of.items():
            counts.tf[term, label] += times * weight
            counts.df[term, label] += weight
            counts.weighted[term, label] += weighs.get(term, 0) * weight
    return counts


def score(
    terms: Iterable[str],
    weights: dict[str, Sequence[float]],
    base: Sequence[float],
    *,
    scale: str = "count",
    skipped: Collection[str] = (),
) -> tuple[list[float], int, int, int, float]:
    """By label base + Σ factor · weight; known terms; unknown ones, how many distinct of these, and Σ factor of them.

    scale: what repeats are multiplied by: "count", "once" or "log"; they are still as many terms.
    skipped: terms that are as good as not there.

    >>> score(["a", "a", "z"], {"a": [0.5, 2.0]}, [1.0, 1.0])
    ([2.0, 5.0], 2, 1, 1, 1.0)
    """
    sums, known, unknown, weighed = list(base), 0, [], 0.0
    for term, times in bag(terms).items():
        factor = units(times, scale) / UNIT
        if term in skipped:
            continue
        if term not in weights:
            unknown.append(times)
            weighed += factor
            continue
        known += times
        sums = [so_far + factor * weight for so_far, weight in zip(sums, weights[term], strict=True)]
    return sums, known, sum(unknown), len(unknown), weighed

"""One column under a view: likelihoods, log ratios, the terms that tell a label from the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from likelier._answer.scores import Part
from likelier._base.checks import checked_k
from likelier._base.errors import error
from likelier._base.threads import reading
from likelier._columns.numbers import IntervalPart, NormalPart
from likelier._counts.term_counts import TermCounts
from likelier._documents.labels import Label
from likelier._estimate.estimator import Estimator
from likelier._estimate.gaussian import Normal
from likelier._kernel import Gate


class TopTerm(NamedTuple):
    """A term that tells a label from the others."""

    term: str
    telling: float  # log-likelihood ratio G² of the term's counts inside and outside the label (Dunning 1993)
    times: int | Fraction  # tf(t,c), or df(t,c) where repeats count once


class ColumnView:
    """One column under a view; terms are words of a text, values, or intervals."""

    def __init__(self, name: str, parts: Callable[[], Mapping[str, Part]], gate: Gate) -> None:
        """parts: those of the view as it is when it is asked."""
        self.name, self.gate = name, gate
        self._parts = parts

    @property
    def _part(self) -> Part:
        return self._parts()[self.name]

    @property
    @reading
    def estimator(self) -> Estimator:
        """The estimates behind the column; a normal distribution has none."""
        if (part := self._part).estimator is None:
            raise error("column-without-terms", name=self.name)
        return part.estimator

    @property
    def counts(self) -> TermCounts:
        """How often each term, value or interval was seen under each label."""
        return self.estimator.counts

    @property
    @reading
    def vocabulary_size(self) -> int:
        """How many outcomes there are under this view: without terms that are too rare, with UNK if there is one."""
        return int(self.estimator.sums_in_units.outcomes)

    @property
    def cuts(self) -> list[float]:
        """The cut points between the intervals of a numeric column."""
        if not isinstance(part := self._part, IntervalPart):
            raise error("column-without-cuts", name=self.name)
        return part.cuts

    def _normal(self) -> Normal:
        if not isinstance(part := self._part, NormalPart):
            raise error("column-without-mean", name=self.name)
        return part.normal

    @reading
    def mean(self, label: Label) -> float:
        """The mean of a numeric column under a label."""
        return float(self._normal().means[self._column(label)])

    @reading
    def variance(self, label: Label) -> float:
        """The variance of a numeric column under a label: maximum likelihood, and not below the floor."""
        return float(self._normal().variances[self._column(label)])

    def _column(self, label: Label) -> int:
        return self._part.counts.place(label)

    @reading
    def likelihood(self, term: str, label: Label) -> Fraction:
        """P(t|c), exact; for the Bernoulli model P(t=1|c), for the complement model P(t|not c)."""
        estimator, column = self.estimator, self._column(label)
        if estimator.knows(term):
            return estimator.exact.likelihood(term, column)
        if estimator.reading.skips(term):
            raise error("term-left-out", term=term)
        if estimator.unknown == "zero":
            return Fraction(0)
        if estimator.unknown == "ignore":
            raise error("term-unknown", term=term)
        return estimator.exact.likelihood(None, column, grown=estimator.unknown == "grow")

    @reading
    def log_ratios(self, label: Label, against: Label, k: int | None = None) -> dict[str, float]:
        """term → log P(t|label)/P(t|against), highest first. Terms that neither label can have are left out.

        k: only the k highest.
        """
        estimator, columns = self.estimator, [self._column(label), self._column(against)]
        kept = estimator.reading.kept_ids
        logs = estimator.weights_under(kept, columns)
        possible = ~np.isneginf(logs).all(axis=1)
        ratios = logs[possible, 0] - logs[possible, 1]
        ids = kept[possible]
        if k is not None and checked_k(k) < len(ratios):
            highest = ratios >= np.partition(ratios, -k)[-k] if k else np.zeros(len(ratios), dtype=bool)
            ids, ratios = ids[highest], ratios[highest]
        named = zip(estimator.reading.names(ids), ratios.tolist(), strict=True)
        return dict(sorted(named, key=lambda pair: (-pair[1], pair[0]))[:k])  # equal ones by name, not by first sight

    @reading
    def top_terms(self, label: Label, k: int = 10) -> list[TopTerm]:
        """The terms that tell this label from the others, most telling first."""
        k = checked_k(k)
        column, reading = self._column(label), self.estimator.reading
        ids, telling = self.estimator.telling.best(column, k)
        units = reading.snapshot.column(ids, column, "df" if self.estimator.once else "tf").tolist()
        found = zip(reading.names(ids), telling.tolist(), map(self.counts.number, units), strict=True)
        ranked = sorted(found, key=lambda each: (-each[1], each[0]))  # equal ones by name, not by first sight
        return [TopTerm(*each) for each in ranked[:k]]

    def __repr__(self) -> str:
        return f"<ColumnView of {self.name!r}>"


def most_telling(columns: Iterable[ColumnView], label: Label, k: int) -> list[TopTerm]:
    """The most telling terms and values of several columns, named with their column."""
    found = [each._replace(term=f"{one.name} {each.term}") for one in columns for each in one.top_terms(label, k)]
    return sorted(found, key=lambda each: (-each.telling, each.term))[:k]

"""Takes a score apart into its items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from likelier.counts.labels import Label
from likelier.estimate import bernoulli
from likelier.estimate.estimator import Estimator
from likelier.estimate.evidence import Floats
from likelier.estimate.smoothing import Formula, short
from likelier.explain.explanation import Explanation, Factor, Item, Kind
from likelier.scoring import Bag
from likelier.verdict import Verdict

Located = tuple[str, list[tuple[str, int, int]]]


def explanation(estimator: Estimator, located: Located, found: Bag, verdict: Verdict) -> Explanation:
    """The explanation of one text's verdict."""
    builder = _Builder(estimator, found)
    items = [builder.prior(), *builder.absent(), *builder.terms(), *builder.unknown()]
    text, spans = located
    return Explanation(text, spans, verdict, items, estimator.event_name, builder.exact_joint)


class _Builder:
    def __init__(self, estimator: Estimator, found: Bag) -> None:
        self.estimator = estimator
        self.found = found
        self.labels = estimator.labels
        self.names = estimator.reading.names(found.ids)
        self.grown = len(found.unknown) if estimator.unknown == "grow" else 0

    def _item(
        self, kind: Kind, name: str, times: int, weights: Floats, factors: dict[Label, Factor] | None = None
    ) -> Item:
        by_label = dict(zip(self.labels, weights.tolist(), strict=True))
        added = {label: times * weight if times else 0.0 for label, weight in by_label.items()}
        return Item(kind, name, times, by_label, added, factors or {})

    def _factors(self, make: Callable[[int], Factor]) -> dict[Label, Factor]:
        return {label: make(column) for column, label in enumerate(self.labels)}

    def prior(self) -> Item:
        def factor(column: int) -> Factor:
            value = self.estimator.exact.prior(column)
            sums = self.estimator.reading.sums
            unit = self.estimator.counts.unit
            if self.estimator.prior != "fitted":
                return Factor(Formula(short(value)), value)
            number, of = Fraction(int(sums.documents[column]), unit), Fraction(int(sums.all_documents), unit)
            return Factor(Formula(short(number), short(of)), value)

        return self._item("prior", "prior", 1, self.estimator.log_prior, self._factors(factor))

    def _factor_of(self, term: str | None) -> dict[Label, Factor]:
        def factor(column: int) -> Factor:
            exact = self.estimator.exact
            return Factor(exact.formula(term, column, self.grown), exact.likelihood(term, column, self.grown))

        return self._factors(factor)

    def terms(self) -> list[Item]:
        ratio = self.estimator.ratio_of(self.found.ids, self.grown)
        weights = self.estimator.term_weights(self.found.ids, self.grown)
        if self.estimator.absence:  # as the factor says it, not relative to the term's absence
            weights = bernoulli.weight(ratio)
        rows = zip(self.names, self.found.times.tolist(), weights, strict=True)
        return [self._item("term", name, times, row, self._factor_of(name)) for name, times, row in rows]

    def absent(self) -> list[Item]:
        """Bernoulli: the terms of V that the text lacks."""
        absence = self.estimator.absence
        if not absence:
            return []
        weights = absence.of_all - absence.of(self.found.ids)
        lacking = self.estimator.reading.size - len(self.found.ids)
        if self.estimator.unknown == "unk" and self.found.unknown:
            weights = weights - absence.of_unk
        elif self.estimator.unknown == "unk":
            lacking += 1
        weights = np.where(absence.missing(self.found.ids) > 0, -np.inf, weights)
        return [self._item("absent", f"{lacking} absent terms", 1, weights)]

    def unknown(self) -> list[Item]:
        if not self.found.unknown:
            return []
        times, name = self.found.unknown_total(self.estimator), ", ".join(self.found.unknown)
        weights = self.estimator.unknown_weight(self.grown or 1)
        if self.estimator.unknown in ("ignore", "zero"):
            return [self._item("unknown", name, times, weights)]
        if self.estimator.absence and self.estimator.unknown == "unk":
            weights = weights + self.estimator.absence.of_unk
        return [self._item("unknown", name, times, weights, self._factor_of(None))]

    # ---- exact ---------------------------------------------------------------------------------------------------

    def exact_joint(self) -> dict[Label, Fraction]:
        """P(c) times every factor."""
        return {label: self._joint(column) for column, label in enumerate(self.labels)}

    def _joint(self, column: int) -> Fraction:
        estimator = self.estimator
        joint = estimator.exact.prior(column)
        sign = -1 if estimator.event_name == "complement" else 1
        for name, times in zip(self.names, self.found.times.tolist(), strict=True):
            joint *= estimator.exact.likelihood(name, column, self.grown) ** (sign * times)
        if self.found.unknown and estimator.unknown == "zero":
            return Fraction(0)
        if self.found.unknown and estimator.unknown != "ignore":
            unseen = estimator.exact.likelihood(None, column, self.grown)
            joint *= unseen ** (sign * self.found.unknown_total(estimator)) if unseen else 0
        return joint * self._absent_joint(column) if estimator.absence else joint

    def _absent_joint(self, column: int) -> Fraction:
        """Terms with the same counts have the same probability, so that each is worked out once."""
        reading, joint = self.estimator.reading, Fraction(1)
        present = set(self.found.ids.tolist())
        absent = np.array([i for i in reading.kept_ids.tolist() if i not in present], dtype=np.uint32)
        rows = reading.snapshot.rows(absent, reading.statistic)
        alike = Counter(map(bytes, rows))
        example = dict(zip(map(bytes, rows), reading.names(absent), strict=True))
        for row, times in alike.items():
            joint *= (1 - self.estimator.exact.likelihood(example[row], column)) ** times
        if self.estimator.unknown == "unk" and not self.found.unknown:
            joint *= 1 - self.estimator.exact.likelihood(None, column)
        return joint

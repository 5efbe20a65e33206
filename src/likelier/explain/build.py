"""Takes a score apart into its items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from likelier.counts.labels import Label
from likelier.errors import SettingError
from likelier.estimate.absence import columns
from likelier.estimate.estimator import Estimator
from likelier.estimate.evidence import Floats
from likelier.estimate.smoothing import Formula, short
from likelier.explain.explanation import Explanation, Factor, Item, Kind
from likelier.scoring import Bag
from likelier.verdict import Verdict

MakeFactor = Callable[[int], Factor]
Located = tuple[str, list[tuple[str, int, int]]]


def explanation(estimator: Estimator, located: Located, found: Bag, verdict: Verdict) -> Explanation:
    """The explanation of one text's verdict."""
    builder = _Builder(estimator, found)
    items = [builder.prior(), *builder.terms(), *builder.absent(), *builder.unknown()]
    text, spans = located
    return Explanation(text, spans, verdict, items, estimator.event_name, estimator.normalize, builder.exact_joint)


class _Builder:
    def __init__(self, estimator: Estimator, found: Bag) -> None:
        self.estimator = estimator
        self.found = found
        self.labels = estimator.labels
        self.names = estimator.reading.names(found.ids)
        self.grown = len(found.unknown) if estimator.unknown == "grow" else 0

    def _item(
        self, kind: Kind, name: str, weights: Floats, factor: MakeFactor | None, *, terms: int = 1, times: int = 1
    ) -> Item:
        by_label = dict(zip(self.labels, weights.tolist(), strict=True))
        added = {label: times * weight if times else 0.0 for label, weight in by_label.items()}

        def factors() -> dict[Label, Factor]:
            return {} if factor is None else {label: factor(column) for column, label in enumerate(self.labels)}

        return Item(kind, name, terms, times, by_label, added, factors)

    def prior(self) -> Item:
        def factor(column: int) -> Factor:
            value = self.estimator.exact.prior(column)
            if self.estimator.prior != "fitted":
                return Factor(Formula(short(value)), value)
            sums = self.estimator.reading.sums
            number, of = (self.estimator.counts.number(n) for n in (sums.documents[column], sums.all_documents))
            return Factor(Formula(short(number), short(of)), value)

        return self._item("prior", "prior", self.estimator.log_prior, factor, terms=0)

    def _factor_of(self, term: str | None) -> MakeFactor:
        exact, grown = self.estimator.exact, self.grown
        return lambda column: Factor(exact.formula(term, column, grown), exact.likelihood(term, column, grown))

    def terms(self) -> list[Item]:
        weights = self.estimator.weight(self.estimator.ratio_of(self.found.ids, self.grown))
        rows = zip(self.names, self.found.times.tolist(), weights, strict=True)
        return [self._item("term", name, row, self._factor_of(name), times=times) for name, times, row in rows]

    def absent(self) -> list[Item]:
        """Bernoulli: the terms of V that the text lacks."""
        if not self.estimator.absence:
            return []
        rows = columns(self.estimator.ratio_of(self.found.ids))
        none = np.zeros(2 * len(self.labels))
        present, required = np.split(np.add.accumulate(np.vstack([none, rows]))[-1:], 2, axis=1)
        unknown = np.array([len(self.found.unknown)], dtype=np.uint32)
        weights = self.estimator.absence.of_texts(present, required, unknown)[0]
        lacking = self.estimator.reading.size - len(self.found.ids)
        lacking += self.estimator.unknown == "unk" and not self.found.unknown
        return [self._item("absent", f"{lacking} absent terms", weights, None, terms=lacking)]

    def unknown(self) -> list[Item]:
        if not self.found.unknown:
            return []
        names, times = self.found.unknown, self.found.unknown_total(self.estimator)
        factor = None if self.estimator.unknown in ("ignore", "zero") else self._factor_of(None)
        weights = self.estimator.unknown_weight(len(names))
        return [self._item("unknown", ", ".join(names), weights, factor, terms=len(names), times=times)]

    # ---- exact ---------------------------------------------------------------------------------------------------

    def exact_joint(self) -> dict[Label, Fraction]:
        """P(c) times every factor."""
        if self.estimator.normalize:
            raise SettingError(
                code="normalized-not-exact",
                message="normalised complement weights are no logarithms of fractions, so there is no exact product",
                hint="view(event='complement', normalize=False)",
            )
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

"""Views in plain Python: from documents to likelihoods and scores, by definition and as slow as it likes.

    documents ──count──▶ n(t,c) * idf(t) over V ──smooth──▶ P(t|c) ──sum of times * idf * log P──▶ scores

Every number is a fraction, up to the logarithms; the idf of a term is the fraction that its float is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from reference.weights import UNIT, base, learned

UNK = "\0UNK"  # no text has it
ZERO = Fraction(0)


@dataclass(frozen=True)
class Document:
    """Its terms as they are counted, those that its length is made of, its label and its weight."""

    terms: Sequence[str]
    own: Collection[str]
    label: str
    weight: Fraction = Fraction(1)


@dataclass
class View:
    """Documents under settings. `orders`: the fewest and the most words of a term that is read; None: all."""

    documents: Sequence[Document]
    event: str = "multinomial"
    smoothing: Any = None
    unknown: str = "ignore"
    min_count: float = 1
    normalize: bool = False
    weighting: str = "count"
    idf: bool = False
    orders: tuple[int, int] | None = None
    stop_words: Collection[str] = ()
    tf: Counter[tuple[str, str]] = field(default_factory=Counter)
    df: Counter[tuple[str, str]] = field(default_factory=Counter)
    weighed: Counter[tuple[str, str]] = field(default_factory=Counter)
    of_label: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        once = self.event in ("binary", "bernoulli")
        self.weighting = "once" if once else self.weighting
        for document in self.documents:
            self.of_label[document.label] += document.weight  # type: ignore[assignment]
            bag = Counter(document.terms)
            units = learned(bag, self.weighting, document.own)
            for term, times in bag.items():
                cell = term, document.label
                self.tf[cell] += times * document.weight  # type: ignore[assignment]
                self.df[cell] += document.weight  # type: ignore[assignment]
                self.weighed[cell] += Fraction(units[term], UNIT) * document.weight  # type: ignore[assignment]
        self.labels = sorted(self.of_label)
        self.counted = {term for term, _ in self.tf}
        self.skipped = {term for term in self.counted if term in self.stop_words or not self._is_asked_for(term)}
        self.rare = {term for term in self.counted - self.skipped if self._is_rare(term)}
        self.vocabulary = self.counted - self.skipped - self.rare
        self.outcomes = self.vocabulary | ({UNK} if self.unknown == "unk" else set())

    def _is_asked_for(self, term: str) -> bool:
        return self.orders is None or self.orders[0] <= 1 + term.count(" ") <= self.orders[1]

    def _is_rare(self, term: str) -> bool:
        return self.min_count > 1 and sum(self.tf[term, label] for label in self.labels) < self.min_count

    # ---- counts --------------------------------------------------------------------------------------------------

    def idf_of(self, term: str) -> Fraction:
        """log((N + 1) / (df + 1)); what is not in the vocabulary has df 0."""
        if not self.idf:
            return Fraction(1)
        df = sum((self.df[term, label] for label in self.labels), ZERO) if term in self.vocabulary else ZERO
        return Fraction(math.log((float(sum(self.of_label.values())) + 1) / (float(df) + 1)))

    def count(self, term: str, label: str) -> Fraction:
        """What was counted, times idf; for UNK the sum of all rare terms."""
        if term == UNK:
            rare = self.rare if self.unknown == "unk" else ()
            return sum((Fraction(self.weighed[each, label]) for each in rare), ZERO)
        return Fraction(self.weighed[term, label]) * self.idf_of(term) if term in self.vocabulary else ZERO

    # ---- likelihoods ---------------------------------------------------------------------------------------------

    def likelihood(self, term: str, label: str, grown: int = 0) -> Fraction:
        """P(t|c); P(t|not c) for the complement model; P(t=1|c) for the Bernoulli model."""
        if self.event == "bernoulli":
            return self._presence(term, label)
        among = [other for other in self.labels if (other == label) != (self.event == "complement")]
        n = sum((self.count(term, other) for other in among), ZERO)
        total = sum((self.count(each, other) for each in self.outcomes for other in among), ZERO)
        seen = sum(any(self.count(each, other) for other in among) for each in self.outcomes)
        every = sum((self.count(each, other) for each in self.outcomes for other in self.labels), ZERO)
        share = sum((self.count(term, other) for other in self.labels), ZERO) / (every or 1)
        return self._smoothed(n, total, len(self.outcomes) + grown, seen, share)

    def _presence(self, term: str, label: str) -> Fraction:
        n, total = self.count(term, label), Fraction(self.of_label[label])
        share = sum((self.count(term, other) for other in self.labels), ZERO) / (sum(self.of_label.values()) or 1)
        return self._smoothed(n, total, 2, (n > 0) + (n < total), share)

    def _smoothed(self, n: Fraction, total: Fraction, outcomes: int, seen: int, share: Fraction) -> Fraction:
        rule = self.smoothing
        kind = type(rule).__name__
        if kind == "Additive":
            alpha = _as_written(rule.alpha)
            return (n + alpha) / ((total + alpha * outcomes) or 1)
        if kind == "MEstimate":
            m = _as_written(rule.m)
            expected = Fraction(1, outcomes or 1) if rule.p == "uniform" else share
            return (n + m * expected) / ((total + m) or 1)
        if kind == "JelinekMercer":
            own = _as_written(rule.weight) if total else ZERO
            return own * n / (total or 1) + (1 - own) * share
        assert kind == "AbsoluteDiscounting"
        d = _as_written(rule.discount)
        return (max(n - d, ZERO) + d * seen * share) / total if total else share

    # ---- scores --------------------------------------------------------------------------------------------------

    def scores(self, terms: Iterable[str]) -> tuple[dict[str, float], int, int]:
        """Label → log score; then how many terms are known, and how many unknown."""
        bag = {term: times for term, times in Counter(terms).items() if term not in self.skipped}
        known = {term: times for term, times in bag.items() if term in self.vocabulary}
        unknown = {term: times for term, times in bag.items() if term not in self.vocabulary}
        scores = {label: self._score(label, known, unknown) for label in self.labels}
        return scores, sum(known.values()), sum(unknown.values())

    def _score(self, label: str, known: dict[str, int], unknown: dict[str, int]) -> float:
        grown = len(unknown) if self.unknown == "grow" else 0
        norm = self._norm(label) if self.normalize else 1.0
        summands = [math.log(self.of_label[label] / sum(self.of_label.values()))]
        for term, times in known.items():
            summands.append(
                self._added(self.likelihood(term, label, grown), self._times(times), self.idf_of(term), norm)
            )
        if self.event == "bernoulli":
            absent = [1 - self.likelihood(term, label) for term in self.vocabulary - known.keys()]
            absent += [1 - self.likelihood(UNK, label)] if self.unknown == "unk" and not unknown else []
            summands += [math.log(each) if each else -math.inf for each in absent]
        return sum([*summands, self._of_unknown(label, unknown, grown, norm)])

    def _times(self, times: int) -> Fraction:
        return Fraction(base(times, self.weighting), UNIT)

    def _added(self, likelihood: Fraction, times: Fraction, idf: Fraction, norm: float) -> float:
        if times * idf == 0:
            return 0.0
        sign = -1 if self.event == "complement" else 1
        return sign * float(times * idf) * _log(likelihood) / norm if likelihood else -math.inf

    def _of_unknown(self, label: str, unknown: dict[str, int], grown: int, norm: float) -> float:
        if not unknown or self.unknown == "ignore":
            return 0.0
        possible = [self.likelihood(UNK, each, grown) for each in self.labels]
        if self.unknown == "zero" or not any(possible):
            return -math.inf
        times = sum((self._times(each) for each in unknown.values()), ZERO)
        if self.event == "bernoulli" and self.unknown == "unk":
            times = Fraction(1)
        return self._added(self.likelihood(UNK, label, grown), times, self.idf_of(UNK), norm)

    def _norm(self, label: str) -> float:
        """The sum of |log P| over V; terms whose idf is 0 say nothing."""
        told = [term for term in self.outcomes if self.idf_of(term)]
        return math.fsum(abs(_log(self.likelihood(term, label))) for term in told) or 1.0


def _log(number: Fraction) -> float:
    return math.log(number.numerator) - math.log(number.denominator) if number else -math.inf


def _as_written(number: Any) -> Fraction:
    return Fraction(str(number))

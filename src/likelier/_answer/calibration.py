"""The rules with few numbers: none, a discount; and those of older files: a temperature, Platt's.

    none         softmax of s_c                          what naive Bayes says
    discount     softmax of -(k d_c)^h                   k = w n^g, by how many known terms the document has
    temperature  softmax of -d_c^g / T                   d_c = how far label c is behind the best one
    Platt        softmax of -w d_c^g + b_c               for two labels the logistic function of w z + b, if g = 1

The words of a text repeat each other, so twice as many words are less than twice the evidence: under a discount each
counts less, the more there are. It knows what the evidence is apart from the prior, so without evidence it gives the
prior back. Its scores may have offsets, which belong to the prior.

With the power g = 1 the temperature is that of Guo et al. 2017, and Platt's rule that of Platt 1999, for more than two
labels in the form of Alexandari et al. 2020: one weight, an offset for each label.

No rule makes a label possible that was impossible, and none makes one impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from likelier._answer.posterior import checked_scores, distances, posterior, row_maxima
from likelier._base.checks import check_flag
from likelier._base.errors import error
from likelier._base.numbers import Floats, Ints, is_number
from likelier._documents.labels import Label, checked_labels, key

LARGEST = 1e9  # of a temperature, a weight, an offset; its inverse is the smallest
COMMON = 1000  # known terms of a document; most have fewer
FAR_OFF = 1e307  # a score that is finite, and so are sums of it


class Calibration(Protocol):
    """A rule that turns log scores into calibrated probabilities."""

    @property
    def name(self) -> str:
        """What to print."""

    def calibrated(
        self, scores: Floats, labels: Sequence[Label], *, log_prior: Floats | None = None, known: Ints | None = None
    ) -> Floats:
        """Log scores whose softmax is calibrated; decide by these, so that the label fits its probability.

        log_prior: of the labels, which is in the scores; zeros if not given
        known: how many known terms and values each document has; enough if not given
        """

    def apply(
        self, scores: Floats, labels: Sequence[Label], *, log_prior: Floats | None = None, known: Ints | None = None
    ) -> Floats:
        """The probabilities: each row sums to 1, or is 0 where every label is impossible."""
        with np.errstate(over="ignore"):  # too far to tell is infinitely far
            return posterior(self.calibrated(scores, labels, log_prior=log_prior, known=known))

    def not_covered(self, labels: Sequence[Label]) -> list[Label]:
        """The labels that were not there when the rule was fitted; a rule without labels covers all."""
        return []


@dataclass(frozen=True)
class NoCalibration(Calibration):
    """No calibration: the probabilities of naive Bayes.

    >>> NoCalibration().apply(np.array([[0.0, -2.0]]), ["ham", "spam"]).round(4).tolist()
    [[0.8808, 0.1192]]
    """

    @property
    def name(self) -> str:
        return "none"

    def calibrated(
        self, scores: Floats, labels: Sequence[Label], *, log_prior: Floats | None = None, known: Ints | None = None
    ) -> Floats:
        """The scores themselves."""
        return checked_scores(scores, labels)


@dataclass(frozen=True)
class Discount(Calibration):
    """Softmax of -d^bend, where d is how far a label is behind the best one in k (log prior + offset + evidence).

    k = weight n^power: each of n known terms counts less, the more there are. The order of labels is that of the sums;
    a bend below 1 is for many labels, where large distances say less than their size.

    A label that it does not know has the offset 0. With `without_prior` the log prior is left out of the sum.

    With fewer known terms than `least`, what the rule was fitted to, only the share n / least of log prior and offset
    is in the sum, the rest of the log prior is added behind, and k is at most 1 if it is not more with `least` terms.
    So without a known term the probabilities are the prior, and one term counts no more than naive Bayes says.

    >>> fitted = Discount(0.5, 0, 4, {"spam": 1.0})
    >>> prior, scores = np.log([0.75, 0.25]), np.array([[-2.0, -4.0]])
    >>> [fitted.apply(scores, ["ham", "spam"], log_prior=prior, known=[n]).round(4).tolist()[0] for n in (4, 2, 0)]
    [[0.6225, 0.3775], [0.7359, 0.2641], [0.75, 0.25]]
    """

    weight: float
    power: float
    least: float
    offsets: Mapping[Label, float] = field(default_factory=dict)
    bend: float = 1.0
    without_prior: bool = False

    def __post_init__(self) -> None:
        check_flag("without_prior", self.without_prior)
        ranges = (("weight", 1 / LARGEST, LARGEST), ("power", -1, 0), ("least", 1, LARGEST), ("bend", 0.01, 1))
        for name, low, high in ranges:
            if not _is_within(got := getattr(self, name), low, high):
                rule = f"a number from {low:g} to {high:g}"
                raise error("calibration-discount-range", name=name, rule=rule, got=got)
        offsets = _checked_offsets(self.offsets)
        if offsets is None:
            rule = "numbers from -1e9 to 1e9 by label"
            raise error("calibration-discount-range", name="offsets", rule=rule, got=self.offsets)
        numbers = {name: float(getattr(self, name)) for name in ("weight", "power", "least", "bend")}
        self.__dict__.update(numbers, offsets=offsets)

    @property
    def name(self) -> str:
        power = f", power {self.power:.4g}" if self.power else ""
        return f"discount, weight {self.weight:.4g}{power}{f', bend {self.bend:.4g}' if self.bend < 1 else ''}"

    def factors(self, known: float) -> tuple[float, float]:
        """k and h with this many known terms: what the sum is multiplied by, and how far the rule applies.

        >>> Discount(1.6, -0.5, 4).factors(16), Discount(1.6, -0.5, 4).factors(1)
        ((0.4, 1.0), (1.0, 0.25))
        """
        if known >= self.least:
            return self.weight * known**self.power, 1.0
        most = max(1.0, self.weight * self.least**self.power)
        return min(self.weight * max(known, 1) ** self.power, most), known / self.least

    def _factors_of(self, known: Floats | Ints) -> tuple[Floats, Floats]:  # (documents,) -> (documents, 1) each
        """`factors` of every document."""
        if known.dtype.kind in "iu" and known.max(initial=0) < COMMON:
            found = _common_factors(self.weight, self.power, self.least)[known]
        else:
            different, which = np.unique(known, return_inverse=True)
            found = np.array([self.factors(number) for number in different.tolist()]).reshape(-1, 2)[which]
        return found[:, :1], found[:, 1:]

    def offsets_of(self, labels: Sequence[Label]) -> Floats:  # (labels,)
        """The offset of each label."""
        return _offsets(self.offsets, labels)

    def calibrated(
        self, scores: Floats, labels: Sequence[Label], *, log_prior: Floats | None = None, known: Ints | None = None
    ) -> Floats:
        """k (h (log prior + offset) + evidence), bent, and 1 - h times the log prior."""
        values = checked_scores(scores, labels)
        prior = np.zeros(len(labels)) if log_prior is None else np.asarray(log_prior, dtype=np.float64)
        is_zero = prior == -np.inf
        prior = np.where(is_zero, 0.0, prior)
        added = self.added_to(prior, labels)
        factor, share = self._factors_of(np.full(len(values), self.least) if known is None else np.asarray(known))
        is_finite = len(values) and not is_zero.any() and np.abs(values).max() < FAR_OFF / LARGEST**2  # and stays so
        if is_finite and share.min() == 1:  # as for most documents
            found = factor * (values + added)
            return self.bent(found, row_maxima(found)) if self.bend < 1 else found
        found = self.discounted(values, prior, added, factor, share)
        impossible = None if is_finite else np.isneginf(values) | is_zero
        if impossible is not None:
            found = np.clip(found, -FAR_OFF, FAR_OFF)
            found[impossible] = -np.inf
        if self.bend < 1:
            found = self.bent(found, row_maxima(found))
        found = np.where(share == 0, prior, found + (1 - share) * prior)
        if impossible is not None:
            found[impossible] = -np.inf
        return found

    def added_to(self, log_prior: Floats, labels: Sequence[Label]) -> Floats:  # (labels,) or (documents, labels)
        """What is added to the scores of labels: their offsets, and minus the log prior where it is left out."""
        offsets = self.offsets_of(labels)
        return offsets - log_prior if self.without_prior else offsets

    def discounted(
        self, scores: Floats, log_prior: Floats, added: Floats, factor: Floats | float, share: Floats | float
    ) -> Floats:
        """k times the sum, for one document or many: the scores with what is added, less where few terms are known."""
        with np.errstate(over="ignore"):
            return np.asarray(factor * (scores + share * added - (1 - share) * log_prior))

    def bent(self, scores: Floats, highest: Floats | float) -> Floats:
        """-d^bend."""
        with np.errstate(over="ignore"):
            return -np.power(np.where(np.isneginf(highest), 0.0, highest) - scores, self.bend)

    def not_covered(self, labels: Sequence[Label]) -> list[Label]:
        """The labels without an offset, where others have one."""
        return missing(self.offsets, labels) if self.offsets else []


@dataclass(frozen=True)
class Temperature(Calibration):
    """Softmax of -d^power / value: above 1 it is less sure than naive Bayes. The order of labels stays.

    >>> Temperature(2.0).apply(np.array([[0.0, -2.0]]), ["ham", "spam"]).round(4).tolist()
    [[0.7311, 0.2689]]
    """

    value: float
    power: float = 1.0

    def __post_init__(self) -> None:
        if not _is_within(self.value, 1 / LARGEST, LARGEST):
            raise error("temperature-range", got=self.value)
        _check_power(self.power)
        self.__dict__.update(value=float(self.value), power=float(self.power))

    @property
    def name(self) -> str:
        return f"temperature {self.value:.4g}{_with_power(self.power)}"

    def calibrated(
        self, scores: Floats, labels: Sequence[Label], *, log_prior: Floats | None = None, known: Ints | None = None
    ) -> Floats:
        """-d^power / value."""
        with np.errstate(over="ignore"):
            return -(distances(checked_scores(scores, labels)) ** self.power) / self.value


@dataclass(frozen=True)
class Platt(Calibration):
    """Softmax of -weight d^power + offset of the label. A label that it does not know has the offset 0.

    >>> fitted = Platt(0.5, {"ham": 0.25, "spam": -0.25})
    >>> fitted.apply(np.array([[0.0, -2.0]]), ["ham", "spam"]).round(4).tolist()
    [[0.8176, 0.1824]]
    """

    weight: float
    offsets: Mapping[Label, float]
    power: float = 1.0

    def __post_init__(self) -> None:
        if not _is_within(self.weight, 1 / LARGEST, LARGEST):
            raise error("platt-weight-range", got=self.weight)
        offsets = _checked_offsets(self.offsets)
        if offsets is None:
            raise error("platt-offsets-range", got=self.offsets)
        _check_power(self.power)
        self.__dict__.update(weight=float(self.weight), offsets=offsets, power=float(self.power))

    @property
    def name(self) -> str:
        return f"Platt, weight {self.weight:.4g}{_with_power(self.power)}"

    def offsets_of(self, labels: Sequence[Label]) -> Floats:  # (labels,)
        """The offset of each label."""
        return _offsets(self.offsets, labels)

    def calibrated(
        self, scores: Floats, labels: Sequence[Label], *, log_prior: Floats | None = None, known: Ints | None = None
    ) -> Floats:
        """-weight d^power + offset."""
        offsets = self.offsets_of(labels)
        with np.errstate(over="ignore"):
            return offsets - self.weight * distances(checked_scores(scores, labels)) ** self.power

    def not_covered(self, labels: Sequence[Label]) -> list[Label]:
        """The labels without an offset."""
        return missing(self.offsets, labels)


@lru_cache(maxsize=16)
def _common_factors(weight: float, power: float, least: float) -> Floats:  # (COMMON, 2)
    """The factors of a discount by the number of known terms."""
    rule = Discount(weight, power, least)
    return np.array([rule.factors(number) for number in range(COMMON)])


def missing(covered: Mapping[Label, Any], labels: Sequence[Label]) -> list[Label]:
    """The labels that are not among these; 1 and True are two labels."""
    known = set(keys(covered))
    return [label for label, name in zip(labels, keys(labels), strict=True) if name not in known]


def keys(labels: Iterable[Label]) -> list[str]:
    """A text for each label; 1 and True differ, "a" from Python and from NumPy do not."""
    return [key(label) for label in checked_labels(labels)]


def _is_within(number: object, low: float, high: float) -> bool:
    return is_number(number) and low <= number <= high  # type: ignore[operator]


def _offsets(given: Mapping[Label, float], labels: Sequence[Label]) -> Floats:  # (labels,)
    """The offset of each label; 0 where it has none."""
    if not given:
        return np.zeros(len(labels))
    known = dict(zip(keys(given), given.values(), strict=True))
    return np.array([known.get(label, 0.0) for label in keys(labels)])


def _checked_offsets(offsets: object) -> dict[Label, float] | None:
    """The offsets as floats; None where they are not numbers by label."""
    if not isinstance(offsets, Mapping) or not all(_is_within(each, -LARGEST, LARGEST) for each in offsets.values()):
        return None
    return dict(zip(checked_labels(offsets), map(float, offsets.values()), strict=True))


def _check_power(power: object) -> None:
    if not _is_within(power, 0.01, 1):
        raise error("calibration-power-range", got=power)


def _with_power(power: float) -> str:
    return "" if power == 1 else f", power {power:.4g}"

"""From counts to weights, under one event model, smoothing, prior and unknown-word policy.

A score is a sum:  base(c) + sum over the terms of a text of times(t) * weight(t,c) + what unknown terms add.
The base is the log prior; the Bernoulli model adds that every term of V is absent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from likelier.counts import Counts
from likelier.errors import SettingError
from likelier.estimate import bernoulli, binary, complement, multinomial
from likelier.estimate.evidence import Evidence, Floats, Ratio, Real, exact
from likelier.estimate.prior import Prior, log_priors, priors
from likelier.estimate.reading import Ids, Reading, Sums
from likelier.estimate.smoothing import AbsoluteDiscounting, Formula, MEstimate, Smoothing
from likelier.estimate.unknown import Unknown

Event = Literal["multinomial", "binary", "bernoulli", "complement"]
EVENTS = {"multinomial": multinomial, "binary": binary, "bernoulli": bernoulli, "complement": complement}


def check_event(event: object) -> None:
    """Whether there is such an event model."""
    if event not in get_args(Event):
        raise SettingError(
            code="event-unknown",
            message=f"`event` must be one of {', '.join(get_args(Event))}, got {event!r}",
            hint="'multinomial' counts every occurrence, 'bernoulli' asks for each term whether it is there",
        )


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything the kernel needs to score texts."""

    rows: Floats  # (all ids, labels)
    kept: NDArray[np.uint8]  # (all ids,)
    base: Floats  # (labels,)
    required: Floats | None  # (all ids, labels): 1 where a text without the term is impossible
    required_base: Floats | None  # (labels,): how many such terms there are


class Estimator:
    """One state of the counts, read under one set of settings."""

    def __init__(
        self,
        counts: Counts,
        *,
        event: Event,
        smoothing: Smoothing,
        prior: Prior,
        unknown: Unknown,
        min_count: float,
        normalize: bool,
    ) -> None:
        self.event_name: Event = event
        self.event = EVENTS[event]
        self.smoothing = smoothing
        self.prior = prior
        self.unknown: Unknown = unknown
        self.normalize = normalize
        self.counts = counts
        self.labels = counts.labels
        self.once: bool = self.event.ONCE
        self.reading = Reading(counts, self.event.STATISTIC, min_count, with_unk=unknown == "unk")
        self._check(min_count)

    def _check(self, min_count: float) -> None:
        if self.event.STATISTIC == "df" and not self.counts.has_df:
            raise SettingError(
                code="document-frequencies-missing",
                message=f"the {self.event_name} model needs in how many documents each term stands,"
                " and these counts come from a table without that",
                hint="Counts.from_table(table, documents, document_frequencies={...}), or event='multinomial'",
            )
        if self.is_bernoulli and self.unknown == "unk" and min_count > 1:
            raise SettingError(
                code="unk-needs-documents",
                message="how many documents hold any rare term is not a sum over terms,"
                " so UNK with min_count > 1 has no exact Bernoulli count",
                hint="unknown='ignore' drops the rare terms; event='binary' counts them one by one",
            )
        if isinstance(self.smoothing, AbsoluteDiscounting) and self.counts.unit != 1:
            raise SettingError(
                code="discount-needs-whole-counts",
                message="absolute discounting takes its discount from every count of 1 or more,"
                " and documents with weights that are not whole have smaller ones",
                hint="give whole weights, or smooth with alpha or JelinekMercer",
            )
        if isinstance(self.smoothing, MEstimate) and not isinstance(self.smoothing.p, str) and not self.is_bernoulli:
            self._check_given_sum(self.smoothing.p)
        if self.event_name == "complement" and self.smoothing.is_off:
            raise _complement_needs_smoothing()

    def _check_given_sum(self, given: Mapping[str, Real]) -> None:
        total = math.fsum(given.values())
        if abs(total - 1) > 1e-9:
            raise SettingError(
                code="p-sum",
                message=f"the probabilities of a mapping for `p` must sum to 1 over the vocabulary, got {total!r}",
                hint="divide each by their sum",
            )

    @property
    def is_bernoulli(self) -> bool:
        return self.event_name == "bernoulli"

    # ---- floats, for all labels ----------------------------------------------------------------------------------

    @cached_property
    def sums(self) -> Sums:
        return self._sums_in_units.floats(self.counts.unit)

    @cached_property
    def _sums_in_units(self) -> Sums:
        needs_elsewhere = self.event_name == "complement" and isinstance(self.smoothing, AbsoluteDiscounting)
        return self.reading.sums_with_elsewhere if needs_elsewhere else self.reading.sums

    @cached_property
    def log_prior(self) -> Floats:  # (labels,)
        return log_priors(self.counts, self.prior)

    def ratio(self, count: Floats, ids: Ids | None, grown: int = 0) -> Ratio:  # (terms, labels)
        """P(t|c) for terms with these counts; `ids` name them, None: they are unknown."""
        sums = self.sums.grown(grown) if grown else self.sums
        term_total = count.sum(axis=1, keepdims=True)
        return self.smoothing.ratio(self.event.evidence(sums, count, term_total, lambda given: self._given(given, ids)))

    def _given(self, given: Mapping[str, Real], ids: Ids | None) -> Floats:  # (terms, 1)
        if ids is None:
            return np.array([[float(given.get("UNK", 0))]])
        names = self.reading.names(ids)
        missing = [name for name in names if name not in given]
        if missing:
            raise SettingError(
                code="p-missing",
                message=f"a mapping for `p` names every term of the vocabulary, but not {missing[0]!r}"
                f" and {len(missing) - 1} more",
                hint="p='background' takes each term's share of the corpus",
            )
        return np.array([[float(given[name])] for name in names])

    def term_weights(self, ids: Ids, grown: int = 0) -> Floats:  # (ids, labels)
        """What one occurrence of each of these terms adds."""
        return self._weights_of(self.ratio(self.reading.rows(ids), ids, grown))

    def present_weights(self, ids: Ids) -> Floats:  # (ids, labels)
        """Bernoulli: log P(t=1|c), not relative to the term's absence."""
        return self.event.weight(self.ratio(self.reading.rows(ids), ids))

    def _weights_of(self, ratio: Ratio) -> Floats:
        weights = self.event.weight(ratio)
        if np.isposinf(weights).any():  # only the complement takes a logarithm with a minus sign
            raise _complement_needs_smoothing()
        if self.is_bernoulli:  # the base has the term as absent already
            absent = bernoulli.absent(ratio)
            return weights - np.where(np.isneginf(absent), 0.0, absent)
        return weights / self.norm if self.normalize else weights

    @cached_property
    def norm(self) -> Floats:  # (labels,)
        """For each label the sum of the absolute weights of the vocabulary, UNK included."""
        kept = np.flatnonzero(self.reading.kept).astype(np.uint32)
        weights = self.event.weight(self.ratio(self.reading.matrix[kept], kept))
        if self.unknown == "unk":
            weights = np.vstack([weights, self.event.weight(self.ratio(self._unk_row, None))])
        norm = np.array([math.fsum(np.abs(column)) for column in weights.T])
        return norm + (norm == 0)

    @cached_property
    def base(self) -> Floats:  # (labels,)
        return self.log_prior + self.all_absent if self.is_bernoulli else self.log_prior

    @cached_property
    def all_absent(self) -> Floats:  # (labels,)
        """Bernoulli: the sum of log(1 - P) over V, UNK included, without the terms that every document has.

        Summed exactly, so that the order of terms does not matter.
        """
        absent = self._absent_matrix
        if self.unknown == "unk":
            absent = np.vstack([absent, self.unk_absent])
        return np.array([math.fsum(column[~np.isneginf(column)]) for column in absent.T])

    @cached_property
    def unk_absent(self) -> Floats:  # (labels,)
        """Bernoulli: log(1 - P(UNK))."""
        return np.asarray(bernoulli.absent(self.ratio(self._unk_row, None))[0])

    @cached_property
    def _absent_matrix(self) -> Floats:  # (kept, labels)
        kept = np.flatnonzero(self.reading.kept).astype(np.uint32)
        return bernoulli.absent(self.ratio(self.reading.matrix[kept], kept))

    @cached_property
    def _unk_row(self) -> Floats:  # (1, labels)
        return (self.reading.unk_row / self.counts.unit)[np.newaxis, :]

    @cached_property
    def required_base(self) -> Floats | None:  # (labels,)
        """How many terms every document of the label has, where no smoothing allows for one without; None if none."""
        if not self.is_bernoulli:
            return None
        required: Floats = np.isneginf(self._absent_matrix).sum(axis=0).astype(np.float64)
        return required if required.any() else None

    def required(self, ids: Ids) -> Floats:  # (ids, labels)
        """1 where the term is one of those."""
        return np.isneginf(bernoulli.absent(self.ratio(self.reading.rows(ids), ids))).astype(np.float64)

    def unknown_weight(self, distinct: int = 1) -> Floats:  # (labels,)
        """What one unknown term adds, in a text with so many distinct ones."""
        if self.unknown == "ignore":
            return np.zeros(len(self.labels))
        if self.unknown == "zero":
            return np.full(len(self.labels), -np.inf)
        unk = self.unknown == "unk"
        row = self._unk_row if unk else np.zeros((1, len(self.labels)))
        ratio = self.ratio(row, None, grown=distinct if self.unknown == "grow" else 0)
        if not ratio.numerator.any():  # the smoothing leaves nothing for what was never seen
            return np.full(len(self.labels), -np.inf)
        weight = self._weights_of(ratio) if unk else self._unknown_present(ratio)
        return np.asarray(weight[0])

    def _unknown_present(self, ratio: Ratio) -> Floats:
        # Outside V there is no absence to take back.
        return self.event.weight(ratio) if self.is_bernoulli else self._weights_of(ratio)

    @cached_property
    def weights(self) -> Weights:
        """For every term of the table."""
        reading = self.reading
        kept = np.flatnonzero(reading.kept).astype(np.uint32)
        rows = np.zeros((reading.snapshot.ids, len(self.labels)))
        ratio = self.ratio(reading.matrix[kept], kept)
        rows[kept] = self._weights_of(ratio)
        required = None
        if self.required_base is not None:
            required = np.zeros_like(rows)
            required[kept] = np.isneginf(bernoulli.absent(ratio))
        return Weights(rows, reading.kept.astype(np.uint8), self.base, required, self.required_base)

    # ---- fractions, for one label --------------------------------------------------------------------------------

    def exact_prior(self, column: int) -> Fraction:
        return priors(self.counts, self.prior)[column]

    def exact_ratio(self, term: str | None, column: int, grown: int = 0) -> Ratio:
        """P(t|c) as a fraction; None stands for an unknown term, or UNK."""
        return self.smoothing.exact().ratio(self.exact_evidence(term, column, grown))

    def formula(self, term: str | None, column: int, grown: int = 0) -> Formula:
        """The same with its numbers put in."""
        return self.smoothing.exact().formula(self.exact_evidence(term, column, grown))

    def exact_evidence(self, term: str | None, column: int, grown: int = 0) -> Evidence:
        """What is known of one term under one label, in fractions."""
        unit, row = self.counts.unit, self._row_in_units(term)
        return self.event.evidence(
            self._sums_in_units.column(column, unit).grown(grown),
            Fraction(int(row[column]), unit),
            Fraction(int(row.sum()), unit),
            lambda given: exact(given.get("UNK" if term is None else term, 0)),
        )

    def _row_in_units(self, term: str | None) -> NDArray[np.uint64]:
        if term is None:
            return self.reading.unk_row if self.unknown == "unk" else np.zeros(len(self.labels), dtype=np.uint64)
        term_id = self.counts.find(term)
        assert term_id is not None
        return self.reading.snapshot.rows(np.array([term_id], dtype=np.uint32), self.reading.statistic)[0]

    def knows(self, term: str) -> bool:
        """Whether the term is in this vocabulary."""
        term_id = self.counts.find(term)
        return term_id is not None and bool(self.reading.is_kept(np.array([term_id], dtype=np.uint32))[0])


def _complement_needs_smoothing() -> SettingError:
    return SettingError(
        code="complement-needs-smoothing",
        message="without smoothing, a term that was seen under one label only would have infinite weight",
        hint="give alpha more than 0, or another smoothing that leaves no zeros",
    )


def posterior(scores: Floats) -> Floats:  # (documents, labels) -> (documents, labels)
    """P(c|d) = 1 / (1 + sum over other labels of exp(q_c' - q_c)); 0 for all where every score is minus infinity.

    >>> posterior(np.array([[0.0, 0.0], [-1000.0, -1000.0 + np.log(3.0)], [-np.inf, -np.inf]])).round(12).tolist()
    [[0.5, 0.5], [0.25, 0.75], [0.0, 0.0]]
    """
    highest = scores.max(axis=1, keepdims=True)
    relative = np.exp(scores - np.where(np.isneginf(highest), 0.0, highest))
    total = relative.sum(axis=1, keepdims=True)
    return relative / (total + (total == 0))

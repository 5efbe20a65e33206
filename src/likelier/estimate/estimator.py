"""From the counts of one column to weights, under one event model, smoothing and unknown-word policy.

What a text adds to a score is a sum:  sum over its terms of times(t) * weight(t,c) + absent terms + unknown terms.
Only the Bernoulli model has absent terms; its weights have three columns for each label, see `absence.columns`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likelier.counts import Counts
from likelier.counts.snapshot import row_sums
from likelier.errors import SettingError
from likelier.estimate import bernoulli, binary, complement, multinomial
from likelier.estimate.absence import Absence, columns
from likelier.estimate.evidence import Floats, Ints, Ratio, Real
from likelier.estimate.exact import Exact
from likelier.estimate.fitting import Event, check_combination, check_counts, complement_needs_smoothing
from likelier.estimate.reading import Ids, Reading, Sums
from likelier.estimate.smoothing import AbsoluteDiscounting, Smoothing
from likelier.estimate.unknown import Unknown

UNK = "UNK"
EVENTS = {"multinomial": multinomial, "binary": binary, "bernoulli": bernoulli, "complement": complement}


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything the kernel needs to add up."""

    rows: Floats  # (all ids, columns)
    kept: NDArray[np.uint8]  # (all ids,)


class Estimator:
    """One state of the counts, read under one set of settings."""

    def __init__(
        self,
        counts: Counts,
        *,
        event: Event,
        smoothing: Smoothing,
        unknown: Unknown,
        min_count: float,
        normalize: bool,
        declared: Sequence[str] = (),
        closed: bool = False,
    ) -> None:
        """declared: outcomes that there are although they may not have been seen; for columns of values.

        closed: there is no other, so that UNK is one only if it holds some that are too rare.
        """
        self.event_name: Event = event
        self.event = EVENTS[event]
        self.smoothing = smoothing
        self.unknown: Unknown = unknown
        self.normalize = normalize
        self.counts = counts
        self.labels = counts.labels
        self.once: bool = self.event.ONCE
        self.reading = Reading(counts, self.event.STATISTIC, min_count, with_unk=unknown == "unk")
        self.absence = Absence(self) if event == "bernoulli" else None
        self.declared = frozenset(declared)
        self.closed = closed
        self.unseen = sum(counts.find(value) is None for value in self.declared)
        check_counts(counts, event, smoothing)
        check_combination(event, smoothing, unknown, min_count)

    @cached_property
    def exact(self) -> Exact:
        """The same in fractions."""
        return Exact(self)

    @cached_property
    def sums(self) -> Sums:
        return self.sums_in_units.floats(self.counts.unit)

    @cached_property
    def sums_in_units(self) -> Sums:
        needs_elsewhere = self.event_name == "complement" and isinstance(self.smoothing, AbsoluteDiscounting)
        sums = self.reading.sums_with_elsewhere if needs_elsewhere else self.reading.sums
        spare = self.closed and self.reading.with_unk and not self.reading.unk_row.any()
        return sums.grown(self.unseen - spare) if self.unseen != spare else sums

    def ratio(self, count: Floats, names: Callable[[], list[str]], grown: int = 0) -> Ratio:  # (terms, labels)
        """P(t|c) for terms with these counts and names."""
        sums = self.sums.grown(grown) if grown else self.sums
        term_total = row_sums(count)[:, np.newaxis]
        return self.smoothing.ratio(
            self.event.evidence(sums, count, term_total, lambda given: self._given(given, names()))
        )

    def _given(self, given: Mapping[str, Real], names: list[str]) -> Floats:  # (terms, 1)
        if names == [UNK]:
            return np.array([[float(given.get(UNK, 0))]])
        missing = [name for name in names if name not in given]
        if missing:
            raise SettingError(
                code="p-missing",
                message=f"a mapping for `p` names every term of the vocabulary, but not {missing[0]!r}"
                f" and {len(missing) - 1} more",
                hint="p='background' takes each term's share of the corpus",
            )
        return np.array([float(given[name]) for name in names]).reshape(-1, 1)

    def ratio_of(self, ids: Ids, grown: int = 0) -> Ratio:  # (ids, labels)
        """P(t|c) for these terms."""
        return self.ratio(self.reading.rows(ids), lambda: self.reading.names(ids), grown)

    def knows(self, term: str) -> bool:
        """Whether the term is in the vocabulary of this view, or a declared value."""
        if self.counts.find(term) is None:
            return term in self.declared
        return self.reading.knows(term)

    def unseen_ratio(self, value: str) -> Ratio:  # (1, labels)
        """P(v|c) for a declared value that was never seen."""
        return self.ratio(np.zeros((1, len(self.labels))), lambda: [value])

    @cached_property
    def kept_ratio(self) -> Ratio:  # (kept, labels)
        """P(t|c) for the whole vocabulary, in order of ids."""
        ids = self.reading.kept_ids
        return self.ratio(self.reading.matrix[ids], lambda: self.reading.names(ids))

    def unknown_ratio(self, grown: int = 0) -> Ratio:  # (1, labels)
        """P(t|c) for an unknown term, or for UNK."""
        row = self.reading.unk_row if self.unknown == "unk" else np.zeros(len(self.labels))
        return self.ratio((row / self.counts.unit)[np.newaxis, :], lambda: [UNK], grown)

    def columns(self, ratio: Ratio) -> Floats:  # (terms, labels) -> (terms, columns)
        """What one occurrence of each term adds, and for the Bernoulli model what its absence would."""
        return np.hstack([self.weight(ratio), columns(ratio)]) if self.absence else self.weight(ratio)

    def weight(self, ratio: Ratio) -> Floats:  # (terms, labels)
        """What one occurrence of each term adds."""
        weights = self.event.weight(ratio)
        if np.isposinf(weights).any():  # only the complement takes a logarithm with a minus sign
            raise complement_needs_smoothing()
        return weights / self.norm if self.normalize else weights

    @cached_property
    def norm(self) -> Floats:  # (labels,)
        """For each label the sum of the absolute weights of the vocabulary, UNK included."""
        weights = self.event.weight(self.kept_ratio)
        if self.unknown == "unk":
            weights = np.vstack([weights, self.event.weight(self.unknown_ratio())])
        norm = np.array([math.fsum(np.abs(column)) for column in weights.T])
        return norm + (norm == 0)

    def base(self, start: Floats) -> Floats:  # (documents, labels) -> (documents, columns)
        """Where the sums start, for scores that start there."""
        return np.hstack([start, np.zeros((len(start), 2 * len(self.labels)))]) if self.absence else start

    def finish(self, sums: Floats, unknown: Ints, distinct: Ints) -> Floats:  # (documents, columns) -> (…, labels)
        """Log scores from what was added up, and how many unknown terms each text has."""
        scores, present, required = np.split(sums, 3, axis=1) if self.absence else (sums, sums, sums)
        if self.absence:
            scores = scores + self.absence.of_texts(present, required, distinct)
        times = self.unknown_times(unknown, distinct)
        some = times > 0  # 0 times minus infinity is nothing, not NaN
        if self.unknown != "ignore" and some.any():
            # Under `grow` texts come one at a time, so that `distinct` is this text's.
            scores[some] += times[some, np.newaxis] * self.unknown_weight(int(distinct.max()))
        return scores

    def unknown_weight(self, distinct: int = 1) -> Floats:  # (labels,)
        """What one unknown term adds, in a text with so many distinct ones."""
        if self.unknown == "ignore":
            return np.zeros(len(self.labels))
        ratio = self.unknown_ratio(distinct if self.unknown == "grow" else 0)
        if self.unknown == "zero" or not ratio.numerator.any():  # the smoothing leaves nothing for what was never seen
            return np.full(len(self.labels), -np.inf)
        return np.asarray(self.weight(ratio)[0])

    def unknown_times(self, occurrences: Ints, distinct: Ints) -> Ints:  # (documents,)
        """How often the weight of an unknown term is added, for texts with so many of them."""
        if self.absence and self.unknown == "unk":
            return np.minimum(distinct, 1)  # UNK is one variable: there or not
        return distinct if self.once else occurrences

    @cached_property
    def weights(self) -> Weights:
        """For every term of the table."""
        rows = np.zeros((self.reading.snapshot.ids, len(self.labels) * (3 if self.absence else 1)))
        rows[self.reading.kept_ids] = self.columns(self.kept_ratio)
        return Weights(rows, self.reading.kept.astype(np.uint8))

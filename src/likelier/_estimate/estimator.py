"""From the counts of one column to weights, under one event model, smoothing and unknown-word policy.

A text adds to a score the sum over its terms of times(t) * weight(t,c) + absent terms + unknown terms.
Only the Bernoulli model has absent terms; its weights have three columns for each label, see `absence.columns`.

A weighting (`_documents/weights.py`) says which counts are read and what `times` is; with idf (`idf.py`) counts and
weights are multiplied by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.errors import error
from likelier._base.numbers import Floats, Ints, Real
from likelier._counts.snapshot import row_sums
from likelier._counts.term_counts import TermCounts
from likelier._documents.weights import Weighting, extra
from likelier._estimate import bernoulli, binary, complement, multinomial
from likelier._estimate.absence import Absence, columns
from likelier._estimate.combinations import Event, Unknown, check_combination, check_counts
from likelier._estimate.evidence import Ratio
from likelier._estimate.exact import Exact
from likelier._estimate.idf import weighed
from likelier._estimate.smoothing import Smoothing, shape_of
from likelier._estimate.sparse import Sparse, is_sparse
from likelier._estimate.spread import over_vocabulary
from likelier._estimate.telling import Telling
from likelier._estimate.view_vocabulary import Ids, Reading, States, Sums

UNK = "UNK"
Scale = Literal["count", "once", "log"]
SCALES: dict[Weighting, Scale] = {  # what a term of a question counts; its length would only weigh it against the prior
    "count": "count",
    "once": "once",
    "log": "log",
    "count-length": "count",
    "once-length": "once",
    "log-length": "log",
}
EVENTS = {"multinomial": multinomial, "binary": binary, "bernoulli": bernoulli, "complement": complement}


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything the kernel needs to add up."""

    rows: Floats  # (all ids, columns)
    kept: States  # (all ids,)


class Estimator:
    """One state of the counts, read under one set of settings."""

    def __init__(
        self,
        counts: TermCounts,
        *,
        event: Event,
        smoothing: Smoothing,
        unknown: Unknown,
        least: float,
        normalize: bool,
        declared: Sequence[str] = (),
        weighting: Weighting = "count",
        idf: bool = False,
        orders: tuple[int, int] | None = None,
        stop_words: Sequence[str] = (),
        closed: bool = False,
    ) -> None:
        """declared: outcomes that there are although they may not have been seen; for columns of values.

        weighting: one that was counted. orders: the fewest and the most words of a term that is read; None: all.
        closed: there is no other outcome, so that UNK is one only if it holds some that are too rare.
        """
        self.event_name: Event = event
        self.event = EVENTS[event]
        self.smoothing = smoothing
        self.unknown: Unknown = unknown
        self.normalize = normalize
        self.counts, self.unit = counts, counts.unit
        self.labels = counts.labels
        self.weighting: Weighting = "once" if self.event.ONCE else weighting
        self.scale: Scale = SCALES[self.weighting]
        self.reading = Reading(
            counts,
            "weighted" if extra(weighting) else "df" if self.scale == "once" else "tf",
            least,
            with_unk=unknown == "unk",
            with_idf=idf,
            orders=orders,
            stop_words=stop_words,
        )
        self.absence = Absence(self) if event == "bernoulli" else None
        self.declared = frozenset(declared)
        self.closed = closed
        self.unseen = sum(counts.find(value) is None for value in self.declared)
        check_counts(counts, event, smoothing, weighting, idf)
        check_combination(event, smoothing, unknown, least)

    @cached_property
    def exact(self) -> Exact:
        """The same in fractions."""
        return Exact(self)

    @cached_property
    def telling(self) -> Telling:
        """How well each term tells a label from the others."""
        return Telling(self.reading)

    @property
    def once(self) -> bool:
        """Whether repeats in a question count once."""
        return self.scale == "once"

    @property
    def has_whole_counts(self) -> bool:
        """Whether terms count as often as they, or documents with them, were seen: no weighting and no idf."""
        return self.reading.statistic != "weighted" and self.reading.idf is None

    @cached_property
    def is_sparse(self) -> bool:
        """Whether sums are taken over postings, see `sparse.py`; else over a weight for each term and label."""
        return is_sparse(self)

    @cached_property
    def sparse(self) -> Sparse:
        """Weights for sums over postings."""
        return Sparse(self)

    @cached_property
    def sums(self) -> Sums:
        sums = self.sums_in_units.floats(self.unit, self.reading.unit)
        if self.reading.idf is None:
            return sums
        totals = self.reading.idf.totals
        return replace(sums, total=totals, all_total=math.fsum(totals))

    def exact_sums(self, column: int) -> Sums:
        """The sums of one label in fractions."""
        sums = self.sums_in_units.column(column, self.unit, self.reading.unit)
        if self.reading.idf is None:
            return sums
        idf = self.reading.idf
        return replace(sums, total=idf.exact_totals[column], all_total=idf.exact_total)

    @cached_property
    def sums_in_units(self) -> Sums:
        """Without idf."""
        needs_elsewhere = self.event_name == "complement" and shape_of(self.smoothing).needs_seen
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
            raise error("p-missing", missing=missing[0], more=len(missing) - 1)
        return np.array([float(given[name]) for name in names]).reshape(-1, 1)

    def ratio_of(self, ids: Ids, grown: int = 0) -> Ratio:  # (ids, labels)
        """P(t|c) for these terms."""
        return self.ratio(self.reading.rows(ids), lambda: self.reading.names(ids), grown)

    def ratio_under(self, ids: Ids, columns: list[int]) -> Ratio:  # (ids, columns)
        """P(t|c) for these terms under some labels."""
        count = np.stack([self.reading.column(ids, column) for column in columns], axis=1)
        term_total = self.reading.totals(ids)[:, np.newaxis]
        sums = self.sums.under(np.array(columns))
        named = self.event.evidence(sums, count, term_total, lambda given: self._given(given, self.reading.names(ids)))
        return self.smoothing.ratio(named)

    def weights_under(self, ids: Ids, columns: list[int]) -> Floats:  # (ids, columns)
        """What one occurrence of each term adds under some labels; without idf."""
        return self.weight(self.ratio_under(ids, columns), norm=self.norm[columns] if self.normalize else None)

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
        return self.ratio(self.reading.kept_rows, lambda: self.reading.names(self.reading.kept_ids))

    def unknown_ratio(self, grown: int = 0) -> Ratio:  # (1, labels)
        """P(t|c) for an unknown term, or for UNK."""
        row = self.reading.unk_row if self.unknown == "unk" else np.zeros(len(self.labels))
        return self.ratio((row / self.reading.unit)[np.newaxis, :], lambda: [UNK], grown)

    def columns_of(self, ids: Ids, grown: int = 0) -> Floats:  # (ids, columns)
        """What one occurrence of each term adds, and for the Bernoulli model what its absence would."""
        return self._columns(self.ratio_of(ids, grown), ids)

    def _columns(self, ratio: Ratio, ids: Ids) -> Floats:  # (ids, labels) -> (ids, columns)
        weights = self.weight(ratio, self.idf_of(ids))
        return np.concatenate([weights, *columns(ratio)], axis=1) if self.absence else weights

    def idf_of(self, ids: Ids) -> Floats | None:  # (ids,)
        """What the weights of terms are multiplied by, if by anything."""
        return None if self.reading.idf is None else self.reading.idf.of(ids)

    def weight(self, ratio: Ratio, idf: Floats | None = None, norm: Floats | None = None) -> Floats:  # (terms, labels)
        """What one occurrence of each term adds; without `idf`, as if that were 1. norm: of the labels of the ratio."""
        weights = self.event.weight(ratio)
        if idf is not None:
            weights = weighed(weights, idf[:, np.newaxis])
        if np.isposinf(weights).any():  # only the complement takes a logarithm with a minus sign
            raise error("complement-needs-smoothing")
        return weights / (self.norm if norm is None else norm) if self.normalize else weights

    @cached_property
    def norm(self) -> Floats:  # (labels,)
        """For each label the sum of the absolute weights of the vocabulary, UNK included; without idf.

        Terms whose idf is 0 say nothing, and are no part of it.
        """
        if self.reading.idf is not None:
            weights = self.event.weight(self.kept_ratio)
            weights = weights[self.reading.idf.of(self.reading.kept_ids) > 0]
            return complement.divisor(np.array([math.fsum(np.abs(column).tolist()) for column in weights.T]))
        sums, infinite = over_vocabulary(self, lambda ratio: np.abs(self.event.weight(ratio)))
        return complement.divisor(np.where(infinite > 0, np.inf, sums))

    def add(self, start: Floats, ids: Ids, times: Floats, grown: int = 0) -> Floats:  # (1, labels) -> (1, columns)
        """What the known terms of one text add up to, in either form."""
        if self.is_sparse:
            weights = (Sparse(self, grown) if grown else self.sparse).of(ids)
            return self.base(weights.add(start[0], times)[np.newaxis])
        sums, done = self.base(start), 0
        for some in self.reading.pieces(ids):
            steps = times[done : done + len(some), np.newaxis] * self.columns_of(some, grown)
            sums = np.add.accumulate(np.vstack([sums, steps]))[-1:]  # one after the other, as the kernel adds
            done += len(some)
        return sums

    def base(self, start: Floats) -> Floats:  # (documents, labels) -> (documents, columns)
        """Where the sums start, for scores that start there."""
        if not self.absence:
            return start
        return np.concatenate([start, np.zeros((len(start), 2 * len(self.labels)))], axis=1)

    def finish(self, sums: Floats, distinct: Ints, unknown: Floats) -> Floats:  # (documents, columns) -> (…, labels)
        """Log scores from what was added up, how many different unknown terms each text has, and what they count."""
        scores, labels = sums, len(self.labels)
        if self.absence:
            scores, present, required = sums[:, :labels], sums[:, labels : 2 * labels], sums[:, 2 * labels :]
            scores = scores + self.absence.of_texts(present, required, distinct)
        times = self.unknown_times(unknown, distinct)
        some = times > 0  # 0 times minus infinity is nothing, not NaN
        if self.unknown != "ignore" and some.any():
            # Under `grow` texts come one at a time, so that `distinct` is this text's.
            scores[some] += times[some, np.newaxis] * self.unknown_weight(int(distinct.max()))
        return scores

    def unknown_weight(self, distinct: int = 1) -> Floats:  # (labels,)
        """What one unknown term adds, in a text with `distinct` different ones."""
        if self.unknown == "ignore":
            return np.zeros(len(self.labels))
        ratio = self.unknown_ratio(distinct if self.unknown == "grow" else 0)
        if self.unknown == "zero" or not ratio.numerator.any():  # the smoothing leaves nothing for what was never seen
            return np.full(len(self.labels), -np.inf)
        idf = None if self.reading.idf is None else np.array([self.reading.idf.of_unknown])
        return np.asarray(self.weight(ratio, idf)[0])

    def unknown_times(self, unknown: Floats, distinct: Ints) -> Floats:  # (documents,)
        """How often the weight of an unknown term is added, for texts whose unknown terms count so much in all."""
        if self.absence and self.unknown == "unk":
            return np.minimum(distinct, 1).astype(np.float64)  # UNK is one variable: there or not
        return unknown

    @cached_property
    def weights(self) -> Weights:
        """For every term of the table."""
        kept = self.reading.kept_ids
        found = self._columns(self.kept_ratio, kept)
        if len(kept) == self.reading.snapshot.ids:
            return Weights(np.ascontiguousarray(found), self.reading.states)
        rows = np.zeros((self.reading.snapshot.ids, len(self.labels) * (3 if self.absence else 1)))
        rows[kept] = found
        return Weights(rows, self.reading.states)

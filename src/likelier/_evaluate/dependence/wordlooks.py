"""What a remedy does to the score of a text: two words as one where they are neighbours, or one of them left out.

The model is not trained again. The counts of both words are reduced by those of the phrase, and the phrase is added as
one more term; the sums over the vocabulary and |V| change with them, and so the weight of every other word by the same
amount. Under additive smoothing that is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likelier._base.numbers import Floats
from likelier._counts.snapshot import row_sums
from likelier._documents.labels import Label
from likelier._estimate.estimator import Estimator
from likelier._estimate.evidence import Ratio
from likelier._estimate.parts import Estimates, Words
from likelier._estimate.reading import Sums
from likelier._estimate.smoothing import MEstimate
from likelier._evaluate.dependence.looks import ColumnLook, Found, Rows, Scored, Scores, Times
from likelier._evaluate.dependence.terms import Phrase, Vocabulary, as_written, words_only
from likelier._text.analyzer import Analyzer


class TermLook:
    """Two words of a text column, which may stand side by side in two orders."""

    def __init__(
        self,
        column: str,
        terms: tuple[str, str],
        phrases: Sequence[Phrase],
        analyzer: Analyzer,
        labels: int,
        folds: int,
    ) -> None:
        self.column, self.terms, self.phrases, self.analyzer = column, terms, phrases, analyzer
        self.side_by_side = np.zeros(len(phrases), dtype=np.int64)  # documents, in units, in either order
        self._seen = [np.zeros(len(phrase.written), dtype=bool) for phrase in phrases]
        # For either order: how often the first stands alone, the second alone, both side by side; tf and df. In units.
        self._counts = np.zeros((len(phrases), 2, 3, folds, labels), dtype=np.int64)

    @property
    def order(self) -> int:
        """The more frequent of the two orders."""
        return int(self.side_by_side.argmax())

    @property
    def phrase(self) -> Phrase | None:
        """The two side by side, in the more frequent order, as far as it was seen; None if they never are."""
        seen = self._seen[self.order]
        written = self.phrases[self.order].written
        found = tuple(way for way, there in zip(written, seen, strict=True) if there)
        return Phrase(found, self.phrases[self.order].term) if found else None

    def _alone_and_together(self, found: Found, order: int) -> Times:  # (documents, 3)
        together = found.times(f"written {self.column}", self.column, self.phrases[order].written)
        self._seen[order] |= together.any(axis=0)
        both = together.sum(axis=1, keepdims=True)
        alone = found.times(f"terms {self.column}", self.column, self.terms) - both
        return np.maximum(np.hstack([alone, both]), 0)

    def count(self, found: Found, rows: Rows, fold: int, labels: Sequence[Label]) -> None:
        """Counts the two in some documents of a fold."""
        units, where = found.units[rows], found.piece.labels[rows]
        for order in range(len(self.phrases)):
            times = self._alone_and_together(found, order)[rows]
            self.side_by_side[order] += int(units[times[:, 2] > 0].sum())
            for statistic, counted in enumerate((times, np.minimum(times, 1))):
                np.add.at(self._counts[order, statistic, :, fold].T, where, counted * units[:, np.newaxis])

    def finish(self, labels: Sequence[Label]) -> None:
        """For each fold the counts of the others."""
        if self._counts.shape[3] > 1:
            self._counts = self._counts.sum(axis=3, keepdims=True) - self._counts

    def scores(self, fold: int, found: Found, rows: Rows, scored: Scored, estimated: Estimates) -> Scores:
        """The log scores of some documents of a fold with each remedy."""
        part = estimated.parts[self.column]
        assert isinstance(part, Words)
        if not is_simple(part):
            return None, None, None
        estimator, total, lengths = part.estimator, scored.total, scored.lengths(self.column)
        apart = found.times(f"terms {self.column}", self.column, self.terms)[rows]
        split = self._alone_and_together(found, self.order)[rows]
        if estimator.once:
            apart, split = np.minimum(apart, 1), np.minimum(split, 1)
        now, then = self._counts_of(estimator, fold)
        as_one = total + _Change(estimator, now, then)(apart, split, lengths) if self.side_by_side.any() else None
        first, second = (
            total + _Change(estimator, now[[place]], then[:0])(apart[:, [place]], split[:, :0], lengths)
            for place in (0, 1)
        )
        return as_one, first, second

    def _counts_of(self, estimator: Estimator, fold: int) -> tuple[Floats, Floats]:  # (2, labels), (3, labels)
        """The two as they are; and the first alone, the second alone, both as one."""
        statistic = estimator.reading.statistic
        now = [
            [float(estimator.counts.of(term, label, statistic)) for label in estimator.labels] for term in self.terms
        ]
        return np.array(now), self._counts[self.order, int(statistic == "df"), :, fold] / estimator.counts.unit


def is_simple(part: Words) -> bool:
    """Whether the words of a text count by themselves alone, and none is impossible."""
    estimator, reading = part.estimator, part.estimator.reading
    named = isinstance(estimator.smoothing, MEstimate) and not isinstance(estimator.smoothing.p, str)
    by_count = estimator.has_whole_counts and reading.orders is None and not len(reading.stop_ids)
    return words_only(part.analyzer) == part.analyzer and not estimator.smoothing.is_off and not named and by_count


class _Change:
    """Some terms of a text column taken out, and others put in."""

    def __init__(self, estimator: Estimator, out: Floats, put_in: Floats) -> None:
        """out, put_in: (terms, labels) their counts."""
        self._estimator, self._out, self._in = estimator, out, put_in
        before, more = estimator.sums, put_in.sum(axis=0) - out.sum(axis=0)
        outcomes = int((row_sums(put_in) > 0).sum()) - int((row_sums(out) > 0).sum())
        after = replace(
            before,
            total=before.total + more,
            all_total=before.all_total + more.sum(),
            outcomes=before.outcomes + outcomes,
        )
        self._before, self._after = before, after

    def __call__(self, out: Times, put_in: Times, lengths: Floats) -> Floats:  # (documents, labels)
        """What that adds to the log scores of texts with so many of those terms, and of all terms."""
        known = row_sums(self._out) > 0
        others = lengths - out[:, known].sum(axis=1)
        some = np.ones((1, self._out.shape[1]))  # any count: all other words move alike
        shift = self._weight(some, self._after) - self._weight(some, self._before)
        return (
            self._added(self._in, put_in, self._after)
            - self._added(self._out, out, self._before)
            + (others[:, np.newaxis] * shift)
        )

    def _ratio(self, counts: Floats, sums: Sums) -> Ratio:
        estimator = self._estimator
        evidence = estimator.event.evidence(sums, counts, row_sums(counts)[:, np.newaxis], lambda given: 0.0)
        return estimator.smoothing.ratio(evidence)

    def _weight(self, counts: Floats, sums: Sums) -> Floats:
        return self._estimator.weight(self._ratio(counts, sums))

    def _added(self, counts: Floats, times: Times, sums: Sums) -> Floats:  # (documents, labels)
        known = row_sums(counts) > 0
        counts, number = counts[known], times[:, known, np.newaxis]
        added = number * self._weight(counts, sums)
        if self._estimator.absence:
            added = added + (1 - number) * self._ratio(counts, sums).log_complement()
        result: Floats = added.sum(axis=1)
        return result


def vocabularies(looks: Sequence[ColumnLook | TermLook]) -> dict[str, Vocabulary]:
    """The words and phrases that have to be found for these looks."""
    terms: dict[str, dict[str, None]] = {}
    analyzers: dict[str, Analyzer] = {}
    for look in looks:
        if isinstance(look, TermLook):
            ways = [way for phrase in look.phrases for way in phrase.written]
            for key, found in ((f"terms {look.column}", look.terms), (f"written {look.column}", ways)):
                terms.setdefault(key, {}).update(dict.fromkeys(found))
            analyzers[f"terms {look.column}"] = words_only(look.analyzer)
            analyzers[f"written {look.column}"] = as_written(look.analyzer)
    return {key: Vocabulary(list(found), analyzers[key]) for key, found in terms.items()}

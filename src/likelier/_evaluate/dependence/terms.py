"""The words of a text column: which are frequent, how they are written, and which are side by side.

Only single words, as the analyzer makes them; runs of words and pieces of words depend on words anyway. Two words can
be bound where they are neighbors in the text: `replace` looks at tokens before stop words, lemma and stem.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._columns.words import Words
from likelier._counts.snapshot import row_sums
from likelier._counts.term_counts import TermCounts
from likelier._documents.values import Texts
from likelier._estimate.estimator import Estimator
from likelier._estimate.evidence import Ratio
from likelier._estimate.smoothing import MEstimate
from likelier._estimate.view_vocabulary import Sums
from likelier._evaluate.dependence.corpus import MANY, RARE, Corpus, Piece
from likelier._evaluate.dependence.information import Places
from likelier._kernel import Table
from likelier._text.analyzer import Analyzer
from likelier._text.languages import stop_words
from likelier._text.texts import Texts as TextData

LEAST = 2  # documents: a term of a single one says nothing about others
MOST_FORMS = 12  # of a lemma or stem, by frequency

Times = NDArray[np.int64]  # (documents, terms)


@dataclass(frozen=True)
class Phrase:
    """Two words side by side: all ways in which that is written, and one term for it."""

    written: tuple[str, ...]
    term: str

    @classmethod
    def of(cls, one: str, two: str, forms: Mapping[str, Sequence[str]]) -> Phrase:
        """One word before the other, each in all its forms."""
        return cls(tuple(f"{before} {after}" for before in forms[one] for after in forms[two]), f"{one}_{two}")


def words_only(analyzer: Analyzer) -> Analyzer:
    """The same analyzer, counting single words."""
    return replace(analyzer, ngrams=1, char_ngrams=None, words=True)


def as_written(analyzer: Analyzer, ngrams: int = 2) -> Analyzer:
    """Words and neighboring pairs of them as they are in the text."""
    return Analyzer(lowercase=analyzer.lowercase, punctuation=analyzer.punctuation, ngrams=ngrams)


def _texts(piece: Piece, column: str) -> tuple[TextData, Places]:
    values = piece.batch.columns[column]
    assert isinstance(values, Texts)
    return values.present()


class TermFinder:
    """Finds some terms, numbered in their order, in the texts of a column."""

    def __init__(self, column: str, terms: Iterable[str], analyzer: Analyzer, threads: int) -> None:
        self.column, self.terms, self._threads = column, list(dict.fromkeys(terms)), threads
        self._analysis, self._table = analyzer.analysis, Table()
        self._table.put_documents(0, 0)
        self._table.put(self.terms, 0, [1] * len(self.terms), [1] * len(self.terms))
        ids = np.array([self._table.find(term) for term in self.terms], dtype=np.intp)
        self._places = np.full(self._table.ids(), -1, dtype=np.intp)  # parts of a run of words have ids too
        self._places[ids] = np.arange(len(ids))
        self._last: tuple[Piece | None, Any] = None, None

    def find(self, piece: Piece) -> tuple[Places, Places, Places]:
        """Which text has which term, and the rows of the texts."""
        documents, places, _, rows = self._found(piece)
        return documents, places, rows

    def times(self, piece: Piece, terms: Sequence[str]) -> Times:
        """How often each document has some of the terms; 0 where its text is missing."""
        if self._last[0] is not piece:
            documents, places, times, rows = self._found(piece)
            every = np.zeros((len(piece.labels), len(self.terms)), dtype=np.int64)
            every[rows[documents], places] = times
            self._last = piece, every
        places = self._places[[cast(int, self._table.find(term)) for term in terms]]
        return cast(Times, self._last[1][:, places])

    def _found(self, piece: Piece) -> tuple[Places, Places, NDArray[np.uint32], Places]:
        texts, rows = _texts(piece, self.column)
        ends, ids, times = self._table.bags(texts, self._analysis, self._threads, False)[:3]
        documents = np.repeat(np.arange(len(ends), dtype=np.intp), np.diff(ends, prepend=0).astype(np.intp))
        places = self._places[ids]
        return documents[places >= 0], places[places >= 0], times[places >= 0], rows


def frequent_terms(corpus: Corpus, column: str, analyzer: Analyzer, most: int) -> list[str]:
    """The words of most documents, but not of more than half of them."""
    counts = corpus.view.counts.columns[column]
    if words_only(analyzer) != analyzer:
        counts = _counted(corpus, column, words_only(analyzer))
    often, half = counts.snapshot.term_totals("df"), counts.snapshot.documents.sum() / 2
    rare = RARE if corpus.documents >= MANY else LEAST
    enough = often >= (rare if counts.unit == 1 else 1)
    ids = np.flatnonzero(enough & (often <= half))
    if len(ids) < 2:  # a few documents that all say the same
        ids = np.flatnonzero(enough)
    best = ids[np.argsort(-often[ids].astype(np.float64), kind="stable")]
    return counts.snapshot.table.texts(best[: min(most, corpus.room(1))].astype(np.uint32))


def _counted(corpus: Corpus, column: str, analyzer: Analyzer) -> TermCounts:
    counts = TermCounts()
    counts.use_unit(corpus.view.counts.sizes.unit)
    for piece in corpus:
        texts, rows = _texts(piece, column)
        if len(rows):
            units = piece.units[rows].astype(np.uint64)
            counts.count_texts(texts, counts.label_ids([""] * len(rows)), units, analyzer.analysis, corpus.threads)
    return counts


def forms(corpus: Corpus, column: str, analyzer: Analyzer, terms: Sequence[str]) -> dict[str, list[str]]:
    """The ways in which each term is written; more than one where the analyzer has lemmas, stems or replacements."""
    if not analyzer.changes_tokens:
        return {term: [term] for term in terms}
    snapshot = _counted(corpus, column, as_written(analyzer, 1)).snapshot
    order = np.argsort(-snapshot.term_totals("df").astype(np.float64), kind="stable").astype(np.uint32)
    tokens = snapshot.table.texts(order)
    found: dict[str, list[str]] = {term: [] for term in terms}
    for token, term in zip(tokens, analyzer.map_tokens(tokens), strict=True):
        if term in found and len(found[term]) < MOST_FORMS:
            found[term].append(token)
    return found


def with_phrase(analyzer: Analyzer, phrase: Phrase) -> Analyzer:
    """The analyzer that also makes one term of a phrase."""
    replaced = dict(cast(Any, analyzer.replace))
    return replace(analyzer, replace=dict.fromkeys(phrase.written, phrase.term) | replaced)


def without(analyzer: Analyzer, words: Sequence[str]) -> Analyzer:
    """The analyzer that also drops some words, as they are written."""
    listed = analyzer.stop_words
    before = set(stop_words(listed) if isinstance(listed, str) else cast(tuple[str, ...], listed or ()))
    if isinstance(listed, str) and not analyzer.lowercase:
        before |= {word.capitalize() for word in before}
    kept = {key: term for key, term in cast(Any, analyzer.replace) if key not in words}
    return replace(analyzer, stop_words=tuple(before | set(words)), replace=kept)


class Neighbors:
    """Two words of a text column, which may be neighbors in two orders.

    The model is not trained again to try them as one. Their counts are reduced by those of the phrase, which is one
    more term; the sums over the vocabulary change with them, and the weight of every other word by the same amount.
    Under additive smoothing that is exact.

    documents  in how many the two are neighbors, in units, for either order
    """

    def __init__(
        self,
        terms: tuple[str, str],
        phrases: Sequence[Phrase],
        finders: tuple[TermFinder, TermFinder],
        shape: tuple[int, int],
    ) -> None:
        """phrases: in either order; finders: of words, and of all ways to write phrases; shape: (folds, labels)."""
        self._terms, self._phrases, self._finders = terms, phrases, finders
        self.column, self.documents = finders[0].column, np.zeros(2, dtype=np.int64)
        self._seen = [np.zeros(len(phrase.written), dtype=bool) for phrase in phrases]
        # For either order, tf and df: how often the first occurs alone, the second alone, both side by side. In units.
        self._counts = np.zeros((2, 2, *shape, 3), dtype=np.int64)  # (orders, tf and df, folds, labels, 3)

    @property
    def phrase(self) -> Phrase | None:
        """The two side by side, in the more frequent order, as far as it was seen; None if they never are."""
        order = int(self.documents.argmax())
        ways = zip(self._phrases[order].written, self._seen[order], strict=True)
        found = tuple(way for way, there in ways if there)
        return Phrase(found, self._phrases[order].term) if found else None

    def _times(self, piece: Piece, order: int) -> tuple[Times, Times, Any]:
        """How often each document has either word; each alone, and both side by side; in which ways it is written."""
        apart = self._finders[0].times(piece, self._terms)
        written = self._finders[1].times(piece, self._phrases[order].written)
        both = written.sum(axis=1, keepdims=True)
        return apart, np.maximum(np.hstack([apart - both, both]), 0), written.any(axis=0)

    def count(self, piece: Piece, fold_of: Places) -> None:
        """Counts the two in some documents."""
        for order in (0, 1):
            _, split, seen = self._times(piece, order)
            self._seen[order] |= seen
            self.documents[order] += int(piece.units[split[:, 2] > 0].sum())
            for statistic, counted in enumerate((split, np.minimum(split, 1))):
                np.add.at(self._counts[order, statistic], (fold_of, piece.labels), counted * piece.units[:, np.newaxis])

    def changes(self, fold: int, part: Words, lengths: Floats, piece: Piece, rows: Places) -> list[Floats | None]:
        """What each remedy adds to the log scores of some documents: as one, without the first, without the second."""
        if not _is_simple(part):
            return [None, None, None]
        estimator, order = part.estimator, int(self.documents.argmax())
        apart, split = (each[rows] for each in self._times(piece, order)[:2])
        if estimator.once:
            apart, split = np.minimum(apart, 1), np.minimum(split, 1)
        statistic, table, labels = estimator.reading.statistic, estimator.counts, estimator.labels
        now = np.array([[float(table.of(term, label, statistic)) for label in labels] for term in self._terms])
        counts = self._counts[order, int(statistic == "df")]  # (folds, labels, 3)
        then = (counts.sum(axis=0) - counts[fold] if len(counts) > 1 else counts[0]).T / table.unit
        as_one = _change(estimator, now, then, apart, split, lengths) if self.documents.any() else None
        alone = [_change(estimator, now[[at]], then[:0], apart[:, [at]], split[:, :0], lengths) for at in (0, 1)]
        return [as_one, *alone]


def _is_simple(part: Words) -> bool:
    """Whether the words of a text count by themselves alone, and none is impossible."""
    estimator, reading = part.estimator, part.estimator.reading
    named = isinstance(estimator.smoothing, MEstimate) and not isinstance(estimator.smoothing.p, str)
    by_count = estimator.has_whole_counts and reading.orders is None and not len(reading.stop_ids)
    return words_only(part.analyzer) == part.analyzer and not estimator.smoothing.is_off and not named and by_count


def _change(
    estimator: Estimator, out: Floats, put_in: Floats, out_times: Times, in_times: Times, lengths: Floats
) -> Floats:  # (documents, labels)
    """What it adds to the log scores of texts to take some terms out and to put others in.

    out, put_in: (terms, labels) their counts; lengths: how many known terms a text has
    """
    before, more = estimator.sums, put_in.sum(axis=0) - out.sum(axis=0)
    outcomes = int((row_sums(put_in) > 0).sum()) - int((row_sums(out) > 0).sum())
    after = replace(before.grown(outcomes), total=before.total + more, all_total=before.all_total + more.sum())

    def ratio(counts: Floats, sums: Sums) -> Ratio:
        evidence = estimator.event.evidence(sums, counts, row_sums(counts)[:, np.newaxis], lambda given: 0.0)
        return estimator.smoothing.ratio(evidence)

    def added(counts: Floats, times: Times, sums: Sums) -> Floats:
        known = row_sums(counts) > 0
        found, number = ratio(counts[known], sums), times[:, known, np.newaxis]
        each = number * estimator.weight(found)
        if estimator.absence:
            each = each + (1 - number) * found.log_complement()
        result: Floats = each.sum(axis=1)
        return result

    others = lengths - out_times[:, row_sums(out) > 0].sum(axis=1)
    some = np.ones((1, out.shape[1]))  # any count: all other words move alike
    shift = estimator.weight(ratio(some, after)) - estimator.weight(ratio(some, before))
    return added(put_in, in_times, after) - added(out, out_times, before) + (others[:, np.newaxis] * shift)

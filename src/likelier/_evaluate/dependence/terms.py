"""The terms of a text column in pairs: which stand in the same documents, and which stand side by side.

Looked at are single words, as the analyzer makes them; runs of words and pieces of words depend on words anyway.
Of the words that stand in at most half of all documents the most frequent ones are taken. Whether two of them can be
bound is a question of how they stand in the text: `replace` looks at neighbouring tokens, before stop words, lemma
and stem.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import InputError
from likelier._counts.mixed import MixedCounts, present
from likelier._counts.term_counts import Counts
from likelier._documents.values import Texts
from likelier._evaluate.dependence.columns import MANY, RARE
from likelier._evaluate.dependence.source import Piece, Source
from likelier._evaluate.dependence.together import Chosen, Together, Units, most_things
from likelier._kernel import Analysis, Table
from likelier._text.analyzer import Analyzer
from likelier._text.languages import stop_words
from likelier._text.texts import Texts as TextData
from likelier._text.texts import surrogate_error

LEAST = 2  # documents: a term that stands in a single one says nothing about others
MOST_FORMS = 12  # of a lemma or stem, by frequency

Flat = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.uint32]]


def words_only(analyzer: Analyzer) -> Analyzer:
    """The same analyzer, counting single words."""
    return dataclasses.replace(analyzer, ngrams=1, char_ngrams=None, words=True)


def as_written(analyzer: Analyzer) -> Analyzer:
    """Words and neighbouring pairs of them as they stand in the text."""
    return Analyzer(lowercase=analyzer.lowercase, punctuation=analyzer.punctuation, ngrams=2)


class Vocabulary:
    """Some terms, numbered in their order, to look for in texts."""

    def __init__(self, terms: Sequence[str], analyzer: Analyzer) -> None:
        self.terms = list(terms)
        self.place = {term: place for place, term in enumerate(self.terms)}
        self._analysis: Analysis = analyzer.analysis
        self._table = Table()
        self._table.put_documents(0, 0)
        self._table.put(self.terms, 0, [1] * len(terms), [1] * len(terms))
        ids = [self._table.find(term) for term in self.terms]
        self._places = np.full(self._table.ids(), -1, dtype=np.intp)  # parts of a run of words have ids too
        self._places[np.array(ids, dtype=np.intp)] = np.arange(len(ids))

    def find(self, texts: TextData, threads: int) -> Flat:
        """Which text has which term how often: rows, rising; places of terms; times."""
        try:
            ends, ids, times = bags(self._table, texts, self._analysis, threads)
        except UnicodeEncodeError:
            assert isinstance(texts, list)  # columns are valid Unicode
            raise surrogate_error(texts) from None
        rows = np.repeat(np.arange(len(ends), dtype=np.intp), np.diff(ends, prepend=0).astype(np.intp))
        places = self._places[ids]
        kept = places >= 0
        return rows[kept], places[kept], times[kept]

    def times(self, texts: TextData, threads: int) -> NDArray[np.int64]:  # (texts, terms)
        """How often each text has each term."""
        rows, places, times = self.find(texts, threads)
        found = np.zeros((len(texts), len(self.terms)), dtype=np.int64)
        found[rows, places] = times
        return found


def bags(table: Table, texts: TextData, analysis: Analysis, threads: int) -> Any:
    """Each text's terms by number, as far as the table knows them: ends, ids, times."""
    return table.bags(texts, analysis, threads, False)[:3]


def texts_of(piece: Piece, column: str) -> tuple[TextData, NDArray[np.intp], Units]:
    """The texts of a column that are not missing, their rows, and the units of their weights."""
    values = piece.columns[column]
    assert isinstance(values, Texts)
    texts, rows = present(values)
    return texts, rows, None if piece.units is None else piece.units[rows]


# ---- which stand in the same documents ---------------------------------------------------------------------------


def frequent_terms(source: Source, column: str, analyzer: Analyzer, most: int, threads: int) -> list[str]:
    """The terms that stand in most documents, but not in more than half of them."""
    counts = _word_counts(source, column, analyzer, threads)
    often, half = counts.snapshot.term_totals("df"), counts.snapshot.documents.sum(dtype=np.uint64) / 2
    least = 1
    if source.model.counts.unit == 1:
        least = RARE if source.model.documents >= MANY else LEAST
    ids = np.flatnonzero((often >= least) & (often <= half))
    if len(ids) < 2:  # a few documents that all say the same
        ids = np.flatnonzero(often >= least)
    best = ids[np.argsort(-often[ids].astype(np.float64), kind="stable")]
    room = most_things(1, source.weighted)
    return counts.snapshot.table.texts(best[: min(most, room)].astype(np.uint32))


def _word_counts(source: Source, column: str, analyzer: Analyzer, threads: int) -> Counts:
    words, counts = words_only(analyzer), source.model.counts
    if words != analyzer:
        return _counted(source, column, words, threads)
    mine = counts.columns[column] if isinstance(counts, MixedCounts) else counts
    return cast(Counts, mine)


def _counted(source: Source, column: str, analyzer: Analyzer, threads: int) -> Counts:
    counts = Counts()
    counts.use_unit(source.model.counts.unit)
    for piece in source:
        texts, rows, units = texts_of(piece, column)
        label_ids = counts.label_ids([""] * len(rows)) if len(rows) else np.zeros(0, dtype=np.uint32)
        counts.count(texts, label_ids, units, analyzer.analysis, threads)
    return counts


def count_terms(source: Source, column: str, vocabulary: Vocabulary, counter: Together | Chosen, threads: int) -> None:
    """Counts in how many documents two of the terms stand."""
    for piece in source:
        texts, rows, units = texts_of(piece, column)
        found, places, _ = vocabulary.find(texts, threads)
        labels = piece.labels[rows] if len(counter.documents) > 1 else np.zeros(len(rows), dtype=np.intp)
        counter.add(found, places, labels, units)


# ---- which stand side by side ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Phrase:
    """Two terms side by side, in one of the two orders: all ways in which that is written, and one term for it."""

    written: tuple[str, ...]
    term: str


def forms(source: Source, column: str, analyzer: Analyzer, terms: Sequence[str], threads: int) -> dict[str, list[str]]:
    """The ways in which each term is written; more than one where the analyzer has lemmas, stems or replacements."""
    if not analyzer.changes_tokens:
        return {term: [term] for term in terms}
    plain = dataclasses.replace(as_written(analyzer), ngrams=1)
    counts = _counted(source, column, plain, threads)
    often = counts.snapshot.term_totals("df")
    order = np.argsort(-often.astype(np.float64), kind="stable").astype(np.uint32)
    tokens = counts.snapshot.table.texts(order)
    found: dict[str, list[str]] = {term: [] for term in terms}
    for token, term in zip(tokens, analyzer.map_tokens(tokens), strict=True):
        if term in found and len(found[term]) < MOST_FORMS:
            found[term].append(token)
    return found


def phrases(first: str, second: str, written: dict[str, list[str]]) -> Iterator[Phrase]:
    """The two terms side by side, in both orders."""
    for one, two in ((first, second), (second, first)):
        ways = tuple(f"{before} {after}" for before in written[one] for after in written[two])
        yield Phrase(ways, f"{one}_{two}")


def with_phrase(analyzer: Analyzer, phrase: Phrase) -> Analyzer:
    """The analyzer that also makes one term of a phrase."""
    replaced = dict(cast(Any, analyzer.replace))
    return dataclasses.replace(analyzer, replace=dict.fromkeys(phrase.written, phrase.term) | replaced)


def without(analyzer: Analyzer, words: Sequence[str]) -> Analyzer:
    """The analyzer that also drops some words, as they are written."""
    listed = analyzer.stop_words
    before: set[str] = set()
    if isinstance(listed, str):
        before = set(stop_words(listed))
        before |= set() if analyzer.lowercase else {word.capitalize() for word in before}
    elif listed is not None:
        before = set(cast(tuple[str, ...], listed))
    kept = {key: term for key, term in cast(Any, analyzer.replace) if key not in words}
    return dataclasses.replace(analyzer, stop_words=tuple(before | set(words)), replace=kept)


# ---- from a model alone ------------------------------------------------------------------------------------------


def neighbours(counts: Counts, most: int) -> Iterator[tuple[str, str, NDArray[np.uint64]]]:
    """Pairs of words that a model has counted, and in how many documents of each label they stand.

    The numbers are those of the two side by side, of the first and of the second: (3, labels).
    """
    snapshot = counts.snapshot
    often = snapshot.term_totals("df")
    half = snapshot.documents.sum(dtype=np.uint64) / 2
    order = np.argsort(-often.astype(np.float64), kind="stable")
    names = zip(order.tolist(), snapshot.table.texts(order.astype(np.uint32)), strict=True)
    pairs = [(place, *name.split(" ")) for place, name in names if name.count(" ") == 1 and often[place] >= LEAST]
    for place, first, second in pairs[:most]:
        ids = [place, counts.find(first), counts.find(second)]
        if first != second and None not in ids and often[ids[1]] <= half and often[ids[2]] <= half:
            yield first, second, snapshot.rows(np.array(ids, dtype=np.uint32), "df")


def needs_documents() -> InputError:
    """The error for a model whose counts do not say what stands together."""
    return InputError(
        code="dependence-needs-documents",
        message="a model's counts do not hold which values stand together, so that its documents are needed",
        hint="dependence(model, documents); a model of texts that counts pairs of words needs none:"
        " train(documents, analyzer=Analyzer(ngrams=2))",
    )

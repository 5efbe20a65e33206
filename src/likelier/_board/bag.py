"""Texts as a bag of words: document by term, with the label behind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from likelier._base.checks import check_flag, check_one_of, checked_k, has_entries
from likelier._base.errors import error
from likelier._base.threads import checked_threads
from likelier._board.outcomes import checked_terms
from likelier._counts.frequent import by_frequency, count_words
from likelier._counts.term_counts import TermCounts
from likelier._documents.labels import Label, checked_labels
from likelier._documents.weights import check_lengths
from likelier._kernel import Table as TermTable
from likelier._show.table import Table, own
from likelier._show.words import counted
from likelier._text.analyzer import Analyzer, check_analyzer
from likelier._text.texts import Texts, checked_texts, listed_texts, surrogate_error

MOST, MOST_DOCUMENTS = 20, 50
Ints = Any  # arrays of integers


@dataclass(frozen=True)
class BagOfWords(Table):
    """Document by term, as a table; `vocabulary` has all terms, also those that are not shown.

    >>> from likelier import bag_of_words
    >>> print(bag_of_words(["to be or not to be", "not now"], ["a", "b"]))
    document  to  be  or  not  now  label
    D1         2   2   1    1    0  a
    D2         0   0   0    1    1  b
    """

    vocabulary: tuple[str, ...] = field(default=(), kw_only=True)


def bag_of_words(
    texts: Iterable[str],
    labels: Iterable[Label] | None = None,
    analyzer: Analyzer | None = None,
    *,
    binary: bool = False,
    order: Literal["first", "sorted"] = "first",
    terms: Sequence[str] | None = None,
    names: Iterable[str] | None = None,
    most: int | None = MOST,
    most_documents: int | None = MOST_DOCUMENTS,
) -> BagOfWords:
    """Texts as a bag of words: how often each term of the vocabulary occurs in each document.

    binary: 1 where a term occurs, however often, and 0 where it does not
    order: of the vocabulary, by first sight or sorted
    terms: the vocabulary, such as that of the training texts; other terms are left out
    names: of the documents; D1, D2, ... if not given
    most, most_documents: how many terms and documents are shown: the most frequent, and the first. None: all

    >>> print(bag_of_words(["to be or not to be"], binary=True, order="sorted", names=["Hamlet"]))
    document  be  not  or  to
    Hamlet     1    1   1   1
    """
    check_flag("binary", binary)
    check_one_of("bag-order", order, ("first", "sorted"))
    check_analyzer(analyzer)
    read = checked_texts(texts)
    of = None if labels is None else _labels(labels, read)
    bags = _Bags(read, analyzer or Analyzer(), terms)
    shown_terms = bags.shown(order, None if most is None or terms is not None else checked_k(most, "most"))
    rows = len(read) if most_documents is None else min(checked_k(most_documents, "most_documents"), len(read))
    titles = _titles(names, read, rows)
    matrix = bags.matrix(rows, shown_terms)
    numbers = np.minimum(matrix, 1) if binary else matrix
    behind = [] if of is None else [own("label")]
    heading = [own("document"), *(bags.vocabulary[term] for term in shown_terms), *behind]
    body = [
        [title, *row, *([] if of is None else [str(of[place])])]
        for place, (title, row) in enumerate(zip(titles, numbers.tolist(), strict=True))
    ]
    vocabulary = sorted(bags.vocabulary) if order == "sorted" and terms is None else bags.vocabulary
    return BagOfWords(
        heading,
        body,
        set(range(1, 1 + len(shown_terms))),
        notes=tuple(_notes(len(bags.vocabulary) - len(shown_terms), len(read) - rows)),
        vocabulary=tuple(vocabulary),
    )


def _labels(labels: Iterable[Label], texts: Texts) -> list[Label]:
    if isinstance(labels, str) or not has_entries(labels):
        raise error("labels-not-a-list", labels=labels)
    found = checked_labels(labels)
    check_lengths(texts=texts, labels=found)
    return list(found)


def _titles(names: object, texts: Texts, rows: int) -> list[str]:
    if names is None:
        return [f"D{place + 1}" for place in range(rows)]
    if isinstance(names, bytes) or not has_entries(names):
        raise error("bag-names", got=names)
    found = list(map(str, names))
    check_lengths(texts=texts, names=found)
    return found[:rows]


def _notes(terms: int, documents: int) -> list[str]:
    more = [counted(number, f"more {what}") for number, what in ((terms, "term"), (documents, "document")) if number]
    return [f"… {' and '.join(more)}"] if more else []


class _Bags:
    """The terms of each text, counted by the kernel."""

    def __init__(self, texts: Texts, analyzer: Analyzer, terms: Sequence[str] | None) -> None:
        analysis, threads = _settled(analyzer, texts).analysis, checked_threads(None)
        table = TermTable()
        if terms is not None:
            vocabulary = checked_terms(terms)
            table.put(vocabulary, 0, [1] * len(vocabulary), [1] * len(vocabulary))
        try:
            ends, found, self._times, _ = table.bags(texts, analysis, threads, terms is None)
        except UnicodeEncodeError:
            raise surrogate_error(listed_texts(texts)) from None
        self._ends = ends.astype(np.intp)
        ids = np.arange(table.ids(), dtype=np.uint32)
        terms_only = ids[table.sums_of_terms(ids, "tf") > 0]  # without the words that pairs are made of
        self.vocabulary = table.texts(terms_only)
        place = np.full(len(ids), -1, dtype=np.intp)
        place[terms_only] = np.arange(len(terms_only))
        self._ids = place[found]

    def shown(self, order: str, most: int | None) -> list[int]:
        """The terms that are shown, as places in the vocabulary."""
        places = list(range(len(self.vocabulary)))
        if most is not None and most < len(places):
            often = np.bincount(self._ids, weights=self._times, minlength=len(places))
            places = sorted(np.argsort(-often, kind="stable")[:most].tolist())
        return sorted(places, key=self.vocabulary.__getitem__) if order == "sorted" else places

    def matrix(self, rows: int, terms: list[int]) -> Ints:  # (rows, terms)
        """How often each term occurs in the first texts."""
        place = np.full(len(self.vocabulary), -1, dtype=np.intp)
        place[terms] = np.arange(len(terms))
        found = np.zeros((rows, len(terms)), dtype=np.int64)
        last = self._ends[rows - 1] if rows else 0
        row = np.repeat(np.arange(rows), np.diff(self._ends[:rows], prepend=0))
        column = place[self._ids[:last]]
        there = column >= 0
        found[row[there], column[there]] = self._times[:last][there]
        return found


def _settled(analyzer: Analyzer, texts: Texts) -> Analyzer:
    """The analyzer with the most frequent words of these texts, where it asks for them."""
    if not analyzer.is_open:
        return analyzer
    table = TermCounts()
    count_words(table, texts, analyzer, checked_threads(None))
    return analyzer.settled(by_frequency(table))

"""Bags: the terms of many texts as the rows of a sparse matrix, with ids that do not depend on threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from kernel.generated import (
    PLAIN,
    QUICK,
    Document,
    analyses,
    content,
    documents,
    sentences,
    table_of,
    texts,
    texts_by_id,
)
from likelier._kernel import Analysis, Column, Table
from reference import Settings

BIGRAMS: Settings = {**PLAIN, "ngrams": (1, 2)}
MAPPED: Settings = {**PLAIN, "map_tokens": lambda tokens: [token[:2] for token in tokens], "char_ngrams": (2, 2)}

several = st.lists(sentences | texts, max_size=6)


def bags(
    table: Table, texts: list[str] | Column, settings: Settings = PLAIN, *, learn: bool, threads: int = 1
) -> list[list[tuple[str, int]]]:
    """Each text's terms and how often."""
    ends, ids, times, weights = table.bags(texts, Analysis(**settings), threads, learn)
    assert (ends.dtype, ids.dtype, times.dtype, weights.dtype) == (np.uint64, np.uint32, np.uint32, np.uint64)
    assert (len(ends), len(ids), len(weights)) == (len(texts), len(times), 0)
    items = list(zip(table.texts(ids), times.tolist(), strict=True))
    return [items[start:end] for start, end in zip([0, *ends.tolist()], ends.tolist(), strict=False)]


def expected(texts: list[str], settings: Settings) -> list[list[tuple[str, int]]]:
    return [list(reference.bag(reference.terms(text, **settings)).items()) for text in texts]


@QUICK
@given(documents, several, analyses)
def test_bags_that_are_learned_are_those_of_the_reference(
    documents: list[Document], texts: list[str], settings: Settings
) -> None:
    assert bags(table_of(documents, settings), texts, settings, learn=True) == expected(texts, settings)


@QUICK
@given(documents, several, analyses)
def test_learning_counts_each_text_once_under_label_0(
    documents: list[Document], texts: list[str], settings: Settings
) -> None:
    table = table_of(documents, settings)
    bags(table, texts, settings, learn=True)
    counted = table_of([*documents, *((text, 0, 1) for text in texts)], settings)
    assert content(table) == content(counted)
    assert table.size() == counted.size()
    assert [column.tolist() for column in table.totals()] == [column.tolist() for column in counted.totals()]


@QUICK
@given(documents, several, analyses)
def test_without_learning_unknown_terms_are_left_out_and_the_table_stays(
    documents: list[Document], texts: list[str], settings: Settings
) -> None:
    table = table_of(documents, settings)
    before = texts_by_id(table)
    vocabulary = {term for term in before if table.find(term) is not None}
    known = [[(term, times) for term, times in bag if term in vocabulary] for bag in expected(texts, settings)]
    assert bags(table, texts, settings, learn=False) == known
    assert texts_by_id(table) == before


@pytest.mark.parametrize("settings", [PLAIN, BIGRAMS, MAPPED], ids=["words", "bigrams", "mapped"])
def test_four_threads_give_the_bags_and_ids_of_one(settings: Settings) -> None:
    texts = [f"goat МОЛОКО {number % 97} 中文{number % 31} wolf {number} " * 12 for number in range(1500)]
    assert sum(len(text.encode()) for text in texts) > 2**19  # enough for two threads
    tables = Table(), Table()
    one, several = (
        table.bags(texts, Analysis(**settings), threads, True) for table, threads in zip(tables, (1, 4), strict=True)
    )
    assert all(np.array_equal(first, second) for first, second in zip(one, several, strict=True))
    assert texts_by_id(tables[0]) == texts_by_id(tables[1])
    again = (
        table.bags(texts, Analysis(**settings), threads, False) for table, threads in zip(tables, (4, 1), strict=True)
    )
    assert all(np.array_equal(first, second) for found in again for first, second in zip(found, one, strict=True))


@QUICK
@given(several, several)
def test_words_are_numbered_in_order_of_first_sight(first: list[str], second: list[str]) -> None:
    table = Table()
    for part in (first, second):
        bags(table, part, learn=True)
    seen = dict.fromkeys(term for bag in expected(first + second, PLAIN) for term, _ in bag)
    assert texts_by_id(table) == list(seen)


def test_a_term_that_was_forgotten_is_unknown_until_it_is_learned_again() -> None:
    table = table_of([("a b", 0, 1), ("b", 0, 1)])
    assert table.subtract(table_of([("b", 0, 1)]), [0])
    assert table.subtract(table_of([("a b", 0, 1)]), [0])
    assert bags(table, ["a b"], learn=False) == [[]]
    assert bags(table, ["a b"], learn=True) == [[("a", 1), ("b", 1)]]


def test_the_words_of_a_pair_are_no_terms_of_the_table() -> None:
    table = Table()
    pairs: Settings = {**PLAIN, "ngrams": (2, 2)}
    assert bags(table, ["a b c"], pairs, learn=True) == [[("a b", 1), ("b c", 1)]]
    assert bags(table, ["c a b"], BIGRAMS, learn=False) == [[("a b", 1)]]


def test_a_column_has_the_bags_of_its_list() -> None:
    texts = ["a b a", "", "ж"]
    assert bags(Table(), Column.from_list([*texts]), learn=True) == bags(Table(), texts, learn=True)


def test_texts_that_are_read_in_several_chunks_follow_each_other() -> None:
    long = "goat wolf " * 1_000_000  # 10 MB; a chunk ends after 64
    texts = [text for number in range(8) for text in (long, f"number {number}")]
    found = bags(Table(), texts, learn=True, threads=2)
    assert found[::2] == [[("goat", 1_000_000), ("wolf", 1_000_000)]] * 8
    assert found[1::2] == [[("number", 1), (f"{number}", 1)] for number in range(8)]


def test_no_texts_have_no_bags() -> None:
    assert [array.tolist() for array in Table().bags([], Analysis(**PLAIN), 2, True)] == [[], [], [], []]


def test_half_of_a_character_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        Table().bags(["a", "\ud800"], Analysis(**PLAIN), 1, True)


def test_terms_that_are_not_in_the_vocabulary_can_be_marked() -> None:
    table = Table()
    table.bags(["goat wolf"], Analysis(**PLAIN), 1, True)
    ends, ids, times, _ = table.bags(["wolf yeti yeti", "goat"], Analysis(**PLAIN), 2, False, True)
    assert (ends.tolist(), ids.tolist(), times.tolist()) == ([2, 3], [1, 2**32 - 1, 0], [1, 2, 1])

"""Counts: the kernel's table holds what the plain reference counts, in any order, on any number of threads."""

from __future__ import annotations

import itertools
import random

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
    mapped_by,
    sentences,
    table_of,
    texts,
    texts_by_id,
    unchanged,
)
from likelier._kernel import Analysis, Table
from reference import Counts, Settings

LABELS = [0, 1, 2, 3]


def counted(documents: list[Document], settings: Settings = PLAIN) -> Counts:
    return reference.count((reference.terms(text, **settings), label, weight) for text, label, weight in documents)


def check_counts(table: Table, counts: Counts) -> None:
    assert content(table) == counts
    assert table.size() == len({term for (term, _), df in counts.df.items() if df})
    for label, totals in enumerate(zip(*(array.tolist() for array in table.totals()), strict=True)):
        assert totals == counts.totals(label)


# ---- counting --------------------------------------------------------------------------------------------------------


@QUICK
@given(documents, analyses)
def test_counts_and_totals_are_those_of_the_reference(documents: list[Document], settings: Settings) -> None:
    check_counts(table_of(documents, settings), counted(documents, settings))


@QUICK
@given(documents, documents, analyses)
def test_a_table_that_counts_twice_holds_both(
    first: list[Document], second: list[Document], settings: Settings
) -> None:
    table = table_of(first, settings)
    labels, weights = [label for _, label, _ in second], [weight for _, _, weight in second]
    second_texts = [text for text, _, _ in second]
    table.count(second_texts, np.array(labels, np.uint32), np.array(weights, np.uint64), Analysis(**settings), 1)
    assert content(table) == counted(first + second, settings)


@QUICK
@given(documents, analyses, st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(
    documents: list[Document], settings: Settings, shuffler: random.Random
) -> None:
    shuffled = shuffler.sample(documents, len(documents))
    assert content(table_of(shuffled, settings)) == content(table_of(documents, settings))


@QUICK
@given(documents, analyses)
def test_each_term_is_found_under_one_id_with_its_row(documents: list[Document], settings: Settings) -> None:
    table, counts = table_of(documents, settings), counted(documents, settings)
    labels = range(len(table.totals()[0]))
    for term in {term for (term, _), df in counts.df.items() if df}:
        found = table.find(term)
        assert found is not None
        labels = list(range(len(table.totals()[0])))
        tf, df = (
            table.rows(np.array([found], dtype=np.uint32), labels, "tf"),
            table.rows(np.array([found], dtype=np.uint32), labels, "df"),
        )
        assert tf.tolist() == [[counts.tf[term, label] for label in labels]]
        assert df.tolist() == [[counts.df[term, label] for label in labels]]


@QUICK
@given(documents, sentences, analyses)
def test_a_bag_holds_the_terms_of_a_text_in_order_of_first_sight(
    documents: list[Document], text: str, settings: Settings
) -> None:
    table = table_of(documents, settings)
    known = texts_by_id(table)
    ids, times, new = table.bag(text, Analysis(**settings))
    names = iter(new)
    terms = [known[number] if number < len(known) else next(names) for number in ids.tolist()]
    assert list(zip(terms, times.tolist(), strict=True)) == list(
        reference.bag(reference.terms(text, **settings)).items()
    )
    assert next(names, None) is None


def test_a_bag_leaves_no_trace_in_the_table() -> None:
    table = table_of([("a b", 0, 1)])
    ids, _, new = table.bag("b c", Analysis(**PLAIN))
    assert (ids.tolist(), new, table.ids()) == ([1, 2], ["c"], 2)


def test_a_document_of_weight_0_adds_its_label_and_no_term() -> None:
    table = table_of([("a", 0, 1), ("b", 1, 0)])
    assert table.totals()[0].tolist() == [1, 0]
    assert table.find("b") is None


def test_without_weights_each_document_counts_once() -> None:
    table = Table()
    table.count(["a a", "a"], np.array([0, 0], np.uint32), None, Analysis(**PLAIN), 1)
    assert content(table) == counted([("a a", 0, 1), ("a", 0, 1)])


def test_a_word_that_is_only_part_of_a_counted_term_is_not_in_the_vocabulary() -> None:
    table = table_of([("a b", 0, 1)], {**PLAIN, "ngrams": (2, 2)})
    assert table.size() == 1
    assert table.find("a b") is not None
    assert table.find("a") is None


def test_words_of_more_than_sixteen_bytes_that_begin_alike_are_two_terms() -> None:
    table = table_of([("seventeen_bytes_x seventeen_bytes_y sixteen_bytes_ok sixteen_bytes_o", 0, 1)])
    assert table.size() == 4


def test_a_word_with_a_nul_at_its_end_is_not_the_word_without_it() -> None:
    table = Table()
    table.put(["a", "a\0"], 0, [1, 2], [1, 1])
    assert content(table).tf == {("a", 0): 1, ("a\0", 0): 2}


# ---- one term, one id ------------------------------------------------------------------------------------------------


def check_one_id(table: Table) -> None:
    """Counts that were read in, as from a file, and those that were counted are counts of the same terms."""
    counts, rebuilt = content(table), Table()
    for (term, label), tf in counts.tf.items():
        rebuilt.put([term], label, [tf], [counts.df[term, label]])
    for label, number in counts.documents.items():
        rebuilt.put_documents(label, number)
    check_counts(rebuilt, counts)
    table.merge(rebuilt, LABELS)
    check_counts(table, counts + counts)


@QUICK
@given(documents, analyses)
def test_counts_that_were_read_in_meet_those_that_were_counted(documents: list[Document], settings: Settings) -> None:
    check_one_id(table_of(documents, settings))


TWO_WORDS = mapped_by(lambda tokens: ["new york" if token == "nyc" else token for token in tokens])


def test_a_term_of_two_words_is_the_bigram_of_these_words() -> None:
    table = table_of([("nyc new york", 0, 1)], {**TWO_WORDS, "ngrams": (1, 2)})
    assert content(table).tf["new york", 0] == 2
    check_one_id(table)


def test_an_ngram_that_ends_in_a_term_of_two_words_is_the_ngram_of_all_words() -> None:
    check_one_id(table_of([("in nyc", 0, 1), ("in new york", 0, 1)], {**TWO_WORDS, "ngrams": (2, 3)}))


def test_a_piece_of_a_term_of_two_words_is_found_across_the_space() -> None:
    table = table_of([("nyc", 0, 1)], {**TWO_WORDS, "words": False, "char_ngrams": (3, 3)})
    assert table.find(":w y") is not None
    check_one_id(table)


# ---- threads and chunks ----------------------------------------------------------------------------------------------

TOPICS = ["goat wolf Don't", "МОЛОКО и я", "中文分词 x", "हिन्दी में", "e\u0301cole ΟΔΟΣ", "👩‍👧 1,000.5", "ไทยดี", "a_b"]


def large_batch(megabytes: float) -> list[Document]:
    """Documents of a few kinds, so that the reference can count them by the kind."""
    kinds = [" ".join(pair) * 40 for pair in itertools.permutations(TOPICS, 2)]
    size = sum(len(kind.encode()) for kind in kinds)
    number = int(megabytes * 2**20 / size) + 1
    return [(kind, place % 3, 1 + place % 2) for place, kind in enumerate(kinds * number)]


def counted_by_kind(documents: list[Document], settings: Settings) -> Counts:
    kinds = {text: reference.terms(text, **settings) for text in {text for text, _, _ in documents}}
    return reference.count((kinds[text], label, weight) for text, label, weight in documents)


SPLIT_SETTINGS: list[Settings] = [
    PLAIN,
    {**PLAIN, "ngrams": (1, 2), "keep_punctuation": True},
    {**PLAIN, "map_tokens": unchanged, "char_ngrams": (2, 3), "phrases": [(["goat", "wolf"], "goatwolf")]},
]


@pytest.mark.parametrize("settings", SPLIT_SETTINGS, ids=["words", "bigrams", "mapped"])
def test_four_threads_give_the_counts_of_one_and_of_the_reference(settings: Settings) -> None:
    batch = large_batch(1.1)
    counts = counted_by_kind(batch, settings)
    assert content(table_of(batch, settings, threads=1)) == counts
    assert content(table_of(batch, settings, threads=4)) == counts


@pytest.mark.parametrize("threads", [1, 2, 4, 9])
def test_each_token_is_asked_about_once_however_many_threads_and_batches_there_are(threads: int) -> None:
    asked: list[str] = []

    def map_tokens(tokens: list[str]) -> list[str | None]:
        asked.extend(tokens)
        return list(tokens)

    analysis = Analysis(**mapped_by(map_tokens))
    texts = [text for text, *_ in large_batch(1.05)]
    for _ in range(2):
        Table().count(texts, np.zeros(len(texts), dtype=np.uint32), None, analysis, threads)
    assert len(asked) == len(set(asked)) > 3


def test_one_long_document_among_short_ones_is_counted_once_on_threads() -> None:
    batch = [("a b", 0, 1), ("goat wolf " * 200_000, 1, 1), ("b c", 2, 1), ("", 0, 1)]
    table = table_of(batch, threads=4)
    assert content(table).tf == {
        ("a", 0): 1,
        ("b", 0): 1,
        ("goat", 1): 200_000,
        ("wolf", 1): 200_000,
        ("b", 2): 1,
        ("c", 2): 1,
    }


def test_a_batch_that_is_read_in_several_chunks_is_counted_once() -> None:
    text = "goat wolf " * 400_000  # 4 MB; a chunk ends after 32
    table = table_of([(text, place % 2, 1) for place in range(18)] + [("last", 1, 1)], threads=2)
    assert content(table).tf == {("goat", 0): 9 * 400_000, ("wolf", 0): 9 * 400_000} | {
        ("goat", 1): 9 * 400_000,
        ("wolf", 1): 9 * 400_000,
        ("last", 1): 1,
    }


# ---- adding and subtracting tables -----------------------------------------------------------------------------------


@QUICK
@given(st.lists(documents, min_size=1, max_size=4), analyses, st.randoms(use_true_random=False))
def test_parts_merged_in_any_order_are_the_whole(
    parts: list[list[Document]], settings: Settings, shuffler: random.Random
) -> None:
    tables = [table_of(part, settings) for part in parts]
    shuffler.shuffle(tables)
    whole = Table()
    for table in tables:
        whole.merge(table, LABELS)
    assert content(whole) == counted([document for part in parts for document in part], settings)


@QUICK
@given(documents, documents, st.permutations(LABELS))
def test_the_labels_of_a_merged_table_are_renamed(
    mine: list[Document], other: list[Document], names: list[int]
) -> None:
    table = table_of(mine)
    table.merge(table_of(other), names)
    check_counts(table, counted(mine + [(text, names[label], weight) for text, label, weight in other]))


@QUICK
@given(documents, documents, analyses)
def test_subtracting_what_was_merged_is_the_identity(
    mine: list[Document], other: list[Document], settings: Settings
) -> None:
    table, extra = table_of(mine, settings), table_of(other, settings)
    table.merge(extra, LABELS)
    assert table.subtract(extra, LABELS)
    check_counts(table, counted(mine, settings))


@QUICK
@given(documents, documents, st.permutations(LABELS))
def test_only_what_is_held_is_subtracted(mine: list[Document], other: list[Document], names: list[int]) -> None:
    table, counts = table_of(mine), counted(mine)
    renamed = counted([(text, names[label], weight) for text, label, weight in other])
    assert table.subtract(table_of(other), names) == counts.holds(renamed)
    check_counts(table, counts - renamed if counts.holds(renamed) else counts)


@QUICK
@given(documents, st.randoms(use_true_random=False))
def test_any_part_of_the_documents_can_be_subtracted(documents: list[Document], shuffler: random.Random) -> None:
    part = shuffler.sample(documents, len(documents) // 2)
    table = table_of(documents)
    assert table.subtract(table_of(part), LABELS)
    check_counts(table, counted(documents) - counted(part))


@pytest.mark.parametrize(
    "other",
    [[("a a", 0, 1)], [("z", 0, 1)], [("a", 1, 1)], [("a", 0, 1), ("b", 0, 1)], [("", 0, 2)]],
    ids=["more often", "an unknown term", "another label", "in more documents", "more documents"],
)
def test_a_table_that_does_not_hold_the_other_refuses_and_stays_as_it_is(other: list[Document]) -> None:
    table = table_of([("a b", 0, 1)])
    assert not table.subtract(table_of(other), LABELS)
    check_counts(table, counted([("a b", 0, 1)]))


@QUICK
@given(documents, documents)
def test_a_copy_goes_its_own_way(mine: list[Document], other: list[Document]) -> None:
    table = table_of(mine)
    copy = table.copy()
    copy.merge(table_of(other), LABELS)
    check_counts(table, counted(mine))
    check_counts(copy, counted(mine + other))


@QUICK
@given(documents, st.integers(1, 1000))
def test_scaling_multiplies_every_number(documents: list[Document], factor: int) -> None:
    table = table_of(documents)
    table.scale(factor)
    check_counts(table, counted([(text, label, weight * factor) for text, label, weight in documents]))


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [Table.merge, Table.subtract], ids=["merge", "subtract"])
def test_a_table_is_not_changed_by_itself(change) -> None:  # type: ignore[no-untyped-def]
    table = Table()
    with pytest.raises(ValueError, match="cannot be changed by itself"):
        change(table, table, LABELS)


@pytest.mark.parametrize(("labels", "weights"), [([0], None), ([0, 0, 0], None), ([0, 0], [1])])
def test_texts_labels_and_weights_of_different_lengths_are_refused(
    labels: list[int], weights: list[int] | None
) -> None:
    given_weights = None if weights is None else np.array(weights, np.uint64)
    with pytest.raises(ValueError, match="must have the same length"):
        Table().count(["a", "b"], np.array(labels, np.uint32), given_weights, Analysis(**PLAIN), 1)


def test_cells_without_their_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="terms, tf, df and weighted must have the same length"):
        Table().put(["a", "b"], 0, [1], [1, 1])


def test_a_text_that_is_no_string_is_refused_and_nothing_is_counted() -> None:
    table = Table()
    with pytest.raises(TypeError, match="int"):
        table.count(["a", 1], np.array([0, 0], np.uint32), None, Analysis(**PLAIN), 1)  # type: ignore[list-item]
    assert table.ids() == 0


@QUICK
@given(texts)
def test_nothing_is_counted_when_the_mapping_fails(text: str) -> None:
    def map_tokens(tokens: list[str]) -> list[str | None]:
        raise LookupError("no lemma")

    table = Table()
    analysis = Analysis(**mapped_by(map_tokens))
    with pytest.raises(LookupError, match="no lemma"):
        table.count(["a b", text], np.array([0, 1], np.uint32), None, analysis, 1)
    assert (table.ids(), len(table.totals()[0])) == (0, 0)


def test_rows_of_a_label_that_is_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no such label"):
        Table().rows(np.array([], dtype=np.uint32), [0], "tf")

"""Scores: base plus times · weight, added in order of first sight, bit for bit what the plain reference adds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import reference
from kernel.generated import PLAIN, QUICK, Document, analyses, documents, sentences, table_of, texts, texts_by_id
from likelier._kernel import Analysis, Table, weigh
from reference import Settings

Scores = tuple[list[float], int, int, int, float]  # sums by label, known, unknown, distinct and unknown, their factors
Scale = Literal["count", "once", "log"]


scales: st.SearchStrategy[Scale] = st.sampled_from(["count", "once", "log"])


@dataclass
class Weighted:
    """A table with a weight for each term and label, some of them −∞; some terms count as unknown or are skipped."""

    table: Table
    settings: Settings
    rows: NDArray[np.float64]  # (ids, labels)
    kept: NDArray[np.uint8]  # (ids,)
    base: NDArray[np.float64]  # (1, labels), or (texts, labels)

    @classmethod
    def of(cls, documents: list[Document], settings: Settings, seed: int = 0, labels: int = 3) -> Weighted:
        table, numbers = table_of(documents, settings), np.random.default_rng(seed)
        rows = numbers.normal(size=(table.ids(), labels)) * 10.0 ** numbers.integers(-8, 8, size=(table.ids(), labels))
        rows[numbers.random(rows.shape) < 0.02] = -np.inf
        kept = numbers.choice([0, 1, 2], table.ids(), p=[0.2, 0.7, 0.1]).astype(np.uint8)
        return cls(table, settings, rows, kept, numbers.normal(size=(1, labels)))

    def scores(self, texts: list[str], *, scale: Scale = "count", threads: int = 1) -> list[Scores]:
        """What the kernel says, by text."""
        analysis = Analysis(**self.settings)
        found = self.table.score(texts, analysis, self.rows, self.kept, self.base, scale, threads)
        return list(zip(*(array.tolist() for array in found), strict=True))

    def expected(self, text: str, *, scale: Scale = "count", row: int = 0) -> Scores:
        """What the reference says of a text that starts from this row of the base."""
        ids = list(enumerate(texts_by_id(self.table)))
        weights = {term: self.rows[number].tolist() for number, term in ids if self.kept[number] == 1}
        skipped = {term for number, term in ids if self.kept[number] == 2}
        terms = reference.terms(text, **self.settings)
        return reference.score(terms, weights, self.base[row].tolist(), scale=scale, skipped=skipped)


@QUICK
@given(documents, st.lists(sentences | texts, max_size=5), analyses, scales, st.integers(0, 2**32))
def test_scores_are_those_of_the_reference(
    documents: list[Document], questions: list[str], settings: Settings, scale: Scale, seed: int
) -> None:
    weighted = Weighted.of(documents, settings, seed)
    questions += [text for text, _, _ in documents]
    assert weighted.scores(questions, scale=scale) == [weighted.expected(text, scale=scale) for text in questions]


@QUICK
@given(documents, st.lists(sentences | texts, max_size=5), analyses)
def test_a_text_has_the_same_score_alone_as_in_a_batch(
    documents: list[Document], questions: list[str], settings: Settings
) -> None:
    weighted = Weighted.of(documents, settings)
    assert weighted.scores(questions) == [weighted.scores([text])[0] for text in questions]


@QUICK
@given(documents, sentences, analyses)
def test_a_question_leaves_no_trace_in_the_table(documents: list[Document], text: str, settings: Settings) -> None:
    weighted = Weighted.of(documents, settings)
    before = texts_by_id(weighted.table)
    weighted.scores([text])
    assert texts_by_id(weighted.table) == before


@QUICK
@given(documents, sentences)
def test_known_and_unknown_words_are_all_words(documents: list[Document], text: str) -> None:
    weighted = Weighted.of(documents, PLAIN)
    weighted.kept %= 2  # none is skipped
    ((_, known, unknown, distinct, _),) = weighted.scores([text])
    assert known + unknown == len(reference.terms(text, **PLAIN))
    assert distinct <= unknown


BIGRAMS: Settings = {**PLAIN, "ngrams": (1, 2)}
MAPPED: Settings = {**PLAIN, "map_tokens": lambda tokens: [token[:2] for token in tokens], "char_ngrams": (2, 2)}


@pytest.mark.parametrize("settings", [PLAIN, BIGRAMS, MAPPED], ids=["words", "bigrams", "mapped"])
@pytest.mark.parametrize("scale", ["count", "once", "log"])
def test_four_threads_give_the_scores_of_one_and_of_the_reference(settings: Settings, scale: Scale) -> None:
    kinds = [f"goat МОЛОКО {number} 中文{number} wolf unknown{number} " * 20 for number in range(50)]
    weighted = Weighted.of([(kind, 0, 1) for kind in kinds[::2]], settings)
    questions = kinds * 25  # 1.2 MB: enough for four threads
    assert sum(len(text.encode()) for text in questions) > 4 * 2**18
    expected = [weighted.expected(kind, scale=scale) for kind in kinds] * 25
    assert weighted.scores(questions, scale=scale, threads=4) == expected
    assert weighted.scores(questions, scale=scale, threads=1) == expected


@pytest.mark.parametrize("threads", [1, 4])
def test_each_text_starts_from_its_own_row_of_the_base(threads: int) -> None:
    questions = [f"goat wolf {number} " * 40 for number in range(2500)]  # 1.2 MB: enough for four threads
    weighted = Weighted.of([("goat wolf 7 8 9", 0, 1)], PLAIN)
    base = np.random.default_rng(1).normal(size=(len(questions), 1, 3))
    alone = [replace(weighted, base=base[row]).scores([text])[0] for row, text in enumerate(questions)]
    assert replace(weighted, base=base[:, 0]).scores(questions, threads=threads) == alone


def test_a_base_by_text_is_followed_through_several_chunks() -> None:
    long = "goat wolf " * 400_000  # 4 MB; a chunk ends after 64
    weighted = Weighted.of([("goat wolf", 0, 1)], PLAIN)
    questions = [text for number in range(20) for text in (long, f"goat {number}")]
    weighted.base = np.arange(len(questions) * 3, dtype=np.float64).reshape(-1, 3)
    expected = [weighted.expected(questions[row], row=row) for row in range(1, len(questions), 2)]
    assert weighted.scores(questions, threads=2)[1::2] == expected


def test_texts_that_are_read_in_several_chunks_are_scored_in_their_order() -> None:
    long = "goat wolf " * 400_000  # 4 MB; a chunk ends after 32
    weighted = Weighted.of([("goat wolf", 0, 1)], PLAIN)
    questions = [text for number in range(10) for text in (long, f"goat {number}")]
    short = [weighted.expected(f"goat {number}") for number in range(10)]
    assert weighted.scores(questions, threads=2)[1::2] == short


# ---- worked examples -------------------------------------------------------------------------------------------------


def scored(text: str, *, scale: Scale = "count") -> Scores:
    table = table_of([("a b c", 0, 1)])
    rows = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]])
    weighted = Weighted(table, PLAIN, rows, np.array([1, 1, 0], np.uint8), np.array([[0.5, 5.0]]))
    return weighted.scores([text], scale=scale)[0]


def test_a_score_is_the_base_plus_times_times_weight() -> None:
    assert scored("a b a") == ([0.5 + 2 * 1.0 + 2.0, 5.0 + 2 * 10.0 + 20.0], 3, 0, 0, 0.0)


def test_repeats_add_their_weight_once_if_wanted_and_are_still_as_many_terms() -> None:
    assert scored("a b a z z", scale="once") == ([0.5 + 1.0 + 2.0, 5.0 + 10.0 + 20.0], 3, 2, 1, 1.0)


def test_a_term_that_is_not_kept_counts_as_unknown() -> None:
    assert scored("c c z a") == ([0.5 + 1.0, 5.0 + 10.0], 1, 3, 2, 3.0)


def test_the_score_of_an_empty_text_is_the_base() -> None:
    assert scored("") == ([0.5, 5.0], 0, 0, 0, 0.0)


def test_a_weight_of_minus_infinity_gives_minus_infinity_and_never_nan() -> None:
    table = table_of([("a b", 0, 1)])
    rows = np.array([[-np.inf, 1.0], [1.0, -np.inf]])
    weighted = Weighted(table, PLAIN, rows, np.ones(2, np.uint8), np.zeros((1, 2)))
    assert weighted.scores(["a", "a b a", "z"]) == [
        ([-np.inf, 1.0], 1, 0, 0, 0.0),
        ([-np.inf, -np.inf], 3, 0, 0, 0.0),
        ([0.0, 0.0], 0, 1, 1, 1.0),
    ]


def test_logarithms_of_repeats_are_rounded_to_65536ths() -> None:
    twice, once = 71_999 / 65_536, 45_426 / 65_536  # ln 3 and ln 2
    assert scored("a b a z z", scale="log") == ([0.5 + twice + once * 2, 5 + twice * 10 + once * 20], 3, 2, 1, twice)


def test_a_skipped_term_is_neither_known_nor_unknown() -> None:
    table = table_of([("a b", 0, 1)])
    weighted = Weighted(table, PLAIN, np.array([[np.nan], [2.0]]), np.array([2, 1], np.uint8), np.array([[0.5]]))
    assert weighted.scores(["a b a z"]) == [([2.5], 1, 1, 1, 1.0)]


@pytest.mark.parametrize("scale", ["count", "once", "log"])
def test_weigh_gives_what_a_weight_of_one_adds_to_a_score(scale: Scale) -> None:
    times = [1, 2, 3, 62, 63, 64, 65, 1000]
    weighted = Weighted(table_of([("a", 0, 1)]), PLAIN, np.ones((1, 1)), np.ones(1, np.uint8), np.zeros((1, 1)))
    found = weigh(np.array(times, np.uint32), scale).tolist()
    assert found == [sums[0] for sums, *_ in weighted.scores(["a " * number for number in times], scale=scale)]


def test_a_scale_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match='a scale is count, once or log, not "twice"'):
        weigh(np.array([1], np.uint32), "twice")  # type: ignore[arg-type]


def test_no_texts_have_no_scores() -> None:
    weighted = Weighted.of([("a", 0, 1)], PLAIN, labels=3)
    analysis = Analysis(**PLAIN)
    sums, known, _, _, _ = weighted.table.score([], analysis, weighted.rows, weighted.kept, weighted.base, "count", 4)
    assert (sums.shape, known.shape) == ((0, 3), (0,))


def test_weights_of_another_shape_are_refused() -> None:
    table = table_of([("a b", 0, 1)])
    analysis = Analysis(**PLAIN)
    with pytest.raises(ValueError, match=r"rows must be \(ids, labels\)"):
        table.score(["a"], analysis, np.zeros((2, 3)), np.ones(2, np.uint8), np.zeros((1, 2)), "count", 1)


@pytest.mark.parametrize("rows", [0, 2, 4])
def test_a_base_of_neither_one_row_nor_one_for_each_text_is_refused(rows: int) -> None:
    table = table_of([("a b", 0, 1)])
    with pytest.raises(ValueError, match=r"base \(1, labels\) or \(texts, labels\)"):
        table.score(
            ["a"] * 3, Analysis(**PLAIN), np.zeros((2, 2)), np.ones(2, np.uint8), np.zeros((rows, 2)), "count", 1
        )

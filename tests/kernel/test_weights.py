"""What terms weigh in their documents: the kernel's sums are those of the plain reference, wherever they come from."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from kernel.generated import PLAIN, QUICK, Document, content, documents, texts_by_id
from likelier._kernel import Analysis, Table, check_arrays
from reference import Counts, Settings
from reference.weights import UNIT, learned

Weighting = Literal["log", "count-length", "once-length", "log-length"]
LABELS = [0, 1, 2, 3]

# The n-grams that are counted, and those that are the text's own.
ranges = st.lists(st.integers(1, 4), min_size=4, max_size=4).map(sorted).map(lambda n: ((n[0], n[3]), (n[1], n[2])))
weightings: st.SearchStrategy[Weighting] = st.sampled_from(get_args(Weighting))
plans = st.tuples(weightings, ranges)
Plan = tuple[Weighting, tuple[tuple[int, int], tuple[int, int]]]
WORDS: Plan = ("count-length", ((1, 1), (1, 1)))


def analysis_of(plan: Plan) -> Analysis:
    weighting, (ngrams, own) = plan
    settings: Settings = {**PLAIN, "ngrams": ngrams}
    return Analysis(**settings, weighting=weighting, own=own)


def weighed(documents: list[Document], plan: Plan, threads: int = 1) -> Table:
    table = Table()
    labels = np.array([label for _, label, _ in documents], dtype=np.uint32)
    weights = np.array([weight for _, _, weight in documents], dtype=np.uint64)
    table.count([text for text, _, _ in documents], labels, weights, analysis_of(plan), threads)
    return table


def expected(documents: list[Document], plan: Plan) -> Counts:
    weighting, (ngrams, (low, high)) = plan

    def weigh(bag: dict[str, int]) -> dict[str, int]:
        return learned(bag, weighting, {term for term in bag if low <= 1 + term.count(" ") <= high})

    terms = ((reference.terms(text, **{**PLAIN, "ngrams": ngrams}), label, weight) for text, label, weight in documents)
    return reference.count(terms, weigh)


def check(table: Table, counts: Counts) -> None:
    assert content(table) == counts
    for label, totals in enumerate(zip(*(array.tolist() for array in table.totals()), strict=True)):
        assert totals == counts.totals(label)


@QUICK
@given(documents, plans)
def test_sums_of_weights_are_those_of_the_reference(documents: list[Document], plan: Plan) -> None:
    check(weighed(documents, plan), expected(documents, plan))


@pytest.mark.parametrize("weighting", get_args(Weighting))
def test_four_threads_give_the_sums_of_one(weighting: Weighting) -> None:
    texts = [f"goat goat wolf {number % 97} {'milk ' * (number % 7)}{number} " * 12 for number in range(2000)]
    documents = [(text, number % 3, 1 + number % 2) for number, text in enumerate(texts)]
    plan: Plan = (weighting, ((1, 2), (1, 1)))
    assert content(weighed(documents, plan, threads=4)) == content(weighed(documents, plan))


@QUICK
@given(documents, documents, plans)
def test_subtracting_what_was_merged_is_the_identity(mine: list[Document], other: list[Document], plan: Plan) -> None:
    table, extra = weighed(mine, plan), weighed(other, plan)
    table.merge(extra, LABELS)
    check(table, expected(mine + other, plan))
    assert table.subtract(extra, LABELS)
    check(table, expected(mine, plan))


@QUICK
@given(documents, plans, st.integers(1, 1000))
def test_scaling_multiplies_sums_of_weights_too(documents: list[Document], plan: Plan, factor: int) -> None:
    table = weighed(documents, plan)
    table.scale(factor)
    check(table, expected([(text, label, weight * factor) for text, label, weight in documents], plan))


@QUICK
@given(documents, plans, st.booleans())
def test_the_weights_of_bags_are_what_counting_adds(documents: list[Document], plan: Plan, learn: bool) -> None:
    table = weighed([(text, 0, 1) for text, _, _ in documents], plan)
    _, ids, _, weights = table.copy().bags([text for text, _, _ in documents], analysis_of(plan), 1, learn)
    sums = np.zeros(table.ids(), dtype=np.uint64)
    np.add.at(sums, ids, weights)
    held = table.rows(np.arange(table.ids(), dtype=np.uint32), [0] if documents else [], "weighted")
    assert sums.tolist() == held.sum(axis=1).tolist()


@QUICK
@given(documents, plans)
def test_arrays_keep_sums_of_weights(documents: list[Document], plan: Plan) -> None:
    table = weighed(documents, plan)
    numbers, arrays = table.totals()[0], table.export(LABELS)
    check(Table.load(numbers, *arrays), expected(documents, plan))
    sums = check_arrays(numbers, *arrays)
    assert [array.tolist() for array in sums] == [array.tolist() for array in table.totals()[1:]]


def test_without_a_weighting_there_is_no_array_of_weights() -> None:
    table = Table()
    table.count(["a b"], np.zeros(1, np.uint32), None, Analysis(**PLAIN), 1)
    assert (table.export([0])[-1].tolist(), table.totals()[-1].tolist()) == ([], [0])


@pytest.mark.parametrize("weights", [[UNIT + 1, 1], [1]], ids=["too large", "too few"])
def test_weights_that_cannot_be_are_refused(weights: list[int]) -> None:
    table = weighed([("a b", 0, 1)], WORDS)
    *arrays, _ = table.export([0])
    with pytest.raises(ValueError, match=r"a count is larger than it can be|there is not one weight for each count"):
        check_arrays(table.totals()[0], *arrays, np.array(weights, np.uint64))


def test_a_document_of_another_length_is_not_held() -> None:
    table = weighed([("a b", 0, 1)], WORDS)
    assert not table.subtract(weighed([("a", 0, 1)], WORDS), LABELS)
    check(table, expected([("a b", 0, 1)], WORDS))


def test_cells_can_be_put_with_what_they_weigh() -> None:
    table = Table()
    table.put(["a", "b c"], 0, [2, 1], [1, 1], [UNIT, 5])
    assert content(table).weighted == {("a", 0): UNIT, ("b c", 0): 5}
    with pytest.raises(ValueError, match="at most 65536 for each of its occurrences"):
        table.put(["a"], 0, [1], [1], [UNIT + 1])


def test_the_order_of_a_term_is_its_number_of_words() -> None:
    table = weighed([("a b c", 0, 1)], ("log", ((1, 3), (1, 1))))
    table.put([" ".join("x" * 300)], 0, [1], [1])
    ids = np.arange(table.ids(), dtype=np.uint32)
    assert table.orders(ids).tolist() == [min(1 + term.count(" "), 255) for term in texts_by_id(table)]
    with pytest.raises(ValueError, match="there is no term with such an id"):
        table.orders(np.array([table.ids()], np.uint32))


def test_replaced_words_are_own_terms_where_no_other_ngrams_are_counted() -> None:
    settings: Settings = {**PLAIN, "map_tokens": lambda tokens: ["new york" if t == "nyc" else t for t in tokens]}
    table = Table()
    analysis = Analysis(**settings, weighting="once-length", own=(1, 1))
    table.count(["nyc a"], np.zeros(1, np.uint32), None, analysis, 1)
    assert content(table).weighted == {("new york", 0): 46_341, ("a", 0): 46_341}  # 1 / √2


def test_sums_that_would_be_too_large_are_refused_and_nothing_changes() -> None:
    table = weighed([("a", 0, 2**46)], WORDS)
    before, twin = content(table), table.copy()
    for change in (
        lambda: table.merge(twin, LABELS),
        lambda: table.scale(2),
        lambda: table.put(["a"], 0, [1], [1], [1]),
        lambda: table.put_documents(0, 2**62),
        lambda: table.count(["b"], np.zeros(1, np.uint32), None, analysis_of(WORDS), 1),
    ):
        with pytest.raises(OverflowError, match=r"larger than 2\^62"):
            change()
        assert content(table) == before


@pytest.mark.parametrize("weighting", ["count", "once", "LOG", ""])
def test_a_weighting_that_does_not_exist_is_refused(weighting: str) -> None:
    with pytest.raises(ValueError, match="a weighting is log, count-length, once-length or log-length"):
        Analysis(**PLAIN, weighting=weighting)  # type: ignore[arg-type]


def test_a_statistic_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="a statistic is tf, df or weighted"):
        Table().rows(np.array([], np.uint32), [], "times")  # type: ignore[arg-type]

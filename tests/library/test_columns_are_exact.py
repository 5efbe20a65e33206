"""Documents with columns: learning adds, forgetting subtracts, merging sums, bit for bit and in any order."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from tables import BODY, COLUMNS, documents, model_of, rows, weighted

VIEWS: list[dict[str, Any]] = [
    {},
    {"numeric": "equal-width:3", "unknown": "grow"},
    {"numeric": "equal-frequency:3", "unknown": "smooth", "event": "bernoulli"},
    {"numeric": "information", "unknown": "unk", "smoothing": lk.MEstimate(2)},
    {"numeric": [0, 20.5], "unknown": "zero", "alpha": 0, "event": "binary"},
    {"columns": {"age": {"numeric": [18]}, "subject": {"event": "complement"}}, "prior": "uniform"},
]


@given(documents, st.randoms())
@settings(max_examples=60, deadline=None)
def test_any_split_merged_in_any_order_is_the_whole(pairs: list[Any], chance: random.Random) -> None:
    whole = model_of(pairs)
    parts = [lk.train([pair], **COLUMNS) if _is_full(pair[0]) else None for pair in pairs]
    empty = model_of([])
    shuffled = list(pairs)
    chance.shuffle(shuffled)
    cut = chance.randint(0, len(shuffled))
    for some in (shuffled[:cut], shuffled[cut:]):
        if some:
            empty.learn_many(some)
    assert empty.counts.digest() == whole.counts.digest()
    for part, pair in zip(parts, pairs, strict=True):
        if part is not None:
            left = whole.copy()
            left.forget(*pair)
            assert (left + part).counts == whole.counts


def _is_full(row: dict[str, Any]) -> bool:
    return all(value is not None for value in row.values())


@given(weighted, st.permutations(range(10)))
@settings(max_examples=60, deadline=None)
def test_weighted_rows_learned_in_any_order_are_the_same_counts(triples: list[Any], order: list[int]) -> None:
    one, two = model_of([]), model_of([])
    for row, label, weight in triples:
        one.learn(row, label, weight=weight)
    turned = [triples[place] for place in order if place < len(triples)]
    two.learn_many([(row, label) for row, label, _ in turned], weights=[weight for *_, weight in turned])
    assert one.counts.digest() == two.counts.digest()


@given(documents, weighted)
@settings(max_examples=60, deadline=None)
def test_learn_then_forget_is_the_identity(pairs: list[Any], more: list[Any]) -> None:
    model = model_of(pairs)
    before, held = model.counts.digest(), model.ledger.sorted()[0].tobytes()  # type: ignore[union-attr]
    for row, label, weight in more:
        model.learn(row, label, weight=weight)
    for row, label, weight in reversed(more):
        model.forget(row, label, weight=weight)
    assert model.counts.digest() == before
    assert model.ledger is not None
    assert model.ledger.sorted()[0].tobytes() == held
    assert model == model_of(pairs)


@given(documents, rows, st.sampled_from(VIEWS))
@settings(max_examples=100, deadline=None)
def test_many_documents_get_the_verdicts_of_one_by_one(
    pairs: list[Any], asked: dict[str, Any], view: dict[str, Any]
) -> None:
    model = model_of(pairs)
    questions = [asked, BODY, *(row for row, _ in pairs)] * 2
    alone = [model.view(**view).classify(question) for question in questions]
    assert list(model.view(**view).classify_many(questions, threads=2)) == alone


@given(documents, rows, st.sampled_from(VIEWS))
@settings(max_examples=100, deadline=None)
def test_the_items_of_an_explanation_add_up_to_the_score(
    pairs: list[Any], asked: dict[str, Any], view: dict[str, Any]
) -> None:
    explanation = model_of(pairs).view(**view).explain(asked)
    assert explanation.sums == explanation.verdict.log_scores
    missing = {name for name, value in asked.items() if value is None}
    said = {name for item in explanation.items if item.kind == "missing" for name in item.name.split(", ")}
    assert said == missing


@given(documents, rows, st.sampled_from(VIEWS[1:5]))
@settings(max_examples=60, deadline=None)
def test_the_exact_product_agrees_with_the_score(pairs: list[Any], asked: dict[str, Any], view: dict[str, Any]) -> None:
    explanation = model_of(pairs).view(**view).explain(asked)
    for label, joint in explanation.joint.items():
        score = explanation.verdict.log_scores[label]
        if joint:
            found = math.log(joint.numerator) - math.log(joint.denominator)
            assert score == pytest.approx(found, rel=1e-9, abs=1e-9)
        else:
            assert score == -math.inf


@given(st.lists(st.tuples(st.floats(-1e150, 1e150), st.sampled_from([1, 2, 0.25])), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_mean_and_variance_are_those_of_exact_rational_arithmetic_to_the_last_digit(values: list[Any]) -> None:
    numbers = [value for value, _ in values]
    model = lk.train([({"x": x}, "a") for x in numbers], numeric=["x"], weights=[weight for _, weight in values])
    total = sum(Fraction(weight) for _, weight in values)
    mean = sum(Fraction(x) * Fraction(weight) for x, weight in values) / total
    variance = sum(Fraction(x) ** 2 * Fraction(weight) for x, weight in values) / total - mean**2
    figures = model.view().column("x")
    assert figures.mean("a") == float(mean)
    assert figures.variance("a") == float(variance)


def test_values_like_a_thousand_million_plus_small_noise_keep_their_variance() -> None:
    chance = random.Random(0)
    numbers = [1e9 + chance.random() for _ in range(1000)]
    model = lk.train([({"x": x}, "a") for x in numbers], numeric=["x"])
    turned = lk.train([({"x": x}, "a") for x in sorted(numbers)[:300]], numeric=["x"])
    turned.learn_many([({"x": x}, "a") for x in sorted(numbers)[300:]])
    assert model.counts == turned.counts
    exact = [Fraction(x) for x in numbers]
    mean = sum(exact) / 1000
    assert model.view().column("x").variance("a") == float(sum((x - mean) ** 2 for x in exact) / 1000)


def test_a_label_leaves_with_its_last_document() -> None:
    model = model_of([({"color": "red"}, "spam")])
    model.forget({"color": "red"}, "spam")
    assert model.labels == ("ham",)
    assert model == model_of([])


def test_what_was_not_learned_is_not_forgotten_and_nothing_changes() -> None:
    model = model_of([(BODY, "spam")])
    before = model.counts.digest()
    with pytest.raises(lk.LearningError, match="this one was not"):
        model.forget({**BODY, "size": 1.25}, "spam")
    with pytest.raises(lk.LearningError, match="this one was not"):
        model.forget({**BODY, "subject": None}, "spam")
    assert model.counts.digest() == before


@pytest.mark.parametrize(
    "change", [{"color": "pink"}, {"size": 77.0}, {"body": "never seen"}, {"fever": False}, {"subject": None}]
)
def test_without_a_ledger_counts_that_are_not_held_are_refused(change: dict[str, Any]) -> None:
    model = lk.train([(BODY, "spam"), (BODY, "ham")], **COLUMNS, ledger=False)
    before = model.counts.digest()
    with pytest.raises(lk.LearningError, match="not part of the model's"):
        model.forget_many([({**BODY, **change}, "spam"), (BODY, "spam")])
    assert model.counts.digest() == before


HELD = [(BODY, "spam"), (BODY, "spam"), (BODY, "spam"), (BODY, "ham")]


@pytest.mark.parametrize(
    "change", [{"color": "pink"}, {"size": 77.0}, {"body": "never seen"}, {"fever": False}, {"subject": None}]
)
def test_what_only_one_column_refuses_changes_none_of_the_others(change: dict[str, Any]) -> None:
    model = lk.train(HELD, **COLUMNS, ledger=False)
    before = model.counts.digest()
    with pytest.raises(lk.LearningError, match="not part of the model's"):
        model.forget({**BODY, **change}, "spam")
    assert model.counts.digest() == before


def test_a_number_that_only_looks_alike_when_it_is_rounded_is_not_forgotten() -> None:
    model = lk.train([({"x": 1.0000001}, "a"), ({"x": 5}, "b")], numeric=["x"], ledger=False)
    before = model.counts.digest()
    with pytest.raises(lk.LearningError, match="not part of the model's"):
        model.forget({"x": 1.0000002}, "a")
    assert model.counts.digest() == before


@pytest.mark.parametrize("number", [2.5, 1.5, 2.0001])
def test_a_number_that_was_never_learned_leaves_the_sums_as_they_were(number: float) -> None:
    rows = [({"x": value}, label) for value, label in ((1, "a"), (2, "a"), (3, "a"), (9, "b"))]
    model = lk.train(rows, numeric=["x"], ledger=False)
    before = model.counts.digest()
    with pytest.raises(lk.LearningError, match="these counts are not part"):
        model.forget({"x": number}, "a")
    assert model.counts.digest() == before


def test_a_label_leaves_all_columns_with_its_last_document_also_without_a_ledger() -> None:
    model = lk.train([(BODY, "ham"), (BODY, "spam"), (BODY, "spam")], **COLUMNS, ledger=False)
    model.classify(BODY)
    for _ in range(2):
        model.forget(BODY, "spam")
    assert model.classify(BODY).probabilities == {"ham": 1.0}
    assert model == lk.train([(BODY, "ham")], **COLUMNS)


def test_a_copy_has_labels_that_a_column_has_no_values_of() -> None:
    model = model_of([({"color": "red"}, "spam")])
    assert model.copy().classify(BODY) == model.classify(BODY)


def test_merging_leaves_both_models_as_they_were() -> None:
    whole, halves = model_of([(BODY, "spam")]), model_of([(BODY, "spam")], weights=[0.5, 0.5])
    before = whole.counts.digest(), halves.counts.digest()
    assert halves + whole == whole + halves
    assert (whole.counts.digest(), halves.counts.digest()) == before


def test_numbers_that_differ_behind_the_kept_digits_make_different_counts() -> None:
    one, two = (lk.train([({"x": x}, "a")], numeric=["x"]) for x in (1.0000001, 1.0000002))
    assert list(one.counts.cells()) == list(two.counts.cells())
    assert one != two


def test_a_document_in_which_everything_is_missing_counts_all_the_same() -> None:
    model = model_of([])
    model.learn({}, "ham")
    assert model.documents == 2
    assert model != model_of([])


def test_an_empty_text_and_a_missing_one_are_two_documents_to_the_ledger() -> None:
    model = model_of([({**BODY, "subject": None}, "ham")])
    with pytest.raises(lk.LearningError, match="this one was not"):
        model.forget({**BODY, "subject": ""}, "ham")


def test_weighted_numbers_in_intervals_have_exact_likelihoods() -> None:
    rows = [({"age": 20}, "x"), ({"age": 40}, "x"), ({"age": 40}, "y")]
    view = lk.train(rows, numeric=["age"], weights=[0.5, 1, 1]).view(numeric=[30], alpha=1)
    assert view.likelihood("below 30", "x", column="age") == (Fraction(1, 2) + 1) / (Fraction(3, 2) + 2)


def test_halves_of_documents_have_the_cuts_of_whole_ones() -> None:
    rows = [({"age": age}, label) for age, label in [(10, "x"), (30, "y"), (50, "x"), (70, "y")]]
    halves = lk.train(rows * 2, numeric=["age"], weights=[0.5] * 8)
    assert halves.view(numeric="equal-frequency:2").column("age").cuts == [40]
    assert halves.view(numeric="information").column("age").cuts == []  # so few documents are not worth a cut


def test_weights_of_a_table_in_pieces_mean_the_same_in_every_piece() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pieces = [pyarrow.table({"x": [1.0], "color": ["red"]}), pyarrow.table({"x": [2.0], "color": ["blue"]})]
    columns: dict[str, Any] = {"numeric": ["x"], "categorical": ["color"], "weights": [0.5, 3], "labels": ["a", "b"]}
    model = lk.train(pyarrow.concat_tables(pieces), **columns)
    assert model.counts.documents_per_label == {"a": Fraction(1, 2), "b": 3}
    assert model == lk.train([{"x": 1.0, "color": "red"}, {"x": 2.0, "color": "blue"}], **columns)


def test_models_of_equal_counts_and_other_analyzers_are_different() -> None:
    assert lk.train([("goat", "a")]) != lk.train([("goat", "a")], analyzer=lk.Analyzer(ngrams=2))

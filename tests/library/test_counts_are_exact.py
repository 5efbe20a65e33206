"""Learning adds, forgetting subtracts, merging sums: in any order, on any number of threads, to the last byte."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from corpora import documents, labels, model_of, texts, weights


def content(model: lk.Model) -> tuple[object, ...]:
    """Everything a model holds, as bytes."""
    arrays = {name: (array.dtype.str, array.tobytes()) for name, array in model.counts.sizes.arrays().items()}
    ledger = None if model.ledger is None else tuple(part.tobytes() for part in model.ledger.sorted())
    return model.counts.labels, arrays, ledger


@given(documents, texts, labels, weights)
def test_learning_and_then_forgetting_leaves_the_model_byte_for_byte_as_it_was(pairs, text, label, weight):
    model = model_of(pairs)
    before = content(model)
    model.learn(text, label, weight=weight)
    assert content(model) != before
    model.forget(text, label, weight=weight)
    assert content(model) == before
    assert model.counts.vocabulary == model_of(pairs).counts.vocabulary


@given(documents, st.randoms(use_true_random=False), st.integers(1, 5))
def test_any_split_merged_in_any_order_equals_the_whole(pairs, shuffler, parts):
    whole = model_of(pairs)
    places = [shuffler.randrange(parts) for _ in pairs]
    pieces = [
        model_of(piece)
        for part in range(parts)
        if (piece := [p for p, at in zip(pairs, places, strict=True) if at == part])
    ]
    shuffler.shuffle(pieces)
    merged = pieces[0]
    for piece in pieces[1:]:
        merged = merged + piece
    assert content(merged) == content(whole)
    assert merged == whole


@given(documents, st.lists(weights, min_size=12, max_size=12), st.randoms(use_true_random=False))
def test_weighted_documents_are_exact_too(pairs, some_weights, shuffler):
    def trained(order):
        return lk.train(
            texts=[pairs[i][0] for i in order],
            labels=[pairs[i][1] for i in order],
            weights=[some_weights[i] for i in order],
        )

    order = list(range(len(pairs)))
    whole = trained(order)
    shuffler.shuffle(order)
    assert content(trained(order)) == content(whole)
    one_by_one = lk.Model()
    for i in order:
        one_by_one.learn(*pairs[i], weight=some_weights[i])
    assert content(one_by_one) == content(whole)
    for i in order[1:]:
        one_by_one.forget(*pairs[i], weight=some_weights[i])
    alone = lk.train([pairs[order[0]]], weights=[some_weights[order[0]]])
    assert content(one_by_one) == content(alone)


def test_a_weight_of_three_is_three_documents():
    thrice = lk.train([("goat wolf goat", "ham")], weights=[3])
    assert thrice.counts == lk.train([("goat wolf goat", "ham")] * 3).counts


def test_a_weight_of_0_3_is_three_tenths_exactly():
    counts = lk.train([("goat", "ham"), ("goat", "ham")], weights=[0.3, 0.6]).counts
    assert str(counts.of("goat", "ham")) == "9/10"


def test_a_weight_is_rounded_to_the_nearest_millionth():
    # as floats, 1.000001 times a million is a little less than 1000001
    assert str(lk.train([("goat", "ham")], weights=[1.000001]).counts.of("goat", "ham")) == "1000001/1000000"


def test_a_merged_model_has_a_ledger_only_when_both_have_one():
    with_ledger, without = lk.train([("goat", "ham")]), lk.train([("wolf", "ham")], ledger=False)
    assert (with_ledger + with_ledger).ledger is not None
    for both in (with_ledger + without, without + with_ledger):
        assert both.ledger is None
        both.forget("wolf", "ham")
        assert both == with_ledger


def test_a_weight_of_0_leaves_the_document_out():
    model = lk.train([("goat", "ham"), ("wolf", "spam")], weights=[1, 0])
    assert model.labels == ("ham",)
    assert model.counts.vocabulary == ["goat"]


def test_threads_do_not_change_the_counts():
    shuffler = random.Random(1)
    words = [f"w{n}" for n in range(5000)]
    pairs = [(" ".join(shuffler.choices(words, k=150)), shuffler.choice("abc")) for _ in range(3000)]
    for analyzer in (lk.Analyzer(), lk.Analyzer(ngrams=2, stop_words=["w1"]), lk.Analyzer(char_ngrams=3, words=False)):
        one = model_of(pairs, threads=1, analyzer=analyzer)
        assert content(model_of(pairs, threads=4, analyzer=analyzer)) == content(one)


def test_forgetting_the_only_document_of_a_label_removes_the_label_and_its_terms():
    model = lk.train([("goat", "ham"), ("wolf", "spam")])
    model.forget("wolf", "spam")
    assert model.labels == ("ham",)
    assert model.counts.vocabulary == ["goat"]
    assert model == lk.train([("goat", "ham")])


@pytest.mark.parametrize(
    ("text", "label", "weight"),
    [("wolf", "ham", 1), ("goat wolf", "spam", 1), ("goat", "spam", 1), ("goat wolf", "ham", 2), ("", "ham", 1)],
)
def test_forgetting_what_was_not_learned_is_refused_and_changes_nothing(text, label, weight):
    model = lk.train([("goat wolf", "ham"), ("wolf wolf", "spam"), ("seven", "spam")])
    before = content(model)
    with pytest.raises(lk.LearningError, match="only a document that was learned can be forgotten"):
        model.forget(text, label, weight=weight)
    assert content(model) == before


def test_without_a_ledger_counts_that_are_not_there_are_still_refused():
    model = lk.train([("goat wolf", "ham")], ledger=False)
    before = content(model)
    for text, label in [("goat goat", "ham"), ("dwarf", "ham"), ("goat", "spam")]:
        with pytest.raises(lk.LearningError, match="these counts are not part of the model's"):
            model.forget(text, label)
    assert content(model) == before


def test_forgetting_many_is_all_or_nothing():
    model = lk.train([("goat", "ham"), ("wolf", "spam")])
    before = content(model)
    with pytest.raises(lk.LearningError, match="nothing was changed"):
        model.forget_many([("goat", "ham"), ("dwarf", "spam")])
    assert content(model) == before


def test_learning_many_is_all_or_nothing():
    model = lk.train([("goat", "ham")])
    before = content(model)
    with pytest.raises(lk.InputError, match="got NoneType None as document 1"):
        model.learn_many(texts=["wolf", None], labels=["spam", "spam"])
    assert content(model) == before


def test_learning_says_whether_the_document_is_new():
    model = lk.train([("goat", "ham")])
    assert model.learn("wolf", "ham") == 0
    assert model.learn("goat", "ham") == 1
    assert model.learn("goat", "spam") == 0
    assert model.counts.of("goat", "ham") == 2


def test_a_view_follows_the_counts():
    model = lk.train([("goat", "ham"), ("wolf", "spam")])
    view = model.view()
    assert view.classify("dwarf goat").label == "ham"
    for _ in range(3):
        model.learn("goat", "spam")
    assert view.classify("dwarf goat").label == "spam"


def test_models_with_other_analyzers_do_not_merge():
    one, two = lk.train([("goat", "ham")]), lk.train([("goat", "ham")], analyzer=lk.Analyzer(ngrams=2))
    with pytest.raises(lk.LearningError, match="analyzers are equal"):
        _ = one + two


def test_a_model_merges_with_itself():
    model = lk.train([("goat", "ham")])
    assert (model + model).counts == lk.train([("goat", "ham")] * 2).counts
    assert model.counts.documents_per_label == {"ham": 1}


def test_a_phrase_from_a_table_is_the_bigram_that_is_counted():
    model = lk.Counts.from_table({"hong kong": {"x": 1}}, documents={"x": 1}).model(
        analyzer=lk.Analyzer(ngrams=(2, 2)), ledger=False
    )
    model.learn("Hong Kong", "x")
    assert model.counts.of("hong kong", "x") == 2


@given(documents, weights)
def test_a_pickled_or_copied_model_is_the_same_and_goes_its_own_way(pairs, weight):
    model = model_of(pairs, analyzer=lk.Analyzer(ngrams=2))
    model.learn("goat wolf", "spam", weight=weight)
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert content(twin) == content(model)
        assert twin == model
        assert twin.classify("goat wolf seven") == model.classify("goat wolf seven")
        twin.forget("goat wolf", "spam", weight=weight)
        assert content(twin) == content(model_of(pairs, analyzer=lk.Analyzer(ngrams=2)))


def test_counts_of_a_table_can_be_pickled():
    counts = lk.Counts.from_table({"hong kong": {"x": 1.5}, "a": {"y": 2}}, documents={"x": 1, "y": 2})
    twin = pickle.loads(pickle.dumps(counts))
    assert twin == counts
    with pytest.raises(lk.SettingError, match="these counts come from a table without that"):
        twin.view(event="bernoulli")


@pytest.mark.parametrize(
    ("documents", "text"),
    [
        (["a a", "a"], "a a a"),  # "a" would stand in one document and have no token
        (["a a a"], "a"),  # two tokens of "a" would stand in no document
        (["a b", "a b"], ""),  # "b" would stand in three documents, of which two were left
    ],
)
def test_without_a_ledger_nothing_is_forgotten_that_leaves_impossible_counts(documents, text):
    model = lk.train([(each, "x") for each in [*documents, "b"]], ledger=False)
    before = model.copy()
    with pytest.raises(lk.LearningError, match="not part of the model's"):
        model.forget(text, "x")
    assert model == before

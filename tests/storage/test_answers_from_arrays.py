"""A loaded model answers from its arrays, with the same bits as before it was saved; a change settles it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import documents, model_of, texts, views, weights
from likelier import _storage as storage
from likelier._documents.schema import plain

ANALYZERS = [
    lk.Analyzer(),
    lk.Analyzer(ngrams=2),
    lk.Analyzer(ngrams=(2, 3)),
    lk.Analyzer(char_ngrams=(1, 2)),
    lk.Analyzer(replace={"goat": "billy goat", "wolf dwarf": "pack"}, stop_words=["a"]),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("models") / "model.likelier"


def again(model: lk.Model, path) -> lk.Model:
    model.save(path)
    return lk.load(path)


@given(documents, texts, views, st.sampled_from(ANALYZERS), st.lists(weights, min_size=12, max_size=12))
def test_every_view_gives_the_same_bits(path, pairs, text, view_settings, analyzer, some_weights):
    whole = isinstance(view_settings["smoothing"], lk.AbsoluteDiscounting)
    model = model_of(pairs, analyzer=analyzer, weights=None if whole else some_weights[: len(pairs)])
    if view_settings["event"] == "complement" and len(model.labels) == 1:
        return
    view, loaded = model.view(**view_settings), again(model, path).view(**view_settings)
    one, two = view.classify(f"{text} yeti"), loaded.classify(f"{text} yeti")
    assert (one.log_scores, one.label, one.unknown_share) == (two.log_scores, two.label, two.unknown_share)
    assert loaded.explain(text).to_dict() == view.explain(text).to_dict()
    assert loaded.counts._stored is not None
    many = loaded.classify_many([f"{text} yeti"] * 20)
    assert loaded.counts._stored is None
    assert many[19].log_scores == one.log_scores


@settings(deadline=None)
@given(
    documents,
    texts,
    st.sampled_from(["count", "once", "log-length"]),
    st.booleans(),
    st.sampled_from([None, 2, (2, 2), (2, 3)]),
    st.sampled_from(["multinomial", "complement"]),
    st.sampled_from([(), ("goat",), ("wolf dwarf", "a", "yeti")]),
    st.lists(weights, min_size=12, max_size=12),
)
def test_views_of_weighted_terms_and_n_grams_give_the_same_bits(
    path, pairs, text, weighting, idf, ngrams, event, stop_words, some_weights
):
    model = lk.Model(schema=plain(lk.Analyzer(), ngrams=3, weighting="log-length"))
    for pair, weight in zip(pairs, some_weights, strict=False):
        model.learn(*pair, weight=weight)
    if event == "complement" and len(model.labels) == 1:
        return
    given_settings = {"weighting": weighting, "idf": idf, "ngrams": ngrams, "event": event, "stop_words": stop_words}
    view, loaded = model.view(**given_settings), again(model, path).view(**given_settings)
    one, two = view.classify(f"{text} yeti"), loaded.classify(f"{text} yeti")
    assert (one.log_scores, one.label, one.unknown_share) == (two.log_scores, two.label, two.unknown_share)
    assert loaded.counts._stored is not None
    assert loaded.classify_many([f"{text} yeti"] * 20)[19].log_scores == one.log_scores
    assert loaded.counts._stored is None


@given(documents, st.sampled_from(ANALYZERS))
def test_every_number_can_be_looked_up(path, pairs, analyzer):
    model = model_of(pairs, analyzer=analyzer)
    loaded = again(model, path)
    assert sorted(loaded.counts.vocabulary) == sorted(model.counts.vocabulary)
    assert loaded.counts.tokens_per_label == model.counts.tokens_per_label
    for label in model.labels:
        assert loaded.view().top_terms(label) == model.view().top_terms(label)
        for term in [*model.counts.vocabulary, "", "yeti", "zzz", "\uffff"]:
            for statistic in ("tf", "df"):
                assert loaded.counts.of(term, label, statistic) == model.counts.of(term, label, statistic)
    assert loaded.counts == model.counts
    assert loaded.counts._stored is not None


@given(documents, documents)
def test_a_model_that_was_not_settled_learns_merges_and_is_copied(path, first, second):
    both = model_of(first + second)
    one = again(model_of(first), path)
    copied, merged = one.copy(), one + model_of(second)
    assert merged == both
    assert one.counts._stored is not None
    one.learn_many(second)
    assert one == both
    assert copied == model_of(first)
    one.forget_many(second)
    assert one == copied


def test_a_view_that_was_asked_before_the_change_answers_from_the_new_counts(path):
    model = again(lk.train([("new york", "us"), ("old town", "uk")], analyzer=lk.Analyzer(ngrams=2)), path)
    view = model.view()
    assert view.classify("new york").label == "us"
    for _ in range(5):
        model.learn("new york", "uk")
    assert view.classify("new york").label == "uk"
    assert view.classify("new york") == model.copy().view().classify("new york")


def test_many_questions_about_pairs_of_words_are_answered_as_before(path):
    """Numbered anew, pairs of words get other numbers than their places in the file."""
    pairs = [("zebra apple zebra", "ham"), ("apple mango", "spam"), ("mango zebra kiwi", "ham")]
    model = lk.train(pairs, analyzer=lk.Analyzer(ngrams=2))
    asked = ["zebra apple", "apple mango kiwi", "kiwi"] * 7
    loaded = again(model, path).view()
    assert loaded.classify(asked[0]) == model.view().classify(asked[0])
    assert (loaded.classify_many(asked).log_scores == model.view().classify_many(asked).log_scores).all()


def test_saving_a_model_that_was_only_looked_at_writes_the_same_counts(path, tmp_path):
    model = again(lk.train([("goat wolf", "ham"), ("dwarf", "spam")], weights=[0.5, 1]), path)
    model.set_view(event="bernoulli")
    model.save(tmp_path / "other.likelier")
    assert model.counts._stored is not None
    assert storage.counts_digest(tmp_path / "other.likelier") == storage.counts_digest(path)
    assert not math.isnan(lk.load(tmp_path / "other.likelier").classify("goat").probability)

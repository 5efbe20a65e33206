"""A limit to the vocabulary: exact up to it, and beyond it what is lost is bounded and said."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from likelier._counts.pruning import Pruned, Pruner
from likelier._documents.batch import Batch, Stretches

WORDS = st.lists(st.integers(0, 40).map(lambda number: f"w{min(number, number * number // 20)}"), max_size=12)
DOCUMENTS = st.lists(st.tuples(WORDS.map(" ".join), st.sampled_from(["ham", "spam"])), min_size=1, max_size=40)
WEIGHTS = st.sampled_from([1, 2, 0.5, 0.25])
ANALYZERS = st.sampled_from([lk.Analyzer(), lk.Analyzer(ngrams=2), lk.Analyzer(ngrams=(2, 3))])


def trained(documents, stretch, **options):
    with patch("likelier._model.one_pass.STRETCH", stretch):
        return lk.train(documents, view="textbook", **options)


def cells(model):
    return {(term, label): (tf, df) for term, label, tf, df in model.counts.cells()}


@settings(deadline=None)
@given(DOCUMENTS, st.integers(1, 200), ANALYZERS)
def test_up_to_the_limit_it_is_the_same_model_byte_for_byte(documents, stretch, analyzer):
    whole = trained(documents, stretch, analyzer=analyzer)
    most = max(whole.counts.vocabulary_size, 1)
    limited = trained(documents, stretch, analyzer=analyzer, most_terms=most)
    assert limited.pruned is None
    assert limited == whole


@settings(deadline=None)
@given(DOCUMENTS, st.data(), st.integers(1, 200), st.integers(1, 12), ANALYZERS)
def test_beyond_it_no_count_is_further_off_than_the_bound_and_no_frequent_term_is_missing(
    documents, data, stretch, most, analyzer
):
    weights = data.draw(st.lists(WEIGHTS, min_size=len(documents), max_size=len(documents)))
    columns = {"texts": [text for text, _ in documents], "labels": [label for _, label in documents]}
    whole = trained(None, stretch, **columns, weights=weights, analyzer=analyzer)
    limited = trained(None, stretch, **columns, weights=weights, analyzer=analyzer, most_terms=most)
    assert limited.counts.vocabulary_size <= most
    assert limited.documents == whole.documents
    lost = limited.pruned or Pruned()
    true, counted, off = cells(whole), cells(limited), Counter()
    for (term, label), (tf, df) in true.items():
        there = counted.pop((term, label), (0, 0))
        assert there[0] <= tf
        assert tf - there[0] >= df - there[1] >= 0
        off[term] += tf - there[0]
    assert not counted  # nothing that was never there
    assert max(off.values(), default=0) <= lost.bound
    assert sum(off.values()) == lost.tokens
    assert (lost.terms > 0) == any(off.values())


@settings(deadline=None)
@given(DOCUMENTS, st.integers(1, 12), st.integers(1, 200), st.integers(1, 7), ANALYZERS)
def test_how_documents_come_in_batches_makes_no_difference(documents, most, stretch, cut, analyzer):
    model = trained(documents, stretch, most_terms=most, analyzer=analyzer)
    pieces = [documents[start : start + cut] for start in range(0, len(documents), cut)]
    batches = [Batch.of_texts([text for text, _ in some], [label for _, label in some]) for some in pieces]
    with patch("likelier._model.one_pass.labeled", lambda *_, **__: batches):
        again = trained(None, stretch, most_terms=most, analyzer=analyzer)
    assert (again, again.pruned) == (model, model.pruned)


def test_threads_and_files_make_no_difference(tmp_path):
    chance = np.random.default_rng(7)
    texts = [" ".join(f"word{number}" for number in chance.zipf(1.3, 300) % 5000) for _ in range(1200)]
    labels = ["even" if row % 2 else "odd" for row in range(1200)]
    rows = "".join(f"{label},{text}\n" for label, text in zip(labels, texts, strict=True))
    (tmp_path / "rows.csv").write_text("label,text\n" + rows, encoding="utf-8")
    options = {"most_terms": 1000, "analyzer": lk.Analyzer(ngrams=2)}
    models = [trained(tmp_path / "rows.csv", 1 << 20, threads=threads, **options) for threads in (1, 2, 3)]
    models += [trained(None, 1 << 20, texts=texts, labels=labels, **options)]
    assert all(each == models[0] and each.pruned == models[0].pruned for each in models)
    assert models[0].pruned is not None
    assert models[0].counts.vocabulary_size <= 1000


DOCS = [(f"always often{number % 5} once{number}", "even" if number % 2 else "odd") for number in range(300)]


@pytest.fixture
def pruned():
    return trained(DOCS, 500, most_terms=40)


def test_what_was_lost_is_said(pruned):
    assert pruned.pruned.terms == pruned.pruned.tokens > 250  # each stood there once
    assert pruned.counts.of("always", "odd") == 150
    assert sum(pruned.counts.tokens_per_label.values()) == 900 - pruned.pruned.tokens


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.forget(*DOCS[0]),
        lambda model: model.forget_many(DOCS[:2]),
        lambda model: model.counts.subtract(lk.train(DOCS[:1], view="textbook").counts),
        lambda model: model.evaluate(DOCS),
        lambda model: model.evaluate(DOCS, method="folds", folds=2),
    ],
)
def test_documents_cannot_be_taken_out_again(pruned, ask):
    before = pruned.counts.digest()
    with pytest.raises(lk.LearningError, match="rare terms were dropped while they were counted") as raised:
        ask(pruned)
    assert raised.value.code == "counts-pruned"
    assert "train without `most_terms`" in raised.value.hint
    assert pruned.counts.digest() == before


def test_documents_with_columns_cannot_be_taken_out_either():
    rows = [({"subject": text, "color": "red"}, label) for text, label in DOCS]
    model = trained(rows, 500, text=["subject"], categorical=["color"], most_terms=40)
    assert model.counts.columns["subject"].vocabulary_size <= 40
    assert model.pruned == model.counts.columns["subject"].pruned
    with pytest.raises(lk.LearningError, match="forgetting takes documents out of the counts"):
        model.forget(*rows[0])


def test_it_learns_and_answers_and_is_judged_by_other_documents(pruned):
    lost = pruned.pruned
    assert pruned.learn("quite new words", "odd") == 0
    assert pruned.pruned == lost
    assert pruned.counts.of("quite", "odd") == 1
    assert pruned.classify("quite new").label == "odd"
    assert len(pruned.evaluate(DOCS, method="held-out").truth) == len(DOCS)


def test_merging_adds_up_what_was_lost(pruned):
    other = lk.train([("always", "odd")], view="textbook")
    assert (pruned + other).pruned == (other + pruned).pruned == pruned.pruned
    twice = (pruned + pruned).pruned
    lost = pruned.pruned
    assert twice == Pruned(2 * lost.terms, 2 * lost.tokens, 2 * lost.bound)


def test_copies_and_pickles_know_it(pruned):
    assert pruned.copy().pruned == pickle.loads(pickle.dumps(pruned)).pruned == pruned.pruned


def test_settings_are_chosen_before_anything_is_dropped():
    model = lk.train(DOCS, most_terms=5)
    assert model.selection.why == lk.train(DOCS).selection.why
    assert model.counts.vocabulary_size <= 5


def test_stop_words_by_frequency_are_found_within_the_limit():
    model = trained(DOCS, 500, most_terms=40, analyzer=lk.Analyzer(stop_words=3))
    assert model.analyzer.stop_words[0] == "always"
    assert "always" not in model.counts.vocabulary


def test_the_bound_is_right_where_the_unit_changes():
    counts = lk.Model(ledger=False)
    pruner = Pruner(counts.counts.sizes, 4)
    for batch, weights in ((["a a a b b b c c d e"], None), (["f f f g"], [0.5])):
        counts.count(Batch.of_texts(batch, ["x"], weights), 1)
        pruner.prune()
    assert counts.pruned == Pruned(terms=4, tokens=2 + 2 + Fraction(1, 2), bound=2)  # d e, then c g


@pytest.mark.parametrize("most", [0, -1, 1.5, "many", True])
def test_a_limit_that_makes_no_sense_is_refused(most):
    with pytest.raises(lk.SettingError, match="`most_terms` must be an integer of 1 or more") as raised:
        lk.train(DOCS, most_terms=most)
    assert raised.value.code == "most-terms-range"


@given(st.lists(st.lists(st.text("aж", max_size=9), max_size=9), max_size=9), st.integers(1, 30))
@settings(deadline=None)
def test_stretches_end_with_the_document_that_fills_them(batches, size):
    stretches, seen, filled = Stretches(size), [], 0
    for texts in batches:
        for part, is_full in stretches.cut(Batch.of_texts(texts)):
            seen += part.texts
            for row, length in enumerate(part.sizes().tolist()):
                filled += length
                assert (filled >= size) == (is_full and row + 1 == len(part))
            filled = 0 if is_full else filled
    assert seen == [text for texts in batches for text in texts]


def test_a_document_whose_terms_are_all_there_cannot_be_forgotten_either():
    documents = [(f"always once{number}", "ham" if number % 2 else "spam") for number in range(100)]
    model = lk.train([*documents, ("always", "ham")], view="textbook", most_terms=20)
    assert model.pruned is not None
    with pytest.raises(lk.LearningError) as raised:
        model.forget("always", "ham")
    assert raised.value.code == "counts-pruned"

"""Many labels: sums over postings are those over all weights, and take as much as there are postings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import EVENTS, SMOOTHINGS
from likelier._base.numbers import Floats
from likelier._estimate import sparse
from weighed import Case, cases

MANY = settings(max_examples=300, deadline=None)
queries = st.lists(
    st.sampled_from(["goat", "wolf", "seven", "молоко", "goat wolf goat", "yeti", "лешему", "a"]), max_size=7
).map(" ".join)
DENSE, SPARSE = 1 << 30, 1


@contextmanager
def many_labels(number: int, most: int = sparse.MOST) -> Iterator[None]:
    """So many labels are many; so many weights fit."""
    before = sparse.MANY_LABELS, sparse.MOST
    sparse.MANY_LABELS, sparse.MOST = number, most
    try:
        yield
    finally:
        sparse.MANY_LABELS, sparse.MOST = before


def scores(case: Case, texts: list[str], many: int, most: int = sparse.MOST) -> Floats:  # (texts, labels)
    """Of a batch that is too large to be answered text by text."""
    with many_labels(many, most):
        return case.view.classify_many([*texts, *[""] * 9]).log_scores[: len(texts)]


# ---- the same numbers --------------------------------------------------------------------------------------------


@given(cases(), st.lists(queries, max_size=5))
@MANY
def test_sums_over_postings_are_those_over_all_weights(case: Case, texts: list[str]) -> None:
    dense, found = scores(case, texts, DENSE), scores(case, texts, SPARSE)
    assert not np.isnan(found).any()
    assert np.array_equal(np.isneginf(found), np.isneginf(dense))
    np.testing.assert_allclose(found, dense, rtol=1e-12, atol=1e-12)


@given(cases(), st.lists(queries, min_size=1, max_size=5))
@MANY
def test_one_text_has_the_same_bits_as_in_a_batch(case: Case, texts: list[str]) -> None:
    many = scores(case, texts, SPARSE)
    with many_labels(SPARSE):
        for text, row in zip(texts, many.tolist(), strict=True):
            assert list(case.view.classify(text).log_scores.values()) == row


@given(cases(), queries)
@MANY
def test_a_table_that_was_read_back_gives_the_same_bits(case: Case, text: str) -> None:
    labels, arrays = list(case.model.counts.labels), case.model.counts.sizes.arrays()
    stored = lk.Counts(case.model.counts.schema)
    stored.sizes.hold(labels, arrays)
    stored.sizes.has_df = case.model.counts.sizes.has_df
    with many_labels(SPARSE):
        one = lk.View(stored, case.model.schema, **case.settings)
        assert one.classify(text) == case.view.classify(text)
        assert one.classify_many([text] * 9)[8] == case.view.classify(text)  # with terms numbered anew


@given(cases(), queries)
@MANY
def test_explanations_add_up_but_for_the_last_digits(case: Case, text: str) -> None:
    with many_labels(SPARSE):
        found = case.view.explain(text)
        expected = case.view.classify(text).log_scores
    assert found.verdict.log_scores == expected
    for label, score in found.sums.items():
        assert score == pytest.approx(expected[label], rel=1e-12, abs=1e-12)


@given(cases(), st.lists(queries, max_size=5))
@MANY
def test_what_is_too_large_for_a_table_of_weights_has_the_same_bits_without_it(case: Case, texts: list[str]) -> None:
    with many_labels(DENSE, most=-1):
        view = case.view
        if sparse.is_apart(view.estimator.event_name, view.estimator.smoothing):
            assert view.estimator.is_sparse
            return
        found = view.classify_many([*texts, *[""] * 9]).log_scores[: len(texts)]
        assert "weights" not in vars(view.estimator)
    assert np.array_equal(found, scores(case, texts, DENSE))


# ---- which form --------------------------------------------------------------------------------------------------


def model_with(labels: int) -> lk.Model:
    texts = [f"shared{number % 3} own{number} own{number}" for number in range(labels)]
    return lk.train(texts=texts, labels=[f"label{number:03}" for number in range(labels)], view="textbook")


def test_the_form_depends_on_the_number_of_labels_and_on_the_settings():
    few, many = model_with(sparse.MANY_LABELS - 1), model_with(sparse.MANY_LABELS)
    assert not few.view().estimator.is_sparse
    assert many.view().estimator.is_sparse
    assert not many.view(alpha=0).estimator.is_sparse  # what was never seen would add minus infinity
    assert not many.view(event="bernoulli", smoothing=lk.JelinekMercer(0.5)).estimator.is_sparse
    assert not many.view(event="complement", smoothing=lk.AbsoluteDiscounting(0.5)).estimator.is_sparse


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("smoothing", SMOOTHINGS, ids=str)
def test_a_model_with_a_hundred_labels_answers_alike_in_every_way(event: str, smoothing: lk.Smoothing) -> None:
    model = model_with(120)
    texts = ["shared1 own7 own8 own7", "own99 new", "", "new"]
    view = model.view(event=event, smoothing=smoothing, unknown="smooth")
    batch = view.classify_many(texts * 5, threads=2)
    assert [view.classify(text) for text in texts] == list(batch)[:4] == list(batch)[16:]
    assert batch.labels[0] == "label007"
    with many_labels(DENSE):
        dense = model.view(event=event, smoothing=smoothing, unknown="smooth").classify_many(texts * 5)
    np.testing.assert_allclose(batch.log_scores, dense.log_scores, rtol=1e-12)


# ---- what it takes -----------------------------------------------------------------------------------------------


def test_weights_are_as_many_as_there_are_counts():
    view = model_with(150).view()
    counts, weights = view.counts.sizes, view.estimator.sparse
    assert len(weights.of_all.columns) == sum(1 for _ in counts.cells()) == 300
    ids = np.array([counts.find("own7"), counts.find("shared1"), counts.find("own8")], dtype=np.uint32)
    assert len(weights.of(ids).columns) == 1 + 50 + 1
    assert weights.of(ids).ends.tolist() == [1, 51, 52]


LARGE = """
import resource
import numpy as np
import likelier as lk

words = [f"w{number}" for number in range(100_000)]
numbers = np.random.default_rng(0).integers(0, len(words), (10_000, 60))
texts = [" ".join(words[number] for number in row) for row in numbers.tolist()]
labels = [f"label{row:05}" for row in range(len(texts))]
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))  # all weights would take 8 GB

model = lk.train(texts=texts, labels=labels, view="textbook", ledger=False, threads=1)
assert len(model.counts.labels) * model.counts.vocabulary_size > 0.99e9
assert model.classify(texts[5]).label == "label00005"
assert model.classify_many(texts[:20]).labels == labels[:20]
model.learn(texts[7], "label00008")
assert model.classify(texts[7]).log_odds("label00008", "label00009") > 10
model.forget(texts[7], "label00008")
assert model.classify(texts[7]).label == "label00007"
for settings in ({"event": "binary"}, {"event": "complement"}, {"smoothing": lk.JelinekMercer(0.5)}, {"alpha": 0}):
    assert model.view(**settings).classify_many(texts[:9]).labels == labels[:9], settings
view = model.view()
assert {term.term for term in view.top_terms(labels[3], 100)} == set(texts[3].split())
assert set(list(view.log_ratios(labels[3], labels[4]))[:20]) <= set(texts[3].split())
assert view.explain(texts[9]).verdict.label == labels[9]
both = model.counts + lk.train(texts=texts[:100], labels=labels[:100], view="textbook").counts
model.save("large.likelier")
again = lk.load("large.likelier")
assert again.classify(texts[11]) == model.classify(texts[11])
assert again.classify_many(texts[:20]).labels == labels[:20]
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
def test_ten_thousand_labels_and_a_hundred_thousand_terms_need_no_table_of_both(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LARGE], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

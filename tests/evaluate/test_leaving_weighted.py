"""Leave-one-out under weightings, idf, chosen n-grams and stop words equals brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import SMOOTHINGS, UNKNOWN
from evaluate.test_leaving import check, even_weights
from likelier import demo
from likelier._counts import vocabulary as counted
from likelier._documents.batch import Batch
from likelier._documents.schema import plain
from likelier._evaluate.leaving import held, over_vocabulary, terms
from likelier._evaluate.leaving.one_out import leave_one_out, prepare
from likelier._read.intake import labeled
from weighed import EXTRA, WEIGHTINGS, Case, cases, is_possible, model_of

MANY = settings(max_examples=300, deadline=None)


def batch_of(triples: list[tuple[str, str, float]]) -> Batch:
    return Batch.of_texts([text for text, _, _ in triples], [each for _, each, _ in triples], [w for *_, w in triples])


def check_case(case: Case, **changes: Any) -> None:
    view = case.settings | changes
    if is_possible(view, case.model.counts.sizes.unit):
        check(case.model, batch_of(case.documents), **view)


# ---- equal to brute force ----------------------------------------------------------------------------------------


@given(cases(st.just(1), most=10))
@MANY
def test_every_weighting_idf_ngrams_and_stop_words_equal_brute_force(case: Case) -> None:
    check_case(case)


@given(cases(even_weights, most=10))
@MANY
def test_a_document_is_left_out_with_its_weight(case: Case) -> None:
    check_case(case)


@given(cases(st.just(1), most=10), st.sampled_from(["multinomial", "complement"]), st.sampled_from(UNKNOWN[:-1]))
@MANY
def test_idf_is_that_of_the_documents_that_are_left(case: Case, event: Any, unknown: Any) -> None:
    weighting = case.model.counts.sizes.weighting or "count"
    check_case(case, event=event, unknown=unknown, idf=True, weighting=weighting, normalize=event == "complement")


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("event", ["multinomial", "complement"])
def test_a_corpus_with_all_that_can_happen_equals_brute_force(weighting: str, idf: bool, event: str) -> None:
    documents = [
        ("goat wolf goat", "ham", 1),
        ("goat wolf goat", "ham", 1),
        ("", "ham", 1),
        ("wolf wolf dwarf", "spam", 1),  # the only one with "dwarf"
        ("seven seven goat", "spam", 1),
        ("seven goat wolf", "news", 1),  # the only one of its label
        ("goat", "spam", 0),
    ]
    extra: Any = weighting if weighting in EXTRA else None
    model = model_of(plain(lk.Analyzer(), ngrams=2, weighting=extra), documents)
    for smoothing in SMOOTHINGS:
        for unknown in UNKNOWN:
            for more in (
                {"ngrams": (2, 2)},
                {"ngrams": 2, "stop_words": ["goat", "goat wolf", "dwarf"]},
                {"min_count": 2},
            ):
                view = {"event": event, "smoothing": smoothing, "unknown": unknown, "weighting": weighting, "idf": idf}
                view |= {"min_count": 1, "normalize": event == "complement"} | more
                if is_possible(view, 1):
                    check(model, batch_of(documents), **view)


def test_a_term_that_all_others_have_says_nothing_without_the_document() -> None:
    documents = [("goat wolf", "ham", 1), ("goat seven", "spam", 1), ("wolf", "spam", 1)]
    model = model_of(plain(lk.Analyzer()), documents)
    found = check(model, batch_of(documents), idf=True, alpha=0)
    # Without the third document both others have "goat"; "wolf" is in one of them: log(3/2).
    assert found.values[2, 0] == pytest.approx(np.log(1 / 2) + np.log(3 / 2) * np.log(1), abs=1e-14)
    assert np.isneginf(found.values[2, 1])


@pytest.mark.parametrize("smoothing", SMOOTHINGS[:-1])
def test_a_term_that_all_others_have_is_no_part_of_the_norm(smoothing: Any) -> None:
    documents = [("goat wolf", "ham", 1), ("goat seven seven", "spam", 1), ("wolf seven goat dwarf elf", "ham", 1)]
    for more in ([], [("goat wolf yeti", "spam", 1)] * 2, [("goat", "spam", 1)]):
        model = model_of(plain(lk.Analyzer()), documents + more)
        for unknown in ("ignore", "smooth"):
            view = {"event": "complement", "normalize": True, "smoothing": smoothing, "unknown": unknown}
            check(model, batch_of(documents + more), idf=True, **view)


def test_a_norm_that_is_0_but_for_rounding_divides_nothing() -> None:
    documents = [("", "ham", 1), ("", "spam", 1), ("goat", "spam", 1), ("goat goat goat", "ham", 1)]
    model = model_of(plain(lk.Analyzer()), documents)
    found = check(model, batch_of(documents), event="complement", normalize=True, idf=True)
    assert found.values[2] == pytest.approx(np.log([2 / 3, 1 / 3]), abs=1e-13)


def test_a_stop_word_that_nobody_else_has_is_unknown() -> None:
    documents = [("goat dwarf", "ham", 1), ("goat", "ham", 1), ("goat wolf", "spam", 1), ("wolf", "spam", 1)]
    model = model_of(plain(lk.Analyzer()), documents)
    found = check(model, batch_of(documents), stop_words=["dwarf", "wolf"], unknown="smooth")
    assert found.known.tolist() == [1, 1, 1, 0]
    assert found.unknown[:, 0].tolist() == [1, 0, 0, 0]


def test_a_sum_of_which_little_is_left_is_made_anew() -> None:
    documents = [("goat " * 5000 + "wolf", "ham", 1), ("seven", "ham", 1), ("wolf", "spam", 1), ("dwarf", "spam", 1)]
    for weighting in ("count", "log"):
        model = model_of(plain(lk.Analyzer(), weighting="log"), documents)
        for event in ("multinomial", "complement"):
            for smoothing in (lk.Additive(1e-6), lk.JelinekMercer(0.5)):
                view = {"event": event, "smoothing": smoothing, "weighting": weighting}
                check(model, batch_of(documents), idf=True, **view)


@pytest.mark.parametrize("view", [{}, {"event": "complement", "normalize": True}])
def test_the_demo_corpus_equals_brute_force(view: dict[str, Any]) -> None:
    documents = [(text, label, 1) for text, label in demo.documents()[::6]]
    model = model_of(plain(lk.Analyzer(), ngrams=2, weighting="log-length"), documents)
    check(model, batch_of(documents), weighting="log-length", idf=True, ngrams=2, stop_words=["the", "you"], **view)


def test_columns_have_weightings_of_their_own() -> None:
    pairs = [
        ({"subject": text, "body": " ".join(reversed(text.split()[:4])), "day": "mon"}, label)
        for text, label in demo.documents()[:12]
    ]
    pairs[3][0]["subject"] = None  # type: ignore[assignment]
    model = lk.train(pairs, text=["subject", "body"], categorical=["day"], ledger=False)
    (batch,) = labeled(pairs, schema=model.schema)
    own = {"subject": {"weighting": "once", "idf": True}, "body": {"stop_words": ["you"], "event": "bernoulli"}}
    check(model, batch, columns=own)


# ---- pieces ------------------------------------------------------------------------------------------------------


@given(cases(st.sampled_from([1, 2]), most=10))
@settings(max_examples=100, deadline=None)
def test_small_pieces_on_several_threads_give_the_same_scores(case: Case) -> None:
    batch = batch_of(case.documents)
    whole = leave_one_out(case.view, batch, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terms, "MOST", 3)
        patch.setattr(over_vocabulary, "MOST", 2)
        patch.setattr(held, "MOST", 5)
        patch.setattr(counted, "PIECE", 4)
        pieces = leave_one_out(case.view, batch, 2)
    np.testing.assert_allclose(pieces.values, whole.values, rtol=1e-13, atol=1e-13)
    assert (pieces.known.tolist(), pieces.unknown.tolist()) == (whole.known.tolist(), whole.unknown.tolist())


def test_several_views_judge_documents_that_are_prepared_once() -> None:
    documents = [(text, label, 1) for text, label in demo.documents()[:40]]
    model = model_of(plain(lk.Analyzer(), ngrams=2, weighting="log"), documents)
    batch = batch_of(documents)
    prepared = prepare(model.counts, model.schema, batch, 1)
    for view in ({}, {"weighting": "log", "idf": True}, {"ngrams": 2}, {"ngrams": (2, 2)}, {"stop_words": ["the"]}):
        found, expected = (leave_one_out(model.view(**view), each, 1) for each in (prepared, batch))
        assert found.values.tolist() == expected.values.tolist()
    assert (prepared.bags["text"].ids[:3] == prepare(model.counts, model.schema, batch, 2).bags["text"].ids[:3]).all()


def test_a_document_that_was_counted_with_another_weighting_is_part_of_the_counts_all_the_same() -> None:
    documents = [("goat goat wolf", "ham", 1), ("wolf", "spam", 1), ("goat", "spam", 1)]
    model = model_of(plain(lk.Analyzer(), weighting="count-length"), documents)
    check(model, batch_of(documents))
    check(model, batch_of(documents), weighting="once")


def test_documents_that_were_not_learned_are_refused_under_a_weighting_too() -> None:
    model = model_of(plain(lk.Analyzer(), weighting="log"), [("goat", "ham", 1), ("wolf", "spam", 1)])
    with pytest.raises(lk.LikelierError, match="document 0 was not, or not with this label and weight"):
        leave_one_out(model.view(weighting="log"), batch_of([("goat goat", "ham", 1)]), 1)

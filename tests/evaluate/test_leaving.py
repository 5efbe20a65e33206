"""Leave-one-out of texts equals brute force: training without each document, and asking about it in the same way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import SMOOTHINGS, UNKNOWN, UNSMOOTHED, WORDS, documents, every_view, labels, texts, views, weights
from likelier import demo
from likelier._answer.scores import Scores, score
from likelier._base.errors import LearningError, SettingError
from likelier._documents.batch import Batch
from likelier._evaluate.leaving import over_vocabulary, terms
from likelier._evaluate.leaving.bags import bags_of_texts, left_out
from likelier._evaluate.leaving.one_out import Leaving, leave_one_out
from likelier._model.models import Model
from likelier._model.view import View

TERMS = sorted({term for word in WORDS for term in lk.Analyzer().terms(word)})
RANKS = len(TERMS) * (len(TERMS) + 1) / 2
GIVEN = lk.MEstimate(3, p={"UNK": 0.1} | {term: 0.9 * rank / RANKS for rank, term in enumerate(TERMS, 1)})
# Sums of these weights are exact as floats too, so that brute force has no rounding that leave-one-out has not.
even_weights = st.sampled_from([0.25, 0.5, 1, 2, 3])


def brute_force(batch: Batch, row: int, view: View) -> Scores | None:
    """The log scores of one document by a model of all others; None where those have no label."""
    others = Model(schema=view.schema, ledger=False)
    others.count(batch.keep(np.delete(np.arange(len(batch)), row)), threads=1)
    if not others.labels:
        return None
    mine = View(others.counts, view.schema, view.settings)
    found = score(mine.estimates, batch.keep(np.array([row])).columns, few=bool(row % 2), threads=1)
    values = np.full((1, len(view.labels)), -np.inf)
    values[:, [view.labels.index(label) for label in mine.labels]] = found.values
    return Scores(values, found.known, found.unknown)


def check(model: Model, batch: Batch, *, threads: int = 1, **view: Any) -> Scores:
    """Every score to 1e-12, and how many terms are known and unknown."""
    asked = model.view(**view)
    found = leave_one_out(asked, batch, threads)
    assert found.values.shape == (len(batch), len(model.labels))
    assert not np.isnan(found.values).any()
    for row in range(len(batch)):
        expected = brute_force(batch, row, asked)
        if expected is None:
            assert np.isneginf(found.values[row]).all()
            continue
        np.testing.assert_allclose(found.values[row], expected.values[0], rtol=1e-12, atol=1e-13, err_msg=f"row {row}")
        assert found.known[row] == expected.known[0]
        assert found.unknown[row].tolist() == expected.unknown[0].tolist()
    return found


def of_texts(pairs: list[Any]) -> tuple[Model, Batch]:
    """A model of pairs, or of triples with a weight, and the documents as a batch."""
    weighed = [weight for *_, weight in pairs] if pairs and len(pairs[0]) == 3 else None
    batch = Batch.of_texts([pair[0] for pair in pairs], [pair[1] for pair in pairs], weighed)
    model = Model(analyzer=lk.Analyzer(), ledger=False)
    model.count(batch, threads=1)
    return model, batch


def fits(model: Model, view: dict[str, Any]) -> bool:
    """Whether there is such a view."""
    unk_needs_documents = view["event"] == "bernoulli" and view["unknown"] == "unk" and view.get("min_count", 1) > 1
    whole = model.counts.sizes.unit == 1 or not isinstance(view["smoothing"], lk.AbsoluteDiscounting)
    return not unk_needs_documents and whole


# ---- equal to brute force ----------------------------------------------------------------------------------------


@given(documents, views)
@settings(max_examples=150, deadline=None)
def test_every_event_smoothing_and_unknown_policy_equals_brute_force(pairs: list[Any], view: dict[str, Any]) -> None:
    check(*of_texts(pairs), **view)


@pytest.mark.parametrize("number", range(0, len(every_view), 3))
def test_a_corpus_with_all_that_can_happen_equals_brute_force(number: int) -> None:
    pairs = [
        ("goat wolf goat", "ham"),
        ("goat wolf goat", "ham"),
        ("", "ham"),
        ("wolf wolf dwarf", "spam"),  # the only one with "dwarf"
        ("seven seven goat", "spam"),
        ("seven goat wolf", "news"),  # the only one of its label
    ]
    check(*of_texts(pairs), **every_view[number])


@given(documents, views, st.sampled_from([1.5, 2, 3, 4]))
@settings(max_examples=150, deadline=None)
def test_terms_that_become_too_rare_without_the_document_leave_the_vocabulary(
    pairs: list[Any], view: dict[str, Any], min_count: float
) -> None:
    model, batch = of_texts(pairs)
    assume(fits(model, view | {"min_count": min_count}))
    check(model, batch, **view, min_count=min_count)


@given(documents, st.sampled_from(["multinomial", "binary", "complement"]), st.sampled_from(UNKNOWN))
@settings(max_examples=150, deadline=None)
def test_absolute_discounting_counts_the_terms_that_are_left(pairs: list[Any], event: Any, unknown: Any) -> None:
    model, batch = of_texts(pairs)
    for min_count in (1, 2, 3):
        check(model, batch, event=event, unknown=unknown, smoothing=lk.AbsoluteDiscounting(0.5), min_count=min_count)


@given(documents, st.sampled_from(SMOOTHINGS), st.sampled_from(UNKNOWN), st.sampled_from([1, 2, 3]))
@settings(max_examples=150, deadline=None)
def test_norms_of_the_complement_model_equal_brute_force(
    pairs: list[Any], smoothing: Any, unknown: Any, min_count: float
) -> None:
    view = {"event": "complement", "normalize": True, "smoothing": smoothing}
    check(*of_texts(pairs), **view, unknown=unknown, min_count=min_count)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_a_norm_of_one_term_is_exactly_0_and_divides_nothing(smoothing: Any) -> None:
    pairs = [("goat", "ham"), ("goat wolf dwarf seven ziege a молоко", "spam"), ("goat goat", "spam")]
    check(*of_texts(pairs), event="complement", normalize=True, smoothing=smoothing, unknown="smooth")


@given(st.lists(st.tuples(texts, labels, even_weights), min_size=1, max_size=10), views, st.sampled_from([1, 2]))
@settings(max_examples=150, deadline=None)
def test_a_document_is_left_out_with_its_weight(triples: list[Any], view: dict[str, Any], min_count: float) -> None:
    model, batch = of_texts(triples)
    view = view | {"min_count": min_count, "normalize": view["event"] == "complement" and min_count == 1}
    assume(fits(model, view))
    check(model, batch, **view)


@given(st.lists(st.tuples(texts, labels, weights), min_size=1, max_size=10), st.sampled_from(UNKNOWN))
@settings(max_examples=60, deadline=None)
def test_weights_that_are_no_sums_of_halves_are_subtracted_exactly(triples: list[Any], unknown: Any) -> None:
    model, batch = of_texts(triples)
    for event in ("multinomial", "binary", "bernoulli", "complement"):
        check(model, batch, event=event, unknown=unknown)


@given(documents, st.sampled_from(["multinomial", "binary", "bernoulli", "complement"]), st.sampled_from(UNKNOWN))
@settings(max_examples=80, deadline=None)
def test_a_mapping_for_p_equals_brute_force(pairs: list[Any], event: Any, unknown: Any) -> None:
    view = {"event": event, "unknown": unknown, "smoothing": GIVEN}
    check(*of_texts(pairs), **view, normalize=event == "complement")


@given(documents, views)
@settings(max_examples=60, deadline=None)
def test_a_uniform_prior_equals_brute_force(pairs: list[Any], view: dict[str, Any]) -> None:
    check(*of_texts(pairs), **view, prior="uniform")


@given(documents, st.sampled_from([{}, {"event": "bernoulli", "alpha": 0}, {"event": "complement", "unknown": "grow"}]))
@settings(max_examples=60, deadline=None)
def test_small_pieces_on_several_threads_give_the_same_bits(pairs: list[Any], view: dict[str, Any]) -> None:
    model, batch = of_texts(pairs)
    whole = leave_one_out(model.view(**view), batch, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terms, "MOST", 3)
        patch.setattr(over_vocabulary, "MOST", 2)
        pieces = leave_one_out(model.view(**view), batch, 2)
    assert pieces.values.tobytes() == whole.values.tobytes()
    assert pieces.known.tolist() == whole.known.tolist()


def test_a_smoothing_of_ones_own_equals_brute_force() -> None:
    class Kneser:  # looks at everything there is
        is_off = False

        def ratio(self, e: Any) -> Any:
            return lk.AbsoluteDiscounting(0.5).ratio(e)

        def exact(self) -> Any:
            return self

    pairs = [("goat wolf", "ham"), ("goat dwarf", "spam"), ("seven goat goat", "ham"), ("wolf", "spam")]
    check(*of_texts(pairs), smoothing=Kneser(), unknown="smooth")


def test_the_demo_corpus_equals_brute_force() -> None:
    model, batch = of_texts(demo.documents()[::5])
    for view in (
        {},
        {"event": "bernoulli"},
        {"event": "complement", "normalize": True, "unknown": "unk", "min_count": 2},
        {"event": "complement", "normalize": True, "smoothing": lk.JelinekMercer(0.7)},
        {"smoothing": lk.AbsoluteDiscounting(0.7), "unknown": "smooth"},
        {"event": "binary", "unknown": "grow"},
    ):
        check(model, batch, **view)


# ---- by hand -----------------------------------------------------------------------------------------------------


def test_the_arithmetic_of_a_textbook_corpus() -> None:
    pairs = [("goat goat wolf", "ham"), ("goat seven", "ham"), ("wolf dwarf", "spam"), ("wolf", "spam")]
    found = leave_one_out(of_texts(pairs)[0].view(), of_texts(pairs)[1], 1)
    # Without the third document: 3 documents, V = goat, wolf, seven; "dwarf" is unknown and ignored.
    ham, spam = 2 / 3 * (1 + 1) / (5 + 3), 1 / 3 * (1 + 1) / (1 + 3)
    assert found.values[2] == pytest.approx(np.log([ham, spam]), rel=1e-14)
    assert (found.known[2], found.unknown[2].tolist()) == (1, [1])


def test_a_label_without_other_documents_is_impossible_and_the_rest_shares_the_prior() -> None:
    model, batch = of_texts([("goat", "ham"), ("goat wolf", "spam"), ("wolf", "spam"), ("dwarf", "news")])
    for prior, expected in (("fitted", [1 / 3, 2 / 3]), ("uniform", [1 / 2, 1 / 2])):
        found = leave_one_out(model.view(prior=prior), batch, 1)
        assert np.exp(found.values[3, [0, 2]]) == pytest.approx(expected, rel=1e-14)
        assert np.isneginf(found.values[3, 1])


def test_a_given_prior_stays_as_it_is() -> None:
    pairs = [("goat", "ham"), ("goat wolf", "ham"), ("wolf", "spam"), ("dwarf", "news")]
    given = {"ham": 0.5, "spam": 0.3, "news": 0.2}
    found = leave_one_out(of_texts(pairs)[0].view(prior=given), of_texts(pairs)[1], 1)
    assert np.exp(found.values[3]) == pytest.approx([0.5, 0, 0.3], rel=1e-14)
    check(*of_texts(pairs[:2] * 2 + pairs[2:3] * 2), prior={"ham": 0.9, "spam": 0.1})


def test_without_the_only_document_no_label_is_left() -> None:
    found = leave_one_out(of_texts([("goat goat wolf", "ham")])[0].view(), of_texts([("goat goat wolf", "ham")])[1], 1)
    assert np.isneginf(found.values).all()
    assert (found.known.tolist(), found.unknown.tolist()) == ([0], [[3]])


def test_a_document_of_weight_0_is_judged_by_all_others() -> None:
    triples = [("goat goat", "ham", 1), ("wolf", "spam", 1), ("goat elephant", "ham", 0), ("wolf", "news", 0)]
    model, batch = of_texts(triples)
    check(model, batch, unknown="smooth")
    assert leave_one_out(model.view(), batch, 1).unknown.tolist() == [[2], [1], [1], [0]]


def test_whole_weights_are_read_in_the_units_of_the_counts() -> None:
    model, batch = of_texts(
        [("goat goat", "ham", 1), ("wolf", "spam", 2), ("goat", "ham", 0.5), ("wolf goat", "spam", 1)]
    )
    some = np.array([0, 1, 3])
    whole = leave_one_out(model.view(), batch, 1)
    assert leave_one_out(model.view(), batch.keep(some), 1).values.tolist() == whole.values[some].tolist()


def test_unit_weights_and_no_weights_are_the_same() -> None:
    pairs = [("goat goat wolf", "ham"), ("goat seven", "ham"), ("wolf dwarf", "spam")]
    model, batch = of_texts(pairs)
    weighted = Batch.of_texts(batch.texts, batch.labels, [1, 1.0, 1])
    found = [leave_one_out(model.view(), each, 1).values.tolist() for each in (batch, weighted)]
    assert found[0] == found[1]


def test_several_batches_share_one_preparation() -> None:
    model, batch = of_texts(demo.documents()[:40])
    leaving = Leaving(model.view(event="bernoulli"))
    parts = [leaving.scores(batch.keep(np.arange(start, start + 20)), 1).values for start in (0, 20)]
    assert np.vstack(parts).tolist() == leave_one_out(model.view(event="bernoulli"), batch, 2).values.tolist()


def test_a_loaded_model_gives_the_same_scores() -> None:
    model, batch = of_texts(demo.documents()[:40])
    loaded = lk.Model.from_bytes(model.to_bytes())
    expected = leave_one_out(model.view(), batch, 1).values
    assert leave_one_out(loaded.view(), batch, 1).values == pytest.approx(expected, rel=1e-13)


def test_documents_without_terms_come_in_pieces_too() -> None:
    batch = Batch.of_texts([""] * 10, ["ham"] * 10)
    model = Model(analyzer=lk.Analyzer(), ledger=False)
    model.count(batch, threads=1)
    bags = bags_of_texts(
        model.counts.sizes, model.analyzer.analysis, batch.columns["text"], left_out(model.counts, batch), 1
    )
    assert [len(piece) for piece in bags.pieces(4)] == [4, 4, 2]


def test_no_documents_give_no_scores() -> None:
    model, batch = of_texts([("goat", "ham"), ("wolf", "spam")])
    assert leave_one_out(model.view(), batch.keep(np.arange(0)), 1).values.shape == (0, 2)


# ---- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [("goat", "spam"), ("wolf wolf wolf", "spam"), ("goat", "news"), ("", "spam", 9), ("wolf", "spam", 0.5)],
    ids=["a term the label lacks", "too often", "no such label", "too heavy", "not in units"],
)
def test_what_was_not_learned_cannot_be_left_out(other: tuple[Any, ...]) -> None:
    model, _ = of_texts([("goat", "ham"), ("wolf", "spam"), ("wolf", "spam")])
    text, label, weight = (*other, 1)[:3]
    batch = Batch.of_texts(["goat", text], ["ham", label], [1, weight])
    with pytest.raises(LearningError, match="document 1 was not, or not with this label and weight") as caught:
        leave_one_out(model.view(), batch, 1)
    assert caught.value.code == "left-out-not-learnt"


@pytest.mark.parametrize("smoothing", [GIVEN, lk.MEstimate(2, p={"goat": 1.0})])
def test_a_mapping_that_lacks_a_term_is_refused(smoothing: Any) -> None:
    model, batch = of_texts([("goat elephant", "ham"), ("goat elephant", "spam")])
    with pytest.raises(SettingError, match="names every term of the vocabulary, but not 'elephant'"):
        leave_one_out(model.view(smoothing=smoothing), batch, 1)


def test_a_term_that_only_one_label_is_left_to_have_is_refused_where_its_weight_would_be_infinite() -> None:
    model, batch = of_texts([("goat wolf", "ham"), ("goat wolf", "ham"), ("goat wolf", "spam"), ("wolf", "spam")])
    view = model.view(event="complement", smoothing=lk.MEstimate(2, p={"goat": 0.0, "wolf": 1.0}))
    with pytest.raises(SettingError, match="infinite weight"):
        leave_one_out(view, batch, 1)
    with pytest.raises(SettingError, match="infinite weight"):
        brute_force(batch, 2, view)


def test_a_label_that_is_not_there_does_not_make_an_unknown_term_possible() -> None:
    model, batch = of_texts([("goat goat wolf", "ham"), ("goat goat seven", "ham"), ("goat dwarf", "spam")])
    smoothing = lk.MEstimate(2, p={"goat": 1.0})  # nothing for UNK, whose counts are all those of ham
    found = check(model, batch, event="complement", smoothing=smoothing, unknown="unk", min_count=2)
    assert np.isneginf(found.values[2]).all()


def test_zeros_are_minus_infinity_without_smoothing() -> None:
    pairs = [("goat wolf", "ham"), ("goat", "ham"), ("seven", "spam"), ("goat", "spam")]
    for smoothing in UNSMOOTHED:
        found = check(*of_texts(pairs), smoothing=smoothing)
        assert np.isneginf(found.values[1]).tolist() == [False, False]
        assert np.isneginf(found.values[3]).tolist() == [False, True]

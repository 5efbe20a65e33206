"""The discount: from the prior, where nothing is known, to scores that count less the more terms there are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import documents, model_of, texts
from likelier._answer.calibration import Calibration, Discount, Platt, Temperature
from likelier._answer.isotonic import Isotonic, TopLabel
from likelier._answer.posterior import posterior

PAIRS = [("cheap watches cheap", "spam"), ("lunch at noon", "ham"), ("noon lunch", "ham"), ("at noon", "ham")]
RISING = ((-2.0, 0.1), (2.0, 0.9))
RULES: list[Calibration] = [
    Discount(0.8, -0.5, 3, {"ham": -0.5, "spam": 0.5}),
    Discount(0.8, -0.5, 3, {"ham": -0.5, "spam": 0.5}, 0.6),
    Temperature(3.0, 0.5),
    Platt(0.5, {"ham": 2.0, "spam": -2.0}),
    TopLabel(Platt(0.5, {"ham": 1.0}), RISING),
    Isotonic({"ham": RISING}, others=RISING),
]
numbers = (
    st.floats(0.01, 5),
    st.floats(-1, 0),
    st.floats(1, 40),
    st.dictionaries(st.sampled_from(["ham", "spam"]), st.floats(-9, 9)),
)
straight = st.builds(Discount, *numbers)
discounts = straight | st.builds(Discount, *numbers, st.floats(0.1, 1))
EVENTS: list[dict[str, Any]] = [
    {},
    {"unknown": "smooth"},
    {"event": "bernoulli"},
    {"event": "complement", "normalize": True},
    {"prior": "uniform"},
    {"idf": True},
]
some_view = st.sampled_from(EVENTS)


def is_impossible(model: lk.Model, view: dict[str, Any]) -> bool:
    return len(model.labels) == 1 and view.get("event") == "complement"


@settings(deadline=None, max_examples=40)
@given(documents, st.lists(texts, min_size=1, max_size=4), st.sampled_from(RULES) | discounts, some_view)
def test_probabilities_are_the_softmax_of_the_scores_in_the_same_order(pairs, asked, rule, view):
    model = model_of(pairs)
    if is_impossible(model, view):
        return
    verdicts = model.view(calibration=rule, **view).classify_many([*asked, ""])
    assert (posterior(verdicts.log_scores) == verdicts.probabilities).all()
    by_score, by_chance = (
        np.argsort(-each, axis=1, kind="stable") for each in (verdicts.log_scores, verdicts.probabilities)
    )
    ordered = np.take_along_axis(verdicts.probabilities, by_score, axis=1)
    assert (ordered == np.take_along_axis(verdicts.probabilities, by_chance, axis=1)).all()


@settings(deadline=None, max_examples=40)
@given(documents, discounts, some_view)
def test_without_evidence_the_probabilities_are_the_prior(pairs, rule, view):
    model = model_of(pairs)
    if is_impossible(model, view):
        return
    asked = model.view(calibration=rule, **view)
    shares = {label: float(asked.prior(label)) for label in asked.labels}
    for text in ("", "yeti yak"):
        verdict = asked.classify(text)
        assert verdict.probabilities == pytest.approx(shares, rel=1e-12)
        assert verdict == asked.classify_many([text] * 20)[19]


def test_a_document_without_evidence_says_so():
    view = lk.train(PAIRS).view(calibration=RULES[0], event="bernoulli")
    assert view.classify("yeti").reason == "no known term in this text: the prior alone decides"
    smooth = lk.train(PAIRS).view(calibration=RULES[0], unknown="smooth", without_evidence="none")
    assert smooth.classify("yeti").label is None


@settings(deadline=None, max_examples=40)
@given(documents, st.lists(texts, min_size=1, max_size=4), discounts, some_view)
def test_one_text_is_judged_as_in_a_batch_to_the_last_bit(pairs, asked, rule, view):
    model = model_of(pairs)
    if is_impossible(model, view):
        return
    judged = model.view(calibration=rule, **view)
    for text, verdict in zip(asked, judged.classify_many(asked * 9), strict=False):
        alone = judged.classify(text)
        assert alone == verdict
        assert alone.log_scores == verdict.log_scores
        assert alone.probabilities == verdict.probabilities


@pytest.mark.parametrize("rule", RULES[:2])
def test_a_prior_that_was_given_is_given_back(rule):
    view = lk.train(PAIRS).view(calibration=rule, prior={"ham": 0.25, "spam": 0.75})
    assert view.classify("").probabilities == pytest.approx({"ham": 0.25, "spam": 0.75})
    never = lk.train(PAIRS).view(calibration=rule, prior={"ham": 1, "spam": 0})
    for text in ("", "cheap watches", "cheap watches cheap watches"):
        assert never.classify(text).probabilities == {"ham": 1.0, "spam": 0.0}
        assert never.classify_many([text] * 9)[8] == never.classify(text)


@settings(deadline=None)
@given(straight, st.floats(0.05, 0.95))
def test_the_correction_fades_steadily(rule, share):
    """The same evidence for both labels: what is left is the prior and the offset, between the first and the last."""
    prior = np.log([share, 1 - share])
    numbers = np.arange(int(rule.least) + 1)
    odds = np.diff(rule.calibrated(np.tile(prior, (len(numbers), 1)), ["ham", "spam"], log_prior=prior, known=numbers))
    assert odds[0, 0] == pytest.approx(float(np.diff(prior)[0]))
    largest = np.abs(np.diff(prior)[0]) + np.abs(np.diff(rule.offsets_of(["ham", "spam"]))[0])
    assert (np.abs(odds) <= max(1.0, rule.factors(rule.least)[0]) * largest + 1e-9).all()


def test_by_hand():
    rule = Discount(2, -0.5, 4, {"a": 1.0})
    prior, scores = np.log([0.5, 0.25, 0.25]), np.array([[-10.0, -9.0, -np.inf]] * 3)
    found = rule.calibrated(scores, ["a", "b", "c"], log_prior=prior, known=np.array([16, 2, 0]))
    half = 1.0 * (0.5 * np.array([1.0, 0.0]) + scores[0, :2] - 0.5 * prior[:2]) + 0.5 * prior[:2]  # k is 1 with 4
    np.testing.assert_allclose(found[0, :2], 0.5 * (np.array([1.0, 0.0]) + scores[0, :2]), rtol=1e-12)
    np.testing.assert_allclose(found[1, :2], half, rtol=1e-12)
    assert found[2].tolist() == [*prior[:2], -np.inf]
    assert np.isneginf(found[:, 2]).all()


@settings(deadline=None)
@given(st.lists(st.floats(-60, 0), min_size=4, max_size=4), straight, st.floats(0.1, 1), st.integers(0, 50))
def test_a_bend_keeps_the_order_of_labels(scores, rule, bend, known):
    given, prior, labels = np.array([[*scores, -np.inf]]), np.log([0.2] * 5), list("abcde")
    asked = {"log_prior": prior, "known": np.array([known])}
    (before,) = rule.calibrated(given, labels, **asked)
    (after,) = replace(rule, bend=bend).calibrated(given, labels, **asked)
    order = np.argsort(-before, kind="stable")
    assert (np.diff(after[order][:4]) <= 1e-9).all()
    assert after[order[0]] == pytest.approx(after.max(), abs=1e-9)
    assert np.isneginf(after[4])


def test_a_bend_by_hand():
    """Distances of 4 and 16, also with one of four terms; without one only the prior counts."""
    rule, prior = Discount(2, -0.5, 4, bend=0.5), np.log([0.25] * 4)
    scores = np.array([[-3.0, -7.0, -19.0, -np.inf]] * 3)
    found = rule.calibrated(scores, list("abcd"), log_prior=prior, known=np.array([4, 1, 0]))
    np.testing.assert_allclose(found[0], [0, -2, -4, -np.inf])
    np.testing.assert_allclose(found[1] - 0.75 * prior[0], [0, -2, -4, -np.inf])
    np.testing.assert_allclose(found[2], [*prior[:3], -np.inf])


def test_a_bend_leaves_what_is_impossible():
    scores = np.array([[0.0, -np.inf, -1.0], [0.0, -np.inf, -np.inf], [-np.inf, -np.inf, -np.inf]])
    for known in (0, 1, 9):
        found = Discount(0.5, 0, 4, bend=0.6).apply(scores, list("abc"), known=np.array([known] * 3))
        assert found[0, 1] == 0
        assert found[1:].tolist() == [[1, 0, 0], [0, 0, 0]]


def test_a_short_text_is_no_surer_than_a_longer_one_with_the_same_scores():
    # A large weight and a small bend go together: (30 d)^0.5, also where one of four terms is known.
    rule, labels, prior = Discount(30, 0, 4, bend=0.5), ["a", "b", "c"], np.log([1 / 3] * 3)
    scores = np.array([[0.0, -0.3, -2.0]]) + prior
    short, longer = (rule.apply(scores, labels, log_prior=prior, known=[n]) for n in (1, 4))
    assert short.max() <= longer.max() + 1e-12
    assert longer[0, 1] / longer[0, 0] == pytest.approx(np.exp(-(9**0.5)))


@settings(deadline=None)
@given(straight, st.floats(0.05, 0.95))
def test_with_hardly_any_evidence_the_prior_is_left(rule, share):
    prior = np.log([share, 1 - share])
    (found,) = rule.apply(prior[np.newaxis], ["ham", "spam"], log_prior=prior, known=np.array([1e-9]))
    assert found == pytest.approx([share, 1 - share], abs=1e-6)


def test_without_the_prior_and_the_number_of_terms_it_is_a_weight():
    scores = np.array([[-3.0, -5.0]])
    assert Discount(2, -0.5, 4).calibrated(scores, ["a", "b"]).tolist() == scores.tolist()


@pytest.mark.parametrize(
    "changed",
    [
        {"weight": 0},
        {"power": 0.1},
        {"power": -2},
        {"least": 0.5},
        {"offsets": {"a": None}},
        {"bend": 0},
        {"bend": 1.5},
    ],
)
def test_what_is_out_of_range_is_refused(changed):
    (name,) = changed
    with pytest.raises(lk.SettingError, match=f"the {name} of a discount must be"):
        Discount(**{"weight": 1, "power": 0, "least": 1, **changed})


@pytest.mark.parametrize("rule", RULES[:2])
def test_a_stored_model_answers_the_same_and_goes_on_learning(tmp_path, rule):
    model = lk.train(PAIRS, view="textbook")
    model.set_view(calibration=rule)
    model.save(tmp_path / "model.likelier")
    loaded = lk.load(tmp_path / "model.likelier")
    assert loaded.settings.calibration == model.settings.calibration
    asked = ["", "cheap lunch", "cheap cheap watches at noon"]
    assert loaded.classify_many(asked) == model.classify_many(asked)
    loaded.learn("pay the invoice", "bill")
    assert loaded.settings.calibration.not_covered(loaded.labels) == ["bill"]
    assert loaded.classify("pay the invoice").label == "bill"
    assert loaded.classify("").probabilities == pytest.approx({"bill": 0.2, "ham": 0.6, "spam": 0.2})
    loaded.forget("pay the invoice", "bill")
    assert loaded.view().classify_many(asked).probabilities[:, -2:] == pytest.approx(
        model.classify_many(asked).probabilities
    )


@pytest.mark.parametrize("rule", RULES[:2])
def test_an_evaluation_judges_by_it_and_fits_the_next_one_to_what_was_before_it(rule):
    pairs = PAIRS * 10
    plain = lk.train(pairs, view="textbook").evaluate(pairs)
    judged = plain.under(calibration=rule)
    assert (posterior(judged.verdicts.log_scores) == judged.verdicts.probabilities).all()
    assert (judged.scores.values == plain.verdicts.log_scores).all()
    fitted, again = plain.calibration().tried[-1].rule, judged.calibration().tried[-1].rule
    assert again.offsets == rule.offsets
    without = plain.under(calibration=replace(rule, offsets={})).calibration().tried[-1].rule
    assert without == fitted


def test_mistakes_are_explained_under_the_rule_they_were_judged_by():
    pairs = [*PAIRS * 10, ("cheap lunch at noon", "spam")]
    judged = lk.train(pairs, view="textbook").evaluate(pairs).under(calibration=RULES[0])
    (mistake,) = judged.mistakes(1)
    assert mistake.explanation.calibration == RULES[0].name
    assert mistake.explanation.verdict.probability == pytest.approx(mistake.verdict.probability)

"""Honest zeros, empty texts, and what a verdict says about them."""

from __future__ import annotations

import math
import pickle

import pytest

import likelier as lk

PAIRS = [("goat goat wolf", "ham"), ("wolf seven", "spam"), ("wolf", "ham")]


@pytest.fixture
def model() -> lk.Model:
    return lk.train(PAIRS)


def test_without_smoothing_a_missing_term_makes_a_label_impossible(model):
    verdict = model.view(alpha=0).classify("goat")
    assert verdict.log_scores["spam"] == -math.inf
    assert verdict.probabilities == {"ham": 1.0, "spam": 0.0}
    assert verdict.label == "ham"


def test_where_every_label_is_impossible_there_is_no_label_and_a_reason(model):
    verdict = model.view(alpha=0).classify("goat seven")
    assert verdict.label is None
    assert verdict.probabilities == {"ham": 0.0, "spam": 0.0}
    assert verdict.probability == 0
    assert verdict.reason == "every label has probability 0: each lacks a term of this text, and there is no smoothing"


def test_an_unknown_term_that_counts_zero_leaves_no_label(model):
    verdict = model.view(unknown="zero").classify("wolf yeti")
    assert verdict.label is None
    assert set(verdict.log_scores.values()) == {-math.inf}
    assert "a term that was never seen" in verdict.reason


def test_without_smoothing_bernoulli_forbids_a_text_that_lacks_what_every_document_has(model):
    view = model.view(event="bernoulli", alpha=0)  # every document has a wolf
    assert view.classify("goat").label is None
    assert view.classify("goat wolf").probabilities == {"ham": 1.0, "spam": 0.0}
    assert view.classify_many(["goat"])[0] == view.classify("goat")


@pytest.mark.parametrize("text", ["", "   ", "yeti", "?!"])
def test_a_text_without_known_terms_is_decided_by_the_prior_which_says_so(model, text):
    verdict = model.classify(text)
    assert verdict.label == "ham"
    assert verdict.probabilities["ham"] == pytest.approx(2 / 3)
    assert verdict.reason == "no known term in this text: the prior alone decides"


def test_a_text_without_known_terms_can_be_left_without_label(model):
    view = model.view(without_evidence="none")
    assert view.classify("yeti").label is None
    assert view.classify("yeti").reason == "no known term in this text: no label"
    assert view.classify("yeti goat").label == "ham"


def test_a_text_of_stop_words_is_a_text_without_terms():
    model = lk.train(PAIRS, analyzer=lk.Analyzer(stop_words=["the", "a"]))
    verdict = model.classify("the a the")
    assert verdict.reason == "no known term in this text: the prior alone decides"
    assert verdict.unknown_share == 0


def test_unknown_terms_that_are_smoothed_are_evidence(model):
    assert model.view(unknown="smooth").classify("yeti").reason is None


def test_for_bernoulli_absent_terms_decide_about_an_empty_text(model):
    assert model.view(event="bernoulli").classify("").reason.endswith("the prior and the absent terms decide")


def test_the_share_of_unknown_terms_counts_repeats(model):
    for event in ("multinomial", "bernoulli"):
        assert model.view(event=event).classify("goat goat yeti elf").unknown_share == 0.5


def test_one_label_only_is_allowed_and_said():
    verdict = lk.train([("goat", "ham")]).classify("goat")
    assert (verdict.label, verdict.probability) == ("ham", 1.0)
    assert verdict.reason == "ham is the only label: every text gets it"


def test_equal_labels_are_said_and_the_first_is_taken():
    verdict = lk.train([("goat", "b"), ("goat", "a")]).classify("goat")
    assert verdict.label == "a"
    assert verdict.reason == "'a' and 'b' are equally probable: the first in sorted order is taken"


def test_rounding_does_not_decide_between_equal_labels():
    model = lk.train([("a", "x"), ("b", "y"), ("c", "z")])
    for text in ("a b", "b a", "b a b a"):
        assert model.classify(text).label == "x"
        assert model.classify(text).reason == "'x' and 'y' are equally probable: the first in sorted order is taken"


def test_for_the_complement_too_a_log_ratio_above_0_speaks_for_the_label():
    ratios = lk.train([("goat", "a"), ("wolf", "b"), ("yeti", "c")]).view(event="complement").log_ratios("a", "b")
    assert ratios["goat"] > 0 > ratios["wolf"]


def test_documents_without_any_term_still_make_a_prior():
    verdict = lk.train([("", "ham"), ("", "ham"), ("!", "spam")]).classify("goat")
    assert verdict.probabilities == {"ham": pytest.approx(2 / 3), "spam": pytest.approx(1 / 3)}


def test_a_prior_of_0_makes_a_label_impossible(model):
    verdict = model.view(prior={"ham": 0, "spam": 1}).classify("goat")
    assert verdict.probabilities == {"ham": 0.0, "spam": 1.0}


def test_a_very_long_text_does_not_underflow(model):
    verdict = model.classify("goat " * 100_000 + "seven " * 50_000)
    assert verdict.probabilities == {"ham": 1.0, "spam": 0.0}
    assert math.isfinite(verdict.log_scores["spam"])


def test_thresholds_give_the_fallback_or_no_label(model):
    doubtful, sure = "wolf", "seven seven seven"
    none = model.view(decide=lk.Thresholds({"spam": 0.8, "ham": 0.8}))
    assert none.classify(doubtful).label is None
    assert "below its threshold 0.8: no label" in none.classify(doubtful).reason
    assert none.classify(sure).label == "spam"
    fallback = model.view(decide=lk.Thresholds({"*": 0.8}, otherwise="ham"))
    assert fallback.classify(doubtful).label == "ham"
    assert fallback.classify_many([sure, doubtful]).labels == ["spam", "ham"]


def test_a_threshold_is_reached_at_exactly_its_value():
    model = lk.train([("goat", "a"), ("goat", "b")])
    assert model.view(decide=lk.Thresholds({"a": 0.5})).classify("goat").label == "a"


def test_the_least_expected_cost_decides(model):
    doubtful = "wolf"
    assert model.classify(doubtful).label == "ham"
    careful = model.view(decide=lk.LeastCost({"spam": {"ham": 1}, "ham": {"spam": 10}}))
    assert careful.classify(doubtful).label == "spam"
    assert "ham is more probable, but spam has the least expected cost" in careful.classify(doubtful).reason
    asking = model.view(decide=lk.LeastCost({"spam": {"ham": 10}, "ham": {"spam": 10}, None: {"ham": 1, "spam": 1}}))
    assert asking.classify(doubtful).label is None


def test_labels_may_be_whole_numbers_or_truth_values():
    assert lk.train([("goat", 1), ("wolf", 0)]).classify("goat").label == 1
    assert lk.train([("goat", True), ("wolf", False)]).classify("goat").label is True


def test_the_odds_of_two_impossible_labels_are_an_error(model):
    with pytest.raises(lk.InputError, match="both impossible"):
        model.view(alpha=0).classify("goat seven").log_odds("ham", "spam")


def test_verdicts_can_be_sliced_and_indexed_from_the_end(model):
    verdicts = model.classify_many(["goat", "seven"])
    assert verdicts[-1] == verdicts[1] == verdicts[:][1]
    with pytest.raises(IndexError):
        verdicts[2]


def test_errors_survive_pickling():
    error = lk.InputError(code="x", message="m", hint="h")
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), twin.code, twin.hint, str(twin)) == (lk.InputError, "x", "h", "m\nhint: h")


def test_normalized_weights_that_are_all_0_leave_the_prior():
    # with one term in V its likelihood is 1 everywhere, so its weight and the sum of all weights are 0
    view = lk.train([("goat", "a"), ("goat", "b"), ("goat", "b")]).view(event="complement", normalize=True)
    assert view.classify("goat").probabilities == {"a": pytest.approx(1 / 3), "b": pytest.approx(2 / 3)}


def test_counts_merged_with_a_table_without_document_frequencies_have_none_either():
    table = lk.Counts.from_table({"goat": {"a": 2}}, documents={"a": 2})
    trained = lk.train([("goat", "a")]).counts
    for both in (table + trained, trained + table):
        with pytest.raises(lk.SettingError, match="these counts come from a table without that"):
            both.view(event="bernoulli")


@pytest.mark.parametrize(("text", "lacking"), [("goat", 3), ("goat yeti", 2), ("", 4)])
def test_unk_is_one_more_term_that_a_text_can_lack(model, text, lacking):
    items = model.view(event="bernoulli", unknown="unk").explain(text).items  # V is goat, wolf, seven and UNK
    assert [item.terms for item in items if item.kind == "absent"] == [lacking]

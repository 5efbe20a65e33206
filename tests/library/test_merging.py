"""Models that count different things merge on what both count; models trained alike lose nothing."""

from __future__ import annotations

import warnings

import pytest

import likelier as lk
from likelier._answer.calibration import Temperature
from likelier.demo import documents

PAIRS = documents()
ONE, TWO = PAIRS[:120], PAIRS[120:]
WIDE = {"weighting": "log-length", "ngrams": 2, "event": "complement", "smoothing": lk.Additive(0.1)}
VIEWS = {
    "textbook": "textbook",
    "log": {"weighting": "log"},
    "log-length": {"weighting": "log-length"},
    "pairs": {"ngrams": 2},
    "wide": WIDE,
    "binary": {"event": "binary"},
}
ROWS = [({"subject": text, "length": len(text)}, label) for text, label in PAIRS]
KINDS = {"text": ["subject"], "numeric": ["length"]}


def merged(one, two):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return one + two


@pytest.mark.parametrize("second", VIEWS)
@pytest.mark.parametrize("first", VIEWS)
def test_counts_of_merged_models_are_those_of_training_on_both(first, second):
    one, two = lk.train(ONE, view=VIEWS[first]), lk.train(TWO, view=VIEWS[second])
    both = merged(one, two)
    common = {"log": {"wide": "textbook"}, "pairs": {"wide": "pairs"}, "wide": {"pairs": "pairs"}}
    common |= {"log-length": {"wide": "log-length"}, "wide": {"pairs": "pairs", "log-length": "log-length"}}
    view = first if first == second else common.get(first, {}).get(second, "textbook")
    assert both == lk.train(PAIRS, view=VIEWS[view])
    assert both.counts.digest() == lk.train(PAIRS, view=VIEWS[view]).counts.digest()
    assert both.classify("Where is my parcel?").label == "delivery"
    assert lk.Model.from_bytes(both.to_bytes()) == both


def test_what_models_have_in_common_is_kept_with_the_ledger_and_the_history():
    both = merged(lk.train(ONE, view=WIDE), lk.train(TWO, view="textbook"))
    assert both.learned_many(PAIRS).every
    assert [event["what"] for event in both.provenance] == ["train", "train", "merge"]
    both.forget_many(TWO)
    assert both == lk.train(ONE, view="textbook")


def test_rows_with_texts_merge_on_what_both_count():
    view = {"columns": {"subject": {"weighting": "log-length", "ngrams": 2}}}
    one = lk.train(ROWS[::2], view=view, **KINDS)
    two = lk.train(ROWS[1::2], view="textbook", **KINDS)
    both = merged(one, two)
    assert both == lk.train(ROWS, view="textbook", **KINDS)
    assert both.settings.of_column("subject").weighting == "once"


def test_a_warning_says_what_was_dropped():
    one = lk.train(ONE, view=WIDE)
    one.set_view(calibration=Temperature(2))
    with pytest.warns(UserWarning, match=r"merged|models") as caught:
        both = one + lk.train(TWO, view="textbook")
    assert [str(each.message).partition(":")[0] for each in caught] == [
        "only one of the models counts these, so they were dropped",
        "the settings were changed to those that the merged counts allow",
        "the calibration was dropped with the settings; evaluate or calibrate the merged model again",
    ]
    assert "n-grams of 2 words, the sums of the weighting log-length" in str(caught[0].message)
    assert "weighting once in place of log-length" in str(caught[1].message)
    assert caught[0].filename == __file__
    assert (both.settings.event, both.settings.weighting, both.settings.ngrams) == ("complement", "once", None)
    assert both.settings.calibration.name == "none"


def test_settings_that_the_merged_counts_allow_stay_with_their_calibration():
    one = lk.train(ONE, view={"event": "binary"})
    one.set_view(calibration=Temperature(2))
    with pytest.warns(UserWarning, match="n-grams of 2 words"):
        both = one + lk.train(TWO, view={"ngrams": 2})
    assert both.settings == one.settings


def test_smoothing_is_as_strong_under_the_other_weighting():
    one = lk.train(ONE, view={"weighting": "count-length", "smoothing": lk.Additive(0.1)})
    both = merged(one, lk.train(TWO, view="textbook"))
    assert both.settings.weighting == "count"
    # a term that occurs once in a text of about ten different terms has the weight 1 / sqrt(10)
    assert 0.25 < both.settings.smoothing.alpha < 0.5


def test_models_that_count_the_same_lose_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert lk.train(ONE, view=WIDE) + lk.train(TWO, view=WIDE) == lk.train(PAIRS, view=WIDE)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (lk.train(ONE[:5]), lk.train(TWO[:5], analyzer=lk.Analyzer(lowercase=False))),
        (lk.train(ROWS[:5], **KINDS), lk.train(ROWS[:5], text=["subject"], categorical=["length"])),
        (lk.train(ROWS[:5], **KINDS), lk.train(ONE[:5])),
    ],
)
def test_models_of_other_analyzers_and_columns_are_refused(one, two):
    with pytest.raises(lk.LearningError) as caught:
        one + two
    assert caught.value.hint == "train one like the other: train(documents, like=model)"


def test_a_pruned_model_stays_pruned():
    one = lk.train(ONE, view=WIDE, most_terms=200)
    both = merged(one, lk.train(TWO, view="textbook"))
    assert both.pruned == one.pruned


# ---- like --------------------------------------------------------------------------------------------------------


def test_a_model_like_another_counts_and_answers_as_it_does():
    one = lk.train(ONE, view=WIDE, analyzer=lk.Analyzer(stop_words=20))
    two = lk.train(TWO, like=one)
    assert (two.schema, two.settings) == (one.schema, one.settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both = one + two
    assert both.settings == one.settings
    assert both.learned_many(PAIRS).every


def test_rows_can_be_trained_like_others():
    bound = [({"a": "x" if len(text) % 2 else "y", "b": "z", "note": text}, label) for text, label in PAIRS]
    columns = {"text": ["note"], "categorical": ["a", "b"], "bind": [("a", "b")]}
    one = lk.train(bound[::2], view={"columns": {"note": {"ngrams": 2}}}, **columns)
    two = lk.train(bound[1::2], like=one)
    assert one + two == lk.train(bound, view={"columns": {"note": {"ngrams": 2}}}, **columns)


def test_the_calibration_is_taken_if_the_labels_are_the_same():
    one = lk.train(ONE, view="textbook")
    one.set_view(calibration=Temperature(2))
    assert lk.train(TWO, like=one).settings.calibration == Temperature(2)
    some = [pair for pair in TWO if pair[1] != "spam"]
    assert lk.train(some, like=one).settings.calibration.name == "none"


@pytest.mark.parametrize(
    "given",
    [
        {"view": "textbook"},
        {"analyzer": lk.Analyzer()},
        {"numeric": ["x"]},
        {"bind": [("a", "b")]},
        {"others": "guess"},
    ],
    ids=str,
)
def test_nothing_that_it_has_can_be_given_too(given):
    with pytest.raises(lk.SettingError, match=f"so `{next(iter(given))}` cannot be given too"):
        lk.train(ONE, like=lk.train(TWO), **given)


def test_like_is_a_model():
    with pytest.raises(lk.SettingError, match="`like` is a model"):
        lk.train(ONE, like="shop.likelier")


def test_thresholds_for_labels_that_are_not_there_are_refused_at_once():
    one = lk.train(ONE, view="textbook")
    one.set_view(decide=lk.Thresholds({"spam": 0.9}))
    with pytest.raises(lk.LikelierError, match="spam"):
        lk.train([pair for pair in TWO if pair[1] != "spam"], like=one)

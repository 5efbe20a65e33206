"""What commands say of a view and its calibration: in short after training, when it is dropped, when models merge."""

from __future__ import annotations

import pytest

import likelier as lk
from likelier._answer.calibration import NoCalibration, Platt, Temperature
from likelier._settings.in_words import view_in_short

SHOP, TICKETS = "shop.likelier", "tickets.likelier"
TEXTS = [("a b", "x"), ("a c", "y")]
ROWS = [({"subject": "a b", "body": "c", "days": 3}, "x"), ({"subject": "a d", "body": "e", "days": 9}, "y")]


def said(result) -> str:
    return " ".join(result.stderr.split())


# ---- a view in short ---------------------------------------------------------------------------------------------


def in_short(**settings: object) -> str:
    model = lk.train(TEXTS, view={"weighting": settings["weighting"]} if "weighting" in settings else "textbook")
    model.set_view(**settings)
    return view_in_short(model.settings, model.schema)


def in_short_of_columns(columns: dict[str, dict[str, object]], **settings: object) -> str:
    model = lk.train(ROWS, text=["subject", "body"], numeric="days", view="textbook")
    model.set_view(columns=columns, **settings)
    return view_in_short(model.settings, model.schema)


def test_the_textbook_in_short():
    assert in_short() == "multinomial, additive:1, fitted prior, unknown words: ignore"


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"weighting": "log-length"}, "multinomial, weighting log-length, additive:1"),
        ({"idf": True}, "multinomial, idf, additive:1"),
        ({"ngrams": 1}, "multinomial, n-grams 1, additive:1"),
        ({"stop_words": ["a", "b"]}, "multinomial, 2 stop words, additive:1"),
        ({"min_count": 2}, "multinomial, min-count 2, additive:1"),
        ({"event": "complement", "normalize": True}, "complement, normalized, additive:1"),
    ],
)
def test_which_terms_are_read_and_how_they_are_weighed_is_said_in_short(settings, shown):
    assert in_short(**settings).startswith(f"{shown}, fitted prior")


def test_a_calibration_is_said_in_short():
    assert in_short(calibration=Temperature(2)).endswith("unknown words: ignore; calibrated by temperature 2")


def test_an_event_that_no_text_has_is_not_said():
    own = {"event": "complement"}
    found = in_short_of_columns({"subject": own, "body": own})
    assert "multinomial" not in found
    assert found.endswith("event of subject: complement, event of body: complement")


def test_an_event_that_one_text_has_is_said():
    found = in_short_of_columns({"subject": {"event": "complement"}})
    assert found.startswith("multinomial, additive:1")
    assert found.endswith("event of subject: complement")


def test_settings_of_a_column_are_said_where_they_differ_from_those_of_all():
    own = {"alpha": 0.5, "idf": True, "min_count": 1, "unknown": "ignore"}
    assert in_short_of_columns({"subject": own}) == (
        "multinomial, additive:1, fitted prior, unknown values: ignore, numbers: gaussian,"
        " smoothing of subject: additive:0.5, idf of subject: yes"
    )


def test_a_rule_for_numbers_that_no_column_has_is_not_said():
    found = in_short_of_columns({"days": {"numeric": [5]}})
    assert "gaussian" not in found
    assert found.endswith("numbers of days: 5")


# ---- a calibration that is dropped -------------------------------------------------------------------------------


@pytest.fixture
def calibrated(here) -> str:
    model = lk.load(SHOP)
    model.set_view(event="complement")
    model.set_view(calibration=Platt(0.5, {}))
    model.save(SHOP)
    return SHOP


@pytest.mark.parametrize("options", [["--alpha", "0.5"], ["--event", "binary"], ["--reset"]], ids=" ".join)
def test_a_change_that_drops_the_calibration_says_how_to_make_a_new_one(run, calibrated, options):
    result = run("view", calibrated, *options)
    assert isinstance(lk.load(calibrated).settings.calibration, NoCalibration)
    dropped = "dropped the calibration (Platt, weight 0.5); to calibrate again: likelier calibrate shop.likelier FILE"
    assert said(result) == dropped


@pytest.mark.parametrize("options", [[], ["--threshold", "0.9"], ["--event", "complement"]], ids=" ".join)
def test_a_calibration_stays_where_scores_do(run, calibrated, options):
    result = run("view", calibrated, *options)
    assert lk.load(calibrated).settings.calibration == Platt(0.5, {})
    assert (result.exit_code, result.stderr) == (0, "")


def test_nothing_is_dropped_where_there_was_no_calibration(run, here):
    assert run("view", SHOP, "--alpha", "0.5").stderr == ""


def test_the_command_for_a_new_calibration_can_be_typed(run, calibrated):
    lk.load(calibrated).save("my shop.likelier")
    assert "likelier calibrate 'my shop.likelier' FILE" in said(run("view", "my shop.likelier", "--alpha", "2"))


# ---- merging that is refused -------------------------------------------------------------------------------------


def test_a_merge_that_is_refused_says_nothing_of_what_would_have_been(run, here):
    run("view", "shop2.likelier", "--alpha", "3")
    result = run("merge", SHOP, "shop2.likelier", TICKETS, "-o", "all.likelier")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "kept" not in result.stderr
    assert "twice" not in result.stderr


def test_a_merge_that_is_done_says_all_of_it(run, here):
    run("view", "shop2.likelier", "--alpha", "3")
    result = run("merge", SHOP, "shop2.likelier", "-o", "both.likelier")
    assert "using that of shop.likelier" in said(result)
    assert "50 documents of shop2.likelier count twice: also in an earlier model" in said(result)


# ---- an explanation of a chosen view -----------------------------------------------------------------------------


def test_the_last_line_names_the_label_that_is_decided(run, here):
    model = lk.load(SHOP)
    model.set_view(prior="uniform")
    model.set_view(calibration=Platt(1, {"praise": 1}))
    model.save(SHOP)
    shown = " ".join(run("explain", SHOP, "xyzzy").stdout.split())
    assert shown.startswith("praise, probability ")
    assert "no known term in this text: only the prior and the calibration decide" in shown
    assert "calibrated by Platt, weight 1: sum 0.000, times 1 = 0.000; then +1.000 for the fitted offsets" in shown
    assert "log odds +1.000: praise is 2.72 times as probable as billing" in shown

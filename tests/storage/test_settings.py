"""Settings become plain values and come back as they were; what makes no sense is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from likelier._answer.calibration import Temperature
from likelier._settings.values import Settings

WEIGHTINGS = ["count", "once", "log", "count-length", "once-length", "log-length"]
LABELS = [["ham", "spam"], [0, 1, -7], [True, False]]

shares = st.one_of(st.floats(0, 1), st.fractions(0, 1, max_denominator=10**6), st.integers(0, 1))
amounts = st.one_of(st.floats(0, 1e300), st.integers(0, 10**30), st.fractions(0, 10**6, max_denominator=10**6))
smoothings = st.one_of(
    st.builds(lk.Additive, amounts),
    st.builds(lk.MEstimate, amounts, st.sampled_from(["uniform", "background"])),
    st.builds(lk.MEstimate, amounts, st.dictionaries(st.text(), shares, max_size=3)),
    st.builds(lk.JelinekMercer, shares),
    st.builds(lk.AbsoluteDiscounting, shares),
)
some_labels = st.sampled_from(LABELS)


@st.composite
def decisions(draw: st.DrawFn) -> Any:
    labels = draw(some_labels)
    thresholds = st.dictionaries(st.sampled_from([*labels, "*"]), shares)
    rows = st.fixed_dictionaries(dict.fromkeys(labels, amounts))
    return draw(
        st.one_of(
            st.just(lk.MostProbable()),
            st.builds(lk.Thresholds, thresholds, st.sampled_from([None, *labels])),
            st.builds(lk.LeastCost, st.fixed_dictionaries(dict.fromkeys([*labels, None], rows))),
        )
    )


@st.composite
def priors(draw: st.DrawFn) -> Any:
    labels = draw(some_labels)
    weights = draw(st.lists(st.integers(1, 100), min_size=len(labels), max_size=len(labels)))
    given_prior = {label: Fraction(weight, sum(weights)) for label, weight in zip(labels, weights, strict=True)}
    return draw(st.sampled_from(["fitted", "uniform", given_prior]))


@st.composite
def settings(draw: st.DrawFn, *, counted: bool = False) -> Settings:
    """counted: only what every model has counted."""
    event = draw(st.sampled_from(["multinomial", "binary", "bernoulli", "complement"]))
    unknown = draw(st.sampled_from(["ignore", "zero", "smooth", "grow", "unk"]))
    scaled = event in ("multinomial", "complement")
    return Settings(
        event=event,
        smoothing=draw(smoothings),
        prior=draw(priors()),
        unknown=unknown,
        weighting=draw(st.sampled_from(WEIGHTINGS[:2] if counted else WEIGHTINGS)) if scaled else "count",
        idf=draw(st.booleans()) and scaled and unknown != "unk",
        ngrams=None if counted else draw(st.sampled_from([None, 1, 3, (2, 2), [1, 5]])),
        stop_words=draw(st.lists(st.text(min_size=1, alphabet=st.characters(codec="utf-8")), max_size=3)),
        min_count=draw(st.one_of(st.integers(1, 10**6), st.floats(1, 1e9))),
        decide=draw(decisions()),
        without_evidence=draw(st.sampled_from(["prior", "none"])),
        normalize=draw(st.booleans()) and event == "complement",
    )


def kinds(stored: Any) -> Any:
    """The value with the type of everything in it, because True == 1."""
    if isinstance(stored, dict):
        return {name: kinds(value) for name, value in stored.items()}
    return [kinds(value) for value in stored] if isinstance(stored, list) else (type(stored), stored)


@given(settings())
def test_settings_come_back_as_they_were(given_settings):
    plain = given_settings.to_dict()
    back = Settings.from_dict(json.loads(json.dumps(plain)))
    assert back == given_settings
    assert kinds(back.to_dict()) == kinds(plain)


def test_equal_settings_are_equal_in_whatever_way_they_are_written():
    assert Settings(ngrams=2, stop_words=["the", "a", "the"]) == Settings(ngrams=(1, 2), stop_words=("a", "the"))


@pytest.mark.parametrize("change", [{"weighting": "log"}, {"idf": True}, {"ngrams": 2}, {"stop_words": ["the"]}])
def test_settings_that_change_scores_drop_a_calibration(change):
    calibrated = Settings(calibration=Temperature(2.0))
    assert calibrated.changed(**change).calibration == Settings().calibration
    assert calibrated.changed(missing="refuse").calibration == Temperature(2.0)


def test_a_text_column_may_weigh_its_terms_in_its_own_way():
    own = {"weighting": "log", "idf": True, "ngrams": 2, "stop_words": ["the"]}
    of_column = Settings(columns={"body": own}).of_column("body")
    assert (of_column.weighting, of_column.idf, of_column.ngram_range, of_column.stop_words) == (
        "log",
        True,
        (1, 2),
        ("the",),
    )
    back = Settings.from_dict(json.loads(json.dumps(Settings(columns={"body": own}).to_dict())))
    assert back == Settings(columns={"body": own})


def test_a_column_without_settings_of_its_own_can_be_stored():
    assert Settings.from_dict(Settings(columns={"body": {}}).to_dict()) == Settings(columns={"body": {}})


def test_what_is_left_out_is_the_textbook_setting():
    assert Settings.from_dict({}) == Settings()
    assert Settings.from_dict({"smoothing": {"kind": "m-estimate"}}).smoothing == lk.MEstimate()


def test_all_settings_are_stored_so_that_another_textbook_does_not_change_them():
    assert set(Settings().to_dict()) == set(Settings.__dataclass_fields__)


NONSENSE = {
    "stored-field-unknown": {"temperature": 1},
    "event-unknown": {"event": "poisson"},
    "alpha-negative": {"smoothing": {"kind": "additive", "alpha": -1}},
    "flag-kind": {"normalize": 1},
    "weighting-unknown": {"weighting": "tf"},
    "weighting-needs-multinomial": {"weighting": "log", "event": "bernoulli"},
    "idf-needs-multinomial": {"idf": True, "event": "binary"},
    "idf-with-unk": {"idf": True, "unknown": "unk"},
    "ngrams-range": {"ngrams": 0},
    "stop-words-of-view": {"stop_words": "the"},
    "prior-sum": {"prior": [["ham", 0.5]]},
    "threshold-range": {"decide": {"kind": "thresholds", "at_least": [["ham", 2]]}},
    "cost-range": {"decide": {"kind": "least-cost", "costs": [["ham", [["spam", -1]]]]}},
}


@pytest.mark.parametrize(("code", "stored"), NONSENSE.items())
def test_stored_settings_that_make_no_sense_are_refused(code, stored):
    with pytest.raises(lk.SettingError, match=r"\nhint: ") as caught:
        Settings.from_dict(stored)
    assert caught.value.code == code


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


WRONG_KINDS = [
    [],
    "fitted",
    {"smoothing": "additive"},
    {"smoothing": {"kind": []}},
    {"smoothing": {"kind": "additive", "alpha": "1e999999999"}},
    {"smoothing": {"kind": "additive", "alpha": "1/0"}},
    {"smoothing": {"kind": "additive", "alpha": 10**400}},
    {"smoothing": {"kind": "additive", "alpha": True}},
    {"smoothing": {"kind": "additive", "alpha": None}},
    {"smoothing": {"kind": "additive", "beta": 1}},
    {"smoothing": {"kind": "m-estimate", "p": {"a": "x"}}},
    {"smoothing": {"kind": "m-estimate", "p": ["uniform"]}},
    {"prior": [["ham", 0.5], ["ham", 0.5]]},
    {"prior": [[1, 0.5], [True, 0.5]]},
    {"decide": {"kind": "thresholds", "at_least": [["ham", 0.5], ["ham", 0.6]]}},
    {"decide": {"kind": "thresholds", "at_least": [[1, 0.5], [True, 0.6]]}},
    {"prior": [[["ham"], 1]]},
    {"prior": [[None, 1]]},
    {"prior": [1, 2]},
    {"prior": 3},
    {"min_count": "many"},
    {"min_count": 10**400},
    {"decide": None},
    {"decide": {"kind": "thresholds"}},
    {"decide": {"kind": "thresholds", "at_least": [], "otherwise": 0.5}},
    {"decide": {"kind": "least-cost", "costs": {"ham": {}}}},
    {"decide": {"kind": "most-probable", "at_least": []}},
    {"unknown": ["ignore"]},
    {"weighting": None},
    {"weighting": ["log"]},
    {"idf": 1},
    {"ngrams": [1]},
    {"ngrams": [2, 1]},
    {"ngrams": True},
    {"ngrams": "2"},
    {"stop_words": None},
    {"stop_words": [1]},
    {"stop_words": [""]},
    {"stop_words": ["\ud800"]},
    {"stop_words": {"the": 1}},
    {"without_evidence": {}},
    {"event": deep(50)},
]


@pytest.mark.parametrize("stored", WRONG_KINDS, ids=lambda stored: str(stored)[:60])
def test_stored_settings_of_the_wrong_kind_are_refused(stored):
    with pytest.raises(lk.SettingError, match=r"\nhint: "):
        Settings.from_dict(stored)


def test_a_setting_of_a_later_version_gets_a_hint_to_update():
    with pytest.raises(lk.SettingError, match="pip install -U likelier"):
        Settings.from_dict({"temperature": 1})


class OwnSmoothing(lk.Additive):
    pass


class OwnDecision(lk.MostProbable):
    pass


def test_rules_that_are_not_likeliers_cannot_be_stored():
    with pytest.raises(lk.SettingError, match="likelier's own smoothing rules can be stored"):
        Settings(smoothing=OwnSmoothing()).to_dict()
    with pytest.raises(lk.SettingError, match="likelier's own decisions can be stored"):
        Settings(decide=OwnDecision()).to_dict()

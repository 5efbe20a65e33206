"""Calibration rules: what they make of scores, what they refuse, how they are stored."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from likelier._answer.calibration import Calibration, Discount, NoCalibration, Platt, Temperature
from likelier._answer.calibration_plain import calibration_from_dict, calibration_to_dict
from likelier._answer.isotonic import Isotonic
from likelier._answer.posterior import posterior
from likelier._base.errors import InputError, LikelierError, SettingError

Floats = NDArray[np.float64]
ABC = ["a", "b", "c"]
STRAIGHT = ((-4.0, 0.02), (0.0, 0.5), (3.0, 0.95))
RULES: list[Calibration] = [
    NoCalibration(),
    Discount(0.3, -0.5, 8),
    Discount(3.0, 0, 1, {"a": 1.0, "b": -1.5}),
    Temperature(3.0),
    Temperature(0.2, power=0.3),
    Platt(0.4, {"a": 1.0, "b": -1.5, "c": 0.5}),
    Platt(2.0, {"a": 1.0, "b": -1.0}, power=0.5),
    Isotonic({"a": STRAIGHT, "b": ((-1.0, 0.1), (1.0, 0.1), (1.5, 0.2)), "c": ()}, others=STRAIGHT),
]
any_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)

few = settings(max_examples=30, deadline=None)
numbers = st.floats(-1e4, 1e4) | st.sampled_from([-np.inf, 0.0, -1e308, 1e308, 5e-324])
tables = arrays.arrays(np.float64, st.tuples(st.integers(0, 6), st.just(3)), elements=numbers)
ordinary = arrays.arrays(
    np.float64, st.tuples(st.integers(1, 6), st.just(3)), elements=st.integers(-400, 0).map(lambda number: number / 4)
)


# ---- what every rule keeps -----------------------------------------------------------------------------------------


@any_rule
@few
@given(scores=tables)
def test_rows_sum_to_1_or_are_0_where_all_is_impossible(rule: Calibration, scores: Floats) -> None:
    possible = np.isfinite(scores).any(axis=1)
    np.testing.assert_allclose(rule.apply(scores, ABC).sum(axis=1), possible, rtol=1e-12)


@any_rule
@few
@given(scores=tables)
def test_an_impossible_label_stays_impossible(rule: Calibration, scores: Floats) -> None:
    probabilities = rule.apply(scores, ABC)
    assert (probabilities[np.isneginf(scores)] == 0).all()
    assert ((probabilities >= 0) & (probabilities <= 1)).all()


@any_rule
@few
@given(scores=ordinary, shift=st.integers(-1000, 1000))
def test_what_all_labels_have_in_common_does_not_matter(rule: Calibration, scores: Floats, shift: int) -> None:
    np.testing.assert_allclose(rule.apply(scores + shift, ABC), rule.apply(scores, ABC), rtol=1e-12, atol=1e-300)


@any_rule
@few
@given(scores=ordinary)
def test_the_order_of_labels_does_not_matter(rule: Calibration, scores: Floats) -> None:
    turned = rule.apply(scores[:, ::-1], ABC[::-1])[:, ::-1]
    np.testing.assert_allclose(turned, rule.apply(scores, ABC), rtol=1e-12, atol=1e-300)


@any_rule
def test_the_only_possible_label_is_certain(rule: Calibration) -> None:
    scores = np.array([[-np.inf, -7.0, -np.inf]])
    assert rule.apply(scores, ABC).tolist() == [[0.0, 1.0, 0.0]]


@any_rule
def test_the_only_label_is_certain(rule: Calibration) -> None:
    assert rule.apply(np.array([[-3.0], [-np.inf]]), ["b"]).tolist() == [[1.0], [0.0]]


@any_rule
def test_probabilities_are_the_softmax_of_the_calibrated_scores(rule: Calibration) -> None:
    scores = np.array([[-3.0, -1.0, -9.0], [-300.0, -310.0, -np.inf]])
    assert (rule.apply(scores, ABC) == posterior(rule.calibrated(scores, ABC))).all()


@any_rule
def test_scores_that_are_no_numbers_are_refused(rule: Calibration) -> None:
    for wrong in (np.nan, np.inf):
        with pytest.raises(InputError, match=r"a number or minus infinity, got .* for document 1"):
            rule.apply(np.array([[0.0, 0.0, 0.0], [0.0, wrong, 0.0]]), ABC)


@any_rule
def test_scores_of_another_shape_are_refused(rule: Calibration) -> None:
    with pytest.raises(InputError, match=r"a column for each of 3 labels, got an array of shape \(1, 2\)"):
        rule.apply(np.zeros((1, 2)), ABC)
    with pytest.raises(InputError, match="a column for each of 3 labels, got 'what'"):
        rule.apply("what", ABC)  # type: ignore[arg-type]


# ---- single rules --------------------------------------------------------------------------------------------------


@few
@given(scores=ordinary)
def test_no_calibration_is_the_posterior(scores: Floats) -> None:
    assert (NoCalibration().apply(scores, ABC) == posterior(scores)).all()


@few
@given(scores=ordinary, value=st.floats(0.01, 100))
def test_a_temperature_of_power_1_divides_the_scores(scores: Floats, value: float) -> None:
    expected = posterior(scores / value)
    np.testing.assert_allclose(Temperature(value).apply(scores, ABC), expected, rtol=1e-9, atol=1e-300)


@few
@given(scores=ordinary, value=st.floats(0.01, 100), power=st.floats(0.2, 1))
def test_a_temperature_keeps_the_order_of_labels(scores: Floats, value: float, power: float) -> None:
    calibrated = Temperature(value, power).calibrated(scores, ABC)
    for one in range(3):
        for two in range(3):
            assert ((scores[:, one] > scores[:, two]) == (calibrated[:, one] > calibrated[:, two])).all()


def test_a_power_takes_the_root_of_the_distance_from_the_best() -> None:
    (probabilities,) = Temperature(2.0, power=0.5).apply(np.array([[-10.0, -26.0]]), ["a", "b"])
    assert probabilities[0] == pytest.approx(1 / (1 + np.exp(-(16**0.5) / 2)), rel=1e-14)


def test_for_two_labels_platt_is_the_logistic_function_of_the_log_odds() -> None:
    log_odds = np.linspace(-9, 9, 7)
    scores = np.stack([np.zeros(7), log_odds], axis=1)
    rule = Platt(0.3, {"ham": 0.2, "spam": -0.5})
    expected = 1 / (1 + np.exp(-(0.3 * log_odds - 0.7)))
    np.testing.assert_allclose(rule.apply(scores, ["ham", "spam"])[:, 1], expected, rtol=1e-14)


def test_isotonic_is_a_straight_line_between_points_and_level_beyond() -> None:
    rule = Isotonic({"ham": STRAIGHT, "spam": ((-3.0, 0.05), (0.0, 0.5), (4.0, 0.98))}, others=STRAIGHT)
    scores = np.array([[0.0, 2.0], [0.0, 100.0], [0.0, -1e9]])
    expected = [0.5 + (0.98 - 0.5) * 2 / 4, 0.98, 0.05]
    np.testing.assert_allclose(rule.apply(scores, ["ham", "spam"])[:, 1], expected, rtol=1e-14)


@few
@given(odds=st.lists(st.floats(-100, 100), min_size=2, max_size=20))
def test_isotonic_rises_with_the_odds(odds: list[float]) -> None:
    scores = np.array([[0.0, odd] for odd in sorted(odds)])
    rule = Isotonic({"a": STRAIGHT, "b": STRAIGHT}, others=STRAIGHT)
    assert (np.diff(rule.apply(scores, ["a", "b"])[:, 1]) >= -1e-15).all()


def test_isotonic_tells_apart_where_probabilities_are_1_to_the_last_digit() -> None:
    far = ((-900.0, 0.01), (-800.0, 0.2), (800.0, 0.8), (900.0, 0.99))
    scores = np.array([[0.0, -800.0], [0.0, -900.0]])
    assert posterior(scores)[:, 0].tolist() == [1.0, 1.0]
    assert Isotonic({"a": far, "b": far}, others=far).apply(scores, ["a", "b"])[:, 0].tolist() == pytest.approx(
        [0.8, 0.99]
    )


# ---- labels learned later -------------------------------------------------------------------------------------------


def test_rules_say_which_labels_they_were_not_fitted_for() -> None:
    assert Platt(1.0, {"a": 0.1, "b": -0.1}).not_covered(ABC) == ["c"]
    assert Isotonic({"a": (), "b": STRAIGHT}, others=STRAIGHT).not_covered(ABC) == ["c"]


def test_a_temperature_covers_every_label() -> None:
    assert Temperature(2.0).not_covered(ABC) == []


def test_a_new_label_has_the_offset_0_in_platts_rule() -> None:
    scores = np.array([[-1.0, -2.0, -3.0]])
    known = Platt(0.5, {"a": 1.0, "b": -1.0, "c": 0.0})
    assert (Platt(0.5, {"a": 1.0, "b": -1.0}).apply(scores, ABC) == known.apply(scores, ABC)).all()


def test_a_new_label_has_the_shared_map_in_isotonic_calibration() -> None:
    scores = np.array([[-1.0, -2.0, -3.0]])
    known = Isotonic({"a": (), "b": (), "c": STRAIGHT}, others=STRAIGHT)
    assert (Isotonic({"a": (), "b": ()}, others=STRAIGHT).apply(scores, ABC) == known.apply(scores, ABC)).all()


def test_a_forgotten_label_is_passed_over() -> None:
    rule = Platt(1.0, {"a": 5.0, "b": 0.0, "c": 0.0})
    assert rule.apply(np.array([[0.0, 0.0]]), ["b", "c"]).tolist() == [[0.5, 0.5]]


def test_1_and_true_are_two_labels() -> None:
    rule = Platt(1.0, {0: 5.0, 1: -5.0})
    assert rule.not_covered([False, True]) == [False, True]
    assert rule.apply(np.array([[0.0, 0.0]]), [False, True]).tolist() == [[0.5, 0.5]]


@any_rule
def test_labels_from_numpy_are_the_same_labels(rule: Calibration) -> None:
    scores = np.array([[-1.0, -2.0, -3.0]])
    assert (rule.apply(scores, np.array(ABC)) == rule.apply(scores, ABC)).all()  # type: ignore[arg-type]


def test_a_rule_with_labels_from_numpy_has_plain_ones() -> None:
    a, b = np.array(["a", "b"])
    for labels in (Platt(1.0, {a: 0.0, b: 0.0}).offsets, Isotonic({a: (), b: ()}, others=STRAIGHT).points):
        assert [type(label) for label in labels] == [str, str]


# ---- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf, 1e10, True, "2", None])
def test_a_temperature_is_a_positive_number(value: Any) -> None:
    with pytest.raises(SettingError, match="a temperature must be a number from 1e-9 to 1e9"):
        Temperature(value)


@pytest.mark.parametrize("power", [0, 1.5, np.nan, "1", True])
def test_a_power_is_from_a_hundredth_to_1(power: Any) -> None:
    for make in (lambda: Temperature(1.0, power), lambda: Platt(1.0, {"a": 0.0}, power)):
        with pytest.raises(SettingError, match=r"power of a calibration must be a number from 0\.01 to 1"):
            make()


@pytest.mark.parametrize("weight", [0, -1, np.nan, np.inf, "1"])
def test_the_weight_of_platts_rule_is_positive(weight: Any) -> None:
    with pytest.raises(SettingError, match="weight of Platt's rule must be a number from 1e-9 to 1e9"):
        Platt(weight, {"a": 0.0})


@pytest.mark.parametrize("offsets", [[1.0], {"a": np.nan}, {"a": np.inf}, {"a": "1"}, {"a": True}, None])
def test_offsets_are_numbers_by_label(offsets: Any) -> None:
    with pytest.raises(SettingError, match="offsets of Platt's rule are numbers from -1e9 to 1e9 by label"):
        Platt(1.0, offsets)


@pytest.mark.parametrize(
    ("points", "rule"),
    [
        ((), "from 1 to 100 points"),
        (tuple((float(x), 0.5) for x in range(101)), "from 1 to 100 points"),
        ("points", "from 1 to 100 points"),
        (None, "from 1 to 100 points"),
        (((0.0,),), "a point is a pair of numbers"),
        ((0.0, 0.5), "a point is a pair of numbers"),
        ((("0", 0.5),), "a point is a pair of numbers"),
        (((1.0, 0.5), (0.0, 0.6)), "rise from point to point"),
        (((0.0, 0.5), (0.0, 0.6)), "rise from point to point"),
        (((0.0, 0.6), (1.0, 0.5)), "rise from point to point"),
        (((np.nan, 0.6), (1.0, 0.7)), "rise from point to point"),
        (((0.0, 0.6), (np.inf, 0.7)), "rise from point to point"),
        (((0.0, 0.0), (1.0, 0.7)), "above 0 and at most 1"),
        (((0.0, 0.5), (1.0, 1.5)), "above 0 and at most 1"),
    ],
)
def test_points_of_isotonic_maps_rise_between_0_and_1(points: Any, rule: str) -> None:
    with pytest.raises(SettingError, match=rule):
        Isotonic({"a": STRAIGHT}, others=points)
    if points != ():
        with pytest.raises(SettingError, match=rule):
            Isotonic({"a": points}, others=STRAIGHT)


def test_points_are_given_by_label() -> None:
    with pytest.raises(SettingError, match="a mapping of labels to points"):
        Isotonic([STRAIGHT], others=STRAIGHT)  # type: ignore[arg-type]


def test_labels_of_a_rule_are_of_one_kind() -> None:
    with pytest.raises(InputError, match="labels of one model are of one kind"):
        Platt(1.0, {"1": 0.0, 1: 0.0})


# ---- as plain values -----------------------------------------------------------------------------------------------


@any_rule
def test_a_rule_comes_back_from_json_as_it_was(rule: Calibration) -> None:
    assert calibration_from_dict(json.loads(json.dumps(calibration_to_dict(rule)))) == rule


@pytest.mark.parametrize("labels", [(0, 1), (False, True), ("0", "1")])
def test_labels_keep_their_kind_in_json(labels: Any) -> None:
    rule = Platt(1.0, dict.fromkeys(labels, 0.5))
    back = calibration_from_dict(json.loads(json.dumps(calibration_to_dict(rule))))
    assert isinstance(back, Platt)
    assert [(type(label), label) for label in back.offsets] == [(type(label), label) for label in labels]


def test_a_rule_of_ones_own_is_not_stored() -> None:
    class Own(NoCalibration):
        pass

    with pytest.raises(SettingError, match="likelier's own calibrations can be stored"):
        calibration_to_dict(Own())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just("1/3"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
FIELDS = {
    "none": [],
    "discount": ["weight", "power", "least", "offsets"],
    "temperature": ["value", "power"],
    "platt": ["weight", "offsets", "power"],
    "isotonic": ["points", "others"],
}


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_nothing_in_a_file_is_trusted(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(FIELDS)))
    stored = {name: data.draw(json_values) for name in FIELDS[kind]} | {"kind": kind}
    try:
        rule = calibration_from_dict(stored)
    except LikelierError:
        return
    probabilities = rule.apply(np.array([[0.0, -5.0, -np.inf]]), ABC)
    assert probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {},
        {"kind": "magic"},
        {"kind": ["platt"]},
        {"kind": "none", "value": 1},
        {"kind": "temperature"},
        {"kind": "temperature", "value": 10**400},
        {"kind": "platt", "weight": 1, "offsets": {"a": 1}},
        {"kind": "platt", "weight": 1, "offsets": [["a", 1], ["a", 2]]},
        {"kind": "isotonic", "points": [["a", [[0, 0.5, 1]]]], "others": [[0, 0.5]]},
        {"kind": "isotonic", "points": []},
        {"kind": "isotonic", "points": [[None, []]], "others": [[0, 0.5]]},
    ],
)
def test_stored_nonsense_is_refused(stored: Any) -> None:
    with pytest.raises(SettingError, match=r"expected |has the fields"):
        calibration_from_dict(stored)

"""Top-label calibration: the probability of the label in front is honest, and the order of labels stays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likelier._answer.calibration import Platt
from likelier._answer.calibration_plain import calibration_from_dict, calibration_to_dict
from likelier._answer.isotonic import TopLabel
from likelier._base.errors import LikelierError, SettingError

LABELS = ["a", "b", "c"]
MAP = ((-1.0, 0.3), (0.0, 0.45), (4.0, 0.9))
RULE = TopLabel(Platt(0.5, {"a": 0.1, "b": -0.1, "c": 0.0}, 0.8), MAP)

scores = st.lists(
    st.lists(st.one_of(st.floats(-700, 0), st.just(-np.inf)), min_size=3, max_size=3), min_size=1, max_size=8
).map(np.array)


@given(scores)
@settings(deadline=None)
def test_probabilities_sum_to_1_and_keep_the_order_of_platts_rule(values: np.ndarray) -> None:
    before, after = RULE.platt.apply(values, LABELS), RULE.apply(values, LABELS)
    possible = np.isfinite(values).any(axis=1)
    assert np.allclose(after.sum(axis=1), possible)
    for row in np.flatnonzero(possible):
        front = int(before[row].argmax())
        assert after[row, front] >= after[row].max() - 1e-12
        others = [column for column in range(3) if column != front]
        assert (np.sign(np.diff(before[row][others])) * np.diff(after[row][others]) >= 0).all()


def test_the_front_label_has_what_the_map_says_and_the_others_share_the_rest() -> None:
    plain = TopLabel(Platt(1, {}), MAP)
    values = np.log(np.array([[0.8, 0.15, 0.05]]))
    odds = np.log(0.8 / 0.2)
    front = 0.45 + (0.9 - 0.45) * odds / 4
    assert plain.apply(values, LABELS)[0] == pytest.approx([front, (1 - front) * 0.75, (1 - front) * 0.25])


def test_what_is_impossible_stays_impossible() -> None:
    values = np.array([[0.0, -np.inf, -1.0], [0.0, -np.inf, -np.inf], [-np.inf, -np.inf, -np.inf]])
    found = RULE.apply(values, LABELS)
    assert found[0, 1] == 0
    assert found[1].tolist() == [1, 0, 0]
    assert found[2].tolist() == [0, 0, 0]


def test_a_single_label_is_certain() -> None:
    assert TopLabel(Platt(1, {}), MAP).apply(np.array([[-5.0]]), ["a"]).tolist() == [[1.0]]


def test_it_is_stored_and_comes_back() -> None:
    assert calibration_from_dict(calibration_to_dict(RULE)) == RULE
    assert RULE.name == "top label with 3 points, after Platt, weight 0.5, power 0.8"
    assert RULE.not_covered(["a", "d"]) == ["d"]


def test_it_goes_on_from_platts_rule_only() -> None:
    with pytest.raises(SettingError, match="goes on from Platt's rule") as refused:
        TopLabel(RULE, MAP)  # type: ignore[arg-type]
    assert refused.value.code == "top-label-platt"


@pytest.mark.parametrize(
    "stored",
    [
        {"kind": "top-label", "platt": {"kind": "none"}, "points": [[0, 0.5]]},
        {"kind": "top-label", "platt": 5, "points": [[0, 0.5]]},
        {"kind": "top-label", "platt": {"kind": "platt", "weight": 1, "offsets": []}, "points": [[0, 2]]},
        {"kind": "top-label", "platt": {"kind": "platt", "weight": 1, "offsets": []}},
    ],
)
def test_damaged_rules_are_refused(stored: object) -> None:
    with pytest.raises(LikelierError):
        calibration_from_dict(stored)

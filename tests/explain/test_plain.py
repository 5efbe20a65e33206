"""Plain values for JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

import likelier as lk
from explain.examples import (
    EXAMPLES,
    china,
    explanations,
    hostile,
    impossible_for_all,
    impossible_for_one,
    many_labels,
    one_label,
)
from likelier._explain.plain import to_dict


def through_json(explanation: lk.Explanation) -> dict:
    return json.loads(json.dumps(to_dict(explanation), allow_nan=False))


def of(objects: list[dict], label: object) -> dict:
    (found,) = [each for each in objects if each["label"] == label]
    return found


@pytest.mark.parametrize("example", EXAMPLES)
def test_json_gives_back_what_was_put_in(example):
    plain = to_dict(example())
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


@given(explanations())
def test_the_contributions_in_order_add_up_to_the_score_to_the_last_bit(explanation):
    plain = through_json(explanation)
    for label in plain["labels"]:
        numbers = [of(item["labels"], label["label"])["contribution"] for item in plain["items"]]
        if label["impossible"]:
            assert label["log_score"] is label["sum"] is None
            assert None in numbers
        else:
            total = numbers[0]
            for number in numbers[1:]:
                total += number
            assert total == label["sum"] == label["log_score"]


def test_the_textbook_example_has_exact_fractions():
    (chinese,) = [item for item in through_json(china())["items"] if item["name"] == "chinese"]
    assert of(chinese["labels"], "china")["factor"] == {"worked": "(5 + 1) / (8 + 6)", "value": "3/7"}
    assert chinese["kind"] == "term"
    assert chinese["times"] == 3


def test_the_verdict_is_there_with_every_label_likeliest_first():
    plain = through_json(china())
    assert plain["verdict"]["label"] == "china"
    assert plain["winner"] == "china"
    assert plain["runner_up"] == "japan"
    assert [label["label"] for label in plain["labels"]] == ["china", "japan"]
    assert sum(label["probability"] for label in plain["labels"]) == pytest.approx(1)


def test_minus_infinity_is_null_and_impossible():
    plain = through_json(impossible_for_one())
    impossible = {"label": "china", "sum": None, "log_score": None, "probability": 0, "impossible": True}
    assert of(plain["labels"], "china") == impossible
    assert plain["log_odds"] is None


def test_where_every_label_is_impossible_there_is_no_label_but_a_reason():
    plain = through_json(impossible_for_all())
    assert plain["verdict"]["label"] is None
    assert "never seen" in plain["verdict"]["reason"]
    assert all(label["impossible"] for label in plain["labels"])


def test_with_one_label_there_is_no_difference():
    plain = through_json(one_label())
    assert plain["runner_up"] is None
    assert plain["log_odds"] is None
    assert {item["difference"] for item in plain["items"]} == {None}


def test_labels_keep_their_kind():
    assert {type(label["label"]) for label in through_json(many_labels())["labels"]} == {int}
    truth = lk.train([("a", True), ("b", False)]).explain("a")
    assert through_json(truth)["winner"] is True


def test_spans_say_where_each_term_stands():
    plain = through_json(china("Tokyo, Japan"))
    assert plain["spans"] == [{"term": "tokyo", "start": 0, "end": 5}, {"term": "japan", "start": 7, "end": 12}]


def test_hostile_text_stays_as_it_is():
    plain = through_json(hostile())
    assert plain["text"] == hostile().text
    assert "<script>" in plain["winner"]

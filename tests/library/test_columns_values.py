"""Columns of values, single and bound: what is declared, unknown or rare."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import likelier as lk
from library.rows import colors, model, numbers


@pytest.mark.parametrize(
    ("unknown", "x", "y"),
    [
        ("zero", Fraction(0), Fraction(0)),
        ("smooth", Fraction(0 + 1, 2 + 2), Fraction(0 + 1, 1 + 2)),
        ("grow", Fraction(0 + 1, 2 + 3), Fraction(0 + 1, 1 + 3)),
        ("unk", Fraction(0 + 1, 2 + 3), Fraction(0 + 1, 1 + 3)),
    ],
)
def test_a_value_that_was_never_seen_is_treated_as_unknown_words_are(unknown: Any, x: Fraction, y: Fraction) -> None:
    explanation = colors().view(unknown=unknown, prior="uniform").explain({"color": "pink"})
    assert explanation.joint == {"x": x / 2, "y": y / 2}
    (item,) = [item for item in explanation.items if item.kind == "unknown"]
    assert item.name == "color pink"
    assert explanation.verdict.unknown_share == 1


def test_an_unknown_value_is_ignored_unless_it_is_said_otherwise() -> None:
    assert colors().explain({"color": "pink"}).joint == {"x": Fraction(2, 3), "y": Fraction(1, 3)}


def test_values_that_are_declared_are_known_before_they_are_seen() -> None:
    view = colors(categorical={"color": ["red", "green", "blue"]}).view(alpha=1)
    assert view.likelihood("green", "x", column="color") == Fraction(0 + 1, 2 + 3)
    assert view.likelihood("red", "x", column="color") == Fraction(2 + 1, 2 + 3)
    assert view.classify({"color": "green"}).unknown_share == 0


def test_p_is_given_for_each_value_and_names_unseen_ones() -> None:
    rule = lk.MEstimate(4, p={"red": 0.5, "blue": 0.25, "green": 0.25})
    view = colors(categorical=["color"]).view(columns={"color": {"smoothing": rule}})
    assert view.likelihood("red", "x", column="color") == Fraction(2 + 2, 2 + 4)
    assert view.likelihood("green", "y", column="color") == Fraction(0 + 1, 1 + 4)


def test_rare_values_can_be_left_out_of_one_column() -> None:
    view = colors(categorical=["color"]).view(columns={"color": {"min_count": 2, "unknown": "unk"}}, alpha=1)
    assert view.column("color").vocabulary_size == 2  # red and UNK, which holds blue
    assert view.classify({"color": "blue"}).unknown_share == 1


def test_a_binary_column_has_both_outcomes_though_one_was_never_seen() -> None:
    learned = lk.train([({"fever": True}, "x"), ({"fever": True}, "y")], binary=["fever"])
    assert learned.view(alpha=1).likelihood("no", "x", column="fever") == Fraction(0 + 1, 1 + 2)
    assert learned.view(alpha=1).likelihood("yes", "x", column="fever") == Fraction(1 + 1, 1 + 2)


def test_a_label_without_any_value_in_a_column_is_judged_without_a_preference() -> None:
    learned = lk.train(
        [({"color": "red", "size": 1}, "x"), ({"color": "blue", "size": 2}, "x"), ({"size": 1}, "y")],
        **{"categorical": ["color"], "numeric": ["size"]},
    )
    assert learned.view(alpha=1).likelihood("red", "y", column="color") == Fraction(1, 2)


def test_a_million_categories() -> None:
    names = [f"id{number}" for number in range(1_000_000)]
    rows = {"id": names, "kind": ["even", "odd"] * 500_000}
    polars = pytest.importorskip("polars")
    learned = lk.train(polars.DataFrame(rows), label="kind", categorical=["id"], ledger=False, view="textbook")
    view = learned.view(alpha=1)
    assert view.column("id").vocabulary_size == 1_000_000
    assert view.likelihood("id7", "odd", column="id") == Fraction(1 + 1, 500_000 + 1_000_000)
    assert view.classify({"id": "id8"}).label == "even"


def test_bound_columns_count_as_one() -> None:
    learned = model(bind=[("color", "fever")])
    assert learned.schema.in_words() == "color & fever bound; age numeric; note text"
    explanation = learned.view(alpha=1).explain({"color": "red", "fever": True})
    (item,) = [item for item in explanation.items if item.kind == "value"]
    assert item.factors["sick"].value == Fraction(2 + 1, 2 + 2)
    learned.learn({"color": "red", "fever": False}, "well")
    assert learned.view(alpha=1).likelihood("red & no", "well", column="color & fever") == Fraction(1 + 1, 2 + 3)


def test_a_bound_column_is_missing_where_one_of_its_parts_is() -> None:
    explanation = model(bind=[("color", "fever")]).explain({"color": "red"})
    assert [item.name for item in explanation.items if item.kind == "missing"] == ["color & fever, age, note"]


def test_a_bound_column_needs_a_name_that_is_free() -> None:
    rows = [({"a": "x", "b": "y", "a & b": "z"}, "l")]
    with pytest.raises(lk.SettingError, match="called 'a & b', and there is such a column already") as caught:
        lk.train(rows, categorical=["a", "b", "a & b"], bind=[("a", "b")])
    assert caught.value.code == "bind-name"


def test_p_for_each_value_also_answers_about_values_that_were_never_seen() -> None:
    rule = lk.MEstimate(4, p={"red": 0.5, "blue": 0.25, "green": 0.25})
    view = colors(categorical=["color"]).view(columns={"color": {"smoothing": rule}}, prior="uniform")
    explanation = view.explain({"color": "green"})
    assert explanation.joint == {"x": Fraction(1, 2) * Fraction(1, 6), "y": Fraction(1, 2) * Fraction(1, 5)}
    assert view.classify({"color": "pink"}).unknown_share == 1
    plain = lk.train([("a b", "x"), ("b", "y")]).view(smoothing=lk.MEstimate(2, p={"a": 0.5, "b": 0.5}))
    assert plain.classify("zz").reason == "no known term in this text: the prior alone decides"


def test_a_declared_value_that_is_too_rare_is_unk() -> None:
    learned = colors(categorical={"color": ["red", "green", "blue"]})
    view = learned.view(columns={"color": {"min_count": 2, "unknown": "unk"}}, alpha=1, prior="uniform")
    assert view.column("color").vocabulary_size == 3  # red, UNK, which holds blue, and green
    assert view.explain({"color": "blue"}).joint["y"] == Fraction(1, 2) * Fraction(1 + 1, 1 + 3)
    assert view.classify({"color": "blue"}).unknown_share == 1
    assert view.classify({"color": "blue"}).probabilities["y"] == pytest.approx((2 / 4) / (2 / 4 + 1 / 5))


@pytest.mark.parametrize(
    ("unknown", "expected"),
    [("zero", Fraction(0)), ("smooth", Fraction(0 + 1, 2 + 2)), ("grow", Fraction(0 + 1, 2 + 3))],
)
def test_the_likelihood_of_a_value_that_was_never_seen_can_be_looked_up(unknown: Any, expected: Fraction) -> None:
    assert colors().view(unknown=unknown, alpha=1).likelihood("pink", "x", column="color") == expected


def test_a_value_that_is_declared_and_has_a_p_is_one_value() -> None:
    rule = lk.MEstimate(4, p={"red": 0.5, "blue": 0.25, "green": 0.25})
    learned = colors(categorical={"color": ["green", "blue", "red"]})
    view = learned.view(columns={"color": {"smoothing": rule}}, prior="uniform")
    assert view.column("color").vocabulary_size == 3
    assert view.classify({"color": "green"}).probabilities["x"] == pytest.approx((1 / 6) / (1 / 6 + 1 / 5))


def test_a_least_count_for_words_leaves_values_alone() -> None:
    assert colors().view(min_count=2).column("color").vocabulary_size == 2


def test_a_categorical_column_may_be_called_text() -> None:
    learned = lk.train([({"text": "goat wolf"}, "x"), ({"text": "wolf"}, "y")], categorical=["text"])
    assert learned.view(alpha=1).likelihood("goat wolf", "x") == Fraction(1 + 1, 1 + 2)


def test_a_value_that_neither_of_two_labels_can_have_has_no_ratio() -> None:
    learned = lk.train([({"color": color}, color[0]) for color in ("red", "green", "blue")], categorical=["color"])
    assert learned.view(alpha=0).log_ratios("r", "g", column="color") == {"red": math.inf, "green": -math.inf}


def test_a_prior_that_is_given_is_not_explained_by_numbers_of_documents() -> None:
    explanation = colors().view(prior="uniform").explain({"color": "red"})
    assert str(explanation.items[0].factors["x"].formula) == "0.5"


# ---- UNK where nothing else can occur ----------------------------------------------------------------------------


def test_a_binary_column_has_no_outcome_but_yes_and_no() -> None:
    view = model().view(unknown="unk", alpha=1)
    assert view.column("fever").vocabulary_size == 2
    assert view.likelihood("yes", "sick", column="fever") == Fraction(2 + 1, 2 + 2)
    assert view.likelihood("no", "sick", column="fever") == Fraction(0 + 1, 2 + 2)


def test_a_binary_value_that_is_too_rare_is_unk_and_no_outcome_besides() -> None:
    view = model().view(columns={"fever": {"unknown": "unk", "min_count": 2}}, alpha=1)
    assert view.column("fever").vocabulary_size == 2  # yes, and UNK, which holds no
    both = {"well": Fraction(1 + 1, 1 + 2), "sick": Fraction(0 + 1, 2 + 2)}
    assert {label: view.explain({"fever": False}).items[1].factors[label].value for label in both} == both


def test_a_binary_column_in_which_no_value_is_too_rare_has_no_unk() -> None:
    learned = lk.train([({"fever": fever}, "x") for fever in (True, True, False, False)], binary=["fever"])
    view = learned.view(columns={"fever": {"unknown": "unk", "min_count": 2}}, alpha=1)
    assert view.likelihood("yes", "x", column="fever") == Fraction(2 + 1, 4 + 2)


@pytest.mark.parametrize("rule", [[2], "equal-width:2"])
def test_numbers_lie_in_no_interval_but_those_there_are(rule: Any) -> None:
    view = numbers((1, "a"), (3, "b")).view(numeric=rule, unknown="unk", alpha=1)
    assert view.column("x").vocabulary_size == 2
    assert view.likelihood("below 2", "a", column="x") == Fraction(1 + 1, 1 + 2)

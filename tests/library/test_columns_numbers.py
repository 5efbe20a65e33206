"""Numeric columns: rules for them, intervals, means and variances."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

import likelier as lk
from library.rows import model, numbers
from likelier._documents.kinds import Numeric
from likelier._documents.schema import Schema


def test_the_rule_for_numbers_can_be_chosen_after_counting() -> None:
    learned = model()
    asked = {"age": 25}
    assert [item.name for item in learned.view(numeric=[21, 40]).explain(asked).items][1] == "age 21-40"
    assert [item.name for item in learned.view(numeric="equal-width:2").explain(asked).items][1] == "age below 40"
    assert [item.name for item in learned.view().explain(asked).items][1] == "age 25"
    view = learned.view(columns={"age": {"numeric": [28]}}, alpha=1)
    assert view.likelihood("below 28", "sick", column="age") == Fraction(1 + 1, 2 + 2)
    assert view.column("age").cuts == [28]


def test_a_rule_given_to_train_is_the_stored_view_s() -> None:
    learned = model(numeric={"age": [28]})
    assert learned.view().column("age").cuts == [28]
    assert learned.settings.columns == {"age": {"numeric": lk.Cuts((28,))}}


def test_numbers_are_listed_rising() -> None:
    assert [cell[0] for cell in numbers((10, "a"), (9, "a"), (-1, "a")).counts.cells()] == ["-1", "9", "10"]


def test_the_digits_of_a_numeric_column_are_pickled_and_saved() -> None:
    learned = lk.Model(schema=Schema({"x": Numeric(digits=2)}))
    learned.learn({"x": 1.19}, "a")
    for twin in (pickle.loads(pickle.dumps(learned)), lk.Model.from_bytes(learned.to_bytes())):
        assert twin.schema == learned.schema
        assert twin.view(numeric=[1.2]).explain({"x": 1.19}).items[1].name == "x 1.2 and more"


def test_a_number_is_rounded_for_its_interval_as_it_was_when_it_was_counted() -> None:
    view = numbers((1, "a"), (1.999999, "b")).view(numeric=[2], alpha=1)
    assert view.likelihood("2 and more", "b", column="x") == Fraction(1 + 1, 1 + 2)
    assert view.explain({"x": 1.999999}).items[1].name == "x 2 and more"


def test_an_interval_without_a_number_is_an_outcome_all_the_same() -> None:
    view = numbers((1, "a"), (3, "b")).view(numeric=[2, 10], alpha=1)
    assert view.likelihood("10 and more", "a", column="x") == Fraction(0 + 1, 1 + 3)
    assert view.classify({"x": 11}).unknown_share == 0


def test_the_variance_of_a_sample_and_its_floor_are_settings_of_a_view() -> None:
    learned = numbers((1, "a"), (3, "a"), (11, "b"), (13, "b"))
    assert learned.view(numeric=lk.Gaussian(sample=True)).column("x").variance("a") == 2
    assert learned.view(numeric=lk.Gaussian(floor=1)).column("x").variance("a") == 26  # that of the whole column


def test_a_long_number_is_explained_as_it_is() -> None:
    assert numbers((1, "a"), (3, "b")).explain({"x": 1234567.25}).items[1].name == "x 1234567.25"


def test_only_numbers_in_intervals_have_cuts() -> None:
    with pytest.raises(lk.InputError, match="'color' is not read in intervals") as caught:
        _ = model().view().column("color").cuts
    assert caught.value.code == "column-without-cuts"


def test_each_label_has_its_own_mean_and_variance() -> None:
    figures = numbers((1, "a"), (3, "a"), (10, "b"), (16, "b")).view().column("x")
    assert [figures.mean("a"), figures.mean("b")] == [2, 13]
    assert [figures.variance("a"), figures.variance("b")] == [1, 9]


def test_a_column_with_a_normal_distribution_of_its_own_has_telling_intervals_too() -> None:
    rows = [({"x": number}, "ab"[number > 4]) for number in range(10)]
    view = lk.train(rows, numeric={"x": "gaussian"}).view()
    assert [each.term for each in view.top_terms("b", 2)] == ["x 5 and more"]


def test_numbers_that_are_all_equal_tell_nothing_and_are_explained_as_such() -> None:
    explanation = numbers((1, "a"), (1, "b")).explain({"x": 5})
    assert explanation.items[1].contributions == {"a": 0, "b": 0}
    assert explanation.items[1].factors == {}
    assert explanation.joint == {"a": Fraction(1, 2), "b": Fraction(1, 2)}

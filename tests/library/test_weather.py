"""The textbook table "play tennis" (Quinlan 1986; Witten & Frank, Data Mining, section 4.2), to the digit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import likelier as lk

approx = pytest.approx
NAMES = ("outlook", "temperature", "humidity", "windy")
NOMINAL = """
sunny hot high false no
sunny hot high true no
overcast hot high false yes
rainy mild high false yes
rainy cool normal false yes
rainy cool normal true no
overcast cool normal true yes
sunny mild high false no
sunny cool normal false yes
rainy mild normal false yes
sunny mild normal true yes
overcast mild high true yes
overcast hot normal false yes
rainy mild high true no
"""
TEMPERATURES = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
HUMIDITIES = [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]


def rows() -> list[tuple[dict[str, Any], str]]:
    found = [line.split() for line in NOMINAL.split("\n") if line]
    return [(dict(zip(NAMES, values, strict=True)), label) for *values, label in found]


def numeric_rows() -> list[tuple[dict[str, Any], str]]:
    numbers = zip(rows(), TEMPERATURES, HUMIDITIES, strict=True)
    return [({**row, "temperature": degrees, "humidity": percent}, label) for (row, label), degrees, percent in numbers]


def test_kinds_are_guessed() -> None:
    assert lk.train(rows()).schema.in_words() == "outlook, temperature, humidity categorical; windy binary"
    assert (
        lk.train(numeric_rows()).schema.in_words() == "outlook categorical; temperature, humidity numeric; windy binary"
    )


def test_a_cool_and_windy_day_of_high_humidity_is_no_day_for_tennis() -> None:
    explanation = (
        lk.train(rows())
        .view(alpha=0)
        .explain({"outlook": "sunny", "temperature": "cool", "humidity": "high", "windy": True})
    )
    # yes: 9/14 * 2/9 * 3/9 * 3/9 * 3/9     no: 5/14 * 3/5 * 1/5 * 4/5 * 3/5
    assert explanation.joint["yes"] == Fraction(9, 14) * Fraction(2 * 3 * 3 * 3, 9**4) == Fraction(1, 189)
    assert explanation.joint["no"] == Fraction(5, 14) * Fraction(3 * 1 * 4 * 3, 5**4) == Fraction(18, 875)
    assert explanation.verdict.probabilities["no"] == approx(0.795, abs=0.0005)


def test_laplace_adds_1_to_each_of_the_three_outlooks() -> None:
    view = lk.train(rows()).view(alpha=1)
    assert view.likelihood("overcast", "no", column="outlook") == Fraction(0 + 1, 5 + 3)
    assert view.likelihood("sunny", "yes", column="outlook") == Fraction(2 + 1, 9 + 3)
    assert view.likelihood("yes", "yes", column="windy") == Fraction(3 + 1, 9 + 2)


def test_the_textbook_s_means_and_deviations() -> None:
    view = lk.train(numeric_rows()).view(numeric="gaussian:sample")
    for name, label, mean, deviation in (
        ("temperature", "yes", 73, 6.2),
        ("temperature", "no", 74.6, 7.9),
        ("humidity", "yes", 79.1, 10.2),
        ("humidity", "no", 86.2, 9.7),
    ):
        assert round(view.column(name).mean(label), 1) == mean
        assert round(view.column(name).variance(label) ** 0.5, 1) == deviation


def test_66_degrees_and_a_humidity_of_90_are_no_day_for_tennis() -> None:
    view = lk.train(numeric_rows()).view(alpha=0, numeric="gaussian:sample")
    explanation = view.explain({"outlook": "sunny", "temperature": 66, "humidity": 90, "windy": True})
    (heat,) = [item for item in explanation.items if item.column == "temperature"]
    assert round(heat.factors["yes"].value, 3) == 0.034
    assert heat.factors["no"].value == approx(0.028, abs=0.0005)
    assert explanation.verdict.label == "no"
    assert explanation.verdict.probabilities["no"] == approx(0.79, abs=0.005)


def test_under_maximum_likelihood_the_variance_is_divided_by_n() -> None:
    view = lk.train(numeric_rows()).view()
    hot = [degrees for degrees, (_, label) in zip(TEMPERATURES, rows(), strict=True) if label == "no"]
    mean = Fraction(sum(hot), 5)
    assert view.column("temperature").variance("no") == float(sum((x - mean) ** 2 for x in hot) / 5)

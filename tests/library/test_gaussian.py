"""The normal distribution of a column under each label."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.naive_bayes import GaussianNB

from likelier._counts.moments import NumberSums
from likelier._estimate.gaussian import Normal

EXAMPLES = json.loads((Path(__file__).parents[1] / "conformance/worked_examples.json").read_text("utf-8"))

moderate = st.floats(-1e6, 1e6).map(lambda number: round(number, 3))
far_and_close = st.integers(0, 10**6).map(lambda noise: 1e9 + noise / 2**20)
columns = st.lists(st.lists(st.one_of(moderate, far_and_close), min_size=1, max_size=8), min_size=1, max_size=4)
any_number = st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: abs(number) <= 1e150)


def sums_of(numbers, weights=None):
    weights = [Fraction(weight) for weight in weights or [1] * len(numbers)]
    exact = [Fraction(number) for number in numbers]
    return NumberSums(
        sum(weights, Fraction(0)),
        sum((w * x for w, x in zip(weights, exact, strict=True)), Fraction(0)),
        sum((w * x * x for w, x in zip(weights, exact, strict=True)), Fraction(0)),
    )


def normal_of(*labels, **options):
    return Normal([sums_of(numbers) for numbers in labels], **options)


def variance(numbers):
    """By definition, in fractions."""
    mean = sum(map(Fraction, numbers), Fraction(0)) / len(numbers)
    return sum(((Fraction(number) - mean) ** 2 for number in numbers), Fraction(0)) / len(numbers)


# ---- worked ------------------------------------------------------------------------------------------------------


def test_the_worked_example_comes_out_to_the_digit():
    example = next(example for example in EXAMPLES if example["id"] == "gaussian")
    labels = ["a", "b"]
    normal = normal_of(*([number for number, label in example["rows"] if label == wanted] for wanted in labels))
    assert normal.means.tolist() == [example["mean"][label] for label in labels] == [2, 7]
    assert normal.variances.tolist() == [example["variance"][label] for label in labels] == [2 / 3, 1]
    densities = [normal.density(example["query"], column) for column in range(2)]
    assert densities == pytest.approx([0.02432608666482073, 0.0044318484119380075], rel=1e-14)


def test_a_density_may_be_more_than_1():
    assert normal_of([0.1, 0.11], [5.0], floor=1e-9).density(0.105, 0) == pytest.approx(
        1 / math.sqrt(2 * math.pi * 0.005**2)
    )


@pytest.mark.parametrize(
    ("numbers", "x", "written"),
    [
        ([1, 2, 3], 4, "N(4; 2, 0.667)"),
        ([1, 2, 3], 4.25, "N(4.25; 2, 0.667)"),
        ([1, 2, 3], 37.2, "N(37.2; 2, 0.667)"),
        ([1e9, 1e9 + 1, 1e9 + 3], 1e9 + 2, "N(1000000002; 1000000001.33, 1.56)"),
        ([20000, 35000], 30000, "N(30000; 27500, 56250000)"),
        ([1e-9, 3e-9], 2e-9, "N(0.000000002; 0.000000002, 1e-18)"),
        ([-1, 1], -0.5, "N(-0.5; 0, 1)"),
        ([1e100, 3e100], 1e100, "N(1e+100; 2e+100, 1e+200)"),
    ],
)
def test_the_formula_shows_number_mean_and_variance(numbers, x, written):
    assert str(normal_of(numbers).formula(x, 0)) == written


# ---- exact -------------------------------------------------------------------------------------------------------


@given(columns)
def test_mean_and_variance_agree_with_fractions_to_the_last_digit(labels):
    normal = normal_of(*labels)
    whole = [number for numbers in labels for number in numbers]
    least = Fraction("0.0001") * variance(whole)
    spreads = [variance(whole if len(numbers) == 1 else numbers) for numbers in labels]
    assert normal.means.tolist() == [float(sum(map(Fraction, numbers)) / len(numbers)) for numbers in labels]
    assert normal.variances.tolist() == [float(max(spread, least)) for spread in spreads]
    assert normal.floored.tolist() == [spread < least for spread in spreads]


@given(columns, st.one_of(moderate, far_and_close))
def test_the_logarithm_agrees_with_fractions(labels, x):
    normal = normal_of(*labels)
    assume(not normal.is_constant)
    whole = [number for numbers in labels for number in numbers]
    for column, numbers in enumerate(labels):
        mean = sum(map(Fraction, numbers)) / len(numbers)
        spread = max(variance(whole if len(numbers) == 1 else numbers), Fraction("0.0001") * variance(whole))
        square = float((Fraction(x) - mean) ** 2 / (2 * spread))
        expected = -0.5 * math.log(2 * math.pi * spread) - square
        found = normal.log_density(np.array([x]))[0, column]
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12 * max(1, square))


@given(st.lists(st.lists(moderate, min_size=2, max_size=6), min_size=1, max_size=3), st.lists(moderate, min_size=1))
def test_the_logarithm_agrees_with_scipy(labels, asked):
    normal = normal_of(*labels)
    assume(all(np.var(numbers) > 1e-3 for numbers in labels) and not normal.floored.any())
    deviations = np.sqrt(normal.variances)
    expected = stats.norm.logpdf(np.array(asked)[:, None], normal.means, deviations)
    np.testing.assert_allclose(normal.log_density(np.array(asked)), expected, rtol=1e-9)


def test_weights_count_like_so_many_documents():
    weighted = Normal([sums_of([1, 2], [3, Fraction(1, 2)]), sums_of([5, 6], [1, 1])])
    assert weighted.means[0] == float(Fraction(8, 7))
    assert Normal([sums_of([1, 2], [3, 2])]).variances == Normal([sums_of([1, 1, 1, 2, 2])]).variances


def test_probabilities_are_those_of_scikit_learn_without_its_added_variance():
    random = np.random.default_rng(5)
    numbers, labels = random.normal(size=200) * 7 + 100, random.integers(0, 3, size=200)
    theirs = GaussianNB(var_smoothing=0, priors=[1 / 3] * 3).fit(numbers[:, None], labels)
    logarithms = normal_of(*(numbers[labels == label].tolist() for label in range(3))).log_density(numbers)
    ours = np.exp(logarithms) / np.exp(logarithms).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(ours, theirs.predict_proba(numbers[:, None]), rtol=1e-9)


def test_numbers_that_are_large_and_close_keep_their_digits():
    near, far = normal_of([0.25, 0.5, 0.875], [2.5, 3.0]), normal_of([2**40 + 0.25, 2**40 + 0.5, 2**40 + 0.875])
    assert far.variances[0] == near.variances[0]
    expected = near.log_density(np.array([0.75]))[0, 0]
    assert far.log_density(np.array([2**40 + 0.75]))[0, 0] == pytest.approx(expected, rel=1e-15)


# ---- little to go by ---------------------------------------------------------------------------------------------


def test_a_missing_number_says_nothing():
    assert normal_of([1, 2], [5, 9]).log_density(np.array([math.nan, 1.0]))[0].tolist() == [0, 0]


def test_a_label_without_values_has_the_mean_and_variance_of_the_whole_column():
    normal = normal_of([1, 2], [], [5, 9])
    assert normal.means[1] == 17 / 4
    assert normal.variances[1] == float(variance([1, 2, 5, 9]))
    assert not normal.floored[1]


def test_a_label_with_one_value_has_the_variance_of_the_whole_column():
    normal = normal_of([4], [1, 2, 7])
    assert (normal.means[0], normal.variances[0]) == (4, float(variance([4, 1, 2, 7])))
    assert normal.floored.tolist() == [False, False]


def test_a_label_whose_values_are_equal_has_the_least_variance():
    normal = normal_of([4, 4], [1, 2, 7], floor=0.01)
    assert normal.variances[0] == float(variance([4, 4, 1, 2, 7]) / 100)
    assert normal.floored.tolist() == [True, False]


@pytest.mark.parametrize("labels", [([3, 3], [3]), ([3], []), ([], []), ([0.1] * 10, [0.1] * 3), ([1e150], [1e150])])
def test_a_column_whose_values_are_all_equal_says_nothing(labels):
    normal = normal_of(*labels)
    assert normal.is_constant
    assert not normal.floored.any()
    assert normal.log_density(np.array([3.0, -8.0, math.nan])).tolist() == [[0, 0]] * 3
    assert normal.density(8, 1) == 1
    assert str(normal.formula(8, 1)).startswith("N(8; ")


def test_no_numbers_are_no_rows():
    assert normal_of([1, 2], [3]).log_density(np.array([])).shape == (0, 2)


@given(st.lists(st.lists(any_number, max_size=5), min_size=1, max_size=3), st.lists(any_number, max_size=4))
def test_every_logarithm_is_a_finite_number(labels, asked):
    normal = normal_of(*labels)
    logarithms = normal.log_density(np.array([*asked, math.nan, 0.0, 1e150, 5e-324]))
    assert np.isfinite(logarithms).all()
    assert math.isfinite(normal.density(0, 0))
    assert normal.formula(1, 0)


def test_a_density_that_no_float_can_hold_is_a_large_number():
    assert normal_of([1e-320, 2e-320]).density(1e-320, 0) == math.exp(709)


@pytest.mark.parametrize("unit", [1e-320, 1e-250, 1e-100, 1e-5, 1, 1e100])
def test_the_unit_of_the_numbers_does_not_matter(unit):
    numbers = [[1, 2, 3], [6, 8]]
    small = normal_of(*([number * unit for number in part] for part in numbers))
    difference = np.diff(small.log_density(np.array([4 * unit])))
    assert difference == pytest.approx(math.log(0.0044318484119380075 / 0.02432608666482073), rel=2e-3)


def test_of_two_labels_the_nearer_one_is_likelier_however_far_away_a_number_is():
    near, far = normal_of([1, 2, 3], [6, 8]).log_density(np.array([1e9]))[0]
    assert near < far < -1e17

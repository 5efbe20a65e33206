"""Intervals and tests: the formulas of others give the same numbers, and chance is called chance."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats

import likelier as lk
from likelier._evaluate.figures.comparison import compare
from likelier._evaluate.figures.decisions import accuracy
from likelier._evaluate.figures.metrics import Figures
from likelier._evaluate.figures.significance import (
    ALONE,
    EXACT,
    binomial_tail,
    effective_documents,
    mcnemar,
    mean_interval,
    sign_flips,
    student,
    wilson,
)

approx = pytest.approx


# ---- intervals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("right", "documents"), [(0, 1), (1, 1), (3, 7), (99, 100), (5, 100_000)])
def test_the_interval_of_a_share_is_that_of_scipy(right: int, documents: int, level: float) -> None:
    expected = stats.binomtest(right, documents).proportion_ci(level, method="wilson")
    found = wilson(right / documents, documents, level=level)
    assert tuple(found) == approx((expected.low, expected.high), rel=1e-9, abs=1e-12)


def test_equal_weights_are_as_many_documents_as_there_are() -> None:
    truth, decided = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    plain, weighed = accuracy(truth, decided), accuracy(truth, decided, weights=np.full(4, 7.0))
    assert weighed.effective == approx(4)
    assert tuple(weighed.interval) == approx(tuple(plain.interval))


def test_unequal_weights_widen_the_interval() -> None:
    truth, decided = np.array([0, 0, 1, 1] * 10), np.array([0, 1, 1, 1] * 10)
    weights = np.array([1.0, 1.0, 1.0, 1.0] * 5 + [9.0, 9.0, 9.0, 9.0] * 5)
    plain, weighed = accuracy(truth, decided), accuracy(truth, decided, weights=weights)
    assert weighed.share == plain.share
    assert weighed.effective == approx(200**2 / (20 + 20 * 81))  # (sum of w)² / sum of w²
    assert weighed.interval.low < plain.interval.low
    assert weighed.interval.high > plain.interval.high


def test_tiny_and_huge_weights_have_an_effective_number() -> None:
    assert effective_documents(np.array([1e-200, 1e-200])) == 2
    assert effective_documents(np.array([1e200, 1e200, 0.0])) == 2


@pytest.mark.parametrize("level", [0, 1, -1, math.nan, "0.95"])
def test_a_level_is_between_0_and_1(level: float) -> None:
    with pytest.raises(lk.SettingError, match="`level` must be a number between 0 and 1"):
        wilson(0.5, 10, level=level)


@pytest.mark.parametrize("degrees", [2, 3, 5, 20, 1000])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_students_quantile_is_that_of_scipy_within_one_percent(degrees: int, level: float) -> None:
    assert student(level, degrees) == approx(stats.t.ppf((1 + level) / 2, degrees), rel=0.01)


def test_the_interval_of_a_mean_is_that_of_scipy() -> None:
    values = np.random.default_rng(0).normal(size=50)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert tuple(mean_interval(values, np.ones(50)) or ()) == approx((expected.low, expected.high), rel=1e-5)


def test_one_document_has_no_interval_of_a_mean() -> None:
    assert mean_interval(np.array([1.0, 2.0]), np.array([1.0, 0.0])) is None


# ---- tests -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "p"), list(product((1, 5, 12), (0.1, 0.5, 0.9))))
def test_the_tail_of_the_binomial_distribution_is_a_sum(n: int, p: float) -> None:
    for k in range(n + 2):
        exact = sum(comb(n, x) * Fraction(p) ** x * (1 - Fraction(p)) ** (n - x) for x in range(k, n + 1))
        assert binomial_tail(k, n, p) == approx(float(exact), rel=1e-9)


@pytest.mark.parametrize(("k", "n", "p"), [(1, 100_000, 0.9), (60_000, 100_000, 0.5), (99_999, 100_000, 0.5)])
def test_the_tail_of_many_documents_is_that_of_scipy(k: int, n: int, p: float) -> None:
    assert binomial_tail(k, n, p) == approx(stats.binom.sf(k - 1, n, p), rel=1e-6, abs=1e-300)


@pytest.mark.parametrize(
    ("first", "second"), [(0, 0), (1, 0), (0, 5), (7, 7), (12, 3), (500, 400), (0, 2000), (100_000, 101_000)]
)
def test_mcnemars_test_is_the_binomial_test_of_scipy(first: int, second: int) -> None:
    expected = stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(first, second) == approx(expected, rel=1e-7, abs=1e-300)


def test_mcnemars_test_does_not_care_which_is_first() -> None:
    assert mcnemar(3, 12) == mcnemar(12, 3)


def test_few_differences_are_flipped_in_all_ways() -> None:
    differences = np.array([0.3, -0.1, 0.7, 0.2, 0.0, 0.05, -0.3])
    given = abs(differences.sum())
    signs = product((-1, 1), repeat=6)
    sums = [abs(np.dot(each, np.abs(differences[differences != 0]))) for each in signs]
    assert sign_flips(differences) == np.mean([each >= given - 1e-9 for each in sums])


@pytest.mark.parametrize("documents", [EXACT + 1, 200, ALONE + 500, 20_000])
def test_many_differences_are_about_a_t_test(documents: int) -> None:
    random = np.random.default_rng(documents)
    differences = random.normal(loc=1.7 / math.sqrt(documents), size=documents)
    expected = stats.ttest_1samp(differences, 0).pvalue
    assert sign_flips(differences) == approx(expected, abs=0.02)


def test_sign_flips_of_equal_sizes_are_about_mcnemars_test() -> None:
    differences = np.array([1.0] * 40 + [-1.0] * 25)
    assert sign_flips(differences) == approx(mcnemar(40, 25), abs=0.015)


def test_sign_flips_depend_on_the_seed_and_on_nothing_else() -> None:
    differences = np.random.default_rng(0).normal(loc=0.1, size=300)
    assert sign_flips(differences, seed=1) == sign_flips(differences[::-1], seed=1)
    assert sign_flips(differences, seed=1) != sign_flips(differences, seed=2)


def test_a_few_large_differences_among_many_small_ones_can_be_chance() -> None:
    small = np.random.default_rng(0).normal(scale=1e-3, size=5000)
    # all three large ones on one side, and the small ones at least as far there as they are
    expected = 2 / 8 * stats.norm.sf(small.sum() / math.sqrt(small @ small))
    assert sign_flips(np.concatenate([[50.0, 50.0, 50.0], small])) == approx(expected, abs=0.02)


def test_where_nothing_differs_chance_is_all_there_is() -> None:
    assert sign_flips(np.zeros(100)) == 1
    assert sign_flips(np.zeros(0)) == 1


@pytest.mark.parametrize("wrong", [{"flips": 10}, {"flips": 1e4}, {"seed": -1}, {"seed": True}])
def test_flips_and_seed_are_integers(wrong: dict[str, Any]) -> None:
    with pytest.raises(lk.SettingError, match="must be an integer from"):
        sign_flips(np.ones(3), **wrong)


# ---- two sets of verdicts ----------------------------------------------------------------------------------------


def verdicts(right: int, wrong: int, *, sure: float = 0.8, truth: int = 0) -> Figures:
    probabilities = np.array([[sure, 1 - sure]] * right + [[1 - sure, sure]] * wrong)
    return Figures(np.full(right + wrong, truth), probabilities.argmax(axis=1), probabilities, ("ham", "spam"))


def test_a_clear_difference_can_hardly_be_chance() -> None:
    found = verdicts(95, 5).compare(verdicts(70, 30), names=("A", "B"))
    assert found.better == found.better_by_log_loss == "A"
    assert found.accuracy.difference == approx(0.25)
    assert found.accuracy.p == mcnemar(25, 0)
    assert str(found).splitlines() == [
        "A is right more often than B: 95.00 % against 70.00 %, by 25.00 points (16.36 to 33.64)."
        " That can hardly be chance (p < 0.0001).",
        "A has the better probabilities: log loss 0.2925 against 0.6390, by 0.3466 (0.2269 to 0.4663)."
        " That can hardly be chance (p = 0.0001).",
    ]


def test_a_small_difference_can_be_chance() -> None:
    found = verdicts(72, 28).compare(verdicts(70, 30), names=("A", "B"))
    assert found.better is None
    assert found.better_by_log_loss is None
    assert "A is right more often than B: 72.00 % against 70.00 %" in str(found)
    assert str(found).count("That can be chance (p = 0.5).") == 2


def test_the_second_may_be_the_better_one() -> None:
    found = verdicts(70, 30).compare(verdicts(95, 5), names=("A", "B"))
    assert found.better == found.better_by_log_loss == "B"
    assert "B is right more often than A: 95.00 % against 70.00 %, by 25.00 points (16.36 to 33.64)" in str(found)


def test_equal_verdicts_are_said_to_be_equal() -> None:
    found = verdicts(7, 3).compare(verdicts(7, 3), names=("A", "B"))
    assert str(found) == (
        "A and B are right equally often: in 70.00 % of the documents.\n"
        "Their probabilities are equally good: log loss 0.6390."  # 0.7 ln 1.25 + 0.3 ln 5
    )
    assert (found.better, found.accuracy.p, found.log_loss.p) == (None, 1, 1)


def test_better_probabilities_are_seen_where_decisions_are_the_same() -> None:
    found = verdicts(90, 10, sure=0.9).compare(verdicts(90, 10, sure=0.6), names=("A", "B"))
    assert found.better is None
    assert found.better_by_log_loss == "A"


def test_weights_that_differ_are_tested_by_sign_flips() -> None:
    right = np.array([True] * 9 + [False]), np.array([False] * 9 + [True])
    losses = np.zeros(10), np.zeros(10)
    heavy = np.array([1.0] * 9 + [9.0])
    assert compare(right, losses).accuracy.p == mcnemar(9, 1)
    found = compare(right, losses, weights=heavy)
    assert (found.accuracy.difference, found.accuracy.p) == (0.0, 1.0)
    assert (found.first_only, found.second_only) == (9.0, 9.0)


def test_a_document_of_weight_0_is_not_compared() -> None:
    right = np.array([True] * 3 + [False] * 20), np.array([False] * 3 + [True] * 20)
    found = compare(right, (np.zeros(23), np.zeros(23)), weights=np.array([0.0] * 3 + [2.0] * 20))
    assert (found.first_only, found.second_only, found.accuracy.difference) == (0.0, 40.0, -1.0)
    assert found.accuracy.p == mcnemar(0, 20)


def test_models_of_other_labels_are_compared_by_the_names_of_their_labels() -> None:
    one = Figures(np.array([0, 1, 1]), np.array([0, 1, 0]), np.full((3, 2), 0.5), ("ham", "spam"))
    two = Figures(np.array([1, 2, 2]), np.array([1, 2, 2]), np.full((3, 3), 1 / 3), ("eggs", "ham", "spam"))
    assert one.compare(two).accuracy.difference == approx(-1 / 3)


def test_other_documents_are_refused() -> None:
    with pytest.raises(lk.InputError, match="one has 10 documents, the other 9"):
        verdicts(9, 1).compare(verdicts(8, 1))
    with pytest.raises(lk.InputError, match="document 0 has another true label in each"):
        verdicts(9, 1).compare(verdicts(9, 1, truth=1))
    weighed = Figures(np.zeros(10), np.zeros(10), np.full((10, 2), 0.5), ("ham", "spam"), np.full(10, 2.0))
    with pytest.raises(lk.InputError, match="their weights differ"):
        verdicts(9, 1).compare(weighed)

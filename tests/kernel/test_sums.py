"""Sums that are exact: the whole numbers that fractions give, in any order and for any split."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.generated import QUICK
from likelier._kernel import exact_sums

Row = tuple[float, int, int]  # number, label, weight
Sums = tuple[int, int, int]  # weight, numbers times 2^1074, squares times 2^2148

LABELS = 3

finite = st.floats(-1e150, 1e150)
near = st.floats(0, 1).map(lambda noise: 1e9 + noise)
tiny = st.floats(-1e-300, 1e-300)
any_finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = finite | near | tiny | any_finite | st.just(float("nan")) | st.sampled_from([0.0, -0.0, 1.0, 0.1])
weights = st.just(1) | st.integers(0, 2**50) | st.integers(0, 2**64 - 1)
rows = st.lists(st.tuples(numbers, st.integers(0, LABELS - 1), weights), max_size=40)


def summed(rows: Sequence[Row], weighted: bool = True) -> list[Sums]:
    array = np.array([number for number, _, _ in rows], np.float64)
    labels = np.array([label for _, label, _ in rows], np.uint32)
    weights = np.array([weight for _, _, weight in rows], np.uint64) if weighted else None
    return [
        (weight, whole(first), whole(second)) for weight, first, second in exact_sums(array, labels, weights, LABELS)
    ]


def whole(number: bytes) -> int:
    return int.from_bytes(number, "little", signed=True)


def expected(rows: Sequence[Row]) -> list[Sums]:
    found = []
    for wanted in range(LABELS):
        own = [(Fraction(number), weight) for number, label, weight in rows if label == wanted and number == number]
        first = sum((weight * number for number, weight in own), Fraction()) * 2**1074
        second = sum((weight * number**2 for number, weight in own), Fraction()) * 2**2148
        assert first.denominator == second.denominator == 1
        found.append((sum(weight for _, weight in own), first.numerator, second.numerator))
    return found


@QUICK
@given(rows)
def test_sums_are_those_of_fractions(rows: list[Row]) -> None:
    assert summed(rows) == expected(rows)


@QUICK
@given(rows)
def test_without_weights_each_row_counts_once(rows: list[Row]) -> None:
    assert summed(rows, weighted=False) == expected([(number, label, 1) for number, label, _ in rows])


@QUICK
@given(rows, st.randoms(use_true_random=False), st.integers(0, 40))
def test_any_order_and_any_split_give_the_same(rows: list[Row], shuffler, cut: int) -> None:  # type: ignore[no-untyped-def]
    shuffled = shuffler.sample(rows, len(rows))
    parts = zip(summed(shuffled[:cut]), summed(shuffled[cut:]), strict=True)
    assert [tuple(map(sum, zip(*pair, strict=True))) for pair in parts] == summed(rows)


def test_a_large_mean_with_small_noise_keeps_its_variance_to_the_last_digit() -> None:
    noise = np.random.default_rng(1).normal(size=100_000)
    rows = [(float(number), 0, 1) for number in 1e9 + noise]
    assert summed(rows)[0] == expected(rows)[0]


@pytest.mark.slow
def test_more_rows_than_one_bucket_holds_are_summed_exactly() -> None:
    largest = np.full(2**24 + 7, np.finfo(np.float64).max)  # a bucket takes 2^24 of them with the weight 2^50
    weights = np.full(len(largest), 2**50, np.uint64)
    ((weight, first, second),) = exact_sums(largest, np.zeros(len(largest), np.uint32), weights, 1)
    number = Fraction(float(largest[0]))
    assert weight == 2**50 * len(largest)
    assert whole(first) == number * weight * 2**1074
    assert whole(second) == number**2 * weight * 2**2148


def test_a_label_without_rows_has_zeros() -> None:
    assert exact_sums(np.array([]), np.array([], np.uint32), None, 2) == [(0, b"\0", b"\0")] * 2
    assert exact_sums(np.array([]), np.array([], np.uint32), None, 0) == []


@pytest.mark.parametrize(
    ("numbers", "labels", "weights", "message"),
    [
        ([0.0, np.inf], [0, 0], None, "the number of row 1 is infinite"),
        ([-np.inf], [0], None, "the number of row 0 is infinite"),
        ([1.0], [2], None, "there is no such label"),
        ([1.0], [0, 0], None, "must have the same length"),
        ([1.0], [0], [1, 1], "must have the same length"),
    ],
)
def test_what_cannot_be_summed_is_refused(
    numbers: list[float], labels: list[int], weights: list[int] | None, message: str
) -> None:
    given_weights = None if weights is None else np.array(weights, np.uint64)
    with pytest.raises(ValueError, match=message):
        exact_sums(np.array(numbers), np.array(labels, np.uint32), given_weights, 2)

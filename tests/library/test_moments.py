"""The sums behind mean and variance, and the terms of numbers: exact, in any order."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likelier._counts.moments import LARGEST, SCALE, Moments, NumberSums, number_of, rounded, spelled

LABELS = range(4)  # the last one never has values

any_number = st.floats(-1e150, 1e150)
close = st.integers(0, 10**6).map(lambda noise: 1e9 + noise / 2**20)
numbers = st.one_of(any_number, close, st.integers(-5, 5).map(float), st.just(5e-324), st.just(-0.0))
documents = st.lists(st.tuples(numbers, st.integers(0, 2), st.integers(1, 3_000_000)), max_size=20)


def moments_of(rows):
    found = Moments()
    for number, label, weight in rows:
        exact = Fraction(number) * 2**SCALE
        assert exact.denominator == 1
        found.put(label, weight, weight * int(exact), weight * int(exact) ** 2)
    return found


def content(moments):
    return {name: (array.dtype.str, array.tobytes()) for name, array in moments.arrays(LABELS).items()}


def held(arrays):
    moments = Moments()
    moments.hold(arrays)
    return moments


# ---- exact -------------------------------------------------------------------------------------------------------


def test_the_sums_of_three_numbers():
    assert moments_of([(1, 0, 1), (2, 0, 1), (3, 0, 1)]).of([0, 1], 1) == [
        NumberSums(Fraction(3), Fraction(6), Fraction(14)),
        NumberSums(Fraction(0), Fraction(0), Fraction(0)),
    ]


def test_weights_are_in_units():
    (found,) = moments_of([(2, 0, 300_000), (5, 0, 1_000_000)]).of([0], 1_000_000)
    assert found == NumberSums(Fraction(13, 10), Fraction(56, 10), Fraction(262, 10))


@given(documents)
def test_counting_in_the_kernel_gives_the_sums_of_the_definition(rows):
    counted = Moments()
    counted.count(
        np.array([number for number, _, _ in rows]),
        np.array([label for _, label, _ in rows], dtype=np.uint32),
        np.array([weight for _, _, weight in rows], dtype=np.uint64),
    )
    assert counted == moments_of(rows)


def test_without_weights_every_document_counts_once():
    counted = Moments()
    counted.count(np.array([1.0, 2.0, 2.5]), np.array([2, 0, 2], dtype=np.uint32), None)
    assert counted == moments_of([(1.0, 2, 1), (2.0, 0, 1), (2.5, 2, 1)])


def test_a_missing_number_is_not_counted():
    counted = Moments()
    counted.count(np.array([math.nan, 2.0]), np.array([0, 1], dtype=np.uint32), np.array([5, 7], dtype=np.uint64))
    assert counted == moments_of([(2.0, 1, 7)])


def test_counting_nothing_changes_nothing():
    counted = Moments()
    counted.count(np.array([]), np.array([], dtype=np.uint32), None)
    counted.count(np.array([math.nan]), np.array([0], dtype=np.uint32), None)
    assert counted == Moments()


@given(documents, st.randoms(use_true_random=False), st.integers(1, 5))
def test_any_split_merged_in_any_order_equals_the_whole(rows, shuffler, pieces):
    whole = moments_of(rows)
    split = [[] for _ in range(pieces)]
    for row in rows:
        shuffler.choice(split).append(row)
    merged = Moments()
    for piece in shuffler.sample(split, pieces):
        shuffler.shuffle(piece)
        merged.add(moments_of(piece), LABELS)
    assert merged == whole
    assert content(merged) == content(whole)


@given(documents, documents)
def test_adding_and_then_subtracting_leaves_the_sums_as_they_were(rows, more):
    moments = moments_of(rows)
    before = content(moments)
    moments.add(moments_of(more), LABELS)
    assert moments.subtract(moments_of(more), LABELS)
    assert content(moments) == before
    assert moments == moments_of(rows)


def test_labels_may_have_other_numbers_in_the_other_sums():
    one, other = moments_of([(1, 0, 1)]), moments_of([(5, 0, 1), (7, 1, 1)])
    one.add(other, [2, 0])
    assert one == moments_of([(1, 0, 1), (7, 0, 1), (5, 2, 1)])
    assert one.subtract(other, [2, 0])
    assert one == moments_of([(1, 0, 1)])


def test_sums_can_be_added_to_themselves():
    moments = moments_of([(1, 0, 1), (3, 1, 1)])
    moments.add(moments, LABELS)
    assert moments == moments_of([(1, 0, 2), (3, 1, 2)])


@pytest.mark.parametrize(
    "never_learned",
    [
        [(1, 0, 2), (2, 0, 2)],  # more than there are
        [(1, 1, 1)],  # a label without values
        [(1, 0, 2)],  # all are gone, but a sum is left
        [(50, 0, 1)],  # the squares would be below 0
        [(0.5, 0, 1)],  # 2.5 is left of one number, but 4.75 of its square
        [(2, 0, 1), (9, 2, 1)],  # the first alone could be forgotten
    ],
)
def test_what_is_not_there_is_not_subtracted(never_learned):
    moments = moments_of([(1, 0, 1), (2, 0, 1)])
    before = content(moments)
    assert not moments.subtract(moments_of(never_learned), LABELS)
    assert content(moments) == before


@pytest.mark.parametrize(
    ("learned", "never_learned"),
    [
        ([(-1, 0, 1), (1, 0, 1)], [(0, 0, 2)]),  # squares of no number are left
        ([(0, 0, 1)], [(0, 0, 2)]),  # less than no number is left
    ],
)
def test_sums_alone_do_not_make_numbers(learned, never_learned):
    moments = moments_of(learned)
    assert not moments.subtract(moments_of(never_learned), LABELS)
    assert moments == moments_of(learned)


def test_a_copy_changes_on_its_own():
    moments = moments_of([(1, 0, 1)])
    twin = moments.copy()
    twin.put(0, 1, 0, 0)
    assert moments == moments_of([(1, 0, 1)]) != twin


@given(documents)
def test_a_finer_unit_leaves_the_numbers_as_they_are(rows):
    moments = moments_of(rows)
    before, arrays = moments.of(LABELS, 1), content(moments)
    moments.scale(1_000_000)
    assert moments.of(LABELS, 1_000_000) == before
    assert moments.is_whole(1_000_000)
    again = moments.arrays(LABELS, unit=1_000_000)
    assert {name: (array.dtype.str, array.tobytes()) for name, array in again.items()} == arrays


def test_sums_of_broken_weights_are_not_whole():
    assert not moments_of([(1.25, 0, 300_000)]).is_whole(1_000_000)
    assert not moments_of([(0.7, 0, 300_000), (0.3, 0, 700_000)]).is_whole(1_000_000)  # 1 document, but no whole sum


# ---- arrays ------------------------------------------------------------------------------------------------------


@given(documents)
def test_arrays_hold_everything(rows):
    moments = moments_of(rows)
    assert held(moments.arrays(LABELS)) == moments
    assert content(held(moments.arrays(LABELS))) == content(moments)


def test_arrays_may_come_narrower_and_without_labels():
    moments = moments_of([(1, 0, 1), (-3.5, 1, 2)])
    narrow = {
        name: array.astype(np.uint16 if "shift" in name else np.uint8) for name, array in moments.arrays([0, 1]).items()
    }
    assert held(narrow) == moments
    assert held(Moments().arrays([])) == Moments()


def test_arrays_have_the_types_that_a_file_holds():
    types = {name: array.dtype.name for name, array in moments_of([(1.5, 0, 1)]).arrays([0, 1]).items()}
    assert types == {
        "moments": "uint64",
        "sums": "uint8",
        "sum_ends": "uint64",
        "sum_shifts": "uint16",
        "sum_signs": "uint8",
        "squares": "uint8",
        "square_ends": "uint64",
        "square_shifts": "uint16",
    }


def test_a_column_of_zeros_has_documents_and_no_sums():
    moments = moments_of([(0, 0, 3)])
    assert moments.arrays([0])["moments"].tolist() == [3]
    assert held(moments.arrays([0])) == moments


def broken(**changes):
    arrays = moments_of([(-1.5, 0, 1), (-3, 0, 1), (2, 1, 1)]).arrays([0, 1, 2])
    return arrays | {name: np.array(value, dtype=arrays[name].dtype) for name, value in changes.items()}


def test_the_arrays_that_are_broken_below_are_these():
    assert {name: array.tolist() for name, array in broken().items()} == {
        "moments": [2, 1, 0],
        "sums": [9, 1],  # -4.5 and 2
        "sum_ends": [1, 2, 2],
        "sum_shifts": [1073, 1075, 0],
        "sum_signs": [1, 0, 0],
        "squares": [45, 1],  # 11.25 and 4
        "square_ends": [1, 2, 2],
        "square_shifts": [2146, 2150, 0],
    }


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"moments": [2, 1]}, "not for the same labels"),
        ({"sum_ends": [1, 2]}, "not for the same labels"),
        ({"sum_signs": [1, 0, 0, 0]}, "not for the same labels"),
        ({"sum_ends": [2, 1, 2]}, "ends or shifts"),
        ({"sum_ends": [1, 2, 3]}, "ends or shifts"),
        ({"sum_ends": [1, 2, 2**64 - 1]}, "ends or shifts"),
        ({"square_shifts": [2146, 65535, 0]}, "ends or shifts"),
        ({"sums": [1] * 4000, "sum_ends": [4000, 4000, 4000]}, "ends or shifts"),
        ({"sums": [9, 1, 1]}, "more bytes"),
        ({"sums": [18, 1], "sum_shifts": [1072, 1075, 0]}, "shortest way"),
        ({"sums": [9, 0, 1], "sum_ends": [2, 3, 3]}, "shortest way"),
        ({"sum_shifts": [1073, 1075, 5]}, "shortest way"),
        ({"sum_signs": [2, 0, 0]}, "neither 0 nor 1"),
        ({"sum_signs": [1, 0, 1]}, "or 0 has one"),
        ({"moments": [0, 1, 0]}, "no numbers have the sums that label 0 has"),
        ({"moments": [1, 1, 0]}, "no numbers have the sums that label 0 has"),
        ({"squares": [45, 3], "square_shifts": [2146, 2148, 0]}, "no numbers have the sums that label 1 has"),
        ({"square_shifts": [2146, 3200, 0]}, "no numbers have the sums that label 1 has"),
    ],
)
def test_nothing_in_a_file_is_trusted(changes, reason):
    with pytest.raises(ValueError, match=reason):
        held(broken(**changes))


@pytest.mark.parametrize("name", ["moments", "sums", "squares", "square_shifts"])
def test_every_array_must_be_there_and_of_its_kind(name):
    arrays = broken()
    for wrong in (arrays[name].astype(np.float64), arrays[name].astype(np.int64), arrays[name].reshape(1, -1)):
        with pytest.raises(ValueError, match="wrong shape or type"):
            held(arrays | {name: wrong})
    with pytest.raises(ValueError, match="is missing"):
        held({other: array for other, array in arrays.items() if other != name})


def test_bytes_must_be_bytes():
    arrays = broken()
    with pytest.raises(ValueError, match="are not bytes"):
        held(arrays | {"sums": arrays["sums"].astype(np.uint16)})


def test_a_refused_array_leaves_the_sums_as_they_were():
    moments = moments_of([(1, 0, 1)])
    with pytest.raises(ValueError, match="shortest"):
        moments.hold(broken(sum_shifts=[1073, 1075, 5]))
    assert moments == moments_of([(1, 0, 1)])


def test_the_largest_numbers_can_be_held():
    moments = moments_of([(float(LARGEST), 0, 2**62), (-1e150, 1, 3)])
    assert held(moments.arrays([0, 1])) == moments


# ---- digits ------------------------------------------------------------------------------------------------------


sizes = st.integers(-25, 25).map(lambda exponent: 10.0**exponent)
whole_and_half = st.builds(lambda whole, size: (whole / 2) * size, st.integers(-4_000_000, 4_000_000), sizes)
powers_of_ten = st.builds(lambda size, steps: size + steps * math.ulp(size), sizes, st.integers(-3, 3))
many_kinds = st.one_of(numbers, whole_and_half, powers_of_ten, st.builds(lambda x, s: x * s, st.floats(-10, 10), sizes))


@given(st.lists(st.one_of(many_kinds, st.just(math.nan)), max_size=30), st.integers(1, 17))
def test_rounding_is_what_python_writes(given_numbers, digits):
    found = rounded(np.array(given_numbers, dtype=np.float64), digits)
    assert found.dtype == np.float64
    for number, near in zip(given_numbers, found.tolist(), strict=True):
        assert str(near) == str(float(f"{number:.{digits - 1}e}") + 0.0)


@pytest.mark.parametrize("size", [1e-9, 0.1, 1, 10, 1e4, 1e15])
def test_a_number_in_the_middle_is_rounded_by_its_exact_value(size):
    middles = np.array([(whole + 0.5) * size for whole in range(10_000, 12_000)])
    assert rounded(middles, 5).tolist() == [float(f"{number:.4e}") for number in middles.tolist()]


@given(st.lists(many_kinds, max_size=30), st.integers(1, 17))
def test_a_term_stands_for_the_rounded_number(given_numbers, digits):
    array = np.array(given_numbers, dtype=np.float64)
    terms = spelled(array, digits)
    assert [number_of(term) for term in terms] == rounded(array, digits).tolist()
    assert spelled(rounded(array, digits), digits) == terms
    assert len(set(terms)) == len(set(rounded(array, digits).tolist()))


def test_there_is_one_term_for_0():
    assert spelled(np.array([0.0, -0.0]), 5) == ["0.0000e+00"] * 2
    assert math.copysign(1, rounded(np.array([-0.0]), 5)[0]) == 1


@pytest.mark.parametrize(
    "foreign",
    [
        *[
            "",
            "39",
            "39.0",
            "nan",
            "inf",
            "-0.0000e+00",
            "3.9000E+01",
            "03.9000e+01",
            "3.9000e+1",
            "3.9000e+001",
            " 3e+01",
        ],
        *["12.000e+01", "0.3900e+02", "9.9999e+999", "3.9000e+01\n", "３.9000e+01"],
    ],
)
def test_a_term_that_is_written_otherwise_is_refused(foreign):
    with pytest.raises(ValueError, match="not a number as a numeric column counts it"):
        number_of(foreign)

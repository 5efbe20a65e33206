"""Intervals of numbers: rules as users write them, cut points, names, and which interval a number lies in."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from likelier._base.errors import SettingError
from likelier._estimate.intervals import cut_points, interval_names, place
from likelier._estimate.numeric import (
    ByInformation,
    Cuts,
    EqualFrequency,
    EqualWidth,
    Gaussian,
    numeric_rule,
    rule_from_dict,
    rule_name,
    rule_to_dict,
)

finite = st.floats(-1e150, 1e150).map(lambda number: number + 0.0)
few = st.integers(-3, 12).map(float)
pairs = st.lists(st.tuples(few, st.sampled_from("abc")), min_size=1, max_size=40)
rules = st.one_of(
    st.floats(0, 1, exclude_min=True).map(Gaussian),
    st.fractions(min_value=Fraction(1, 9), max_value=1).map(Gaussian),
    st.integers(2, 1000).map(EqualWidth),
    st.integers(2, 1000).map(EqualFrequency),
    st.lists(finite, min_size=1, max_size=5, unique=True).map(lambda points: Cuts(tuple(sorted(points)))),
    st.just(ByInformation()),
)


def table(documents):
    """(number, label) → values and counts."""
    values = sorted({number for number, _ in documents})
    labels = sorted({label for _, label in documents})
    seen = Counter(documents)
    counts = [[seen[value, label] for label in labels] for value in values]
    return np.array(values), np.array(counts, dtype=np.uint64).reshape(len(values), len(labels))


def cuts_of(rule, documents):
    return cut_points(rule, *table(documents))


def parts(documents, cuts):
    """The documents by interval, each interval sorted."""
    found = [[] for _ in range(len(cuts) + 1)]
    for number, label in sorted(documents):
        found[sum(cut <= number for cut in cuts)].append((number, label))
    return found


# ---- rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("gaussian", Gaussian()),
        (" Gaussian ", Gaussian()),
        ("gaussian:1e-6", Gaussian(1e-6)),
        ("gaussian:1/3", Gaussian(Fraction(1, 3))),
        ("equal-width", EqualWidth(10)),
        ("equal-width:5", EqualWidth(5)),
        ("equal-frequency:4", EqualFrequency(4)),
        ("information", ByInformation()),
        ("20,35,50", Cuts((20, 35, 50))),
        ("-1.5, 2e3", Cuts((-1.5, 2000))),
        ([20, 35], Cuts((20, 35))),
        ((20,), Cuts((20,))),
        (np.array([20, 35]), Cuts((20, 35))),
        ([np.float64(0.5), Fraction(3, 2)], Cuts((0.5, 1.5))),
        (EqualWidth(3), EqualWidth(3)),
    ],
)
def test_a_rule_may_be_written_in_several_ways(written, rule):
    assert numeric_rule(written) == rule


@pytest.mark.parametrize(
    "nonsense",
    [
        *["", "normal", "equal-width:", "equal-width:many", "equal-width:2.5", "equal-frequency:-3", "information:3"],
        *[
            "gaussian:",
            "gaussian:small",
            "bins:0.5",
            "20;35",
            "20,,35",
            "20,x",
            ":",
            5,
            2.5,
            None,
            True,
            {},
            {1, 2},
            b"12",
        ],
    ],
)
def test_any_other_rule_is_refused_with_those_that_there_are(nonsense):
    with pytest.raises(SettingError, match="'gaussian', 'equal-width', 'equal-frequency', 'information' or with cut"):
        numeric_rule(nonsense)


@pytest.mark.parametrize("floor", [0, -1, 1.5, math.nan, math.inf, "1", True, None])
def test_a_floor_is_a_share_above_0(floor):
    with pytest.raises(SettingError, match="above 0 and at most 1"):
        Gaussian(floor)


@pytest.mark.parametrize("bins", [0, 1, -5, 1001, 2.0, True, "3", None])
@pytest.mark.parametrize("rule", [EqualWidth, EqualFrequency])
def test_bins_are_a_whole_number_from_2_on(rule, bins):
    with pytest.raises(SettingError, match="integer from 2 to 1000"):
        rule(bins)


@pytest.mark.parametrize(
    "points", [(), [], (math.inf,), (1, math.nan), ("20",), (None,), "20", 20, (10**400,), (True,)]
)
def test_cut_points_are_finite_numbers(points):
    with pytest.raises(SettingError, match="one or more finite numbers"):
        Cuts(points)


@pytest.mark.parametrize("points", [(2, 1), (1, 1), (0.0, -0.0), (1, 3, 2)])
def test_cut_points_rise(points):
    with pytest.raises(SettingError, match="cut points must increase"):
        Cuts(points)


@given(rules)
def test_the_name_of_a_rule_is_a_way_to_write_it(rule):
    assert numeric_rule(rule_name(rule)) == rule


@given(rules)
def test_a_rule_survives_as_plain_values(rule):
    assert rule_from_dict(json.loads(json.dumps(rule_to_dict(rule)))) == rule


def test_settings_that_are_left_out_of_plain_values_have_their_defaults():
    assert rule_from_dict({"kind": "equal-width"}) == EqualWidth(10)


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        (None, "one of the kinds"),
        ({"kind": "normal"}, "one of the kinds"),
        ({"kind": ["cuts"]}, "one of the kinds"),
        ({"kind": "cuts"}, "a list of cut points"),
        ({"kind": "cuts", "points": "20"}, "a list of cut points"),
        ({"kind": "cuts", "points": ["x"]}, "a number, or a fraction"),
        ({"kind": "cuts", "points": [[1]]}, "a number, or a fraction"),
        ({"kind": "cuts", "points": []}, "one or more finite numbers"),
        ({"kind": "cuts", "points": [2, 1]}, "must increase"),
        ({"kind": "equal-width", "bins": 1}, "from 2 to 1000"),
        ({"kind": "equal-width", "bins": None}, "a number, or a fraction"),
        ({"kind": "equal-width", "width": 1}, "has the fields kind, bins"),
        ({"kind": "gaussian", "floor": 0}, "above 0"),
    ],
)
def test_stored_rules_are_not_trusted(stored, reason):
    with pytest.raises(SettingError, match=reason):
        rule_from_dict(stored)


# ---- names and places --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cuts", "names"),
    [
        ([], ["any"]),
        ([20], ["below 20", "20 and more"]),
        ([20, 35.5, 50], ["below 20", "20-35.5", "35.5-50", "50 and more"]),
        ([-5, -1, 3], ["below -5", "-5 to -1", "-1 to 3", "3 and more"]),
        ([-0.0, 1], ["below 0", "0-1", "1 and more"]),
        ([1e-7, 2e-7], ["below 1e-07", "1e-07 to 2e-07", "2e-07 and more"]),
        ([1e20, 3e20], ["below 1e20", "1e20-3e20", "3e20 and more"]),
    ],
)
def test_names_of_intervals_can_be_read(cuts, names):
    assert interval_names(cuts) == names


@given(st.lists(finite, unique=True, max_size=20))
def test_names_of_intervals_differ(points):
    names = interval_names(sorted(points))
    assert len(set(names)) == len(names) == len(points) + 1


def test_an_interval_holds_its_lower_end_and_not_its_upper_one():
    assert place(np.array([-math.inf, 19.999, 20, 34.9, 35, 1e300, math.nan]), [20, 35]).tolist() == [
        *(0, 0, 1, 1, 2, 2, -1)
    ]


def test_without_cuts_every_number_lies_in_the_one_interval():
    assert place(np.array([1.0, math.nan]), []).tolist() == [0, -1]


# ---- equal width and equal frequency -----------------------------------------------------------------------------


def test_intervals_of_equal_width_divide_the_range():
    assert cuts_of(EqualWidth(5), [(18.0, "a"), (90.0, "b"), (19.0, "a"), (78.0, "a")]) == [32.4, 46.8, 61.2, 75.6]


def test_cuts_of_equal_width_are_round():
    assert cuts_of(EqualWidth(3), [(0.0, "a"), (1.0, "a")]) == [0.333, 0.667]


@pytest.mark.parametrize(("number", "interval"), [(0.33333, 0), (0.33334, 1), (0.66666, 1), (0.6667, 2)])
def test_a_round_cut_of_equal_width_does_not_pass_a_number_that_was_seen(number, interval):
    cuts = cuts_of(EqualWidth(3), [(0.0, "a"), (number, "a"), (1.0, "a")])
    assert place(np.array([number]), cuts).tolist() == [interval]


def test_the_least_numbers_of_all_can_be_cut():
    cuts = cuts_of(EqualWidth(3), [(-5e-324, "a"), (0.0, "a")])
    assert interval_names(cuts) == ["below 0", "0 and more"]


def test_own_cut_points_stay_as_they_are():
    assert cuts_of(Cuts((20, 1000)), [(1.0, "a")]) == [20, 1000]


@given(st.lists(finite, min_size=2, max_size=30), st.integers(2, 30))
def test_intervals_of_equal_width_are_equal_to_a_thousandth(numbers, bins):
    values = np.unique(numbers)
    cuts = cut_points(EqualWidth(bins), values, np.ones((len(values), 1), dtype=np.uint64))
    exact = [Fraction(values[0]) + (Fraction(values[-1]) - Fraction(values[0])) * n / bins for n in range(1, bins)]
    width = (Fraction(values[-1]) - Fraction(values[0])) / bins
    slack = width / 500 + Fraction(float(np.spacing(np.abs(values).max())))
    assert all(min(abs(cut - Fraction(found)) for found in [*cuts, values[0]]) <= slack for cut in exact)
    assert cuts == sorted(set(cuts))
    assert all(values[0] < cut <= values[-1] for cut in cuts)


@given(pairs, st.integers(2, 12))
def test_a_round_cut_moves_no_document_to_another_interval_of_equal_width(documents, bins):
    values, counts = table(documents)
    cuts = cut_points(EqualWidth(bins), values, counts)
    width = Fraction(values[-1] - values[0]) / bins
    expected = [math.floor((Fraction(value) - Fraction(values[0])) / width) if width else 0 for value in values]
    expected = [min(number, bins - 1) for number in expected]
    assert place(values, cuts).tolist() == expected


def test_intervals_of_equal_frequency_hold_about_as_many_documents():
    documents = [(float(number), "a") for number in range(1, 101)]
    assert [len(part) for part in parts(documents, cuts_of(EqualFrequency(4), documents))] == [25, 25, 25, 25]


def test_weights_count_for_equal_frequency():
    values, counts = np.array([1.0, 2.0, 3.0, 4.0]), np.array([[900_000], [50_000], [50_000], [1_000_000]])
    assert cut_points(EqualFrequency(2), values, counts.astype(np.uint64), unit=1_000_000) == [4]


@given(pairs, st.integers(2, 12))
def test_each_cut_of_equal_frequency_is_the_nearest_to_its_share(documents, bins):
    values = sorted({number for number, _ in documents})
    below = {value: sum(number < value for number, _ in documents) for value in values[1:]}
    shares = [Fraction(number * len(documents), bins) for number in range(1, bins)]
    nearest = {min(below, key=lambda value, share=share: abs(below[value] - share)) for share in shares if below}
    firsts = [min(part)[0] for part in parts(documents, cuts_of(EqualFrequency(bins), documents))[1:]]
    assert firsts == sorted(nearest)


@pytest.mark.parametrize("rule", [EqualWidth(), EqualFrequency(), ByInformation()])
@pytest.mark.parametrize("documents", [[], [(3.0, "a")], [(3.0, "a"), (3.0, "b")]])
def test_one_number_cannot_be_cut(rule, documents):
    assert cuts_of(rule, documents) == []


@pytest.mark.parametrize("rule", [EqualWidth(4), EqualFrequency(4), ByInformation()])
def test_a_value_without_documents_does_not_count(rule):
    documents = [(float(number), "ab"[number > 4]) for number in range(12)]
    values, counts = table(documents)
    with_gaps = np.insert(values, [0, 5, 12], [-100, 4.5, 100]), np.insert(counts, [0, 5, 12], 0, axis=0)
    assert cut_points(rule, *with_gaps) == cut_points(rule, values, counts)


# ---- by information ----------------------------------------------------------------------------------------------


def entropy(labels):
    return -sum(n / len(labels) * math.log2(n / len(labels)) for n in Counter(labels).values())


def by_trying(documents):
    """The intervals of Fayyad & Irani, straight from the paper: sorted lists of documents."""
    documents = sorted(documents)
    labels = [label for _, label in documents]
    places = [i for i in range(1, len(documents)) if documents[i - 1][0] < documents[i][0]]
    if not places:
        return [documents]

    def left_after(i):
        return (i * entropy(labels[:i]) + (len(labels) - i) * entropy(labels[i:])) / len(labels)

    best = min(map(left_after, places))
    cut = next(i for i in places if left_after(i) <= best + 1e-11)
    k, k1, k2 = len(set(labels)), len(set(labels[:cut])), len(set(labels[cut:]))
    delta = math.log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(labels[:cut]) - k2 * entropy(labels[cut:]))
    if entropy(labels) - left_after(cut) <= (math.log2(len(labels) - 1) + delta) / len(labels):
        return [documents]
    return by_trying(documents[:cut]) + by_trying(documents[cut:])


@given(pairs)
def test_cuts_by_information_are_those_of_trying_every_cut(documents):
    assert parts(documents, cuts_of(ByInformation(), documents)) == by_trying(documents)


@given(st.lists(st.tuples(few, st.integers(0, 2)), min_size=20, max_size=60), st.integers(-3, 12), st.integers(-3, 12))
def test_cuts_by_information_are_found_where_the_labels_change(documents, one, two):
    documents = [(number, (number >= one) + (number >= two) if noise else noise) for number, noise in documents]
    assert parts(documents, cuts_of(ByInformation(), documents)) == by_trying(documents)


@given(pairs)
def test_cuts_by_information_do_not_depend_on_the_unit(documents):
    values, counts = table(documents)
    finer = counts * np.uint64(1_000_000)
    assert cut_points(ByInformation(), values, finer, unit=1_000_000) == cut_points(ByInformation(), values, counts)


def test_a_number_that_says_nothing_of_the_labels_is_not_cut():
    assert cuts_of(ByInformation(), [(float(number), label) for number in range(20) for label in "ab"]) == []


def test_a_cut_that_rests_on_too_few_documents_is_not_made():
    few_documents = [(1.0, "a"), (2.0, "b"), (3.0, "a"), (4.0, "b"), (5.0, "b")]
    assert cuts_of(ByInformation(), few_documents) == []
    assert cuts_of(ByInformation(), few_documents * 10) != []


def test_the_petals_of_irises_are_cut_where_the_literature_cuts_them():
    irises = load_iris()
    flowers = [(float(row[2]), str(label)) for row, label in zip(irises.data, irises.target, strict=True)]
    assert cuts_of(ByInformation(), flowers) == pytest.approx([2.45, 4.75], abs=0.06)
    assert interval_names(cuts_of(ByInformation(), flowers)) == ["below 2.5", "2.5-4.8", "4.8 and more"]


# ---- round cuts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "cut"),
    [
        (36, 37, 37),  # whole numbers are cut at whole numbers
        (4.7, 4.8, 4.8),
        (1.9, 3, 2.5),
        (18, 31, 25),
        (-3, 10, 5),
        (-10, 10, 0),
        (-2.5, -2.4, -2.4),
        (0.00012, 0.00034, 0.0002),
        (1234, 98765, 50000),
        (1, 1 + 2**-52, 1 + 2**-52),
    ],
)
def test_a_cut_between_two_numbers_is_a_round_one(low, high, cut):
    assert cuts_of(EqualFrequency(2), [(low, "a"), (high, "b")]) == [cut]


@given(finite, finite)
def test_a_cut_separates_the_two_numbers_it_lies_between(one, two):
    low, high = sorted((one, two))
    if low < high:
        (cut,) = cuts_of(EqualFrequency(2), [(low, "a"), (high, "b")])
        assert low < cut <= high
        assert len(repr(cut)) <= max(len(repr(low)), len(repr(high))) + 2

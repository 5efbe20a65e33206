"""Values as they are counted, kind by kind; what cannot be used is told with file, line, column and value."""

from __future__ import annotations

import csv
import datetime
import decimal
import math

import numpy as np
import pytest

import likelier as lk
from likelier._documents.batch import bound_values
from likelier._documents.kinds import BINDS, Binary, Bound, Categorical, Numeric, Text
from likelier._documents.schema import Schema
from likelier._documents.values import Choices, Numbers, Texts
from likelier._kernel import Column
from likelier._read.reader import read
from likelier._read.usable import prepare

NAN = math.nan


def prepared(kind, raw, missing=("", "?")):
    columns, problems = prepare(Schema({"x": kind}, tuple(missing)), {"x": raw}, len(raw))
    assert len(columns["x"]) == len(raw)
    return columns["x"], problems


def values_of(kind, raw, **options):
    """The values of a column, None for missing ones; nothing is wrong with any."""
    column, problems = prepared(kind, raw, **options)
    assert problems == []
    if isinstance(column, Choices):
        return [None if place < 0 else column.values[place] for place in column.which]
    if isinstance(column, Numbers):
        return [None if np.isnan(number) else float(number) for number in column.numbers]
    texts = column.texts if isinstance(column.texts, list) else column.texts.to_list()
    return [None if row in column.missing else text for row, text in enumerate(texts)]


def both(values):
    """Text as a list, and as a column of the kernel."""
    return [values, Column.from_list(values)]


# ---- categorical -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", both(["red", " red", "?", None, "", "Red", "cafe\u0301", "caf\u00e9"]))
def test_categories_are_stripped_and_composed_and_missing_ones_are_marked(raw):
    assert values_of(Categorical(), raw) == ["red", "red", None, None, None, "Red", "caf\u00e9", "caf\u00e9"]


def test_the_values_of_a_column_stand_in_order_of_first_sight():
    column, _ = prepared(Categorical(), ["b", "?", "a", "b"])
    assert (column.values, column.which.tolist()) == (["b", "a"], [0, -1, 1, 0])


def test_a_category_is_the_same_however_it_is_spelled():
    assert values_of(Categorical(), [3, 3.0, "3.0", np.int64(3), np.float64(3)]) == ["3"] * 5
    assert values_of(Categorical(), [True, "True", "TRUE", np.True_]) == ["true"] * 4
    assert values_of(Categorical(), [2.5, "2.5", decimal.Decimal("2.5")]) == ["2.5"] * 3
    assert values_of(Categorical(), [datetime.date(2026, 11, 2)]) == ["2026-11-02"]


def test_one_true_and_one_are_three_categories_of_python():
    assert values_of(Categorical(), [1, True, "one"]) == ["1", "true", "one"]


def test_none_and_nan_and_what_pandas_has_for_them_are_missing():
    pandas = pytest.importorskip("pandas")
    nothing = [None, NAN, np.nan, np.float32("nan"), pandas.NA, pandas.NaT, decimal.Decimal("NaN")]
    for kind in (Categorical(), Binary(), Numeric(), Text()):
        assert values_of(kind, nothing) == [None] * len(nothing)


def test_a_list_is_no_category():
    _, problems = prepared(Categorical(), ["a", ["b"], {"c": 1}])
    assert [(problem.row, problem.code) for problem in problems] == [(1, "value-kind"), (2, "value-kind")]


def test_a_million_distinct_categories_are_prepared():
    column, _ = prepared(Categorical(), Column.from_list([f"user {n}" for n in range(1_000_000)]))
    assert len(column.values) == 1_000_000
    assert column.which[-1] == 999_999


# ---- binary ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", both(["yes", "NO", "1", "0", "t", "F", " True ", "false", "y", "n", "1.0", "0.0", "?"]))
def test_yes_and_no_have_many_spellings(raw):
    assert values_of(Binary(), raw) == ["yes", "no"] * 6 + [None]


def test_truth_values_and_numbers_are_yes_and_no():
    assert values_of(Binary(), [True, False, 1, 0, 1.0, 0.0, np.True_]) == ["yes", "no"] * 3 + ["yes"]


def test_both_values_of_a_binary_column_are_there_even_if_one_is_not_seen():
    column, _ = prepared(Binary(), ["yes", None])
    assert (column.values, column.which.tolist()) == (["no", "yes"], [1, -1])


def test_what_is_neither_yes_nor_no_is_a_problem():
    _, problems = prepared(Binary(), ["yes", "maybe", "2", 0.5])
    assert [(problem.row, problem.value) for problem in problems] == [(1, "maybe"), (2, "2"), (3, 0.5)]


# ---- numeric -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", both(["3", " -2.5 ", "1e3", "+.5", "?", None, ""]))
def test_text_that_is_a_number_is_one(raw):
    assert values_of(Numeric(), raw) == [3, -2.5, 1000, 0.5, None, None, None]


def test_numbers_of_any_type_are_numbers():
    values = [1, 2.5, np.float32(0.5), np.int8(-3), decimal.Decimal("1.25"), "7", None]
    assert values_of(Numeric(), values) == [1, 2.5, 0.5, -3, 1.25, 7, None]
    assert values_of(Numeric(), [1.5, NAN]) == [1.5, None]


def test_minus_nothing_is_nothing():
    column, _ = prepared(Numeric(), ["-0.0", -0.0, "0"])
    assert not np.signbit(column.numbers).any()


@pytest.mark.parametrize("missing", [["-1", "999"], ["-1.0", "999"]])
def test_numbers_may_stand_for_missing_ones_however_they_are_written(missing):
    assert values_of(Numeric(), ["-1", "5", "999.0", "9.99e2"], missing=missing) == [None, 5, None, None]
    assert values_of(Numeric(), [-1.0, 5.0, 999.0], missing=missing) == [None, 5, None]


@pytest.mark.parametrize(
    ("value", "code", "match"),
    [
        (
            "abc",
            "number-expected",
            r"holds numbers, got 'abc' in column 'x' of document 1\nhint: a column of categories",
        ),
        ("1,234", "number-expected", r"got '1,234'(.|\n)*nothing between thousands"),
        ("1 234.5", "number-expected", r"got '1 234.5'(.|\n)*nothing between thousands"),
        ("0x10", "number-expected", "got '0x10'"),
        ("1_000", "number-expected", "got '1_000'"),
        (True, "number-expected", "got True"),
        ([1], "number-expected", r"got \[1\]"),
        ("inf", "number-infinite", "must be finite, got 'inf'"),
        (-math.inf, "number-infinite", "must be finite, got -inf"),
        (10**400, "number-infinite", "must be finite, got 1000"),
        (1e151, "number-too-large", r"between -1e\+150 and 1e\+150, got 1e\+151"),
        ("-1e200", "number-too-large", "got '-1e200'"),
    ],
)
def test_what_is_no_number_is_told(value, code, match):
    from likelier._read.intake import asked

    schema = Schema({"x": Numeric()})
    with pytest.raises(lk.InputError, match=match) as caught:
        asked(schema, [{"x": 1}, {"x": value}])
    assert caught.value.code == code


# ---- text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", both(["one two", "", None, "?"]))
def test_an_empty_text_is_there_and_a_missing_one_is_not(raw):
    assert values_of(Text(), raw) == ["one two", "", None, "?"]


def test_a_column_of_texts_is_not_copied():
    raw = Column.from_list(["one", "two"])
    column, _ = prepared(Text(), raw)
    assert isinstance(column, Texts)
    assert column.texts is raw


def test_a_number_is_no_text():
    _, problems = prepared(Text(), ["one", 2])
    assert [(problem.row, problem.code, problem.value) for problem in problems] == [(1, "text-kind.column", 2)]


def test_a_column_that_is_not_there_is_missing_in_every_row():
    schema = Schema({"a": Text(), "b": Categorical(), "c": Binary(), "d": Numeric()})
    columns, _ = prepare(schema, {}, 2)
    assert columns["a"].missing.tolist() == [0, 1]
    assert columns["b"].which.tolist() == columns["c"].which.tolist() == [-1, -1]
    assert np.isnan(columns["d"].numbers).all()


# ---- bound columns -----------------------------------------------------------------------------------------------

WEATHER = Schema(
    {f"sky{BINDS}windy": Bound((("sky", Categorical()), ("windy", Binary()))), "size": Numeric()},
)


def test_bound_columns_are_one_and_missing_where_a_part_is():
    raw = {"sky": ["sunny", "rain", "sunny", None], "windy": ["yes", "no", None, "yes"], "size": [1, 2, 3, 4]}
    columns, _ = prepare(WEATHER, raw, 4)
    assert list(columns) == ["sky & windy", "size"]
    both = columns["sky & windy"]
    assert [None if place < 0 else both.values[place] for place in both.which] == [
        "sunny & yes",
        "rain & no",
        None,
        None,
    ]


def test_values_with_the_sign_that_binds_are_not_mixed_up():
    first = Choices(["a & b", "a", "a &"], np.array([0, 1, 2, 1]))
    second = Choices(["c", "b & c", "& b", "b"], np.array([0, 1, 3, 2]))
    bound = bound_values([first, second])
    assert len({bound.values[place] for place in bound.which}) == 4
    assert bound_values([Choices(["R&D"], np.array([0])), Choices(["x"], np.array([0]))]).values == ["R&D & x"]


def test_three_columns_are_bound_too():
    parts = [
        Choices(["a", "b"], np.array([1, 0, 1])),
        Choices(["c"], np.array([0, 0, 0])),
        Choices(["d"], np.array([0, -1, 0])),
    ]
    bound = bound_values(parts)
    assert (bound.values, bound.which.tolist()) == (["b & c & d"], [0, -1, 0])


# ---- rows that cannot be used ------------------------------------------------------------------------------------

BAD = "age,sex,happy,label\n39,f,yes,x\nold,m,no,x\n50,f,maybe,y\n1e999,m,yes,y\n60,m,yes,\n61,f,no,y\n"
KINDS = {"numeric": ["age"], "categorical": ["sex"], "binary": ["happy"], "label": "label"}


@pytest.mark.parametrize(
    ("line", "code", "match"),
    [
        (3, "number-expected", r"got 'old' in column 'age' of .*a\.csv line 3\n.*skipped: on_error='skip'"),
        (
            4,
            "truth-expected",
            r"holds yes or no .*got 'maybe' in column 'happy' of .*a\.csv line 4\n.*categorical='happy'",
        ),
        (5, "number-infinite", r"got '1e999' in column 'age' of .*a\.csv line 5\n"),
        (6, "row-label-missing", r"column 'label' is empty in .*a\.csv line 6\n"),
    ],
)
def test_a_value_that_cannot_be_used_stops_with_file_line_column_and_value(line, code, match, tmp_path):
    lines = BAD.splitlines()
    path = tmp_path / "a.csv"
    path.write_text("\n".join([*lines[:2], *["40,m,no,x"] * (line - 3), lines[line - 1], *lines[2:]]))
    with pytest.raises(lk.InputError, match=match) as caught:
        list(read(path, **KINDS))
    assert caught.value.code == code


def test_rows_that_cannot_be_used_are_skipped_and_written_down(tmp_path):
    path, rejects = tmp_path / "a.csv", tmp_path / "rejects.csv"
    path.write_text(BAD)
    documents = read(path, **KINDS, on_error="skip", rejects=rejects)
    (batch,) = documents
    assert batch.columns["age"].numbers.tolist() == [39, 61]
    assert batch.columns["sex"].values == ["f"]  # only what is left
    assert batch.labels.to_list() == ["x", "y"]
    assert [batch.where(row) for row in range(2)] == [f"{path} line 2", f"{path} line 7"]
    with rejects.open(newline="", encoding="utf-8") as file:
        rows = [(row["line"], row["code"], row["row"]) for row in csv.DictReader(file)]
    assert [row[:2] for row in rows] == [
        ("3", "number-expected"), ("4", "truth-expected"), ("5", "number-infinite"), ("6", "row-label-missing"),
    ]  # fmt: skip
    assert rows[0][2] == '{"age": "old", "sex": "m", "happy": "no", "label": "x"}'


def test_a_row_with_several_faults_is_rejected_once(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("age,happy,label\nold,maybe,\n1,yes,x\n")
    documents = read(path, numeric=["age"], binary=["happy"], label="label", on_error="skip")
    assert sum(map(len, documents)) == 1
    assert documents.rejected == 1


def test_missing_values_can_be_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("age,sex,label\nunknown,-,x\n,f,y\n39,NA,y\n")
    (batch,) = read(path, numeric=["age"], categorical=["sex"], missing_values=["unknown", "-"])
    assert np.isnan(batch.columns["age"].numbers).tolist() == [True, True, False]  # an empty one is always missing
    assert batch.columns["sex"].which.tolist() == [-1, 0, 1]
    assert batch.schema.missing == ("", "unknown", "-")


def test_a_text_that_is_not_valid_unicode_is_told():
    with pytest.raises(lk.InputError, match="lone surrogate") as caught:
        prepared(Categorical(), ["a", "\ud800"])
    assert caught.value.code == "text-surrogate"

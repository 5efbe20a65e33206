"""Numbers with a decimal comma: a column is decided as a whole, and what is unclear is no number."""

from __future__ import annotations

import pytest

import likelier as lk


def numbers(path, content: str, **options) -> list[float]:
    path.write_text(content, encoding="utf-8")
    return [
        number for batch in lk.read(path, label="label", **options) for number in batch.columns["x"].numbers.tolist()
    ]


def table(*values: str) -> str:
    return "x;y;label\n" + "".join(f"{value};9;a\n" for value in values)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["3,5", "17"], [3.5, 17]),
        (["3,5", "1,234"], [3.5, 1.234]),
        (["-0,125", "1,234"], [-0.125, 1.234]),
        (["1234,567", "2"], [1234.567, 2]),
        (["1.234,50", "2.000.000,0"], [1234.5, 2e6]),
        ([" 3,5", "1,5E+3"], [3.5, 1500]),
        ([",5", "+1,0"], [0.5, 1]),
        (["3.5", "1.234"], [3.5, 1.234]),
    ],
)
def test_a_column_with_decimal_commas_is_read_as_a_whole(tmp_path, values, expected):
    assert numbers(tmp_path / "a.csv", table(*values)) == expected
    assert numbers(tmp_path / "a.csv", table(*values), numeric=["x"]) == expected


def test_a_missing_value_among_decimal_commas_is_missing(tmp_path):
    found = numbers(tmp_path / "a.csv", table("3,5", "?", "-9,9"), missing_values=["?", "-9,9"])
    assert [str(number) for number in found] == ["3.5", "nan", "nan"]


@pytest.mark.parametrize("values", [["1,234", "2,500"], ["1,234", "17"], ["1,234,567"], ["1,234.5"]])
def test_commas_that_may_separate_thousands_are_left_out_of_the_guess_and_refused_by_name(tmp_path, values):
    path = tmp_path / "a.csv"
    path.write_text(table(*values), encoding="utf-8")
    documents = lk.read(path)
    assert [batch.schema.read.keys() for batch in documents] == [{"y"}]
    assert "may have decimals or thousands" in documents.notes[1]
    with pytest.raises(lk.InputError, match=r"got '1,234.*line 2"):
        lk.train(path, numeric=["x"])


def test_a_single_unclear_column_is_no_text(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x;label\n1,234;a\n2,500;b\n", encoding="utf-8")
    with pytest.raises(lk.InputError, match="'1,234' may have decimals or thousands"):
        lk.train(path)


def test_a_decimal_point_behind_decimal_commas_is_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(table(*["3,5"] * 1500, "3.5"), encoding="utf-8")
    with pytest.raises(lk.InputError, match=r"decimal commas or decimal points, not both.*'3\.5'.*line 1502"):
        lk.train(path)


def test_a_model_takes_either_spelling(tmp_path):
    model = lk.train([{"x": "3,5", "label": "a"}, {"x": "30,25", "label": "b"}, {"x": "4,5", "label": "a"}])
    assert model == lk.train([{"x": 3.5, "label": "a"}, {"x": 30.25, "label": "b"}, {"x": 4.5, "label": "a"}])
    assert model.classify({"x": "3,75"}) == model.classify({"x": 3.75})

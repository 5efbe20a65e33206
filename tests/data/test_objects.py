"""Any valid JSON can stand in a column that is not used, and no value of a used one is a traceback."""

from __future__ import annotations

import json

import pytest

import likelier as lk
from likelier._read.text_tables import DEEPEST, json_object

DEEP = "[" * 1000 + "]" * 1000
VALUES = {
    "1,000 levels": DEEP,
    "100,000 levels": "[" * 100_000 + "]" * 100_000,
    "objects": '{"a":' * 5000 + "1" + "}" * 5000,
    "5,000 digits": "9" * 5000,
    "5,000 digits in a list": f"[{'9' * 5000}]",
    "a huge exponent": "1e999999999",
    "a lone surrogate": r'"\ud800"',
    "the same key twice": '1, "z": 2',
}
NESTED = ["1,000 levels", "100,000 levels", "objects", "5,000 digits in a list"]


@pytest.fixture
def rows(tmp_path):
    def write(first: str):
        path = tmp_path / "a.jsonl"
        path.write_text(f'{first}\n{{"label": "b", "text": "two"}}\n')
        return path

    return write


@pytest.mark.parametrize("value", VALUES)
def test_a_column_that_is_not_used_may_hold_anything(value, rows):
    path = rows(f'{{"label": "a", "text": "one", "z": {VALUES[value]}}}')
    model = lk.train(path, text="text", label="label")
    assert model == lk.train([("one", "a"), ("two", "b")])


@pytest.mark.parametrize("value", VALUES)
def test_a_row_with_such_a_column_can_be_kept_whole(value, rows):
    path = rows(f'{{"label": "a", "text": "one", "z": {VALUES[value]}}}')
    kept = [row for batch in lk.read(path, text="text", all_columns=True) for row in batch.rows()]
    assert [row["text"] for row in kept] == ["one", "two"]
    assert json.loads(json.dumps(kept)) == kept


@pytest.mark.parametrize("value", NESTED)
def test_a_nested_value_in_a_used_column_is_a_bad_row_with_its_line(value, rows):
    path = rows(f'{{"label": "a", "text": {VALUES[value]}}}')
    with pytest.raises(
        lk.InputError, match=r"got a list or an object for text .* in .*a\.jsonl line 1 column 2"
    ) as caught:
        lk.train(path, text="text", label="label")
    assert caught.value.code == "row-json-nested"


@pytest.mark.parametrize("value", [*NESTED, "a lone surrogate"])
def test_such_a_row_can_be_skipped(value, rows):
    path = rows(f'{{"label": "a", "text": {VALUES[value]}}}')
    documents = lk.read(path, text="text", label="label", on_error="skip")
    assert lk.train(documents) == lk.train([("two", "b")])
    assert documents.rejected == 1


def test_a_number_that_is_too_large_is_a_bad_row_with_its_line(rows):
    path = rows(f'{{"label": "a", "n": {"9" * 5000}}}')
    with pytest.raises(lk.InputError, match=r"a number must be finite, got '999.* in column 'n' of .*a\.jsonl line 1"):
        lk.train(path, numeric="n", label="label")


def test_a_row_of_deep_nesting_is_told_from_a_text_without_the_name_of_a_file(tmp_path):
    (tmp_path / "rows").write_text(f'{{"label": "a", "text": "one", "z": {DEEP}}}\n')
    documents = lk.read(tmp_path / "rows", text="text", label="label")
    assert lk.train(documents) == lk.train([("one", "a")])


# ---- as Python values --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ['{"a": [1, {"b": "[[[\\"]]]"}], "c": -2.5e3, "d": null}', '{"a": "' + "[" * 500 + '"}', "{}"]
)
def test_what_python_can_hold_is_as_python_reads_it(text):
    assert json_object(text) == json.loads(text)


@pytest.mark.parametrize("levels", [1, DEEPEST - 2, DEEPEST - 1, DEEPEST, DEEPEST + 1, 3 * DEEPEST])
def test_what_is_nested_too_deep_is_text_from_there_on_and_nothing_is_lost(levels):
    def spelled(times: int) -> str:
        return '{"k":' * times + "1" + "}" * times

    found: object = json_object(spelled(levels))
    for _ in range(min(levels, DEEPEST)):
        found = found["k"]  # type: ignore[index]
    assert found == (1 if levels <= DEEPEST else spelled(levels - DEEPEST))


@pytest.mark.parametrize(
    "text", ["{" * 500, "[" * 500 + "]", '{"a": ' + "[" * 500 + "]" * 498 + "}", "]" * 500 + "[" * 500]
)
def test_deep_nesting_that_is_not_closed_is_not_json(text):
    with pytest.raises(json.JSONDecodeError, match="Expecting"):
        json_object(text)


def test_a_string_that_is_not_closed_takes_time_by_its_length_and_not_its_square():
    with pytest.raises(json.JSONDecodeError, match="Unterminated"):
        json_object('{"a": [' + "[], " * DEEPEST + '"' + '\\"' * 500_000)

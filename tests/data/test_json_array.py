"""JSON arrays of objects are read like JSON Lines, in bounded memory; one that is broken is refused with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from likelier._base.errors import FileError, InputError
from likelier._read.json_array import ArrayLines

ROWS = [
    {"text": '[one] \\n {"two", ü', "label": "a", "n": 1.50},
    {"text": "three", "label": "b", "more": [1, {"x": None}]},
]


def lines(text: bytes, size: int = 1 << 20, limit: int = 1 << 20) -> list[object]:
    blocks = [text[start : start + size] for start in range(0, len(text), size)]
    return [json.loads(line) for line in b"".join(ArrayLines("a.json", blocks, limit)).splitlines()]


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("size", [1, 2, 7, 1 << 20])
def test_the_elements_of_an_array_are_lines(indent, size):
    for rows in ([], ROWS, ROWS * 20, [1234, "x", None, ROWS[0]]):
        assert lines(json.dumps(rows, indent=indent, ensure_ascii=False).encode(), size) == rows


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.lists(values, max_size=5), st.integers(1, 40), st.sampled_from([None, 1]), st.booleans())
def test_any_array_is_cut_into_its_elements(rows, size, indent, ascii_only):
    content = json.dumps(rows, indent=indent, ensure_ascii=ascii_only).encode(errors="surrogatepass")
    assert lines(content, size) == json.loads(content.decode(errors="surrogateescape"))


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_trains_the_same_model_as_its_lines(tmp_path, indent):
    (tmp_path / "a.json").write_text(json.dumps(ROWS, indent=indent), encoding="utf-8")
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    assert lk.train(tmp_path / "a.json", text="text") == lk.train(tmp_path / "a.jsonl", text="text")
    (batch,) = lk.read(tmp_path / "a.json", labeled=False, all_columns=True)
    assert batch.rows() == ROWS


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "noname"])
def test_an_array_is_recognized_by_its_content(tmp_path, name):
    (tmp_path / name).write_text(json.dumps(ROWS), encoding="utf-8")
    assert lk.train(tmp_path / name, text="text").documents == 2


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ('[{"text": "a"}, {"text": b}]', "expecting value in a.json line 1 column 26"),
        ('[\n {"text": "a"}\n {"text": "b"}]', "expected ',' or ']', got '{' in a.json line 3 column 2"),
        ('[{"text": "a"},\n', "expecting value in a.json line 2 column 1"),
        ('[{"text": "a"}', "expected ',' or ']', got the end of the file in a.json line 1 column 15"),
        ('[{"text": "a"}] x', "expected the end of the file, got 'x' in a.json line 1 column 17"),
        ('[{"text": "a', "unterminated string starting at in a.json line 1 column 11"),
        ('[{"text": "a"}, ' + "[" * 100_000, "nested too deeply"),
    ],
)
@pytest.mark.parametrize("size", [3, 1 << 20])
def test_a_broken_array_is_refused_with_its_place(content, match, size):
    with pytest.raises(FileError, match=match.replace("[", r"\[")):
        lines(content.encode(), size)


def test_an_element_that_is_too_long_is_refused():
    with pytest.raises(InputError, match=r"a row may have 1 KB at most, got more in a\.json line 1 column 2"):
        lines(b'[{"text": "' + b"x" * 5000 + b'"}]', 100, 1 << 10)


def test_an_element_that_cannot_be_used_has_its_number(tmp_path):
    rows = [*ROWS, "text", {"text": "no label"}, {"text": ["list"], "label": "a"}]
    (tmp_path / "a.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    documents = lk.read(tmp_path / "a.json", text="text", on_error="skip")
    assert lk.train(documents).documents == 2
    assert {code: first.rpartition("a.json ")[2] for code, (_, first) in documents.reasons.items()} == {
        "row-json-object": "row 3",
        "row-label-missing": "row 4",
        "row-json-nested": "row 5",
    }


def test_bytes_that_are_not_utf_8_are_a_fault_of_their_row(tmp_path):
    (tmp_path / "a.json").write_bytes(
        '[{"text": "Grüße, größer", "label": "a"}, {"text": "'.encode() + b'\xe9", "label": "a"}]'
    )
    with pytest.raises(lk.InputError, match=r"must be UTF-8 .* in .*a\.json row 2"):
        lk.train(tmp_path / "a.json", text="text")

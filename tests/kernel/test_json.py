"""JSON Lines: what Python's json module writes is read back, and every kind of broken line is told with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.generated import QUICK
from likelier._kernel import JsonReader

Fault = tuple[int, int, str, str, str]
Read = tuple[list[tuple[Any, ...]], list[Fault]]  # (line, values...) of each row, faults


def read(blocks: list[bytes], wanted: list[str], raw: bool = False, limit: int = 1 << 24) -> Read:
    reader = JsonReader(wanted=wanted, raw=raw, limit=limit)
    rows, faults = [], []
    for number, block in enumerate(blocks, 1):
        pushed = reader.push(block, number == len(blocks))
        rows += list(zip(pushed.lines.tolist(), *(column.to_list() for column in pushed.columns), strict=True))
        faults += pushed.faults
    return rows, faults


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted(place % (len(data) + 1) for place in places)
    return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]


cuts = st.lists(st.integers(0, 300), max_size=5)
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
plain = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts)
nested = st.recursive(plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))
keys = st.sampled_from(["a", "b", "ключ", 'quo"te', ""])


def spelt(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


@QUICK
@given(st.lists(st.dictionaries(keys, plain, max_size=4), max_size=5), nested, st.booleans(), cuts)
def test_what_the_json_module_writes_is_read_back(
    objects: list[dict[str, Any]], other: Any, ascii_only: bool, places: list[int]
) -> None:
    wanted = ["a", "ключ", 'quo"te', ""]
    lines = [json.dumps({**value, "not wanted": other}, ensure_ascii=ascii_only) for value in objects]
    rows, faults = read(cut("\n".join(lines).encode(), places), wanted, raw=True)
    expected = [(*(spelt(value.get(key)) for key in wanted), line) for value, line in zip(objects, lines, strict=True)]
    assert (faults, rows) == ([], [(number, *values) for number, values in enumerate(expected, 1)])


def test_numbers_keep_their_spelling() -> None:
    data = b'{"a": 1.50}\n{"a": -0}\n{"a": 1E5}\n{"a": 123456789012345678901234567890}\n'
    assert [row[1] for row in read([data], ["a"])[0]] == ["1.50", "-0", "1E5", "123456789012345678901234567890"]


def test_null_and_an_absent_key_are_missing_and_an_empty_string_is_not() -> None:
    assert read([b'{"a": null}\n{}\n{"a": ""}\n'], ["a"])[0] == [(1, None), (2, None), (3, "")]


def test_of_two_equal_keys_the_last_one_counts() -> None:
    assert read([b'{"a": [1], "a": "x", "b": 1, "\\u0061": "y"}'], ["a"]) == ([(1, "y")], [])


def test_a_key_may_be_wanted_twice() -> None:
    assert read([b'{"a": "x\\n"}'], ["a", "a"]) == ([(1, "x\n", "x\n")], [])


def test_blank_lines_are_skipped_and_counted() -> None:
    assert read([b'\n \t\r\n{"a": 1}\r\n\n{"a": 2}'], ["a"], raw=True)[0] == [
        (3, "1", '{"a": 1}'),
        (5, "2", '{"a": 2}'),
    ]


def test_characters_outside_of_the_basic_plane_are_one_character() -> None:
    assert read([b'{"a": "\\ud83d\\ude00"}'], ["a"])[0] == [(1, "😀")]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b'{"a": 1}\n{"a": }\n', (2, 7, "json", "expected value")),
        ('{"ж": }'.encode(), (1, 7, "json", "expected value")),
        (b'{"a": 1', (1, 7, "json", "EOF while parsing an object")),
        (b'{"a": 1} 2', (1, 10, "json", "trailing characters")),
        (b'{"a": NaN}', (1, 7, "json", "expected value")),
        (b"x", (1, 1, "json", "expected value")),
        (b' ["a"]', (1, 2, "json-object", "a list")),
        (b'"a"', (1, 1, "json-object", "a string")),
        (b"1", (1, 1, "json-object", "a number")),
        (b'{"b": 1, "a": ["x"]}', (1, 15, "json-nested", "a holds a list")),
        ('{"ж": 1, "a": {}}'.encode(), (1, 15, "json-nested", "a holds an object")),
        (b'{"a": "caf\xe9"}', (1, 11, "utf8", "byte 0xe9")),
    ],
)
def test_a_fault_has_its_line_and_column(data: bytes, fault: tuple[int, int, str, str]) -> None:
    assert [fault[:4] for fault in read([data], ["a"])[1]] == [fault]


@pytest.mark.parametrize("text", ["\\ud800", "\\ud800x", "\\udc00", "\\ud800\\u0041"])
def test_half_of_a_character_is_a_fault(text: str) -> None:
    [fault] = read([f'{{"b": "", "a": "{text}"}}'.encode()], ["a"])[1]
    assert fault[2] == "json"
    assert "surrogate" in fault[3] or "hex escape" in fault[3]
    assert fault[1] > 16


def test_a_fault_keeps_its_line_and_reading_goes_on() -> None:
    rows, faults = read([b'{"a": 1}\n{"a"\r\n{"a": 3}\n'], ["a"])
    assert rows == [(1, "1"), (3, "3")]
    assert faults[0][4] == '{"a"'


def test_a_line_beyond_the_limit_is_dropped() -> None:
    rows, faults = read([b'{"a": 1}\n{"a": "', *[b"x" * 1000] * 17, b'"}\n{"a": 3}\n'], ["a"], limit=16_000)
    assert rows == [(1, "1"), (3, "3")]
    assert [fault[:4] for fault in faults] == [(2, 0, "record-too-long", "16000")]


@pytest.mark.parametrize(("limit", "count"), [(8, 2), (7, 0)])
def test_a_line_may_be_as_long_as_the_limit(limit: int, count: int) -> None:
    assert len(read([b'{"a": 1}\n{"a": 2}'], ["a"], limit=limit)[0]) == count


def test_deep_nesting_does_no_harm() -> None:
    deep = b"[" * 200_000 + b"]" * 200_000
    rows, faults = read([b'{"b": ' + deep + b', "a": 1}\n{"a": ' + deep + b"}\n" + deep], ["a"])
    assert len(rows) + len(faults) == 3


def test_keys_are_remembered_in_order_of_first_sight() -> None:
    reader = JsonReader(wanted=[], raw=False, limit=1 << 24)
    reader.push(b'{"b": 1, "a": 2}\n{"a": {"z": 1}, "c": 2}\n', False)
    assert reader.keys() == ["b", "a", "c"]
    reader.push(json.dumps({str(n): n for n in range(5000)}).encode(), True)
    assert len(reader.keys()) == 1000


scraps = st.sampled_from(
    [b'{"a": "x"}', b'{"a": [1]}', b"{", b"}", b'"', b"\n", b"\n", b"\r\n", b" ", b"1", b"[]", "ж".encode(), b"\xff"]
)


@QUICK
@given(st.lists(scraps, max_size=30).map(b"".join), cuts)
def test_where_blocks_are_cut_does_not_matter(data: bytes, places: list[int]) -> None:
    assert read(cut(data, places), ["a"], raw=True) == read([data], ["a"], raw=True)

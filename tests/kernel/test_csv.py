"""CSV: what Python's csv module writes is read back, and every kind of broken row is told with its line and column."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.generated import QUICK
from likelier._kernel import CsvReader, csv_record

Fault = tuple[int, int, str, str, str]
LIMIT = 1 << 24
Read = tuple[list[tuple[int, list[str]]], list[Fault]]  # (line, fields) of each row, faults


def read(blocks: list[bytes], width: int = 2, delimiter: str = ",", quote: str | None = '"', **options: Any) -> Read:
    wanted = options.pop("wanted", list(range(width)))
    quote_byte = None if quote is None else ord(quote)
    limit = options.pop("limit", LIMIT)
    reader = CsvReader(delimiter=ord(delimiter), quote=quote_byte, width=width, wanted=wanted, limit=limit, **options)
    rows, faults = [], []
    for number, block in enumerate(blocks, 1):
        pushed = reader.push(block, number == len(blocks))
        columns = [column.to_list() for column in pushed.columns]
        fields = [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in pushed.lines]
        rows += list(zip(pushed.lines.tolist(), fields, strict=True))
        faults += pushed.faults
    return rows, faults


def faults_of(data: bytes, **options: Any) -> list[tuple[int, int, str, str]]:
    return [fault[:4] for fault in read([data], **options)[1]]


def rows_of(data: bytes, **options: Any) -> list[Any]:
    return [fields for _, fields in read([data], **options)[0]]


def cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted(place % (len(data) + 1) for place in places)
    return [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]


# ---- what is well formed ---------------------------------------------------------------------------------------------

fields = st.text(alphabet=st.sampled_from('ab "",;\t\n\r\'жЖ中😀\0'), max_size=8)
tables = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(fields, min_size=width, max_size=width), min_size=1, max_size=6)
)
cuts = st.lists(st.integers(0, 200), max_size=5)


@QUICK
@given(tables, st.sampled_from(",;\t|"), st.sampled_from("\"'"), st.sampled_from(["\n", "\r\n"]), cuts, st.booleans())
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
def test_what_the_csv_module_writes_is_read_back(
    quoting: Any, table: list[list[str]], delimiter: str, quote: str, end: str, places: list[int], final: bool
) -> None:
    if quoting == csv.QUOTE_MINIMAL and end == "\n":  # Python before 3.13 leaves a field like "\r" without quotes then
        table = [[field.replace("\r", "") or "-" for field in row] for row in table]
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, quotechar=quote, quoting=quoting, lineterminator=end)
    writer.writerows(table)
    data = text.getvalue().removesuffix("" if final else end).encode()
    rows, faults = read(cut(data, places), len(table[0]), delimiter, quote)
    assert (faults, [fields for _, fields in rows]) == ([], table)


@QUICK
@given(st.lists(st.lists(st.text(st.sampled_from("ab\"'\\ ж"), min_size=1), min_size=2, max_size=2), max_size=6), cuts)
def test_without_a_quote_nothing_but_tab_and_line_end_is_special(table: list[list[str]], places: list[int]) -> None:
    data = "".join("\t".join(row) + "\n" for row in table).encode()
    rows, faults = read(cut(data, places), 2, "\t", None)
    assert (faults, [fields for _, fields in rows]) == ([], table)


def test_lines_are_counted_through_blank_lines_and_quotes() -> None:
    data = b'a,b\n\r\n\n"c\n\nd",e\nf,g'
    assert read([data], line=2) == ([(2, ["a", "b"]), (5, ["c\n\nd", "e"]), (8, ["f", "g"])], [])


def test_only_wanted_columns_are_given_in_the_wanted_order() -> None:
    assert rows_of(b"a,b,c\n1,2,3\n", width=3, wanted=[2, 0, 2]) == [["c", "a", "c"], ["3", "1", "3"]]
    assert rows_of(b"a,b\n", wanted=[]) == [[]]


def test_a_quote_inside_a_field_and_spaces_are_ordinary() -> None:
    assert rows_of(b'a "b" c, "d"\n') == [['a "b" c', ' "d"']]


def test_no_bytes_are_no_rows() -> None:
    assert read([b""]) == ([], [])


# ---- what is broken --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"a,b\nc\n", (2, 2, "fields", "1 field, expected 2")),
        (b"a,b\nc\r\n", (2, 2, "fields", "1 field, expected 2")),
        (b"a,b,c,d\n", (1, 5, "fields", "4 fields, expected 2")),
        ('ж,b,"c"\n'.encode(), (1, 5, "fields", "3 fields, expected 2")),
        (b'"a\nb",c,d\n', (2, 6, "fields", "3 fields, expected 2")),
        (b'a,"b"c\n', (1, 6, "quote-text", "c")),
        ('ж,"ж"ж\n'.encode(), (1, 6, "quote-text", "ж")),
        (b'a,"b\nc" ,d\n', (2, 3, "quote-text", " ")),
        (b'a,"b"\rc\n', (1, 6, "quote-text", "\r")),
        (b'a,b\nc,"d\ne,f\n', (2, 3, "quote-unclosed", "the file ends")),
        (b'a,"', (1, 3, "quote-unclosed", "the file ends")),
        (b"a,b\nc,caf\xe9\n", (2, 6, "utf8", "byte 0xe9")),
        ('a,"ж\nж'.encode() + b'\xff"\n', (2, 2, "utf8", "byte 0xff")),
        (b"a,\xd0\n", (1, 3, "utf8", "byte 0xd0")),
        (b"a,\xd0", (1, 3, "utf8", "byte 0xd0")),
        (b"a,\xed\xa0\x80\n", (1, 3, "utf8", "byte 0xed")),
    ],
)
def test_a_fault_has_its_line_and_column(data: bytes, fault: tuple[int, int, str, str]) -> None:
    assert faults_of(data)[0] == fault


def test_invalid_bytes_in_a_column_that_is_not_wanted_are_told_too() -> None:
    assert faults_of(b"\xff,b\n", wanted=[1]) == [(1, 1, "utf8", "byte 0xff")]


def test_after_wrong_quotes_only_the_first_line_is_dropped() -> None:
    rows, faults = read([b'a,"b\nc,d\n"e"f,g\nh,i\n'])
    assert rows == [(2, ["c", "d"]), (4, ["h", "i"])]
    assert [(line, kind, raw) for line, _, kind, _, raw in faults] == [
        (3, "quote-text", 'a,"b'),  # where it was seen, and what was dropped
        (3, "quote-text", '"e"f,g'),
    ]


def test_after_a_wrong_number_of_fields_or_bytes_the_record_is_dropped() -> None:
    rows, faults = read([b'"a\nb"\n"c\n\xff",d\ne,f\n'])
    assert rows == [(5, ["e", "f"])]
    assert [(kind, raw) for _, _, kind, _, raw in faults] == [("fields", '"a\nb"'), ("utf8", '"c\n\ufffd",d')]


def test_a_thousand_characters_of_a_broken_row_are_kept() -> None:
    [fault] = read(["ж".encode() * 5000])[1]
    assert fault[4] == "ж" * 1000


def test_many_broken_rows_take_linear_time() -> None:
    data = b"caf\xe9\n" * 50_000 + b'"a" b\n' * 50_000
    assert len(faults_of(data, width=1)) == 100_000


def test_a_record_beyond_the_limit_costs_one_line() -> None:
    rows, faults = read([b"a,b\n", *[b"x" * 1000] * 17, b",y\nc,d\n"], limit=16_000)
    assert rows == [(1, ["a", "b"]), (3, ["c", "d"])]
    assert [fault[:4] for fault in faults] == [(2, 0, "record-too-long", "16000")]


@pytest.mark.parametrize(("limit", "count"), [(3, 2), (2, 0)])
def test_a_record_may_be_as_long_as_the_limit(limit: int, count: int) -> None:
    assert len(read([b"a,b\nc,d"], limit=limit)[0]) == count


def test_a_quote_that_stays_open_beyond_the_limit_costs_one_line() -> None:
    line = b"x," + b"y" * 997 + b"\n"
    rows, faults = read([b'a,"b\n', *[line] * 65], wanted=[0], limit=64_000)
    assert [fault[:4] for fault in faults] == [(1, 3, "quote-unclosed", "64000")]
    assert rows == [(number, ["x"]) for number in range(2, 67)]


scraps = st.sampled_from(
    [b"a", b",", b",", b'"', b'"', b'""', b"\n", b"\n", b"\r\n", b"\r", "ж".encode(), b"\xff", b"\xd0", b"\0", b"b,c\n"]
)


@QUICK
@given(st.lists(scraps, max_size=30).map(b"".join), cuts, st.sampled_from(['"', None]))
def test_where_blocks_are_cut_does_not_matter(data: bytes, places: list[int], quote: str | None) -> None:
    assert read(cut(data, places), quote=quote) == read([data], quote=quote)
    assert read([data[at : at + 1] for at in range(len(data))] or [b""], quote=quote) == read([data], quote=quote)


@QUICK
@given(st.lists(scraps, max_size=30).map(b"".join))
def test_any_bytes_become_rows_and_faults_on_lines_that_exist(data: bytes) -> None:
    rows, faults = read([data])
    lines = data.count(b"\n") + 1
    assert all(len(fields) == 2 and 1 <= line <= lines for line, fields in rows)
    assert all(1 <= line <= lines and column >= 1 for line, column, *_ in faults)


# ---- the first record ------------------------------------------------------------------------------------------------


def test_the_first_record_comes_with_its_bytes_and_the_next_line() -> None:
    assert csv_record(b'\n\na,"b\nc"\r\nd,e\n', 44, 34, False, LIMIT) == (["a", "b\nc"], 11, 5)
    assert csv_record(b"a,b", 44, 34, True, LIMIT) == (["a", "b"], 3, 2)


@pytest.mark.parametrize("block", [b"", b"\n\n", b"a,b", b'a,"b\n', b'a,"b"', b'"a"b'])
def test_a_block_without_a_complete_record_gives_none(block: bytes) -> None:
    assert csv_record(block, 44, 34, False, LIMIT) is None


def test_a_broken_first_record_is_a_fault() -> None:
    assert csv_record(b'\n"a"b\n', 44, 34, False, LIMIT) == (2, 4, "quote-text", "b", '"a"b')
    assert csv_record(b'a,"b', 44, 34, True, LIMIT) == (1, 3, "quote-unclosed", "the file ends", 'a,"b')
    assert csv_record(b"a,\xff\n", 44, 34, False, LIMIT) == (1, 3, "utf8", "byte 0xff", "a,\ufffd")


# ---- settings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("delimiter", "quote"), [(10, 34), (13, None), (200, 34), (44, 44), (44, 10), (44, 200)])
def test_a_delimiter_or_quote_that_cannot_work_is_refused(delimiter: int, quote: int | None) -> None:
    with pytest.raises(ValueError, match="delimiter and quote must be two ASCII characters"):
        CsvReader(delimiter=delimiter, quote=quote, width=1, wanted=[], limit=LIMIT)


def test_a_wanted_column_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="must be below the width"):
        CsvReader(delimiter=44, quote=34, width=2, wanted=[2], limit=LIMIT)

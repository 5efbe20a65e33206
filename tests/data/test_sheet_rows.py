"""Mistakes in a CSV file have the row that a spreadsheet shows, where that is not the number of the line."""

from __future__ import annotations

import csv
import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from likelier._read.sheet_rows import SheetRows
from likelier._read.tabular import Layout

BROKEN = 'text;label\n"two\nlines";a\n\n"three\n\nlines";b\nno label;\n"again\ntwo";a\n1;2;3\n'


@pytest.fixture(params=["a.csv", "a.csv.gz"])
def path(tmp_path, request):
    content = BROKEN.encode()
    (tmp_path / request.param).write_bytes(gzip.compress(content) if request.param.endswith("gz") else content)
    return tmp_path / request.param


def test_an_error_has_line_and_row(path):
    with pytest.raises(lk.InputError, match=r"'label' is empty in .* line 8 \(row 5 in a spreadsheet\)\n"):
        lk.train(path)


def test_skipped_rows_have_line_and_row(path, tmp_path):
    documents = lk.read(path, on_error="skip", rejects=tmp_path / "rejects.csv")
    assert lk.train(documents).documents == 3
    assert documents.reasons["row-fields"][1].endswith("line 11 column 5 (row 7 in a spreadsheet)")
    with (tmp_path / "rejects.csv").open(newline="") as file:
        assert [row["message"].rpartition("(")[2] for row in csv.DictReader(file)] == [
            "row 5 in a spreadsheet)",
            "row 7 in a spreadsheet)",
        ]


def test_where_line_and_row_are_the_same_only_the_line_is_named(tmp_path):
    (tmp_path / "a.csv").write_text("text,label\none,a\n\ntwo,\n")
    with pytest.raises(lk.InputError, match=r"empty in .*a\.csv line 4\n"):
        lk.train(tmp_path / "a.csv")


def test_behind_a_quote_that_is_never_closed_only_the_line_is_named(tmp_path):
    (tmp_path / "a.csv").write_text('text,label\n"one\ntwo",a\n"open,a\nthree,\n')
    documents = lk.read(tmp_path / "a.csv", on_error="skip")
    assert lk.train(documents).documents == 1
    assert documents.reasons["row-label-missing"][1].endswith("a.csv line 5")


fields = st.text(alphabet='a,"\n\r é', max_size=6)


@given(st.lists(st.lists(fields, min_size=2, max_size=3), min_size=1, max_size=8), st.integers(1, 9), st.randoms())
def test_rows_are_those_of_a_csv_reader(rows, size, random):
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    content = file.getvalue().replace("\r", "\t")
    lines = {}
    reader = csv.reader(io.StringIO(content, newline="\n"))
    last = 0
    for number, _ in enumerate(reader, 1):
        lines |= dict.fromkeys(range(last + 1, reader.line_num + 1), number)
        last = reader.line_num
    raw = content.encode()
    found = SheetRows(lambda: (raw[start : start + size] for start in range(0, len(raw), size)), Layout("csv"))
    asked = list(lines)
    random.shuffle(asked)
    assert {line: found.row_of(line) for line in asked} == lines
    assert found.row_of(last + 1) is None

"""Spreadsheets: cells as a person reads them, rows by the numbers of the sheet, and files that are none."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zipfile
import zlib
from base64 import b85decode
from datetime import datetime, time
from pathlib import Path

import pytest
import xlsxwriter

import likelier as lk
from likelier._read import spreadsheets

XLS = (  # Excel 97: Text, Label, Amount, Date; "Schöne Grüße", a, 5, 2024-05-03; an empty row; second, b, 0.5
    "c-rk)T}V_x6#nMkyY4FfthNdohzMDk2+~V0b~CJfX~jzDhrssdLZa=)x<U0&miZV2JrxlM_Rx#fOFvXl4?$31)I$(NT8}*i6+P(Q&N+LpsTH_T"
    "f-&DRXJ*dKd~^1mIWu$b%c<(=@!JhESc0uEk#|c`vOuROmHL%1sNHqB=;t9yuEwfDX^0$I62OCs7eV$R`+EikZdp%A0v{+H!ZGw@(oWL~V!PN7"
    "S8PKkNrkJVsYJb4RU<Mfa*fEF((|FnZKAm#vXlBwtAm)bds?@6t9ZZBENzuw-n%m9t!O$>i)Xxw&s<c6z5#S)2jWAktfA2=#{|fsQ77$Wxn70q"
    "C<D5?+heiz1B7Wr$k`M4>NWvi{HT81r1dMSS0MfO#rohM^dWNMQvD^v0!H8-mLM5J6*??#38HTxIq2kuXAza1nG?12IVW-fU{^fh3{kLm9nBn1"
    "=Sbfj&pGA5-sF*Q6zS3I?0bjSRGhjDJIPEsMU_Mu9{{ppgcofX6%t70BvUj$m#Zb5!ZhjZjnA)QiC(*3G$Ue0;V4<hmczwa9zlaErNx?;tukVh"
    "$aBKFR>}<`Bed2jZ|SY|3Oh%o&v|KWp?Nk7Ufb&zls8a$?9=Xhjbk6}jZ~hD&YX%&zOl#AOh;Ra#`A9!ZK_ROxy-n4`?>PAop&PZf7yaUM%c66"
    "_0G#G%yG~WsznxR{B+cO&G4R8p=MIe^tjY-xRh{NUVkNA<V`#x+mvwC$@X~dsX;u<VhZbG7E@SCJQh<}*qNsdt})AVz5*CExWlH=hWZm_(9qD("
    "(9qD(&{)M#as`E43He$X@UHYh@4L<%rM&)3^50?)GW5&QOXUuvDbM0$QR}A;0p)Y4WsdQ`7c%zI>{$#VA$ANFy?*JHOfCFB%N`j1dm&Wp{P|++"
    "{KxbE0QaloHU"
)

CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>
<table:table table:name="Tickets">
<table:table-row><table:table-cell office:value-type="string"><text:p>Text</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>Label</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>Amount</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>Schöne Grüße</text:p></table:table-cell>
<table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="5"><text:p>5</text:p></table:table-cell></table:table-row>
</table:table></office:spreadsheet></office:body></office:document-content>"""


def sheet(path: Path, rows, name: str = "Sheet1", *, before: str | None = None) -> str:
    """A workbook with one sheet, or two."""
    with xlsxwriter.Workbook(path, {"default_date_format": "dd.mm.yyyy"}) as book:
        if before is not None:
            book.add_worksheet(before)
        made = book.add_worksheet(name)
        for number, row in enumerate(rows):
            made.write_row(number, 0, row)
    return str(path)


def rows_of(path: str, **options) -> list[dict[str, object]]:
    return [
        row for batch in lk.read(path, labeled=False, text="text", all_columns=True, **options) for row in batch.rows()
    ]


def columns_of(path: str, **options) -> list[list[str | None]]:
    table = spreadsheets.Spreadsheet(path, Path(path).read_bytes(), sheet=None, header=True, limit=1 << 20, whole=False)
    return [column.to_list() for part in table.read(table.names) for column in part.columns.values()]


def test_a_spreadsheet_trains_the_same_model_as_a_csv_file(tmp_path):
    rows = [["text", "label", "n"], ['Grüße, "hier"', "a", 5], ["two\nlines", "b", 2.5], ["=1+1", "b", 7]]
    path = sheet(tmp_path / "a.xlsx", rows[:-1])
    (tmp_path / "a.csv").write_text('text,label,n\n"Grüße, ""hier""",a,5\n"two\nlines",b,2.5\n', encoding="utf-8")
    options = {"text": ["text"], "numeric": ["n"], "label": "label"}
    assert lk.train(path, **options) == lk.train(str(tmp_path / "a.csv"), **options)


def test_a_cell_is_read_as_a_person_reads_it(tmp_path):
    values = [5, 0.1 + 0.2, 1e21, True, datetime(2024, 5, 3), datetime(2024, 5, 3, 14, 30), time(9, 5), "007", None]
    path = sheet(tmp_path / "a.xlsx", [["text", "x"], *(["t", value] for value in values)])
    assert columns_of(path)[1] == [
        *("5", "0.3", "1e+21", "TRUE", "2024-05-03", "2024-05-03 14:30:00", "09:05:00", "007", "")
    ]


def test_whole_rows_keep_numbers_dates_and_booleans(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [["text", "n", "day", "vip"], ["t", 5, datetime(2024, 5, 3), False]])
    assert rows_of(path) == [{"text": "t", "n": 5, "day": datetime(2024, 5, 3).date(), "vip": False}]


def test_an_xls_file_is_read(tmp_path):
    (tmp_path / "a.xls").write_bytes(zlib.decompress(b85decode(XLS)))
    assert columns_of(str(tmp_path / "a.xls")) == [
        ["Schöne Grüße", "second"],
        ["a", "b"],
        ["5", "0.5"],
        ["2024-05-03", ""],
    ]
    assert lk.train(str(tmp_path / "a.xls"), text="Text", label="Label").labels == ("a", "b")


def test_an_ods_file_is_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.ods", "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("content.xml", CONTENT.replace(">\n<", "><"))
        book.writestr("META-INF/manifest.xml", "<manifest/>")
    assert columns_of(str(tmp_path / "a.ods")) == [["Schöne Grüße"], ["a"], ["5"]]


def test_a_mistake_has_the_number_of_its_row_in_the_sheet_and_empty_rows_count(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [["text", "label"], ["one", "a"], [], ["two\nlines", "b"], ["three", ""]])
    with pytest.raises(lk.InputError, match=r"'label' is empty in .*a\.xlsx row 5"):
        lk.train(path)


def test_empty_rows_above_the_header_are_skipped(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [[], [], ["text", "label"], ["one", "a"], ["two", None]])
    with pytest.raises(lk.InputError, match="row 5"):
        lk.train(path)


def test_a_title_above_the_table_is_left_out_with_a_note(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [["Export of Monday"], [], ["text", "label"], ["one", "a"], ["two", ""]])
    documents = lk.read(path, on_error="skip")
    assert lk.train(documents).documents == 1
    assert documents.notes[0] == f"names of the columns: row 3 of {path} (guessed)"
    assert documents.reasons["row-label-missing"][1].endswith("row 5")


def test_a_sheet_with_one_column_has_its_name_in_the_first_row(tmp_path):
    assert [row["text"] for row in rows_of(sheet(tmp_path / "a.xlsx", [["text"], ["one"], ["two"]]))] == ["one", "two"]


def test_an_empty_workbook_is_refused(tmp_path):
    with pytest.raises(lk.FileError, match=r"sheet 'Sheet1' of .*a\.xlsx is empty\nhint: choose the file"):
        lk.train(sheet(tmp_path / "a.xlsx", []))


def test_the_first_sheet_is_read_with_a_note_or_the_one_that_is_named(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [["text", "label"], ["one", "a"]], "Data", before="Empty")
    documents = lk.read(path, sheet="Data")
    assert (lk.train(documents).documents, documents.notes[0]) == (1, "text column: 'text' (guessed)")
    with pytest.raises(
        lk.FileError, match=r"sheet 'Empty' of .* is empty; there are also 'Data'\nhint: .* sheet='Data'"
    ):
        lk.train(path)
    with pytest.raises(lk.FileError, match="has the sheets 'Empty', 'Data', got 'Dta'\nhint: sheet='Data'"):
        lk.train(lk.read(path, sheet="Dta"))


def test_a_file_without_a_header_has_numbers_for_names(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [["one two three", "a"], ["four five six", "b"]])
    assert lk.train(lk.read(path, header=False, text="1", label="2")).documents == 2


@pytest.mark.parametrize("name", ["a.xlsx.gz", "a.csv", "noname"])
def test_a_spreadsheet_is_recognized_by_its_content(tmp_path, name):
    content = Path(sheet(tmp_path / "b.xlsx", [["text", "label"], ["one", "a"]])).read_bytes()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert lk.train(str(tmp_path / name)).documents == 1


def test_a_table_that_is_called_xls_is_read_as_what_it_is(tmp_path):
    (tmp_path / "export.xls").write_text("text\tlabel\none two\ta\n", encoding="utf-8")
    documents = lk.read(tmp_path / "export.xls")
    assert lk.train(documents).documents == 1
    assert "is read as tsv" in documents.notes[0]


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"<html><table>", "is not a spreadsheet: it begins with b'<html><table>'"),
        (b"PK\x03\x04 and nothing else", "cannot be read as a spreadsheet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "cannot be read as a spreadsheet"),
    ],
)
def test_a_file_that_is_no_spreadsheet_is_refused(tmp_path, content, match):
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(lk.FileError, match=match):
        lk.train(tmp_path / "a.xlsx")


def test_a_spreadsheet_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(spreadsheets, "LARGEST_BOOK", 1 << 20)
    path = sheet(tmp_path / "a.xlsx", [["text", "label"], *([f"{row} " * 6000, "a"] for row in range(99))])
    assert Path(path).stat().st_size < 1 << 20
    with pytest.raises(lk.FileError, match="may have 1 MB at most after decompression"):
        lk.train(path)


def test_a_row_that_is_too_long_can_be_skipped(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [["text", "label"], ["long " * 100, "a"], ["short", "b"]])
    documents = lk.read(path, max_document=100, on_error="skip")
    assert lk.train(documents).labels == ("b",)
    assert "row 2" in documents.reasons["row-too-long"][1]


def test_the_lock_of_an_open_spreadsheet_is_no_table(tmp_path):
    sheet(tmp_path / "a.xlsx", [["text", "label"], ["one", "a"]])
    (tmp_path / "~$a.xlsx").write_bytes(b"\x05Anna")
    assert lk.train(tmp_path).documents == 1


def test_without_the_extra_the_error_says_what_to_install(tmp_path):
    path = sheet(tmp_path / "a.xlsx", [["text", "label"], ["one", "a"]])
    program = "import sys; sys.modules['python_calamine'] = None; import likelier; likelier.train(sys.argv[1])"
    ended = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
    assert "a.xlsx requires the package python-calamine, which is not installed" in ended.stderr
    assert "hint: pip install 'likelier[excel]'" in ended.stderr

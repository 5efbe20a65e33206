"""Files that `classify` writes: in the layout of the file that was read, as a spreadsheet, or as JSON."""

from __future__ import annotations

import json
import sys
from datetime import date, datetime
from pathlib import Path

import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook

SHOP = "shop.likelier"
ASK = ["classify", SHOP, "--quiet", "-i"]


def answered(run, name: str, content: str | bytes, answers: str, *options: str) -> bytes:
    """The file that is written when a file with this content is read."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    result = run(*ASK, name, "-o", answers, *options)
    assert result.exit_code == 0, result.stderr
    return Path(answers).read_bytes()


def cells(path: str) -> list[list[object]]:
    return CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()


# ---- the layout of the file that was read --------------------------------------------------------------------------

HEADER = "text;id;label;probability;unknown_share;reason"


def test_delimiter_and_line_ends_stay(run, here):
    found = answered(run, "q.csv", "text;id\r\nmy parcel;7\r\nmy invoice;8\r\n", "a.csv").decode()
    assert found.startswith(f"{HEADER}\r\nmy parcel;7;delivery;0.")
    assert found.count("\r\n") == found.count("\n") == 3


def test_a_byte_order_mark_stays_and_a_file_that_is_not_utf_8_gets_one(run, here):
    content = "text;id\nGrüße;7\n"
    assert answered(run, "q.csv", content.encode("utf-8-sig"), "a.csv").startswith(b"\xef\xbb\xbftext;id;label")
    for encoding in ("cp1252", "utf-16"):
        found = answered(run, "q.csv", content.encode(encoding), "a.csv")
        assert found.decode("utf-8-sig").splitlines()[1].startswith("Grüße;7;")
        assert found.startswith(b"\xef\xbb\xbf")
    assert answered(run, "q.csv", content, "a.csv").startswith(b"text;id;label")


def test_quotes_around_all_fields_stay_and_others_are_only_where_they_must_be(run, here):
    found = answered(run, "q.csv", '"text","id"\n"my ""parcel""","7"\n', "a.csv").decode()
    assert found.startswith('"text","id","label","probability"')
    assert found.splitlines()[1].startswith('"my ""parcel""","7","delivery","0.')
    found = answered(run, "q.csv", '"text",id\n"my, parcel",7\n', "a.csv").decode()
    assert found.splitlines()[1].startswith('"my, parcel",7,delivery,0.')
    found = answered(run, "q.csv", "text;id\n'my; parcel';7\n", "a.csv", "--quote", "'").decode()
    assert found.splitlines()[1].startswith("'my; parcel';7;delivery;0.")


def test_a_tsv_file_with_quotes_stays_one(run, here):
    found = answered(run, "q.tsv", '"text"\t"id"\n"my\nparcel"\t"7"\n', "a.tsv").decode()
    assert found.startswith('"text"\t"id"\t"label"')
    assert '\n"my\nparcel"\t"7"\t"delivery"\t"0.' in found
    assert (
        answered(run, "q.tsv", 'text\tid\nmy "parcel"\t7\n', "a.tsv")
        .decode()
        .splitlines()[1]
        .startswith('my "parcel"\t7\tdelivery\t0.')
    )


def test_another_sort_of_file_and_standard_output_have_the_usual_layout(run, here):
    content = "\ufefftext;id\r\nmy parcel;7\r\n"
    assert answered(run, "q.csv", content, "a.tsv").startswith(b"text\tid\tlabel")
    assert run(*ASK, "q.csv", "--format", "csv").stdout.startswith("text,id,label")


def test_a_json_array_is_answered_by_one_and_lines_by_lines(run, here):
    rows = [{"text": "my parcel", "id": [1]}, {"text": "my invoice"}]
    found = json.loads(answered(run, "q.json", json.dumps(rows), "a.json"))
    assert [(row["text"], row["label"]) for row in found] == [("my parcel", "delivery"), ("my invoice", "billing")]
    assert found[0]["id"] == [1]
    for content, name in ((json.dumps(rows), "a.jsonl"), ("\n".join(map(json.dumps, rows)), "a.json")):
        lines = answered(run, "q.json", content, name).splitlines()
        assert [json.loads(line)["label"] for line in lines] == ["delivery", "billing"]


# ---- spreadsheets --------------------------------------------------------------------------------------------------


def test_a_spreadsheet_keeps_numbers_dates_and_booleans(run, here):
    with xlsxwriter.Workbook("q.xlsx", {"default_date_format": "dd.mm.yyyy"}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["text", "id", "day", "at", "vip"])
        sheet.write_row(1, 0, ["my parcel", 7, datetime(2024, 5, 3), datetime(2024, 5, 3, 14, 30), True])
    assert run(*ASK, "q.xlsx", "-o", "a.xlsx").exit_code == 0
    header, row = cells("a.xlsx")
    assert header == ["text", "id", "day", "at", "vip", "label", "probability", "unknown_share", "reason"]
    assert row[:6] == ["my parcel", 7, date(2024, 5, 3), datetime(2024, 5, 3, 14, 30), True, "delivery"]
    assert row[6] == round(row[6], 6)


def test_a_text_is_never_a_formula(run, here):
    answered(run, "q.csv", "text\n=1+1\nhttps://example.org\n{=A1}\n", "a.xlsx")
    assert [row[0] for row in cells("a.xlsx")] == ["text", "=1+1", "https://example.org", "{=A1}"]


def test_a_text_that_is_too_long_for_a_cell_is_cut_off_with_a_warning(run, here):
    Path("q.csv").write_text(f"text\n{'word ' * 8000}\n")
    result = run(*ASK, "q.csv", "-o", "a.xlsx")
    assert result.stderr.startswith("warning: cut off 1 text at 32,767 characters")
    assert len(cells("a.xlsx")[1][0]) == 32_767


def test_without_the_extra_a_spreadsheet_is_refused_with_what_to_install(run, here, monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    result = run("classify", SHOP, "my parcel", "-o", "a.xlsx")
    assert result.exit_code == 2
    assert "writing a.xlsx requires the package XlsxWriter" in result.stderr
    assert "hint: pip install 'likelier[excel]'" in result.stderr
    assert not Path("a.xlsx").exists()


def test_typed_texts_become_a_spreadsheet_too(run, here):
    assert run("classify", SHOP, "my parcel", "-o", "a.xlsx", "--probabilities").exit_code == 0
    assert cells("a.xlsx")[0][:4] == ["label", "probability", "unknown_share", "reason"]


# ---- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "known", "hint"),
    [
        (["classify", SHOP, "x", "-o", "a.csv.gz"], ".csv, .tsv, .tab, .xlsx, .json, .jsonl, .ndjson or .txt", "a.csv"),
        (["classify", SHOP, "x", "-o", "a.xls"], ".csv, .tsv, .tab, .xlsx", "a.csv"),
        (["evaluate", SHOP, "messages.tsv", "-o", "a.csv"], ".json, .jsonl or .txt", "a.json"),
        (["explain", SHOP, "x", "-o", "a.pdf"], ".txt, .md, .html, .htm, .tex, .csv, .json or .svg", "a.txt"),
    ],
)
def test_an_unknown_ending_of_the_output_is_refused_with_the_known_ones(run, here, options, known, hint):
    result = run(*options)
    assert result.exit_code == 2
    assert f"the name of the --output file must end with {known}" in result.stderr
    assert result.stderr.endswith(f"hint: --output {hint}, or choose the format with --format\n")
    assert not Path(options[-1]).exists()


def test_with_a_format_any_name_will_do_but_a_spreadsheet_is_one(run, here):
    assert run("classify", SHOP, "x", "-o", "a.data", "--format", "csv").exit_code == 0
    assert run("classify", SHOP, "x", "-o", "plain").exit_code == 0
    assert Path("plain").read_text().startswith("label\tprobability")
    assert (
        "--format csv does not fit --output a.xlsx"
        in run("classify", SHOP, "x", "-o", "a.xlsx", "--format", "csv").stderr
    )
    assert "--output answers.xlsx" in run("classify", SHOP, "x", "--format", "xlsx").stderr

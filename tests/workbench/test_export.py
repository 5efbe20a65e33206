"""What was labeled leaves the workbench whole: documents, the model, files with their labels, the report."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from python_calamine import CalamineWorkbook

import likelier as lk
from likelier.demo import documents
from serving import Labeled, stand

TRUTH = dict(documents())
TEXTS = list(TRUTH)


@pytest.fixture
def labeled(shop: Labeled) -> Labeled:
    """Forty labeled messages and a taught word."""
    for place in range(0, 240, 6):
        shop.do("answer", place=place, label=TRUTH[TEXTS[place]])
    shop.do("word", word="invoice", label="billing", weight=0.5)
    return shop


def likelier(folder: Path, *words: str) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "likelier", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def exported(served: Labeled, path: Path) -> lk.Model:
    """The model, from its file."""
    path.write_bytes(served.client.get("/v1/export/model").content)
    return lk.load(path)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_exported_documents_train_to_the_same_counts(labeled: Labeled, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"documents.{form}"
    path.write_bytes(labeled.client.get(f"/v1/export/documents?format={form}").content)
    model = exported(labeled, tmp_path / "exported.likelier")
    again = lk.Model(schema=model.schema)
    content = path.read_bytes().decode()
    rows: list[dict[str, Any]] = (
        list(csv.DictReader(io.StringIO(content, newline="")))
        if form == "csv"
        else [json.loads(line) for line in content.splitlines()]
    )
    for row in rows:
        weight = float(row["weight"])
        again.learn(row["text"], row["label"], weight=int(weight) if weight.is_integer() else weight)
    assert again.counts.digest() == model.counts.digest() == stand(labeled)[2]


def test_the_exported_documents_train_on_the_command_line_to_the_same_counts(shop: Labeled, tmp_path: Path) -> None:
    for place in range(0, 240, 6):
        shop.do("answer", place=place, label=TRUTH[TEXTS[place]])
    (tmp_path / "documents.csv").write_bytes(shop.client.get("/v1/export/documents?format=csv").content)
    model = exported(shop, tmp_path / "exported.likelier")
    columns = ["--text", "text", "--label", "label"]
    likelier(tmp_path, "train", "documents.csv", *columns, "--like", "exported.likelier", "-o", "again.likelier")
    assert lk.load(tmp_path / "again.likelier").counts.digest() == model.counts.digest()


def test_the_exported_model_classifies_the_same_on_the_command_line(labeled: Labeled, tmp_path: Path) -> None:
    exported(labeled, tmp_path / "exported.likelier")
    texts = TEXTS[1:20]
    asked = labeled.post("/v1/classify", {"texts": texts})["verdicts"]
    told = likelier(tmp_path, "classify", "exported.likelier", "--format", "json", "--digits", "17", *texts)
    said = [json.loads(line) for line in told.splitlines()]
    assert [(each["label"], each["probability"]) for each in said] == [
        (each["label"], round(each["probability"], 17)) for each in asked
    ]


# ---- files -------------------------------------------------------------------------------------------------------


def sent(served: Labeled, name: str, content: bytes, path: str = "file", **more: str) -> Any:
    """The answer to a file."""
    return served.client.post(f"/v1/labeling/{path}", params={"name": name, **more}, content=content)


def test_a_csv_file_comes_back_in_its_own_dialect_with_labels(labeled: Labeled) -> None:
    answer = sent(labeled, "neu;\u05d0.csv", b'"id";"text"\r\n"1";"The parcel is late"\r\n"2";"charged; twice"\r\n')
    lines = answer.content.decode().split("\r\n")
    assert lines[0].startswith('"id";"text";"label";"probability"')
    assert lines[2].startswith('"2";"charged; twice";"')
    assert "filename*=UTF-8''neu%3B%D7%90-labeled.csv" in answer.headers["content-disposition"]


def test_the_labels_of_a_file_are_those_of_classify(labeled: Labeled) -> None:
    answer = sent(labeled, "new.csv", "\n".join(["text", *(f'"{text}"' for text in TEXTS[:5])]).encode())
    found = [row["label"] for row in csv.DictReader(io.StringIO(answer.content.decode(), newline=""))]
    asked = labeled.post("/v1/classify", {"texts": TEXTS[:5]})["verdicts"]
    assert found == [each["label"] for each in asked]


def test_a_spreadsheet_comes_back_as_a_spreadsheet(labeled: Labeled, tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "new.xlsx")
    sheet = book.add_worksheet()
    for row, text in enumerate(["text", *TEXTS[:3]]):
        sheet.write_string(row, 0, text)
    book.close()
    answer = sent(labeled, "new.xlsx", (tmp_path / "new.xlsx").read_bytes())
    (tmp_path / "back.xlsx").write_bytes(answer.content)
    rows = CalamineWorkbook.from_path(str(tmp_path / "back.xlsx")).get_sheet_by_index(0).to_python()
    assert rows[0][:3] == ["text", "label", "probability"]
    assert [row[0] for row in rows[1:]] == TEXTS[:3]


def test_the_lines_of_a_text_file_come_back_as_a_table(labeled: Labeled) -> None:
    answer = sent(labeled, "new.txt", b"The parcel is late\n\ncharged twice\n")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode(), newline="")))
    assert [row["text"] for row in rows] == ["The parcel is late", "charged twice"]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("new.csv", b"", "file-empty"),
        ("new.xlsx", b"PK\x03\x04 and nothing", "upload-unreadable"),
        ("new.csv.gz", b"\x1f\x8b damaged", "upload-unreadable"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00", "upload-unreadable"),
    ],
)
@pytest.mark.parametrize("path", ["file", "pool"])
def test_a_file_that_cannot_be_read_is_refused(shop: Labeled, path: str, name: str, content: bytes, code: str) -> None:
    answer = sent(shop, name, content, path)
    found = answer.json()
    assert answer.status_code == 422
    assert found["code"] in (code, "upload-unreadable")
    assert "likelier-" not in found["message"] + found["hint"]  # the folder that it was in for a moment


def test_a_column_that_is_not_there_is_refused_by_name(shop: Labeled) -> None:
    answer = sent(shop, "<script>.csv", b"id,body\n1,late\n", "pool", column="text")
    assert answer.status_code == 422
    assert answer.json()["code"] == "column-unknown"
    assert "<script>.csv has the columns" in answer.json()["message"].replace("'", "")


# ---- the pool ----------------------------------------------------------------------------------------------------


def test_the_column_of_texts_is_guessed_and_can_be_named(start: Callable[..., Labeled]) -> None:
    shop = start()
    content = (
        b"id,title,body\n1,late parcel today,the parcel is late and nobody answers the phone\n2,too much,i paid twice\n"
    )
    first = sent(shop, "new.csv", content, "pool").json()
    assert (first["added"], first["columns"], first["column"]) == (2, ["id", "title", "body"], "body")
    second = sent(shop, "new.csv", content, "pool", column="title").json()
    assert (second["added"], second["total"], second["column"]) == (2, 4, "title")


def test_texts_that_are_there_already_are_not_added_again(shop: Labeled, pool: Path) -> None:
    again = sent(shop, "messages.csv", pool.read_bytes() + b"240,one more text\n", "pool").json()
    assert (again["added"], again["total"]) == (1, 241)


def test_json_lines_and_pasted_texts_join_the_pool(start: Callable[..., Labeled]) -> None:
    shop = start()
    assert sent(shop, "new.jsonl", b'{"text": "one"}\n{"text": "two"}\n', "pool").json()["added"] == 2
    assert shop.post("/v1/labeling/pool?name=pasted.txt", {"texts": ["three", " "]})["added"] == 1
    assert shop.post("/v1/labeling/sample", None)["total"] == 243


def test_the_report_is_a_page_over_what_was_labeled(labeled: Labeled) -> None:
    answer = labeled.client.get("/v1/labeling/report")
    assert answer.text.startswith("<!doctype html>")
    assert "script-src" not in answer.headers["content-security-policy"]
    assert "<script" not in answer.text


def test_a_report_over_nothing_is_refused(shop: Labeled) -> None:
    assert shop.refused("GET", "/v1/labeling/report") == (422, "labeling-empty")

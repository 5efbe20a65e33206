"""Parquet files under any path: a name is never a pattern, a folder never a column, and columns keep their names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import likelier as lk
from likelier._text.texts import listed_texts

pyarrow = pytest.importorskip("pyarrow", reason="writes the Parquet files")
parquet = pytest.importorskip("pyarrow.parquet")

MINE = [("mine one", "a"), ("mine two", "b")]
NAMES = [
    "data[1]", "x*", "what?", "**", "[!a]*", "{a,b}", "back\\slash", "back\\*", "it's", 'say "hi"', " spaces ",
    "line\nbreak", "Мой файл", "é\u0301", "50%", "semi;colon", "$HOME", "file:x", "s3:x", "-", "not\udcff",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(path: str, word: str = "mine") -> str:
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        parquet.write_table(pyarrow.table({"text": [f"{word} one", f"{word} two"], "label": ["a", "b"]}), file)
    return path


def others() -> None:
    """Files that the names would match, if they were patterns."""
    for name in ("data1", "xsecret", "what1", "b", "zz", "a", "backslash", "backx", "back/x"):
        put(f"{name}.parquet", "foreign")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("absolute", [False, True], ids=["relative", "absolute"])
def test_a_file_is_read_under_its_own_name_and_no_other_is(name: str, absolute: bool):
    others()
    path = put(f"{name}.parquet")
    assert lk.train(os.path.abspath(path) if absolute else path) == lk.train(MINE)


@pytest.mark.parametrize("name", ["data[1].parquet", "x*.parquet", "what?.parquet"])
def test_a_special_name_is_read_where_open_files_have_no_name_of_their_own(name: str, monkeypatch):
    monkeypatch.setattr("likelier._read.parquet.DESCRIPTORS", "/nowhere")
    others()
    assert lk.train(put(f"label=spam/{name}")) == lk.train(MINE)


@pytest.mark.parametrize("folder", ["label=spam", "year=2024", "text=x", "a[b]*", "./~"])
def test_the_name_of_a_folder_is_no_column(folder: str):
    documents = lk.read(put(f"{folder}/d.parquet"))
    assert lk.train(documents) == lk.train(MINE)
    assert not any("year" in note for note in documents.notes)


def test_a_pattern_that_was_typed_still_names_all_files_that_match():
    put("p1.parquet"), put("p2.parquet")
    assert lk.train("p*.parquet") == lk.train(MINE * 2)


def test_columns_whose_names_differ_in_case_alone_keep_them():
    parquet.write_table(pyarrow.table([["one"], ["two"], ["a"]], names=["Text", "text", "label"]), "d.parquet")
    model = lk.train(lk.read("d.parquet", text="text", label="label"))
    assert model == lk.train([("two", "a")])


def test_columns_behind_nested_ones_have_their_names():
    nested = pyarrow.array([{"x": 1, "y": [1, 2]}] * 2)
    lists = pyarrow.array([[["a"]], []])
    parquet.write_table(
        pyarrow.table([nested, lists, ["mine one", "mine two"], ["a", "b"]], names=["s", "text_1", "text", "label"]),
        "d.parquet",
    )
    assert lk.train("d.parquet", text="text", label="label") == lk.train(MINE)


def test_two_columns_of_one_name_are_an_error_as_in_every_file():
    parquet.write_table(pyarrow.table([["one"], ["two"], ["a"]], names=["text", "text", "label"]), "d.parquet")
    with pytest.raises(lk.InputError, match="every column needs a name of its own, got 'text' twice") as caught:
        lk.train("d.parquet")
    assert caught.value.code == "column-twice"


def test_a_damaged_file_is_called_by_its_own_name():
    Path("d.parquet").write_bytes(b"PAR1" + bytes(50))
    with pytest.raises(lk.FileError, match=r"^d\.parquet cannot be read as Parquet: ") as caught:
        lk.train("d.parquet")
    assert caught.value.code == "parquet-unreadable"
    assert "/dev/fd" not in str(caught.value)


def test_a_file_that_changed_is_not_read_again():
    documents = lk.read(put("d.parquet"))
    list(documents)
    put("d.parquet", "other")
    with pytest.raises(lk.FileError, match=r"d\.parquet changed while it was read"):
        list(documents)


def put_table(**columns: object) -> str:
    parquet.write_table(pyarrow.table(columns), "rows.parquet")
    return "rows.parquet"


@pytest.mark.parametrize(("limit", "rejected"), [(8, [2]), (7, [1, 2]), (100, []), (1, [1, 2, 3])])
def test_a_row_that_is_too_long_is_a_bad_row(limit: int, rejected: list[int]):
    path = put_table(text=["one two", "three four", "öx"], label=["a", "b", "c"], other=["x" * 200] * 3)
    documents = lk.read(path, text="text", label="label", max_document=limit, on_error="skip", rejects="rejects.csv")
    kept = [text for batch in documents for text in listed_texts(batch.texts)]
    assert kept == [text for row, text in enumerate(["one two", "three four", "öx"], 1) if row not in rejected]
    assert documents.rejected == len(rejected)
    if rejected:
        with pytest.raises(lk.InputError, match=rf"at most, got more in rows\.parquet row {rejected[0]}\n") as caught:
            lk.train(lk.read(path, text="text", label="label", max_document=limit))
        assert caught.value.code == "row-too-long"


def test_batches_of_long_rows_have_few_of_them():
    path = put_table(text=["word " * 200_000] * 100, label=["a", "b"] * 50)
    sizes = [len(batch) for batch in lk.read(path)]
    assert max(sizes) <= 32
    assert sum(sizes) == 100


@pytest.mark.parametrize("nested", [[["x"], ["y"]], [{"x": "1"}, {"x": "2"}]], ids=["lists", "objects"])
def test_a_column_that_holds_lists_is_refused_when_it_is_named(nested: list[object]):
    path = put_table(text=["one", "two"], label=["a", "b"], tags=nested)
    assert lk.train(lk.read(path, text="text", label="label")) == lk.train([("one", "a"), ("two", "b")])
    for columns in ({"text": "tags", "label": "label"}, {"text": "text", "label": "tags"}):
        with pytest.raises(lk.InputError, match="every column holds single values; column 'tags'") as caught:
            lk.train(lk.read(path, **columns))
        assert caught.value.code == "column-values"


def test_bytes_that_are_no_text_are_bad_rows(tmp_path):
    path = tmp_path / "a.parquet"
    texts = pyarrow.array([b"good one", b"\xff\xfe", None, "grün".encode()], pyarrow.binary())
    parquet.write_table(pyarrow.table({"v0": texts, "fault": ["a", "b", "a", "b"]}), path)
    with pytest.raises(lk.InputError, match=r"must be UTF-8, got other bytes in .*a\.parquet row 2") as caught:
        lk.train(lk.read(path, text="v0", label="fault"))
    assert caught.value.code == "row-encoding"
    documents = lk.read(path, text="v0", label="fault", on_error="skip")
    assert lk.train(documents).counts.vocabulary == ["good", "one", "grün"]
    assert documents.rejected == 2  # and the one without a text

"""Parquet files under any path: a name is never a pattern, a folder never a column, and columns keep their names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import likelier as lk

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
    monkeypatch.setattr("likelier.data.parquet.DESCRIPTORS", "/nowhere")
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

"""A file that changes while it is read, or between two passes over it, is an error."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import likelier as lk
from likelier._model.one_pass import TrainingData

TABLE = "label,text\nham,one two\nspam,three\nham,four\n"
MAILS = "From a@b.c Thu Jan  1 00:00:00 2026\nSubject: one\n\ntext\n"


def changed(name: str) -> object:
    return pytest.raises(lk.FileError, match=rf"{name} changed while it was read")


def table(path: Path) -> Path:
    path.write_text(TABLE)
    return path


def folder(path: Path) -> Path:
    for label, name in (("ham", "a.txt"), ("ham", "b.txt"), ("spam", "c.txt")):
        path.joinpath(label).mkdir(parents=True, exist_ok=True)
        path.joinpath(label, name).write_text(f"text of {name}")
    return path


def cut(path: Path) -> None:
    os.truncate(path, 20)


def grow(path: Path) -> None:
    with path.open("a") as file:
        file.write("spam,five\n")


def replace(path: Path) -> None:
    beside = path.with_name("beside.csv")
    beside.write_bytes(path.read_bytes())
    seen = path.stat()
    os.utime(beside, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    beside.replace(path)


def touch(path: Path) -> None:
    os.utime(path, ns=(0, 0))


@pytest.mark.parametrize("change", [cut, grow, replace, touch])
def test_a_table_that_changed_is_not_read_again(change: Callable[[Path], None], tmp_path):
    documents = lk.read(table(tmp_path / "a.csv"))
    assert sum(map(len, documents)) == 3
    change(tmp_path / "a.csv")
    with changed(r"a\.csv") as caught:
        list(documents)
    assert caught.value.code == "file-changed"


def test_a_table_that_stays_the_same_is_read_again(tmp_path):
    documents = lk.read(table(tmp_path / "a.csv"))
    assert sum(map(len, documents)) == sum(map(len, documents)) == 3


@pytest.mark.parametrize("change", [cut, grow])
def test_a_table_that_changes_while_it_is_read_is_an_error(change: Callable[[Path], None], tmp_path, monkeypatch):
    monkeypatch.setattr("likelier._read.origins.BATCH_BYTES", 1)  # so that reading ahead does not get to the end
    path = tmp_path / "a.csv"
    path.write_text("label,text\n" + "ham,one two three\n" * 500_000)
    batches = iter(lk.read(path))
    next(batches)
    change(path)
    with changed(r"a\.csv"):
        list(batches)


def test_a_compressed_table_that_changed_is_not_taken_for_a_damaged_one(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    documents = lk.read(path)
    list(documents)
    cut(path)
    with changed(r"a\.csv\.gz"):
        list(documents)


def test_a_mail_box_that_changed_is_not_read_again(tmp_path):
    path = tmp_path / "ham.mbox"
    path.write_text(MAILS)
    documents = lk.read(path)
    list(documents)
    path.write_text(MAILS * 2)
    with changed(r"ham\.mbox"):
        list(documents)


@pytest.mark.parametrize("name", ["spam.mbox", "spam.eml", "spam.csv"])
def test_a_file_that_is_gone_is_told(name: str, tmp_path):
    path = tmp_path / name
    path.write_text(TABLE if name.endswith(".csv") else MAILS)
    documents = lk.read(path if name.endswith(".csv") else f"spam={path}")
    assert sum(map(len, documents)) >= 1
    path.unlink()
    with pytest.raises(lk.FileError, match=rf"{name} cannot be read: No such file"):
        sum(map(len, documents))


def test_a_file_of_a_folder_that_changed_is_named(tmp_path):
    documents = lk.read(folder(tmp_path / "corpus"))
    list(documents)
    grow(tmp_path / "corpus/ham/b.txt")
    with changed(r"b\.txt"):
        list(documents)


def test_a_new_file_in_a_folder_is_a_change(tmp_path):
    documents = lk.read(folder(tmp_path / "corpus"))
    list(documents)
    tmp_path.joinpath("corpus/ham/z.txt").write_text("new")
    with changed(r"z\.txt"):
        list(documents)


def test_a_file_that_is_gone_from_a_folder_is_a_change(tmp_path):
    documents = lk.read(folder(tmp_path / "corpus"))
    list(documents)
    tmp_path.joinpath("corpus/ham/b.txt").unlink()
    with changed("ham"):
        list(documents)


def test_a_pass_that_was_broken_off_does_not_count_as_all_files(tmp_path):
    documents = lk.read(folder(tmp_path / "corpus"))
    next(iter(documents))
    assert sum(map(len, documents)) == 3


def test_no_model_is_made_of_a_table_that_changes_between_choosing_and_counting(tmp_path, monkeypatch):
    first = TrainingData.with_stop_words

    def then_cut(data: TrainingData) -> TrainingData:
        found = first(data)
        cut(tmp_path / "a.csv")
        return found

    monkeypatch.setattr(TrainingData, "with_stop_words", then_cut)
    with changed(r"a\.csv"):
        lk.train(table(tmp_path / "a.csv"), analyzer=lk.Analyzer(stop_words=1), view="textbook")

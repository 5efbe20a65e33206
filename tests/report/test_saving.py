"""The page as a file."""

from __future__ import annotations

import os
import stat

import pytest

from likelier._base.errors import FileError
from likelier._evaluate.report.page import report, save_report
from permissions import as_nobody, open_folder
from report.examples import two_labels


def test_the_file_holds_the_page(tmp_path):
    save_report(tmp_path / "report.html", two_labels(), title="t", date="d")
    assert (tmp_path / "report.html").read_bytes() == report(two_labels(), title="t", date="d").encode("utf-8")
    assert os.listdir(tmp_path) == ["report.html"]


def test_the_path_may_be_text(tmp_path):
    save_report(str(tmp_path / "report.html"), two_labels(), title="t")
    assert (tmp_path / "report.html").exists()


def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    (tmp_path / "old.html").write_text("old")
    (tmp_path / "old.html").chmod(0o640)
    (tmp_path / "link.html").symlink_to("old.html")
    save_report(tmp_path / "link.html", two_labels(), title="t")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "old.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert stat.S_IMODE((tmp_path / "old.html").stat().st_mode) == 0o640


def test_when_writing_fails_the_old_page_is_there_and_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "report.html").write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match=r"report\.html cannot be written: No space left on device") as failed:
        save_report(tmp_path / "report.html", two_labels(), title="t")
    assert failed.value.code == "report-write"
    assert (tmp_path / "report.html").read_text() == "old"
    assert os.listdir(tmp_path) == ["report.html"]


def test_a_folder_that_is_not_there_is_named_before_the_work(tmp_path):
    with pytest.raises(FileError, match=r"there is no folder .*nowhere") as failed:
        save_report(tmp_path / "nowhere" / "report.html", two_labels(), title="t")
    assert failed.value.code == "report-folder"


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(FileError, match="cannot be written: Is a directory") as failed:
        save_report(tmp_path, two_labels(), title="t")
    assert failed.value.code == "report-write"


def test_a_write_protected_folder_is_told():
    with open_folder() as folder:
        folder.chmod(0o555)
        with as_nobody(), pytest.raises(FileError, match="cannot be written: Permission denied") as failed:
            save_report(folder / "report.html", two_labels(), title="t")
    assert failed.value.code == "report-write"

"""A save is all or nothing, keeps what the file had, and overwrites nothing but models."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import likelier as lk
from likelier import _storage as storage
from likelier._base import files as base_files
from likelier._base.errors import FileError
from likelier._documents.schema import plain
from likelier._storage import locking
from likelier._storage import save_file as writing
from permissions import as_nobody, open_folder
from storage.models import content, example

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.likelier"
    storage.save(path, example())
    return path


def files(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_a_path_may_be_text_or_a_path(tmp_path):
    storage.save(str(tmp_path / "a.likelier"), example())
    assert storage.load(tmp_path / "a.likelier").counts == example().counts


@pytest.mark.parametrize("path", [None, 3, b"a.likelier", ["a"], "", "a\0b", "\ud800"])
def test_nothing_else_is_a_path(path):
    for use in (storage.load, lambda path: storage.save(path, example()), storage.counts_digest):
        with pytest.raises(lk.InputError, match=r"the path of a model is text or a pathlib\.Path, got"):
            use(path)


def test_a_relative_path_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    storage.save("a.likelier", example())
    storage.save("a.likelier", example())
    assert files(tmp_path) == ["a.likelier"]


@posix
def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path):
    path = tmp_path / "model.likelier"
    before = os.umask(0o027)
    try:
        storage.save(path, example())
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        for mode in (0o600, 0o664):
            path.chmod(mode)
            storage.save(path, example())
            assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(before)


@posix
def test_a_link_stays_a_link_and_its_target_is_replaced(path, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.likelier"
    link.symlink_to(path)
    storage.save(link, storage.Stored(lk.Counts(), plain(lk.Analyzer())))
    assert link.is_symlink()
    assert storage.load(path).counts.labels == ()
    assert files(tmp_path / "elsewhere") == ["link.likelier"]


@pytest.mark.parametrize("data", [b"label,text\n", b"\x80\x04K\x01.", b"x", bytes(200)])
def test_what_is_not_a_model_is_not_overwritten(data, tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"data\.csv already exists and is not a likelier model") as caught:
        storage.save(path, example())
    assert caught.value.code == "not-a-model"
    assert path.read_bytes() == data
    assert files(tmp_path) == ["data.csv"]


def test_an_empty_file_and_a_damaged_model_are_overwritten(path):
    for data in (b"", path.read_bytes()[:-1]):
        path.write_bytes(data)
        storage.save(path, example())
        assert storage.load(path).counts == example().counts


def code(use: object) -> str:
    with pytest.raises(FileError, match=r"\nhint: ") as caught:
        use()
    return caught.value.code


def test_where_no_file_can_be_the_error_says_why(tmp_path):
    assert code(lambda: storage.load(tmp_path)) == "model-file-kind"
    assert code(lambda: storage.save(tmp_path, example())) == "model-file-kind"
    assert code(lambda: storage.load(tmp_path / "x")) == "model-file-missing"
    assert code(lambda: storage.save(tmp_path / "no" / "x", example())) == "model-file-folder"
    assert code(lambda: storage.save(tmp_path / ("x" * 300), example())) == "model-file-write"
    assert files(tmp_path) == []


@posix
def test_a_pipe_is_neither_read_nor_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert code(lambda: storage.load(tmp_path / "pipe")) == "model-file-kind"
    assert code(lambda: storage.save(tmp_path / "pipe", example())) == "model-file-kind"
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@posix
def test_without_permission_nothing_is_read_or_written():
    with open_folder() as folder:
        path = folder / "model.likelier"
        storage.save(path, example())
        path.chmod(0o000)
        folder.chmod(0o555)
        with as_nobody():
            assert code(lambda: storage.load(path)) == "model-file-permission"
            assert code(lambda: storage.save(folder / "x", example())) == "model-file-write-permission"
        path.chmod(0o444)
        with as_nobody():
            assert code(lambda: storage.save(path, example())) == "model-file-write-permission"
        folder.chmod(0o755)


def refused(*arguments: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_a_refusal_by_the_system_is_an_error_with_the_path(path, monkeypatch):
    monkeypatch.setattr("builtins.open", refused)
    with pytest.raises(FileError, match=r"model\.likelier may not be read: Permission denied"):
        storage.load(path)
    with pytest.raises(FileError, match=r"model\.likelier may not be written: Permission denied"):
        storage.save(path, example())


def test_a_write_protected_model_is_not_replaced(path, monkeypatch):
    before = path.read_bytes()
    monkeypatch.setattr(os, "access", lambda *arguments: False)
    assert code(lambda: storage.save(path, example())) == "model-file-write-permission"
    assert path.read_bytes() == before


@pytest.mark.parametrize("step", ["write", "fsync", "replace", "fchmod"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_whatever_goes_wrong_the_old_model_stays_and_nothing_else_is_left(path, monkeypatch, step, error):
    def fail(*arguments: object, **options: object) -> None:
        raise error

    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, step, fail)
        wanted = KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else FileError
        with pytest.raises(wanted, match=r"No space left on device|^$"):
            storage.save(path, storage.Stored(lk.Counts(), plain(lk.Analyzer())))
    assert path.read_bytes() == before
    assert files(path.parent) == [path.name]


def test_data_and_folder_are_brought_to_the_disk_in_the_right_order(path, monkeypatch):
    steps: list[str] = []

    def fsync(file: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file")

    replace = os.replace
    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", lambda *names: (steps.append("replace"), replace(*names)))
    storage.save(path, example())
    assert steps == ["file", "replace", "folder"]


FULL = """
import resource, sys
from likelier import _storage as storage
from likelier._base.errors import FileError
stored = storage.load(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
try:
    storage.save(sys.argv[1], stored)
except FileError as error:
    print(error.code, error)
"""


@posix
def test_a_disk_without_room_leaves_the_old_model(path):
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"model-file-write {path} cannot be written: File too large; it is unchanged")
    assert path.read_bytes() == before
    assert files(path.parent) == [path.name]


def test_a_header_that_nobody_could_read_is_not_written(path, monkeypatch):
    before = path.read_bytes()
    monkeypatch.setattr(writing.layout, "LONGEST_HEADER", 100)
    assert code(lambda: storage.save(path, example())) == "model-file-header"
    assert path.read_bytes() == before


def test_a_loaded_model_does_not_depend_on_its_file(path):
    stored = storage.load(path)
    path.write_bytes(b"")
    path.unlink()
    assert content(stored)[0] == example().counts.digest()
    assert stored.counts.of("goat", "ham") == 2


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says which files are open")
def test_where_open_files_cannot_be_replaced_none_is_open_when_a_model_is(path, monkeypatch):
    replace = os.replace

    def as_on_windows(source, target):
        still_open = {os.path.realpath(f"/proc/self/fd/{file}") for file in os.listdir("/proc/self/fd")}
        assert not {source, target} & still_open
        replace(source, target)

    monkeypatch.setattr(locking, "fcntl", None)
    monkeypatch.setattr(base_files, "fcntl", None)
    monkeypatch.setattr(base_files, "MOVES_CLOSED", True)
    monkeypatch.setattr(os, "replace", as_on_windows)
    with lk.updating(path) as model:
        model.learn("goat", "ham")
    assert lk.load(path).documents == model.documents


def test_a_lock_file_that_cannot_be_made_is_told(path, monkeypatch):
    monkeypatch.setattr(locking, "fcntl", None)
    path.with_name(f"{path.name}.lock").mkdir()
    assert code(lambda: lk.updating(path).__enter__()) == "model-file-lock"


def test_a_disk_without_locks_is_told(path, monkeypatch):
    def fail(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(locking.fcntl, "flock", fail)
    assert code(lambda: lk.updating(path).__enter__()) == "model-file-lock"


def test_a_disk_that_fails_is_told(path, monkeypatch):
    def fail(*_, **__):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("builtins.open", fail)
    assert code(lambda: storage.load(path)) == "model-file-unreadable"

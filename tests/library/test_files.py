"""Files are written all at once; storage has the tests of what can go wrong."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading

import pytest

from likelier._base.files import replacing, write_all
from permissions import as_nobody, open_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions, links and pipes of POSIX")


def write(path: object, content: bytes = b"new") -> None:
    with replacing(path) as file:  # type: ignore[arg-type]
        write_all(file, content)


def test_a_new_file_has_the_usual_permissions(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "a")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "old").chmod(0o604)
    (tmp_path / "link").symlink_to("old")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "old").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o604


def test_what_fails_inside_the_block_leaves_the_old_file_and_nothing_else(tmp_path):
    def fail() -> None:
        with replacing(tmp_path / "a") as file:
            write_all(file, b"half")
            raise KeyboardInterrupt

    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        fail()
    assert (tmp_path / "a").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=write, args=(tmp_path / "pipe",))
    writer.start()
    assert (tmp_path / "pipe").read_bytes() == b"new"
    writer.join()
    assert (tmp_path / "pipe").is_fifo()


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(IsADirectoryError):
        write(tmp_path)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no such folder.*nowhere"):
        write(tmp_path / "nowhere" / "a")


def test_the_left_over_of_a_killed_process_is_removed(tmp_path):
    (tmp_path / ".a.0123456789abcdef.tmp").write_bytes(b"half")
    write(tmp_path / "a")
    assert os.listdir(tmp_path) == ["a"]


def test_a_folder_that_may_be_written_need_not_be_readable():
    with open_folder() as folder:
        folder.chmod(0o333)
        with as_nobody():
            write(folder / "a")
        folder.chmod(0o755)
        assert (folder / "a").read_bytes() == b"new"


def test_a_pipe_behind_dev_stdout_is_written_to():
    code = "from likelier._base.files import replacing, write_all\nwith replacing('/dev/stdout') as file:\n"
    found = subprocess.run(
        [sys.executable, "-c", f"{code}    write_all(file, b'all')"], capture_output=True, check=True
    )
    assert found.stdout == b"all"

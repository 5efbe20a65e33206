"""Files that cannot be written, are used by others or were changed: a clear error, and nothing is lost."""

from __future__ import annotations

import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from serving import Served, not_served, stand

Start = Callable[..., Served]
TEXT = {"text": "the gadget hums", "label": "technical"}
OPEN = "--teach-openly"


# ---- full --------------------------------------------------------------------------------------------------------


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    """A disk of a megabyte with the models, as a folder in that of the models."""
    small = folder / "disk"
    small.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("only root can make a small disk")
    shutil.copy(folder / "shop.likelier", small)
    yield small
    subprocess.run(["umount", "--lazy", small], check=True)


def fill(disk: Path) -> Path:
    """A file that takes all space that is left."""
    with (disk / "filler").open("wb", buffering=0) as file:
        try:
            while file.write(b"x" * 512):
                pass
        except OSError:
            return disk / "filler"


def test_a_lesson_on_a_full_disk_is_refused(serve: Start, disk: Path):
    served = serve("disk/shop.likelier", OPEN)
    fill(disk)
    assert served.refused("POST", "/v1/learn", {"text": "long " * 20_000, "label": "spam"}) == (507, "log-full")


def test_a_lesson_that_was_refused_on_a_full_disk_is_not_in_the_model(serve: Start, disk: Path):
    served = serve("disk/shop.likelier", OPEN)
    served.post("/v1/learn", TEXT)
    before = stand(served)
    fill(disk)
    served.refused("POST", "/v1/learn", {"text": "long " * 20_000, "label": "spam"})
    assert stand(served) == before
    served.kill()
    (disk / "filler").unlink()
    assert stand(serve("disk/shop.likelier", OPEN)) == before


def test_a_server_says_that_the_disk_is_too_full_to_start(disk: Path):
    fill(disk)
    assert "the disk of the log" in not_served(disk / "shop.likelier")


def test_a_server_goes_on_when_the_disk_has_space_again(serve: Start, disk: Path):
    served = serve("disk/shop.likelier", OPEN)
    filler = fill(disk)
    long = {"text": "long " * 20_000, "label": "spam"}
    served.refused("POST", "/v1/learn", long)
    filler.unlink()
    assert served.post("/v1/learn", long)["position"] == 1


def test_a_full_disk_does_not_keep_a_server_from_answering(serve: Start, disk: Path):
    served = serve("disk/shop.likelier", OPEN)
    fill(disk)
    served.refused("POST", "/v1/learn", {"text": "long " * 20_000, "label": "spam"})
    assert served.post("/v1/classify", {"text": "refund"})["label"] == "returns"


def test_a_snapshot_that_finds_no_space_leaves_the_file_as_it_was(serve: Start, disk: Path):
    served = serve("disk/shop.likelier", OPEN)
    served.post("/v1/learn", TEXT)
    before, there = (disk / "shop.likelier").read_bytes(), stand(served)
    fill(disk)
    assert served.stop() == 0
    assert '"event":"snapshot-failed"' in served.errors
    assert (disk / "shop.likelier").read_bytes() == before
    (disk / "filler").unlink()
    assert stand(serve("disk/shop.likelier", OPEN)) == there


# ---- read-only ---------------------------------------------------------------------------------------------------


@pytest.fixture
def fixed(disk: Path) -> Path:
    """A disk that cannot be written."""
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    return disk


def test_a_server_says_that_it_cannot_write_its_log(fixed: Path):
    said = not_served(fixed / "shop.likelier")
    assert "cannot be written: Read-only file system" in said
    assert "--read-only" in said


def test_a_server_that_does_not_learn_needs_no_writable_disk(serve: Start, fixed: Path):
    served = serve("disk/shop.likelier", "--read-only", OPEN)
    assert served.post("/v1/classify", {"text": "refund"})["label"] == "returns"
    assert served.refused("POST", "/v1/learn", TEXT) == (403, "server-read-only")


def test_a_log_can_be_elsewhere_than_a_model_that_cannot_be_written(serve: Start, fixed: Path, folder: Path):
    served = serve("disk/shop.likelier", OPEN, "--log", str(folder / "log.sqlite"))
    served.post("/v1/learn", TEXT)
    there = stand(served)
    assert served.stop() == 0
    assert '"event":"snapshot-failed"' in served.errors
    assert stand(serve("disk/shop.likelier", OPEN, "--log", str(folder / "log.sqlite"))) == there


# ---- used by others ----------------------------------------------------------------------------------------------


def test_a_log_that_another_server_uses_is_refused(shop: Served, folder: Path):
    assert "another process is using the log" in not_served(folder / "shop.likelier")


def test_a_log_that_another_server_uses_is_refused_under_another_name_too(shop: Served, folder: Path):
    (folder / "link.sqlite").symlink_to(folder / "shop.likelier.log.sqlite")
    assert "another process is using" in not_served(folder / "tickets.likelier", "--log", str(folder / "link.sqlite"))


def test_a_log_is_free_again_when_its_server_was_killed(serve: Start, shop: Served):
    shop.kill()
    assert serve("shop.likelier", OPEN).post("/v1/learn", TEXT)["position"] == 1


@pytest.fixture
def other(folder: Path) -> Iterator[sqlite3.Connection]:
    """Another program that has opened the log."""
    connection = sqlite3.connect(folder / "shop.likelier.log.sqlite", isolation_level=None, check_same_thread=False)
    yield connection
    connection.close()


def test_a_lesson_waits_for_another_program_that_writes_the_log(shop: Served, other: sqlite3.Connection):
    other.execute("BEGIN IMMEDIATE")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(shop.post, "/v1/learn", TEXT)
        time.sleep(0.5)
        other.execute("ROLLBACK")
        assert waiting.result()["position"] == 1


@pytest.mark.slow
def test_a_log_that_another_program_keeps_locked_is_unavailable_and_later_fine(shop: Served, other: sqlite3.Connection):
    other.execute("BEGIN IMMEDIATE")
    assert shop.refused("POST", "/v1/learn", TEXT) == (503, "log-unavailable")
    assert shop.get("/v1/model")["position"] == 0
    other.execute("ROLLBACK")
    assert shop.post("/v1/learn", TEXT)["position"] == 1


def test_a_log_of_a_later_version_is_refused(shop: Served, folder: Path, other: sqlite3.Connection):
    shop.stop()
    other.execute("UPDATE about SET value = '99' WHERE name = 'version'")
    assert "has version 99, and this likelier reads up to version 2" in not_served(folder / "shop.likelier")


# ---- the model file ----------------------------------------------------------------------------------------------


def learn_elsewhere(folder: Path) -> None:
    """Another program changes the model file."""
    command = ["likelier", "learn", folder / "shop.likelier", "--as", "praise", "learned elsewhere"]
    subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True)


def test_a_file_that_another_program_has_changed_is_not_overwritten(shop: Served, folder: Path):
    shop.post("/v1/learn", TEXT)
    learn_elsewhere(folder)
    changed = (folder / "shop.likelier").read_bytes()
    assert shop.stop() == 0
    assert '"code":"model-file-changed"' in shop.errors
    assert (folder / "shop.likelier").read_bytes() == changed


def test_a_file_that_another_program_has_changed_is_not_served_with_the_old_log(shop: Served, folder: Path):
    shop.stop()
    learn_elsewhere(folder)
    said = not_served(folder / "shop.likelier")
    assert "does not know the model file" in said
    assert "--adopt" in said


def test_a_file_that_another_program_has_changed_can_be_adopted(serve: Start, shop: Served, folder: Path):
    shop.post("/v1/learn", TEXT)
    shop.stop()
    learn_elsewhere(folder)
    served = serve("shop.likelier", OPEN, "--adopt")
    assert served.post("/v1/forget", {"text": "learned elsewhere", "label": "praise"})["position"] == 3
    there = stand(served)
    served.kill()
    assert stand(serve("shop.likelier", OPEN)) == there


def test_a_file_that_another_program_has_changed_can_be_loaded(serve: Start, shop: Served, folder: Path):
    learn_elsewhere(folder)
    assert shop.post("/v1/load", None)["position"] == 1
    shop.post("/v1/forget", {"text": "learned elsewhere", "label": "praise"})
    there = stand(shop)
    shop.kill()
    assert stand(serve("shop.likelier", OPEN)) == there


# ---- starting ----------------------------------------------------------------------------------------------------


def test_a_missing_model_is_said_and_makes_no_log(folder: Path):
    assert "there is no file" in not_served(folder / "missing.likelier")
    assert not list(folder.glob("missing*"))


def test_an_empty_model_file_is_refused(folder: Path):
    (folder / "empty.likelier").touch()
    assert "is empty" in not_served(folder / "empty.likelier")


def test_a_folder_is_no_model(folder: Path):
    (folder / "folder.likelier").mkdir()
    assert "folder" in not_served(folder / "folder.likelier")


def test_a_folder_that_is_missing_cannot_have_a_log(folder: Path):
    assert "cannot be written" in not_served(folder / "shop.likelier", "--log", str(folder / "no" / "log.sqlite"))


def test_a_port_that_is_in_use_is_refused(folder: Path):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        said = not_served(folder / "shop.likelier", "--port", str(port))
    assert f"cannot listen on 127.0.0.1 port {port}" in said

"""A log that was damaged on its disk: it is refused, or it has every lesson. No model is silently another one."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from likelier._base.errors import LikelierError
from likelier._model.exchange import Labeled
from likelier._serve.drafts import forgetting, learning
from likelier._serve.sqlite_log import SqliteLog
from serve.desk import Desk, answer
from serving import Served, not_served, stand

Start = Callable[..., Served]
TEXT = {"text": "the gadget hums", "label": "technical"}
OPEN = "--teach-openly"


# ---- the file ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def taught(models: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a model, and a log of 200 lessons in its file; and the digest of the counts."""
    folder = tmp_path_factory.mktemp("taught")
    shutil.copy(models / "shop.likelier", folder)
    desk = Desk(folder / "shop.likelier")
    desk.scribe.start()
    for number in range(200):
        answer(desk.ask(learning([Labeled(f"lesson {number} about parcel{number % 7}", "delivery")])))
    digest = desk.digest()
    desk.leave()
    return folder, digest


def opened(folder: Path, digest: str) -> str:
    """The error of a log that is damaged; it is opened only if it has every lesson."""
    try:
        desk = Desk(folder / "shop.likelier")
    except LikelierError as failure:
        return failure.code
    assert (desk.scribe.live.position, desk.digest()) == (200, digest)
    desk.leave()
    return ""


@pytest.mark.parametrize("seed", range(60))
def test_a_log_whose_file_is_damaged_is_refused_or_has_every_lesson(
    taught: tuple[Path, str], tmp_path: Path, seed: int
):
    chance, folder = random.Random(seed), Path(shutil.copytree(taught[0], tmp_path / "damaged"))
    log = folder / "shop.likelier.log.sqlite"
    content = bytearray(log.read_bytes())
    start, size = chance.randrange(len(content)), chance.choice([1, 30, 4096])
    content[start : start + size] = chance.randbytes(len(content[start : start + size]))
    log.write_bytes(content)
    assert opened(folder, taught[1]) in ("", "log-corrupt", "model-file-not-in-log")


def test_a_text_that_is_damaged_in_the_log_is_found(taught: tuple[Path, str], tmp_path: Path):
    folder = Path(shutil.copytree(taught[0], tmp_path / "damaged"))
    log = folder / "shop.likelier.log.sqlite"
    log.write_bytes(log.read_bytes().replace(b"lesson 100 about parcel2", b"lesson 100 about parcel3"))
    assert opened(folder, taught[1]) == "log-corrupt"


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("DELETE FROM lessons WHERE position = 100", "lesson 100 is missing"),
        ("UPDATE lessons SET digest = put WHERE position = 200", "the digest of lesson 200 is another one"),
        ("UPDATE lessons SET put = digest WHERE position = 100", "the digest of lesson 200 is another one"),
        ("UPDATE lessons SET document = '\"other\"' WHERE position = 100", "lesson 100 does not fit the model"),
        ("UPDATE lessons SET learned = '\"praise\"' WHERE position = 100", "lesson 100 does not fit the model"),
        ("UPDATE lessons SET weight = 2 WHERE position = 100", "lesson 100 does not fit the model"),
    ],
)
def test_replay_says_what_is_wrong_with_a_log(taught: tuple[Path, str], tmp_path: Path, statement: str, reason: str):
    folder = Path(shutil.copytree(taught[0], tmp_path / "damaged"))
    changed(folder, statement)
    with pytest.raises(LikelierError, match=reason):
        Desk(folder / "shop.likelier")


def test_a_text_that_cannot_be_read_is_found_also_if_it_was_forgotten_again(folder: Path):
    desk = Desk(folder / "shop.likelier")
    desk.scribe.start()
    answer(desk.ask(learning([Labeled("one", "delivery")])))
    answer(desk.ask(forgetting([Labeled("one", "delivery")])))
    desk.leave()
    changed(folder, "UPDATE lessons SET document = '\"one' WHERE position = 1")
    with pytest.raises(LikelierError, match="lesson 1 does not fit the model"):
        Desk(folder / "shop.likelier")


def changed(folder: Path, statement: str) -> None:
    """Changes the log behind the back of the server."""
    with closing(sqlite3.connect(folder / "shop.likelier.log.sqlite")) as log, log:
        assert log.execute(statement).rowcount == 1


def test_a_server_refuses_to_start_with_a_damaged_log(taught: tuple[Path, str], tmp_path: Path):
    folder = Path(shutil.copytree(taught[0], tmp_path / "damaged"))
    log = folder / "shop.likelier.log.sqlite"
    content = log.read_bytes()
    log.write_bytes(content[:8192] + os.urandom(len(content) - 12288) + content[-4096:])
    assert "is damaged" in not_served(folder / "shop.likelier")


def test_a_file_that_is_no_log_is_refused(folder: Path):
    (folder / "notes.txt").write_text("these are notes, and no log at all. " * 40)
    assert "is damaged" in not_served(folder / "shop.likelier", "--log", str(folder / "notes.txt"))


# ---- the write-ahead log -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [0.0, 0.3, 0.6])
def test_a_server_refuses_a_write_ahead_log_that_is_damaged_in_the_middle(shop: Served, folder: Path, place: float):
    for number in range(20):
        shop.post("/v1/learn", {"text": f"lesson {number}", "label": "praise"})
    shop.kill()
    wal = folder / "shop.likelier.log.sqlite-wal"
    content = bytearray(wal.read_bytes())
    start = round(len(content) * place)
    content[start : start + 16] = b"0123456789abcdef"
    wal.write_bytes(content)
    assert "is damaged" in not_served(folder / "shop.likelier")


def test_a_commit_that_was_cut_short_is_as_if_it_had_never_been(serve: Start, shop: Served, folder: Path):
    shop.post("/v1/learn", TEXT)
    before = stand(shop)
    shop.post("/v1/learn", TEXT)
    shop.kill()
    wal = folder / "shop.likelier.log.sqlite-wal"
    wal.write_bytes(wal.read_bytes()[:-2000])
    assert stand(serve("shop.likelier", OPEN)) == before


def test_every_commit_is_on_the_disk_before_it_ends(tmp_path: Path):
    with SqliteLog(tmp_path / "log.sqlite") as log, log.turn() as rows:
        assert rows.run("PRAGMA synchronous") == [(2,)]  # FULL
        assert rows.run("PRAGMA journal_mode") == [("wal",)]


def test_a_server_that_has_stopped_leaves_nothing_in_a_write_ahead_log(shop: Served, folder: Path):
    shop.post("/v1/learn", TEXT)
    assert shop.stop() == 0
    assert not (folder / "shop.likelier.log.sqlite-wal").exists()

"""The beginning and the end of a server, from inside."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from likelier._base.errors import LikelierError
from likelier._model.exchange import Labeled
from likelier._serve import log as logs
from likelier._serve import sqlite_log
from likelier._serve.drafts import learning
from likelier._serve.scribe import Scribe
from likelier._serve.service import Limits, Service
from likelier._serve.spans import Span
from likelier._serve.sqlite_log import SqliteLog
from likelier._serve.tokens import Access, Rate
from serve.desk import Desk, answer


@pytest.fixture
def taught(folder: Path) -> Desk:
    """A desk whose log has five lessons, which its model file has not."""
    desk = Desk(folder / "shop.likelier")
    desk.scribe.start()
    for number in range(5):
        answer(desk.ask(learning([Labeled(f"text {number}", "spam")])))
    desk.leave()
    return desk


def test_a_server_can_stop_while_it_replays_its_log(taught: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(logs, "CHUNK", 1)
    desk, failures = Desk(taught.path, replays=False), list[BaseException]()

    def slowly(self: Scribe, span: Span) -> None:
        time.sleep(0.1)

    monkeypatch.setattr(Scribe, "follow", slowly)
    service = Service(
        desk.scribe.live, desk.log, desk.snapshots,
        access=Access(), limits=Limits(), rate=Rate(0), failed=failures.append,
    )  # fmt: skip
    service.start()
    service.stop()
    assert failures == []
    assert not service.is_replayed


def test_a_log_can_be_closed_twice(folder: Path):
    log = SqliteLog(folder / "log.sqlite")
    log.close()
    log.close()
    SqliteLog(folder / "log.sqlite").close()


def test_a_log_has_one_process_at_a_time_where_files_cannot_be_locked_themselves(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sqlite_log, "fcntl", None)  # as on Windows
    with SqliteLog(folder / "log.sqlite"), pytest.raises(LikelierError, match="another process is using the log"):
        SqliteLog(folder / "log.sqlite")
    SqliteLog(folder / "log.sqlite").close()

"""A scribe without a server around it: what is asked before it starts shares a turn."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec

from likelier._serve.drafts import Drafting, loading
from likelier._serve.log import Log, Wanted
from likelier._serve.requests import Request
from likelier._serve.scribe import Scribe
from likelier._serve.snapshots import Snapshots, read_model
from likelier._serve.sqlite_log import SqliteLog

SECONDS = 30.0


class Desk:
    """A model file, its log, and who writes it."""

    def __init__(self, path: Path, log: Log | None = None, *, replays: bool = True) -> None:
        """replays: what is in the log already."""
        self.path = path
        self.log = log or SqliteLog(Path(f"{path}.log.sqlite"))
        self.snapshots = Snapshots(str(path), 1 << 30, 1e9)
        live = self.snapshots.begin(*read_model(path), self.log)
        self.failures: list[BaseException] = []
        self._others: list[Desk] = []
        self.scribe = Scribe(self.log, live, self.snapshots, self.failures.append)
        if replays:
            for span in self.log.spans(live.position):
                self.scribe.follow(span)

    def ask(self, drafting: Drafting, key: str | None = None, body: bytes = b"") -> Future[bytes]:
        """Puts a request on the desk."""
        return self.scribe.ask(Request("anna", drafting, key, body if key else None))

    def load(self) -> Drafting:
        """Loads the file as it is now."""
        return loading(*read_model(self.path), lambda: self.snapshots.checksum)

    def turn(self, *drafts: Drafting) -> list[Any]:
        """What is answered to these, which share a turn, and to what was asked before."""
        asked = [self.ask(each) for each in drafts]
        self.scribe.start()
        return [answer(each) for each in asked]

    def digest(self) -> str:
        """That of the counts."""
        return self.scribe.live.model.counts.digest()

    def leave(self) -> None:
        """Ends as a process that is killed, at the next moment without work."""
        self.snapshots.count(-self.snapshots._new)  # so that there is no last snapshot
        if self.scribe._thread.is_alive():
            self.scribe.stop()
        self.log.close()
        for each in self._others:
            each.leave()

    def replayed(self, original: Path) -> Desk:
        """Another desk with the first model file and all lessons of this one, which ends."""
        self.leave()
        folder = self.path.parent / "again"
        folder.mkdir()
        shutil.copy(original, folder / self.path.name)
        for each in self.path.parent.glob("*.log.sqlite*"):
            shutil.copy(each, folder)
        self._others.append(Desk(folder / self.path.name))
        return self._others[-1]


def answer(asked: Future[bytes]) -> Any:
    """What was answered: a dictionary, or the error."""
    failure = asked.exception(SECONDS)
    return failure if failure is not None else msgspec.json.decode(asked.result())


def kinds(desk: Desk) -> Sequence[str]:
    """What is in the log."""
    return [each.kind for each in desk.log.lessons(Wanted(limit=1000))]

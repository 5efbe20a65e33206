"""Snapshots: the model file, at a position of the log.

The log knows the checksum of every snapshot and its position. They are written to the log first, then the file is
replaced; so whichever of the two files is found after a crash, its position is known. A file with another checksum was
changed by somebody else: it is never overwritten, and it is served only when that is asked for.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from likelier import _storage as storage
from likelier._base.errors import FileError, LikelierError, error
from likelier._model.models import Model
from likelier._serve.lessons import Lesson, dumped
from likelier._serve.live import Live
from likelier._serve.log import Log, about, append, digest_at, erase, last, note_snapshot, set_about, snapshot_position
from likelier._serve.reports import report

LESSONS, SECONDS = 10_000, 300.0  # after that many lessons, or that long after the first of them


@dataclass
class Snapshots:
    """When the next snapshot is due, and how it is taken.

    texts  whether the log keeps the texts of lessons that are in a snapshot
    """

    path: str
    lessons: int = LESSONS
    seconds: float = SECONDS
    texts: bool = True
    checksum: str = ""  # of the file as this server knows it
    taken: int = 0
    failed: int = 0
    at: float = 0.0  # when the last one was taken, in seconds since 1970
    _new: int = 0  # lessons since then
    _since: float = 0.0  # when the first of them came
    _retry: float = 0.0

    def count(self, lessons: int) -> None:
        """So many lessons more."""
        if lessons and not self._new:
            self._since = time.monotonic()
        self._new += lessons

    def is_new(self, checksum: str) -> None:
        """The file with this checksum is what is served."""
        self.checksum, self._new = checksum, 0

    def wait(self) -> float:
        """Seconds until a snapshot may be due."""
        if not self._new:
            return 60.0
        return min(60.0, max(0.05, max(self._since + self.seconds, self._retry) - time.monotonic()))

    def is_due(self) -> bool:
        """Whether there are enough new lessons, or old ones."""
        now = time.monotonic()
        return self._new > 0 and now >= self._retry and (self._new >= self.lessons or now >= self._since + self.seconds)

    def take_if_due(self, live: Live, log: Log, *, final: bool = False) -> None:
        """A snapshot, if one is due; if it fails the server goes on, and tries again."""
        if not (self.is_due() or (final and self._new)):
            return
        try:
            self.take(live, log)
        except LikelierError as failure:
            self.failed += 1
            self._retry = time.monotonic() + 30
            report("error", "snapshot-failed", code=failure.code, message=failure.message, hint=failure.hint)

    def take(self, live: Live, log: Log) -> None:
        """Writes the model file."""
        before = live.model.provenance.copy()
        try:
            position = self._write(live, log)
        except BaseException:
            live.model.provenance = before
            raise
        self.taken, self.at = self.taken + 1, time.time()
        if not self.texts:
            with log.turn() as rows:
                erase(rows, position)
        log.tidy()
        report("info", "snapshot", position=position)

    def _write(self, live: Live, log: Log) -> int:
        with live.reading() as (position, _):
            live.model.note("serve", documents=self._new, sources=[f"{log.name} up to lesson {position}"])
            content = storage.content(self.path, live.model._stored())
        checksum = storage.checksum(content)
        with storage.locked(self.path):
            with log.turn() as rows:
                note_snapshot(rows, checksum, position, time.time_ns() // 1000)
            if self.checksum and storage.checksum_of(self.path) != self.checksum:
                raise error("model-file-changed", name=self.path)
            storage.write(self.path, content)
        self.is_new(checksum)
        return position

    # ---- beginning -----------------------------------------------------------------------------------------------

    def begin(self, model: Model, checksum: str, base: str, log: Log, *, adopt: bool = False) -> Live:
        """The model of the file at its position in the log; a new log begins with it.

        checksum, base: of the file and of its counts.
        adopt: a file that the log does not know takes the place of the model that it was about.
        """
        self.checksum, now = checksum, time.time_ns() // 1000
        with log.turn() as rows:
            if about(rows, "base") is None:
                set_about(rows, "base", base)
                set_about(rows, "settings", dumped(model.settings.to_dict()))
                note_snapshot(rows, checksum, 0, now)
            position = snapshot_position(rows, checksum)
            if position is None and adopt:
                before, at = last(rows)
                settings = dumped(model.settings.to_dict())
                lesson = Lesson(
                    before + 1, "load", max(now, at), "local", settings=settings, digest=bytes.fromhex(base)
                )
                append(rows, [lesson])
                note_snapshot(rows, checksum, position := lesson.position, now)
            if position is None:
                raise error("model-file-not-in-log", name=self.path, log=log.name)
            digest = digest_at(rows, position)
        if digest is None:
            raise error("log-corrupt", name=log.name, reason=f"lesson {position} is missing")
        return Live(model, position, digest)

    def loaded_by_others(self, least: int, log: Log) -> Live:
        """The model that another server has swapped in at this position, or a later one of it, from the file here."""
        awaited = error(
            "model-file-awaited" if log.is_shared else "model-file-awaited.alone", name=self.path, position=least
        )
        try:
            if self._position(storage.checksum_of(self.path), log) >= least:  # a quick look first
                model, checksum, _ = read_model(self.path)
                position = self._position(checksum, log)
                with log.reading() as rows:
                    digest = digest_at(rows, position)
                if digest is not None and position >= least:
                    self.is_new(checksum)
                    return Live(model, position, digest)
        except FileError as failure:  # not there yet, or not all of it
            raise awaited from failure
        raise awaited

    def _position(self, checksum: str, log: Log) -> int:
        """The position of a model file; -1 if the log does not know it."""
        with log.reading() as rows:
            found = snapshot_position(rows, checksum)
        return -1 if found is None else found


def read_model(path: str | os.PathLike[str]) -> tuple[Model, str, str]:
    """A model, the checksum of its file, and the digest of its counts."""
    name = os.fspath(path)
    while True:  # until nobody has replaced the file in between
        checksum = storage.checksum_of(name)
        found, base = Model.load(name), storage.counts_digest(name)
        if storage.checksum_of(name) == checksum:
            _ = found.ledger  # which says now if it cannot be read
            return found, checksum, base

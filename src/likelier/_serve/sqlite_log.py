"""A log in a file beside the model: SQLite, with one connection that writes and one for each thread that reads.

Every turn is on the disk before it ends: write-ahead log, synchronous FULL. Checkpoints keep the write-ahead log small.
One process at a time has the log; it holds a lock on a file beside it. (SQLite's own locks are lost when any other file
handle of the same file is closed.)
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from likelier._base.errors import LikelierError, error
from likelier._base.files import fcntl, try_lock
from likelier._serve.lessons import dumped
from likelier._serve.log import Log, Rows
from likelier._serve.wal import dropped_commits

PATIENCE = 5  # seconds to wait for somebody who looks into the file and locks it
PAGES = 1000  # of the write-ahead log, after which it is checkpointed
LARGEST = 64 << 20  # bytes that the write-ahead log keeps after a checkpoint

_CASES = {  # primary result code of SQLite → error
    sqlite3.SQLITE_FULL: "log-full",
    sqlite3.SQLITE_READONLY: "log-read-only",
    sqlite3.SQLITE_PERM: "log-read-only",
    sqlite3.SQLITE_CORRUPT: "log-corrupt",
    sqlite3.SQLITE_NOTADB: "log-corrupt",
    sqlite3.SQLITE_ERROR: "log-corrupt",  # these are not the tables that the statements are for
}


class SqliteRows(Rows):
    """A connection to the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement, values).fetchall()

    def run_many(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        self.connection.executemany(statement, values)


class SqliteLog(Log):
    """The log in this file, which is made if it is missing."""

    failure = sqlite3.Error
    bytes_type = "BLOB"
    contains = "holds(document, ?)"

    def __init__(self, path: Path) -> None:
        self.path, self.name = Path(os.path.realpath(path)), str(path)  # whatever links lead there
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._unlock = self._locked()
        try:
            with self._errors():
                self._writer = self._opened()
                self._use("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "secure_delete = ON")
                self._use(f"wal_autocheckpoint = {PAGES}", f"journal_size_limit = {LARGEST}")
                self._check_wal()
            self.prepare()
        except BaseException:
            self.close()
            raise

    def _locked(self) -> Callable[[], object]:
        """Locks a file beside the log; gives what unlocks it."""
        try:
            found = _lock(f"{self.path}.lock")
        except OSError as failure:
            raise error("log-read-only", name=self.name, reason=failure.strerror or failure) from failure
        if found is None:
            raise error("log-locked", name=self.name)
        return found

    def _opened(self) -> sqlite3.Connection:
        if not self.path.exists():  # texts are in it
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        found = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        self._open.append(found)
        found.create_function("holds", 2, _holds, deterministic=True)
        return found

    def _use(self, *pragmas: str) -> None:
        for pragma in pragmas:
            self._writer.execute(f"PRAGMA {pragma}").fetchall()

    def _check_wal(self) -> None:
        """Whether SQLite takes all of the write-ahead log that the last process left."""
        _, taken, _ = self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if dropped_commits(Path(f"{self.path}-wal"), max(0, taken)) > 1:
            raise error("log-corrupt", name=self.name, reason="its write-ahead log has a wrong checksum in the middle")

    def has_tables(self, rows: Rows) -> bool:
        return bool(rows.run("SELECT 1 FROM sqlite_master WHERE name = 'lessons'"))

    @contextmanager
    def turn(self) -> Iterator[Rows]:
        with self._errors():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield SqliteRows(self._writer)
                self._writer.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[Rows]:
        with self._errors():
            found: sqlite3.Connection | None = getattr(self._local, "connection", None)
            if found is None:
                self._local.connection = found = self._opened()
                found.execute("PRAGMA query_only = ON")
            yield SqliteRows(found)

    def pattern(self, search: str) -> str:
        return dumped(search)[1:-1].casefold()

    def tidy(self) -> None:
        """Moves everything from the write-ahead log into the file."""
        with self._errors():
            self._use("wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        while self._open:  # the writer last, which then checkpoints
            with suppress(sqlite3.Error):
                self._open.pop().close()
        self._unlock()
        self._unlock = _nothing

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (LikelierError, BrokenPipeError):
            raise
        except sqlite3.Error as failure:
            code = getattr(failure, "sqlite_errorcode", None)
            if code is None and isinstance(failure, sqlite3.OperationalError):  # the message would show what was read
                raise self.problem("log-corrupt", "it holds something else than text") from None
            raise self.problem(_CASES.get((code or 0) & 0xFF, "log-unavailable"), failure) from failure
        except UnicodeDecodeError:
            raise self.problem("log-corrupt", "it holds something else than text") from None
        except OSError as failure:
            raise self.problem("log-unavailable", failure.strerror or failure) from failure


def _holds(document: str | None, folded: str) -> bool:
    return document is not None and folded in document.casefold()


def _nothing() -> None:
    """There is nothing to unlock any more."""


def _lock(path: str) -> Callable[[], object] | None:
    """Locks a file; gives what unlocks it, or None if another process has it."""
    if fcntl is None:  # Windows
        from filelock import FileLock, Timeout

        lock = FileLock(path)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return None
        return lock.release
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if try_lock(file):
            return lambda: os.close(file)
    except BaseException:
        os.close(file)
        raise
    os.close(file)
    return None

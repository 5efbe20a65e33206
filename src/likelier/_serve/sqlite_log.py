"""A log in a file beside the model: SQLite, with one connection that writes and one for each thread that reads.

Every turn is on the disk before it ends: write-ahead log, synchronous FULL. Checkpoints keep the write-ahead log small.
One process at a time has the log; it holds a lock on a file beside it. (SQLite's own locks are lost when any other file
handle of the same file is closed.)
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from likelier._base.errors import LikelierError, error
from likelier._base.files import try_lock
from likelier._serve.lessons import dumped
from likelier._serve.log import Log, Rows

PATIENCE = 5  # seconds to wait for somebody who looks into the file and locks it
PAGES = 1000  # of the write-ahead log, after which it is checkpointed
LARGEST = 64 << 20  # bytes that the write-ahead log keeps after a checkpoint

_CASES = {  # primary result code of SQLite → error
    sqlite3.SQLITE_FULL: "log-full",
    sqlite3.SQLITE_READONLY: "log-read-only",
    sqlite3.SQLITE_PERM: "log-read-only",
    sqlite3.SQLITE_CORRUPT: "log-corrupt",
    sqlite3.SQLITE_NOTADB: "log-corrupt",
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

    bytes_type = "BLOB"
    contains = "holds(document, ?)"

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, str(path)
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._lock = self._locked()
        try:
            with self._errors():
                self._writer = self._opened()
                self._use("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON")
                self._use(f"wal_autocheckpoint = {PAGES}", f"journal_size_limit = {LARGEST}")
            self.prepare()
        except BaseException:
            os.close(self._lock)
            raise

    def _locked(self) -> int:
        try:
            file = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as failure:
            raise error("log-read-only", name=self.name, reason=failure.strerror or failure) from failure
        if not try_lock(file):
            os.close(file)
            raise error("log-locked", name=self.name)
        return file

    def _opened(self) -> sqlite3.Connection:
        if not self.path.exists():  # texts are in it
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        found = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        found.create_function("holds", 2, _holds, deterministic=True)
        return found

    def _use(self, *pragmas: str) -> None:
        for pragma in pragmas:
            self._writer.execute(f"PRAGMA {pragma}").fetchall()

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
                self._readers.append(found)
            yield SqliteRows(found)

    def pattern(self, search: str) -> str:
        return dumped(search)[1:-1].casefold()

    def tidy(self) -> None:
        """Moves everything from the write-ahead log into the file."""
        with self._errors():
            self._use("wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        for connection in (*self._readers, self._writer):
            with suppress(sqlite3.Error):
                connection.close()
        os.close(self._lock)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (LikelierError, BrokenPipeError):
            raise
        except sqlite3.Error as failure:
            code = getattr(failure, "sqlite_errorcode", None)
            case = _CASES.get((code or 0) & 0xFF, "log-unavailable")
            raise error(case, name=self.name, reason=failure) from failure
        except OSError as failure:
            raise error("log-unavailable", name=self.name, reason=failure.strerror or failure) from failure


def _holds(document: str | None, folded: str) -> bool:
    return document is not None and folded in document.casefold()

"""A log in PostgreSQL, which several servers share.

Appending holds an advisory lock until the commit is visible, so that positions become visible in their order. After a
lost connection it is not known whether the last turn was written: the next one waits for that lock, and so for the end
of the last, before it looks.
"""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from likelier._base.errors import error
from likelier._serve.lessons import dumped
from likelier._serve.log import Log, Rows

CHANNEL = "likelier_lessons"
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('likelier'), hashtext(current_schema()))"
_SESSION = {
    "application_name": "likelier",
    "client_encoding": "UTF8",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}
_SET = (  # a server that hangs in the middle of a turn gives way to the others
    "SET synchronous_commit = on",
    "SET lock_timeout = '10s'",
    "SET statement_timeout = '60s'",
    "SET idle_in_transaction_session_timeout = '30s'",
)
_CASES = {"53100": "log-full", "53400": "log-full", "25006": "log-read-only", "42501": "log-read-only"}
_CORRUPT = ("XX001", "XX002")


class PostgresRows(Rows):
    """A connection to the database."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection

    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        found = self.connection.execute(_marked(statement), values)
        return found.fetchall() if found.description else []

    def run_many(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        with self.connection.cursor() as cursor:
            cursor.executemany(_marked(statement), values)

    def announce(self) -> None:
        self.connection.execute(f"NOTIFY {CHANNEL}")


def _is_cut(idle: psycopg.Connection[Any]) -> bool:
    """Whether PostgreSQL has said something though nobody asked: that it ends, or that it has."""
    if not hasattr(select, "poll"):  # Windows
        return bool(select.select([idle], [], [], 0)[0])
    found = select.poll()
    found.register(idle, select.POLLIN)
    return bool(found.poll(0))


def _marked(statement: str) -> str:
    return statement.replace("%", "%%").replace("?", "%s")


class PostgresLog(Log):
    """The log in this database."""

    is_shared = True
    failure = psycopg.Error
    bytes_type = "BYTEA"
    contains = "document ILIKE ?"

    def __init__(self, url: str) -> None:
        self._url = url
        try:
            parts = conninfo_to_dict(url)
        except psycopg.Error:
            raise error("log-address") from None  # which would show parts of the password
        host, port, database = (str(parts.get(name, "")) for name in ("host", "port", "dbname"))
        if "@" in host + port + database:  # the rest of a password with special characters
            raise error("log-address")
        self.name = f"postgresql://{host or 'localhost'}/{database}"
        self._connections: dict[str, psycopg.Connection[Any]] = {}
        self._reader = threading.Lock()
        self._closed = threading.Event()
        self._mine = 0  # the process of PostgreSQL that writes for this server
        try:
            self.prepare()
        except BaseException:
            self.close()
            raise

    def prepare(self) -> None:
        """Also looks whether the database can hold every text."""
        with self.reading() as rows:
            ((found,),) = rows.run("SHOW server_encoding")
        if found != "UTF8":
            raise error("log-encoding", name=self.name, got=found)
        super().prepare()

    def _connection(self, name: str) -> psycopg.Connection[Any]:
        found = self._connections.get(name)
        if found is None or found.closed or found.broken or (name != "listener" and _is_cut(found)):
            self._drop(name)
            found = psycopg.connect(make_conninfo(self._url, **_SESSION), autocommit=True)
            found.isolation_level = (
                psycopg.IsolationLevel.READ_COMMITTED
            )  # a turn sees what was written before it began
            for setting in _SET:
                found.execute(setting)
            self._connections[name] = found
        return found

    def _drop(self, name: str) -> None:
        found = self._connections.pop(name, None)
        if found is not None:
            with suppress(psycopg.Error):
                found.close()

    def has_tables(self, rows: Rows) -> bool:
        return bool(rows.run("SELECT 1 FROM pg_tables WHERE tablename = 'lessons' AND schemaname = current_schema()"))

    @contextmanager
    def turn(self) -> Iterator[Rows]:
        with self._errors("writer"):
            connection = self._connection("writer")
            self._mine = connection.info.backend_pid
            with connection.transaction():
                connection.execute(_LOCK)
                yield PostgresRows(connection)

    @contextmanager
    def reading(self) -> Iterator[Rows]:
        with self._reader, self._errors("reader"):
            yield PostgresRows(self._connection("reader"))

    def pattern(self, search: str) -> str:
        plain = dumped(search)[1:-1]
        return "%" + plain.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"

    def follow(self, heard: Callable[[], object]) -> None:
        """Calls `heard` whenever somebody has appended, and now and then in any case, until the log is closed."""

        def listen() -> None:
            while not self._closed.is_set():
                with suppress(psycopg.Error):
                    connection = self._connection("listener")
                    connection.execute(f"LISTEN {CHANNEL}")
                    heard()
                    while not self._closed.is_set():
                        found = list(connection.notifies(timeout=1, stop_after=1))
                        if not found or any(each.pid != self._mine for each in found):
                            heard()
                self._drop("listener")
                self._closed.wait(0.5)

        threading.Thread(target=listen, name="likelier listener", daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        for name in ("writer", "reader"):  # the listener drops its own
            self._drop(name)

    @contextmanager
    def _errors(self, connection: str) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as failure:
            state = failure.sqlstate or ""
            code = "log-corrupt" if state in _CORRUPT else _CASES.get(state, "log-unavailable")
            self._drop(connection)
            raise self.problem(code, (str(failure).strip().splitlines() or [state])[0]) from failure

"""A PostgreSQL of our own: in a temporary folder, on a port of its own, with a password. It does what a real one does.

It refuses to run as root, so root starts it as another user.
"""

from __future__ import annotations

import getpass
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg

PATIENCE = 60.0  # seconds until it must be there
PASSWORD = "correct-horse-battery"
PLACES = "/usr/lib/postgresql"  # where Debian keeps the programs of each version
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "60",
    "shared_buffers": "16MB",
    "fsync": "on",
    "synchronous_commit": "on",
    "restart_after_crash": "on",
}


def program(name: str) -> str | None:
    """Where a program of PostgreSQL is, the newest first."""
    folders = sorted(Path(PLACES).glob("*/bin"), key=lambda each: float(each.parent.name), reverse=True)
    return shutil.which(name, path=os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")]))


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Postgres:
    """A server that can be stopped, killed and started again."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="likelier-pg-"))
        self.user, self.port = _other_user(), free_port()
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        for path in (self.folder, secret):
            if self.user is not None:
                shutil.chown(path, self.user)
        try:
            self._run(
                "initdb", "--pgdata", str(self.data), "--username", "likelier", "--pwfile", str(secret),
                "--auth-local", "scram-sha-256", "--auth-host", "scram-sha-256",
                "--encoding", "UTF8", "--locale", "C", "--no-sync",
            )  # fmt: skip
            self.start()
        except BaseException:
            self.remove()
            raise

    @property
    def data(self) -> Path:
        """Where the database is."""
        return self.folder / "data"

    def _run(self, name: str, *arguments: str) -> None:
        found = program(name)
        assert found is not None
        subprocess.run(
            [found, *arguments], check=True, capture_output=True, user=self.user, extra_groups=self._groups,
            cwd=self.folder,
        )  # fmt: skip

    @property
    def _groups(self) -> list[str] | None:
        return None if self.user is None else []

    def start(self) -> None:
        """Starts it, and waits until it answers; after a crash it recovers first."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._process is None or self._process.poll() is not None:  # shared memory may still be in use
                self._process = self._started()
            with suppress(psycopg.OperationalError), psycopg.connect(self.url("postgres"), connect_timeout=5):
                return
            time.sleep(0.05)
        raise AssertionError(f"no PostgreSQL: {(self.folder / 'report').read_text('utf-8', 'replace')[-2000:]}")

    def _started(self) -> subprocess.Popen[bytes]:
        found = program("postgres")
        assert found is not None
        settings = {**SETTINGS, "port": str(self.port), "unix_socket_directories": str(self.folder)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "report").open("ab") as report:
            return subprocess.Popen(
                [found, "-D", str(self.data), *options],
                stdout=report, stderr=report, user=self.user, extra_groups=self._groups, cwd=self.folder,
                start_new_session=True,
            )  # fmt: skip

    def url(self, database: str, password: str = PASSWORD) -> str:
        """How to reach a database."""
        return f"postgresql://likelier:{password}@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """The address of a new database."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Drops a database, whoever uses it: after a crash every file that there is would be brought to the disk."""
        self.start()
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def stop(self) -> None:
        """Ends it as an administrator does who does not wait for clients."""
        if self._process is not None:
            if self._process.poll() is None:
                self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)

    def kill(self) -> None:
        """Ends all of its processes as a power failure does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)  # it starts no others while they are listed
        for each in _children(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        self._process.kill()
        self._process.wait(PATIENCE)

    def remove(self) -> None:
        """Ends it and leaves nothing."""
        if self._process is not None and self._process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def _other_user() -> str | None:
    """Who runs PostgreSQL, if this user may not."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    raise AssertionError(f"PostgreSQL does not run as {getpass.getuser()}, and there is no other user")


def _children(parent: int) -> Iterator[int]:
    """The processes that this one has started; where /proc is missing they end by themselves, a little later."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]) == parent:
                yield int(entry.name)

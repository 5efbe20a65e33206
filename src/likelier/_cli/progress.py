"""A progress bar on stderr while files are read: rows, MB/s and the time left. Only where a person watches.

What takes long after the reading is said in words.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Protocol

from likelier._cli.output import Screen, columns, painted

EVERY = 0.1  # seconds between two looks
PATIENCE = 0.5  # seconds before the bar is shown at all
BAR = 24  # cells


class Read(Protocol):
    """What can tell how far it has been read."""

    rows: int
    doing: str | None

    @property
    def read_bytes(self) -> int: ...
    @property
    def total_bytes(self) -> int | None: ...


@contextmanager
def progress(documents: Read, screen: Screen) -> Iterator[None]:
    """Shows how far the documents have been read while the block runs."""
    if screen.quiet or not sys.stderr.isatty():
        yield
        return
    stop = Event()
    watcher = Thread(target=_watch, args=(documents, stop), name="likelier progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()


def _watch(documents: Read, stop: Event) -> None:
    start, shown, screen = monotonic(), False, painted(sys.stderr)
    if stop.wait(PATIENCE):
        return
    while not stop.wait(EVERY):
        seconds = monotonic() - start
        line = status(documents.rows, documents.read_bytes, documents.total_bytes, seconds, documents.doing)
        screen.write(f"\r\x1b[K{line[: columns(sys.stderr) - 1]}")
        screen.flush()
        shown = True
    if shown:
        screen.write("\r\x1b[K")
        screen.flush()


def status(rows: int, done: int, total: int | None, seconds: float, doing: str | None = None) -> str:
    """One line: how far, how fast, how long.

    >>> status(1200, 25_000_000, 100_000_000, 5)
    '██████░░░░░░░░░░░░░░░░░░   25 %  1,200 rows  5.0 MB/s  15 s left'
    >>> status(1200, 25_000_000, None, 5)
    '1,200 rows  25 MB  5.0 MB/s'
    >>> status(1200, 25_000_000, 25_000_000, 9, "choosing settings, 37 tried")
    '1,200 rows read  choosing settings, 37 tried  9 s'
    """
    if doing is not None:
        return f"{rows:,} rows read  {doing}  {duration(seconds)}"
    speed = done / seconds if seconds else 0.0
    rate = f"{speed / 1e6:.1f} MB/s"
    if not total:
        return f"{rows:,} rows  {done / 1e6:.0f} MB  {rate}"
    part = min(done / total, 1.0)
    full = int(part * BAR)
    left = f"  {duration((total - done) / speed)} left" if speed and done < total else "  finishing" * (done >= total)
    return f"{'█' * full}{'░' * (BAR - full)}  {part:4.0%}".replace("%", " %") + f"  {rows:,} rows  {rate}{left}"


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> duration(15), duration(95), duration(4000)
    ('15 s', '1:35 min', '1:06 h')
    """
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60}:{whole % 60:02} min" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02} h"

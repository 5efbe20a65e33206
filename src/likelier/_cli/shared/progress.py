"""What is shown on stderr while files are read or a model is updated; a progress bar only in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event, Thread
from time import monotonic

from likelier._cli.shared.failures import keeps
from likelier._cli.shared.file_options import ReadingOptions
from likelier._cli.shared.hints import in_options
from likelier._cli.shared.output import Screen, columns, painted, plural
from likelier._model.models import Model, updating
from likelier._read.detection import Caution
from likelier._read.reader import Documents

EVERY = 0.1  # seconds between two updates
PATIENCE = 0.5  # seconds before the bar is shown at all
BAR = 24  # cells


@contextmanager
def updated(path: Path, screen: Screen) -> Iterator[Model]:
    """The model of a file, which is saved if the block succeeds."""

    def waiting() -> None:
        screen.note(f"another process is updating {path}; waiting for it")

    with keeps(path), updating(path, waiting=waiting) as model:
        yield model


@contextmanager
def reported(
    documents: Documents, reading: ReadingOptions, screen: Screen, *, bar: bool = True
) -> Iterator[Callable[[], None]]:
    """While documents are read: the bar; what was guessed, at the latest at the end; and how many rows were skipped.

    The block gets a function that reports what was guessed so far.
    """
    shown: list[str] = []

    def report() -> None:
        for note in documents.notes[len(shown) :]:
            shown.append(note)
            (screen.warning if isinstance(note, Caution) else screen.note)(in_options(note))

    try:
        with progress(documents, screen) if bar else nullcontext():
            yield report
    finally:
        report()
    if documents.rejected:
        where = f"; see {reading.rejects}" if reading.rejects else "; write them to a file with --rejects FILE"
        screen.warning(f"skipped {plural(documents.rejected, 'malformed row')}{where}")
        for count, first in sorted(documents.reasons.values(), reverse=True):
            screen.warning_detail(f"{count:,} like this: {in_options(first)}")


@contextmanager
def progress(documents: Documents, screen: Screen) -> Iterator[None]:
    """Show how far the documents have been read while the block runs."""
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


def _watch(documents: Documents, stop: Event) -> None:
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
    """One line: how far, how fast, how much longer.

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
    """A time in seconds, minutes or hours.

    >>> duration(15), duration(95), duration(4000)
    ('15 s', '1:35 min', '1:06 h')
    """
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60}:{whole % 60:02} min" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02} h"

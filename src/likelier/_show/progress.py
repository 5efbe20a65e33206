"""How far work has come: a bar that moves, with the time left, on stderr.

Whoever works reports `(done, total, what)` to a function. A `Progress` is such a function, which shows it in a terminal
or a notebook, if the work takes a while. A thread keeps it moving between two reports.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import Any, Protocol, TextIO

from likelier._base.errors import error
from likelier._show.words import counted

EVERY = 0.1  # seconds between two updates
PATIENCE = 0.5  # seconds before anything is shown
BAR = 24  # cells
WIDTH = 80  # of a notebook, in cells
READING, CHOOSING, COUNTING, REFINING = "reading", "choosing settings", "counting", "refining"

SoFar = tuple[int, int | None, str]


class Report(Protocol):
    """Gets how much is done of what there is, None if that is not known, and what is being done."""

    def __call__(self, done: int, total: int | None, what: str, /) -> object: ...


def silent(done: int, total: int | None, what: str, /) -> None:
    """Tells nobody."""


class Progress:
    """A line that is written again and again while the block runs, and removed at the end.

    stream  where it is shown
    look    asked for how far reading has come, because reports of that are rare
    """

    def __init__(
        self, stream: TextIO, look: Callable[[], SoFar] | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self._stream, self._look, self._clock = stream, look, clock
        self._so_far: SoFar = (0, None, READING)
        self._began = self._phase_began = clock()
        self._shown = ""
        self._stop = Event()
        self._watcher = Thread(target=self._watch, name="likelier progress", daemon=True)

    def __call__(self, done: int, total: int | None, what: str, /) -> None:
        if what != self._so_far[2]:
            self._phase_began = self._clock()
        self._so_far = (done, total, what)

    def __enter__(self) -> Progress:
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._watcher.join()
        self.clear()

    def _watch(self) -> None:
        with suppress(OSError, ValueError):  # the stream is closed: there is nobody to tell
            while not self._stop.wait(EVERY):
                self.show()

    def show(self) -> None:
        """Writes the line as it is now, unless the work has only begun."""
        now = self._clock()
        if now - self._began < PATIENCE:
            return
        if self._look is not None and self._so_far[2] == READING:
            self._so_far = self._look()
        self._write(status(*self._so_far, now - self._phase_began, _cells(self._stream)))

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            with suppress(OSError, ValueError):
                self._write("")

    def _write(self, line: str) -> None:
        if self._stream.isatty():
            line = line[: get_terminal_size((WIDTH, 24)).columns - 1]
            self._stream.write(f"\r\x1b[K{line}")
        else:  # notebooks cannot delete to the end of a line
            self._stream.write(f"\r{line.ljust(len(self._shown))}" + "\r" * (not line))
        self._stream.flush()
        self._shown = line


def status(done: int, total: int | None, what: str, seconds: float, cells: str = "█░") -> str:
    """One line: what is done, how far it is, and how much longer it takes.

    >>> status(25_000_000, 100_000_000, "reading", 5)
    'reading  ██████░░░░░░░░░░░░░░░░░░   25 %  15 s left'
    >>> status(3, 4, "choosing settings", 270, "#-")
    'choosing settings  ##################------   75 %  1:30 min left'
    >>> status(4, 4, "counting", 2)
    'counting  ████████████████████████  100 %  finishing'

    Nothing is known of how far a first step has come, or of what has no total. Then a cell moves.

    >>> status(0, 4, "choosing settings", 0.65)
    'choosing settings  ░░░░░░█░░░░░░░░░░░░░░░░░  1 s'
    >>> status(1200, None, "reading", 5)
    'reading  ░░█░░░░░░░░░░░░░░░░░░░░░  1,200 documents  5 s'
    """
    if not total or not done:
        place = int(seconds / EVERY) % BAR
        bar = cells[1] * place + cells[0] + cells[1] * (BAR - place - 1)
        return f"{what}  {bar}  {counted(done, 'document') + '  ' if done else ''}{duration(seconds)}"
    part = min(done / total, 1.0)
    full = int(part * BAR)
    left = "finishing" if part == 1 else f"{duration(seconds * (1 - part) / part)} left"
    return f"{what}  {cells[0] * full}{cells[1] * (BAR - full)}  {100 * part:3.0f} %  {left}"


def duration(seconds: float) -> str:
    """A time in seconds, minutes or hours.

    >>> duration(15), duration(95), duration(4000)
    ('15 s', '1:35 min', '1:06 h')
    """
    whole = max(round(seconds), 0)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60}:{whole % 60:02} min" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02} h"


def _cells(stream: TextIO) -> str:
    """What the bar is made of, in characters that the stream can write."""
    with suppress(UnicodeError, LookupError):
        "█░".encode(getattr(stream, "encoding", None) or "ascii")
        return "█░"
    return "#-"


# ---- whether it is shown ---------------------------------------------------------------------------------------------


@contextmanager
def shown(progress: bool | Report | None, look: Callable[[], SoFar] | None = None) -> Iterator[Report]:
    """What to report to. None: a bar where somebody types the commands; True: where it can be seen; or a function."""
    if callable(progress):
        yield progress
    elif progress is not None and not isinstance(progress, bool):
        raise error("progress-kind", got=progress)
    elif (progress or (progress is None and is_interactive())) and is_visible():
        with Progress(sys.stderr, look) as bar:
            yield bar
    else:
        yield silent


def is_interactive() -> bool:
    """Whether somebody types the commands: at a prompt of Python or IPython, or in a notebook."""
    return hasattr(sys, "ps1") or _shell() is not None


def is_visible() -> bool:
    """Whether stderr is a terminal, or shown in a notebook."""
    return hasattr(_shell(), "kernel") or (sys.stderr is not None and sys.stderr.isatty())


def _shell() -> Any:
    """The shell of IPython, if it runs."""
    return getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()

"""What is shown on stderr while files are read or a model is updated; a progress bar only in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from likelier._cli.shared.failures import keeps
from likelier._cli.shared.file_options import ReadingOptions
from likelier._cli.shared.hints import in_options
from likelier._cli.shared.output import Screen, painted, plural
from likelier._model.models import Model, updating
from likelier._read.detection import Caution
from likelier._read.reader import Documents
from likelier._show.progress import Progress, Report, silent


@contextmanager
def updated(path: Path, screen: Screen) -> Iterator[Model]:
    """The model of a file, which is saved if the block succeeds."""

    def waiting() -> None:
        screen.note(f"another process is updating {path}; waiting for it")

    with keeps(path), updating(path, waiting=waiting) as model:
        yield model


@contextmanager
def reported(
    documents: Documents, reading: ReadingOptions, screen: Screen, *, with_bar: bool = True
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
        with bar(documents, screen) if with_bar else nullcontext():
            yield report
    finally:
        report()
    if documents.rejected:
        where = f"; see {reading.rejects}" if reading.rejects else "; write them to a file with --rejects FILE"
        screen.warning(f"skipped {plural(documents.rejected, 'malformed row')}{where}")
        for count, first in sorted(documents.reasons.values(), reverse=True):
            screen.warning_detail(f"{count:,} like this: {in_options(first)}")


@contextmanager
def bar(documents: Documents, screen: Screen) -> Iterator[Report]:
    """While the block runs: how far the documents have been read, or what is reported to the function it gets."""
    if screen.quiet or not sys.stderr.isatty():
        yield silent
        return
    with Progress(painted(sys.stderr), documents.so_far) as shown:
        yield shown

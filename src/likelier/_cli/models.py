"""Opening, changing and saving models, with what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likelier._cli.hints import in_options
from likelier._cli.options import ReadingOptions
from likelier._cli.output import Screen, plural
from likelier._cli.progress import progress

if TYPE_CHECKING:
    from likelier._model.models import Model


def load(path: Path) -> Model:
    """The model of a file."""
    from likelier._model.models import load as load_model

    return load_model(path)


@contextmanager
def told(documents: Any, reading: ReadingOptions, screen: Screen, *, bar: bool = True) -> Iterator[Callable[[], None]]:
    """While documents are read: the bar; what was guessed, at the latest at the end; and what was skipped.

    The block gets a function that says at once what was guessed so far.
    """
    said: list[str] = []

    def say() -> None:
        for note in documents.notes[len(said) :]:
            said.append(note)
            screen.note(in_options(note))

    try:
        with progress(documents, screen) if bar else nullcontext():
            yield say
    finally:
        say()
    if documents.rejected:
        are, them = ("it is", "it") if documents.rejected == 1 else ("they are", "them")
        where = f"; {are} in {reading.rejects}" if reading.rejects else f"; --rejects FILE writes {them} down"
        screen.warning(f"{plural(documents.rejected, 'broken row')} skipped{where}")

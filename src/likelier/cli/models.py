"""Opening, changing and saving models, with what is said about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likelier.cli.failures import Misuse
from likelier.cli.options import ReadingOptions
from likelier.cli.output import Screen, plural
from likelier.cli.progress import progress

if TYPE_CHECKING:
    from likelier.model import Model


def load(path: Path) -> Model:
    """The model of a file."""
    from likelier.model import load as load_model

    return load_model(path)


def check_target(path: Path) -> None:
    """Says before the work what would stop the model from being saved after it."""
    from likelier.storage.layout import FORMAT

    if not path.parent.is_dir():
        raise Misuse(f"{path} cannot be written: there is no folder {path.parent}", hint=f"mkdir -p {path.parent}")
    if not path.is_file() or not os.access(path, os.R_OK):
        return  # saving says what is wrong
    with path.open("rb") as file:
        start = file.read(8 + len(FORMAT))
    if start and start[8:] != FORMAT:
        raise Misuse(
            f"{path} is there already and is not a likelier model, so it is left as it is",
            hint="choose another name, such as model.likelier, or delete the file first",
        )


@contextmanager
def told(documents: Any, reading: ReadingOptions, screen: Screen, *, bar: bool = True) -> Iterator[Callable[[], None]]:
    """While documents are read: the bar; what was guessed, at the latest at the end; and what was skipped.

    The block gets a function that says at once what was guessed so far.
    """
    said: list[str] = []

    def say() -> None:
        for note in documents.notes[len(said) :]:
            said.append(note)
            screen.note(note)

    try:
        with progress(documents, screen) if bar else nullcontext():
            yield say
    finally:
        say()
    if documents.rejected:
        where = f"; they are in {reading.rejects}" if reading.rejects else "; --rejects FILE writes them down"
        screen.warning(f"{plural(documents.rejected, 'broken row')} skipped{where}")

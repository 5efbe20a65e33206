"""Starts a server with a workbench: for files to be labeled, or for a model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from likelier._label import starting
from likelier._read.formats import stem
from likelier._serve import run
from likelier._serve.run import Options
from likelier._serve.service import Limits
from likelier._workbench import files
from likelier._workbench.bench import Beginning, Workbench, Writes
from likelier._workbench.routes import every

LARGEST = 256 << 20  # bytes of a file; it comes from the same machine


@dataclass(frozen=True)
class Wish:
    """What is to be labeled.

    files   with the texts; none: they come later, through the page
    model   the model file; by default it is named like the first file
    labels  the labels to begin with
    column  the column with the texts
    encoding  of the files
    """

    files: Sequence[str] = ()
    model: Path | None = None
    labels: Sequence[str] = ()
    column: str | None = None
    encoding: str | None = None
    seed: int = 0
    port: int = 0
    opens: bool = True


def serve(options: Options, writes: Writes | None = None) -> None:
    """`likelier serve`: a model, and the pages.

    writes: classifies a file and writes another one.
    """
    run.serve(options, every(), Workbench(writes=writes))


def label(wish: Wish, writes: Writes | None = None) -> None:
    """`likelier label`: the model is made if it is missing, and goes on where it was left if it is there."""
    texts = files.texts_of(wish.files, wish.column, wish.encoding).texts if wish.files else []
    model = wish.model or Path(f"{stem(wish.files[0]) if wish.files else 'labeling'}.likelier")
    is_new = not os.path.lexists(model)
    if is_new:
        starting.new_model(texts, len({*wish.labels})).save(model)
    beginning = Beginning(texts, wish.labels, wish.seed, suits=is_new, opens=wish.opens)
    limits = Limits(body=LARGEST, batch=files.MOST_TEXTS)
    options = Options(model, port=wish.port, teach_openly=True, limits=limits, notes=False)
    run.serve(options, every(), Workbench(beginning, writes=writes))

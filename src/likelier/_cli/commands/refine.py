"""`likelier refine`."""

from __future__ import annotations

from pathlib import Path

import click

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import ReadingOptions, labeled_options
from likelier._cli.shared.options import model_argument, screen_options, threads_option
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import command
from likelier._cli.shared.progress import bar, reported, updated


@command(
    usage="MODEL FILE... [OPTIONS]",
    examples=[
        "likelier refine shop.likelier messages.tsv",
        "likelier refine shop.likelier messages.tsv --threads 1",
    ],
)
@model_argument
@click.argument("files", nargs=-1, metavar="FILE...")
@labeled_options
@threads_option
@screen_options
def refine(model: Path, files: tuple[str, ...], reading: ReadingOptions, threads: int | None, screen: Screen) -> None:
    """Fit refined weights to documents of a model.

    Refined weights are fitted jointly, and make a model more accurate where documents are
    many or long. FILE has the documents that the model has learned; the counts do not
    change. After `learn` and `forget` the weights are behind, as `inspect` shows, and this
    command fits them again. `train --refine` does both in one step.
    """
    if not files:
        raise Misuse("expected FILE with labeled documents", hint=f"likelier refine {model} FILE")
    with updated(model, screen) as changed:
        documents = reading.for_model(changed.schema).documents(files, labeled=True)
        with reported(documents, reading, screen, with_bar=False), bar(documents, screen) as report:
            changed.refine(documents, threads=threads, progress=report)
        assert changed.layer is not None
        screen.done(f"{model}: {changed.layer.in_words}")

"""`likelier relabel`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from likelier._cli.shared.failures import Misuse, keeps
from likelier._cli.shared.file_options import ReadingOptions, unlabeled_options
from likelier._cli.shared.options import as_label, by_option, model_argument, screen_options, threads_option
from likelier._cli.shared.output import Screen, documents_in_words, plural
from likelier._cli.shared.program import command, option
from likelier._cli.shared.progress import reported, updated
from likelier._cli.shared.typed import Asking, argument, missing_files, placed, typed
from likelier._documents.schema import Schema
from likelier._model.models import load
from likelier._read.reader import Documents


@command(
    usage='MODEL FILE... --as LABEL | MODEL "TEXT"... --as LABEL [OPTIONS]',
    examples=[
        'likelier relabel shop.likelier "My parcel arrived broken" --as delivery',
        "likelier relabel shop.likelier messages.tsv --as praise --by anna",
    ],
)
@model_argument
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option("--as", "new", metavar="LABEL", required=True, group="Documents", help="The new label.")
@option("--from", "old", metavar="LABEL", group="Documents", help="The label so far. Default: found by the ledger.")
@by_option
@unlabeled_options
@threads_option
@screen_options
def relabel(
    model: Path,
    files: tuple[str, ...],
    new: str,
    old: str | None,
    by: str | None,
    reading: ReadingOptions,
    threads: int | None,
    screen: Screen,
) -> None:
    """Move documents of a model to another label.

    All documents of FILE are forgotten with the label that they had and learned with LABEL,
    in one step: all of them, or none if one was not learned. FILE is anything that `train`
    reads; labels in it are ignored. Arguments that are not files are texts, or COLUMN=VALUE
    arguments form one document.
    """
    with keeps(model):
        schema = load(model).schema
        documents = _documents(files, reading.for_model(schema), schema, screen, f"likelier relabel {model}")
    with updated(model, screen) as changed:
        wanted = as_label(new, changed.labels, new=True)
        before = None if old is None else as_label(old, changed.labels)
        how: dict[str, Any] = {"old": before, "by": by, "threads": threads}
        if isinstance(documents, Documents):
            with reported(documents, reading, screen):
                count = changed.relabel_many(documents, wanted, **how)
            given = documents.rows
        else:
            with placed(argument(len(documents))):
                count, given = changed.relabel_many(documents, wanted, **how), len(documents)
        total = documents_in_words(changed.documents)
    same = f"; {given - count:,} had this label already" if given > count else ""
    screen.done(f"relabeled {plural(count, 'document')} as {wanted!r}{same}; {model} has {total}")


def _documents(files: tuple[str, ...], reading: ReadingOptions, schema: Schema, screen: Screen, command: str) -> Any:
    """The documents: of files if one of the arguments is a file, else typed ones."""
    if any(name == "-" or (len(name) < 1000 and "\0" not in name and os.path.exists(name)) for name in files):
        return reading.documents(files, labeled=False)
    for name in missing_files(files):
        raise Misuse(f"no such file: {name!r}", hint="check the name")
    found = typed(files, schema, command)
    Asking(schema, screen).note_ignored(found)
    return found

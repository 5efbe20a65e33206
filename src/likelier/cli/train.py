"""`likelier train`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier.cli.columns import ColumnOptions, column_options
from likelier.cli.failures import keeps
from likelier.cli.options import (
    ReadingOptions,
    analyzer_options,
    reading_options,
    screen_options,
    threads_option,
    view_options,
)
from likelier.cli.output import Screen
from likelier.cli.program import command, option
from likelier.cli.targets import NewFile
from likelier.cli.viewing import ViewOptions, say_without_effect

if TYPE_CHECKING:
    from likelier.model import Model


@command(
    usage="FILE... -o MODEL [OPTIONS]",
    examples=[
        "likelier train messages.tsv -o shop.likelier",
        "likelier train messages.tsv --text text --label label --stop-words en -o shop.likelier",
        "likelier train tickets.csv --label team -o tickets.likelier",
        "likelier train tickets.csv --label team --text subject --numeric days=2,7 -o new.likelier",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--output",
    "-o",
    required=True,
    type=NewFile("model.likelier", model=True),
    metavar="MODEL",
    group="Model",
    help="The file to write, .likelier.",
)
@option("--no-ledger", "ledger", flag_value=False, default=True, group="Model", help="Keep no fingerprints: smaller.")
@column_options
@reading_options
@analyzer_options
@view_options
@threads_option
@screen_options
def train(
    files: tuple[str, ...],
    output: Path,
    ledger: bool,
    columns: ColumnOptions,
    reading: ReadingOptions,
    analyzer: Any,
    view: ViewOptions,
    threads: int | None,
    screen: Screen,
) -> None:
    """Train a model on labelled documents.

    FILE is CSV, TSV, JSON Lines or Parquet, also as .gz or .zst; a folder with one
    sub-folder for each label; a mail box (mbox), a Maildir or a folder of .eml mails; or
    - for standard input. Wildcards and several files work. LABEL=FILE gives all
    documents of FILE that label: spam=junk.mbox.

    Of a table with several columns, each that says something counts: words of texts,
    categories, yes or no, numbers. Without the options below, the label and the kinds of
    the columns are guessed, and the guess is said. At the end a summary shows the labels
    and what tells them. All that goes to stderr; the model file appears when it is
    complete.
    """
    from likelier.cli.models import told
    from likelier.storage import check_target
    from likelier.training import train as train_model

    view = replace(view, numbers=(*view.numbers, *columns.numbers))
    view.check()
    check_target(output)
    with keeps(output):
        documents = reading.with_columns(**columns.reading).documents(list(files), labelled=True)
        with told(documents, reading, screen):
            model = train_model(documents, bind=columns.bind, analyzer=analyzer, ledger=ledger, threads=threads)
        if view:
            model.set_view(**view.settings(model.labels, model.settings))
        model.save(output)
    if not model.schema.texts and analyzer != type(analyzer)():
        screen.warning("the options for words have no effect: no column of this model is text")
    say_without_effect(view, model.schema, screen)
    _summary(model, output, screen)


def _summary(model: Model, output: Path, screen: Screen) -> None:
    from likelier.cli.describing import MOST_LABELS, labels_table, size_in_words, view_in_short

    if screen.quiet:
        return
    screen.done(f"{output}: {size_in_words(model)}")
    screen.done(view_in_short(model))
    screen.report(labels_table(model, model.default_view, MOST_LABELS))
    if len(model.labels) > MOST_LABELS:
        screen.note(
            f"... and {len(model.labels) - MOST_LABELS} smaller labels; likelier inspect {output} shows them all"
        )

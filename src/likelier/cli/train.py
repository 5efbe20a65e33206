"""`likelier train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier.cli.failures import keeps
from likelier.cli.options import (
    ReadingOptions,
    analyzer_options,
    label_option,
    reading_options,
    screen_options,
    threads_option,
    view_options,
)
from likelier.cli.output import Screen
from likelier.cli.program import command, option
from likelier.cli.targets import NewFile
from likelier.cli.viewing import ViewOptions

if TYPE_CHECKING:
    from likelier.model import Model


@command(
    usage="FILE... -o MODEL [OPTIONS]",
    examples=[
        "likelier train messages.tsv -o shop.likelier",
        "likelier train messages.tsv --text text --label label --stop-words en -o shop.likelier",
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
@label_option
@reading_options
@analyzer_options
@view_options
@threads_option
@screen_options
def train(
    files: tuple[str, ...],
    output: Path,
    ledger: bool,
    label: str | None,
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

    Columns are guessed where only one choice makes sense, and the guess is said. At the
    end a summary shows the labels and their most telling terms. All that goes to stderr;
    the model file appears when it is complete.
    """
    from likelier.cli.models import told
    from likelier.storage import check_target
    from likelier.training import train as train_model

    view.check()
    check_target(output)
    with keeps(output):
        documents = reading.with_label(label).documents(list(files), labelled=True)
        with told(documents, reading, screen):
            model = train_model(documents, analyzer=analyzer, ledger=ledger, threads=threads)
        if view:
            model.set_view(**view.settings(model.labels, model.settings))
        model.save(output)
    _summary(model, output, screen)


def _summary(model: Model, output: Path, screen: Screen) -> None:
    from likelier.cli.describing import MOST_LABELS, labels_table, settings_in_words, size_in_words

    if screen.quiet:
        return
    screen.done(f"{output}: {size_in_words(model)}")
    words = settings_in_words(model.settings)
    screen.done(f"{words['event']}, {words['smoothing']}, {words['prior']} prior, unknown words: {words['unknown']}")
    screen.report(labels_table(model, model.default_view, MOST_LABELS))
    if len(model.labels) > MOST_LABELS:
        screen.note(
            f"... and {len(model.labels) - MOST_LABELS} smaller labels; likelier inspect {output} shows them all"
        )

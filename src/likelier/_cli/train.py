"""`likelier train`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier._cli.columns import ColumnOptions, column_options
from likelier._cli.failures import Misuse, keeps
from likelier._cli.options import (
    ReadingOptions,
    analyzer_options,
    reading_options,
    screen_options,
    threads_option,
    view_options,
)
from likelier._cli.output import Screen, Table, plural
from likelier._cli.program import command, option
from likelier._cli.targets import NewFile
from likelier._cli.viewing import ViewOptions, say_without_effect

if TYPE_CHECKING:
    from likelier._model.models import Model
    from likelier._settings.selection import Selection

MOST_TRIED = 6
MANY = 5_000_000  # documents, whose fingerprints take some hundred megabytes


@command(
    usage="FILE... -o MODEL [OPTIONS]",
    examples=[
        "likelier train messages.tsv -o shop.likelier",
        "likelier train messages.tsv --text text --label label --stop-words en -o shop.likelier",
        "likelier train tickets.csv --label team -o tickets.likelier",
        "likelier train tickets.csv --label team --text subject --numeric days=2,7 -o new.likelier",
        "likelier train messages.tsv --view textbook -o textbook.likelier",
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
@option(
    "--most-terms",
    type=click.IntRange(min=1),
    metavar="N",
    group="Model",
    help="Bound memory: each text column keeps at most N terms, the rarest are dropped on the way. Such a model cannot"
    " forget.",
)
@option("--no-ledger", "ledger", flag_value=False, default=True, group="Model", help="Keep no fingerprints: smaller.")
@option(
    "--view",
    "choice",
    type=click.Choice(["auto", "textbook"]),
    group="View",
    help="auto: choose the settings by exact leave-one-out; textbook: multinomial, alpha 1. Without it, auto, unless"
    " one of the settings below is given that changes scores.",
)
@option(
    "--choose-by",
    type=click.Choice(["accuracy", "log-loss"]),
    group="View",
    help="What auto goes by; log-loss where probabilities matter more than verdicts.",
)
@column_options
@reading_options
@analyzer_options
@view_options
@threads_option
@screen_options
def train(
    files: tuple[str, ...],
    output: Path,
    most_terms: int | None,
    ledger: bool,
    choice: str | None,
    choose_by: str | None,
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
    the columns are guessed, and the guess is said.

    Unless you give them, the event model, smoothing, n-grams and weights of terms are
    chosen: many are judged by how well they label each document without having seen it.
    At the end a summary shows what was tried, the labels and what tells them. All that
    goes to stderr; the model file appears when it is complete.
    """
    from likelier._cli.models import told
    from likelier._storage.writing import check_target
    from likelier._train.trainer import train as train_model

    given = [f"--{name}" for name in view.changing_scores] + [f"--numeric {rule}" for rule in columns.numbers]
    view = replace(view, numbers=(*view.numbers, *columns.numbers))
    view.check()
    chosen = _view(view, given, choice, choose_by)
    check_target(output)
    with keeps(output):
        documents = reading.with_columns(**columns.reading).documents(list(files), labelled=True)
        with told(documents, reading, screen):
            model = train_model(
                documents,
                bind=columns.bind,
                analyzer=analyzer,
                most_terms=most_terms,
                ledger=ledger,
                threads=threads,
                **chosen,
            )
        if view:
            model.set_view(**view.settings(model.labels, model.settings))
        model.save(output)
    if not model.schema.texts and analyzer != type(analyzer)():
        screen.warning("the options for words have no effect: no column of this model is text")
    say_without_effect(view, model.schema, screen)
    _summary(model, output, screen)


def _view(view: ViewOptions, given: list[str], choice: str | None, choose_by: str | None) -> dict[str, Any]:
    """What the library is told about the view: to choose one, or what must be counted for the one that is given."""
    if choice == "auto" and given:
        raise Misuse(f"--view auto chooses the settings, and {given[0]} gives one", hint="leave one of them out")
    if choose_by and (given or choice == "textbook"):
        raise Misuse("--choose-by is for settings that are chosen", hint="leave it out, or --view auto")
    if not given and choice != "textbook":
        return {"view": "auto", "choose_by": choose_by or "accuracy"}
    return {"view": view.counted or "textbook"}


def _say_choice(selection: Selection, screen: Screen) -> None:
    """What was tried, as far as it is among the best."""
    shown = selection.best(MOST_TRIED)
    if shown:
        rows = [
            [
                "→" if each.chosen else "",
                f"{100 * each.accuracy:.2f} %",
                "" if each.log_loss is None else f"{each.log_loss:.4f}",
                each.settings.split(", "),
            ]
            for each in shown
        ]
        heading = ["", "right", "log loss", "settings that were tried"]
        screen.report(Table(heading, rows, numbers=frozenset({1, 2}), height=3))
    screen.done(selection.why)


def _summary(model: Model, output: Path, screen: Screen) -> None:
    from likelier._cli.describing import MOST_LABELS, labels_table, pruned_in_words, size_in_words, view_in_short

    if screen.quiet:
        return
    if model.selection is not None:
        _say_choice(model.selection, screen)
    screen.done(f"{output}: {size_in_words(model)}")
    if model.pruned is not None:
        screen.note(f"rare terms were dropped on the way: {pruned_in_words(model.pruned)}")
    if model.ledger is not None and len(model.ledger) >= MANY:
        fingerprints = plural(len(model.ledger), "fingerprint")
        screen.note(f"{fingerprints} of documents; --no-ledger does without, in less memory")
    screen.done(view_in_short(model))
    screen.report(labels_table(model, model.default_view, MOST_LABELS))
    if len(model.labels) > MOST_LABELS:
        screen.note(
            f"... and {len(model.labels) - MOST_LABELS} smaller labels; likelier inspect {output} shows them all"
        )

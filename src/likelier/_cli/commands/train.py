"""`likelier train`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import click

from likelier._cli.shared.engines import (
    Engine,
    check_files,
    cluster_bar,
    engine_options,
    frame_of,
    spark_session,
    warned,
)
from likelier._cli.shared.failures import Misuse, keeps
from likelier._cli.shared.file_options import ColumnOptions, ReadingOptions, column_options, format_options
from likelier._cli.shared.options import Count, analyzer_options, by_option, screen_options, threads_option
from likelier._cli.shared.output import Screen, Table, plural
from likelier._cli.shared.program import command, option
from likelier._cli.shared.progress import bar, reported
from likelier._cli.shared.targets import NewFile
from likelier._cli.shared.view_options import ViewOptions, train_view_options, view_given, warn_without_effect
from likelier._counts.in_words import MOST_LABELS, labels_table, pruned_in_words, size_in_words
from likelier._documents.labels import alike, alike_in_words
from likelier._model.models import Model, load
from likelier._settings.in_words import view_in_short
from likelier._settings.selection import Selection
from likelier._storage.provenance import BY, check_name
from likelier._storage.save_file import check_target
from likelier._text.analyzer import Analyzer
from likelier._train.trainer import train as train_model

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
        "likelier train messages.tsv --like shop.likelier -o new.likelier",
        "likelier train messages.tsv --refine -o refined.likelier",
        "likelier train --engine spark --master spark://HOST:7077 'file:///mail/*.parquet' -o mail.likelier",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--output",
    "-o",
    required=True,
    type=NewFile("model.likelier", model=True),
    group="Model",
    help="File to write, e.g. spam.likelier.",
)
@option(
    "--most-terms",
    type=Count(),
    group="Model",
    help="Limit memory: keep at most N terms per text column and drop the rarest. Such a model cannot forget.",
)
@option(
    "--clean-labels",
    is_flag=True,
    group="Model",
    help="Join labels that differ only in case or blanks, under the most frequent spelling.",
)
@option(
    "--no-ledger",
    "ledger",
    flag_value=False,
    default=True,
    group="Model",
    help="Do not store fingerprints of the documents; saves space.",
)
@option(
    "--like",
    metavar="MODEL",
    type=click.Path(path_type=Path),
    group="Model",
    help="Take columns, options for words and settings of another model, so that merging the two loses nothing.",
)
@option(
    "--view",
    "choice",
    type=click.Choice(["auto", "textbook"]),
    group="View",
    help="auto: choose the settings by leave-one-out; textbook: multinomial, alpha 1. Default: auto, unless one of the"
    " settings below that change scores is given.",
)
@option(
    "--choose-by",
    type=click.Choice(["accuracy", "log-loss"]),
    group="View",
    help="Metric for auto; log-loss if probabilities matter more than labels. Default: accuracy.",
)
@option(
    "--refine",
    is_flag=True,
    group="Model",
    help="Also fit refined weights: more accurate where documents are many or long, and slower to train.",
)
@by_option
@column_options
@format_options
@analyzer_options
@train_view_options
@engine_options
@threads_option
@screen_options
def train(
    files: tuple[str, ...],
    output: Path,
    most_terms: int | None,
    clean_labels: bool,
    ledger: bool,
    like: Path | None,
    choice: str | None,
    choose_by: str | None,
    refine: bool,
    by: str | None,
    columns: ColumnOptions,
    reading: ReadingOptions,
    analyzer: Analyzer,
    view: ViewOptions,
    engine: Engine,
    threads: int | None,
    screen: Screen,
) -> None:
    """Train a model on labeled documents.

    FILE is CSV, TSV, JSON Lines or Parquet, optionally compressed (.gz or .zst); a folder
    with one subfolder per label; a mailbox (mbox), a Maildir or a folder of .eml files; or
    - for standard input. Wildcards and several files are allowed. LABEL=FILE assigns LABEL
    to all documents of FILE, e.g. spam=junk.mbox.

    In a table, all informative columns are used: texts, categories, yes/no values and
    numbers. The label column and the kinds of the others are guessed and reported, unless
    given by the options below.

    The event model, smoothing, n-grams and term weights are chosen by leave-one-out: many
    combinations are tried, and each classifies every document by the counts without it.
    A summary on stderr shows the best ones, and the labels with their most telling terms.
    The model file is written once it is complete.

    With --engine spark, the workers of a Spark cluster read and count FILE, which is
    Parquet, CSV, TSV or JSON Lines at an address that all of them can reach. The model is
    the same.
    """
    given = view.changing_scores + [f"--numeric {rule}" for rule in columns.numbers]
    view = view_given(**{**view, "numbers": (*view.get("numbers", ()), *columns.numbers)})
    view.check()
    other = None if like is None else _like(like, columns, analyzer, view, choice, choose_by)
    chosen = _view(view, given, choice, choose_by) if other is None else {"like": other}
    check_name(by)
    check_target(output)
    if engine.is_spark:
        check_files(files, reading)
        if refine:
            raise Misuse("--refine does not work with --engine spark", hint="omit --refine, or omit --engine")
    with keeps(output):
        chosen |= {"bind": columns.bind, "analyzer": analyzer if other is None else None, "most_terms": most_terms}
        chosen |= {"clean_labels": clean_labels, "ledger": ledger}
        if engine.is_spark:
            model = _on_spark(engine, files, columns, reading, chosen, screen)
        else:
            model = _here(files, columns, reading, {**chosen, "refine": refine, "threads": threads}, screen)
        if view:
            model.set_view(**view.settings(model.labels, model.settings))
            model.chosen = model.chosen and replace(model.chosen, settings=model.settings)
        if by is not None:
            model.provenance[-1][BY] = by
        model.save(output)
    if not model.schema.texts and analyzer != Analyzer():
        screen.warning("the options for words have no effect: this model has no text column")
    warn_without_effect(view, model.schema, screen)
    _check_labels(model, screen)
    _summary(model, output, screen)


def _here(
    files: tuple[str, ...], columns: ColumnOptions, reading: ReadingOptions, chosen: dict[str, Any], screen: Screen
) -> Model:
    """The model of files that are read here."""
    other, reading = chosen.get("like"), reading.with_columns(**columns.reading)
    documents = (reading if other is None else reading.for_model(other.schema)).documents(files, labeled=True)
    with reported(documents, reading, screen, with_bar=False), bar(documents, screen) as shown, catch_warnings():
        simplefilter("ignore", UserWarning)  # of labels, see `_check_labels`
        return train_model(documents, progress=shown, **chosen)


def _on_spark(
    engine: Engine,
    files: tuple[str, ...],
    columns: ColumnOptions,
    reading: ReadingOptions,
    chosen: dict[str, Any],
    screen: Screen,
) -> Model:
    """The model of files that the workers of Spark read. Labels are text, as in all files that are read here."""
    with spark_session(engine) as session, cluster_bar(screen) as shown, warned(screen):
        from likelier.spark import train as train_on_spark
        from likelier.spark._choosing import labels_as_text

        frame, like = frame_of(session, files, reading), chosen.get("like")
        frame = labels_as_text(frame, schema=None if like is None else like.schema, **columns.reading)
        given = {**columns.reading, **chosen, "ledger": False, "on_error": reading.given["on_error"]}
        return train_on_spark(frame, progress=shown, **given)


def _like(
    path: Path, columns: ColumnOptions, analyzer: Analyzer, view: ViewOptions, choice: str | None, by: str | None
) -> Model:
    """The model to be like, if no option is given for what is taken from it."""
    named = [name for name, value in columns.reading.items() if value and name not in ("label", "text")]
    given = {
        "the options for columns": named or columns.bind,
        "the options for words": analyzer != Analyzer(),
        "the options of the view": view or choice or by,
    }
    for name, value in given.items():
        if value:
            raise Misuse(f"--like and {name} are mutually exclusive", hint="omit one of them")
    return load(path)


def _check_labels(model: Model, screen: Screen) -> None:
    """Warn of labels that are hardly meant to be what they are."""
    if groups := alike(model.labels):
        screen.warning(alike_in_words(groups), hint="--clean-labels joins them")
    if len(model.labels) == 1:
        screen.warning(
            f"all documents have the label {model.labels[0]!r}; the model cannot assign any other",
            hint="if it is the wrong column, name the right one: --label COLUMN",
        )


def _view(view: ViewOptions, given: list[str], choice: str | None, choose_by: str | None) -> dict[str, Any]:
    """The arguments of `train`: to choose a view, or what to count for the one given."""
    if choice == "auto" and given:
        raise Misuse(f"--view auto and {given[0]} are mutually exclusive", hint="omit one of them")
    if choose_by and (given or choice == "textbook"):
        raise Misuse("--choose-by requires --view auto", hint="omit --choose-by, or give --view auto")
    if not given and choice != "textbook":
        return {"view": "auto", "choose_by": choose_by or "accuracy"}
    return {"view": view.counted or "textbook"}


def _report_choice(selection: Selection, screen: Screen) -> None:
    """The best settings that were tried."""
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
        heading = ["", "accuracy", "log loss", "settings"]
        screen.report(Table(heading, rows, numbers=frozenset({1, 2}), height=3))
    screen.done(selection.why)
    if selection.note is not None:
        screen.warning(
            selection.note, hint="judge documents that came later: likelier evaluate MODEL FILE --method held-out"
        )


def _summary(model: Model, output: Path, screen: Screen) -> None:
    if screen.quiet:
        return
    if model.selection is not None:
        _report_choice(model.selection, screen)
    screen.done(f"{output}: {size_in_words(model.counts)}")
    if model.pruned is not None:
        screen.note(f"dropped rare terms: {pruned_in_words(model.pruned)}")
    if model.ledger is not None and len(model.ledger) >= MANY:
        fingerprints = plural(len(model.ledger), "fingerprint")
        screen.note(f"the model stores {fingerprints} of documents; --no-ledger saves their memory")
    screen.done(view_in_short(model.settings, model.schema))
    if model.layer is not None:
        screen.done(model.layer.in_words)
    screen.report(labels_table(model.counts, model.view().top_terms, MOST_LABELS))
    if len(model.labels) > MOST_LABELS:
        more = len(model.labels) - MOST_LABELS
        screen.note(f"... and {more} smaller labels; likelier inspect {output} shows all of them")

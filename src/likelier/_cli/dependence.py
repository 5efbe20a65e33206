"""`likelier dependence`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import click

from likelier._cli.columns import ColumnOptions, column_options
from likelier._cli.failures import Misuse
from likelier._cli.options import (
    ReadingOptions,
    analyzer_options,
    json_option,
    reading_options,
    screen_options,
    threads_option,
    view_options,
)
from likelier._cli.output import Screen
from likelier._cli.program import command, option
from likelier._cli.viewing import ViewOptions, say_without_effect


@command(
    usage="FILE... [OPTIONS]",
    examples=[
        "likelier dependence tickets.csv --label team",
        "likelier dependence messages.tsv --most 5",
        "likelier dependence messages.tsv --event bernoulli --stop-words en --json",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--most", type=click.IntRange(min=1), default=20, metavar="N", group="Pairs", help="Pairs to show. Default: 20."
)
@option(
    "--terms",
    type=click.IntRange(min=2),
    default=2000,
    metavar="N",
    group="Pairs",
    help="Words of each text column to compare, the most frequent first. Default: 2000.",
)
@column_options
@reading_options
@analyzer_options
@view_options
@threads_option
@json_option
@screen_options
def dependence(
    files: tuple[str, ...],
    most: int,
    terms: int,
    columns: ColumnOptions,
    reading: ReadingOptions,
    analyzer: Any,
    view: ViewOptions,
    threads: int | None,
    as_json: bool,
    screen: Screen,
) -> None:
    r"""Find columns and words that repeat each other, and try what helps.

    Naive Bayes counts each column and each word as if it were independent of the others,
    given the label. FILE has labeled documents, as for train. Pairs that depend on each
    other are listed, with the number of documents that the whole model labels correctly:
    as it is, with the two as one, and without one of them. To apply a remedy, train with

    \b
    bind  --bind COLUMN COLUMN, or --replace "hong kong=hong_kong" for words
    drop  --ignore COLUMN, or --stop-words file:FILE for words
    """
    from likelier._cli.models import told
    from likelier._evaluate.dependence.search import dependence as find
    from likelier._train.trainer import train

    if "-" in files:
        raise Misuse(
            "the documents are read more than once here, and standard input can be read only once",
            hint="write it to a file first: cat > documents.csv",
        )
    view = replace(view, numbers=(*view.numbers, *columns.numbers))
    view.check()
    documents = reading.with_columns(**columns.reading).documents(list(files), labelled=True)
    with told(documents, reading, screen) as say:
        counted: Any = view.counted or "textbook"
        model = train(documents, bind=columns.bind, analyzer=analyzer, view=counted, ledger=False, threads=threads)
        say()
        found = find(view.of(model), documents, most=most, terms=terms, threads=threads)
    say_without_effect(view, model.schema, screen)
    if as_json:
        screen.data(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False))
    else:
        screen.lines(str(found).splitlines())

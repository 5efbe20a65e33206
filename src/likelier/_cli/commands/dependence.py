"""`likelier dependence`."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import ColumnOptions, ReadingOptions, column_options, format_options
from likelier._cli.shared.options import Count, analyzer_options, json_option, screen_options, threads_option
from likelier._cli.shared.output import Screen, painted
from likelier._cli.shared.program import command, option
from likelier._cli.shared.progress import reported
from likelier._cli.shared.view_options import ViewOptions, train_view_options, view_given, warn_without_effect
from likelier._evaluate.dependence.search import dependence as find
from likelier._text.analyzer import Analyzer
from likelier._train.trainer import train


@command(
    usage="FILE... [OPTIONS]",
    examples=[
        "likelier dependence tickets.csv --label team",
        "likelier dependence messages.tsv --most 5",
        "likelier dependence messages.tsv --event bernoulli --stop-words en --json",
    ],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option("--most", type=Count(), default=20, group="Pairs", help="Number of pairs to show. Default: 20.")
@option(
    "--terms",
    type=Count(2),
    default=2000,
    group="Pairs",
    help="Number of words per text column to compare, the most frequent first. Default: 2000.",
)
@column_options
@format_options
@analyzer_options
@train_view_options
@threads_option
@json_option
@screen_options
def dependence(
    files: tuple[str, ...],
    most: int,
    terms: int,
    columns: ColumnOptions,
    reading: ReadingOptions,
    analyzer: Analyzer,
    view: ViewOptions,
    threads: int | None,
    as_json: bool,
    screen: Screen,
) -> None:
    r"""Find dependent columns and words, and evaluate remedies.

    Naive Bayes counts each column and each word as if it were independent of the others,
    given the label. FILE has labeled documents, as for train. Pairs that depend on each
    other are listed, with the number of documents that the whole model labels correctly:
    as it is, with the two as one, and without one of them. To apply a remedy, train with

    \b
    bind  --bind COLUMN COLUMN, or --replace "hong kong=hong_kong" for words
    drop  --ignore COLUMN, or --stop-words file:FILE for words
    """
    if "-" in files:
        raise Misuse(
            "these documents are read more than once, which standard input does not allow",
            hint="write them to a file first: cat > documents.csv",
        )
    view = view_given(**{**view, "numbers": (*view.get("numbers", ()), *columns.numbers)})
    view.check()
    documents = reading.with_columns(**columns.reading).documents(files, labeled=True)
    with reported(documents, reading, screen) as report:
        counted: Any = view.counted or "textbook"
        model = train(documents, bind=columns.bind, analyzer=analyzer, view=counted, ledger=False, threads=threads)
        report()
        found = find(view.of(model), documents, most=most, terms=terms, threads=threads)
    warn_without_effect(view, model.schema, screen)
    if as_json:
        print(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(str(found).splitlines()), file=painted(sys.stdout))

"""`likelier inspect`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click

from likelier._cli.documents import no_such_column
from likelier._cli.failures import Misuse, keeps
from likelier._cli.options import json_option, model_argument, screen_options, view_options
from likelier._cli.output import Screen
from likelier._cli.program import command, option
from likelier._cli.targets import NewFile
from likelier._cli.values import as_label, listed
from likelier._cli.viewing import ViewOptions


@command(
    usage="MODEL [OPTIONS]",
    examples=[
        "likelier inspect shop.likelier",
        "likelier inspect shop.likelier --term parcel",
        "likelier inspect shop.likelier --ratio delivery returns --top 5",
        "likelier inspect tickets.likelier --column days",
        "likelier inspect shop.likelier --export counts.csv",
    ],
)
@model_argument
@option("--column", metavar="COLUMN", group="Question", help="What one column says; with --term and --ratio, of it.")
@option("--term", metavar="WORD", group="Question", help="Its counts and exact likelihoods under each label.")
@option("--ratio", nargs=2, metavar="A B", group="Question", help="The terms that speak most for label A, and for B.")
@option(
    "--top",
    type=click.IntRange(min=0),
    default=10,
    metavar="N",
    group="Question",
    help="How many terms; 10 without it.",
)
@option(
    "--export",
    type=NewFile("counts.csv"),
    metavar="FILE",
    group="Question",
    help="Write all counts: term, label, tf, df, and the column if there are several. CSV, or TSV by its name;"
    " - is stdout.",
)
@view_options
@json_option
@screen_options
def inspect(
    model: Path,
    column: str | None,
    term: str | None,
    ratio: tuple[str, str] | None,
    top: int,
    export: Path | None,
    view: ViewOptions,
    as_json: bool,
    screen: Screen,
) -> None:
    """Show what a model holds: labels, terms, settings, numbers.

    Without a question: its size, where it comes from, how it reads text and counts, its
    columns, and what tells each label most. Of a column: the likelihood of its values, the
    mean and standard deviation of its numbers, or the most telling words of its texts.
    View options hold for this question only.
    """
    from likelier._cli import figures, inspecting, terms
    from likelier._cli.models import load

    if sum(question is not None for question in (term, ratio or None, export)) > 1:
        raise Misuse("--term, --ratio and --export are three questions", hint=f"likelier inspect {model} --term WORD")
    loaded = load(model)
    asked = view.of(loaded)
    if column is not None and column not in loaded.schema.columns:
        raise no_such_column(column, list(loaded.schema.columns))
    if term is not None and column is None and len(loaded.schema.columns) > 1:
        raise Misuse(
            f"a term is looked up in one column, and there are {listed(loaded.schema.columns)}",
            hint=f"likelier inspect {model} --column {shlex.quote(next(iter(loaded.schema.columns)))}"
            f" --term {shlex.quote(term)}",
        )
    if export is not None:
        with keeps(export):
            inspecting.export(loaded, export, screen, column)
        return
    found: Any
    if term is not None:
        found = terms.Term(asked, term, column)
    elif ratio:
        one, two = (as_label(each, loaded.labels) for each in ratio)
        found = terms.Ratio(asked, one, two, top, column)
    elif column is not None:
        found = figures.one_column(asked, column, top)
    else:
        found = inspecting.Overview(model, loaded, asked, top)
    if as_json:
        screen.data(json.dumps(found.plain(), ensure_ascii=False))
    else:
        screen.lines(found.lines(screen.width, screen.colored))

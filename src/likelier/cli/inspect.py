"""`likelier inspect`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from likelier.cli.failures import Misuse, keeps
from likelier.cli.options import json_option, model_argument, screen_options, view_options
from likelier.cli.output import Screen
from likelier.cli.program import command, option
from likelier.cli.targets import NewFile
from likelier.cli.values import as_label
from likelier.cli.viewing import ViewOptions


@command(
    usage="MODEL [OPTIONS]",
    examples=[
        "likelier inspect shop.likelier",
        "likelier inspect shop.likelier --term parcel",
        "likelier inspect shop.likelier --ratio delivery returns --top 5",
        "likelier inspect shop.likelier --export counts.csv",
    ],
)
@model_argument
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
    help="Write all counts: term, label, tf, df. As CSV, or TSV by its name; - is stdout.",
)
@view_options
@json_option
@screen_options
def inspect(
    model: Path,
    term: str | None,
    ratio: tuple[str, str] | None,
    top: int,
    export: Path | None,
    view: ViewOptions,
    as_json: bool,
    screen: Screen,
) -> None:
    """Show what a model holds: labels, terms, settings, numbers.

    Without a question: its size, where it comes from, how it reads text and counts, and
    the most telling terms of each label. View options hold for this question only.
    """
    from likelier.cli import inspecting
    from likelier.cli.models import load

    if sum(question is not None for question in (term, ratio or None, export)) > 1:
        raise Misuse("--term, --ratio and --export are three questions", hint=f"likelier inspect {model} --term WORD")
    loaded = load(model)
    asked = view.of(loaded)
    if export is not None:
        with keeps(export):
            inspecting.export(loaded, export, screen)
        return
    found: inspecting.Term | inspecting.Ratio | inspecting.Overview
    if term is not None:
        found = inspecting.Term(asked, term)
    elif ratio:
        found = inspecting.Ratio(asked, as_label(ratio[0], loaded.labels), as_label(ratio[1], loaded.labels), top)
    else:
        found = inspecting.Overview(model, loaded, asked, top)
    if as_json:
        screen.data(json.dumps(found.plain(), ensure_ascii=False))
    else:
        screen.lines(found.lines(screen.width, screen.colored))

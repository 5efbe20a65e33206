"""`likelier label`."""

from __future__ import annotations

from pathlib import Path

import click

from likelier._base.errors import error
from likelier._cli.commands.classify import classify_file
from likelier._cli.shared.program import command, option
from likelier._cli.shared.targets import NewFile


def _names(text: str | None) -> list[str]:
    """Labels with commas between them.

    >>> _names("billing, returns,billing")
    ['billing', 'returns']
    """
    return list(dict.fromkeys(name for each in (text or "").split(",") if (name := each.strip())))


@command(
    usage="[FILE...] [OPTIONS]",
    examples=[
        "likelier label tickets.csv --labels billing,returns",
        "likelier label tickets.csv --text subject --port 8000 --no-browser",
        "likelier label messages.tsv -o labeled.likelier",
    ],
)
@click.argument("files", nargs=-1, metavar="[FILE...]")
@option(
    "--output",
    "-o",
    type=NewFile("tickets.likelier", model=True),
    group="Output",
    help="Model file; an existing one goes on learning. Default: named like FILE, e.g. tickets.likelier.",
)
@option("--labels", metavar="NAME,...", group="Labeling", help="Labels to begin with; more can be added on the page.")
@option(
    "--text",
    "--column",
    "column",
    metavar="COLUMN",
    group="Reading",
    help="Column with the texts. Default: guessed; if several could be meant, the one with the longest texts.",
)
@option(
    "--encoding", metavar="NAME", group="Reading", help="Text encoding, e.g. cp1251. Default: UTF-8; else detected."
)
@option(
    "--seed",
    default=0,
    type=click.IntRange(0),
    metavar="N",
    group="Labeling",
    help="Seed of the random order of the texts. Default: 0.",
)
@option(
    "--port",
    default=0,
    type=click.IntRange(0, 65535),
    metavar="N",
    group="Address",
    help="Port to listen on; 0 takes any free one. Default: 0.",
)
@option("--no-browser", is_flag=True, group="Address", help="Do not open the page in the browser.")
def label(
    files: tuple[str, ...],
    output: Path | None,
    labels: str | None,
    column: str | None,
    encoding: str | None,
    seed: int,
    port: int,
    no_browser: bool,
) -> None:
    """Label texts in the browser; the model learns with every answer.

    FILE is a table, a folder, a mailbox, or a text file with one text per line. Without
    FILE, the page asks for texts. The server listens on this machine only; its address is
    printed, and the page opens in the browser.

    The model is an ordinary model file. Its log, MODEL.log.sqlite, keeps the texts and
    every answer, so the same command later goes on where it was left; texts that are new in
    FILE are added. Stop with Ctrl-C.
    """
    try:
        from likelier._workbench.start import Wish, label
    except ModuleNotFoundError as failure:
        raise error("serve-extra", package=failure.name, extra="serve") from failure
    wish = Wish(files, output, _names(labels), column, encoding, seed, port, opens=not no_browser)
    label(wish, classify_file)

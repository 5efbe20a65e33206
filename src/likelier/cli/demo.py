"""`likelier demo`."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import click

from likelier.cli.options import screen_options
from likelier.cli.output import Screen, written
from likelier.cli.program import command, option

FILES = ("messages.tsv", "new_messages.txt")


@command(usage="[OPTIONS]", examples=["likelier demo", "likelier demo --files ."])
@option(
    "--files",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the demo's data there, to try commands on: messages.tsv with labels, new_messages.txt without.",
)
@screen_options
def demo(folder: Path | None, screen: Screen) -> None:
    """Show what likelier does, on messages to a shop.

    Train, classify, explain, ask again with other settings, learn and forget: each step
    with the lines of Python that do it.
    """
    from likelier.demo import run

    if folder is None:
        run(sys.stdout, color=screen.colored, width=min(max(screen.width, 60), 120))
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        with written(folder / name) as file:
            file.write(files("likelier.demo").joinpath(name).read_text(encoding="utf-8"))
        screen.done(f"wrote {folder / name}")

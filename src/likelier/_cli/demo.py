"""`likelier demo`."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import click

from likelier._cli.failures import Misuse
from likelier._cli.options import screen_options
from likelier._cli.output import Screen, written
from likelier._cli.program import command, option

FILES = ("messages.tsv", "new_messages.txt", "tickets.csv")


@command(usage="[OPTIONS]", examples=["likelier demo", "likelier demo --files ."])
@option(
    "--files",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the demo's data there, to try commands on: messages.tsv with labels, new_messages.txt without;"
    " tickets.csv is a table of texts, categories and numbers.",
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
    contents = {folder / name: files("likelier.demo").joinpath(name).read_bytes() for name in FILES}
    for path, content in contents.items():
        if path.exists() and path.read_bytes() != content:
            raise Misuse(f"{path} is there already and is something else", hint=f"likelier demo --files {folder}/demo")
    for path, content in contents.items():
        with written(path) as file:
            file.write(content.decode())
        screen.done(f"wrote {path}")

"""`likelier demo`."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import click

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import screen_options
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import command, option
from likelier._cli.shared.targets import written

FILES = ("messages.tsv", "new_messages.txt", "tickets.csv")


@command(usage="[OPTIONS]", examples=["likelier demo", "likelier demo --files ."])
@option(
    "--files",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write sample data to FOLDER instead: messages.tsv (labeled), new_messages.txt (unlabeled) and tickets.csv"
    " (texts, categories and numbers).",
)
@screen_options
def demo(folder: Path | None, screen: Screen) -> None:
    """Demonstrate likelier on messages to a shop.

    Train, classify, explain, change settings, learn and forget: each step with its Python
    code.
    """
    from likelier.demo import run

    if folder is None:
        run(sys.stdout, color=screen.colored, width=min(max(screen.width, 60), 120))
        return
    folder.mkdir(parents=True, exist_ok=True)
    contents = {folder / name: files("likelier.demo").joinpath(name).read_bytes() for name in FILES}
    for path, content in contents.items():
        if path.exists() and path.read_bytes() != content:
            raise Misuse(f"{path} already exists with other contents", hint=f"likelier demo --files {folder}/demo")
    for path, content in contents.items():
        with written(path) as file:
            file.write(content.decode())
        screen.done(f"wrote {path}")

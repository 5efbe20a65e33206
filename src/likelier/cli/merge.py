"""`likelier merge`."""

from __future__ import annotations

from pathlib import Path

import click

from likelier.cli.failures import Misuse, keeps
from likelier.cli.options import NEW_FILE, screen_options
from likelier.cli.output import Screen
from likelier.cli.program import command, option


@command(
    usage="MODEL MODEL... -o MODEL",
    examples=[
        "likelier merge shop.likelier shop2.likelier -o both.likelier",
        "likelier merge shop.likelier shop2.likelier both.likelier -o all.likelier --quiet",
    ],
)
@click.argument("models", nargs=-1, required=True, metavar="MODEL...", type=click.Path(path_type=Path))
@option("--output", "-o", required=True, type=NEW_FILE, metavar="MODEL", group="Model", help="The file to write.")
@screen_options
def merge(models: tuple[Path, ...], output: Path, screen: Screen) -> None:
    """Make one model of several.

    The result is the model of all their documents, whichever way they were divided. The
    models must treat words alike. The view is that of the first.
    """
    from likelier.cli.describing import size_in_words
    from likelier.cli.models import check_target, load

    if len(models) < 2:
        raise Misuse("merging takes two models or more, got one", hint=f"likelier merge {models[0]} OTHER -o {output}")
    check_target(output)
    with keeps(output):
        whole = load(models[0])
        for path in models[1:]:
            other = load(path)
            if other.settings != whole.settings:
                screen.note(f"{path} has another view than {models[0]}; the view of {models[0]} is kept")
            whole = whole + other
        whole.save(output)
    screen.done(f"{output}: {size_in_words(whole)}")

"""`likelier merge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from likelier._cli.failures import Misuse, keeps
from likelier._cli.options import screen_options
from likelier._cli.output import Screen
from likelier._cli.program import command, option
from likelier._cli.targets import NewFile

if TYPE_CHECKING:
    from likelier._model.models import Model


@command(
    usage="MODEL MODEL... -o MODEL",
    examples=[
        "likelier merge shop.likelier shop2.likelier -o both.likelier",
        "likelier merge shop.likelier shop2.likelier both.likelier -o all.likelier --quiet",
    ],
)
@click.argument("models", nargs=-1, required=True, metavar="MODEL...", type=click.Path(path_type=Path))
@option(
    "--output",
    "-o",
    required=True,
    type=NewFile("merged.likelier", model=True),
    metavar="MODEL",
    group="Model",
    help="The file to write.",
)
@screen_options
def merge(models: tuple[Path, ...], output: Path, screen: Screen) -> None:
    """Make one model of several.

    The result is the model of all their documents, whichever way they were divided. The
    models must have the same columns and treat words alike. The view is that of the first.
    """
    from likelier._cli.describing import size_in_words
    from likelier._cli.models import load
    from likelier._storage.provenance import event
    from likelier._storage.writing import check_target

    if len(models) < 2:
        raise Misuse("merging takes two models or more, got one", hint=f"likelier merge {models[0]} OTHER -o {output}")
    check_target(output)
    with keeps(output):
        whole, notes, warnings = load(models[0]), [], []
        for path in models[1:]:
            other = load(path)
            if other.settings != whole.settings:
                notes.append(f"{path} has another view than {models[0]}; the view of {models[0]} is kept")
            warnings += _in_both(whole, other, path)
            whole = whole + other
        whole.provenance[-1] = event("merge", map(str, models), whole.documents)
        whole.save(output)
    for note in notes:  # not before: a later model may be refused, and then nothing is kept or counts twice
        screen.note(note)
    for warning in warnings:
        screen.warning(warning)
    screen.done(f"{output}: {size_in_words(whole)}")


def _in_both(whole: Model, other: Model, path: Path) -> list[str]:
    """Says how many documents count twice, as far as the ledgers know."""
    if whole.ledger is None or other.ledger is None:
        return []
    common = whole.ledger.common(other.ledger)
    are = "document is" if common == 1 else "documents are"
    said = f"{common:,} {are} in {path} and in a model before it, and count{'s' * (common == 1)} twice"
    return [said] if common else []

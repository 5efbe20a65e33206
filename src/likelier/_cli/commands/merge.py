"""`likelier merge`."""

from __future__ import annotations

from pathlib import Path

import click

from likelier._cli.shared.failures import Misuse, keeps
from likelier._cli.shared.options import by_option, screen_options
from likelier._cli.shared.output import Screen, plural
from likelier._cli.shared.program import command, option
from likelier._cli.shared.targets import NewFile
from likelier._counts.in_words import size_in_words
from likelier._model.models import Model, load
from likelier._storage.provenance import check_name, event
from likelier._storage.save_file import check_target


@command(
    usage="MODEL MODEL... -o MODEL",
    examples=[
        "likelier merge shop.likelier shop2.likelier -o both.likelier",
        "likelier merge shop.likelier shop2.likelier both.likelier -o all.likelier --quiet",
    ],
)
@click.argument("models", nargs=-1, required=True, metavar="MODEL...", type=click.Path(path_type=Path))
@option(
    "--output", "-o", required=True, type=NewFile("merged.likelier", model=True), group="Model", help="File to write."
)
@by_option
@screen_options
def merge(models: tuple[Path, ...], output: Path, by: str | None, screen: Screen) -> None:
    """Merge several models into one.

    The result is the same as training on all their documents at once. The models must have
    the same columns and the same options for words. Counts that only one of them has, such
    as longer n-grams or the sums of a weighting, are dropped and reported; `train --like`
    avoids that. The settings are those of the first or, where they need dropped counts, the
    nearest that do not.
    """
    if len(models) < 2:
        raise Misuse("expected at least two models, got one", hint=f"likelier merge {models[0]} OTHER -o {output}")
    check_name(by)
    check_target(output)
    with keeps(output):
        whole, notes, warnings = load(models[0]), [], []
        for path in models[1:]:
            other = load(path)
            if not other.settings.scores_like(whole.settings):
                notes.append(f"{path} and {models[0]} have different views; using that of {models[0]}")
            warnings += _in_both(whole, other, path)
            whole, lost = whole.merged(other)
            warnings += [f"merging {path}: {note}" for note in lost]
        whole.provenance[-1] = event("merge", map(str, models), whole.documents, by)
        whole.save(output)
    for note in notes:  # only now: a later model may be refused
        screen.note(note)
    for warning in warnings:
        screen.warning(warning)
    if any(warning.startswith("merging ") for warning in warnings):
        screen.note(f"to lose nothing, train one like the other: likelier train FILE --like {models[0]} -o MODEL")
    screen.done(f"{output}: {size_in_words(whole.counts)}")


def _in_both(whole: Model, other: Model, path: Path) -> list[str]:
    """A warning of documents that count twice, as far as the ledgers tell."""
    if whole.ledger is None or other.ledger is None:
        return []
    common = whole.ledger.common(other.ledger)
    counts = "counts" if common == 1 else "count"
    return [f"{plural(common, 'document')} of {path} {counts} twice: also in an earlier model"] if common else []

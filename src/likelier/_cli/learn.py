"""`likelier learn`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from likelier._cli.changing import Change, apply, change_options, changing, documents_of
from likelier._cli.failures import keeps
from likelier._cli.labels import say_new_labels
from likelier._cli.output import Screen, documents_in_words, plural
from likelier._cli.program import command


@command(
    usage='MODEL FILE... | MODEL --as LABEL ["TEXT"... | COLUMN=VALUE...] [OPTIONS]',
    examples=[
        "likelier learn shop.likelier messages.tsv",
        'likelier learn shop.likelier --as returns "My parcel arrived broken"',
        "likelier learn tickets.likelier --as delivery channel=phone days=9",
        "likelier learn shop.likelier --as billing --mail < mail.eml",
    ],
)
@change_options
def learn(model: Path, screen: Screen, **given: Any) -> None:
    """Add documents to a model.

    FILE is anything that `train` reads; the model knows its columns. With --as, the
    arguments are texts, or COLUMN=VALUE for one document with columns; without arguments,
    standard input is one text or JSON object, or with --mail one mail. The result is the
    same as training on everything at once. A document that was learnt before counts again,
    and you are told; so you are of labels that the model did not have.
    """
    change = Change(**given)
    with keeps(model):
        documents = documents_of(change, model, screen, f"likelier learn {model}")
    with changing(model, screen) as learner:
        before = learner.labels
        count, known = apply(change, learner, documents, "learn", screen, learner.learn_many)
        total = documents_in_words(learner.documents)
        labels = learner.labels
    if before:  # in an empty model all labels are new
        say_new_labels(before, labels, change.undone, screen)
    screen.done(f"learnt {plural(count, 'document')}{_again(count, known)}; {model} now has {total}")


def _again(count: int, known: int) -> str:
    if not known:
        return ""
    if count == 1:
        return ", which had been learnt before and counts again"
    return f", of which {known:,} had been learnt before and count{'s' * (known == 1)} again"

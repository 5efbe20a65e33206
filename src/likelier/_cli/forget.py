"""`likelier forget`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from likelier._cli.changing import Change, apply, change_options, changing, documents_of
from likelier._cli.failures import keeps
from likelier._cli.output import Screen, documents_in_words, plural
from likelier._cli.program import command


@command(
    usage='MODEL FILE... | MODEL --as LABEL ["TEXT"... | COLUMN=VALUE...] [OPTIONS]',
    examples=[
        'likelier learn shop.likelier --as returns "My parcel arrived broken"',
        'likelier forget shop.likelier --as returns "My parcel arrived broken"',
    ],
)
@change_options
def forget(model: Path, screen: Screen, **given: Any) -> None:
    """Take documents out of a model, as if it had never learnt them.

    Documents and labels must be those that were learnt. What was never learnt is refused,
    and then nothing is changed. With --as, the arguments are texts, or COLUMN=VALUE for one
    document with columns; without arguments, standard input is one text or JSON object, or
    with --mail one mail.
    """
    change = Change(**given)
    with keeps(model):
        documents = documents_of(change, model, screen, f"likelier forget {model}")
    with changing(model, screen) as learner:
        count, _ = apply(change, learner, documents, "forget", screen, learner.forget_many)
        total = documents_in_words(learner.documents)
    screen.done(f"forgot {plural(count, 'document')}; {model} now has {total}")

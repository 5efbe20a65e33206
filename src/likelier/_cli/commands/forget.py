"""`likelier forget`."""

from __future__ import annotations

from typing import Any

from likelier._cli.commands.learn import Change, change_options
from likelier._cli.shared.output import documents_in_words, plural
from likelier._cli.shared.program import command
from likelier._cli.shared.progress import updated


@command(
    usage='MODEL FILE... | MODEL --as LABEL ["TEXT"... | COLUMN=VALUE...] [OPTIONS]',
    examples=[
        'likelier learn shop.likelier --as returns "My parcel arrived broken"',
        'likelier forget shop.likelier --as returns "My parcel arrived broken"',
    ],
)
@change_options
def forget(**given: Any) -> None:
    """Remove documents from a model, as if it had never learned them.

    Documents and labels must be exactly those that were learned; otherwise they are
    refused and the model stays unchanged. With --as, each argument is a text, or
    COLUMN=VALUE arguments form one document; without arguments, standard input is one text
    or JSON object, or with --mail one email.
    """
    change = Change(**given)
    documents = change.documents()
    with updated(change.model, change.screen) as model:
        count, _ = change.apply(model, documents, model.forget_many, new=False)
        total = documents_in_words(model.documents)
    change.screen.done(f"forgot {plural(count, 'document')}; {change.model} now has {total}")

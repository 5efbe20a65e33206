"""Models of documents that were counted elsewhere, such as on the workers of a cluster."""

from __future__ import annotations

from likelier._counts.by_column import Counts
from likelier._kernel import Ledger
from likelier._model.models import Model


def hold(model: Model, counts: Counts, ledger: Ledger | None) -> None:
    """Takes the counts of all documents into a new model, with their ledger if it has one."""
    model.counts, model._ledger = counts, ledger


def learn_counted(model: Model, counts: Counts, ledger: Ledger | None, *, sources: list[str], by: str | None) -> int:
    """Learns documents by their counts, all at once; how many of them the ledger had already."""
    part = Model(schema=model.schema, ledger=False)
    hold(part, counts, ledger)
    return model._add(part, "learn", part.documents, _Named(sources), by)


class _Named:
    """What documents came from, for the provenance."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

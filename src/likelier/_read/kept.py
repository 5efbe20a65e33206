"""Documents that are gone through more than once, and read once if they fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from likelier._documents.batch import Batch
from likelier._documents.schema import Schema
from likelier._documents.values import Texts
from likelier._read.origins import ReadOptions
from likelier._read.reader import Documents

MOST_BYTES = 1 << 26  # of text that are kept
MOST_DOCUMENTS = 1 << 18


class KeptDocuments(Iterable[Batch]):
    """Documents, of which the first pass keeps the batches for the others; too many are read again in each pass.

    source  what they are read from
    look    called with each batch when it is read for the first time, with all its columns
    """

    def __init__(self, source: Documents, *, look: Callable[[Batch], None] | None = None) -> None:
        self.source = source
        self._look = look
        self._batches: list[Batch] | None = None
        self._reading: ReadOptions | None = None  # under which the batches were read

    @property
    def names(self) -> list[str]:
        return self.source.names

    @property
    def notes(self) -> list[str]:
        return self.source.notes

    def use(self, schema: Schema | None) -> KeptDocuments:
        """The same documents as a model with this schema needs them."""
        self.source.use(schema)
        return self

    def __iter__(self) -> Iterator[Batch]:
        if self._batches is not None and self._reading == self.source.options:
            yield from self._batches
            return
        kept: list[Batch] | None = []
        documents = size = 0
        for batch in self.source:
            if self._look is not None:
                self._look(batch)
            documents, size = documents + len(batch), size + text_bytes(batch)
            if kept is not None and is_too_much(documents, size):
                kept = None
            if kept is not None:
                kept.append(replace(batch, rows=list))  # without the columns that nobody needs again
            yield batch
        self._batches, self._reading, self._look = kept, self.source.options, None


def is_too_much(documents: int, size: int) -> bool:
    """Whether these are too many documents, or too many bytes of text, to be kept."""
    return documents > MOST_DOCUMENTS or size > MOST_BYTES


def text_bytes(batch: Batch) -> int:
    """How large the texts of a batch are."""
    texts = [values.texts for values in batch.columns.values() if isinstance(values, Texts)]
    return sum(sum(map(len, each)) if isinstance(each, list) else each.text_bytes() for each in texts)

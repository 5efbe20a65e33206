"""Batches cut after every so many bytes of text, wherever their own ends are.

What is done between two stretches does not depend on how documents came: from CSV, JSON Lines or a list.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from likelier._documents.batch import Batch
from likelier._documents.values import Texts
from likelier._kernel import Column
from likelier._text.texts import Texts as TextData


class Stretches:
    """Cuts one batch after the other; a stretch ends with the document that fills it."""

    def __init__(self, size: int | None) -> None:
        """size: bytes of text in a stretch; without it nothing is cut."""
        self._size = size
        self._filled = 0

    def cut(self, batch: Batch) -> Iterator[tuple[Batch, bool]]:
        """The batch in pieces, each with whether a stretch ends with it."""
        if self._size is None:
            yield batch, False
            return
        start, ends = 0, self._filled + np.cumsum(sizes(batch))  # bytes in this stretch up to each document
        while start < len(batch):
            end = int(np.searchsorted(ends, self._size)) + 1
            is_full = end <= len(batch)
            rows = np.arange(start, min(end, len(batch)), dtype=np.intp)
            self._filled = 0 if is_full else int(ends[-1])
            yield batch if len(rows) == len(batch) else batch.keep(rows), is_full
            start, ends = end, ends - (ends[end - 1] if is_full else 0)


def sizes(batch: Batch) -> NDArray[np.int64]:
    """How many bytes of text each document has."""
    total = np.zeros(len(batch), dtype=np.int64)
    for values in batch.columns.values():
        if isinstance(values, Texts):
            total += _sizes(values.texts)
    return total


def _sizes(texts: TextData) -> NDArray[np.int64]:
    if isinstance(texts, Column):
        return texts.text_sizes().astype(np.int64)
    return np.array([len(text.encode(errors="surrogatepass")) for text in texts], dtype=np.int64)

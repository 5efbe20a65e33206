"""The documents that settings are judged on: all there are, or of very many some that are spread over them.

Which ones depends on their places alone: a number made from its place says of each document whether it stays when only
every second can, every fourth, and so on. So the same documents in the same order give the same sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._documents.batch import Batch
from likelier._documents.schema import Schema, plain
from likelier._documents.values import Texts
from likelier._evaluate.splits import all_of
from likelier._model.counting import Counting
from likelier._text.analyzer import Analyzer

MOST_BYTES = 1 << 26  # of text
MOST_DOCUMENTS = 1 << 18


@dataclass(frozen=True)
class _Part:
    """Some documents, a number for each, and how large they are."""

    batch: Batch
    numbers: NDArray[np.uint64]
    bytes: int

    @classmethod
    def of(cls, batch: Batch, numbers: NDArray[np.uint64]) -> _Part:
        texts = [values.texts for values in batch.columns.values() if isinstance(values, Texts)]
        return cls(
            batch, numbers, sum(sum(map(len, each)) if isinstance(each, list) else each.text_bytes() for each in texts)
        )

    def thinned(self, halvings: int) -> _Part:
        """The documents that stay after so many halvings."""
        stays = self.numbers & np.uint64((1 << halvings) - 1) == 0
        return self if stays.all() else _Part.of(self.batch.keep(np.flatnonzero(stays)), self.numbers[stays])


@dataclass(frozen=True)
class Sample:
    """Some documents.

    documents  how many were read
    is_begin   whether there are more, which cannot be read twice
    """

    batch: Batch
    schema: Schema
    documents: int
    is_begin: bool

    def __len__(self) -> int:
        return len(self.batch)


def sample(counting: Counting) -> Sample:
    """All documents, or some of very many; those of a source that can be read once only are the first.

    What was read completely is not read again: the counting goes on with it.
    """
    source = iter(counting.batches)
    kept: list[_Part] = []
    read, halvings, is_begin = 0, 0, False
    for batch in source:
        numbers = mixed(np.arange(read, read + len(batch), dtype=np.uint64))
        kept.append(_Part.of(batch, numbers).thinned(halvings))
        read += len(batch)
        is_begin = _are_too_much(kept) and getattr(counting.batches, "is_read_once", False)
        if is_begin:
            break
        while _are_too_much(kept):
            halvings += 1
            kept = [part.thinned(halvings) for part in kept]
    batches = [part.batch for part in kept]
    if not halvings:
        counting.batches = _Again(batches, source)
    return _joined(counting, batches, read, is_begin)


def _joined(counting: Counting, batches: list[Batch], read: int, is_begin: bool) -> Sample:
    if not batches:
        return Sample(Batch.of_texts([], []), plain(Analyzer()), 0, False)
    schema = counting.schema(batches[0].schema)
    under = [batch if batch.schema is None else batch.under(schema) for batch in batches]
    return Sample(all_of(under, schema), schema, read, is_begin)


class _Again:
    """Batches that were read, and then the rest of their source."""

    def __init__(self, batches: list[Batch], rest: Iterator[Batch]) -> None:
        self._batches, self._rest = batches, rest

    def __iter__(self) -> Iterator[Batch]:
        yield from self._batches
        yield from self._rest


def mixed(places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that look like chance, made from places (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        value = (places + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def _are_too_much(parts: list[_Part]) -> bool:
    return sum(len(part.batch) for part in parts) > MOST_DOCUMENTS or sum(part.bytes for part in parts) > MOST_BYTES

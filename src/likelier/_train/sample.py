"""The documents that settings are judged on: all there are, or of very many some that are spread over them.

Which ones depends on their places alone: a number made from its place says of each document whether it stays when only
every second can, every fourth, and so on. So the same documents in the same order give the same sample.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from likelier._documents.batch import Batch
from likelier._documents.schema import Schema, plain
from likelier._evaluate.splits import all_of
from likelier._model.one_pass import TrainingData
from likelier._read import kept
from likelier._text.analyzer import Analyzer

MOST_BYTES = 40 << 20  # of text; ten times as much memory is needed to choose settings by them


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


def take_sample(data: TrainingData) -> tuple[Sample, TrainingData]:
    """All documents, or some of very many, and the data to count next, of which nothing is read again needlessly.

    Documents that can be read once only, as from standard input, are sampled from their beginning.
    """
    source = iter(data.batches)
    parts: list[_Part] = []
    read, halvings, is_begin = 0, 0, False
    for batch in source:
        numbers = mixed(np.arange(read, read + len(batch), dtype=np.uint64))
        parts.append(_Part(batch, numbers).thinned(halvings))
        read += len(batch)
        data.report_read(read)
        is_begin = _are_too_much(parts) and getattr(data.batches, "is_read_once", False)
        if is_begin:
            break
        while _are_too_much(parts):
            halvings += 1
            parts = [part.thinned(halvings) for part in parts]
    batches = [part.batch for part in parts]
    sample = joined_sample(data, batches, read, is_begin)
    known = replace(data, documents=None if is_begin else read)
    return sample, known if halvings else replace(known, batches=chain(batches, source))


def mixed(places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers that look like chance, made from places (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        value = (places + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


class _Part:
    """Some documents, a number for each, and how large they are."""

    def __init__(self, batch: Batch, numbers: NDArray[np.uint64]) -> None:
        self.batch, self.numbers, self.bytes = batch, numbers, kept.text_bytes(batch)

    def thinned(self, halvings: int) -> _Part:
        """The documents that are left after this number of halvings."""
        stays = self.numbers & np.uint64((1 << halvings) - 1) == 0
        return self if stays.all() else _Part(self.batch.keep(np.flatnonzero(stays)), self.numbers[stays])


def _are_too_much(parts: list[_Part]) -> bool:
    documents, size = sum(len(part.batch) for part in parts), sum(part.bytes for part in parts)
    return documents > kept.MOST_DOCUMENTS or size > MOST_BYTES


def joined_sample(data: TrainingData, batches: list[Batch], read: int, is_begin: bool) -> Sample:
    """Batches as one sample of the documents that were read."""
    if not batches:
        return Sample(Batch.of_texts([], []), plain(Analyzer()), 0, False)
    schema = data.schema(batches[0].schema)
    under = [batch if batch.schema is None else batch.under(schema) for batch in batches]
    return Sample(all_of(under, schema), schema, read, is_begin)

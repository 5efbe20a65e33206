"""The documents that settings are chosen on: the same ones that are taken where all is read here.

Which documents stay depends on their places (`_train/sample`). A first pass counts the rows of each partition, so
that every row has the place that it would have in one pass over all partitions, in their order. Rows that
cannot be used have places here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql.types import LongType, StructField, StructType

from likelier._model.one_pass import TrainingData
from likelier._read import kept
from likelier._train.sample import MOST_BYTES, Sample, joined_sample, mixed
from likelier.spark._failures import told
from likelier.spark._frames import with_columns
from likelier.spark._partition import Frames, Reading

_SIZES = pa.schema([("partition", pa.int32()), ("rows", pa.int64()), ("bytes", pa.int64())])
MARK = "mark"
_SPARK_SIZES = "partition int, rows long, bytes long"


@dataclass(frozen=True)
class Measuring:
    """How many rows a partition has, and how many bytes of text; Spark calls it in a worker."""

    texts: tuple[int, ...]

    def __call__(self, frames: Frames) -> Iterator[pa.RecordBatch]:
        rows = size = 0
        for frame in frames:
            rows, size = rows + frame.num_rows, size + int(sizes_of(frame, self.texts).sum())
        yield pa.RecordBatch.from_pylist([{"partition": partition(), "rows": rows, "bytes": size}], schema=_SIZES)


@dataclass(frozen=True)
class Drawing:
    """The rows of a partition that stay; Spark calls it in a worker.

    before    by partition, how many rows those before it have
    halvings  how often every second row was left out

    A further column has the number that says how long a row stays.
    """

    before: dict[int, int]
    halvings: int

    def __call__(self, frames: Frames) -> Iterator[pa.RecordBatch]:
        place = self.before.get(partition(), 0)
        for frame in frames:
            numbers = mixed(np.arange(place, place + frame.num_rows, dtype=np.uint64))
            place += frame.num_rows
            stays = numbers & np.uint64((1 << self.halvings) - 1) == 0
            marked = frame.append_column(MARK, pa.array(numbers.view(np.int64)))
            yield marked.filter(pa.array(stays))


def partition() -> int:
    """The number of the partition that this worker works on."""
    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


def sizes_of(frame: pa.RecordBatch | pa.Table, texts: Sequence[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many bytes of text each row has."""
    total = np.zeros(frame.num_rows, dtype=np.int64)
    for place in texts:
        lengths = pc.binary_length(frame.column(place).cast(pa.large_string())).fill_null(0)
        total += lengths.to_numpy(zero_copy_only=False) if isinstance(lengths, pa.Array) else lengths.to_numpy()
    return total


def places_before(frame: DataFrame, reading: Reading, texts: Sequence[int]) -> tuple[dict[int, int], int, int]:
    """By partition how many rows come before it; how many rows there are, and how many bytes of text."""
    with told():
        rows = with_columns(frame, reading.columns).mapInArrow(Measuring(tuple(texts)), _SPARK_SIZES).collect()
    before, place = {}, 0
    for row in sorted(rows, key=lambda row: row["partition"]):
        before[row["partition"]] = place
        place += row["rows"]
    return before, place, sum(row["bytes"] for row in rows)


def sample_of(frame: DataFrame, reading: Reading, data: TrainingData) -> Sample:
    """The documents that settings are chosen on."""
    choice = reading.choice
    names = [choice.text] if choice.text is not None else list(choice.schema.texts if choice.schema else ())
    texts = [reading.columns.index(name) for name in names]
    before, documents, size = places_before(frame, reading, texts)
    halvings = _halvings(documents, size)
    drawn, halvings = _drawn(frame, reading, before, max(halvings - 1, 0), texts)
    rejects = reading.rejects()
    batches = list(reading.batches(drawn.to_batches(), "the sample", rejects))
    return joined_sample(data, batches, documents if halvings else sum(map(len, batches)), False)


def _halvings(documents: int, size: int) -> int:
    """How often every second document must be left out, if all are alike."""
    halvings = 0
    while documents >> halvings > kept.MOST_DOCUMENTS or size >> halvings > MOST_BYTES:
        halvings += 1
    return halvings


def _drawn(
    frame: DataFrame, reading: Reading, before: dict[int, int], halvings: int, texts: Sequence[int]
) -> tuple[pa.Table, int]:
    """The rows that stay, and after how many halvings: one less than it may be are drawn, and thinned here."""
    rows = with_columns(frame, reading.columns)
    schema = StructType([*rows.schema.fields, StructField(MARK, LongType())])
    with told():
        table = rows.mapInArrow(Drawing(before, halvings), schema).toArrow()
    numbers, sizes = table[MARK].to_numpy().view(np.uint64), sizes_of(table, texts)
    there = np.ones(len(numbers), dtype=bool)
    fits = not is_too_much(there, sizes)
    if fits and halvings:  # texts differ much in length: more may stay
        return _drawn(frame, reading, before, halvings - 1, texts)
    while is_too_much(there, sizes):
        halvings += 1
        there = numbers & np.uint64((1 << halvings) - 1) == 0
    return table.drop_columns([MARK]).filter(pa.array(there)), halvings


def is_too_much(
    there: np.ndarray[tuple[int], np.dtype[np.bool_]], sizes: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> bool:
    """Whether these rows are more than settings are chosen on."""
    return int(there.sum()) > kept.MOST_DOCUMENTS or int(sizes[there].sum()) > MOST_BYTES

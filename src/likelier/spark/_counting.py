"""Counting on Spark: every partition is counted by the kernel, and Spark adds up what they have counted.

    rows ──partition by partition──▶ tables of counts ──rows──▶ Spark's aggregation ──sorted pieces──▶ one table

A table that grows large is given away and begun anew, so that a worker needs the same memory for any number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from likelier._base.version import VERSION
from likelier._documents.schema import Schema
from likelier._documents.weights import UNIT
from likelier._model.models import Model
from likelier.spark._failures import noted, told
from likelier.spark._frames import with_columns
from likelier.spark._gathered import Gathered
from likelier.spark._partition import Frames, Reading
from likelier.spark._rows import KEYS, NUMBERS, SPARK_SCHEMA, rows_of, rows_of_ledger, rows_of_rejected
from likelier.spark._version import check_version

MOST_CELLS = 2_000_000  # of a table in a worker, after which it is given away: some hundred megabytes
PIECE = 8 << 20  # bytes of summed rows that come at a time
ADVISED = "spark.sql.adaptive.advisoryPartitionSizeInBytes"


@dataclass(frozen=True)
class Counting:
    """Counts the documents of a partition; Spark calls it in a worker.

    schema   what is counted
    ledger   whether fingerprints are noted
    most     cells that a table has before it is given away
    """

    reading: Reading
    schema: Schema
    ledger: bool = False
    most: int = MOST_CELLS
    version: str = VERSION

    @property
    def unit(self) -> int:
        """All rows have numbers that are multiples of 1/unit."""
        return 1 if self.reading.weights is None else UNIT

    def __call__(self, frames: Frames) -> Iterator[pa.RecordBatch]:
        check_version(self.version)
        with noted():
            yield from self.rows(frames, partition_name())

    def rows(self, frames: Frames, name: str) -> Iterator[pa.RecordBatch]:
        """The counts of a partition with this name, as rows."""
        rejects, model = self.reading.rejects(), self.empty()
        for batch in self.reading.batches(frames, name, rejects):
            model.count(batch.under(self.schema) if batch.schema is not None else batch, threads=1)
            if self.is_full(model):
                yield from self._rows_of(model)
                model = self.empty()
        yield from self._rows_of(model)
        yield from rows_of_rejected(rejects.reasons)

    def empty(self) -> Model:
        """A model that has counted nothing."""
        return Model(schema=self.schema, ledger=self.ledger)

    def is_full(self, model: Model, among: int = 1) -> bool:
        """Whether the model is so large that it is given away; `among` several, all have the room of one."""
        return _cells(model) * among >= self.most

    def _rows_of(self, model: Model) -> Iterator[pa.RecordBatch]:
        yield from rows_of(model.counts, self.unit)
        if model.ledger is not None:
            yield from rows_of_ledger(model.ledger)


def partition_name() -> str:
    """What a partition is called in messages."""
    context = TaskContext.get()
    return "the partition" if context is None else f"partition {context.partitionId()}"


def _cells(model: Model) -> int:
    tables = model.counts.columns.values()
    return sum(int(table.table.totals()[3].sum()) for table in tables) + len(model.ledger or ())


def summed(frame: DataFrame, counting: Counting) -> DataFrame:
    """What all partitions have counted, added up by Spark."""
    rows = with_columns(frame, counting.reading.columns).mapInArrow(counting, SPARK_SCHEMA)
    return rows.groupBy(*KEYS).agg(*(F.try_sum(name).alias(name) for name in NUMBERS))


def gathered(sums: DataFrame, counting: Counting) -> Gathered:
    """The sums as counts."""
    with told():
        return Gathered(counting.schema, counting.unit, pieces_of(sums))


def pieces_of(sums: DataFrame) -> Iterator[pa.Table]:
    """The sums, sorted; a partition at a time, so that the driver's Java never holds all of them."""
    packed = sums.orderBy(*KEYS).mapInArrow(_packed, "piece binary")
    with small_partitions(sums.sparkSession):
        for row in packed.toLocalIterator(prefetchPartitions=True):
            yield pa.ipc.open_stream(row["piece"]).read_all()


@contextmanager
def small_partitions(session: SparkSession) -> Iterator[None]:
    """While the block runs, Spark does not join sorted partitions to ones that the driver's Java has no room for."""
    before = session.conf.get(ADVISED, None)
    session.conf.set(ADVISED, str(PIECE))
    try:
        yield
    finally:
        session.conf.unset(ADVISED) if before is None else session.conf.set(ADVISED, before)


def _packed(frames: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    from likelier.spark._partition import joined

    for some in joined(frames, PIECE):
        sink: Any = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, some.schema) as stream:
            stream.write_batch(some)
        yield pa.RecordBatch.from_pydict({"piece": pa.array([sink.getvalue().to_pybytes()], pa.binary())})

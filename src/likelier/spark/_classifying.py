"""`classify`: the rows of a DataFrame with verdicts beside them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import types as T

from likelier._answer.verdict import Verdicts
from likelier._base.checks import check_flag
from likelier._base.errors import error
from likelier._base.version import VERSION
from likelier._documents.batch import Batch
from likelier._documents.labels import Label
from likelier._kernel import ArrowReader
from likelier._model.models import Model
from likelier._model.view import View
from likelier._read.faults import Fault, Place, RowOf
from likelier._read.rejects import Rejects
from likelier._read.tabular import ArrowTable, TableRows
from likelier._read.usable import usable
from likelier.spark._choosing import named, reading_of
from likelier.spark._counting import partition_name
from likelier.spark._failures import noted
from likelier.spark._frames import with_columns
from likelier.spark._partition import Frames, Reading, cut
from likelier.spark._shipping import checked_model, model_of_stream, shipped_model
from likelier.spark._version import check_version

NAMES = ("label", "probability", "probabilities", "unknown_share", "reason")
PREFIX = "likelier_"
SCORES = 1 << 21  # that a worker computes at a time, of all labels: about a hundred megabytes
_ARROW = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}  # by the type of labels
_SPARK: dict[type, T.DataType] = {str: T.StringType(), int: T.LongType(), bool: T.BooleanType()}


def classify(
    model: Model | View,
    frame: DataFrame,
    *,
    text: str | None = None,
    probabilities: bool = True,
    on_error: Literal["stop", "skip"] = "stop",
) -> DataFrame:
    """Classifies the rows of a DataFrame, which may be a stream. The verdicts are further columns.

    label          the decision; null when there is none
    probability    of the label; without a label, of the most probable one
    probabilities  a map of label to probability
    unknown_share  the share of unknown terms in the text, from 0 to 1
    reason         what to know about the decision, or null

    If the DataFrame has one of these columns, the new ones are called likelier_label and so on.

    model: a model, or a view of one.
    text: the column with the texts, for a model of plain texts. Default: the one that it was trained on.
    probabilities: False leaves out the map, which is large where there are many labels.
    on_error: "stop" at a row that cannot be used; with "skip" its label is null, and `reason` says what is wrong.

    >>> frame = spark.createDataFrame([("lunch today",), ("watches",)], "text string")  # doctest: +SKIP
    >>> [row["label"] for row in classify(model, frame).collect()]  # doctest: +SKIP
    ['ham', 'spam']
    """
    if not isinstance(frame, DataFrame):
        raise error("spark-frame-kind", got=frame)
    check_flag("probabilities", probabilities)
    if not checked_model(model).labels:
        raise error("model-empty")
    name, content = model_of_stream(frame, model)
    reading = reading_of(frame, named(text=text, schema=model.schema), label=None, labeled=False, on_error=on_error)
    if reading.choice.absent:
        warnings.warn(reading.choice.notes[0], stacklevel=2)  # which columns are taken as missing
    places = tuple(frame.columns.index(column) for column in reading.columns)
    rows = with_columns(frame, frame.columns)
    kind = type(model.labels[0])
    classifying = Classifying(name, reading, places, probabilities, kind.__name__, content)
    fields = [T.StructField(name, each) for name, each in _fields(_SPARK[kind]).items() if name in classifying.names]
    found = rows.mapInArrow(classifying, T.StructType([*rows.schema.fields, *fields]))
    return found.toDF(*frame.columns, *_free(classifying.names, frame.columns))


def _fields(label: T.DataType) -> dict[str, T.DataType]:
    number = T.DoubleType()
    return dict(zip(NAMES, (label, number, T.MapType(label, number, False), number, T.StringType()), strict=True))


def _free(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The names of new columns, where the frame has none of them."""
    there, prefix = {name.lower() for name in taken}, ""
    while any(prefix + name in there for name in names):
        prefix += PREFIX
    return [prefix + name for name in names]


@dataclass(frozen=True)
class Classifying:
    """Classifies the rows of a partition; Spark calls it in a worker.

    model          the name under which the model was shipped
    places         of the columns that are read
    probabilities  whether there is a map of them
    kind           of labels
    content        of the model, where it could not be shipped
    """

    model: str
    reading: Reading
    places: tuple[int, ...]
    probabilities: bool
    kind: str
    content: bytes = field(default=b"", repr=False)
    version: str = VERSION

    @property
    def names(self) -> list[str]:
        """The columns that it adds."""
        return [name for name in NAMES if self.probabilities or name != "probabilities"]

    def __call__(self, frames: Frames) -> Iterator[pa.RecordBatch]:
        check_version(self.version)
        with noted():
            yield from self.rows(frames, shipped_model(self.model, self.content).view(), partition_name())

    def rows(self, frames: Frames, view: View, name: str) -> Iterator[pa.RecordBatch]:
        """The rows with verdicts."""
        start = 0
        for frame in cut(frames, max(SCORES // len(view.labels), 1)):
            read = frame.select([frame.schema.names[place] for place in self.places])
            answers = self._answers(read.rename_columns(self.reading.columns), view, name, start)
            yield pa.RecordBatch.from_arrays([*frame.columns, *answers], names=[*frame.schema.names, *self.names])
            start += frame.num_rows

    def _answers(self, frame: pa.RecordBatch, view: View, name: str, start: int) -> list[pa.Array]:
        bad = KeptFaults(self.reading.skip)
        rows, verdicts = np.arange(0), None
        reader = ArrowReader(pa.Table.from_batches([frame]))
        table = ArrowTable(name, reader, reader.names)
        table.check(self.reading.choice)
        for part in table.read(self.reading.columns):
            batch, rows = _documents(part, self.reading, name, start, bad)
            verdicts = view.classify_many(batch, threads=1) if len(batch) else None
        answers = answers_of(verdicts, view.labels, _ARROW[_KINDS[self.kind]])
        found = [_spread(answers[name], rows, frame.num_rows) for name in self.names]
        return found if not bad.messages else [*found[:-1], _with_messages(found[-1], bad.messages, start)]


_KINDS: dict[str, type] = {kind.__name__: kind for kind in _ARROW}


class KeptFaults(Rejects):
    """What is wrong with rows that cannot be used, by their numbers."""

    def __init__(self, skip: bool) -> None:
        super().__init__("skip" if skip else "stop")
        self.messages: dict[int, str] = {}

    def take(self, faults: Iterable[Fault], row_of: RowOf | None = None) -> None:
        several = list(faults)
        super().take(several, row_of)
        self.messages |= {fault.line: fault.error.message for fault in several}


def _documents(
    part: TableRows, reading: Reading, name: str, start: int, bad: Rejects
) -> tuple[Batch, np.ndarray[Any, Any]]:
    """The documents of some rows that can be used, and which rows they are."""
    length = len(part.numbers)
    batch = usable(
        part.columns,
        reading.choice,
        lambda row: Place(name, "row", start + row),
        bad,
        rows_of=lambda rows: [{"rows": rows}],
        length=length,
    )
    (kept,) = batch.rows()
    return batch, kept["rows"]


def answers_of(verdicts: Verdicts | None, labels: tuple[Label, ...], kind: pa.DataType) -> dict[str, pa.Array]:
    """Verdicts as columns of Arrow."""
    if verdicts is None:
        empty = (kind, pa.float64(), pa.map_(kind, pa.float64()), pa.float64(), pa.string())
        return {name: pa.array([], each) for name, each in zip(NAMES, empty, strict=True)}
    columns, several = verdicts.columns, len(labels)
    chosen = pa.array(np.where(columns < 0, 0, columns), mask=columns < 0)
    named = pa.array(labels, kind)
    ends = np.arange(len(columns) + 1, dtype=np.int32) * several
    keys = named.take(pa.array(np.tile(np.arange(several), len(columns))))
    return {
        "label": named.take(chosen),
        "probability": pa.array(verdicts.probability),
        "probabilities": pa.MapArray.from_arrays(pa.array(ends), keys, pa.array(verdicts.probabilities.reshape(-1))),
        "unknown_share": pa.array(verdicts.unknown_share),
        "reason": pa.array(verdicts.reasons, pa.string()),
    }


def _spread(values: pa.Array, rows: np.ndarray[Any, Any], length: int) -> pa.Array:
    """Values of some rows as a column of all of them; null in the others."""
    if len(values) == length:
        return values
    places = np.full(length, -1)
    places[rows] = np.arange(len(rows))
    return values.take(pa.array(places, mask=places < 0))


def _with_messages(reasons: pa.Array, messages: dict[int, str], start: int) -> pa.Array:
    told = reasons.to_pylist()
    for row, message in messages.items():
        told[row - start] = message
    return pa.array(told, pa.string())

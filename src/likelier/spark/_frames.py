"""A DataFrame of Spark: which columns there are, its first rows, and the session it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema

from likelier._base.errors import error
from likelier._kernel import ArrowReader
from likelier._read.tabular import SAMPLE_ROWS, ArrowTable
from likelier.spark._failures import told

NAME = "the DataFrame"


def checked_frame(frame: object) -> DataFrame:
    """The DataFrame, if it is one that ends."""
    if not isinstance(frame, DataFrame):
        raise error("spark-frame-kind", got=frame)
    if frame.isStreaming:
        raise error("spark-streaming")
    return frame


def column(name: str) -> Any:
    """A column by its name, whatever characters that has."""
    return F.col("`{}`".format(name.replace("`", "``")))


def with_columns(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    """The DataFrame with these columns alone, under numbers: `mapInArrow` does not find a name that has a dot."""
    return frame.select(*(column(name).alias(f"c{place}") for place, name in enumerate(names)))


def beginning(frame: DataFrame, *, look: bool) -> ArrowTable:
    """The first rows as a table of which columns are chosen; without a look, only their names and types."""
    _check_names(frame)
    if look:
        with told():
            rows = frame.limit(SAMPLE_ROWS).toArrow()
    else:
        rows = to_arrow_schema(frame.schema).empty_table()
    reader = ArrowReader(rows)
    return ArrowTable(NAME, reader, reader.names)


def _check_names(frame: DataFrame) -> None:
    """Spark takes two columns of one name, and then finds neither; case is no difference to it."""
    names = [name.lower() for name in frame.columns]
    for name in names:
        if names.count(name) > 1:
            raise error("column-twice", got=name, source=NAME)

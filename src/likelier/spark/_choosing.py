"""Which columns of a DataFrame are read, and as what: by the rules for data frames that are read here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pyspark.sql import DataFrame

from likelier._base.errors import error
from likelier._documents.batch import Batch
from likelier._documents.labels import spellings
from likelier._documents.schema import Schema
from likelier._kernel import Column
from likelier._model.models import Model
from likelier._read.choice import Choice, choose
from likelier._read.faults import Place
from likelier._read.rejects import Rejects
from likelier._read.tabular import listed
from likelier._read.usable import usable
from likelier._read.wanted import Wanted, as_names, label_name, wanted
from likelier.spark._failures import told
from likelier.spark._frames import NAME, beginning, column
from likelier.spark._partition import Reading


def reading_of(
    frame: DataFrame,
    asked: Wanted,
    *,
    label: str | None,
    labeled: bool = True,
    weights: str | None = None,
    on_error: str = "stop",
) -> Reading:
    """How the rows are read: the first ones are looked at where something is guessed."""
    skip = Rejects(on_error).skip
    label = label_name(label)
    kinds = asked.kinds if asked.schema is None else asked.schema.read
    numeric = any(kind.holds == "number" for kind in kinds.values())
    look = asked.is_open or (labeled and label is None) or asked.others == "guess" or numeric
    table = beginning(frame, look=look)
    if weights is not None and weights not in frame.columns:
        raise error("column-unknown.source", source=NAME, names=listed(frame.columns), got=weights)
    if weights is not None and asked.is_open:
        asked = replace(asked, ignore=(*asked.ignore, weights))
    choice = choose(table, asked, label=label, labeled=labeled)
    table.check(choice)
    return Reading(choice, weights=weights, skip=skip)


def labels_as_text(frame: DataFrame, **given: Any) -> DataFrame:
    """The DataFrame with its labels as text, as all files give them; the label column is guessed if it is not named."""
    label = given.pop("label")
    if label is None:
        label = reading_of(frame, named(**given), label=None).choice.label
    if label not in frame.columns:
        return frame  # training says what is wrong
    return frame.withColumn(label, column(label).cast("string"))


def named(**given: Any) -> Wanted:
    """The columns that were named, as `wanted` takes them."""
    names = ("text", "categorical", "binary", "numeric", "ignore")
    return wanted(**{name: as_names(each) if name in names else each for name, each in given.items()})


def under(reading: Reading, schema: Schema) -> Reading:
    """The same rows as documents with this schema: with its analyzers, and its columns bound."""
    if schema.is_plain:
        return reading
    return replace(reading, choice=replace(reading.choice, schema=schema))


def with_spellings(frame: DataFrame, reading: Reading, like: Model | None) -> Reading:
    """The same with labels joined that differ only in case or blanks: those of a model, or the most frequent ones."""
    if like is not None:
        return replace(reading, labels=like.labels)
    name = reading.choice.label
    assert name is not None
    with told():
        rows = frame.where(column(name).isNotNull()).groupBy(column(name).alias("label")).count().collect()
    found = spellings({row["label"]: row["count"] for row in rows})
    return replace(reading, labels=tuple(found.values()))


def no_documents(choice: Choice) -> Batch:
    """A batch of no documents, which has only their columns."""
    empty = Column.from_list([])
    columns = dict.fromkeys(choice.columns, empty)
    return usable(columns, choice, lambda row: Place(NAME, "row", row), Rejects(), length=0)

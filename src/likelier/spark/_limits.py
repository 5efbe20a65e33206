"""A limit to the vocabulary: the rarest terms are dropped after Spark has added them up, before they reach the driver.

The counts of the others stay exact. Where documents are counted one after the other, they may not: there a term that is
dropped and comes again starts at 0. So the bound of `Pruned` is that of terms that were dropped: none of them occurred
more often.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F

from likelier._counts.pruning import Pruned
from likelier._documents.schema import Schema
from likelier.spark._failures import told
from likelier.spark._rows import CELLS

Lost = dict[str, Pruned]  # by column


def limited(sums: DataFrame, schema: Schema, unit: int, most: int | None, least: int) -> tuple[DataFrame, Lost]:
    """The sums without the rarest terms of each text column, and what was lost; the sums should be persistent.

    most: how many terms a column may have; least: how often a term must occur.
    """
    places = {place: name for place, name in enumerate(schema.columns) if name in schema.texts}
    is_term = (F.col("kind") == CELLS) & F.col("column").isin(list(places))
    totals = sums.where(is_term).groupBy("column", "term").agg(F.sum("tf").alias("total"))
    with told():
        sizes = {
            row["column"]: row["terms"] for row in totals.groupBy("column").agg(F.count("*").alias("terms")).collect()
        }
    often = totals.where(F.col("total") >= least * unit)
    stay = [
        _most_frequent(often, place, most if most is not None and size > most else None)
        for place, size in sizes.items()
    ]
    if not stay or (least <= 1 and (most is None or max(sizes.values()) <= most)):
        return sums, {}
    staying = stay[0]
    for other in stay[1:]:
        staying = staying.unionAll(other)
    kept = sums.where(is_term).join(staying, ["column", "term"], "left_semi").select(sums.columns)
    dropped = totals.join(staying, ["column", "term"], "left_anti").groupBy("column")
    numbers = (F.count("*").alias("terms"), F.sum("total").alias("tokens"), F.max("total").alias("bound"))
    with told():
        lost = {places[row["column"]]: _lost(row, unit) for row in dropped.agg(*numbers).collect()}
    return sums.where(~is_term).unionAll(kept), lost


def _most_frequent(totals: DataFrame, place: int, most: int | None) -> DataFrame:
    """The most frequent terms of a column; of equally frequent ones the first by their bytes."""
    mine = totals.where(F.col("column") == place)
    mine = mine if most is None else mine.orderBy(F.desc("total"), "term").limit(most)
    return mine.select("column", "term")


def _lost(row: Row, unit: int) -> Pruned:
    return Pruned(row["terms"], _number(row["tokens"], unit), _number(row["bound"], unit))


def _number(units: int, unit: int) -> Any:
    value = Fraction(units, unit)
    return int(value) if value.denominator == 1 else value


def put_lost(columns: Mapping[str, Any], lost: Lost) -> None:
    """Says in the tables of columns what they have lost."""
    for name, each in lost.items():
        columns[name].pruned = each

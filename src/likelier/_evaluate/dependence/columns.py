"""The columns of documents as values that can be counted in pairs: numbers in intervals, rare values as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import InputError
from likelier._counts.mixed import MixedCounts
from likelier._counts.numeric import NumericCounts
from likelier._counts.term_counts import Counts
from likelier._documents.kinds import Kind, Text
from likelier._documents.values import Choices, Numbers, Values
from likelier._estimate.intervals import cut_points
from likelier._estimate.numeric import ByInformation, Cuts, EqualFrequency, Gaussian, NumericRule
from likelier._estimate.parts import IntervalPart
from likelier._evaluate.dependence.source import Source
from likelier._evaluate.dependence.together import Together, most_things
from likelier._model.estimates import estimates
from likelier._settings.values import Settings

MOST_VALUES = 2000  # of all columns together
MOST_COLUMNS = 500
QUARTERS = 4
RARE = 5  # a value of fewer documents tells nothing about others: where all are different, each says everything
MANY = 50  # documents, from which on that holds
REST = "(other values)"


@dataclass(frozen=True)
class Columns:
    """The columns that can be looked at in pairs, and the values that each is looked at with."""

    kinds: dict[str, Kind]
    values: dict[str, list[str]]
    intervals: dict[str, IntervalPart]

    def choices(self, columns: Mapping[str, Values]) -> dict[str, Choices]:
        """The columns of some documents, numbers in intervals."""
        found: dict[str, Choices] = {}
        for name in self.values:
            values = columns[name]
            if isinstance(values, Numbers):
                values = self.intervals[name].choices(values)
            assert isinstance(values, Choices)
            found[name] = values
        return found

    def codes(self, choices: Choices, name: str) -> NDArray[np.intp]:
        """Which of the column's values each document has, -1 where it is missing."""
        places = {value: place for place, value in enumerate(self.values[name])}
        codes = [places.get(value, len(places) - 1) for value in choices.values]  # the last one is the rest
        return np.array([*codes, -1], dtype=np.intp)[choices.which]


def columns_of(source: Source, settings: Settings) -> Columns:
    """What can be looked at in pairs; a column that has only one value cannot depend on another."""
    counts, schema = source.model.counts, source.model.schema
    if not isinstance(counts, MixedCounts):
        return Columns({}, {}, {})
    rules = {
        name: {"numeric": rule}
        for name, column in counts.columns.items()
        if isinstance(column, NumericCounts) and (rule := interval_rule(settings.of_column(name).numeric, column))
    }
    parts = estimates(counts, schema, settings.changed(columns=rules)).parts
    intervals = {name: part for name, part in parts.items() if isinstance(part, IntervalPart)}
    least = RARE if counts.unit == 1 and source.model.documents >= MANY else 1
    tables = {name: column for name, column in counts.columns.items() if isinstance(column, Counts)}
    values = {
        name: intervals[name].intervals if name in intervals else _by_frequency(tables[name], least)
        for name, kind in schema.columns.items()
        if not isinstance(kind, Text) and (name in intervals or name in tables)
    }
    varied = {name: found for name, found in values.items() if len(found) > 1}
    _check_number(len(varied))
    most = min(MOST_VALUES, most_things(len(counts.labels), source.weighted))
    return Columns(dict(schema.columns), _fitting(varied, most), intervals)


def interval_rule(rule: NumericRule, column: NumericCounts) -> NumericRule | None:
    """The view's own intervals; for a normal distribution the cut points that tell most about the label.

    Where these are few, quarters are cut too: inside a label, a single cut that tells it from others leaves nothing.
    """
    if not isinstance(rule, Gaussian):
        return rule
    values, counts = column.values()
    cuts = cut_points(ByInformation(), values, counts, unit=column.unit)
    if len(cuts) < QUARTERS - 1:
        cuts = sorted({*cuts, *cut_points(EqualFrequency(QUARTERS), values, counts, unit=column.unit)})
    return Cuts(tuple(cuts)) if cuts else None


def _by_frequency(table: Counts, least: int) -> list[str]:
    """The values, most frequent first; those that are too rare to tell anything are one value."""
    totals = table.snapshot.term_totals("tf")
    ids = np.flatnonzero(totals).astype(np.uint32)
    named = zip(totals[ids].tolist(), table.snapshot.table.texts(ids), strict=True)
    ranked = sorted(named, key=lambda pair: (-pair[0], pair[1]))
    often = [name for times, name in ranked if times >= least]
    return [*often, REST] if len(often) < len(ranked) - 1 else [name for _, name in ranked]


def _fitting(values: Mapping[str, list[str]], most: int) -> dict[str, list[str]]:
    """The values of all columns, as many of each as fit into the whole; the rarer ones are one value."""
    limit = max((len(found) for found in values.values()), default=0)
    while sum(min(len(found), limit) for found in values.values()) > most and limit > 2:
        limit = max(limit * 3 // 4, 2)
    return {name: found if len(found) <= limit else [*found[: limit - 1], REST] for name, found in values.items()}


def _check_number(columns: int) -> None:
    if columns > MOST_COLUMNS:
        raise InputError(
            code="dependence-columns",
            message=f"pairs are looked at among at most {MOST_COLUMNS} columns, got {columns}",
            hint="leave some out: ignore=[...], or name those to look at: categorical=[...], numeric=[...]",
        )


def count_together(source: Source, columns: Columns) -> Together:
    """How often each value of each column stands with each value of the others."""
    sizes = [len(found) for found in columns.values.values()]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
    together = Together(int(starts[-1]), len(source.model.labels), source.weighted)
    for piece in source:
        choices = columns.choices(piece.columns)
        codes = np.stack([columns.codes(choices[name], name) for name in columns.values], axis=1)
        rows, which = np.nonzero(codes >= 0)
        together.add(rows, codes[rows, which] + starts[which], piece.labels, piece.units)
    return together

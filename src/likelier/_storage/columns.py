"""The counts of documents with columns as arrays, and back.

unit, documents    how many documents each label has
0.unit, 0.terms    the table of the first column, and so on: the columns are numbered as the schema has them
0.cell_weights     of a text column with a weighting also the weighted sums
0.sums, 0.squares  of a numeric column also the sums behind mean and variance
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from likelier._counts.by_column import Counts, counts_of, empty_table
from likelier._counts.moments import number_of, spelled
from likelier._counts.tables import WEIGHTS
from likelier._counts.term_counts import MOST, TermCounts
from likelier._counts.value_counts import NumericCounts
from likelier._documents.kinds import Kind
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._documents.weights import UNIT
from likelier._storage.layout import Array, Nonsense, json_of, narrow
from likelier._storage.tables import (
    COUNTS,
    check_labels,
    hold,
    labels_of,
    table_arrays,
    table_names,
    terms_of,
    unit_of,
    without_terms,
)

DOCUMENTS = ("unit", "documents")
SUMS = (
    "sum_unit",
    "moments",
    "sums",
    "sum_ends",
    "sum_shifts",
    "sum_signs",
    "squares",
    "square_ends",
    "square_shifts",
)
_PARTS = (*COUNTS, WEIGHTS, *SUMS)
_LARGEST = 1e150  # in size; a numeric column has no larger numbers
_CERTAIN = 15  # digits; a number with at most 15 is written as it was read, unless it is very small


# ---- writing -----------------------------------------------------------------------------------------------------


def column_arrays(counts: Counts) -> dict[str, Array]:
    """The arrays of all columns, in no order yet."""
    total = table_arrays(counts.sizes)
    arrays = {name: total[name] for name in DOCUMENTS}
    for number, table in enumerate(counts.columns.values()):
        sums = table.sum_arrays()
        own = table_arrays(table) | {name: narrow(sums[name]) for name in SUMS if name in sums}
        arrays |= {f"{number}.{name}": array for name, array in own.items()}
    return arrays


def has_df_of(counts: Counts) -> list[bool]:
    """Column by column, whether it is known in how many documents each term stands."""
    return [table.has_df for table in counts.columns.values()]


# ---- reading -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outline:
    """A column, whatever else the schema says about it."""

    name: str
    kind: str
    weighting: object = None

    @property
    def arrays(self) -> tuple[str, ...]:
        """The names of its arrays."""
        return (*COUNTS, *SUMS) if self.kind == "numeric" else table_names(self.weighting)

    @property
    def identity(self) -> list[object]:
        """What tells it from columns of other counts."""
        return [self.name, self.kind] if self.weighting is None else [self.name, self.kind, self.weighting]


def column_names(columns: list[Outline]) -> list[str]:
    """The names of all arrays, for such columns."""
    return [*DOCUMENTS, *(f"{number}.{name}" for number, column in enumerate(columns) for name in column.arrays)]


def outline(texts: Mapping[str, str]) -> list[Outline]:
    """The columns that a header names."""
    schema = json_of(texts, "schema")
    columns = schema.get("columns") if isinstance(schema, dict) else None
    if not isinstance(columns, list) or not all(map(_is_named, columns)):
        raise Nonsense("'schema' is not an object with columns")
    return [Outline(column["name"], column["kind"], column.get("weighting")) for column in columns]


def _is_named(column: object) -> bool:
    return isinstance(column, dict) and all(isinstance(column.get(name), str) for name in ("name", "kind"))


def columns_from(texts: Mapping[str, str], arrays: Mapping[str, Array], schema: Schema) -> Counts:
    """Counts with these arrays. Nothing about them is trusted."""
    labels, has_df = labels_of(texts), json_of(texts, "has_df")
    if not isinstance(has_df, list) or len(has_df) != len(schema.columns):
        raise Nonsense("'has_df' is not a list with a boolean for each column")
    sizes = TermCounts()
    hold(sizes, labels, without_terms({name: arrays[name] for name in DOCUMENTS}), has_df=True)
    check_labels(sizes, labels)
    unit = max(unit_of(array) for name, array in arrays.items() if name.rpartition(".")[2] in ("unit", "sum_unit"))
    _check_room(sizes, unit)
    columns: dict[str, TermCounts] = {}
    for number, (name, kind) in enumerate(schema.columns.items()):
        own = {part: arrays[f"{number}.{part}"] for part in _PARTS if f"{number}.{part}" in arrays}
        try:
            columns[name] = empty_table(kind)
            _fill(columns[name], kind, labels, own, has_df=has_df[number], total=sizes, unit=unit)
        except Nonsense as reason:
            raise Nonsense(f"column {name!r:.60}: {reason}") from None
    return counts_of(schema, columns, sizes)


def _fill(
    table: TermCounts,
    kind: Kind,
    labels: list[Label],
    arrays: Mapping[str, Array],
    *,
    has_df: Any,
    total: TermCounts,
    unit: int,
) -> None:
    hold(table, labels, arrays, has_df=has_df)
    table.require(labels)
    _check_room(table, unit)
    _check_documents(table, total, arrays)
    if kind.has_one_value:
        _check_values(table, arrays)
    if kind.is_closed and not {*terms_of(arrays)} <= {*kind.declared}:
        raise Nonsense(f"there are other values than {' and '.join(kind.declared)}")
    if isinstance(table, NumericCounts):
        _fill_sums(table, arrays)


def _check_room(table: TermCounts, unit: int) -> None:
    """Whether the numbers can be counted in this unit, which is that of all columns."""
    sums = (table.snapshot.documents, table.snapshot.totals("tf"), table.snapshot.totals("weighted"))
    largest = max(int(numbers.max(initial=0)) for numbers in sums)
    if largest * (unit // table.unit) > MOST:
        raise Nonsense("a count is larger than it can be")


def _check_documents(table: TermCounts, total: TermCounts, arrays: Mapping[str, Array]) -> None:
    """No term occurs in more documents than the column has, and the column has no more than there are."""
    mine, all_of_them = table.snapshot.documents, total.snapshot.documents
    if (arrays["cell_df"] > mine[arrays["cell_labels"]]).any():
        raise Nonsense("a term occurs in more documents than there are")
    fewer, more = (
        [number * (UNIT // counts.unit) for number in documents.tolist()]
        for counts, documents in ((table, mine), (total, all_of_them))
    )
    if any(number > limit for number, limit in zip(fewer, more, strict=True)):
        raise Nonsense("it has more documents than the model")


def _check_values(table: TermCounts, arrays: Mapping[str, Array]) -> None:
    """Each document has one value."""
    once = table.has_df and np.array_equal(arrays["cell_tf"], arrays["cell_df"])
    if not once or not np.array_equal(table.snapshot.totals("tf"), table.snapshot.documents):
        raise Nonsense("there is not one value for each document")


def _fill_sums(table: NumericCounts, arrays: Mapping[str, Array]) -> None:
    _check_terms(terms_of(arrays), table.digits)
    unit = unit_of(arrays["sum_unit"])
    if unit not in (1, UNIT):
        raise Nonsense("the unit of the sums makes no sense")
    documents = [number * (UNIT // table.unit) for number in table.snapshot.documents.tolist()]
    if documents != [number * (UNIT // unit) for number in arrays["moments"].ravel().tolist()]:
        raise Nonsense("the sums are those of another number of documents")
    try:
        table.hold_sums({name: arrays[name] for name in SUMS})
    except ValueError as reason:
        raise Nonsense(str(reason)) from None


def _check_terms(terms: list[str], digits: int) -> None:
    seldom = terms
    if 1 < digits <= _CERTAIN:
        usual = re.compile(rf"-?[1-9]\.\d{{{digits - 1}}}e(?:\+|-(?!00))(?:\d\d|1[0-4]\d)", re.ASCII).fullmatch
        seldom = [term for term in terms if not usual(term)]
    try:
        numbers = np.array([number_of(term) for term in seldom], dtype=np.float64)
    except ValueError as reason:
        raise Nonsense(str(reason)) from None
    if spelled(numbers, digits) != seldom or bool((abs(numbers) > _LARGEST).any()):
        raise Nonsense(f"there are numbers that are too large or have not {digits} digits")

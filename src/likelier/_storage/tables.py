"""One table of counts as arrays, and back: what a model of plain texts has one of, and every column of another model.

The arrays are `TermCounts.arrays()`, each in the narrowest type that holds its values: equal counts are equal bytes.

Terms that were dropped while counting are noted in the header, for each text column that has lost some:

    {"text": {"terms": 12, "tokens": 15, "bound": 2, "unit": 1}}

Tokens and bound are multiples of 1/unit. The column of plain texts is "text".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from likelier._counts.by_column import Counts
from likelier._counts.pruning import Pruned
from likelier._counts.tables import WEIGHTS
from likelier._counts.term_counts import MOST, TermCounts
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._documents.weights import UNIT
from likelier._storage.layout import Array, Nonsense, json_of, narrow

COUNTS = ("unit", "documents", "term_ends", "cell_ends", "cell_labels", "cell_tf", "cell_df", "terms")


def table_names(weighting: object) -> tuple[str, ...]:
    """The arrays of a table with this weighting, or with none."""
    return COUNTS if weighting is None else (*COUNTS, WEIGHTS)


def table_arrays(counts: TermCounts) -> dict[str, Array]:
    """The arrays of a table, in no order yet."""
    arrays = counts.arrays()
    return {name: narrow(arrays[name]) for name in table_names(counts.weighting)}


def hold(counts: TermCounts, labels: list[Label], arrays: Mapping[str, Array], *, has_df: object) -> None:
    """Puts these arrays into empty counts, over all labels. Nothing about them is trusted."""
    if arrays["terms"].itemsize != 1:
        raise Nonsense("an array has the wrong shape or type")
    if not isinstance(has_df, bool) or unit_of(arrays["unit"]) not in (1, UNIT):
        raise Nonsense("`has_df` or the unit of the counts makes no sense")
    if len(labels) != arrays["documents"].size or int(arrays["documents"].max(initial=0)) > MOST:
        raise Nonsense("the numbers of documents do not fit the labels")
    try:
        counts.hold(labels, {name: arrays[name] for name in table_names(counts.weighting)})
    except ValueError as reason:  # from the kernel
        raise Nonsense(str(reason)) from None
    counts.has_df = has_df


def terms_of(arrays: Mapping[str, Array]) -> list[str]:
    """All terms of arrays that were checked."""
    joined, ends = arrays["terms"].tobytes(), arrays["term_ends"].tolist()
    return [joined[begin:end].decode() for begin, end in zip([0, *ends], ends, strict=False)]


def without_terms(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays of a table that has documents only."""
    none = np.zeros(0, dtype=np.uint8)
    return {name: arrays.get(name, none) for name in COUNTS}


def check_labels(counts: TermCounts, labels: Sequence[Label]) -> None:
    """Whether all labels have counts, and are sorted."""
    if list(counts.labels) != labels:
        raise Nonsense("the labels are not sorted, or one has no counts")


def labels_of(texts: Mapping[str, str]) -> list[Label]:
    """The labels that a header names."""
    labels = json_of(texts, "labels")
    if not isinstance(labels, list) or not all(isinstance(label, str | int) for label in labels):
        raise Nonsense("the labels are not a list of texts, integers or booleans")
    if len(set(labels)) < len(labels):
        raise Nonsense("a label occurs twice")
    return labels


def unit_of(array: Array) -> int:
    """The unit that an array of one number gives."""
    if array.shape != (1,):
        raise Nonsense("an array has the wrong shape or type")
    return int(array[0])


PRUNED = "pruned"  # the name of the text
_FIELDS = {"terms", "tokens", "bound", "unit"}


def pruned_to_plain(counts: Counts) -> dict[str, dict[str, int]]:
    """What each text column has lost; empty if none has lost anything."""
    return {name: _to_plain(table.pruned) for name, table in counts.columns.items() if table.pruned is not None}


def put_pruned(counts: Counts, stored: object, schema: Schema) -> None:
    """Puts what was lost into the counts. Nothing about it is trusted."""
    if not isinstance(stored, dict) or not stored or not stored.keys() <= schema.texts.keys():
        raise Nonsense("'pruned' does not name text columns")
    for name, lost in stored.items():
        counts.columns[name].pruned = _from_plain(lost)


def _to_plain(pruned: Pruned) -> dict[str, int]:
    unit = 1 if all(number == int(number) for number in (pruned.tokens, pruned.bound)) else UNIT
    return {
        "terms": pruned.terms,
        "tokens": int(pruned.tokens * unit),
        "bound": int(pruned.bound * unit),
        "unit": unit,
    }


def _from_plain(stored: Any) -> Pruned:
    if not isinstance(stored, dict) or stored.keys() != _FIELDS or {*map(type, stored.values())} != {int}:
        raise Nonsense("'pruned' has not the numbers that it should have")
    terms, tokens, bound, unit = (stored[name] for name in ("terms", "tokens", "bound", "unit"))
    if unit not in (1, UNIT) or not 1 <= terms <= tokens * UNIT or not 1 <= bound <= tokens:
        raise Nonsense("'pruned' has numbers that cannot be")
    return Pruned(terms, _number(tokens, unit), _number(bound, unit))


def _number(units: int, unit: int) -> int | Fraction:
    value = Fraction(units, unit)
    return int(value) if value.denominator == 1 else value

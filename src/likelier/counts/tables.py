"""Counts as tables: in from plain mappings, out to plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likelier.counts.documents import UNIT
from likelier.counts.labels import Label, checked_labels
from likelier.errors import InputError

if TYPE_CHECKING:
    from likelier.counts.counts import Counts

Cells = Mapping[str, Mapping[Label, float]]


def fill(counts: Counts, table: Cells, documents: Mapping[Label, float], frequencies: Cells) -> None:
    """Puts a table of numbers into empty counts."""
    numbers = [number for row in (*table.values(), *frequencies.values(), documents) for number in row.values()]
    counts.unit = 1 if all(_checked(number) == int(number) for number in numbers) else UNIT
    labels = checked_labels(dict.fromkeys(label for row in (*table.values(), documents) for label in row))
    _check_rows(table, frequencies)

    def units(rows: Cells, label: Label) -> list[int]:
        return [round(rows.get(term, {}).get(label, 0) * counts.unit) for term in table]

    for label in labels:
        counts.put(
            label,
            round(documents.get(label, 0) * counts.unit),
            list(table),
            units(table, label),
            units(frequencies, label),
        )


def _checked(number: Any) -> float:
    if isinstance(number, bool) or not isinstance(number, int | float | np.number) or not 0 <= number <= 1e15:
        raise InputError(
            code="count-range",
            message=f"a count must be a number of 0 or more, got {number!r}",
            hint="the table is {term: {label: how often}}",
        )
    return float(number)


def _check_rows(table: Cells, frequencies: Cells) -> None:
    for term, row in table.items():
        if not isinstance(term, str) or not any(row.values()):
            raise InputError(
                code="term-without-counts",
                message=f"every term of the table must have been seen under a label, got {term!r}: {dict(row)!r}",
                hint="leave it out: a term that was never seen is unknown, and `unknown=` says what that means",
            )
        for label, number in frequencies.get(term, {}).items():
            if number > row.get(label, 0):
                raise InputError(
                    code="documents-exceed-tokens",
                    message=f"a term stands in at most as many documents as it has tokens,"
                    f" got {number} documents and {row.get(label, 0)} tokens for {term!r} under {label!r}",
                    hint="`table` counts every occurrence, `document_frequencies` counts documents",
                )


def canonical_arrays(counts: Counts) -> dict[str, NDArray[Any]]:
    """Terms as UTF-8 with offsets, sorted by bytes; for each term its labels (sorted), tf and df, end to end."""
    snapshot = counts.snapshot
    unit = _smallest_unit(counts)
    tf, df = snapshot.matrix("tf"), snapshot.matrix("df")
    ids = np.flatnonzero(tf.any(axis=1) | df.any(axis=1)).astype(np.uint32)
    spelled = [text.encode() for text in counts.table.texts(ids)]
    order = sorted(range(len(ids)), key=spelled.__getitem__)
    ids = ids[order]
    rows, columns = np.nonzero(tf[ids] | df[ids])
    return {
        "unit": np.array([counts.unit // unit], dtype=np.uint64),
        "documents": snapshot.documents // np.uint64(unit),
        "terms": np.frombuffer(b"".join(spelled[place] for place in order), dtype=np.uint8),
        "term_ends": np.cumsum([len(spelled[place]) for place in order], dtype=np.uint64),
        "cell_ends": np.cumsum(np.bincount(rows, minlength=len(ids)), dtype=np.uint64),
        "cell_labels": columns.astype(np.uint32),
        "cell_tf": tf[ids[rows], columns] // np.uint64(unit),
        "cell_df": df[ids[rows], columns] // np.uint64(unit),
    }


def _smallest_unit(counts: Counts) -> int:
    """What all numbers can be divided by: once the weighted documents are forgotten, the unit is 1 again."""
    if counts.unit == 1:
        return 1
    snapshot, unit = counts.snapshot, np.uint64(counts.unit)
    parts = (snapshot.documents, snapshot.matrix("tf"), snapshot.matrix("df"))
    return counts.unit if not any((part % unit).any() for part in parts) else 1

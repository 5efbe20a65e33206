"""Counts as tables: in from plain mappings, out to plain arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.checks import is_unicode
from likelier._base.errors import error
from likelier._documents.labels import Label, checked_labels
from likelier._documents.weights import UNIT

if TYPE_CHECKING:
    from likelier._counts.term_counts import TermCounts

Cells = Mapping[str, Mapping[Label, float]]


def fill(counts: TermCounts, table: Cells, documents: Mapping[Label, float] | None, frequencies: Cells | None) -> None:
    """Puts a table of numbers into empty counts."""
    _check_shape(table, documents, frequencies)
    numbers = [
        number for row in (*table.values(), *(frequencies or {}).values(), documents or {}) for number in row.values()
    ]
    counts.unit = 1 if all(_checked(number) == int(number) for number in numbers) else UNIT
    labels = checked_labels(dict.fromkeys(label for row in (*table.values(), documents or {}) for label in row))
    _check_terms(table, frequencies or {})
    if documents is not None or frequencies is not None:
        _check_documents(labels, documents or {}, frequencies or {})

    def units(rows: Cells, label: Label) -> list[int]:
        return [round(rows.get(term, {}).get(label, 0) * counts.unit) for term in table]

    for label in labels:
        number = round((documents or {}).get(label, 0) * counts.unit)
        counts.put(label, number, list(table), units(table, label), units(frequencies or {}, label))


def _check_shape(table: Any, documents: Any, frequencies: Any) -> None:
    def is_table(value: Any) -> bool:
        return isinstance(value, Mapping) and all(isinstance(row, Mapping) for row in value.values())

    if not is_table(table) or not (frequencies is None or is_table(frequencies)):
        raise error("table-kind")
    if not (documents is None or isinstance(documents, Mapping)):
        raise error("documents-kind", got=documents)


def _checked(number: Any) -> float:
    if (
        isinstance(number, bool)
        or not isinstance(number, int | float | np.integer | np.floating)
        or not 0 <= number <= 1e15
    ):
        raise error("count-range", got=number)
    return float(number)


def _check_terms(table: Cells, frequencies: Cells) -> None:
    for term, row in table.items():
        if not isinstance(term, str) or not is_unicode(term) or not any(row.values()):
            raise error("term-without-counts", got=term, row=dict(row))
    for term, by_label in frequencies.items():
        for label, number in by_label.items():
            tokens = table.get(term, {}).get(label, 0)
            if number > tokens:
                raise error("documents-exceed-tokens", got=number, tokens=tokens, term=term, label=label)


def _check_documents(labels: list[Label], documents: Mapping[Label, float], frequencies: Cells) -> None:
    missing = [label for label in labels if not documents.get(label)]
    if missing:
        raise error("documents-missing", missing=missing[0])
    for term, by_label in frequencies.items():
        for label, number in by_label.items():
            if number > documents[label]:
                raise error("documents-exceed-label", term=term, number=number, label=label, documents=documents[label])


NAMES = ("terms", "term_ends", "cell_ends", "cell_labels", "cell_tf", "cell_df")
WEIGHTS = "cell_weights"  # in counts with a weighting, after the others


def canonical_arrays(counts: TermCounts) -> dict[str, NDArray[Any]]:
    """Terms as UTF-8 with ends, sorted by bytes; for each term its labels (sorted), tf and df, end to end.

    With a weighting, the weighted sums as well.
    """
    snapshot = counts.snapshot
    places = np.zeros(len(counts.table.totals()[0]), dtype=np.uint32)
    places[snapshot.order] = np.arange(len(snapshot.order))
    arrays: dict[str, NDArray[Any]] = dict(zip((*NAMES, WEIGHTS), counts.table.export(places.tolist()), strict=True))
    if counts.weighting is None:
        del arrays[WEIGHTS]
    cells = [name for name in ("cell_tf", "cell_df", WEIGHTS) if name in arrays]
    unit = common_unit(counts.unit, snapshot.documents, *(arrays[name] for name in cells))
    whole = {name: arrays[name] // np.uint64(unit) for name in cells}
    sizes = {
        "unit": np.array([counts.unit // unit], dtype=np.uint64),
        "documents": snapshot.documents // np.uint64(unit),
    }
    return sizes | arrays | whole


def common_unit(unit: int, *numbers: NDArray[np.uint64]) -> int:
    """What all numbers can be divided by: once the weighted documents are forgotten, the unit is 1 again."""
    return unit if not any((array % np.uint64(unit)).any() for array in numbers) else 1


def cells(labels: Sequence[Label], arrays: Mapping[str, NDArray[Any]]) -> Iterator[tuple[str, Label, Any, Any]]:
    """term, label, tf and df, cell by cell."""
    text, unit = arrays["terms"].tobytes(), int(arrays["unit"][0])
    numbers = [arrays[name].tolist() for name in ("cell_labels", "cell_tf", "cell_df")]
    start = cell = 0
    for end, cell_end in zip(arrays["term_ends"].tolist(), arrays["cell_ends"].tolist(), strict=True):
        term = text[start:end].decode()
        for place, tf, df in zip(*(column[cell:cell_end] for column in numbers), strict=True):
            yield term, labels[place], *((tf, df) if unit == 1 else (Fraction(tf, unit), Fraction(df, unit)))
        start, cell = end, cell_end

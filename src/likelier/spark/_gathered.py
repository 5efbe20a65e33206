"""Summed rows as counts again: the pieces that Spark gives, sorted, one after the other.

Terms come sorted by their bytes, as a table has them, so nothing is sorted or looked up here: the arrays of a table
grow at their ends. Only the cells of one term are put in the order of the labels,
which is theirs where labels are text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from likelier._base.errors import error
from likelier._counts.by_column import Counts, counts_of, empty_table
from likelier._counts.tables import WEIGHTS, common_unit
from likelier._counts.term_counts import MOST, TermCounts
from likelier._counts.value_counts import NumericCounts
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._kernel import Ledger
from likelier._show.words import counted
from likelier.spark._rows import (
    ALL_DOCUMENTS,
    CELLS,
    DOCUMENTS,
    FINGERPRINTS,
    NUMBERS,
    REJECTED,
    SUMS,
    from_digits,
)

Reasons = dict[str, tuple[int, str]]
_KINDS: dict[str, Callable[[str], Label]] = {
    "str": str,
    "int": int,
    "bool": lambda text: text == "True",
}  # of labels, see `labels.key`


class Gathered:
    """What partitions have counted, added up.

    counts   of all documents
    ledger   the fingerprints, if they were asked for
    reasons  why rows were skipped: code of the error → how many, and one message
    """

    def __init__(self, schema: Schema, unit: int, pieces: Iterable[pa.Table]) -> None:
        self._schema, self._unit = schema, unit
        self._documents: dict[int, dict[str, int]] = {}
        self._cells: dict[int, _Cells] = {}
        self._sums: dict[tuple[int, str], list[tuple[int, NDArray[Any]]]] = {}
        self._prints: list[tuple[bytes, NDArray[np.int64]]] = []
        self._codes: dict[str, int] = {}  # of labels, in order of first sight
        self.reasons: Reasons = {}
        for piece in pieces:
            self._take(piece)
        self.counts = self._counts()

    # ---- taking pieces -------------------------------------------------------------------------------------------

    def _take(self, piece: pa.Table) -> None:
        for number in NUMBERS:
            if piece[number].null_count:  # a sum that no machine integer holds
                raise error("counts-too-large")
        kinds = piece["kind"].to_numpy()
        for kind in np.unique(kinds).tolist():
            some = piece.filter(pa.array(kinds == kind)).combine_chunks()
            _TAKE[kind](self, some)

    def _take_documents(self, piece: pa.Table) -> None:
        for row in piece.select(["column", "label", "tf"]).to_pylist():
            self._documents.setdefault(row["column"], {})[row["label"]] = row["tf"]

    def _take_cells(self, piece: pa.Table) -> None:
        columns = piece["column"].to_numpy()
        for column in np.unique(columns).tolist():
            name = list(self._schema.columns.values())[column]
            cells = self._cells.setdefault(column, _Cells(weighted=name.extra is not None))
            cells.take(piece.filter(pa.array(columns == column)).combine_chunks(), self._codes)

    def _take_sums(self, piece: pa.Table) -> None:
        numbers = np.stack([piece[name].to_numpy() for name in NUMBERS], axis=1)
        places = [int.from_bytes(digit, "big") for digit in piece["term"].to_pylist()]
        keys = zip(piece["column"].to_pylist(), piece["label"].to_pylist(), strict=True)
        for (column, label), place, row in zip(keys, places, numbers, strict=True):
            self._sums.setdefault((column, label), []).append((place, row))

    def _take_prints(self, piece: pa.Table) -> None:
        self._prints.append((b"".join(piece["term"].to_pylist()), piece["tf"].to_numpy()))

    def _take_reasons(self, piece: pa.Table) -> None:
        for row in piece.select(["term", "label", "tf"]).to_pylist():
            code = row["term"].decode()
            count, first = self.reasons.get(code, (0, row["label"]))
            self.reasons[code] = count + row["tf"], min(first, row["label"])

    # ---- what comes out ------------------------------------------------------------------------------------------

    @property
    def ledger(self) -> Ledger:
        """The fingerprints."""
        halves = np.frombuffer(b"".join(prints for prints, _ in self._prints), dtype=">u8").astype(np.uint64)
        times = np.concatenate([np.zeros(0, dtype=np.int64), *(each for _, each in self._prints)])
        if times.max(initial=0) > np.iinfo(np.uint32).max:
            raise error("counts-too-large")
        return Ledger.load(halves, times.astype(np.uint32))

    def _counts(self) -> Counts:
        own = self._documents.get(0 if self._schema.is_plain else ALL_DOCUMENTS, {})
        labels = {label_of(name): name for name, number in own.items() if number}
        order = [labels[label] for label in sorted(labels)]
        columns = {
            name: self._table(place, empty_table(kind), order)
            for place, (name, kind) in enumerate(self._schema.columns.items())
        }
        if self._schema.is_plain:
            return counts_of(self._schema, columns)
        sizes = TermCounts()
        sizes.hold([label_of(name) for name in order], self._arrays(_Cells(), own, order))
        for table in columns.values():
            table.require([label_of(name) for name in order])
        return counts_of(self._schema, columns, sizes)

    def _table(self, place: int, table: TermCounts, order: list[str]) -> TermCounts:
        cells = self._cells.get(place) or _Cells(weighted=table.weighting is not None)
        try:
            table.hold([label_of(name) for name in order], self._arrays(cells, self._documents.get(place, {}), order))
        except ValueError:
            raise error("counts-too-large") from None
        if isinstance(table, NumericCounts):
            TermCounts.use_unit(table, self._unit)
            for label_id, name in zip(table.label_ids(map(label_of, order)).tolist(), order, strict=True):
                digits = self._sums.get((place, name), [])
                n, s, q = (from_digits([(at, int(row[which])) for at, row in digits]) for which in range(3))
                table.moments.put(label_id, n, s, q)
        return table

    def _arrays(self, cells: _Cells, documents: dict[str, int], order: list[str]) -> dict[str, NDArray[Any]]:
        numbers = np.array([documents.get(name, 0) for name in order], dtype=np.uint64)
        if sum(documents.values()) > MOST:
            raise error("counts-too-large")
        places = np.zeros(len(self._codes), dtype=np.uint32)
        for place, name in enumerate(order):
            if name in self._codes:
                places[self._codes[name]] = place
        found = {"documents": numbers, **cells.arrays(places)}
        counted = [name for name in ("documents", "cell_tf", "cell_df", WEIGHTS) if name in found]
        unit = common_unit(self._unit, *(found[name] for name in counted))  # as a table gives its arrays
        whole = {name: found[name] // np.uint64(unit) for name in counted}
        return {"unit": np.array([self._unit // unit], dtype=np.uint64), **found, **whole}


_TAKE = {
    DOCUMENTS: Gathered._take_documents,
    CELLS: Gathered._take_cells,
    SUMS: Gathered._take_sums,
    FINGERPRINTS: Gathered._take_prints,
    REJECTED: Gathered._take_reasons,
}


def skipped_in_words(reasons: Reasons) -> str:
    """How many rows were skipped, and why.

    >>> skipped_in_words({"row-label-missing": (2, "every document needs a label")})
    'skipped 2 rows: 2 like this: every document needs a label'
    """
    why = "; ".join(f"{count:,} like this: {first}" for count, first in sorted(reasons.values(), reverse=True))
    return f"skipped {counted(sum(count for count, _ in reasons.values()), 'row')}: {why}"


def label_of(name: str) -> Label:
    """The label that a text stands for.

    >>> label_of("str:spam"), label_of("int:3"), label_of("bool:True")
    ('spam', 3, True)
    """
    kind, _, text = name.partition(":")
    return _KINDS[kind](text)


class _Cells:
    """The arrays of one table, while they grow."""

    def __init__(self, *, weighted: bool = False) -> None:
        self._last: bytes | None = None
        self._terms: list[bytes] = []
        self._lengths: list[NDArray[np.int64]] = []  # of terms
        self._cells: list[NDArray[np.int64]] = []  # how many each term has
        self._labels: list[NDArray[np.uint32]] = []
        self._numbers: dict[str, list[NDArray[np.uint64]]] = {
            name: [] for name in NUMBERS[: len(NUMBERS) if weighted else -1]
        }

    def take(self, piece: pa.Table, codes: dict[str, int]) -> None:
        """Appends some rows; `codes` numbers the labels."""
        runs = pc.run_end_encode(piece["term"].chunk(0))
        terms, ends = runs.values, np.asarray(runs.run_ends)
        lengths, cells = pc.binary_length(terms).to_numpy(zero_copy_only=False), np.diff(ends, prepend=0)
        first = terms[0].as_py()
        if first == self._last:  # the piece before ended within its cells
            self._cells[-1][-1] += cells[0]
            terms, lengths, cells = terms[1:], lengths[1:], cells[1:]
        if len(terms):
            self._last = terms[-1].as_py()
            self._terms.append(b"".join(terms.to_pylist()))
            self._lengths.append(lengths.astype(np.int64))
            self._cells.append(cells.astype(np.int64))
        named = pc.dictionary_encode(piece["label"].chunk(0))
        numbers = np.array(
            [codes.setdefault(name, len(codes)) for name in named.dictionary.to_pylist()], dtype=np.uint32
        )
        self._labels.append(numbers[named.indices.to_numpy()])
        for name, several in self._numbers.items():
            several.append(piece[name].to_numpy().astype(np.uint64))

    def arrays(self, places: NDArray[np.uint32]) -> dict[str, NDArray[Any]]:
        """The arrays as a table has them; `places` are those of the labels by their codes."""
        cells = _end_to_end(self._cells, np.int64)
        labels = places[_end_to_end(self._labels, np.uint32)] if self._labels else np.zeros(0, dtype=np.uint32)
        of_term = np.repeat(np.arange(len(cells)), cells)
        order: Any = slice(None)
        if ((np.diff(of_term) == 0) & (np.diff(labels.astype(np.int64)) < 0)).any():
            order = np.lexsort((labels, of_term))
        numbers = [_end_to_end(several, np.uint64)[order] for several in self._numbers.values()]
        found = {
            "terms": np.frombuffer(b"".join(self._terms), dtype=np.uint8),
            "term_ends": np.cumsum(_end_to_end(self._lengths, np.int64)).astype(np.uint64),
            "cell_ends": np.cumsum(cells).astype(np.uint64),
            "cell_labels": labels[order],
        }
        return found | dict(zip(("cell_tf", "cell_df", WEIGHTS), numbers, strict=False))


def _end_to_end(parts: list[Any], kind: Any) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype=kind), *parts])

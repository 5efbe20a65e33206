"""The counts of documents with columns: how many documents each label has, and a table for each column.

A column counts the documents in which it is not missing, so its own number of documents may be smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.checks import is_one_of
from likelier._base.errors import InputError, LearningError
from likelier._base.threads import changing, reading, writing
from likelier._counts.choices import Units, count_choices
from likelier._counts.numeric import NumericCounts
from likelier._counts.pruning import Pruned, check_whole
from likelier._counts.refusals import check_kind, not_held
from likelier._counts.term_counts import Counts, Number
from likelier._documents.kinds import Kind, Numeric, Text
from likelier._documents.labels import Label, distinct_labels, key
from likelier._documents.schema import Schema
from likelier._documents.values import Choices, Numbers, Texts, Values
from likelier._documents.weights import UNIT
from likelier._kernel import Gate, Ledger
from likelier._text.texts import Texts as TextData

ColumnCounts = Counts | NumericCounts


class MixedCounts:
    """The sufficient statistics of documents with columns. Any thread can read or change them at any time."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.gate = Gate()  # of all columns together
        self.documents = Counts()  # N_c, and no terms
        self.columns: dict[str, ColumnCounts] = {
            name: NumericCounts(kind.digits) if isinstance(kind, Numeric) else counts_of(kind)
            for name, kind in schema.columns.items()
        }
        self._share_gate()

    def _share_gate(self) -> None:
        for each in (self.documents, *map(table_of, self.columns.values())):
            each.gate = self.gate

    # ---- counting ------------------------------------------------------------------------------------------------

    @writing
    def count(
        self, values: Mapping[str, Values], labels: Any, units: Units, threads: int, ledger: Ledger | None = None
    ) -> None:
        """Counts documents, column by column, and notes them in the ledger."""
        distinct, which = distinct_labels(labels)
        label_ids = self.documents.label_ids(distinct)[which]
        for place, label in enumerate(distinct):
            mine = which == place
            number = int(mine.sum()) if units is None else int(units[mine].sum(dtype=np.uint64))
            self.documents.put(label, number, [], [], [])
        for name, column in self.columns.items():
            self._count_column(name, column, values[name], distinct, which, units, threads)
        if ledger is not None:  # of texts that could be counted
            self._note(ledger, values, label_ids, units)
        self._align()

    def _count_column(
        self,
        name: str,
        column: ColumnCounts,
        values: Values,
        labels: list[Label],
        which: NDArray[np.intp],
        units: Units,
        threads: int,
    ) -> None:
        if isinstance(values, Texts):
            kind = self.schema.columns[name]
            assert isinstance(kind, Text)
            assert isinstance(column, Counts)
            texts, rows = present(values)
            label_ids = column.label_ids(labels)[which[rows]]
            column.count(texts, label_ids, None if units is None else units[rows], kind.counting, threads)
        elif isinstance(values, Choices):
            assert isinstance(column, Counts)
            count_choices(column, values, labels, which, units)
        else:
            assert isinstance(column, NumericCounts)
            column.count(values, labels, which, units)

    def _note(self, ledger: Ledger, values: Mapping[str, Values], label_ids: NDArray[np.uint32], units: Units) -> None:
        names = [key(label) for label in self.documents.all_labels]
        columns = [_for_ledger(values[name]) for name in sorted(self.columns)]  # in whatever order they were read
        ledger.add(columns, label_ids, units, names, UNIT // self.unit)

    def _align(self) -> None:
        """Every column has the labels of the documents, with or without values."""
        for column in self.columns.values():
            column.require(self.labels)

    # ---- adding and subtracting ----------------------------------------------------------------------------------

    def add(self, other: MixedCounts) -> None:
        """Adds the other's counts, or changes nothing and says why they cannot be added."""
        self._check_alike(other)
        other = self.copy() if other is self else other
        other.settle()
        with changing(self.gate, other.gate):
            self._each(other, lambda mine, theirs: table_of(mine).check_room(table_of(theirs)))
            self._each(other, lambda mine, theirs: mine.add(theirs))
            self._align()

    def subtract(self, other: MixedCounts, *, thorough: bool = False) -> None:
        """Subtracts the other's counts, or changes nothing and says that they are not here."""
        self._check_alike(other)
        check_whole(self, "forgetting")
        other = self.copy() if other is self else other
        other.settle()
        with changing(self.gate, other.gate):
            self._subtract(other, thorough)

    def _subtract(self, other: MixedCounts, thorough: bool) -> None:
        done: list[tuple[Any, Any]] = []

        def subtract(mine: Any, theirs: Any) -> None:
            mine.subtract(theirs, thorough=thorough)
            done.append((mine, theirs))

        try:
            self._each(other, subtract)
            self._align()
            if thorough and not self._is_possible():
                raise not_held()
        except LearningError:
            for mine, theirs in done:
                mine.add(theirs)  # exact, so it is as it was
            self._align()
            raise

    def _each(self, other: MixedCounts, do: Callable[[Any, Any], None]) -> None:
        do(self.documents, other.documents)
        for name, column in self.columns.items():
            do(column, other.columns[name])

    def _is_possible(self) -> bool:
        """No column has more documents than there are."""
        total = self.documents.snapshot.documents
        return all(bool((table.snapshot.documents <= total).all()) for table in map(table_of, self.columns.values()))

    def _check_alike(self, other: MixedCounts) -> None:
        check_kind(self, other)
        if self.schema != other.schema:
            raise schemas_differ(self.schema, other.schema)

    def __add__(self, other: MixedCounts) -> MixedCounts:
        if not isinstance(other, MixedCounts):
            return NotImplemented
        both = self.copy()
        both.add(other)
        return both

    @writing
    def use_unit(self, unit: int) -> None:
        """Keeps the numbers as multiples of 1/unit, a finer one than before."""
        for each in (self.documents, *self.columns.values()):
            each.use_unit(unit)

    @reading
    def copy(self) -> MixedCounts:
        """The same counts, which can change on their own."""
        twin = MixedCounts.__new__(MixedCounts)
        twin.schema, twin.gate, twin.documents = self.schema, Gate(), self.documents.copy()
        twin.columns = {name: column.copy() for name, column in self.columns.items()}
        twin._share_gate()
        return twin

    def settle(self) -> None:
        """Puts counts that stand in a file into the kernel's tables."""
        for each in (self.documents, *map(table_of, self.columns.values())):
            each.settle()

    def hold(self, documents: Counts, columns: Mapping[str, ColumnCounts]) -> None:
        """Takes over counts, each of them over all labels, and brings them to one unit."""
        self.documents, self.columns = documents, dict(columns)
        self._share_gate()
        self.use_unit(max(each.unit for each in (documents, *columns.values())))
        self._align()

    @reading
    def __getstate__(self) -> dict[str, Any]:
        twin = self.copy()  # of which all columns have one state, whenever they are pickled
        return {"schema": twin.schema, "documents": twin.documents, "columns": twin.columns}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.schema, self.gate = state["schema"], Gate()
        self.hold(state["documents"], state["columns"])

    # ---- reading -------------------------------------------------------------------------------------------------

    @property
    def unit(self) -> int:
        return self.documents.unit

    @property
    @reading
    def pruned(self) -> Pruned | None:
        """What all columns have lost, with the largest of their bounds."""
        lost = [found for column in self.columns.values() if (found := table_of(column).pruned) is not None]
        bound = max((each.bound for each in lost), default=0)
        return replace(sum(lost, Pruned()), bound=bound) if lost else None

    @property
    @reading
    def version(self) -> int:
        """Goes up with every change, also when a column's terms get other numbers."""
        return self.documents.version + sum(table_of(column).version for column in self.columns.values())

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, sorted."""
        return self.documents.labels

    @property
    def documents_per_label(self) -> dict[Label, Number]:
        """N_c."""
        return self.documents.documents_per_label

    @reading
    def missing(self, name: str) -> Number:
        """In how many documents the column has no value."""
        present = sum(table_of(self._column(name)).documents_per_label.values())
        return sum(self.documents_per_label.values()) - present

    @reading
    def cells(self, name: str | None = None) -> Iterator[tuple[str, str, Label, Number, Number]]:
        """column, term or value, label, tf and df of all that is not 0; of one column if it is named."""
        columns = self.columns if name is None else {name: self._column(name)}
        found = [(each, column.cells()) for each, column in columns.items()]  # all of one state
        return ((each, *cell) for each, cells in found for cell in cells)

    def _column(self, name: str) -> ColumnCounts:
        if not is_one_of(name, self.columns):
            raise InputError(
                code="column-unknown",
                message=f"the columns here are {', '.join(map(repr, self.columns))}, got {name!r}",
                hint=f"{next(iter(self.columns))!r} is one of them",
            )
        return self.columns[name]

    def column(self, label: object) -> int:
        """The place of a label in `labels`."""
        return self.documents.column(label)

    # ---- comparing -----------------------------------------------------------------------------------------------

    @reading
    def digest(self) -> str:
        """SHA-256 of all counts: the same for the same documents, however they came."""
        import hashlib  # when it is needed: importing likelier should be quick

        digest = hashlib.sha256(self.documents.digest().encode())
        for name, column in sorted(self.columns.items()):
            digest.update(f"{name} {table_of(column).digest()} ".encode())
            if isinstance(column, NumericCounts):
                for part, array in column.arrays().items():
                    digest.update(f"{part} {array.shape} ".encode() + array.tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MixedCounts):
            return NotImplemented
        return self is other or (self.schema == other.schema and self.digest() == other.digest())

    __hash__ = None  # type: ignore[assignment]  # counts change

    @reading
    def __repr__(self) -> str:
        documents = sum(self.documents_per_label.values())
        shown = documents if isinstance(documents, int) else float(documents)
        sizes = {"document": shown, "label": len(self.labels), "column": len(self.columns)}
        return f"<Counts: {', '.join(f'{size} {name}' + 's' * (size != 1) for name, size in sizes.items())}>"


def counts_of(kind: Kind) -> Counts:
    """Empty counts for a column of this kind."""
    return Counts(kind.extra if isinstance(kind, Text) else None)


def table_of(column: ColumnCounts) -> Counts:
    """The table of a column's outcomes."""
    return column.table if isinstance(column, NumericCounts) else column


def present(values: Texts) -> tuple[TextData, NDArray[np.intp]]:
    """The texts that are there, and their rows."""
    rows = np.delete(np.arange(len(values), dtype=np.intp), values.missing)
    if not len(values.missing):
        return values.texts, rows
    if isinstance(values.texts, list):
        return [values.texts[row] for row in rows.tolist()], rows
    return values.texts.keep(rows.astype(np.uint32)), rows


def _for_ledger(values: Values) -> Any:
    if isinstance(values, Texts):
        return "text", values.texts, values.missing.astype(np.int64)
    if isinstance(values, Choices):
        return "choices", values.values, values.which.astype(np.int64)
    assert isinstance(values, Numbers)
    return values.numbers


def schemas_differ(one: Schema, two: Schema) -> LearningError:
    """The error for documents with other columns."""
    unlike = [name for name in {**one.columns, **two.columns} if one.columns.get(name) != two.columns.get(name)]
    mine, theirs = (schema.columns.get(unlike[0]) if unlike else None for schema in (one, two))
    if isinstance(mine, Text) and isinstance(theirs, Text) and mine.analyzer == theirs.analyzer:
        return counting_differs(mine, theirs, f" of {unlike[0]!r}")
    return LearningError(
        code="schemas-differ",
        message="counts can be added when their columns, kinds and analyzers are equal,"
        f" got {one.in_words()} and {two.in_words()}" + (f"; {unlike[0]!r} differs" if unlike else ""),
        hint="train both with the same text=, categorical=, binary= and numeric=",
    )


def counting_differs(one: Text, two: Text, where: str = "") -> LearningError:
    """The error for texts that are analysed alike, and of which different things are counted."""
    counted = [
        f"n-grams {'-'.join(map(str, text.counted))}, weighting {text.weighting or 'none'}" for text in (one, two)
    ]
    return LearningError(
        code="counting-differs",
        message=f"counts can be added when the same n-grams and the same weighting{where} are counted,"
        f" got {counted[0]} and {counted[1]}",
        hint="train both in the same way",
    )

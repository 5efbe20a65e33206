"""The counts of one column: how often each outcome (a term, a value, a rounded number) has each label.

    tf(t,c)   how often term t occurs in the documents of label c
    df(t,c)   in how many documents of label c it occurs
    weighted  with a weighting, the sum of what the term adds in each document; in 1/65536, see `_documents/weights.py`
    N_c       documents of label c

Numbers are whole multiples of 1/unit; the unit is 1 unless documents have weights that are not whole. So all sums
are exact. A term or label without counts is not there: forgetting the only document of a label removes the label.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from likelier._base.checks import is_unicode
from likelier._base.errors import error
from likelier._base.threads import changing, reading, writing
from likelier._counts import tables
from likelier._counts.pruning import Errors, Pruned, both, check_whole
from likelier._counts.refusals import check_kind, check_statistic, check_weightings
from likelier._counts.snapshot import Snapshot, Statistic, StoredTable, Version
from likelier._counts.vocabulary import has_possible_documents
from likelier._documents.labels import Label, checked_label, checked_labels, distinct_labels, key, unknown_label
from likelier._documents.weights import UNIT, UNIT_OF_WEIGHTS, Extra
from likelier._kernel import Analysis, Column, Gate, Ledger, Table
from likelier._text.texts import Texts, surrogate_error

Number = int | Fraction
MOST = 1 << 62  # units; no sum of a label is larger


class TermCounts:
    """The sufficient statistics of one column. Any thread can read or change them at any time."""

    def __init__(self, weighting: Extra | None = None, *, gate: Gate | None = None) -> None:
        """weighting: what is counted beside occurrences and documents, if anything.

        gate: that of the counts of which these are one column.
        """
        self.gate = Gate() if gate is None else gate
        self.weighting: Extra | None = weighting
        self._table = Table()
        self._stored: StoredTable | None = None  # the numbers as a file has them, until they change or many ask
        self._labels: list[Label] = []  # by the table's label ids; some may have no counts any more
        self._ids: dict[Label, int] = {}
        self.unit = 1
        self.has_df = True
        self.pruned: Pruned | None = None  # what was dropped on the way, if the vocabulary had a limit
        self._version = Version()
        self._snapshot: Snapshot | None = None
        self._always: frozenset[Label] = frozenset()  # labels that are there even without counts

    # ---- making --------------------------------------------------------------------------------------------------

    @writing
    def put(self, label: Label, documents: int, terms: Sequence[str], tf: Sequence[int], df: Sequence[int]) -> None:
        """Adds numbers of one label, in units; nothing of a weighting."""
        (label_id,) = self.label_ids([label]).tolist()
        self._put(label_id, documents, list(terms), list(tf), list(df))

    @writing
    def put_values(self, labels: Sequence[Label], values: Sequence[str], numbers: NDArray[np.uint64]) -> None:
        """Adds documents that have one value each: how many, in units, by value and label."""
        for label_id, column in zip(self.label_ids(labels).tolist(), numbers.T.tolist(), strict=True):
            there = [place for place, number in enumerate(column) if number]
            units = [column[place] for place in there]
            self._put(label_id, sum(units), [values[place] for place in there], units, units)

    def _put(self, label_id: int, documents: int, terms: list[str], tf: list[int], df: list[int]) -> None:
        try:
            self.table.put_documents(label_id, documents)
            self.table.put(terms, label_id, tf, df)
        except OverflowError:
            raise error("counts-too-large") from None
        finally:
            self.changed()

    def count_column(
        self,
        kind: Any,
        values: Any,
        labels: Sequence[Label],
        which: NDArray[np.intp],
        units: NDArray[np.uint64] | None,
        threads: int,
    ) -> None:
        """Counts the texts of a column of documents; `which` gives each document's label, units its weight."""
        texts, rows = values.present()
        label_ids = self.label_ids(labels)[which[rows]]
        self.count_texts(texts, label_ids, None if units is None else units[rows], kind.counting, threads)

    @writing
    def count_texts(
        self,
        texts: Texts,
        label_ids: NDArray[np.uint32],
        weights: NDArray[np.uint64] | None,
        analysis: Analysis,
        threads: int,
        ledger: Ledger | None = None,
    ) -> None:
        """TermCounts documents and notes them in the ledger; labels are those of `label_ids`, weights are in units."""
        names = [key(label) for label in self._labels]
        try:
            self.table.count(texts, label_ids, weights, analysis, threads, ledger, names, UNIT // self.unit)
        except OverflowError:
            raise error("counts-too-large") from None
        except UnicodeEncodeError:
            assert isinstance(texts, list)  # columns are valid Unicode
            raise surrogate_error(texts) from None
        finally:
            self.changed()

    @writing
    def take(self, table: Table) -> None:
        """Takes a table as it is, in place of none; labels are those of `label_ids`."""
        self._table = table
        self.changed()

    @reading
    def copy(self) -> TermCounts:
        """An independent copy of the counts."""
        twin = self._empty()
        twin._table, twin._stored = self._table.copy(), self._stored
        twin._labels, twin._ids = list(self._labels), dict(self._ids)
        twin.unit, twin.has_df, twin.pruned, twin._always = self.unit, self.has_df, self.pruned, self._always
        return twin

    def sum_arrays(self) -> dict[str, NDArray[Any]]:
        """What a numeric column holds beside its table; nothing in others."""
        return {}

    def _empty(self) -> TermCounts:
        return TermCounts(self.weighting)

    # ---- adding and subtracting ----------------------------------------------------------------------------------

    def add(self, other: TermCounts) -> None:
        """Adds other counts; raises an error and changes nothing if they do not fit."""
        check_kind(self, other)
        check_weightings(self.weighting, other.weighting)
        other = self.copy() if other is self else other
        other.settle()
        with changing(self.gate, other.gate):
            label_ids = self.label_ids(other._labels).tolist()
            other = self._in_common_unit(other)
            try:
                self.table.merge(other.table, label_ids)
            except OverflowError:
                raise error("counts-too-large") from None
            self.has_df = self.has_df and other.has_df
            self.pruned = both(self.pruned, other.pruned)
            self.changed()

    def subtract(self, other: TermCounts, *, thorough: bool = False) -> None:
        """Subtracts other counts; raises an error and changes nothing if these do not contain them.

        thorough: also check whether any term would occur in more documents than there are.
        """
        check_kind(self, other)
        check_whole(self.pruned, "forgetting")
        check_weightings(self.weighting, other.weighting)
        other = self.copy() if other is self else other
        other.settle()
        with changing(self.gate, other.gate):
            known = all(label in self._ids for label in other.labels)
            other = self._in_common_unit(other)
            if not known or not self.table.subtract(other.table, self.label_ids(other._labels).tolist()):
                raise error("counts-not-held")
            self.changed()
            if thorough and not has_possible_documents(self.snapshot):
                self.add(other)  # exact, so it is as it was
                raise error("counts-not-held")

    def __add__(self, other: TermCounts) -> TermCounts:
        if not isinstance(other, TermCounts):
            return NotImplemented
        both = self.copy()
        both.add(other)
        return both

    @writing
    def prune(self, keep: int, errors: Errors) -> tuple[int, int, Errors]:
        """Keeps the `keep` most frequent terms, which get new ids; see `Table.prune`."""
        try:
            return self.table.prune(keep, errors)
        finally:
            self.changed()

    def check_room(self, other: TermCounts) -> None:
        """Says what `add` would say to sums that get too large."""
        unit = max(self.unit, other.unit)
        for statistic in (None, *get_args(Statistic)):
            mine, theirs = self._sums(statistic, unit), other._sums(statistic, unit)
            if any(mine.get(label, 0) + number > MOST for label, number in theirs.items()):
                raise error("counts-too-large")

    def _sums(self, statistic: Statistic | None, unit: int) -> dict[Label, int]:
        """By label, in this unit; of documents if there is no statistic."""
        sums = self.snapshot.documents if statistic is None else self.snapshot.totals(statistic)
        return {label: number * (unit // self.unit) for label, number in zip(self.labels, sums.tolist(), strict=True)}

    def _in_common_unit(self, other: TermCounts) -> TermCounts:
        self.use_unit(max(self.unit, other.unit))
        if other.unit < self.unit:
            other = other.copy()
            other.use_unit(self.unit)
        return other

    @writing
    def use_unit(self, unit: int) -> None:
        """Keeps the numbers as multiples of 1/unit, a finer one than before."""
        if unit > self.unit:
            try:
                self.table.scale(unit // self.unit)
            except OverflowError:
                raise error("counts-too-large") from None
            self.unit = unit
            self.changed()

    def label_ids(self, labels: Iterable[object] | Column) -> NDArray[np.uint32]:
        """The table's numbers for labels; new ones get a new number."""
        values, which = distinct_labels(labels)
        checked = checked_labels(values, self._labels[:1])
        for label in checked:
            if label not in self._ids:
                self._ids[label] = len(self._labels)
                self._labels.append(label)
        return np.array([self._ids[label] for label in checked], dtype=np.uint32)[which]

    @writing
    def require(self, labels: Collection[Label]) -> None:
        """These labels are there even without counts: another column of their documents has some."""
        always = frozenset(labels)
        if always == self._always:
            return
        self._always = always
        held = len((self._stored or self._table).totals()[0])
        for label_id in self.label_ids(labels).tolist() if labels else []:
            if label_id >= held:
                self.table.put_documents(label_id, 0)
        self.changed()

    def known_id(self, label: object) -> int | None:
        """The table's number for a label that documents were counted under before; None for any other."""
        alike = bool(self._labels) and type(label) is type(self._labels[0])  # 1 is no True
        return self._ids.get(label) if alike else None  # type: ignore[call-overload]

    def changed(self) -> None:
        """Says that the table is not as it was."""
        self._version.number += 1
        self._snapshot = None

    @property
    def version(self) -> int:
        """Goes up with every change, so that views know that what they computed is old."""
        return self._version.number

    @property
    def table(self) -> Table:
        """The table in the kernel. TermCounts from a file are put there now, and their terms get other numbers."""
        self.settle()
        return self._table

    def settle(self) -> None:
        """Puts counts that are still in a file into the kernel's table, for changes and for many questions."""
        if self._stored is None:
            return
        with self.gate.writing:
            if self._stored is not None:  # nobody else has done it meanwhile
                table = self._stored.table()
                self.changed()  # before, for Ctrl-C may come after any call
                self._table, self._stored = table, None

    # ---- reading -------------------------------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot:
        """The numbers as they are now, ready for reading."""
        found = self._snapshot
        if found is None:
            with self.gate.reading:
                found = Snapshot(self._stored or self._table, self._labels, self._always, self._version)
                self._snapshot = found
        return found

    @property
    def all_labels(self) -> list[Label]:
        """The labels by the table's numbers; some may have no counts any more."""
        return self._labels

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels that have counts, sorted."""
        return self.snapshot.labels

    @property
    @reading
    def documents_per_label(self) -> dict[Label, Number]:
        """N_c: how many documents each label has."""
        return self._by_label(self.snapshot.documents)

    @property
    @reading
    def tokens_per_label(self) -> dict[Label, Number]:
        """The sum of tf(v,c) over the vocabulary."""
        return self._by_label(self.snapshot.totals("tf"))

    @property
    @reading
    def vocabulary(self) -> list[str]:
        """The terms, in the order in which they were first seen here."""
        return self.snapshot.table.texts(np.flatnonzero(self.snapshot.term_totals("tf")).astype(np.uint32))

    @property
    def vocabulary_size(self) -> int:
        """|V|."""
        return self.snapshot.size

    @reading
    def find(self, term: str) -> int | None:
        """The id of a term, None when it is not in the vocabulary."""
        if not isinstance(term, str):
            raise error("term-kind", got=term)
        return self.snapshot.table.find(term) if is_unicode(term) else None

    def number(self, units: int, statistic: Statistic = "tf") -> Number:
        """Units as the number they stand for."""
        value = Fraction(int(units), self.unit * (UNIT_OF_WEIGHTS if statistic == "weighted" else 1))
        return int(value) if value.denominator == 1 else value

    @reading
    def of(self, term: str, label: Label, statistic: Statistic = "tf") -> Number:
        """tf(t,c), df(t,c), or the weighted sum where there is a weighting; 0 for what was never seen."""
        check_statistic(statistic, self.weighting)
        place = self.place(label)
        term_id = self.find(term)
        if term_id is None:
            return 0
        units = self.snapshot.rows(np.array([term_id], dtype=np.uint32), statistic)[0, place]
        return self.number(units, statistic)

    @reading
    def cells(self) -> Iterator[tuple[str, Label, Number, Number]]:
        """term, label, tf and df of all that is not 0, sorted by term and label."""
        return tables.cells(self.labels, self.arrays())

    def place(self, label: object) -> int:
        """The place of a label in `labels`."""
        try:
            return self.labels.index(checked_label(label))
        except ValueError:
            raise unknown_label(label, self.labels) from None

    def _by_label(self, units: NDArray[np.uint64]) -> dict[Label, Number]:
        return {label: self.number(number) for label, number in zip(self.labels, units.tolist(), strict=True)}

    # ---- comparing -----------------------------------------------------------------------------------------------

    @reading
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The counts as plain arrays, terms and labels sorted: the same for the same counts, however they came."""
        return tables.canonical_arrays(self) if self._stored is None else self._stored.wide()

    @reading
    def __getstate__(self) -> dict[str, Any]:
        state = {"labels": list(self.labels), "arrays": self.arrays(), "has_df": self.has_df}
        optional = {"weighting": self.weighting, "pruned": self.pruned}
        return state | {name: value for name, value in optional.items() if value is not None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state.get("weighting"))  # type: ignore[misc]
        self._restore(state)

    def _restore(self, state: dict[str, Any]) -> None:
        self.hold(state["labels"], state["arrays"])
        self.has_df, self.pruned = state["has_df"], state.get("pruned")

    @writing
    def hold(self, labels: list[Label], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Takes over arrays as `arrays` gives them, of any width; ValueError says what is wrong with them."""
        self.label_ids(labels)
        self._stored = StoredTable(arrays)
        self.unit = int(arrays["unit"][0])
        self.changed()

    @reading
    def digest(self) -> str:
        """SHA-256 of `arrays()`, the labels and the weighting."""
        import hashlib  # when it is needed: importing likelier should be quick

        digest = hashlib.sha256(repr([key(label) for label in self.labels]).encode())
        if self.weighting is not None:
            digest.update(f"{self.weighting} ".encode())
        for name, array in self.arrays().items():
            digest.update(f"{name} {array.dtype} {array.shape} ".encode())
            digest.update(array.tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TermCounts) and (self is other or self.digest() == other.digest())

    __hash__ = None  # type: ignore[assignment]  # counts change

    @reading
    def __repr__(self) -> str:
        documents = sum(self.documents_per_label.values())
        sizes = {"document": documents, "label": len(self.labels), "term": self.vocabulary_size}
        named = [
            f"{size if isinstance(size, int) else float(size)} {name}" + "s" * (size != 1)
            for name, size in sizes.items()
        ]
        return f"<Counts: {', '.join(named)}>"

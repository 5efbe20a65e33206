"""Counts: how many documents each label has, and for each column a table of its own.

A column counts the documents in which it is not missing, so its own number of documents may be smaller. A plain text
is a document with one column that is never missing: there the column's table says how many documents there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.checks import is_one_of
from likelier._base.errors import LearningError, error
from likelier._base.threads import changing, reading, writing
from likelier._counts import tables
from likelier._counts.pruning import Pruned, check_whole
from likelier._counts.refusals import check_kind, check_weightings, schemas_differ
from likelier._counts.snapshot import Statistic
from likelier._counts.term_counts import MOST, Number, TermCounts
from likelier._counts.value_counts import NumericCounts, Units, ValueCounts
from likelier._documents.batch import Batch
from likelier._documents.kinds import Kind
from likelier._documents.labels import Label, distinct_labels, key
from likelier._documents.schema import Schema, plain
from likelier._documents.weights import UNIT, checked_weights
from likelier._kernel import Gate, Ledger
from likelier._text.analyzer import Analyzer

if TYPE_CHECKING:
    from likelier._model.models import Model
    from likelier._model.view import View

TABLES: dict[str, Callable[[Any], TermCounts]] = {  # an empty table, by what a kind of column holds
    "terms": lambda kind: TermCounts(kind.extra),
    "value": lambda kind: ValueCounts(),
    "number": lambda kind: NumericCounts(kind.digits),
}


class Counts:
    """The counts of a model: its sufficient statistics. They can be read and changed from any thread.

    >>> from likelier import train
    >>> counts = train([("cheap watches", "spam"), ("lunch at noon", "ham")]).counts
    >>> counts.documents_per_label, counts.tokens_per_label, counts.vocabulary_size
    ({'ham': 1, 'spam': 1}, {'ham': 3, 'spam': 2}, 5)
    """

    def __init__(self, schema: Schema | None = None) -> None:
        """schema: the columns that are counted; without it, plain texts."""
        self.schema = plain(Analyzer()) if schema is None else schema
        columns = {name: empty_table(kind) for name, kind in self.schema.columns.items()}
        self._put_in(columns, None if self.schema.is_plain else TermCounts())

    def _put_in(self, columns: dict[str, TermCounts], sizes: TermCounts | None) -> None:
        self.columns = columns
        self.sizes = (
            next(iter(columns.values())) if sizes is None else sizes
        )  # N_c; and no terms, unless of plain texts
        self.tables = tuple(columns.values()) if sizes is None else (sizes, *columns.values())
        self.gate = Gate()  # of all columns together
        for table in self.tables:
            table.gate = self.gate

    @classmethod
    def from_table(
        cls,
        table: Mapping[str, Mapping[Label, float]],
        documents: Mapping[Label, float] | None = None,
        *,
        document_frequencies: Mapping[str, Mapping[Label, float]] | None = None,
    ) -> Counts:
        """Counts from a table: term → label → number of occurrences.

        documents: how many documents each label has; without it there is no fitted prior.
        document_frequencies: in how many documents; without it there is no binary or Bernoulli view.

        >>> counts = Counts.from_table(
        ...     {"happy": {"pos": 2, "neg": 0}, "sad": {"neg": 2}}, documents={"pos": 35, "neg": 65}
        ... )
        >>> counts.tokens_per_label
        {'neg': 2, 'pos': 2}
        """
        found = TermCounts()
        found.has_df = document_frequencies is not None
        tables.fill(found, table, documents, document_frequencies)
        lowercase = all(term == term.lower() for term in found.vocabulary)
        return counts_of(plain(Analyzer(lowercase=lowercase)), {"text": found})

    # ---- counting ------------------------------------------------------------------------------------------------

    @writing
    def count(self, batch: Batch, *, schema: Schema, threads: int, ledger: Ledger | None = None) -> None:
        """Counts labeled documents, column by column, and notes them in the ledger.

        schema: that of the counts, with the analyzers that cut these documents.
        """
        assert batch.labels is not None
        units = None if batch.weights is None else self._units(batch.weights)
        if self.sizes is next(iter(self.columns.values())):  # one pass for everything
            label_ids = self.sizes.label_ids(batch.labels)
            self.sizes.count_texts(batch.texts, label_ids, units, schema.only_text.counting, threads, ledger)
            return
        labels, which = distinct_labels(batch.labels)
        label_ids = self.sizes.label_ids(labels)[which]
        for place, label in enumerate(labels):
            mine = which == place
            number = int(mine.sum()) if units is None else int(units[mine].sum(dtype=np.uint64))
            self.sizes.put(label, number, [], [], [])
        for name, table in self.columns.items():
            table.count_column(schema.columns[name], batch.columns[name], labels, which, units, threads)
        if ledger is not None:  # of texts that could be counted
            self._note(ledger, batch, label_ids, units)
        self._align()

    def _units(self, weights: Any) -> NDArray[np.uint64]:
        """The weights in units of the counts, which get a finer one if they need it."""
        units, unit = checked_weights(weights)
        for table in self.tables:
            table.use_unit(unit)
        units *= np.uint64(self.sizes.unit // unit)
        if units.sum(dtype=np.float64) > MOST:
            raise error("counts-too-large")
        return units

    def _note(self, ledger: Ledger, batch: Batch, label_ids: NDArray[np.uint32], units: Units) -> None:
        names = [key(label) for label in self.sizes.all_labels]
        columns = [batch.columns[name].for_ledger for name in sorted(self.columns)]  # in whatever order they were read
        ledger.add(columns, label_ids, units, names, UNIT // self.sizes.unit)

    def _align(self) -> None:
        """Every column has the labels of the documents, with or without values."""
        for table in self.tables:
            if table is not self.sizes:
                table.require(self.labels)

    # ---- adding and subtracting ----------------------------------------------------------------------------------

    def add(self, other: Counts) -> None:
        """Adds other counts; raises an error and changes nothing if they do not fit."""
        other = self._addable(other)
        with changing(self.gate, other.gate):
            self.check_room(other)
            for mine, theirs in self._pairs(other):
                mine.add(theirs)
            self._align()

    def check_room(self, other: Counts) -> None:
        """Says what `add` would say to sums that get too large."""
        for mine, theirs in self._pairs(other):
            mine.check_room(theirs)

    def subtract(self, other: Counts, *, thorough: bool = False) -> None:
        """Subtracts other counts; raises an error and changes nothing if these do not contain them.

        thorough: also check whether any term would occur in more documents than there are.
        """
        check_whole(pruned(self), "forgetting")
        other = self._addable(other)
        done: list[tuple[TermCounts, TermCounts]] = []
        with changing(self.gate, other.gate):
            try:
                for mine, theirs in self._pairs(other):
                    mine.subtract(theirs, thorough=thorough)
                    done.append((mine, theirs))
                self._align()
                if thorough and not self._is_possible():
                    raise error("counts-not-held")
            except LearningError:
                for mine, theirs in done:
                    mine.add(theirs)  # exact, so it is as it was
                self._align()
                raise

    def _addable(self, other: Counts) -> Counts:
        """The other counts, ready to be added to these or taken from them."""
        check_kind(self, other)
        if self.schema.is_plain and other.schema.is_plain:  # analyzers are the model's business
            check_weightings(self.sizes.weighting, other.sizes.weighting)
        elif self.schema != other.schema:
            raise schemas_differ(self.schema, other.schema)
        other = self.copy() if other is self else other
        settle(other)
        return other

    def _pairs(self, other: Counts) -> list[tuple[TermCounts, TermCounts]]:
        """The tables of both; their columns may be in different orders."""
        sizes = [(self.sizes, other.sizes)] if len(self.tables) > len(self.columns) else []
        return sizes + [(table, other.columns[name]) for name, table in self.columns.items()]

    def _is_possible(self) -> bool:
        """No column has more documents than there are."""
        total = self.sizes.snapshot.documents
        return all(bool((table.snapshot.documents <= total).all()) for table in self.columns.values())

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        both = self.copy()
        both.add(other)
        return both

    @reading
    def copy(self) -> Counts:
        """An independent copy of the counts."""
        twin = Counts.__new__(Counts)
        twin.schema = self.schema
        columns = {name: table.copy() for name, table in self.columns.items()}
        twin._put_in(columns, self.sizes.copy() if len(self.tables) > len(columns) else None)
        return twin

    @reading
    def __getstate__(self) -> dict[str, Any]:
        twin = self.copy()  # of which all columns have one state, whenever they are pickled
        sizes = twin.sizes if len(twin.tables) > len(twin.columns) else None
        return {"schema": twin.schema, "columns": twin.columns, "sizes": sizes}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = counts_of(**state).__dict__

    # ---- reading -------------------------------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels that have counts, sorted."""
        return self.sizes.labels

    @property
    def documents_per_label(self) -> dict[Label, Number]:
        """N_c: how many documents each label has."""
        return self.sizes.documents_per_label

    @property
    def tokens_per_label(self) -> dict[Label, Number]:
        """The sum of tf(v,c) over the vocabulary of the only column."""
        return self._column().tokens_per_label

    @property
    def vocabulary(self) -> list[str]:
        """The terms of the only column, in the order in which they were first seen."""
        return self._column().vocabulary

    @property
    def vocabulary_size(self) -> int:
        """|V| of the only column."""
        return self._column().vocabulary_size

    def of(self, term: str, label: Label, statistic: Statistic = "tf", *, column: str | None = None) -> Number:
        """tf(t,c), df(t,c), or the weighted sum where there is a weighting; 0 for what was never seen.

        >>> Counts.from_table({"happy": {"pos": 2}}).of("happy", "pos")
        2
        """
        return self._column(column).of(term, label, statistic)

    def cells(self, column: str | None = None) -> Iterator[tuple[str, Label, Number, Number]]:
        """term or value, label, tf and df of all that is not 0, sorted by term and label.

        >>> list(Counts.from_table({"happy": {"pos": 2}, "sad": {"neg": 1}}).cells())
        [('happy', 'pos', 2, 0), ('sad', 'neg', 1, 0)]
        """
        return self._column(column).cells()

    @reading
    def missing(self, column: str) -> Number:
        """How many documents lack a value in this column."""
        return sum(self.documents_per_label.values()) - sum(self._column(column).documents_per_label.values())

    def _column(self, name: str | None = None) -> TermCounts:
        """One column; it need not be named where there is only one."""
        if name is None and len(self.columns) == 1:
            return next(iter(self.columns.values()))
        if not is_one_of(name, self.columns):
            raise error(
                "column-unknown", columns=", ".join(map(repr, self.columns)), got=name, first=next(iter(self.columns))
            )
        return self.columns[str(name)]

    # ---- comparing -----------------------------------------------------------------------------------------------

    @reading
    def digest(self) -> str:
        """SHA-256 of all counts: the same for the same documents in any order.

        >>> one = Counts.from_table({"a": {"x": 1}, "b": {"y": 2}})
        >>> two = Counts.from_table({"b": {"y": 2}, "a": {"x": 1}})
        >>> one.digest() == two.digest()
        True
        """
        import hashlib  # when it is needed: importing likelier should be quick

        if self.schema.is_plain:
            return self.sizes.digest()
        digest = hashlib.sha256(self.sizes.digest().encode())
        for name, table in sorted(self.columns.items()):
            digest.update(f"{name} {table.digest()} ".encode())
            for part, array in table.sum_arrays().items():
                digest.update(f"{part} {array.shape} ".encode() + array.tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        alike = self.schema == other.schema or (self.schema.is_plain and other.schema.is_plain)
        return self is other or (alike and self.digest() == other.digest())

    __hash__ = None  # type: ignore[assignment]  # counts change

    @reading
    def __repr__(self) -> str:
        documents = sum(self.documents_per_label.values())
        sizes = {"document": documents if isinstance(documents, int) else float(documents), "label": len(self.labels)}
        sizes |= {"term": self.vocabulary_size} if self.schema.is_plain else {"column": len(self.columns)}
        return f"<Counts: {', '.join(f'{size} {name}' + 's' * (size != 1) for name, size in sizes.items())}>"

    @reading
    def _repr_html_(self) -> str:
        from likelier._counts.in_words import to_html  # which is for notebooks

        return to_html(self)

    # ---- upwards -------------------------------------------------------------------------------------------------

    def model(self, **options: Any) -> Model:
        """A model with these counts; options as for `Model`."""
        from likelier._model.models import Model  # against the direction: counts are a model's whole content

        return Model(self, **options)

    def view(self, **settings: Any) -> View:
        """A view on these counts; settings as for `Model.textbook`."""
        return self.model().view(**settings)


def counts_of(schema: Schema, columns: dict[str, TermCounts], sizes: TermCounts | None = None) -> Counts:
    """Counts of these tables, each over all labels, brought to one unit; without `sizes`, of plain texts."""
    counts = Counts.__new__(Counts)
    counts.schema = schema
    counts._put_in(columns, sizes)
    unit = max(table.unit for table in counts.tables)
    for table in counts.tables:
        table.use_unit(unit)
    counts._align()
    return counts


def pruned(counts: Counts) -> Pruned | None:
    """What all columns have lost, with the largest of their bounds, if anything."""
    lost = [table.pruned for table in counts.columns.values() if table.pruned is not None]
    return replace(sum(lost, Pruned()), bound=max(each.bound for each in lost)) if lost else None


def empty_table(kind: Kind) -> TermCounts:
    """A table for a column of this kind."""
    return TABLES[kind.holds](kind)


def settle(counts: Counts) -> None:
    """Puts counts that are still in a file into the kernel's tables, for changes and for many questions."""
    for table in counts.tables:
        table.settle()


def version_of(counts: Counts) -> int:
    """Goes up with every change, also when a column's terms get other numbers."""
    return sum(table.version for table in counts.tables)

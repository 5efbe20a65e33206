"""A model: a schema and its counts, a stored view, and a ledger of what was learned. The rest is computed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from likelier import _storage as storage
from likelier._answer.verdict import Verdict, Verdicts
from likelier._base.checks import check_flag
from likelier._base.errors import error
from likelier._base.threads import changing, checked_threads, reading, writing
from likelier._counts import one_document
from likelier._counts.by_column import Counts, pruned, settle
from likelier._counts.making import check_alike, made_schema
from likelier._counts.pruning import Pruned, check_whole
from likelier._counts.refusals import Learned, learned
from likelier._documents.batch import Batch
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._explain.explanation import Explanation
from likelier._kernel import Analysis, Gate, Ledger
from likelier._model.view import Document, View, say
from likelier._read.intake import Pairs, asked_one, labeled
from likelier._read.reader import Documents
from likelier._settings.selection import Selection
from likelier._settings.table import ViewSettings
from likelier._settings.values import TEXTBOOK, Settings
from likelier._storage.parts import Stored, StoredLedger
from likelier._storage.provenance import appended, event
from likelier._text.analyzer import Analyzer

if TYPE_CHECKING:
    from likelier._evaluate.evaluation import Evaluation

Path = str | os.PathLike[str]


class Model:
    """A classifier that learns and forgets one document at a time, exactly.

    Models are thread-safe. Every answer reflects a single state of the model, changes happen one
    at a time, and a change waits for the answers in progress. Answers never wait for each other.

    >>> model = Model()
    >>> model.learn_many([("cheap watches", "spam"), ("lunch at noon", "ham")])
    0
    >>> model.classify("cheap lunch watches").label
    'spam'
    >>> model.forget("cheap watches", "spam")
    >>> model.labels
    ('ham',)
    """

    def __init__(
        self,
        counts: Counts | None = None,
        *,
        analyzer: Analyzer | None = None,
        schema: Schema | None = None,
        ledger: bool = True,
    ) -> None:
        """A model of these counts, or an empty one.

        analyzer: how text becomes terms; for a table with upper-case terms the default leaves case as it is.
        schema: the columns, for documents that are more than a text; `plain(analyzer, ngrams=2, weighting="log")` for
            texts of which more is counted than the analyzer says.
        ledger: remember a fingerprint of each document, so that only what was learned can be forgotten.
        """
        self.schema = made_schema(counts, schema, analyzer)
        self.counts = Counts(self.schema) if counts is None else counts
        check_flag("ledger", ledger)
        self._ledger: Ledger | StoredLedger | None = Ledger() if ledger else None
        self.settings = TEXTBOOK
        self.selection: Selection | None = None  # how training chose the settings, while they are those
        self.provenance: list[dict[str, Any]] = []
        self._stored_view: View | None = None
        self._said: set[str] = set()

    @property
    def analyzer(self) -> Analyzer:
        """The analyzer of the only text column."""
        return self.schema.only_text.analyzer

    # ---- learning ------------------------------------------------------------------------------------------------

    def learn(self, document: Document, label: Label, *, weight: float = 1) -> int:
        """Learns one document. Returns how many of the documents given the ledger already had: 0 or 1.

        A document that it had counts again all the same: two equal mails are two mails.
        document: a text, or a mapping of columns to values.
        """
        if type(document) is str and self.schema.is_plain:
            with self.gate.writing:
                known = one_document.learn(self.counts.sizes, document, label, weight, self._counting, self.ledger)
                if known is not None:
                    self.note("learn", documents=weight)
                    return int(known)
        part = self._part(self._one(document, label, weight), threads=1)
        return self._add(part, "learn", weight)

    def learn_many(
        self,
        documents: Pairs | Documents | Path | Any | None = None,
        *,
        texts: Iterable[str] | None = None,
        labels: Iterable[Label] | None = None,
        weights: Iterable[float] | None = None,
        text: str | None = None,
        label: str | None = None,
        threads: int | None = None,
    ) -> int:
        """Learns documents; all of them, or none if one cannot be used. Returns how many the ledger already had.

        documents, texts, labels, weights, text, label: as for `train`.
        """
        batches = self._labeled(documents, texts=texts, labels=labels, weights=weights, text=text, label=label)
        part = self._part(batches, threads)
        return self._add(part, "learn", part.documents, batches)

    def forget(self, document: Document, label: Label, *, weight: float = 1) -> None:
        """Removes one document as if it had never been learned; a document that was not learned is an error."""
        if type(document) is str and self.schema.is_plain:
            with self.gate.writing:
                if one_document.forget(self.counts.sizes, document, label, weight, self._counting, self.ledger):
                    self.note("forget", documents=weight)
                    return
        self._subtract(self._one(document, label, weight), threads=1)  # which says what is wrong

    def forget_many(
        self,
        documents: Pairs | Documents | Path | Any | None = None,
        *,
        texts: Iterable[str] | None = None,
        labels: Iterable[Label] | None = None,
        weights: Iterable[float] | None = None,
        text: str | None = None,
        label: str | None = None,
        threads: int | None = None,
    ) -> None:
        """Removes documents; all of them, or none if one was not learned."""
        batches = self._labeled(documents, texts=texts, labels=labels, weights=weights, text=text, label=label)
        self._subtract(batches, threads)

    def learned(self, document: Document, label: Label, *, weight: float = 1) -> bool:
        """Whether the model has learned this document with this label and weight; needs a ledger."""
        return self._learned(self._one(document, label, weight), threads=1).every

    def learned_many(
        self,
        documents: Pairs | Documents | Path | Any | None = None,
        *,
        texts: Iterable[str] | None = None,
        labels: Iterable[Label] | None = None,
        weights: Iterable[float] | None = None,
        text: str | None = None,
        label: str | None = None,
        threads: int | None = None,
    ) -> Learned:
        """How many of these documents the model has learned: `documents`, `known`, and whether `every` one."""
        batches = self._labeled(documents, texts=texts, labels=labels, weights=weights, text=text, label=label)
        return self._learned(batches, threads)

    def _learned(self, batches: Iterable[Batch], threads: int | None) -> Learned:
        if self._ledger is None:
            raise error("ledger-missing")
        part = self._part(batches, threads).ledger
        with self.gate.reading:
            assert self.ledger is not None
            assert part is not None
            return learned(self.ledger, part)

    def _labeled(self, documents: Any, **options: Any) -> Iterable[Batch]:
        return labeled(documents, schema=self.schema, **options)

    def _one(self, document: Document, label: Label, weight: float) -> list[Batch]:
        batch = asked_one(self.schema, document)
        say(batch.notes, self._said)
        return [replace(batch, labels=[label], weights=[weight], where=lambda _: "this one")]

    def _part(self, batches: Iterable[Batch], threads: int | None) -> Model:
        """A model of these documents alone."""
        part = Model(schema=self.schema, ledger=self._ledger is not None)
        for batch in batches:
            part.count(batch, checked_threads(threads))
        return part

    def count(self, batch: Batch, threads: int) -> None:
        """Counts a batch of labeled documents."""
        self.counts.count(batch, schema=self.schema, threads=threads, ledger=self.ledger)

    def _add(self, part: Model, what: str, documents: float, source: object = None) -> int:
        """Adds the part; how many of its documents the ledger had already."""
        known = 0
        check_alike(self.schema, part.schema)
        settle(part.counts)
        with changing(self.gate, part.gate):
            self.counts.add(part.counts)
            if self.ledger is not None and part.ledger is not None:
                known = self.ledger.common(part.ledger)
                self.ledger.merge(part.ledger)
            self.note(what, documents=documents, sources=getattr(source, "names", ()))
        return known

    def _subtract(self, batches: Iterable[Batch], threads: int | None) -> None:
        check_whole(self.pruned, "forgetting")
        part = self._part(batches, threads)
        with changing(self.gate, part.gate):
            held = self._take_out(part, getattr(batches, "names", ()))
        if held is not None:
            raise error("document-not-learnt", document=self._first_not_in(held, batches))

    def _take_out(self, part: Model, sources: Iterable[str]) -> Ledger | None:
        """Subtracts the part; or says what the ledger holds, if it does not hold all of it."""
        if self.ledger is not None and part.ledger is not None and not self.ledger.holds(part.ledger):
            return self.ledger.copy()
        self.counts.subtract(part.counts, thorough=self.ledger is None)
        if self.ledger is not None and part.ledger is not None:
            self.ledger.subtract(part.ledger)
        self.note("forget", documents=part.documents, sources=sources)
        return None

    def _first_not_in(self, left: Ledger, batches: Iterable[Batch]) -> str:
        """Where the first document stands that the ledger does not hold."""
        for batch in batches:
            if left.subtract(_ledger_of(self, batch)):
                continue
            for row in range(len(batch)):
                if not left.subtract(_ledger_of(self, batch.one(row))):
                    return batch.where(row)
        return "one of them"  # a source that can be read only once

    @property
    def _counting(self) -> Analysis:
        """How the only text column is counted."""
        return self.schema.only_text.counting

    @property
    def gate(self) -> Gate:
        """What keeps changes and answers apart."""
        return self.counts.gate

    @property
    def ledger(self) -> Ledger | None:
        """The fingerprints of what was learned; None in a model without."""
        if isinstance(self._ledger, StoredLedger):
            with self.gate.reading:
                if isinstance(self._ledger, StoredLedger):  # nobody has made it ready and changed it meanwhile
                    self._ledger = self._ledger.ledger()
        return self._ledger

    def note(self, what: str, *, documents: float = 0, sources: Iterable[str] = ()) -> None:
        """Adds an event to the provenance: the action, its time, its documents."""
        self.provenance = appended(self.provenance, event(what, sources, documents))

    @property
    def pruned(self) -> Pruned | None:
        """The terms dropped in training because of `most_terms`, see `train`; None if none were."""
        return pruned(self.counts)

    @reading
    def copy(self) -> Model:
        """An independent copy of the model."""
        ledger = None if self.ledger is None else self.ledger.copy()
        return Model._of(replace(self._stored(), counts=self.counts.copy(), ledger=ledger))

    @classmethod
    def _of(cls, stored: Stored) -> Model:
        model = cls(stored.counts, schema=stored.schema, ledger=False)
        model.settings, model.selection = stored.settings, stored.selection
        model._ledger, model.provenance = stored.ledger, list(stored.provenance)
        return model

    @reading
    def __getstate__(self) -> dict[str, Any]:
        ledger = None if self.ledger is None else self.ledger.sorted()
        counts = self.counts.copy()  # whenever they are pickled
        return {**vars(self._stored()), "counts": counts, "ledger": ledger}

    def __setstate__(self, state: dict[str, Any]) -> None:
        ledger = None if state["ledger"] is None else Ledger.load(*state["ledger"])
        self.__dict__ = Model._of(Stored(**{**state, "ledger": ledger})).__dict__

    def __add__(self, other: Model) -> Model:
        """The model of both models' documents."""
        if not isinstance(other, Model):
            return NotImplemented
        check_alike(self.schema, other.schema)
        both = self.copy()
        settle(other.counts)  # which is a change
        with other.gate.reading:
            if other.ledger is None:
                both._ledger = None
            mine = both.provenance
            both._add(other, "merge", other.documents)
            both.provenance = appended(mine, *other.provenance)
        both.note("merge", documents=both.documents)
        return both

    # ---- files ---------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Writes the model file: all of it, or nothing."""
        with self.gate.reading:
            content = storage.content(path, self._stored())
        storage.write(path, content)

    def to_bytes(self) -> bytes:
        """The content of the model file, to store it elsewhere."""
        with self.gate.reading:
            return storage.to_bytes(self._stored())

    @classmethod
    def from_bytes(cls, content: bytes) -> Model:
        """The model of `to_bytes`."""
        return cls._of(storage.from_bytes(content))

    def _stored(self) -> Stored:
        return Stored(self.counts, self.schema, self.settings, self._ledger, self.provenance, self.selection)

    # ---- asking --------------------------------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, sorted."""
        return self.counts.labels

    @property
    def documents(self) -> float:
        """How many documents the model has learned, by their weights."""
        total = sum(self.counts.documents_per_label.values())
        return total if isinstance(total, int) else float(total)

    def view(self, **changes: Unpack[ViewSettings]) -> View:
        """The stored view with changes; nothing is trained or stored. docs/settings.md explains each setting."""
        return View(self.counts, self.schema, self.settings, **changes) if changes else self._view

    def textbook(self, **changes: Unpack[ViewSettings]) -> View:
        """The textbook's view with changes: multinomial, alpha 1, fitted prior, unknown terms ignored."""
        return View(self.counts, self.schema, **changes)

    @writing
    def set_view(self, **changes: Unpack[ViewSettings]) -> None:
        """Changes settings of the stored view, which the model answers by and which is saved with it."""
        self.use_settings(self.settings.changed(**changes))

    @writing
    def use_settings(self, settings: Settings) -> None:
        """Replaces all settings of the stored view; `Settings()` is the textbook."""
        self._stored_view = View(self.counts, self.schema, settings)  # refuses what does not fit the counts
        if not settings.scores_like(self.settings):  # they are not those that were chosen any more
            self.selection = None
        self.settings = settings

    @property
    def _view(self) -> View:
        """The stored view; the textbook's until `set_view` changes it."""
        if self._stored_view is None or self._stored_view.settings is not self.settings:
            self._stored_view = View(self.counts, self.schema, self.settings)
        return self._stored_view

    def classify(self, document: Document) -> Verdict:
        """Classifies a document under the stored view: a text, or a mapping of columns to values."""
        return self._view.classify(document)

    def classify_many(self, documents: Iterable[Document] | Any, *, threads: int | None = None) -> Verdicts:
        """Classifies many documents or a data frame under the stored view."""
        return self._view.classify_many(documents, threads=threads)

    def explain(self, document: Document, *, against: Label | None = None) -> Explanation:
        """Explains the verdict on a document, item by item, under the stored view."""
        return self._view.explain(document, against=against)

    def evaluate(self, documents: Any = None, **options: Any) -> Evaluation:
        """Evaluates the stored view on labeled documents; by default each document is judged without itself.

        docs/guides/evaluating.md explains the options.
        """
        return self._view.evaluate(documents, **options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.schema == other.schema and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]  # models change

    def __repr__(self) -> str:
        return repr(self.counts).replace("Counts", "Model")


def load(path: Path) -> Model:
    """Loads the model from a file.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/mail.likelier"
    >>> Model().save(path)
    >>> load(path)
    <Model: 0 documents, 0 labels, 0 terms>
    """
    return Model._of(storage.load(path))


@contextmanager
def updating(path: Path, *, waiting: Callable[[], None] | None = None) -> Iterator[Model]:
    """Loads the model from a file to change it, and saves it when the block ends without an error.

    Meanwhile, other writers wait, and readers see the file before the change or after it.

    waiting: called once if somebody else is changing the file.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/mail.likelier"
    >>> Model().save(path)
    >>> with updating(path) as model:
    ...     model.learn("cheap watches", "spam")
    0
    >>> load(path).documents
    1
    """
    with storage.locked(path, waiting=waiting):
        model = load(path)
        yield model
        model.save(path)


def _ledger_of(model: Model, batch: Batch) -> Ledger:
    ledger = model._part([batch], threads=1).ledger
    assert ledger is not None
    return ledger

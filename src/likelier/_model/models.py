"""A model: a schema and its counts, a stored view, and a ledger of what was learned. The rest is computed."""

from __future__ import annotations

import os
import warnings
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
from likelier._documents.labels import Label, respelled, spellings
from likelier._documents.schema import Schema
from likelier._explain.explanation import Explanation
from likelier._kernel import Analysis, Gate, Ledger
from likelier._model import by_ledger, merging
from likelier._model.view import Document, View, say
from likelier._read.cleaned import CleanedDocuments
from likelier._read.intake import Pairs, asked, asked_one, labeled
from likelier._read.reader import Documents
from likelier._refine.layer import Layer
from likelier._settings.selection import Chosen, Selection
from likelier._settings.table import ViewSettings
from likelier._settings.values import TEXTBOOK, Settings
from likelier._show.progress import Report, shown
from likelier._storage.parts import Stored, StoredLedger
from likelier._storage.provenance import MOST, check_name, event, trimmed
from likelier._text.analyzer import Analyzer

if TYPE_CHECKING:
    from likelier._evaluate.evaluation import Evaluation
    from likelier._explain.derivation import Derivation
    from likelier._show.table import Table

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
        self.chosen: Chosen | None = None  # the settings that training chose, and how
        self.layer: Layer | None = None  # refined weights, where they were fitted
        self.provenance: list[dict[str, Any]] = []
        self._stored_view: View | None = None
        self._said: set[str] = set()
        self._changed: float = 0  # documents that were learned, forgotten or relabeled

    @property
    def analyzer(self) -> Analyzer:
        """The analyzer of the only text column."""
        return self.schema.only_text.analyzer

    # ---- learning ------------------------------------------------------------------------------------------------

    def learn(
        self, document: Document, label: Label, *, weight: float = 1, once: bool = False, by: str | None = None
    ) -> int:
        """Learns one document. Returns how many of the documents given the ledger already had: 0 or 1.

        A document that it had counts again all the same: two equal mails are two mails.
        document: a text, or a mapping of columns to values.
        once: such a document does not count again; needs a ledger.
        by: who teaches it, for the provenance.
        """
        check_name(by)
        label = self._spelling(label)
        if once:
            return by_ledger.learn_once(self, self._one(document, label, weight), 1, by)
        if type(document) is str and self.schema.is_plain:
            with self.gate.writing:
                known = one_document.learn(self.counts.sizes, document, label, weight, self._counting, self.ledger)
                if known is not None:
                    self.note("learn", documents=weight, by=by)
                    return int(known)
        part = self._part(self._one(document, label, weight), threads=1)
        return self._add(part, "learn", weight, None, by)

    def learn_many(
        self,
        documents: Pairs | Documents | Path | Any | None = None,
        labels: Iterable[Label] | None = None,
        *,
        texts: Iterable[str] | None = None,
        weights: Iterable[float] | None = None,
        text: str | None = None,
        label: str | None = None,
        once: bool = False,
        by: str | None = None,
        threads: int | None = None,
    ) -> int:
        """Learns documents; all of them, or none if one cannot be used. Returns how many the ledger already had.

        documents, texts, labels, weights, text, label: as for `train`.
        once: documents that the ledger had do not count again, nor do copies among these.
        by: who teaches them, for the provenance.
        """
        check_name(by)
        batches = self._labeled(documents, texts=texts, labels=labels, weights=weights, text=text, label=label)
        if once:
            return by_ledger.learn_once(self, batches, threads, by)
        part = self._part(batches, threads)
        return self._add(part, "learn", part.documents, batches, by)

    def relabel(
        self,
        document: Document,
        label: Label,
        *,
        old: Label | None = None,
        weight: float = 1,
        by: str | None = None,
    ) -> Label:
        """Moves a document to another label: forgets it and learns it, in one step. Returns the label it had.

        old: the label it had; without it, the ledger finds it.
        by: who does it, for the provenance.
        """
        batch = asked_one(self.schema, document)
        say(batch.notes, self._said)
        one = replace(batch, weights=[weight], where=lambda _: "this one")
        old = None if old is None else self._spelling(old)
        return by_ledger.relabel(self, [one], self._spelling(label), old, threads=1, by=by)[0]

    def relabel_many(
        self,
        documents: Iterable[Document] | Documents | Any,
        label: Label,
        *,
        old: Label | None = None,
        by: str | None = None,
        threads: int | None = None,
    ) -> int:
        """Moves documents to another label; all of them, or none. Returns how many had another one.

        documents: texts, mappings of columns to values, a data frame, or `read(..., labeled=False)`.
        """
        sources: Iterable[str] = ()
        if isinstance(documents, Documents):
            batches, sources = list(documents.use(self.schema)), documents.names
        else:
            batches = [asked(self.schema, documents)]
            say(batches[0].notes, self._said)
        label, old = self._spelling(label), None if old is None else self._spelling(old)
        found = by_ledger.relabel(self, batches, label, old, threads=threads, by=by, sources=sources)
        return sum(before != label for before in found)

    def forget(self, document: Document, label: Label, *, weight: float = 1, by: str | None = None) -> None:
        """Removes one document as if it had never been learned; a document that was not learned is an error."""
        check_name(by)
        label = self._spelling(label)
        if type(document) is str and self.schema.is_plain:
            with self.gate.writing:
                if one_document.forget(self.counts.sizes, document, label, weight, self._counting, self.ledger):
                    self.note("forget", documents=weight, by=by)
                    return
        self._subtract(self._one(document, label, weight), 1, by)  # which says what is wrong

    def forget_many(
        self,
        documents: Pairs | Documents | Path | Any | None = None,
        labels: Iterable[Label] | None = None,
        *,
        texts: Iterable[str] | None = None,
        weights: Iterable[float] | None = None,
        text: str | None = None,
        label: str | None = None,
        by: str | None = None,
        threads: int | None = None,
    ) -> None:
        """Removes documents; all of them, or none if one was not learned."""
        check_name(by)
        batches = self._labeled(documents, texts=texts, labels=labels, weights=weights, text=text, label=label)
        self._subtract(batches, threads, by)

    def learned(self, document: Document, label: Label, *, weight: float = 1) -> bool:
        """Whether the model has learned this document with this label and weight; needs a ledger."""
        return self._learned(self._one(document, self._spelling(label), weight), threads=1).every

    def learned_many(
        self,
        documents: Pairs | Documents | Path | Any | None = None,
        labels: Iterable[Label] | None = None,
        *,
        texts: Iterable[str] | None = None,
        weights: Iterable[float] | None = None,
        text: str | None = None,
        label: str | None = None,
        threads: int | None = None,
    ) -> Learned:
        """How many of these documents the model has learned: `documents`, `known`, and whether `every` one."""
        batches = self._labeled(documents, texts=texts, labels=labels, weights=weights, text=text, label=label)
        return self._learned(batches, threads)

    def refine(
        self,
        documents: Pairs | Documents | Path | Any | None = None,
        labels: Iterable[Label] | None = None,
        *,
        texts: Iterable[str] | None = None,
        weights: Iterable[float] | None = None,
        text: str | None = None,
        label: str | None = None,
        threads: int | None = None,
        progress: bool | Report | None = None,
    ) -> None:
        """Fits refined weights to learned documents: more accurate where there are many of them, or long ones.

        The counts stay as they are. Learning and forgetting change the naive Bayes part of each score at once;
        `model.layer` says by how many documents the refined weights are behind, and `refine` fits them again.
        documents, texts, labels, weights, text, label: as for `train`.
        threads: how many to use; all cores if not given. The result does not depend on it.
        progress: as for `train`.
        """
        batches = self._labeled(documents, texts=texts, labels=labels, weights=weights, text=text, label=label)
        with shown(progress) as report:
            self._refine(batches, checked_threads(threads), report)

    def _refine(self, batches: Iterable[Batch], threads: int, report: Report) -> None:
        """The same, with documents that were read already."""
        from likelier._evaluate.refining import refined

        with self.gate.reading:
            view, before = View(self.counts.copy(), self.schema, self.settings), self._changed
        layer = refined(view, batches, threads, report)
        with self.gate.writing:
            layer.behind += self._changed - before
            self.layer = layer
            self.note("refine", documents=layer.documents, sources=getattr(batches, "names", ()))

    def _learned(self, batches: Iterable[Batch], threads: int | None) -> Learned:
        if self._ledger is None:
            raise error("ledger-missing")
        part = self._part(batches, threads).ledger
        with self.gate.reading:
            assert self.ledger is not None
            assert part is not None
            return learned(self.ledger, part)

    def _labeled(self, documents: Any, **options: Any) -> Iterable[Batch]:
        found = labeled(documents, schema=self.schema, **options)
        return CleanedDocuments(found, self.labels) if self.schema.clean_labels else found

    def _spelling(self, label: Label) -> Label:
        """The label as this model spells it."""
        if not self.schema.clean_labels:
            return label
        spelled: Label = respelled(label, spellings(dict.fromkeys(self.labels, 1)))
        return spelled

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

    def _add(self, part: Model, what: str, documents: float, source: object = None, by: str | None = None) -> int:
        """Adds the part; how many of its documents the ledger had already."""
        check_alike(self.schema, part.schema)
        settle(part.counts)
        with changing(self.gate, part.gate):
            known = self._put_in(part)
            self.note(what, documents=documents, sources=getattr(source, "names", ()), by=by)
        return known

    def _put_in(self, part: Model) -> int:
        """Adds counts and ledger of the part; how many of its documents the ledger had already."""
        known = 0
        self.counts.add(part.counts)
        if self.ledger is not None and part.ledger is not None:
            known = self.ledger.common(part.ledger)
            self.ledger.merge(part.ledger)
        return known

    def _subtract(self, batches: Iterable[Batch], threads: int | None, by: str | None) -> None:
        check_whole(self.pruned, "forgetting")
        part = self._part(batches, threads)
        with changing(self.gate, part.gate):
            held = self._take_out(part)
            if held is None:
                self.note("forget", documents=part.documents, sources=getattr(batches, "names", ()), by=by)
        if held is not None:
            raise error("document-not-learnt", document=self._first_not_in(held, batches))

    def _take_out(self, part: Model) -> Ledger | None:
        """Subtracts the part; or says what the ledger holds, if it does not hold all of it."""
        if self.ledger is not None and part.ledger is not None and not self.ledger.holds(part.ledger):
            return self.ledger.copy()
        self.counts.subtract(part.counts, thorough=self.ledger is None)
        if self.ledger is not None and part.ledger is not None:
            self.ledger.subtract(part.ledger)
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

    def note(self, what: str, *, documents: float = 0, sources: Iterable[str] = (), by: str | None = None) -> None:
        """Adds an event to the provenance: the action, its time, its documents, and who did it."""
        check_name(by)
        self.provenance.append(event(what, sources, documents, by))
        if what in ("learn", "forget", "relabel"):
            self._fall_behind(documents)
        if len(self.provenance) > MOST:
            self.provenance = trimmed(self.provenance)

    def _fall_behind(self, documents: float) -> None:
        """Notes how many documents were learned or forgotten, which the refined weights do not know of."""
        self._changed += documents
        if self.layer is not None:
            self.layer.behind += documents

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
        model.settings, model.chosen = stored.settings, stored.chosen
        model.layer = None if stored.layer is None else replace(stored.layer)  # which counts what it is behind
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
        """The model of both models' documents, with what both count of them; a warning tells what was dropped."""
        if not isinstance(other, Model):
            return NotImplemented
        both, notes = self.merged(other)
        for note in notes:
            warnings.warn(note, stacklevel=2)
        return both

    def merged(self, other: Model) -> tuple[Model, list[str]]:
        """The model of both models' documents, and what was dropped because only one of them counts it.

        The settings are those of this model or, where they need what was dropped, the nearest that do not.
        """
        schema = merging.common_schema(self.schema, other.schema)
        mine, theirs = (each if each.schema == schema else merging.brought_to(each, schema) for each in (self, other))
        both = mine._sum(theirs)
        return both, merging.in_words(self, other, both)

    def _sum(self, other: Model) -> Model:
        """The sum of two models that count the same."""
        both = self.copy()
        both.layer = None
        settle(other.counts)  # which is a change
        with other.gate.reading:
            if other.ledger is None:
                both._ledger = None
            both._add(other, "merge", other.documents)
            both.provenance = trimmed([*both.provenance[:-1], *other.provenance])
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
    def load(cls, path: Path) -> Model:
        """Loads the model from a file, as `likelier.load` does."""
        return cls._of(storage.load(path))

    @classmethod
    def from_bytes(cls, content: bytes) -> Model:
        """The model of `to_bytes`."""
        return cls._of(storage.from_bytes(content))

    def _stored(self) -> Stored:
        return Stored(self.counts, self.schema, self.settings, self._ledger, self.provenance, self.chosen, self.layer)

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

    def view(self, *, refined: bool = True, **changes: Unpack[ViewSettings]) -> View:
        """The stored view with changes; nothing is trained or stored. docs/settings.md explains each setting.

        refined: with the refined weights of the model, if it has some and the changes give the same scores.
        """
        check_flag("refined", refined)
        if refined and not changes:
            return self._view
        return View(self.counts, self.schema, self.settings, layer=self.layer if refined else None, **changes)

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
        self._stored_view = View(
            self.counts, self.schema, settings, layer=self.layer
        )  # refuses what does not fit the counts
        self.settings = settings

    def use_chosen(self) -> None:
        """Goes back to the settings that `train` chose."""
        if self.chosen is None:
            raise error("nothing-chosen")
        self.use_settings(self.chosen.settings)

    @property
    def selection(self) -> Selection | None:
        """How training chose the settings; None if it did not, or if others were set that give other scores."""
        chosen = self.chosen
        return None if chosen is None or not self.settings.scores_like(chosen.settings) else chosen.selection

    @selection.setter
    def selection(self, selection: Selection | None) -> None:
        self.chosen = None if selection is None else Chosen(self.settings, selection)

    @property
    def _view(self) -> View:
        """The stored view; the textbook's until `set_view` changes it."""
        view = self._stored_view
        if view is None or view.settings is not self.settings or view.layer is not self.layer:
            self._stored_view = view = View(self.counts, self.schema, self.settings, layer=self.layer)
        return view

    def classify(self, document: Document) -> Verdict:
        """Classifies a document under the stored view: a text, or a mapping of columns to values."""
        return self._view.classify(document)

    def classify_many(self, documents: Iterable[Document] | Any, *, threads: int | None = None) -> Verdicts:
        """Classifies many documents or a data frame under the stored view."""
        return self._view.classify_many(documents, threads=threads)

    def explain(self, document: Document, *, against: Label | None = None) -> Explanation:
        """Explains the verdict on a document, item by item, under the stored view."""
        return self._view.explain(document, against=against)

    def derivation(self, document: Document, **options: Any) -> Derivation:
        """Derives the verdict on a document as on a board, under the stored view; see `View.derivation`."""
        return self._view.derivation(document, **options)

    def evaluate(self, documents: Any = None, **options: Any) -> Evaluation:
        """Evaluates the stored view on labeled documents; by default each document is judged without itself.

        docs/guides/evaluating.md explains the options.
        """
        return self._view.evaluate(documents, **options)

    def count_table(self, **options: Any) -> Table:
        """How often each term was counted under each label; `View.count_table` explains the options.

        >>> model = Model()
        >>> model.learn_many([("cheap watches", "spam"), ("lunch at noon", "ham")])
        0
        >>> print(model.count_table())
        label  cheap  watches  lunch  at  noon  words  documents
        ham        0        0      1   1     1      3          1
        spam       1        1      0   0     0      2          1
        ────────────────────────────────────────────────────────
        sum        1        1      1   1     1      5          2
        """
        return self._view.count_table(**options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.schema == other.schema and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]  # models change

    def __repr__(self) -> str:
        return repr(self.counts).replace("Counts", "Model")

    @reading
    def _repr_html_(self) -> str:
        from likelier._model.in_words import model_html  # which is for notebooks

        return model_html(self)


def load(path: Path) -> Model:
    """Loads the model from a file.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/mail.likelier"
    >>> Model().save(path)
    >>> load(path)
    <Model: 0 documents, 0 labels, 0 terms>
    """
    return Model.load(path)


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

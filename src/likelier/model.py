"""A model: an analyzer and its counts, with a ledger of what was learnt. Everything else is a view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np

from likelier._kernel import Ledger
from likelier.counts import Counts, Label
from likelier.counts.documents import check_lengths, checked_weights
from likelier.counts.labels import checked_labels
from likelier.errors import InputError, LearningError, SettingError
from likelier.explain import Explanation
from likelier.settings import ViewSettings, check_names
from likelier.text.analyzer import Analyzer
from likelier.text.texts import checked_text, checked_texts
from likelier.threads import checked_threads
from likelier.verdict import Verdict, Verdicts
from likelier.view import View


class Model:
    """A text classifier that learns and forgets one document at a time, exactly."""

    def __init__(self, counts: Counts | None = None, *, analyzer: Analyzer | None = None, ledger: bool = True) -> None:
        """A model of these counts, or an empty one.

        analyzer: how text becomes terms; for a table with upper-case terms the default leaves case as it is.
        ledger: remember a fingerprint of each document, so that only what was learnt can be forgotten.
        """
        _check_parts(counts, analyzer)
        self.counts = Counts() if counts is None else counts
        self.analyzer = _default_analyzer(counts) if analyzer is None else analyzer
        if self.analyzer.is_open:
            raise SettingError(
                code="stop-words-open",
                message=f"the {self.analyzer.stop_words} most frequent words can only be found in a training set",
                hint="train(documents, analyzer=...) finds them; a model of its own needs a list of words",
            )
        self.ledger = Ledger() if ledger else None

    # ---- learning ------------------------------------------------------------------------------------------------

    def learn(self, text: str, label: Label, *, weight: float = 1) -> bool:
        """Adds one document; False if the ledger says that the same text was learnt under this label before.

        It counts again all the same: two equal mails are two mails.
        """
        part = self._part([checked_text(text)], [label], [weight], threads=1)
        new = self.ledger is None or part.ledger is None or not self.ledger.holds(part.ledger)
        self._add(part)
        return new

    def learn_many(
        self,
        documents: Iterable[tuple[str, Label]] | None = None,
        *,
        texts: Iterable[str] | None = None,
        labels: Iterable[Label] | None = None,
        weights: Iterable[float] | None = None,
        threads: int | None = None,
    ) -> None:
        """Adds documents; all of them, or none if one cannot be used."""
        self._add(self._part(*_columns(documents, texts, labels, weights), threads=threads))

    def forget(self, text: str, label: Label, *, weight: float = 1) -> None:
        """Takes one document out as if it had never been learnt; refuses what was not learnt."""
        self._subtract(self._part([checked_text(text)], [label], [weight], threads=1))

    def forget_many(
        self,
        documents: Iterable[tuple[str, Label]] | None = None,
        *,
        texts: Iterable[str] | None = None,
        labels: Iterable[Label] | None = None,
        weights: Iterable[float] | None = None,
        threads: int | None = None,
    ) -> None:
        """Takes documents out; all of them, or none if one was not learnt."""
        self._subtract(self._part(*_columns(documents, texts, labels, weights), threads=threads))

    def _part(
        self, texts: list[str], labels: Sequence[object], weights: Sequence[object] | None, threads: int | None
    ) -> Model:
        """A model of these documents alone."""
        part = Model(analyzer=self.analyzer, ledger=self.ledger is not None)
        check_lengths(texts=texts, labels=labels, weights=weights)
        units = None
        if weights is not None:
            units, part.counts.unit = checked_weights(weights)
        label_ids = part.counts.label_ids(labels)
        analysis = self.analyzer.analysis
        part.counts.count(texts, label_ids, units, analysis, checked_threads(threads), part.ledger)
        return part

    def _add(self, part: Model) -> None:
        self.counts.add(part.counts)
        if self.ledger is not None and part.ledger is not None:
            self.ledger.merge(part.ledger)

    def _subtract(self, part: Model) -> None:
        if self.ledger is not None and part.ledger is not None and not self.ledger.holds(part.ledger):
            raise LearningError(
                code="document-not-learnt",
                message="only a document that was learnt can be forgotten, and this one was not, or not with this"
                " label and weight; nothing was changed",
                hint="give text, label and weight exactly as they were learnt",
            )
        self.counts.subtract(part.counts)
        if self.ledger is not None and part.ledger is not None:
            self.ledger.subtract(part.ledger)

    def copy(self) -> Model:
        """The same model, which can learn on its own."""
        twin = Model(self.counts.copy(), analyzer=self.analyzer, ledger=False)
        twin.ledger = None if self.ledger is None else self.ledger.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        ledger = None if self.ledger is None else self.ledger.sorted()
        return {"counts": self.counts, "analyzer": self.analyzer, "ledger": ledger}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["counts"], analyzer=state["analyzer"], ledger=False)  # type: ignore[misc]
        self.ledger = None if state["ledger"] is None else Ledger.load(*state["ledger"])

    def __add__(self, other: Model) -> Model:
        """The model of both models' documents."""
        if not isinstance(other, Model):
            return NotImplemented
        if self.analyzer != other.analyzer:
            raise LearningError(
                code="analyzers-differ",
                message="models can be merged when their analyzers are equal,"
                f" got {self.analyzer} and {other.analyzer}",
                hint="train both with the same analyzer; stop words by frequency differ between training sets,"
                " so give both the same list",
            )
        both = self.copy()
        if other.ledger is None:
            both.ledger = None
        both._add(other)
        return both

    # ---- asking --------------------------------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, sorted."""
        return self.counts.labels

    def view(self, **settings: Unpack[ViewSettings]) -> View:
        """The counts under other settings; nothing is trained. See `Settings` for them."""
        check_names(settings)
        return View(self.counts, self.analyzer, **settings)

    def classify(self, text: str) -> Verdict:
        """Which label is likelier for this text, under the textbook view."""
        return self._textbook.classify(text)

    def classify_many(self, texts: Iterable[str], *, threads: int | None = None) -> Verdicts:
        """The verdicts for many texts, under the textbook view."""
        return self._textbook.classify_many(texts, threads=threads)

    def explain(self, text: str) -> Explanation:
        """Why, under the textbook view."""
        return self._textbook.explain(text)

    @property
    def _textbook(self) -> View:
        if not hasattr(self, "_textbook_view"):
            self._textbook_view = self.view()
        return self._textbook_view

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.analyzer == other.analyzer and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]  # models change

    def __repr__(self) -> str:
        return repr(self.counts).replace("Counts", "Model")


def train(
    documents: Iterable[tuple[str, Label]] | None = None,
    *,
    texts: Iterable[str] | None = None,
    labels: Iterable[Label] | None = None,
    weights: Iterable[float] | None = None,
    analyzer: Analyzer | None = None,
    ledger: bool = True,
    threads: int | None = None,
) -> Model:
    """A model of labelled documents: pairs of text and label, or columns.

    weights: how much each document counts; 1 if not given.
    threads: how many to use; all cores if not given. The result does not depend on it.

    >>> model = train([("надо купить молоко", "ham"), ("спешите купить виагру", "spam")])
    >>> model.classify("купить молоко").label
    'ham'
    """
    _check_parts(None, analyzer)
    text_column, label_column, weight_column = _columns(documents, texts, labels, weights)
    check_lengths(texts=text_column, labels=label_column, weights=weight_column)
    if not text_column:
        raise InputError(
            code="no-documents",
            message="a model is trained on at least one document, got none",
            hint='train([("text", "label"), ...])',
        )
    analyzer = _settled(analyzer or Analyzer(), text_column, threads)
    return Model(analyzer=analyzer, ledger=ledger)._part(text_column, label_column, weight_column, threads=threads)


def _settled(analyzer: Analyzer, texts: list[str], threads: int | None) -> Analyzer:
    """The analyzer with the most frequent words of the texts as its stop words, if it asks for them."""
    if not analyzer.is_open:
        return analyzer
    plain = Analyzer(lowercase=analyzer.lowercase, punctuation=analyzer.punctuation)
    counts = Counts()
    counts.count(texts, counts.label_ids([""] * len(texts)), None, plain.analysis, checked_threads(threads))
    often = counts.snapshot.term_totals("tf")
    order = np.argsort(-often.astype(np.int64), kind="stable")  # of equal ones the first seen comes first
    return analyzer.settled(counts.table.texts(order.astype(np.uint32)))


def _columns(
    documents: Iterable[tuple[str, Label]] | None,
    texts: Iterable[str] | None,
    labels: Iterable[Label] | None,
    weights: Iterable[float] | None,
) -> tuple[list[str], Sequence[object], list[object] | None]:
    if (documents is None) == (texts is None) or (texts is None) != (labels is None):
        raise InputError(
            code="documents-or-columns",
            message="give documents as (text, label) pairs, or `texts` and `labels`; not both and not half of it",
            hint='train([("text", "label"), ...]) or train(texts=[...], labels=[...])',
        )
    for name, column in (("documents", documents), ("weights", weights)):
        if not (column is None or isinstance(column, Iterable)):
            raise InputError(
                code="column-kind",
                message=f"`{name}` must have one entry for each document, got {column!r:.60}",
                hint="give a list",
            )
    if documents is not None:
        pairs = [_checked_pair(row, pair) for row, pair in enumerate(documents)]
        texts, labels = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert texts is not None
    assert labels is not None
    return checked_texts(texts), checked_labels(labels), None if weights is None else list(weights)


def _check_parts(counts: object, analyzer: object) -> None:
    if not (counts is None or isinstance(counts, Counts)):
        raise InputError(
            code="counts-kind",
            message=f"a model is made of Counts, got {type(counts).__name__}",
            hint="Counts.from_table(table).model(), or train(documents)",
        )
    if not (analyzer is None or isinstance(analyzer, Analyzer)):
        raise SettingError(
            code="analyzer-kind",
            message=f"`analyzer` must be an Analyzer, got {analyzer!r:.60}",
            hint="Analyzer(language='de', stop_words='de', lemmatize=True)",
        )


def _checked_pair(row: int, pair: object) -> tuple[Any, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InputError(
            code="document-not-a-pair",
            message=f"a document is a pair of text and label, got {pair!r:.60} as document {row}",
            hint='train([("text", "label"), ...]) or train(texts=[...], labels=[...])',
        )
    return pair[0], pair[1]


def _default_analyzer(counts: Counts | None) -> Analyzer:
    terms = [] if counts is None else counts.vocabulary
    return Analyzer(lowercase=all(term == term.lower() for term in terms))

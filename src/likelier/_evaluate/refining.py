"""Fits refined weights to learned documents, and judges documents by machines that have not seen them.

The factors of the parts are those with the least log loss on documents that no part has seen: naive Bayes judges each
by the counts without it, and the machines each fold of three by the others. idf and the choice of terms see all
documents, but no label. Where documents are many, one fold is enough to fit a few factors.

One set of machines has words with pairs of words; another one, where it can be afforded, pieces of words too. Each is
wrong in its own way, so the sum of both is better than either. A set whose factor is small beside the others is
dropped, and only the others are fitted to all documents.

Documents are taken in an order that depends on what is in them, so that the order in which they come changes nothing,
and copies are in one fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.verdict import decided
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._counts.by_column import pruned
from likelier._counts.pruning import check_whole
from likelier._documents.batch import Batch
from likelier._documents.labels import distinct_labels, key
from likelier._documents.values import Texts
from likelier._documents.weights import checked_weights
from likelier._evaluate.leaving.one_out import leave_one_out
from likelier._evaluate.splits import all_of
from likelier._kernel import Column, TermRows, mixed_rows
from likelier._model.view import View
from likelier._refine.factors import bounded, fitted_factors, log_loss
from likelier._refine.layer import Layer
from likelier._refine.weights import Machines, Weights, of_labels
from likelier._show.progress import REFINING, Report, silent
from likelier._text.analyzer import Analyzer

Rows = NDArray[np.intp]
FEWEST = 20  # documents
MOST_LABELS = 1000
FOLDS = 3
JUDGED, MOST_JUDGED = 2000, 10_000  # documents that the factors are fitted to
LEAST = 2  # documents that a term must have
MOST_CELLS = 1 << 25  # terms times machines; of more, only the most frequent terms are taken
COST, TOLERANCE, EPOCHS = 1.5, 0.1, 6  # C; more effort changes few verdicts, and log losses by less than chance
USEFUL = 0.25  # of the largest factor
PIECE_SIZES = (2, 5)
BEHIND_DIGITS = 6  # of documents with weights
MOST_OF_PIECES = 100_000_000  # bytes of text times blocks of machines, up to which pieces of words are tried
BLOCK = 8  # machines that the kernel fits side by side


def refined(view: View, batches: Iterable[Batch], threads: int, report: Report = silent) -> Layer:
    """The layer for a view without one, fitted to documents that its counts have learned."""
    _check(view)
    documents = Documents.of(view, batches)
    judged, sample = documents.judged_folds()
    scores = leave_one_out(view, documents.batch.keep(sample), threads)
    naive = bounded(decided(view.estimates, scores, view.settings).log_scores)
    truth, weights = documents.truth[sample], documents.weights[sample]
    usable = (naive[np.arange(len(sample)), truth] > -np.inf) & (weights > 0)
    usable &= np.isfinite(scores.values[np.arange(len(sample)), truth])
    if usable.sum() < FEWEST:
        raise error("refine-few", fewest=FEWEST, got=int(usable.sum()))
    target = _Target(naive[usable], truth[usable].astype(np.intp), weights[usable])
    tried = [
        _Fit(documents, name, analyzer, threads, report)
        for name, kind in view.schema.texts.items()
        for analyzer in _analyzers(kind.analyzer, documents.size(name), len(view.labels))
    ]
    margins = [each.margins(judged)[sample[usable]] for each in tried]
    _, (_, *factors) = target.loss(margins)
    useful = [place for place, each in enumerate(factors) if each >= USEFUL * max(factors)]
    loss, (factor, *factors) = target.loss([margins[place] for place in useful])
    given, learned = float(documents.weights.sum()), sum(map(float, view.counts.documents_per_label.values()))
    others = round(learned - given, BEHIND_DIGITS)
    return Layer(
        settings=view.settings,
        labels=view.labels,
        digest=view.counts.digest(),
        documents=given,
        behind=others if others > 0 else 0,
        judged=int(usable.sum()),
        losses=(round(log_loss(target.naive, target.truth, target.weights), 6), round(loss, 6)),
        factor=factor,
        machines=tuple(tried[place].whole(each) for place, each in zip(useful, factors, strict=True)),
    )


def out_of_fold(view: View, layer: Layer, batch: Batch, folds: Rows | None, threads: int) -> Floats:
    """What refined weights add to each document (documents, labels), by machines fitted without its fold.

    folds: of the documents; if not given, the three of `refined`
    """
    documents = Documents.of(view, [batch])
    if folds is not None:
        documents = replace(documents, folds=folds[documents.order].astype(np.uint32))
    judged, margins = int(documents.folds.max(initial=0)) + 1, []
    for each in layer.machines:
        found = np.zeros((len(batch), len(view.labels)))
        found[documents.order] = _Fit(documents, each.column, each.analyzer, threads, silent).margins(judged)
        margins.append(found)
    return layer.weighed(margins)


def _check(view: View) -> None:
    check_whole(pruned(view.counts), "refining")
    if not view.schema.texts:
        raise error("refine-columns", columns=view.schema.in_words())
    if not 2 <= len(view.labels) <= MOST_LABELS:
        raise error("refine-labels", most=MOST_LABELS, got=len(view.labels))


def _analyzers(own: Analyzer, size: int, labels: int) -> list[Analyzer]:
    """The sets of terms that are tried; pieces of words only where that does not take too long."""
    longest = max(own.ngram_range[1], 2)
    words = replace(own, ngrams=(1, longest), char_ngrams=None, words=True)
    blocks = -(-labels // BLOCK)
    pieces = [replace(words, char_ngrams=PIECE_SIZES)] if size * blocks <= MOST_OF_PIECES else []
    return [words, *pieces]


@dataclass(frozen=True)
class _Target:
    """What the parts are to say together."""

    naive: Floats  # (documents, labels)
    truth: Rows
    weights: Floats

    def loss(self, margins: list[Floats]) -> tuple[float, tuple[float, ...]]:
        """The log loss with these margins, and the factors."""
        parts = [self.naive, *margins]
        factors = fitted_factors(parts, self.truth, self.weights)
        scores = sum(factor * part for factor, part in zip(factors, parts, strict=True))
        return log_loss(np.asarray(scores), self.truth, self.weights), factors


@dataclass(frozen=True)
class Documents:
    """Learned documents in an order that depends on them alone.

    labels   how many labels there are
    order    which ones of those that were given
    truth    the places of their labels
    weights  how much each counts
    folds    of each
    """

    batch: Batch
    labels: int
    order: Rows
    truth: NDArray[np.uint32]
    weights: Floats
    folds: NDArray[np.uint32]

    @classmethod
    def of(cls, view: View, batches: Iterable[Batch]) -> Documents:
        """Documents whose labels the view has."""
        batch = all_of(batches, view.schema)
        values, which = distinct_labels(batch.labels or [])
        places = {label: place for place, label in enumerate(view.labels)}
        for label in values:
            if label not in places:
                raise error("left-out-not-learnt", document=batch.where(int(np.argmax(which == values.index(label)))))
        truth = np.array([places[label] for label in values], dtype=np.uint32)[which]
        units, unit = (np.ones(len(batch)), 1) if batch.weights is None else checked_weights(batch.weights)
        weights = np.asarray(units, dtype=np.float64) / unit
        texts = _texts(batch, next(iter(view.schema.texts)))
        order = mixed_rows(texts, truth, [key(label) for label in view.labels]).astype(np.intp)
        order = order[weights[order] > 0]  # what weighs nothing was not learned
        truth, mixed = truth[order], [texts[row] for row in order.tolist()]
        return cls(batch.keep(order), len(view.labels), order, truth, weights[order], _folds(mixed, truth))

    def __len__(self) -> int:
        return len(self.order)

    def judged_folds(self) -> tuple[int, Rows]:
        """How many folds have to be judged, and the documents of these that are enough."""
        judged = next(count for count in range(1, FOLDS + 1) if count == FOLDS or (self.folds < count).sum() >= JUDGED)
        return judged, np.flatnonzero(self.folds < judged)[:MOST_JUDGED]

    def size(self, name: str) -> int:
        """How many bytes of text a column has."""
        values = self.batch.columns[name]
        assert isinstance(values, Texts)
        return int(values.sizes().sum())


def _texts(batch: Batch, name: str) -> list[str]:
    values = batch.columns[name]
    assert isinstance(values, Texts)
    return values.texts.to_list() if isinstance(values.texts, Column) else list(values.texts)  # type: ignore[return-value]


def _folds(texts: list[str], truth: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The fold of each document: those of a label are dealt in turn, copies to the fold of the one before.

    >>> _folds(["a", "a", "b", "c", "d"], np.array([0, 0, 0, 0, 1], dtype=np.uint32)).tolist()
    [0, 0, 1, 2, 0]
    """
    if not texts:
        return np.zeros(0, dtype=np.uint32)
    same = [one == other for one, other in zip(texts[1:], texts, strict=False)]
    starts = np.insert(~(np.array(same, dtype=bool) & (truth[1:] == truth[:-1])), 0, True)
    firsts = np.flatnonzero(starts)
    order = np.argsort(truth[firsts], kind="stable")
    begins = np.searchsorted(truth[firsts][order], truth[firsts][order])
    dealt = np.empty(len(firsts), dtype=np.uint32)
    dealt[order] = (np.arange(len(firsts)) - begins) % FOLDS
    return dealt[np.cumsum(starts) - 1]


class _Fit:
    """Fits the machines of one column under one analyzer."""

    def __init__(self, documents: Documents, name: str, analyzer: Analyzer, threads: int, report: Report) -> None:
        self._documents, self._name, self._analyzer, self._threads = documents, name, analyzer, threads
        self._report: Callable[[int, int], object] = lambda done, of: report(done, of, REFINING)
        values: Any = documents.batch.columns[name]
        self._report(0, 1)
        self._rows = TermRows(values.texts, analyzer.analysis, LEAST, MOST_CELLS // (documents.labels + 1), threads)

    def margins(self, judged: int) -> Floats:  # (documents, labels)
        """What machines that have not seen the fold of a document say of it."""
        return of_labels(self._fitted(folds=self._documents.folds, judged=judged, whole=False)[0])

    def whole(self, factor: float) -> Machines:
        """The machines fitted to all documents."""
        _, weights, biases, scales = self._fitted()
        return Machines(self._name, factor, self._analyzer, self._rows.names(), scales, weights, biases)

    def _fitted(self, **given: Any) -> tuple[Floats, Weights, Floats, Weights]:
        documents = self._documents
        return self._rows.fit(
            documents.truth,
            documents.labels,
            costs=documents.weights,
            cost=COST,
            tolerance=TOLERANCE,
            epochs=EPOCHS,
            threads=self._threads,
            report=self._report,
            **given,
        )

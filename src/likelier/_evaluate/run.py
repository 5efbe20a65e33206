"""Evaluating: every document is judged by a model that has not seen it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from likelier._answer.scores import Scores
from likelier._answer.verdict import decided
from likelier._base.checks import check_one_of, checked_integer, checked_seed, has_entries, is_one_of
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._base.threads import checked_threads
from likelier._counts.by_column import pruned
from likelier._counts.pruning import check_whole
from likelier._documents.batch import Batch
from likelier._documents.labels import Label, distinct_labels
from likelier._documents.weights import check_lengths, checked_weights
from likelier._evaluate import splits
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.refining import out_of_fold
from likelier._evaluate.splits import Judge, grouped_folds, stratified_folds
from likelier._explain.explanation import Explanation, Known
from likelier._model.models import Model
from likelier._model.view import View
from likelier._read.cleaned import CleanedDocuments
from likelier._read.intake import labeled
from likelier._read.kept import KeptDocuments
from likelier._read.reader import Documents
from likelier._refine.layer import Layer
from likelier._settings.values import Settings

Method = Literal["leave-one-out", "folds", "held-out", "time-ordered"]
Copies = Literal["apart", "together"]
Rows = NDArray[np.intp]


def evaluate(
    view: View,
    documents: Any = None,
    *,
    texts: Iterable[str] | None = None,
    labels: Iterable[Label] | None = None,
    weights: Iterable[float] | None = None,
    text: Any = None,
    label: str | None = None,
    method: Method = "leave-one-out",
    folds: int = 10,
    groups: Sequence[object] | None = None,
    copies: Copies = "apart",
    every: int = 1,
    seed: int = 0,
    threads: int | None = None,
) -> Evaluation:
    """How good the verdicts of a view are on labeled documents.

    documents, texts, labels, weights, text, label: as for `train`.
    method: "leave-one-out" and "folds" judge documents that the model has learned by its counts without them;
        "held-out" judges documents that it never learned; "time-ordered" judges each by those before it.
    folds, groups, seed: how many folds; documents of one group stay in one fold; random seed for the folds.
    copies: "together" leaves out all documents that are equal, whatever their labels; for leave-one-out.
    every: for "time-ordered", how many documents are judged before they are learned.
    """
    _check(method, copies, groups, folds, every)
    seed = checked_seed(seed)
    if method in ("leave-one-out", "folds"):
        check_whole(pruned(view.counts), "this judgment")
    view = View(view.counts.copy(), view.schema, view.settings, layer=view.layer)  # of one state, however long it takes
    batches = labeled(
        documents, texts=texts, labels=labels, weights=weights, text=text, label=label, schema=view.schema
    )
    if isinstance(batches, Documents):
        batches = KeptDocuments(batches)
    if view.schema.clean_labels:
        batches = CleanedDocuments(batches, view.labels)
    run = _Run(Judge(view, view.labels, checked_threads(threads)), batches)
    if method == "folds":
        return run.folds(folds, groups, seed)
    if method == "held-out":
        return run.held_out()
    return run.in_order(every) if method == "time-ordered" else run.leave_one_out(copies)


class _Run:
    """One evaluation under way: the batches, and what is noted of each document as they go by."""

    def __init__(self, judge: Judge, batches: Iterable[Batch]) -> None:
        self.judge = judge
        self._batches: Callable[[], Iterable[Batch]] = lambda: batches
        self.explain: Callable[[int, Batch, Settings], Explanation] = self._as_it_is
        self._layer = judge.view.estimates.refined if judge.labels else None
        self._lent = splits.Lent(judge)
        self.names: list[Label] = []
        self.truth: list[Rows] = []
        self.weights: list[NDArray[np.float64]] = []

    @property
    def batches(self) -> Iterable[Batch]:
        return self._batches()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_batches": Known.by(lambda: list(self.batches))}

    def _noted(self) -> Iterator[Batch]:
        self.names, self.truth, self.weights = [], [], []
        for batch in self.batches:
            names, truth, weights = noted(batch, self.judge.labels)
            self.names += names
            self.truth.append(truth)
            self.weights += [] if weights is None else [weights]
            yield batch

    # ---- methods -------------------------------------------------------------------------------------------------

    def held_out(self) -> Evaluation:
        scores = splits.held_out(self.judge, self._noted())
        how = "held-out: each document judged by the model as it is"
        return self._evaluation(how, scores, refined=self._by_the_layer)

    @property
    def _view(self) -> View:
        return self.judge.view

    def leave_one_out(self, copies: Copies) -> Evaluation:
        how = "leave-one-out: each document judged by the counts without it"
        if copies == "apart":
            self.explain = self._without
            return self._evaluation(how, splits.one_by_one(self.judge, self._noted()), refined=self._out_of_fold)
        batch = splits.all_of(self.batches, self._view.schema)
        self._batches = Known([batch])
        scores = splits.joined(list(splits.one_by_one(self.judge, self._noted())))
        groups = splits.copies_of(batch)
        scores = splits.together(self.judge, batch, groups, scores)
        found = sum(map(len, groups))
        how += f" and its copies; {found} documents have some" if found else "; no document has a copy"
        self.explain = partial(self._without_all, {int(row): rows for rows in groups for row in rows})
        return self._evaluation(how, iter([scores]), refined=self._out_of_fold)

    def folds(self, number: int, groups: Sequence[object] | None, seed: int) -> Evaluation:
        for _ in self._noted():
            pass
        length = len(self.names)
        if groups is not None:
            groups = list(groups)
            check_lengths(documents=range(length), groups=groups)
        truth = np.concatenate([np.zeros(0, dtype=np.intp), *self.truth])
        some = min(number, max(length, 1))  # more have nothing to judge
        dealt = stratified_folds(truth, some, seed) if groups is None else grouped_folds(groups, some, seed)
        scores = splits.by_folds(self.judge, self.batches, dealt)
        how = f"{number} folds{'' if groups is None else ' of whole groups'}: each judged by the counts without it"
        self.explain = partial(self._without_fold, dealt)
        return self._evaluation(how, scores, dealt, refined=partial(self._out_of_fold, folds=dealt))

    def in_order(self, every: int) -> Evaluation:
        scores = splits.in_order(self.judge, self._noted(), every)
        self.explain = self._past
        return self._evaluation("time-ordered: each document judged by those before it", scores)

    # ---- refined weights -----------------------------------------------------------------------------------------

    def _by_the_layer(self, layer: Layer, documents: Batch) -> Floats:
        return layer.added(documents.columns, self.judge.threads)

    def _out_of_fold(self, layer: Layer, documents: Batch, folds: Rows | None = None) -> Floats:
        return out_of_fold(self._view, layer, documents, folds, self.judge.threads)

    # ---- explanations by the view that judged a document ----------------------------------------------------------

    def _as_it_is(self, row: int, document: Batch, settings: Settings) -> Explanation:
        return View(self._view.counts, self._view.schema, settings, layer=self._view.layer).explain(document)

    def _without(self, row: int, document: Batch, settings: Settings) -> Explanation:
        return self._lent.explain(document, self._counted(document), settings)

    def _without_all(self, alike: Mapping[int, Rows], row: int, document: Batch, settings: Settings) -> Explanation:
        (batch,) = self.batches
        copies = batch.keep(alike[row]) if row in alike else document
        return self._lent.explain(document, self._counted(copies), settings)

    def _counted(self, documents: Batch) -> Model:
        part = self.judge.empty()
        part.count(documents, self.judge.threads)
        return part

    def _without_fold(self, dealt: Rows, row: int, document: Batch, settings: Settings) -> Explanation:
        part, fold = self.judge.empty(), dealt[row]
        start = 0
        for batch in self.batches:
            mine = np.flatnonzero(dealt[start : start + len(batch)] == fold)
            part.count(batch.keep(mine), self.judge.threads)
            start += len(batch)
        return self._lent.explain(document, part, settings)

    def _past(self, row: int, document: Batch, settings: Settings) -> Explanation:
        past, start = self.judge.empty(), 0
        for batch in self.batches:
            past.count(batch.keep(np.arange(min(len(batch), max(row - start, 0)), dtype=np.intp)), self.judge.threads)
            start += len(batch)
        return View(past.counts, past.schema, settings).explain(document)

    def _evaluation(
        self,
        how: str,
        parts: Iterator[Scores],
        folds: Rows | None = None,
        *,
        refined: Callable[[Layer, Batch], Floats] | None = None,
    ) -> Evaluation:
        """The evaluation by these scores; refined: what a layer of the view adds to them, where there is one."""
        gathered = list(parts)
        if not sum(len(part.values) for part in gathered):
            raise error("evaluation-empty")
        scores = splits.joined(gathered)
        if refined is not None and isinstance(self._layer, Layer):
            scores = replace(scores, refined=refined(self._layer, splits.all_of(self.batches, self._view.schema)))
            how += "" if refined == self._by_the_layer else "; refined weights by machines fitted without its fold"
        return Evaluation(
            how=how,
            view=self._view,
            labels=self.judge.labels,
            truth=np.concatenate(self.truth),
            verdicts=decided(self._view.estimates, scores, self._view.settings),
            scores=scores,
            weights=np.concatenate(self.weights) if self.weights else None,
            folds=folds,
            _judged=self,
        )


def noted(batch: Batch, labels: Sequence[Label]) -> tuple[list[Label], Rows, Floats | None]:
    """The labels of documents, their places among these, -1 for others, and the weights, if there are any."""
    assert batch.labels is not None
    columns = {label: column for column, label in enumerate(labels)}
    values, which = distinct_labels(batch.labels)
    truth = np.array([columns.get(value, -1) for value in values], dtype=np.intp)[which]
    units, unit = (None, 1) if batch.weights is None else checked_weights(batch.weights)
    return [values[place] for place in which.tolist()], truth, None if units is None else units / unit


def _check(method: object, copies: object, groups: object, folds: object, every: object) -> None:
    check_one_of("method-unknown", method, get_args(Method))
    if not is_one_of(copies, get_args(Copies)) or (copies == "together" and method != "leave-one-out"):
        raise error("copies-unknown", got=copies, method=method)
    if groups is not None and method != "folds":
        raise error("groups-need-folds", method=method)
    if groups is not None and (isinstance(groups, str | bytes) or not has_entries(groups)):
        raise error("groups-kind.list", got=groups)
    checked_integer("folds-range", folds, 2)
    checked_integer("every-range", every, 1)

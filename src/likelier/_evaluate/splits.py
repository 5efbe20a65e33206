"""Which document is in which fold of a cross-validation.

Ways to judge documents by a model that has not seen them.

leave-one-out  each document by the counts without it
folds          each fold by the counts without it
held-out       documents that the model never learned
time-ordered   each document by those before it

The counts without some documents are a subtraction, so nothing is trained again, except for `time-ordered`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.scores import Scores, score
from likelier._base.errors import error
from likelier._counts.by_column import Counts, settle
from likelier._documents.batch import Batch
from likelier._documents.batch import joined as joined_batches
from likelier._documents.labels import Label, distinct_labels
from likelier._documents.schema import Schema
from likelier._documents.values import Choices, Texts, Values
from likelier._evaluate.leaving.one_out import leave_one_out
from likelier._explain.explanation import Explanation
from likelier._kernel import Column
from likelier._model.models import Model
from likelier._model.view import ASKED_OFTEN, View
from likelier._settings.values import Settings

Rows = NDArray[np.intp]


def stratified_folds(truth: Rows, folds: int, seed: int) -> Rows:
    """A fold for each document: the documents of each label are shuffled and split evenly.

    >>> stratified_folds(np.array([0, 0, 0, 0, 1, 1]), 2, seed=0).tolist().count(0)
    3
    """
    order = np.random.default_rng(seed).permutation(len(truth))
    order = order[np.argsort(truth[order], kind="stable")]
    found = np.empty(len(truth), dtype=np.intp)
    found[order] = np.arange(len(truth)) % folds
    return found


def grouped_folds(groups: Sequence[object], folds: int, seed: int) -> Rows:
    """A fold for each document, the same for all of a group: large groups first, each to the smallest fold so far."""
    numbers: dict[object, int] = {}
    try:
        which = np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.intp)
    except TypeError as failure:
        raise error("groups-kind", reason=failure) from None
    sizes = np.bincount(which, minlength=len(numbers))
    order = np.random.default_rng(seed).permutation(len(numbers))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled, fold_of = np.zeros(folds, dtype=np.intp), np.zeros(len(numbers), dtype=np.intp)
    for group in order.tolist():
        fold_of[group] = int(filled.argmin())
        filled[fold_of[group]] += sizes[group]
    return fold_of[which]


@dataclass(frozen=True)
class Judge:
    """A view, the labels that verdicts are given for, and how many threads may work."""

    view: View
    labels: tuple[Label, ...]
    threads: int

    def without(self, part: Model) -> View:
        """The view on the counts without those of the part."""
        rest = self.view.counts.copy()
        rest.subtract(part.counts)
        return View(rest, self.view.schema, self.view.settings)

    def empty(self) -> Model:
        """A model that has learned nothing."""
        return Model(schema=self.view.schema, ledger=False)

    def scores(self, view: View, batch: Batch) -> Scores:
        """Log scores for all labels; those that the view does not have are impossible."""
        if not view.labels:
            return self.impossible(batch)
        few = len(batch) <= ASKED_OFTEN
        if not few:
            settle(view.counts)
        found = score(view.estimates, batch.columns, few=few, threads=self.threads)
        values, log_prior = (np.full((len(batch), len(self.labels)), -np.inf) for _ in range(2))
        columns = [self.labels.index(label) for label in view.labels]
        values[:, columns], log_prior[:, columns] = found.values, view.estimates.log_prior
        return Scores(values, found.known, found.unknown, log_prior)

    def impossible(self, batch: Batch) -> Scores:
        """Scores under which no label is possible."""
        values = np.full((len(batch), len(self.labels)), -np.inf)
        return replace(Scores.starting(values, len(self.view.schema.columns)), log_prior=values)


class Lent:
    """Explains documents by the counts without them.

    A copy of the counts is kept, and each explanation puts back what it left out, so that it costs no copy. The exact
    product of a Bernoulli explanation is read from the counts later; there each has a copy of its own.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._spare: list[Counts] = []  # none while it is lent; threads that ask at the same time have one each

    def explain(self, document: Batch, without: Model, settings: Settings) -> Explanation:
        """Explains by the counts without those of the part."""
        view = self._judge.view
        if any(part.of_terms and part.estimator.absence for part in view.estimates.parts.values()):
            found = self._judge.without(without)
            return View(found.counts, found.schema, settings).explain(document)
        try:
            counts = self._spare.pop()
        except IndexError:
            counts = view.counts.copy()
        counts.subtract(without.counts)
        try:
            return View(counts, view.schema, settings).explain(document)
        finally:
            counts.add(without.counts)
            self._spare.append(counts)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._judge,)


def held_out(judge: Judge, batches: Iterable[Batch]) -> Iterator[Scores]:
    """By the whole model."""
    for batch in batches:
        yield judge.scores(judge.view, batch)


def one_by_one(judge: Judge, batches: Iterable[Batch]) -> Iterator[Scores]:
    """Each document by the counts without it."""
    settle(judge.view.counts)
    for batch in batches:
        yield leave_one_out(judge.view, batch, judge.threads)


def by_folds(judge: Judge, batches: Iterable[Batch], folds: Rows) -> Iterator[Scores]:
    """Each fold by the counts without it; `folds` has the fold of every document. Goes through the documents twice."""
    number = int(folds.max()) + 1 if len(folds) else 0
    parts = [judge.empty() for _ in range(number)]
    for batch, mine in _with_folds(batches, folds):
        for fold in np.unique(mine).tolist():
            parts[fold].count(batch.keep(np.flatnonzero(mine == fold)), judge.threads)
    views = [judge.without(part) for part in parts]
    for batch, mine in _with_folds(batches, folds):
        yield put_together(batch, [(np.flatnonzero(mine == fold), views[fold]) for fold in np.unique(mine)], judge)


def _with_folds(batches: Iterable[Batch], folds: Rows) -> Iterator[tuple[Batch, Rows]]:
    start = 0
    for batch in batches:
        yield batch, folds[start : start + len(batch)]
        start += len(batch)


def put_together(batch: Batch, parts: Sequence[tuple[Rows, View]], judge: Judge) -> Scores:
    """The scores of some rows by one view, of others by another."""
    scores = judge.impossible(batch)
    for rows, view in parts:
        found = judge.scores(view, batch.keep(rows))
        scores.values[rows], scores.known[rows], scores.unknown[rows] = found.values, found.known, found.unknown
    return scores


def in_order(judge: Judge, batches: Iterable[Batch], every: int) -> Iterator[Scores]:
    """Each document by those before it: a model starts empty and learns after every `every` documents."""
    past = judge.empty()
    view = View(past.counts, past.schema, judge.view.settings)
    for batch in batches:
        parts = []
        for start in range(0, len(batch), every):
            rows = np.arange(start, min(start + every, len(batch)), dtype=np.intp)
            some = batch.keep(rows)
            parts.append(judge.scores(view, some))
            past.count(some, judge.threads)
        if parts:
            yield joined(parts)


def together(judge: Judge, batch: Batch, copies: Iterable[Rows], scores: Scores) -> Scores:
    """The scores with each group of copies judged by the counts without any of them."""
    values, known, unknown = scores.values.copy(), scores.known.copy(), scores.unknown.copy()
    log_prior = np.array(scores.log_prior)
    for rows in copies:
        part = judge.empty()
        part.count(batch.keep(rows), judge.threads)
        found = judge.scores(judge.without(part), batch.keep(rows[:1]))
        values[rows], known[rows], unknown[rows] = found.values[0], found.known[0], found.unknown[0]
        assert found.log_prior is not None
        log_prior[rows] = found.log_prior[0]
    return Scores(values, known, unknown, log_prior)


def joined(parts: Sequence[Scores]) -> Scores:
    """Scores one after the other."""
    return Scores(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.known for part in parts]),
        np.concatenate([part.unknown for part in parts]),
        np.concatenate([part.log_prior for part in parts if part.log_prior is not None]),
    )


# ---- documents -------------------------------------------------------------------------------------------------------


def all_of(batches: Iterable[Batch], schema: Schema) -> Batch:
    """All documents as one batch, with their labels."""
    found = list(batches)
    if len(found) == 1:
        return found[0]
    ends = np.cumsum([len(batch) for batch in found])
    values = [distinct_labels(batch.labels or []) for batch in found]

    def where(row: int) -> str:
        place = int(np.searchsorted(ends, row, side="right"))
        return found[place].where(row - int(ends[place]) + len(found[place]))

    return replace(
        joined_batches(found, (), schema),
        labels=[distinct[place] for distinct, which in values for place in which.tolist()],
        weights=None
        if all(batch.weights is None for batch in found)
        else [weight for batch in found for weight in (batch.weights or [1] * len(batch))],
        where=where,
    )


def copies_of(batch: Batch) -> list[Rows]:
    """The rows of each group of two or more equal documents.

    >>> [rows.tolist() for rows in copies_of(Batch.of_texts(["a", "b", "a"]))]
    [[0, 2]]
    """
    rows: dict[Hashable, list[int]] = {}
    for row, key in enumerate(zip(*(_keys(values) for values in batch.columns.values()), strict=True)):
        rows.setdefault(key, []).append(row)
    return [np.array(alike, dtype=np.intp) for alike in rows.values() if len(alike) > 1]


def _keys(values: Values) -> list[object]:
    """What stands for the value of each document; None where it is missing."""
    if isinstance(values, Texts):
        texts: list[object] = values.texts.to_list() if isinstance(values.texts, Column) else list(values.texts)  # type: ignore[assignment]
        for row in values.missing.tolist():
            texts[row] = None
        return texts
    if isinstance(values, Choices):
        named = [*values.values, None]  # -1 is the last
        return [named[place] for place in values.which.tolist()]
    return [None if number != number else number for number in values.numbers.tolist()]

"""What a remedy does to the score of a document: two columns as one, or one of them left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.scores import Scores as LogScores
from likelier._answer.scores import score
from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._counts.mixed import present
from likelier._documents.batch import Batch, bound_values
from likelier._documents.kinds import BINDS, Bound, Categorical
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._documents.values import Choices, Texts, Values
from likelier._estimate.parts import Estimates, Part, Words
from likelier._evaluate.dependence.columns import Columns
from likelier._evaluate.dependence.source import Piece
from likelier._evaluate.dependence.terms import Vocabulary, bags, texts_of
from likelier._model.estimates import estimates
from likelier._model.models import Model
from likelier._settings.values import Settings

Rows = NDArray[np.intp]
Times = NDArray[np.int64]
Scores = tuple[Floats | None, Floats | None, Floats | None]  # as one, without the first, without the second


class Scored:
    """Documents with what the prior and each column add to their log scores."""

    def __init__(self, estimated: Estimates, columns: Mapping[str, Values], threads: int) -> None:
        self._estimated, self._columns, self._threads = estimated, columns, threads
        scores = {name: contribution(part, columns, estimated, threads) for name, part in estimated.parts.items()}
        self._known = {name: each.known for name, each in scores.items()}
        self.added = {name: each.values for name, each in scores.items()}  # (documents, labels) each
        self.total: Floats = estimated.log_prior + np.sum(list(self.added.values()), axis=0)
        self._lengths: dict[str, Floats] = {}

    def without(self, *names: str) -> Floats:
        """The log scores without some columns."""
        if np.isfinite(self.total).all():
            return self.total - np.sum([self.added[name] for name in names], axis=0)
        others = [added for name, added in self.added.items() if name not in names]
        return self._estimated.log_prior + np.sum([np.zeros_like(self.total), *others], axis=0)  # for infinities

    def lengths(self, name: str) -> Floats:  # (documents,)
        """How many known terms of a text column count in each document; repeats only where they do."""
        if name not in self._lengths:
            part = self._estimated.parts[name]
            assert isinstance(part, Words)
            once = part.estimator.once
            self._lengths[name] = (self._distinct(part) if once else self._known[name]).astype(np.float64)
        return self._lengths[name]

    def _distinct(self, part: Words) -> NDArray[np.intp]:
        values = self._columns[part.name]
        assert isinstance(values, Texts)
        texts, rows = present(values)
        ends, ids, _ = bags(part.estimator.counts.table, texts, part.analyzer.analysis, self._threads)
        kept = np.concatenate([[0], np.cumsum(part.estimator.reading.kept[ids])])[ends.astype(np.intp)]
        found = np.zeros(len(values), dtype=np.intp)
        found[rows] = np.diff(kept, prepend=0)
        return found


def contribution(part: Part, columns: Mapping[str, Values], estimated: Estimates, threads: int) -> LogScores:
    """What one column adds to the log scores."""
    nothing = np.zeros(len(estimated.labels))
    alone = Estimates(estimated.labels, estimated.priors, nothing, None, {part.name: part})
    return score(alone, {part.name: columns[part.name]}, few=False, threads=threads)


def without_each(models: Sequence[Model], labels: Sequence[Label]) -> list[Any]:
    """For each of some models the counts of all the others; with only one, its own."""
    if len(models) == 1:
        return [models[0].counts]
    whole: Any = models[0].counts.copy()
    for model in models[1:]:
        whole.add(model.counts)
    found = []
    for model in models:
        counts = whole.copy()
        counts.subtract(model.counts)
        for table in (counts, *getattr(counts, "columns", {}).values(), getattr(counts, "documents", counts)):
            if hasattr(table, "require"):
                table.require(labels)  # a label whose documents all lie in one fold is there all the same
        found.append(counts)
    return found


class Found:
    """What is found in one piece of the documents: the values of columns, and how often words stand in texts."""

    def __init__(self, columns: Columns, vocabularies: Mapping[str, Vocabulary], piece: Piece, threads: int) -> None:
        self.piece, self._columns, self._vocabularies, self._threads = piece, columns, vocabularies, threads
        self.units = np.ones(len(piece.labels), np.int64) if piece.units is None else piece.units.astype(np.int64)
        self._times: dict[str, Times] = {}

    @cached_property
    def choices(self) -> dict[str, Choices]:
        return self._columns.choices(self.piece.columns)

    def joined(self, first: str, second: str, rows: Rows) -> Choices:
        """Two columns as one, in some of the documents."""
        return bound_values([self.choices[name].keep(rows) for name in (first, second)])

    def times(self, key: str, column: str, terms: Sequence[str]) -> Times:  # (documents, terms)
        """How often each document has each term; 0 where its text is missing."""
        vocabulary = self._vocabularies[key]
        if key not in self._times:
            texts, rows, _ = texts_of(self.piece, column)
            times = np.zeros((len(self.piece.labels), len(vocabulary.terms)), dtype=np.int64)
            times[rows] = vocabulary.times(texts, self._threads)
            self._times[key] = times
        return self._times[key][:, [vocabulary.place[term] for term in terms]]


class ColumnLook:
    """Two columns."""

    def __init__(self, first: str, second: str, settings: Settings, folds: int) -> None:
        self.first, self.second, self._settings = first, second, settings
        self.name = f"{first}{BINDS}{second}"
        schema = Schema({self.name: Bound(((first, Categorical()), (second, Categorical())))})
        self._models = [Model(schema=schema, ledger=False) for _ in range(folds)]
        self._estimated: list[Estimates] = []

    def count(self, found: Found, rows: Rows, fold: int, labels: Sequence[Label]) -> None:
        """Counts the pairs of values in some documents of a fold."""
        batch = found.piece.batch
        names = [labels[place] for place in found.piece.labels[rows].tolist()]
        weights = None if batch.weights is None else [batch.weights[row] for row in rows.tolist()]
        self._models[fold].count(Batch({self.name: found.joined(self.first, self.second, rows)}, names, weights), 1)

    def finish(self, labels: Sequence[Label]) -> None:
        """Estimates the two as one for each fold, without its own documents."""
        self._estimated = [
            estimates(counts, model.schema, self._settings)
            for model, counts in zip(self._models, without_each(self._models, labels), strict=True)
        ]

    def scores(self, fold: int, found: Found, rows: Rows, scored: Scored, estimated: Estimates) -> Scores:
        """The log scores of some documents of a fold with each remedy."""
        own = self._estimated[fold]
        both = {self.name: found.joined(self.first, self.second, rows)}
        as_one = contribution(own.parts[self.name], both, own, 1).values
        return (
            scored.without(self.first, self.second) + as_one,
            scored.without(self.first),
            scored.without(self.second),
        )

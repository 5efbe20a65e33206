"""Remedies tried out: how often the whole model is right if a pair is judged as one, or one of the two is left out.

Documents fall into five folds, and each fold is judged by a model of the other four: the counts of all, minus its own.
So no document is judged by itself, and a column of many values gains nothing by remembering its documents. Where there
are too few documents for that, or too many counts, all are judged by a model of them all; `how` says which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.decisions import NONE
from likelier._base.numbers import Floats, log
from likelier._counts.mixed import MixedCounts
from likelier._counts.term_counts import Counts, Number
from likelier._estimate.parts import Estimates
from likelier._evaluate.dependence.cells import plain_number
from likelier._evaluate.dependence.columns import Columns
from likelier._evaluate.dependence.looks import ColumnLook, Found, Scored, without_each
from likelier._evaluate.dependence.source import Source, some, some_values
from likelier._evaluate.dependence.wordlooks import TermLook, vocabularies
from likelier._model.estimates import estimates
from likelier._model.models import Model
from likelier._settings.values import Settings

FOLDS = 5
FEWEST_DOCUMENTS = 50  # for folds
MOST_COUNTS = 2**22  # terms · labels, for folds
BLOCK = 2**20  # documents · labels that are judged at a time

Look = ColumnLook | TermLook
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Trial:
    """The model with one remedy: documents by weight.

    right         in which it is right
    changed       in which it decides otherwise than the model as it is
    became_right  in which it is right, and the model as it is was wrong
    became_wrong  in which it is wrong, and the model as it is was right
    loss          log loss: the average of -log P(c|d) for the right label c, in nats; lower is better
    """

    right: Number
    changed: Number
    became_right: Number
    became_wrong: Number
    loss: float


@dataclass(frozen=True)
class Trials:
    """The model as it is, and with each remedy; None where a remedy cannot be tried."""

    documents: Number
    right: Number
    loss: float
    as_one: Trial | None
    without_first: Trial | None
    without_second: Trial | None
    held_out: bool

    @property
    def how(self) -> str:
        """Who is judged by what."""
        return "each fifth judged by a model of the others" if self.held_out else "judged by a model of them all"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; a log loss without end is None."""
        return {name: _plain(value) for name, value in asdict(self).items()} | {"how": self.how}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if value is None or isinstance(value, bool):
        return value
    return plain_number(value) if math.isfinite(value) else None


def folds_for(source: Source) -> int:
    """Into how many folds the documents fall; 1: all are judged by a model of them all."""
    counts = source.model.counts
    tables = list(counts.columns.values()) if isinstance(counts, MixedCounts) else [counts]
    terms = sum(table.vocabulary_size for table in tables if isinstance(table, Counts))
    return FOLDS if source.rows >= FEWEST_DOCUMENTS and terms * len(counts.labels) <= MOST_COUNTS else 1


def tried(
    source: Source, columns: Columns, looks: Sequence[Look], settings: Settings, folds: int, threads: int
) -> list[Trials]:
    """What each remedy does to the verdicts of the whole model; two passes over the documents."""
    estimated = _counted(source, columns, looks, settings, folds, threads)
    wanted = vocabularies(looks)
    now, then = _Tally(), [[_Tally() for _ in range(3)] for _ in looks]
    for piece in source:
        found = Found(columns, wanted, piece, threads)
        for fold in range(folds):
            rows = piece.part(folds, fold)
            for block in np.array_split(rows, -(-len(rows) * len(source.model.labels) // BLOCK)) if len(rows) else []:
                _judge(looks, found, block, fold, estimated[fold], settings, now, then, threads)
    counts = source.model.counts
    table = counts.documents if isinstance(counts, MixedCounts) else counts
    return [_trials(now, each, table, folds > 1) for each in then]


class _Tally:
    """Sums over documents, in units."""

    def __init__(self) -> None:
        self.sums = np.zeros(5, dtype=np.int64)  # documents, right, changed, became right, became wrong
        self.sums_of_losses: list[float] = []

    def add(self, then: _Judged, now: _Judged, truth: Places, units: NDArray[np.int64]) -> None:
        """Adds documents, judged now and then."""
        right, was_right = then.labels == truth, now.labels == truth
        which = (np.ones_like(right), right, then.labels != now.labels, right & ~was_right, ~right & was_right)
        self.sums += [int(units[each].sum()) for each in which]
        losses = then.losses[np.arange(len(truth)), truth]
        self.sums_of_losses.append(float((losses[units > 0] * units[units > 0]).sum()))

    @property
    def loss(self) -> float:
        """On average."""
        return math.fsum(self.sums_of_losses) / max(int(self.sums[0]), 1)


@dataclass(frozen=True)
class _Judged:
    """Documents with their verdicts."""

    labels: Places
    losses: Floats  # (documents, labels) -log P(c|d)

    @classmethod
    def of(cls, scores: Floats, estimated: Estimates, settings: Settings) -> _Judged:
        highest = scores.max(axis=1, keepdims=True)
        impossible = np.isneginf(highest)
        relative = scores - np.where(impossible, 0.0, highest)
        chances = np.exp(relative)
        total = chances.sum(axis=1, keepdims=True)
        chosen = settings.decide.choose(scores, chances / (total + (total == 0)), estimated.labels)
        losses = np.where(impossible, np.inf, log(total) - relative)  # no P(c|d) is too small for that
        return cls(np.where(impossible[:, 0], NONE, chosen), losses)


def _counted(
    source: Source, columns: Columns, looks: Sequence[Look], settings: Settings, folds: int, threads: int
) -> list[Estimates]:
    """Counts what each fold holds, and estimates the model without it."""
    wanted, schema, labels = vocabularies(looks), source.model.schema, source.model.labels
    models = [Model(schema=schema, ledger=False) for _ in range(folds)] if folds > 1 else [source.model]
    for piece in source:
        found = Found(columns, wanted, piece, threads)
        for fold in range(folds):
            rows = piece.part(folds, fold)
            if folds > 1 and len(rows):
                models[fold].count(some(piece.batch, rows), threads)
            for look in looks:
                look.count(found, rows, fold, labels)
    for look in looks:
        look.finish(labels)
    return [estimates(counts, schema, settings) for counts in without_each(models, labels)]


def _judge(
    looks: Sequence[Look],
    found: Found,
    rows: Places,
    fold: int,
    estimated: Estimates,
    settings: Settings,
    tally: _Tally,
    tallies: Sequence[Sequence[_Tally]],
    threads: int,
) -> None:
    """Judges some documents of a fold as they are, and with each remedy."""
    units, truth = found.units[rows], found.piece.labels[rows]
    columns = {name: some_values(each, rows) for name, each in found.piece.columns.items()}
    scored = Scored(estimated, columns, threads)
    now = _Judged.of(scored.total, estimated, settings)
    tally.add(now, now, truth, units)
    for look, into in zip(looks, tallies, strict=True):
        for scores, sums in zip(look.scores(fold, found, rows, scored, estimated), into, strict=True):
            if scores is not None:
                sums.add(_Judged.of(scores, estimated, settings), now, truth, units)


def _trial(tally: _Tally, table: Counts) -> Trial:
    _, right, changed, became_right, became_wrong = map(table.number, tally.sums.tolist())
    return Trial(right, changed, became_right, became_wrong, tally.loss)


def _trials(now: _Tally, then: Sequence[_Tally], table: Counts, held_out: bool) -> Trials:
    tried = [_trial(each, table) if each.sums_of_losses else None for each in then]
    documents, right = map(table.number, now.sums[:2].tolist())
    return Trials(documents, right, now.loss, tried[0], tried[1], tried[2], held_out)

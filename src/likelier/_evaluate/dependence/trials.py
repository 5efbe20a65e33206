"""Remedies tried out: how often the whole model is right if a pair is judged as one, or one of the two is left out.

Documents fall into five folds, and each fold is judged by a model of the other four: the counts of all, minus its own.
With fewer documents than that needs, or too many counts, all are judged by a model of them all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.decisions import NONE
from likelier._answer.scores import Estimates, score
from likelier._base.numbers import Floats, log
from likelier._columns.registry import estimates
from likelier._columns.words import Words
from likelier._counts.term_counts import Number
from likelier._documents.batch import Batch
from likelier._documents.batch import bound_values as joined
from likelier._documents.kinds import Categorical, Numeric
from likelier._documents.values import Texts, Values
from likelier._evaluate.dependence.corpus import ColumnValues, Corpus, Piece
from likelier._evaluate.dependence.information import Places
from likelier._evaluate.dependence.terms import Neighbors, Phrase, TermFinder, as_written, forms, words_only
from likelier._model.models import Model

if TYPE_CHECKING:
    from likelier._evaluate.dependence.pairs import Pair

FOLDS = 5
FEWEST_DOCUMENTS = 50  # for folds
MOST_COUNTS = 2**22  # terms · labels, for folds
BLOCK = 2**20  # documents · labels that are judged at a time

Judged = tuple[Places, Floats]  # (documents,) the decisions; (documents, labels) -log P(c|d)


@dataclass(frozen=True)
class Outcome:
    """The model with one remedy: documents, by weight, and its log loss.

    right                       in which it is right
    changed                     in which it decides otherwise than the model as it is
    became_right, became_wrong  in which the model as it is was wrong, or right
    loss                        the mean of -log P(c|d) for the right label c, in nats; lower is better
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
    as_one: Outcome | None
    without_first: Outcome | None
    without_second: Outcome | None
    held_out: bool

    @property
    def how(self) -> str:
        """Which model judges which documents."""
        return "each fifth judged by a model of the others" if self.held_out else "judged by a model of them all"


def plain(value: Any) -> Any:
    """A value for JSON; what is not finite is None."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Fraction | float):
        return float(value) if math.isfinite(value) else None
    return value


def shown(number: Number) -> str:
    """A number of documents as people write it.

    >>> shown(27301), shown(0.5)
    ('27,301', '0.5')
    """
    return f"{number:,}" if isinstance(number, int) else f"{float(number):,.6g}"


def try_remedies(corpus: Corpus, columns: ColumnValues, pairs: Sequence[Pair]) -> None:
    """Gives each pair its trials, and pairs of words what is known of them as neighbors."""
    words: dict[Pair, Neighbors] = {}
    counts, labels = corpus.view.counts, len(corpus.view.labels)
    columns_of = corpus.view.schema.columns.items()
    sizes = [counts.columns[name].vocabulary_size for name, kind in columns_of if not isinstance(kind, Numeric)]
    folds = FOLDS if corpus.rows >= FEWEST_DOCUMENTS and sum(sizes) * labels <= MOST_COUNTS else 1
    for column, kind in corpus.view.schema.texts.items():
        own = [pair for pair in pairs if pair.column == column]
        terms = list(dict.fromkeys(name for pair in own for name in pair.names))
        written = forms(corpus, column, kind.analyzer, terms)
        phrases = {pair: [Phrase.of(*names, written) for names in (pair.names, pair.names[::-1])] for pair in own}
        ways = [way for both in phrases.values() for phrase in both for way in phrase.written]
        finders = (
            TermFinder(column, terms, words_only(kind.analyzer), corpus.threads),
            TermFinder(column, ways, as_written(kind.analyzer), corpus.threads),
        )
        for pair, both in phrases.items():
            pair.written, words[pair] = written, Neighbors(pair.names, both, finders, (folds, labels))
    trials = TrialRun(corpus, columns, [words.get(pair, pair.names) for pair in pairs], folds).trials()
    for pair, tried in zip(pairs, trials, strict=True):
        pair.trials = tried
        if pair in words:
            pair.phrase, pair.side_by_side = words[pair].phrase, pair.number(words[pair].documents.max())


class TrialRun:
    """The model as it is and with each remedy, on the documents of a corpus."""

    def __init__(
        self, corpus: Corpus, columns: ColumnValues, pairs: Sequence[tuple[str, str] | Neighbors], folds: int
    ) -> None:
        """pairs: two columns, or two words."""
        self._corpus, self._columns, self._pairs, self._settings = corpus, columns, pairs, corpus.view.settings
        self._labels, self._folds = corpus.view.labels, folds
        self._bound = {f"\0{place}": each for place, each in enumerate(pairs) if isinstance(each, tuple)}

    def _read(self, piece: Piece) -> Batch:
        """The documents with pairs of columns as one column each."""
        read = piece.batch.columns
        both = {key: [self._columns.choices(read, name) for name in names] for key, names in self._bound.items()}
        return replace(piece.batch, columns={**read, **{key: joined(each) for key, each in both.items()}})

    def trials(self) -> list[Trials]:
        """For each pair what the remedies do; two passes over the documents."""
        estimated = self._estimated()
        now, then = _Tally(), [[_Tally() for _ in range(3)] for _ in self._pairs]
        for piece in self._corpus:
            batch, fold_of = self._read(piece), piece.folds(self._folds)
            for fold, own in enumerate(estimated):
                rows = np.flatnonzero(fold_of == fold)
                for block in np.array_split(rows, -(-len(rows) * len(self._labels) // BLOCK)) if len(rows) else []:
                    scored = _Scored(own, batch.keep(block).columns, [*piece.batch.columns], self._corpus.threads)
                    judged, known = self._judged(scored.total), (piece.labels[block], piece.units[block])
                    now.add(judged, judged, *known)
                    for place, tallies in enumerate(then):
                        for scores, tally in zip(self._scores(place, fold, scored, piece, block), tallies, strict=True):
                            if scores is not None:
                                tally.add(self._judged(scores), judged, *known)
        number = self._corpus.view.counts.sizes.number
        documents, right = map(number, now.sums[:2].tolist())
        outcomes = [(one.outcome(number), first.outcome(number), second.outcome(number)) for one, first, second in then]
        return [Trials(documents, right, now.loss, *each, self._folds > 1) for each in outcomes]

    def _estimated(self) -> list[Estimates]:
        """For each fold the model without it."""
        schema = self._corpus.view.schema
        schema = schema.with_columns({**schema.columns, **dict.fromkeys(self._bound, Categorical())})
        models = [Model(schema=schema, ledger=False) for _ in range(self._folds)]
        for piece in self._corpus:
            batch, fold_of = self._read(piece), piece.folds(self._folds)
            for fold, model in enumerate(models):
                rows = np.flatnonzero(fold_of == fold)
                if len(rows):
                    model.count(batch.keep(rows), self._corpus.threads)
            for pair in self._pairs:
                if isinstance(pair, Neighbors):
                    pair.count(piece, fold_of)
        whole = reduce(add, models)
        rest: list[Any] = [whole.counts.copy() for _ in models]
        for counts, model in zip(rest, models, strict=True):
            if self._folds > 1:
                counts.subtract(model.counts)
            for table in counts.tables:
                table.require(self._labels)  # also where all documents of a label lie in one fold
        return [estimates(counts, schema, self._settings) for counts in rest]

    def _scores(self, place: int, fold: int, scored: _Scored, piece: Piece, rows: Places) -> list[Floats | None]:
        """The log scores of some documents with each remedy."""
        pair = self._pairs[place]
        if isinstance(pair, Neighbors):
            changes = pair.changes(fold, *scored.words(pair.column), piece, rows)
            return [None if each is None else scored.total + each for each in changes]
        return [scored.without(*pair) + scored.added[f"\0{place}"], *map(scored.without, pair)]

    def _judged(self, scores: Floats) -> Judged:
        highest = scores.max(axis=1, keepdims=True)
        impossible = np.isneginf(highest)
        relative = scores - np.where(impossible, 0.0, highest)
        chances = np.exp(relative)
        total = chances.sum(axis=1, keepdims=True)
        chosen, _ = self._settings.decide.choose(scores, chances / (total + (total == 0)), self._labels)
        losses = np.where(impossible, np.inf, log(total) - relative)  # no P(c|d) is too small for that
        return np.where(impossible[:, 0], NONE, chosen), losses


class _Tally:
    """Sums over documents, in units: all, right, changed, became right, became wrong; and the log loss."""

    def __init__(self) -> None:
        self.sums, self._losses = np.zeros(5, dtype=np.int64), list[float]()

    def add(self, then: Judged, now: Judged, truth: Places, units: NDArray[np.int64]) -> None:
        right, was_right = then[0] == truth, now[0] == truth
        which = (np.ones_like(right), right, then[0] != now[0], right & ~was_right, ~right & was_right)
        self.sums += [int(units[each].sum()) for each in which]
        losses = then[1][np.arange(len(truth)), truth]
        self._losses.append(float((losses[units > 0] * units[units > 0]).sum()))

    @property
    def loss(self) -> float:
        return math.fsum(self._losses) / max(int(self.sums[0]), 1)

    def outcome(self, number: Callable[[int], Number]) -> Outcome | None:
        _, right, changed, became_right, became_wrong = map(number, self.sums.tolist())
        return Outcome(right, changed, became_right, became_wrong, self.loss) if self._losses else None


class _Scored:
    """Documents with what the prior and each column add to their log scores; `total` is that of the model's own."""

    def __init__(self, estimated: Estimates, columns: Mapping[str, Values], own: Sequence[str], threads: int) -> None:
        self._estimated, self._columns, self._own, self._threads = estimated, columns, own, threads
        alone = replace(estimated, log_prior=np.zeros(len(estimated.labels)), documents=None)
        scores = {
            name: score(replace(alone, parts={name: part}), {name: columns[name]}, few=False, threads=threads)
            for name, part in estimated.parts.items()
        }
        self.added = {name: each.values for name, each in scores.items()}  # (documents, labels) each
        self._lengths = {name: each.known for name, each in scores.items()}
        self._words: dict[str, tuple[Words, Floats]] = {}
        self.total: Floats = estimated.log_prior + np.sum([self.added[name] for name in own], axis=0)

    def without(self, *names: str) -> Floats:
        """The log scores without some columns."""
        if np.isfinite(self.total).all():
            return self.total - np.sum([self.added[name] for name in names], axis=0)
        others = [self.added[name] for name in self._own if name not in names]
        return self._estimated.log_prior + np.sum([np.zeros_like(self.total), *others], axis=0)  # for infinities

    def words(self, column: str) -> tuple[Words, Floats]:  # and (documents,)
        """A text column, and how many known terms of it count in each document; repeats only where they do."""
        if column not in self._words:
            part, values, found = self._estimated.parts[column], self._columns[column], self._lengths[column]
            assert isinstance(part, Words)
            assert isinstance(values, Texts)
            if part.estimator.once:
                texts, rows = values.present()
                table, analysis = part.estimator.counts.table, part.analyzer.analysis
                ends, ids = table.bags(texts, analysis, self._threads, False)[:2]
                kept = np.concatenate([[0], np.cumsum(part.estimator.reading.kept[ids])])[ends.astype(np.intp)]
                found = np.zeros_like(found)
                found[rows] = np.diff(kept, prepend=0)
            self._words[column] = part, found.astype(np.float64)
        return self._words[column]

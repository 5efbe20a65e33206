"""Settings for plain texts, judged by exact leave-one-out over bags of ids.

Texts are cut and numbered once. Words, pairs of words and pieces of words are layers that settings take or leave, every
weighting is a sum over the bags, and the kernel judges four strengths of smoothing under both priors in one go. So
judging settings costs what the judged documents' terms cost.

It begins with settings that suit most texts: each term once by length, with pairs of words, complement for more than
two labels. Others are taken only if they are better by more than 1.5 standard errors of the difference on the same
documents, and make one mistake in twenty less: of many settings some are always better by chance. A weighting that
is not ahead by half a standard error on a quarter of the documents is not judged on the others.

Which documents are judged depends on what is in them and not on where they stand, so that their order does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.calibration import Discount
from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._documents.batch import Labels
from likelier._documents.labels import distinct_labels, key
from likelier._documents.values import at_rows
from likelier._documents.weights import Weighting, extra
from likelier._estimate.combinations import Event
from likelier._estimate.smoothing import Additive
from likelier._evaluate.calibrate.discount import fit_discount
from likelier._kernel import Bags, mixed_rows
from likelier._model.models import Model
from likelier._text.analyzer import Analyzer
from likelier._text.texts import Texts, text_at
from likelier._train.candidates import CandidateSettings

Rows = NDArray[np.uint32]
OWN, WIDER, PIECES = range(3)  # layers
STRENGTHS = (4.0, 1.0, 0.3, 0.1)
OF_PIECES = (0.3, 0.1, 0.03, 0.01)  # there are many, and they depend on each other
STRONGER, WEAKER = (100.0, 30.0, 16.0, 8.0), (0.03, 0.01, 0.003, 0.001)
OTHER_WEIGHTINGS: tuple[Weighting, ...] = ("log-length", "count-length", "count")
STEPS = 2 + len(OTHER_WEIGHTINGS)  # of the search
DIGITS = 2  # of alpha
WORK = 2_000_000  # sums by term and label that are looked at to judge settings
FEWEST, ENOUGH = 1000, 6000  # documents that are judged, or all
FEWEST_OF_PIECES = 3000
FEW = 1000  # documents; with fewer, words alone come first, and weightings are not compared
QUARTER = 4
ERRORS = 1.5  # standard errors
WORTH_IT = 0.05  # of the mistakes
CALIBRATED, MOST_CALIBRATED = 1 << 16, 3000  # numbers, documents that the calibration is fitted to
# Pieces of words: where there are many labels and texts are short.
PIECE_SIZES = (2, 4)
MANY = 8
SHORT = 200  # characters on average
SCREENED = 1 << 15  # characters that are looked at first
LEAST = 1e-9  # a probability; the logarithm of 0 would outweigh all other documents


@dataclass(frozen=True, eq=False)
class Trial:
    """Settings that were judged, and on which documents they were right."""

    candidate: CandidateSettings
    right: NDArray[np.uint8]  # (documents,) the first ones of those that are judged

    @cached_property
    def accuracy(self) -> float:
        return int(np.count_nonzero(self.right)) / max(len(self.right), 1)

    def lead(self, other: Trial) -> float:
        """By how many standard errors of the difference it is better, on the documents that both have judged."""
        judged = min(len(self.right), len(other.right))
        mine, theirs = self.right[:judged], other.right[:judged]
        gained, lost = int(np.count_nonzero(mine > theirs)), int(np.count_nonzero(mine < theirs))
        return (gained - lost) / max(float(np.sqrt(gained + lost)), 1.0)

    def saves(self, other: Trial) -> float:
        """Which share of the other's mistakes it does not make, on the documents that both have judged."""
        judged = min(len(self.right), len(other.right))
        mine, theirs = (judged - int(np.count_nonzero(each.right[:judged])) for each in (self, other))
        return (theirs - mine) / max(theirs, 1)


def preferred(trials: Sequence[Trial]) -> Trial:
    """The first that the best one does not beat by more than the standard error of the difference."""
    best = max(trials, key=lambda trial: trial.accuracy)
    return next(trial for trial in trials if best.lead(trial) <= 1)


class LabeledTexts:
    """Texts with labels, which are numbered in an order of their own."""

    def __init__(self, texts: Texts, labels: Labels, threads: int) -> None:
        found, which = distinct_labels(labels)
        order = sorted(range(len(found)), key=lambda place: key(found[place]))
        self.texts, self.threads = texts, threads
        self.given = list(found)  # labels in the order in which they come
        self.labels = tuple(found[place] for place in order)
        self.names = [key(label) for label in self.labels]
        self.truth: Rows = np.argsort(order).astype(np.uint32)[which]
        self.documents = np.bincount(self.truth, minlength=len(order))  # by label

    def __len__(self) -> int:
        return len(self.truth)

    @cached_property
    def mixed(self) -> Rows:
        """The documents in an order that depends on them alone."""
        return mixed_rows(self.texts, self.truth, self.names)

    def first(self, count: int) -> LabeledTexts:
        """The first of them in that order."""
        rows = self.mixed[:count]
        some = LabeledTexts.__new__(LabeledTexts)
        some.texts, some.threads = at_rows(self.texts, rows.astype(np.intp)), self.threads
        some.labels, some.names, some.truth = self.labels, self.names, self.truth[rows]
        some.documents = np.bincount(some.truth, minlength=len(self.labels))
        return some

    def bags(self, analyzer: Analyzer, ngrams: tuple[int, int]) -> Bags:
        return Bags(
            self.texts,
            self.truth,
            self.names,
            analyzer.counting(ngrams, None),
            analyzer.ngram_range,
            self.threads,
        )


class TextSearch:
    """The choice of settings for labeled texts."""

    def __init__(self, data: LabeledTexts, analyzer: Analyzer) -> None:
        self.data, self.analyzer = data, analyzer
        self.pieces = analyzer.char_ngram_range is not None
        low, high = analyzer.ngram_range
        self.wider = None if analyzer.keeps_ngrams or self.pieces else (low, high + 1)
        self.bags = data.bags(analyzer, self.wider or (low, high))
        self.own = [OWN, PIECES] if self.pieces else [OWN]
        self.strengths = OF_PIECES if self.pieces else STRENGTHS
        self._means: dict[Weighting, float] = {}
        self.trials: dict[CandidateSettings, Trial] = {}

    @cached_property
    def rows(self) -> Rows:
        """The documents that are judged."""
        cells = sum(cells for _, cells in self.bags.layers()) + 8 * len(self.data.labels)
        fewest = FEWEST_OF_PIECES if self.pieces else FEWEST
        return self.data.mixed[: int(np.clip(WORK / max(cells, 1.0), fewest, ENOUGH))]

    # ---- judging -------------------------------------------------------------------------------------------------

    def alpha(self, weighting: Weighting, strength: float) -> float:
        """The strength times the mean weight of an occurrence, so that the same strength smooths as much."""
        if weighting not in self._means:
            self._means[weighting] = self.bags.mean_weight(self.own, *self._weighing(weighting))
        return float(f"{strength * self._means[weighting]:.{DIGITS}g}")

    def smoothing(self, candidate: CandidateSettings) -> Additive:
        return Additive(self.alpha(candidate.weighting, candidate.strength))

    def _weighing(self, weighting: Weighting) -> tuple[str, list[int] | None]:
        """How repeats count, and the layers whose terms make the length of a document."""
        scale, _, by_length = weighting.partition("-")
        return scale, self.own if by_length else None

    def _leave_one_out(
        self, start: CandidateSettings, strengths: Sequence[float], orders: Sequence[object], rows: Rows, right: bool
    ) -> tuple[Any, ...]:
        alphas = [self.alpha(start.weighting, strength) for strength in strengths]
        together = [self.own if each is None else [*self.own, WIDER] for each in orders]
        event = "complement" if start.event == "complement" else "multinomial"
        return self.bags.leave_one_out(rows, event, *self._weighing(start.weighting), alphas, together, right)

    def judge(
        self, start: CandidateSettings, strengths: Sequence[float], orders: Sequence[Any], rows: Rows
    ) -> list[Trial]:
        """Settings that differ from the start in strength, prior, and in whether they have pairs of words."""
        *_, right = self._leave_one_out(start, strengths, orders, rows, True)
        columns = np.ascontiguousarray(right.reshape(len(rows), -1).T).reshape(len(orders), len(strengths), 2, -1)
        priors = ((0, "uniform"), (1, "fitted")) if len(self.data.labels) > 2 else ((1, "fitted"), (0, "uniform"))
        found = [
            Trial(start.but(strength=strength, orders=order, prior=prior), columns[o, s, p])
            for (s, strength), (o, order), (p, prior) in product(enumerate(strengths), enumerate(orders), priors)
        ]
        self.trials |= {trial.candidate: trial for trial in found}
        return found

    # ---- the search ----------------------------------------------------------------------------------------------

    def best(self, report: Callable[[int], object] = int) -> Trial:
        """What is chosen. Before each step it reports how many are done."""
        report(0)
        found = self.first_look()
        best = max(found, key=lambda trial: trial.accuracy) if self.pieces else preferred(found)
        if len(self.data) < FEW:  # nothing else could be better for certain
            return best
        for done, weighting in enumerate(OTHER_WEIGHTINGS, start=1):
            report(done)
            best = self._better(best, self._weighted(best, weighting))
        report(STEPS - 1)
        return self._better(best, self._strengths(best))

    def first_look(self) -> list[Trial]:
        """Event models, n-grams, and how much is smoothed: first what smooths most, or with few documents as usual."""
        events: tuple[Event, ...] = ("complement", "multinomial") if len(self.data.labels) > 2 else ("multinomial",)
        orders: list[Any] = [None] if self.wider is None else [self.wider, None]
        if len(self.data) < FEW:
            orders.reverse()
        starts = [CandidateSettings(event=event, weighting="once-length", pieces=self.pieces) for event in events]
        found = [trial for start in starts for trial in self.judge(start, self.strengths, orders, self.rows)]
        if len(self.data) < FEW:
            return sorted(found, key=lambda trial: abs(math.log(trial.candidate.strength)))
        return sorted(found, key=lambda trial: -trial.candidate.strength)

    def _weighted(self, best: Trial, weighting: Weighting) -> list[Trial]:
        """The same under another weighting, on all documents if it is ahead on a quarter of them."""
        start, orders = best.candidate.but(weighting=weighting), [best.candidate.orders]
        few = self.rows[: max(len(self.rows) // QUARTER, FEWEST // QUARTER)]
        found = self.judge(start, self.strengths, orders, few)
        if len(few) == len(self.rows) or all(trial.lead(best) < 0.5 for trial in found):
            return found
        return self.judge(start, self.strengths, orders, self.rows)

    def _strengths(self, best: Trial) -> list[Trial]:
        """Beyond those that were tried."""
        beyond = (
            {STRENGTHS[0]: STRONGER, STRENGTHS[-1]: WEAKER}.get(best.candidate.strength) if not self.pieces else None
        )
        return self.judge(best.candidate, beyond, [best.candidate.orders], self.rows) if beyond else []

    def _better(self, best: Trial, others: Iterable[Trial]) -> Trial:
        """One of the others, if it is better for certain."""
        close = [trial for trial in others if trial.lead(best) > 1]
        if not close:
            return best
        other = max(close, key=lambda trial: trial.accuracy)
        return other if other.lead(best) > ERRORS and other.saves(best) > WORTH_IT else best

    # ---- what follows from it ------------------------------------------------------------------------------------

    def calibration(self, candidate: CandidateSettings) -> tuple[Discount | None, float | None]:
        """Fitted to documents that are judged, and the log loss on these."""
        rows = self.rows[: int(np.clip(CALIBRATED // len(self.data.labels), FEWEST // 2, MOST_CALIBRATED))]
        scores, known = self._scores(candidate, rows)
        truth = self.data.truth[rows]
        rule = fit_discount(scores, truth, known)
        if rule is None:
            return None, None
        possible = np.isfinite(scores[np.arange(len(rows)), truth])
        found = rule.apply(scores, self.data.labels, known=known)[np.arange(len(rows)), truth]
        loss = -float(np.log(np.maximum(found[possible], LEAST)).mean()) if possible.any() else None
        return replace(rule, without_prior=candidate.prior == "uniform"), loss

    def _scores(self, candidate: CandidateSettings, rows: Rows) -> tuple[Floats, Rows]:
        """Scores with the prior, by the counts without each document, and how many terms are known."""
        strengths = [candidate.strength] * 4
        scores, known, _ = self._leave_one_out(candidate, strengths, [candidate.orders], rows, False)
        scores = scores.reshape(len(rows), 4, len(self.data.labels))[:, 0]
        if candidate.prior == "fitted":
            numbers = np.repeat(self.data.documents[np.newaxis], len(rows), axis=0).astype(np.float64)
            numbers[np.arange(len(rows)), self.data.truth[rows]] -= 1
            with np.errstate(divide="ignore"):
                scores = scores + np.log(numbers)
        return scores, known

    def fill(self, model: Model, candidate: CandidateSettings) -> None:
        """Puts the counts of all documents into a new model, which counts all n-grams of the bags. They are used up."""
        table = model.counts.sizes
        scale, length = self._weighing(candidate.weighting) if extra(candidate.weighting) else (None, None)
        numbers = table.label_ids(self.data.given)
        order = dict(zip(self.data.given, numbers.tolist(), strict=True))
        table.take(self.bags.table([order[label] for label in self.data.labels], scale, length, model.ledger))


def with_pieces(data: LabeledTexts, analyzer: Analyzer) -> Analyzer:
    """The analyzer with pieces of words, where they are better for certain on some of the texts."""
    if len(data.labels) < MANY or analyzer != Analyzer():
        return analyzer
    looked_at = data.mixed[:FEWEST].tolist()
    characters = sum(len(text_at(data.texts, row)) for row in looked_at) / max(len(looked_at), 1)
    if characters > SHORT:
        return analyzer
    some = data.first(int(SCREENED / max(characters, 1.0)))
    pieces = replace(analyzer, char_ngrams=PIECE_SIZES)
    best = {}
    for each in (analyzer, pieces):
        search = TextSearch(some, each)
        best[each] = max(search.first_look(), key=lambda trial: trial.accuracy)
    return pieces if best[pieces].lead(best[analyzer]) > ERRORS else analyzer

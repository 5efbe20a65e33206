"""Chooses the settings of a view by exact leave-one-out, in bounded time.

Many settings are judged on some documents, the better ones on more, and the best on as many as there are, or as the
bounds allow. The bounds are on work and not on time, so the same documents give the same choice on a slow machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import get_args

import numpy as np

from likelier._base.checks import is_one_of
from likelier._base.errors import InputError, LikelierError, SettingError
from likelier._documents.kinds import Numeric
from likelier._documents.labels import distinct_labels
from likelier._evaluate.calibrate.choosing import choose
from likelier._model.counting import Counting
from likelier._settings.selection import Selection, Tried
from likelier._settings.values import Settings
from likelier._train import candidates
from likelier._train.candidates import Candidate
from likelier._train.choosing import By, best_first, chosen
from likelier._train.judging import Judge, Trial
from likelier._train.sample import MOST_BYTES, Sample, sample

FEWEST = 100  # documents; with fewer, chance decides
FEWEST_OF_LABEL = 5
# Numbers (terms of a document times labels) in the three looks, and how many for 4,000 documents at most.
WORK = ((2_000_000, 2_000_000), (4_000_000, 4_000_000), (16_000_000, 40_000_000))
ENOUGH = 4000  # documents
MOST_WORK = 8_000_000  # that the fewest documents may take in the first look
CLOSER = 3  # families at which a closer look is taken
FINAL = 6  # settings in the last round


def select(counting: Counting, *, by: By = "accuracy") -> tuple[Settings, Selection]:
    """The settings that judge the documents best without having seen them, and the evidence for it."""
    if not is_one_of(by, get_args(By)):
        raise SettingError(
            code="choose-by-unknown",
            message=f"settings are chosen by {' or '.join(get_args(By))}, got {by!r}",
            hint="choose_by='log-loss' where probabilities matter more than verdicts",
        )
    counting.find_stop_words()
    base = Settings(columns=counting.rules)
    found = sample(counting)
    reason = _why_not(found)
    if reason:
        return base, Selection(f"textbook settings: {reason}", found.documents)
    counting.tell("choosing settings")
    try:
        return _searched(counting, found, base, by)
    finally:
        counting.tell(None)


def _searched(counting: Counting, found: Sample, base: Settings, by: By) -> tuple[Settings, Selection]:
    judge = Judge(found, base, counting.threads)
    if judge.work * FEWEST > MOST_WORK:
        terms, labels = f"{judge.entries:,.0f} terms", f"{len(judge.labels):,} labels"
        reason = f"documents have {terms} on average and there are {labels}, too many to choose by"
        return base, Selection(f"textbook settings: {reason}", found.documents)
    return _Search(judge, found, by, counting).result()


def _why_not(found: Sample) -> str | None:
    """Why nothing can be chosen by these documents, if so."""
    if len(found) < FEWEST:
        sampled = f" in a sample of {MOST_BYTES >> 20} MB" if len(found) < found.documents else ""
        return f"{len(found)} documents{sampled} are too few to choose by, it takes {FEWEST}"
    numbers = np.bincount(distinct_labels(found.batch.labels or [])[1])
    if (numbers >= FEWEST_OF_LABEL).sum() < 2:
        return f"it takes two labels with at least {FEWEST_OF_LABEL} documents to choose by"
    return None


def _calibrated(winner: Trial) -> Settings:
    """What was chosen, with honest probabilities if the documents that were judged can say how."""
    try:
        rule = choose(winner.scores, winner.truth, winner.labels, winner.weights).rule
    except InputError:  # too few, or all of one label
        return winner.settings
    return winner.settings.changed(calibration=rule)


def _documents(each: float, work: int, most_work: int, there: int) -> int:
    """How many documents a look is taken at, where each takes so much work."""
    enough = min(max(work / each, ENOUGH), most_work / each)
    return min(max(int(enough), FEWEST), there)


class _Search:
    """The rounds of one selection."""

    def __init__(self, judge: Judge, found: Sample, by: By, counting: Counting) -> None:
        self._judge, self._sample, self._by, self._counting = judge, found, by, counting
        self._trials: dict[Candidate, Trial] = {}  # the last look at each
        self._looks = [_documents(judge.work, *work, len(found)) for work in WORK]

    def result(self) -> tuple[Settings, Selection]:
        """What comes out of all rounds."""
        first, second, third = self._looks
        for start in self._starts(first):
            self._look(candidates.broad(start, len(self._judge.labels), self._judge.wider), first)
        near = self._look([each for best in self._families() for each in self._closer(best)], second)
        finalists = [trial.candidate for trial in best_first(near, self._by)[:FINAL]]
        last = self._look(sorted(finalists, key=lambda each: each.weighting), third)  # one count after the other
        if not last:
            why = "textbook settings: none of those that were tried can be used with these documents"
            return self._judge.base, Selection(why, self._sample.documents)
        return self._selection(last, chosen(last, self._by))

    def _closer(self, best: Candidate) -> Iterator[Candidate]:
        return filter(self._judge.fits, candidates.closer(best, has_text=self._has_text))

    @property
    def _has_text(self) -> bool:
        return bool(self._judge.schema.texts)

    def _starts(self, documents: int) -> list[Candidate]:
        """From where texts are looked at: with the best rule for numbers, if there are any. None without texts."""
        schema = self._judge.schema
        if schema.is_plain:
            return [Candidate()]
        numeric = any(isinstance(kind, Numeric) for kind in schema.columns.values())
        found = self._look(candidates.of_numbers() if numeric else candidates.of_values(), documents)
        best = best_first(found, self._by)[0].candidate if found else Candidate()
        return [replace(best, prior="fitted")] if self._has_text else []

    def _look(self, several: Iterable[Candidate], documents: int) -> list[Trial]:
        """Judges candidates on so many documents, each under both priors, unless that was done."""
        found: dict[Candidate, Trial] = {}
        for candidate in several:
            before = self._trials.get(candidate)
            if before is None or len(before) < documents:
                self._counting.tell(f"choosing settings, {len(self._trials)} tried")
                self._try(candidate, documents)
            both = [replace(candidate, prior=prior) for prior in candidates.PRIORS]
            found |= {each: self._trials[each] for each in both if each in self._trials}
        return list(found.values())

    def _try(self, candidate: Candidate, documents: int) -> None:
        """Judges a candidate. Nobody asked for it, so if it does not fit these documents it is left out."""
        with suppress(LikelierError):
            self._trials |= {trial.candidate: trial for trial in self._judge.trials(candidate, documents)}

    def _families(self) -> list[Candidate]:
        """The best of each of the best families."""
        found: dict[tuple[object, ...], Candidate] = {}
        for trial in best_first(list(self._trials.values()), self._by):
            found.setdefault(trial.candidate.family, trial.candidate)
        return list(found.values())[:CLOSER]

    # ---- what comes out ------------------------------------------------------------------------------------------

    def _selection(self, last: list[Trial], winner: Trial) -> tuple[Settings, Selection]:
        rest = [trial for trial in self._trials.values() if not any(trial is each for each in last)]
        tried = [self._tried(trial, trial.log_loss, trial is winner) for trial in best_first(last, self._by)]
        tried += [self._tried(trial, self._loss(trial), False) for trial in best_first(rest, self._by)]
        return _calibrated(winner), Selection(
            self._why(last, winner), self._sample.documents, len(winner), tuple(tried)
        )

    def _loss(self, trial: Trial) -> float | None:
        """What is known already: it takes about as long as judging."""
        return trial.log_loss if self._by == "log-loss" else None

    def _tried(self, trial: Trial, loss: float | None, is_chosen: bool) -> Tried:
        words = candidates.in_words(trial.candidate, self._judge.smoothing(trial.candidate), self._has_text)
        return Tried(words, trial.accuracy, loss, len(trial), is_chosen)

    def _why(self, last: list[Trial], winner: Trial) -> str:
        judged = f"{len(winner):,} of {'the first ' * self._sample.is_begin}{self._sample.documents:,} documents"
        if len(winner) == self._sample.documents:
            judged = f"{'the first' if self._sample.is_begin else 'all'} {self._sample.documents:,} documents"
        best, figure = best_first(last, self._by)[0], self._by.replace("-", " ")
        why = f"chosen by leave-one-out {figure} on {judged}, out of {len(self._trials)} settings"
        if best is winner:
            return f"{why}: the best"
        more = winner.candidate.strength > best.candidate.strength
        return (
            f"{why}: as good as the best, for all that can be told, and {'smoothed more' if more else 'less log loss'}"
        )

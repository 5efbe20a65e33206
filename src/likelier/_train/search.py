"""Chooses the settings of a view by exact leave-one-out, in bounded time.

Many settings are judged on some documents, the better ones on more, and the best on as many as there are, or as the
bounds allow. The bounds are on work and not on time, so the same documents give the same choice on a slow machine.

The difference between two settings on the same documents has a standard error. Settings that the best one does not beat
by more than that may as well be the best; of them the one that smooths most is taken, because it depends least on the
documents that happen to be there (Breiman, Friedman, Olshen & Stone 1984 take the simplest tree in the same way).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, cast, get_args

import numpy as np

from likelier._answer.calibration import Discount
from likelier._answer.posterior import DIGITS
from likelier._base.checks import check_one_of
from likelier._base.errors import LikelierError
from likelier._base.numbers import Floats
from likelier._documents.kinds import Numeric
from likelier._documents.labels import distinct_labels
from likelier._documents.schema import Schema
from likelier._documents.weights import checked_weights
from likelier._model.models import Model
from likelier._model.one_pass import TrainingData
from likelier._settings.selection import Selection, TriedSettings
from likelier._settings.values import Settings
from likelier._show.progress import CHOOSING, Report
from likelier._text.analyzer import Analyzer
from likelier._train import candidates
from likelier._train.candidates import CandidateSettings
from likelier._train.copies import note, with_copies
from likelier._train.judge import CandidateJudge, JudgedSettings
from likelier._train.sample import MOST_BYTES, Sample
from likelier._train.texts import ERRORS, STEPS, WIDER, WORTH_IT, LabeledTexts, TextSearch, Trial, with_pieces

By = Literal["accuracy", "log-loss"]

WORKED_EXAMPLE = 12  # documents at most: those of a lecture
FEWEST = 100  # documents of tables; with fewer, chance decides
FEWEST_OF_LABEL = 5
# Numbers (terms of a document times labels) in the three looks, and how many for 4,000 documents at most.
WORK = ((2_000_000, 2_000_000), (4_000_000, 4_000_000), (16_000_000, 40_000_000))
ENOUGH = 4000  # documents
MOST_WORK = 8_000_000  # that the fewest documents may take in the first look
CLOSER = 3  # families at which a closer look is taken
FINAL = 6  # settings in the last round
CUTTING = 6  # steps of the search that take about as long as cutting the texts
JUDGED_BY_LOSS = 8  # settings, where the least log loss is taken
KEPT_DIGITS = 6  # of the figures that are kept


def checked_by(by: object) -> By:
    """What settings are chosen by, if it is one of what they can be chosen by."""
    check_one_of("choose-by-unknown", by, get_args(By))
    return cast(By, by)


@dataclass(frozen=True)
class Choice:
    """What was chosen.

    analyzer  in place of the usual one, for plain texts
    fill      puts the counts of all documents into a new model, where they are known already
    """

    settings: Settings
    selection: Selection
    analyzer: Analyzer | None = None
    fill: Callable[[Model], None] | None = None


def select(sample: Sample, data: TrainingData, *, by: By = "accuracy") -> Choice:
    """The settings that judge the sample best without having seen it, and the evidence for it."""
    base = Settings(columns=data.rules)
    is_plain = sample.schema.is_plain and _count_1(sample.batch.weights)
    reason = _why_not(sample, WORKED_EXAMPLE + 1 if is_plain else FEWEST, 1 if is_plain else FEWEST_OF_LABEL)
    if reason:
        return Choice(base, Selection(f"textbook settings: {reason}", sample.documents))
    if is_plain:
        return _for_texts(sample, base, data, by)
    data.report(0, 100 * _rounds(sample.schema), CHOOSING)
    judge = CandidateJudge(sample, base, data.threads)
    if judge.work * FEWEST > MOST_WORK:
        terms, labels = f"{judge.entries:,.0f} terms", f"{len(judge.labels):,} labels"
        reason = f"documents have {terms} on average and there are {labels}, too many to choose others"
        return Choice(base, Selection(f"textbook settings: {reason}", sample.documents))
    return Choice(*_Search(judge, sample, by, data.report).result())


def _count_1(weights: Sequence[object] | None) -> bool:
    """Whether each document counts 1, as it does without weights."""
    if weights is None:
        return True
    numbers, unit = checked_weights(weights)
    return bool((numbers == unit).all())


def _why_not(sample: Sample, fewest: int, fewest_of_label: int) -> str | None:
    """Why nothing can be chosen by these documents, if so."""
    if len(sample) < fewest:
        sampled = f" in a sample of {MOST_BYTES >> 20} MB" if len(sample) < sample.documents else ""
        return f"at least {fewest} documents are needed to choose others, got {len(sample)}{sampled}"
    numbers = np.bincount(distinct_labels(sample.batch.labels or [])[1])
    if (numbers >= fewest_of_label).sum() < 2:
        each = f" with {fewest_of_label} documents each" if fewest_of_label > 1 else ""
        return f"at least two labels{each} are needed to choose others"
    return None


# ---- plain texts -----------------------------------------------------------------------------------------------------


def _for_texts(sample: Sample, base: Settings, data: TrainingData, by: By) -> Choice:
    given = sample.schema.only_text.analyzer
    assert sample.batch.labels is not None

    def report(done: int) -> None:
        data.report(CUTTING + done, CUTTING + STEPS + 1, CHOOSING)  # a calibration is the last step

    data.report(0, CUTTING + STEPS + 1, CHOOSING)
    labeled = LabeledTexts(sample.batch.texts, sample.batch.labels, data.threads)
    analyzer = with_pieces(labeled, given)
    search = TextSearch(labeled, analyzer)
    best = search.best(report)
    report(STEPS)
    rule, loss = search.calibration(best.candidate)
    losses = {best.candidate: loss}
    if by == "log-loss":
        best, rule, losses = _least_loss(search, best)
    own = best.candidate.of_text(search.smoothing(best.candidate), ())
    if rule is None:  # too few documents to fit one to
        settings = base.changed(**own).changed(prior=cast(Any, best.candidate.prior))
    else:
        settings = base.changed(**own).changed(calibration=rule)
    is_whole = len(sample) == sample.documents and not sample.is_begin and data.most_terms is None
    fills = is_whole and (search.wider is None or best.candidate.orders is not None)
    return Choice(
        settings,
        _selection_of_texts(search, sample, best, losses, by),
        analyzer if analyzer != given else None,
        partial(search.fill, candidate=best.candidate) if fills else None,
    )


Losses = dict[CandidateSettings, float | None]


def _least_loss(search: TextSearch, best: Trial) -> tuple[Trial, Discount | None, Losses]:
    """Of the best the one with the least log loss."""
    several = sorted(search.trials.values(), key=lambda trial: -trial.accuracy)[:JUDGED_BY_LOSS]
    found = {trial.candidate: (trial, *search.calibration(trial.candidate)) for trial in (best, *several)}
    trial, rule, _ = min(found.values(), key=lambda each: np.inf if each[2] is None else each[2])
    return trial, rule, {candidate: loss for candidate, (_, _, loss) in found.items()}


def _selection_of_texts(search: TextSearch, sample: Sample, best: Trial, losses: Losses, by: By) -> Selection:
    trials = sorted(search.trials.values(), key=lambda trial: (-len(trial.right), -trial.accuracy))
    tried = []
    for trial in trials:
        loss = losses.get(trial.candidate)
        words = candidates.in_words(trial.candidate, search.smoothing(trial.candidate), has_text=True)
        loss = None if loss is None else round(loss, KEPT_DIGITS)
        is_chosen = trial.candidate == best.candidate
        tried.append(TriedSettings(words, round(trial.accuracy, KEPT_DIGITS), loss, len(trial.right), is_chosen))
    figure, judged = by.replace("-", " "), _judged(sample, len(best.right))
    why = f"chosen by leave-one-out {figure} on {judged}, out of {len(tried)} settings: {_why_texts(trials, best, by)}"
    shares = with_copies(search.bags, search.rows[: len(best.right)], WIDER)
    return Selection(why, sample.documents, len(best.right), tuple(tried), note(shares, best.right))


def _why_texts(trials: Sequence[Trial], best: Trial, by: By) -> str:
    """Why these and not the ones with the highest accuracy on as many documents."""
    if by == "log-loss":
        return "the least of those with the highest accuracy"
    other = max((each for each in trials if len(each.right) >= len(best.right)), key=lambda each: each.accuracy)
    points = 100 * (other.accuracy - best.accuracy)
    if points <= 0:
        return "the best"
    lead = other.lead(best)
    if lead <= ERRORS:
        return f"the best is ahead by {points:.2f} points, {lead:.1f} standard errors, which may be chance"
    return f"the best is ahead by {points:.2f} points, less than one mistake in {1 / WORTH_IT:.0f}"


def _judged(sample: Sample, judged: int) -> str:
    """Which documents, in words."""
    if judged == sample.documents:
        return f"{'the first' if sample.is_begin else 'all'} {sample.documents:,} documents"
    return f"{judged:,} of {'the first ' * sample.is_begin}{sample.documents:,} documents"


# ---- tables ----------------------------------------------------------------------------------------------------------


def _calibrated(winner: JudgedSettings) -> Settings:
    """What was chosen, calibrated if the documents that were judged can say how."""
    rule = winner.rule
    if rule is None:
        return winner.settings
    if winner.candidate.prior == "fitted":
        return winner.settings.changed(calibration=rule)
    # So the shares of the labels are there where there is no evidence.
    return winner.settings.changed(prior="fitted", calibration=replace(rule, without_prior=True))


def _documents(each: float, work: int, most_work: int, there: int) -> int:
    """How many documents a look is taken at, where each takes so much work."""
    enough = min(max(work / each, ENOUGH), most_work / each)
    return min(max(int(enough), FEWEST), there)


def _rounds(schema: Schema) -> int:
    """How many rounds there are: for values and numbers, for texts, and two that look closer."""
    return (not schema.is_plain) + bool(schema.texts) + 2


class _Search:
    """The rounds of one selection."""

    def __init__(self, judge: CandidateJudge, sample: Sample, by: By, report: Report) -> None:
        self._judge, self._sample, self._by, self._report = judge, sample, by, report
        self._rounds, self._done = _rounds(judge.schema), 0
        self._trials: dict[CandidateSettings, JudgedSettings] = {}  # the last look at each
        self._looks = [_documents(judge.work, *work, len(sample)) for work in WORK]

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

    def _closer(self, best: CandidateSettings) -> Iterator[CandidateSettings]:
        return filter(self._judge.fits, candidates.closer(best, has_text=self._has_text))

    @property
    def _has_text(self) -> bool:
        return bool(self._judge.schema.texts)

    def _starts(self, documents: int) -> list[CandidateSettings]:
        """From where texts are looked at: with the best rule for numbers, if there are any. None without texts."""
        schema = self._judge.schema
        if schema.is_plain:
            return [CandidateSettings()]
        numeric = any(isinstance(kind, Numeric) for kind in schema.columns.values())
        found = self._look(candidates.of_numbers() if numeric else candidates.of_values(), documents)
        best = best_first(found, self._by)[0].candidate if found else CandidateSettings()
        return [replace(best, prior="fitted")] if self._has_text else []

    def _look(self, several: Iterable[CandidateSettings], documents: int) -> list[JudgedSettings]:
        """Judges candidates on this number of documents, each under both priors, unless that was done before."""
        found: dict[CandidateSettings, JudgedSettings] = {}
        several = list(several)
        for place, candidate in enumerate(several):
            self._report(100 * self._done + 100 * place // len(several), 100 * self._rounds, CHOOSING)
            before = self._trials.get(candidate)
            if before is None or len(before) < documents:
                self._try(candidate, documents)
            both = [replace(candidate, prior=prior) for prior in candidates.PRIORS]
            found |= {each: self._trials[each] for each in both if each in self._trials}
        self._done += 1
        return list(found.values())

    def _try(self, candidate: CandidateSettings, documents: int) -> None:
        """Judges a candidate. Nobody asked for it, so if it does not fit these documents it is left out."""
        with suppress(LikelierError):
            self._trials |= {trial.candidate: trial for trial in self._judge.trials(candidate, documents)}

    def _families(self) -> list[CandidateSettings]:
        """The best of each of the best families."""
        found: dict[tuple[object, ...], CandidateSettings] = {}
        for trial in best_first(list(self._trials.values()), self._by):
            found.setdefault(trial.candidate.family, trial.candidate)
        return list(found.values())[:CLOSER]

    # ---- what comes out ------------------------------------------------------------------------------------------

    def _selection(self, last: list[JudgedSettings], winner: JudgedSettings) -> tuple[Settings, Selection]:
        rest = [trial for trial in self._trials.values() if not any(trial is each for each in last)]
        tried = [self._tried(trial, trial.log_loss, trial is winner) for trial in best_first(last, self._by)]
        tried += [self._tried(trial, self._loss(trial), False) for trial in best_first(rest, self._by)]
        return _calibrated(winner), Selection(
            self._why(last, winner), self._sample.documents, len(winner), tuple(tried)
        )

    def _loss(self, trial: JudgedSettings) -> float | None:
        """What is known already: it takes about as long as judging."""
        return trial.log_loss if self._by == "log-loss" else None

    def _tried(self, trial: JudgedSettings, loss: float | None, is_chosen: bool) -> TriedSettings:
        words = candidates.in_words(trial.candidate, self._judge.smoothing(trial.candidate), self._has_text)
        accuracy = round(trial.accuracy, KEPT_DIGITS)
        return TriedSettings(words, accuracy, None if loss is None else round(loss, KEPT_DIGITS), len(trial), is_chosen)

    def _why(self, last: list[JudgedSettings], winner: JudgedSettings) -> str:
        judged = _judged(self._sample, len(winner))
        best, figure = best_first(last, self._by)[0], self._by.replace("-", " ")
        why = f"chosen by leave-one-out {figure} on {judged}, out of {len(self._trials)} settings"
        if best is winner:
            return f"{why}: the best"
        more = winner.candidate.strength > best.candidate.strength
        return (
            f"{why}: as good as the best, for all that can be told, and {'smoothed more' if more else 'less log loss'}"
        )


# ---- which of the settings that were judged --------------------------------------------------------------------------


def figure(trial: JudgedSettings, by: By) -> float:
    """What is compared; more is better. Rounded, so that settings equal but for the last bits are equal everywhere."""
    return round(trial.accuracy if by == "accuracy" else -trial.log_loss, DIGITS)


def best_first(trials: Sequence[JudgedSettings], by: By) -> list[JudgedSettings]:
    """The best first; of equal ones the one that smooths more, then the one that was tried first."""
    return sorted(trials, key=lambda trial: (-figure(trial, by), -trial.candidate.strength))


def as_good(trials: Sequence[JudgedSettings], by: By) -> list[JudgedSettings]:
    """The best, and those that it does not beat by more than the standard error of the difference; best first."""
    best, *others = best_first(trials, by)
    return [best, *(each for each in others if _is_close(best, each, by))]


def chosen(trials: Sequence[JudgedSettings], by: By) -> JudgedSettings:
    """Of those that are as good as the best the one that smooths most, of these the one with the least log loss."""
    return max(as_good(trials, by), key=lambda trial: (trial.candidate.strength, figure(trial, "log-loss")))


def _is_close(best: JudgedSettings, other: JudgedSettings, by: By) -> bool:
    mine, theirs = (each.right if by == "accuracy" else -each.losses for each in (best, other))
    difference: Floats = (mine - theirs) * best.weights
    return bool(difference.sum() <= np.sqrt((difference**2).sum()))  # the error, if there is no difference at all

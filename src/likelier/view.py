"""A view: the counts read under settings. It shares the counts and trains nothing."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier.counts import Counts, Label
from likelier.decide import NONE, Decision
from likelier.errors import InputError, SettingError
from likelier.estimate.estimator import Estimator
from likelier.estimate.evidence import Floats
from likelier.estimate.fitting import Event
from likelier.estimate.posterior import posterior
from likelier.estimate.prior import Prior
from likelier.estimate.smoothing import Smoothing
from likelier.estimate.unknown import Unknown
from likelier.explain import Explanation
from likelier.explain.build import explanation
from likelier.scoring import Scores, bag, score_batch, score_few
from likelier.settings import Settings, WithoutEvidence, smoothing_from
from likelier.text.analyzer import Analyzer
from likelier.text.texts import Texts, checked_text, checked_texts, text_at
from likelier.threads import checked_threads
from likelier.verdict import Verdict, Verdicts

Truths = NDArray[np.bool_]
ASKED_OFTEN = 8  # single texts, after which the weights of the whole vocabulary are worth their time


class TopTerm(NamedTuple):
    """A term that tells a label from the others."""

    term: str
    telling: float  # log-likelihood ratio G² of the term's counts inside and outside the label (Dunning 1993)
    times: int | Fraction  # tf(t,c), or df(t,c) where the event model counts documents


class View:
    """Counts under settings: classify, explain, and look up every number in between."""

    def __init__(
        self,
        counts: Counts,
        analyzer: Analyzer,
        *,
        event: Event = "multinomial",
        alpha: float | None = None,
        smoothing: Smoothing | None = None,
        prior: Prior = "fitted",
        unknown: Unknown = "ignore",
        min_count: float = 1,
        decide: Decision | None = None,
        without_evidence: WithoutEvidence = "prior",
        normalize: bool = False,
    ) -> None:
        settings = Settings(
            event=event,
            smoothing=smoothing_from(alpha, smoothing),
            prior=prior,
            unknown=unknown,
            min_count=min_count,
            without_evidence=without_evidence,
            normalize=normalize,
            **({} if decide is None else {"decide": decide}),
        )
        self._start(counts, analyzer, settings)

    @classmethod
    def of(cls, counts: Counts, analyzer: Analyzer, settings: Settings) -> View:
        """The view under settings that are already checked."""
        view = cls.__new__(cls)
        view._start(counts, analyzer, settings)
        return view

    def _start(self, counts: Counts, analyzer: Analyzer, settings: Settings) -> None:
        self.counts, self.analyzer, self.settings = counts, analyzer, settings
        self._state: tuple[int, Estimator] | None = None
        self._asked = 0  # single texts since the counts changed
        if counts.labels:
            _ = self.estimator  # says now what does not fit these counts

    @property
    def estimator(self) -> Estimator:
        """The estimates from the counts as they are now."""
        if self._state is None or self._state[0] != self.counts.version:
            self._state, self._asked = (self.counts.version, self._estimate()), 0
        return self._state[1]

    def _estimate(self) -> Estimator:
        if not self.counts.labels:
            raise InputError(
                code="model-empty",
                message="the model has learnt no document yet, so there is no label to choose",
                hint='model.learn("text", "label")',
            )
        s = self.settings
        s.decide.check(self.counts.labels)
        estimator = Estimator(
            self.counts,
            event=s.event,
            smoothing=s.smoothing,
            prior=s.prior,
            unknown=s.unknown,
            min_count=s.min_count,
            normalize=s.normalize,
        )
        _ = estimator.log_prior  # a prior that does not fit the labels is refused now
        return estimator

    # ---- asking --------------------------------------------------------------------------------------------------

    def classify(self, text: str) -> Verdict:
        """Which label is likelier for this text."""
        return self._verdicts(self.estimator, self._scores([checked_text(text)], threads=1))[0]

    def classify_many(self, texts: Iterable[str], *, threads: int | None = None) -> Verdicts:
        """The verdicts for many texts, with the same numbers as one by one.

        threads: how many to use; all cores if not given. The result does not depend on it.
        """
        return self._verdicts(self.estimator, self._scores(checked_texts(texts), checked_threads(threads)))

    def _scores(self, texts: Texts, threads: int) -> Scores:
        """A few texts by their own terms, many by the weights of the whole vocabulary."""
        few = self._asked + len(texts) <= ASKED_OFTEN
        if not few:
            self.counts.settle()
        estimator = self.estimator  # which starts anew if the counts have changed
        self._asked += len(texts)
        if not (few and len(texts)):
            return score_batch(estimator, texts, self.analyzer.analysis, threads)
        return score_few(estimator, [text_at(texts, row) for row in range(len(texts))], self.analyzer.analysis)

    def _verdicts(self, estimator: Estimator, scores: Scores) -> Verdicts:
        labels, settings = estimator.labels, self.settings
        probabilities = posterior(scores.values)
        columns = settings.decide.choose(scores.values, probabilities, labels)
        special = settings.decide.is_special(columns, scores.values, probabilities, labels)
        impossible = np.asarray(np.isneginf(scores.values).all(axis=1))
        silent = self._is_silent(scores)
        columns = np.where(impossible | (silent & (settings.without_evidence == "none")), NONE, columns)

        def reason(row: int) -> str | None:
            if impossible[row]:
                return self._why_impossible(estimator, int(scores.unknown[row]))
            if silent[row]:
                return self._why_silent()
            if len(labels) == 1:
                return f"{labels[0]} is the only label: every text gets it"
            if not special[row]:
                return None
            return settings.decide.reason(int(columns[row]), scores.values[row], probabilities[row], labels)

        read = scores.known.astype(np.float64) + scores.unknown
        share = scores.unknown / np.maximum(read, 1)
        return Verdicts(labels, columns, probabilities, scores.values, share, reason)

    def _is_silent(self, scores: Scores) -> Truths:
        """Which texts have no term that says anything."""
        silent = scores.known == 0
        return silent if self.settings.unknown == "ignore" else silent & (scores.unknown == 0)

    def _why_impossible(self, estimator: Estimator, unknown: int) -> str:
        if unknown and self.settings.unknown != "ignore" and np.isneginf(estimator.unknown_weight()).all():
            return "every label has probability 0: the text has a term that was never seen, and it counts as impossible"
        return "every label has probability 0: each lacks a term of this text, and there is no smoothing"

    def _why_silent(self) -> str:
        if self.settings.without_evidence == "none":
            return "no known term in this text: no label"
        also = " and the absent terms decide" if self.settings.event == "bernoulli" else " alone decides"
        return f"no known term in this text: the prior{also}"

    def explain(self, text: str) -> Explanation:
        """Why: the sum behind the verdict, item by item."""
        estimator, located = self.estimator, self.analyzer.locate(text)
        found = bag(estimator, text, self.analyzer.analysis)
        return explanation(estimator, located, found, self.classify(text))

    # ---- looking up ----------------------------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, sorted."""
        return self.counts.labels

    @property
    def vocabulary_size(self) -> int:
        """|V| under this view: without terms that are too rare, with UNK if there is one."""
        return self.estimator.reading.size + self.estimator.reading.with_unk

    def prior(self, label: Label) -> Fraction:
        """P(c), exact."""
        return self.estimator.exact.prior(self.counts.column(label))

    def likelihood(self, term: str, label: Label) -> Fraction:
        """P(t|c), exact; for the Bernoulli model P(t=1|c), for the complement model P(t|not c).

        An unknown term has the likelihood that the view's policy gives it in a text where it is the only unknown one.
        """
        column = self.counts.column(label)
        if self.estimator.reading.knows(term):
            return self.estimator.exact.likelihood(term, column)
        if self.settings.unknown == "zero":
            return Fraction(0)
        if self.settings.unknown == "ignore":
            raise InputError(
                code="term-unknown",
                message=f"{term!r} is not in the vocabulary, and this view ignores unknown terms",
                hint="terms are written as the analyzer makes them;"
                " view(unknown='smooth') gives unknown ones a likelihood",
            )
        return self.estimator.exact.likelihood(None, column, grown=self.settings.unknown == "grow")

    def log_ratios(self, label: Label, against: Label) -> dict[str, float]:
        """term → log P(t|label)/P(t|against), highest first. Terms that neither label can have are left out.

        For the complement model it is log P(t|not against)/P(t|not label): above 0 speaks for `label` there too.
        """
        columns = [self.counts.column(label), self.counts.column(against)]
        kept = self.estimator.reading.kept_ids
        logs = self.estimator.weight(self.estimator.kept_ratio)[:, columns]
        possible = ~np.isneginf(logs).all(axis=1)
        ratios = logs[possible, 0] - logs[possible, 1]
        named = zip(self.estimator.reading.names(kept[possible]), ratios.tolist(), strict=True)
        return dict(sorted(named, key=lambda pair: (-pair[1], pair[0])))  # equal ones by name, not by first sight

    def log_prior_ratio(self, label: Label, against: Label) -> float:
        """log P(label)/P(against)."""
        log_prior = self.estimator.log_prior
        return float(log_prior[self.counts.column(label)] - log_prior[self.counts.column(against)])

    def top_terms(self, label: Label, k: int = 10) -> list[TopTerm]:
        """The terms that tell this label from the others, most telling first."""
        if isinstance(k, bool) or not isinstance(k, int) or k < 0:
            raise SettingError(
                code="k-range", message=f"`k` must be a whole number of 0 or more, got {k!r}", hint="k=20"
            )
        column, reading = self.counts.column(label), self.estimator.reading
        ids = reading.kept_ids
        inside = reading.matrix[ids, column]
        telling = _telling(inside, reading.matrix[ids].sum(axis=1) - inside)
        least = np.partition(telling, -k)[-k] if 0 < k < len(telling) else 0
        best = np.flatnonzero((telling >= least) & (telling > 0))
        units = reading.snapshot.rows(ids[best], reading.statistic)[:, column].tolist()
        found = zip(reading.names(ids[best]), telling[best].tolist(), map(self.counts.number, units), strict=True)
        ranked = sorted(found, key=lambda each: (-each[1], each[0]))  # equal ones by name, not by first sight
        return [TopTerm(*each) for each in ranked[:k]]

    def __repr__(self) -> str:
        return f"<View: {self.settings}>"


def _telling(inside: Floats, outside: Floats) -> Floats:  # (terms,) -> (terms,)
    """G² of each term, with a minus sign where it is rarer inside than outside."""
    n, m = inside.sum(), outside.sum()
    share = (inside + outside) / max(n + m, 1)
    surprise = _n_log(inside, n * share) + _n_log(outside, m * share)
    more = inside * m >= outside * n if m else inside > 0
    return np.where(more, 2 * surprise if m else inside, -2 * surprise)


def _n_log(seen: Floats, expected: Floats) -> Floats:
    """n log(n / expected); what does not occur adds 0."""
    there = seen > 0
    result = np.zeros_like(seen)
    result[there] = seen[there] * np.log(seen[there] / expected[there])
    return result

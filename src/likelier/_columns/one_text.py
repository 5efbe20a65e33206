"""One plain text, from the text to its verdict in few steps.

Where the decision is simply the most probable label, it is read off the scores at once, and the rest of the verdict
waits until it is asked for. What is out of the ordinary (no known term, labels that are equally probable or all
impossible) has a reason to be told, and goes the way of `_answer/verdict.py`. The numbers are the same.
"""

from __future__ import annotations

import math

import numpy as np

from likelier._answer.calibration import LARGEST, Discount, NoCalibration, Temperature
from likelier._answer.decisions import ROUNDING, MostProbable
from likelier._answer.scores import Estimates, Refining, Scores
from likelier._answer.verdict import Found, Rules, Verdict, decided
from likelier._base.numbers import Floats
from likelier._columns.words import Words
from likelier._documents.values import NO_ROWS, Texts
from likelier._estimate.remembered import Remembered
from likelier._text.texts import surrogate_error

FEW = 16  # labels


class OneText:
    """Answers for single texts, from one state of the counts under one set of settings."""

    def __init__(self, estimates: Estimates, settings: Rules, part: Words, remembered: Remembered) -> None:
        self._estimates, self._settings = estimates, settings
        self._estimator = part.estimator
        self._sums, self._at_once = remembered.sums, remembered.at_once
        self._base = part.estimator.base(estimates.log_prior[np.newaxis])[0]
        self._has_absence = part.estimator.absence is not None
        self._counts_unknown = part.estimator.unknown != "ignore" and not self._has_absence
        self._of_unknown: Floats | None = None  # what an unknown term adds, once there was one
        rule = settings.calibration
        self._rule = rule if type(rule) is Temperature else None
        self._discount = rule if type(rule) is Discount else None
        self._prior = np.where(np.isneginf(estimates.log_prior), 0.0, estimates.log_prior)  # those scores are infinite
        self._added, self._few = np.zeros(0), list[float]()
        if self._discount is not None:
            self._added = self._discount.added_to(self._prior, estimates.labels)
            if len(estimates.labels) <= FEW and self._discount.bend == 1:
                self._few = self._added.tolist()
        is_simple = type(settings.decide) is MostProbable and type(rule) in (NoCalibration, Temperature, Discount)
        self._is_simple = is_simple and len(estimates.labels) > 1
        self._refined, self._name = estimates.refined, part.name
        if self._refined is not None and self._rule is not None:
            self._is_simple = False  # a temperature would have to be applied before

    @classmethod
    def of(cls, estimates: Estimates, settings: Rules) -> OneText | None:
        """None where the likelihoods of all terms depend on the text, or the counts are still those of a file."""
        (part,) = estimates.parts.values()
        assert isinstance(part, Words)
        if part.remembered is None or part.estimator.unknown == "grow":
            return None
        return cls(estimates, settings, part, part.remembered)

    def at_once(self, text: str) -> Verdict | None:
        """The verdict where it is clear and can be had without a look at the counts; else None.

        The kernel makes sure that they are those of this state while it adds up.
        """
        if not self._is_simple or self._has_absence:
            return None
        of_unknown = self._of_unknown  # another thread may set it meanwhile
        try:
            found = self._at_once(text, self._base, of_unknown)
        except UnicodeEncodeError:
            raise surrogate_error([text]) from None
        if found is None:
            return None
        scores, known, unknown, _, _, column, highest, next_highest = found
        if not known or (unknown and self._counts_unknown and of_unknown is None):
            return None
        final = scores.tolist()
        if self._discount is not None or self._refined is not None:
            final = self._final(text, scores, final, known)
            column, highest, next_highest = _two_highest(final)
        if not self._is_clear(highest, next_highest):
            return None
        return Verdict.most_probable(Found(self._estimates.labels, column, final, known, unknown, self._rule))

    def verdict(self, text: str) -> Verdict:
        """The same as in a batch. To be called while the counts cannot change."""
        of_unknown = self._of_unknown  # another thread may set it meanwhile
        try:
            found = self._sums(text, self._base, of_unknown)
        except UnicodeEncodeError:
            raise surrogate_error([text]) from None
        scores, known, unknown, distinct, weighed, column, highest, next_highest = found
        if self._has_absence:
            scores = self._finished(scores, distinct, weighed)
            column, highest, next_highest = _two_highest(scores.tolist())
        elif unknown and self._counts_unknown and of_unknown is None:
            self._of_unknown = self._estimator.unknown_weight()
            return self.verdict(text)
        final = scores.tolist()
        if known and self._is_simple and (self._discount is not None or self._refined is not None):
            final = self._final(text, scores, final, known)
            column, highest, next_highest = _two_highest(final)
        if known and self._is_simple and self._is_clear(highest, next_highest):
            return Verdict.most_probable(Found(self._estimates.labels, column, final, known, unknown, self._rule))
        counted = np.array([known], dtype=np.uint32), np.array([[unknown]], dtype=np.uint32)
        refined = None if self._refined is None else self._refinement(self._refined, text)
        return decided(self._estimates, Scores(scores[np.newaxis], *counted, refined=refined), self._settings)[0]

    def _final(self, text: str, scores: Floats, listed: list[float], known: int) -> list[float]:
        """The scores, calibrated by a discount and with refined weights where there are some."""
        if self._discount is not None:
            listed = self._discounted(self._discount, scores, listed, known)
        if self._refined is None:
            return listed
        return list(self._refined.combined(np.array(listed), self._refinement(self._refined, text)[0]).tolist())

    def _refinement(self, refined: Refining, text: str) -> Floats:  # (1, labels)
        return refined.added({self._name: Texts([text], NO_ROWS)}, 1)

    def _discounted(self, rule: Discount, scores: Floats, listed: list[float], known: int) -> list[float]:
        """The calibrated scores; few labels without NumPy, which takes longer for them."""
        factor, share = rule.factors(known)
        if share == 1 and factor < LARGEST:  # as for most texts; the rest adds nothing then, and nothing overflows
            if self._few:
                return [factor * (score + added) for score, added in zip(listed, self._few)]  # noqa: B905
            found = factor * (scores + self._added)
            if rule.bend < 1 and (highest := np.maximum.reduce(found)) > -math.inf:
                found = -np.power(highest - found, rule.bend)
            return list(found.tolist())
        found = rule.discounted(scores, self._prior, self._added, factor, share)
        if rule.bend < 1:
            found = rule.bent(found, np.maximum.reduce(found))
        return list((found + (1 - share) * self._prior).tolist())

    def _finished(self, sums: Floats, distinct: int, weighed: float) -> Floats:  # (columns,) -> (labels,)
        of_unknown = np.array([distinct], dtype=np.uint32), np.array([weighed])
        return np.asarray(self._estimator.finish(sums[np.newaxis], *of_unknown)[0])

    def _is_clear(self, highest: float, next_highest: float) -> bool:
        """Whether one label is the most probable, by more than rounding."""
        if not -math.inf < highest < math.inf:
            return False
        if self._rule is None:
            return next_highest < highest - ROUNDING * max(abs(highest), 1.0)
        return (highest - next_highest) ** self._rule.power / self._rule.value > 2 * ROUNDING


def _two_highest(scores: list[float]) -> tuple[int, float, float]:
    """The place of the highest score, that score, and the highest of the others."""
    highest = max(scores)
    column = scores.index(highest)
    return column, highest, max([*scores[:column], *scores[column + 1 :]], default=-math.inf)

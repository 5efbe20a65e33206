"""Which calibration: the one with the least log loss on documents that it was not fitted to.

Tried are no calibration, the rule that the view has now, and a `Discount` fitted to the documents. The latter keeps the
offsets of a discount that is there: they belong to the prior, and labels would change without them. The documents are
split into stratified folds; each fold is judged by a discount fitted to the other folds.

Of the rules whose difference from the best is no more than its standard error, the first is taken. No calibration is
chosen only if no rule is better: naive Bayes is usually overconfident. The rule of now comes before the fitted one if
it is a discount, and else after it: a discount keeps the order of the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likelier._answer.calibration import Calibration, Discount, NoCalibration
from likelier._answer.posterior import rounded_distances
from likelier._answer.scores import Scores
from likelier._base.checks import checked_seed
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._evaluate.calibrate.discount import fit_discount
from likelier._evaluate.splits import stratified_folds

FEWEST = 20  # documents to fit a rule to
ENOUGH = 1 << 21  # numbers: of more, every second document, or every third, ...
Rows = NDArray[np.intp] | NDArray[np.bool_] | slice
Fit = Callable[["_Documents"], Calibration]


@dataclass(frozen=True)
class TriedCalibration:
    """A rule, and how it fared on documents that it was not fitted to.

    kind      none, current (the rule that the view has now, as it is) or discount (fitted to all documents)
    log_loss  mean of -log P(true label)
    behind    how much more that is than the best rule's, and the standard error of this difference
    """

    kind: str
    rule: Calibration
    log_loss: float
    behind: float
    behind_error: float

    @property
    def name(self) -> str:
        """What to print."""
        return f"{self.rule.name} (current)" if self.kind == "current" else self.rule.name


@dataclass(frozen=True)
class CalibrationChoice:
    """The rule, and all that were tried, in the order of preference.

    documents  how many could be used
    judged     how many of them were used: all, or a sample of very many
    left_out   how many could not be used
    """

    rule: Calibration
    tried: tuple[TriedCalibration, ...]
    documents: int
    judged: int
    left_out: int

    def __str__(self) -> str:
        lines = [f"{'→' if each.rule is self.rule else ' '} {each.log_loss:8.4f}  {each.name}" for each in self.tried]
        return "\n".join([f"  log loss  calibration, by {self.judged} documents", *lines])


def choose(
    scores: Scores,
    truth: NDArray[np.intp],
    labels: Sequence[Label],
    weights: Floats | None = None,
    *,
    current: Calibration,
    folds: int = 5,
    seed: int = 0,
) -> CalibrationChoice:
    """The calibration with the least log loss; the same for the same documents in any order.

    scores: by a model that has not learned the document, with the log prior that is in them
    truth: for each document the column of its label, -1 where it is unknown
    """
    _check_folds(folds)
    seed = checked_seed(seed)
    found = _usable(scores, truth, weights)
    _check_enough(found, labels, len(truth) - len(found))
    sample = found.some(slice(None, None, -(-found.scores.size // ENOUGH)))
    fits = _fits(current, labels)
    losses = _cross_validated(fits, sample, labels, stratified_folds(sample.truth, folds, seed))
    tried = _compared({kind: fit(sample) for kind, fit in fits.items()}, losses, sample.weights)
    return CalibrationChoice(_first_as_good(tried), tried, len(found), len(sample), len(truth) - len(found))


# ---- documents -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Documents:
    """Those that a rule can be fitted to, in an order of their own: the one in which they came does not matter."""

    scores: Floats  # (documents, labels), minus how far each label is behind the best
    log_prior: Floats  # (documents, labels)
    truth: NDArray[np.intp]  # (documents,)
    known: Floats  # (documents,)
    weights: Floats  # (documents,)

    def __len__(self) -> int:
        return len(self.truth)

    def some(self, rows: Rows) -> _Documents:
        """Only these documents."""
        return _Documents(
            self.scores[rows], self.log_prior[rows], self.truth[rows], self.known[rows], self.weights[rows]
        )


def _usable(scores: Scores, truth: NDArray[np.intp], weights: Floats | None) -> _Documents:
    """All but documents with an unknown or impossible label, without a known term, or with weight 0."""
    given = np.ones(len(truth)) if weights is None else weights
    rows = np.flatnonzero((truth >= 0) & (given > 0) & (scores.known > 0))
    rows = rows[~np.isneginf(scores.values[rows, truth[rows]])]
    behind = rounded_distances(scores.values[rows])
    assert scores.log_prior is not None
    log_prior, known = scores.log_prior[rows], scores.known[rows].astype(np.float64)
    found = _Documents(-behind, log_prior, truth[rows], known, given[rows])
    own, near = behind[np.arange(len(rows)), found.truth], np.exp(-behind).sum(axis=1)
    return found.some(np.lexsort((found.weights, near, behind[:, 0], behind[:, -1], found.known, own, found.truth)))


def _check_enough(found: _Documents, labels: Sequence[Label], left_out: int) -> None:
    if len(found) < FEWEST:
        raise error("calibration-too-few", fewest=FEWEST, got=len(found), left_out=left_out)
    if (found.truth == found.truth[0]).all():
        raise error("calibration-one-label", got=len(found), label=labels[int(found.truth[0])])


# ---- rules -----------------------------------------------------------------------------------------------------------


def _fits(current: Calibration, labels: Sequence[Label]) -> dict[str, Fit]:
    """How the rules come from documents, in the order of preference."""
    kept = current if isinstance(current, Discount) else Discount(1, 0, 1)

    def fitted(found: _Documents) -> Discount:
        prior = np.where(np.isneginf(found.log_prior), 0.0, found.log_prior)
        rule = fit_discount(found.scores + kept.added_to(prior, labels), found.truth, found.known, found.weights)
        assert rule is not None  # there are enough documents
        return replace(rule, offsets=kept.offsets, without_prior=kept.without_prior)

    fits: dict[str, Fit] = {"none": lambda _: NoCalibration(), "current": lambda _: current, "discount": fitted}
    if isinstance(current, NoCalibration):
        del fits["current"]
    elif not isinstance(current, Discount):
        fits["current"] = fits.pop("current")  # the last
    return fits


def _cross_validated(
    fits: dict[str, Fit], found: _Documents, labels: Sequence[Label], fold: NDArray[np.intp]
) -> dict[str, Floats]:
    """The losses of each document under rules that were fitted to other folds."""
    losses = {kind: np.empty(len(found)) for kind in fits}
    for number in np.unique(fold):
        others, judged = found.some(fold != number), found.some(fold == number)
        for kind, fit in fits.items():
            losses[kind][fold == number] = _log_losses(fit(others), judged, labels)
    return losses


def _log_losses(rule: Calibration, judged: _Documents, labels: Sequence[Label]) -> Floats:
    """-log P(true label), also where P is too small to be told from 0."""
    known = judged.known.astype(np.uint32)
    scores = rule.calibrated(judged.scores, labels, log_prior=judged.log_prior, known=known)
    highest = scores.max(axis=1)
    total = np.exp(scores - highest[:, np.newaxis]).sum(axis=1)
    return np.log(total) + highest - scores[np.arange(len(judged)), judged.truth]


def _compared(
    rules: dict[str, Calibration], losses: dict[str, Floats], weights: Floats
) -> tuple[TriedCalibration, ...]:
    mean = {kind: float(np.average(each, weights=weights)) for kind, each in losses.items()}
    best = min(mean, key=lambda kind: mean[kind])
    tried = []
    for kind, rule in rules.items():
        apart = losses[kind] - losses[best]
        behind = float(np.average(apart, weights=weights))
        variance = float(np.average((apart - behind) ** 2, weights=weights))
        tried.append(TriedCalibration(kind, rule, mean[kind], behind, float(np.sqrt(variance / weights.sum()))))
    return tuple(tried)


def _first_as_good(tried: Sequence[TriedCalibration]) -> Calibration:
    if tried[0].behind == 0:
        return tried[0].rule
    return next(each.rule for each in tried[1:] if each.behind <= each.behind_error)


def _check_folds(folds: object) -> None:
    if not isinstance(folds, int) or isinstance(folds, bool) or not 2 <= folds <= 20:
        raise error("calibration-folds-range", got=folds)

"""From log scores to verdicts: calibrated, decided, with the reason where it is worth knowing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from likelier._answer.calibration import Calibration, NoCalibration, Temperature
from likelier._answer.decisions import NONE, Columns, Decision
from likelier._answer.posterior import posterior, row_maxima
from likelier._answer.scores import Estimates, Scores
from likelier._answer.verdict import Verdicts
from likelier._base.numbers import Floats
from likelier._documents.labels import Label

Truths = NDArray[np.bool_]


class Rules(Protocol):
    """The settings that turn scores into verdicts."""

    @property
    def decide(self) -> Decision: ...

    @property
    def calibration(self) -> Calibration: ...

    @property
    def without_evidence(self) -> str: ...


def decided(estimates: Estimates, scores: Scores, settings: Rules) -> Verdicts:
    """What is decided by these log scores."""
    labels = estimates.labels
    calibrated = settings.calibration.calibrated(scores.values, labels)
    probabilities = posterior(calibrated)
    chosen = settings.decide.choose(calibrated, probabilities, labels)
    impossible = np.isneginf(row_maxima(scores.values)[:, 0])
    silent = _is_silent(estimates, scores)
    columns = np.where(impossible | (silent & (settings.without_evidence == "none")), NONE, chosen)
    reasons = Reasons(
        labels,
        settings.decide,
        chosen,
        columns,
        calibrated,
        probabilities,
        _why_impossible(estimates, scores, np.flatnonzero(impossible)),
        silent,
        _why_silent(estimates, settings) if silent.any() else "",
        _words(estimates)[1],
    )
    unknown = scores.unknown.sum(axis=1, dtype=np.float64)
    share = unknown / np.maximum(scores.known + unknown, 1)
    return Verdicts(labels, columns, probabilities, scores.values, share, reasons)


@dataclass(frozen=True, eq=False)
class Reasons:
    """What is worth knowing about each decision, told when it is asked for.

    Plain values, so that it can be pickled, and stays as it is when the counts change.
    """

    labels: Sequence[Label]
    decide: Decision
    chosen: Columns  # by the rule alone
    columns: Columns
    scores: Floats  # (documents, labels), calibrated
    probabilities: Floats  # (documents, labels)
    impossible: dict[int, str]  # why, for the documents where every label is
    silent: Truths
    why_silent: str
    of: str  # what a document is called

    def __call__(self, row: int) -> str | None:
        if row in self.impossible:
            return self.impossible[row]
        if self.silent[row]:
            return self.why_silent
        if len(self.labels) == 1:
            return f"{self.labels[0]} is the only label: every {self.of} gets it"
        if not self._is_special(row):
            return None
        return self.decide.reason(int(self.columns[row]), self.scores[row], self.probabilities[row], self.labels)

    def _is_special(self, row: int) -> bool:
        one = slice(row, row + 1)
        return bool(self.decide.is_special(self.chosen[one], self.scores[one], self.probabilities[one], self.labels)[0])


def _is_silent(estimates: Estimates, scores: Scores) -> Truths:
    """Which documents have nothing that says anything: no known value, and no unknown one that its column counts."""
    silent = np.asarray(scores.known == 0)
    if silent.any():
        counted = [part.counts_unknown for part in estimates.parts.values()]
        silent &= ~scores.unknown[:, counted].any(axis=1)
    return silent


def _why_impossible(estimates: Estimates, scores: Scores, rows: Columns) -> dict[int, str]:
    """Why every label is impossible, for these documents."""
    if not len(rows):
        return {}
    what, of = _words(estimates)
    refuses = [part.refuses_unknown for part in estimates.parts.values()]
    is_refused = np.any(scores.unknown[rows][:, refuses], axis=1)
    why = {
        True: f"every label has probability 0: the {of} has a {what} that was never seen, and it counts as impossible",
        False: f"every label has probability 0: each lacks a {what} of this {of}, and there is no smoothing",
    }
    return {row: why[refused] for row, refused in zip(rows.tolist(), map(bool, is_refused), strict=True)}


def _why_silent(estimates: Estimates, settings: Rules) -> str:
    what, of = _words(estimates)
    if settings.without_evidence == "none":
        return f"no known {what} in this {of}: no label"
    with_absence = any(part.has_absence for part in estimates.parts.values())
    if not isinstance(settings.calibration, NoCalibration | Temperature):  # these two leave the order as it is
        also = ", the absent terms" if with_absence else ""
        return f"no known {what} in this {of}: only the prior{also} and the calibration decide"
    also = " and the absent terms decide" if with_absence else " alone decides"
    return f"no known {what} in this {of}: the prior{also}"


def _words(estimates: Estimates) -> tuple[str, str]:
    """What a document is made of, and what it is called."""
    only_words = all(part.of_terms for part in estimates.parts.values())
    return ("term", "text") if only_words else ("value", "document")

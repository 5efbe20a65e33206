"""From log scores to verdicts: calibrated, decided, with the reason where it is worth knowing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likelier.calibrate import NoCalibration, Temperature
from likelier.decide import NONE
from likelier.estimate.parts import Estimates, NormalPart, Part, Words
from likelier.estimate.posterior import posterior, row_maxima
from likelier.scoring import Scores
from likelier.settings import Settings
from likelier.verdict import Verdicts

Truths = NDArray[np.bool_]


def decided(estimates: Estimates, scores: Scores, settings: Settings) -> Verdicts:
    """What is decided by these log scores."""
    labels = estimates.labels
    honest = settings.calibration.calibrated(scores.values, labels)
    probabilities = posterior(honest)
    chosen = settings.decide.choose(honest, probabilities, labels)
    impossible = np.isneginf(row_maxima(scores.values)[:, 0])
    silent = _is_silent(estimates, scores)
    # Worked out now: the counts may have changed when the reason is asked for.
    refusing = [_refuses_unknown(part) for part in _parts(estimates)] if impossible.any() else []
    columns = np.where(impossible | (silent & (settings.without_evidence == "none")), NONE, chosen)

    def is_special(row: int) -> bool:
        one = slice(row, row + 1)
        return bool(settings.decide.is_special(chosen[one], honest[one], probabilities[one], labels)[0])

    def reason(row: int) -> str | None:
        if impossible[row]:
            return _why_impossible(estimates, bool(scores.unknown[row][refusing].any()))
        if silent[row]:
            return _why_silent(estimates, settings)
        if len(labels) == 1:
            return f"{labels[0]} is the only label: every {_words(estimates)[1]} gets it"
        if not is_special(row):
            return None
        return settings.decide.reason(int(columns[row]), honest[row], probabilities[row], labels)

    unknown = scores.unknown.sum(axis=1, dtype=np.float64)
    share = unknown / np.maximum(scores.known + unknown, 1)
    return Verdicts(labels, columns, probabilities, scores.values, share, reason)


def _is_silent(estimates: Estimates, scores: Scores) -> Truths:
    """Which documents have nothing that says anything: no known value, and no unknown one that its column counts."""
    silent = np.asarray(scores.known == 0)
    if silent.any():
        counted = [
            not isinstance(each, NormalPart) and each.estimator.unknown != "ignore" for each in _parts(estimates)
        ]
        silent &= ~scores.unknown[:, counted].any(axis=1)
    return silent


def _why_impossible(estimates: Estimates, has_refused: bool) -> str:
    what, of = _words(estimates)
    if has_refused:
        return f"every label has probability 0: the {of} has a {what} that was never seen, and it counts as impossible"
    return f"every label has probability 0: each lacks a {what} of this {of}, and there is no smoothing"


def _refuses_unknown(part: Part) -> bool:
    return not isinstance(part, NormalPart) and bool(np.isneginf(part.estimator.unknown_weight()).all())


def _why_silent(estimates: Estimates, settings: Settings) -> str:
    what, of = _words(estimates)
    if settings.without_evidence == "none":
        return f"no known {what} in this {of}: no label"
    with_absence = any(isinstance(part, Words) and part.estimator.absence for part in _parts(estimates))
    if not isinstance(settings.calibration, NoCalibration | Temperature):  # these two leave the order as it is
        also = ", the absent terms" if with_absence else ""
        return f"no known {what} in this {of}: only the prior{also} and the calibration decide"
    also = " and the absent terms decide" if with_absence else " alone decides"
    return f"no known {what} in this {of}: the prior{also}"


def _parts(estimates: Estimates) -> list[Part]:
    return list(estimates.parts.values())


def _words(estimates: Estimates) -> tuple[str, str]:
    """What a document is made of, and what it is called."""
    only_words = all(isinstance(part, Words) for part in _parts(estimates))
    return ("term", "text") if only_words else ("value", "document")

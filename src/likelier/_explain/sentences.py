"""What an explanation says in words: the decision, the odds, and notes below the tables."""

from __future__ import annotations

import math
from collections.abc import Callable

from likelier._documents.labels import Label
from likelier._explain.explanation import Explanation
from likelier._show.words import LARGE, probability, signed

COMPLEMENT = "complement: fractions are P(t|not c), the smaller one speaks for its label"


def compared(explanation: Explanation) -> list[Label]:
    """The winner and the runner-up, or the only label."""
    return explanation.labels[:2]


def decision(explanation: Explanation, name: Callable[[Label], str]) -> str:
    """The verdict's label and its probability; `name` writes a label."""
    verdict = explanation.verdict
    if verdict.label is None:
        return "no label"
    return f"{name(verdict.label)}, probability {probability(verdict.probability)}"


def chance(explanation: Explanation, label: Label) -> str:
    """The label's probability; what is possible is not 0, however small."""
    value = explanation.verdict.probabilities[label]
    is_possible = explanation.log_scores[label] > -math.inf
    return "<1e-300" if value < 1e-300 and is_possible else probability(value)


def more_labels(explanation: Explanation, most: int) -> list[str]:
    """The labels that a table of `most` labels leaves out."""
    rest = explanation.labels[most:]
    total = sum(explanation.verdict.probabilities[label] for label in rest)
    return [f"... and {len(rest)} more labels, together {probability(total)}"] if rest else []


# ---- odds --------------------------------------------------------------------------------------------------------


def odds(explanation: Explanation, name: Callable[[Label], str]) -> str:
    """How much more probable the winner is than the runner-up; nothing with one label."""
    if len(explanation.labels) < 2:
        return ""
    winner, other = map(name, compared(explanation))
    if explanation.log_scores[explanation.winner] == -math.inf:
        return "every label is impossible"
    difference = explanation.log_odds
    if math.isinf(difference):
        return f"{other} is impossible"
    if explanation.calibration is not None:
        joined = "; " if difference >= 0 else ", but "  # another label is in front than by the scores
        return f"log odds {signed(difference)}{joined}{_calibrated(explanation, winner, other)}"
    if difference == 0:
        return f"log odds 0: {winner} and {other} are equally probable"
    if difference < 0.005:
        return f"log odds {difference:+.2g}: {winner} is hardly more probable than {other}"
    return f"log odds {signed(difference)}: {winner} is {_times(difference)} times as probable as {other}"


def _calibrated(explanation: Explanation, winner: str, other: str) -> str:
    """The same by calibrated probabilities."""
    front, behind = (explanation.verdict.probabilities[label] for label in compared(explanation))
    rule = f"calibrated by {explanation.calibration}"
    if behind == 0:
        return f"{rule}: {other} is as good as impossible"
    ratio = math.log(front) - math.log(behind)
    if ratio < 0.005:
        return f"{rule}: {winner} and {other} are about equally probable"
    return f"{rule}: {winner} is {_times(ratio)} times as probable as {other}"


def _times(difference: float) -> str:
    """How many times as probable, for a difference of logarithms."""
    power = difference / math.log(10)
    shown = f"about 10^{power:.0f}" if power < LARGE else f"about 10^({power:.3e})"
    return f"{math.exp(difference):.3g}" if difference < 6.9 else shown


# ---- notes -------------------------------------------------------------------------------------------------------


def notes(explanation: Explanation) -> list[str]:
    """What the numbers mean where they are not probabilities of terms that are counted."""
    return [*([COMPLEMENT] if "complement" in explanation.events.values() else []), *weightings(explanation)]


def weightings(explanation: Explanation) -> list[str]:
    """How terms are weighted, in a line for each text column where that is not by count alone."""
    columns = [name for name in explanation.events if name in explanation.weightings or name in explanation.with_idf]
    lines = [_weighting(explanation.weightings.get(name, "count"), name in explanation.with_idf) for name in columns]
    is_clear = len(explanation.events) == 1
    return lines if is_clear else [f"{column}: {line}" for column, line in zip(columns, lines, strict=True)]


def _weighting(weighting: str, with_idf: bool) -> str:
    """How terms are weighted.

    >>> print(_weighting("log-length", True))
    weighting log-length with idf: n times in a document count ln(1 + n) / length of the document · idf, in this text \
ln(1 + n) · idf; idf = ln((documents + 1) / (documents with the term + 1))
    """
    scale, _, by_length = weighting.partition("-")
    asked = {"count": "n", "once": "1", "log": "ln(1 + n)"}[scale] + " · idf" * with_idf
    learned = asked.replace(" · idf", "") + " / length of the document" * bool(by_length) + " · idf" * with_idf
    same = "" if learned == asked else f", in this text {asked}"
    idf = "; idf = ln((documents + 1) / (documents with the term + 1))" if with_idf else ""
    return f"weighting {weighting}{' with idf' if with_idf else ''}: n times in a document count {learned}{same}{idf}"

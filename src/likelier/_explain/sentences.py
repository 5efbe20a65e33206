"""What an explanation says in words: the decision, the reasons, calibration and odds, and notes below the tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from likelier._answer.calibration import Discount
from likelier._documents.kinds import PLAIN
from likelier._documents.labels import Label
from likelier._explain.explanation import EVIDENCE, Explanation, Item
from likelier._explain.steps import steps, total
from likelier._show.words import LARGE, probability, signed

Write = Callable[[Any], str]  # how a label or a term is written
REASONS = 3  # for the label; and the strongest one against it
WORTH_TELLING = 0.05  # of the strongest
PRIOR, CANCELED = ("prior", "correction"), 1e-9
COMPLEMENT = "fractions are P(t|not c): a term that is rare under all other labels speaks for a label"
SOFTMAX = "probability = e^(log score), divided by the sum over all labels"


def decision(explanation: Explanation, name: Write) -> str:
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


# ---- reasons -----------------------------------------------------------------------------------------------------


def reasons(explanation: Explanation, name: Write, term: Write) -> list[str]:
    """What speaks most for the winner and what against it, as people say it; nothing with one label.

    name, term: write a label, and a term or a value
    """
    if len(explanation.compared) < 2 or explanation.log_scores[explanation.winner] == -math.inf:
        return []
    if isinstance(explanation.rule, Discount) and not explanation.known:  # the prior alone decides
        return []
    winner, other = explanation.compared
    found = sorted(_worth_naming(explanation), key=lambda item: -item.difference(winner, other))
    sizes = [abs(item.difference(winner, other)) for item in found]
    least = WORTH_TELLING * max((size for size in sizes if math.isfinite(size)), default=0.0)
    speak_for = [item for item in found[:REASONS] if item.difference(winner, other) > least]
    against = [item for item in found[-1:] if item.difference(winner, other) < -least]
    told = _Told(explanation, name, term)
    lines = [("For", winner, told.all(speak_for, winner, other)), ("Against", winner, told.all(against, other, winner))]
    return [f"{side} {name(label)}: {'; '.join(each)}." for side, label, each in lines if each]


def _worth_naming(explanation: Explanation) -> list[Item]:
    """All items, but not the prior and its correction where one takes away the other."""
    winner, other = explanation.compared
    prior = [item.difference(winner, other) for item in explanation.items if item.kind in PRIOR]
    if len(prior) < 2 or not math.isclose(sum(prior), 0.0, abs_tol=CANCELED):
        return list(explanation.items)
    return [item for item in explanation.items if item.kind not in PRIOR]


@dataclass(frozen=True)
class _Told:
    """Items in words."""

    explanation: Explanation
    name: Write
    term: Write

    def all(self, items: list[Item], label: Label, other: Label) -> list[str]:
        """What each says for this label; where the comparison is the same as before, it is left out."""
        told, before = [], ""
        for item in items:
            start, ratio, compared = self._one(item, label, other)
            is_same = compared and compared == before
            told.append(f"{start} {ratio}" if is_same else " ".join(filter(None, [start, "is", ratio, compared])))
            before = compared
        return told

    def _one(self, item: Item, label: Label, other: Label) -> tuple[str, str, str]:
        """The item; how many times; as what."""
        one, two = self.name(label), self.name(other)
        if item.kind == "prior":
            return one, *_compared(item.difference(label, other), "frequent", "", two)
        if item.kind not in EVIDENCE:
            return _OTHERS[item.kind], "in favor of", one
        often = "" if item.times == 1 or not isinstance(item.times, int) else f" ({_often(item.times)})"
        named, difference = f"{self.term(item.title)}{often}", self._difference(item, label, other)
        is_density = item.kind == "value" and any(factor.is_density for factor in item.factors.values())
        common = "likely" if is_density else "common"
        if self._is_complement(item) and len(self.explanation.labels) > 2:
            return named, *_compared(difference, common, f"outside {two}", f"outside {one}")
        return named, *_compared(difference, common, f"in {one}", f"in {two}")

    def _difference(self, item: Item, label: Label, other: Label) -> float:
        """The logarithm of how many times as common it is, once."""
        if self._column(item) not in self.explanation.normalized:
            return (item.weights[label] - item.weights[other]) / item.idf
        inside, outside = (float(item.factors[each].value) for each in (label, other))  # P(t|not c)
        return math.log(outside / inside) if inside else math.inf

    def _column(self, item: Item) -> str:
        return PLAIN if self.explanation.is_plain else item.column or ""

    def _is_complement(self, item: Item) -> bool:
        return self.explanation.events.get(self._column(item)) == "complement"


def _often(times: int) -> str:
    return "twice" if times == 2 else f"{times} times"


_OTHERS = {
    "correction": "the correction of the prior",
    "absent": "the absence of other terms",
    "unknown": "what is unknown",
    "missing": "what is missing",
    "refined": "what refined weights add",
}


def _compared(difference: float, common: str, where: str, elsewhere: str) -> tuple[str, str]:
    """How many times as common, as two parts of a sentence."""
    if math.isinf(difference):
        return "never seen", elsewhere
    ratio = _ratio(difference)
    if ratio is None:
        return f"slightly more {common}", " ".join(filter(None, [where, "than", elsewhere]))
    return f"{ratio} times", " ".join(filter(None, ["as", common, where, "as", elsewhere]))


def _ratio(difference: float) -> str | None:
    """How many times, for a difference of logarithms; None where it is hardly more than once.

    >>> _ratio(1.61), _ratio(8), _ratio(25), _ratio(0.001)
    ('5', '3,000', 'about 10^11', None)
    """
    if difference < 0.005:
        return None
    if difference > math.log(LARGE):
        return _power_of_ten(difference)
    value = math.exp(difference)
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 100 else f"{value:.3g}" if value < 2 else f"{value:.2g}"


# ---- odds --------------------------------------------------------------------------------------------------------


def calibrated(explanation: Explanation, places: int = 3) -> str:
    """What the calibration makes of the sum, step by step; nothing where there is none."""
    found = steps(explanation, places)
    if not found:
        return ""
    said = "; then ".join(f"{step.says} = {signed(step.value, places)}" for step in found)
    by = f"calibrated by {explanation.calibration}: " if explanation.calibration else ""
    return f"{by}sum {signed(total(explanation), places)}, {said}"


def odds(explanation: Explanation, name: Write, places: int = 3) -> str:
    """How much more probable the winner is than the other label; nothing with one label."""
    if len(explanation.compared) < 2:
        return ""
    winner, other = map(name, explanation.compared)
    if explanation.log_scores[explanation.winner] == -math.inf:
        return "every label is impossible"
    difference = explanation.log_odds
    if math.isinf(difference):
        return f"{other} is impossible"
    if difference == 0:
        return f"log odds 0: {winner} and {other} are equally probable"
    shown = f"{difference:+.2g}" if abs(difference) < 0.005 else signed(difference, places)
    if difference < 0.005:
        return f"log odds {shown}: {winner} is hardly more probable than {other}"
    return f"log odds {shown}: {winner} is {_times(difference)} times as probable as {other}"


def _times(difference: float) -> str:
    """How many times as probable, for a difference of logarithms."""
    return f"{math.exp(difference):.3g}" if difference < 6.9 else _power_of_ten(difference)


def _power_of_ten(difference: float) -> str:
    power = difference / math.log(10)
    return f"about 10^{power:.0f}" if power < LARGE else f"about 10^({power:.3e})"


# ---- notes -------------------------------------------------------------------------------------------------------


def notes(explanation: Explanation) -> list[str]:
    """What the fractions and weights mean, in a line for each text column where they are not those of counted terms."""
    complement = [name for name, event in explanation.events.items() if event == "complement"]
    return [
        *(_of_column(explanation, name, f"complement: {COMPLEMENT}") for name in complement),
        *weightings(explanation),
    ]


def weightings(explanation: Explanation) -> list[str]:
    """How terms are weighted, in a line for each text column where that is not by count alone."""
    columns = [name for name in explanation.events if name in explanation.weightings or name in explanation.with_idf]
    lines = [_weighting(explanation.weightings.get(name, "count"), name in explanation.with_idf) for name in columns]
    return [_of_column(explanation, column, line) for column, line in zip(columns, lines, strict=True)]


def _of_column(explanation: Explanation, column: str, line: str) -> str:
    """The line, with the column that it is about where there are others."""
    return line if explanation.is_plain else f"{column}: {line}"


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

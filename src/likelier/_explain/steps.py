"""From the sum to the log odds: what a calibration does, step by step, for the two labels that are compared.

Beside refined weights two more steps follow: the factor of naive Bayes, and what refinement adds.

The last step has the log odds of the verdict. Each step says what is done with the number before it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from likelier._answer.calibration import Discount, Platt, Temperature
from likelier._explain.explanation import Explanation
from likelier._show.words import counted, signed


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a calibration.

    says   what is done, to be read after a number: "times 0.21 because words of a text repeat each other"
    value  what comes out, of the difference between the winner and the other label
    """

    says: str
    value: float


def total(explanation: Explanation) -> float:
    """The sum of all differences: before the calibration, where there is one."""
    one, two = (explanation.sums[label] for label in explanation.compared)
    return 0.0 if one == two else one - two


def steps(explanation: Explanation, places: int = 3) -> list[Step]:
    """What the calibration does, and refined weights; nothing with one label, and where a label is impossible.

    places: decimals of the numbers in what it says
    """
    found = explanation._naive_odds
    if not math.isfinite(found) or not math.isfinite(total(explanation)):
        return []
    return [*_calibrated(explanation, found, places), *_refined(explanation, found, places)]


def _refined(explanation: Explanation, found: float, places: int) -> list[Step]:
    if explanation.naive is None:
        return []
    odds, factor = explanation.log_odds, explanation.naive_factor
    return [
        Step(f"times {factor:.4g} beside refined weights", factor * found),
        Step(f"{signed(odds - factor * found, places)} of refined weights", odds),
    ]


def _calibrated(explanation: Explanation, found: float, places: int) -> list[Step]:
    """What the calibration does; nothing without one."""
    rule = explanation.rule
    if rule is None:
        return []
    if isinstance(rule, Discount):
        return _discount(rule, explanation, found, places)
    if isinstance(rule, Temperature):
        return [Step(f"{_raised(rule.power)}divided by the temperature {rule.value:.4g}", found)]
    if isinstance(rule, Platt):
        return _platt(rule, explanation, found, places)
    return [Step("by a fitted map", found)]


def _discount(rule: Discount, explanation: Explanation, found: float, places: int) -> list[Step]:
    factor, share = rule.factors(explanation.known)
    if not explanation.known:
        return [Step("but without a known term or value only the prior counts", found)]
    steps, value = [], total(explanation)
    apart = _apart(explanation, ("prior", "correction"))
    if share < 1 and apart:
        noun = "known term" if explanation.is_plain else "known value"
        value -= (1 - share) * apart
        says = f"{signed((share - 1) * apart, places)} of the prior because there {_are(explanation.known)} only"
        steps.append(Step(f"{says} {counted(explanation.known, noun)}", value))
    why = " because words of a text repeat each other" if factor < 1 else ", as fitted"
    value *= factor
    steps.append(Step(f"times {factor:.4g}{why}", value))
    if rule.bend < 1:
        value = _bent(rule, explanation, factor, share)
        steps.append(Step(f"to the power {rule.bend:.4g} because large distances say less than their size", value))
    added = (1 - share) * _apart(explanation, ("prior",))
    if added:
        steps.append(Step(f"{signed(added, places)} for the prior that is left", found))
    return [*steps[:-1], Step(steps[-1].says, found)]


def _are(number: float) -> str:
    return "is" if number == 1 else "are"


def _apart(explanation: Explanation, kinds: tuple[str, ...]) -> float:
    """How far the labels that are compared are apart in these items."""
    winner, other = explanation.compared
    items = [item.contributions for item in explanation.items if item.kind in kinds]
    return sum(each[winner] - each[other] for each in items)


def _bent(rule: Discount, explanation: Explanation, factor: float, share: float) -> float:
    """The difference of distances from the label that is best before they are bent."""
    less = [item.contributions for item in explanation.items if item.kind in ("prior", "correction")]
    sums = {
        label: factor * (score - (1 - share) * sum(each[label] for each in less))
        for label, score in explanation.sums.items()
    }
    best = max(sums.values())
    winner, other = (best - sums[label] for label in explanation.compared)
    return float(other**rule.bend - winner**rule.bend)


def _platt(rule: Platt, explanation: Explanation, found: float, places: int) -> list[Step]:
    winner, other = explanation.compared
    offsets = dict(zip((winner, other), rule.offsets_of([winner, other]).tolist(), strict=True))
    apart = offsets[winner] - offsets[other]
    times = f"times {rule.weight:.4g}"
    if rule.power != 1:
        best = max(explanation.sums.values())
        one, two = (best - explanation.sums[label] for label in (winner, other))
        behind = "" if one == 0 else f"as distances of {one:.{places}f} and {two:.{places}f} from the best sum, "
        times = f"{behind}{_raised(rule.power)}{times}"
    raised = Step(times, found - apart)
    return [raised, Step(f"{signed(apart, places)} for the fitted offsets of the labels", found)] if apart else [raised]


def _raised(power: float) -> str:
    return "" if power == 1 else f"to the power {power:.4g}, "

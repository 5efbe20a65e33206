"""The rows of an explanation in the order in which people read them, and how their numbers are written.

The prior comes first, then terms and values, strongest for the winner first, then the absent and the unknown terms, and
what is missing. Of a long text the terms that matter most have a row each; one more row has the sum of all others, so
that the columns still add up to the scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from likelier._documents.labels import Label
from likelier._explain.explanation import EVIDENCE, Explanation, Factor, Item

LARGE = 1e9  # the density of a number that lies far out has such logarithms

RowKind = Literal["prior", "term", "value", "more", "absent", "unknown", "missing"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    times          how often the logarithm of the factor is added, idf included; None for the sum of several items, and
                   for columns that say nothing
    contributions  of the winner and the runner-up, or of the only label
    factors        behind them; empty where there is no single one
    column         the column that it comes from, where there is one
    """

    kind: RowKind
    name: str
    times: float | None
    contributions: tuple[float, ...]
    factors: tuple[Factor, ...] = ()
    column: str | None = None

    @property
    def difference(self) -> float:
        """What the row says for the winner and against the runner-up; 0 with one label."""
        return difference(self.contributions)


def difference(pair: Sequence[float]) -> float:
    """The first minus the second; 0 where both are impossible, or there is no second."""
    return 0.0 if len(pair) < 2 or pair[0] == pair[1] else pair[0] - pair[1]


def compared(explanation: Explanation) -> list[Label]:
    """The winner and the runner-up, or the only label."""
    return explanation.labels[:2]


def rows(explanation: Explanation, most: int) -> list[Row]:
    """The table, with a row each for at most so many terms and values."""
    labels = compared(explanation)
    strongest = explanation.strongest()
    shown = set(map(id, sorted(strongest, key=lambda item: -strength(item, labels))[:most]))
    rest = [item for item in strongest if id(item) not in shown]
    silent = [item for item in explanation.items if _is_silent(explanation, item)]
    alone = [item for item in explanation.items if not _is_silent(explanation, item)]
    others = {kind: [_row(explanation, item, labels) for item in alone if item.kind == kind] for kind in _BRACKETS}
    return [
        *others["prior"],
        *(_row(explanation, item, labels) for item in strongest if id(item) in shown),
        *([_sum_of(rest, labels)] if rest else []),
        *others["absent"],
        *others["unknown"],
        *([_together(silent, labels)] if silent else []),
        *others["missing"],
    ]


def strength(item: Item, labels: Sequence[Label]) -> float:
    """How much the item matters, for or against: the difference, or the contribution where there is one label."""
    return abs(item.difference(*labels)) if len(labels) > 1 else abs(item.contributions[labels[0]])


_BRACKETS = {"prior": "({})", "absent": "({})", "unknown": "(unknown: {})", "missing": "(missing: {})"}  # no evidence


def _row(explanation: Explanation, item: Item, labels: list[Label]) -> Row:
    name = _BRACKETS.get(item.kind, "{}").format(explanation.name_of(item))
    contributions = tuple(item.contributions[label] for label in labels)
    factors = tuple(item.factors[label] for label in labels if item.factors)
    times = None if item.kind == "missing" else item.times if item.idf == 1 else item.times * item.idf
    return Row(item.kind, name, times, contributions, factors, item.column)


def _is_silent(explanation: Explanation, item: Item) -> bool:
    """Unknown values that nothing is estimated for share a row; unknown terms of a text have theirs."""
    return item.kind == "unknown" and not item.factors and item.column not in (None, *explanation.events)


def _together(items: list[Item], labels: list[Label]) -> Row:
    names = ", ".join(item.name for item in items)
    return Row("unknown", f"(unknown: {names})", None, _sums(items, labels))


def _sum_of(items: list[Item], labels: list[Label]) -> Row:
    return Row("more", f"{len(items)} more, together", None, _sums(items, labels))


def _sums(items: list[Item], labels: list[Label]) -> tuple[float, ...]:
    return tuple(sum(item.contributions[label] for item in items) for label in labels)


def has_times(explanation: Explanation, table: Sequence[Row]) -> bool:
    """Whether it is worth saying how often an item is added; values are always added once."""
    return explanation.is_plain or any(row.times not in (None, 1) for row in table)


def often(times: float | None) -> str:
    """How often an item is added.

    >>> often(2), often(0.693147), often(None)
    ('2', '0.6931', '')
    """
    return "" if times is None else str(times) if isinstance(times, int) else f"{times:.4g}"


def weighed(explanation: Explanation) -> list[str]:
    """How terms are weighed, in a line for each text column where that is not by count alone."""
    lines = explanation.weighed
    return [line if len(explanation.events) == 1 else f"{column}: {line}" for column, line in lines.items()]


# ---- numbers -----------------------------------------------------------------------------------------------------


def places(table: Sequence[Row]) -> int:
    """Decimals that tell the terms apart: 3, or more where all their differences are small (normalized complement).

    >>> places([Row("term", "spam", 1, (-2.5, -1.0))]), places([Row("term", "spam", 1, (0.00042, 0.0002))])
    (3, 6)
    """
    sizes = [abs(row.difference) for row in table if row.kind in EVIDENCE]
    largest = max((size for size in sizes if 1e-8 < size < math.inf), default=1.0)
    return max(3, 2 - math.floor(math.log10(largest)))


def number(value: float, places: int = 3) -> str:
    """A contribution or a score.

    >>> number(-2.6390573), number(-0.0), number(-1e300), number(-math.inf)
    ('-2.639', '0.000', '-1.000e+300', 'impossible')
    """
    if value == -math.inf:
        return "impossible"
    return f"{value:z.{places}f}" if abs(value) < LARGE else f"{value:.3e}"


def signed(value: float, places: int = 3) -> str:
    """A difference.

    >>> signed(0.25), signed(-0.25), signed(0), signed(math.inf)
    ('+0.250', '-0.250', '0.000', '+∞')
    """
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    if abs(value) >= LARGE:
        return f"{value:+.3e}"
    return f"{value:.{places}f}" if value == 0 else f"{value:+z.{places}f}"


def probability(value: float) -> str:
    """Four decimals, or the order of magnitude where those would be zeros.

    >>> probability(0.68976), probability(3.2e-9), probability(0.0)
    ('0.6898', '3.2e-09', '0')
    """
    if value == 0:
        return "0"
    return f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}"


def chance(explanation: Explanation, label: Label) -> str:
    """The label's probability; what is possible is not 0, however small."""
    value = explanation.verdict.probabilities[label]
    is_possible = explanation.log_scores[label] > -math.inf
    return "<1e-300" if value < 1e-300 and is_possible else probability(value)


def decision(explanation: Explanation, name: Callable[[Label], str]) -> str:
    """The verdict's label and its probability in words; `name` writes a label."""
    verdict = explanation.verdict
    if verdict.label is None:
        return "no label"
    return f"{name(verdict.label)}, probability {probability(verdict.probability)}"


def odds(explanation: Explanation, name: Callable[[Label], str]) -> str:
    """How much likelier the winner is than the runner-up, in words; nothing with one label."""
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
        return f"log odds {signed(difference)}{joined}{_calibrated(explanation, name)}"
    if difference == 0:
        return f"log odds 0: {winner} and {other} are equally probable"
    if difference < 0.005:
        return f"log odds {difference:+.2g}: {winner} is hardly more probable than {other}"
    return f"log odds {signed(difference)}: {winner} is {_times(difference)} times as probable as {other}"


def _times(difference: float) -> str:
    """How many times as probable, for a difference of logarithms."""
    power = difference / math.log(10)
    shown = f"about 10^{power:.0f}" if power < LARGE else f"about 10^({power:.3e})"
    return f"{math.exp(difference):.3g}" if difference < 6.9 else shown


def _calibrated(explanation: Explanation, name: Callable[[Label], str]) -> str:
    """The same by probabilities that were made honest."""
    chances = explanation.verdict.probabilities
    front, behind = compared(explanation)
    rule = f"calibrated by {explanation.calibration}"
    if chances[behind] == 0:
        return f"{rule}: {name(behind)} is as good as impossible"
    ratio = math.log(chances[front]) - math.log(chances[behind])
    if ratio < 0.005:
        return f"{rule}: {name(front)} and {name(behind)} are about equally probable"
    return f"{rule}: {name(front)} is {_times(ratio)} times as probable as {name(behind)}"

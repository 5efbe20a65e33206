"""The rows of an explanation in the order in which people read them, and how their numbers are written.

The prior comes first, then the terms, strongest for the winner first, then the absent and the unknown terms. Of a long
text the terms that matter most have a row each; one more row has the sum of all others, so that the columns still add
up to the scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from likelier.counts.labels import Label
from likelier.explain.explanation import Explanation, Factor, Item

RowKind = Literal["prior", "term", "more", "absent", "unknown"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    times          None for the sum of several items
    contributions  of the winner and the runner-up, or of the only label
    factors        behind them; empty where there is no single one
    """

    kind: RowKind
    name: str
    times: int | None
    contributions: tuple[float, ...]
    factors: tuple[Factor, ...] = ()

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
    """The table, with a row each for at most so many terms."""
    labels = compared(explanation)
    strongest = explanation.strongest()
    shown = set(map(id, sorted(strongest, key=lambda item: -strength(item, labels))[:most]))
    terms = [_row(item, labels) for item in strongest if id(item) in shown]
    rest = [item for item in strongest if id(item) not in shown]
    others = {kind: [_row(item, labels) for item in explanation.items if item.kind == kind] for kind in _NAMED}
    return [*others["prior"], *terms, *([_sum_of(rest, labels)] if rest else []), *others["absent"], *others["unknown"]]


def strength(item: Item, labels: Sequence[Label]) -> float:
    """How much the item matters, for or against: the difference, or the contribution where there is one label."""
    return abs(item.difference(*labels)) if len(labels) > 1 else abs(item.contributions[labels[0]])


_NAMED = {"prior": "({})", "absent": "({})", "unknown": "(unknown: {})"}  # no term, hence in brackets


def _row(item: Item, labels: list[Label]) -> Row:
    contributions = tuple(item.contributions[label] for label in labels)
    factors = tuple(item.factors[label] for label in labels if item.factors)
    return Row(item.kind, _NAMED.get(item.kind, "{}").format(item.name), item.times, contributions, factors)


def _sum_of(items: list[Item], labels: list[Label]) -> Row:
    sums = tuple(sum(item.contributions[label] for item in items) for label in labels)
    return Row("more", f"{len(items)} more, together", None, sums)


# ---- numbers -----------------------------------------------------------------------------------------------------


def places(table: Sequence[Row]) -> int:
    """Decimals that tell the terms apart: 3, or more where all their differences are small (normalized complement).

    >>> places([Row("term", "spam", 1, (-2.5, -1.0))]), places([Row("term", "spam", 1, (0.00042, 0.0002))])
    (3, 6)
    """
    sizes = [abs(row.difference) for row in table if row.kind == "term"]
    largest = max((size for size in sizes if 1e-8 < size < math.inf), default=1.0)
    return max(3, 2 - math.floor(math.log10(largest)))


def number(value: float, places: int = 3) -> str:
    """A contribution or a score.

    >>> number(-2.6390573), number(-0.0), number(-math.inf)
    ('-2.639', '0.000', 'impossible')
    """
    return "impossible" if value == -math.inf else f"{value:z.{places}f}"


def signed(value: float, places: int = 3) -> str:
    """A difference.

    >>> signed(0.25), signed(-0.25), signed(0), signed(math.inf)
    ('+0.250', '-0.250', '0.000', '+∞')
    """
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
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
    if difference == 0:
        return f"log odds 0: {winner} and {other} are equally probable"
    if difference < 0.005:
        return f"log odds {difference:+.2g}: {winner} is hardly more probable than {other}"
    how_many = f"{math.exp(difference):.3g}" if difference < 6.9 else f"about 10^{difference / math.log(10):.0f}"
    return f"log odds {signed(difference)}: {winner} is {how_many} times as probable as {other}"

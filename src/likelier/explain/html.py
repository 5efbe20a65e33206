"""An explanation as a piece of HTML that needs nothing from outside.

The text stands first, its words coloured by what they say for the winner against the runner-up. A term's difference
is shared out evenly among its occurrences; where terms overlap (n-grams, pieces of words), a stretch of the text has
the sum of what covers it. Colour is never the only sign: what speaks for the winner has a solid underline, what speaks
against it a wavy one, what is unknown a dotted one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from likelier.counts.labels import Label
from likelier.explain.explanation import Explanation, Factor, Item
from likelier.explain.html_style import STYLE
from likelier.explain.table import Row, chance, compared, decision, difference, number, odds, places, rows, signed

MOST_TERMS, MOST_LABELS, MOST_IN_TITLE = 50, 50, 8


def render(explanation: Explanation) -> str:
    """A `<section>` with its own style: the text, the table and the sums."""
    reason = explanation.verdict.reason
    parts = [
        '<section class="likelier">',
        f"<style>{STYLE}</style>",
        f'<p class="verdict"><strong>{decision(explanation, _named)}</strong></p>',
        f'<p class="note" dir="auto">{_safe(reason)}</p>' if reason else "",
        f'<p class="text" dir="auto">{_highlighted(explanation)}</p>',
        _legend(explanation),
        _Table(explanation).html(),
        _labels(explanation),
        f'<p class="note">{odds(explanation, _named)}</p>',
        f'<p class="note">{_COMPLEMENT}</p>' if explanation.event == "complement" else "",
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


_COMPLEMENT = "Complement: the fractions are P(t|not c), so the smaller one speaks for its label."


def _safe(text: object) -> str:
    """Escaped, and without the control characters that HTML does not allow."""
    kept = "".join("\ufffd" if character < " " and character not in "\t\n" else character for character in str(text))
    return escape(kept, quote=True)


def _named(label: Label) -> str:
    return f"<bdi>{_safe(label)}</bdi>"


# ---- the text ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Share:
    """What one occurrence of a term adds, for the winner and the runner-up."""

    pair: tuple[float, ...]
    is_known: bool
    title: str


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of the text that the same terms cover."""

    text: str
    shares: list[_Share]

    @property
    def difference(self) -> float:
        """The winner's sum minus the runner-up's: summed apart, because infinities of both signs have no sum."""
        return difference([math.fsum(column) for column in zip(*(share.pair for share in self.shares), strict=True)])


def _highlighted(explanation: Explanation) -> str:
    stretches = list(_stretches(explanation))
    sizes = [abs(stretch.difference) for stretch in stretches if math.isfinite(stretch.difference)]
    largest = max(sizes, default=0.0) or 1.0
    return "".join(_marked(stretch, largest) for stretch in stretches)


def _marked(stretch: _Stretch, largest: float) -> str:
    is_known = any(share.is_known for share in stretch.shares)
    if not is_known and (not stretch.shares or stretch.text.isspace()):  # the space in a pair of words
        return _safe(stretch.text)
    value = stretch.difference
    kinds = ["for" if value > 0 else "against" if value < 0 else "", "" if is_known else "unknown"]
    strength = 1.0 if math.isinf(value) else abs(value) / largest
    style = f' style="--w:{strength:.2f}"' if value else ""
    return (
        f'<span class="{" ".join(filter(None, kinds))}"{style} title="{_titles(stretch)}">{_safe(stretch.text)}</span>'
    )


def _titles(stretch: _Stretch) -> str:
    titles = list(dict.fromkeys(share.title for share in stretch.shares))
    more = [f"and {len(titles) - MOST_IN_TITLE} more"] if len(titles) > MOST_IN_TITLE else []
    return "&#10;".join(map(_safe, [*titles[:MOST_IN_TITLE], *more]))


def _stretches(explanation: Explanation) -> Iterator[_Stretch]:
    """The text cut wherever a term starts or ends."""
    text, shares = explanation.text, _shares(explanation)
    starting: dict[int, list[tuple[int, _Share]]] = {}
    for term, start, end in explanation.spans:
        starting.setdefault(start, []).append((end, shares[term]))
    edges = {0, len(text), *starting, *(end for _, _, end in explanation.spans)}
    covering: list[tuple[int, _Share]] = []
    for start, end in pairwise(sorted(edges)):
        covering = [(last, share) for last, share in covering if last > start] + starting.get(start, [])
        yield _Stretch(text[start:end], [share for _, share in covering])


def _shares(explanation: Explanation) -> dict[str, _Share]:
    """Term → what one of its occurrences adds."""
    labels = compared(explanation)
    occurrences = Counter(term for term, _, _ in explanation.spans)
    items = {item.name: item for item in explanation.items if item.kind == "term"}
    unknown = next((item for item in explanation.items if item.kind == "unknown"), None)
    digits = places(rows(explanation, MOST_TERMS))
    strangers = sum(times for term, times in occurrences.items() if term not in items)

    def share(term: str) -> _Share:
        item, among = (items[term], occurrences[term]) if term in items else (unknown, strangers)
        pair = tuple(item.contributions[label] / among if item else 0.0 for label in labels)
        return _Share(pair, term in items, _title(term, items.get(term), labels, digits))

    return {term: share(term) for term in occurrences}


def _title(term: str, item: Item | None, labels: list[Label], digits: int) -> str:
    if item is None:
        return f"{term}: unknown"
    parts = [f"{label} {number(item.contributions[label], digits)}" for label in labels]
    if len(labels) > 1:
        parts.append(f"difference {signed(item.difference(*labels), digits)}")
    return f"{term} ({item.times}×): {', '.join(parts)}"


def _legend(explanation: Explanation) -> str:
    labels = compared(explanation)
    if len(labels) < 2:
        return ""
    signs = [("for", labels[0]), ("against", labels[1])]
    shown = [f'<span class="{kind}" style="--w:.6">for {_named(label)}</span>' for kind, label in signs]
    if explanation.verdict.unknown_share:
        shown.append('<span class="unknown">unknown</span>')
    return f'<p class="note">{" ".join(shown)}</p>'


# ---- the table ---------------------------------------------------------------------------------------------------


class _Table:
    def __init__(self, explanation: Explanation) -> None:
        self.labels = compared(explanation)
        self.rows = rows(explanation, MOST_TERMS)
        self.places = places(self.rows)
        self.scores = [explanation.log_scores[label] for label in self.labels]
        finite = [abs(row.difference) for row in self.rows if math.isfinite(row.difference)]
        self.largest = max(finite, default=0.0) or 1.0

    def html(self) -> str:
        lines = [
            '<div class="wide"><table>',
            f"<thead>{self._heading()}</thead>",
            "<tbody>",
            *map(self._line, self.rows),
            "</tbody>",
        ]
        return "\n".join([*lines, f"<tfoot>{self._sums()}</tfoot>", "</table></div>"])

    def _heading(self) -> str:
        names = "".join(f'<th colspan="2">{_named(label)}</th>' for label in self.labels)
        last = '<th colspan="2">difference</th>' if len(self.labels) > 1 else ""
        return f'<tr><th>item</th><th class="n">times</th>{names}{last}</tr>'

    def _line(self, row: Row) -> str:
        times = "" if row.times is None else row.times
        factors: list[Factor | None] = list(row.factors) or [None] * len(self.labels)
        pairs = zip(factors, row.contributions, strict=True)
        numbers = "".join(self._fraction(factor) + self._number(value) for factor, value in pairs)
        cells = f'<th scope="row"><bdi>{_safe(row.name)}</bdi></th><td class="n">{times}</td>{numbers}'
        return f'<tr class="{row.kind}">{cells}{self._difference(row)}</tr>'

    def _fraction(self, factor: Factor | None) -> str:
        return f'<td class="f">{_safe(factor or "")}</td>'

    def _number(self, value: float) -> str:
        return f'<td class="n">{number(value, self.places)}</td>'

    def _difference(self, row: Row) -> str:
        if len(self.labels) < 2:
            return ""
        value = row.difference
        share = 1.0 if math.isinf(value) else abs(value) / self.largest
        side = "for" if value > 0 else "against"
        bar = f'<i class="{side}" style="width:{50 * share:.1f}%"></i>' if value else ""
        return f'<td class="n">{signed(value, self.places)}</td><td class="bar"><div>{bar}</div></td>'

    def _sums(self) -> str:
        numbers = "".join(f"<td></td>{self._number(score)}" for score in self.scores)
        last = ""
        if len(self.labels) > 1:
            shown = "" if self.scores[0] == -math.inf else signed(difference(self.scores), self.places)
            last = f'<td class="n">{shown}</td><td></td>'
        return f'<tr><th scope="row">log score</th><td></td>{numbers}{last}</tr>'


def _labels(explanation: Explanation) -> str:
    """Every label with its score and probability, likeliest first."""
    digits = places(rows(explanation, MOST_TERMS))
    lines = [
        f'<tr><th scope="row">{_named(label)}</th><td class="n">{number(explanation.log_scores[label], digits)}</td>'
        f'<td class="n">{_safe(chance(explanation, label))}</td></tr>'
        for label in explanation.labels[:MOST_LABELS]
    ]
    rest = explanation.labels[MOST_LABELS:]
    if rest:
        total = sum(explanation.verdict.probabilities[label] for label in rest)
        lines.append(f'<tr><th scope="row">{len(rest)} more labels</th><td></td><td class="n">{total:.4f}</td></tr>')
    heading = '<tr><th>label</th><th class="n">log score</th><th class="n">probability</th></tr>'
    return "\n".join(["<table>", f"<thead>{heading}</thead>", "<tbody>", *lines, "</tbody>", "</table>"])

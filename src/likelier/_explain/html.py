"""An explanation as a piece of HTML that needs nothing from outside.

The document stands first, coloured by what its words and values say for the winner against the runner-up; then the
table, with bars in the same colours; then all labels.
"""

from __future__ import annotations

import math

from likelier._explain.explanation import Explanation, Factor
from likelier._explain.html_document import MOST_TERMS, document
from likelier._explain.html_style import STYLE
from likelier._explain.table import (
    Row,
    chance,
    compared,
    decision,
    difference,
    has_times,
    number,
    odds,
    often,
    places,
    rows,
    signed,
    weighed,
)
from likelier._show.html_words import named, safe

MOST_LABELS = 50


def render(explanation: Explanation) -> str:
    """A `<section>` with its own style: the text, the table and the sums."""
    reason = explanation.verdict.reason
    parts = [
        '<section class="likelier">',
        f"<style>{STYLE}</style>",
        f'<p class="verdict"><strong>{decision(explanation, named)}</strong></p>',
        f'<p class="note" dir="auto">{safe(reason)}</p>' if reason else "",
        document(explanation),
        _legend(explanation),
        _Table(explanation).html(),
        _labels(explanation),
        *(f'<p class="note">{note}</p>' for note in _notes(explanation)),
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


_COMPLEMENT = "Complement: the fractions are P(t|not c), so the smaller one speaks for its label."
_DENSITY = "N(x; mean, variance) is the density of a normal distribution, which is no probability."


def _notes(explanation: Explanation) -> list[str]:
    densities = any(
        factor.is_density for item in explanation.items if item.kind == "value" for factor in item.factors.values()
    )
    return [
        odds(explanation, named),
        *([_DENSITY] if densities else []),
        *([_COMPLEMENT] if "complement" in explanation.events.values() else []),
        *map(safe, weighed(explanation)),
    ]


def _legend(explanation: Explanation) -> str:
    labels = compared(explanation)
    if len(labels) < 2:
        return ""
    signs = [("for", labels[0]), ("against", labels[1])]
    shown = [f'<span class="{kind}" style="--w:.6">for {named(label)}</span>' for kind, label in signs]
    if explanation.verdict.unknown_share:
        shown.append('<span class="unknown">unknown</span>')
    return f'<p class="note">{" ".join(shown)}</p>'


# ---- the table ---------------------------------------------------------------------------------------------------


class _Table:
    def __init__(self, explanation: Explanation) -> None:
        self.labels = compared(explanation)
        self.rows = [row for row in rows(explanation, MOST_TERMS) if row.kind != "missing"]  # named above
        self.has_times = has_times(explanation, self.rows)
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
        names = "".join(f'<th colspan="2">{named(label)}</th>' for label in self.labels)
        last = '<th colspan="2">difference</th>' if len(self.labels) > 1 else ""
        return f"<tr><th>item</th>{self._times('times', 'th')}{names}{last}</tr>"

    def _times(self, shown: object, tag: str = "td") -> str:
        return f'<{tag} class="n">{shown}</{tag}>' if self.has_times else ""

    def _line(self, row: Row) -> str:
        times = often(row.times)
        factors: list[Factor | None] = list(row.factors) or [None] * len(self.labels)
        pairs = zip(factors, row.contributions, strict=True)
        numbers = "".join(self._fraction(factor) + self._number(value) for factor, value in pairs)
        cells = f'<th scope="row"><bdi>{safe(row.name)}</bdi></th>{self._times(times)}{numbers}'
        return f'<tr class="{row.kind}">{cells}{self._difference(row)}</tr>'

    def _fraction(self, factor: Factor | None) -> str:
        return f'<td class="f">{safe(factor or "")}</td>'

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
        return f'<tr><th scope="row">log score</th>{self._times("")}{numbers}{last}</tr>'


def _labels(explanation: Explanation) -> str:
    """Every label with its score and probability, likeliest first."""
    digits = places(rows(explanation, MOST_TERMS))
    lines = [
        f'<tr><th scope="row">{named(label)}</th><td class="n">{number(explanation.log_scores[label], digits)}</td>'
        f'<td class="n">{safe(chance(explanation, label))}</td></tr>'
        for label in explanation.labels[:MOST_LABELS]
    ]
    rest = explanation.labels[MOST_LABELS:]
    if rest:
        total = sum(explanation.verdict.probabilities[label] for label in rest)
        lines.append(f'<tr><th scope="row">{len(rest)} more labels</th><td></td><td class="n">{total:.4f}</td></tr>')
    heading = '<tr><th>label</th><th class="n">log score</th><th class="n">probability</th></tr>'
    return "\n".join(["<table>", f"<thead>{heading}</thead>", "<tbody>", *lines, "</tbody>", "</table>"])

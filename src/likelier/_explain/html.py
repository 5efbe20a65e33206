"""An explanation as a piece of HTML that needs nothing from outside.

The verdict and its reasons stand first; then the document, colored by what its words and values say for the winner
against the label it is compared with; then the table, with bars in the same colors; then all labels.

A term's difference is shared out evenly among its occurrences; where terms overlap (n-grams, pieces of words), a
stretch of the text has the sum of what covers it. Color is never the only sign: what speaks for the winner has a solid
underline, what speaks against it a wavy one, what is unknown a dotted one.

Of a document with columns, each text has the name of its column above it, the other values follow in boxes, then the
names of what is missing. All of it has the same scale of colors.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from likelier._documents.labels import Label
from likelier._explain.explanation import Explanation, Item
from likelier._explain.sentences import SOFTMAX, calibrated, decision, more_labels, notes, odds, reasons
from likelier._explain.table import Items, difference, labels_table, often, rows
from likelier._show.html_words import LONGEST_NAME, SECTION_STYLE, apart, cut, named, safe
from likelier._show.words import log_score, signed

MOST_TERMS, MOST_LABELS, MOST_IN_TITLE = 50, 50, 8
_DENSITY = "N(x; mean, variance) is the density of a normal distribution, which is no probability"


def render(explanation: Explanation, *, full: bool = False) -> str:
    """A `<section>` with its own style: the sentences, the text, the table and the sums."""
    shown = rows(explanation, MOST_TERMS, full=full)
    # what is missing is named with the document
    items = Items(explanation, [row for row in shown if row.kind != "missing"], full=full)
    reason = explanation.verdict.reason
    densities = any(factor.is_density for row in shown for factor in row.factors)
    said = [safe(calibrated(explanation, items.places)), odds(explanation, named, items.places)]
    remarks = [*([_DENSITY] if densities else []), *(notes(explanation) if full else [])]
    below = [*more_labels(explanation, MOST_LABELS), *([SOFTMAX] if len(explanation.labels) > 1 else [])]
    parts = [
        '<section class="likelier">',
        f"<style>{SECTION_STYLE}</style>",
        f'<p class="verdict"><strong>{decision(explanation, named)}</strong></p>',
        f'<p class="note" dir="auto">{safe(reason)}</p>' if reason else "",
        *(f"<p>{line}</p>" for line in reasons(explanation, named, _quoted)),
        _document(explanation, items.places),
        _legend(explanation),
        f'<div class="wide">{items.table(str if items.full else None, bar=1).to_html(name="items")}</div>',
        *(f'<p class="note">{note}</p>' for note in (*said, *map(safe, remarks)) if note),
        f'<div class="wide">{labels_table(explanation, items.places, MOST_LABELS).to_html()}</div>',
        *(f'<p class="note">{safe(note)}</p>' for note in below),
        "</section>",
    ]
    return "\n".join(part for part in parts if part)


def _quoted(term: str) -> str:
    return f"<q>{apart(term, LONGEST_NAME)}</q>"


def _legend(explanation: Explanation) -> str:
    labels = explanation.compared
    if len(labels) < 2:
        return ""
    signs = [("for", labels[0]), ("against", labels[1])]
    shown = [f'<span class="{kind}" style="--w:.6">for {named(label)}</span>' for kind, label in signs]
    if explanation.verdict.unknown_share:
        shown.append('<span class="unknown">unknown</span>')
    return f'<p class="note">{" ".join(shown)}</p>'


# ---- the document ------------------------------------------------------------------------------------------------


def _document(explanation: Explanation, digits: int) -> str:
    """The text, or every column."""
    texts = {column: list(_stretches(explanation, column, digits)) for column in explanation.texts}
    values = dict(_values(explanation, digits))
    largest = _largest([*(part for parts in texts.values() for part in parts), *values.values()])
    lines = []
    for column, parts in texts.items():
        lines += [] if explanation.is_plain else [f'<p class="column"><bdi>{safe(column)}</bdi></p>']
        lines.append(f'<p class="text" dir="auto">{"".join(_marked(part, largest) for part in parts)}</p>')
    boxes = "\n".join(_box(column, value, largest) for column, value in values.items())
    lines += [f'<p class="values">{boxes}</p>'] if boxes else []
    missing = [f"<bdi>{safe(column)}</bdi>" for column, value in explanation.document.items() if value is None]
    return "\n".join([*lines, f'<p class="note">missing: {", ".join(missing)}</p>'] if missing else lines)


@dataclass(frozen=True, slots=True)
class _Share:
    """What one occurrence of a term adds, or a value, for the winner and the runner-up."""

    pair: tuple[float, ...]
    is_known: bool
    title: str


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of the text that the same terms cover, or a value."""

    text: str
    shares: list[_Share]

    @property
    def difference(self) -> float:
        """The winner's sum minus the runner-up's: summed apart, because infinities of both signs have no sum."""
        return difference([math.fsum(column) for column in zip(*(share.pair for share in self.shares), strict=True)])


def _largest(stretches: Iterable[_Stretch]) -> float:
    sizes = [abs(stretch.difference) for stretch in stretches if math.isfinite(stretch.difference)]
    return max(sizes, default=0.0) or 1.0


def _marked(stretch: _Stretch, largest: float) -> str:
    is_known = any(share.is_known for share in stretch.shares)
    if not is_known and (not stretch.shares or stretch.text.isspace()):  # the space in a pair of words
        return safe(stretch.text)
    value = stretch.difference
    kinds = ["for" if value > 0 else "against" if value < 0 else "", "" if is_known else "unknown"]
    strength = 1.0 if math.isinf(value) else abs(value) / largest
    style = f' style="--w:{strength:.2f}"' if value else ""
    return (
        f'<span class="{" ".join(filter(None, kinds))}"{style} title="{_titles(stretch)}">{safe(stretch.text)}</span>'
    )


def _titles(stretch: _Stretch) -> str:
    titles = list(dict.fromkeys(share.title for share in stretch.shares))
    more = [f"and {len(titles) - MOST_IN_TITLE} more"] if len(titles) > MOST_IN_TITLE else []
    return "&#10;".join(map(safe, [*titles[:MOST_IN_TITLE], *more]))


def _title(name: str, item: Item, labels: list[Label], digits: int) -> str:
    parts = [f"{cut(str(label), LONGEST_NAME)} {log_score(item.contributions[label], digits)}" for label in labels]
    if len(labels) > 1:
        parts.append(f"difference {signed(item.difference(*labels), digits)}")
    return f"{name}: {', '.join(parts)}"


# ---- a text ------------------------------------------------------------------------------------------------------


def _stretches(explanation: Explanation, column: str, digits: int) -> Iterator[_Stretch]:
    """The text cut wherever a term starts or ends."""
    text, spans = explanation.texts[column]
    shares = _shares(explanation, column, digits)
    starting: dict[int, list[tuple[int, _Share]]] = {}
    for term, start, end in spans:
        starting.setdefault(start, []).append((end, shares[term]))
    edges = {0, len(text), *starting, *(end for _, _, end in spans)}
    covering: list[tuple[int, _Share]] = []
    for start, end in pairwise(sorted(edges)):
        covering = [(last, share) for last, share in covering if last > start] + starting.get(start, [])
        yield _Stretch(text[start:end], [share for _, share in covering])


def _shares(explanation: Explanation, column: str, digits: int) -> dict[str, _Share]:
    """Term → what one of its occurrences adds."""
    labels = explanation.compared
    occurrences = Counter(term for term, _, _ in explanation.texts[column][1])
    own = [item for item in explanation.items if item.column == (None if explanation.is_plain else column)]
    items = {item.name: item for item in own if item.kind == "term"}
    unknown = next((item for item in own if item.kind == "unknown"), None)
    strangers = sum(times for term, times in occurrences.items() if term not in items)

    def share(term: str) -> _Share:
        item, among = (items[term], occurrences[term]) if term in items else (unknown, strangers)
        pair = tuple(item.contributions[label] / among if item else 0.0 for label in labels)
        if item is None or item is unknown:
            return _Share(pair, False, f"{term}: unknown")
        return _Share(pair, True, _title(f"{term} ({often(item.times)}×)", item, labels, digits))

    return {term: share(term) for term in occurrences}


# ---- the other columns -------------------------------------------------------------------------------------------


def _values(explanation: Explanation, digits: int) -> Iterator[tuple[str, _Stretch]]:
    """Column → its value and what that adds."""
    labels = explanation.compared
    for item in explanation.items:
        if item.column is None or item.column in explanation.texts:
            continue
        pair = tuple(item.contributions[label] for label in labels)
        is_known = item.kind == "value"
        title = _title(item.name, item, labels, digits) if is_known else f"{item.name}: unknown"
        yield item.column, _Stretch(_shown(explanation, item), [_Share(pair, is_known, title)])


def _shown(explanation: Explanation, item: Item) -> str:
    """The value; a number also with its interval."""
    assert item.column is not None
    value, name = explanation.document[item.column], item.name.removeprefix(f"{item.column} ")
    written = f"{value:.12g}" if isinstance(value, float) else str(value)
    return written if written == name else f"{written} ({name})"


def _box(column: str, value: _Stretch, largest: float) -> str:
    name = f'<span class="column"><bdi>{safe(column)}</bdi></span>'
    return f'<span class="box">{name} <bdi>{_marked(value, largest)}</bdi></span>'

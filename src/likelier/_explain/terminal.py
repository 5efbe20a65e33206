"""An explanation for the terminal.

Where space is short, fractions are written shorter and then left out; terms are cut, numbers never.
"""

from __future__ import annotations

from likelier._documents.labels import Label
from likelier._explain.explanation import Explanation, Factor
from likelier._explain.sentences import SOFTMAX, calibrated, decision, more_labels, notes, odds, reasons
from likelier._explain.table import Form, Items, labels_table, rows
from likelier._show.cells import clean, cut, paint, wrap
from likelier._show.cells import width as cells
from likelier._show.layout import Layout

MOST_TERMS, MOST_LABELS = 20, 20
BAR = (7, 25)  # fewest and most cells, the middle line included
NAME = 14  # cells; shorter names are not cut
VALUE = 24  # nor the names of values
WHOLE = ("prior", "absent")  # never cut: they have numbers
LABEL = 40  # most cells of a label in a sentence

_WORKED_DENSITY = "N(x; mean, variance) is the density of a normal distribution"
_DENSITY = "decimals are densities of normal distributions"


def render(explanation: Explanation, *, color: bool = False, width: int = 80, full: bool = False) -> str:
    """The sentences and the tables.

    width: of the terminal, in characters. Lines are not longer, unless the numbers alone need more.
    full: with fractions and each label's logarithms, and what they mean
    """
    items = Items(explanation, rows(explanation, MOST_TERMS, full=full), full=full)
    form, layout = _fitted(items, width)
    said = [calibrated(explanation, items.places), odds(explanation, _named, items.places)]
    remarks = [*_cut_off(items, layout), *_densities(items, form), *(notes(explanation) if full else [])]
    lines = [
        *(paint(line, "strong", color) for line in wrap(decision(explanation, _named), width)),
        *wrap(clean(explanation.verdict.reason or ""), width),
        *(line for each in reasons(explanation, _named, _quoted) for line in wrap(each, width)),
        "",
        *layout.lines(color),
        *(line for each in [*said, *remarks] for line in wrap(each, width)),
        "",
        *labels_table(explanation, items.places, MOST_LABELS).lines(width, color),
        *more_labels(explanation, MOST_LABELS),
        *wrap(SOFTMAX if len(explanation.labels) > 1 else "", width),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _named(label: Label) -> str:
    return cut(clean(str(label)), LABEL)


def _quoted(term: str) -> str:
    return f'"{cut(clean(term), LABEL)}"'


def _compact(worked: str) -> str:
    """`(6+1)/(15+7) = 7/22`."""
    return " = ".join(side.replace(" ", "") for side in worked.split(" = "))


def _worked(factor: Factor) -> str:
    return _compact(str(factor.formula))


# From long to short, of fractions and of densities; the first that fits is taken.
_FORMS: list[Form] = [
    str,
    lambda factor: _compact(str(factor)),
    _worked,
    lambda factor: factor.shown if factor.is_density else _worked(factor),
    lambda factor: factor.shown,
]


def _fitted(items: Items, width: int) -> tuple[Form | None, Layout]:
    """The table with the longest form that fits; the bar takes what is left of the line."""
    least = _shortest_name(items)
    forms = (*_FORMS, None) if items.full else (None,)
    for form, bar in [*((form, BAR[0]) for form in forms), (None, 0)]:
        layout = Layout(items.table(form, bar, least), width)
        if layout.total <= width:
            break
    bar = min(bar + max(width - layout.total, 0), BAR[1]) if bar else 0
    bar -= 1 - bar % 2 if bar else 0  # the middle line and two equal sides
    return form, Layout(items.table(form, bar, least), width)


def _shortest_name(items: Items) -> int:
    """Terms may be cut to this; the number of absent terms and short values may not."""
    sizes = [(row.kind, cells(clean(row.name))) for row in items.rows]
    values = (min(size, VALUE) for kind, size in sizes if kind == "value")
    return max(NAME, *values, *(size for kind, size in sizes if kind in WHOLE), 0)


def _cut_off(items: Items, layout: Layout) -> list[str]:
    """What is unknown or missing, where it has no room in the table."""
    silent = [row for row in items.rows if row.kind in ("missing", "unknown")]
    return [clean(row.name[1:-1]) for row in silent if cells(clean(row.name)) > layout.sizes[0]]


def _densities(items: Items, form: Form | None) -> list[str]:
    densities = [factor for row in items.rows for factor in row.factors if factor.is_density]
    if form is None or not densities:
        return []
    return [_WORKED_DENSITY if form(densities[0]).startswith("N(") else _DENSITY]

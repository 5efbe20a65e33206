"""Figures as a report for a terminal of 80 columns.

At most 20 labels have a row, those with the most documents; the rest have one together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likelier._documents.labels import Label
from likelier._evaluate.figures.per_label import Rates
from likelier._evaluate.figures.plain import largest
from likelier._show.cells import clean, cut
from likelier._show.layout import GAP
from likelier._show.table import Table
from likelier._show.words import percent as percent

if TYPE_CHECKING:
    from likelier._evaluate.figures.figures import Figures

WIDTH = 80
NAME = 26  # most cells of a label
ROWS = 20
MISTAKES = 5
Row = tuple[str, ...]


def rendered(figures: Figures) -> str:
    """The whole report."""
    blocks = [_summary(figures), _labels(figures), _mistakes(figures)]
    return "\n\n".join("\n".join(block) for block in blocks if block)


# ---- all documents -----------------------------------------------------------------------------------------------


def _summary(figures: Figures) -> list[str]:
    rows = [*_accuracy(figures), *_without(figures), *_always(figures), *_probabilities(figures)]
    return [f"{name:<18}{figure:>8}{GAP}{rest}".rstrip() for name, figure, rest in rows]


def _accuracy(figures: Figures) -> list[Row]:
    found = figures.accuracy
    low, high = found.interval
    interval = f"{percent(low)} to {percent(high)} with {found.level * 100:g} % certainty"
    right = f"{number(found.right)} of {number(found.documents)} right"
    if figures.weights is None:
        return [("accuracy", percent(found.share), right), ("", "", interval)]
    how = f"as if by {counted(found.effective, 'document')} of equal weight"
    return [("accuracy", percent(found.share), f"{right}, by weight"), ("", "", interval), ("", "", how)]


def _without(figures: Figures) -> list[Row]:
    found = figures.accuracy
    rows: list[Row] = []
    if found.without_label:
        rows.append(
            ("no label", percent(found.without_label), counted(found.without_label * found.documents, "document"))
        )
    if found.unknown:
        rows.append(("unknown label", percent(found.unknown), "have a label that the model does not have"))
    return rows


def _always(figures: Figures) -> list[Row]:
    """What a program reaches that always gives the most frequent label."""
    support = figures.per_label.support
    column = int(support.argmax())
    share = float(support[column]) / figures.accuracy.documents
    return [("most frequent", percent(share), f"always {clean(name(figures.labels[column]))}")] if share else []


def _probabilities(figures: Figures) -> list[Row]:
    loss, found = figures.log_loss, figures.reliability
    gap = found.confidence - found.accuracy
    words = "too sure" if gap > 0 else "too unsure"
    said = f"said {percent(found.confidence)}, was right in {percent(found.accuracy)}"
    impossible = f"{counted(loss.impossible, 'document')} with a true label of probability 0" if loss.impossible else ""
    return [
        ("log loss", f"{loss.loss:.4f}", impossible),
        ("Brier score", f"{figures.brier:.4f}", "0 is the best, 2 the worst"),
        ("calibration error", percent(found.expected_error), f"{said}{f': {words}' if abs(gap) >= 0.005 else ''}"),
    ]


# ---- labels ------------------------------------------------------------------------------------------------------

HEADING = ("label", "documents", "decided", "precision", "recall", "F1", "ROC area")


def _labels(figures: Figures) -> list[str]:
    found = figures.per_label
    shown = largest(figures, ROWS if len(figures.labels) > ROWS + 1 else ROWS + 1)
    rows = [_row(figures, column) for column in shown]
    rest = sorted(set(range(len(figures.labels))) - set(shown))
    if rest:
        counts = (number(float(found.support[rest].sum())), number(float(found.decided[rest].sum())))
        rows.append((f"{len(rest):,} more, together", *counts, *_rates(found.rates(rest)), ""))
    averages = {"mean over labels": found.macro(), "mean by documents": found.weighted(), "all together": found.micro()}
    rows += [(name, "", "", *_rates(rates), "") for name, rates in averages.items() if len(figures.labels) > 1]
    return Table(HEADING, rows, range(1, len(HEADING)), flexible=0).lines(WIDTH)


def _row(figures: Figures, column: int) -> Row:
    one = figures.per_label.one(column)
    rates = _rates(Rates(one.precision, one.recall, one.f))
    return name(one.label), number(one.support), number(one.decided), *rates, _rate(figures.area(one.label))


def _rates(rates: Rates) -> Row:
    return tuple(map(_rate, rates))


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


# ---- mistakes ----------------------------------------------------------------------------------------------------


def _mistakes(figures: Figures) -> list[str]:
    """The most frequent ones, where there are several kinds."""
    cells = figures.confusion.mistakes()
    if not cells:
        return []
    rows = [
        (number(cell.documents), name(cell.truth, "unknown label"), f"taken for {name(cell.decided, 'no label')}")
        for cell in cells[:MISTAKES]
    ]
    lines = Table((), rows, {0}).lines()
    more = len(cells) - MISTAKES
    return ["most frequent mistakes", *lines, *([f"and {more:,} more kinds of mistakes"] if more > 0 else [])]


# ---- words -------------------------------------------------------------------------------------------------------


def name(label: Label | None, none: str = "") -> str:
    """A label in the cells of the report."""
    return f"({none})" if label is None else cut(str(label), NAME)


def number(documents: float) -> str:
    """A number of documents.

    >>> number(27301.0), number(0.5), number(1234.5678)
    ('27,301', '0.5', '1,234.6')
    """
    rounded = round(documents, 6)  # sums of shares
    return f"{int(rounded):,}" if float(rounded).is_integer() else f"{rounded:,.1f}"


def counted(number_of: float, what: str) -> str:
    """So many of something.

    >>> counted(1.0, "document"), counted(0.5, "document")
    ('1 document', '0.5 documents')
    """
    return f"{number(number_of)} {what}{'' if number_of == 1 else 's'}"

"""Which label is taken for which: a grid where there are few labels, the most frequent mistakes if there are many."""

from __future__ import annotations

import numpy as np

from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.figures.judged import Floats
from likelier._evaluate.report.tables import framed, note, section
from likelier._evaluate.report.words import counted, number, percent
from likelier._show.html_words import named
from likelier._show.table import Cell

FEW = 12  # labels, up to which there is a grid
MOST_ROWS = 100
UNKNOWN = "label the model never learnt"


def confusion(figures: Figures) -> str:
    """The part of the page."""
    few = len(figures.labels) <= FEW
    parts = _grid(figures) if few else _largest(figures)
    return section("confusion", "Which label is taken for which", *parts)


def _grid(figures: Figures) -> list[str]:
    matrix = figures.confusion.matrix
    names = [named(label) for label in figures.labels]
    rows = [*names, f"<em>{UNKNOWN}</em>"][: len(names) + bool(matrix[-1].any())]
    columns = [*names, "<em>no label</em>"][: len(names) + bool(matrix[:, -1].any())]
    lines = [_line(name, matrix[place, : len(columns)], place) for place, name in enumerate(rows)]
    table = framed(
        "A row for each true label, a column for each label that was given",
        ["has ↓ &nbsp; is given →", *columns, "all"],
        lines,
        numbers=range(1, len(columns) + 2),
        name="grid",
    )
    return [
        note("Blue: right. Orange: mistakes. The stronger the colour, the larger the share of the row."),
        table,
    ]


def _line(name: str, documents: Floats, truth: int) -> list[str | Cell]:
    total = float(documents.sum())
    cells = [_cell(float(each), total, place == truth) for place, each in enumerate(documents.tolist())]
    return [name, *cells, number(total)]


def _cell(documents: float, total: float, right: bool) -> Cell:
    if not documents:
        return Cell("0")
    share = documents / total
    kind = "for" if right else "against"
    strength = share if right else max(share, 0.06)  # a single mistake is seen too
    shown = f"{number(documents)}<small>{percent(share)}</small>"
    return Cell("", html=shown, attributes=f'class="n {kind}" style="--w:{strength:.2f}"')


def _largest(figures: Figures) -> list[str]:
    cells = figures.confusion.mistakes(MOST_ROWS)
    kinds = int(
        np.count_nonzero((figures.confusion.truth != figures.confusion.decided) | (figures.confusion.truth < 0))
    )
    if not cells:
        return ["<p>No document was given a wrong label.</p>"]
    support = dict(zip(figures.labels, figures.per_label.support.tolist(), strict=True))
    rows = []
    for cell in cells:
        share = percent(cell.documents / support[cell.truth]) if cell.truth is not None else ""
        rows.append([named(cell.truth, UNKNOWN), named(cell.decided), number(cell.documents), share])
    table = framed(
        "The most frequent mistakes",
        ["has the label", "is given", "documents", "share"],
        rows,
        numbers={2, 3},
        name="pairs",
    )
    which = (
        f"the {len(cells)} most frequent of {kinds:,} kinds of mistakes"
        if kinds > len(cells)
        else "all kinds of mistakes"
    )
    return [note(f"{counted(len(figures.labels), 'label')}; here are {which}."), table]

"""The confusion matrix: how many documents of each true label were given each label, or none.

Only the cells that are not empty are kept, so a thousand labels take no more room than their mistakes. As a matrix it
has a last column for documents without a label, and a last row for documents whose true label the labels lack.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from likelier._documents.labels import Label
from likelier._evaluate.figures.judged import Columns, Floats, each_weight, summed


class Cell(NamedTuple):
    """Documents of one true label that were given one label; None: a label that is not known, or no label."""

    truth: Label | None
    decided: Label | None
    documents: float


@dataclass(frozen=True, eq=False)
class Confusion:
    """The cells that are not empty, row by row.

    truth, decided  (cells,)  columns, -1 for unknown and none
    documents       (cells,)  by weight
    """

    labels: tuple[Label, ...]
    truth: Columns
    decided: Columns
    documents: Floats

    @property
    def matrix(self) -> Floats:  # (labels + 1, labels + 1)
        """All cells; the last column is "no label", the last row "a label that is not known"."""
        matrix = np.zeros((len(self.labels) + 1, len(self.labels) + 1))
        matrix[self.truth, self.decided] = self.documents  # -1 is the last
        return matrix

    def cells(self, k: int | None = None) -> list[Cell]:
        """The cells with the most documents, all unless `k` says how many; of equal ones the first row first."""
        return self._named(np.argsort(-self.documents, kind="stable")[:k])

    def mistakes(self, k: int | None = None) -> list[Cell]:
        """The same without the right ones."""
        wrong = np.flatnonzero((self.truth != self.decided) | (self.truth < 0))
        return self._named(wrong[np.argsort(-self.documents[wrong], kind="stable")[:k]])

    def _named(self, places: Columns) -> list[Cell]:
        named: list[Label | None] = [*self.labels, None]  # -1 is the last
        columns = (self.truth[places].tolist(), self.decided[places].tolist(), self.documents[places].tolist())
        return [Cell(named[truth], named[decided], number) for truth, decided, number in zip(*columns, strict=True)]


def confusion(
    truth: Columns, decided: Columns, labels: tuple[Label, ...], *, weights: Floats | None = None
) -> Confusion:
    """How often each label was taken for each.

    >>> found = confusion(np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 1, -1]), ("ham", "spam"))
    >>> found.matrix.tolist()
    [[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 0.0]]
    >>> found.mistakes()
    [Cell(truth='ham', decided='spam', documents=1.0), Cell(truth='spam', decided=None, documents=1.0)]
    """
    each = each_weight(weights, len(truth))
    size = len(labels) + 1
    # -1 becomes the last, as in the matrix
    found, which = np.unique((truth % size) * size + decided % size, return_inverse=True)
    documents = summed(which, each, len(found))
    found, documents = found[documents > 0], documents[documents > 0]
    rows, columns = found // size, found % size
    return Confusion(
        labels,
        np.where(rows == size - 1, -1, rows).astype(np.intp),
        np.where(columns == size - 1, -1, columns).astype(np.intp),
        documents,
    )

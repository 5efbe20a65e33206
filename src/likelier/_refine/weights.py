"""The refined weights of a text column: a linear support vector machine for each label against the rest.

    margin(c) = bias(c) + sum of f(t) w(t,c) / |d| over the distinct terms t of the document
    f(t) = ln(1 + tf(t)),  |d|² = sum of f(t) s(t)²

The scale s(t) is higher, the rarer a term is and the more it says of the labels:

    s(t) = sqrt(idf(t)) (1/2 + sqrt(sum of P(c) r(t,c)²)),  r(t,c) = ln P(t|c) - ln P(t|not c)

Of two labels one machine tells both apart: its margin is that of the second label, and minus that of the first. The
kernel fits them, `rust/src/refine` (Wang & Manning 2012, Baselines and bigrams; Hsieh et al. 2008, A dual coordinate
descent method for large-scale linear SVM).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._documents.values import Texts
from likelier._kernel import Table, find_all, weigh
from likelier._text.analyzer import Analyzer
from likelier._text.texts import Texts as TextData
from likelier._text.texts import surrogate_error

Weights = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Machines:
    """The machines of one text column under one analyzer.

    column    its name
    factor    of the margins
    analyzer  how its texts become terms
    names     the terms, each once
    scales    (terms,)
    weights   (terms, machines)
    biases    (machines,)
    """

    column: str
    factor: float
    analyzer: Analyzer
    names: Sequence[str]
    scales: Weights
    weights: Weights
    biases: Floats

    @property
    def count(self) -> int:
        """How many there are: one for each label, or one for two labels."""
        return len(self.biases)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_table"}  # which is made again

    @cached_property
    def _table(self) -> tuple[Table, Floats, NDArray[np.uint8]]:
        """The vocabulary; by id the weights, and last s² (ids, machines + 1); which ids have some."""
        table, ones = Table(), [1] * len(self.names)
        table.put(list(self.names), 0, ones, ones)
        ids = find_all(table, list(self.names))
        rows, kept = np.zeros((table.ids(), self.count + 1)), np.zeros(table.ids(), dtype=np.uint8)
        rows[ids, :-1], rows[ids, -1], kept[ids] = self.weights, self.scales.astype(np.float64) ** 2, 1
        return table, rows, kept

    def margins(self, texts: TextData, threads: int) -> Floats:  # (texts, labels)
        """How far each text is on the side of each label."""
        table, rows, kept = self._table
        start = np.zeros((1, self.count + 1))
        try:
            sums = table.score(texts, self.analyzer.analysis, rows, kept, start, "log", threads)[0]
        except UnicodeEncodeError:
            raise surrogate_error(texts) from None  # type: ignore[arg-type]  # columns are valid Unicode
        lengths = np.sqrt(sums[:, -1:])
        lengths[lengths == 0] = 1.0
        return of_labels(sums[:, :-1] / lengths + self.biases)

    def of_values(self, values: Texts, threads: int) -> Floats:  # (documents, labels)
        """The same for the values of a column; one that is missing says nothing."""
        found = self.margins(values.texts, threads)
        found[values.missing] = 0.0
        return found

    def shares(self, names: Sequence[str], times: Sequence[int]) -> Floats:  # (names, labels)
        """What each of the distinct terms of one text adds to its margins, without the biases."""
        table, rows, kept = self._table
        each = map(table.find, names)
        ids = np.array([-1 if place is None else place for place in each], dtype=np.intp)
        known = (ids >= 0) & (kept[ids] > 0)
        factors = weigh(np.array(times, dtype=np.uint32), "log")
        found = np.where(known[:, np.newaxis], rows[ids], 0.0) * factors[:, np.newaxis]
        length = np.sqrt(found[:, -1].sum())
        return of_labels(found[:, :-1] / (length if length else 1.0))


def of_labels(margins: Floats) -> Floats:  # (..., machines) -> (..., labels)
    """One machine stands for two labels."""
    return np.concatenate([-margins, margins], axis=-1) if margins.shape[-1] == 1 else margins

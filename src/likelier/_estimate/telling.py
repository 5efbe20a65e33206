"""How well terms tell a label from the others: the log-likelihood ratio G² of their counts (Dunning 1993).

    G²(t,c) = 2 (a log(a / E(a)) + b log(b / E(b)))

a = count(t,c), b = the count under all other labels; E: what they would be if the term were as frequent under the label
as elsewhere, E(a) = n (a + b) / (n + m) and E(b) = m (a + b) / (n + m), with n and m the sums of a and b over V.

Only a term that the label has can tell it from others. So the counts that are not 0 are sorted by label once, and each
label costs what it has of them, not a pass over the vocabulary. Sums are rounded once: they do not depend on the order
of the terms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._kernel import rounded_sums

if TYPE_CHECKING:
    from likelier._estimate.view_vocabulary import Ids, Reading

Places = NDArray[np.intp]
FEW_LABELS = 1 << 16  # up to which NumPy sorts by label in one pass


class Telling:
    """What the terms of one reading tell about its labels."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        found = reading.snapshot.postings(reading.kept_ids, reading.statistic)
        labels = len(reading.snapshot.labels)
        sortable = found.columns.astype(np.uint16) if labels <= FEW_LABELS else found.columns
        order = np.argsort(sortable, kind="stable")
        self._places = found.rows[order].astype(np.uint32)  # among the kept terms
        self._units = found.numbers[order]
        self._ends = np.cumsum(np.bincount(found.columns, minlength=labels))

    def best(self, column: int, k: int) -> tuple[Ids, Floats]:  # (terms,), (terms,)
        """At least the k most telling terms of a label, in no order, and their G²."""
        places, inside = self._of_label(column)
        telling = self._g_squared(places, inside)
        least = np.partition(telling, -k)[-k] if 0 < k < len(telling) else 0
        chosen = (telling >= least) & (telling > 0)
        return self._reading.kept_ids[places[chosen]], telling[chosen]

    def _of_label(self, column: int) -> tuple[Ids, Floats]:
        """The terms that the label has, and their counts, times idf if there is one."""
        label = slice(self._ends[column - 1] if column else 0, self._ends[column])
        places, counts = self._places[label], self._units[label] / self._reading.unit
        return places, counts if self._idf is None else counts * self._idf[places]

    @cached_property
    def _idf(self) -> Floats | None:  # (kept,)
        idf = self._reading.idf
        return None if idf is None else idf.of(self._reading.kept_ids)

    @cached_property
    def _totals(self) -> Floats:  # (kept,)
        return self._reading.totals(self._reading.kept_ids)

    @cached_property
    def _total_parts(self) -> list[float]:
        """Few numbers whose sum is that of all totals, exactly: the rounded sum, then what rounding left out."""
        parts: list[float] = []
        while part := _sum(np.concatenate([self._totals, np.negative(parts)])):
            parts.append(part)
        return parts

    def _g_squared(self, places: Ids, inside: Floats) -> Floats:  # (terms,)
        """G² of terms, with a minus sign where they are rarer inside than outside."""
        totals = self._totals[places]
        outside = np.maximum(totals - inside, 0)
        n, m = _sum(inside), _sum(np.concatenate([self._total_parts, outside, -totals]))
        share = (inside + outside) / ((n + m) or 1)
        if not m:
            return inside
        surprise = _n_log(inside, n * share) + _n_log(outside, m * share)
        return np.where(inside * m >= outside * n, 2 * surprise, -2 * surprise)


def _sum(numbers: Floats) -> float:
    """The sum, rounded once."""
    one = np.zeros(len(numbers), dtype=np.uint32)
    return float(rounded_sums(numbers, one, np.ones(len(numbers), dtype=np.uint64), 1)[0])


def _n_log(seen: Floats, expected: Floats) -> Floats:
    """n log(n / expected); what does not occur adds 0."""
    there = seen > 0
    result = np.zeros_like(seen)
    result[there] = seen[there] * np.log(seen[there] / expected[there])
    return result

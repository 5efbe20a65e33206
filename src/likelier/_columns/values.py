"""A column of values: each is a text of one term, and some may be there without having been seen.

(n + m p) / (N + m) for a value that n of N documents have, or another smoothing of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.scores import Added, Part
from likelier._base.numbers import Floats
from likelier._counts.term_counts import TermCounts
from likelier._documents.labels import Label
from likelier._documents.values import Choices
from likelier._estimate.combinations import Unknown
from likelier._estimate.estimator import Estimator
from likelier._estimate.smoothing import MEstimate, Smoothing
from likelier._explain.build import Explained, item
from likelier._explain.explanation import Factor, Item, Power

Truths = NDArray[np.bool_]
MOST_VALUES = 10_000  # that are remembered


class ValuePart(Part):
    """A categorical, binary or bound column."""

    def __init__(
        self,
        name: str,
        counts: TermCounts,
        values: Sequence[str],
        *,
        smoothing: Smoothing,
        unknown: Unknown,
        least: float = 1,
        closed: bool = False,
    ) -> None:
        """values: those that there are, seen or not; a mapping for `p` names more.

        closed: there can be no others, so that nothing is unknown but what is too rare.
        """
        self.name, self.counts = name, counts
        self._remembered: dict[str, tuple[Floats, Truths]] = {}
        given = smoothing.p if isinstance(smoothing, MEstimate) and not isinstance(smoothing.p, str) else ()
        self.estimator = Estimator(
            counts,
            event="multinomial",
            smoothing=smoothing,
            unknown=unknown,
            least=least,
            normalize=False,
            declared=[*values, *given],
            closed=closed,
        )

    def choices(self, values: Any) -> Choices:
        """The values as they are counted."""
        found: Choices = values
        return found

    def add(self, values: Any, start: Floats, *, few: bool, threads: int) -> Added:
        """Each document's value; one that is missing adds nothing."""
        choices = self.choices(values)
        there = choices.which >= 0
        if len(there) == 1 and there[0]:
            weights, known = self.weights([choices.values[choices.which[0]]])
            return Added(start + weights, known.astype(np.uint32), (~known).astype(np.uint32))
        which = choices.which[there]
        asked = np.flatnonzero(np.bincount(which, minlength=1))
        place = np.zeros(len(choices.values) + 1, dtype=np.intp)
        place[asked] = np.arange(len(asked))
        weights, known = self.weights([choices.values[value] for value in asked.tolist()])
        sums, seen = start.copy(), there.astype(np.uint32)
        sums[there] += weights[place[which]]
        seen[there] = known[place[which]]
        return Added(sums, seen, there - seen)

    def weights(self, values: Sequence[str]) -> tuple[Floats, Truths]:  # (values, labels), (values,)
        """What each value adds, and whether it is known; that of single values is remembered."""
        if len(values) != 1:
            return self._weights(values)
        found = self._remembered.get(values[0])
        if found is None:
            if len(self._remembered) >= MOST_VALUES:
                self._remembered.clear()
            self._remembered[values[0]] = found = self._weights(values)
        return found

    def _weights(self, values: Sequence[str]) -> tuple[Floats, Truths]:
        weights = np.zeros((len(values), len(self.estimator.labels)))
        known = np.ones(len(values), dtype=bool)
        found = [(row, self.estimator.counts.find(value)) for row, value in enumerate(values)]
        seen = [(row, term_id) for row, term_id in found if term_id is not None]
        ids = np.array([term_id for _, term_id in seen], dtype=np.uint32)
        rows = np.array([row for row, _ in seen], dtype=np.intp)
        kept = self.estimator.reading.is_kept(ids)
        weights[rows[kept]] = self.estimator.weight(self.estimator.ratio_of(ids[kept]))
        for row in {*range(len(values))} - {*rows[kept].tolist()}:
            known[row] = self.estimator.knows(values[row])
            weights[row] = self._unseen(values[row]) if known[row] else self.estimator.unknown_weight()
        return weights, known

    def _unseen(self, value: str) -> Floats:  # (labels,)
        return np.asarray(self.estimator.weight(self.estimator.unseen_ratio(value))[0])

    def explained(self, values: Any, labels: tuple[Label, ...], *, plain: bool) -> Explained | None:
        """What the value of one document adds."""
        choices = self.choices(values)
        place = int(choices.which[0])
        if place < 0:
            return None
        read = choices.values[place] if choices is values else float(values.numbers[0])
        return _Value(self, choices.values[place], labels, read)


class _Value(Explained):
    """A value or an interval."""

    def __init__(self, part: ValuePart, value: str, labels: tuple[Label, ...], read: str | float) -> None:
        """read: the value itself, where it is the interval of a number."""
        self.part, self.value, self.labels, self.read = part, value, labels, read
        self.known = part.estimator.knows(value)
        self.exact = part.estimator.exact.holding([value] if self.known else [])
        self._term = value if self.known else None
        self._grown = int(not self.known and part.estimator.unknown == "grow")
        self._is_estimated = self.known or part.estimator.unknown not in ("ignore", "zero")

    def items(self) -> list[Item]:
        weights, _ = self.part.weights([self.value])
        factor = self._factor if self._is_estimated else None
        shown, name = f"{self.part.name} {self.value}", self.part.name
        return [item("value" if self.known else "unknown", shown, self.labels, weights[0], factor, column=name)]

    def _factor(self, place: int) -> Factor:
        exact, term, grown = self.exact, self._term, self._grown
        return Factor(exact.formula(term, place, grown), exact.likelihood(term, place, grown))

    def powers(self, place: int) -> list[Power]:
        if self._is_estimated:
            return [(self.exact.likelihood(self._term, place, self._grown), 1)]
        return [] if self.part.estimator.unknown == "ignore" else [(Fraction(0), 1)]

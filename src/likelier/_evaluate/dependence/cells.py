"""Two columns, value by value: how often they stand together, and what is decided if they are judged as one.

    observed      P(x,y|c)                 from plain frequencies
    independent   P(x|c) P(y|c)
    naive         P(c) P(x|c) P(y|c)       under the view: its prior and its smoothing
    joint         P(c) P(x,y|c)

All of it from documents in which neither is missing. Under smoothing the values of the pair are those that were seen
together, as in a model that has the two columns bound; of others the joint says what the view says of unknown values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.decisions import NONE
from likelier._answer.posterior import posterior
from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._counts.term_counts import Counts, Number
from likelier._documents.labels import Label
from likelier._estimate.parts import Estimates, ValuePart
from likelier._estimate.smoothing import Additive, MEstimate
from likelier._settings.values import Settings

Places = NDArray[np.intp]


@dataclass(frozen=True)
class Cell:
    """Two values together.

    documents     by weight, in which both stand
    naive_label   the decision from the two alone, each for itself; None: no label
    joint_label   the decision from the two as one
    """

    first: str
    second: str
    documents: Number
    observed: dict[Label, Fraction]
    independent: dict[Label, Fraction]
    naive: dict[Label, Fraction]
    joint: dict[Label, Fraction]
    naive_label: Label | None
    joint_label: Label | None

    @property
    def changes(self) -> bool:
        """Whether the two as one decide otherwise."""
        return self.naive_label != self.joint_label

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; figures are lists of [label, number]."""
        figures = {name: getattr(self, name) for name in ("observed", "independent", "naive", "joint")}
        return {
            "first": self.first,
            "second": self.second,
            "documents": plain_number(self.documents),
            "naive_label": self.naive_label,
            "joint_label": self.joint_label,
        } | {name: [[label, float(number)] for label, number in found.items()] for name, found in figures.items()}


def plain_number(number: Number) -> int | float:
    """A number for JSON."""
    return number if isinstance(number, int) else float(number)


class JointTable:
    """How often two columns have each pair of values, by label."""

    def __init__(
        self,
        names: tuple[str, str],
        values: tuple[Sequence[str], Sequence[str]],
        units: NDArray[np.uint64],  # (labels, first, second)
        unit: int,
        estimates: Estimates,
        settings: Settings,
    ) -> None:
        self.names, self.values, self.units, self.unit = names, values, units, unit
        self.labels, self._estimates, self._settings = estimates.labels, estimates, settings
        self.seen: tuple[Places, Places] = np.nonzero(units.any(axis=0))  # type: ignore[assignment]

    def number(self, units: int) -> Number:
        """Units as the number they stand for."""
        value = Fraction(int(units), self.unit)
        return int(value) if value.denominator == 1 else value

    # ---- under the view ------------------------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> tuple[ValuePart, ValuePart, ValuePart]:
        """The first column, the second, and both as one."""
        first, second = self.seen
        pairs = [f"{x} {y}" for x, y in zip(first.tolist(), second.tolist(), strict=True)]
        return (
            self._part(self.names[0], self.values[0], self.units.sum(axis=2, dtype=np.uint64), self.values[0]),
            self._part(self.names[1], self.values[1], self.units.sum(axis=1, dtype=np.uint64), self.values[1]),
            self._part("", pairs, self.units[:, first, second], ()),
        )

    def _part(self, name: str, values: Sequence[str], units: NDArray[np.uint64], declared: Sequence[str]) -> ValuePart:
        counts = Counts()
        counts.use_unit(self.unit)
        for label, row in zip(self.labels, units, strict=True):
            there = np.flatnonzero(row)
            numbers = row[there].tolist()
            counts.put(label, sum(numbers), [values[place] for place in there.tolist()], numbers, numbers)
        counts.require(self.labels)
        own = self._settings.of_column(name)
        named = isinstance(own.smoothing, MEstimate) and not isinstance(own.smoothing.p, str)
        smoothing = Additive() if named and not declared else own.smoothing  # `p` knows no pairs
        closed = len(declared) > 0 and self._is_closed(name)
        return ValuePart(name, counts, declared, smoothing=smoothing, unknown=own.unknown, closed=closed)

    def _is_closed(self, name: str) -> bool:
        """Whether there can be no other values: a word is there or not, numbers lie in intervals."""
        part = self._estimates.parts.get(name)
        return part.estimator.closed if isinstance(part, ValuePart) else True

    def scores(self, first: Places, second: Places) -> tuple[Floats, Floats]:  # (cells, labels) each
        """The log scores of some cells: naive, and joint."""
        parts, start = self._parts, self._estimates.log_prior
        one = parts[0].weights(list(self.values[0]))[0][first]
        two = parts[1].weights(list(self.values[1]))[0][second]
        pairs = [f"{x} {y}" for x, y in zip(first.tolist(), second.tolist(), strict=True)]
        return start + one + two, start + parts[2].weights(pairs)[0]

    def _decided(self, scores: Floats) -> Places:
        chosen = self._settings.decide.choose(scores, posterior(scores), self.labels)
        return np.where(np.isneginf(scores).all(axis=1), NONE, chosen)

    @cached_property
    def changed(self) -> Number:
        """The weight of the documents in which the two as one decide otherwise."""
        naive, joint = self.scores(*self.seen)
        other = self._decided(naive) != self._decided(joint)
        first, second = self.seen
        return self.number(int(self.units[:, first[other], second[other]].sum(dtype=np.uint64)))

    def excess_odds(self, first: Places, second: Places) -> Floats:  # (cells,)
        """By how much the naive log-odds of the two likeliest labels exceed the joint ones; NaN if one is endless."""
        naive, joint = self.scores(first, second)
        if len(self.labels) < 2:
            return np.zeros(len(first))
        order = np.argsort(-joint, axis=1, kind="stable")[:, :2]
        with np.errstate(invalid="ignore"):
            above = np.take_along_axis(naive - joint, order, axis=1)
            result: Floats = above[:, 0] - above[:, 1]
        return np.where(np.isfinite(result), result, np.nan)

    # ---- cell by cell --------------------------------------------------------------------------------------------

    def cell(self, first: int, second: int) -> Cell:
        """Two values together, by their places."""
        places = np.array([first], dtype=np.intp), np.array([second], dtype=np.intp)
        naive, joint = (self._decided(scores)[0] for scores in self.scores(*places))
        totals = self.units.sum(axis=(1, 2), dtype=np.uint64)
        x, y = (self.units.sum(axis=axis, dtype=np.uint64)[:, place] for axis, place in ((2, first), (1, second)))
        both = self.units[:, first, second]
        named: list[Label | None] = [*self.labels, None]  # NONE is the last
        shares = [[_share(n, total) for n, total in zip(part, totals, strict=True)] for part in (both, x, y)]
        worked = self._worked(first, second)
        return Cell(
            self.values[0][first],
            self.values[1][second],
            self.number(int(both.sum(dtype=np.uint64))),
            self._by_label(shares[0]),
            self._by_label([one * two for one, two in zip(shares[1], shares[2], strict=True)]),
            self._by_label([prior * one * two for prior, one, two, _ in worked]),
            self._by_label([prior * pair for prior, _, _, pair in worked]),
            named[naive],
            named[joint],
        )

    def _by_label(self, numbers: Sequence[Fraction]) -> dict[Label, Fraction]:
        return dict(zip(self.labels, numbers, strict=True))

    def _worked(self, first: int, second: int) -> list[tuple[Fraction, ...]]:
        terms = (self.values[0][first], self.values[1][second], f"{first} {second}")
        return [
            (prior, *(_likelihood(part, term, column) for part, term in zip(self._parts, terms, strict=True)))
            for column, prior in enumerate(self._estimates.priors)
        ]


def _share(units: np.uint64, total: np.uint64) -> Fraction:
    return Fraction(int(units), int(total)) if total else Fraction(0)


def _likelihood(part: ValuePart, value: str, column: int) -> Fraction:
    """P(v|c), exact; what is ignored as unknown adds nothing."""
    estimator = part.estimator
    if estimator.knows(value):
        return estimator.exact.likelihood(value, column)
    if estimator.unknown in ("ignore", "zero"):
        return Fraction(estimator.unknown == "ignore")
    return estimator.exact.likelihood(None, column, grown=part.grown)

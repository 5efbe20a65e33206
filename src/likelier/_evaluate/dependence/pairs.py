"""Two columns or two terms: how much they depend on each other, what that changes, and what can be done about it.

    observed      P(x,y|c)                 from plain frequencies
    independent   P(x|c) P(y|c)
    naive         P(c) P(x|c) P(y|c)       under the view: its prior and its smoothing
    joint         P(c) P(x,y|c)

All of it from documents in which neither is missing. Under smoothing the values of the pair are those that were seen
together, as in a model that has the two columns bound; for others the joint is what the view says of unknown values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._answer.decisions import NONE
from likelier._answer.posterior import posterior
from likelier._base.cached import cached_property
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._columns.values import ValuePart
from likelier._counts.term_counts import Number, TermCounts
from likelier._documents.kinds import NO, YES, Bound, Numeric
from likelier._documents.labels import Label
from likelier._documents.spelling import spelled, truth
from likelier._estimate.intervals import place
from likelier._evaluate.dependence.corpus import ColumnValues
from likelier._evaluate.dependence.information import Places, measures
from likelier._evaluate.dependence.terms import Phrase, with_phrase, without
from likelier._evaluate.dependence.trials import Outcome, Trials, plain, shown
from likelier._model.view import View
from likelier._text.analyzer import Analyzer


@dataclass(frozen=True)
class JointCell:
    """Two values together.

    documents     by weight, that have both
    naive_label   the decision from the two alone, each for itself; None: no label
    joint_label   the decision from the two as one
    """

    first: str
    second: str
    documents: Number
    naive_label: Label | None
    joint_label: Label | None
    observed: dict[Label, Fraction]
    independent: dict[Label, Fraction]
    naive: dict[Label, Fraction]
    joint: dict[Label, Fraction]

    @property
    def changes(self) -> bool:
        """Whether the two as one decide otherwise."""
        return self.naive_label != self.joint_label

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; figures are lists of [label, number]."""
        figures = {name: list(value.items()) for name, value in vars(self).items() if isinstance(value, dict)}
        return plain(vars(self) | figures)


@dataclass(eq=False, repr=False)
class Pair:
    """Two columns, or two terms of a text column, and how often they occur together.

    information    I(X;Y|C) in nats: what one says about the other once the label is known; `bits`: the same in bits
    expected       what chance alone gives, in nats: q df / (2 N); `excess`: what goes beyond it
    beyond_chance  whether chance alone hardly ever gives so much, even to the best of all pairs that were looked at
    shared         the part of the one with less to say that the other says, 0 to 1: I(X;Y|C) / min(H(X|C), H(Y|C))
    repeated       what one repeats of the other, in nats: `excess` times `shared`; the order of pairs
    documents      how many have both columns, by weight; of two terms, `together`: how many have both terms
    trials         what remedies do to the verdicts of the whole model
    side_by_side   of two terms, in how many documents they are neighbors, in their more frequent order
    phrase         how that is written; None if they never are
    """

    view: View
    names: tuple[str, str]  # `first` and `second`
    column: str | None  # that the terms are of; None for two columns
    values: tuple[Sequence[str], Sequence[str]]  # of each of the two; terms have "no" and "yes"
    units: NDArray[np.uint64]  # (labels, first, second), in units of weight
    sample: float  # documents, where chance is concerned
    tested: int  # pairs that were looked at
    columns: ColumnValues
    written: Mapping[str, Sequence[str]] = field(default_factory=dict)
    trials: Trials = field(init=False)
    phrase: Phrase | None = None
    side_by_side: Number = 0

    def __post_init__(self) -> None:
        self.kind, (self.first, self.second) = "columns" if self.column is None else "terms", self.names
        self.documents, self.together = self.number(self.units.sum()), self.number(self.units[:, 1, 1].sum())
        found = measures(self.units.astype(np.float64))
        self.information, self.bits, self.shared = found.nats, found.nats / math.log(2), found.shared
        self.expected = found.expected(self.sample)
        self.excess = self.information - self.expected
        self.repeated = self.excess * self.shared
        self.beyond_chance = found.is_sure(self.sample, self.tested)

    @property
    def rank(self) -> tuple[bool, float, tuple[str, str]]:
        """What is beyond chance and repeats most comes first; equal ones by name."""
        return not self.beyond_chance, -self.repeated, self.names

    def number(self, units: np.integer) -> Number:
        """Units as the number they stand for."""
        value = Fraction(int(units), self.view.counts.sizes.unit)
        return int(value) if value.denominator == 1 else value

    @cached_property
    def changed(self) -> Number:
        """In how many documents, by weight, the two as one decide otherwise than one by one, when they alone decide."""
        naive, joint = self._decided(*self._seen)
        return self.number(self.units[:, *self._seen][:, naive != joint].sum())

    @cached_property
    def double_count(self) -> float | None:
        """How much too high the log-odds of the likeliest label are on average, because both count; None: infinite."""
        first, second = self._seen if self.column is None else (np.array([1]), np.array([1]))
        naive, joint = self._scores(first, second)
        if len(self.view.labels) < 2:
            return 0.0
        order = np.argsort(-joint, axis=1, kind="stable")[:, :2]
        with np.errstate(invalid="ignore"):
            above = np.take_along_axis(naive - joint, order, axis=1)
            odds = above[:, 0] - above[:, 1]
        there, weights = np.isfinite(odds), self.units[:, first, second].sum(axis=0).astype(np.float64)
        if not weights[there].any():
            return None
        return float(odds[0] if self.column is not None else np.average(odds[there], weights=weights[there]))

    @cached_property
    def _seen(self) -> tuple[Places, Places]:
        first, second = np.nonzero(self.units.any(axis=0))
        return first, second

    @cached_property
    def _parts(self) -> list[ValuePart]:  # the first, the second, and both as one under the view
        own = zip(self.names, self.values, (self.units.sum(axis=2), self.units.sum(axis=1)), strict=True)
        return [self._part(*each) for each in (*own, ("", _keys(*self._seen), self.units[:, *self._seen]))]

    def _part(self, name: str, values: Sequence[str], units: NDArray[np.uint64]) -> ValuePart:
        own, part, counts = self.view.settings.of_column(name), self.view.estimates.parts.get(name), TermCounts()
        counts.use_unit(self.view.counts.sizes.unit)
        counts.put_values(self.view.labels, values, units.T)
        counts.require(self.view.labels)
        # Words and numbers in intervals have no other values; a pair of values may.
        closed = bool(name) and (part.estimator.closed if isinstance(part, ValuePart) else True)
        declared = values if name else ()
        return ValuePart(name, counts, declared, smoothing=own.smoothing, unknown=own.unknown, closed=closed)

    def _scores(self, first: Places, second: Places) -> list[Floats]:  # (cells, labels) naive, joint
        one, two = (self._parts[at].weights(list(self.values[at]))[0] for at in (0, 1))
        start = self.view.estimates.log_prior
        return [start + one[first] + two[second], start + self._parts[2].weights(_keys(first, second))[0]]

    def _decided(self, first: Places, second: Places) -> list[Places]:  # (cells,) naive, joint
        labels, choose = self.view.labels, self.view.settings.decide.choose
        return [
            np.where(np.isneginf(scores).all(axis=1), NONE, choose(scores, posterior(scores), labels)[0])
            for scores in self._scores(first, second)
        ]

    @cached_property
    def cells(self) -> list[JointCell]:
        """Every pair of values that was seen, most frequent first."""
        first, second = self._seen
        order = np.argsort(-self.units[:, first, second].sum(axis=0).astype(np.float64), kind="stable")
        return [self._cell(int(first[each]), int(second[each])) for each in order]

    def cell(self, first: object, second: object) -> JointCell:
        """Two values together; of a number, its interval."""
        return self._cell(self._place(0, first), self._place(1, second))

    def _cell(self, first: int, second: int) -> JointCell:
        labels, keys = self.view.labels, (self.values[0][first], self.values[1][second], f"{first} {second}")
        named: list[Label | None] = [*labels, None]  # NONE is the last
        decided = [named[found[0]] for found in self._decided(np.array([first]), np.array([second]))]
        figures = []
        for column, (prior, units) in enumerate(zip(self.view.estimates.priors, self.units, strict=True)):
            n, x, y = int(units.sum()) or 1, int(units[first].sum()), int(units[:, second].sum())
            observed, independent = Fraction(int(units[first, second]), n), Fraction(x * y, n * n)
            one, two, pair = (_likelihood(part, key, column) for part, key in zip(self._parts, keys, strict=True))
            figures.append((observed, independent, prior * one * two, prior * pair))
        by_label = [dict(zip(labels, each, strict=True)) for each in zip(*figures, strict=True)]
        return JointCell(keys[0], keys[1], self.number(self.units[:, first, second].sum()), *decided, *by_label)

    def _place(self, which: int, value: object) -> int:
        values, part = list(self.values[which]), self.columns.intervals.get(self.names[which])
        found = spelled(value)
        if part is not None and isinstance(value, int | float) and not isinstance(value, bool):
            found = part.intervals[int(place(np.array([float(value)]), part.cuts)[0])]
        elif found is not None and set(values) <= {YES, NO}:
            found = {True: YES, False: NO, None: found}[truth(found)]
        if found not in values:
            listed = f"{', '.join(map(repr, values[:10]))}{' and more' * (len(values) > 10)}"
            first, second = (each[0] for each in self.values)
            raise error("cell-unknown", name=self.names[which], listed=listed, got=value, first=first, second=second)
        return values.index(found)

    @property
    def can_bind(self) -> bool:
        """Whether there is a way to make one feature of the two."""
        return self._number is None if self.column is None else self.phrase is not None

    @property
    def _number(self) -> str | None:
        return next((name for name in self.names if isinstance(self.view.schema.columns[name], Numeric)), None)

    def bind(self) -> dict[str, Any]:
        """Arguments for `train` that make one feature of the two: {"bind": [("city", "country")]}, or an analyzer."""
        if self.column is not None and self.phrase:
            return self._analyzed(with_phrase(self.view.schema.texts[self.column].analyzer, self.phrase))
        if self.can_bind:
            return {"bind": [(*self._bound(self.first), *self._bound(self.second))]}
        if self.column is not None:
            raise error("bind-not-neighbours", first=self.first, second=self.second, weaker=self.weaker)
        raise error("bind-numeric", number=self._number, weaker=self.weaker)

    def drop(self) -> dict[str, Any]:
        """Arguments for `train` that leave out the weaker one: {"ignore": ["country"]}, or an analyzer."""
        if self.column is None:
            return {"ignore": self._bound(self.weaker)}
        words = self.written.get(self.weaker) or [self.weaker]
        return self._analyzed(without(self.view.schema.texts[self.column].analyzer, words))

    def _bound(self, name: str) -> list[str]:
        kind = self.view.schema.columns[name]
        return [part for part, _ in kind.columns] if isinstance(kind, Bound) else [name]

    def _analyzed(self, analyzer: Analyzer) -> dict[str, Any]:
        texts = {name: kind.analyzer for name, kind in self.view.schema.texts.items()}
        alike = all(each == texts[str(self.column)] for each in texts.values())
        return {"analyzer": analyzer} if alike else {"text": texts | {str(self.column): analyzer}}

    @cached_property
    def weaker(self) -> str:
        """The one that is missed less: by the verdicts without it, otherwise by what it says about the label."""
        first, second = self.trials.without_first, self.trials.without_second
        if first and second and first.right != second.right:
            return self.first if first.right > second.right else self.second
        units = self.units.astype(np.float64)
        says = [measures(units.sum(axis=axis)[np.newaxis]).nats for axis in (2, 1)]  # I(X;C), I(Y;C)
        return self.first if says[0] < says[1] else self.second

    @property
    def dropped(self) -> Outcome | None:
        """The model without the weaker one."""
        return self.trials.without_first if self.weaker == self.first else self.trials.without_second

    @property
    def remedy(self) -> str:
        """What is best on these documents: "bind", "drop", or "leave" them as they are."""
        if self.dropped is None:
            return "bind" if 2 * self.side_by_side > self.together else "drop"
        helps: dict[str, Number] = {}
        for name, trial in (("bind", self.trials.as_one if self.can_bind else None), ("drop", self.dropped)):
            # Of documents that were held out, more must become right than wrong by more than luck would have it.
            if trial and (self.beyond_chance or not self.trials.held_out):
                luck = 2 * math.sqrt(trial.became_right + trial.became_wrong) if self.trials.held_out else 0
                helps |= {name: trial.right} if trial.became_right - trial.became_wrong > luck else {}
        return max(helps, key=lambda name: helps[name]) if helps else "leave"

    @property
    def advice(self) -> str:
        """What is best on these documents, in words."""
        trials, tried, facts = self.trials, "verdicts were not tried", []
        as_one = "as one column" if self.can_bind else "as one column of intervals"
        if self.column is not None:
            both = f"{shown(self.side_by_side)} of {shown(self.together)} documents that have both"
            as_one, facts = "as one term", [f"side by side in {both}"]
        if self.dropped is not None:
            named = {"as they are": trials, as_one: trials.as_one, f"without {self.weaker!r}": self.dropped}
            figures = [f"{name} {shown(each.right)} and {each.loss:.3g}" for name, each in named.items() if each]
            tried = f"right of {shown(trials.documents)} documents and log loss: {', '.join(figures)} ({trials.how})"
        bind = f"bind them as {self.phrase.term!r}" if self.phrase else "bind them"
        leave = "leave them as they are, neither remedy helps"
        does = {"bind": bind, "drop": f"leave {self.weaker!r} out", "leave": leave}[self.remedy]
        return "; ".join([does, *facts, tried])

    def to_dict(self, *, cells: bool = False) -> dict[str, Any]:
        """Plain JSON values; with all cells if wanted."""
        found = {name: getattr(self, name) for name in (*PLAIN, *(() if self.column is None else TERMS))}
        found["trials"] = asdict(self.trials) | {"how": self.trials.how}
        if self.column is not None:
            found["phrase"] = self.phrase and self.phrase.written
        return plain(found) | ({"cells": [cell.to_dict() for cell in self.cells]} if cells else {})

    def __repr__(self) -> str:
        return f"<Pair: {self.first!r} and {self.second!r}, {self.bits:.3g} bits>"


PLAIN = (
    *("kind", "first", "second", "documents", "information", "bits", "expected", "excess", "shared", "repeated"),
    *("beyond_chance", "changed", "double_count", "trials", "remedy", "advice"),
)
TERMS = ("column", "together", "side_by_side", "phrase")


def _keys(first: Places, second: Places) -> list[str]:
    return [f"{x} {y}" for x, y in zip(first.tolist(), second.tolist(), strict=True)]


def _likelihood(part: ValuePart, value: str, column: int) -> Fraction:
    """P(v|c), exact; what is ignored as unknown adds nothing."""
    estimator = part.estimator
    if estimator.knows(value):
        return estimator.exact.likelihood(value, column)
    if estimator.unknown in ("ignore", "zero"):
        return Fraction(estimator.unknown == "ignore")
    return estimator.exact.likelihood(None, column, grown=int(part.estimator.unknown == "grow"))

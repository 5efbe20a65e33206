"""What two columns and two terms have in common: how much they depend on each other, and what that changes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.errors import InputError
from likelier._counts.term_counts import Number
from likelier._documents.kinds import NO, YES
from likelier._documents.spelling import spelled, truth
from likelier._evaluate.dependence.cells import Cell, JointTable, plain_number
from likelier._evaluate.dependence.information import Measures, about_label, is_sure, measures
from likelier._evaluate.dependence.trials import Trial, Trials


class Pair(ABC):
    """Two columns, or two terms of a text column.

    first, second  their names
    table          how often each pair of values stands under each label
    documents      how many documents have both columns, by weight
    trials         what remedies do to the verdicts of the whole model; None where that was not tried
    """

    kind: str

    def __init__(self, table: JointTable, sample: float, tested: int, trials: Trials | None) -> None:
        """sample, tested: how many documents there are where chance is concerned, and how many pairs were looked at."""
        self.first, self.second = table.names
        self.table, self.trials, self._sample, self._tested = table, trials, sample, tested

    # ---- how much ------------------------------------------------------------------------------------------------

    @cached_property
    def _numbers(self) -> Any:
        return self.table.units.astype(np.float64)

    @property
    def documents(self) -> Number:
        return self.table.number(int(self.table.units.sum(dtype=np.uint64)))

    @cached_property
    def _measures(self) -> Measures:
        return measures(self._numbers)

    @property
    def information(self) -> float:
        """I(X;Y|C) in nats: what one says about the other once the label is known."""
        return self._measures.nats

    @property
    def bits(self) -> float:
        """The same in bits."""
        return self.information / math.log(2)

    @property
    def expected(self) -> float:
        """What chance alone gives, in nats: q df / (2 N)."""
        return self._measures.expected(self._sample)

    @property
    def excess(self) -> float:
        """What goes beyond chance, in nats."""
        return self.information - self.expected

    @property
    def beyond_chance(self) -> bool:
        """Whether chance alone hardly ever gives so much, even to the best of all pairs that were looked at."""
        return is_sure(self._measures, self._sample, self._tested)

    @property
    def shared(self) -> float:
        """Which part of the one with less to say is said by the other, from 0 to 1: I(X;Y|C) / min(H(X|C), H(Y|C))."""
        return self._measures.shared

    @property
    def repeated(self) -> float:
        """What one repeats of the other, in nats: `excess` times `shared`; the order of pairs."""
        return self._measures.repeated(self._sample)

    # ---- what it changes -----------------------------------------------------------------------------------------

    @property
    def changed(self) -> Number:
        """In how many documents, by weight, the two as one decide otherwise than one by one, when they alone decide."""
        return self.table.changed

    @property
    @abstractmethod
    def double_count(self) -> float | None:
        """How much too high the log-odds of the two likeliest labels are, because both are counted."""

    @cached_property
    def cells(self) -> list[Cell]:
        """Every pair of values that was seen, most frequent first."""
        first, second = self.table.seen
        order = np.argsort(-self.table.units[:, first, second].sum(axis=0).astype(np.float64), kind="stable")
        return [self.table.cell(int(first[each]), int(second[each])) for each in order]

    def cell(self, first: object, second: object) -> Cell:
        """Two values together; of a number, its interval."""
        return self.table.cell(self._place(0, first), self._place(1, second))

    def _place(self, which: int, value: object) -> int:
        values = list(self.table.values[which])
        found = self._spelled(which, value)
        if found not in values:
            raise InputError(
                code="cell-unknown",
                message=f"{self.table.names[which]!r} is looked at with the values"
                f" {', '.join(map(repr, values[:10]))}{' and more' * (len(values) > 10)}; got {value!r:.60}",
                hint=f"pair.cell({self.table.values[0][0]!r}, {self.table.values[1][0]!r}); pair.cells has all",
            )
        return values.index(found)

    def _spelled(self, which: int, value: object) -> str | None:
        text = spelled(value)
        said = truth(text) if text is not None else None
        is_truth = set(self.table.values[which]) <= {YES, NO}
        return (YES if said else NO) if is_truth and said is not None else text

    # ---- what can be done ----------------------------------------------------------------------------------------

    @abstractmethod
    def bind(self) -> dict[str, Any]:
        """Arguments for `train` that make one feature of the two."""

    @abstractmethod
    def drop(self) -> dict[str, Any]:
        """Arguments for `train` that leave out the one that is missed less."""

    @property
    @abstractmethod
    def can_bind(self) -> bool:
        """Whether there is a way to make one feature of the two."""

    @property
    def weaker(self) -> str:
        """The one that is missed less: by the verdicts without it, otherwise by what it says about the label."""
        trials = self.trials
        if trials and trials.without_first and trials.without_second:
            first, second = trials.without_first.right, trials.without_second.right
            if first != second:
                return self.first if first > second else self.second
        says = [about_label(self._numbers.sum(axis=axis)) for axis in (2, 1)]
        return self.first if says[0] < says[1] else self.second

    @property
    def dropped(self) -> Trial | None:
        """The model without the weaker one."""
        if self.trials is None:
            return None
        return self.trials.without_first if self.weaker == self.first else self.trials.without_second

    @property
    def remedy(self) -> str:
        """What is best on these documents: "bind", "drop", or "leave" them as they are."""
        if self.trials is None or self.dropped is None:
            return self._untried
        if self.trials.held_out and not self.beyond_chance:
            return "leave"
        options = {"drop": self.dropped} | ({"bind": self.trials.as_one} if self.can_bind else {})
        helps = {name: trial.right for name, trial in options.items() if trial and self._helps(trial)}
        return max(helps, key=lambda name: (helps[name], name == "bind")) if helps else "leave"

    def _helps(self, trial: Trial) -> bool:
        """Whether more became right than wrong; of documents that were held out, by more than luck would have it."""
        luck = 2 * math.sqrt(trial.became_right + trial.became_wrong) if self.trials and self.trials.held_out else 0
        return trial.became_right - trial.became_wrong > luck

    @property
    def _untried(self) -> str:
        return "leave"

    @property
    @abstractmethod
    def advice(self) -> str:
        """What is best on these documents, in words."""

    def _tried(self, as_one: str) -> str:
        trials, dropped = self.trials, self.dropped
        assert trials is not None
        assert dropped is not None
        figures = [f"as they are {_result(trials)}"]
        figures += [f"{as_one} {_result(trials.as_one)}"] if trials.as_one else []
        figures += [f"without {self.weaker!r} {_result(dropped)}"]
        return f"right of {shown(trials.documents)} documents and log loss: {', '.join(figures)} ({trials.how})"

    def to_dict(self, *, cells: bool = False) -> dict[str, Any]:
        """Plain JSON values; with all cells if wanted."""
        return {
            "kind": self.kind,
            "first": self.first,
            "second": self.second,
            "documents": plain_number(self.documents),
            "information": self.information,
            "bits": self.bits,
            "expected": self.expected,
            "excess": self.excess,
            "shared": self.shared,
            "repeated": self.repeated,
            "beyond_chance": self.beyond_chance,
            "changed": plain_number(self.changed),
            "double_count": self.double_count,
            "trials": None if self.trials is None else self.trials.to_dict(),
            "remedy": self.remedy,
            "advice": self.advice,
        } | ({"cells": [cell.to_dict() for cell in self.cells]} if cells else {})

    def __repr__(self) -> str:
        return f"<Pair: {self.first!r} and {self.second!r}, {self.bits:.3g} bits>"


def _result(trial: Trial | Trials) -> str:
    return f"{shown(trial.right)} and {trial.loss:.3g}"


def shown(number: Number) -> str:
    """A number of documents as people write it.

    >>> shown(27301), shown(0.5)
    ('27,301', '0.5')
    """
    return f"{number:,}" if isinstance(number, int) else f"{float(number):,.6g}"

"""Pairs of columns and pairs of terms, and what can be done about each: bind them, or drop one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.errors import InputError
from likelier._counts.term_counts import Number
from likelier._documents.kinds import Bound, Kind, Numeric, Text
from likelier._estimate.intervals import place
from likelier._estimate.parts import IntervalPart
from likelier._evaluate.dependence.cells import JointTable, plain_number
from likelier._evaluate.dependence.pair import Pair, shown
from likelier._evaluate.dependence.terms import Phrase, with_phrase, without
from likelier._evaluate.dependence.trials import Trials
from likelier._text.analyzer import Analyzer


class ColumnPair(Pair):
    """Two columns."""

    kind = "columns"

    def __init__(
        self,
        table: JointTable,
        sample: float,
        tested: int,
        trials: Trials | None,
        kinds: Mapping[str, Kind],
        intervals: Mapping[str, IntervalPart],
    ) -> None:
        super().__init__(table, sample, tested, trials)
        self.kinds = {name: kinds[name] for name in table.names}
        self._intervals = intervals

    def _spelled(self, which: int, value: object) -> str | None:
        part = self._intervals.get(self.table.names[which])
        if part is not None and isinstance(value, int | float) and not isinstance(value, bool):
            return part.intervals[int(place(np.array([float(value)]), part.cuts)[0])]
        return super()._spelled(which, value)

    @cached_property
    def double_count(self) -> float | None:
        """On average over documents."""
        odds = self.table.excess_odds(*self.table.seen)
        weights = self._numbers[:, *self.table.seen].sum(axis=0)
        there = np.isfinite(odds)
        return float(np.average(odds[there], weights=weights[there])) if weights[there].any() else None

    @property
    def can_bind(self) -> bool:
        return not any(isinstance(kind, Numeric) for kind in self.kinds.values())

    def bind(self) -> dict[str, Any]:
        """Arguments for `train` that make one column of the two: {"bind": [("city", "country")]}."""
        numbers = [name for name, kind in self.kinds.items() if isinstance(kind, Numeric)]
        if numbers:
            raise InputError(
                code="bind-numeric",
                message=f"numbers cannot be bound, and {numbers[0]!r} is numeric: each value would stand for itself",
                hint=f"pair.drop() leaves {self.weaker!r} out; a number of few values can be a category:"
                f" categorical=[{numbers[0]!r}]",
            )
        return {"bind": [tuple(part for name in self.table.names for part in self._parts(name))]}

    def _parts(self, name: str) -> list[str]:
        kind = self.kinds[name]
        return [part for part, _ in kind.columns] if isinstance(kind, Bound) else [name]

    def drop(self) -> dict[str, Any]:
        """Arguments for `train` that leave one column out: {"ignore": ["country"]}."""
        return {"ignore": self._parts(self.weaker)}

    @property
    def advice(self) -> str:
        does = {
            "bind": "bind them",
            "drop": f"leave {self.weaker!r} out",
            "leave": "leave them as they are, neither remedy helps",
        }[self.remedy]
        return f"{does}; {self._tried('as one column' if self.can_bind else 'as one column of intervals')}"


class TermPair(Pair):
    """Two terms of a text column, which are there in a document ("yes") or not ("no").

    column        the text column
    together      in how many documents, by weight, both stand
    side_by_side  in how many of them they are neighbours, in their more frequent order
    phrase        how that is written; None if they never are
    """

    kind = "terms"

    def __init__(
        self,
        table: JointTable,
        sample: float,
        tested: int,
        trials: Trials | None,
        column: str,
        texts: Mapping[str, Text],
        phrase: Phrase | None,
        side_by_side: Number,
        written: Mapping[str, list[str]],
    ) -> None:
        super().__init__(table, sample, tested, trials)
        self.column, self.phrase, self.side_by_side = column, phrase, side_by_side
        self._texts, self._written = texts, written

    @property
    def together(self) -> Number:
        return self.table.number(int(self.table.units[:, 1, 1].sum(dtype=np.uint64)))

    @cached_property
    def double_count(self) -> float | None:
        """Where both stand."""
        (odds,) = self.table.excess_odds(np.array([1]), np.array([1])).tolist()
        return odds if math.isfinite(odds) else None

    @property
    def can_bind(self) -> bool:
        return self.phrase is not None

    def bind(self) -> dict[str, Any]:
        """Arguments for `train`: the analyzer, which now also makes one term of the two where they are neighbours."""
        if self.phrase is None:
            raise InputError(
                code="bind-not-neighbours",
                message=f"words are bound where they stand side by side, and {self.first!r} and {self.second!r}"
                " never do",
                hint=f"pair.drop() leaves {self.weaker!r} out",
            )
        return self._changed(with_phrase(self._texts[self.column].analyzer, self.phrase))

    def drop(self) -> dict[str, Any]:
        """Arguments for `train`: the analyzer, which now also drops one of the two."""
        words = self._written.get(self.weaker) or [self.weaker]
        return self._changed(without(self._texts[self.column].analyzer, words))

    def _changed(self, analyzer: Analyzer) -> dict[str, Any]:
        before = self._texts[self.column].analyzer
        if all(kind.analyzer == before for kind in self._texts.values()):
            return {"analyzer": analyzer}
        others = {name: kind.analyzer for name, kind in self._texts.items()}
        return {"text": others | {self.column: analyzer}}

    @property
    def _untried(self) -> str:
        return "bind" if 2 * self.side_by_side > self.together else "drop"

    @property
    def advice(self) -> str:
        does = {
            "bind": f"bind them as {self.phrase.term!r}" if self.phrase else "",
            "drop": f"leave {self.weaker!r} out",
            "leave": "leave them as they are, neither remedy helps",
        }[self.remedy]
        beside = f"side by side in {shown(self.side_by_side)} of {shown(self.together)} documents that have both"
        tried = "verdicts were not tried" if self.dropped is None else self._tried("as one term")
        return f"{does}; {beside}; {tried}"

    def to_dict(self, *, cells: bool = False) -> dict[str, Any]:
        return super().to_dict(cells=cells) | {
            "column": self.column,
            "together": plain_number(self.together),
            "side_by_side": plain_number(self.side_by_side),
            "phrase": None if self.phrase is None else list(self.phrase.written),
        }

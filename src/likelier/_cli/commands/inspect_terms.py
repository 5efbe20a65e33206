"""What `likelier inspect` shows of terms: one under each label, and two labels compared."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from likelier._base.errors import LikelierError
from likelier._cli.commands.inspect_columns import plain_number
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.output import LABEL_CELLS, Table, plural, whole
from likelier._columns.numbers import IntervalPart, NormalPart
from likelier._columns.words import Words
from likelier._documents.kinds import Text
from likelier._documents.labels import Label
from likelier._documents.values import Numbers
from likelier._model.view import View
from likelier._show.cells import clean, wrap
from likelier._show.words import probability, signed


class TermFigures:
    """One term under each label."""

    def __init__(self, view: View, word: str, column: str | None) -> None:
        self.view, self.column = view, column
        self.figures = view.column(column)
        self.name = self.figures.name
        self.counts = self.figures.counts
        self.term = self._as_counted(word)
        estimator = self.figures.estimator
        if self.counts.find(self.term) is None and not estimator.knows(self.term) and estimator.unknown == "ignore":
            what = "term" if self.is_text else "value"
            raise Misuse(
                f"unknown {what} {word!r}; {self._of()} has {plural(self.counts.vocabulary_size, what)}",
                hint=f"--unknown smooth shows the likelihood of an unknown {what}",
            )

    @property
    def is_text(self) -> bool:
        return isinstance(self.view.schema.columns[self.name], Text)

    def _of(self) -> str:
        return "this model" if self.view.schema.is_plain else repr(self.name)

    def _as_counted(self, word: str) -> str:
        """The term of a word, or the interval of a number."""
        part = self.view.estimates.parts[self.name]
        if self.counts.find(word) is not None:
            return word
        if isinstance(part, IntervalPart) and (number := _number(word)) is not None:
            return part.intervals[int(part.choices(Numbers(np.array([number]))).which[0])]
        made = part.analyzer.terms(word) if isinstance(part, Words) else []
        return made[0] if len(made) == 1 else word

    def rows(self) -> list[tuple[Label, Any, Any, Any]]:
        """label, tf, df, likelihood."""
        counts = self.counts
        return [
            (label, counts.of(self.term, label), counts.of(self.term, label, "df"), self._likelihood(label))
            for label in self.view.labels
        ]

    def _likelihood(self, label: Label) -> Any:
        try:
            return self.figures.likelihood(self.term, label)
        except LikelierError as error:
            if error.code != "term-unknown":
                raise
            return None  # counted, but too rare for this view

    def lines(self, room: int, color: bool) -> list[str]:
        found = self.rows()
        left_out = all(chance is None for *_, chance in found)
        rows = [
            (
                str(label),
                *([whole(tf)] if self.is_text else []),  # of values it equals df
                whole(df),
                "ignored" if left_out else "" if chance is None else probability(float(chance)),
                "" if left_out else str(chance or 0),
            )
            for label, tf, df, chance in found
        ]
        heading = ("label", *(["tf", "df"] if self.is_text else ["documents"]), self._what(), "exact")
        table = Table(heading, rows, numbers=frozenset(range(1, len(heading) - 1)), limits=((0, LABEL_CELLS),))
        return [*wrap(self._title(), room), "", *table.lines(room, color)]

    def _title(self) -> str:
        if not self.is_text:
            return clean(f"{self.name} {self.term}")
        return f"{clean(self.term)}: tf is its number of occurrences with the label, df the number of documents with it"

    def _what(self) -> str:
        if not self.is_text:
            return "P(v|c)"
        event = self.view.settings.of_column(self.name).event
        return {"bernoulli": "P(t=1|c)", "complement": "P(t|not c)"}.get(event, "P(t|c)")

    def plain(self) -> dict[str, Any]:
        labels = [
            {
                "label": label,
                "tf": plain_number(tf),
                "df": plain_number(df),
                "likelihood": None if chance is None else float(chance),
                "exact": None if chance is None else str(chance),
            }
            for label, tf, df, chance in self.rows()
        ]
        if self.view.schema.is_plain:
            return {"term": self.term, "event": self.view.settings.event, "labels": labels}
        return {"column": self.name, "term": self.term, "labels": labels}


class LabelRatios:
    """Two labels compared: log P(t|a)/P(t|b)."""

    def __init__(self, view: View, one: Label, two: Label, top: int, column: str | None) -> None:
        if one == two:
            raise Misuse("--ratio takes two different labels", hint="--ratio A B")
        self.view, self.one, self.two = view, one, two
        self.left_out: list[str] = []
        self.columns: list[str] | None = None  # of one column, terms are not named with it
        if column is None and not view.schema.is_plain:
            parts = view.estimates.parts
            self.left_out = [name for name, part in parts.items() if isinstance(part, NormalPart)]
            self.columns = [name for name in parts if name not in self.left_out]
        self.speaks_for_one = self._highest(one, two, top, column)
        self.speaks_for_two = [(term, -ratio) for term, ratio in self._highest(two, one, top, column)]
        self.prior = view.log_prior_ratio(one, two)

    def _highest(self, label: Label, against: Label, top: int, column: str | None) -> list[tuple[str, float]]:
        """The terms with the strongest evidence for a label."""
        if self.columns is None:
            found = list(self.view.log_ratios(label, against, k=top, column=column).items())
        else:
            found = [
                (f"{name} {term}", ratio)
                for name in self.columns
                for term, ratio in self.view.log_ratios(label, against, k=top, column=name).items()
            ]
            found.sort(key=lambda pair: (-pair[1], pair[0]))
        return [pair for pair in found if pair[1] > 0][:top]

    def lines(self, room: int, color: bool) -> list[str]:
        lines = wrap(f"log ratio of likelihoods: {clean(str(self.one))} over {clean(str(self.two))}", room)
        lines += [f"prior: {signed(self.prior)}"]
        for label, pairs in ((self.one, self.speaks_for_one), (self.two, self.speaks_for_two)):
            rows = [(signed(ratio), _times(ratio), term) for term, ratio in pairs]
            table = Table(("log ratio", "ratio", f"evidence for {label}"), rows, numbers=frozenset({0, 1}))
            lines += ["", *table.lines(room, color)]
        if self.left_out:
            names = ", ".join(map(clean, self.left_out))
            remark = f"not shown: {names} (normal distribution); --numbers information uses intervals instead"
            lines += ["", *wrap(remark, room)]
        return lines

    def plain(self) -> dict[str, Any]:
        def listed(pairs: list[tuple[str, float]]) -> list[dict[str, Any]]:
            return [
                {"term": term, "log_ratio": ratio if math.isfinite(ratio) else None, "only": math.isinf(ratio)}
                for term, ratio in pairs
            ]

        return {
            "labels": [self.one, self.two],
            "log_prior_ratio": self.prior,
            **({"left_out": self.left_out} if self.left_out else {}),
            "for_first": listed(self.speaks_for_one),
            "for_second": listed(self.speaks_for_two),
        }


def _times(ratio: float) -> str:
    """The ratio; a large one by its order of magnitude."""
    if math.isinf(ratio):
        return "only"
    return f"{math.exp(abs(ratio)):.3g}" if abs(ratio) < 13 else f"10^{abs(ratio) / math.log(10):.0f}"


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None

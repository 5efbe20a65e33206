"""Verdicts as rows: a table for people, CSV, TSV, JSON Lines or the bare label."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from likelier.cli.asking import texts_of
from likelier.cli.failures import Misuse
from likelier.cli.output import GAP, LABEL_CELLS, Screen, one_line, row_writer
from likelier.explain.cells import clean, cut, left, paint, right, width, wrap
from likelier.explain.table import probability

if TYPE_CHECKING:
    from likelier.verdict import Verdicts
    from likelier.view import View

NAMES = ("label", "probability", "unknown_share", "reason")
PREFIX = "likelier_"


@dataclass(frozen=True)
class Part:
    """Some documents: their texts, and all their columns where they come from files."""

    texts: Any
    rows: list[dict[str, Any]] | None = None

    def __len__(self) -> int:
        return len(self.texts)


Write = Callable[[Part, "Verdicts"], None]


def writer(form: str, file: TextIO, view: View, screen: Screen, *, explain: bool, probabilities: bool) -> Write:
    """What writes the verdicts of a part in this format."""
    if explain and form not in ("table", "json"):
        raise Misuse(f"an explanation does not fit into --format {form}", hint="--format json --explain")
    if form == "label":
        return lambda part, verdicts: file.writelines(f"{_shown(label)}\n" for label in verdicts.labels)
    if form == "table":
        return Explained(file, view, screen) if explain else Aligned(file, view, screen, probabilities)
    kind = Objects if form == "json" else Separated
    return kind(file, view, screen, explain=explain, probabilities=probabilities, tabs=form == "tsv")


def _shown(label: object) -> str:
    return "" if label is None else str(one_line(label))


class Records:
    """Verdicts as records with names."""

    def __init__(
        self, file: TextIO, view: View, screen: Screen, *, explain: bool, probabilities: bool, tabs: bool
    ) -> None:
        self.file, self.view, self.screen = file, view, screen
        self.explain, self.probabilities, self.tabs = explain, probabilities, tabs
        self.names: dict[str, str] = {}

    def name_results(self, part: Part) -> None:
        """Chooses names for the new columns that the file does not have."""
        if self.names:
            return
        taken = {name for row in part.rows or [] for name in row}
        wanted = [*NAMES, "probabilities", *(f"P({label})" for label in self.view.labels), "explanation"]
        prefix = ""
        while any(prefix + name in taken for name in wanted):
            prefix += PREFIX
        if prefix:
            there = next(name for name in wanted if name in taken)
            self.screen.note(f"the file has a column {there!r} itself: the results are called {prefix}label and so on")
        self.names = {name: prefix + name for name in wanted}

    def results(self, verdicts: Verdicts) -> list[list[Any]]:
        """label, probability, unknown_share, reason of each document."""
        columns = (verdicts.labels, verdicts.probability.tolist(), verdicts.unknown_share.tolist(), verdicts.reasons)
        return [list(row) for row in zip(*columns, strict=True)]


class Separated(Records):
    """CSV or TSV, with a line of names."""

    columns: list[str] | None = None

    def __call__(self, part: Part, verdicts: Verdicts) -> None:
        self.name_results(part)
        write = row_writer(self.file, tabs=self.tabs)
        labels = [self.names[f"P({label})"] for label in self.view.labels] if self.probabilities else []
        names = [self.names[name] for name in NAMES] + labels
        if self.columns is None:
            self.columns = list(part.rows[0]) if part.rows else ["text"]
            write([[*self.columns, *names] if part.rows else [*names, "text"]])
        results = self.results(verdicts)
        if self.probabilities:
            results = [[*row, *each] for row, each in zip(results, verdicts.probabilities.tolist(), strict=True)]
        if part.rows is None:
            write([*row, text] for row, text in zip(results, texts_of(part.texts), strict=True))
        else:
            write([*self._fields(row), *new] for row, new in zip(part.rows, results, strict=True))

    def _fields(self, row: dict[str, Any]) -> list[Any]:
        assert self.columns is not None
        if list(row) == self.columns:
            return list(row.values())
        if not set(row) <= set(self.columns):
            extra = next(name for name in row if name not in self.columns)
            raise Misuse(
                f"all rows must have the columns of the first, {', '.join(map(repr, self.columns))}; got {extra!r}",
                hint="--format json writes rows that differ",
            )
        return [row.get(name, "") for name in self.columns]


class Objects(Records):
    """JSON Lines: one object for each document."""

    def __call__(self, part: Part, verdicts: Verdicts) -> None:
        self.name_results(part)
        keys = [self.names[name] for name in NAMES]
        texts = texts_of(part.texts) if part.rows is None or self.explain else None
        lines = []
        for place, result in enumerate(self.results(verdicts)):
            before = {"text": texts[place]} if part.rows is None and texts else dict((part.rows or [])[place])
            record = before | dict(zip(keys, result, strict=True))
            if self.probabilities:
                each = zip(map(str, self.view.labels), verdicts.probabilities[place].tolist(), strict=True)
                record[self.names["probabilities"]] = dict(each)
            if self.explain and texts:
                record[self.names["explanation"]] = self.view.explain(texts[place]).to_dict()
            lines.append(json.dumps(record, ensure_ascii=False, default=str) + "\n")
        self.file.writelines(lines)


class Aligned:
    """A table for people; columns are as wide as the labels need, so that each row can be shown at once."""

    def __init__(self, file: TextIO, view: View, screen: Screen, probabilities: bool) -> None:
        self.file, self.view, self.screen, self.probabilities = file, view, screen, probabilities
        self.color = (screen.colored and file.isatty()) or bool(screen.color)
        longest = max((width(clean(str(label))) for label in view.labels), default=0)
        self.label_cells = min(max(longest, len("label"), len("(none)")), LABEL_CELLS)
        self.begun = False

    def __call__(self, part: Part, verdicts: Verdicts) -> None:
        if not self.begun:
            self.begun = True
            heading = GAP.join([left("label", self.label_cells), "probability", "text"])
            print(paint(heading, "faint", self.color), file=self.file)
        rows = zip(verdicts.labels, verdicts.probability.tolist(), texts_of(part.texts), strict=True)
        why = verdicts.reasons
        for place, (label, chance, text) in enumerate(rows):
            self._row(label, chance, text)
            if why[place]:
                self._below(str(why[place]))
            if self.probabilities:
                self._below(self._all(verdicts.probabilities[place].tolist()))

    def _row(self, label: object, chance: float, text: str) -> None:
        name = "(none)" if label is None else cut(clean(str(label)), self.label_cells)
        start = GAP.join([left(name, self.label_cells), right(probability(chance), len("probability"))])
        shown = cut(clean(" ".join(text.split())), max(self.screen.width - width(start) - len(GAP), 8))
        painted = paint(left(name, self.label_cells), "faint" if label is None else "strong", self.color)
        print((painted + start[len(left(name, self.label_cells)) :] + GAP + shown).rstrip(), file=self.file)

    def _below(self, text: str) -> None:
        for line in wrap(clean(text), self.screen.width - len(GAP)):
            print(paint(GAP + line, "faint", self.color), file=self.file)

    def _all(self, chances: Sequence[float]) -> str:
        pairs = sorted(zip(self.view.labels, chances, strict=True), key=lambda pair: -pair[1])
        return ", ".join(f"{label} {probability(chance)}" for label, chance in pairs)


class Explained:
    """The explanation of each text, one below the other."""

    def __init__(self, file: TextIO, view: View, screen: Screen) -> None:
        self.file, self.view, self.screen = file, view, screen
        self.begun = False

    def __call__(self, part: Part, verdicts: Verdicts) -> None:
        color = (self.screen.colored and self.file.isatty()) or bool(self.screen.color)
        for text in texts_of(part.texts):
            if self.begun:
                print("", file=self.file)
            if len(part) > 1 or self.begun:
                print(paint(cut(clean(" ".join(text.split())), self.screen.width), "faint", color), file=self.file)
            self.begun = True
            print(self.view.explain(text).to_text(color=color, width=self.screen.width), file=self.file)

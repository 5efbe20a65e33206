"""What `likelier classify` prints: a table, CSV, TSV, JSON Lines or the bare label."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from likelier._answer.verdict import Verdicts
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.output import GAP, LABEL_CELLS, Screen, painted
from likelier._cli.shared.targets import one_line, row_writer
from likelier._documents.batch import Batch
from likelier._documents.schema import Schema
from likelier._explain.explanation import Explanation
from likelier._model.view import View
from likelier._show.cells import clean, cut, left, paint, right, width, wrap
from likelier._show.words import probability
from likelier._text.texts import listed_texts, text_at

NAMES = ("label", "probability", "unknown_share", "reason")
PREFIX = "likelier_"


@dataclass(frozen=True)
class AskedDocument:
    """Some documents to classify.

    texts  of a model of plain texts
    rows   all their columns, if they have names
    batch  of a model with columns
    """

    texts: Any
    rows: list[dict[str, Any]] | None = None
    batch: Batch | None = None

    @property
    def asked(self) -> Any:
        """The documents as a view takes them."""
        return self.texts if self.batch is None else self.batch

    def __len__(self) -> int:
        return len(self.asked)

    def lines(self, view: View) -> list[str]:
        """Each document in one line."""
        if self.batch is None:
            return [" ".join(text.split()) for text in listed_texts(self.texts)]
        return [" ".join(in_words(row, view.schema).split()) for row in self.rows or []]

    def explanation(self, view: View, place: int, verdicts: Verdicts) -> Explanation:
        """The explanation of the document at this place."""
        if self.batch is None:
            return view.explain(text_at(self.texts, place))
        return view.explain(self.batch.one(place))


def in_words(document: Mapping[str, Any], schema: Schema) -> str:
    """The values of a document in one line.

    >>> from likelier._documents.kinds import Binary
    >>> in_words({"member": "yes", "id": 7, "new": ""}, Schema({"member": Binary(), "new": Binary()}))
    'member yes'
    """
    there = ((name, document.get(name)) for name in schema.read)
    return ", ".join(f"{name} {value}" for name, value in there if value not in (None, ""))


Write = Callable[[AskedDocument, Verdicts], None]


def writer(form: str, file: TextIO, view: View, screen: Screen, *, explain: bool, probabilities: bool) -> Write:
    """A function that writes verdicts in this format."""
    if explain and form not in ("table", "json"):
        raise Misuse(f"--explain does not work with --format {form}", hint="--format json --explain")
    if form == "label":
        return lambda part, verdicts: file.writelines(f"{_shown(label)}\n" for label in verdicts.labels)
    if form == "table":
        return ExplainedAnswers(file, view, screen) if explain else Aligned(file, view, screen, probabilities)
    kind = Objects if form == "json" else SeparatedValues
    return kind(file, view, screen, explain=explain, probabilities=probabilities, tabs=form == "tsv")


def _shown(label: object) -> str:
    return "" if label is None else str(one_line(label))


class Records:
    """Verdicts as records with named fields."""

    def __init__(
        self, file: TextIO, view: View, screen: Screen, *, explain: bool, probabilities: bool, tabs: bool
    ) -> None:
        self.file, self.view, self.screen = file, view, screen
        self.explain, self.probabilities, self.tabs = explain, probabilities, tabs
        self.names: dict[str, str] = {}

    def name_results(self, part: AskedDocument) -> None:
        """Choose names for the new columns that the file does not have."""
        if self.names:
            return
        taken = {name for row in part.rows or [] for name in row}
        wanted = [*NAMES, "probabilities", *(f"P({label})" for label in self.view.labels), "explanation"]
        prefix = ""
        while any(prefix + name in taken for name in wanted):
            prefix += PREFIX
        if prefix:
            there = next(name for name in wanted if name in taken)
            self.screen.note(f"the file already has a column {there!r}; the new columns are {prefix}label and so on")
        self.names = {name: prefix + name for name in wanted}

    def results(self, verdicts: Verdicts) -> list[list[Any]]:
        """label, probability, unknown_share and reason of each document."""
        columns = (verdicts.labels, verdicts.probability.tolist(), verdicts.unknown_share.tolist(), verdicts.reasons)
        return [list(row) for row in zip(*columns, strict=True)]


class SeparatedValues(Records):
    """CSV or TSV, with a header line."""

    columns: list[str] | None = None

    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None:
        self.name_results(part)
        write = row_writer(self.file, tabs=self.tabs)
        labels = [self.names[f"P({label})"] for label in self.view.labels] if self.probabilities else []
        names = [self.names[name] for name in NAMES] + labels
        if self.columns is None:
            self.columns = list(dict.fromkeys(name for row in part.rows for name in row)) if part.rows else ["text"]
            write([[*self.columns, *names] if part.rows else [*names, "text"]])
        results = self.results(verdicts)
        if self.probabilities:
            results = [[*row, *each] for row, each in zip(results, verdicts.probabilities.tolist(), strict=True)]
        if part.rows is None:
            write([*row, text] for row, text in zip(results, listed_texts(part.texts), strict=True))
        else:
            write([*self._fields(row), *new] for row, new in zip(part.rows, results, strict=True))

    def _fields(self, row: dict[str, Any]) -> list[Any]:
        assert self.columns is not None
        if list(row) == self.columns:
            return list(row.values())
        if not set(row) <= set(self.columns):
            extra = next(name for name in row if name not in self.columns)
            raise Misuse(
                f"all rows must have the columns of the first, {', '.join(map(repr, self.columns))}, got {extra!r}",
                hint="--format json allows rows with different columns",
            )
        return [row.get(name, "") for name in self.columns]


class Objects(Records):
    """JSON Lines: one object for each document."""

    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None:
        self.name_results(part)
        keys = [self.names[name] for name in NAMES]
        texts = listed_texts(part.texts) if part.rows is None else []
        lines = []
        for place, result in enumerate(self.results(verdicts)):
            before = {"text": texts[place]} if part.rows is None else dict(part.rows[place])
            record = before | dict(zip(keys, result, strict=True))
            if self.probabilities:
                each = zip(map(str, self.view.labels), verdicts.probabilities[place].tolist(), strict=True)
                record[self.names["probabilities"]] = dict(each)
            if self.explain:
                record[self.names["explanation"]] = part.explanation(self.view, place, verdicts).to_dict()
            lines.append(json.dumps(record, ensure_ascii=False, default=str) + "\n")
        self.file.writelines(lines)


def _color(file: TextIO, screen: Screen) -> bool:
    return (screen.colored and file.isatty()) or bool(screen.color)


class Aligned:
    """A table; its columns are as wide as the labels, so that each row can be printed at once."""

    def __init__(self, file: TextIO, view: View, screen: Screen, probabilities: bool) -> None:
        self.file, self.view, self.screen, self.probabilities = painted(file), view, screen, probabilities
        self.color = _color(file, screen)
        longest = max((width(clean(str(label))) for label in view.labels), default=0)
        self.label_cells = min(max(longest, len("label"), len("(none)")), LABEL_CELLS)
        self.begun = False

    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None:
        if not self.begun:
            self.begun = True
            heading = GAP.join(
                [left("label", self.label_cells), "probability", "text" if self.view.schema.is_plain else "document"]
            )
            print(paint(heading, "faint", self.color), file=self.file)
        rows = zip(verdicts.labels, verdicts.probability.tolist(), part.lines(self.view), strict=True)
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
        shown = cut(clean(text), max(self.screen.width - width(start) - len(GAP), 8))
        painted = paint(left(name, self.label_cells), "faint" if label is None else "strong", self.color)
        print((painted + start[len(left(name, self.label_cells)) :] + GAP + shown).rstrip(), file=self.file)

    def _below(self, text: str) -> None:
        for line in wrap(clean(text), self.screen.width - len(GAP)):
            print(paint(GAP + line, "faint", self.color), file=self.file)

    def _all(self, chances: Sequence[float]) -> str:
        pairs = sorted(zip(self.view.labels, chances, strict=True), key=lambda pair: -pair[1])
        return ", ".join(f"{label} {probability(chance)}" for label, chance in pairs)


class ExplainedAnswers:
    """The explanations of the documents, one below the other."""

    def __init__(self, file: TextIO, view: View, screen: Screen) -> None:
        self.file, self.view, self.screen = painted(file), view, screen
        self.begun = False

    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None:
        color = _color(self.file, self.screen)
        for place, line in enumerate(part.lines(self.view)):
            if self.begun:
                print("", file=self.file)
            if len(part) > 1 or self.begun:
                print(paint(cut(clean(line), self.screen.width), "faint", color), file=self.file)
            self.begun = True
            explanation = part.explanation(self.view, place, verdicts)
            print(explanation.to_text(color=color, width=self.screen.width), file=self.file)

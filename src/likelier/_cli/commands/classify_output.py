"""What `likelier classify` prints for people: a table, or explanations. `classify_records` writes files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from likelier._answer.verdict import Verdicts
from likelier._cli.shared.output import GAP, LABEL_CELLS, Screen, painted
from likelier._documents.batch import Batch
from likelier._documents.schema import Schema
from likelier._explain.explanation import Explanation
from likelier._model.view import View
from likelier._read.tabular import Layout
from likelier._show.cells import clean, cut, left, paint, right, width, wrap
from likelier._show.words import probability
from likelier._text.texts import listed_texts, text_at


@dataclass(frozen=True)
class AskedDocument:
    """Some documents to classify.

    texts  of a model of plain texts
    rows   all their columns, if they have names
    batch  of a model with columns
    layout how the file is written that they come from
    """

    texts: Any
    rows: list[dict[str, Any]] | None = None
    batch: Batch | None = None
    layout: Layout | None = None

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


def _color(file: TextIO, screen: Screen) -> bool:
    return (screen.colored and file.isatty()) or bool(screen.color)


class Printed:
    """Something that prints verdicts, part by part."""

    def close(self) -> None:
        """There is nothing to finish."""


class Aligned(Printed):
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


class ExplainedAnswers(Printed):
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

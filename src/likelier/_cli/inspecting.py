"""What `likelier inspect` shows of a whole model: the overview, and all counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likelier._cli.describing import labels_table, pruned_in_words, settings_in_words, size_in_words, text_in_words
from likelier._cli.figures import columns_table, plain_columns, plain_number
from likelier._cli.output import Screen, plural, row_writer, written
from likelier._counts.term_counts import Counts
from likelier._show.cells import clean, paint, wrap
from likelier._storage.provenance import with_selection

if TYPE_CHECKING:
    from likelier._counts.pruning import Pruned
    from likelier._model.models import Model
    from likelier._model.view import View


class Overview:
    """The whole model."""

    def __init__(self, path: Path, model: Model, view: View, top: int) -> None:
        self.path, self.model, self.view, self.top = path, model, view, top

    def lines(self, width: int, color: bool) -> list[str]:
        model = self.model
        words = settings_in_words(self.view.settings, model.schema)
        facts = {
            "size": f"{size_in_words(model)}; {file_size(self.path.stat().st_size)}",
            **({"words": text_in_words(model.schema.only_text)} if model.schema.is_plain else {}),
            "view": ", ".join(f"{name} {value}" for name, value in words.items()),
            **({} if model.pruned is None else {"dropped": pruned_in_words(model.pruned)}),
            "ledger": "none" if model.ledger is None else plural(len(model.ledger), "fingerprint"),
            **dict(_history(model.provenance)),
        }
        lines = [paint(clean(str(self.path)), "strong", color)]
        for name, value in facts.items():
            first, *more = wrap(clean(value), max(width - 10, 20)) or [""]
            lines += [paint(f"{name:<8}", "faint", color) + f"  {first}", *(f"{'':10}{line}" for line in more)]
        if not model.schema.is_plain:
            lines += ["", *columns_table(model, self.view.settings).lines(width, color)]
        if not model.labels:
            return lines
        return [*lines, "", *labels_table(model, self.view, top=self.top).lines(width, color)]

    def plain(self) -> dict[str, Any]:
        model = self.model
        return {
            "file": str(self.path),
            "bytes": self.path.stat().st_size,
            "documents": plain_number(sum(model.counts.documents_per_label.values())),
            **({"terms": model.counts.vocabulary_size} if isinstance(model.counts, Counts) else {}),
            "labels": self._labels(),
            **(
                {"analyzer": model.analyzer.to_dict(), **_counting(model)}
                if model.schema.is_plain
                else {"columns": plain_columns(model, self.view.settings)}
            ),
            "view": self.view.settings.to_dict(),
            **({} if model.pruned is None else {"pruned": _pruned(model.pruned)}),
            "ledger": None if model.ledger is None else len(model.ledger),
            "provenance": with_selection(model.provenance, model.selection),
        }

    def _labels(self) -> list[dict[str, Any]]:
        counts = self.model.counts
        tokens = counts.tokens_per_label if isinstance(counts, Counts) else {}
        return [
            {
                "label": label,
                "documents": plain_number(documents),
                **({"tokens": plain_number(tokens[label])} if tokens else {}),
                "top_terms": [
                    {"term": found.term, "telling": found.telling, "times": plain_number(found.times)}
                    for found in self.view.top_terms(label, self.top)
                ],
            }
            for label, documents in counts.documents_per_label.items()
        ]


def _pruned(pruned: Pruned) -> dict[str, Any]:
    return {"terms": pruned.terms, "tokens": plain_number(pruned.tokens), "bound": plain_number(pruned.bound)}


def _counting(model: Model) -> dict[str, Any]:
    """What is counted beyond what the analyzer says, where there is any."""
    counting = model.schema.only_text.counting_to_plain()
    return {"counting": counting} if counting else {}


def _history(events: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The first event and the last."""
    for name, event in zip(("made", "changed"), events[:1] + (events[1:] and events[-1:]), strict=False):
        sources = f" from {', '.join(event['sources'])}" if event["sources"] else ""
        count = f", {plural(event['documents'], 'document')}" if event["documents"] else ""
        when = event["when"].replace("T", " ").replace("+00:00", " UTC")
        yield name, f"{when} by {event['what']}{sources}{count}, likelier {event['likelier']}"


def file_size(size: int) -> str:
    """Bytes as people say them.

    >>> file_size(900), file_size(52_000), file_size(7_300_000)
    ('900 bytes', '52 KB', '7.3 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size / 1e3:.0f} KB"


def export(model: Model, path: Path, screen: Screen, column: str | None = None) -> None:
    """All counts as rows of term, label, tf and df, sorted by term and label; with columns, of each of them."""
    rows, counts = 0, model.counts
    with written(path) as file:
        write = row_writer(file, tabs=path.suffix.lower() == ".tsv")
        names: tuple[str, ...] = ("term", "label", "tf", "df")
        write([names if model.schema.is_plain else ("column", *names)])
        for *before, tf, df in counts.cells() if isinstance(counts, Counts) else counts.cells(column):
            write([(*before, plain_number(tf), plain_number(df))])
            rows += 1
    if str(path) != "-":
        screen.done(f"wrote {plural(rows, 'row')} to {path}")

"""`likelier inspect`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from likelier._cli.commands.inspect_columns import columns_table, one_column, plain_columns, plain_labels, plain_number
from likelier._cli.commands.inspect_terms import LabelRatios, TermFigures
from likelier._cli.shared.failures import Misuse, keeps
from likelier._cli.shared.options import Count, as_label, json_option, listed, model_argument, screen_options, unknown
from likelier._cli.shared.output import Screen, plural
from likelier._cli.shared.program import command, option
from likelier._cli.shared.targets import NewFile, Result, row_writer, show, written
from likelier._cli.shared.view_options import ViewOptions, view_options
from likelier._counts.in_words import labels_table, pruned_in_words, size_in_words
from likelier._model.models import Model, load
from likelier._model.view import View
from likelier._settings.in_words import settings_in_words, text_in_words
from likelier._show.cells import clean, paint, wrap
from likelier._storage.provenance import BY, with_selection


@command(
    usage="MODEL [OPTIONS]",
    examples=[
        "likelier inspect shop.likelier",
        "likelier inspect shop.likelier --term parcel",
        "likelier inspect shop.likelier --ratio delivery returns --top 5",
        "likelier inspect tickets.likelier --column days",
        "likelier inspect shop.likelier --export counts.csv",
    ],
)
@model_argument
@option(
    "--column",
    metavar="COLUMN",
    group="Question",
    help="Show one column, or restrict --term, --ratio and --export to it.",
)
@option("--term", metavar="WORD", group="Question", help="Show the counts and exact likelihoods of WORD.")
@option(
    "--ratio",
    nargs=2,
    metavar="A B",
    group="Question",
    help="Show the terms with the strongest evidence for label A over B, and vice versa.",
)
@option("--top", type=Count(0), default=10, group="Question", help="Number of terms to show. Default: 10.")
@option(
    "--export",
    type=NewFile("counts.csv"),
    group="Question",
    help="Write all counts (term, label, tf, df) to FILE, as CSV or TSV by its name; - is stdout.",
)
@view_options
@json_option
@screen_options
def inspect(
    model: Path,
    column: str | None,
    term: str | None,
    ratio: tuple[str, str] | None,
    top: int,
    export: Path | None,
    view: ViewOptions,
    as_json: bool,
    screen: Screen,
) -> None:
    """Show the contents of a model: labels, terms, settings, counts.

    By default: size, history, settings, columns, and the most telling terms of each label.
    For a column: the likelihoods of its values, the mean and standard deviation of its
    numbers, or the most telling terms of its texts. View options apply to this command only
    and are not stored.
    """
    if sum(question is not None for question in (term, ratio or None, export)) > 1:
        raise Misuse(
            "--term, --ratio and --export are mutually exclusive", hint=f"likelier inspect {model} --term WORD"
        )
    loaded = load(model)
    asked = view.of(loaded)
    if column is not None and column not in loaded.schema.columns:
        raise unknown("column", column, list(loaded.schema.columns))
    if term is not None and column is None and len(loaded.schema.columns) > 1:
        raise Misuse(
            f"--term requires --column, one of {listed(loaded.schema.columns)}",
            hint=f"likelier inspect {model} --column {shlex.quote(next(iter(loaded.schema.columns)))}"
            f" --term {shlex.quote(term)}",
        )
    if export is not None:
        with keeps(export):
            _export(loaded, export, screen, column)
        return
    found: Result
    if term is not None:
        found = TermFigures(asked, term, column)
    elif ratio:
        one, two = (as_label(each, loaded.labels) for each in ratio)
        found = LabelRatios(asked, one, two, top, column)
    elif column is not None:
        found = one_column(asked, column, top)
    else:
        found = Overview(model, loaded, asked, top)
    show(found, screen, as_json=as_json)


EVENTS = 5  # of the last ones that are shown
PRUNED = ("terms", "tokens", "bound")


class Overview:
    """The whole model."""

    def __init__(self, path: Path, model: Model, view: View, top: int) -> None:
        self.path, self.model, self.view, self.top = path, model, view, top

    def lines(self, room: int, color: bool) -> list[str]:
        model = self.model
        words = settings_in_words(self.view.settings, model.schema)
        facts = {
            "size": f"{size_in_words(model.counts)}; {file_size(self.path.stat().st_size)}",
            **({"words": text_in_words(model.schema.only_text)} if model.schema.is_plain else {}),
            **({} if model.schema.text is None else {"texts": f"column {model.schema.text!r}"}),
            "view": ", ".join(f"{name} {value}" for name, value in words.items()),
            **({} if model.layer is None else {"refined": str(model.layer)}),
            **({} if model.pruned is None else {"dropped": pruned_in_words(model.pruned)}),
            "ledger": "none" if model.ledger is None else plural(len(model.ledger), "fingerprint"),
        }
        lines = [paint(clean(str(self.path)), "strong", color)]
        for name, value in [*facts.items(), *_history(model.provenance)]:
            first, *more = wrap(clean(value), max(room - 10, 20)) or [""]
            lines += [paint(f"{name:<8}", "faint", color) + f"  {first}", *(f"{'':10}{line}" for line in more)]
        if not model.schema.is_plain:
            lines += ["", *columns_table(model, self.view.settings).lines(room, color)]
        if not model.labels:
            return lines
        return [*lines, "", *labels_table(model.counts, self.view.top_terms, top=self.top).lines(room, color)]

    def plain(self) -> dict[str, Any]:
        model, pruned = self.model, self.model.pruned
        counting = model.schema.only_text.counting_to_plain() if model.schema.is_plain else {}
        return {
            "file": str(self.path),
            "bytes": self.path.stat().st_size,
            "documents": plain_number(sum(model.counts.documents_per_label.values())),
            **({"terms": model.counts.vocabulary_size} if model.schema.is_plain else {}),
            "labels": plain_labels(model.counts, self.view.top_terms, self.top),
            **(
                {"analyzer": model.analyzer.to_dict(), **({"counting": counting} if counting else {})}
                if model.schema.is_plain
                else {"columns": plain_columns(model, self.view.settings)}
            ),
            **({} if model.schema.text is None else {"text_column": model.schema.text}),
            "view": self.view.settings.to_dict(),
            **({} if model.layer is None else {"refined": model.layer.to_dict()}),
            **({} if pruned is None else {"pruned": {name: plain_number(getattr(pruned, name)) for name in PRUNED}}),
            "ledger": None if model.ledger is None else len(model.ledger),
            "provenance": with_selection(model.provenance, model.selection),
        }


def _history(events: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The first event and the last ones, each on a line of its own."""
    last = events[1:][-EVENTS:]
    for event in events[:1]:
        yield "created", _event(event)
    if len(events) > EVENTS + 1:
        yield "changed", f"... {plural(len(events) - EVENTS - 1, 'earlier event')}; --json shows all"
    for place, event in enumerate(last):
        yield "" if place or len(events) > EVENTS + 1 else "changed", _event(event)


def _event(event: dict[str, Any]) -> str:
    sources = f" from {', '.join(event['sources'])}" if event["sources"] else ""
    count = f", {plural(event['documents'], 'document')}" if event["documents"] else ""
    who = f", by {event[BY]}" if BY in event else ""
    when = event["when"].replace("T", " ").replace("+00:00", " UTC")
    return f"{when}, {event['what']}{sources}{count}{who}, likelier {event['likelier']}"


def file_size(size: int) -> str:
    """A file size.

    >>> file_size(900), file_size(52_000), file_size(7_300_000)
    ('900 bytes', '52 KB', '7.3 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size / 1e3:.0f} KB"


def _export(model: Model, path: Path, screen: Screen, column: str | None = None) -> None:
    """Write all counts as rows of term, label, tf and df, sorted by term and label; with columns, for each of them."""
    rows, counts = 0, model.counts
    with written(path) as file:
        write = row_writer(file, tabs=path.suffix.lower() == ".tsv")
        plain = model.schema.is_plain
        write([("term", "label", "tf", "df") if plain else ("column", "term", "label", "tf", "df")])
        for name in counts.columns if column is None else [column]:
            for term, label, tf, df in counts.cells(name):
                write([(*([] if plain else [name]), term, label, plain_number(tf), plain_number(df))])
                rows += 1
    if str(path) != "-":
        screen.done(f"wrote {plural(rows, 'row')} to {path}")

"""What `likelier inspect` shows: the overview, one term, two labels against each other, all counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likelier.cli.describing import analyzer_in_words, labels_table, settings_in_words, size_in_words
from likelier.cli.failures import Misuse
from likelier.cli.output import LABEL_CELLS, Screen, Table, plural, row_writer, whole, written
from likelier.errors import LikelierError
from likelier.explain.cells import clean, paint, wrap
from likelier.explain.table import probability, signed

if TYPE_CHECKING:
    from likelier.counts.labels import Label
    from likelier.model import Model
    from likelier.view import View


class Overview:
    """The whole model."""

    def __init__(self, path: Path, model: Model, view: View, top: int) -> None:
        self.path, self.model, self.view, self.top = path, model, view, top

    def lines(self, width: int, color: bool) -> list[str]:
        model = self.model
        words = settings_in_words(self.view.settings)
        facts = {
            "size": f"{size_in_words(model)}; {file_size(self.path.stat().st_size)}",
            "words": analyzer_in_words(model.analyzer),
            "view": ", ".join(f"{name} {value}" for name, value in words.items()),
            "ledger": "none" if model.ledger is None else plural(len(model.ledger), "fingerprint"),
            **dict(_history(model.provenance)),
        }
        lines = [paint(clean(str(self.path)), "strong", color)]
        for name, value in facts.items():
            first, *more = wrap(clean(value), max(width - 10, 20)) or [""]
            lines += [paint(f"{name:<8}", "faint", color) + f"  {first}", *(f"{'':10}{line}" for line in more)]
        if not model.labels:
            return lines
        return [*lines, "", *labels_table(model, self.view, top=self.top).lines(width, color)]

    def plain(self) -> dict[str, Any]:
        model = self.model
        documents, tokens = model.counts.documents_per_label, model.counts.tokens_per_label
        return {
            "file": str(self.path),
            "bytes": self.path.stat().st_size,
            "documents": _number(sum(documents.values())),
            "terms": model.counts.vocabulary_size,
            "labels": [
                {
                    "label": label,
                    "documents": _number(documents[label]),
                    "tokens": _number(tokens[label]),
                    "top_terms": [
                        {"term": found.term, "telling": found.telling, "times": _number(found.times)}
                        for found in self.view.top_terms(label, self.top)
                    ],
                }
                for label in model.labels
            ],
            "analyzer": model.analyzer.to_dict(),
            "view": self.view.settings.to_dict(),
            "ledger": None if model.ledger is None else len(model.ledger),
            "provenance": model.provenance,
        }


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


def _number(value: Any) -> int | float:
    return value if isinstance(value, int) else float(value)


class Term:
    """One term under each label."""

    def __init__(self, view: View, word: str) -> None:
        self.view = view
        self.term = word
        if view.counts.find(word) is None:
            made = view.analyzer.terms(word)
            if len(made) == 1:
                self.term = made[0]
        if view.counts.find(self.term) is None and view.settings.unknown == "ignore":
            raise Misuse(
                f"{word!r} is not among the {plural(view.counts.vocabulary_size, 'term')} of this model",
                hint="--unknown smooth shows what likelihood an unknown term has",
            )

    def rows(self) -> list[tuple[Label, Any, Any, Any]]:
        """label, tf, df, likelihood."""
        counts = self.view.counts
        return [
            (label, counts.of(self.term, label), counts.of(self.term, label, "df"), self._likelihood(label))
            for label in self.view.labels
        ]

    def _likelihood(self, label: Label) -> Any:
        try:
            return self.view.likelihood(self.term, label)
        except LikelierError as error:
            if error.code != "term-unknown":
                raise
            return None  # in the counts, but too rare for this view

    def lines(self, width: int, color: bool) -> list[str]:
        what = {"bernoulli": "P(t=1|c)", "complement": "P(t|not c)"}.get(self.view.settings.event, "P(t|c)")
        rows = [
            (str(label), whole(tf), whole(df), "" if chance is None else probability(float(chance)), str(chance or 0))
            for label, tf, df, chance in self.rows()
        ]
        if all(chance is None for _, _, _, chance in self.rows()):
            rows = [(*row[:3], "left out", "") for row in rows]
        table = Table(
            ("label", "tf", "df", what, "exact"), rows, numbers=frozenset({1, 2, 3}), limits=((0, LABEL_CELLS),)
        )
        title = f"{clean(self.term)}: tf is how often it stands in the label's documents, df in how many of them"
        return [*wrap(title, width), "", *table.lines(width, color)]

    def plain(self) -> dict[str, Any]:
        labels = [
            {
                "label": label,
                "tf": _number(tf),
                "df": _number(df),
                "likelihood": None if chance is None else float(chance),
                "exact": None if chance is None else str(chance),
            }
            for label, tf, df, chance in self.rows()
        ]
        return {"term": self.term, "event": self.view.settings.event, "labels": labels}


class Ratio:
    """Two labels against each other: log P(t|a)/P(t|b)."""

    def __init__(self, view: View, one: Label, two: Label, top: int) -> None:
        if one == two:
            raise Misuse("--ratio compares two labels, got one twice", hint="--ratio A B")
        self.view, self.one, self.two = view, one, two
        ratios = list(view.log_ratios(one, two).items())
        self.speaks_for_one = [pair for pair in ratios if pair[1] > 0][:top]  # they come sorted
        self.speaks_for_two = sorted((p for p in ratios if p[1] < 0), key=lambda p: (p[1], p[0]))[:top]
        self.prior = view.log_prior_ratio(one, two)

    def lines(self, width: int, color: bool) -> list[str]:
        lines = wrap(
            f"log of how many times as likely under {clean(str(self.one))} as under {clean(str(self.two))}", width
        )
        lines += [f"prior: {signed(self.prior)}"]
        for label, pairs in ((self.one, self.speaks_for_one), (self.two, self.speaks_for_two)):
            rows = [(signed(ratio), _times(ratio), term) for term, ratio in pairs]
            table = Table(("log ratio", "times", f"speaks for {label}"), rows, numbers=frozenset({0, 1}))
            lines += ["", *table.lines(width, color)]
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
            "for_first": listed(self.speaks_for_one),
            "for_second": listed(self.speaks_for_two),
        }


def _times(ratio: float) -> str:
    """How many times as likely; a large one by its order of magnitude."""
    if math.isinf(ratio):
        return "only"
    return f"{math.exp(abs(ratio)):.3g}" if abs(ratio) < 13 else f"10^{abs(ratio) / math.log(10):.0f}"


def export(model: Model, path: Path, screen: Screen) -> None:
    """All counts as rows of term, label, tf and df, sorted by term and label."""
    rows = 0
    with written(path) as file:
        write = row_writer(file, tabs=path.suffix.lower() == ".tsv")
        write([("term", "label", "tf", "df")])
        for term, label, tf, df in model.counts.cells():
            write([(term, label, _number(tf), _number(df))])
            rows += 1
    if str(path) != "-":
        screen.done(f"wrote {plural(rows, 'row')} to {path}")

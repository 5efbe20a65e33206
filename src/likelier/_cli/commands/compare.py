"""`likelier compare`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import ReadingOptions, labeled_options
from likelier._cli.shared.methods import labeled_documents, learned, note_fitted, note_not_new
from likelier._cli.shared.options import screen_options, threads_option
from likelier._cli.shared.output import Screen, Table, documents_in_words
from likelier._cli.shared.program import command
from likelier._cli.shared.targets import format_option, is_json, output_option, show
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.figures.comparison import Comparison
from likelier._evaluate.run import evaluate
from likelier._model.models import Model, load
from likelier._show.cells import clean, wrap


@dataclass(frozen=True)
class ScreenOnce(Screen):
    """Prints every note once: most are the same for two models that read a file."""

    shown: set[str] = field(default_factory=set)

    def note(self, text: str) -> None:
        if text not in self.shown:
            self.shown.add(text)
            super().note(text)


@dataclass(frozen=True)
class Compared:
    """The two models, evaluated.

    methods  leave-one-out for a model that has learned the documents, else held-out
    """

    paths: tuple[Path, Path]
    methods: list[str]
    evaluations: list[Evaluation]

    @property
    def comparison(self) -> Comparison:
        one, two = (each.figures for each in self.evaluations)
        return one.compare(two, names=(str(self.paths[0]), str(self.paths[1])))

    def plain(self) -> dict[str, Any]:
        return {**self.comparison.to_dict(), "methods": self.methods}

    def lines(self, room: int, color: bool) -> list[str]:
        rows = [
            (str(path), f"{found.accuracy.share * 100:.2f} %", f"{found.log_loss.loss:.4f}", method)
            for path, method, found in zip(
                self.paths, self.methods, (each.figures for each in self.evaluations), strict=True
            )
        ]
        table = Table(("model", "accuracy", "log loss", "method"), rows, numbers=frozenset({1, 2}))
        comparison = self.comparison
        number = comparison.documents
        return [
            documents_in_words(int(number) if number.is_integer() else number),
            "",
            *table.lines(room, color),
            "",
            *(line for text in str(comparison).splitlines() for line in wrap(clean(text), room)),
        ]


@command(
    usage="MODEL_A MODEL_B FILE... [OPTIONS]",
    examples=[
        "likelier compare shop.likelier shop2.likelier messages.tsv",
        "likelier compare shop.likelier tickets.likelier tickets.csv --label team --format json",
    ],
)
@click.argument("models", nargs=2, metavar="MODEL_A MODEL_B", type=click.Path(path_type=Path))
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@format_option
@output_option("comparison.json")
@labeled_options
@threads_option
@screen_options
def compare(
    models: tuple[Path, Path],
    files: tuple[str, ...],
    form: str | None,
    output: Path | None,
    reading: ReadingOptions,
    threads: int | None,
    screen: Screen,
) -> None:
    """Compare two models, with significance tests.

    Both classify the labeled documents of FILE. A model that has learned them classifies
    each by the counts without it: leave-one-out. Accuracies are compared by McNemar's exact
    test, log losses by a permutation test.
    """
    one, two = (load(path) for path in models)
    if reading.given["text"] is not None and not (one.schema.is_plain or two.schema.is_plain):
        raise Misuse("--text names the column of plain texts, but both models have columns", hint="omit --text")
    once = ScreenOnce(screen.color, screen.quiet)
    found = [
        _evaluated(path, model, files, reading, threads, once) for path, model in zip(models, (one, two), strict=True)
    ]
    methods, evaluations = zip(*found, strict=True)
    show(Compared(models, list(methods), list(evaluations)), screen, as_json=is_json(form, output), output=output)


def _evaluated(
    path: Path, model: Model, files: tuple[str, ...], reading: ReadingOptions, threads: int | None, screen: Screen
) -> tuple[str, Evaluation]:
    reading = reading if model.schema.is_plain else reading.with_columns(text=None)
    with labeled_documents(model, files, reading, screen) as (documents, report):
        known = learned(model, documents, threads)
        report()
        method: Any = "leave-one-out" if known is not None and known.every and known.documents else "held-out"
        if method == "held-out":
            note_not_new(known, path, screen)
        note_fitted(method, model.view(), model, path, screen)
        return method, evaluate(model.view(), documents, method=method, threads=threads)

"""`likelier compare`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier._cli.columns import label_option, text_option
from likelier._cli.failures import Misuse
from likelier._cli.judging import Way, labelled_documents, learnt, say_fitted, say_not_new
from likelier._cli.options import ReadingOptions, reading_options, screen_options, threads_option
from likelier._cli.output import Screen, Table, columns, documents_in_words, painted, wants_color, written
from likelier._cli.program import command, option
from likelier._cli.targets import NewFile
from likelier._show.cells import clean, wrap

if TYPE_CHECKING:
    from likelier._evaluate.evaluation import Evaluation
    from likelier._evaluate.figures.comparison import Comparison
    from likelier._model.models import Model

FORMATS = ("table", "json")


@dataclass(frozen=True)
class Once(Screen):
    """Says every note once: of two models that read a file, most are the same."""

    said: set[str] = field(default_factory=set)

    def note(self, text: str) -> None:
        if text not in self.said:
            self.said.add(text)
            super().note(text)


@dataclass(frozen=True)
class Judged:
    """One of the two models, judged.

    method  leave-one-out where it has learnt the documents, held-out otherwise
    """

    path: Path
    method: str
    evaluation: Evaluation


@command(
    usage="MODEL_A MODEL_B FILE... [OPTIONS]",
    examples=[
        "likelier compare shop.likelier shop2.likelier messages.tsv",
        "likelier compare shop.likelier tickets.likelier tickets.csv --label team --format json",
    ],
)
@click.argument("models", nargs=2, metavar="MODEL_A MODEL_B", type=click.Path(path_type=Path))
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--format", "form", type=click.Choice(FORMATS), group="Output", help="table is the default; a name may say json."
)
@option(
    "--output",
    "-o",
    type=NewFile("comparison.json"),
    metavar="FILE",
    group="Output",
    help="Write to a file, when complete.",
)
@text_option
@label_option
@reading_options
@threads_option
@screen_options
def compare(
    models: tuple[Path, Path],
    files: tuple[str, ...],
    form: str | None,
    output: Path | None,
    text: str | None,
    label: str | None,
    reading: ReadingOptions,
    threads: int | None,
    screen: Screen,
) -> None:
    """Say which of two models is better, and whether the difference can be chance.

    Both judge the documents of FILE, whose labels are known. A model that has learnt them
    judges each as if it had not: leave-one-out. The test for right and wrong verdicts is
    McNemar's, exact; for the log loss of the probabilities, signs are flipped at random.
    """
    from likelier._cli.models import load

    one, two = (load(path) for path in models)
    if text is not None and not (one.schema.is_plain or two.schema.is_plain):
        raise Misuse("--text names the column of plain texts, and both models have columns", hint="leave --text out")
    once = Once(screen.color, screen.quiet)
    judged = [
        _judged(path, model, files, text if model.schema.is_plain else None, label, reading, threads, once)
        for path, model in zip(models, (one, two), strict=True)
    ]
    names = (str(models[0]), str(models[1]))
    comparison = judged[0].evaluation.figures.compare(judged[1].evaluation.figures, names=names)
    as_json = form == "json" or (form is None and output is not None and output.suffix.lower() == ".json")
    with written(output) as file:
        if as_json:
            print(json.dumps(_plain(judged, comparison), ensure_ascii=False, allow_nan=False), file=file)
        else:
            color = wants_color(file, screen.color) if output is None else bool(screen.color)
            print("\n".join(_lines(judged, comparison, columns(file), color)), file=painted(file))


def _judged(
    path: Path,
    model: Model,
    files: tuple[str, ...],
    text: str | None,
    label: str | None,
    reading: ReadingOptions,
    threads: int | None,
    screen: Screen,
) -> Judged:
    from likelier._cli.models import told
    from likelier._evaluate.run import evaluate

    documents = labelled_documents(model, files, text, label, reading)
    with told(documents.source, reading, screen) as say:
        known = learnt(model, documents, threads)
        say()
        method: Any = "leave-one-out" if known is not None and known.every and known.documents else "held-out"
        if method == "held-out":
            say_not_new(known, path, screen)
        say_fitted(Way(method), model.view(), model, path, screen)
        return Judged(path, method, evaluate(model.view(), documents, method=method, threads=threads))


def _plain(judged: list[Judged], comparison: Comparison) -> dict[str, Any]:
    return {**comparison.to_dict(), "methods": [each.method for each in judged]}


def _lines(judged: list[Judged], comparison: Comparison, room: int, color: bool) -> list[str]:
    rows = [
        (
            str(each.path),
            f"{each.evaluation.figures.accuracy.share * 100:.2f} %",
            f"{each.evaluation.figures.log_loss.loss:.4f}",
            each.method,
        )
        for each in judged
    ]
    table = Table(("model", "accuracy", "log loss", "judged"), rows, numbers=frozenset({1, 2}))
    number = comparison.documents
    return [
        documents_in_words(int(number) if number.is_integer() else number),
        "",
        *table.lines(room, color),
        "",
        *(line for said in str(comparison).splitlines() for line in wrap(clean(said), room)),
    ]

"""`likelier evaluate`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier._cli.columns import label_option, text_option
from likelier._cli.failures import keeps
from likelier._cli.goals import goals_of, plain_thresholds, thresholds, thresholds_lines, without_fallback
from likelier._cli.judging import (
    Groups,
    Way,
    check_learnt,
    check_report,
    labelled_documents,
    learnt,
    say_fitted,
    way_options,
)
from likelier._cli.options import (
    ReadingOptions,
    model_argument,
    reading_options,
    screen_options,
    threads_option,
    view_options,
)
from likelier._cli.output import Screen, columns, painted, wants_color, written
from likelier._cli.program import command, option
from likelier._cli.targets import NewFile
from likelier._cli.viewing import ViewOptions, say_without_effect
from likelier._show.cells import wrap

if TYPE_CHECKING:
    from likelier._evaluate.evaluation import Evaluation, Mistake
    from likelier._evaluate.figures.thresholds import Threshold
    from likelier._model.models import Model
    from likelier._model.view import View

FORMATS = ("table", "json")
number_of_documents = click.IntRange(min=0)


@dataclass(frozen=True)
class Findings:
    """What is printed; None where it was not asked for."""

    model: Path
    files: tuple[str, ...]
    view: ViewOptions
    evaluation: Evaluation
    thresholds: Sequence[Threshold]
    mistakes: list[Mistake] | None
    label_errors: list[Mistake] | None

    def lines(self, room: int, color: bool) -> list[str]:
        """For people."""
        from likelier._cli.mistakes import mistakes_lines

        how, *figures = str(self.evaluation).splitlines()
        lines = [*wrap(how, room), *figures, *thresholds_lines(self.thresholds, self.model, self.view, room)]
        if self.mistakes is not None:
            lines += mistakes_lines("most confident mistakes", "no mistakes", self.mistakes, room, color)
        if self.label_errors is not None:
            title, none = "labels that may be wrong", "no label seems to be wrong"
            lines += mistakes_lines(title, none, self.label_errors, room, color)
        return lines

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        from likelier._cli.mistakes import plain_mistakes

        found: dict[str, Any] = {"model": str(self.model), "files": list(self.files)}
        found |= {"settings": self.evaluation.view.settings.to_dict(), **self.evaluation.to_dict()}
        found["thresholds"] = plain_thresholds(self.thresholds, self.model, self.view)
        for name, some in (("mistakes", self.mistakes), ("label_errors", self.label_errors)):
            if some is not None:
                found[name] = plain_mistakes(some)
        return found


@command(
    usage="MODEL FILE... [OPTIONS]",
    examples=[
        "likelier evaluate shop.likelier messages.tsv",
        "likelier evaluate shop.likelier messages.tsv --mistakes 5 --label-errors 5",
        "likelier evaluate shop.likelier messages.tsv --folds 5 --event bernoulli",
        "likelier evaluate tickets.likelier tickets.csv --numbers information",
        "likelier evaluate shop.likelier messages.tsv --target billing:precision=0.95",
        "likelier evaluate shop2.likelier messages.tsv --method time-ordered --output figures.json",
    ],
)
@model_argument
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@way_options
@option(
    "--target",
    "targets",
    multiple=True,
    metavar="LABEL:GOAL=NUMBER",
    group="Judging",
    help="Find the threshold for LABEL that reaches a goal: false-positive-rate=0.001 (at most 0.1 % of the other"
    " documents get LABEL), precision=0.99, recall=0.9, f=1 (the best F1), or LABEL:cost with --cost. Repeatable.",
)
@option(
    "--mistakes",
    type=number_of_documents,
    metavar="N",
    group="Output",
    help="Also the most confident mistakes, with what speaks for them.",
)
@option(
    "--label-errors",
    type=number_of_documents,
    metavar="N",
    group="Output",
    help="Also documents whose label may be wrong: their verdict is another one, from probability 0.9 on.",
)
@option(
    "--format", "form", type=click.Choice(FORMATS), group="Output", help="table is the default; a name may say json."
)
@option(
    "--output",
    "-o",
    type=NewFile("figures.json"),
    metavar="FILE",
    group="Output",
    help="Write to a file, when complete.",
)
@option(
    "--report",
    type=NewFile("report.html"),
    metavar="FILE",
    group="Output",
    help="Also a page for the browser, with diagrams; it needs no network.",
)
@text_option
@label_option
@reading_options
@view_options
@threads_option
@screen_options
def evaluate(
    model: Path,
    files: tuple[str, ...],
    way: Way,
    targets: tuple[str, ...],
    mistakes: int | None,
    label_errors: int | None,
    form: str | None,
    output: Path | None,
    report: Path | None,
    text: str | None,
    label: str | None,
    reading: ReadingOptions,
    view: ViewOptions,
    threads: int | None,
    screen: Screen,
) -> None:
    r"""Say how good a model is, on documents whose labels are known.

    Each document is judged by a model that has not seen it:

    \b
    leave-one-out  FILE has documents that the model has learnt, and each is
                   judged by the counts without it: exact, not trained again
    folds          the same, a tenth of the documents at a time
    held-out       FILE has documents that the model has not learnt
    time-ordered   each by a model of those before it in FILE

    A model knows what it has learnt, and refuses the wrong way. Nothing in it is changed:
    view options hold for this question only, so settings can be tried.
    """
    from likelier._cli.models import load, told
    from likelier._evaluate.run import evaluate as judged

    way.check()
    check_report(report)
    loaded = load(model)
    goals = goals_of(targets, view, loaded.labels)
    asked = without_fallback(view, goals).of(loaded)
    with keeps(report), keeps(output):
        groups = None if way.group is None else Groups(way.group)
        documents = labelled_documents(loaded, files, text, label, reading, groups)
        with told(documents.source, reading, screen) as say:
            if way.chosen != "time-ordered":
                known = learnt(loaded, documents, threads)
                say()
                check_learnt(known, way, model, screen)
            evaluation = judged(asked, documents, threads=threads, **way.arguments(groups))
            found = Findings(
                model,
                files,
                view,
                evaluation,
                thresholds(evaluation, goals, view),
                None if mistakes is None else evaluation.mistakes(mistakes),
                None if label_errors is None else evaluation.label_errors(label_errors),
            )
            say_fitted(way, asked, loaded, model, screen)
            say_without_effect(view, loaded.schema, screen)
            _print(found, form or _format(output), output, screen)
            if report is not None:
                _save_report(found, _tried(loaded, asked), report, screen)


def _tried(model: Model, view: View) -> list[tuple[str, str, bool]]:
    """The settings that were tried when the model was trained, and whether they are those that are judged here."""
    tried = [] if model.selection is None else model.selection.tried
    same = view.settings.scores_like(model.settings)
    return [(each.settings, f"{100 * each.accuracy:.2f} %", each.chosen and same) for each in tried]


def _format(output: Path | None) -> str:
    return "json" if output is not None and output.suffix.lower() in (".json", ".jsonl") else "table"


def _print(found: Findings, form: str, output: Path | None, screen: Screen) -> None:
    with written(output) as file:
        if form == "json":
            print(json.dumps(found.plain(), ensure_ascii=False, allow_nan=False), file=file)
            return
        color = wants_color(file, screen.color) if output is None else bool(screen.color)
        print("\n".join(found.lines(columns(file), color)), file=painted(file))


def _save_report(found: Findings, tried: list[tuple[str, str, bool]], report: Path, screen: Screen) -> None:
    from likelier._evaluate.report.page import save_report

    title = f"{found.model.name} on {', '.join(Path(name).name for name in found.files)}"
    today = f"{date.today():%Y-%m-%d}"
    save_report(report, found.evaluation, title=title, date=today, tried=tried, tried_by="right, leave-one-out")
    screen.done(f"wrote {report}")

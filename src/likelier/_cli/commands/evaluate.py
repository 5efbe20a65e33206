"""`likelier evaluate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import click

from likelier._cli.commands.evaluate_thresholds import Targets, plain_thresholds, thresholds_lines
from likelier._cli.shared.failures import keeps
from likelier._cli.shared.file_options import ReadingOptions, labeled_options
from likelier._cli.shared.methods import (
    Groups,
    MethodOptions,
    check_learned,
    check_report,
    labeled_documents,
    learned,
    method_options,
    note_fitted,
)
from likelier._cli.shared.options import Count, model_argument, screen_options, threads_option
from likelier._cli.shared.output import GAP, Screen
from likelier._cli.shared.program import command, option
from likelier._cli.shared.targets import format_option, is_json, output_option, report_option, show
from likelier._cli.shared.view_options import ViewOptions, view_options, warn_without_effect
from likelier._evaluate.evaluation import Evaluation, Mistake
from likelier._evaluate.figures.thresholds import Threshold
from likelier._evaluate.run import evaluate as run
from likelier._explain.explanation import Explanation
from likelier._model.models import Model, load
from likelier._model.view import View
from likelier._show.cells import clean, cut, paint, wrap
from likelier._show.words import probability

SPEAKING = 5  # terms or values to name for each label


@dataclass(frozen=True)
class Findings:
    """The results; None if not requested."""

    model: Path
    files: tuple[str, ...]
    view: ViewOptions
    evaluation: Evaluation
    thresholds: Sequence[Threshold]
    mistakes: list[Mistake] | None
    label_errors: list[Mistake] | None

    def lines(self, room: int, color: bool) -> list[str]:
        how, *figures = str(self.evaluation).splitlines()
        lines = [*wrap(how, room), *figures, *thresholds_lines(self.thresholds, self.model, self.view, room)]
        if self.mistakes is not None:
            lines += mistakes_lines("most confident errors", "no errors", self.mistakes, room, color)
        if self.label_errors is not None:
            title, none = "possible label errors", "no possible label errors"
            lines += mistakes_lines(title, none, self.label_errors, room, color)
        return lines

    def plain(self) -> dict[str, Any]:
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
@method_options
@option(
    "--target",
    "targets",
    multiple=True,
    metavar="LABEL:GOAL=NUMBER",
    group="Method",
    help="Find the probability threshold for LABEL that reaches a goal: false-positive-rate=0.001 (at most 0.1 % of the"
    " other documents; short: fpr), precision=0.99, recall=0.9, f=1 (maximum F1), or LABEL:cost (minimum cost, with"
    " --cost). Repeatable.",
)
@option("--mistakes", type=Count(0), group="Output", help="Show the N most confident errors, with their main evidence.")
@option(
    "--label-errors",
    type=Count(0),
    group="Output",
    help="Show N documents that may be mislabeled: another label has probability 0.9 or more.",
)
@format_option
@output_option("figures.json")
@report_option
@labeled_options
@view_options
@threads_option
@screen_options
def evaluate(
    model: Path,
    files: tuple[str, ...],
    way: MethodOptions,
    targets: tuple[str, ...],
    mistakes: int | None,
    label_errors: int | None,
    form: str | None,
    output: Path | None,
    report: Path | None,
    reading: ReadingOptions,
    view: ViewOptions,
    threads: int | None,
    screen: Screen,
) -> None:
    r"""Evaluate a model on labeled documents.

    Each document is classified without having been learned:

    \b
    leave-one-out  for documents the model has learned: each is classified by
                   the counts without it, exactly and without retraining
    folds          the same, for a tenth of the documents at a time
    held-out       for documents the model has not learned
    time-ordered   each is classified by the documents before it in FILE

    The model knows which documents it has learned and refuses the wrong method. It is not
    changed: view options apply to this command only, to try out settings.
    """
    way.check()
    check_report(report)
    loaded = load(model)
    sought = Targets(targets, view, loaded.labels)
    asked = sought.view.of(loaded)
    groups = None if way.group is None else Groups(way.group)
    with (
        keeps(report),
        keeps(output),
        labeled_documents(loaded, files, reading, screen, groups) as (documents, note),
    ):
        if way.chosen != "time-ordered":
            known = learned(loaded, documents, threads)
            note()
            check_learned(known, way, model, screen)
        evaluation = run(asked, documents, threads=threads, **way.arguments(groups))
        found = Findings(
            model,
            files,
            view,
            evaluation,
            sought.thresholds(evaluation),
            None if mistakes is None else evaluation.mistakes(mistakes),
            None if label_errors is None else evaluation.label_errors(label_errors),
        )
        note_fitted(way.chosen, asked, loaded, model, screen)
        warn_without_effect(view, loaded.schema, screen)
        show(found, screen, as_json=is_json(form, output), output=output)
        if report is not None:
            _save_report(found, _tried(loaded, asked), report, screen)


def _tried(model: Model, view: View) -> list[tuple[str, str, bool]]:
    """The settings tried in training, with their accuracy, and whether they are those evaluated here."""
    tried = [] if model.selection is None else model.selection.tried
    same = view.settings.scores_like(model.settings)
    return [(each.settings, f"{100 * each.accuracy:.2f} %", each.chosen and same) for each in tried]


def _save_report(found: Findings, tried: list[tuple[str, str, bool]], report: Path, screen: Screen) -> None:
    from likelier._evaluate.report.page import save_report

    title = f"{found.model.name} on {', '.join(Path(name).name for name in found.files)}"
    today = f"{date.today():%Y-%m-%d}"
    save_report(report, found.evaluation, title=title, date=today, tried=tried, tried_by="leave-one-out accuracy")
    screen.done(f"wrote {report}")


# ---- documents ---------------------------------------------------------------------------------------------------


def mistakes_lines(title: str, none: str, found: Sequence[Mistake], room: int, color: bool) -> list[str]:
    """Each document in three lines: where it is and how it was classified, its beginning, and its main evidence."""
    if not found:
        return ["", none]
    lines = ["", paint(title, "faint", color)]
    for mistake in found:
        heading = (
            f"{mistake.where}: {mistake.label}, classified as {mistake.verdict.label}"
            f" with probability {probability(mistake.verdict.probability)}"
        )
        lines += wrap(clean(heading), room)
        shown = cut(clean(" ".join(in_words(mistake.explanation).split())), room - len(GAP))
        lines += [f"{GAP}{line}" for line in (shown, *wrap(clean(_evidence(mistake)), room - len(GAP)))]
    return lines


def in_words(explanation: Explanation) -> str:
    """The document in one line."""
    values = {name: _plain(value) for name, value in explanation.document.items() if value is not None}
    if explanation.is_plain:
        return "".join(values.values())
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def _evidence(mistake: Mistake) -> str:
    """The strongest evidence for the label assigned, and for the label of the document."""
    explanation, decided, label = mistake.explanation, mistake.verdict.label, mistake.label
    assert decided is not None  # documents without a label are no confident errors
    if decided not in explanation.labels or label not in explanation.labels:
        return f"no other document has the label {label}"
    sides = []
    for one, two in ((decided, label), (label, decided)):
        items = [item for item in explanation.strongest(one, two)[:SPEAKING] if item.difference(one, two) > 0]
        if items:
            sides.append(f"for {one}: {', '.join(item.title for item in items)}")
    return "; ".join(sides) or "no evidence for either label"


def plain_mistakes(found: Sequence[Mistake]) -> list[Mapping[str, Any]]:
    """As JSON values."""
    return [
        {
            "row": mistake.row,
            "where": mistake.where,
            "label": mistake.label,
            "decided": mistake.verdict.label,
            "probability": mistake.verdict.probability,
            "explanation": mistake.explanation.to_dict(),
        }
        for mistake in found
    ]

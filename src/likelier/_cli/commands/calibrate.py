"""`likelier calibrate`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from likelier._answer.calibration import Calibration, NoCalibration
from likelier._answer.calibration_plain import calibration_to_dict
from likelier._answer.decisions import MostProbable
from likelier._cli.shared.failures import Misuse, keeps
from likelier._cli.shared.file_options import ReadingOptions, labeled_options
from likelier._cli.shared.methods import MethodOptions, check_learned, check_report, labeled_documents, learned
from likelier._cli.shared.options import json_option, model_argument, screen_options, threads_option
from likelier._cli.shared.output import Screen, Table, documents_in_words
from likelier._cli.shared.program import command, option
from likelier._cli.shared.progress import updated
from likelier._cli.shared.targets import report_option, show
from likelier._evaluate.evaluation import Evaluation

RULES = ("auto", "none", "discount")
METHODS = ("leave-one-out", "held-out")


@command(
    usage="MODEL [FILE...] [OPTIONS]",
    examples=[
        "likelier calibrate shop.likelier messages.tsv",
        "likelier calibrate shop.likelier messages.tsv --report report.html",
        "likelier calibrate shop.likelier --rule none",
    ],
)
@model_argument
@click.argument("files", nargs=-1, metavar="[FILE...]")
@option(
    "--rule",
    type=click.Choice(RULES),
    default="auto",
    group="Calibration",
    help="auto fits a discount and keeps it if it improves the cross-validated log loss, discount keeps it in any"
    " case, none removes the calibration. Default: auto.",
)
@option(
    "--method",
    type=click.Choice(METHODS),
    group="Calibration",
    help="leave-one-out for documents the model has learned, held-out for others. Default: leave-one-out.",
)
@report_option
@labeled_options
@threads_option
@json_option
@screen_options
def calibrate(
    model: Path,
    files: tuple[str, ...],
    rule: str,
    method: str | None,
    report: Path | None,
    reading: ReadingOptions,
    threads: int | None,
    as_json: bool,
    screen: Screen,
) -> None:
    """Calibrate the probabilities of a model.

    Naive Bayes is usually overconfident; after calibration, labels with probability 0.9 are
    right about 90 % of the time. The rule, a discount, is fitted to FILE, the documents
    that the model has learned, by leave-one-out, so no additional documents are needed. It
    is stored in the model; nothing is retrained.
    """
    check_report(report)
    if rule == "none":
        _remove(model, files, screen)
        return
    if not files:
        raise Misuse("expected FILE with labeled documents", hint=f"likelier calibrate {model} FILE")
    with keeps(report), updated(model, screen) as changed:
        with labeled_documents(changed, files, reading, screen) as (documents, note):
            known = learned(changed, documents, threads)
            note()
            check_learned(known, MethodOptions(method), model, screen)
            evaluation = changed.evaluate(documents, method=method or METHODS[0], threads=threads)
        found = FittedRule(evaluation, rule)
        changed.set_view(calibration=found.rule)
        if report is not None:
            found.save_report(report, model, screen)
        has_thresholds = not isinstance(changed.settings.decide, MostProbable)
    show(found, screen, as_json=as_json)
    screen.done(f"{model}: {found.in_words}")
    if has_thresholds:
        screen.warning(
            "the model has thresholds or costs, which were chosen for the probabilities before",
            hint=f"find a new threshold: likelier evaluate {model} FILE --target LABEL:precision=0.95",
        )


def _remove(model: Path, files: tuple[str, ...], screen: Screen) -> None:
    if files:
        raise Misuse("--rule none takes no FILE", hint=f"likelier calibrate {model} --rule none")
    with updated(model, screen) as changed:
        changed.set_view(calibration=NoCalibration())
    screen.done(f"{model}: removed the calibration")


class FittedRule:
    """The rules tried, the one chosen, and its effect."""

    def __init__(self, evaluation: Evaluation, wanted: str) -> None:
        self.chosen = evaluation.calibration()
        named = {each.kind: each.rule for each in self.chosen.tried}
        self.rule: Calibration = named.get(wanted, self.chosen.rule)
        self.before = evaluation.under(calibration=NoCalibration())
        self.after = evaluation.under(calibration=self.rule)

    @property
    def in_words(self) -> str:
        """The outcome in one line."""
        kind = next(each.kind for each in self.chosen.tried if each.rule is self.rule)
        if kind == "none":
            return "no rule improves the log loss; the probabilities are not calibrated"
        if kind == "current":
            return f"still calibrated by {self.rule.name}; no other rule is better"
        return f"calibrated by {self.rule.name}"

    def lines(self, room: int, color: bool) -> list[str]:
        rows = [
            (each.name, f"{each.log_loss:.4f}", "chosen" if each.rule is self.rule else "")
            for each in self.chosen.tried
        ]
        table = Table(("rule", "log loss", ""), rows, numbers=frozenset({1}), limits=((0, 50),))
        errors = [figures.reliability.expected_error for figures in (self.before.figures, self.after.figures)]
        return [
            *table.lines(room, color),
            "",
            f"calibration error  {errors[0] * 100:.1f} % uncalibrated, {errors[1] * 100:.1f} % calibrated,"
            f" on {documents_in_words(self.chosen.documents)}",
        ]

    def plain(self) -> dict[str, Any]:

        def figures(evaluation: Evaluation) -> dict[str, float]:
            found = evaluation.figures
            return {"expected_error": found.reliability.expected_error, "log_loss": found.log_loss.loss}

        return {
            "rule": calibration_to_dict(self.rule),
            "tried": [
                {"kind": each.kind, "name": each.name, "log_loss": each.log_loss, "chosen": each.rule is self.rule}
                for each in self.chosen.tried
            ],
            "documents": self.chosen.documents,
            "left_out": self.chosen.left_out,
            "before": figures(self.before),
            "after": figures(self.after),
        }

    def save_report(self, path: Path, model: Path, screen: Screen) -> None:
        """The report, with charts before and after."""
        from likelier._evaluate.report.page import save_report

        tried = [(each.name, each.log_loss, each.rule is self.rule) for each in self.chosen.tried]
        title, today = f"Calibration of {model.name}", f"{date.today():%Y-%m-%d}"
        save_report(path, self.after, title=title, tried=tried, tried_by="log loss", date=today)
        screen.done(f"wrote {path}")

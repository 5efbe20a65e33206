"""`likelier calibrate`."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier._cli.columns import label_option, text_option
from likelier._cli.failures import Misuse, keeps
from likelier._cli.judging import Way, check_learnt, check_report, labelled_documents, learnt
from likelier._cli.options import (
    ReadingOptions,
    json_option,
    model_argument,
    reading_options,
    screen_options,
    threads_option,
)
from likelier._cli.output import Screen, Table, documents_in_words
from likelier._cli.program import command, option
from likelier._cli.targets import NewFile

if TYPE_CHECKING:
    from likelier._answer.calibration import Calibration
    from likelier._evaluate.calibrate.choose import CalibrationChoice
    from likelier._evaluate.evaluation import Evaluation
    from likelier._model.models import Model

RULES = ("auto", "none", "temperature", "platt", "top-label", "isotonic")
METHODS = ("leave-one-out", "held-out")


@command(
    usage="MODEL [FILE...] [OPTIONS]",
    examples=[
        "likelier calibrate shop.likelier messages.tsv",
        "likelier calibrate shop.likelier messages.tsv --rule temperature --report report.html",
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
    help="auto, the default, chooses by log loss on documents that a rule was not fitted to; none takes it back.",
)
@option(
    "--method",
    type=click.Choice(METHODS),
    group="Calibration",
    help="leave-one-out is the default, for documents that the model has learnt; held-out is for others.",
)
@option(
    "--report",
    type=NewFile("report.html"),
    metavar="FILE",
    group="Output",
    help="Also a page for the browser, with diagrams before and after.",
)
@text_option
@label_option
@reading_options
@threads_option
@json_option
@screen_options
def calibrate(
    model: Path,
    files: tuple[str, ...],
    rule: str,
    method: str | None,
    report: Path | None,
    text: str | None,
    label: str | None,
    reading: ReadingOptions,
    threads: int | None,
    as_json: bool,
    screen: Screen,
) -> None:
    """Make a model's probabilities honest: 0.9 shall be right in 9 of 10 documents.

    Naive Bayes is mostly too sure. A rule for its probabilities is fitted to FILE, the
    documents that the model has learnt, each judged as if it had not been; so no further
    documents are needed. The rule is stored in the model, and nothing is trained again.
    """
    from likelier._cli.changing import changing
    from likelier._cli.models import told

    check_report(report)
    if rule == "none":
        _take_back(model, files, screen)
        return
    if not files:
        raise Misuse("the rule is fitted to documents whose labels are known", hint=f"likelier calibrate {model} FILE")
    with keeps(report), changing(model, screen) as changed:
        documents = labelled_documents(changed, files, text, label, reading)
        with told(documents.source, reading, screen) as say:
            known = learnt(changed, documents, threads)
            say()
            check_learnt(known, Way(method), model, screen)
            evaluation = changed.evaluate(documents, method=method or METHODS[0], threads=threads)
        found = Fitted(evaluation, rule)
        changed.set_view(calibration=found.rule)
        if report is not None:
            found.save_report(report, model, screen)
        has_thresholds = _decides_by_numbers(changed)
    if as_json:
        screen.data(json.dumps(found.plain(), ensure_ascii=False, allow_nan=False))
    else:
        screen.lines(found.lines(screen.width, screen.colored))
    screen.done(f"{model}: {found.in_words}")
    if has_thresholds:
        screen.warning(
            "the thresholds or costs of the model were chosen for other probabilities",
            hint=f"likelier evaluate {model} FILE --target LABEL:precision=0.95 finds a threshold",
        )


def _take_back(model: Path, files: tuple[str, ...], screen: Screen) -> None:
    from likelier._answer.calibration import NoCalibration
    from likelier._cli.changing import changing

    if files:
        raise Misuse("--rule none needs no documents", hint=f"likelier calibrate {model} --rule none")
    with changing(model, screen) as changed:
        changed.set_view(calibration=NoCalibration())
    screen.done(f"{model}: probabilities are those of naive Bayes")


def _decides_by_numbers(model: Model) -> bool:
    from likelier._answer.decisions import MostProbable

    return not isinstance(model.settings.decide, MostProbable)


class Fitted:
    """The rules that were tried, the one that was taken, and what it does."""

    def __init__(self, evaluation: Evaluation, wanted: str) -> None:
        from likelier._answer.calibration import NoCalibration

        self.chosen: CalibrationChoice = evaluation.calibration()
        named = {each.kind: each.rule for each in self.chosen.tried}
        self.rule: Calibration = named.get(wanted, self.chosen.rule)
        self.before = evaluation.under(calibration=NoCalibration())
        self.after = evaluation.under(calibration=self.rule)

    @property
    def is_none(self) -> bool:
        """Whether naive Bayes stays as it is."""
        return self.rule is self.chosen.tried[0].rule

    @property
    def in_words(self) -> str:
        """What holds now."""
        if self.is_none:
            return "no rule is better than naive Bayes as it is, so its probabilities stay"
        return f"probabilities are calibrated by {self.rule.name}"

    def lines(self, room: int, color: bool) -> list[str]:
        """For people."""
        rows = [
            (each.rule.name, f"{each.log_loss:.4f}", "chosen" if each.rule is self.rule else "")
            for each in self.chosen.tried
        ]
        table = Table(("rule", "log loss", ""), rows, numbers=frozenset({1}), limits=((0, 50),))
        errors = [figures.reliability.expected_error for figures in (self.before.figures, self.after.figures)]
        return [
            *table.lines(room, color),
            "",
            f"calibration error  {errors[0] * 100:.1f} % before, {errors[1] * 100:.1f} % after,"
            f" by {documents_in_words(self.chosen.documents)}",
        ]

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        from likelier._answer.calibration_plain import calibration_to_dict

        def figures(evaluation: Evaluation) -> dict[str, float]:
            found = evaluation.figures
            return {"expected_error": found.reliability.expected_error, "log_loss": found.log_loss.loss}

        return {
            "rule": calibration_to_dict(self.rule),
            "tried": [
                {"kind": each.kind, "name": each.rule.name, "log_loss": each.log_loss, "chosen": each.rule is self.rule}
                for each in self.chosen.tried
            ],
            "documents": self.chosen.documents,
            "left_out": self.chosen.left_out,
            "before": figures(self.before),
            "after": figures(self.after),
        }

    def save_report(self, path: Path, model: Path, screen: Screen) -> None:
        """The page with the diagrams before and after."""
        from likelier._evaluate.report.page import save_report

        tried = [(each.rule.name, each.log_loss, each.rule is self.rule) for each in self.chosen.tried]
        title, today = f"Calibration of {model.name}", f"{date.today():%Y-%m-%d}"
        save_report(path, self.after, title=title, tried=tried, tried_by="log loss", date=today)
        screen.done(f"wrote {path}")

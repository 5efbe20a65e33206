"""How `evaluate`, `compare` and `calibrate` test a model: the method, and whether it fits what the model has learned.

A model looks better than it is on documents it has learned. Its ledger tells which ones those are, so a wrong method is
refused, or reported if it affects only some documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from likelier._answer.calibration import NoCalibration
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import ReadingOptions
from likelier._cli.shared.options import Count, option_group, unknown
from likelier._cli.shared.output import Screen, plural
from likelier._cli.shared.program import option
from likelier._cli.shared.progress import reported
from likelier._counts.refusals import Learned
from likelier._documents.batch import Batch
from likelier._model.models import Model
from likelier._model.view import View
from likelier._read.kept import KeptDocuments

METHODS = ("leave-one-out", "folds", "held-out", "time-ordered")
FOR_METHOD = {"folds": "folds", "group": "folds", "seed": "folds", "copies": METHODS[0], "every": METHODS[-1]}


@dataclass(frozen=True)
class MethodOptions:
    """The evaluation method and its options; None: not given."""

    method: str | None = None
    folds: int | None = None
    group: str | None = None
    seed: int | None = None
    copies: str | None = None
    every: int | None = None

    @property
    def chosen(self) -> str:
        """The method given, or the one that the other options belong to, or leave-one-out."""
        return self.method or next((FOR_METHOD[name] for name in self._given), METHODS[0])

    @property
    def _given(self) -> list[str]:
        return [name for name in FOR_METHOD if getattr(self, name) is not None]

    def check(self) -> None:
        """Refuse options of another method."""
        for name in self._given:
            if (method := FOR_METHOD[name]) != self.chosen:
                raise Misuse(
                    f"--{name} requires --method {method}, got {self.chosen}",
                    hint=f"--method {method}, or omit --{name}",
                )

    def arguments(self, groups: Groups | None) -> dict[str, Any]:
        """The arguments of `evaluate`."""
        named = {name: getattr(self, name) for name in self._given if name != "group"}
        return {"method": self.chosen, "groups": None if groups is None else groups.checked(), **named}


class Groups:
    """The value of a column in each document, collected while they are read."""

    def __init__(self, column: str) -> None:
        self._column = column
        self._values: list[str] = []
        self._names: dict[str, None] = {}  # of all columns

    def collect(self, batch: Batch) -> None:
        """Collect the values of a batch, which was read with all its columns."""
        for row in batch.rows():
            self._names.update(dict.fromkeys(row))
            self._values.append(str(row.get(self._column)))

    def checked(self) -> list[str]:
        """The values, if there is such a column."""
        if self._values and self._column not in self._names:
            raise unknown("column", self._column, list(self._names))
        return self._values


method_options = option_group(
    "way",
    MethodOptions,
    option("--method", type=click.Choice(METHODS), help="Evaluation method, see above. Default: leave-one-out."),
    option("--folds", type=Count(2), help="Number of folds. Default: 10."),
    option("--group", metavar="COLUMN", help="Keep rows with the same value in COLUMN in one fold."),
    option("--seed", type=Count(0), help="Random seed for the folds. Default: 0."),
    option(
        "--copies",
        type=click.Choice(["apart", "together"]),
        help="Leave out a document alone (apart) or with its copies (together). Default: apart.",
    ),
    option("--every", type=Count(), help="For time-ordered: classify N documents before learning them. Default: 1."),
    group="Method",
)


@contextmanager
def labeled_documents(
    model: Model, files: tuple[str, ...], reading: ReadingOptions, screen: Screen, groups: Groups | None = None
) -> Iterator[tuple[KeptDocuments, Any]]:
    """The documents to test the model on, and a function that reports what was guessed about them so far."""
    if "-" in files:
        raise Misuse(
            "these documents are read more than once, which standard input does not allow",
            hint="write them to a file first: cat > documents.csv",
        )
    documents = reading.for_model(model.schema).documents(files, labeled=True, all_columns=groups is not None)
    with reported(documents, reading, screen) as report:
        yield KeptDocuments(documents, look=None if groups is None else groups.collect).use(model.schema), report


def check_report(report: Path | None) -> None:
    """Refuse a report on stdout, which has the figures."""
    if str(report) == "-":
        raise Misuse("the report cannot be written to standard output", hint="--report report.html")


# ---- what was learned --------------------------------------------------------------------------------------------


def learned(model: Model, documents: KeptDocuments, threads: int | None) -> Learned | None:
    """What the model's ledger says about the documents; None if it has none."""
    if model.ledger is not None:
        return model.learned_many(documents, threads=threads)
    for _ in documents:  # notes about them are complete once they are read
        pass
    return None


def check_learned(found: Learned | None, way: MethodOptions, model: Path, screen: Screen) -> None:
    """Refuse to leave out documents that were not learned; report documents that are not new."""
    if way.chosen == "held-out":
        note_not_new(found, model, screen)
    elif way.chosen != "time-ordered":
        if found is None and way.method is None:
            raise Misuse(
                f"{model} has no ledger, so it is unknown whether it has learned these documents",
                hint="--method leave-one-out if it has learned them, --method held-out if not",
            )
        if found is not None and not found.every:
            raise _not_learned(found, way, model)


def _not_learned(found: Learned, way: MethodOptions, model: Path) -> Misuse:
    got = f"{found.known:,} of these {plural(found.documents, 'document')}"
    if not found.known:
        got = f"none of these {plural(found.documents, 'document')}"
    elif found.known == found.documents:
        got = "some of these documents less often than they occur here"
    return Misuse(
        f"--method {way.chosen} requires documents that {model} has learned with the same labels,"
        f" and it has learned {got}",
        hint="--method held-out evaluates on documents it has not learned",
    )


def note_fitted(method: str, view: View, loaded: Model, model: Path, screen: Screen) -> None:
    """Report settings or a calibration that may have been fitted to the documents tested."""
    if method not in ("leave-one-out", "folds"):
        return
    if loaded.selection is not None and loaded.selection.tried and view.settings.scores_like(loaded.settings):
        screen.note(
            f"the settings of {model} were chosen from {len(loaded.selection.tried)} candidates; if these documents"
            " were used to choose them, the results are slightly optimistic"
        )
    elif not isinstance(view.settings.calibration, NoCalibration):
        screen.note(
            f"{model} is calibrated; if these documents were used to calibrate it, the results are slightly optimistic"
        )


def note_not_new(found: Learned | None, model: Path, screen: Screen) -> None:
    """For new documents: report how many are not new."""
    if found is None:
        screen.note(f"{model} has no ledger; assuming that it has not learned these documents")
    elif found.known:
        number = "all" if found.known == found.documents else f"{found.known:,}"
        text = f"{model} has learned {number} of these {plural(found.documents, 'document')}"
        if 2 * found.known >= found.documents:
            screen.warning(
                f"{text}, so the results are too optimistic",
                hint="--method leave-one-out evaluates each document as if it had not been learned",
            )
        else:
            screen.note(f"{text}, so the results are slightly optimistic")

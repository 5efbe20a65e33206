"""How `evaluate` and `compare` judge a model: the way of judging, and whether the model has learnt the documents.

A model that judges what it has learnt seems better than it is. Its ledger tells what it has learnt, so the wrong way is
refused, or said where only some documents are concerned.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier._cli.columns import known_columns
from likelier._cli.documents import no_such_column
from likelier._cli.failures import Misuse
from likelier._cli.options import ReadingOptions, option_group
from likelier._cli.output import Screen, plural
from likelier._cli.program import option

if TYPE_CHECKING:
    from likelier._counts.learnt import Learnt
    from likelier._model.models import Model
    from likelier._model.view import View
    from likelier._read.reader import Documents

METHODS = ("leave-one-out", "folds", "held-out", "time-ordered")
COPIES = ("apart", "together")


@dataclass(frozen=True)
class Way:
    """The way of judging that was asked for; None: not given."""

    method: str | None = None
    folds: int | None = None
    group: str | None = None
    seed: int | None = None
    copies: str | None = None
    every: int | None = None

    @property
    def chosen(self) -> str:
        """The method: what was said, or what the other options are for, or leave-one-out."""
        return self.method or next(iter(self._meant.values()), METHODS[0])

    def check(self) -> None:
        """Whether the options go together."""
        for name, method in self._meant.items():
            if method != self.chosen:
                raise Misuse(
                    f"{name} goes with --method {method}, got {self.chosen}",
                    hint=f"--method {method}, or leave {name} out",
                )

    @property
    def _meant(self) -> dict[str, str]:
        """The options that were given, and the method that each is for."""
        methods = {"folds": "folds", "group": "folds", "seed": "folds", "copies": METHODS[0], "every": METHODS[-1]}
        return {f"--{name}": method for name, method in methods.items() if getattr(self, name) is not None}

    def arguments(self, documents: Documents) -> dict[str, Any]:
        """The way as `evaluate` takes it."""
        given = {name: getattr(self, name) for name in ("folds", "seed", "copies", "every")}
        groups = None if self.group is None else groups_of(documents, self.group)
        named = {name: value for name, value in given.items() if value is not None}
        return {"method": self.chosen, "groups": groups, **named}


way_options = option_group(
    "way",
    Way,
    option(
        "--method",
        type=click.Choice(METHODS),
        group="Judging",
        help="leave-one-out is the default; see above.",
    ),
    option("--folds", type=click.IntRange(min=2), metavar="N", group="Judging", help="How many; 10 without it."),
    option(
        "--group",
        metavar="COLUMN",
        group="Judging",
        help="Rows with the same value in this column stay in one fold.",
    ),
    option("--seed", type=click.IntRange(min=0), metavar="N", group="Judging", help="Deals out other folds."),
    option(
        "--copies",
        type=click.Choice(COPIES),
        group="Judging",
        help="together: a document is judged without its copies too; for leave-one-out.",
    ),
    option(
        "--every",
        type=click.IntRange(min=1),
        metavar="N",
        group="Judging",
        help="For time-ordered: so many are judged before they are learnt; 1 without it.",
    ),
)


# ---- documents ---------------------------------------------------------------------------------------------------


def labelled_documents(
    model: Model, files: tuple[str, ...], text: str | None, label: str | None, reading: ReadingOptions, **more: Any
) -> Documents:
    """The documents by which the model is judged; they are gone through more than once."""
    if "-" in files:
        raise Misuse(
            "documents are gone through more than once here, and standard input can be read only once",
            hint="write it to a file first: cat > documents.csv",
        )
    columns = known_columns(model.schema, text)
    documents: Documents = reading.with_columns(label=label, **columns).documents(list(files), labelled=True, **more)
    return documents


def groups_of(documents: Documents, column: str) -> list[str]:
    """The value of the column in each document, which was read with all its columns."""
    rows = [row for batch in documents for row in batch.rows()]
    names = dict.fromkeys(name for row in rows for name in row)
    if rows and column not in names:
        raise no_such_column(column, list(names))
    return [str(row.get(column)) for row in rows]


def check_report(report: Path | None) -> None:
    """A page does not go to stdout, which has the figures."""
    if str(report) == "-":
        raise Misuse("the page is a file of its own, and stdout has the figures", hint="--report report.html")


# ---- what was learnt ---------------------------------------------------------------------------------------------


def learnt(model: Model, documents: Documents, threads: int | None) -> Learnt | None:
    """What the model's ledger says about the documents; None if it has none."""
    if model.ledger is not None:
        return model.learnt_many(documents, threads=threads)
    for _ in documents:  # what there is to say about them is known when they were read
        pass
    return None


def check_learnt(found: Learnt | None, way: Way, model: Path, screen: Screen) -> None:
    """Refuses to leave out what was not learnt; says it where new documents are none."""
    if way.chosen == "held-out":
        say_not_new(found, model, screen)
    elif way.chosen != "time-ordered":
        if found is None and way.method is None:
            raise Misuse(
                f"{model} has no ledger, so it cannot be told whether it has learnt these documents",
                hint="--method leave-one-out if it has learnt them, --method held-out if it has not",
            )
        if found is not None and not found.every:
            raise _not_learnt(found, way, model)


def _not_learnt(found: Learnt, way: Way, model: Path) -> Misuse:
    what = "leave-one-out judges" if way.chosen == "leave-one-out" else "folds judge"
    if not found.known:
        got = f"of these {plural(found.documents, 'document')} it has learnt none"
    elif found.known < found.documents:
        got = f"of these {plural(found.documents, 'document')} it has learnt {found.known:,}"
    else:
        got = "some of these it has not learnt as often as they are here"
    return Misuse(
        f"{what} documents that {model} has learnt with the same labels, and {got}",
        hint="--method held-out judges documents that it has not learnt",
    )


def say_fitted(way: Way, view: View, loaded: Model, model: Path, screen: Screen) -> None:
    """Where settings or a calibration may have been fitted to the documents that are judged: says so."""
    from likelier._answer.calibration import NoCalibration

    if way.chosen not in ("leave-one-out", "folds"):
        return
    if loaded.selection is not None and loaded.selection.tried and view.settings.scores_like(loaded.settings):
        screen.note(
            f"the settings of {model} were chosen, perhaps by these documents, as the best of"
            f" {len(loaded.selection.tried)}: then its figures are a little too good"
        )
    elif not isinstance(view.settings.calibration, NoCalibration):
        screen.note(
            f"{model} is calibrated, perhaps by these documents: then its figures are a little too good,"
            " because the calibration is not fitted again without each of them"
        )


def say_not_new(found: Learnt | None, model: Path, screen: Screen) -> None:
    """Where a model is to judge new documents: says how many are not new."""
    if found is None:
        screen.note(f"{model} has no ledger; these documents are taken as ones that it has not learnt")
    elif found.known:
        number = "all" if found.known == found.documents else f"{found.known:,}"
        said = f"{model} has learnt {number} of these {plural(found.documents, 'document')},"
        if 2 * found.known >= found.documents:
            screen.warning(
                f"{said} so it seems better here than it is",
                hint="--method leave-one-out judges each document as if it had not been learnt",
            )
        else:
            screen.note(f"{said} and seems a little better on them than it is")

"""`likelier view`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from likelier._answer.calibration import Calibration
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import json_option, model_argument, screen_options
from likelier._cli.shared.output import GAP, Screen
from likelier._cli.shared.program import command, option
from likelier._cli.shared.progress import updated
from likelier._cli.shared.targets import show
from likelier._cli.shared.view_options import ViewOptions, view_options, warn_without_effect
from likelier._documents.schema import Schema
from likelier._model.models import load
from likelier._settings.in_words import settings_rows
from likelier._settings.values import TEXTBOOK, Settings
from likelier._show.cells import clean, left, paint, width, wrap

SETTING_CELLS = 28  # up to this width of a value, remarks are in a column


@dataclass(frozen=True)
class StoredView:
    """The settings of a model."""

    settings: Settings
    schema: Schema

    def lines(self, room: int, color: bool) -> list[str]:
        """With those of the textbook if different: beside them, or below if there is no room."""
        rows = [tuple(map(clean, row)) for row in settings_rows(self.settings, self.schema)]
        indent = max(len(name) for name, _, _ in rows) + len(GAP)
        cells = max((width(value) for _, value, _ in rows if width(value) <= SETTING_CELLS), default=0)
        lines = [paint(f"{'setting':{indent}}value", "faint", color)]
        for name, value, usual in rows:
            remark = f"(textbook: {usual})" if usual else ""
            shown = [f"{left(value, cells)}{GAP}{remark}".rstrip()]
            if width(shown[0]) > room - indent:
                shown = wrap(value, room - indent) + wrap(remark, room - indent)
            lines += [f"{start:{indent}}{line}" for start, line in zip_longest([name], shown, fillvalue="")]
        return lines

    def plain(self) -> dict[str, Any]:
        return self.settings.to_dict()


@command(
    usage="MODEL [OPTIONS]",
    examples=[
        "likelier view shop.likelier",
        "likelier view shop.likelier --event bernoulli --alpha 0.5",
        "likelier view shop.likelier --threshold billing=0.8 --fallback technical",
        "likelier view tickets.likelier --numbers information --numbers days=2,7",
        "likelier view shop.likelier --reset",
    ],
)
@model_argument
@option("--reset", is_flag=True, group="View", help="Start from the textbook settings instead of the stored ones.")
@option("--chosen", is_flag=True, group="View", help="Start from the settings that `train` chose.")
@view_options
@json_option
@screen_options
def view(model: Path, reset: bool, chosen: bool, view: ViewOptions, as_json: bool, screen: Screen) -> None:
    """Show or change the settings of a model, without retraining.

    Without options, the stored settings are shown. Options change the settings they name;
    the others keep their values.
    """
    if reset and chosen:
        raise Misuse("--reset and --chosen are mutually exclusive", hint="omit one of them")
    if reset or chosen or view:
        with updated(model, screen) as changed:
            before = changed.settings
            if chosen:
                changed.use_chosen()
            start = TEXTBOOK if reset else changed.settings
            changed.use_settings(start.changed(**view.settings(changed.labels, start)))
            found = StoredView(changed.settings, changed.schema)
        _note_not_calibrated(before.calibration, found.settings.calibration, model, screen)
    else:
        loaded = load(model)
        found = StoredView(loaded.settings, loaded.schema)
    warn_without_effect(view, found.schema, screen)
    show(found, screen, as_json=as_json)


def _note_not_calibrated(before: Calibration, now: Calibration, model: Path, screen: Screen) -> None:
    """A calibration is for the scores it was fitted to, and is dropped with them."""
    if before.name != "none" and now.name == "none":
        again = f"likelier calibrate {shlex.quote(str(model))} FILE"
        screen.note(f"dropped the calibration ({before.name}); to calibrate again: {again}")

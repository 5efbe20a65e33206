"""`likelier view`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from likelier._cli.options import json_option, model_argument, screen_options, view_options
from likelier._cli.output import Screen
from likelier._cli.program import command, option
from likelier._cli.viewing import ViewOptions, say_without_effect

if TYPE_CHECKING:
    from likelier._answer.calibration import Calibration


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
@option("--reset", is_flag=True, group="View", help="Back to the textbook first.")
@view_options
@json_option
@screen_options
def view(model: Path, reset: bool, view: ViewOptions, as_json: bool, screen: Screen) -> None:
    """Show or change how a model reads its counts; nothing is trained.

    Without options the stored view is shown. Settings that are given are changed and
    stored, the others stay as they are.
    """
    from likelier._cli.changing import changing
    from likelier._cli.describing import settings_lines
    from likelier._cli.models import load
    from likelier._settings.values import Settings

    if reset or view:
        with changing(model, screen) as changed:
            before = changed.settings
            start = Settings() if reset else before
            changed.use_settings(start.changed(**view.settings(changed.labels, start)))
            settings, schema = changed.settings, changed.schema
        _say_not_calibrated(before.calibration, settings.calibration, model, screen)
    else:
        shown = load(model)
        settings, schema = shown.settings, shown.schema
    say_without_effect(view, schema, screen)
    if as_json:
        screen.data(json.dumps(settings.to_dict(), ensure_ascii=False))
    else:
        screen.lines(settings_lines(settings, schema, screen.width, screen.colored))


def _say_not_calibrated(before: Calibration, now: Calibration, model: Path, screen: Screen) -> None:
    """A calibration is for the scores that it was fitted to: with other ones it is gone."""
    if before.name != "none" and now.name == "none":
        again = f"likelier calibrate {shlex.quote(str(model))} FILE"
        screen.note(f"the calibration ({before.name}) is dropped; for a new one: {again}")

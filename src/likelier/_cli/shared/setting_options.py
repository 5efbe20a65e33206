"""The options for the settings of a view, made from their table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import click

from likelier._base.numbers import as_number
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import Number, Range
from likelier._cli.shared.program import option
from likelier._settings.table import SETTINGS, Option

OPTIONS = [each for setting in SETTINGS.values() for each in setting.options]
OWN_OPTIONS = {  # what a column may have of its own, as --set takes it
    each.name.removeprefix("--"): each for setting in SETTINGS.values() if setting.kinds for each in setting.options
}
SWITCH = {"yes": True, "no": False}


def setting_options(*, without: Collection[str] = ()) -> list[Callable[[Any], Any]]:
    """Click options for the table; without: settings that are given in another way."""
    settings = [setting for name, setting in SETTINGS.items() if name not in without]
    return [_made(each) for setting in settings for each in setting.options]


def _made(each: Option) -> Callable[[Any], Any]:
    kinds: dict[str, dict[str, Any]] = {
        "text": {},
        "number": {"type": Number()},
        "range": {"type": Range()},
        "cost": {"type": (str, str, Number()), "nargs": 3},
        "switch": {"is_flag": True},
        "flag": {"is_flag": True},
    }
    kind = {"type": click.Choice(each.choices)} if each.choices else kinds[each.takes]
    name = f"{each.name}/--no-{each.name.removeprefix('--')}" if each.takes == "switch" else each.name
    return option(name, each.key, metavar=each.metavar, multiple=each.many, default=None, help=each.help, **kind)


def typed(each: Option, value: Any) -> list[str]:
    """The option with its value, as it is typed."""
    if each.takes in ("switch", "flag"):
        return [each.name if value else each.name.replace("--", "--no-", 1)]
    values = value if each.many else [value]
    words = [
        "-".join(map(str, one)) if each.takes == "range" and isinstance(one, tuple) else str(one) for one in values
    ]
    return [word for one in words for word in (each.name, one)]


def value_of(each: Option, text: str) -> Any:
    """The value of the option for a text after it."""
    try:
        if each.takes == "number":
            return as_number(text)
        if each.takes == "range":
            return Range().convert(text, None, None)
        if each.takes == "switch":
            return SWITCH[text]
    except (ValueError, KeyError, click.BadParameter):
        wanted = {"number": "a number", "range": "an integer or two such as 1-3", "switch": "yes or no"}[each.takes]
        raise Misuse(
            f"{each.name} takes {wanted}, got {text!r}", hint=f"likelier view --help explains {each.name}"
        ) from None
    return (text,) if each.many else text

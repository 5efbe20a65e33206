"""Types of option values, and options that many commands share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from likelier._base.numbers import Real, as_number
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import Function, option
from likelier._documents.labels import Label
from likelier._text.analyzer import Analyzer

Made = TypeVar("Made")
Decorator = Callable[[Function], Function]
LISTED = 10  # most labels or columns in a message

# ---- values ------------------------------------------------------------------------------------------------------


class Number(click.ParamType[Real]):
    """A number: 1, 0.5, 1e-3."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Real:
        try:
            return value if isinstance(value, int | float | Fraction) else as_number(value)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)


class Range(click.ParamType[int | tuple[int, int]]):
    """An integer, or two: 2, 1-3."""

    name = "range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | tuple[int, int]:
        low, dash, high = str(value).partition("-")
        try:
            return (int(low), int(high)) if dash else int(low)
        except ValueError:
            self.fail(f"{value!r} is neither an integer nor a range such as 1-3", param, ctx)


class Count(click.IntRange):
    """An integer of at least `least`, shown as N in the help."""

    def __init__(self, least: int = 1) -> None:
        super().__init__(min=least)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "N"


def split_label(text: str, option: str) -> tuple[str, Real]:
    """LABEL=NUMBER; a label may contain `=` itself.

    >>> split_label("spam=0.8", "--threshold")
    ('spam', 0.8)
    """
    label, equals, number = text.rpartition("=")
    try:
        if equals:
            return label, as_number(number)
    except ValueError:
        pass
    raise Misuse(f"{option} takes LABEL=NUMBER, got {text!r}", hint=f"{option} spam=0.8")


def as_label(text: str, labels: Sequence[Label], *, new: bool = False) -> Label:
    """The label written like this; labels may be integers or booleans.

    new: a new label is fine too, if it can be of the same type as the others.
    """
    for label in labels:
        if str(label) == text:
            return label
    if new and (not labels or isinstance(labels[0], str)):
        return text
    if new and isinstance(labels[0], int) and not isinstance(labels[0], bool) and text.lstrip("-").isdecimal():
        return int(text)
    raise unknown("label", text, [str(label) for label in labels])


def unknown(what: str, text: str, names: Sequence[str]) -> Misuse:
    """The error for a label or a column that does not exist."""
    folded = {name.casefold(): name for name in names}
    close = get_close_matches(text.casefold(), folded, n=1)
    hint = f"did you mean {folded[close[0]]!r}?" if close else f"{what} names are case-sensitive: 'Age' is not 'age'"
    return Misuse(f"unknown {what} {text!r}; the {what}s are {listed(names) or 'none yet'}", hint=hint)


def listed(names: Collection[str]) -> str:
    """Names in a message, some of them if there are many.

    >>> listed(["Sex", "Age"])
    "'Sex', 'Age'"
    """
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(map(repr, list(names)[:LISTED])) + more


# ---- groups of options -------------------------------------------------------------------------------------------


def option_group(
    parameter: str, make: Callable[..., Made], *options: Decorator[Any], group: str = "Options"
) -> Decorator[Any]:
    """Several options as one argument of the command; `group` is their heading in the help."""

    def decorate(function: Any) -> Any:
        names: list[str] = []

        @wraps(function)
        def call(**given: Any) -> Any:
            mine = {name: given.pop(name) for name in names}
            return function(**given, **{parameter: make(**mine)})

        before = len(getattr(call, "__click_params__", []))
        for each in reversed(options):
            each(call)
        for made in getattr(call, "__click_params__", [])[before:]:
            made.group = group
            names.append(made.name)
        return call

    return decorate


def model_argument(function: Function) -> Function:
    """MODEL, the file."""
    return click.argument("model", metavar="MODEL", type=click.Path(path_type=Path))(function)


screen_options = option_group(
    "screen",
    Screen,
    option("--quiet", "-q", is_flag=True, help="Print only errors and warnings to stderr."),
    option(
        "--color/--no-color",
        default=None,
        help="Turn color on or off. Default: on in a terminal, unless NO_COLOR is set.",
    ),
    group="Output",
)
json_option = option("--json", "as_json", is_flag=True, group="Output", help="Print JSON.")
by_option = option(
    "--by", metavar="NAME", group="Model", help="Who makes the change, for the history that `inspect` shows."
)
threads_option = option(
    "--threads", type=Count(), group="Output", help="Number of threads. Default: the number of CPU cores."
)


# ---- analyzer ----------------------------------------------------------------------------------------------------


def _analyzer(
    stop_words: str | None, replacements: tuple[str, ...], keep_case: bool, keep_punctuation: bool, **settings: Any
) -> Analyzer:
    dropped: Any = as_number(stop_words) if stop_words and stop_words.isdecimal() else stop_words
    return Analyzer(
        stop_words=dropped,
        replace=_replacements(replacements),
        lowercase=not keep_case,
        punctuation="keep" if keep_punctuation else "drop",
        **settings,
    )


def _replacements(given: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for entry in given:
        lines = [entry]
        if entry.startswith("file:"):
            text = Path(entry.removeprefix("file:")).read_text(encoding="utf-8-sig")
            lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        for line in lines:
            word, equals, term = line.partition("=")
            if not equals:
                raise Misuse(f"--replace takes WORD=TERM, got {line!r}", hint='--replace "New York=new_york"')
            pairs.append((word, term))
    return pairs


analyzer_options = option_group(
    "analyzer",
    _analyzer,
    option("--language", metavar="CODE", help="Language for --lemmatize and --stem, e.g. de."),
    option(
        "--stop-words",
        metavar="WORDS",
        help="Stop words: the list of a language, e.g. en; file:words.txt; or N for the N most frequent words.",
    ),
    option("--lemmatize", is_flag=True, help="Reduce words to their dictionary forms: Wölfe to wolf."),
    option("--stem", is_flag=True, help="Reduce words to their stems: houses to hous."),
    option(
        "--ngrams",
        type=Range(),
        default=1,
        metavar="N",
        help="Count n-grams of up to N words; 2-3: only those of 2 and 3 words. Default: 1.",
    ),
    option("--char-ngrams", type=Range(), metavar="N", help="Also count character n-grams of words, e.g. 3 or 2-4."),
    option("--no-words", "words", flag_value=False, default=True, help="Count only the --char-ngrams."),
    option("--keep-case", is_flag=True, help="Do not lowercase words."),
    option("--keep-punctuation", is_flag=True, help="Keep punctuation as tokens."),
    option("--min-length", type=int, default=1, metavar="N", help="Drop words shorter than N characters. Default: 1."),
    option(
        "--replace",
        "replacements",
        multiple=True,
        metavar="WORD=TERM",
        help="Count TERM in place of WORD, which may be several words; file:FILE reads a list. Repeatable.",
    ),
    group="Words",
)

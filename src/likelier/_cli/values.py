"""The values of options: numbers, ranges, LABEL=NUMBER, the name of a smoothing rule with its number."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from likelier._cli.failures import Misuse

if TYPE_CHECKING:
    from likelier._documents.labels import Label
    from likelier._estimate.smoothing import Smoothing

Real = int | float | Fraction
LONGEST = 150  # digits of a probability
LISTED = 10  # labels or columns that a message names at most


class Number(click.ParamType[Real]):
    """A number as a person writes it: 1, 0.5, 1e-3."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Real:
        try:
            return value if isinstance(value, int | float | Fraction) else as_number(value)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)


class Share(Number):
    """A probability: 0.8, 4/5 or 80%."""

    name = "probability"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Real:
        text = str(value).strip()
        try:
            _, _, exponent = text.lower().rstrip("%").partition("e")
            if len(text) > LONGEST or abs(int(exponent or 0)) > LONGEST:  # `Fraction("1e-999999999")` would never end
                self.fail(f"{text:.60} has too many digits: {LONGEST} at most", param, ctx)
            return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
        except (ValueError, ZeroDivisionError):
            self.fail(f"{value!r} is not a probability such as 0.8, 4/5 or 80%", param, ctx)


class Range(click.ParamType[int | tuple[int, int]]):
    """A whole number, or two: 2, 1-3."""

    name = "range"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | tuple[int, int]:
        low, dash, high = str(value).partition("-")
        try:
            return (int(low), int(high)) if dash else int(low)
        except ValueError:
            self.fail(f"{value!r} is neither a whole number nor two such as 1-3", param, ctx)


def as_number(text: str) -> Real:
    """The text as a number; a whole one stays whole, unless it is too large for a float.

    >>> as_number("1"), as_number("0.5"), as_number("9" * 400)
    (1, 0.5, inf)
    """
    try:
        number = int(text)
        float(number)
        return number
    except (ValueError, OverflowError):
        return float(text)


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
    raise Misuse(f"{option} takes a label and a number, got {text!r}", hint=f"{option} spam=0.8")


def as_label(text: str, labels: Sequence[Label], *, new: bool = False) -> Label:
    """The label that is written like this; labels may be whole numbers or truth values.

    new: one that is not there yet is welcome, in the kind of the others.
    """
    for label in labels:
        if str(label) == text:
            return label
    if new and (not labels or isinstance(labels[0], str)):
        return text
    if new and isinstance(labels[0], int) and not isinstance(labels[0], bool) and text.lstrip("-").isdecimal():
        return int(text)
    raise no_such_label(text, labels)


def no_such_label(text: str, labels: Sequence[Label]) -> Misuse:
    """The error for a label that is not there."""
    names = [str(label) for label in labels]
    close = get_close_matches(text, names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else "labels are compared as they are: 'Spam' is not 'spam'"
    return Misuse(f"the labels here are {listed(names) or 'none yet'}; got {text!r}", hint=hint)


def listed(names: Collection[str]) -> str:
    """Names in a message, some of them if there are many.

    >>> listed(["Sex", "Age"])
    "'Sex', 'Age'"
    """
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(map(repr, list(names)[:LISTED])) + more


SMOOTHINGS = "additive:1, m-estimate:2, dirichlet:2000, jelinek-mercer:0.7, absolute-discounting:0.7"


def smoothing_named(text: str) -> Smoothing:
    """A smoothing rule by its name, with its number behind a colon.

    >>> smoothing_named("jelinek-mercer:0.7"), smoothing_named("m-estimate")
    (JelinekMercer(weight=0.7), MEstimate(m=1, p='uniform'))
    """
    from likelier._estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate

    name, colon, number = text.partition(":")
    try:
        numbers: list[Any] = [as_number(number)] if colon else []
    except ValueError:
        raise _no_such_smoothing(text) from None
    match name:
        case "additive":
            return Additive(*numbers)
        case "m-estimate":
            return MEstimate(*numbers)
        case "dirichlet":
            return MEstimate(m=numbers[0] if numbers else 1, p="background")
        case "jelinek-mercer":
            return JelinekMercer(*numbers)
        case "absolute-discounting":
            return AbsoluteDiscounting(*numbers)
    raise _no_such_smoothing(text)


def _no_such_smoothing(text: str) -> Misuse:
    return Misuse(
        f"--smoothing takes the name of a rule and its number, got {text!r}",
        hint=f"one of {SMOOTHINGS}",
    )

"""Numbers and mappings as plain JSON values, and back. Values that are read are checked: they may come from anywhere.

1, 0.5            as they are
Fraction(1, 3)    "1/3"
{label: number}   [[label, number], ...]      labels may be numbers, and keys of a JSON object are always text
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from likelier._base.errors import error
from likelier._base.numbers import Real, is_number
from likelier._documents.labels import Label, checked_label

_FRACTION = re.compile(r"(\d{1,400})/(\d{1,400})", re.ASCII)  # `Fraction("1e999999999")` would never end


def number_to_plain(number: Real) -> int | float | str:
    """A number as a JSON value.

    >>> number_to_plain(0.5), number_to_plain(Fraction(1, 3))
    (0.5, '1/3')
    """
    return f"{number.numerator}/{number.denominator}" if isinstance(number, Fraction) else number


def number_from_plain(value: object) -> Real:
    """The number that a JSON value stands for.

    >>> number_from_plain("1/3")
    Fraction(1, 3)
    """
    number: Any = value
    if isinstance(value, str) and (parts := _FRACTION.fullmatch(value)) and int(parts[2]):
        number = Fraction(int(parts[1]), int(parts[2]))
    if not is_number(number) or not _fits_a_float(number):
        raise error("stored-kind", wanted="a number, or a fraction such as '1/3',", got=value)
    return number


def _fits_a_float(number: Real) -> bool:
    try:
        return float(number) == float(number)  # NaN is not even equal to itself
    except OverflowError:
        return False


def pairs_to_plain(mapping: Mapping[Any, Real]) -> list[list[Any]]:
    """Numbers by label as a list of pairs.

    >>> pairs_to_plain({True: 0.5, False: Fraction(1, 2)})
    [[True, 0.5], [False, '1/2']]
    """
    return [[checked_label(label), number_to_plain(number)] for label, number in mapping.items()]


def pairs_from_plain(value: object) -> dict[Label, Any]:
    """Numbers by label."""
    return {label_from_plain(label): number_from_plain(number) for label, number in distinct_pairs(value)}


def label_from_plain(value: object) -> Label:
    """A label."""
    if not isinstance(value, str | int):
        raise error("stored-kind", wanted="a label: text, an integer or a boolean,", got=value)
    return checked_label(value)


def distinct_pairs(value: object) -> Iterable[tuple[Any, Any]]:
    """The pairs of a list; their first parts differ."""
    if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        raise error("stored-kind", wanted="a list of pairs", got=value)
    firsts = [first for first, _ in value]
    if not all(first is None or isinstance(first, str | int) for first in firsts) or len(set(firsts)) < len(firsts):
        raise error("stored-kind", wanted="a list of pairs, each with another label,", got=value)
    return [(first, second) for first, second in value]


def check_fields(stored: object, names: Iterable[str], *, what: str) -> Mapping[str, Any]:
    """The stored fields, when there are no others than these."""
    known = list(names)
    if not isinstance(stored, Mapping):
        raise error("stored-kind", wanted=f"an object with the fields of {what}", got=stored)
    for name in stored:
        if name not in known:
            raise error("stored-field-unknown", what=what, known=", ".join(known), got=name)
    return stored

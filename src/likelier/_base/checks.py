"""Checks that any room can ask for: kinds of plain values, and settings that several functions take."""

from __future__ import annotations

import operator
from collections.abc import Collection, Container, Iterable, Mapping
from typing import Any, TypeGuard

from likelier._base.errors import error

MOST_DECIMALS = 15


def whole_number(value: object) -> int | None:
    """The value as an int if it is an integer of any type, otherwise None; True and 1.0 are no integers.

    >>> whole_number(3), whole_number(True), whole_number(1.0)
    (3, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def is_one_of(value: object, names: Container[str]) -> bool:
    """Whether this is one of some words; what cannot be compared with them, such as an array, is none.

    >>> is_one_of("keep", ("drop", "keep")), is_one_of(["keep"], ("drop", "keep"))
    (True, False)
    """
    return isinstance(value, str) and value in names


def has_entries(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether one can go through it; an array without dimensions says so and has nothing to go through.

    >>> has_entries([]), has_entries(3)
    (True, False)
    """
    try:
        iter(value)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def checked_names(names: object) -> tuple[str, str]:
    """The names of two events or columns, which must be there and differ."""
    two = tuple(names) if isinstance(names, list | tuple) else ()
    if len(two) != 2 or not all(isinstance(name, str) and name.split() for name in two):
        raise error("two-names", got=names)
    if two[0].split() == two[1].split():
        raise error("two-names", got=names)
    return two


def is_unicode(text: str) -> bool:
    """Whether the text is valid Unicode: without lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise error("flag-kind", name=name, got=value)


def check_one_of(code: str, value: object, names: Collection[str]) -> None:
    """Refuse what is none of some words."""
    if not is_one_of(value, names):
        raise error(code, known=", ".join(names), got=value)


def checked_integer(code: str, value: object, least: int, **more: str) -> int:
    """The value as an int, if it is an integer of at least this."""
    number = whole_number(value)
    if number is None or number < least:
        raise error(code, got=value, **more)
    return number


def checked_decimals(name: str, value: object) -> int:
    """How many decimals of a number are shown; more than a float has would be noise."""
    number = whole_number(value)
    if number is None or not 0 < number <= MOST_DECIMALS:
        raise error("decimals-range", name=name, most=MOST_DECIMALS, got=value)
    return number


def checked_width(value: object) -> int:
    """The width of a terminal."""
    number = whole_number(value)
    if number is None:
        raise error("width-kind", got=value)
    return number


def checked_words(names: object) -> dict[str, str]:
    """Other words for likelier's own."""
    if not isinstance(names, Mapping) or not all(isinstance(word, str) for pair in names.items() for word in pair):
        raise error("words-kind", got=names)
    return dict(names)


def checked_k(value: object, name: str = "k") -> int:
    """How many of a list are wanted."""
    return checked_integer("k-range", value, 0, name=name)


def checked_seed(value: object) -> int:
    """What chance can start from."""
    return checked_integer("chance-range", value, 0)

"""What is said about the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from likelier._documents.kinds import NAMES, kind_name
from likelier._read.guessing import Guess
from likelier._read.head import Head, listed

MOST_OF_A_KIND = 12


def guessed(guesses: Mapping[str, Guess]) -> str:
    """What each column was taken for.

    >>> from likelier._documents.kinds import Numeric, Text
    >>> guessed({"Name": Text(), "Age": Numeric(), "Fare": Numeric(), "Id": "an identifier"})
    'columns (guessed): Name text; Age, Fare numeric; left out: Id (an identifier)'
    """
    kinds: dict[str, list[str]] = {kind: [] for kind in NAMES.values()}
    for name, guess in guesses.items():
        if not isinstance(guess, str):
            kinds[kind_name(guess)].append(name)
    parts = [f"{_some(names)} {kind}" for kind, names in kinds.items() if names]
    left = reasons(guesses)
    return "columns (guessed): " + "; ".join([*parts, *([f"left out: {left}"] if left else [])])


def reasons(guesses: Mapping[str, Guess]) -> str:
    """The columns that are left out, each with why."""
    left: dict[str, list[str]] = {}
    for name, guess in guesses.items():
        if isinstance(guess, str):
            left.setdefault(guess, []).append(name)
    return ", ".join(f"{_some(names)} ({why})" for why, names in left.items())


def _some(names: Sequence[str]) -> str:
    shown = [
        name if name.replace("_", "a").replace("-", "a").replace(".", "a").isalnum() else repr(name) for name in names
    ]
    if len(shown) <= MOST_OF_A_KIND:
        return ", ".join(shown)
    return f"{', '.join(shown[:6])}, ..., {shown[-1]} ({len(shown)} columns)"


def left_out(names: Sequence[str]) -> tuple[str, ...]:
    """The columns that were not named."""
    return (f"left out: {listed(names)}",) if names else ()


def ignored(names: Sequence[str]) -> tuple[str, ...]:
    """The columns that a model does not have."""
    return (f"ignored: {_columns(names)}",) if names else ()


def not_there(names: Sequence[str], head: Head) -> tuple[str, ...]:
    """The columns of a model that a table does not have."""
    if not names:
        return ()
    verb, where = "is" if len(names) == 1 else "are", head.source
    if head.grows:
        return (f"{_columns(names)} {verb} not in the first rows of {where}: taken as missing where it is so",)
    return (f"{_columns(names)} {verb} not in {where}: taken as missing",)


def _columns(names: Sequence[str]) -> str:
    return f"column{'s' * (len(names) > 1)} {listed(names)}"

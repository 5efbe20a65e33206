"""A vocabulary that is given and not learnt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from likelier.errors import SettingError


def fixed(given: object) -> dict[str, int]:
    """Term → column.

    >>> fixed(["wolf", "goat"])
    {'wolf': 0, 'goat': 1}
    """
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise _wrong(f"{given!r:.60}")
    if isinstance(given, Mapping):
        found = {term: int(column) if _is_whole(column) else -1 for term, column in given.items()}
    else:
        terms = sorted(given) if isinstance(given, Set) else list(given)
        found = {term: column for column, term in enumerate(terms)}
        if len(found) < len(terms):
            raise _wrong("a term twice")
    for term in found:
        if not isinstance(term, str):
            raise _wrong(f"{term!r:.60} as a term")
    if sorted(found.values()) != list(range(len(found))) or not found:
        raise _wrong("no term" if not found else "columns with gaps, or one twice")
    return found


def _is_whole(column: object) -> bool:
    return hasattr(column, "__index__") and not isinstance(column, bool)


def _wrong(got: str) -> SettingError:
    return SettingError(
        code="vocabulary-kind",
        message="`vocabulary` is a list of terms, each once, or a mapping of terms to the columns 0, 1, 2, ...;"
        f" got {got}",
        hint="TextCounts(vocabulary=['goat', 'wolf'])",
    )

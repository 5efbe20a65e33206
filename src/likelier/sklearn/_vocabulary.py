"""A vocabulary that is given and not learnt."""

from __future__ import annotations

from collections.abc import Mapping, Set

from likelier._base.checks import has_entries
from likelier._base.errors import SettingError


def fixed(given: object) -> dict[str, int]:
    """Term → column.

    >>> fixed(["wolf", "goat"])
    {'wolf': 0, 'goat': 1}
    """
    if isinstance(given, str | bytes) or not has_entries(given):
        raise _wrong(f"{given!r:.60}")
    if isinstance(given, Mapping):
        found = {term: int(column) if _is_whole(column) else -1 for term, column in given.items()}
    else:
        terms = [*given]
        words = [term for term in terms if isinstance(term, str)]
        found = {term: column for column, term in enumerate(sorted(words) if isinstance(given, Set) else words)}
        if len(found) < len(terms):
            raise _wrong("a term twice, or one that is no text")
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

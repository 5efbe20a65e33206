"""A vocabulary that is given and not learned."""

from __future__ import annotations

from collections.abc import Mapping, Set

from likelier._base.checks import has_entries
from likelier._base.errors import error


def fixed(given: object) -> dict[str, int]:
    """Term → column.

    >>> fixed(["wolf", "goat"])
    {'wolf': 0, 'goat': 1}
    """
    if isinstance(given, str | bytes) or not has_entries(given):
        raise error("vocabulary-kind", got=f"{given!r:.60}")
    if isinstance(given, Mapping):
        found = {term: int(column) if _is_whole(column) else -1 for term, column in given.items()}
    else:
        terms = [*given]
        words = [term for term in terms if isinstance(term, str)]
        found = {term: column for column, term in enumerate(sorted(words) if isinstance(given, Set) else words)}
        if len(found) < len(terms):
            raise error("vocabulary-kind", got="a term twice, or one that is no text")
    for term in found:
        if not isinstance(term, str):
            raise error("vocabulary-kind", got=f"{term!r:.60} as a term")
    if sorted(found.values()) != list(range(len(found))) or not found:
        raise error("vocabulary-kind", got="no term" if not found else "columns with gaps, or one twice")
    return found


def _is_whole(column: object) -> bool:
    return hasattr(column, "__index__") and not isinstance(column, bool)

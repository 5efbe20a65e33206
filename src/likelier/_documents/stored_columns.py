"""Columns as plain JSON values, and back. What comes back is checked: it may come from anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from likelier._base.errors import SettingError
from likelier._documents.kinds import Binary, Bound, Categorical, Kind, Numeric, Text, kind_name
from likelier._text.analyzer import Analyzer

_FIELDS: dict[str, str | None] = {
    "text": "analyzer",
    "categorical": "values",
    "binary": None,
    "numeric": "digits",
    "bound": "columns",
}
COUNTING = ("ngrams", "weighting")  # of a text column, if more is counted than its analyzer says
_MOST_DIGITS = 17  # of a float
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def columns_to_plain(columns: Iterable[tuple[str, Kind]]) -> list[dict[str, Any]]:
    """Columns as plain JSON values."""
    return [{"name": name, "kind": kind_name(kind), **_own_to_plain(kind)} for name, kind in columns]


def _own_to_plain(kind: Kind) -> dict[str, Any]:
    if isinstance(kind, Text):
        return {"analyzer": kind.analyzer.to_dict(), **counting_to_plain(kind)}
    if isinstance(kind, Categorical):
        return {"values": list(kind.values)}
    if isinstance(kind, Bound):
        return {"columns": columns_to_plain(kind.columns)}
    return {"digits": kind.digits} if isinstance(kind, Numeric) else {}


def counting_to_plain(kind: Text) -> dict[str, Any]:
    """What is counted beyond what the analyzer says; empty where it is nothing.

    >>> counting_to_plain(Text(ngrams=2))
    {'ngrams': [1, 2]}
    """
    said = {"ngrams": kind.ngrams and list(kind.counted), "weighting": kind.weighting}
    return {name: value for name, value in said.items() if value is not None}


def columns_from_plain(stored: object) -> list[tuple[str, Kind]]:
    """The columns of `columns_to_plain`."""
    if not isinstance(stored, list):
        raise stored_columns("a list of columns", stored)
    found = [_column_from_plain(column) for column in stored]
    parts = [part for _, kind in found if isinstance(kind, Bound) for part, _ in kind.columns]
    names = [name for name, _ in found] + parts
    if len(set(names)) < len(names):
        raise stored_columns("columns of which each has another name", names)
    return found


def _column_from_plain(stored: object) -> tuple[str, Kind]:
    kind = stored.get("kind") if isinstance(stored, dict) else None
    if not isinstance(stored, dict) or not isinstance(kind, str) or kind not in _FIELDS:
        raise stored_columns(f"a column of one of the kinds {', '.join(_FIELDS)}", stored)
    own = _FIELDS[kind]
    more = [name for name in COUNTING if name in stored] if kind == "text" else []
    if set(stored) != {"name", "kind", own, *more} - {None} or not are_texts([stored["name"]]):
        raise stored_columns(f"a {kind} column with its name" + f" and `{own}`" * (own is not None), stored)
    if kind == "text":
        return stored["name"], text_from_plain(stored["analyzer"], {name: stored[name] for name in more})
    return stored["name"], _kind_from_plain(kind, stored[own] if own else None)


def text_from_plain(analyzer: object, counting: object) -> Text:
    """A text column with the settings of its analyzer, and what `counting_to_plain` says."""
    if not isinstance(analyzer, dict):
        raise stored_columns("an object with the settings of an analyzer", analyzer)
    if not isinstance(counting, dict) or not set(counting) <= set(COUNTING) or None in counting.values():
        raise stored_columns("an object with `ngrams` and `weighting` where they are counted", counting)
    found = Text(Analyzer.from_dict(analyzer), **counting)
    if counting_to_plain(found) != counting:
        raise stored_columns("n-grams and a weighting beyond those that are always counted", counting)
    return found


def _kind_from_plain(kind: str, own: Any) -> Kind:
    if kind == "categorical":
        if not are_texts(own) or len(set(own)) < len(own):
            raise stored_columns("a list of values", own)
        return Categorical(tuple(own))
    if kind == "numeric":
        if type(own) is not int or not 1 <= own <= _MOST_DIGITS:
            raise stored_columns(f"a number of digits from 1 to {_MOST_DIGITS}", own)
        return Numeric(own)
    return Binary() if kind == "binary" else _bound_from_plain(own)


def _bound_from_plain(stored: object) -> Bound:
    kinds = [column.get("kind") if isinstance(column, dict) else None for column in _listed(stored)]
    if len(kinds) < 2 or not all(kind in ("categorical", "binary") for kind in kinds):
        raise stored_columns("two or more categorical or binary columns", stored)
    return Bound(tuple(columns_from_plain(stored)))  # type: ignore[arg-type]


def _listed(stored: object) -> list[Any]:
    return stored if isinstance(stored, list) else []


def are_texts(stored: object) -> bool:
    """A list of texts, in valid Unicode."""
    return isinstance(stored, list) and all(isinstance(text, str) and not _SURROGATE.search(text) for text in stored)


def check_unicode(texts: Iterable[str]) -> None:
    """Whether all texts are valid Unicode."""
    for text in texts:
        if _SURROGATE.search(text):
            raise SettingError(
                code="column-surrogate",
                message=f"names and values of columns must be valid Unicode, got {text!r:.60}",
                hint="a lone surrogate comes from text that was decoded wrongly; decode the source again",
            )


def stored_columns(wanted: str, got: object) -> SettingError:
    """The error for a stored value of the wrong kind."""
    return SettingError(
        code="stored-columns",
        message=f"{wanted} must stand here, got {got!r:.60}",
        hint="Schema(...).to_dict() shows the form; an unknown kind may be of a newer version: pip install -U likelier",
    )

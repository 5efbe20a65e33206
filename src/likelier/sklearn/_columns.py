"""The kinds of columns as the user gave them: by name, or by place where columns have no names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likelier._base.checks import has_entries
from likelier._settings.values import merged_columns
from likelier.sklearn._given import Array, Given

KINDS = ("text", "categorical", "binary", "numeric", "ignore")


def named(said: Any) -> Any:
    """Names in place of numbers: the columns of an array are called "0", "1", ...

    >>> named([0, "age"]), named({2: ["red", "blue"]}), named(None)
    (['0', 'age'], {'2': ['red', 'blue']}, None)
    """
    if isinstance(said, Mapping):
        return {_name(column): each for column, each in said.items()}
    if has_entries(said) and not isinstance(said, str | bytes):
        return [_name(column) for column in said]
    return _name(said)


def _name(column: Any) -> Any:
    return str(column) if isinstance(column, int | np.integer) else column


def listed(said: Any) -> list[str]:
    """All names.

    >>> listed("age"), listed({"age": "gaussian"}), listed(None)
    (['age'], ['age'], [])
    """
    found = named(said)
    return [] if found is None else list(found) if isinstance(found, list | dict) else [found]


def kinds_of(estimator: Any, documents: Given) -> dict[str, Any]:
    """The columns by kind; in an array, columns without a kind are numeric, or binary if they are booleans."""
    said = {kind: named(getattr(estimator, kind)) for kind in KINDS}
    said["numeric"] = listed(said["numeric"])  # the rules belong to the view
    if isinstance(documents.data, Array):
        mentioned = [name for each in said.values() for name in listed(each)]
        rest = [name for name in documents.data.columns if name not in mentioned]
        kind = "binary" if documents.data.values.dtype == bool else "numeric"
        said[kind] = [*listed(said[kind]), *rest]
        said["text"] = said["text"] if isinstance(said["text"], Mapping) else listed(said["text"])
    return {**said, "missing_values": estimator.missing_values}


def with_rules(kinds: dict[str, Any], numeric: Any) -> dict[str, Any]:
    """The kinds, with the rules of numeric columns if each has one.

    >>> with_rules({"numeric": ["0"]}, {0: "gaussian"}), with_rules({"numeric": ["0", "1"]}, {0: "gaussian"})
    ({'numeric': {'0': 'gaussian'}}, {'numeric': ['0', '1']})
    """
    is_complete = isinstance(numeric, Mapping) and set(named(numeric)) == set(kinds["numeric"])
    return {**kinds, "numeric": named(numeric)} if is_complete else kinds


def own_settings(numeric: Any, columns: Mapping[Any, Mapping[str, Any]] | None) -> dict[str, dict[str, Any]]:
    """The settings of single columns: the rules of numeric ones, and what `columns` says.

    >>> own_settings({"age": [20, 35]}, {"age": {"alpha": 2}})
    {'age': {'numeric': [20, 35], 'alpha': 2}}
    """
    found: dict[str, dict[str, Any]] = {}
    if isinstance(numeric, Mapping):
        found = {name: {"numeric": rule} for name, rule in named(numeric).items()}
    return merged_columns(found, {} if columns is None else named(columns))


def groups(bind: Sequence[Sequence[Any]]) -> list[Any]:
    """The columns that are bound, by name."""
    return [named(group) for group in bind] if has_entries(bind) else [bind]

"""Columns that are bound: two or more categorical or binary ones taken as one.

The value is that of each, joined: "sunny & hot"; it is missing where one of them is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from likelier._documents.kinds import BINDS, Bound
from likelier._documents.schema import Schema
from likelier._documents.values import Choices, Values

_ALONE = re.compile(r"(?<![^ ])&+(?![^ ])")  # what could be taken for the sign between two values


def bound(schema: Schema, read: Mapping[str, Values]) -> dict[str, Values]:
    """The columns of a schema, of those that were read."""
    columns: dict[str, Values] = {}
    for name, kind in schema.columns.items():
        parts = [read[part] for part, _ in kind.columns] if isinstance(kind, Bound) else []
        columns[name] = joined([part for part in parts if isinstance(part, Choices)]) if parts else read[name]
    return columns


def joined(parts: Sequence[Choices]) -> Choices:
    """Several columns as one.

    >>> joined([Choices(["sunny", "rain"], np.array([0, 1])), Choices(["hot"], np.array([0, -1]))])
    Choices(values=['sunny & hot'], which=array([ 0, -1]))
    """
    values, which = [_unmistakable(value) for value in parts[0].values], parts[0].which
    for part in parts[1:]:
        codes = np.where((which < 0) | (part.which < 0), -1, which * len(part.values) + part.which)
        found, which = np.unique(codes, return_inverse=True)
        first = int(len(found) > 0 and found[0] < 0)
        which = which - first
        others = [_unmistakable(value) for value in part.values]
        pairs = (divmod(code, len(others)) for code in found[first:].tolist())
        values = [f"{values[before]}{BINDS}{others[after]}" for before, after in pairs]
    return Choices(values, which.astype(np.intp))


def _unmistakable(value: str) -> str:
    """A value in which the sign that binds is doubled: "a & b" and "c" must not be "a" and "b & c"."""
    return _ALONE.sub(r"\g<0>&", value)

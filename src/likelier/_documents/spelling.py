"""Values as text: one spelling for a value, whatever it comes from.

In a file 3 and true are text already; in Python and in data frames they are numbers and booleans. So that the same
document is the same from anywhere, 3, 3.0 and "3.0" are all "3", and True, "True" and "TRUE" are "true".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from unicodedata import normalize

import numpy as np

from likelier._documents.labels import is_missing

_WHOLE = re.compile(r"(-?\d+)\.0+")
_TRUTH = {"True": "true", "TRUE": "true", "False": "false", "FALSE": "false"}
YES = frozenset(("1", "true", "yes", "y", "t"))
NO = frozenset(("0", "false", "no", "n", "f"))


def spelled(value: object) -> str | None:
    """A value as text; None where it is missing.

    >>> [spelled(value) for value in (" red ", 3, 3.0, "3.0", 2.5, True, "TRUE", None, float("nan"))]
    ['red', '3', '3', '3', '2.5', 'true', 'true', None, None]
    """
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, np.generic):
        value = value.item()
    if is_missing(value):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _clean(text: str) -> str:
    text = text.strip()
    if not text.isascii():
        text = normalize("NFC", text)
    elif text in _TRUTH:
        return _TRUTH[text]
    whole = _WHOLE.fullmatch(text) if text.endswith("0") else None
    return whole[1] if whole else text


def is_single(value: object) -> bool:
    """Whether it is one value, not a list, a mapping, bytes or an array."""
    return not isinstance(value, list | tuple | bytes | bytearray | Mapping | Set | np.ndarray)


def truth(text: str) -> bool | None:
    """Whether a text says yes or no; None if it says neither.

    >>> truth("Yes"), truth("0"), truth("maybe")
    (True, False, None)
    """
    word = text.lower()
    return True if word in YES else False if word in NO else None

"""JSON objects as Python values, whatever they hold.

Python's parser stops at a thousand levels of nesting, at integers of more than 4,300 digits, and takes 1e400 for
infinity. Here what it cannot hold stays text, as it is spelled, so that a row can be used whatever its other columns
hold. What is nested too deep stays a list or a mapping, which no column takes.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

DEEPEST = 100  # levels of nesting that become lists and mappings
_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]++|[\]}]++', re.DOTALL)  # a string may lack its end
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}


def json_object(text: str) -> dict[str, Any]:
    """The object that a text which begins with { spells; a `json.JSONDecodeError` if it is none.

    >>> json_object('{"a": 1.50, "b": 1e400, "c": [true, null]}')
    {'a': 1.5, 'b': '1e400', 'c': [True, None]}
    """
    shallow = text if text.count("[") + text.count("{") <= DEEPEST else _shallow(text)
    found: dict[str, Any] = _DECODER.decode(shallow)
    return found


def _shallow(text: str) -> str:
    """The same with everything that is nested too deep as a string."""
    parts: list[str] = []
    done = depth = 0
    for found in _BRACKETS.finditer(text):
        before, depth = depth, depth + _STEP.get(found[0][0], 0) * len(found[0])
        cut = found.start() + abs(DEEPEST - before)  # where the depth passes the limit, if it does
        if before <= DEEPEST < depth:
            parts.append(text[done:cut])
            done = cut
        elif depth <= DEEPEST < before:
            parts.append(json.dumps(text[done:cut]))
            done = cut
    rest = text[done:]
    return "".join([*parts, json.dumps(rest) if depth > DEEPEST else rest])  # it may end before it is closed


def _whole(spelled: str) -> int | str:
    try:
        return int(spelled)
    except ValueError:  # too many digits
        return spelled


def _real(spelled: str) -> float | str:
    number = float(spelled)
    return number if math.isfinite(number) else spelled


def _no_number(spelled: str) -> NoReturn:
    raise json.JSONDecodeError(f"There is no {spelled} in JSON", "", 0)


_DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_real, parse_constant=_no_number)

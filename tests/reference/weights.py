"""Weightings in plain Python: what a term that stands n times in a document counts, in units of 1/65536.

    count: 65536 n      once: 65536      log: floor(65536 ln(1 + n) + 1/2)

    with length: the same divided by L = sqrt(sum of its squares over the document's own terms) / 65536, rounded

In a question a term counts the same, and never divided by the length.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

UNIT = 65_536


def base(times: int, weighting: str) -> int:
    """What a term counts before the length is looked at.

    >>> base(3, "count"), base(3, "once"), base(1, "log-length")
    (196608, 65536, 45426)
    """
    scale = weighting.removesuffix("-length")
    return {"count": UNIT * times, "once": UNIT, "log": math.floor(UNIT * math.log(1 + times) + 0.5)}[scale]


def learned(bag: Mapping[str, int], weighting: str, own: Collection[str]) -> dict[str, int]:
    """What each term of a document counts; its own terms are those that its length is made of.

    >>> learned({"a": 3, "b": 4, "a b": 9}, "count-length", own=["a", "b"])
    {'a': 39322, 'b': 52429, 'a b': 117965}
    """
    units = {term: base(times, weighting) for term, times in bag.items()}
    if not weighting.endswith("-length"):
        return units
    length = math.sqrt(sum(units[term] ** 2 for term in bag if term in own)) / UNIT or 1.0
    return {term: math.floor(number / length + 0.5) for term, number in units.items()}

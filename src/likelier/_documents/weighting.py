"""Weightings: how much a term that stands n times in a document adds to the sum of its label.

    count         n
    once          1
    log           log(1 + n)
    count-length, once-length, log-length: the same, divided by the length of the document: the root of the sum of the
                  squares over its different terms

`count` and `once` are always counted. Of the other four one can be counted beside them, in the same pass; its sums are
whole numbers of 1/65536, so that they are exact in any order.
"""

from __future__ import annotations

from typing import Literal, cast, get_args

from likelier._base.checks import check_one_of

Weighting = Literal["count", "once", "log", "count-length", "once-length", "log-length"]
Extra = Literal["log", "count-length", "once-length", "log-length"]
UNIT_OF_WEIGHTS = 65_536  # a weight of 1


def check_weighting(weighting: object) -> None:
    """Whether there is such a weighting."""
    check_one_of("weighting-unknown", weighting, get_args(Weighting))


def extra(weighting: Weighting | None) -> Extra | None:
    """What must be counted beside occurrences and documents, if anything.

    >>> extra("log"), extra("once")
    ('log', None)
    """
    if weighting is None:
        return None
    check_weighting(weighting)
    return cast(Extra, weighting) if weighting in get_args(Extra) else None

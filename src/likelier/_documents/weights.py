"""Columns of documents: as long as each other, and weights in whole units.

Weightings: how much a term that stands n times in a document adds to the sum of its label.

    count         n
    once          1
    log           log(1 + n)
    count-length, once-length, log-length: the same, divided by the length of the document: the root of the sum of the
                  squares over its different terms

`count` and `once` are always counted. Of the other four one can be counted beside them, in the same pass; its sums are
multiples of 1/65536, so that they are exact in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from fractions import Fraction
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from likelier._base.checks import check_one_of
from likelier._base.errors import error

UNIT = 1_000_000  # weights that are not whole are kept as whole multiples of one millionth
LARGEST_WEIGHT = 1e9


def check_lengths(**columns: Sized | None) -> None:
    """All columns that are there have one length."""
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        got = ", ".join(f"{length} {name}" for name, length in lengths.items())
        raise error("lengths-differ", got=got)


def checked_weights(weights: Iterable[object]) -> tuple[NDArray[np.uint64], int]:
    """Weights as whole multiples of 1/unit, and the unit: 1 when all are whole, else a million.

    >>> checked_weights([2, 1])
    (array([2, 1], dtype=uint64), 1)
    >>> checked_weights([0.25, 1])
    (array([ 250000, 1000000], dtype=uint64), 1000000)
    """
    numbers = [checked_weight(weight, f" for document {row}") for row, weight in enumerate(weights)]
    unit = 1 if all(number == int(number) for number in numbers) else UNIT
    return np.array([round(number * unit) for number in numbers], dtype=np.uint64), unit


def checked_weight(weight: Any, where: str) -> float:
    """One weight as a number, or an error that says where it stands."""
    is_number = isinstance(weight, int | float | Fraction | np.integer | np.floating)
    if not is_number or not 0 <= weight <= LARGEST_WEIGHT:  # this way round, so that NaN is refused too
        raise error("weight-range", most=LARGEST_WEIGHT, got=weight, where=where)
    number = float(weight)
    if 0 < number < 0.5 / UNIT:
        raise error("weight-too-small", got=weight, where=where)
    return number


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

"""Numbers to some significant decimal digits, and the terms under which a numeric column counts them.

A numeric column is counted by its values, so that intervals can be chosen after counting. To keep the table small a
value has five digits: 0.123456 counts as 0.12346, written 1.2346e-01. What is rounded is the exact value of the float,
half to even, as Python writes it: the same on every machine.
"""

from __future__ import annotations

import math
import re

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_QUICK_DIGITS = 7  # with more, it is not sure enough what the middle of two candidates is
_POWERS = np.array([float(10**power) for power in range(23)])  # exact, all of them
_TERM = re.compile(r"-?\d(?:\.(\d+))?e[+-]\d{2,3}", re.ASCII)


def rounded(numbers: Floats, digits: int) -> Floats:
    """Each number to so many significant digits; NaN stays NaN.

    >>> rounded(np.array([1234567.0, 0.1 + 0.2, -0.0]), 5).tolist()
    [1234600.0, 0.3, 0.0]
    """
    found, sure = _quickly(numbers, digits)
    distinct, which = np.unique(numbers[~sure], return_inverse=True)
    found[~sure] = np.array([float(_spelled(number, digits)) for number in distinct.tolist()], dtype=np.float64)[which]
    return found


def spelled(numbers: Floats, digits: int) -> list[str]:
    """The term of each number; none may be missing.

    >>> spelled(np.array([39.0, 0.123456, -0.0]), 5)
    ['3.9000e+01', '1.2346e-01', '0.0000e+00']
    """
    distinct, which = np.unique(rounded(numbers, digits), return_inverse=True)
    terms = [_spelled(number, digits) for number in distinct.tolist()]
    return [terms[place] for place in which.tolist()]


def number_of(term: str) -> float:
    """The number that a term stands for; ValueError when it is written in any other way than `spelled` does.

    >>> number_of("3.9000e+01")
    39.0
    """
    found = _TERM.fullmatch(term)
    number = float(term) if found else math.nan
    if not found or not math.isfinite(number) or _spelled(number, 1 + len(found[1] or "")) != term:
        raise ValueError(f"{term!r:.60} is not a number as a numeric column counts it")
    return number


def _spelled(number: float, digits: int) -> str:
    return f"{number or 0.0:.{digits - 1}e}"  # -0.0 is 0.0


def _quickly(numbers: Floats, digits: int) -> tuple[Floats, NDArray[np.bool_]]:
    """The rounded numbers, and for which of them that is surely what Python writes.

    It is where the number is not near the middle of two candidates, and where the candidate is one multiplication or
    division of numbers that floats hold exactly.
    """
    size = np.abs(numbers)
    usable = (size >= 1e-15) & (size < 1e20) & (digits <= _QUICK_DIGITS)
    size = np.where(usable, size, 1.0)
    # Just below a power of ten the logarithm may be rounded up; there the number is rounded up to that power anyway.
    power = np.floor(np.log10(size)).astype(np.int64) - min(digits, _QUICK_DIGITS) + 1
    up, down = _POWERS[np.maximum(power, 0)], _POWERS[np.maximum(-power, 0)]  # one of them is 1
    candidate = size / up * down
    whole = np.rint(candidate)
    sure: NDArray[np.bool_] = usable & (np.abs(candidate - whole) < 0.499999)
    return np.copysign(whole * up / down, numbers), sure


def written(number: float) -> str:
    """A number as it is written in few characters, without losing a digit.

    >>> written(20.0), written(0.25), written(1e20)
    ('20', '0.25', '1e20')
    """
    return repr(float(number) + 0.0).removesuffix(".0").replace("e+", "e")

"""Numbers to some significant decimal digits, and the terms under which a numeric column counts them.

A numeric column is counted by its values, so that intervals can be chosen after counting. To keep the table small a
value has five digits: 0.123456 counts as 0.12346, written 1.2346e-01. The exact value of the
float is rounded, half to even, as Python formats it: the same on every machine.

The sums behind mean and variance of a numeric column, label by label, exact.

    n = sum of w        s = sum of w x        q = sum of w x x

w = a document's weight in units, x = its number. Every float is a multiple of 2**-1074, so s is kept as an integer
in that unit and q as an integer in its square. Nothing is ever rounded: adding, subtracting and merging give the same
sums in any order, and mean and variance are exact to the last digit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._kernel import exact_sums

Floats = NDArray[np.float64]

_QUICK_DIGITS = 7  # with more, it is not sure enough what the middle of two candidates is
_POWERS = np.array([float(10**power) for power in range(23)])  # exact, all of them
_TERM = re.compile(r"-?\d(?:\.(\d+))?e[+-]\d{2,3}", re.ASCII)


def rounded(numbers: Floats, digits: int) -> Floats:
    """Each number rounded to `digits` significant digits; NaN stays NaN.

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


SCALE = 1074  # bits behind the point of the least float
LARGEST = 10**150  # in size; the square of a larger number, or the sum of such squares, would not be a float any more
_MOST_BYTES, _MOST_SHIFT = 1024, 8191  # more than any sums of such numbers need
_NAMES = ("moments", "sums", "sum_ends", "sum_shifts", "sum_signs", "squares", "square_ends", "square_shifts")

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class NumberSums:
    """What is known of one column under one label: how many values, their sum, and the sum of their squares."""

    count: Fraction
    total: Fraction
    squares: Fraction


class Moments:
    """n, s and q of every label, by the label's number; a label without values is not there."""

    def __init__(self) -> None:
        self._sums: dict[int, tuple[int, int, int]] = {}

    # ---- changing ------------------------------------------------------------------------------------------------

    def count(
        self, numbers: NDArray[np.float64], label_ids: NDArray[np.uint32], weights: NDArray[np.uint64] | None
    ) -> None:
        """Adds one number for each document; NaN is a missing one. Weights are in units."""
        for label_id, sums in enumerate(_sums(numbers, label_ids, weights)):
            self.put(label_id, *sums)

    def put(self, label_id: int, n: int, s: int, q: int) -> None:
        """Adds sums of one label, in units."""
        old = self._sums.get(label_id, (0, 0, 0))
        self._set(label_id, (old[0] + n, old[1] + s, old[2] + q))

    def add(self, other: Moments, label_ids: Sequence[int]) -> None:
        """Adds the other's sums; `label_ids[i]` is the number here of its label i."""
        for label_id, sums in list(other._sums.items()):
            self.put(label_ids[label_id], *sums)

    def subtract(self, other: Moments, label_ids: Sequence[int]) -> bool:
        """Subtracts the other's sums, or changes nothing and says False: they are not part of these."""
        left: dict[int, tuple[int, int, int]] = {}
        for label_id, (n, s, q) in other._sums.items():
            old = self._sums.get(label_ids[label_id], (0, 0, 0))
            left[label_ids[label_id]] = (old[0] - n, old[1] - s, old[2] - q)
        if not all(_are_possible(sums) for sums in left.values()):
            return False
        for label_id, sums in left.items():
            self._set(label_id, sums)
        return True

    def scale(self, factor: int) -> None:
        """Makes the unit finer: every weight is `factor` times as many units."""
        self._sums = {label_id: (n * factor, s * factor, q * factor) for label_id, (n, s, q) in self._sums.items()}

    def copy(self) -> Moments:
        """The same sums, which can change on their own."""
        twin = Moments()
        twin._sums = dict(self._sums)
        return twin

    def _set(self, label_id: int, sums: tuple[int, int, int]) -> None:
        if any(sums):
            self._sums[label_id] = sums
        else:
            self._sums.pop(label_id, None)

    # ---- reading -------------------------------------------------------------------------------------------------

    def rows(self, label_ids: Sequence[int]) -> list[tuple[int, int, int]]:
        """n, s and q of these labels."""
        return [self._sums.get(label_id, (0, 0, 0)) for label_id in label_ids]

    def of(self, label_ids: Sequence[int], unit: int) -> list[NumberSums]:
        """The sums of these labels as the numbers they stand for.

        >>> moments = Moments()
        >>> moments.put(0, 2, 3 << 1074, 5 << 2148)  # the numbers 1 and 2
        >>> moments.of([0], 1)
        [NumberSums(count=Fraction(2, 1), total=Fraction(3, 1), squares=Fraction(5, 1))]
        """
        return [
            NumberSums(Fraction(n, unit), Fraction(s, unit << SCALE), Fraction(q, unit << 2 * SCALE))
            for n, s, q in self.rows(label_ids)
        ]

    def is_whole(self, unit: int) -> bool:
        """Whether all sums can be divided by this: then they stand for documents of whole weight."""
        return not any(number % unit for sums in self._sums.values() for number in sums)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moments) and self._sums == other._sums

    __hash__ = None  # type: ignore[assignment]  # sums change

    # ---- in files ------------------------------------------------------------------------------------------------

    def arrays(self, label_ids: Sequence[int], *, unit: int = 1) -> dict[str, Array]:
        """The sums of these labels, divided by `unit`, as plain arrays: the same for the same sums.

        moments      n
        sums         the bytes of |s| end to end, lowest first, without the bits that are 0 at its lower end
        sum_ends     where the bytes of each label end
        sum_shifts   how many bits were left out
        sum_signs    1 where s is below 0
        squares, square_ends, square_shifts   the same for q
        """
        rows = [[number // unit for number in row] for row in self.rows(label_ids)]
        counts, sums, squares = zip(*rows, strict=True) if rows else ((), (), ())
        signs = np.array([number < 0 for number in sums], dtype=np.uint8)
        found = [np.array(counts, dtype=np.uint64), *_packed(list(map(abs, sums))), signs, *_packed(squares)]
        return dict(zip(_NAMES, found, strict=True))

    def hold(self, arrays: Mapping[str, Array]) -> None:
        """Takes over arrays as `arrays` gives them, of any width; ValueError says what is wrong with them."""
        _check_kinds(arrays)
        sums = _unpacked(arrays["sums"], arrays["sum_ends"], arrays["sum_shifts"])
        squares = _unpacked(arrays["squares"], arrays["square_ends"], arrays["square_shifts"])
        counts, signs = arrays["moments"].tolist(), arrays["sum_signs"].tolist()
        if any(sign > 1 or (sign and not number) for sign, number in zip(signs, sums, strict=True)):
            raise ValueError("a sign of the sums is neither 0 nor 1, or 0 has one")
        signed = [-number if sign else number for sign, number in zip(signs, sums, strict=True)]
        rows = list(zip(counts, signed, squares, strict=True))
        for label_id, row in enumerate(rows):
            if not _are_possible(row) or row[2] > row[0] * LARGEST**2 << 2 * SCALE:
                raise ValueError(f"no numbers have the sums that label {label_id} has")
        self._sums = {label_id: row for label_id, row in enumerate(rows) if row[0]}


def _sums(
    numbers: NDArray[np.float64], label_ids: NDArray[np.uint32], weights: NDArray[np.uint64] | None
) -> list[tuple[int, int, int]]:
    labels = int(label_ids.max()) + 1 if len(label_ids) else 0
    return [
        (n, int.from_bytes(s, "little", signed=True), int.from_bytes(q, "little", signed=True))
        for n, s, q in exact_sums(numbers, label_ids, weights, labels)
    ]


def _are_possible(sums: tuple[int, int, int]) -> bool:
    n, s, q = sums
    return n >= 0 and q >= 0 and n * q >= s * s and (n > 0 or q == 0)  # Cauchy and Schwarz; 0 values sum to 0


# ---- large integers as bytes -------------------------------------------------------------------------------------


def _packed(numbers: Sequence[int]) -> tuple[Array, Array, Array]:
    """bytes, ends and shifts."""
    shifts = [(number & -number).bit_length() - 1 if number else 0 for number in numbers]
    parts = [
        (number >> shift).to_bytes((number.bit_length() - shift + 7) // 8, "little")
        for number, shift in zip(numbers, shifts, strict=True)
    ]
    ends = np.cumsum([len(part) for part in parts], dtype=np.uint64)
    return np.frombuffer(b"".join(parts), dtype=np.uint8), ends, np.array(shifts, dtype=np.uint16)


def _unpacked(bytes_: Array, ends: Array, shifts: Array) -> list[int]:
    joined, numbers, start = bytes_.tobytes(), [], 0
    for end, shift in zip(ends.tolist(), shifts.tolist(), strict=True):
        part = joined[start:end]
        if not start <= end <= len(joined) or len(part) > _MOST_BYTES or shift > _MOST_SHIFT:
            raise ValueError("the ends or shifts of the sums make no sense")
        if (not part and shift) or (part and not (part[0] & 1 and part[-1])):
            raise ValueError("a sum is not written in the shortest way")
        numbers.append(int.from_bytes(part, "little") << shift)
        start = end
    if start != len(joined):
        raise ValueError("there are more bytes of sums than labels have")
    return numbers


def _check_kinds(arrays: Mapping[str, Array]) -> None:
    missing = [name for name in _NAMES if name not in arrays]
    if missing:
        raise ValueError(f"the array {missing[0]!r} is missing")
    given = [arrays[name] for name in _NAMES]
    if any(array.ndim != 1 or array.dtype.kind != "u" for array in given):
        raise ValueError("an array of the sums has the wrong shape or type")
    if arrays["sums"].itemsize != 1 or arrays["squares"].itemsize != 1:
        raise ValueError("the bytes of the sums are not bytes")
    if len({len(arrays[name]) for name in _NAMES if name not in ("sums", "squares")}) != 1:
        raise ValueError("the arrays of the sums are not for the same labels")

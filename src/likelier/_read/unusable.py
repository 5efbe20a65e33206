"""Values that cannot be used in their column: what was expected there, the value got, and what helps."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from likelier._base.errors import InputError
from likelier._read.faults import Fault
from likelier._read.prepare import LARGEST, Problem

Place = Callable[[int], tuple[str, str, int]]  # row → source, unit (line, row or document), number
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+|[+-]?\d{1,3}([,.' ])\d{3}(?:\1\d{3})*(?:[.,]\d+)?")
_SKIP = "; such rows can be skipped: on_error='skip'"


def unusable(problem: Problem, place: Place) -> Fault:
    """A value that cannot be used, as a fault of its row."""
    source, unit, number = place(problem.row)
    where = f"in column {problem.column!r} of {f'{source} {unit} {number}'.strip()}"
    error = _ERRORS[problem.expected](problem, where)
    error.hint += _SKIP if source else ""
    return Fault(source, number, 0, error, str(problem.value)[:1000])


def by_number(row: int) -> tuple[str, str, int]:
    """The place of a document that stands in no file."""
    return "", "document", row


def _text(problem: Problem, where: str) -> InputError:
    value = problem.value
    return InputError(
        code="text-kind",
        message=f"a text must be a `str`, got {type(value).__name__} {value!r:.60} {where}",
        hint="write it as text, or give the column another kind: categorical or numeric",
    )


def _value(problem: Problem, where: str) -> InputError:
    value = problem.value
    return InputError(
        code="value-kind",
        message="a categorical value is one text, number or truth value,"
        f" got {type(value).__name__} {value!r:.60} {where}",
        hint="make a column for each of its parts, or write it as text",
    )


def _truth(problem: Problem, where: str) -> InputError:
    return InputError(
        code="truth-expected",
        message=f"a binary column holds yes or no (true or false, 1 or 0), got {problem.value!r:.60} {where}",
        hint=f"with more than two values it is categorical={problem.column!r};"
        " say what stands for a missing value: missing_values=[...]",
    )


def _number(problem: Problem, where: str) -> InputError:
    value = problem.value
    number = _as_number(value)
    if number is not None and math.isinf(number):
        return InputError(
            code="number-infinite",
            message=f"a number must be finite, got {value!r:.60} {where}",
            hint="leave the value empty where there is none",
        )
    if number is not None and abs(number) > LARGEST:
        return InputError(
            code="number-too-large",
            message=f"a number must be between -{LARGEST:g} and {LARGEST:g}, got {value!r:.60} {where}",
            hint="measure it in a larger unit",
        )
    return _no_number(value, where)


def _no_number(value: object, where: str) -> InputError:
    comma = isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value.strip())
    point = "write numbers with a decimal point and nothing between thousands, as in 1234.5; " if comma else ""
    return InputError(
        code="number-expected",
        message=f"a numeric column holds numbers, got {value!r:.60} {where}",
        hint=f"{point}a column of categories is categorical; say what stands for a missing value: missing_values=[...]",
    )


def _as_number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return None


_ERRORS: dict[str, Callable[[Problem, str], InputError]] = {
    "text": _text,
    "value": _value,
    "truth": _truth,
    "number": _number,
}

"""Numbers with a decimal comma, such as 3,5.

A column is decided as a whole, by its first rows. It has decimal commas if one of its values can mean nothing else and
none has a decimal point. A value can mean nothing else if the comma cannot separate thousands: 3,5 and 0,125 and
1234,567 and 1.234,50. If every comma precedes exactly three digits, as in 1,234, nobody can tell; such a column is no
part of a guess, and an error where it is named as numeric. In a column with decimal commas, 1,234 is 1.234.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_COMMA = re.compile(r"[+-]?(?:\d*|\d{1,3}(?:\.\d{3})+),\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_WHOLE = re.compile(r"[+-]?\d+")
_POINT = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NO_NUMBER = ","


def has_decimal_commas(values: Sequence[str | None]) -> bool:
    """Whether a column with these values has decimal commas.

    >>> has_decimal_commas(["1,234", "3,5"]), has_decimal_commas(["1,234", "2,500"]), has_decimal_commas(["3,5", "2.5"])
    (True, False, False)
    """
    there = [value.strip() for value in values if value and ("," in value or "." in value)]
    clear = any(_COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text) for text in there)
    return clear and not any(map(_POINT.fullmatch, there))


def is_unclear(there: Sequence[str]) -> bool:
    """Whether these are numbers with commas that may separate decimals or thousands.

    >>> is_unclear(["1,234", "17"]), is_unclear(["3,5"]), is_unclear(["17"])
    (True, False, False)
    """
    separated = [text for text in there if "," in text]
    return (
        bool(separated)
        and all(map(_THOUSANDS.fullmatch, separated))
        and all(_WHOLE.fullmatch(text) or _POINT.fullmatch(text) for text in there if "," not in text)
    )


def with_points(values: Sequence[str | None], missing: Collection[str] = ()) -> list[str | None]:
    """The values of a column with decimal commas, with decimal points; one that had a point is no number.

    >>> with_points(["3,5", "1.234,50", "17", "2.5", None])
    ['3.5', '1234.50', '17', ',', None]
    """
    return [value if value is None or value in missing else _with_point(value.strip()) for value in values]


def _with_point(text: str) -> str:
    if _COMMA.fullmatch(text):
        return text.replace(".", "").replace(",", ".")
    return _NO_NUMBER if _POINT.fullmatch(text) else text

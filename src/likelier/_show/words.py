"""Numbers, percentages, plural forms and lists, as people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

Number = float | Fraction
LARGE = 1e9  # from here on with a power of ten


def number(value: Number) -> str:
    """A count with separators; not more than six digits where it is no integer.

    >>> number(27301), number(1234567.0), number(0.5), number(1234.5678)
    ('27,301', '1,234,567', '0.5', '1,234.57')
    """
    is_whole = isinstance(value, int) or float(value).is_integer()
    return f"{int(value):,}" if is_whole else f"{float(value):,.6g}"


def brief(value: Number) -> str:
    """A number in three digits or a few more, for a picture.

    >>> brief(1234), brief(1 / 3), brief(1234.5), brief(0.00001), brief(2.0), brief(-math.inf)
    ('1,234', '0.333', '1,234', '1.0e-05', '2', '-∞')
    """
    size = abs(float(value))
    if size == math.inf:
        return "∞" if value > 0 else "-∞"
    if size >= LARGE or 0 < size < 1e-4:
        return f"{float(value):.1e}"
    if size.is_integer() or size >= 1000:
        return f"{round(value):,}"
    return f"{float(value):.3g}"


def counted(value: Number, noun: str, plural: str | None = None) -> str:
    """A number of things.

    >>> counted(1, "document"), counted(12345, "document"), counted(2, "category", "categories")
    ('1 document', '12,345 documents', '2 categories')
    """
    return f"{number(value)} {noun if value == 1 else plural or f'{noun}s'}"


def percent(share: float) -> str:
    """A share; what is not all is not shown as all, and what is something not as nothing.

    >>> percent(0.9312), percent(1.0), percent(0.99999), percent(0.00001), percent(0.0)
    ('93.1 %', '100 %', '>99.9 %', '<0.1 %', '0 %')
    """
    if share in (0, 1):
        return f"{share * 100:.0f} %"
    if share > 0.9995:
        return ">99.9 %"
    return "<0.1 %" if share < 0.0005 else f"{share * 100:.1f} %"


def listed(words: Iterable[object], last: str = "and") -> str:
    """A list in a sentence.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a"]), listed([])
    ('a, b and c', 'a or b', 'a', '')
    """
    *first, final = map(str, words) if (words := list(words)) else [""]
    return f"{', '.join(first)} {last} {final}" if first else final


def probability(value: float) -> str:
    """Four decimals, or the order of magnitude where those would be zeros.

    >>> probability(0.68976), probability(3.2e-9), probability(0.0)
    ('0.6898', '3.2e-09', '0')
    """
    if value == 0:
        return "0"
    return f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}"


def log_score(value: float, places: int = 3) -> str:
    """A logarithm of a probability, or a sum of them.

    >>> log_score(-2.6390573), log_score(-0.0), log_score(-1e300), log_score(-math.inf)
    ('-2.639', '0.000', '-1.000e+300', 'impossible')
    """
    if value == -math.inf:
        return "impossible"
    return f"{value:z.{places}f}" if abs(value) < LARGE else f"{value:.3e}"


def signed(value: float, places: int = 3) -> str:
    """A difference.

    >>> signed(0.25), signed(-0.25), signed(0), signed(math.inf)
    ('+0.250', '-0.250', '0.000', '+∞')
    """
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    if abs(value) >= LARGE:
        return f"{value:+.3e}"
    return f"{value:.{places}f}" if value == 0 else f"{value:+z.{places}f}"

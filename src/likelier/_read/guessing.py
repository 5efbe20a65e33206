"""What a column holds, guessed from its values in the first rows.

numeric      all are numbers, or nearly all, also with decimal commas; other values are reported when they are read
binary       exactly 0 and 1, or a yes and a no
text         several words on average, or a usual name for texts
categorical  everything else

Left out is what says nothing about the next document: a column without values, identifiers (integers that rise
from row to row, or words that are nearly all different), dates, and what is not a single value. So are numbers whose
commas may separate decimals or thousands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from likelier._documents.kinds import KINDS, Binary, Categorical, Kind, Numeric, Text
from likelier._documents.spelling import truth
from likelier._read.decimals import has_decimal_commas, is_unclear, with_points

TEXT_NAMES = ("text", "message", "body", "content", "document", "review", "sentence", "comment", "tweet", "sms", "mail")
IDENTIFIER_NAMES = ("id", "_id", "uuid", "guid", "index", "rowid", "unnamed: 0")
SEVERAL_WORDS = 3  # on average, from which on a column looks like text
SOME_WORDS = 1.5  # on average, from which on values that are all different look like text
ENOUGH = 20  # rows, from which on it means something that all values differ
MOST_OF_A_KIND = 12  # that a note lists
MOSTLY = 0.95  # of the values, from which on they count as all different, or as numbers
_DATE = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}(?:[T ].*)?|\d{1,2}([./])\d{1,2}\1\d{2,4}(?: .*)?|\d{4}/\d{1,2}/\d{1,2}(?: .*)?"
)
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")

EMPTY = "empty"
Guess = Kind | str  # a kind, or why the column is left out


def guess_kind(name: str, values: Sequence[str | None], missing: Sequence[str]) -> Guess:
    """The kind of a column, or why it is left out.

    >>> guess_kind("age", ["39", "50", None], ["?"]), guess_kind("x", ["?", "?"], ["?"])
    (Numeric(digits=5), 'empty')
    """
    without = frozenset(missing)
    there = [text for value in values if value is not None and (text := value.strip()) not in without]
    if not there:
        return EMPTY
    if not name.strip():
        return "without a name"
    if is_unclear(there):
        return f"{next(text for text in there if ',' in text)!r} may have decimals or thousands"
    there = readable(there)
    if all_numbers(there):
        return _of_numbers(name, [float(text) for text in there])
    return Numeric() if _mostly_numbers(there) else _of_words(name, there)


def readable(values: Sequence[str]) -> list[str]:
    """Values with decimal points where the column has decimal commas, else unchanged."""
    return [text or "" for text in with_points(values)] if has_decimal_commas(values) else list(values)


def _of_numbers(name: str, numbers: list[float]) -> Guess:
    distinct = set(numbers)
    if distinct == {0, 1}:
        return Binary()
    whole = all(math.isfinite(number) and number.is_integer() for number in numbers)
    rising = all(before < after for before, after in pairwise(numbers))
    if whole and rising and len(numbers) >= ENOUGH:
        return "an identifier"
    return "an identifier" if _is_identifier(name) and len(distinct) == len(numbers) else Numeric()


def _of_words(name: str, there: list[str]) -> Guess:
    distinct = set(there)
    if len(distinct) == 2 and {truth(text) for text in distinct} == {True, False}:
        return Binary()
    if name.strip().lower() in TEXT_NAMES:
        return Text()
    if all(map(_DATE.fullmatch, there)):
        return "a date"
    if looks_like_text(there):
        return Text()
    if len(there) >= ENOUGH and len(distinct) > MOSTLY * len(there):
        return Text() if words_on_average(there) >= SOME_WORDS else "an identifier"
    return "an identifier" if _is_identifier(name) and len(distinct) == len(there) else Categorical()


def all_numbers(values: Sequence[str | None]) -> bool:
    """Whether all values that are there are numbers, and one is."""
    there = [value.strip() for value in values if value]
    return bool(there) and all(map(_NUMBER.fullmatch, there))


def _mostly_numbers(there: Sequence[str]) -> bool:
    """Whether values that are no numbers look like slips: infinite, or one among many. Reading reports them."""
    numbers = [text for text in there if _NUMBER.fullmatch(text)]
    others = [text for text in there if not _NUMBER.fullmatch(text)]
    if numbers and all(map(_INFINITE.fullmatch, others)):
        return True
    return len(set(numbers)) >= ENOUGH and len(others) <= (1 - MOSTLY) * len(there)


def looks_like_text(values: Sequence[str | None]) -> bool:
    """Whether the values have several words on average."""
    return words_on_average([value for value in values if value]) >= SEVERAL_WORDS


def words_on_average(there: Sequence[str]) -> float:
    """How many words a value has on average.

    >>> words_on_average(["one", "one two three"])
    2.0
    """
    return sum(len(text.split()) for text in there) / len(there) if there else 0


def _is_identifier(name: str) -> bool:
    """By name: "id", "PassengerId", "order_id", and what pandas calls a column that had no name."""
    plain = name.strip()
    return plain.lower() in IDENTIFIER_NAMES or plain.lower().endswith("_id") or plain.endswith(("Id", "ID"))


def guess_note(guesses: Mapping[str, Guess]) -> str:
    """A note with the kind of each column.

    >>> guess_note({"Name": Text(), "Age": Numeric(), "Fare": Numeric(), "Id": "an identifier"})
    'columns (guessed): Name text; Age, Fare numeric; left out: Id (an identifier)'
    """
    kinds: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name, guess in guesses.items():
        if not isinstance(guess, str):
            kinds[guess.name].append(name)
    parts = [f"{_some(names)} {kind}" for kind, names in kinds.items() if names]
    left = reasons(guesses)
    return "columns (guessed): " + "; ".join([*parts, *([f"left out: {left}"] if left else [])])


def reasons(guesses: Mapping[str, Guess]) -> str:
    """The columns that are left out, each with why."""
    left: dict[str, list[str]] = {}
    for name, guess in guesses.items():
        if isinstance(guess, str):
            left.setdefault(guess, []).append(name)
    return ", ".join(f"{_some(names)} ({why})" for why, names in left.items())


def _some(names: Sequence[str]) -> str:
    shown = [
        name if name.replace("_", "a").replace("-", "a").replace(".", "a").isalnum() else repr(name) for name in names
    ]
    if len(shown) <= MOST_OF_A_KIND:
        return ", ".join(shown)
    return f"{', '.join(shown[:6])}, ..., {shown[-1]} ({len(shown)} columns)"

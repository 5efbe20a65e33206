"""The kinds of columns.

text         words, made terms by an analyzer of its own
categorical  one of any number of values
binary       yes or no
numeric      a number
bound        two or more categorical or binary columns taken as one, where they depend on each other
"""

from __future__ import annotations

from dataclasses import dataclass, field

from likelier.text.analyzer import Analyzer

PLAIN = "text"  # the column of a plain text classifier
YES, NO = "yes", "no"
DIGITS = 5
BINDS = " & "  # between the names, and between the values, of columns that are bound
MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "NULL", "null")


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    analyzer: Analyzer = field(default_factory=Analyzer)


@dataclass(frozen=True, slots=True)
class Categorical:
    """One of some values; `values` may name those that there are, seen or not."""

    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Binary:
    """Yes or no: both are possible, seen or not."""

    @property
    def values(self) -> tuple[str, ...]:
        return (NO, YES)


@dataclass(frozen=True, slots=True)
class Numeric:
    """A number; for intervals it is kept to so many significant digits."""

    digits: int = DIGITS


@dataclass(frozen=True, slots=True)
class Bound:
    """Columns taken as one; they do not count by themselves any more."""

    columns: tuple[tuple[str, Categorical | Binary], ...]


Kind = Text | Categorical | Binary | Numeric | Bound
NAMES: dict[type, str] = {
    Text: "text",
    Categorical: "categorical",
    Binary: "binary",
    Numeric: "numeric",
    Bound: "bound",
}


def kind_name(kind: Kind) -> str:
    """The word for a kind.

    >>> kind_name(Numeric())
    'numeric'
    """
    return NAMES[type(kind)]

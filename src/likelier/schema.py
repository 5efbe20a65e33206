"""The schema: which columns a document has, and what each of them holds.

text         words, made terms by an analyzer of its own
categorical  one of any number of values
binary       yes or no
numeric      a number
bound        two or more categorical or binary columns taken as one, where they depend on each other

A plain text classifier has one text column, and its documents are strings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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


@dataclass(frozen=True)
class Schema:
    """The columns by name, in the order in which their evidence is added.

    missing  how a missing value is written in a categorical, binary or numeric column
    """

    columns: Mapping[str, Kind]
    missing: tuple[str, ...] = MISSING

    @property
    def is_plain(self) -> bool:
        """Whether documents are plain texts."""
        return list(self.columns) == [PLAIN] and isinstance(self.columns[PLAIN], Text)

    @property
    def read(self) -> dict[str, Kind]:
        """The columns that a document brings; bound ones are made of several."""
        brought: dict[str, Kind] = {}
        for name, kind in self.columns.items():
            brought.update(kind.columns if isinstance(kind, Bound) else {name: kind})
        return brought

    @property
    def texts(self) -> dict[str, Text]:
        """The text columns."""
        return {name: kind for name, kind in self.columns.items() if isinstance(kind, Text)}

    def with_columns(self, columns: Mapping[str, Kind]) -> Schema:
        """The same with other columns."""
        return replace(self, columns=columns)


def plain(analyzer: Analyzer) -> Schema:
    """The schema of a plain text classifier."""
    return Schema({PLAIN: Text(analyzer)})

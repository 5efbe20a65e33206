"""The schema: which columns a document has, and what each of them holds.

text         words, made terms by an analyzer of its own
categorical  one of any number of values
binary       yes or no
numeric      a number
bound        two or more categorical or binary columns taken as one, where they depend on each other

A plain text classifier has one text column, and its documents are strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from likelier.errors import InputError, SettingError
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

    @property
    def only_text(self) -> Text:
        """The text column, where there is exactly one."""
        if len(self.texts) != 1:
            raise InputError(
                code="text-column-needed",
                message=f"there must be exactly one text column for this, and the columns are: {self.in_words()}",
                hint="model.schema.columns has all columns; a document is a mapping of columns to values",
            )
        return next(iter(self.texts.values()))

    def in_words(self) -> str:
        """The columns by kind.

        >>> Schema({"subject": Text(), "sex": Categorical(), "age": Numeric(), "size": Numeric()}).in_words()
        'subject text; sex categorical; age, size numeric'
        """
        by_kind: dict[str, list[str]] = {}
        for name, kind in self.columns.items():
            by_kind.setdefault(kind_name(kind), []).append(name)
        return "; ".join(f"{', '.join(names)} {kind}" for kind, names in by_kind.items())

    def with_columns(self, columns: Mapping[str, Kind]) -> Schema:
        """The same with other columns."""
        return replace(self, columns=columns)

    def bound(self, groups: Sequence[Sequence[str]]) -> Schema:
        """The same with groups of columns taken as one each, in the place of the first of a group.

        >>> Schema({"a": Binary(), "b": Binary(), "c": Numeric()}).bound([("a", "b")]).in_words()
        'a & b bound; c numeric'
        """
        columns = dict(self.columns)
        for group in groups:
            _check_group(group, columns)
            together = Bound(tuple((name, columns[name]) for name in group))  # type: ignore[misc]
            columns = {
                (BINDS.join(group) if name == group[0] else name): together if name == group[0] else kind
                for name, kind in columns.items()
                if name == group[0] or name not in group
            }
        return self.with_columns(columns)

    # ---- as plain values -----------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """All columns as plain JSON values.

        >>> Schema({"age": Numeric(), "smokes": Binary()}, missing=("?",)).to_dict()["columns"]
        [{'name': 'age', 'kind': 'numeric', 'digits': 5}, {'name': 'smokes', 'kind': 'binary'}]
        """
        return {"columns": _columns_to_plain(self.columns.items()), "missing": list(self.missing)}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Schema:
        """The schema of `to_dict`.

        >>> Schema.from_dict({"columns": [{"name": "smokes", "kind": "binary"}], "missing": ["?"]}).columns
        {'smokes': Binary()}
        """
        if not isinstance(stored, Mapping) or set(stored) != {"columns", "missing"}:
            raise _stored_columns("an object with `columns` and `missing`", stored)
        if not _are_texts(stored["missing"]):
            raise _stored_columns("a list of texts that stand for a missing value", stored["missing"])
        found = cls(dict(_columns_from_plain(stored["columns"])), tuple(stored["missing"]))
        if not found.columns:
            raise _stored_columns("one column or more", stored["columns"])
        return found


def _check_group(group: Sequence[str], columns: Mapping[str, Kind]) -> None:
    fit = [name for name, kind in columns.items() if isinstance(kind, Categorical | Binary)]
    if isinstance(group, str) or len(group) < 2 or len(set(group)) < len(group) or not set(group) <= set(fit):
        raise SettingError(
            code="bind-columns",
            message="`bind` has groups of two or more categorical or binary columns,"
            f" each column in one group: {', '.join(map(repr, fit)) or 'there is none'}; got {group!r}",
            hint="bind=[('city', 'country')]; numbers can be bound once they are categories, words by an Analyzer's"
            " replace={'hong kong': 'hong_kong'}",
        )


def plain(analyzer: Analyzer) -> Schema:
    """The schema of a plain text classifier."""
    return Schema({PLAIN: Text(analyzer)})


# ---- stored columns: what comes back is checked, it may come from anywhere ---------------------------------------

_FIELDS: dict[str, str | None] = {
    "text": "analyzer",
    "categorical": "values",
    "binary": None,
    "numeric": "digits",
    "bound": "columns",
}
_MOST_DIGITS = 17  # of a float
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _columns_to_plain(columns: Iterable[tuple[str, Kind]]) -> list[dict[str, Any]]:
    return [{"name": name, "kind": kind_name(kind), **_own_to_plain(kind)} for name, kind in columns]


def _own_to_plain(kind: Kind) -> dict[str, Any]:
    if isinstance(kind, Text):
        return {"analyzer": kind.analyzer.to_dict()}
    if isinstance(kind, Categorical):
        return {"values": list(kind.values)}
    if isinstance(kind, Bound):
        return {"columns": _columns_to_plain(kind.columns)}
    return {"digits": kind.digits} if isinstance(kind, Numeric) else {}


def _columns_from_plain(stored: object) -> list[tuple[str, Kind]]:
    if not isinstance(stored, list):
        raise _stored_columns("a list of columns", stored)
    found = [_column_from_plain(column) for column in stored]
    parts = [part for _, kind in found if isinstance(kind, Bound) for part, _ in kind.columns]
    names = [name for name, _ in found] + parts
    if len(set(names)) < len(names):
        raise _stored_columns("columns of which each has another name", names)
    return found


def _column_from_plain(stored: object) -> tuple[str, Kind]:
    kind = stored.get("kind") if isinstance(stored, dict) else None
    if not isinstance(stored, dict) or not isinstance(kind, str) or kind not in _FIELDS:
        raise _stored_columns(f"a column of one of the kinds {', '.join(_FIELDS)}", stored)
    own = _FIELDS[kind]
    if set(stored) != {"name", "kind", own} - {None} or not _are_texts([stored["name"]]):
        raise _stored_columns(f"a {kind} column with its name" + f" and `{own}`" * (own is not None), stored)
    return stored["name"], _kind_from_plain(kind, stored[own] if own else None)


def _kind_from_plain(kind: str, own: Any) -> Kind:
    if kind == "text":
        if not isinstance(own, dict):
            raise _stored_columns("an object with the settings of an analyzer", own)
        return Text(Analyzer.from_dict(own))
    if kind == "categorical":
        if not _are_texts(own) or len(set(own)) < len(own):
            raise _stored_columns("a list of values", own)
        return Categorical(tuple(own))
    if kind == "numeric":
        if type(own) is not int or not 1 <= own <= _MOST_DIGITS:
            raise _stored_columns(f"a number of digits from 1 to {_MOST_DIGITS}", own)
        return Numeric(own)
    return Binary() if kind == "binary" else _bound_from_plain(own)


def _bound_from_plain(stored: object) -> Bound:
    kinds = [column.get("kind") if isinstance(column, dict) else None for column in _listed(stored)]
    if len(kinds) < 2 or not all(kind in ("categorical", "binary") for kind in kinds):
        raise _stored_columns("two or more categorical or binary columns", stored)
    return Bound(tuple(_columns_from_plain(stored)))  # type: ignore[arg-type]


def _listed(stored: object) -> list[Any]:
    return stored if isinstance(stored, list) else []


def _are_texts(stored: object) -> bool:
    """A list of texts, in valid Unicode."""
    return isinstance(stored, list) and all(isinstance(text, str) and not _SURROGATE.search(text) for text in stored)


def _stored_columns(wanted: str, got: object) -> SettingError:
    return SettingError(
        code="stored-columns",
        message=f"{wanted} must stand here, got {got!r:.60}",
        hint="Schema(...).to_dict() shows the form; an unknown kind may be of a newer version: pip install -U likelier",
    )

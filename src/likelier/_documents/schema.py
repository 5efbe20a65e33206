"""The schema: which columns a document has, and what each of them holds.

A plain text classifier has one text column, and its documents are strings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from likelier._base.cached import cached_property
from likelier._base.errors import error
from likelier._documents.kinds import (
    BINDS,
    MISSING,
    PLAIN,
    Bound,
    Kind,
    Text,
    are_texts,
    check_unicode,
    columns_from_plain,
    columns_to_plain,
)
from likelier._documents.weights import Weighting
from likelier._text.analyzer import Analyzer


@dataclass(frozen=True)
class Schema:
    """The columns of a document by name, in the order in which their evidence is added.

    missing  how a missing value is written in a categorical, binary or numeric column
    label    the column in which tables have the label, if it is known; it makes no difference to the counts
    text     the same for the texts, where documents are plain texts
    clean_labels  whether labels that differ only in case or blanks are joined; it makes no difference to the columns

    >>> from likelier import Numeric
    >>> Schema({"subject": Text(), "days": Numeric()}).in_words()
    'subject text; days numeric'
    """

    columns: Mapping[str, Kind]
    missing: tuple[str, ...] = MISSING
    label: str | None = field(default=None, compare=False)
    text: str | None = field(default=None, compare=False)
    clean_labels: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.columns, Mapping) or not all(isinstance(kind, Kind) for kind in self.columns.values()):
            raise error("stored-columns", wanted="a mapping of names to kinds of columns", got=self.columns)
        texts = [*self.columns, *self.missing] if isinstance(self.missing, tuple) else [None]
        names = [name for name in (self.label, self.text) if name is not None]
        if not all(isinstance(text, str) for text in (*texts, *names)):
            raise error("stored-columns", wanted="names of columns, and texts that stand for a missing value", got=self)
        values = [value for kind in self.read.values() for value in kind.declared]
        check_unicode([*self.columns, *self.read, *values, *self.missing, *names])

    @cached_property
    def is_plain(self) -> bool:
        """Whether documents are plain texts."""
        return list(self.columns) == [PLAIN] and isinstance(self.columns[PLAIN], Text)

    @property
    def read(self) -> dict[str, Kind]:
        """The columns that a document has; a bound column is made of several."""
        brought: dict[str, Kind] = {}
        for name, kind in self.columns.items():
            brought |= kind.brought(name)
        return brought

    @property
    def texts(self) -> dict[str, Text]:
        """The text columns."""
        return {name: kind for name, kind in self.columns.items() if isinstance(kind, Text)}

    @property
    def only_text(self) -> Text:
        """The text column, where there is exactly one."""
        if len(self.texts) != 1:
            raise error("text-column-needed", columns=self.in_words())
        return next(iter(self.texts.values()))

    def in_words(self) -> str:
        """The columns by kind.

        >>> from likelier._documents.kinds import Categorical, Numeric, Text
        >>> Schema({"subject": Text(), "sex": Categorical(), "age": Numeric(), "size": Numeric()}).in_words()
        'subject text; sex categorical; age, size numeric'
        """
        by_kind: dict[str, list[str]] = {}
        for name, kind in self.columns.items():
            by_kind.setdefault(kind.name, []).append(name)
        return "; ".join(f"{', '.join(names)} {kind}" for kind, names in by_kind.items())

    def with_columns(self, columns: Mapping[str, Kind]) -> Schema:
        """The schema with other columns."""
        return replace(self, columns=columns)

    def bound(self, groups: Sequence[Sequence[str]]) -> Schema:
        """The schema with each group of columns bound into one, at the position of its first column.

        >>> from likelier._documents.kinds import Binary, Numeric
        >>> Schema({"a": Binary(), "b": Binary(), "c": Numeric()}).bound([("a", "b")]).in_words()
        'a & b bound; c numeric'
        """
        columns = dict(self.columns)
        for group in groups if isinstance(groups, Sequence) else [groups]:
            _check_group(group, columns)
            _check_free(BINDS.join(group), columns)
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

        >>> from likelier._documents.kinds import Binary, Numeric
        >>> Schema({"age": Numeric(), "smokes": Binary()}, missing=("?",)).to_dict()["columns"]
        [{'name': 'age', 'kind': 'numeric', 'digits': 5}, {'name': 'smokes', 'kind': 'binary'}]
        """
        columns = columns_to_plain(self.columns.items())
        return {"columns": columns, "missing": list(self.missing), "label": self.label}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Schema:
        """The schema of `to_dict`.

        >>> Schema.from_dict({"columns": [{"name": "smokes", "kind": "binary"}], "missing": ["?"]}).columns
        {'smokes': Binary()}
        """
        if not isinstance(stored, Mapping) or not {"columns", "missing"} <= set(stored) <= {
            "columns",
            "missing",
            "label",
        }:
            raise error("stored-columns", wanted="an object with `columns`, `missing` and `label`", got=stored)
        label = stored.get("label")
        if not are_texts(stored["missing"]) or not (label is None or are_texts([label])):
            raise error(
                "stored-columns", wanted="texts that stand for a missing value, and the name of a column", got=stored
            )
        found = cls(dict(columns_from_plain(stored["columns"])), tuple(stored["missing"]), label)
        if not found.columns:
            raise error("stored-columns", wanted="one column or more", got=stored["columns"])
        return found


def _check_group(group: object, columns: Mapping[str, Kind]) -> None:
    fit = [name for name, kind in columns.items() if kind.can_be_bound]
    names = list(group) if isinstance(group, Sequence) and not isinstance(group, str) else []
    if len(names) < 2 or any(name not in fit or names.count(name) > 1 for name in names):
        raise error("bind-columns", columns=", ".join(map(repr, fit)) or "there is none", got=group)


def _check_free(name: str, columns: Mapping[str, Kind]) -> None:
    if name in columns:
        raise error("bind-name", name=name)


def plain(
    analyzer: Analyzer, *, ngrams: int | tuple[int, int] | None = None, weighting: Weighting | None = None
) -> Schema:
    """The schema of a plain text classifier; ngrams and weighting as for `Text`."""
    return Schema({PLAIN: Text(analyzer, ngrams, weighting)})


def check_schema(schema: object) -> None:
    """Whether this is a schema."""
    if not isinstance(schema, Schema):
        raise error("schema-kind", got=schema)

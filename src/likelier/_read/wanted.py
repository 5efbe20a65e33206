"""Which columns the user wants: named kinds, or a model's schema; otherwise they are guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal, get_args

from likelier._base.checks import check_one_of, has_entries
from likelier._base.errors import LikelierError, error
from likelier._documents.kinds import KINDS, MISSING, Categorical, Kind, Text
from likelier._documents.schema import Schema, check_schema, plain
from likelier._documents.spelling import spelled
from likelier._text.analyzer import Analyzer

Names = str | Sequence[str] | Mapping[str, object]
Others = Literal["leave", "guess"]
PLAIN_TEXTS = plain(Analyzer())


@dataclass(frozen=True)
class Wanted:
    """Which columns a document is made of.

    text     the column with the texts, where documents are plain texts
    kinds    column → kind, where kinds were named
    ignore   columns that are no part of a guess
    others   whether columns that were not named are left out or guessed, where some were
    schema   that of a model, or of the file before; it comes before all others
    missing  how a missing value is written
    learned  the column from which a model of plain texts has learned; its files must have it, unless `text` is given
    """

    text: str | None = None
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()
    others: Others = "leave"
    schema: Schema | None = None
    missing: tuple[str, ...] = MISSING
    learned: str | None = None

    @property
    def named(self) -> list[str]:
        """The columns that were named, other than the label."""
        return [*([] if self.text is None else [self.text]), *self.kinds, *self.ignore]

    @property
    def is_plain(self) -> bool:
        """Whether documents are plain texts, as far as the caller has specified."""
        return self.schema.is_plain if self.schema is not None else self.text is not None

    @property
    def is_open(self) -> bool:
        """Whether the kinds are guessed."""
        return self.schema is None and self.text is None and not self.kinds

    def as_plain(self) -> Wanted:
        """The same for plain texts."""
        return self.under(PLAIN_TEXTS)

    def under(self, schema: Schema) -> Wanted:
        """The same for a model that has this schema; what was named has to agree with it."""
        known = schema.read
        for name, kind in self.kinds.items():
            there = known.get(name)
            if there is None or there.name != kind.name:
                raise _differs(name, kind, None if schema.is_plain else there, schema)
        if self.text is not None and not schema.is_plain and self.text not in schema.texts:
            raise _differs(self.text, Text(), known.get(self.text), schema)
        text = self.text if schema.is_plain else None
        return replace(self, schema=schema, text=text, kinds={}, learned=schema.text if text is None else None)


def wanted(
    *,
    text: Names | None = None,
    categorical: Names = (),
    binary: Names = (),
    numeric: Names = (),
    ignore: Names = (),
    others: Others = "leave",
    schema: Schema | None = None,
    missing_values: Iterable[object] = MISSING,
) -> Wanted:
    """The columns that were named, checked; `text` as one name and no other kind means plain texts, unless "guess"."""
    check_one_of("others-unknown", others, get_args(Others))
    options: dict[str, Any] = {"ignore": ignore, "text": () if text is None else text}
    options |= {"categorical": categorical, "binary": binary, "numeric": numeric}
    names = _checked_names(options)
    single = isinstance(missing_values, str) or not has_entries(missing_values)
    spellings = map(spelled, [missing_values] if single else missing_values)
    found = Wanted(ignore=tuple(names.pop("ignore")), others=others, missing=("", *filter(None, spellings)))
    if isinstance(text, str) and others == "leave" and sum(map(len, names.values())) == 1:
        found = replace(found, text=text)
    else:
        values = categorical if isinstance(categorical, Mapping) else {}
        categories = {name: Categorical(_possible(name, values.get(name))) for name in names.pop("categorical")}
        others_named = {name: KINDS[option]() for option, some in names.items() for name in some}
        found = replace(found, kinds={**others_named, **categories})
    if schema is not None:
        check_schema(schema)
    return found if schema is None else found.under(schema)


def _checked_names(options: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of the columns by option, each in one of them."""
    names = {option: _names(option, as_names(given)) for option, given in options.items()}
    twice = [name for name, times in Counter(chain(*names.values())).items() if times > 1]
    if twice:
        raise error("column-kinds", got=twice[0])
    return names


def _possible(name: str, values: object) -> tuple[str, ...]:
    """All values that a categorical column may have."""
    if values is None:
        return ()
    if isinstance(values, str | bytes) or not has_entries(values):
        raise error("values-not-a-list", got=values, name=name)
    return tuple(dict.fromkeys(text for value in values if (text := spelled(value)) is not None))


def as_names(given: Any) -> Any:
    """Names of columns as a list, where they come as a series, an index or a generator: they are gone through often."""
    if given is None or isinstance(given, str | bytes | Mapping | list | tuple) or not has_entries(given):
        return given
    return list(given)


def label_name(label: object) -> str | None:
    """The name of the column with the labels, if it is given."""
    return None if label is None else _checked_name("label", label)


def _names(option: str, given: object) -> list[str]:
    if isinstance(given, str):
        return [given]
    listed = list(given) if has_entries(given) and not isinstance(given, bytes) else [given]
    return [_checked_name(option, name) for name in listed]


def _checked_name(option: str, name: object) -> str:
    if isinstance(name, str):
        return name
    raise error("column-name-kind", option=option, got=name)


def _differs(name: str, kind: Kind, there: Kind | None, schema: Schema) -> LikelierError:
    if schema.is_plain:
        rule = "this model classifies plain texts"
    elif there is None:
        rule = f"this model has the columns {', '.join(map(repr, schema.read))}"
    else:
        rule = f"column {name!r} of this model is {there.name}"
    return error("columns-differ", rule=rule, got=name, name=kind.name)

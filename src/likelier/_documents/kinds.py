"""The kinds of columns.

text         words, made terms by an analyzer of its own
categorical  one of any number of values
binary       yes or no
numeric      a number
bound        two or more categorical or binary columns taken as one, where they depend on each other
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from likelier._base.errors import error
from likelier._documents.spelling import truth
from likelier._documents.weights import Extra, Weighting, extra
from likelier._kernel import Analysis
from likelier._text.analyzer import Analyzer
from likelier._text.checks import checked_ngrams

PLAIN = "text"  # the column of a plain text classifier
YES, NO = "yes", "no"
DIGITS = 5
BINDS = " & "  # between the names, and between the values, of columns that are bound
MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "NULL", "null")
COUNTING = ("ngrams", "weighting")  # of a text column, if more is counted than its analyzer says
Holds = Literal["terms", "value", "number"]
SINGLE = ("text", "int", "bool", "null", "float")  # kinds of Arrow data that are single values
_MOST_DIGITS = 17  # of a float
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Kind:
    """What a column holds. A new kind is a class like those below and its line in `KINDS`.

    name           of the kind, as it is stored
    holds          terms, a value or a number: decides its table of counts, and what it adds to a score
    is_closed      whether there are no other values than `declared`
    can_be_bound   whether `bind` can take it
    from_arrow     the kinds of Arrow data that it can be read from
    rule           what such a column holds, in words
    unusable       the code of the error for a value that cannot be used
    extra          the weighting that is counted, if there is one
    """

    __slots__ = ()
    name: ClassVar[str]
    holds: ClassVar[Holds] = "value"
    is_closed: ClassVar[bool] = False
    can_be_bound: ClassVar[bool] = False
    from_arrow: ClassVar[tuple[str, ...]] = SINGLE
    rule: ClassVar[str]
    unusable: ClassVar[str] = "value-kind"
    extra: ClassVar[Any] = None

    @property
    def has_one_value(self) -> bool:
        """Whether a document has one value of it, where it is not missing."""
        return self.holds != "terms"

    def value(self, text: str) -> str | None:
        """The value that a text stands for; None where it stands for none."""
        return text if not self.is_closed or text in self.declared else None

    @property
    def declared(self) -> tuple[str, ...]:
        """Values that there are, seen or not."""
        return ()

    def brought(self, name: str) -> dict[str, Kind]:
        """The columns that a document brings for a column of this name."""
        return {name: self}

    def to_plain(self) -> dict[str, Any]:
        """What belongs to the kind as plain JSON values."""
        return {}

    @classmethod
    def from_plain(cls, stored: Mapping[str, Any]) -> Kind:
        """The kind of `to_plain`. What is stored is checked: it may come from anywhere."""
        check_stored_fields(cls, stored)
        return cls()


@dataclass(frozen=True, slots=True)
class Text(Kind):
    """A text column.

    ngrams     more n-grams to count than the analyzer makes, (shortest, longest), for views that ask for them
    weighting  what to count beside occurrences and documents: log, count-length, once-length or log-length

    >>> Text(Analyzer(), ngrams=2, weighting="log").counted
    (1, 2)
    """

    name: ClassVar = "text"
    holds: ClassVar = "terms"
    from_arrow: ClassVar = ("text", "null")
    rule: ClassVar = "a text column holds text"
    unusable: ClassVar = "text-kind.column"
    analyzer: Analyzer = field(default_factory=Analyzer)
    ngrams: int | tuple[int, int] | None = None
    weighting: Weighting | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.analyzer, Analyzer):
            raise error("analyzer-kind", got=self.analyzer)
        # Frozen for its users; here each takes the form in which it is kept: None for what is counted anyway.
        object.__setattr__(self, "weighting", extra(self.weighting))
        object.__setattr__(self, "ngrams", self._wider())

    def _wider(self) -> tuple[int, int] | None:
        own = self.analyzer.ngram_range
        if self.ngrams is None:
            return None
        low, high = checked_ngrams(self.ngrams, words=True)
        wider = min(low, own[0]), max(high, own[1])
        if wider == own:
            return None
        if reason := self.analyzer.keeps_ngrams:
            raise error("ngrams-cannot-widen", reason=reason, ngrams=self.ngrams, high=high)
        return wider

    @property
    def extra(self) -> Extra | None:
        """The weighting that is counted, if there is one."""
        return extra(self.weighting)

    def to_plain(self) -> dict[str, Any]:
        return {"analyzer": self.analyzer.to_dict(), **self.counting_to_plain()}

    def counting_to_plain(self) -> dict[str, Any]:
        """What is counted beyond what the analyzer says; empty where it is nothing.

        >>> Text(ngrams=2).counting_to_plain()
        {'ngrams': [1, 2]}
        """
        said = {"ngrams": self.ngrams and list(self.counted), "weighting": self.weighting}
        return {name: value for name, value in said.items() if value is not None}

    @classmethod
    def from_plain(cls, stored: Mapping[str, Any]) -> Text:
        more = [name for name in COUNTING if name in stored]
        check_stored_fields(cls, stored, "analyzer", *more)
        return cls.from_parts(stored["analyzer"], {name: stored[name] for name in more})

    @classmethod
    def from_parts(cls, analyzer: object, counting: object) -> Text:
        """A text column with the settings of its analyzer, and what `counting_to_plain` says."""
        if not isinstance(analyzer, dict):
            raise error("stored-columns", wanted="an object with the settings of an analyzer", got=analyzer)
        if not isinstance(counting, dict) or not set(counting) <= set(COUNTING) or None in counting.values():
            raise error(
                "stored-columns", wanted="an object with `ngrams` and `weighting` where they are counted", got=counting
            )
        found = cls(Analyzer.from_dict(analyzer), **counting)
        if found.counting_to_plain() != counting:
            raise error(
                "stored-columns", wanted="n-grams and a weighting beyond those that are always counted", got=counting
            )
        return found

    @property
    def counted(self) -> tuple[int, int]:
        """The fewest and the most words of a term that is counted."""
        return self.analyzer.ngram_range if self.ngrams is None else self.ngrams  # type: ignore[return-value]

    @property
    def counting(self) -> Analysis:
        """The analyzer as the kernel takes it for learning."""
        return self.analyzer.counting(self.counted, self.extra)

    def orders(self, ngrams: tuple[int, int] | None, where: str = "") -> tuple[int, int] | None:
        """The n-grams that a view reads that asks for these, or by None for the analyzer's own; None: all counted ones.

        where: said in errors, such as " of 'subject'".

        >>> Text(Analyzer(), ngrams=2).orders(None), Text(Analyzer(), ngrams=2).orders((1, 2))
        ((1, 1), None)
        """
        wanted = self.analyzer.ngram_range if ngrams is None else ngrams
        if wanted == self.counted:
            return None
        low, high = self.counted
        if not low <= wanted[0] <= wanted[1] <= high:
            raise error(
                "ngrams-not-counted", where=where, counted=_words(self.counted), ngrams=ngrams, how=self._more(wanted)
            )
        if reason := self.analyzer.keeps_ngrams or (wanted[0] > low and self._pieces):
            raise error("ngrams-cannot-choose", where=where, reason=reason, ngrams=ngrams, wanted=wanted)
        return wanted

    def _more(self, ngrams: tuple[int, int]) -> str:
        """The argument of `train` that counts these n-grams."""
        return f"analyzer=Analyzer(ngrams={ngrams})" if self.analyzer.keeps_ngrams else f"view={{'ngrams': {ngrams}}}"

    @property
    def _pieces(self) -> str:
        return "pieces of words count as single words" if self.analyzer.char_ngrams is not None else ""

    def statistic(self, weighting: Weighting, where: str = "") -> Literal["tf", "df", "weighted"]:
        """Which of the counts a weighting reads; an error if it was not counted.

        >>> Text().statistic("once")
        'df'
        """
        if extra(weighting) is None:
            return "df" if weighting == "once" else "tf"
        if weighting != self.weighting:
            counted = ", ".join(["count", "once", *([self.weighting] if self.weighting else [])])
            raise error("weighting-not-counted", where=where, counted=counted, got=weighting)
        return "weighted"


@dataclass(frozen=True, slots=True)
class Categorical(Kind):
    """A categorical column; `values` may list all possible values, including those not seen in training.

    >>> from likelier import Model, Schema
    >>> model = Model(schema=Schema({"color": Categorical(("red", "green", "blue"))}))
    >>> model.learn({"color": "red"}, "apple")
    0
    >>> print(model.view().likelihood("red", "apple"), model.view().likelihood("blue", "apple"))
    1/2 1/4
    """

    name: ClassVar = "categorical"
    can_be_bound: ClassVar = True
    rule: ClassVar = "a categorical column holds text, numbers or booleans"
    values: tuple[str, ...] = ()

    @property
    def declared(self) -> tuple[str, ...]:
        return self.values

    def to_plain(self) -> dict[str, Any]:
        return {"values": list(self.values)}

    @classmethod
    def from_plain(cls, stored: Mapping[str, Any]) -> Categorical:
        check_stored_fields(cls, stored, "values")
        if not are_texts(stored["values"]) or len(set(stored["values"])) < len(stored["values"]):
            raise error("stored-columns", wanted="a list of values", got=stored["values"])
        return cls(tuple(stored["values"]))


@dataclass(frozen=True, slots=True)
class Binary(Kind):
    """A boolean column: yes or no.

    >>> from likelier import Model, Schema
    >>> model = Model(schema=Schema({"member": Binary()}))
    >>> model.learn({"member": True}, "billing")
    0
    >>> model.schema.in_words()
    'member binary'
    """

    name: ClassVar = "binary"
    is_closed: ClassVar = True
    can_be_bound: ClassVar = True
    rule: ClassVar = "a binary column holds booleans, or words and numbers for them"
    unusable: ClassVar = "truth-expected"

    def value(self, text: str) -> str | None:
        found = truth(text)
        return None if found is None else self.declared[found]

    @property
    def declared(self) -> tuple[str, ...]:
        return (NO, YES)


@dataclass(frozen=True, slots=True)
class Numeric(Kind):
    """A numeric column; for intervals, numbers are kept to `digits` significant digits.

    >>> from likelier import Model, Schema
    >>> model = Model(schema=Schema({"age": Numeric()}))
    >>> model.learn_many([({"age": 20}, "young"), ({"age": 22}, "young"), ({"age": 70}, "old")])
    0
    >>> model.classify({"age": 21}).label
    'young'
    """

    name: ClassVar = "numeric"
    holds: ClassVar = "number"
    from_arrow: ClassVar = ("text", "int", "float", "null")
    rule: ClassVar = "a numeric column holds numbers"
    unusable: ClassVar = "number-expected"
    digits: int = DIGITS

    def to_plain(self) -> dict[str, Any]:
        return {"digits": self.digits}

    @classmethod
    def from_plain(cls, stored: Mapping[str, Any]) -> Numeric:
        check_stored_fields(cls, stored, "digits")
        if type(stored["digits"]) is not int or not 1 <= stored["digits"] <= _MOST_DIGITS:
            raise error("stored-columns", wanted=f"a number of digits from 1 to {_MOST_DIGITS}", got=stored["digits"])
        return cls(stored["digits"])


@dataclass(frozen=True, slots=True)
class Bound(Kind):
    """Columns taken as one; they do not count by themselves any more."""

    name: ClassVar = "bound"
    columns: tuple[tuple[str, Categorical | Binary], ...]

    def brought(self, name: str) -> dict[str, Kind]:
        return dict(self.columns)

    def to_plain(self) -> dict[str, Any]:
        return {"columns": columns_to_plain(self.columns)}

    @classmethod
    def from_plain(cls, stored: Mapping[str, Any]) -> Bound:
        check_stored_fields(cls, stored, "columns")
        columns = stored["columns"] if isinstance(stored["columns"], list) else []
        kinds = [column.get("kind") if isinstance(column, dict) else None for column in columns]
        if len(kinds) < 2 or not all(kind in (Categorical.name, Binary.name) for kind in kinds):
            raise error("stored-columns", wanted="two or more categorical or binary columns", got=stored["columns"])
        return cls(tuple(columns_from_plain(columns)))  # type: ignore[arg-type]


def _words(ngrams: tuple[int, int]) -> str:
    low, high = ngrams
    return f"{low} to {high} words" if low < high else "1 word" if low == 1 else f"{low} words"


KINDS: dict[str, type[Kind]] = {kind.name: kind for kind in (Text, Categorical, Binary, Numeric, Bound)}


# ---- as plain JSON values ----------------------------------------------------------------------------------------


def columns_to_plain(columns: Iterable[tuple[str, Kind]]) -> list[dict[str, Any]]:
    """Columns as plain JSON values."""
    return [{"name": name, "kind": kind.name, **kind.to_plain()} for name, kind in columns]


def columns_from_plain(stored: object) -> list[tuple[str, Kind]]:
    """The columns of `columns_to_plain`."""
    if not isinstance(stored, list):
        raise error("stored-columns", wanted="a list of columns", got=stored)
    found = [_column_from_plain(column) for column in stored]
    parts = [part for name, kind in found for part in kind.brought(name) if part != name]
    names = [name for name, _ in found] + parts
    if len(set(names)) < len(names):
        raise error("stored-columns", wanted="columns of which each has another name", got=names)
    return found


def _column_from_plain(stored: object) -> tuple[str, Kind]:
    kind = stored.get("kind") if isinstance(stored, dict) else None
    if not isinstance(stored, dict) or not isinstance(kind, str) or kind not in KINDS:
        raise error("stored-columns", wanted=f"a column of one of the kinds {', '.join(KINDS)}", got=stored)
    return stored.get("name", ""), KINDS[kind].from_plain(stored)


def check_stored_fields(kind: type[Kind], stored: Mapping[str, Any], *own: str) -> None:
    """Whether a stored column has its name and just what belongs to its kind."""
    if set(stored) != {"name", "kind", *own} or not are_texts([stored["name"]]):
        wanted = " and ".join([f"a {kind.name} column with its name", *(f"`{name}`" for name in own[:1])])
        raise error("stored-columns", wanted=wanted, got=stored)


def are_texts(stored: object) -> bool:
    """A list of texts, in valid Unicode."""
    return isinstance(stored, list) and all(isinstance(text, str) and not _SURROGATE.search(text) for text in stored)


def check_unicode(texts: Iterable[str]) -> None:
    """Whether all texts are valid Unicode."""
    for text in texts:
        if _SURROGATE.search(text):
            raise error("column-surrogate", got=text)

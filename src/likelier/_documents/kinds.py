"""The kinds of columns.

text         words, made terms by an analyzer of its own
categorical  one of any number of values
binary       yes or no
numeric      a number
bound        two or more categorical or binary columns taken as one, where they depend on each other
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from likelier._base.errors import SettingError
from likelier._documents.weighting import Extra, Weighting, extra
from likelier._kernel import Analysis
from likelier._text.analyzer import Analyzer
from likelier._text.checks import checked_ngrams

PLAIN = "text"  # the column of a plain text classifier
YES, NO = "yes", "no"
DIGITS = 5
BINDS = " & "  # between the names, and between the values, of columns that are bound
MISSING = ("", "?", "NA", "N/A", "NaN", "nan", "NULL", "null")


@dataclass(frozen=True, slots=True)
class Text:
    """Words.

    ngrams     more n-grams to count than the analyzer makes, (shortest, longest), for views that ask for them
    weighting  what to count beside occurrences and documents: log, count-length, once-length or log-length

    >>> Text(Analyzer(), ngrams=2, weighting="log").counted
    (1, 2)
    """

    analyzer: Analyzer = field(default_factory=Analyzer)
    ngrams: int | tuple[int, int] | None = None
    weighting: Weighting | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.analyzer, Analyzer):
            raise SettingError(
                code="analyzer-kind",
                message=f"a text column has an Analyzer, got {self.analyzer!r:.60}",
                hint="Text(Analyzer(ngrams=2))",
            )
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
            raise SettingError(
                code="ngrams-cannot-widen",
                message=f"other n-grams than the analyzer's cannot be counted: {reason}; got ngrams={self.ngrams!r}",
                hint=f"leave ngrams={self.ngrams!r} out, or let the analyzer make them: Analyzer(ngrams={high})",
            )
        return wider

    @property
    def extra(self) -> Extra | None:
        """The weighting that is counted, if there is one."""
        return extra(self.weighting)

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
            raise SettingError(
                code="ngrams-not-counted",
                message=f"terms{where} of {_words(self.counted)} are counted, got ngrams={ngrams!r}",
                hint=f"count them: train(documents, {self._more(wanted)})",
            )
        if reason := self.analyzer.keeps_ngrams or (wanted[0] > low and self._pieces):
            raise SettingError(
                code="ngrams-cannot-choose",
                message=f"n-grams cannot be chosen among the terms{where}: {reason}; got ngrams={ngrams!r}",
                hint=f"train(documents, analyzer=Analyzer(ngrams={wanted!r})) counts no others",
            )
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
            raise SettingError(
                code="weighting-not-counted",
                message=f"these weightings{where} are counted: {counted}; got {weighting!r}",
                hint=f"count it: train(documents, view={{'weighting': {weighting!r}}})",
            )
        return "weighted"


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


def _words(ngrams: tuple[int, int]) -> str:
    low, high = ngrams
    return f"{low} to {high} words" if low < high else "1 word" if low == 1 else f"{low} words"


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

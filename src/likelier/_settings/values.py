"""The settings of a view, checked. What is not given is the textbook setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, Literal, TypedDict, Unpack, cast

from likelier._answer.calibration import Calibration, NoCalibration
from likelier._answer.calibration_plain import calibration_from_dict, calibration_to_dict
from likelier._answer.decisions import Decision, MostProbable, decision_from_dict, decision_to_dict
from likelier._base.checks import check_flag, is_one_of
from likelier._base.errors import SettingError
from likelier._base.numbers import is_number
from likelier._documents.plain import (
    check_fields,
    number_from_plain,
    number_to_plain,
    pairs_from_plain,
    pairs_to_plain,
    stored_kind,
)
from likelier._documents.weighting import Weighting
from likelier._estimate.fitting import Event, check_event
from likelier._estimate.numeric import Gaussian, NumericRule, numeric_rule, rule_from_dict, rule_to_dict
from likelier._estimate.prior import Prior, check_prior
from likelier._estimate.smoothing import Additive, Smoothing, smoothing_from_dict, smoothing_to_dict
from likelier._estimate.unknown import Unknown, check_unknown
from likelier._estimate.weighed import check_weighed, left_out
from likelier._text.checks import checked_ngrams

WithoutEvidence = Literal["prior", "none"]
Missing = Literal["skip", "refuse"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How counts are read.

    event             multinomial, binary, bernoulli or complement
    smoothing         Additive(alpha), MEstimate, JelinekMercer or AbsoluteDiscounting
    prior             "fitted", "uniform" or label → probability
    unknown           ignore, zero, smooth, grow or unk
    min_count         terms seen fewer times are left out, or are UNK
    decide            MostProbable(), Thresholds(...) or LeastCost(...)
    without_evidence  a text without any known term: the "prior" decides, or the verdict is "none"
    normalize         complement only: divide each label's weights by their sum
    numeric           numeric columns: Gaussian(), EqualWidth, EqualFrequency, Cuts or ByInformation()
    missing           "skip" a column without a value, or "refuse" the document
    calibration       makes probabilities honest: Temperature, Platt or Isotonic, fitted by `Evaluation.calibration()`
    weighting         what a term that stands n times adds: count (n), once (1), log (log(1 + n)), or one of these
                      divided by the length of the document: count-length, once-length, log-length
    idf               counts and questions are multiplied by log((N + 1) / (df(t) + 1)): what is everywhere says little
    ngrams            the longest run of words that is read, or (shortest, longest); None: as the analyzer says
    stop_words        terms that are left out
    columns           column → settings of its own: event, smoothing, alpha, unknown, min_count, normalize, weighting,
                      idf, ngrams, stop_words, numeric

    For columns of values, smoothing and unknown hold too, `min_count` only where `columns` says it.
    """

    event: Event = "multinomial"
    smoothing: Smoothing = field(default_factory=Additive)
    prior: Prior = "fitted"
    unknown: Unknown = "ignore"
    min_count: float = 1
    decide: Decision = field(default_factory=MostProbable)
    without_evidence: WithoutEvidence = "prior"
    normalize: bool = False
    numeric: NumericRule = field(default_factory=Gaussian)
    missing: Missing = "skip"
    calibration: Calibration = field(default_factory=NoCalibration)
    weighting: Weighting = "count"
    idf: bool = False
    ngrams: int | tuple[int, int] | None = None
    stop_words: Sequence[str] = ()
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_event(self.event)
        check_prior(self.prior)
        if isinstance(self.prior, Mapping):
            self.__dict__["prior"] = dict(self.prior)  # whatever becomes of the one that was given
        check_unknown(self.unknown)
        if not is_number(self.min_count) or not 1 <= self.min_count < float("inf"):
            raise SettingError(
                code="min-count-range",
                message=f"`min_count` must be a number of 1 or more, got {self.min_count!r}",
                hint="1 keeps every term, 2 leaves out those seen once",
            )
        if not is_one_of(self.without_evidence, ("prior", "none")):
            raise SettingError(
                code="without-evidence-unknown",
                message=f"`without_evidence` must be 'prior' or 'none', got {self.without_evidence!r}",
                hint="'prior' lets the prior decide about a text without known terms",
            )
        check_flag("normalize", self.normalize)
        if self.normalize and self.event != "complement":
            raise SettingError(
                code="normalize-needs-complement",
                message=f"`normalize` is a setting of the complement model, got it with {self.event!r}",
                hint="event='complement', normalize=True",
            )
        if not is_one_of(self.missing, ("skip", "refuse")):
            raise SettingError(
                code="missing-policy",
                message=f"`missing` must be 'skip' or 'refuse', got {self.missing!r}",
                hint="'skip' judges a document by its other columns",
            )
        check_flag("idf", self.idf)
        check_weighed(self.event, self.weighting, self.idf, self.unknown)
        self.__dict__["numeric"] = numeric_rule(self.numeric)  # frozen for its users; here it takes its form
        self.__dict__["ngrams"] = None if self.ngrams is None else checked_ngrams(self.ngrams, words=True)
        self.__dict__["stop_words"] = left_out(self.stop_words)
        if not isinstance(self.columns, Mapping) or self.columns:
            self.__dict__["columns"] = _checked_columns(self.columns, replace(self, columns={}))
        for name, (wanted, hint) in _RULES.items():
            given = getattr(self, name)
            if isinstance(given, type) or not hasattr(given, wanted):
                raise SettingError(
                    code=f"{name}-kind", message=f"`{name}` must be one of likelier's rules, got {given!r}", hint=hint
                )

    @property
    def ngram_range(self) -> tuple[int, int] | None:
        """The fewest and the most words of a term that is read; None: as the analyzer says."""
        return cast(tuple[int, int] | None, self.ngrams)

    def changed(self, **given: Unpack[ViewSettings]) -> Settings:
        """These settings with some of them changed.

        What is given holds for all columns, also for those with settings of their own, unless `columns` says otherwise;
        their rules for numbers stay. What does not go with an event that is given is as in the textbook. A calibration
        stays only where scores do.

        >>> Settings(unknown="smooth", weighting="log").changed(event="binary").weighting
        'count'
        """
        changes: dict[str, Any] = _with_its_event(given)
        if "alpha" in changes:
            changes["smoothing"] = smoothing_from(changes.pop("alpha"), changes.get("smoothing"))
        own = {column: _common(before, changes) for column, before in self.columns.items()}
        changes["columns"] = merged_columns(merged_columns(self.columns, own), changes.get("columns", {}))
        found = replace(self, **changes)
        if "calibration" in changes or found.scores_like(self):
            return found
        return replace(found, calibration=NoCalibration())  # it was fitted to other scores

    def scores_like(self, other: Settings) -> bool:
        """Whether both give the same scores: they differ at most in what is made of these.

        >>> Settings(missing="refuse").scores_like(Settings()), Settings(unknown="smooth").scores_like(Settings())
        (True, False)
        """
        return replace(self, **{name: getattr(other, name) for name in _AFTER_SCORES}) == other

    def of_column(self, name: str) -> Settings:
        """The settings that hold for one column.

        >>> Settings(columns={"age": {"numeric": [20, 35]}}).of_column("age").numeric
        Cuts(points=(20.0, 35.0))
        """
        own = self.columns.get(name, {})
        return replace(self, columns={}, **_with_its_event(own)) if own else self

    def to_dict(self) -> dict[str, Any]:
        """All settings as plain JSON values, those of the textbook too: another version may have other ones.

        >>> Settings(prior={"ham": 0.8, "spam": 0.2}).to_dict()["prior"]
        [['ham', 0.8], ['spam', 0.2]]
        """
        plain = {one.name: getattr(self, one.name) for one in fields(self)}
        return plain | {
            "smoothing": smoothing_to_dict(self.smoothing),
            "prior": self.prior if isinstance(self.prior, str) else pairs_to_plain(self.prior),
            "min_count": number_to_plain(self.min_count),
            "decide": decision_to_dict(self.decide),
            "numeric": rule_to_dict(self.numeric),
            "calibration": calibration_to_dict(self.calibration),
            "ngrams": self.ngram_range and list(self.ngram_range),
            "stop_words": list(self.stop_words),
            "columns": {name: self._own_to_plain(name) for name in self.columns},
        }

    def _own_to_plain(self, column: str) -> dict[str, Any]:
        plain = self.of_column(column).to_dict()
        return {name: plain[name] for name in self.columns[column]}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Settings:
        """The settings of `to_dict`; what is left out is the textbook setting.

        >>> Settings.from_dict({"smoothing": {"kind": "additive", "alpha": 0.5}}).smoothing
        Additive(alpha=0.5)
        """
        given = check_fields(stored, [one.name for one in fields(cls)], what="a view")
        return cls(**{name: _from_plain(name, value) for name, value in given.items()})


_AFTER_SCORES = {"decide", "without_evidence", "missing", "calibration"}  # settings that leave the scores as they are
_RULES = {  # what a rule can do, and an example
    "smoothing": ("ratio", "smoothing=JelinekMercer(0.7)"),
    "decide": ("is_special", "decide=Thresholds({'spam': 0.8})"),
    "calibration": ("calibrated", "calibration=evaluation.calibration().rule"),
}


def _from_plain(name: str, value: Any) -> Any:
    if name == "smoothing":
        return smoothing_from_dict(value)
    if name == "decide":
        return decision_from_dict(value)
    if name == "min_count":
        return number_from_plain(value)
    if name == "numeric":
        return rule_from_dict(value)
    if name == "calibration":
        return calibration_from_dict(value)
    if name == "columns":
        if not isinstance(value, Mapping):
            raise stored_kind("an object with settings for columns", value)
        return {column: _own_from_plain(own) for column, own in value.items()}
    return pairs_from_plain(value) if name == "prior" and isinstance(value, list) else value


# ---- settings of single columns ----------------------------------------------------------------------------------

OWN = (
    *("event", "smoothing", "alpha", "unknown", "min_count", "normalize", "weighting", "idf", "ngrams", "stop_words"),
    "numeric",
)


def _checked_columns(given: Any, view: Settings) -> dict[str, dict[str, Any]]:
    """The settings of single columns, each in the form in which it is kept, and as it goes with those of the view."""
    _check_mapping(given)
    return {name: _checked_own(name, own, view) for name, own in given.items()}


def _check_mapping(given: Any) -> None:
    if not isinstance(given, Mapping) or not all(
        isinstance(name, str) and isinstance(own, Mapping) for name, own in given.items()
    ):
        raise SettingError(
            code="columns-kind",
            message=f"`columns` is a mapping of names of columns to their settings, got {given!r:.60}",
            hint="columns={'age': {'numeric': 'equal-width:5'}, 'subject': {'event': 'bernoulli'}}",
        )


def _checked_own(column: str, own: Mapping[str, Any], view: Settings) -> dict[str, Any]:
    for name in own:
        if name not in OWN:
            raise SettingError(
                code="column-setting-unknown",
                message=f"a column has the settings {', '.join(OWN)}; got {name!r} for {column!r}",
                hint=f"did you mean {(get_close_matches(str(name), OWN, n=1) or OWN)[0]!r}?",
            )
    kept = ["smoothing" if name == "alpha" else name for name in own]
    checked = view.changed(**_with_its_event(own))
    return {name: getattr(checked, name) for name in kept}


def _with_its_event(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given; and where an event is given, the textbook's setting for all that does not go with it."""
    event, beside = given.get("event"), dict[str, Any]()
    if "event" in given:
        check_event(event)
    if event in ("binary", "bernoulli"):
        beside |= {"weighting": "count", "idf": False}
    if event not in (None, "complement"):
        beside |= {"normalize": False}
    return beside | {**given}


def _common(own: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes of settings that a column has of its own."""
    return {name: changes[name] for name in own if name in changes and name != "numeric"}


def merged_columns(before: Mapping[str, Mapping[str, Any]], given: Any) -> dict[str, dict[str, Any]]:
    """The settings of single columns with some of them changed."""
    _check_mapping(given)
    merged = {name: dict(own) for name, own in before.items()}
    for name, own in given.items():
        kept = merged.setdefault(name, {})
        if "alpha" in own:
            kept.pop("smoothing", None)  # alpha is short for another one
        kept.update(own)
    return merged


def _own_from_plain(stored: Any) -> dict[str, Any]:
    given = check_fields(stored, [name for name in OWN if name != "alpha"], what="the view of a column")
    return {name: _from_plain(name, value) for name, value in given.items()}


class ViewSettings(TypedDict, total=False):
    """The settings of `Model.view`, see `Settings`; `alpha` is short for `smoothing=Additive(alpha)`."""

    event: Event
    alpha: float
    smoothing: Smoothing
    prior: Prior
    unknown: Unknown
    min_count: float
    decide: Decision
    without_evidence: WithoutEvidence
    normalize: bool
    numeric: NumericRule | str | Sequence[float]
    missing: Missing
    calibration: Calibration
    weighting: Weighting
    idf: bool
    ngrams: int | tuple[int, int] | None
    stop_words: Sequence[str]
    columns: Mapping[str, Mapping[str, Any]]


def check_names(settings: Mapping[str, object]) -> None:
    """Whether there are such settings."""
    known = list(ViewSettings.__annotations__)
    for name in settings:
        if name not in known:
            raise SettingError(
                code="setting-unknown",
                message=f"the settings of a view are {', '.join(known)}; got {name!r}",
                hint=f"did you mean {(get_close_matches(str(name), known, n=1) or known)[0]!r}?",
            )


def smoothing_from(alpha: float | None, smoothing: Smoothing | None) -> Smoothing:
    """The rule from either way of giving it."""
    if alpha is not None and smoothing is not None:
        raise SettingError(
            code="alpha-and-smoothing",
            message=f"give `alpha` or `smoothing`, not both; got alpha={alpha!r} and smoothing={smoothing!r}",
            hint="alpha=0.5 is short for smoothing=Additive(0.5)",
        )
    return smoothing if smoothing is not None else Additive(1 if alpha is None else alpha)

"""The settings of a view, checked. Settings that are not given are those of the textbook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Unpack, cast

from likelier._answer.calibration import NoCalibration
from likelier._base.errors import error
from likelier._documents.plain import check_fields
from likelier._documents.schema import Schema
from likelier._estimate.combinations import check_event, check_weighed
from likelier._estimate.smoothing import Additive, Smoothing
from likelier._settings.table import AFTER_SCORES, NAMES, OWN, SETTINGS, Declared, ViewSettings, own_settings


@dataclass(frozen=True, kw_only=True)
class Settings(Declared):
    """All settings of a view; docs/settings.md explains each.

    >>> settings = Settings(event="bernoulli", prior="uniform")
    >>> settings.changed(alpha=0.5).smoothing
    Additive(alpha=0.5)
    """

    def __post_init__(self) -> None:
        for name, setting in SETTINGS.items():
            self.__dict__[name] = setting.check(getattr(self, name))  # frozen for its users; here it takes its form
        if self.normalize and self.event != "complement":
            raise error("normalize-needs-complement", event=self.event)
        check_weighed(self.event, self.weighting, self.idf, self.unknown)
        if not isinstance(self.columns, Mapping) or self.columns:
            self.__dict__["columns"] = _checked_columns(self.columns, replace(self, columns={}))

    @property
    def ngram_range(self) -> tuple[int, int] | None:
        """The fewest and the most words of a term that is read; None: as the analyzer says."""
        return cast(tuple[int, int] | None, self.ngrams)

    def changed(self, **given: Unpack[ViewSettings]) -> Settings:
        """These settings with some of them changed.

        The changes hold for all columns, also for those with settings of their own, unless `columns` says otherwise;
        their rules for numbers stay. Settings that do not go with a given event are as in the textbook. The calibration
        stays only if the scores stay the same.

        >>> Settings(unknown="smooth", weighting="log").changed(event="binary").weighting
        'count'
        """
        check_names(given)
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
        return replace(self, **{name: getattr(other, name) for name in AFTER_SCORES}) == other

    def of_column(self, name: str) -> Settings:
        """The settings of one column.

        >>> Settings(columns={"age": {"numeric": [20, 35]}}).of_column("age").numeric
        Cuts(points=(20.0, 35.0))
        """
        own = self.columns.get(name, {})
        return replace(self, columns={}, **_with_its_event(own)) if own else self

    def to_dict(self) -> dict[str, Any]:
        """All settings as plain JSON values, including the defaults, which may change between versions.

        >>> Settings(prior={"ham": 0.8, "spam": 0.2}).to_dict()["prior"]
        [['ham', 0.8], ['spam', 0.2]]
        """
        plain = {name: setting.to_plain(getattr(self, name)) for name, setting in SETTINGS.items()}
        return plain | {"columns": {name: self._own_to_plain(name) for name in self.columns}}

    def _own_to_plain(self, column: str) -> dict[str, Any]:
        plain = replace(self.of_column(column), columns={}).to_dict()
        return {name: plain[name] for name in self.columns[column]}

    def changed_from_dict(self, stored: Mapping[str, Any]) -> Settings:
        """These settings with some of them changed, given as `to_dict` has them; `alpha` is short for its smoothing.

        >>> Settings().changed_from_dict({"alpha": 0.5, "event": "binary"}).smoothing
        Additive(alpha=0.5)
        """
        check_names(stored)
        short = {name: stored[name] for name in ("alpha",) if name in stored}
        rest = {name: value for name, value in stored.items() if name not in short}
        return self.changed(**short, **_given_from_plain(rest))

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Settings:
        """The settings of `to_dict`; missing settings have their defaults.

        >>> Settings.from_dict({"smoothing": {"kind": "additive", "alpha": 0.5}}).smoothing
        Additive(alpha=0.5)
        """
        return cls(**_given_from_plain(stored))


TEXTBOOK = Settings()


# ---- settings of single columns ----------------------------------------------------------------------------------


def check_columns(settings: Settings, schema: Schema) -> None:
    """Whether there are the columns that have settings of their own, these fit them, and what is read was counted."""
    for name, own in settings.columns.items():
        if name not in schema.columns:
            raise error(
                "settings-column-unknown",
                name=name,
                columns=schema.in_words(),
                close=(get_close_matches(name, schema.columns, n=1) or list(schema.columns))[0],
            )
        kind = schema.columns[name].name
        for setting in own:
            if setting not in (fitting := own_settings(kind)):
                raise error("column-setting-kind", kind=kind, known=", ".join(fitting), got=setting, name=name)
    for name, text in schema.texts.items():
        view, where = settings.of_column(name), "" if schema.is_plain else f" of {name!r}"
        text.statistic(view.weighting, where)
        text.orders(view.ngram_range, where)


def _checked_columns(given: Any, view: Settings) -> dict[str, dict[str, Any]]:
    """The settings of single columns, each in the form in which it is kept, and as it goes with those of the view."""
    _check_mapping(given)
    return {name: _checked_own(name, own, view) for name, own in given.items()}


def _check_mapping(given: Any) -> None:
    if not isinstance(given, Mapping) or not all(
        isinstance(name, str) and isinstance(own, Mapping) for name, own in given.items()
    ):
        raise error("columns-kind", got=given)


def _checked_own(column: str, own: Mapping[str, Any], view: Settings) -> dict[str, Any]:
    for name in own:
        if name not in OWN:
            raise error(
                "column-setting-unknown",
                known=", ".join(OWN),
                got=name,
                column=column,
                close=(get_close_matches(str(name), OWN, n=1) or OWN)[0],
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


def _given_from_plain(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Settings as `to_dict` has them, in the form in which they are kept."""
    given = _from_plain(check_fields(stored, SETTINGS, what="a view"))
    if "columns" in given:
        if not isinstance(given["columns"], Mapping):
            raise error("stored-kind", wanted="an object with settings for columns", got=given["columns"])
        given["columns"] = {column: _own_from_plain(own) for column, own in given["columns"].items()}
    return given


def _from_plain(stored: Mapping[str, Any]) -> dict[str, Any]:
    return {name: SETTINGS[name].from_plain(value) for name, value in stored.items()}


def _own_from_plain(stored: Any) -> dict[str, Any]:
    names = [name for name, setting in SETTINGS.items() if setting.kinds]
    return _from_plain(check_fields(stored, names, what="the view of a column"))


def check_names(settings: Mapping[str, object]) -> None:
    """Whether there are such settings."""
    for name in settings:
        if name not in NAMES:
            raise error(
                "setting-unknown",
                known=", ".join(NAMES),
                got=name,
                close=(get_close_matches(str(name), NAMES, n=1) or NAMES)[0],
            )


def smoothing_from(alpha: float | None, smoothing: Smoothing | None) -> Smoothing:
    """The rule from either way of giving it."""
    if alpha is not None and smoothing is not None:
        raise error("alpha-and-smoothing", alpha=alpha, smoothing=smoothing)
    return smoothing if smoothing is not None else Additive(1 if alpha is None else alpha)

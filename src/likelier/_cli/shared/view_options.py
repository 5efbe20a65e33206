"""The view options: settings of the library, with labels as typed on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from likelier._answer.decisions import Decision, LeastCost, MostProbable, Thresholds
from likelier._base.numbers import as_number
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import as_label, option_group, split_label
from likelier._cli.shared.output import Screen
from likelier._cli.shared.setting_options import OWN_OPTIONS, setting_options, value_of
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._estimate.prior import Prior
from likelier._estimate.smoothing import Smoothing, smoothing_named
from likelier._model.models import Model
from likelier._model.view import View
from likelier._settings.table import SETTINGS
from likelier._settings.values import TEXTBOOK, Settings, smoothing_from
from likelier._text.checks import checked_stop_words
from likelier._text.languages import stop_words


class ViewOptions(dict[str, Any]):
    """The options given, by the keys of the table of settings."""

    @property
    def changing_scores(self) -> list[str]:
        """The options given that change scores; the others affect only the decision."""
        settings = [setting for setting in SETTINGS.values() if not setting.after_scores]
        return [each.name for setting in settings for each in setting.options if each.key in self]

    @property
    def counted(self) -> dict[str, Any]:
        """The settings that affect what training counts."""
        found = {"weighting": self.get("weighting"), "columns": self._columns or None}
        return {name: value for name, value in found.items() if value is not None}

    def settings(self, labels: Sequence[Label], stored: Settings) -> dict[str, Any]:
        """The settings given; a fallback keeps the stored thresholds."""
        given = {name: self.get(setting.options[0].key) for name, setting in SETTINGS.items() if setting.options}
        given |= {
            "smoothing": self._smoothing(),
            "prior": self._prior(labels),
            "numeric": self._numbers,
            "decide": self._decision(labels, stored.decide),
            "stop_words": self._stop_words,
            "columns": self._columns or None,
        }
        return {name: value for name, value in given.items() if value is not None}

    def of(self, model: Model) -> View:
        """The model's stored view with these options."""
        return model.view(**self.settings(model.labels, model.settings))

    def check(self) -> None:
        """Refuse what cannot work with any labels, before files are read."""
        decided = [label for pair in self.get("costs", ()) for label in pair[:2]]
        named = [*self.get("prior", ()), *self.get("thresholds", ()), *decided, self.get("fallback")]
        labels = {text.rpartition("=")[0] or text for text in named if text}
        TEXTBOOK.changed(**{**self.settings(sorted(labels), TEXTBOOK), "prior": "fitted"})

    def _smoothing(self) -> Smoothing | None:
        alpha, rule = self.get("alpha"), self.get("smoothing")
        if alpha is not None and rule is not None:
            raise Misuse(
                "--alpha and --smoothing are mutually exclusive", hint="--alpha 0.5 is --smoothing additive:0.5"
            )
        if alpha is None and rule is None:
            return None
        return smoothing_from(alpha, None if rule is None else smoothing_named(rule))

    @property
    def _stop_words(self) -> Sequence[str] | None:
        """A list by its name, a file, or the words themselves."""
        text = self.get("stop_words")
        if text is None:
            return None
        if "," in text or text == "none":
            return [word.strip() for word in text.split(",") if word.strip() not in ("", "none")]
        found = checked_stop_words(text, lowercase=True)
        return sorted(stop_words(found)) if isinstance(found, str) else found or ()  # type: ignore[return-value]

    @property
    def _columns(self) -> dict[str, dict[str, Any]]:
        """Settings of single columns: --numbers COLUMN=RULE, and --set; the value follows the last =."""
        own: dict[str, ViewOptions] = {}
        for text in self.get("numbers", ()):
            column, equals, rule = text.rpartition("=")
            if equals:
                own.setdefault(column, ViewOptions())["numbers"] = (rule,)
        for text in self.get("own", ()):
            left, _, value = text.rpartition("=")
            column, _, name = left.rpartition(":")
            if not column or name not in OWN_OPTIONS:
                raise Misuse(
                    f"--set takes COLUMN:SETTING=VALUE with one of {', '.join(OWN_OPTIONS)}; got {text!r}",
                    hint="--set subject:event=bernoulli",
                )
            own.setdefault(column, ViewOptions())[OWN_OPTIONS[name].key] = value_of(OWN_OPTIONS[name], value)
        return {column: given.settings((), TEXTBOOK) for column, given in own.items()}

    @property
    def _numbers(self) -> str | None:
        """RULE for all numeric columns."""
        every = [text for text in self.get("numbers", ()) if "=" not in text]
        if len(every) > 1:
            raise Misuse(
                f"--numbers takes one rule for all columns, got {', '.join(every)}",
                hint=f"--numbers {every[0]}, or --numbers COLUMN={every[1]} for one column",
            )
        return every[0] if every else None

    def _prior(self, labels: Sequence[Label]) -> Prior | None:
        given = self.get("prior", ())
        if len(given) == 1 and "=" not in given[0]:
            return given[0]  # checked by the settings
        pairs = [split_label(text, "--prior") for text in given]
        return {as_label(label, labels): number for label, number in pairs} or None

    def _decision(self, labels: Sequence[Label], stored: Decision) -> Decision | None:
        ways = [{"thresholds", "fallback"} & {*self}, {"costs"} & {*self}, {"most_probable"} & {*self}]
        if sum(map(bool, ways)) > 1:
            raise Misuse("thresholds, costs and --most-probable are mutually exclusive", hint="choose one of them")
        if "most_probable" in self:
            return MostProbable()
        return self._least_cost(labels) if "costs" in self else self._thresholds(labels, stored)

    def _thresholds(self, labels: Sequence[Label], stored: Decision) -> Decision | None:
        given, fallback = self.get("thresholds", ()), self.get("fallback")
        if not given and fallback is None:
            return None
        before = stored if isinstance(stored, Thresholds) else Thresholds({})
        if not given and not before.at_least:
            raise Misuse("--fallback requires a threshold", hint=f"--threshold 0.9 --fallback {fallback}")
        at_least = dict(_threshold(text, labels) for text in given) or before.at_least
        otherwise = before.otherwise if fallback is None else as_label(fallback, labels)
        return Thresholds(at_least, otherwise)

    def _least_cost(self, labels: Sequence[Label]) -> Decision:
        costs: dict[Label | None, dict[Label, float]] = {}
        for decision, truth, cost in self["costs"]:
            row = costs.setdefault(None if decision == "-" else as_label(decision, labels), {})
            row[as_label(truth, labels)] = cost
        return LeastCost(costs)


def view_given(**values: Any) -> ViewOptions:
    """The options given; None or empty: not given."""
    return ViewOptions({key: value for key, value in values.items() if value is not None and value != ()})


def _threshold(text: str, labels: Sequence[Label]) -> tuple[Label, float]:
    """LABEL=NUMBER, or one number for all labels."""
    try:
        return "*", as_number(text)  # type: ignore[return-value]
    except ValueError:
        label, number = split_label(text, "--threshold")
        return "*" if label == "*" else as_label(label, labels), number  # type: ignore[return-value]


def warn_without_effect(view: ViewOptions, schema: Schema, screen: Screen) -> None:
    """Warn of options that have no effect on these columns."""
    there = {kind.name for kind in schema.columns.values()}
    for setting in SETTINGS.values():
        for each in setting.options:
            if each.key in view and len(setting.kinds) == 1 and setting.kinds[0] not in there:
                screen.warning(f"{each.name} has no effect: this model has no {setting.kinds[0]} column")


# ---- options ------------------------------------------------------------------------------------------------------

COUNTED_BY_ANALYZER = ("ngrams", "stop_words")  # by options of the same name
view_options = option_group("view", view_given, *setting_options(), group="View")
train_view_options = option_group("view", view_given, *setting_options(without=COUNTED_BY_ANALYZER), group="View")

"""The view options: settings of the library, with labels as they are written on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from likelier._cli.failures import Misuse
from likelier._cli.output import Screen
from likelier._cli.values import Real, as_label, as_number, smoothing_named, split_label

if TYPE_CHECKING:
    from likelier._answer.decisions import Decision
    from likelier._documents.labels import Label
    from likelier._documents.schema import Schema
    from likelier._estimate.prior import Prior
    from likelier._model.models import Model
    from likelier._model.view import View
    from likelier._settings.values import Settings

AFTER_SCORES = ("missing", "thresholds", "fallback", "costs", "most_probable", "without_evidence")


@dataclass(frozen=True, kw_only=True)
class ViewOptions:
    """What was given on the command line; None, False or empty is: not given."""

    event: str | None = None
    alpha: Real | None = None
    smoothing: str | None = None
    prior: tuple[str, ...] = ()
    unknown: str | None = None
    min_count: Real | None = None
    numbers: tuple[str, ...] = ()
    missing: str | None = None
    thresholds: tuple[str, ...] = ()
    fallback: str | None = None
    costs: tuple[tuple[str, str, Real], ...] = ()
    most_probable: bool = False
    without_evidence: str | None = None
    normalize: bool | None = None
    weighting: str | None = None
    idf: bool | None = None

    def __bool__(self) -> bool:
        given = [getattr(self, option.name) for option in fields(self)]
        flags = self.normalize is not None or self.idf is not None
        return flags or any(value is not None and value is not False and value != () for value in given)  # 0 counts

    @property
    def changing_scores(self) -> list[str]:
        """The options that were given and change scores; the others only say which label is taken."""
        names = [option.name for option in fields(self) if option.name not in AFTER_SCORES]
        return [name.replace("_", "-") for name in names if getattr(self, name) not in (None, ())]

    @property
    def counted(self) -> dict[str, Any]:
        """The settings that training must know, because something is counted for them."""
        return {} if self.weighting is None else {"weighting": self.weighting}

    def settings(self, labels: Sequence[Label], stored: Settings) -> dict[str, Any]:
        """The settings for which there was an option; a threshold adds to those that are stored."""
        given = {
            "event": self.event,
            "smoothing": self._smoothing(),
            "prior": self._prior(labels),
            "unknown": self.unknown,
            "min_count": self.min_count,
            "missing": self.missing,
            "numeric": self._numbers,
            "decide": self._decision(labels, stored.decide),
            "without_evidence": self.without_evidence,
            "normalize": self.normalize,
            "weighting": self.weighting,
            "idf": self.idf,
            "columns": self._own_numbers or None,
        }
        return {name: value for name, value in given.items() if value is not None}

    def of(self, model: Model) -> View:
        """The model's stored view with these options."""
        from likelier._model.view import View

        if not self:
            return model.view()
        settings = model.settings.changed(**self.settings(model.labels, model.settings))
        return View(model.counts, model.schema, settings)

    def check(self) -> None:
        """Says at once what cannot work with any labels, before files are read."""
        from likelier._settings.values import Settings

        named = [*self.prior, *self.thresholds, *(label for pair in self.costs for label in pair[:2]), self.fallback]
        labels = {text.rpartition("=")[0] or text for text in named if text}
        Settings().changed(**{**self.settings(sorted(labels), Settings()), "prior": "fitted"})

    def _smoothing(self) -> Any:
        from likelier._settings.values import smoothing_from

        if self.alpha is None and self.smoothing is None:
            return None
        if self.alpha is not None and self.smoothing is not None:
            raise Misuse("--alpha and --smoothing exclude each other", hint="--alpha 0.5 is --smoothing additive:0.5")
        return smoothing_from(
            self.alpha,  # type: ignore[arg-type]
            None if self.smoothing is None else smoothing_named(self.smoothing),
        )

    @property
    def _own_numbers(self) -> dict[str, dict[str, Any]]:
        """COLUMN=RULE for one numeric column; what is behind the last = is the rule."""
        pairs = [text.rpartition("=") for text in self.numbers]
        return {column: {"numeric": rule} for column, equals, rule in pairs if equals}

    @property
    def _numbers(self) -> str | None:
        """RULE for all numeric columns."""
        every = [text for text in self.numbers if "=" not in text]
        if len(every) > 1:
            raise Misuse(
                f"all numeric columns are read by one rule, got {', '.join(every)}",
                hint=f"--numbers {every[0]}, or for one column --numbers COLUMN={every[1]}",
            )
        return every[0] if every else None

    def _prior(self, labels: Sequence[Label]) -> Prior | None:
        if len(self.prior) == 1 and "=" not in self.prior[0]:
            return self.prior[0]  # type: ignore[return-value]  # checked by the settings
        pairs = [split_label(text, "--prior") for text in self.prior]
        return {as_label(label, labels): number for label, number in pairs} or None

    def _decision(self, labels: Sequence[Label], stored: Decision) -> Decision | None:
        from likelier._answer.decisions import MostProbable

        if sum(map(bool, (self.thresholds or self.fallback, self.costs, self.most_probable))) > 1:
            raise Misuse(
                "thresholds, costs and --most-probable are three ways to decide", hint="give options of one of them"
            )
        if self.most_probable:
            return MostProbable()
        return self._least_cost(labels) if self.costs else self._thresholds(labels, stored)

    def _thresholds(self, labels: Sequence[Label], stored: Decision) -> Decision | None:
        from likelier._answer.decisions import Thresholds

        if not self.thresholds and self.fallback is None:
            return None
        before = stored if isinstance(stored, Thresholds) else Thresholds({})
        if not self.thresholds and not before.at_least:
            raise Misuse(
                "--fallback is the label below a threshold, and there is none",
                hint=f"--threshold 0.9 --fallback {self.fallback}",
            )
        at_least = dict(_threshold(text, labels) for text in self.thresholds) or before.at_least
        otherwise = before.otherwise if self.fallback is None else as_label(self.fallback, labels)
        return Thresholds(at_least, otherwise)

    def _least_cost(self, labels: Sequence[Label]) -> Decision:
        from likelier._answer.decisions import LeastCost

        costs: dict[Label | None, dict[Label, float]] = {}
        for decision, truth, cost in self.costs:
            row = costs.setdefault(None if decision == "-" else as_label(decision, labels), {})
            row[as_label(truth, labels)] = cost  # type: ignore[assignment]
        return LeastCost(costs)


def _threshold(text: str, labels: Sequence[Label]) -> tuple[Label, float]:
    """LABEL=NUMBER, or a number for every label."""
    try:
        return "*", as_number(text)  # type: ignore[return-value]
    except ValueError:
        label, number = split_label(text, "--threshold")
        return "*" if label == "*" else as_label(label, labels), number  # type: ignore[return-value]


def say_without_effect(view: ViewOptions, schema: Schema, screen: Screen) -> None:
    """Warns of options that mean nothing to a model with these columns."""
    from likelier._cli.describing import has_numbers

    for option, given, kind, there in (
        ("--event", view.event, "text", bool(schema.texts)),
        ("--normalize", view.normalize, "text", bool(schema.texts)),
        ("--numbers", view.numbers, "numeric", has_numbers(schema)),
    ):
        if given and not there:
            screen.warning(f"{option} has no effect: no column of this model is {kind}")

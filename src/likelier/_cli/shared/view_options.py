"""The view options: settings of the library, with labels as typed on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import click

from likelier._answer.decisions import Decision, LeastCost, MostProbable, Thresholds
from likelier._base.numbers import Real
from likelier._cli.shared.describe import has_numbers
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import Number, as_label, as_number, option_group, split_label
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import option
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._estimate.prior import Prior
from likelier._estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate, Smoothing
from likelier._model.models import Model
from likelier._model.view import View
from likelier._settings.values import Settings, smoothing_from

AFTER_SCORES = ("missing", "thresholds", "fallback", "costs", "most_probable", "without_evidence")


@dataclass(frozen=True, kw_only=True)
class ViewOptions:
    """The options given; None, False or empty: not given."""

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
        """The options given that change scores; the others affect only the decision."""
        names = [option.name for option in fields(self) if option.name not in AFTER_SCORES]
        return [name.replace("_", "-") for name in names if getattr(self, name) not in (None, ())]

    @property
    def counted(self) -> dict[str, Any]:
        """The settings that affect what training counts."""
        return {} if self.weighting is None else {"weighting": self.weighting}

    def settings(self, labels: Sequence[Label], stored: Settings) -> dict[str, Any]:
        """The settings given; a fallback keeps the stored thresholds."""
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
        if not self:
            return model.default_view
        settings = model.settings.changed(**self.settings(model.labels, model.settings))
        return View.of(model.counts, model.schema, settings)

    def check(self) -> None:
        """Refuse what cannot work with any labels, before files are read."""
        named = [*self.prior, *self.thresholds, *(label for pair in self.costs for label in pair[:2]), self.fallback]
        labels = {text.rpartition("=")[0] or text for text in named if text}
        Settings().changed(**{**self.settings(sorted(labels), Settings()), "prior": "fitted"})

    def _smoothing(self) -> Any:
        if self.alpha is None and self.smoothing is None:
            return None
        if self.alpha is not None and self.smoothing is not None:
            raise Misuse(
                "--alpha and --smoothing are mutually exclusive", hint="--alpha 0.5 is --smoothing additive:0.5"
            )
        return smoothing_from(
            self.alpha,  # type: ignore[arg-type]
            None if self.smoothing is None else smoothing_named(self.smoothing),
        )

    @property
    def _own_numbers(self) -> dict[str, dict[str, Any]]:
        """COLUMN=RULE for one numeric column; the rule follows the last =."""
        pairs = [text.rpartition("=") for text in self.numbers]
        return {column: {"numeric": rule} for column, equals, rule in pairs if equals}

    @property
    def _numbers(self) -> str | None:
        """RULE for all numeric columns."""
        every = [text for text in self.numbers if "=" not in text]
        if len(every) > 1:
            raise Misuse(
                f"--numbers takes one rule for all columns, got {', '.join(every)}",
                hint=f"--numbers {every[0]}, or --numbers COLUMN={every[1]} for one column",
            )
        return every[0] if every else None

    def _prior(self, labels: Sequence[Label]) -> Prior | None:
        if len(self.prior) == 1 and "=" not in self.prior[0]:
            return self.prior[0]  # type: ignore[return-value]  # checked by the settings
        pairs = [split_label(text, "--prior") for text in self.prior]
        return {as_label(label, labels): number for label, number in pairs} or None

    def _decision(self, labels: Sequence[Label], stored: Decision) -> Decision | None:
        if sum(map(bool, (self.thresholds or self.fallback, self.costs, self.most_probable))) > 1:
            raise Misuse("thresholds, costs and --most-probable are mutually exclusive", hint="choose one of them")
        if self.most_probable:
            return MostProbable()
        return self._least_cost(labels) if self.costs else self._thresholds(labels, stored)

    def _thresholds(self, labels: Sequence[Label], stored: Decision) -> Decision | None:
        if not self.thresholds and self.fallback is None:
            return None
        before = stored if isinstance(stored, Thresholds) else Thresholds({})
        if not self.thresholds and not before.at_least:
            raise Misuse("--fallback requires a threshold", hint=f"--threshold 0.9 --fallback {self.fallback}")
        at_least = dict(_threshold(text, labels) for text in self.thresholds) or before.at_least
        otherwise = before.otherwise if self.fallback is None else as_label(self.fallback, labels)
        return Thresholds(at_least, otherwise)

    def _least_cost(self, labels: Sequence[Label]) -> Decision:
        costs: dict[Label | None, dict[Label, float]] = {}
        for decision, truth, cost in self.costs:
            row = costs.setdefault(None if decision == "-" else as_label(decision, labels), {})
            row[as_label(truth, labels)] = cost  # type: ignore[assignment]
        return LeastCost(costs)


def _threshold(text: str, labels: Sequence[Label]) -> tuple[Label, float]:
    """LABEL=NUMBER, or one number for all labels."""
    try:
        return "*", as_number(text)  # type: ignore[return-value]
    except ValueError:
        label, number = split_label(text, "--threshold")
        return "*" if label == "*" else as_label(label, labels), number  # type: ignore[return-value]


def warn_without_effect(view: ViewOptions, schema: Schema, screen: Screen) -> None:
    """Warn of options that have no effect on these columns."""
    for name, given, kind, there in (
        ("--event", view.event, "text", bool(schema.texts)),
        ("--normalize", view.normalize, "text", bool(schema.texts)),
        ("--numbers", view.numbers, "numeric", has_numbers(schema)),
    ):
        if given and not there:
            screen.warning(f"{name} has no effect: this model has no {kind} column")


SMOOTHINGS = "additive:1, m-estimate:2, dirichlet:2000, jelinek-mercer:0.7, absolute-discounting:0.7"


def smoothing_named(text: str) -> Smoothing:
    """A smoothing rule by name, with its number after a colon.

    >>> smoothing_named("jelinek-mercer:0.7"), smoothing_named("m-estimate")
    (JelinekMercer(weight=0.7), MEstimate(m=1, p='uniform'))
    """
    name, colon, number = text.partition(":")
    try:
        numbers: list[Any] = [as_number(number)] if colon else []
    except ValueError:
        raise _unknown_smoothing(text) from None
    match name:
        case "additive":
            return Additive(*numbers)
        case "m-estimate":
            return MEstimate(*numbers)
        case "dirichlet":
            return MEstimate(m=numbers[0] if numbers else 1, p="background")
        case "jelinek-mercer":
            return JelinekMercer(*numbers)
        case "absolute-discounting":
            return AbsoluteDiscounting(*numbers)
    raise _unknown_smoothing(text)


def _unknown_smoothing(text: str) -> Misuse:
    return Misuse(f"--smoothing takes RULE:NUMBER, got {text!r}", hint=f"one of {SMOOTHINGS}")


# ---- options ------------------------------------------------------------------------------------------------------

view_options = option_group(
    "view",
    ViewOptions,
    option(
        "--event",
        type=click.Choice(["multinomial", "binary", "bernoulli", "complement"]),
        help="The event model; multinomial is the textbook.",
    ),
    option("--alpha", type=Number(), metavar="NUMBER", help="Additive smoothing; 1 is Laplace, 0 is none."),
    option(
        "--smoothing",
        metavar="RULE",
        help="m-estimate:2, dirichlet:2000, jelinek-mercer:0.7, absolute-discounting:0.7, additive:1.",
    ),
    option(
        "--prior", multiple=True, metavar="PRIOR", help="fitted, uniform, or LABEL=NUMBER for each label. Repeatable."
    ),
    option(
        "--unknown",
        type=click.Choice(["ignore", "zero", "smooth", "grow", "unk"]),
        help="What a word or a value counts that no document had.",
    ),
    option("--min-count", type=Number(), metavar="N", help="Leave out terms seen fewer times."),
    option(
        "--numbers",
        multiple=True,
        metavar="[COLUMN=]RULE",
        help="How numeric columns are read: gaussian, information, equal-width:5, equal-frequency:5, or cut points"
        " 20,35,50. Repeatable.",
    ),
    option(
        "--missing",
        type=click.Choice(["skip", "refuse"]),
        help="A document without a value in a column: judge it by the others, or refuse it.",
    ),
    option(
        "--threshold",
        "thresholds",
        multiple=True,
        metavar="LABEL=NUMBER",
        help="The label only from this probability on; a NUMBER alone is for every label. Repeatable.",
    ),
    option("--fallback", metavar="LABEL", help="The label below the threshold; without it, none."),
    option(
        "--cost",
        "costs",
        nargs=3,
        type=(str, str, Number()),
        multiple=True,
        metavar="DECISION TRUTH NUMBER",
        help="What a wrong decision costs; - as DECISION is to give no label. Repeatable.",
    ),
    option("--most-probable", is_flag=True, help="No thresholds and no costs."),
    option(
        "--without-evidence",
        type=click.Choice(["prior", "none"]),
        help="A text without any known term: the prior decides, or there is no label.",
    ),
    option("--normalize/--no-normalize", default=None, help="For complement: divide by the weights' sum."),
    option(
        "--weighting",
        type=click.Choice(["count", "once", "log", "count-length", "once-length", "log-length"]),
        help="How much a term counts that stands several times, or in a long document; count is the textbook.",
    ),
    option("--idf/--no-idf", default=None, help="Terms of many documents count less."),
    group="View",
)

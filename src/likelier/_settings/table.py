"""The settings of a view: each is declared here, and nowhere else.

Name, type, default, check, stored form, the kinds of columns that may have it of their own, the help text, and the
options of the command line are in one entry. From these entries follow `Settings`, the keyword arguments of
`Model.view`, the options, scikit-learn's parameters and docs/settings.md. To add a setting: one field of `Declared`,
one line of `ViewSettings`, and the formula that uses it.
"""

# ruff: noqa: RUF009  # `_declared` makes fields of a dataclass

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any, Literal, TypedDict, get_args

from likelier._answer.calibration import Calibration, NoCalibration
from likelier._answer.calibration_plain import calibration_from_dict, calibration_to_dict
from likelier._answer.decisions import Decision, MostProbable, decision_from_dict, decision_to_dict
from likelier._base.checks import check_flag, check_one_of
from likelier._base.errors import error
from likelier._base.numbers import is_number
from likelier._documents.kinds import KINDS, Holds
from likelier._documents.plain import number_from_plain, number_to_plain, pairs_from_plain, pairs_to_plain
from likelier._documents.weights import Weighting, check_weighting
from likelier._estimate.combinations import Event, Unknown, check_event, check_unknown, left_out
from likelier._estimate.numeric import Gaussian, NumericRule, numeric_rule, rule_from_dict, rule_to_dict
from likelier._estimate.prior import Prior, check_prior
from likelier._estimate.smoothing import (
    Additive,
    Smoothing,
    smoothing_calls,
    smoothing_examples,
    smoothing_from_dict,
    smoothing_to_dict,
)
from likelier._show.words import listed
from likelier._text.checks import checked_ngrams

WithoutEvidence = Literal["prior", "none"]
Missing = Literal["skip", "refuse"]
Words = Literal["text", "number", "range", "switch", "flag", "cost"]


@dataclass(frozen=True)
class Option:
    """An option of the command line.

    help       that of its setting if empty
    choices    those of its setting
    parameter  the name of its value; that of the option if empty
    takes      what is typed behind it; a switch has a form with --no-, a flag has none
    many       whether it can be given several times
    """

    name: str
    help: str = ""
    metavar: str | None = None
    takes: Words = "text"
    choices: tuple[str, ...] = ()
    many: bool = False
    parameter: str = ""

    @property
    def key(self) -> str:
        """The name of its value."""
        return self.parameter or self.name.removeprefix("--").replace("-", "_")


@dataclass(frozen=True)
class Setting:
    """One setting of a view.

    help                what it is, in a sentence
    values              what it can be: all choices, or in words
    check               gives the value in the form in which it is kept, or refuses it
    own                 the columns that may have it of their own: those that hold terms, a value or a number
    after_scores        whether it leaves scores as they are, and only says what is made of them
    to_plain, from_plain  the stored form
    short               another name for its most common form, with the type of that
    options, command    how it is set on the command line
    parameter           its name as a parameter of scikit-learn's class, where that is another
    """

    help: str
    values: str | tuple[str, ...]
    check: Callable[[Any], Any]
    own: tuple[Holds, ...] = ()
    after_scores: bool = False
    to_plain: Callable[[Any], Any] = lambda value: value
    from_plain: Callable[[Any], Any] = lambda value: value
    short: str = ""
    options: tuple[Option, ...] = ()
    command: str = ""
    parameter: str = ""
    name: str = ""
    default: Any = None

    @property
    def kinds(self) -> list[str]:
        """The names of the kinds of columns that may have it of their own."""
        return [name for name, kind in KINDS.items() if kind.holds in self.own]


def _declared(default: Any, **details: Any) -> Any:
    """A field of the table; `default` makes one if it can be called."""
    how: dict[str, Any] = {"default_factory": default} if callable(default) else {"default": default}
    return field(**how, metadata={"setting": Setting(**details)})


# ---- checks --------------------------------------------------------------------------------------------------------


def _kept(check: Callable[[Any], None]) -> Callable[[Any], Any]:
    """A check that leaves the value as it is."""

    def checked(value: Any) -> Any:
        check(value)
        return value

    return checked


def _checked_prior(prior: Any) -> Any:
    check_prior(prior)
    return dict(prior) if isinstance(prior, Mapping) else prior  # whatever becomes of the one that was given


def _checked_least(value: Any) -> Any:
    if not is_number(value) or not 1 <= value < float("inf"):
        raise error("min-count-range", got=value)
    return value


def _one_of(code: str, kind: Any) -> Callable[[Any], Any]:
    return _kept(lambda value: check_one_of(code, value, get_args(kind)))


def _rule(code: str, ability: str) -> Callable[[Any], Any]:
    """A check for one of likelier's rules: whether it can do what such a rule does."""

    def check(given: object) -> None:
        if isinstance(given, type) or not hasattr(given, ability):
            raise error(code, got=given)

    return _kept(check)


def _flag(name: str) -> Callable[[Any], Any]:
    return _kept(lambda value: check_flag(name, value))


def _checked_orders(ngrams: Any) -> tuple[int, int] | None:
    return None if ngrams is None else checked_ngrams(ngrams, words=True)


# ---- the table -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Declared:
    """The settings in the order in which they are stored; the defaults are the textbook's."""

    event: Event = _declared(
        "multinomial",
        help="Event model: multinomial counts every occurrence of a term, binary each term once per document, bernoulli"
        " also the terms that are absent, and complement the terms of all other labels (Rennie et al. 2003).",
        values=get_args(Event),
        check=_kept(check_event),
        own=("terms",),
        options=(Option("--event", "Event model."),),
    )
    smoothing: Smoothing = _declared(
        Additive,
        help="Smoothing of likelihoods; `alpha=0.5` is short for `smoothing=Additive(0.5)`. Numeric columns are"
        " smoothed where they are read in intervals.",
        values=listed(smoothing_calls(), "or"),
        check=_rule("smoothing-kind", "ratio"),
        own=("terms", "value", "number"),
        to_plain=smoothing_to_dict,
        from_plain=smoothing_from_dict,
        short="alpha",
        options=(
            Option("--alpha", "Additive smoothing: 1 is Laplace, 0 is none.", "NUMBER", "number"),
            Option("--smoothing", f"Smoothing rule, such as {listed(smoothing_examples(), 'or')}.", "RULE"),
        ),
    )
    prior: Prior = _declared(
        "fitted",
        help="Prior probability of each label: fitted to the training documents, uniform, or given.",
        values="fitted, uniform, or a mapping of label to probability",
        check=_checked_prior,
        to_plain=lambda prior: prior if isinstance(prior, str) else pairs_to_plain(prior),
        from_plain=lambda plain: pairs_from_plain(plain) if isinstance(plain, list) else plain,
        options=(
            Option(
                "--prior", "Prior: fitted, uniform, or LABEL=NUMBER for each label. Repeatable.", "PRIOR", many=True
            ),
        ),
    )
    unknown: Unknown = _declared(
        "ignore",
        help="How to treat words or values not seen in training: ignore them; zero, probability 0 under every label;"
        " smooth, a count of 0; grow, the same with a vocabulary that grows by them; unk, one entry for all of them.",
        values=get_args(Unknown),
        check=_kept(check_unknown),
        own=("terms", "value"),
        options=(Option("--unknown", "How to treat words or values not seen in training."),),
    )
    min_count: float = _declared(
        1,
        help="Terms seen fewer times in training are left out, or count as UNK with `unknown='unk'`. For columns of"
        " values only where `columns` gives it.",
        values="a number of 1 or more",
        check=_checked_least,
        own=("terms", "value"),
        to_plain=number_to_plain,
        from_plain=number_from_plain,
        options=(Option("--min-count", "Leave out terms seen fewer than N times in training.", "N", "number"),),
    )
    decide: Decision = _declared(
        MostProbable,
        help="Decision rule: the most probable label, a label only above its threshold, or the least expected cost.",
        values="MostProbable(), Thresholds({label: probability}, otherwise) or LeastCost({decision: {truth: cost}})",
        check=_rule("decide-kind", "reason"),
        after_scores=True,
        to_plain=decision_to_dict,
        from_plain=decision_from_dict,
        options=(
            Option(
                "--threshold",
                "Assign LABEL only if its probability is at least NUMBER; a NUMBER alone is for every label."
                " Repeatable.",
                "LABEL=NUMBER",
                many=True,
                parameter="thresholds",
            ),
            Option("--fallback", "Label to assign below the threshold. Default: none.", "LABEL"),
            Option(
                "--cost",
                "Cost of DECISION where TRUTH is right; - as DECISION is no label. Repeatable.",
                "DECISION TRUTH NUMBER",
                "cost",
                many=True,
                parameter="costs",
            ),
            Option("--most-probable", "Assign the most probable label: no thresholds, no costs.", takes="flag"),
        ),
    )
    without_evidence: WithoutEvidence = _declared(
        "prior",
        help="A document without any known term: the prior decides, or it gets no label.",
        values=get_args(WithoutEvidence),
        check=_one_of("without-evidence-unknown", WithoutEvidence),
        after_scores=True,
        options=(Option("--without-evidence"),),
    )
    normalize: bool = _declared(
        False,
        help="Complement model only: divide each label's weights by their sum.",
        values="True or False",
        check=_flag("normalize"),
        own=("terms",),
        options=(Option("--normalize", takes="switch"),),
    )
    numeric: NumericRule = _declared(
        Gaussian,
        help="How numeric columns are read: under a normal distribution, or in intervals.",
        values="gaussian, information, equal-width:5, equal-frequency:5, cut points, or a rule such as EqualWidth(5)",
        check=numeric_rule,
        own=("number",),
        to_plain=rule_to_dict,
        from_plain=rule_from_dict,
        options=(
            Option(
                "--numbers",
                "How to read numeric columns: gaussian, information, equal-width:5, equal-frequency:5, or cut points"
                " such as 20,35,50. Repeatable.",
                "[COLUMN=]RULE",
                many=True,
            ),
        ),
        parameter="numeric_rule",
    )
    missing: Missing = _declared(
        "skip",
        help="A document without a value in a column: skip that column, or refuse the document.",
        values=get_args(Missing),
        check=_one_of("missing-policy", Missing),
        after_scores=True,
        options=(Option("--missing"),),
    )
    calibration: Calibration = _declared(
        NoCalibration,
        help="Calibrates probabilities: a rule such as Discount, as `Evaluation.calibration().rule` has it.",
        values="a calibration rule",
        check=_rule("calibration-kind", "calibrated"),
        after_scores=True,
        to_plain=calibration_to_dict,
        from_plain=calibration_from_dict,
        command="likelier calibrate",
    )
    weighting: Weighting = _declared(
        "count",
        help="Weighting of repeated terms and long documents. A term that occurs n times adds n (count), 1 (once) or"
        " log(1 + n) (log); with -length, divided by the length of the document. `train` must be given all but count"
        " and once, to count what they need.",
        values=get_args(Weighting),
        check=_kept(check_weighting),
        own=("terms",),
        options=(Option("--weighting", "Weighting of repeated terms and long documents."),),
    )
    idf: bool = _declared(
        False,
        help="Inverse document frequency: counts are multiplied by log((N + 1) / (df + 1)), so that terms of many"
        " documents count less.",
        values="True or False",
        check=_flag("idf"),
        own=("terms",),
        options=(Option("--idf", "Inverse document frequency: terms of many documents count less.", takes="switch"),),
    )
    ngrams: int | tuple[int, int] | None = _declared(
        None,
        help="The longest n-gram that is read, or (shortest, longest); None reads those of the analyzer. `train`"
        " must be given longer ones, to count them.",
        values="an integer, a pair of integers, or None",
        check=_checked_orders,
        own=("terms",),
        to_plain=lambda orders: orders and list(orders),
        options=(Option("--ngrams", "Read n-grams of up to N words; 2-3: of two and three words.", "N", "range"),),
    )
    stop_words: Sequence[str] = _declared(
        (),
        help="Terms to leave out, as the analyzer writes them.",
        values="a list of terms",
        check=left_out,
        own=("terms",),
        to_plain=list,
        options=(
            Option(
                "--stop-words",
                "Terms to leave out: a list such as en, file:words.txt, words such as the,and, or none.",
                "WHICH",
            ),
        ),
    )
    columns: Mapping[str, Mapping[str, Any]] = _declared(
        dict,
        help="Settings of single columns, by name of the column.",
        values="a mapping of column to settings",
        check=lambda given: given,  # when all others are checked
        options=(
            Option(
                "--set",
                "Setting of one column, e.g. subject:event=bernoulli. Repeatable.",
                "COLUMN:SETTING=VALUE",
                many=True,
                parameter="own",
            ),
        ),
    )


def _setting(each: Field[Any]) -> Setting:
    default = each.default_factory() if callable(each.default_factory) else each.default
    found: Setting = each.metadata["setting"]
    choices = found.values if isinstance(found.values, tuple) else ()
    options = tuple(replace(option, help=option.help or found.help, choices=choices) for option in found.options)
    return replace(found, name=each.name, default=default, options=options)


SETTINGS = {each.name: _setting(each) for each in fields(Declared)}
NAMES = [name for each in SETTINGS.values() for name in (each.name, each.short) if name]  # as arguments
OWN = [name for each in SETTINGS.values() if each.kinds for name in (each.name, each.short) if name]  # of a column
AFTER_SCORES = [each.name for each in SETTINGS.values() if each.after_scores]


def own_settings(kind: str) -> list[str]:
    """The settings that a column of this kind may have of its own.

    >>> own_settings("numeric")
    ['smoothing', 'numeric']
    """
    return [each.name for each in SETTINGS.values() if kind in each.kinds]


class ViewSettings(TypedDict, total=False):
    """The keyword arguments of `Model.view`; docs/settings.md explains each."""

    event: Event
    smoothing: Smoothing
    alpha: float
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

"""What a view makes of a numeric column: a normal distribution for each label, or intervals.

    gaussian           a normal distribution with the mean and variance that the label has
    gaussian:sample    the same with the variance of a sample
    equal-width:10     10 intervals of the same width, from the smallest to the largest number
    equal-frequency:4  4 intervals with about the same number of documents
    20,35,50           own cut points: below 20, 20-35, 35-50, 50 and more
    information        cut points where the labels change (Fayyad & Irani 1993)

The rule can be chosen after counting: the counts hold what each of them needs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

from likelier._base.checks import check_flag
from likelier._base.errors import SettingError, error
from likelier._base.numbers import Real, is_number
from likelier._counts.moments import written
from likelier._documents.plain import check_fields, number_from_plain, number_to_plain
from likelier._estimate.gaussian import FLOOR

MOST_BINS = 1000


@dataclass(frozen=True, slots=True)
class Gaussian:
    """A normal distribution for each label.

    floor: minimum variance of a label, as a share of the variance of the whole column; so a label with
    equal values does not rule out everything else.
    sample: divide by n - 1 for the variance, as many textbooks do, and not by n (maximum likelihood).

    >>> from likelier import train
    >>> ages = [({"age": 20}, "no"), ({"age": 31}, "no"), ({"age": 40}, "yes"), ({"age": 60}, "yes")]
    >>> view = train(ages, view={"numeric": Gaussian()}).view()
    >>> view.classify({"age": 33}).probabilities
    {'no': 0.753, 'yes': 0.247}
    """

    floor: Real = FLOOR
    sample: bool = False

    def __post_init__(self) -> None:
        check_flag("sample", self.sample)
        if not is_number(self.floor) or not 0 < self.floor <= 1:  # this way round, so that NaN is refused too
            raise error("floor-range", got=self.floor)


@dataclass(frozen=True, slots=True)
class EqualWidth:
    """Intervals of equal width, from the smallest to the largest number.

    >>> from likelier import train
    >>> ages = [({"age": 20}, "no"), ({"age": 31}, "no"), ({"age": 40}, "yes"), ({"age": 60}, "yes")]
    >>> view = train(ages, view={"numeric": EqualWidth(bins=4)}).view()
    >>> view.log_ratios("yes", "no")
    {'40-50': 0.693, '50 and more': 0.693, '30-40': -0.693, 'below 30': -0.693}
    """

    bins: int = 10

    def __post_init__(self) -> None:
        _check_bins("bins-range", self.bins)


@dataclass(frozen=True, slots=True)
class EqualFrequency:
    """Intervals with about the same number of documents each; equal numbers stay together.

    >>> from likelier import train
    >>> ages = [({"age": 20}, "no"), ({"age": 31}, "no"), ({"age": 40}, "yes"), ({"age": 60}, "yes")]
    >>> view = train(ages, view={"numeric": EqualFrequency(bins=2)}).view()
    >>> view.log_ratios("yes", "no")
    {'35 and more': 1.099, 'below 35': -1.099}
    """

    bins: int = 10

    def __post_init__(self) -> None:
        _check_bins("bins-range.frequency", self.bins)


@dataclass(frozen=True, slots=True)
class Cuts:
    """Your own cut points; a number equal to a cut point belongs to the interval above it.

    >>> from likelier import train
    >>> ages = [({"age": 20}, "no"), ({"age": 31}, "no"), ({"age": 40}, "yes"), ({"age": 60}, "yes")]
    >>> view = train(ages, view={"numeric": Cuts((30, 50))}).view()
    >>> view.log_ratios("yes", "no")
    {'50 and more': 0.693, '30-50': 0.0, 'below 30': -0.693}
    """

    points: tuple[float, ...]

    def __post_init__(self) -> None:
        points = tuple(_finite(point) for point in self.points) if isinstance(self.points, Sequence) else ()
        if not points:
            raise error("cuts-kind", got=self.points)
        for low, high in pairwise(points):
            if not low < high:
                raise error("cuts-not-rising", got=high, low=low)
        object.__setattr__(self, "points", points)


@dataclass(frozen=True, slots=True)
class ByInformation:
    """Cut points that tell most about the labels (Fayyad & Irani 1993, minimum description length).

    >>> from likelier import train
    >>> ages = [({"age": 20}, "no"), ({"age": 31}, "no"), ({"age": 40}, "yes"), ({"age": 60}, "yes")]
    >>> view = train(ages, view={"numeric": ByInformation()}).view()
    >>> view.log_ratios("yes", "no")
    {'35 and more': 1.099, 'below 35': -1.099}
    """


Binning = EqualWidth | EqualFrequency | Cuts | ByInformation
NumericRule = Gaussian | Binning

KINDS: dict[str, type[NumericRule]] = {
    "gaussian": Gaussian,
    "equal-width": EqualWidth,
    "equal-frequency": EqualFrequency,
    "information": ByInformation,
    "cuts": Cuts,
}


def _check_bins(code: str, bins: object) -> None:
    if not isinstance(bins, int) or isinstance(bins, bool) or not 2 <= bins <= MOST_BINS:
        raise error(code, most=MOST_BINS, got=bins)


def _finite(point: Any) -> float:
    if not is_number(point) or not -math.inf < point < math.inf or abs(point) > 1e300:
        raise error("cuts-kind", got=point)
    return float(point) + 0.0  # -0.0 is 0.0


# ---- from what users write ---------------------------------------------------------------------------------------


def numeric_rule(given: object) -> NumericRule:
    """The rule that is meant: a rule, its name, or cut points.

    >>> numeric_rule("equal-width:5"), numeric_rule([20, 35])
    (EqualWidth(bins=5), Cuts(points=(20.0, 35.0)))
    """
    if isinstance(given, NumericRule):
        return given
    if isinstance(given, str):
        return _from_text(given)
    points = given.tolist() if hasattr(given, "tolist") else given  # NumPy's numbers are not Python's
    if isinstance(points, Sequence) and not isinstance(points, bytes | bytearray):
        return Cuts(tuple(points))
    raise error("numeric-unknown", got=given)


def _from_text(given: str) -> NumericRule:
    name, colon, argument = (part.strip() for part in given.strip().lower().partition(":"))
    if not colon and name in ("gaussian", "equal-width", "equal-frequency", "information"):
        return KINDS[name]()  # type: ignore[call-arg]  # all but `Cuts` have defaults
    if name in ("equal-width", "equal-frequency") and argument.isdecimal() and len(argument) < 10:
        return EqualWidth(int(argument)) if name == "equal-width" else EqualFrequency(int(argument))
    try:
        if name == "gaussian" and argument == "sample":
            return Gaussian(sample=True)
        if name == "gaussian":
            return Gaussian(number_from_plain(argument if "/" in argument else float(argument)))
        if not colon:
            return Cuts(tuple(float(part) for part in name.split(",")))
    except ValueError as failure:
        if isinstance(failure, SettingError) and failure.code != "stored-kind":
            raise
    raise error("numeric-unknown", got=given)


def rule_name(rule: NumericRule) -> str:
    """The rule as text that `numeric_rule` takes.

    >>> rule_name(Gaussian()), rule_name(EqualFrequency(4)), rule_name(Cuts((20, 35.5)))
    ('gaussian', 'equal-frequency:4', '20,35.5')
    """
    if isinstance(rule, Cuts):
        return ",".join(written(point) for point in rule.points)
    if isinstance(rule, Gaussian):
        if rule.sample:
            return "gaussian:sample"
        return "gaussian" if rule == Gaussian() else f"gaussian:{number_to_plain(rule.floor)}"
    if isinstance(rule, ByInformation):
        return "information"
    return f"{'equal-width' if isinstance(rule, EqualWidth) else 'equal-frequency'}:{rule.bins}"


# ---- as plain values ---------------------------------------------------------------------------------------------


def rule_to_dict(rule: NumericRule) -> dict[str, Any]:
    """The rule as plain JSON values.

    >>> rule_to_dict(EqualWidth(5)), rule_to_dict(Cuts((20, 35)))
    ({'kind': 'equal-width', 'bins': 5}, {'kind': 'cuts', 'points': [20.0, 35.0]})
    """
    kind = next(kind for kind, known in KINDS.items() if type(rule) is known)
    values = {field.name: getattr(rule, field.name) for field in fields(rule)}
    return {"kind": kind} | {
        name: list(value) if isinstance(value, tuple) else value if isinstance(value, bool) else number_to_plain(value)
        for name, value in values.items()
    }


def rule_from_dict(stored: object) -> NumericRule:
    """The rule with these settings; what is left out has its default.

    >>> rule_from_dict({"kind": "equal-width", "bins": 5})
    EqualWidth(bins=5)
    """
    kind = stored.get("kind") if isinstance(stored, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise error("stored-kind", wanted=f"a numeric rule of one of the kinds {', '.join(KINDS)}", got=stored)
    rule = KINDS[kind]
    names = ["kind", *(field.name for field in fields(rule))]
    given = check_fields(stored, names, what=f"the rule {kind}")
    if rule is Cuts and not isinstance(given.get("points"), list):
        raise error("stored-kind", wanted="a list of cut points", got=given.get("points"))
    return rule(**{name: _value_from_plain(value) for name, value in given.items() if name != "kind"})


def _value_from_plain(value: object) -> Any:
    if isinstance(value, list):
        return tuple(number_from_plain(number) for number in value)
    return value if isinstance(value, bool) else number_from_plain(value)

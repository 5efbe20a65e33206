"""Smoothing: from counts to probabilities, without zeros unless smoothing is off.

    additive              (n + alpha) / (N + alpha k)              1 = Laplace, 0 = none
    m-estimate            (n + m p) / (N + m)                      Mitchell 1997, section 6.9.1
    Jelinek-Mercer        w n/N + (1 - w) q                        Zhai & Lafferty 2004
    absolute discounting  (max(n - d, 0) + d u q) / N              Zhai & Lafferty 2004

n = how often the outcome was seen under the label, N = how often any was, k = how many outcomes there are,
u = how many of them were seen under the label, p = what is expected beforehand, q = the outcome's share of the whole
corpus. An m-estimate with p = q is Dirichlet smoothing. Where N is 0 there is nothing to smooth: the estimate is
what is expected beforehand, or 0 when nothing is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Literal, Protocol

from likelier._base.errors import error
from likelier._base.numbers import Real, Value, as_number, exact, is_number
from likelier._documents.plain import check_fields, number_from_plain, number_to_plain
from likelier._estimate.evidence import Evidence, Ratio


@dataclass(frozen=True, slots=True)
class Formula:
    """A fraction as a person writes it: `(6 + 1) / (15 + 7)`. Without a denominator it is a sum."""

    numerator: str
    denominator: str | None = None

    def __str__(self) -> str:
        if self.denominator is None:
            return self.numerator
        return f"{_bracketed(self.numerator)} / {_bracketed(self.denominator)}"


def _bracketed(sum_or_number: str) -> str:
    return f"({sum_or_number})" if " " in sum_or_number or "/" in sum_or_number else sum_or_number


# ---- the formulas: on single fractions or on arrays ----------------------------------------------------------------


def additive(n: Value, total: Value, outcomes: Value, alpha: Real = 1) -> Ratio:
    """(n + alpha) / (N + alpha k).

    >>> additive(Fraction(2), 5, 7).value
    Fraction(1, 4)
    """
    denominator = total + alpha * outcomes
    return Ratio(n + alpha, denominator + (denominator == 0))  # 0/0: never seen is 0


def m_estimate(n: Value, total: Value, expected: Value, m: Real = 1) -> Ratio:
    """(n + m p) / (N + m), where p is what is expected beforehand.

    >>> m_estimate(Fraction(2), 5, Fraction(1, 7), m=2).value
    Fraction(16, 49)
    """
    denominator = total + m
    return Ratio(n + m * expected, denominator + (denominator == 0))


def jelinek_mercer(n: Value, total: Value, share: Value, weight: Real = 0.7) -> Ratio:
    """w n/N + (1 - w) q: a mixture of the label's own counts and the whole corpus.

    >>> jelinek_mercer(Fraction(2), 5, Fraction(1, 10), weight=Fraction(1, 2)).value
    Fraction(1, 4)
    """
    own = weight * (total > 0)  # a label without counts has only the corpus
    return Ratio(own * n / (total + (total == 0)) + (1 - own) * share, 1 + 0 * total)


def absolute_discounting(n: Value, total: Value, seen: Value, share: Value, discount: Real = 0.7) -> Ratio:
    """(max(n - d, 0) + d u q) / N: every count gives up d, which goes to the terms by their share of the corpus.

    >>> absolute_discounting(Fraction(2), 5, 3, Fraction(1, 10), discount=Fraction(1, 2)).value
    Fraction(33, 100)
    """
    left = n - discount
    empty = total == 0  # a label without counts has only the corpus
    given_up = (discount * seen + empty) * share
    return Ratio(left * (left > 0) + given_up, total + empty)


# ---- the rules: a formula with its settings ------------------------------------------------------------------------


class Smoothing(Protocol):
    """A rule that turns evidence into a probability."""

    def ratio(self, evidence: Evidence) -> Ratio: ...

    def exact(self) -> Smoothing:
        """The same rule with fractions for its settings."""

    def formula(self, evidence: Evidence) -> Formula:
        """The rule with its numbers put in."""

    @property
    def is_off(self) -> bool:
        """Whether the settings switch it off: what was never seen has probability 0."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What the probabilities of a rule depend on, so that they are found more quickly. The defaults hold for any rule.

    follows          P(t|c) follows from the term's count under the label ("own"), from that and its count in all
                     ("both"), or from the term itself ("term")
    factors_in       the event models in which P(t|c) of a term never seen under the label is a number of the term
                     times a number of the label, and not 0
    is_separable     the numerator follows from the count alone, and the denominator not from the count
    needs_seen       it looks at `Evidence.seen`
    may_leave_zeros  a term that was seen may have probability 0, even if the rule is not off
    """

    follows: Literal["own", "both", "term"] = "term"
    factors_in: tuple[str, ...] = ()
    is_separable: bool = False
    needs_seen: bool = True
    may_leave_zeros: bool = True


def shape_of(smoothing: Smoothing) -> Shape:
    """What the class of the rule says in `shape`; a subclass may compute something else, so it says it anew."""
    shape: Shape = smoothing.shape if "shape" in vars(type(smoothing)) else Shape()  # type: ignore[attr-defined]
    return shape


OF_TERMS = ("multinomial", "binary")
BY_COUNT = Shape("own", (*OF_TERMS, "complement", "bernoulli"), needs_seen=False, may_leave_zeros=False)
BY_SHARE = Shape("both", (*OF_TERMS, "complement"), needs_seen=False, may_leave_zeros=False)


@dataclass(frozen=True, slots=True)
class Additive:
    """Additive smoothing: (n + alpha) / (N + alpha k). Laplace smoothing is alpha 1.

    >>> from likelier import train
    >>> view = train([("a a b", "x"), ("b c", "y")]).textbook(smoothing=Additive(0.5))
    >>> print(view.likelihood("a", "x"), view.likelihood("c", "x"))
    5/9 1/9
    """

    alpha: Real = 1
    shape: ClassVar = replace(BY_COUNT, is_separable=True)

    def __post_init__(self) -> None:
        if not is_number(self.alpha) or not self.alpha >= 0 or math.isinf(self.alpha):  # NaN is refused too
            raise error("alpha-negative", got=self.alpha)

    @property
    def is_off(self) -> bool:
        return self.alpha == 0

    def ratio(self, e: Evidence) -> Ratio:
        return additive(e.count, e.total, e.outcomes, self.alpha)

    def formula(self, e: Evidence) -> Formula:
        if not self.alpha:
            return Formula(short(e.count), short(e.total))
        added = self.alpha * e.outcomes
        below = short(Rounded(added) if isinstance(e.total, Rounded) else added)
        return Formula(f"{short(e.count)} + {short(self.alpha)}", f"{short(e.total)} + {below}")

    def exact(self) -> Additive:
        return replace(self, alpha=exact(self.alpha))


@dataclass(frozen=True, slots=True)
class MEstimate:
    """The m-estimate: (n + m p) / (N + m).

    p: "uniform" is 1/k, "background" is the share of the whole corpus (Dirichlet smoothing), a mapping gives each
    term its own.

    >>> from likelier import train
    >>> view = train([("a a b", "x"), ("b c", "y")]).textbook(smoothing=MEstimate(m=2))
    >>> print(view.likelihood("a", "x"), view.likelihood("c", "x"))
    8/15 2/15
    """

    m: Real = 1
    p: Literal["uniform", "background"] | Mapping[str, Real] = "uniform"

    def __post_init__(self) -> None:
        if not is_number(self.m) or not self.m >= 0 or math.isinf(self.m):
            raise error("m-negative", got=self.m)
        if isinstance(self.p, str) and self.p not in ("uniform", "background"):
            raise error("p-unknown", got=self.p)
        if not isinstance(self.p, str):
            _check_given(self.p)
            object.__setattr__(self, "p", dict(self.p))  # whatever becomes of the one that was given

    @property
    def is_off(self) -> bool:
        return self.m == 0

    @property
    def shape(self) -> Shape:
        if not isinstance(self.p, str):
            return Shape(needs_seen=False)
        return BY_COUNT if self.p == "uniform" else BY_SHARE

    def _expected(self, e: Evidence) -> Value:
        if not isinstance(self.p, str):
            return e.named(self.p)
        return 1 / (e.outcomes + (e.outcomes == 0)) if self.p == "uniform" else e.share

    def ratio(self, e: Evidence) -> Ratio:
        return m_estimate(e.count, e.total, self._expected(e), self.m)

    def formula(self, e: Evidence) -> Formula:
        if not self.m:
            return Formula(short(e.count), short(e.total))
        m, expected = short(self.m), short(self._expected(e))
        return Formula(f"{short(e.count)} + {m} · {expected}", f"{short(e.total)} + {m}")

    def exact(self) -> MEstimate:
        given = self.p if isinstance(self.p, str) else {term: exact(number) for term, number in self.p.items()}
        return replace(self, m=exact(self.m), p=given)


@dataclass(frozen=True, slots=True)
class JelinekMercer:
    """Jelinek-Mercer smoothing: w n/N + (1 - w) q, the label's own counts mixed with the whole corpus.

    >>> from likelier import train
    >>> view = train([("a a b", "x"), ("b c", "y")]).textbook(smoothing=JelinekMercer(0.5))
    >>> print(view.likelihood("a", "x"), view.likelihood("c", "x"))
    8/15 1/10
    """

    weight: Real = 0.7
    shape: ClassVar = BY_SHARE

    def __post_init__(self) -> None:
        _check_share("weight-of-label-range", self.weight)

    @property
    def is_off(self) -> bool:
        return self.weight == 1

    def ratio(self, e: Evidence) -> Ratio:
        return jelinek_mercer(e.count, e.total, e.share, self.weight)

    def formula(self, e: Evidence) -> Formula:
        own = self.weight * (e.total > 0)
        seen = f"{_bracketed(short(e.count))}/{_bracketed(short(e.total))}"
        return Formula(f"{short(own)} · {seen} + {short(1 - own)} · {short(e.share)}")

    def exact(self) -> JelinekMercer:
        return replace(self, weight=exact(self.weight))


@dataclass(frozen=True, slots=True)
class AbsoluteDiscounting:
    """Absolute discounting: (max(n - d, 0) + d u q) / N.

    Every count gives up d, which goes to the terms by their share of the corpus.

    >>> from likelier import train
    >>> view = train([("a a b", "x"), ("b c", "y")]).textbook(smoothing=AbsoluteDiscounting(0.5))
    >>> print(view.likelihood("a", "x"), view.likelihood("c", "x"))
    19/30 1/15
    """

    discount: Real = 0.7
    shape: ClassVar = Shape("both", OF_TERMS, may_leave_zeros=False)

    def __post_init__(self) -> None:
        _check_share("discount-range", self.discount)

    @property
    def is_off(self) -> bool:
        return self.discount == 0

    def ratio(self, e: Evidence) -> Ratio:
        return absolute_discounting(e.count, e.total, e.seen, e.share, self.discount)

    def formula(self, e: Evidence) -> Formula:
        d = short(self.discount)
        kept = f"({short(e.count)} - {d})" if e.count > self.discount else "0"
        return Formula(f"{kept} + {d} · {short(e.seen)} · {short(e.share)}", short(e.total))

    def exact(self) -> AbsoluteDiscounting:
        return replace(self, discount=exact(self.discount))


class Rounded(Fraction):
    """A number that is shown with a few digits, because all of them would be too many to read."""


def short(number: Any) -> str:
    """A number as a person writes it: whole, as a decimal if that is exact and short, else as a fraction.

    >>> short(Fraction(7)), short(Fraction(1, 4)), short(Fraction(8, 30)), short(0.5)
    ('7', '0.25', '4/15', '0.5')
    >>> short(Rounded(8, 30)), short(Rounded(7)), short(Rounded(1234567, 10))
    ('0.2667', '7', '123457')
    """
    if isinstance(number, Rounded):
        return f"{float(number):.4g}" if number < 10_000 else f"{float(number):.0f}"
    fraction = exact(number)
    if fraction.denominator == 1:
        return str(fraction.numerator)
    decimal = f"{float(fraction):.12g}"
    return decimal if len(decimal) <= 6 and Fraction(decimal) == fraction else str(fraction)


def _check_share(code: str, value: Any) -> None:
    if not is_number(value) or not 0 <= value <= 1:
        raise error(code, got=value)


def _check_given(given: Mapping[str, Real]) -> None:
    if not isinstance(given, Mapping) or not all(is_number(number) and 0 <= number <= 1 for number in given.values()):
        raise error("p-range")


# ---- by name -----------------------------------------------------------------------------------------------------

KINDS: dict[str, type[Any]] = {
    "additive": Additive,
    "m-estimate": MEstimate,
    "jelinek-mercer": JelinekMercer,
    "absolute-discounting": AbsoluteDiscounting,
}
_ALIASES = {"dirichlet": partial(MEstimate, p="background")}
_USUAL = {"m-estimate": "2", "dirichlet": "2000"}  # numbers for examples; else the default


def _named() -> dict[str, Callable[..., Smoothing]]:
    return {**KINDS, **_ALIASES}


def smoothing_named(text: str) -> Smoothing:
    """A smoothing rule by name, with its first setting after a colon.

    >>> smoothing_named("jelinek-mercer:0.7"), smoothing_named("m-estimate")
    (JelinekMercer(weight=0.7), MEstimate(m=1, p='uniform'))
    """
    name, colon, number = text.partition(":")
    try:
        rule, numbers = _named()[name], [as_number(number)] if colon else []
    except (KeyError, ValueError):
        raise error("smoothing-name", got=text, known=", ".join(smoothing_examples())) from None
    return rule(*numbers)


def smoothing_in_words(smoothing: Smoothing) -> str:
    """As `smoothing_named` takes it.

    >>> smoothing_in_words(MEstimate(2000, p="background")), smoothing_in_words(MEstimate(2, p={"goat": 1}))
    ('dirichlet:2000', 'm-estimate:2 with its own p')
    """
    kind = _kind_of(smoothing)
    if kind is None:
        return str(smoothing)
    first, *others = [field.name for field in fields(KINDS[kind])]
    number = getattr(smoothing, first)
    for name in (kind, *(alias for alias, rule in _ALIASES.items() if rule.func is KINDS[kind])):
        if smoothing == _named()[name](number):
            return f"{name}:{short(number)}"
    return f"{kind}:{short(number)} with its own {' and '.join(others)}"


def smoothing_examples() -> list[str]:
    """Each name with a number.

    >>> smoothing_examples()
    ['additive:1', 'm-estimate:2', 'jelinek-mercer:0.7', 'absolute-discounting:0.7', 'dirichlet:2000']
    """
    usual = {kind: short(fields(rule)[0].default) for kind, rule in KINDS.items()} | _USUAL
    return [f"{name}:{usual[name]}" for name in _named()]


def smoothing_calls() -> list[str]:
    """Each rule as Python makes it.

    >>> smoothing_calls()
    ['Additive(alpha)', 'MEstimate(m, p)', 'JelinekMercer(weight)', 'AbsoluteDiscounting(discount)']
    """
    return [f"{rule.__name__}({', '.join(field.name for field in fields(rule))})" for rule in KINDS.values()]


def _kind_of(smoothing: Smoothing) -> str | None:
    return next((kind for kind, rule in KINDS.items() if type(smoothing) is rule), None)


# ---- as plain values ---------------------------------------------------------------------------------------------


def smoothing_to_dict(smoothing: Smoothing) -> dict[str, Any]:
    """The rule as plain JSON values.

    >>> smoothing_to_dict(Additive(Fraction(1, 3)))
    {'kind': 'additive', 'alpha': '1/3'}
    """
    kind = _kind_of(smoothing)
    if kind is None:
        raise error("smoothing-not-storable", got=smoothing)
    return {"kind": kind} | {
        field.name: _value_to_plain(getattr(smoothing, field.name)) for field in fields(KINDS[kind])
    }


def smoothing_from_dict(stored: object) -> Smoothing:
    """The rule with these settings; what is left out has its default.

    >>> smoothing_from_dict({"kind": "additive", "alpha": "1/3"})
    Additive(alpha=Fraction(1, 3))
    """
    kind = stored.get("kind") if isinstance(stored, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise error("stored-kind", wanted=f"a smoothing of one of the kinds {', '.join(KINDS)}", got=stored)
    rule = KINDS[kind]
    names = ["kind", *(field.name for field in fields(rule))]
    given = check_fields(stored, names, what=f"{kind} smoothing")
    smoothing: Smoothing = rule(**{name: _value_from_plain(value) for name, value in given.items() if name != "kind"})
    return smoothing


def _value_to_plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {term: number_to_plain(number) for term, number in value.items()}
    return value if isinstance(value, str) else number_to_plain(value)


def _value_from_plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {term: number_from_plain(number) for term, number in value.items()}
    return value if value in ("uniform", "background") else number_from_plain(value)

"""Bayes' rule with numbers: everything that follows from a few probabilities or counts of two events, exactly.

    P(A|B) = P(A and B) / P(B)                     conditional probability
    P(A|B) = P(B|A) P(A) / P(B)                    Bayes' rule
    P(B) = P(B|A) P(A) + P(B|not A) P(not A)       when the evidence is not known by itself
    P(A) = N(A) / N                                from counts

Fractions keep the denominator with which they are written on a board: 4/100 / (5/100) = 4/5, 1 - 35/100 = 65/100.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from likelier._base.checks import whole_number
from likelier._base.errors import LikelierError, error
from likelier._base.numbers import Real, exact, is_decimal, is_number

Formula = str | int | tuple[str, "Formula", "Formula"]  # a probability or a count by its name, 1, or (sign, one, other)

PROBABILITIES = ("prior", "evidence", "joint", "likelihood", "likelihood_otherwise")
COUNTS = ("count_a", "count_b", "count_both", "total")
NAMES = {  # of all probabilities, as messages have them
    "prior": "P(A)",
    "prior_complement": "P(not A)",
    "evidence": "P(B)",
    "evidence_complement": "P(not B)",
    "joint": "P(A and B)",
    "joint_otherwise": "P(B and not A)",
    "likelihood": "P(B|A)",
    "likelihood_otherwise": "P(B|not A)",
    "posterior": "P(A|B)",
}
_BAYES: Formula = ("/", ("·", "likelihood", "prior"), "evidence")
_FORMULAS: tuple[tuple[str, Formula], ...] = (  # what can be derived from what; the first that applies is taken
    ("prior", ("/", "count_a", "total")),
    ("prior_complement", ("-", 1, "prior")),
    ("evidence", ("/", "count_b", "total")),
    ("evidence_complement", ("-", 1, "evidence")),
    ("joint", ("/", "count_both", "total")),
    ("joint", ("·", "likelihood", "prior")),
    ("joint_otherwise", ("·", "likelihood_otherwise", "prior_complement")),
    ("evidence", ("+", "joint", "joint_otherwise")),
    ("joint", ("-", "evidence", "joint_otherwise")),
    ("joint_otherwise", ("-", "evidence", "joint")),
    ("prior", ("/", "joint", "likelihood")),
    ("prior_complement", ("/", "joint_otherwise", "likelihood_otherwise")),
    ("prior", ("-", 1, "prior_complement")),
    ("prior", ("/", ("-", "evidence", "likelihood_otherwise"), ("-", "likelihood", "likelihood_otherwise"))),
    ("likelihood", ("/", "joint", "prior")),
    ("likelihood", ("/", "count_both", "count_a")),
    ("posterior", _BAYES),
    ("posterior", ("/", "joint", "evidence")),
    ("posterior", ("/", "count_both", "count_b")),
)
_MUST_AGREE: tuple[Formula, ...] = (("·", "likelihood", "prior"), ("+", "joint", "joint_otherwise"))
_AT_MOST = (
    ("joint", "evidence"),
    ("joint", "prior"),
    ("joint", "likelihood"),
    ("joint_otherwise", "likelihood_otherwise"),
)
_CLOSE = Fraction(1, 10**9)  # relative; floats are rounded
_LONGEST = 150  # digits of a number that is given as text
_WRITTEN = re.compile(
    r"\+?(?P<number>\d+/0*[1-9]\d*|(?:\d+\.?\d*|\.\d+)(?:e(?P<exponent>[+-]?\d{1,9}))?) ?(?P<percent>%?)",
    re.ASCII | re.IGNORECASE,
)


def bayes_rule(
    *,
    prior: Real | str | None = None,
    likelihood: Real | str | None = None,
    evidence: Real | str | None = None,
    joint: Real | str | None = None,
    likelihood_otherwise: Real | str | None = None,
) -> float:
    """P(A|B), from P(A), P(B|A) and P(B); or from P(A and B) and P(B). `rule` shows how.

    likelihood_otherwise: P(B|not A); with it P(B) need not be known.

    >>> bayes_rule(prior=0.0001, likelihood=0.8, evidence=0.1)
    0.0008
    >>> bayes_rule(joint=0.04, evidence=0.05)
    0.8
    >>> bayes_rule(prior=0.01, likelihood=0.9, likelihood_otherwise=0.05)
    0.15384615384615385
    """
    given = {
        "prior": prior,
        "likelihood": likelihood,
        "evidence": evidence,
        "joint": joint,
        "likelihood_otherwise": likelihood_otherwise,
    }
    known = derived(given)
    if "posterior" not in known:
        raise incomplete(given)
    return float(known["posterior"].number.value)


@dataclass(frozen=True, slots=True)
class Written:
    """A number and how it is written: as a fraction with the denominator `over`, or as a decimal where that is None.

    >>> Written.of("4/100"), Written.of("5%")
    (Written(value=Fraction(1, 25), over=100), Written(value=Fraction(1, 20), over=None))
    """

    value: Fraction
    over: int | None = None

    @classmethod
    def of(cls, number: Real | str) -> Written:
        """A number that is given; raises ValueError for a text that is none, OverflowError for one that is too long."""
        if not isinstance(number, str):
            return cls(exact(number), number.denominator if isinstance(number, Fraction) else None)
        found = _WRITTEN.fullmatch(number.strip())
        if found is None:
            raise ValueError(number)
        if len(number) > _LONGEST or abs(int(found["exponent"] or 0)) > _LONGEST:  # 1e-999999999 would never end
            raise OverflowError(number)
        value, is_percentage = Fraction(found["number"]), bool(found["percent"])
        over = found["number"].partition("/")[2]
        return cls(value / 100 if is_percentage else value, int(over) if over and not is_percentage else None)


@dataclass(frozen=True, slots=True)
class Step:
    """A number and the formula from which it comes; None: it was given."""

    number: Written
    formula: Formula | None = None


def derived(given: Mapping[str, Any]) -> dict[str, Step]:
    """All that follows, in this order: what is given, then each number after those it is derived from.

    >>> for name, step in derived({"joint": 0.04, "evidence": 0.05}).items():
    ...     print(name, step.number.value, step.formula)
    evidence 1/20 None
    joint 1/25 None
    evidence_complement 19/20 ('-', 1, 'evidence')
    posterior 4/5 ('/', 'joint', 'evidence')
    """
    known = {name: Step(number) for name, number in _read(given).items()}
    if not known:
        raise incomplete(given)
    while found := next(_following(known), None):
        name, step = found
        known[name] = step
    _check(known)
    return known


def _following(known: Mapping[str, Step]) -> Iterator[tuple[str, Step]]:
    for name, formula in _FORMULAS:
        if name in known or not set(names_in(formula)) <= set(known) or _is_beside_the_point(name, formula, known):
            continue
        number = _worked(formula, known)
        if number is not None:
            yield name, Step(_within(number), formula)


def _is_beside_the_point(name: str, formula: Formula, known: Mapping[str, Step]) -> bool:
    """Bayes' rule is for a likelihood that is given, and B without A for a likelihood of it."""
    if formula == _BAYES:
        return known["likelihood"].formula is not None or known["joint"].formula is None
    return name == "joint_otherwise" and "likelihood_otherwise" not in known


def names_in(formula: Formula) -> list[str]:
    """The probabilities and counts of a formula."""
    if isinstance(formula, tuple):
        return [name for part in formula[1:] for name in names_in(part)]
    return [formula] if isinstance(formula, str) else []


# ---- arithmetic --------------------------------------------------------------------------------------------------


def _worked(formula: Formula, known: Mapping[str, Step]) -> Written | None:
    """The number of a formula; None where it would divide by 0."""
    if isinstance(formula, str):
        return known[formula].number
    if isinstance(formula, int):
        return Written(Fraction(formula))
    sign, *parts = formula
    one, other = (_worked(part, known) for part in parts)
    if one is None or other is None or (sign == "/" and not other.value):
        return None
    value = _calculated(sign, one.value, other.value)
    return Written(value, _over(sign, one, other, value))


def _calculated(sign: str, one: Fraction, other: Fraction) -> Fraction:
    if sign == "/":
        return one / other
    if sign == "·":
        return one * other
    return one + other if sign == "+" else one - other


def _over(sign: str, one: Written, other: Written, value: Fraction) -> int | None:
    """The denominator with which the result is written."""
    if one.over and other.over:
        if sign == "/":
            return int(other.value * other.over) if one.over == other.over else value.denominator
        return one.over * other.over if sign == "·" else math.lcm(one.over, other.over)
    if sign == "-" and one.value == 1 and other.over:
        return other.over
    return None if is_decimal(value) else value.denominator


# ---- checks ------------------------------------------------------------------------------------------------------


def incomplete(given: Mapping[str, Any]) -> LikelierError:
    """The error for numbers from which P(A|B) does not follow."""
    names = [name for name, value in given.items() if value is not None]
    return error("rule-incomplete", got=", ".join(names) or "nothing")


def _read(given: Mapping[str, Any]) -> dict[str, Written]:
    numbers = {name: given[name] for name in (*PROBABILITIES, *COUNTS) if given.get(name) is not None}
    counts = {name: _count(name, value) for name, value in numbers.items() if name in COUNTS}
    if counts and len(counts) < len(numbers):
        raise error("rule-mixed", got=", ".join(numbers))
    _check_counts(counts)
    if counts:
        return {name: Written(Fraction(value), 1) for name, value in counts.items()}
    return {name: _probability(name, value) for name, value in numbers.items()}


def _probability(name: str, value: Any) -> Written:
    if not isinstance(value, str) and (not is_number(value) or not 0 <= value <= 1):
        raise error("probability-range", name=name, got=str(value) if isinstance(value, Fraction) else repr(value))
    try:
        number = Written.of(value)
    except ValueError:
        raise error("probability-range.text", name=name, got=value) from None
    except OverflowError:
        raise error("probability-range.digits", name=name, got=value[:60], most=_LONGEST) from None
    if number.value > 1:
        raise error("probability-range", name=name, got=value)
    return number


def _count(name: str, value: Any) -> int:
    number = whole_number(value)
    least = int(name == "total")
    if number is None or number < least:
        raise error("rule-count", name=name, least=least, got=value)
    return number


def _check_counts(counts: Mapping[str, int]) -> None:
    largest = (("count_both", "count_a"), ("count_both", "count_b"), ("count_a", "total"), ("count_b", "total"))
    for name, of in (*largest, ("count_both", "total")):
        if name in counts and of in counts and counts[name] > counts[of]:
            raise error("rule-counts", name=name, of=of, got=counts[name], most=counts[of])
    if len(counts) == len(COUNTS):
        either = counts["count_a"] + counts["count_b"] - counts["count_both"]
        if either > counts["total"]:
            raise error("rule-counts.either", got=either, most=counts["total"])


def _within(number: Written) -> Written:
    """A derived probability, which floats may have moved a little beyond 0 or 1."""
    if 0 <= number.value <= 1 or not -_CLOSE <= number.value <= 1 + _CLOSE:
        return number
    return Written(Fraction(round(number.value)))


def _check(known: Mapping[str, Step]) -> None:
    values = {name: step.number.value for name, step in known.items()}
    if values.get("evidence") == 0 or values.get("count_b") == 0:
        raise error("evidence-zero")
    _check_range(known, lambda value: value < 0)
    for name, of in _AT_MOST:
        if {name, of} <= set(values) and values[name] > values[of] * (1 + _CLOSE):
            got, most = float(values[name]), float(values[of])
            raise error("joint-exceeds-evidence", name=NAMES[name], of=NAMES[of], got=got, most=most)
    if {"prior", "evidence", "joint"} <= set(values):
        either = values["prior"] + values["evidence"] - values["joint"]
        if either > 1 + _CLOSE:
            raise error("rule-exceeds-one", got=float(either))
    _check_range(known, lambda value: value > 1)
    for name, formula in _FORMULAS:
        if formula in _MUST_AGREE and {name, *names_in(formula)} <= set(known):
            _check_equal(name, formula, known)


def _check_range(known: Mapping[str, Step], is_wrong: Callable[[Fraction], bool]) -> None:
    for name, step in known.items():
        if name in NAMES and step.formula and is_wrong(step.number.value):
            raise _contradiction(name, step.formula, step.number.value, "a probability from 0 to 1")


def _check_equal(name: str, formula: Formula, known: Mapping[str, Step]) -> None:
    """Where more is given than is needed, it must agree."""
    number, given = _worked(formula, known), known[name].number.value
    if number is not None and abs(number.value - given) > _CLOSE * max(number.value, given):
        raise _contradiction(name, formula, number.value, f"{float(given):.6g}")


def _contradiction(name: str, formula: Formula, value: Fraction, given: str) -> LikelierError:
    rule = f"{NAMES[name]} = {_in_words(formula)}"
    return error("rule-contradiction", rule=rule, got=f"{float(value):.6g}", given=given)


def _in_words(formula: Formula) -> str:
    if isinstance(formula, tuple):
        sign, *parts = formula
        one, other = (
            f"({_in_words(part)})" if isinstance(part, tuple) and part[0] in "+-" else _in_words(part) for part in parts
        )
        return f"{one} {sign} {other}"
    return NAMES[formula] if isinstance(formula, str) else str(formula)

"""Bayes' rule with numbers.

P(A|B) = P(B|A) P(A) / P(B)          P(A|B) = P(A and B) / P(B)

P(B) = P(B|A) P(A) + P(B|not A) (1 - P(A))     when the evidence is not known by itself
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from likelier._base.errors import LikelierError, error
from likelier._base.numbers import Real, exact, is_number


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation: `P(B) = P(A and B) + P(B and not A) = 9/1000 + 99/2000 = 117/2000`."""

    what: str
    formula: str
    numbers: str
    value: Fraction


def bayes_rule(
    *,
    prior: Real | None = None,
    likelihood: Real | None = None,
    evidence: Real | None = None,
    joint: Real | None = None,
    likelihood_otherwise: Real | None = None,
) -> float:
    """P(A|B), from P(A), P(B|A) and P(B); or from P(A and B) and P(B).

    likelihood_otherwise: P(B|not A); with it P(B) need not be known.

    >>> bayes_rule(prior=0.0001, likelihood=0.8, evidence=0.1)
    0.0008
    >>> bayes_rule(joint=0.04, evidence=0.05)
    0.8
    >>> bayes_rule(prior=0.01, likelihood=0.9, likelihood_otherwise=0.05)
    0.15384615384615385
    """
    steps = derivation(
        prior=prior,
        likelihood=likelihood,
        evidence=evidence,
        joint=joint,
        likelihood_otherwise=likelihood_otherwise,
    )
    return float(steps[-1].value)


def derivation(**given: Real | None) -> list[Step]:
    """The steps to P(A|B), in fractions; the last one is the answer. Arguments as for `bayes_rule`.

    >>> for step in derivation(prior=0.01, likelihood=0.9, likelihood_otherwise=0.05):
    ...     print(step.what, "=", step.numbers, "=", step.value)
    P(A and B) = 9/10 · 1/100 = 9/1000
    P(not A) = 1 - 1/100 = 99/100
    P(B and not A) = 1/20 · 99/100 = 99/2000
    P(B) = 9/1000 + 99/2000 = 117/2000
    P(A|B) = (9/1000) / (117/2000) = 2/13
    """
    numbers = {name: _checked(name, value) for name, value in given.items() if value is not None}
    steps = _joint(numbers)
    both = steps[-1].value if steps else numbers["joint"]
    steps += _evidence(numbers, both)
    of = numbers["evidence"] if "evidence" in numbers else steps[-1].value
    _check_evidence(both, of)
    return [*steps, Step("P(A|B)", "P(A and B) / P(B)", f"({both}) / ({of})", both / of)]


def _joint(numbers: dict[str, Fraction]) -> list[Step]:
    """P(A and B), unless it is given."""
    if "joint" in numbers and not {"prior", "likelihood", "likelihood_otherwise"} & set(numbers):
        return []
    if {"prior", "likelihood"} <= set(numbers) and "joint" not in numbers:
        return [_product("P(A and B)", "P(B|A) P(A)", numbers["likelihood"], numbers["prior"])]
    raise _incomplete(numbers)


def _evidence(numbers: dict[str, Fraction], both: Fraction) -> list[Step]:
    """P(B), unless it is given."""
    if ("evidence" in numbers) == ("likelihood_otherwise" in numbers):
        raise _incomplete(numbers)
    if "evidence" in numbers:
        return []
    prior = numbers["prior"]
    otherwise = _product("P(B and not A)", "P(B|not A) P(not A)", numbers["likelihood_otherwise"], 1 - prior)
    return [
        Step("P(not A)", "1 - P(A)", f"1 - {prior}", 1 - prior),
        otherwise,
        Step("P(B)", "P(A and B) + P(B and not A)", f"{both} + {otherwise.value}", both + otherwise.value),
    ]


def _product(what: str, formula: str, one: Fraction, two: Fraction) -> Step:
    return Step(what, formula, f"{one} · {two}", one * two)


def _check_evidence(both: Fraction, of: Fraction) -> None:
    if not of:
        raise error("evidence-zero")
    if both > of:
        raise error("joint-exceeds-evidence", got=float(both), of=float(of))


def _incomplete(numbers: dict[str, Fraction]) -> LikelierError:
    return error("rule-incomplete", got=", ".join(numbers) or "nothing")


def _checked(name: str, value: Real) -> Fraction:
    if not is_number(value) or not 0 <= value <= 1:
        raise error("probability-range", name=name, got=_shown(value))
    return exact(value)


def _shown(value: object) -> str:
    return str(value) if isinstance(value, Fraction) else repr(value)

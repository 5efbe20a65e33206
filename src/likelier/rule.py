"""Bayes' rule with numbers.

P(A|B) = P(B|A) P(A) / P(B)          P(A|B) = P(A and B) / P(B)

P(B) = P(B|A) P(A) + P(B|not A) (1 - P(A))     when the evidence is not known by itself
"""

from __future__ import annotations

from fractions import Fraction

from likelier.errors import InputError
from likelier.estimate.evidence import exact, is_number


def bayes_rule(
    *,
    prior: float | None = None,
    likelihood: float | None = None,
    evidence: float | None = None,
    joint: float | None = None,
    likelihood_otherwise: float | None = None,
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
    given = {
        "prior": prior,
        "likelihood": likelihood,
        "evidence": evidence,
        "joint": joint,
        "likelihood_otherwise": likelihood_otherwise,
    }
    numbers = {name: _checked(name, value) for name, value in given.items() if value is not None}
    both = _joint(numbers)
    of = _evidence(numbers, both)
    if not of:
        raise InputError(
            code="evidence-zero",
            message="P(B) must be more than 0: what never happens tells nothing",
            hint="give the probability of what was observed",
        )
    if both > of:
        raise InputError(
            code="joint-exceeds-evidence",
            message=f"A and B together cannot be more probable than B alone, got {float(both):g} and {float(of):g}",
            hint="P(B) is at least P(B|A) P(A)",
        )
    return float(both / of)


def _joint(numbers: dict[str, Fraction]) -> Fraction:
    """P(A and B)."""
    if "joint" in numbers and not {"prior", "likelihood", "likelihood_otherwise"} & set(numbers):
        return numbers["joint"]
    if {"prior", "likelihood"} <= set(numbers) and "joint" not in numbers:
        return numbers["likelihood"] * numbers["prior"]
    raise _incomplete(numbers)


def _evidence(numbers: dict[str, Fraction], both: Fraction) -> Fraction:
    """P(B)."""
    if ("evidence" in numbers) == ("likelihood_otherwise" in numbers):
        raise _incomplete(numbers)
    if "evidence" in numbers:
        return numbers["evidence"]
    return both + numbers["likelihood_otherwise"] * (1 - numbers["prior"])


def _incomplete(numbers: dict[str, Fraction]) -> InputError:
    return InputError(
        code="rule-incomplete",
        message="Bayes' rule needs prior, likelihood and evidence, or joint and evidence;"
        f" got {', '.join(numbers) or 'nothing'}",
        hint="bayes_rule(prior=P(A), likelihood=P(B|A), evidence=P(B))",
    )


def _checked(name: str, value: float) -> Fraction:
    if not is_number(value) or not 0 <= value <= 1:
        raise InputError(
            code="probability-range",
            message=f"`{name}` must be a probability from 0 to 1, got {value!r}",
            hint="80 % is 0.8",
        )
    return exact(value)

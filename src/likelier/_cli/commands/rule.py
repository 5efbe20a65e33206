"""`likelier rule`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from likelier._answer import worked_rule
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.forms import Forms, form_options
from likelier._cli.shared.options import json_option, screen_options
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import Function, command, option


def _probability(name: str, sign: str) -> Callable[[Function], Function]:
    return option(name, metavar="NUMBER", group="Probabilities", help=f"{sign}.")


def _count(name: str, what: str) -> Callable[[Function], Function]:
    return option(name, type=int, metavar="N", group="Counts", help=f"Number of cases {what}.")


@command(
    usage="[--names A B] (PROBABILITIES | COUNTS) [OPTIONS]",
    examples=[
        "likelier rule --prior 0.01 --likelihood 0.9 --likelihood-otherwise 0.05",
        "likelier rule --joint 4% --evidence 5%",
        "likelier rule --names positive amazing --count-a 35 --count-b 5 --count-both 4 --total 100",
        'likelier rule --names arthrosis "stiff joint" --prior 1/10000 --likelihood 80% --evidence 1/10 -o rule.tex',
    ],
)
@option("--names", nargs=2, default=("A", "B"), metavar="A B", group="Events", help="Names of the two events.")
@_probability("--prior", "P(A)")
@_probability("--likelihood", "P(B|A)")
@_probability("--likelihood-otherwise", "P(B|not A)")
@_probability("--evidence", "P(B)")
@_probability("--joint", "P(A and B)")
@_count("--count-a", "that are A")
@_count("--count-b", "that are B")
@_count("--count-both", "that are both")
@_count("--total", "in all")
@form_options("rule.html")
@json_option
@screen_options
def rule(names: tuple[str, str], forms: Forms, as_json: bool, screen: Screen, **numbers: Any) -> None:
    """Apply Bayes' rule to numbers, step by step.

    P(A|B) = P(B|A) P(A) / P(B): the probability of A given B. Probabilities are written 0.05,
    1/20 or 5%; every step is exact. Whatever follows from the given numbers is shown: in
    symbols, with numbers, and the result.
    """
    if as_json:
        if forms.form not in ("terminal", "json"):
            raise Misuse(f"--json, and the format is {forms.form}", hint="--json, or --output rule.json")
        forms.form = "json"
    forms.write(worked_rule.rule(names, **numbers), screen, title="Bayes' rule")

"""`likelier rule`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from likelier._cli.options import json_option, screen_options
from likelier._cli.output import Screen
from likelier._cli.program import Function, command, option
from likelier._cli.values import Share

if TYPE_CHECKING:
    from likelier._answer.rule import Step

SIGNS = {
    "prior": "P(A)",
    "likelihood": "P(B|A)",
    "likelihood_otherwise": "P(B|not A)",
    "evidence": "P(B)",
    "joint": "P(A and B)",
}


def _number(name: str) -> Callable[[Function], Function]:
    return option(
        f"--{name.replace('_', '-')}", type=Share(), metavar="NUMBER", group="Numbers", help=f"{SIGNS[name]}."
    )


@command(
    usage="--prior P --likelihood P (--evidence P | --likelihood-otherwise P)",
    examples=[
        "likelier rule --prior 0.01 --likelihood 0.9 --likelihood-otherwise 0.05",
        "likelier rule --joint 4% --evidence 5%",
    ],
)
@_number("prior")
@_number("likelihood")
@_number("likelihood_otherwise")
@_number("evidence")
@_number("joint")
@json_option
@screen_options
def rule(as_json: bool, screen: Screen, **numbers: Any) -> None:
    """Work out Bayes' rule from numbers, with the derivation.

    P(A|B) = P(B|A) P(A) / P(B): how probable A is once B was seen. Numbers are written
    0.05, 1/20 or 5%, and every step is exact.
    """
    from likelier._answer.rule import derivation

    steps = derivation(**numbers)
    if as_json:
        screen.data(json.dumps({"posterior": float(steps[-1].value), "exact": str(steps[-1].value)}))
        return
    given = [f"{SIGNS[name]} = {value}" for name, value in numbers.items() if value is not None]
    screen.lines(["given", *(f"  {line}" for line in given), *_worked(steps), "", _conclusion(steps, numbers["prior"])])


def _worked(steps: Sequence[Step]) -> list[str]:
    lines = []
    for step in steps:
        indent = " " * len(step.what)
        lines += ["", f"{step.what} = {step.formula}", f"{indent} = {step.numbers}", f"{indent} = {step.value}"]
    return lines


def _conclusion(steps: Sequence[Step], prior: Any) -> str:
    value = steps[-1].value
    shown = f"P(A|B) = {float(value):.6g}"
    if not prior or value == prior:
        return shown
    times = float(value / prior)
    return f"{shown}: seeing B makes A {times:.3g} times as probable as before"

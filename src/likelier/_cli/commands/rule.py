"""`likelier rule`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from likelier._answer.rule import Step, derivation
from likelier._cli.shared.options import Probability, json_option, screen_options
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import Function, command, option
from likelier._cli.shared.targets import show

SIGNS = {
    "prior": "P(A)",
    "likelihood": "P(B|A)",
    "likelihood_otherwise": "P(B|not A)",
    "evidence": "P(B)",
    "joint": "P(A and B)",
}


def _number(name: str) -> Callable[[Function], Function]:
    return option(
        f"--{name.replace('_', '-')}", type=Probability(), metavar="NUMBER", group="Numbers", help=f"{SIGNS[name]}."
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
    """Apply Bayes' rule to numbers, step by step.

    P(A|B) = P(B|A) P(A) / P(B): the probability of A given B. Numbers are written 0.05,
    1/20 or 5%; every step is exact.
    """
    show(Derivation(numbers, derivation(**numbers)), screen, as_json=as_json)


@dataclass(frozen=True)
class Derivation:
    """The numbers given and the steps to P(A|B)."""

    numbers: dict[str, Any]
    steps: Sequence[Step]

    def lines(self, room: int, color: bool) -> list[str]:
        given = [f"  {SIGNS[name]} = {value}" for name, value in self.numbers.items() if value is not None]
        return ["given", *given, *_worked(self.steps), "", _conclusion(self.steps, self.numbers["prior"])]

    def plain(self) -> dict[str, Any]:
        value = self.steps[-1].value
        return {"posterior": float(value), "exact": str(value)}


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
    return f"{shown}: given B, A is {times:.3g} times as probable as before"

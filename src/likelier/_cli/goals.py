"""`--target LABEL:GOAL=NUMBER`: the threshold that reaches a goal, and the command that stores it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likelier._cli.failures import Misuse
from likelier._cli.output import GAP, documents_in_words
from likelier._cli.setting_options import OPTIONS, typed
from likelier._cli.values import as_label
from likelier._cli.viewing import ViewOptions
from likelier._settings.table import SETTINGS
from likelier._show.cells import clean, wrap

if TYPE_CHECKING:
    from likelier._documents.labels import Label
    from likelier._evaluate.evaluation import Evaluation
    from likelier._evaluate.figures.thresholds import Threshold

GOALS = {
    "false-positive-rate": "false_positive_rate",
    "precision": "precision",
    "recall": "recall",
    "f": "f_beta",
}
EXAMPLE = "--target spam:false-positive-rate=0.001, spam:precision=0.99, spam:recall=0.9, spam:f=1 or spam:cost"


@dataclass(frozen=True)
class Goal:
    """What a threshold is to reach: the name of a goal and its number; `cost` has none."""

    label: Label
    name: str
    number: float | None


def goals_of(targets: Sequence[str], view: ViewOptions, labels: Sequence[Label]) -> list[Goal]:
    """The goals as they were typed, for labels of the model."""
    found = [_goal(text, labels) for text in targets]
    if any(goal.name == "cost" for goal in found) and "costs" not in view:
        raise Misuse(
            "a threshold of least cost needs the costs of wrong decisions",
            hint="--cost spam ham 10 --cost ham spam 1",
        )
    return found


def _goal(text: str, labels: Sequence[Label]) -> Goal:
    """A label may contain `:` and `=` itself."""
    label, colon, goal = text.rpartition(":")
    name, equals, number = goal.partition("=")
    name = name.replace("_", "-")  # as a hint of the library has it
    if label and colon and name == "cost" and not equals:
        return Goal(as_label(label, labels), name, None)
    if label and colon and name in GOALS:
        with suppress(ValueError):
            share = float(number[:-1]) / 100 if number.endswith("%") else float(number)
            return Goal(as_label(label, labels), name, share)
    raise Misuse(f"--target takes LABEL:GOAL=NUMBER, got {text!r}", hint=EXAMPLE)


def without_fallback(view: ViewOptions, goals: Sequence[Goal]) -> ViewOptions:
    """The view that is judged: with goals, --fallback is for the thresholds that are sought."""
    if not goals or "thresholds" in view:
        return view
    return ViewOptions({key: value for key, value in view.items() if key != "fallback"})


def thresholds(evaluation: Evaluation, goals: Sequence[Goal], view: ViewOptions) -> list[Threshold]:
    """The threshold for each goal."""
    fallback = as_label(view["fallback"], evaluation.labels) if "fallback" in view else None
    found = []
    for goal in goals:
        wanted: dict[str, Any] = (
            {GOALS[goal.name]: goal.number} if goal.name in GOALS else {"costs": _costs(evaluation)}
        )
        found.append(evaluation.figures.threshold(goal.label, otherwise=fallback, **wanted))
    return found


def _costs(evaluation: Evaluation) -> Any:
    """Those of --cost, by which the view decides."""
    return evaluation.view.settings.decide.costs  # type: ignore[attr-defined]


def thresholds_lines(found: Sequence[Threshold], model: Path, view: ViewOptions, room: int) -> list[str]:
    """Each threshold with its figures, and the command that stores all of them, or each if they exclude each other."""
    lines: list[str] = []
    together = len({each.label for each in found}) == len(found)
    for each in found:
        lines += ["", *wrap(clean(f"threshold for {each.label}: {_number(each.threshold)}; {each.target}"), room)]
        lines += [f"{GAP}{line}" for line in wrap(clean(_figures(each)), room - len(GAP))]
        if not together:
            lines.append(f"{GAP}{clean(command([each], model, view))}")
    if found and together:
        lines += [
            "",
            "to store it:" if len(found) == 1 else "to store them:",
            f"{GAP}{clean(command(found, model, view))}",
        ]
    return lines


def _figures(found: Threshold) -> str:
    otherwise = "no label" if found.otherwise is None else str(found.otherwise)
    rates = {"precision": found.precision, "recall": found.recall, "false positive rate": found.false_positive_rate}
    named = [f"{name} {_percent(value)}" for name, value in rates.items() if value is not None]
    given = f"given to {documents_in_words(int(found.decided) if found.decided.is_integer() else found.decided)}"
    return f"{given}: {', '.join(named)}; below it {otherwise}"


def _percent(share: float) -> str:
    """With three digits, counted from the nearer end: what is not all is not shown as all.

    >>> _percent(0.9312), _percent(0.00021), _percent(1.0), _percent(0.99996), _percent(0)
    ('93.12 %', '0.021 %', '100 %', '99.996 %', '0 %')
    """
    rest = float(f"{min(share, 1 - share) * 100:.3g}")
    return f"{rest if share < 0.5 else 100 - rest:.10g} %"


def _number(threshold: float) -> str:
    """As it is typed, to the last digit.

    >>> _number(0.0), _number(0.93), _number(1 / 3)
    ('0', '0.93', '0.3333333333333333')
    """
    return f"{threshold:g}" if float(f"{threshold:g}") == threshold else repr(threshold)


def command(found: Sequence[Threshold], model: Path, view: ViewOptions) -> str:
    """What stores the thresholds in the model, with the other settings by which they were found."""
    words = ["likelier", "view", str(model), *_typed(view)]
    for each in found:
        words += ["--threshold", f"{each.label}={_number(each.threshold)}"]
    fallback: Label | None = found[0].otherwise
    return shlex.join([*words, *([] if fallback is None else ["--fallback", str(fallback)])])


def _typed(view: ViewOptions) -> list[str]:
    """The options of the view as they are typed, except those that say how to decide.

    >>> _typed(ViewOptions(event="bernoulli", prior=("ham=0.1", "spam=0.9"), thresholds=("0.5",), normalize=False))
    ['--event', 'bernoulli', '--prior', 'ham=0.1', '--prior', 'spam=0.9', '--no-normalize']
    """
    given = [each for each in OPTIONS if each.key in view and each not in SETTINGS["decide"].options]
    return [word for each in given for word in typed(each, view[each.key])]


def plain_thresholds(found: Sequence[Threshold], model: Path, view: ViewOptions) -> list[dict[str, Any]]:
    """As JSON values."""
    return [{**asdict(each), "command": command([each], model, view)} for each in found]

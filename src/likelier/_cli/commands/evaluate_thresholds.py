"""`--target LABEL:GOAL=NUMBER`: the threshold that reaches a goal, and the command that stores it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import as_label
from likelier._cli.shared.output import GAP, documents_in_words
from likelier._cli.shared.setting_options import OPTIONS, typed
from likelier._cli.shared.view_options import ViewOptions
from likelier._documents.labels import Label
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.figures.thresholds import Threshold
from likelier._settings.table import SETTINGS
from likelier._show.cells import clean, wrap

GOALS = {  # goal → argument of `threshold`
    "false-positive-rate": "false_positive_rate",
    "fpr": "false_positive_rate",
    "precision": "precision",
    "recall": "recall",
    "f": "f_beta",
}
EXAMPLE = "--target spam:false-positive-rate=0.001, spam:precision=0.99, spam:recall=0.9, spam:f=1 or spam:cost"


class Targets:
    """The thresholds to find.

    goals  label, name of the goal, and its number; `cost` has none
    view   the view to evaluate; its --fallback is for the thresholds to find
    """

    def __init__(self, targets: Sequence[str], view: ViewOptions, labels: Sequence[Label]) -> None:
        self.goals = [_goal(text, labels) for text in targets]
        if any(name == "cost" for _, name, _ in self.goals) and "costs" not in view:
            raise Misuse(
                "a threshold of minimum cost requires the costs of errors", hint="--cost spam ham 10 --cost ham spam 1"
            )
        self.fallback: str | None = view.get("fallback")
        alone = self.goals and "thresholds" not in view
        self.view = ViewOptions({key: view[key] for key in view if key != "fallback"}) if alone else view

    def thresholds(self, evaluation: Evaluation) -> list[Threshold]:
        """The threshold for each goal."""
        otherwise = None if self.fallback is None else as_label(self.fallback, evaluation.labels)
        found = []
        for label, name, number in self.goals:
            decide: Any = evaluation.view.settings.decide  # with the costs, if that is the goal
            wanted: dict[str, Any] = {GOALS[name]: number} if name in GOALS else {"costs": decide.costs}
            found.append(evaluation.figures.threshold(label, otherwise=otherwise, **wanted))
        return found


def _goal(text: str, labels: Sequence[Label]) -> tuple[Label, str, float | None]:
    """LABEL:GOAL=NUMBER or LABEL:cost; a label may contain `:` and `=` itself."""
    label, colon, goal = text.rpartition(":")
    name, equals, number = goal.partition("=")
    name = name.replace("_", "-")  # as in the library
    if label and colon and name == "cost" and not equals:
        return as_label(label, labels), name, None
    if label and colon and name in GOALS:
        with suppress(ValueError):
            share = float(number[:-1]) / 100 if number.endswith("%") else float(number)
            return as_label(label, labels), name, share
    raise Misuse(f"--target takes LABEL:GOAL=NUMBER, got {text!r}", hint=EXAMPLE)


def thresholds_lines(found: Sequence[Threshold], model: Path, view: ViewOptions, room: int) -> list[str]:
    """Each threshold with its figures, and the command that stores them: one for all, unless labels repeat."""
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
    shares = {"precision": found.precision, "recall": found.recall, "false positive rate": found.false_positive_rate}
    named = [f"{name} {_percent(value)}" for name, value in shares.items() if value is not None]
    given = f"assigned to {documents_in_words(int(found.decided) if found.decided.is_integer() else found.decided)}"
    return f"{given}: {', '.join(named)}; below: {otherwise}"


def _percent(share: float) -> str:
    """With three digits, counted from the nearer end, so that only 1 is 100 %.

    >>> _percent(0.9312), _percent(0.00021), _percent(1.0), _percent(0.99996), _percent(0)
    ('93.12 %', '0.021 %', '100 %', '99.996 %', '0 %')
    """
    rest = float(f"{min(share, 1 - share) * 100:.3g}")
    return f"{rest if share < 0.5 else 100 - rest:.10g} %"


def _number(threshold: float) -> str:
    """All digits of the threshold.

    >>> _number(0.0), _number(0.93), _number(1 / 3)
    ('0', '0.93', '0.3333333333333333')
    """
    return f"{threshold:g}" if float(f"{threshold:g}") == threshold else repr(threshold)


def command(found: Sequence[Threshold], model: Path, view: ViewOptions) -> str:
    """The command that stores the thresholds, with the other settings given."""
    words = ["likelier", "view", str(model), *_typed(view)]
    for each in found:
        words += ["--threshold", f"{each.label}={_number(each.threshold)}"]
    fallback: Label | None = found[0].otherwise
    return shlex.join([*words, *([] if fallback is None else ["--fallback", str(fallback)])])


def _typed(view: ViewOptions) -> list[str]:
    """The view options as typed, without those for decisions.

    >>> _typed(ViewOptions(event="bernoulli", prior=("ham=0.1", "spam=0.9"), thresholds=("0.5",), normalize=False))
    ['--event', 'bernoulli', '--prior', 'ham=0.1', '--prior', 'spam=0.9', '--no-normalize']
    """
    given = [each for each in OPTIONS if each.key in view and each not in SETTINGS["decide"].options]
    return [word for each in given for word in typed(each, view[each.key])]


def plain_thresholds(found: Sequence[Threshold], model: Path, view: ViewOptions) -> list[dict[str, Any]]:
    """As JSON values."""
    return [{**asdict(each), "command": command([each], model, view)} for each in found]

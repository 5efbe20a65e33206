"""The sum of an explanation as a picture: from the prior to the verdict, a bar for each term."""

from __future__ import annotations

from collections.abc import Mapping

from likelier._base.errors import error
from likelier._explain.explanation import Explanation
from likelier._explain.sentences import decision
from likelier._explain.table import Row, rows
from likelier._show.html_words import cut
from likelier._show.pictures import waterfall

MOST_STEPS = 16
NAME, LABEL = 28, 24  # most characters


def picture(explanation: Explanation, names: Mapping[str, str] | None = None) -> str:
    """An SVG file: bars to the right speak for the most probable label; names: other words for likelier's own.

    It shows naive Bayes alone.
    """
    names, explanation = names or {}, explanation.naive or explanation

    def word(own: str) -> str:
        return names.get(own, own)

    if len(explanation.compared) < 2:
        raise error("picture-two-labels")
    winner, other = (cut(str(label), LABEL) for label in explanation.compared)
    prior, *others = rows(explanation, MOST_STEPS)
    steps = [(_name(row), row.difference) for row in others if row.kind != "missing"]
    said = decision(explanation, lambda label: cut(str(label), LABEL))
    label, comma, probability = said.rpartition(", probability ")
    chance = f", {word('probability')} " if comma else ""
    axis = word("log odds" if explanation.calibration is None else "log odds, before the calibration")
    return waterfall(
        f"{word('From the prior to the verdict')}: {label}{chance}{probability}",
        prior.difference,
        steps,
        (other, winner),
        axis=axis,
        start_name=word("prior"),
        total_name=word("sum"),
    )


def _name(row: Row) -> str:
    times = "" if row.times in (None, 1) or row.kind not in ("term", "value") else f" ({row.times:g} times)"
    return f"{cut(row.name, NAME)}{times}"

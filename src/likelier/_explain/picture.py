"""The sum of an explanation as a picture: from the prior to the verdict, a bar for each term."""

from __future__ import annotations

from likelier._base.errors import error
from likelier._explain.explanation import Explanation
from likelier._explain.sentences import decision
from likelier._explain.table import Row, rows
from likelier._show.html_words import cut
from likelier._show.pictures import waterfall

MOST_STEPS = 16
NAME, LABEL = 28, 24  # most characters


def picture(explanation: Explanation) -> str:
    """An SVG file: bars to the right speak for the most probable label."""
    if len(explanation.compared) < 2:
        raise error("picture-two-labels")
    winner, other = (cut(str(label), LABEL) for label in explanation.compared)
    prior, *others = rows(explanation, MOST_STEPS)
    steps = [(_name(row), row.difference) for row in others if row.kind != "missing"]
    said = decision(explanation, lambda label: cut(str(label), LABEL))
    calibrated = "" if explanation.calibration is None else ", before the calibration"
    return waterfall(
        f"From the prior to the verdict: {said}",
        prior.difference,
        steps,
        (other, winner),
        axis=f"log odds{calibrated}",
    )


def _name(row: Row) -> str:
    times = "" if row.times in (None, 1) or row.kind not in ("term", "value") else f" ({row.times:g} times)"
    return f"{cut(row.name, NAME)}{times}"

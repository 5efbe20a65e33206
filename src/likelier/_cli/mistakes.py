"""Single documents of an evaluation: the most confident mistakes, and labels that may be wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from likelier._cli.output import GAP
from likelier._explain.explanation import EVIDENCE
from likelier._show.cells import clean, cut, paint, wrap
from likelier._show.words import probability

if TYPE_CHECKING:
    from likelier._evaluate.evaluation import Mistake
    from likelier._explain.explanation import Explanation

SPEAKING = 5  # terms or values that are named on each side


def mistakes_lines(title: str, none: str, found: Sequence[Mistake], room: int, color: bool) -> list[str]:
    """Each document in three lines: where it stands and what it was taken for, what it says, what speaks for it."""
    if not found:
        return ["", none]
    lines = ["", paint(title, "faint", color)]
    for mistake in found:
        heading = (
            f"{mistake.where}: {mistake.label}, taken for {mistake.verdict.label}"
            f" with probability {probability(mistake.verdict.probability)}"
        )
        lines += wrap(clean(heading), room)
        lines += [f"{GAP}{line}" for line in _said(mistake, room - len(GAP))]
    return lines


def _said(mistake: Mistake, room: int) -> list[str]:
    explanation = mistake.explanation
    shown = " ".join(in_words(explanation).split())
    return [cut(clean(shown), room), *wrap(clean(_speaking(mistake, explanation)), room)]


def in_words(explanation: Explanation) -> str:
    """The document in one line."""
    values = {name: _plain(value) for name, value in explanation.document.items() if value is not None}
    if explanation.is_plain:
        return "".join(values.values())
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def _speaking(mistake: Mistake, explanation: Explanation) -> str:
    """What speaks most for the label that was decided, and what for the one that the document has."""
    decided, label = mistake.verdict.label, mistake.label
    assert decided is not None  # no label is no confident mistake
    if decided not in explanation.labels or label not in explanation.labels:
        return f"no other document has the label {label}"
    items = [item for item in explanation.items if item.kind in EVIDENCE]
    sides = []
    for one, two in ((decided, label), (label, decided)):
        items.sort(key=lambda item: -item.difference(one, two))
        named = [item.title for item in items[:SPEAKING] if item.difference(one, two) > 0]
        if named:
            sides.append(f"for {one}: {', '.join(named)}")
    return "; ".join(sides) or "nothing in it speaks for either label"


def plain_mistakes(found: Sequence[Mistake]) -> list[Mapping[str, Any]]:
    """As JSON values."""
    return [
        {
            "row": mistake.row,
            "where": mistake.where,
            "label": mistake.label,
            "decided": mistake.verdict.label,
            "probability": mistake.verdict.probability,
            "explanation": mistake.explanation.to_dict(),
        }
        for mistake in found
    ]

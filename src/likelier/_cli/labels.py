"""Labels that a model did not have before: welcome, or a slip of the finger."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from likelier._cli.output import Screen
from likelier._cli.values import LISTED

if TYPE_CHECKING:
    from likelier._documents.labels import Label

ALIKE = 0.8  # of 1; delivry and delivery have 0.93, ham and spam 0.57


def say_new_labels(before: Sequence[Label], after: Sequence[Label], undo: str, screen: Screen) -> None:
    """Names the new ones. One that is much like an old one is a warning, with the command that takes it back."""
    known = set(before)
    new = [label for label in after if label not in known]
    alike = {label: close for label in new if (close := much_like(label, before)) is not None}
    if alike:
        slips = ", ".join(f"{label!r} (did you mean {close!r}?)" for label, close in list(alike.items())[:LISTED])
        screen.warning(f"new label{'s' * (len(alike) > 1)}: {slips}", hint=f"{undo} takes it back")
    plain = [repr(label) for label in new if label not in alike]
    if plain:
        more = f" and {len(plain) - LISTED:,} more" if len(plain) > LISTED else ""
        screen.note(f"new label{'s' * (len(plain) > 1)}: {', '.join(plain[:LISTED])}{more}")


def much_like(label: Label, others: Sequence[Label]) -> Label | None:
    """The one that it is a misspelling of, perhaps. Names that differ in a number are meant to differ.

    >>> much_like("delivry", ["billing", "delivery"]), much_like("topic11", ["topic10"]), much_like("Spam ", ["spam"])
    ('delivery', None, 'spam')
    """
    written = {_plain(other): other for other in others if _numbers(other) == _numbers(label)}
    found = get_close_matches(_plain(label), written, n=1, cutoff=ALIKE)
    return written[found[0]] if found else None


def _plain(label: Label) -> str:
    return str(label).strip().casefold()


def _numbers(label: Label) -> list[str]:
    return re.findall(r"\d+", str(label))

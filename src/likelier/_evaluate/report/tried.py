"""The settings that were tried before these were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from likelier._evaluate.report.tables import framed, section
from likelier._show.html_words import apart, cut, shown

MOST_ROWS = 500
LONGEST = 200


class Tried(NamedTuple):
    """Settings that were tried.

    settings  in words
    figure    what they reached; a number is shown with four decimals
    chosen    whether they are the ones of this evaluation
    """

    settings: str
    figure: float | str
    chosen: bool = False


def tried(rows: Sequence[Tried | tuple[str, float | str, bool]], by: str) -> str:
    """The part of the page; nothing where nothing was tried."""
    found = [Tried(*row) for row in rows]
    if not found:
        return ""
    kept = found[:MOST_ROWS]
    lines = [[_settings(each), _figure(each.figure), "chosen" if each.chosen else ""] for each in kept]
    heading = ["settings", shown(by), '<span class="unseen">choice</span>']
    table = framed("Settings and what they reached", heading, lines, numbers={1}, name="tried")
    more = f"<p>{len(found) - len(kept):,} more are left out.</p>" if len(found) > len(kept) else ""
    return section("tried", "Settings that were tried", table, more)


def _settings(each: Tried) -> str:
    text = apart(each.settings, LONGEST)
    return f"<strong>{text}</strong>" if each.chosen else text


def _figure(figure: float | str) -> str:
    return shown(cut(figure, LONGEST)) if isinstance(figure, str) else f"{figure:.4f}"

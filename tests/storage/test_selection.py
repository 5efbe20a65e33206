"""How settings were chosen stands in the file, and what stands there is checked."""

from __future__ import annotations

from typing import Any

import pytest

from likelier._storage.layout import Nonsense
from likelier._storage.provenance import checked_events, event

TRIED = {"settings": "binary", "accuracy": 0.9, "log_loss": None, "documents": 100, "chosen": True}
CHOSEN = {"why": "the best", "documents": 100, "judged": 100, "tried": [TRIED]}


def with_selection(selection: Any) -> list[dict[str, Any]]:
    return [{**event("train", ["mails.csv"], 3), "selection": selection}]


def test_a_choice_that_is_right_is_read() -> None:
    events = with_selection(CHOSEN)
    assert checked_events(events) == events


@pytest.mark.parametrize(
    "selection",
    [
        None,
        5,
        {**CHOSEN, "why": 5},
        {**CHOSEN, "judged": True},
        {**CHOSEN, "more": 1},
        {**CHOSEN, "tried": [5]},
        {**CHOSEN, "tried": [{**TRIED, "chosen": 1}]},
        {**CHOSEN, "tried": [{**TRIED, "accuracy": "high"}]},
        {name: value for name, value in CHOSEN.items() if name != "tried"},
    ],
)
def test_a_choice_that_is_damaged_is_refused(selection: Any) -> None:
    with pytest.raises(Nonsense, match="not a list of events"):
        checked_events(with_selection(selection))

"""What was tried, what was chosen, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likelier._settings.values import Settings

if TYPE_CHECKING:
    from likelier._show.table import Table

SHOWN = 10


@dataclass(frozen=True)
class TriedSettings:
    """Settings that were judged.

    settings   in words
    accuracy   of the verdicts on documents left out one by one
    log_loss   of probabilities calibrated by a temperature; None where it was not looked at
    documents  how many were judged: the more promising, the more
    """

    settings: str
    accuracy: float
    log_loss: float | None
    documents: int
    chosen: bool = False


@dataclass(frozen=True)
class Selection:
    """Settings chosen by evidence, with the evidence.

    why        in words
    documents  how many there were
    judged     how many of them the last choice was made on
    tried      all that was judged, the best first
    note       what to know about these figures, if there is something
    """

    why: str
    documents: int
    judged: int = 0
    tried: tuple[TriedSettings, ...] = ()
    note: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        tried = [
            {
                "settings": each.settings,
                "accuracy": each.accuracy,
                "log_loss": each.log_loss,
                "documents": each.documents,
                "chosen": each.chosen,
            }
            for each in self.tried
        ]
        noted = {} if self.note is None else {"note": self.note}
        return {"why": self.why, "documents": self.documents, "judged": self.judged, "tried": tried, **noted}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Selection:
        """What `to_dict` gave."""
        tried = tuple(TriedSettings(**each) for each in stored["tried"])
        return cls(stored["why"], stored["documents"], stored["judged"], tried, stored.get("note"))

    def __str__(self) -> str:
        return "\n".join([*map(str, [self.table()] if self.tried else []), self.why, *filter(None, [self.note])])

    def _repr_html_(self) -> str:
        from likelier._show.html_words import in_section, shown  # which are for notebooks

        table = f'<div class="wide">{self.table().to_html()}</div>' if self.tried else ""
        notes = (f"<p>{shown(text)}</p>" for text in (self.why, self.note) if text)
        return in_section(table, *notes)

    def best(self, most: int) -> list[TriedSettings]:
        """The best of what was tried, and what was chosen."""
        return [each for place, each in enumerate(self.tried) if place < most or each.chosen]

    def table(self, most: int = SHOWN) -> Table:
        """The best of what was tried, and what was chosen, as a table."""
        from likelier._show.table import Cell, Table

        shown = self.best(most)
        rows = [
            (
                Cell("→" if each.chosen else "", attributes='class="mark"'),
                f"{100 * each.accuracy:.2f} %",
                "" if each.log_loss is None else f"{each.log_loss:.4f}",
                each.documents,
                Cell(each.settings, attributes='class="flowing"'),
            )
            for each in shown
        ]
        more = len(self.tried) - len(shown)
        notes = (f"... and {more:,} more",) if more else ()
        return Table(("", "accuracy", "log loss", "documents", "settings"), rows, {1, 2, 3}, notes=notes)


@dataclass(frozen=True)
class Chosen:
    """The settings that training chose, whatever the model's are now, and the evidence for them."""

    settings: Settings
    selection: Selection

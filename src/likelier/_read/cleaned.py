"""Documents whose labels are cleaned: blanks trimmed and collapsed, and spellings that differ in case joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from likelier._documents.batch import Batch
from likelier._documents.labels import Label, distinct_labels, respelled, spellings

SHOWN = 10  # labels in a note


class CleanedDocuments(Iterable[Batch]):
    """The same documents with cleaned labels.

    known  the labels of a model, whose spellings are kept. Without them, a first pass counts the labels, to keep the
           most frequent spellings; documents that can be read only once are held in memory.
    """

    def __init__(self, source: Iterable[Batch], known: Iterable[Label] | None = None) -> None:
        self._source = source
        self._known = None if known is None else spellings(dict.fromkeys(known, 1))
        is_held = known is None and getattr(source, "is_read_once", False)
        self._batches = list(source) if is_held else source

    @property
    def names(self) -> list[str]:
        return list(getattr(self._source, "names", ()))

    def __iter__(self) -> Iterator[Batch]:
        if self._known is None:
            self._known = spellings(self._counted())
        changed: dict[Label, Label] = {}
        for batch in self._batches:
            values, which = distinct_labels(batch.labels or [])
            labels = [respelled(value, self._known) for value in values]
            changed |= {before: after for before, after in zip(values, labels, strict=True) if before != after}
            yield replace(batch, labels=np.array(labels, dtype=object)[which].tolist())
        self._note(changed)

    def _counted(self) -> Counter[Label]:
        times: Counter[Label] = Counter()
        for batch in self._batches:
            values, which = distinct_labels(batch.labels or [])
            times.update(dict(zip(values, np.bincount(which, minlength=len(values)).tolist(), strict=True)))
        return times

    def _note(self, changed: dict[Label, Label]) -> None:
        """Reports the changes beside what was guessed."""
        notes = getattr(self._source, "notes", None)
        if changed and isinstance(notes, list):
            shown = [f"{before!r} → {after!r}" for before, after in list(changed.items())[:SHOWN]]
            more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
            note = f"cleaned labels: {', '.join(shown)}{more}"
            notes += [] if note in notes else [note]

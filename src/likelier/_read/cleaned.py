"""Documents whose labels are cleaned: blanks trimmed and collapsed, and spellings that differ in case joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from likelier._documents.batch import Batch
from likelier._documents.labels import Label, cleaned, distinct_labels

SHOWN = 10  # labels in a note


class CleanedDocuments(Iterable[Batch]):
    """The same documents with cleaned labels. The first pass only counts labels, to keep the most frequent spelling.

    Documents that can be read once only, as from standard input, are kept in memory.
    """

    def __init__(self, source: Iterable[Batch]) -> None:
        self._source = source
        self._batches = list(source) if getattr(source, "is_read_once", False) else source
        self._spellings: Mapping[Label, Label] | None = None

    def __iter__(self) -> Iterator[Batch]:
        if self._spellings is None:
            self._spellings = cleaned(self._counted())
        for batch in self._batches:
            values, which = distinct_labels(batch.labels or [])
            labels = np.array([self._spellings[value] for value in values], dtype=object)
            yield replace(batch, labels=labels[which].tolist())
        self._note(self._spellings)

    def _counted(self) -> Counter[Label]:
        times: Counter[Label] = Counter()
        for batch in self._batches:
            values, which = distinct_labels(batch.labels or [])
            times.update(dict(zip(values, np.bincount(which, minlength=len(values)).tolist(), strict=True)))
        return times

    def _note(self, spellings: Mapping[Label, Label]) -> None:
        """Reports the changes beside what was guessed."""
        changed = [f"{before!r} → {after!r}" for before, after in spellings.items() if before != after]
        if changed and isinstance(notes := getattr(self._source, "notes", None), list):
            more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
            notes.append(f"cleaned labels: {', '.join(changed[:SHOWN])}{more}")

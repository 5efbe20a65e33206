"""Documents from files, folders, mail boxes, standard input and data frames, in batches and with bounded memory."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from likelier.data.ahead import ahead
from likelier.data.batch import Batch
from likelier.data.columns import Choice
from likelier.data.faults import read_once
from likelier.data.rejects import Rejects

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class Reading:
    """How documents are read."""

    text: str | None = None
    label: str | None = None
    labelled: bool = True
    all_columns: bool = False
    encoding: str = "utf-8"
    delimiter: str | None = None
    quote: str | None = None
    header: bool = True


class Documents(Iterable[Batch]):
    """What `read` gives: batches of documents, read when they are asked for.

    notes       what was guessed, once the reading has begun
    names       what the documents are read from
    rows        documents read so far
    read_bytes  bytes of the files read so far, as they are on disk
    rejected    rows that could not be used and were skipped
    """

    def __init__(self, origins: Sequence[Origin], reading: Reading, rejects: Rejects) -> None:
        self.reading = reading
        self.notes: list[str] = []
        self.rows = 0
        self._origins, self._rejects = origins, rejects
        self._current: Origin | None = None
        self._bytes_before = 0
        self._begun = False

    @property
    def names(self) -> list[str]:
        return [origin.name for origin in self._origins]

    @property
    def total_bytes(self) -> int | None:
        """Bytes of all files; None where that cannot be known."""
        sizes = [origin.total for origin in self._origins]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    @property
    def read_bytes(self) -> int:
        return self._bytes_before + (0 if self._current is None else self._current.position)

    @property
    def rejected(self) -> int:
        return self._rejects.count

    def __iter__(self) -> Iterator[Batch]:
        self._start()
        try:
            for batch in ahead(self._batches()):
                self.rows += len(batch)
                yield batch
            self._rejects.finish()
        finally:
            self._rejects.discard()

    def __repr__(self) -> str:
        return f"<Documents from {', '.join(self.names[:3])}{' and more' if len(self.names) > 3 else ''}>"

    def _start(self) -> None:
        once = [origin for origin in self._origins if origin.once]
        if self._begun and once:
            raise read_once(once[0].name)
        self._begun = True
        self.rows, self._bytes_before, self._current = 0, 0, None
        self.notes.clear()
        self._rejects.start()

    def _batches(self) -> Iterator[Batch]:
        reading = self.reading
        for origin in self._origins:
            self._current = origin
            yield from origin.batches(reading, self._rejects, self.notes)
            if origin.choice is not None:  # the next files have the same columns
                reading = replace(reading, text=origin.choice.text, label=reading.label or origin.choice.label)
            self._bytes_before, self._current = self.read_bytes, None


class Origin(ABC):
    """One thing that documents are read from."""

    name: str
    total: int | None = None  # bytes
    once: bool = False
    choice: Choice | None = None  # of columns

    @property
    def position(self) -> int:
        """Bytes read so far."""
        return 0

    @abstractmethod
    def batches(self, reading: Reading, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        """The documents; what was guessed goes to the notes."""


def read(
    sources: PathLike | Sequence[PathLike] | Any,
    *,
    text: str | None = None,
    label: str | None = None,
    labelled: bool = True,
    all_columns: bool = False,
    kind: str | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    quote: str | None = None,
    header: bool = True,
    on_error: str = "stop",
    rejects: PathLike | None = None,
) -> Documents:
    """Documents from files, folders, mail boxes, standard input ("-") or a data frame.

    sources: one or several; a file name may have wildcards, and "spam=junk.mbox" gives all its documents one label.
    text, label: the names of the columns; guessed where only one choice makes sense, and said in `notes`.
    labelled: False for documents that are to be classified.
    all_columns: keep the other columns too, for `batch.rows()`.
    kind: csv, tsv, jsonl, parquet, mbox, maildir, mail, html or txt, where the name does not say it.
    on_error: "stop" at a row that cannot be used, or "skip" it; `rejects` names a CSV file for what was skipped.
    """
    from likelier.data.files import file_origins
    from likelier.data.frames import FrameOrigin
    from likelier.data.intake import is_frame

    reading = Reading(text, label, labelled, all_columns, encoding, delimiter, quote, header)
    noted = Rejects(on_error, rejects)
    if is_frame(sources):
        return Documents([FrameOrigin(sources)], reading, noted)
    listed = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
    return Documents(file_origins([os.fspath(each) for each in listed], kind, reading), reading, noted)

"""Documents from files, folders, mail boxes, standard input and data frames, in batches and with bounded memory."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from likelier._base.checks import check_flag, has_entries
from likelier._documents.batch import Batch
from likelier._documents.kinds import MISSING
from likelier._documents.schema import Schema
from likelier._read.ahead import ahead
from likelier._read.columns import Choice
from likelier._read.faults import read_once
from likelier._read.limits import MAX_DOCUMENT, checked_limit
from likelier._read.rejects import Rejects
from likelier._read.sources import checked_source
from likelier._read.wanted import PLAIN, Names, Others, Wanted, label_name, wanted

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class Reading:
    """How documents are read."""

    wanted: Wanted = field(default_factory=Wanted)
    label: str | None = None
    labelled: bool = True
    all_columns: bool = False
    encoding: str = "utf-8"
    delimiter: str | None = None
    quote: str | None = None
    header: bool = True
    max_document: int = MAX_DOCUMENT


class Documents(Iterable[Batch]):
    """What `read` gives: batches of documents, read when they are asked for.

    notes       what was guessed, once the reading has begun
    names       what the documents are read from
    rows        documents read so far
    read_bytes  bytes of the files read so far, as they are on disk
    rejected    rows that could not be used and were skipped
    doing       what is done with them now that they were read, if that takes long
    """

    def __init__(self, origins: Sequence[Origin], reading: Reading, rejects: Rejects) -> None:
        self.reading = self._given = reading
        self.notes: list[str] = []
        self.rows = 0
        self.doing: str | None = None
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

    @property
    def is_read_once(self) -> bool:
        """Whether there is no second pass, as over standard input."""
        return any(origin.once for origin in self._origins)

    def use(self, schema: Schema | None) -> Documents:
        """The same documents, read from now on as a model with this schema needs them."""
        asked = self._given.wanted
        self.reading = replace(self._given, wanted=asked if schema is None else asked.under(schema))
        return self

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
            said: list[str] = []
            for batch in origin.batches(reading, self._rejects, said):
                self._say(said)
                yield batch
            self._say(said)
            reading = _settled(reading, origin.choice)
            self._bytes_before, self._current = self.read_bytes, None

    def _say(self, said: list[str]) -> None:
        self.notes += [note for note in said if note not in self.notes]  # the same of several files once


def _settled(reading: Reading, choice: Choice | None) -> Reading:
    """How the next file is read: with the same columns."""
    if choice is not None:
        return replace(reading, wanted=choice.settled(reading.wanted), label=reading.label or choice.label)
    return replace(reading, wanted=replace(reading.wanted, schema=PLAIN)) if reading.wanted.is_open else reading


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
    text: Names | None = None,
    label: str | None = None,
    categorical: Names = (),
    binary: Names = (),
    numeric: Names = (),
    ignore: Names = (),
    others: Others = "leave",
    schema: Schema | None = None,
    missing_values: Iterable[object] = MISSING,
    labelled: bool = True,
    all_columns: bool = False,
    kind: str | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    quote: str | None = None,
    header: bool = True,
    max_document: int | str = MAX_DOCUMENT,
    on_error: str = "stop",
    rejects: PathLike | None = None,
) -> Documents:
    """Documents from files, folders, mail boxes, standard input ("-") or a data frame.

    sources: one or several; a file name may have wildcards, and "spam=junk.mbox" gives all its documents one label.
    text, label: the names of the columns; guessed where only one choice makes sense, and said in `notes`.
    categorical, binary, numeric, text: the columns of each kind, where documents have more than one; all are guessed
    if none is named. `categorical` may also be a mapping of column to all its values.
    ignore: columns that are left out of the guess.
    others: where some columns are named, "leave" the others out or "guess" their kinds.
    schema: the columns of a model, which are read by their names.
    missing_values: how a missing value is written, in columns that are not text; an empty one is always missing.
    labelled: False for documents that are to be classified.
    all_columns: keep the other columns too, for `batch.rows()`.
    kind: csv, tsv, jsonl, parquet, mbox, maildir, mail, html or txt, where the name does not say it.
    max_document: how long a document may be, in bytes or as "256MB"; a longer one cannot be used.
    on_error: "stop" at a row that cannot be used, or "skip" it; `rejects` names a CSV file for what was skipped.
    """
    from likelier._read.intake import is_frame

    kinds: dict[str, Any] = {"text": text, "categorical": categorical, "binary": binary, "numeric": numeric}
    asked = wanted(**kinds, ignore=ignore, others=others, schema=schema, missing_values=missing_values)
    for name, flag in (("labelled", labelled), ("all_columns", all_columns), ("header", header)):
        check_flag(name, flag)
    if asked.is_open and not labelled:  # questions without a model that knows its columns
        asked = asked.under(PLAIN)
    reading = Reading(
        asked, label_name(label), labelled, all_columns, encoding, delimiter, quote, header, checked_limit(max_document)
    )
    if is_frame(sources):
        return of_frame(sources, reading, Rejects(on_error, rejects))
    given: Any = [sources] if isinstance(sources, str | os.PathLike) or not has_entries(sources) else sources
    listed = list(given)
    return of_files(listed, reading, Rejects(on_error, rejects), kind=kind)


def of_frame(frame: Any, reading: Reading, rejects: Rejects | None = None) -> Documents:
    """The documents of a data frame."""
    from likelier._read.frames import FrameOrigin

    return Documents([FrameOrigin(frame)], reading, rejects or Rejects("stop", None))


def of_files(
    sources: Sequence[PathLike], reading: Reading, rejects: Rejects | None = None, *, kind: str | None = None
) -> Documents:
    """The documents of files, folders, mail boxes and standard input."""
    from likelier._read.files import file_origins

    origins = file_origins([checked_source(each) for each in sources], kind, reading)
    return Documents(origins, reading, rejects or Rejects("stop", None))

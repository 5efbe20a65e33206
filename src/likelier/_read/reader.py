"""Documents from files, folders, mailboxes, standard input and data frames, in batches and with bounded memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

from likelier._base.checks import check_flag, has_entries
from likelier._base.errors import error
from likelier._documents.batch import Batch
from likelier._documents.kinds import MISSING
from likelier._documents.schema import Schema
from likelier._read.faults import MAX_DOCUMENT, checked_limit
from likelier._read.origins import FrameOrigin, Origin, ReadOptions, file_origins
from likelier._read.rejects import Rejects
from likelier._read.sources import PathLike, checked_source
from likelier._read.tabular import Layout, is_frame
from likelier._read.wanted import Names, Others, label_name, wanted
from likelier._show.progress import READING, SoFar

Item = TypeVar("Item")
PATIENCE = 0.1  # seconds between two looks whether the other side is still there, and for Ctrl-C


class Documents(Iterable[Batch]):
    r"""The documents that `read` returns: batches, read when they are needed.

    notes       what was guessed, after reading has begun
    names       what the documents are read from
    rows        documents read so far
    read_bytes  bytes of the files read so far, as they are on disk
    rejected    rows that could not be used and were skipped
    reasons     why: code of the error → how many rows, and the message of the first

    >>> import tempfile
    >>> from pathlib import Path
    >>> from likelier import train
    >>> path = Path(tempfile.mkdtemp(), "mail.csv")
    >>> path.write_text("text,label\ncheap watches,spam\nlunch at noon,ham\n")
    48
    >>> documents = read(path)
    >>> train(documents).labels
    ('ham', 'spam')
    >>> documents.rows, documents.notes
    (2, ["text column: 'text' (guessed)", "label column: 'label' (guessed)"])
    """

    def __init__(self, origins: Sequence[Origin], options: ReadOptions, rejects: Rejects | None = None) -> None:
        self.options = self._given = options
        self.notes: list[str] = []
        self.rows = 0
        self._origins, self._rejects = origins, rejects or Rejects()
        self._current: Origin | None = None
        self._bytes_before = 0
        self._begun = False

    @property
    def names(self) -> list[str]:
        return [origin.name for origin in self._origins]

    @property
    def total_bytes(self) -> int | None:
        """Bytes of all files; None if unknown."""
        sizes = [origin.total for origin in self._origins]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    @property
    def read_bytes(self) -> int:
        return self._bytes_before + (0 if self._current is None else self._current.position)

    def so_far(self) -> SoFar:
        """How far reading has come: in bytes, or in documents if it is not known how many bytes there are."""
        total = self.total_bytes
        return (self.read_bytes, total, READING) if total else (self.rows, None, READING)

    @property
    def rejected(self) -> int:
        return self._rejects.count

    @property
    def reasons(self) -> dict[str, tuple[int, str]]:
        return dict(self._rejects.reasons)

    @property
    def layout(self) -> Layout | None:
        """How the first file is written that was opened and is CSV, TSV or JSON."""
        return next((origin.layout for origin in self._origins if origin.layout is not None), None)

    @property
    def is_read_once(self) -> bool:
        """Whether the source can be read only once, such as standard input."""
        return any(origin.once for origin in self._origins)

    def use(self, schema: Schema | None) -> Documents:
        """The same documents, read from now on as a model with this schema needs them."""
        asked = self._given.wanted
        self.options = replace(self._given, wanted=asked if schema is None else asked.under(schema))
        return self

    def __iter__(self) -> Iterator[Batch]:
        self._start()
        try:
            for batch in ahead(self._batches()):
                self.rows += len(batch)
                yield batch
            self._rejects.end(keep=True)
        finally:
            self._rejects.end(keep=False)

    def __repr__(self) -> str:
        return f"<Documents from {', '.join(self.names[:3])}{' and more' if len(self.names) > 3 else ''}>"

    def _start(self) -> None:
        once = [origin for origin in self._origins if origin.once]
        if self._begun and once:
            raise error("read-once", source=once[0].name)
        self._begun = True
        self.rows, self._bytes_before, self._current = 0, 0, None
        self.notes.clear()
        self._rejects.start()

    def _batches(self) -> Iterator[Batch]:
        options = self.options
        for origin in self._origins:
            self._current = origin
            said: list[str] = []
            for batch in origin.batches(options, self._rejects, said):
                self._say(said)
                yield batch
            self._say(said)
            options = options.settled(origin.choice)
            self._bytes_before, self._current = self.read_bytes, None

    def _say(self, said: list[str]) -> None:
        self.notes += [note for note in said if note not in self.notes]  # the same of several files once


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
    labeled: bool = True,
    all_columns: bool = False,
    kind: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    max_document: int | str = MAX_DOCUMENT,
    on_error: str = "stop",
    rejects: PathLike | None = None,
) -> Documents:
    r"""Documents from files, folders, mailboxes, standard input ("-") or a data frame.

    sources: one or several; a file name may have wildcards, and "spam=junk.mbox" gives all its documents one label.
    text, label: the names of the columns; guessed where only one choice makes sense, with a note in `notes`.
    categorical, binary, numeric, text: the columns of each kind, where documents have more than one; all are guessed
    if none is named. `categorical` may also be a mapping of column to all its values.
    ignore: columns that are left out of the guess.
    others: where some columns are named, "leave" the others out or "guess" their kinds.
    schema: the columns of a model, which are read by their names.
    missing_values: how a missing value is written, in columns that are not text; an empty one is always missing.
    labeled: False for documents that are to be classified.
    all_columns: keep the other columns too, for `batch.rows()`.
    sheet: of a spreadsheet. Default: the first one.
    kind: csv, tsv, json, jsonl, spreadsheet, parquet, mbox, maildir, mail, html or txt, where the name does not say it.
    encoding: of text files. None: UTF-8, or UTF-16 by its mark, or cp1252 if the text cannot be UTF-8, with a note.
    max_document: how long a document may be, in bytes or as "256MB"; a longer one cannot be used.
    on_error: "stop" at a row that cannot be used, or "skip" it; `rejects` names a CSV file for what was skipped.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from likelier import train
    >>> path = Path(tempfile.mkdtemp(), "mail.csv")
    >>> path.write_text("text,label\ncheap watches,spam\nlunch at noon,ham\n")
    48
    >>> train(read(path, text="text", label="label")).labels
    ('ham', 'spam')
    """
    named: dict[str, Any] = {"text": text, "categorical": categorical, "binary": binary, "numeric": numeric}
    asked = wanted(**named, ignore=ignore, others=others, schema=schema, missing_values=missing_values)
    for name, flag in (("labeled", labeled), ("all_columns", all_columns), ("header", header)):
        check_flag(name, flag)
    if asked.is_open and not labeled:  # questions without a model that knows its columns
        asked = asked.as_plain()
    options = ReadOptions(
        wanted=asked,
        label=label_name(label),
        labeled=labeled,
        all_columns=all_columns,
        encoding=encoding,
        delimiter=delimiter,
        quote=quote,
        header=header,
        sheet=sheet,
        max_document=checked_limit(max_document),
    )
    skipped = Rejects(on_error, rejects)
    if is_frame(sources):
        return of_frame(sources, options, skipped)
    given: Any = [sources] if isinstance(sources, str | os.PathLike) or not has_entries(sources) else sources
    return of_files(list(given), options, skipped, kind=kind)


def of_frame(frame: Any, options: ReadOptions, rejects: Rejects | None = None) -> Documents:
    """The documents of a data frame."""
    return Documents([FrameOrigin(frame)], options, rejects)


def of_files(
    sources: Sequence[PathLike], options: ReadOptions, rejects: Rejects | None = None, *, kind: str | None = None
) -> Documents:
    """The documents of files, folders, mailboxes and standard input."""
    names = [checked_source(each) for each in sources]
    return Documents(file_origins(names, kind, labeled=options.labeled), options, rejects)


# ---- reading ahead: the next batch is read while the last one is counted -------------------------------------------


class _End(Exception):
    """There are no more items."""


def ahead(items: Iterable[Item]) -> Iterator[Item]:
    """The same items, with one being made on a thread of its own while another is used.

    >>> list(ahead(range(5)))
    [0, 1, 2, 3, 4]
    """
    queue: Queue[tuple[Item | None, BaseException | None]] = Queue(maxsize=1)
    stop = Event()
    thread = Thread(target=_work, args=(items, queue, stop), name="likelier reading ahead", daemon=True)
    thread.start()
    try:
        while True:
            item, error = _next(queue)
            if error is not None:
                raise error
            yield item  # type: ignore[misc]
    except _End:
        return
    finally:
        stop.set()
        # It may be waiting for a pipe in which nothing comes; it is no part of the result.
        thread.join(timeout=PATIENCE)


def _work(items: Iterable[Item], queue: Queue[tuple[Item | None, BaseException | None]], stop: Event) -> None:
    try:
        for item in items:
            _put(queue, (item, None), stop)
            if stop.is_set():
                return
        _put(queue, (None, _End()), stop)
    except BaseException as error:  # it is raised where the items are used
        _put(queue, (None, error), stop)


def _put(queue: Queue[Item], value: Item, stop: Event) -> None:
    while not stop.is_set():
        with suppress(Full):
            queue.put(value, timeout=PATIENCE)
            return


def _next(queue: Queue[Item]) -> Item:
    while True:
        with suppress(Empty):
            return queue.get(timeout=PATIENCE)

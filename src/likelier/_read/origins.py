"""What documents are read from: tables in files, data frames, folders, mailboxes and single files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from likelier._base.errors import error
from likelier._documents.batch import Batch
from likelier._documents.schema import Schema
from likelier._read.choice import Choice, choose, named_like_labels
from likelier._read.entries import Entries, TextEntry
from likelier._read.faults import MAX_DOCUMENT, Place, RowOf
from likelier._read.formats import TABLES
from likelier._read.parquet import Parquet
from likelier._read.rejects import Rejects
from likelier._read.sheet_rows import SheetRows
from likelier._read.sources import find
from likelier._read.spreadsheets import LARGEST_BOOK, Spreadsheet
from likelier._read.streams import DataSource, Pieces, TextBlocks, joined, size_of
from likelier._read.tabular import Layout, TableRows, Tabular, listed, open_frame
from likelier._read.text_tables import DelimitedFile, Dialect, JsonArray, JsonLines
from likelier._read.usable import prepare, rows_of_columns, usable
from likelier._read.wanted import Wanted

BATCH_BYTES = 16 << 20  # smaller ones are counted more slowly: sums of each are added to the table


@dataclass(frozen=True)
class ReadOptions:
    """How documents are read; see `read`."""

    wanted: Wanted = field(default_factory=Wanted)
    label: str | None = None
    labeled: bool = True
    all_columns: bool = False
    encoding: str | None = None
    delimiter: str | None = None
    quote: str | None = None
    header: bool = True
    sheet: str | None = None
    max_document: int = MAX_DOCUMENT

    def settled(self, choice: Choice | None) -> ReadOptions:
        """How the next source is read: with the same columns."""
        if choice is not None:
            return replace(self, wanted=choice.settled(self.wanted), label=self.label or choice.label)
        return replace(self, wanted=self.wanted.as_plain()) if self.wanted.is_open else self


class Origin(ABC):
    """One thing that documents are read from."""

    name: str
    total: int | None = None  # bytes
    once: bool = False
    choice: Choice | None = None  # of columns
    layout: Layout | None = None  # of a file with a table, when it was opened

    @property
    def position(self) -> int:
        """Bytes read so far."""
        return 0

    @abstractmethod
    def batches(self, options: ReadOptions, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        """The documents; what was guessed goes to the notes."""


def file_origins(sources: Sequence[str], kind: str | None, *, labeled: bool) -> list[Origin]:
    """The origins that the sources stand for."""
    found = find(sources, kind=kind, labeled=labeled)
    return [FileOrigin(source) if source.kind in TABLES else EntryOrigin(source) for source in found]


# ---- tables ------------------------------------------------------------------------------------------------------


class TableOrigin(Origin):
    """A table; all its documents may have one label."""

    label: str | None = None
    note: str | None = None

    @property
    def cautions(self) -> Sequence[str]:
        """What was found out while reading, so far."""
        return ()

    @abstractmethod
    def open(self, options: ReadOptions) -> Tabular:
        """The table, before anything is read."""

    def row_of(self, options: ReadOptions) -> RowOf | None:
        """The row of a spreadsheet by line, where the two may differ."""
        return None

    def close(self) -> None:
        """Stop reading; the rest is not needed."""

    def batches(self, options: ReadOptions, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        table = self.open(options)
        if table.is_empty:
            return
        self.layout = table.layout
        self.choice = choice = self._choose(table, options)
        table.check(choice)
        notes.extend([*filter(None, [self.note]), *self.cautions, *table.notes, *choice.notes])
        wanted = table.names if options.all_columns and not table.whole else choice.columns
        row_of = self.row_of(options)
        try:
            for part in table.read(wanted):
                notes.extend(caution for caution in self.cautions if caution not in notes)
                yield self._batch(part, table.unit, options, rejects, row_of)
        finally:
            self.close()

    def _choose(self, table: Tabular, options: ReadOptions) -> Choice:
        asked = options.wanted
        if self.label is None:
            return choose(table, asked, label=options.label, labeled=options.labeled)
        if asked.is_open:  # a column of labels is no part of a document
            labels = dict.fromkeys([*asked.ignore, *named_like_labels(table.names), options.label])
            asked = replace(asked, ignore=tuple(name for name in labels if name is not None))
        return choose(table, asked, label=None, labeled=False)

    def _batch(self, part: TableRows, unit: str, options: ReadOptions, rejects: Rejects, row_of: RowOf | None) -> Batch:
        assert self.choice is not None
        rows_of, name, numbers = None, self.name, part.numbers  # so that the place of a row does not hold its columns
        if options.all_columns:
            rows_of = part.rows_of or rows_of_columns(part.columns)
        return usable(
            part.columns,
            self.choice,
            lambda row: Place(name, unit, int(numbers[row])),
            rejects,
            faults=part.faults,
            label=self.label if options.labeled else None,
            rows_of=rows_of,
            row_of=row_of,
        )


class FrameOrigin(TableOrigin):
    """A data frame; its labels may also be integers or booleans."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.name = f"the {type(frame).__name__}"
        self.once = not hasattr(frame, "shape")  # a reader that is used up, not a table

    def open(self, options: ReadOptions) -> Tabular:
        return open_frame(self.frame, self.name)


class FileOrigin(TableOrigin):
    """A file with rows and columns."""

    def __init__(self, source: DataSource) -> None:
        self.source, self.name, self.once = source, source.name_shown, source.once
        self.label, self.note = source.label, source.note
        self.total = None if source.once else size_of(source.path)
        self._blocks: Pieces | None = None

    @property
    def position(self) -> int:
        return 0 if self._blocks is None else self._blocks.position

    @property
    def cautions(self) -> Sequence[str]:
        return self._blocks.found.cautions if isinstance(self._blocks, TextBlocks) else ()

    def close(self) -> None:
        if self._blocks is not None:
            self._blocks.close()

    def open(self, options: ReadOptions) -> Tabular:
        return READERS[self.source.kind](self, options)

    def blocks(self, options: ReadOptions) -> TextBlocks:
        """The bytes of a text file as UTF-8, to be read from now on."""
        self._blocks = blocks = TextBlocks(self.source, encoding=options.encoding)
        return blocks

    def row_of(self, options: ReadOptions) -> RowOf | None:
        if self.once or self.layout is None or self.layout.kind not in ("csv", "tsv") or not self.layout.quote:
            return None
        return SheetRows(lambda: TextBlocks(self.source, encoding=options.encoding), self.layout).row_of

    def content(self, limit: int) -> bytes:
        """All bytes of the file, or one more than the limit."""
        self._blocks = Pieces(self.source)
        return joined(self._blocks, limit)

    def sizes(self, options: ReadOptions) -> dict[str, int]:
        """How large rows may be, and after how many bytes they are given."""
        asks_through_pipe = self.once and not options.labeled  # and waits for answers
        return {"limit": options.max_document, "batch": 0 if asks_through_pipe else BATCH_BYTES}


def _delimited(file: FileOrigin, options: ReadOptions, *, usual: str) -> Tabular:
    blocks, dialect = file.blocks(options), Dialect(options.delimiter, options.quote, options.header)
    table = DelimitedFile(file.name, blocks, dialect, usual=usual, **file.sizes(options))
    table.layout = table.layout._replace(marked=blocks.found.marked)
    return table


def _json(file: FileOrigin, options: ReadOptions, *, reader: type[JsonLines]) -> Tabular:
    return reader(file.name, file.blocks(options), whole=options.all_columns, **file.sizes(options))


def _spreadsheet(file: FileOrigin, options: ReadOptions) -> Tabular:
    how: dict[str, Any] = {"sheet": options.sheet, "header": options.header, "whole": options.all_columns}
    return Spreadsheet(file.name, file.content(LARGEST_BOOK), limit=options.max_document, **how)


def _parquet(file: FileOrigin, options: ReadOptions) -> Tabular:
    return Parquet(file.name, file.source.path, file.source.passes, options.max_document)


READERS: dict[str, Callable[[FileOrigin, ReadOptions], Tabular]] = {  # by the kinds in `formats.TABLES`
    "csv": partial(_delimited, usual=","),
    "tsv": partial(_delimited, usual="\t"),
    "jsonl": partial(_json, reader=JsonLines),
    "json": partial(_json, reader=JsonArray),
    "spreadsheet": _spreadsheet,
    "parquet": _parquet,
}


# ---- files and mails ---------------------------------------------------------------------------------------------


class EntryOrigin(Origin):
    """A folder, a mailbox or a single file: each file or mail is a document."""

    def __init__(self, source: DataSource) -> None:
        self.source, self.name, self.once = source, source.name_shown, source.once
        self._entries = Entries(source)
        self.total = self._entries.total

    @property
    def position(self) -> int:
        return self._entries.position

    def batches(self, options: ReadOptions, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        notes.extend(filter(None, [self.source.note]))
        if options.labeled and self.source.kind in ("mbox", "maildir") and self.source.note is None:
            notes.append(f"label of {self.name}: {self.source.label!r}")
        self._entries = Entries(self.source, encoding=options.encoding, limit=options.max_document)
        found: list[TextEntry] = []
        size = 0
        for entry in self._entries:
            if entry.fault is not None:
                rejects.take([entry.fault])
                continue
            found.append(entry)
            size += len(entry.text)
            if size >= BATCH_BYTES:
                notes.extend(caution for caution in self._entries.cautions if caution not in notes)
                yield self._batch(found, options)
                found, size = [], 0
        notes.extend(caution for caution in self._entries.cautions if caution not in notes)
        yield self._batch(found, options)

    def _batch(self, found: list[TextEntry], options: ReadOptions) -> Batch:
        batch = Batch.of_texts(
            [entry.text for entry in found],
            [entry.label for entry in found] if options.labeled else None,
            where=lambda row: found[row].where,
            rows=lambda: [{"file": entry.where, "text": entry.text} for entry in found],
        )
        schema = options.wanted.schema
        return batch if schema is None or schema.is_plain else _as_columns(batch, schema, self.name)


def _as_columns(batch: Batch, schema: Schema, name: str) -> Batch:
    """Plain texts for a model with more columns: they fill its only text column, and the others are missing."""
    if len(schema.texts) != 1:
        raise error("document-kind.texts", columns=listed(schema.read), name=name)
    (text,) = schema.texts
    columns, _ = prepare(schema, {text: batch.texts}, len(batch))
    return replace(batch, columns=columns, schema=schema)

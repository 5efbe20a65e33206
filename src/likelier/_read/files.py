"""Files, folders, mail boxes and standard input as origins of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.errors import InputError
from likelier._documents.batch import Batch
from likelier._documents.schema import Schema
from likelier._kernel import Column
from likelier._read.columns import Choice, choose, named_like_labels
from likelier._read.documents import Origin, Reading
from likelier._read.folders import Document, documents
from likelier._read.head import listed
from likelier._read.objects import json_object
from likelier._read.parquet import Parquet
from likelier._read.prepare import prepare
from likelier._read.rejects import Rejects
from likelier._read.source import Source
from likelier._read.sources import find
from likelier._read.streams import Blocks, blocks, size_of
from likelier._read.tables import Dialect, JsonLines, Read, Separated
from likelier._read.usable import RowsOf, rows_of_columns, usable

BATCH_BYTES = 16 << 20  # smaller ones are counted more slowly: sums of each are added to the table
TABLES = ("csv", "tsv", "jsonl", "parquet")

Table = Separated | JsonLines | Parquet


def file_origins(sources: Sequence[str], kind: str | None, reading: Reading) -> list[Origin]:
    """The origins that the sources stand for."""
    found = find(sources, kind=kind, needs_labels=reading.labelled)
    return [TableOrigin(source) if source.kind in TABLES else EntryOrigin(source) for source in found]


class TableOrigin(Origin):
    """A file with rows and columns."""

    def __init__(self, source: Source) -> None:
        self.source, self.name, self.once = source, source.name_shown, source.once
        self.total = None if source.once else size_of(source.path)
        self._blocks: Blocks | None = None

    @property
    def position(self) -> int:
        return 0 if self._blocks is None else self._blocks.position

    def batches(self, reading: Reading, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        table = self._open(reading)
        self.choice = self._choose(table, reading)
        if isinstance(table, Parquet):
            table.check(self.choice.columns)
        notes.extend([*filter(None, [self.source.note]), *table.notes, *self.choice.notes])
        for part in table.read(self._wanted(table, self.choice, reading)):
            yield self._batch(part, self.choice, rejects, reading)

    def _choose(self, table: Table, reading: Reading) -> Choice:
        if self.source.label is None:
            return choose(table.head, reading.wanted, label=reading.label, labelled=reading.labelled)
        asked = reading.wanted
        if asked.is_open:  # a column of labels is no part of a document
            labels = dict.fromkeys([*asked.ignore, *named_like_labels(table.names), reading.label])
            asked = replace(asked, ignore=tuple(name for name in labels if name is not None))
        return choose(table.head, asked, label=None, labelled=False)

    def _open(self, reading: Reading) -> Table:
        if self.source.kind == "parquet":
            return Parquet(self.name, self.source.path, self.source.passes, reading.max_document)
        self._blocks = blocks(self.source, encoding=reading.encoding)
        batch = 0 if self.once and not reading.labelled else BATCH_BYTES  # who asks through a pipe waits for answers
        limit = reading.max_document
        if self.source.kind == "jsonl":
            return JsonLines(self.name, self._blocks, limit, whole=reading.all_columns, batch=batch)
        dialect = Dialect(reading.delimiter, reading.quote, reading.header)
        return Separated(self.name, self._blocks, dialect, tabs=self.source.kind == "tsv", limit=limit, batch=batch)

    def _wanted(self, table: Table, choice: Choice, reading: Reading) -> list[str]:
        if reading.all_columns and self.source.kind != "jsonl":
            return table.names
        return choice.columns

    def _batch(self, part: Read, choice: Choice, rejects: Rejects, reading: Reading) -> Batch:
        rows_of, lines = None, part.lines  # these alone, so that where a row stands does not hold its columns
        if reading.all_columns:
            rows_of = rows_of_columns(part.columns) if part.raw is None else _rows_of_json(part.raw)
        return usable(
            part.columns,
            choice,
            lambda row: (self.name, "row" if self.source.kind == "parquet" else "line", int(lines[row])),
            rejects,
            faults=part.faults,
            label=self.source.label if reading.labelled else None,
            rows_of=rows_of,
        )


def _rows_of_json(raw: Column) -> RowsOf:
    def rows_of(rows: NDArray[np.uint32]) -> list[dict[str, Any]]:
        return [json_object(str(line)) for line in raw.keep(rows).to_list()]

    return rows_of


class EntryOrigin(Origin):
    """A folder, a mail box or a single file: each file or mail is a document."""

    def __init__(self, source: Source) -> None:
        self.source, self.name, self.once = source, source.name_shown, source.once
        self._walk = documents(source)
        self.total = self._walk.total

    @property
    def position(self) -> int:
        return self._walk.position

    def batches(self, reading: Reading, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        notes.extend(filter(None, [self.source.note]))
        if reading.labelled and self.source.kind in ("mbox", "maildir") and self.source.note is None:
            notes.append(f"label of {self.name}: {self.source.label!r}")
        found: list[Document] = []
        size = 0
        self._walk = documents(self.source, encoding=reading.encoding, limit=reading.max_document)
        for document in self._walk:
            if document.fault is not None:
                rejects.take([document.fault])
                continue
            found.append(document)
            size += len(document.text)
            if size >= BATCH_BYTES:
                yield _under(reading.wanted.schema, _batch_of(found, reading), self.name)
                found, size = [], 0
        yield _under(reading.wanted.schema, _batch_of(found, reading), self.name)


def _under(schema: Schema | None, batch: Batch, name: str) -> Batch:
    """Plain texts for a model with more columns: they fill its only text column, and the others are missing."""
    if schema is None or schema.is_plain:
        return batch
    if len(schema.texts) != 1:
        raise InputError(
            code="document-kind",
            message=f"documents have the columns {listed(schema.read)}, but {name} holds plain texts",
            hint="give a table with these columns",
        )
    (text,) = schema.texts
    columns, _ = prepare(schema, {text: batch.texts}, len(batch))
    return replace(batch, columns=columns, schema=schema)


def _batch_of(found: list[Document], reading: Reading) -> Batch:
    return Batch.of_texts(
        [document.text for document in found],
        [document.label for document in found] if reading.labelled else None,
        where=lambda row: found[row].where,
        rows=lambda: [{"file": document.where, "text": document.text} for document in found],
    )

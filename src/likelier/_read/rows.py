"""Documents that Python has as rows: mappings of column to value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from likelier._base.errors import InputError
from likelier._documents.batch import Batch
from likelier._documents.kinds import Binary
from likelier._documents.labels import checked_labels
from likelier._documents.schema import Schema
from likelier._documents.spelling import is_single, spelled
from likelier._read.columns import Choice, choose
from likelier._read.head import Head, holding_lists, listed
from likelier._read.prepare import Raw
from likelier._read.rejects import Rejects
from likelier._read.tables import SAMPLE_ROWS
from likelier._read.unusable import by_number
from likelier._read.usable import usable
from likelier._read.wanted import Wanted

Row = Mapping[str, Any]
HERE = "the data"  # how rows are called in messages


class ListTable:
    """Columns as lists of Python values."""

    def __init__(self, source: str, names: Sequence[str], values: Sequence[list[Any]], *, loose: bool = False) -> None:
        self._columns = dict(zip(names, values, strict=True))
        self.is_empty = not any(values)
        self._few = {name: column[:SAMPLE_ROWS] for name, column in self._columns.items()}
        truths = {name: Binary() for name, column in self._few.items() if set(map(type, column)) <= {bool, type(None)}}
        self.head = Head(source, names, self._sample, holding_lists(self._few), truths, loose=loose)

    def _sample(self) -> dict[str, list[str | None]]:
        few = self._few.items()
        return {name: [spelled(value) if is_single(value) else None for value in values] for name, values in few}

    def check(self, choice: Choice) -> None:
        """Nothing: each value is looked at."""

    def read(self, wanted: list[str]) -> Iterator[dict[str, Raw]]:
        """The columns, in one piece."""
        yield {name: self._columns[name] for name in wanted}


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Rows as columns, in order of first sight; what a row does not have is None.

    >>> columns_of([{"age": 39}, {"age": 50, "sex": "f"}])
    {'age': [39, 50], 'sex': [None, 'f']}
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                code="row-keys",
                message=f"the columns of a row have names that are text, got {name!r:.60}",
                hint='a row is a mapping such as {"age": 39, "sex": "f"}',
            )
    return {name: [row.get(name) for row in rows] for name in names}


def batch_of_rows(rows: Sequence[Row], wanted: Wanted, *, label: str | None = None, labelled: bool) -> Batch:
    """Rows as a batch; the first value that cannot be used is an error."""
    columns = columns_of(rows)
    if not columns and wanted.schema is not None and not wanted.schema.is_plain and not labelled:
        choice = Choice(None, schema=wanted.schema)
    else:
        table = ListTable(HERE, list(columns), list(columns.values()), loose=True)
        choice = choose(table.head, wanted, label=label, labelled=labelled)
    labels = None if choice.label is None else checked_labels(columns[choice.label])
    batch = usable(columns, replace(choice, label=None), by_number, Rejects("stop", None), length=len(rows))
    return replace(batch, labels=labels, rows=lambda: [dict(row) for row in rows], notes=choice.notes)


def checked_rows(documents: Sequence[object], schema: Schema | None) -> list[Row]:
    """Documents as rows; a string is the text of a document that has nothing else, where only one column is text."""
    if set(map(type, documents)) <= {dict}:
        return documents  # type: ignore[return-value]
    return [
        document if isinstance(document, Mapping) else {_text_column(schema, document, row): document}
        for row, document in enumerate(documents)
    ]


def _text_column(schema: Schema | None, document: object, row: int) -> str:
    texts = [] if schema is None else list(schema.texts)
    if isinstance(document, str) and len(texts) == 1:
        return texts[0]
    columns = "" if schema is None else f" with the columns {listed(schema.read)}"
    raise InputError(
        code="document-kind",
        message=f"a document is a row{columns}, got {type(document).__name__} {document!r:.60} as document {row}",
        hint=_hint(texts if schema is None else list(schema.read)),
    )


def _hint(names: list[str]) -> str:
    return f"a row is a mapping, such as {{{names[0] if names else 'age'!r}: ...}}; a data frame has many rows"


def refuse_one(documents: object) -> None:
    """Raises where one row was given in place of several."""
    if isinstance(documents, Mapping):
        raise InputError(
            code="documents-mapping",
            message="several documents are a list of rows, or a data frame;"
            f" got one mapping with {listed(map(str, documents)) or 'nothing in it'}",
            hint="put one row into a list: [row]; of columns make a data frame: pandas.DataFrame(columns)",
        )

"""Documents in all the forms in which Python has them, as batches: pairs, rows, columns, data frames, files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from likelier._base.checks import has_entries
from likelier._base.errors import error
from likelier._documents.batch import Batch, Labels, joined
from likelier._documents.kinds import MISSING
from likelier._documents.labels import Label, checked_labels
from likelier._documents.schema import Schema
from likelier._documents.weights import check_lengths
from likelier._read.choice import Choice, choose
from likelier._read.faults import Place
from likelier._read.kept import KeptDocuments
from likelier._read.origins import ReadOptions
from likelier._read.reader import Documents, of_files, of_frame
from likelier._read.rejects import Rejects
from likelier._read.tabular import ListTable, is_frame, listed
from likelier._read.usable import usable
from likelier._read.wanted import Names, Others, Wanted, as_names, label_name, wanted
from likelier._text.texts import checked_text, checked_texts, column_of

Pairs = Iterable[tuple[str | Mapping[str, Any], Label]]
Row = Mapping[str, Any]


def labeled(
    documents: Pairs | Iterable[Row] | Documents | str | os.PathLike[str] | Any | None,
    *,
    texts: Iterable[str] | None = None,
    labels: Iterable[Label] | None = None,
    weights: Iterable[float] | None = None,
    text: Names | None = None,
    label: str | None = None,
    categorical: Names = (),
    binary: Names = (),
    numeric: Names = (),
    ignore: Names = (),
    others: Others = "leave",
    schema: Schema | None = None,
    missing_values: Iterable[object] = MISSING,
) -> Iterable[Batch]:
    """The documents as batches, which can be gone through more than once.

    labels: with `texts`, or with rows or a data frame that do not hold them.
    text, label, categorical, binary, numeric, ignore, others, missing_values: as for `read`.
    schema: the columns of the model that is to learn them.
    """
    if labels is not None and texts is None and _is_column(documents):
        documents, texts = None, documents
    _check_forms(documents, texts, labels, weights)
    named: dict[str, Any] = {"text": text, "categorical": categorical, "binary": binary, "numeric": numeric}
    named = {name: as_names(given) for name, given in (named | {"ignore": ignore}).items()}
    asked_for = wanted(**named, others=others, schema=schema, missing_values=missing_values)
    label = label_name(label)
    first_named = next((name for name, given in (named | {"label": label}).items() if given), None)
    weighed: list[object] | None = None if weights is None else list(weights)
    if texts is not None:
        _refuse_names(first_named, texts)
        batch = Batch.of_texts(checked_texts(texts)) if schema is None else asked(schema, texts)
        return [_with(batch, labels, weighed, "texts")]
    if isinstance(documents, Documents | KeptDocuments) and labels is None:
        _refuse_names(first_named, documents)
        return _shared_out(documents.use(schema), None, weighed)
    if is_frame(documents):
        options = ReadOptions(asked_for, label) if labels is None else ReadOptions(asked_for, labeled=False)
        return _shared_out(of_frame(documents, options), labels, weighed)
    if labels is not None:
        batch = _unlabeled_rows(documents, asked_for, first_named)
        return [_with(batch, labels, weighed, "texts" if batch.schema is None else "documents")]
    if isinstance(documents, str | os.PathLike):
        return _shared_out(of_files([documents], ReadOptions(asked_for, label)), None, weighed)
    batch = _in_memory(documents, asked_for, first_named, label)
    return [_with(batch, batch.labels, weighed, "texts" if batch.schema is None else "documents")]


def asked(schema: Schema, documents: Any) -> Batch:
    """Documents that are to be classified: texts, rows, a data frame or what `read` gives, all of it at once.

    `notes` says which columns were ignored or missing. A string is a document of a model with several columns too, if
    only one of them is text.
    """
    _refuse_one(documents)
    if isinstance(documents, Documents):
        return joined(list(documents.use(schema)), (), schema)  # its notes are there to be read
    if is_frame(documents) and (hasattr(documents, "columns") or hasattr(documents, "read_next_batch")):
        found = of_frame(documents, ReadOptions(Wanted().under(schema), labeled=False))
        return joined(list(found), () if schema.is_plain else found.notes, schema)
    if schema.is_plain or isinstance(documents, str | bytes):
        return Batch.of_texts(checked_texts(documents))
    column = column_of(documents)
    if column is None and not has_entries(documents):
        raise error("column-kind", got=documents)
    several = list(_as_python(documents)) if column is None else column.to_list()
    return _batch_of_rows(_checked_rows(several, schema), Wanted().under(schema))


def asked_one(schema: Schema, document: Any) -> Batch:
    """One document that is to be classified: a text, or a row."""
    return Batch.of_texts([checked_text(document)]) if schema.is_plain else asked(schema, [document])


def _is_column(documents: Any) -> bool:
    """Whether this is Arrow data of one column: a series or an array, not a table."""
    is_arrow = hasattr(documents, "__arrow_c_stream__") or hasattr(documents, "__arrow_c_array__")
    return is_arrow and not hasattr(documents, "columns") and not hasattr(documents, "read_next_batch")


# ---- checks ------------------------------------------------------------------------------------------------------


def _check_forms(documents: object, texts: object, labels: object, weights: object) -> None:
    if (documents is None) == (texts is None) or (texts is not None and labels is None):
        raise error("documents-or-columns")
    for name, given in (("documents", documents), ("weights", weights)):
        is_path = name == "documents" and isinstance(given, os.PathLike)
        if not (given is None or is_path or has_entries(given) or is_frame(given)):
            raise error("column-kind.named", name=name, got=given)


def _refuse_names(named: str | None, documents: object) -> None:
    if named:
        raise error("columns-without-names", named=named, got=documents)


def _refuse_one(documents: object) -> None:
    if isinstance(documents, Mapping):
        raise error("documents-mapping", columns=listed(map(str, documents)) or "nothing in it")


# ---- labels and weights ------------------------------------------------------------------------------------------


def _with(batch: Batch, labels: Any, weights: list[object] | None, what: str) -> Batch:
    """The batch with labels and weights, one for each document."""
    column = column_of(labels)
    found: Labels = checked_labels(_as_python(labels)) if column is None else column
    check_lengths(**{what: batch}, labels=found, weights=weights)
    return replace(batch, labels=found, weights=weights)


def _as_python(values: Any) -> Any:
    """NumPy's values as Python's, which are quicker to look at."""
    return values.tolist() if hasattr(values, "dtype") and hasattr(values, "tolist") else values


def _shared_out(
    documents: Documents | KeptDocuments, labels: Iterable[Label] | None, weights: list[object] | None
) -> Iterable[Batch]:
    """The batches with labels and weights shared out."""
    if labels is None and weights is None:
        return documents
    every = None if labels is None else checked_labels(_as_python(labels))
    shared, start = [], 0
    for batch in documents:
        end = start + len(batch)
        share = None if weights is None else weights[start:end]
        shared.append(replace(batch, weights=share, labels=batch.labels if every is None else every[start:end]))
        start = end
    check_lengths(texts=range(start), labels=every, weights=weights)
    return [replace(batch, notes=tuple(documents.notes)) for batch in shared]


# ---- pairs and rows ----------------------------------------------------------------------------------------------


def _unlabeled_rows(documents: Any, asked_for: Wanted, named: str | None) -> Batch:
    """Texts or rows whose labels are given beside them."""
    _refuse_one(documents)
    rows = [] if isinstance(documents, str | os.PathLike) else list(documents)
    if rows and isinstance(rows[0], str):
        _refuse_names(named, documents)
        return Batch.of_texts(checked_texts(rows)) if asked_for.schema is None else asked(asked_for.schema, rows)
    if not rows or not isinstance(rows[0], Mapping):
        raise error("documents-or-columns")
    return _batch_of_rows(_checked_rows(rows, asked_for.schema), asked_for)


def _in_memory(documents: Any, asked_for: Wanted, named: str | None, label: str | None) -> Batch:
    """Pairs, or rows that hold their labels."""
    _refuse_one(documents)
    several = list(documents)
    if several and isinstance(several[0], Mapping):
        return _batch_of_rows(_checked_rows(several, None), asked_for, label=label, labeled=True)
    pairs = [_checked_pair(row, pair) for row, pair in enumerate(several)]
    firsts, labels = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if any(issubclass(kind, Mapping) for kind in set(map(type, firsts))):
        _refuse_names(label and "label", documents)
        batch = _batch_of_rows(_checked_rows(firsts, asked_for.schema), asked_for)
    else:
        _refuse_names(named, documents)
        schema = asked_for.schema
        batch = Batch.of_texts(checked_texts(firsts)) if schema is None else asked(schema, firsts)
    return replace(batch, labels=checked_labels(labels))


def _checked_pair(row: int, pair: object) -> tuple[Any, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise error("document-not-a-pair", got=pair, row=row)
    return pair[0], pair[1]


def _checked_rows(documents: Sequence[Any], schema: Schema | None) -> Sequence[Row]:
    """Documents as rows; a string is the text of a document that has nothing else, where only one column is text."""
    if set(map(type, documents)) <= {dict}:
        return documents
    return [
        document if isinstance(document, Mapping) else {_text_column(schema, document, row): document}
        for row, document in enumerate(documents)
    ]


def _text_column(schema: Schema | None, document: object, row: int) -> str:
    if isinstance(document, str) and schema is not None and len(schema.texts) == 1:
        return next(iter(schema.texts))
    columns = "" if schema is None else f" with the columns {listed(schema.read)}"
    example = "age" if schema is None else next(iter(schema.read), "age")
    raise error("document-kind", columns=columns, got=document, row=row, example=example)


def _batch_of_rows(rows: Sequence[Row], asked_for: Wanted, *, label: str | None = None, labeled: bool = False) -> Batch:
    """Rows as a batch; the first value that cannot be used is an error."""
    columns = _columns_of(rows)
    schema = asked_for.schema
    if not columns and schema is not None and not schema.is_plain and not labeled:
        choice = Choice(None, schema=schema)
    else:
        table = ListTable("the data", list(columns), list(columns.values()), loose=True)
        choice = choose(table, asked_for, label=label, labeled=labeled)
    labels = None if choice.label is None else checked_labels(columns[choice.label])
    unlabeled = replace(choice, label=None)
    batch = usable(columns, unlabeled, lambda row: Place("", "document", row), Rejects(), length=len(rows))
    return replace(batch, labels=labels, rows=lambda: [dict(row) for row in rows], notes=choice.notes)


def _columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Rows as columns, in order of first sight; what a row does not have is None."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    for name in names:
        if not isinstance(name, str):
            raise error("row-keys", got=name)
    return {name: [row.get(name) for row in rows] for name in names}

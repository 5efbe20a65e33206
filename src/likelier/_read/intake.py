"""Documents in all the forms in which Python has them, as batches: pairs, rows, columns, data frames, files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from likelier._base.checks import has_entries
from likelier._base.errors import InputError
from likelier._documents.batch import Batch, Labels, joined
from likelier._documents.kinds import MISSING
from likelier._documents.labels import Label, checked_labels
from likelier._documents.schema import Schema
from likelier._documents.weights import check_lengths
from likelier._read.wanted import Names, Others, Wanted, as_names, label_name, wanted
from likelier._text.texts import checked_text, checked_texts, column_of

if TYPE_CHECKING:
    from likelier._read.documents import Documents
    from likelier._read.kept import KeptDocuments

Pairs = Iterable[tuple[str | Mapping[str, Any], Label]]


def labelled(
    documents: Pairs | Iterable[Mapping[str, Any]] | Documents | str | os.PathLike[str] | Any | None,
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
    _check_forms(documents, texts, labels, weights)
    kinds: dict[str, Any] = {"text": text, "categorical": categorical, "binary": binary, "numeric": numeric}
    kinds = {name: as_names(given) for name, given in (kinds | {"ignore": ignore}).items()}
    asked_for = wanted(**kinds, others=others, schema=schema, missing_values=missing_values)
    named, label = next((name for name, given in kinds.items() if given), None), label_name(label)
    weighed: list[object] | None = None if weights is None else list(weights)
    if texts is not None:
        _refuse_names(named or (label and "label"), texts)
        return [_with(_texts(texts, schema), labels, weighed, "texts")]
    if labels is not None:
        return _apart(documents, labels, weighed, asked_for)
    stream = _stream(documents, asked_for, named, label)
    if stream is None:
        batch = _in_memory(documents, asked_for, named, label)
        return [_with(batch, batch.labels, weighed, "texts" if batch.schema is None else "documents")]
    return stream if weighed is None else _shared_out(stream, None, weighed)


def asked(schema: Schema, documents: Any) -> Batch:
    """Documents that are to be classified: texts, rows, a data frame or what `read` gives, all of it at once.

    `notes` says which columns were ignored or missing. A string is a document of a model with several columns too, if
    only one of them is text.
    """
    from likelier._read.documents import Documents, Reading, of_frame
    from likelier._read.rows import batch_of_rows, checked_rows, refuse_one

    refuse_one(documents)
    if isinstance(documents, Documents):
        return joined(list(documents.use(schema)), (), schema)  # its notes are there to be read
    if _is_table(documents):
        found = of_frame(documents, Reading(Wanted(schema=schema), labelled=False))
        return joined(list(found), () if schema.is_plain else found.notes, schema)
    if schema.is_plain or isinstance(documents, str | bytes):
        return Batch.of_texts(checked_texts(documents))
    column = column_of(documents)
    if column is None and not has_entries(documents):
        raise InputError(
            code="column-kind",
            message=f"several documents are a list of rows, or a data frame; got {documents!r:.60}",
            hint="put one into a list: [document]",
        )
    listed = list(_listed(documents)) if column is None else column.to_list()
    return batch_of_rows(checked_rows(listed, schema), Wanted(schema=schema), labelled=False)


def asked_one(schema: Schema, document: Any) -> Batch:
    """One document that is to be classified: a text, or a row."""
    return Batch.of_texts([checked_text(document)]) if schema.is_plain else asked(schema, [document])


def is_frame(value: object) -> bool:
    """Whether it is a table of any library: Arrow data, or something with columns that have names."""
    return hasattr(value, "__arrow_c_stream__") or (hasattr(value, "columns") and hasattr(value, "__getitem__"))


def _is_table(value: object) -> bool:
    """Whether it is a data frame, and not one column of it."""
    return is_frame(value) and (hasattr(value, "columns") or hasattr(value, "read_next_batch"))


def _check_forms(documents: object, texts: object, labels: object, weights: object) -> None:
    if (documents is None) == (texts is None) or (texts is not None and labels is None):
        raise _halves()
    for name, column in (("documents", documents), ("weights", weights)):
        is_path = name == "documents" and isinstance(column, os.PathLike)
        if not (column is None or is_path or has_entries(column) or is_frame(column)):
            raise InputError(
                code="column-kind",
                message=f"`{name}` must have one entry for each document, got {column!r:.60}",
                hint="give a list",
            )


def _halves() -> InputError:
    return InputError(
        code="documents-or-columns",
        message="give documents as (text, label) pairs, or `texts` and `labels`; not both and not half of it",
        hint='train([("text", "label"), ...]) or train(texts=[...], labels=[...])',
    )


def _refuse_names(named: object, documents: object) -> None:
    if named:
        raise InputError(
            code="columns-without-names",
            message=f"`{named}` names a column of a file or a data frame, got {type(documents).__name__}",
            hint="give `text` and `label` to read(...) for files, or leave them out for pairs",
        )


def _stream(documents: Any, wished: Wanted, named: str | None, label: str | None) -> Documents | KeptDocuments | None:
    """Files and data frames; None for what is in a list."""
    from likelier._read.documents import Documents, Reading, of_files, of_frame
    from likelier._read.kept import KeptDocuments

    if isinstance(documents, str | os.PathLike):
        return of_files([documents], Reading(wished, label))
    if is_frame(documents):
        return of_frame(documents, Reading(wished, label))
    if not isinstance(documents, Documents | KeptDocuments):
        return None
    _refuse_names(named or (label and "label"), documents)
    return documents.use(wished.schema)


def _apart(documents: Any, labels: Iterable[Label], weights: list[object] | None, wished: Wanted) -> Iterable[Batch]:
    """Rows or a data frame, with labels that come apart from them."""
    from likelier._read.documents import Reading, of_frame
    from likelier._read.rows import batch_of_rows, checked_rows, refuse_one

    refuse_one(documents)
    if is_frame(documents):
        return _shared_out(of_frame(documents, Reading(wished, labelled=False)), labels, weights)
    listed = [] if isinstance(documents, str | os.PathLike) else list(documents)
    if not listed or not isinstance(listed[0], Mapping):
        raise _halves()
    batch = batch_of_rows(checked_rows(listed, wished.schema), wished, labelled=False)
    return [_with(batch, labels, weights, "documents")]


def _in_memory(documents: Any, wished: Wanted, named: str | None, label: str | None) -> Batch:
    """Pairs, or rows that hold their labels."""
    from likelier._read.rows import batch_of_rows, checked_rows, refuse_one

    refuse_one(documents)
    listed = list(documents)
    if listed and isinstance(listed[0], Mapping):
        return batch_of_rows(checked_rows(listed, None), wished, label=label, labelled=True)
    pairs = [_checked_pair(row, pair) for row, pair in enumerate(listed)]
    firsts, labels = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    if any(issubclass(kind, Mapping) for kind in set(map(type, firsts))):
        _refuse_names(label and "label", documents)
        batch = batch_of_rows(checked_rows(firsts, wished.schema), wished, labelled=False)
        return replace(batch, labels=checked_labels(labels))
    _refuse_names(named or (label and "label"), documents)
    return replace(_texts(firsts, wished.schema), labels=checked_labels(labels))


def _texts(texts: Iterable[str], schema: Schema | None) -> Batch:
    return Batch.of_texts(checked_texts(texts)) if schema is None else asked(schema, texts)


def _with(batch: Batch, labels: Any, weights: list[object] | None, what: str) -> Batch:
    """The batch with labels and weights, one for each document."""
    column = column_of(labels)
    found: Labels = checked_labels(_listed(labels)) if column is None else column
    check_lengths(**{what: batch}, labels=found, weights=weights)
    return replace(batch, labels=found, weights=weights)


def _listed(values: Any) -> Any:
    """NumPy's values as Python's, which are quicker to look at."""
    return values.tolist() if hasattr(values, "dtype") and hasattr(values, "tolist") else values


def _shared_out(
    documents: Documents | KeptDocuments, labels: Iterable[Label] | None, weights: list[object] | None
) -> list[Batch]:
    """The batches with labels and weights shared out."""
    listed = None if labels is None else checked_labels(_listed(labels))
    shared, start = [], 0
    for batch in documents:
        end = start + len(batch)
        share = None if weights is None else weights[start:end]
        shared.append(replace(batch, weights=share, labels=batch.labels if listed is None else listed[start:end]))
        start = end
    check_lengths(texts=range(start), labels=listed, weights=weights)
    return [replace(batch, notes=tuple(documents.notes)) for batch in shared]


def _checked_pair(row: int, pair: object) -> tuple[Any, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InputError(
            code="document-not-a-pair",
            message=f"a document is a pair of text and label, got {pair!r:.60} as document {row}",
            hint='train([("text", "label"), ...]) or train(texts=[...], labels=[...]);'
            " read([...]) takes the names of files",
        )
    return pair[0], pair[1]

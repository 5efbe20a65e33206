"""Labelled documents in all the forms in which Python has them, as batches: pairs, columns, data frames, files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from likelier.counts.documents import check_lengths
from likelier.counts.labels import Label, checked_labels
from likelier.data.batch import Batch, Labels
from likelier.errors import InputError
from likelier.text.texts import checked_texts, column_of

if TYPE_CHECKING:
    from likelier.data.documents import Documents

Pairs = Iterable[tuple[str, Label]]


def labelled(
    documents: Pairs | Documents | str | os.PathLike[str] | Any | None,
    *,
    texts: Iterable[str] | None = None,
    labels: Iterable[Label] | None = None,
    weights: Iterable[float] | None = None,
    text: str | None = None,
    label: str | None = None,
) -> Iterable[Batch]:
    """The documents as batches, which can be gone through more than once.

    text, label: the names of the columns, for files and data frames.
    """
    if (documents is None) == (texts is None) or (texts is None) != (labels is None):
        raise InputError(
            code="documents-or-columns",
            message="give documents as (text, label) pairs, or `texts` and `labels`; not both and not half of it",
            hint='train([("text", "label"), ...]) or train(texts=[...], labels=[...])',
        )
    for name, column in (("documents", documents), ("weights", weights)):
        if not (column is None or isinstance(column, Iterable | os.PathLike) or is_frame(column)):
            raise InputError(
                code="column-kind",
                message=f"`{name}` must have one entry for each document, got {column!r:.60}",
                hint="give a list",
            )
    weighed: list[object] | None = None if weights is None else list(weights)
    if documents is None:
        return [_in_memory(cast("Iterable[str]", texts), cast("Iterable[Label]", labels), weighed)]
    stream = _stream(documents, text, label)
    if stream is None:
        pairs = [_checked_pair(row, pair) for row, pair in enumerate(cast("Pairs", documents))]
        return [_in_memory([pair[0] for pair in pairs], [pair[1] for pair in pairs], weighed)]
    return stream if weighed is None else _weighted(stream, weighed)


def is_frame(value: object) -> bool:
    """Whether it is a table of any library: Arrow data, or something with columns that have names."""
    return hasattr(value, "__arrow_c_stream__") or (hasattr(value, "columns") and hasattr(value, "__getitem__"))


def _stream(documents: Any, text: str | None, label: str | None) -> Iterable[Batch] | None:
    """Files and data frames; None for pairs."""
    from likelier.data.documents import Documents, read

    if isinstance(documents, str | os.PathLike) or is_frame(documents):
        return read(documents, text=text, label=label)
    named = {name: column for name, column in (("text", text), ("label", label)) if column is not None}
    if named:
        raise InputError(
            code="columns-without-names",
            message=f"`{next(iter(named))}` names a column of a file or a data frame, got {type(documents).__name__}",
            hint="give `text` and `label` to read(...) for files, or leave them out for pairs",
        )
    return documents if isinstance(documents, Documents) else None


def _in_memory(texts: Iterable[str], labels: Iterable[Label], weights: list[object] | None) -> Batch:
    text_column = checked_texts(texts)
    label_column = column_of(labels)
    label_values: Labels = checked_labels(labels) if label_column is None else label_column
    check_lengths(texts=text_column, labels=label_values, weights=weights)
    return Batch(text_column, label_values, weights)


def _weighted(batches: Iterable[Batch], weights: Sequence[object]) -> Iterable[Batch]:
    """The batches with the weights shared out."""
    weighted, start = [], 0
    for batch in batches:
        part = weights[start : start + len(batch)]
        weighted.append(Batch(batch.texts, batch.labels, part, batch.where))
        start += len(batch)
    check_lengths(texts=range(start), weights=weights)
    return weighted


def _checked_pair(row: int, pair: object) -> tuple[Any, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InputError(
            code="document-not-a-pair",
            message=f"a document is a pair of text and label, got {pair!r:.60} as document {row}",
            hint='train([("text", "label"), ...]) or train(texts=[...], labels=[...]);'
            " read([...]) takes the names of files",
        )
    return pair[0], pair[1]

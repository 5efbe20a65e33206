"""Training: the one pass over labelled documents that makes a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from likelier.counts import Counts, Label
from likelier.data.batch import Batch
from likelier.data.documents import Documents
from likelier.data.intake import Pairs, labelled
from likelier.errors import InputError
from likelier.model import Model, Path, check_parts
from likelier.text.analyzer import Analyzer
from likelier.threads import checked_threads


def train(
    documents: Pairs | Documents | Path | Any | None = None,
    *,
    texts: Iterable[str] | None = None,
    labels: Iterable[Label] | None = None,
    weights: Iterable[float] | None = None,
    text: str | None = None,
    label: str | None = None,
    analyzer: Analyzer | None = None,
    ledger: bool = True,
    threads: int | None = None,
) -> Model:
    """A model of labelled documents: pairs of text and label, columns, a data frame, a file, or what `read` gives.

    texts, labels: as columns; lists, or Arrow data of pandas, Polars, PyArrow or DuckDB.
    weights: how much each document counts; 1 if not given.
    text, label: the names of the columns in a file or a data frame.
    threads: how many to use; all cores if not given. The result does not depend on it.

    >>> model = train([("надо купить молоко", "ham"), ("спешите купить виагру", "spam")])
    >>> model.classify("купить молоко").label
    'ham'
    """
    check_parts(None, analyzer)
    batches = labelled(documents, texts=texts, labels=labels, weights=weights, text=text, label=label)
    settled = _settled(analyzer or Analyzer(), batches, checked_threads(threads))
    model = Model(analyzer=settled, ledger=ledger)._part(batches, threads)
    if not model.labels:
        raise InputError(
            code="no-documents",
            message="a model is trained on at least one document, got none",
            hint='train([("text", "label"), ...])',
        )
    model.note("train", documents=model.documents, sources=getattr(batches, "names", ()))
    return model


def _settled(analyzer: Analyzer, batches: Iterable[Batch], threads: int) -> Analyzer:
    """The analyzer with the most frequent words of the texts as its stop words, if it asks for them."""
    if not analyzer.is_open:
        return analyzer
    plain = Analyzer(lowercase=analyzer.lowercase, punctuation=analyzer.punctuation)
    counts = Counts()
    for batch in batches:
        counts.count(batch.texts, counts.label_ids([""] * len(batch)), None, plain.analysis, threads)
    often = counts.snapshot.term_totals("tf")
    order = np.argsort(-often.astype(np.int64), kind="stable")  # of equal ones the first seen comes first
    return analyzer.settled(counts.table.texts(order.astype(np.uint32)))

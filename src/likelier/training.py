"""Training: the one pass over labelled documents that makes a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from likelier.counts import Counts, Label
from likelier.counts.making import check_analyzer
from likelier.counts.mixed import MixedCounts, present, table_of
from likelier.counts.values import Texts
from likelier.data.batch import Batch
from likelier.data.documents import Documents
from likelier.data.intake import Pairs, labelled
from likelier.data.wanted import Others
from likelier.errors import InputError, SettingError
from likelier.estimate.numeric import NumericRule, numeric_rule
from likelier.model import Model, Path
from likelier.schema import MISSING, Schema, Text, plain
from likelier.text.analyzer import Analyzer
from likelier.threads import checked_threads

Names = str | Sequence[str]


def train(
    documents: Pairs | Documents | Path | Any | None = None,
    *,
    texts: Iterable[str] | None = None,
    labels: Iterable[Label] | None = None,
    weights: Iterable[float] | None = None,
    label: str | None = None,
    text: Names | Mapping[str, Analyzer] | None = None,
    categorical: Names | Mapping[str, Sequence[str]] = (),
    binary: Names = (),
    numeric: Names | Mapping[str, NumericRule | str | Sequence[float]] = (),
    ignore: Names = (),
    others: Others = "leave",
    bind: Sequence[Sequence[str]] = (),
    missing_values: Sequence[str] = MISSING,
    analyzer: Analyzer | None = None,
    ledger: bool = True,
    threads: int | None = None,
) -> Model:
    """A model of labelled documents: pairs of text and label, rows with columns, a data frame, a file, or `read(...)`.

    texts, labels: as columns; lists, or Arrow data of pandas, Polars, PyArrow or DuckDB.
    weights: how much each document counts; 1 if not given.
    label: the name of the column with the labels.
    text, categorical, binary, numeric: the columns by kind; guessed if none is given. One text column alone makes a
        model of plain texts. With a mapping, text columns have an analyzer each, categorical ones all their possible
        values, numeric ones a rule: "gaussian", "equal-width:5", "equal-frequency:5", "information" or cut points.
    ignore: columns to leave out when kinds are guessed.
    others: where some columns are named, "leave" the others out or "guess" their kinds.
    bind: groups of categorical or binary columns that count as one, because they depend on each other.
    missing_values: how a missing value is written in a categorical, binary or numeric column.
    analyzer: how text becomes terms, in all text columns that have none of their own.
    threads: how many to use; all cores if not given. The result does not depend on it.

    >>> model = train([("надо купить молоко", "ham"), ("спешите купить виагру", "spam")])
    >>> model.classify("купить молоко").label
    'ham'
    >>> model = train([({"outlook": "sunny", "wind": 3}, "yes"), ({"outlook": "rain", "wind": 40}, "no")])
    >>> model.classify({"outlook": "rain", "wind": 35}).label
    'no'
    """
    check_analyzer(analyzer)
    rules = {name: {"numeric": numeric_rule(rule)} for name, rule in _named(numeric).items()}
    batches = labelled(
        documents,
        texts=texts,
        labels=labels,
        weights=weights,
        label=label,
        text=text,
        categorical=categorical,
        binary=binary,
        numeric=numeric,
        ignore=ignore,
        others=others,
        missing_values=missing_values,
    )
    settled = _Settled(_analyzers(text), analyzer or Analyzer(), bind)
    model = _counted(batches, settled, ledger, checked_threads(threads))
    if rules:
        model.set_view(columns=rules)
    model.note("train", documents=model.documents, sources=getattr(batches, "names", ()))
    return model


def _named(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {}


def _analyzers(text: Any) -> dict[str, Analyzer]:
    for name, analyzer in _named(text).items():
        if not isinstance(analyzer, Analyzer):
            raise SettingError(
                code="text-analyzers",
                message=f"a mapping for `text` gives each column an Analyzer, got {analyzer!r:.60} for {name!r}",
                hint="text={'subject': Analyzer(ngrams=2), 'body': Analyzer()}, or text=['subject', 'body']",
            )
    return dict(_named(text))


class _Settled:
    """What the caller says about the columns beyond their kinds."""

    def __init__(self, analyzers: Mapping[str, Analyzer], otherwise: Analyzer, bind: Sequence[Sequence[str]]) -> None:
        self.analyzers, self.otherwise, self.bind = analyzers, otherwise, bind

    def schema(self, found: Schema | None) -> Schema:
        """The schema with analyzers and bound columns; None stands for plain texts."""
        if found is None:
            return plain(self.otherwise).bound(self.bind)
        columns = {
            name: Text(self.analyzers.get(name, self.otherwise)) if isinstance(kind, Text) else kind
            for name, kind in found.columns.items()
        }
        return found.with_columns(columns).bound(self.bind)


def _counted(batches: Iterable[Batch], settled: _Settled, ledger: bool, threads: int) -> Model:
    frequent = _most_frequent(batches, settled, threads)
    model: Model | None = None
    for batch in batches:
        if model is None:
            model = Model(schema=_closed(settled.schema(batch.schema), frequent), ledger=ledger)
        model.count(batch if batch.schema is None else batch.under(model.schema), threads)
    if model is None or not model.labels:
        raise InputError(
            code="no-documents",
            message="a model is trained on at least one document, got none",
            hint='train([("text", "label"), ...])',
        )
    _check_columns(model)
    return model


def _check_columns(model: Model) -> None:
    """A column without a single value can only be a mistake."""
    if not isinstance(model.counts, MixedCounts):
        return
    for name, column in model.counts.columns.items():
        if not table_of(column).snapshot.documents.any():
            raise InputError(
                code="column-empty",
                message=f"column {name!r} is missing in every document",
                hint=f"do not name it, or ignore=[{name!r}] where kinds are guessed;"
                f" these are read as missing: {', '.join(map(repr, model.schema.missing))}",
            )


# ---- stop words by frequency -------------------------------------------------------------------------------------


def _most_frequent(batches: Iterable[Batch], settled: _Settled, threads: int) -> dict[str, list[str]]:
    """For each text column whose analyzer wants its most frequent words as stop words, its words, most frequent first.

    That takes a pass of its own.
    """
    if not any(each.is_open for each in (settled.otherwise, *settled.analyzers.values())):
        return {}
    counts: dict[str, Counts] = {}
    for batch in batches:
        for name, kind in settled.schema(batch.schema).texts.items():
            values = batch.columns[name]
            assert isinstance(values, Texts)
            words, rows = present(values)
            simple = Analyzer(lowercase=kind.analyzer.lowercase, punctuation=kind.analyzer.punctuation)
            table = counts.setdefault(name, Counts())
            table.count(words, table.label_ids([""] * len(rows)), None, simple.analysis, threads)
    return {name: _by_frequency(table) for name, table in counts.items()}


def _by_frequency(counts: Counts) -> list[str]:
    often = counts.snapshot.term_totals("tf")
    order = np.argsort(-often.astype(np.int64), kind="stable")  # of equal ones the first seen comes first
    return counts.table.texts(order.astype(np.uint32))


def _closed(schema: Schema, frequent: Mapping[str, list[str]]) -> Schema:
    """The schema with stop words in place of a number of them."""
    columns = {
        name: Text(kind.analyzer.settled(frequent[name])) if isinstance(kind, Text) and kind.analyzer.is_open else kind
        for name, kind in schema.columns.items()
    }
    return schema.with_columns(columns)

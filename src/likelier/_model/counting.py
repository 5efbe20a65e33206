"""Counting: the one pass over labelled documents that makes a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likelier._base.errors import InputError, SettingError
from likelier._base.threads import checked_threads
from likelier._counts.mixed import MixedCounts, present, table_of
from likelier._counts.pruning import Pruner, checked_most_terms
from likelier._counts.term_counts import Counts
from likelier._documents.batch import Batch, Stretches
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema, plain
from likelier._documents.values import Texts, Values
from likelier._estimate.numeric import NumericRule, numeric_rule
from likelier._model.models import Model, Path
from likelier._read.intake import Pairs, labelled
from likelier._read.reader import Documents
from likelier._settings.values import Settings
from likelier._text.analyzer import Analyzer, check_analyzer

Names = str | Sequence[str]
STRETCH = 16 << 20  # bytes of text that are counted between two looks whether there are too many terms


class Counting:
    """Labelled documents, and how they are to be counted."""

    def __init__(
        self,
        documents: Pairs | Documents | Path | Any | None = None,
        *,
        text: Names | Mapping[str, Analyzer] | None = None,
        numeric: Names | Mapping[str, NumericRule | str | Sequence[float]] = (),
        bind: Sequence[Sequence[str]] = (),
        analyzer: Analyzer | None = None,
        most_terms: int | None = None,
        threads: int | None = None,
        **reading: Any,
    ) -> None:
        """The arguments are those of `train`; `reading` has those that say what is read."""
        check_analyzer(analyzer)
        self.rules = {name: {"numeric": numeric_rule(rule)} for name, rule in _named(numeric).items()}
        self.batches = labelled(documents, text=text, numeric=numeric, **reading)
        self.names: Sequence[str] = getattr(self.batches, "names", ())
        self._source = self.batches
        self.threads = checked_threads(threads)
        self._most = checked_most_terms(most_terms)
        self._analyzers, self._otherwise, self._bind = _analyzers(text), analyzer or Analyzer(), bind
        self._frequent: dict[str, list[str]] | None = None

    def model(self, *, ledger: bool = True, widened: Callable[[Schema], Schema] = lambda schema: schema) -> Model:
        """A model of all documents; `widened` says what more is counted."""
        model: Model | None = None
        self.find_stop_words()
        limit = _Limit(self._most)
        for batch in self.batches:
            if model is None:
                model = Model(schema=widened(self.schema(batch.schema)), ledger=ledger)
                limit.hold(_text_tables(model))
            for part in limit.parts(batch if batch.schema is None else batch.under(model.schema)):
                model.count(part, self.threads)
        limit.prune()
        if model is None or not model.labels:
            raise InputError(
                code="no-documents",
                message="a model is trained on at least one document, got none",
                hint='train([("text", "label"), ...])',
            )
        _check_columns(model)
        if self.rules:
            model.set_view(columns=self.rules)
        model.note("train", documents=model.documents, sources=self.names)
        return model

    def tell(self, doing: str | None) -> None:
        """Says what is done with documents that were read, for those who watch."""
        if isinstance(self._source, Documents):
            self._source.doing = doing

    def schema(self, found: Schema | None) -> Schema:
        """The schema with analyzers and bound columns; None stands for plain texts."""
        schema = plain(self._otherwise) if found is None else found.with_columns(self._with_analyzers(found))
        return _closed(schema.bound(self._bind), self._frequent or {})

    def _with_analyzers(self, found: Schema) -> dict[str, Any]:
        return {
            name: replace(kind, analyzer=self._analyzers.get(name, self._otherwise)) if isinstance(kind, Text) else kind
            for name, kind in found.columns.items()
        }

    def find_stop_words(self) -> None:
        """Where the most frequent words are stop words, finds them, which takes a pass of its own."""
        is_open = any(each.is_open for each in (self._otherwise, *self._analyzers.values()))
        if is_open and self._frequent is None:
            self._frequent = self._most_frequent()

    def _most_frequent(self) -> dict[str, list[str]]:
        """The words of each text column, most frequent first."""
        counts: dict[str, Counts] = {}
        limit = _Limit(self._most)
        for batch in self.batches:
            texts = self.schema(batch.schema).texts
            if not counts:
                counts = {name: Counts() for name in texts}
                limit.hold(counts.values())
            for part in limit.parts(batch):
                for name, kind in texts.items():
                    _count_words(counts[name], part.columns[name], kind.analyzer, self.threads)
        return {name: _by_frequency(table) for name, table in counts.items()}


class _Limit:
    """A limit to how many terms each text column has, if there is one."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._stretches = Stretches(None if most is None else STRETCH)
        self._pruners: list[Pruner] = []

    def hold(self, tables: Iterable[Counts]) -> None:
        """From now on these tables are kept within the limit."""
        self._pruners = [] if self._most is None else [Pruner(table, self._most) for table in tables]

    def parts(self, batch: Batch) -> Iterator[Batch]:
        """The batch in pieces, which must be counted one by one."""
        for part, is_full in self._stretches.cut(batch):
            yield part
            if is_full:
                self.prune()

    def prune(self) -> None:
        """Drops the rarest terms where there are too many."""
        for pruner in self._pruners:
            pruner.prune()


def _text_tables(model: Model) -> list[Counts]:
    if isinstance(model.counts, Counts):
        return [model.counts]
    return [table_of(model.counts.columns[name]) for name in model.schema.texts]


def counted_for(schema: Schema, settings: Settings) -> Schema:
    """The schema with all counted that the settings ask for."""
    columns = {}
    for name, kind in schema.columns.items():
        own = settings.of_column(name)
        columns[name] = Text(kind.analyzer, own.ngrams, own.weighting) if isinstance(kind, Text) else kind
    return schema.with_columns(columns)


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


def _count_words(table: Counts, values: Values, analyzer: Analyzer, threads: int) -> None:
    """Counts words as they stand in the texts."""
    assert isinstance(values, Texts)
    words, rows = present(values)
    simple = Analyzer(lowercase=analyzer.lowercase, punctuation=analyzer.punctuation)
    table.count(words, table.label_ids([""] * len(rows)), None, simple.analysis, threads)


def _by_frequency(counts: Counts) -> list[str]:
    often = counts.snapshot.term_totals("tf")
    order = np.argsort(-often.astype(np.int64), kind="stable")  # of equal ones the first seen comes first
    return counts.table.texts(order.astype(np.uint32))


def _closed(schema: Schema, frequent: Mapping[str, list[str]]) -> Schema:
    """The schema with stop words in place of a number of them."""
    columns = {
        name: replace(kind, analyzer=kind.analyzer.settled(frequent[name]))
        if isinstance(kind, Text) and name in frequent
        else kind
        for name, kind in schema.columns.items()
    }
    return schema.with_columns(columns)

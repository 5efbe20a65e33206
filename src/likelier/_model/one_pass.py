"""One pass over labeled documents makes a model.

    documents ──read──▶ batches ──with stop words──▶ schema ──count──▶ model

Training may look at a sample first and choose what is counted; dependence and scikit-learn's `TextCounts` count alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from likelier._base.checks import check_flag
from likelier._base.errors import error
from likelier._base.threads import checked_threads
from likelier._counts.frequent import by_frequency, count_words
from likelier._counts.pruning import Pruner, checked_most_terms
from likelier._counts.term_counts import TermCounts
from likelier._documents.batch import Batch, Stretches
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema, plain
from likelier._documents.values import Texts
from likelier._estimate.numeric import NumericRule, numeric_rule
from likelier._model.models import Model, Path
from likelier._read.cleaned import CleanedDocuments
from likelier._read.intake import Pairs, labeled
from likelier._read.reader import Documents
from likelier._settings.values import Settings
from likelier._show.progress import COUNTING, READING, Report, silent
from likelier._text.analyzer import Analyzer, check_analyzer

Names = str | Sequence[str]
STRETCH = 16 << 20  # bytes of text that are counted between two looks whether there are too many terms


def training_data(
    documents: Pairs | Documents | Path | Any | None = None,
    *,
    text: Names | Mapping[str, Analyzer] | None = None,
    numeric: Names | Mapping[str, NumericRule | str | Sequence[float]] = (),
    bind: Sequence[Sequence[str]] = (),
    analyzer: Analyzer | None = None,
    most_terms: int | None = None,
    threads: int | None = None,
    clean_labels: bool = False,
    like: Model | None = None,
    **reading: Any,
) -> TrainingData:
    """Documents to be read and counted. The arguments are those of `train`; `reading` has those of `labeled`.

    like: what to read and to count, as another model does; then no other columns and analyzers may be given.
    """
    if like is not None:
        reading["schema"] = like.schema
    check_flag("clean_labels", clean_labels)
    return to_count(
        labeled(documents, text=text, numeric=numeric, **reading),
        text=text,
        numeric=numeric,
        bind=bind,
        analyzer=analyzer,
        most_terms=most_terms,
        threads=threads,
        clean_labels=clean_labels,
        like=like,
    )


def to_count(
    source: Iterable[Batch],
    *,
    text: Names | Mapping[str, Analyzer] | None = None,
    numeric: Names | Mapping[str, NumericRule | str | Sequence[float]] = (),
    bind: Sequence[Sequence[str]] = (),
    analyzer: Analyzer | None = None,
    most_terms: int | None = None,
    threads: int | None = None,
    clean_labels: bool = False,
    like: Model | None = None,
) -> TrainingData:
    """Documents that are being read, and how they are to be counted; arguments as for `training_data`."""
    check_analyzer(analyzer)
    rules = {name: {"numeric": numeric_rule(rule)} for name, rule in _named(numeric).items()}
    known = like.labels if like is not None and like.schema.clean_labels else None
    clean_labels = clean_labels or known is not None
    return TrainingData(
        source=source,
        batches=CleanedDocuments(source, known) if clean_labels else source,
        clean_labels=clean_labels,
        rules=rules,
        analyzers=_analyzers(text),
        analyzer=analyzer or Analyzer(),
        bind=bind,
        most_terms=checked_most_terms(most_terms),
        threads=checked_threads(threads),
        like=None if like is None else replace(like.schema, text=None),
    )


@dataclass(frozen=True)
class TrainingData:
    """Labeled documents, and how they are to be counted.

    source      what the documents are read from
    batches     the documents to count: the source, or what of it is in memory already
    rules       the settings of numeric columns that were given
    analyzers   of text columns that have their own
    analyzer    of the others
    like        what is counted, where that is given as a whole
    frequent    the words of each text column, most frequent first; None: not needed, or not known yet
    documents   how many there are, if it is known
    report      gets how far the work has come
    """

    source: Iterable[Batch]
    batches: Iterable[Batch]
    rules: Mapping[str, dict[str, Any]]
    analyzers: Mapping[str, Analyzer]
    analyzer: Analyzer
    bind: Sequence[Sequence[str]]
    most_terms: int | None
    threads: int
    frequent: Mapping[str, list[str]] | None = None
    like: Schema | None = None
    clean_labels: bool = False
    documents: int | None = None
    report: Report = silent

    def model(
        self,
        *,
        ledger: bool = True,
        settings: Settings | None = None,
        fill: Callable[[Model], None] | None = None,
    ) -> Model:
        """A model of all documents, with all counted that the settings ask for; these it does not have yet.

        fill: puts the counts of all documents into the model, where they are known already.
        """
        data = self.with_stop_words()
        model: Model | None = None
        limit, documents = _Limit(data.most_terms), 0
        for batch in data.batches:
            data.report_read(documents if fill is None else 0)  # which counts all at once
            documents += len(batch)
            if model is None:
                schema = data.schema(batch.schema)
                if settings is not None and data.like is None:
                    schema = _counted_for(schema, settings)
                model = Model(schema=replace(schema, clean_labels=data.clean_labels), ledger=ledger)
                limit.hold(_text_tables(model))
            if model.schema.text is None and batch.text is not None:
                model.schema = replace(model.schema, text=batch.text)
            if fill is not None:
                continue
            is_bound = batch.schema is None or data.like is not None
            for part in limit.parts(batch if is_bound else batch.under(model.schema)):
                model.count(part, data.threads)
        limit.prune()
        if model is not None and fill is not None:
            fill(model)
        if model is None or not model.labels:
            raise error("no-documents")
        _check_columns(model)
        if data.rules:
            model.set_view(columns=data.rules)
        model.note("train", documents=model.documents, sources=getattr(data.source, "names", ()))
        return model

    def report_read(self, documents: int) -> None:
        """Reports that this number of documents went by."""
        if self.documents is not None:
            self.report(documents, self.documents, COUNTING)
        elif isinstance(self.source, Documents):
            self.report(*self.source.so_far())
        else:
            self.report(documents, None, READING)

    def schema(self, found: Schema | None) -> Schema:
        """The schema with analyzers and bound columns; None stands for plain texts."""
        if self.like is not None:
            return self.like
        schema = plain(self.analyzer) if found is None else found
        own = {} if found is None else self.analyzers
        columns = {
            name: replace(kind, analyzer=self._settled(name, own.get(name, self.analyzer)))
            if isinstance(kind, Text)
            else kind
            for name, kind in schema.columns.items()
        }
        return schema.with_columns(columns).bound(self.bind)

    def _settled(self, name: str, analyzer: Analyzer) -> Analyzer:
        """The analyzer with stop words in place of a number of them, where they are known."""
        frequent = (self.frequent or {}).get(name)
        return analyzer if frequent is None else analyzer.settled(frequent)

    def with_stop_words(self) -> TrainingData:
        """The same, with the most frequent words where they are to be stop words; finding them takes a pass."""
        is_open = any(each.is_open for each in (self.analyzer, *self.analyzers.values()))
        return replace(self, frequent=self._most_frequent()) if is_open and self.frequent is None else self

    def _most_frequent(self) -> dict[str, list[str]]:
        """The words of each text column, most frequent first."""
        counts: dict[str, TermCounts] = {}
        limit = _Limit(self.most_terms)
        for batch in self.batches:
            texts = self.schema(batch.schema).texts
            if not counts:
                counts = {name: TermCounts() for name in texts}
                limit.hold(counts.values())
            for part in limit.parts(batch):
                for name, kind in texts.items():
                    values = part.columns[name]
                    assert isinstance(values, Texts)
                    count_words(counts[name], values.present()[0], kind.analyzer, self.threads)
        return {name: by_frequency(table) for name, table in counts.items()}


class _Limit:
    """A limit to how many terms each text column has, if there is one."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._stretches = Stretches(None if most is None else STRETCH)
        self._pruners: list[Pruner] = []

    def hold(self, tables: Iterable[TermCounts]) -> None:
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


def _text_tables(model: Model) -> list[TermCounts]:
    return [model.counts.columns[name] for name in model.schema.texts]


def _counted_for(schema: Schema, settings: Settings) -> Schema:
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
            raise error("text-analyzers", got=analyzer, name=name)
    return dict(_named(text))


def _check_columns(model: Model) -> None:
    """A column without a single value can only be a mistake."""
    if model.schema.is_plain:
        return
    for name, table in model.counts.columns.items():
        if not table.snapshot.documents.any():
            raise error("column-empty", name=name, missing=", ".join(map(repr, model.schema.missing)))


# ---- stop words by frequency -------------------------------------------------------------------------------------

"""Where the naive assumption hurts: columns and terms that depend on each other although the label is known.

Naive Bayes multiplies P(x|c) P(y|c) where P(x,y|c) would be right. For each pair stands here how much one says about
the other (`information`), what changes when the two are judged as one (`cells`, `changed`, `trials`), and what can be
done about it (`bind`, `drop`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from likelier._base.checks import has_entries, whole_number
from likelier._base.errors import InputError, SettingError
from likelier._base.threads import checked_threads
from likelier._counts.mixed import MixedCounts
from likelier._counts.term_counts import Counts, Number
from likelier._documents.kinds import NO, YES
from likelier._documents.labels import Label
from likelier._estimate.numeric import NumericRule
from likelier._estimate.parts import Estimates
from likelier._evaluate.dependence.cells import JointTable, plain_number
from likelier._evaluate.dependence.columns import Columns, columns_of
from likelier._evaluate.dependence.finding import Candidate, of_columns, of_neighbours, of_terms
from likelier._evaluate.dependence.looks import ColumnLook
from likelier._evaluate.dependence.pair import Pair
from likelier._evaluate.dependence.pairs import ColumnPair, TermPair
from likelier._evaluate.dependence.showing import rendered
from likelier._evaluate.dependence.source import Source, counted
from likelier._evaluate.dependence.terms import Phrase, forms, needs_documents, phrases
from likelier._evaluate.dependence.trials import Look, Trials, folds_for, tried
from likelier._evaluate.dependence.wordlooks import TermLook
from likelier._model.counting import Counting, Names
from likelier._model.estimates import estimates
from likelier._model.models import Model
from likelier._model.view import View
from likelier._read.intake import labelled
from likelier._settings.values import Settings, check_names
from likelier._text.analyzer import Analyzer


class Dependence:
    """Pairs that depend on each other, those that repeat each other most first; `print` shows them as a table.

    documents  how many were looked at, by weight
    labels     the labels
    """

    def __init__(self, pairs: Sequence[Pair], documents: Number, labels: Sequence[Label]) -> None:
        self.pairs = list(pairs)
        self.documents, self.labels = documents, tuple(labels)

    def to_dict(self, *, cells: bool = False) -> dict[str, Any]:
        """Plain JSON values; with the cells of all pairs if wanted."""
        return {
            "documents": plain_number(self.documents),
            "labels": list(self.labels),
            "pairs": [pair.to_dict(cells=cells) for pair in self.pairs],
        }

    def __str__(self) -> str:
        return rendered(self.pairs, self.documents)

    def __repr__(self) -> str:
        return f"<Dependence: {len(self.pairs)} pairs in {plain_number(self.documents)} documents>"

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)


def dependence(
    model_or_data: Any,
    documents: Any = None,
    *,
    label: str | None = None,
    text: Names | Mapping[str, Analyzer] | None = None,
    categorical: Names | Mapping[str, Sequence[str]] = (),
    binary: Names = (),
    numeric: Names | Mapping[str, NumericRule | str | Sequence[float]] = (),
    ignore: Names = (),
    weights: Iterable[float] | None = None,
    analyzer: Analyzer | None = None,
    view: Mapping[str, Any] | None = None,
    most: int = 20,
    terms: int = 2000,
    threads: int | None = None,
) -> Dependence:
    """Where columns and terms depend on each other although the label is known, and what to do about it.

    model_or_data: labelled documents, as for `train`; or a model, for its columns, analyzers and settings.
    documents: with a model, the labelled documents to look at: its counts do not hold what stands together, and the
        figures are those of a model of these documents. A model of texts that counts pairs of words needs none.
    label, text, categorical, binary, numeric, ignore, weights, analyzer: as for `train`.
    view: settings as for `model.view`, such as {"alpha": 0, "prior": "uniform"}.
    most: how many pairs to look at closely.
    terms: how many terms of each text column are looked at in pairs, by how many documents have them.

    >>> rows = [({"a": n % 2, "b": n % 2, "c": n % 3 > 0}, "even" if n % 4 < 2 else "odd") for n in range(60)]
    >>> pair = dependence(rows).pairs[0]
    >>> pair.first, pair.second, round(pair.bits, 3)
    ('a', 'b', 1.0)
    >>> pair.bind()
    {'bind': [('a', 'b')]}
    """
    _check_sizes(most, terms)
    used = checked_threads(threads)
    kinds: dict[str, Any] = {"text": text, "categorical": categorical, "binary": binary, "numeric": numeric}
    kinds["ignore"] = ignore
    if not (weights is None or has_entries(weights)):
        raise InputError(
            code="column-kind",
            message=f"`weights` must have one entry for each document, got {weights!r:.60}",
            hint="give a list",
        )
    weighed = None if weights is None else list(weights)
    if isinstance(model_or_data, Model | View):
        _check_kinds(kinds, analyzer)
        settings = _settings(model_or_data, view)
        if documents is None:
            return _of_model(model_or_data, settings, most, terms)
        source = _under(model_or_data, _kept(documents), label, text, weighed, used)
        return _found(source, settings, most, terms, used)
    if documents is not None:
        raise InputError(
            code="dependence-documents",
            message=f"`documents` go with a model, got them with {type(model_or_data).__name__}",
            hint="dependence(documents), or dependence(model, documents)",
        )
    data = _kept(model_or_data)
    counting = Counting(data, label=label, weights=weighed, analyzer=analyzer, threads=used, **kinds)
    model = counting.model(ledger=False)
    options = kinds if model.schema.is_plain else {"schema": model.schema}
    source = Source(labelled(data, label=label, weights=weighed, **options), model, weighed is not None)
    return _found(source, _settings(model, view), most, terms, used)


def _under(model: Model | View, documents: Any, label: Any, text: Any, weights: Any, threads: int) -> Source:
    """Documents as a model reads them, counted anew: the figures are those of a model of these documents."""
    options: dict[str, Any] = {"text": text} if model.schema.is_plain else {"schema": model.schema}
    batches = labelled(documents, label=label, weights=weights, **options)
    return Source(batches, counted(batches, model.schema, threads), weights is not None)


# ---- what was asked ----------------------------------------------------------------------------------------------


def _check_sizes(most: object, terms: object) -> None:
    for name, value, least in (("most", most, 1), ("terms", terms, 2)):
        number = whole_number(value)
        if number is None or number < least:
            raise SettingError(
                code="dependence-size",
                message=f"`{name}` must be a whole number of {least} or more, got {value!r}",
                hint="dependence(documents, most=20, terms=2000)",
            )


def _check_kinds(kinds: Mapping[str, Any], analyzer: Analyzer | None) -> None:
    given = [name for name, value in kinds.items() if name != "text" and value] + ["analyzer"] * (analyzer is not None)
    if given:
        raise InputError(
            code="dependence-kinds",
            message=f"a model has its own columns and analyzers, got `{given[0]}` with one",
            hint="dependence(model, documents), or dependence(documents, ...) with the columns",
        )


def _settings(model: Model | View, view: object) -> Settings:
    if view is None:
        return model.settings
    if not isinstance(view, Mapping):
        raise SettingError(
            code="dependence-view",
            message=f"`view` must be settings of a view, got {view!r:.60}",
            hint="view={'alpha': 0.5, 'prior': 'uniform'}",
        )
    check_names(view)
    return View(model.counts, model.schema, model.settings, **view).settings


def _kept(documents: Any) -> Any:
    """Documents that can be gone through more than once."""
    return list(documents) if isinstance(documents, Iterator) else documents


# ---- looking -----------------------------------------------------------------------------------------------------


def _found(source: Source, settings: Settings, most: int, terms: int, threads: int) -> Dependence:
    model = source.model
    columns = columns_of(source, settings)
    candidates = of_columns(source, columns, most)
    for name, kind in model.schema.texts.items():
        candidates += of_terms(source, name, kind.analyzer, terms, most, threads)
    best = sorted((each for each in candidates if each.repeated > 0), key=lambda each: each.rank)[:most]
    estimated = estimates(model.counts, model.schema, settings)
    pairs = _looked_at(source, columns, best, settings, estimated, threads) if best else []
    return Dependence(pairs, _documents(model.counts), model.labels)


def _documents(counts: Counts | MixedCounts) -> Number:
    return sum(counts.documents_per_label.values())


def _looked_at(
    source: Source,
    columns: Columns,
    best: Sequence[Candidate],
    settings: Settings,
    estimated: Estimates,
    threads: int,
) -> list[Pair]:
    model = source.model
    folds = folds_for(source)
    written = {
        name: forms(source, name, kind.analyzer, _words(best, name), threads)
        for name, kind in model.schema.texts.items()
    }
    looks: list[Look] = []
    for each in best:
        if each.column is None:
            looks.append(ColumnLook(each.first, each.second, settings, folds))
        else:
            analyzer, both = model.schema.texts[each.column].analyzer, (each.first, each.second)
            ways = list(phrases(*both, written[each.column]))
            looks.append(TermLook(each.column, both, ways, analyzer, len(model.labels), folds))
    trials = tried(source, columns, looks, settings, folds, threads)
    pairs: list[Pair] = []
    for each, look, trial in zip(best, looks, trials, strict=True):
        if isinstance(look, ColumnLook):
            values = columns.values[each.first], columns.values[each.second]
            table = JointTable((each.first, each.second), values, each.units, model.counts.unit, estimated, settings)
            pairs.append(ColumnPair(table, each.sample, each.tested, trial, columns.kinds, columns.intervals))
        else:
            beside = int(look.side_by_side[look.order])
            pairs.append(_of_terms(each, model, estimated, settings, trial, look.phrase, beside, written[look.column]))
    return pairs


def _words(best: Sequence[Candidate], column: str) -> list[str]:
    words = [word for each in best if each.column == column for word in (each.first, each.second)]
    return list(dict.fromkeys(words))


def _of_terms(
    candidate: Candidate,
    model: Model | View,
    estimated: Estimates,
    settings: Settings,
    trials: Trials | None,
    phrase: Phrase | None,
    beside: int,
    written: Mapping[str, list[str]],
) -> TermPair:
    names = candidate.first, candidate.second
    table = JointTable(names, ([NO, YES], [NO, YES]), candidate.units, model.counts.unit, estimated, settings)
    assert candidate.column is not None
    side_by_side = table.number(beside)
    return TermPair(
        table,
        candidate.sample,
        candidate.tested,
        trials,
        candidate.column,
        model.schema.texts,
        phrase,
        side_by_side,
        written,
    )


def _of_model(model: Model | View, settings: Settings, most: int, terms: int) -> Dependence:
    """From the counts of a model that has counted pairs of words."""
    counts = model.counts
    if not isinstance(counts, Counts) or model.schema.only_text.analyzer.ngram_range[1] < 2 or not counts.has_df:
        raise needs_documents()
    (column,) = model.schema.texts
    estimated = estimates(counts, model.schema, settings)
    pairs = []
    for each in of_neighbours(counts, column, 10 * terms, most):
        beside = int(each.units[:, 1, 1].sum())
        phrase = Phrase((f"{each.first} {each.second}",), f"{each.first}_{each.second}")
        pairs.append(_of_terms(each, model, estimated, settings, None, phrase, beside, {}))
    return Dependence(pairs, _documents(counts), counts.labels)

"""Where the naive assumption hurts: columns and terms that depend on each other although the label is known.

Naive Bayes multiplies P(x|c) P(y|c) where P(x,y|c) would be right. Each pair says how much one tells about the other,
what changes when the two are judged as one, and what can be done about it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from likelier._base.checks import whole_number
from likelier._base.errors import error
from likelier._base.threads import checked_threads
from likelier._counts.term_counts import Number
from likelier._documents.kinds import NO, YES
from likelier._documents.labels import Label
from likelier._estimate.numeric import NumericRule
from likelier._evaluate.dependence.corpus import ColumnValues, Corpus, column_values
from likelier._evaluate.dependence.information import Places, of_pairs
from likelier._evaluate.dependence.pairs import Pair
from likelier._evaluate.dependence.terms import TermFinder, frequent_terms, words_only
from likelier._evaluate.dependence.trials import plain, shown, try_remedies
from likelier._model.models import Model
from likelier._model.one_pass import Names, training_data
from likelier._model.view import View
from likelier._settings.values import Settings, check_names
from likelier._show.cells import cut
from likelier._show.table import Table
from likelier._text.analyzer import Analyzer

MOST_PAIRS = 8192  # of terms, counted by label
MOST_BYTES = 2**28
NAME = 34  # most cells of a pair in the table


class Dependence:
    """Pairs that depend on each other, those that repeat each other most first; `print` shows them as a table.

    documents  how many were looked at, by weight
    labels     the labels
    """

    def __init__(self, pairs: Sequence[Pair], documents: Number, labels: Sequence[Label]) -> None:
        self.pairs, self.documents, self.labels = list(pairs), documents, tuple(labels)

    def to_dict(self, *, cells: bool = False) -> dict[str, Any]:
        """Plain JSON values; with the cells of all pairs if wanted."""
        pairs = [pair.to_dict(cells=cells) for pair in self.pairs]
        return {"documents": plain(self.documents), "labels": list(self.labels), "pairs": pairs}

    def __str__(self) -> str:
        return _rendered(self.pairs, self.documents)

    def __repr__(self) -> str:
        return f"<Dependence: {len(self.pairs)} pairs in {plain(self.documents)} documents>"

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

    model_or_data: labeled documents, as for `train`; or a model, for its columns, analyzers and settings.
    documents: with a model, the labeled documents to look at. The figures are those of a model of these documents.
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
    for name, value, least in (("most", most, 1), ("terms", terms, 2)):
        if (number := whole_number(value)) is None or number < least:
            raise error("dependence-size", name=name, least=least, got=value)
    used, weighted = checked_threads(threads), weights is not None
    kinds: dict[str, Any] = {"categorical": categorical, "binary": binary, "numeric": numeric, "ignore": ignore}
    reading: dict[str, Any] = {"label": label, "weights": weights, "threads": used}
    if isinstance(model_or_data, Model | View):
        given = [name for name, value in (kinds | {"analyzer": analyzer}).items() if value]
        batches, model = _read(model_or_data, documents, given, reading | {"text": text})
        settings = model_or_data.settings
    else:
        if documents is not None:
            raise error("dependence-documents", got=model_or_data)
        counting = training_data(model_or_data, text=text, analyzer=analyzer, **kinds, **reading)
        batches, model = counting.batches, counting.model(ledger=False)
        settings = model.settings
    settings = settings if view is None else _settings(model, view)
    return _found(Corpus(batches, View(model.counts, model.schema, settings), weighted, used), most, terms)


def _read(model: Model | View, documents: Any, given: Sequence[str], reading: Mapping[str, Any]) -> tuple[Any, Model]:
    """The documents as a model reads them, and the model of these."""
    if given:
        raise error("dependence-kinds", got=given[0])
    if documents is None:
        raise error("dependence-needs-documents")
    schema, options = model.schema, dict(reading)
    if not schema.is_plain:
        options |= {"schema": schema, "text": None}
    batches, counted = training_data(documents, **options).batches, Model(schema=schema, ledger=False)
    for batch in batches:
        counted.count(batch, options["threads"])
    if not counted.labels:
        raise error("no-documents.dependence")
    return batches, counted


def _settings(model: Model, view: object) -> Settings:
    if not isinstance(view, Mapping):
        raise error("dependence-view", got=view)
    check_names(view)
    return View(model.counts, model.schema, model.settings, **view).settings


# ---- looking -----------------------------------------------------------------------------------------------------


def _found(corpus: Corpus, most: int, terms: int) -> Dependence:
    columns = column_values(corpus)
    pairs = _of_columns(corpus, columns, most) if len(columns.values) > 1 else []
    for name, kind in corpus.view.schema.texts.items():
        pairs += _of_terms(corpus, columns, name, kind.analyzer, terms, most)
    best = sorted((pair for pair in pairs if pair.repeated > 0), key=lambda pair: pair.rank)[:most]
    if best:
        try_remedies(corpus, columns, best)
    return Dependence(best, corpus.documents, corpus.view.labels)


def _of_columns(corpus: Corpus, columns: ColumnValues, most: int) -> list[Pair]:
    ends = np.cumsum([len(values) for values in columns.values.values()])
    places = {name: slice(end - len(columns.values[name]), end) for name, end in zip(columns.values, ends, strict=True)}
    tested = len(ends) * (len(ends) - 1) // 2
    sums, weight, rows = _together(corpus, columns.find, int(ends[-1]), len(corpus.view.labels))
    found = []
    for names in combinations(columns.values, 2):
        units = sums[:, places[names[0]], places[names[1]]].astype(np.uint64)
        sample = corpus.sample(float(units.sum()), weight, rows)
        values = columns.values[names[0]], columns.values[names[1]]
        found.append(Pair(corpus.view, names, None, values, units, sample, tested, columns))
    return sorted(found, key=lambda pair: pair.rank)[:most]


def _together(corpus: Corpus, find: Any, things: int, labels: int) -> tuple[Any, float, int]:
    """How often each two things occur together (labels, things, things); documents by weight and by number.

    With one label, all documents have it. Weights are in units, beyond 32 bits; floats are exact up to 2**53.
    """
    sums = np.zeros((labels, things, things), dtype=np.float64 if corpus.weighted else np.uint32)
    weight, rows = 0.0, 0
    for label, there, weights in corpus.by_label(find, things, labels == 1):
        rows, weight = rows + int((weights > 0).sum()), weight + float(weights.sum())
        weighed = there * weights[:, np.newaxis].astype(there.dtype)
        np.add(sums[label], weighed.T @ there, out=sums[label], casting="unsafe")
    return sums, weight, rows


def _of_terms(
    corpus: Corpus, columns: ColumnValues, column: str, analyzer: Analyzer, terms: int, most: int
) -> list[Pair]:
    """The pairs of terms of a text column that occur together more often than chance would have it.

    First all pairs of terms with the labels left aside, for there may be many labels; then the best of them by label.
    """
    names, labels = frequent_terms(corpus, column, analyzer, terms), len(corpus.view.labels)
    if len(names) < 2:
        return []
    finder = TermFinder(column, names, words_only(analyzer), corpus.threads)
    pooled, weight, rows = _together(corpus, finder.find, len(names), 1)
    first, second = _strongest(pooled[0], weight, max(min(MOST_PAIRS, MOST_BYTES // 8 // max(labels, 1)), 1))
    alone, both, documents = np.zeros((labels, len(names))), np.zeros((labels, len(first))), np.zeros(labels)
    for label, there, weights in corpus.by_label(finder.find, len(names)):
        weighed = there * weights[:, np.newaxis].astype(there.dtype)
        alone[label] += weighed.sum(axis=0)
        both[label] += (weighed[:, first] * there[:, second]).sum(axis=0)
        documents[label] += weights.sum()
    sample = corpus.sample(weight, weight, rows)
    nats, shares, degrees = of_pairs(alone, both, documents, first, second)
    repeated = (nats - degrees / (2 * max(sample, 1e-300))) * shares
    share = alone / np.maximum(documents, 1e-300)[:, np.newaxis]
    often = np.flatnonzero(both.sum(axis=0) > (share[:, first] * alone[:, second]).sum(axis=0))
    found = []
    for each in often[np.argsort(-repeated[often], kind="stable")][:most].tolist():
        a, b, ab = alone[:, first[each]], alone[:, second[each]], both[:, each]
        units = np.stack([documents - a - b + ab, b - ab, a - ab, ab], axis=1).reshape(-1, 2, 2).astype(np.uint64)
        two, tested = (names[first[each]], names[second[each]]), len(names) * (len(names) - 1) // 2
        found.append(Pair(corpus.view, two, column, ([NO, YES], [NO, YES]), units, sample, tested, columns))
    return found


def _strongest(together: Any, documents: float, most: int) -> tuple[Places, Places]:
    """The pairs of terms that repeat each other most when the labels are left aside."""
    first, second = np.triu_indices(len(together), 1)
    alone, both = np.diagonal(together).astype(np.float64), together[first, second].astype(np.float64)
    likely = both * documents > alone[first] * alone[second]
    first, second, both = first[likely], second[likely], both[likely]
    nats, shares, _ = of_pairs(alone[np.newaxis], both[np.newaxis], np.array([documents]), first, second)
    order = np.argsort(-nats * shares, kind="stable")[:most]
    return first[order], second[order]


# ---- the table ---------------------------------------------------------------------------------------------------


def _rendered(pairs: Sequence[Pair], documents: Number) -> str:
    """All pairs, columns and terms apart, and below what the columns of the table mean."""
    if not pairs:
        return f"no pair in {shown(documents)} documents depends on each other beyond chance"
    columns, terms = ([pair for pair in pairs if pair.kind == kind] for kind in ("columns", "terms"))
    several = len({pair.column for pair in terms}) > 1
    blocks = [f"pairs that depend on each other although the label is known, in {shown(documents)} documents"]
    blocks += [str(_table([_row(pair, several) for pair in some])) for some in (columns, terms) if some]
    legend = ["bits: what one says about the other; shared: which part of it that is"]
    legend += ["double: by how much the log-odds of the likeliest label are too high, because both count"]
    if columns:
        legend += ["chance: bits that chance alone would give; noise: no more than that"]
        legend += ["alone: documents in which the two, judged as one, decide otherwise than one by one"]
    if any(pair.dropped for pair in pairs):
        legend += ["as is, as one, dropped: documents in which the whole model is right,", f"  {pairs[0].trials.how}"]
    return "\n\n".join([*blocks, "\n".join(legend)])


def _row(pair: Pair, with_column: bool) -> dict[str, str]:
    noise = "" if pair.beyond_chance else "noise"
    name, bits = f"{pair.first} + {pair.second}", f"{pair.bits:.4f}"
    double = "-" if pair.double_count is None else f"{pair.double_count:+.2f}"
    rest = {"shared": f"{pair.shared:.0%}", "double": double}
    if pair.column is not None:
        name = f"{pair.column}: {name}" if with_column else name
        rest |= {"both in": shown(pair.together), "side by side": shown(pair.side_by_side)}
        row = {"terms": name, "bits": noise or bits, **rest}
    else:
        chance = noise or f"{pair.expected / math.log(2):.4f}"
        row = {"columns": name, "bits": bits, "chance": chance, **rest, "alone": shown(pair.changed)}
    for heading, trial in (("as is", pair.trials), ("as one", pair.trials.as_one), ("dropped", pair.dropped)):
        row[heading] = shown(trial.right) if trial and pair.dropped else "-"
    return row | {"best": f"drop {cut(pair.weaker, 16)}" if pair.remedy == "drop" else pair.remedy}


def _table(rows: Sequence[Mapping[str, str]]) -> Table:
    heading = list(rows[0])
    return Table(heading, [list(row.values()) for row in rows], range(1, len(heading) - 1), limits=((0, NAME),))

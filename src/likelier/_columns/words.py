"""A text column: its terms under an event model.

A batch of texts estimates the weights of the whole vocabulary once and lets the kernel add them up. A single text
estimates only those of its own terms that were not asked for before (`remembered.py`), so that learning and asking in
turn stays quick whatever the size of the model.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from likelier._answer.scores import Added, Part
from likelier._base.cached import cached_property
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._estimate.absence import columns
from likelier._estimate.bernoulli import absent
from likelier._estimate.estimator import Estimator
from likelier._estimate.exact import Exact
from likelier._estimate.remembered import Remembered
from likelier._estimate.smoothing import Rounded
from likelier._estimate.sparse import is_large
from likelier._estimate.view_vocabulary import KEPT, SKIPPED, UNKNOWN
from likelier._explain.build import Explained, MakeFactor, item
from likelier._explain.explanation import Factor, Item, Kind, Located, Power, Vocabulary
from likelier._kernel import Analysis, Table, score_postings, weigh
from likelier._text.analyzer import Analyzer
from likelier._text.texts import Texts, surrogate_error, text_at

Ints = NDArray[np.uint32]
MOST_OF_VOCABULARY = 60  # terms, up to which those that a text lacks are listed one by one


class Words(Part):
    """A text column."""

    of_terms: ClassVar = True

    def __init__(self, name: str, estimator: Estimator, analyzer: Analyzer) -> None:
        self.name, self.estimator, self.analyzer = name, estimator, analyzer
        self.counts = estimator.counts

    @cached_property
    def remembered(self) -> Remembered | None:
        """The weights of terms that single texts asked for.

        None where the counts are still those of a file, and where there is no weight for each term and label.
        """
        table = self.estimator.reading.snapshot.table
        if self.estimator.is_sparse or is_large(self.estimator):
            return None
        return Remembered(self.estimator, table, self.analyzer.analysis) if isinstance(table, Table) else None

    def add(self, values: Any, start: Floats, *, few: bool, threads: int) -> Added:
        """The terms of each text; one that is missing adds nothing."""
        ask = score_few if few else score_batch
        if not len(values.missing):
            return ask(self, values.texts, start, threads)
        texts, rows = values.present()
        some = ask(self, texts, start[rows], threads)
        sums, known = start.copy(), np.zeros(len(start), dtype=np.uint32)
        unknown = np.zeros_like(known)
        sums[rows], known[rows], unknown[rows] = some.values, some.known, some.unknown
        return Added(sums, known, unknown)

    def explained(self, values: Any, labels: tuple[Label, ...], *, plain: bool) -> Explained | None:
        """What the terms of one text add."""
        if len(values.missing):
            return None
        return _Words(self, text_at(values.texts, 0), labels, None if plain else self.name)


# ---- scores ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bag:
    """One text as the estimator sees it: known terms in order of first sight, and the unknown ones."""

    ids: Ints  # (known,)
    times: Floats  # (known,) how often the weight of each is added
    times_in_text: int  # how many tokens of the text are known terms
    unknown: list[str]
    unknown_times: list[int]
    unknown_weighed: float  # what they count in all
    skipped: list[str]  # what the view leaves out

    def unknown_total(self, estimator: Estimator) -> float:
        """How often the weight of an unknown term is added."""
        return float(estimator.unknown_times(*self._of_unknown())[0])

    def _of_unknown(self) -> tuple[Floats, Ints]:  # (1,)
        return np.array([self.unknown_weighed]), np.array([len(self.unknown)], dtype=np.uint32)

    def finished(self, estimator: Estimator, sums: Floats) -> Floats:  # (1, columns) -> (labels,)
        """The log scores from what the known terms add up to."""
        weighed, distinct = self._of_unknown()
        return np.asarray(estimator.finish(sums, distinct, weighed)[0])


def bag(estimator: Estimator, text: str, analysis: Analysis) -> Bag:
    """One text's terms, split by whether this view knows them."""
    reading = estimator.reading
    try:
        ids, times, new = reading.snapshot.table.bag(text, analysis)
    except UnicodeEncodeError:
        raise surrogate_error([text]) from None
    states = reading.states_of(ids)
    known, unknown = states == KEPT, states == UNKNOWN
    there = ids[~known & (ids < reading.snapshot.ids)]
    names = dict(zip(there.tolist(), reading.names(there), strict=True))
    names.update(zip(ids[ids >= reading.snapshot.ids].tolist(), new, strict=True))
    return Bag(
        ids[known],
        weigh(times[known], estimator.scale),
        int(times[known].sum()),
        [names[term_id] for term_id in ids[unknown].tolist()],
        times[unknown].tolist(),
        float(weigh(times[unknown], estimator.scale).sum()),  # exact: all are multiples of 1/65536
        [names[term_id] for term_id in ids[states == SKIPPED].tolist()],
    )


def score_one(estimator: Estimator, found: Bag, start: Floats) -> Floats:  # (1, labels) -> (labels,)
    """The log scores of one text, from its own terms alone."""
    grown = len(found.unknown) if estimator.unknown == "grow" else 0
    return found.finished(estimator, estimator.add(start, found.ids, found.times, grown))


def score_few(part: Words, texts: Texts, start: Floats, threads: int) -> Added:
    """The log scores of a few texts, one by one."""
    values = start.copy()
    known, unknown = (np.zeros(len(start), dtype=np.uint32) for _ in range(2))
    for row in range(len(texts)):
        values[row], known[row], unknown[row] = _of_one(part, text_at(texts, row), start[row : row + 1])
    return Added(values, known, unknown)


def _of_one(
    part: Words, text: str, start: Floats
) -> tuple[Floats, int, int]:  # (1, labels) -> (labels,), known, unknown
    """The log scores of one text, by the weights that are remembered; each term is estimated once."""
    estimator, remembered = part.estimator, part.remembered
    if remembered is not None:
        try:
            sums, known, unknown, distinct, weighed, *_ = remembered.sums(text, estimator.base(start)[0])
        except UnicodeEncodeError:
            raise surrogate_error([text]) from None
        if not distinct or estimator.unknown != "grow":  # every likelihood is another when |V| grows
            of_unknown = np.array([distinct], dtype=np.uint32), np.array([weighed])
            return estimator.finish(sums[np.newaxis], *of_unknown)[0], known, unknown
    found = bag(estimator, text, part.analyzer.analysis)
    return score_one(estimator, found, start), found.times_in_text, sum(found.unknown_times)


def score_batch(part: Words, texts: Texts, start: Floats, threads: int) -> Added:
    """The log scores of many texts."""
    estimator, analysis = part.estimator, part.analyzer.analysis
    if not estimator.is_sparse and is_large(estimator):
        return score_few(part, texts, start, threads)
    try:
        sums, known, unknown, distinct, weighed = _sums(estimator, texts, analysis, start, threads)
    except UnicodeEncodeError:
        assert isinstance(texts, list)  # columns are valid Unicode
        raise surrogate_error(texts) from None
    if estimator.unknown != "grow":
        return Added(estimator.finish(sums, distinct, weighed), known, unknown)
    values = estimator.finish(sums, np.zeros_like(distinct), np.zeros_like(weighed))
    for row in np.flatnonzero(distinct).tolist():  # every likelihood is another when |V| grows
        values[row] = score_one(estimator, bag(estimator, text_at(texts, row), analysis), start[row : row + 1])
    return Added(values, known, unknown)


def _sums(
    estimator: Estimator, texts: Texts, analysis: Analysis, start: Floats, threads: int
) -> tuple[Floats, Ints, Ints, Ints, Floats]:
    """As the kernel gives them."""
    table, scale = estimator.counts.table, estimator.scale
    if not estimator.is_sparse:
        weights = estimator.weights
        return table.score(texts, analysis, weights.rows, weights.kept, estimator.base(start), scale, threads)
    found = estimator.sparse.of_all
    terms, labels = (found.of_term, found.factor), (found.by_label, found.of_label)
    postings, states = (found.ends, found.columns, found.corrections), estimator.reading.states
    sums, known, unknown, distinct, weighed = score_postings(
        table, texts, analysis, terms, labels, postings, states, start, scale, threads
    )
    return estimator.base(sums), known, unknown, distinct, weighed


# ---- taken apart -------------------------------------------------------------------------------------------------


class _Words(Explained):
    """The terms of a text."""

    def __init__(self, part: Words, text: str, labels: tuple[Label, ...], column: str | None) -> None:
        self.estimator: Estimator = part.estimator
        self.found: Bag = bag(part.estimator, text, part.analyzer.analysis)
        read, spans = part.analyzer.locate(text)
        skipped = set(self.found.skipped)
        self.located: Located = read, [span for span in spans if span[0] not in skipped]
        self.read = self.located[0]
        self.labels = labels
        self.column = column
        self.names = part.estimator.reading.names(self.found.ids)
        self.exact = part.estimator.exact.holding(self.names)
        self.grown = len(self.found.unknown) if part.estimator.unknown == "grow" else 0

    def items(self) -> list[Item]:
        return [*self.terms(), *self.absent(), *self.unknown()]

    def _item(self, kind: Kind, name: str, weights: Floats, factor: MakeFactor | None, **more: Any) -> Item:
        return item(kind, name, self.labels, weights, factor, column=self.column, **more)

    def _factor_of(self, term: str | None, held: Exact | None = None) -> MakeFactor:
        exact, grown, is_long = held or self.exact, self.grown, not self.estimator.has_whole_counts

        def factor(column: int) -> Factor:
            value = exact.likelihood(term, column, grown)
            return Factor(exact.formula(term, column, grown), Rounded(value) if is_long else value)

        return factor

    def terms(self) -> list[Item]:
        estimator, ids = self.estimator, self.found.ids
        idf = estimator.idf_of(ids)
        weights = estimator.weight(estimator.ratio_of(ids, self.grown), idf)
        factors = np.ones(len(ids)) if idf is None else idf
        rows = zip(self.names, self.found.times.tolist(), weights, factors.tolist(), strict=True)
        return [
            self._item("term", name, row, self._factor_of(name), times=times, idf=idf) for name, times, row, idf in rows
        ]

    def absent(self) -> list[Item]:
        """Bernoulli: the terms of V that the text lacks."""
        if not self.estimator.absence:
            return []
        rows = np.hstack(columns(self.estimator.ratio_of(self.found.ids)))
        none = np.zeros(2 * len(self.labels))
        present, required = np.split(np.add.accumulate(np.vstack([none, rows]))[-1:], 2, axis=1)
        unknown = np.array([len(self.found.unknown)], dtype=np.uint32)
        weights = self.estimator.absence.of_texts(present, required, unknown)[0]
        lacking = self.estimator.reading.size - len(self.found.ids)
        lacking += self.estimator.unknown == "unk" and not self.found.unknown
        return [self._item("absent", f"{lacking} absent terms", weights, None, terms=lacking)]

    def unknown(self) -> list[Item]:
        if not self.found.unknown:
            return []
        names, times = self.found.unknown, self.found.unknown_total(self.estimator)
        factor = None if self.estimator.unknown in ("ignore", "zero") else self._factor_of(None)
        weights, idf = self.estimator.unknown_weight(len(names)), self.estimator.reading.idf
        of_unknown = 1.0 if idf is None else idf.of_unknown
        return [self._item("unknown", ", ".join(names), weights, factor, terms=len(names), times=times, idf=of_unknown)]

    def vocabulary(self) -> Vocabulary:
        """As many terms of V as a person would read."""
        estimator, reading = self.estimator, self.estimator.reading
        has_unk = estimator.unknown == "unk"
        with estimator.counts.gate.reading:
            present, first = set(self.found.ids.tolist()), reading.kept_ids[:MOST_OF_VOCABULARY]
            ids = np.array([each for each in first.tolist() if each not in present], dtype=np.uint32)
            lacking: list[str | None] = [*reading.names(ids)]
            exact = estimator.exact.holding(reading.names(ids))
            weights = np.zeros((len(ids), len(self.labels)))  # what is not there adds nothing
            if estimator.absence:
                weights = absent(estimator.ratio_of(ids))
            if has_unk and not self.found.unknown:
                lacking.append(None)
                of_unk = absent(estimator.unknown_ratio()) if estimator.absence else np.zeros((1, len(self.labels)))
                weights = np.vstack([weights, of_unk])
            items = [
                self._item(
                    "absent", term or "UNK", row, self._factor_of(term, exact), times=int(bool(estimator.absence))
                )
                for term, row in zip(lacking, weights, strict=True)
            ]
            return Vocabulary(reading.size + has_unk, [*reading.names(first), *["UNK"] * has_unk], items)

    # ---- exact ---------------------------------------------------------------------------------------------------

    def powers(self, column: int) -> list[Power]:
        """Every factor, and how often it is one."""
        estimator = self.estimator
        if estimator.normalize:
            raise error("normalized-not-exact")
        if estimator.scale == "log" or estimator.reading.idf is not None:
            raise error("weighted-not-exact")
        sign = -1 if estimator.event_name == "complement" else 1
        found = [
            (self.exact.likelihood(name, column, self.grown), sign * int(times))
            for name, times in zip(self.names, self.found.times.tolist(), strict=True)
        ]
        if self.found.unknown and estimator.unknown == "zero":
            return [(Fraction(0), 1)]
        if self.found.unknown and estimator.unknown != "ignore":
            unseen = self.exact.likelihood(None, column, self.grown)
            found.append((unseen, sign * int(self.found.unknown_total(estimator)) if unseen else 1))
        if not estimator.absence:
            return found
        with estimator.counts.gate.reading:
            return [*found, *self._absent_powers(column)]

    def _absent_powers(self, column: int) -> list[Power]:
        """Terms with the same counts have the same probability, so that each is worked out once."""
        reading = self.estimator.reading
        present = set(self.found.ids.tolist())
        absent = np.array([i for i in reading.kept_ids.tolist() if i not in present], dtype=np.uint32)
        rows = reading.snapshot.rows(absent, reading.statistic)
        alike = Counter(map(bytes, rows))
        example = dict(zip(map(bytes, rows), reading.names(absent), strict=True))
        found = [(1 - self.estimator.exact.likelihood(example[row], column), times) for row, times in alike.items()]
        if self.estimator.unknown == "unk" and not self.found.unknown:
            found.append((1 - self.estimator.exact.likelihood(None, column), 1))
        return found

"""Documents to log scores, one at a time or in batches, with the same numbers.

Scores start at the log prior, and each column adds its part to where the one before it ended.

A batch of texts estimates the weights of the whole vocabulary once and lets the kernel add them up. A single text
estimates only those of its own terms that were not asked for before (`estimate/remembered.py`), so that learning and
asking in turn stays quick whatever the size of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._counts.mixed import present
from likelier._documents.values import Choices, Numbers, Values
from likelier._documents.values import Texts as TextValues
from likelier._estimate.estimator import Estimator
from likelier._estimate.parts import Estimates, IntervalPart, NormalPart, Part, ValuePart, Words
from likelier._estimate.reading import KEPT, SKIPPED, UNKNOWN
from likelier._estimate.sparse import is_large
from likelier._kernel import Analysis, score_postings, weigh
from likelier._text.texts import Texts, surrogate_error, text_at

Ints = NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Log scores, and how many terms and values of each document are known and unknown."""

    values: Floats  # (documents, labels)
    known: Ints  # (documents,)
    unknown: Ints  # (documents, columns): each column has its own policy for them

    @classmethod
    def starting(cls, values: Floats, columns: int) -> Scores:
        """Scores to which no column has added anything yet."""
        documents = len(values)
        return cls(values, np.zeros(documents, dtype=np.uint32), np.zeros((documents, columns), dtype=np.uint32))


@dataclass(frozen=True, slots=True)
class Added:
    """Log scores with what one column adds, and how many of its terms are known and unknown."""

    values: Floats  # (documents, labels)
    known: Ints  # (documents,)
    unknown: Ints  # (documents,)


@dataclass(frozen=True, slots=True)
class Bag:
    """One text as the estimator sees it: known terms in order of first sight, and the unknown ones."""

    ids: Ints  # (known,)
    times: Floats  # (known,) how often the weight of each is added
    times_in_text: int  # how often any known term stands in the text
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
        float(weigh(times[unknown], estimator.scale).sum()),  # exact: all are whole numbers of 1/65536
        [names[term_id] for term_id in ids[states == SKIPPED].tolist()],
    )


def score_one(estimator: Estimator, found: Bag, start: Floats) -> Floats:  # (1, labels) -> (labels,)
    """The log scores of one text, from its own terms alone."""
    grown = len(found.unknown) if estimator.unknown == "grow" else 0
    return found.finished(estimator, estimator.add(start, found.ids, found.times, grown))


def score(estimates: Estimates, columns: Mapping[str, Values], *, few: bool, threads: int) -> Scores:
    """The log scores of documents. A few are answered by their own terms, many by the weights of all terms."""
    documents = len(next(iter(columns.values())))
    start = np.repeat(estimates.log_prior[np.newaxis], documents, axis=0)
    scores = Scores.starting(start, len(estimates.parts))
    for place, (name, part) in enumerate(estimates.parts.items()):
        added = _add(part, columns[name], scores.values, few=few, threads=threads)
        scores.unknown[:, place] = added.unknown
        scores = Scores(added.values, scores.known + added.known, scores.unknown)
    return scores


def _add(part: Part, values: Values, start: Floats, *, few: bool, threads: int) -> Added:
    """The scores with what one column adds."""
    if isinstance(part, Words):
        assert isinstance(values, TextValues)
        return _add_texts(part, values, start, few=few, threads=threads)
    if isinstance(part, NormalPart):
        assert isinstance(values, Numbers)
        there = (~np.isnan(values.numbers)).astype(np.uint32)
        return Added(start + part.weights(values.numbers), there, np.zeros_like(there))
    choices = part.choices(values) if isinstance(part, IntervalPart) and isinstance(values, Numbers) else values
    assert isinstance(choices, Choices)
    return _add_choices(part, choices, start)


def _add_choices(part: ValuePart, choices: Choices, start: Floats) -> Added:
    there = choices.which >= 0
    if len(there) == 1 and there[0]:
        weights, known = part.weights([choices.values[choices.which[0]]])
        return Added(start + weights, known.astype(np.uint32), (~known).astype(np.uint32))
    which = choices.which[there]
    asked = np.flatnonzero(np.bincount(which, minlength=1))
    place = np.zeros(len(choices.values) + 1, dtype=np.intp)
    place[asked] = np.arange(len(asked))
    weights, known = part.weights([choices.values[value] for value in asked.tolist()])
    values, seen = start.copy(), there.astype(np.uint32)
    values[there] += weights[place[which]]
    seen[there] = known[place[which]]
    return Added(values, seen, there - seen)


def _add_texts(part: Words, values: TextValues, start: Floats, *, few: bool, threads: int) -> Added:
    ask = score_few if few else score_batch
    if not len(values.missing):
        return ask(part, values.texts, start, threads)
    texts, rows = present(values)
    some = ask(part, texts, start[rows], threads)
    sums, known = start.copy(), np.zeros(len(start), dtype=np.uint32)
    unknown = np.zeros_like(known)
    sums[rows], known[rows], unknown[rows] = some.values, some.known, some.unknown
    return Added(sums, known, unknown)


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

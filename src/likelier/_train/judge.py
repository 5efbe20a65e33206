"""Judges settings by exact leave-one-out: each document of a sample by the counts of all others.

Counts are made once for each statistic that a weighting needs, with all n-grams that any candidate asks for; a view
reads of them what it asks for. Both priors are judged at once: scores under the fitted one are those under the uniform
one plus log N_c, with N_c as it is without the document, but for a number that is the same for all labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from likelier._answer.calibration import Discount, NoCalibration
from likelier._answer.posterior import rounded_distances
from likelier._base.cached import cached_property
from likelier._base.numbers import Floats
from likelier._columns.words import Words
from likelier._counts.by_column import Counts
from likelier._documents.kinds import Numeric, Text
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._documents.weights import Extra, extra
from likelier._estimate.smoothing import AbsoluteDiscounting, Additive, Smoothing
from likelier._evaluate.calibrate.discount import fit_discount
from likelier._evaluate.leaving.bags import Left, left_out
from likelier._evaluate.leaving.one_out import KnownColumns, Prepared, leave_one_out, prepare
from likelier._model.models import Model
from likelier._model.view import View
from likelier._settings.values import Settings
from likelier._train.candidates import FREQUENT, CandidateSettings
from likelier._train.sample import Sample, mixed

Rows = NDArray[np.intp]
DIGITS = 2  # of alpha
KEPT = 2  # models at a time
EXTRAS: tuple[Extra, ...] = get_args(Extra)
LEAST = 1e-9  # a probability; the logarithm of 0 would outweigh all other documents


@dataclass(frozen=True)
class JudgedSettings:
    """A candidate, and how it fared on the first documents in the order of the judge."""

    candidate: CandidateSettings
    settings: Settings
    scores: Floats  # (documents, labels), minus how far each label is behind the best
    truth: Rows  # (documents,)
    weights: Floats  # (documents,)
    known: NDArray[Any]  # (documents,) how many values and terms are known
    labels: tuple[Label, ...]

    def __len__(self) -> int:
        return len(self.truth)

    @cached_property
    def right(self) -> Floats:  # (documents,)
        """1 where the label with the highest score is the document's own."""
        return (self.scores.argmax(axis=1) == self.truth).astype(np.float64)

    @cached_property
    def accuracy(self) -> float:
        return float(np.average(self.right, weights=self.weights))

    @cached_property
    def rule(self) -> Discount | None:
        """Fitted to these documents; None if it takes more."""
        return fit_discount(self.scores, self.truth, self.known, self.weights)

    @cached_property
    def losses(self) -> Floats:  # (documents,)
        """-log P(true label), with calibrated probabilities."""
        probabilities = (self.rule or NoCalibration()).apply(self.scores, self.labels, known=self.known)
        return -np.log(np.maximum(probabilities[np.arange(len(self)), self.truth], LEAST))

    @cached_property
    def log_loss(self) -> float:
        return float(np.average(self.losses, weights=self.weights))


class CandidateJudge:
    """Judges candidates on a sample of documents."""

    def __init__(self, sample: Sample, base: Settings, threads: int) -> None:
        self.schema, self.base, self._threads = sample.schema, base, threads
        self._batch = sample.batch
        self._order = np.argsort(mixed(np.arange(len(sample), dtype=np.uint64)), kind="stable").astype(np.intp)
        self._models: dict[Extra, Model] = {}  # the last ones that were asked for
        self._means: dict[tuple[object, ...], float] = {}
        self._ready: dict[tuple[Extra, int], Prepared] = {}
        self._remembered: dict[int, KnownColumns] = {}  # by how many documents are judged
        self.wider = self._wider()
        counts = self._model(None).counts
        self.labels = counts.labels
        self.entries = self._entries(counts)
        self._frequent = self._most_frequent(counts)
        self._has_whole_counts = counts.sizes.unit == 1

    @property
    def work(self) -> float:
        """How many numbers it takes to judge a document."""
        return self.entries * len(self.labels)

    def _wider(self) -> tuple[int, int] | None:
        """N-grams one word longer than the analyzer's own, where they can be counted."""
        texts = list(self.schema.texts.values())
        if len(texts) != 1 or texts[0].analyzer.keeps_ngrams:
            return None
        low, high = texts[0].analyzer.ngram_range
        return low, high + 1

    def _statistic(self, wanted: Extra | None) -> Extra:
        """What to count beside occurrences and documents: where nothing is wanted, what is at hand."""
        return wanted or (list(self._models) or EXTRAS)[-1]

    def _model(self, wanted: Extra | None) -> Model:
        """The sample, counted. Of the extra statistics one is counted at a time; a few such models are kept."""
        statistic = self._statistic(wanted)
        model = self._models.pop(statistic, None)
        if model is None:
            for old in list(self._models)[: len(self._models) + 1 - KEPT]:
                del self._models[old]
                self._ready = {asked: ready for asked, ready in self._ready.items() if asked[0] != old}
            model = Model(schema=widened(self.schema, self.wider, statistic), ledger=False)
            model.count(self._batch, self._threads)
        self._models[statistic] = model  # the last
        return model

    def _entries(self, counts: Counts) -> float:
        """How many terms and values a document has on average."""
        tables = [counts.columns[name] for name, kind in self.schema.columns.items() if not isinstance(kind, Numeric)]
        found = sum(float(table.snapshot.totals("df").sum()) for table in tables)
        return found / max(float(counts.sizes.snapshot.documents.sum()), 1.0) + len(self.schema.columns)

    # ---- settings ------------------------------------------------------------------------------------------------

    def settings(self, candidate: CandidateSettings) -> Settings:
        """The candidate as settings of a view."""
        own = candidate.of_text(self.smoothing(candidate), self._frequent)
        changes: dict[str, Any] = {"prior": candidate.prior}
        if candidate.numeric is not None:
            changes["numeric"] = candidate.numeric
        if self.schema.is_plain:
            return self.base.changed(**changes, **own)
        changes["smoothing"] = Additive(_rounded(candidate.strength or 1.0))
        changes["columns"] = dict.fromkeys(self.schema.texts, own)
        return self.base.changed(**changes)

    def smoothing(self, candidate: CandidateSettings) -> Smoothing:
        """That of texts, or of values where there is no text."""
        if candidate.smoothing is not None:
            return candidate.smoothing
        return Additive(_rounded(candidate.strength * self._mean_weight(candidate)))

    def _mean_weight(self, candidate: CandidateSettings) -> float:
        """How much an occurrence of a term counts on average."""
        if candidate.weighting == "count" and not candidate.idf:
            return 1.0
        asked = candidate.orders, candidate.weighting, candidate.idf
        if asked not in self._means:
            self._means[asked] = self._found_mean_weight(candidate)
        return self._means[asked]

    def _found_mean_weight(self, candidate: CandidateSettings) -> float:
        plain = CandidateSettings(orders=candidate.orders)
        weighed = replace(plain, weighting=candidate.weighting, idf=candidate.idf)
        totals = [self._total(each) for each in (weighed, plain)]
        return totals[0] / totals[1] if totals[1] else 1.0

    def _total(self, candidate: CandidateSettings) -> float:
        own: dict[str, Any] = {"weighting": candidate.weighting, "idf": candidate.idf, "ngrams": candidate.orders}
        settings = self.base.changed(**own) if self.schema.is_plain else self._in_columns(own)
        model = self._model(extra(candidate.weighting))
        parts = View(model.counts, model.schema, settings).estimates.parts.values()
        return sum(float(part.estimator.sums.total.sum()) for part in parts if isinstance(part, Words))

    def _in_columns(self, own: dict[str, Any]) -> Settings:
        return self.base.changed(columns=dict.fromkeys(self.schema.texts, own))

    def _most_frequent(self, counts: Counts) -> tuple[str, ...]:
        """The words that occur in the most documents, most frequent first."""
        if len(self.schema.texts) != 1:
            return ()
        table = counts.columns[next(iter(self.schema.texts))]
        words = np.flatnonzero(table.snapshot.orders() == 1).astype(np.uint32)
        often = table.snapshot.sums_of_terms(words, "df").astype(np.int64)
        order = np.argsort(-often, kind="stable")[: max(FREQUENT)]
        return tuple(table.table.texts(words[order[often[order] > 0]]))

    def fits(self, candidate: CandidateSettings) -> bool:
        """Whether the counts have what the candidate needs: a discount is taken from counts of 1 or more.

        By idf, terms that all documents have weigh nothing; if there are no others, nothing is left to smooth.
        """
        if isinstance(candidate.smoothing, AbsoluteDiscounting):
            return self._has_whole_counts
        return not candidate.idf or self._mean_weight(candidate) > 0

    # ---- judging -------------------------------------------------------------------------------------------------

    def trials(self, candidate: CandidateSettings, documents: int) -> Iterator[JudgedSettings]:
        """The candidate under both priors, on this number of documents."""
        wanted = extra(candidate.weighting)
        model, ready = self._model(wanted), self._prepared(self._statistic(wanted), documents)
        uniform, fitted = (replace(candidate, prior=prior) for prior in ("uniform", "fitted"))
        view = View(model.counts, model.schema, self.settings(uniform))
        found = leave_one_out(view, ready, self._threads)
        scores = found.values
        left = left_out(model.counts, ready.batch)
        weights = left.units / model.counts.sizes.unit
        given = weights if weights.any() else np.ones(len(left))
        judged = left.labels, given, found.known, self.labels
        yield JudgedSettings(uniform, view.settings, -rounded_distances(scores), *judged)
        scores = scores + _log_documents(model.counts, left)
        yield JudgedSettings(fitted, self.settings(fitted), -rounded_distances(scores), *judged)

    def _prepared(self, statistic: Extra, documents: int) -> Prepared:
        """The first documents with their terms, which are looked up once."""
        asked = statistic, documents
        if asked not in self._ready:
            model = self._model(statistic)
            batch = self._batch.keep(self._order[:documents])
            known = self._remembered.setdefault(documents, KnownColumns())
            self._ready[asked] = prepare(model.counts, model.schema, batch, self._threads, known)
        return self._ready[asked]


def widened(schema: Schema, ngrams: tuple[int, int] | None, statistic: Extra | None) -> Schema:
    """The schema with more counted of its texts."""
    columns = {
        name: Text(kind.analyzer, ngrams, statistic) if isinstance(kind, Text) else kind
        for name, kind in schema.columns.items()
    }
    return schema.with_columns(columns)


def _log_documents(counts: Counts, left: Left) -> Floats:  # (documents, labels)
    """log N_c without each document."""
    table = counts.sizes
    numbers = np.repeat(table.snapshot.documents.astype(np.int64)[np.newaxis], len(left), axis=0)
    numbers[np.arange(len(left)), left.labels] -= left.units
    with np.errstate(divide="ignore"):
        return np.log(numbers / table.unit)


def _rounded(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")

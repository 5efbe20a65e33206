"""A view: the counts read under settings. It shares the counts and trains nothing."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from likelier._answer.scores import Estimates, Part, Scores, score
from likelier._answer.verdict import Verdict, Verdicts, decided
from likelier._base.checks import is_one_of
from likelier._base.errors import error
from likelier._base.threads import checked_threads, reading
from likelier._board.tables import Tables
from likelier._columns.one_text import OneText
from likelier._columns.registry import estimates
from likelier._columns.words import Words
from likelier._counts.by_column import Counts, settle, version_of
from likelier._counts.making import check_counts, check_fits
from likelier._documents.batch import Batch
from likelier._documents.labels import Label
from likelier._documents.schema import Schema, check_schema, plain
from likelier._estimate.estimator import Estimator
from likelier._estimate.remembered import CELLS_PER_QUESTION
from likelier._explain.build import explanation
from likelier._explain.explanation import Explanation
from likelier._model.column_view import ColumnView, TopTerm, most_telling
from likelier._read.intake import asked, asked_one
from likelier._refine.layer import Layer
from likelier._refine.told import with_layer
from likelier._settings.table import ViewSettings
from likelier._settings.values import TEXTBOOK, Settings, check_columns
from likelier._text.analyzer import Analyzer

if TYPE_CHECKING:
    from likelier._evaluate.evaluation import Evaluation
    from likelier._explain.derivation import Derivation

Document = str | Mapping[str, Any]
Truths = NDArray[np.bool_]
ASKED_OFTEN = 8  # documents, after which it is worth its time to number the terms of a file
MOST_NOTES = 100  # different notes that one view or model prints; the names in them come from whoever asks


class _State(NamedTuple):
    """What a view has computed from one state of the counts."""

    version: int
    estimates: Estimates
    one: OneText | None  # the short way for single texts, where there is one


class View(Tables):
    """A view: counts read under settings. It classifies, explains, and returns every number in between.

    Views are thread-safe, also while another thread changes the counts: every answer reflects a single state.

    >>> from likelier import train
    >>> view = train([("cheap watches", "spam"), ("lunch at noon", "ham")]).view(alpha=0.5)
    >>> view.classify("cheap lunch watches").label
    'spam'
    >>> print(view.prior("spam"), view.likelihood("cheap", "spam"))
    1/2 1/3
    """

    def __init__(
        self,
        counts: Counts,
        schema: Schema | Analyzer,
        settings: Settings = TEXTBOOK,
        *,
        layer: Layer | None = None,
        **changes: Unpack[ViewSettings],
    ) -> None:
        """schema: the columns, or an analyzer for plain texts; changes: of the settings, which are the textbook's.

        layer: the refined weights of a model; they are used where they go with the settings and the labels.
        """
        check_counts(counts)
        self.counts, self.settings = counts, settings.changed(**changes) if changes else settings
        weighting = counts.sizes.weighting
        self.schema = plain(schema, weighting=weighting) if isinstance(schema, Analyzer) else schema
        check_schema(self.schema)
        check_fits(self.schema, counts)
        self.layer = layer
        self._state: _State | None = None
        self._reading = counts.gate.reading
        self._asked = 0  # documents since the counts changed
        self._said: set[str] = set()
        check_columns(self.settings, self.schema)
        with self._reading:
            if counts.labels:
                self._current()  # says now what does not fit these counts

    @property
    def analyzer(self) -> Analyzer:
        """The analyzer of the only text column."""
        return self.schema.only_text.analyzer

    @property
    def estimates(self) -> Estimates:
        """The estimates from the counts as they are now."""
        with self._reading:
            return self._current().estimates

    def _current(self) -> _State:
        """To be called while the counts cannot change."""
        state, version = self._state, version_of(self.counts)
        if state is None or state.version != version:
            estimated = self._estimate()
            one = OneText.of(estimated, self.settings) if self.schema.is_plain else None
            self._state = state = _State(version, estimated, one)
            self._asked = 0
        return state

    def _estimate(self) -> Estimates:
        if not self.counts.labels:
            raise error("model-empty")
        self.settings.decide.check(self.counts.labels)
        found, layer = estimates(self.counts, self.schema, self.settings), self.layer
        fits = layer is not None and layer.fits(self.settings, self.counts.labels)
        return replace(found, refined=layer) if fits else found

    # ---- asking --------------------------------------------------------------------------------------------------

    def classify(self, document: Document) -> Verdict:
        """Classifies a document: a text, or a mapping of columns to values."""
        if type(document) is str:
            state = self._state
            found = state.one.at_once(document) if state is not None and state.one is not None else None
            if found is not None:
                return found
            with self._reading:
                one = self._current().one
                if one is not None:
                    return one.verdict(document)
        return self._answer(self._noted(asked_one(self.schema, document)), threads=1)[0]

    def classify_many(self, documents: Iterable[Document] | Any, *, threads: int | None = None) -> Verdicts:
        """Classifies many documents; the numbers are the same as one by one.

        documents: texts, mappings of columns to values, or a data frame.
        threads: how many to use; all cores if not given. The result does not depend on it.
        """
        batch = documents if isinstance(documents, Batch) else asked(self.schema, documents)
        return self._answer(self._noted(batch), checked_threads(threads))

    def _noted(self, batch: Batch) -> Batch:
        """The batch, after its notes have been reported."""
        say(batch.notes, self._said)
        if self.settings.missing == "refuse":
            _refuse_missing(batch)
        return batch

    def _answer(self, batch: Batch, threads: int) -> Verdicts:
        """A few documents by their own terms, many by the weights of the whole vocabulary."""
        few = self._prepare(len(batch))
        with self._reading:
            estimated = self._current().estimates
            return decided(estimated, self._scores(estimated, batch, few, threads), self.settings)

    def _prepare(self, documents: int) -> bool:
        """Whether these are few. If not, counts that are still in a file are put into tables, which is a change."""
        with self._reading:
            few = self._asked + documents <= self._few()
        if not few:
            settle(self.counts)
        return documents == 1 or (few and documents > 0)

    def _scores(self, estimated: Estimates, batch: Batch, few: bool, threads: int) -> Scores:
        self._asked += len(batch)
        return score(estimated, batch.columns, few=few, threads=threads)

    def _few(self) -> int:
        """How many documents are few: estimating all weights, or numbering the terms of a file, would take longer."""
        remembered = [part.remembered for part in self._current().estimates.parts.values() if isinstance(part, Words)]
        cells = [0 if each is None else each.cells for each in remembered]  # of a file, none is remembered
        return max(ASKED_OFTEN, max(cells, default=0) // CELLS_PER_QUESTION)

    def explain(self, document: Document | Batch, *, against: Label | None = None) -> Explanation:
        """Explains the verdict on a document: the sum behind it, item by item.

        against: the label to compare the most probable one with ("why not this one?"); the runner-up if not given
        """
        batch = document if isinstance(document, Batch) else self._noted(asked_one(self.schema, document))
        few = self._prepare(len(batch))
        with self._reading:
            estimated = self._current().estimates
            scores = self._scores(estimated, batch, few, threads=1)
            found = explanation(
                estimated,
                batch.columns,
                decided(replace(estimated, refined=None), scores, self.settings)[0],
                plain=self.schema.is_plain,
                rule=self.settings.calibration,
                known=int(scores.known[0]),
                against=against,
            )
            if not isinstance(estimated.refined, Layer):
                return found
            return with_layer(found, estimated.refined, batch.columns, decided(estimated, scores, self.settings)[0])

    def derivation(
        self,
        document: Document | Batch,
        *,
        form: str = "product",
        labels: Sequence[Label] | None = None,
        rounded: int | None = None,
        whole_vocabulary: bool = False,
        expanded: Any = None,
    ) -> Derivation:
        """Derives the verdict on a document as on a board: in symbols, with numbers, and what comes out.

        It is that of naive Bayes alone: refined weights are no probabilities.

        form: "product", "logs" (a sum of logarithms), "ratios" or "odds" (two labels, and their logarithms)
        labels: the labels to work out, in this order; the most probable six, or two, if not given
        rounded: round every factor to this number of decimals before it is used, as by hand
        whole_vocabulary: with the terms that the text lacks, with exponent 0
        expanded: the labeled documents that were counted; counts are written out over them
        """
        from likelier._explain.derivation import derivation
        from likelier._model.expanded import expanded_counts

        counted = None if expanded is None else expanded_counts(self, expanded)
        return derivation(
            self.explain(document),
            form=form,
            labels=labels,
            rounded=rounded,
            whole_vocabulary=whole_vocabulary,
            counted=counted,
        )

    def evaluate(self, documents: Any = None, **options: Any) -> Evaluation:
        """Evaluates this view on labeled documents; docs/guides/evaluating.md explains the options."""
        from likelier._evaluate.run import evaluate

        return evaluate(self, documents, **options)

    # ---- looking up ----------------------------------------------------------------------------------------------

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels, sorted."""
        return self.counts.labels

    def column(self, name: str | None = None) -> ColumnView:
        """The figures of one column. Default: the only column."""
        parts = self.estimates.parts
        if name is None and len(parts) == 1:
            (name,) = parts
        if name is None or not is_one_of(name, parts):
            raise error("column-unknown", columns=", ".join(map(repr, parts)), got=name, first=next(iter(parts)))
        return ColumnView(name, lambda: self.estimates.parts, self.gate)

    @property
    def estimator(self) -> Estimator:
        """The estimates behind the only column."""
        return self.column().estimator

    @property
    def vocabulary_size(self) -> int:
        """|V| under this view: without terms that are too rare or left out, with UNK if there is one."""
        return self.column().vocabulary_size

    @reading
    def prior(self, label: Label) -> Fraction:
        """P(c), exact."""
        return self.estimates.priors[self.counts.sizes.place(label)]

    def likelihood(self, term: str, label: Label, *, column: str | None = None) -> Fraction:
        """P(t|c), exact; for the Bernoulli model P(t=1|c), for the complement model P(t|not c).

        An unknown term has the likelihood that the view's policy gives it in a text where it is the only unknown one.
        """
        return self.column(column).likelihood(term, label)

    def log_ratios(
        self, label: Label, against: Label, *, k: int | None = None, column: str | None = None
    ) -> dict[str, float]:
        """term → log P(t|label)/P(t|against), highest first. Terms that neither label can have are left out.

        k: only the k highest.
        For the complement model it is log P(t|not against)/P(t|not label): above 0 speaks for `label` there too.
        """
        return self.column(column).log_ratios(label, against, k)

    @reading
    def log_prior_ratio(self, label: Label, against: Label) -> float:
        """log P(label)/P(against)."""
        log_prior = self.estimates.log_prior
        return float(log_prior[self.counts.sizes.place(label)] - log_prior[self.counts.sizes.place(against)])

    @reading
    def top_terms(self, label: Label, k: int = 10, *, column: str | None = None) -> list[TopTerm]:
        """The terms and values that best distinguish this label from the others; of all columns, or of one.

        Of numbers under a normal distribution it is the intervals `ByInformation` makes.
        """
        if self.schema.is_plain or column is not None:
            return self.column(column).top_terms(label, k)
        parts = self._in_intervals
        return most_telling([ColumnView(name, lambda: parts, self.gate) for name in parts], label, k)

    @property
    def _in_intervals(self) -> Mapping[str, Part]:
        """The parts, with intervals in place of normal distributions: they say more in a list than a mean does."""
        parts = self.estimates.parts
        normal = {name: {"numeric": "information"} for name, part in parts.items() if part.estimator is None}
        if not normal:
            return parts
        changed = estimates(self.counts, self.schema, self.settings.changed(columns=normal)).parts
        return {name: changed[name] if name in normal else part for name, part in parts.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(type(self), layer=self.layer)  # estimates are made again
        return make, (self.counts, self.schema, self.settings)

    def __repr__(self) -> str:
        return f"<View: {self.settings}>"

    @reading
    def _repr_html_(self) -> str:
        from likelier._model.in_words import view_html  # which is for notebooks

        return view_html(self)


def say(notes: Iterable[str], said: set[str]) -> None:
    """Warns of what was not said before, from where the caller's caller was called."""
    for note in notes:
        if note not in said and len(said) < MOST_NOTES:
            said.add(note)
            warnings.warn(note, stacklevel=4)


def _refuse_missing(batch: Batch) -> None:
    for name, values in batch.columns.items():
        if len(missing := values.missing_rows):
            raise error("value-missing", name=name, where=batch.where(int(missing[0])))

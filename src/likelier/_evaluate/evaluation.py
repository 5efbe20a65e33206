"""An evaluation: verdicts on labeled documents by a model that has not seen them, and every figure about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Unpack

import numpy as np
from numpy.typing import NDArray

from likelier._answer.scores import Scores
from likelier._answer.verdict import Verdict, Verdicts, decided
from likelier._base.cached import cached_property
from likelier._base.checks import checked_k
from likelier._base.errors import error
from likelier._documents.batch import Batch
from likelier._documents.labels import Label
from likelier._evaluate.calibrate.choose import CalibrationChoice, choose
from likelier._evaluate.figures.metrics import Figures
from likelier._explain.explanation import Explanation, Known
from likelier._model.view import View
from likelier._settings.table import ViewSettings
from likelier._settings.values import Settings

Columns = NDArray[np.intp]


@dataclass(frozen=True)
class Mistake:
    """A document whose verdict is another label than it has.

    row      its place among the documents, from 0
    where    where it stands: file and line, or its number
    label    the one that it has
    verdict  what was decided without it
    """

    row: int
    where: str
    label: Label
    verdict: Verdict
    _explain: Callable[[], Explanation] = field(repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_explain": Known(self.explanation)}

    @cached_property
    def explanation(self) -> Explanation:
        """Why, by the counts by which it was judged."""
        return self._explain()


class JudgedDocuments(Protocol):
    """The documents that were judged, and how."""

    names: list[Label]  # the label of each document, known to the model or not

    @property
    def batches(self) -> Iterable[Batch]: ...
    def explain(self, row: int, document: Batch, settings: Settings) -> Explanation:
        """By the view that judged this document."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Verdicts on labeled documents by a model that has not seen them, and all figures about them.

    how       the way of judging, in words
    view      the view that was judged
    labels    the labels, sorted
    truth     (documents,)  the place of each document's label among them; -1 for a label that the model does not have
    verdicts  the verdict on each document
    scores    the log scores behind them
    weights   (documents,)  how much each counts; None: all alike
    folds     (documents,)  the fold of each, where there were folds

    >>> from likelier import train
    >>> messages = [
    ...     ("cheap watches", "spam"),
    ...     ("cheap pills", "spam"),
    ...     ("lunch today", "ham"),
    ...     ("lunch at noon", "ham"),
    ... ]
    >>> evaluation = train(messages).evaluate(messages)
    >>> evaluation.how
    'leave-one-out: each document judged by the counts without it'
    >>> evaluation.figures.accuracy.share
    1.0
    """

    how: str
    view: View
    labels: tuple[Label, ...]
    truth: Columns
    verdicts: Verdicts
    scores: Scores
    weights: NDArray[np.float64] | None
    folds: Columns | None
    _judged: JudgedDocuments = field(repr=False)

    @cached_property
    def figures(self) -> Figures:
        """Accuracy, precision, recall, log loss, calibration, curves, cost."""
        return Figures(
            truth=self.truth,
            decided=self.verdicts.columns,
            probabilities=self.verdicts.probabilities,
            labels=self.labels,
            weights=self.weights,
        )

    def __len__(self) -> int:
        return len(self.truth)

    def mistakes(self, k: int = 10) -> list[Mistake]:
        """The most confident mistakes."""
        return self._told(self.figures.confident_mistakes(checked_k(k)))

    def label_errors(self, k: int = 10, *, at_least: float = 0.9) -> list[Mistake]:
        """Documents that may have the wrong label: the verdict is another label with at least this probability."""
        return self._told(self.figures.label_errors(at_least)[: checked_k(k)])

    def _told(self, rows: Sequence[int] | Columns) -> list[Mistake]:
        wanted = [int(row) for row in rows]
        found = {row: self._mistake(row, batch, place) for row, batch, place in self._places(set(wanted))}
        return [found[row] for row in wanted]

    def _places(self, rows: set[int]) -> Iterable[tuple[int, Batch, int]]:
        start = 0
        for batch in self._judged.batches:
            yield from ((row, batch, row - start) for row in sorted(rows) if start <= row < start + len(batch))
            start += len(batch)

    def _mistake(self, row: int, batch: Batch, place: int) -> Mistake:
        document = batch.one(place)
        return Mistake(
            row,
            batch.where(place),
            self._judged.names[row],
            self.verdicts[row],
            lambda: self._judged.explain(row, document, self.view.settings),
        )

    def calibration(self, *, folds: int = 5, seed: int = 0) -> CalibrationChoice:
        """Fits a `Discount` to these documents and compares it by cross-validated log loss.

        It is compared with no calibration and with the rule of the view; a discount keeps the offsets of that one.
        `model.set_view(calibration=evaluation.calibration().rule)` keeps it.
        """
        return choose(
            self.scores,
            self.truth,
            self.labels,
            self.weights,
            current=self.view.settings.calibration,
            folds=folds,
            seed=seed,
        )

    def under(self, **settings: Unpack[ViewSettings]) -> Evaluation:
        """The same scores under another calibration or decision rule."""
        unfit = [name for name in settings if name not in ("calibration", "decide", "without_evidence")]
        if unfit:
            raise error("evaluation-settings", name=unfit[0])
        changed = self.view.settings.changed(**settings)
        view = View(self.view.counts, self.view.schema, changed, layer=self.view.layer)
        return replace(self, view=view, verdicts=decided(view.estimates, self.scores, view.settings))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"how": self.how, "labels": list(self.labels), **self.figures.to_dict()}

    def __str__(self) -> str:
        return f"{self.how}\n\n{self.figures}"

    def _repr_html_(self) -> str:
        from likelier._evaluate.report.notebook import evaluation_html  # which is for notebooks

        return evaluation_html(self)

    def __repr__(self) -> str:
        return f"<Evaluation: {len(self)} documents, {self.how}>"

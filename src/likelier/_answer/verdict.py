"""The verdict: the answer for one document, and the answers for many.

From log scores to verdicts: calibrated, decided, with the reason where it is worth knowing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from likelier._answer.calibration import Calibration, Discount, NoCalibration, Temperature
from likelier._answer.decisions import NONE, Columns, Decision
from likelier._answer.posterior import posterior, posterior_of_one, row_maxima
from likelier._answer.scores import Estimates, Scores
from likelier._base.errors import error
from likelier._base.numbers import Floats
from likelier._documents.labels import Label, checked_label, unknown_label


@dataclass(frozen=True, slots=True)
class Found:
    """What the most probable label was read off. The rest of its verdict follows, and waits until it is asked for."""

    labels: tuple[Label, ...]
    column: int  # of the most probable label, which no other one equals
    scores: list[float]  # (labels,)
    known: int
    unknown: int
    calibration: Temperature | None = None  # still to be applied; it keeps the order of labels

    def following(self) -> tuple[float, dict[Label, float], dict[Label, float], float, None]:
        """What follows, in the order of `_FOLLOWING`, bit for bit as in a batch."""
        scores, labels = self.scores, self.labels
        if self.calibration is not None:
            scores = self.calibration.calibrated(np.array([scores]), labels)[0].tolist()
        shares = posterior_of_one(scores)
        unknown_share = self.unknown / max(self.known + self.unknown, 1)
        return shares[self.column], dict(zip(labels, shares)), dict(zip(labels, scores)), unknown_share, None  # noqa: B905


class _Later:
    """A verdict's room for what it was read off."""

    __slots__ = ("_found",)


@dataclass(frozen=True, slots=True)
class Verdict(_Later):
    """The answer for one document: a label, or none, and its probability.

    label          the decision; None when there is none, and then `reason` says why
    probability    of the label; without a label, of the most probable one
    probabilities  label → P(c|d); they sum to 1, or are all 0 when every label is impossible
    log_scores     label → log P(c) + log P(d|c), calibrated where the view is; their softmax are the probabilities
    unknown_share  the share of unknown terms in the text, from 0 to 1
    reason         what to know about the decision; None when it is simply the most probable label

    >>> from likelier import train
    >>> verdict = train([("cheap watches", "spam"), ("lunch at noon", "ham")]).classify("cheap lunch pills")
    >>> verdict.label, round(verdict.probability, 4), round(verdict.unknown_share, 4)
    ('spam', 0.5664, 0.3333)
    """

    label: Label | None
    probability: float
    probabilities: dict[Label, float]
    log_scores: dict[Label, float]
    unknown_share: float
    reason: str | None

    @classmethod
    def most_probable(cls, found: Found) -> Verdict:
        """The verdict for the most probable label, which has no reason but that."""
        verdict = cls.__new__(cls)
        _set_label(verdict, found.labels[found.column])
        _set_found(verdict, found)
        return verdict

    def __getattr__(self, name: str) -> Any:
        """What was not asked for before, all of it; Python calls this for what is not there."""
        if name not in _FOLLOWING:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        for set_one, value in zip(_set_following, self._found.following(), strict=True):
            set_one(self, value)
        return getattr(self, name)

    def log_odds(self, label: Label, against: Label) -> float:
        """The difference of two log scores: above 0, `label` is likelier than `against`."""
        for name in (label, against):
            if checked_label(name) not in self.log_scores:
                raise unknown_label(name, list(self.log_scores))
        one, two = self.log_scores[label], self.log_scores[against]
        if math.isinf(one) and math.isinf(two):
            raise error("odds-undefined", label=label, against=against)
        return one - two


_FOLLOWING = ("probability", "probabilities", "log_scores", "unknown_share", "reason")
_set_label, _set_found = (vars(kind)[name].__set__ for kind, name in ((Verdict, "label"), (_Later, "_found")))
_set_following = [vars(Verdict)[name].__set__ for name in _FOLLOWING]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Verdicts(Sequence[Verdict]):
    """The verdicts on many documents: arrays, and a sequence of `Verdict`.

    columns        (documents,)         the label's place in `labels`, -1 for none
    probabilities  (documents, labels)
    log_scores     (documents, labels)
    unknown_share  (documents,)

    >>> from likelier import train
    >>> model = train([("cheap watches", "spam"), ("lunch at noon", "ham")])
    >>> verdicts = model.classify_many(["cheap pills", "lunch"])
    >>> verdicts.labels, verdicts.probabilities.round(4).tolist()
    (['spam', 'ham'], [[0.3043, 0.6957], [0.6364, 0.3636]])
    """

    all_labels: tuple[Label, ...]
    columns: NDArray[np.intp]
    probabilities: Floats
    log_scores: Floats
    unknown_share: Floats
    _reason: Reasons

    @property
    def labels(self) -> list[Label | None]:
        """The decision for each document."""
        named = np.array([*self.all_labels, None], dtype=object)  # -1 is the last
        labels: list[Label | None] = named[self.columns].tolist()
        return labels

    @property
    def probability(self) -> Floats:  # (documents,)
        """Probability of each label; without a label, of the most probable one."""
        return _chosen(self.columns, self.probabilities)

    @property
    def reasons(self) -> list[str | None]:
        """A remark on each decision, or None."""
        return self._reason.every()

    def __len__(self) -> int:
        return len(self.columns)

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> list[Verdict]: ...
    def __getitem__(self, index: int | slice) -> Verdict | list[Verdict]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        row = range(len(self))[index]
        column = int(self.columns[row])
        return Verdict(
            label=None if column == NONE else self.all_labels[column],
            probability=float(_chosen(self.columns[row : row + 1], self.probabilities[row : row + 1])[0]),
            probabilities=dict(zip(self.all_labels, self.probabilities[row].tolist(), strict=True)),
            log_scores=dict(zip(self.all_labels, self.log_scores[row].tolist(), strict=True)),
            unknown_share=float(self.unknown_share[row]),
            reason=self._reason(row),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdicts):
            return NotImplemented
        names = ("columns", "probabilities", "log_scores", "unknown_share")
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)
        return same and self.all_labels == other.all_labels and self.reasons == other.reasons

    __hash__ = None  # type: ignore[assignment]  # as of arrays

    def __repr__(self) -> str:
        return f"<Verdicts: {len(self)} documents>"

    def __iter__(self) -> Iterator[Verdict]:
        return (self[row] for row in range(len(self)))


def _chosen(columns: NDArray[np.intp], probabilities: Floats) -> Floats:
    if columns.min(initial=0) == NONE:
        columns = np.where(columns == NONE, probabilities.argmax(axis=1), columns)
    return probabilities[np.arange(len(columns)), columns]


Truths = NDArray[np.bool_]


class Rules(Protocol):
    """The settings that turn scores into verdicts."""

    @property
    def decide(self) -> Decision: ...

    @property
    def calibration(self) -> Calibration: ...

    @property
    def without_evidence(self) -> str: ...


def decided(estimates: Estimates, scores: Scores, settings: Rules) -> Verdicts:
    """What is decided by these log scores."""
    labels = estimates.labels
    rule = settings.calibration
    log_prior = estimates.log_prior if scores.log_prior is None else scores.log_prior
    calibrated = rule.calibrated(scores.values, labels, log_prior=log_prior, known=scores.known)
    if estimates.refined is not None and scores.refined is not None:
        calibrated = estimates.refined.combined(calibrated, scores.refined)
    probabilities = posterior(calibrated)
    chosen, special = settings.decide.choose(calibrated, probabilities, labels)
    impossible = row_maxima(scores.values)[:, 0] == -np.inf
    silent = _is_silent(estimates, scores, rule)
    without = impossible | silent if settings.without_evidence == "none" else impossible
    columns = np.where(without, NONE, chosen)
    reasons = Reasons(
        labels=labels,
        decide=settings.decide,
        special=special,
        columns=columns,
        scores=calibrated,
        probabilities=probabilities,
        impossible=_why_impossible(estimates, scores, np.flatnonzero(impossible)),
        silent=silent,
        why_silent=_why_silent(estimates, settings) if silent.any() else "",
        of=_words(estimates)[1],
    )
    unknown = scores.unknown.sum(axis=1, dtype=np.float64)
    share = unknown / np.maximum(scores.known + unknown, 1)
    return Verdicts(labels, columns, probabilities, calibrated, share, reasons)


@dataclass(frozen=True, eq=False)
class Reasons:
    """What is worth knowing about each decision, told when it is asked for.

    Plain values, so that it can be pickled, and stays as it is when the counts change.
    """

    labels: Sequence[Label]
    decide: Decision
    special: Truths  # by the rule
    columns: Columns
    scores: Floats  # (documents, labels), calibrated
    probabilities: Floats  # (documents, labels)
    impossible: dict[int, str]  # why, for the documents where every label is
    silent: Truths
    why_silent: str
    of: str  # what a document is called

    def __call__(self, row: int) -> str | None:
        if row in self.impossible:
            return self.impossible[row]
        if self.silent[row]:
            return self.why_silent
        if len(self.labels) == 1:
            return f"{self.labels[0]} is the only label: every {self.of} gets it"
        if not self.special[row]:
            return None
        return self.decide.reason(int(self.columns[row]), self.scores[row], self.probabilities[row], self.labels)

    def every(self) -> list[str | None]:
        """All of them; most documents have none, and they are sorted out at once."""
        found: list[str | None] = [None] * len(self.columns)
        told = self.silent | self.special | (len(self.labels) == 1)
        for row in {*np.flatnonzero(told).tolist(), *self.impossible}:
            found[row] = self(row)
        return found


def _is_silent(estimates: Estimates, scores: Scores, rule: Calibration) -> Truths:
    """Which documents have nothing that says anything: no known value, and no unknown one that counts."""
    silent = np.asarray(scores.known == 0)
    if silent.any() and not isinstance(rule, Discount):
        counted = [part.counts_unknown for part in estimates.parts.values()]
        silent &= ~scores.unknown[:, counted].any(axis=1)
    return silent


def _why_impossible(estimates: Estimates, scores: Scores, rows: Columns) -> dict[int, str]:
    """Why every label is impossible, for these documents."""
    if not len(rows):
        return {}
    what, of = _words(estimates)
    refuses = [part.refuses_unknown for part in estimates.parts.values()]
    is_refused = np.any(scores.unknown[rows][:, refuses], axis=1)
    why = {
        True: f"every label has probability 0: the {of} has a {what} that was never seen, and it counts as impossible",
        False: f"every label has probability 0: each lacks a {what} of this {of}, and there is no smoothing",
    }
    return {row: why[refused] for row, refused in zip(rows.tolist(), map(bool, is_refused), strict=True)}


def _why_silent(estimates: Estimates, settings: Rules) -> str:
    what, of = _words(estimates)
    if settings.without_evidence == "none":
        return f"no known {what} in this {of}: no label"
    is_prior = isinstance(settings.calibration, Discount)  # it takes only the prior then
    with_absence = not is_prior and any(part.has_absence for part in estimates.parts.values())
    if not isinstance(settings.calibration, NoCalibration | Temperature | Discount):  # these leave the order as it is
        also = ", the absent terms" if with_absence else ""
        return f"no known {what} in this {of}: only the prior{also} and the calibration decide"
    also = " and the absent terms decide" if with_absence else " alone decides"
    return f"no known {what} in this {of}: the prior{also}"


def _words(estimates: Estimates) -> tuple[str, str]:
    """What a document is made of, and what it is called."""
    only_words = all(part.of_terms for part in estimates.parts.values())
    return ("term", "text") if only_words else ("value", "document")

"""The verdict: the answer for one document, and the answers for many."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from likelier._answer.calibration import Temperature
from likelier._answer.decisions import NONE
from likelier._answer.posterior import posterior_of_one
from likelier._base.errors import error
from likelier._documents.labels import Label, checked_label, unknown_label

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Found:
    """What the most probable label was read off. The rest of its verdict follows, and waits until it is asked for."""

    labels: tuple[Label, ...]
    column: int  # of the most probable label, which no other one equals
    log_scores: Floats  # (labels,)
    known: int
    unknown: int
    calibration: Temperature | None = None  # which keeps the order of labels

    @property
    def probabilities(self) -> Floats:  # (labels,)
        """P(c|d), bit for bit as in a batch."""
        if self.calibration is None:
            return posterior_of_one(self.log_scores)
        return np.asarray(self.calibration.apply(self.log_scores[np.newaxis], self.labels)[0])


class _Later:
    """A verdict's room for what it was read off."""

    __slots__ = ("_found",)


@dataclass(frozen=True, slots=True)
class Verdict(_Later):
    """The answer for one document: a label, or none, and its probability.

    label          the decision; None when there is none, and then `reason` says why
    probability    of the label; without a label, of the most probable one
    probabilities  label → P(c|d); they sum to 1, or are all 0 when every label is impossible
    log_scores     label → log P(c) + log P(d|c)
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
        """What was not asked for before; Python calls this for what is not there."""
        if name not in _FOLLOWS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = _FOLLOWS[name](self._found)
        object.__setattr__(self, name, value)
        return value

    def log_odds(self, label: Label, against: Label) -> float:
        """The difference of two log scores: above 0, `label` is likelier than `against`."""
        for name in (label, against):
            if checked_label(name) not in self.log_scores:
                raise unknown_label(name, list(self.log_scores))
        one, two = self.log_scores[label], self.log_scores[against]
        if math.isinf(one) and math.isinf(two):
            raise error("odds-undefined", label=label, against=against)
        return one - two


_set_label, _set_found = (vars(kind)[name].__set__ for kind, name in ((Verdict, "label"), (_Later, "_found")))
_FOLLOWS: dict[str, Callable[[Found], Any]] = {
    "probability": lambda found: float(found.probabilities[found.column]),
    "probabilities": lambda found: _by_label(found, found.probabilities),
    "log_scores": lambda found: _by_label(found, found.log_scores),
    "unknown_share": lambda found: found.unknown / max(found.known + found.unknown, 1),
    "reason": lambda found: None,
}


def _by_label(found: Found, numbers: Floats) -> dict[Label, float]:
    return dict(zip(found.labels, numbers.tolist(), strict=True))


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
    _reason: Callable[[int], str | None]

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
        return [self._reason(row) for row in range(len(self))]

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
    chosen = np.where(columns == NONE, probabilities.argmax(axis=1), columns)
    return probabilities[np.arange(len(columns)), chosen]

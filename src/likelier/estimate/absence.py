"""What the absence of terms adds under the Bernoulli model.

    all absent(c) = sum of log(1 - P(t=1|c)) over V

Without smoothing, a term that every document of a label has makes a text without it impossible: log 0. Such terms
are counted apart as *required*, so that a text that has them all is not lost in infinities.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likelier.estimate import bernoulli
from likelier.estimate.evidence import Floats, Ratio

if TYPE_CHECKING:
    from likelier.estimate.estimator import Estimator
    from likelier.estimate.reading import Ids


class Absence:
    """The absent terms of one estimator."""

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator

    @cached_property
    def _matrix(self) -> Floats:  # (kept, labels)
        return bernoulli.absent(self._estimator.kept_ratio)

    @cached_property
    def of_all(self) -> Floats:  # (labels,)
        """The sum over V, UNK included, without required terms. Exact, so that the order of terms does not matter."""
        absent = np.vstack([self._matrix, self.of_unk]) if self._estimator.unknown == "unk" else self._matrix
        return np.array([math.fsum(column[~np.isneginf(column)]) for column in absent.T])

    @cached_property
    def of_unk(self) -> Floats:  # (labels,)
        """log(1 - P(UNK))."""
        return np.asarray(bernoulli.absent(self._estimator.unknown_ratio())[0])

    def of(self, ids: Ids) -> Floats:  # (labels,)
        """The sum over these terms, without required ones."""
        return finite(bernoulli.absent(self._estimator.ratio_of(ids))).sum(axis=0)

    @cached_property
    def required(self) -> Floats | None:  # (labels,)
        """How many required terms each label has; None when none has any."""
        required: Floats = np.isneginf(self._matrix).sum(axis=0).astype(np.float64)
        return required if required.any() else None

    def missing(self, ids: Ids) -> Floats:  # (labels,)
        """How many required terms a text with these terms lacks."""
        return (
            np.zeros(1)
            if self.required is None
            else self.required - is_required(self._estimator.ratio_of(ids)).sum(axis=0)
        )


def is_required(ratio: Ratio) -> Floats:  # (terms, labels)
    """1 where a text without the term is impossible."""
    return np.isneginf(bernoulli.absent(ratio)).astype(np.float64)


def finite(logs: Floats) -> Floats:
    """The same with 0 for minus infinity."""
    return np.where(np.isneginf(logs), 0.0, logs)

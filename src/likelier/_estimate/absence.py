"""What the absence of terms adds under the Bernoulli model.

    absent(c) = sum of log(1 - P(t=1|c)) over V  -  the same over the terms of the text

Without smoothing, a term that every document of a label has makes a text without it impossible: log 0. Such terms
are counted apart as *required*, so that a text that has them all is not lost in infinities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likelier._base.cached import cached_property
from likelier._base.numbers import Floats, Ints
from likelier._estimate import bernoulli
from likelier._estimate.evidence import Ratio
from likelier._estimate.spread import over_vocabulary

if TYPE_CHECKING:
    from likelier._estimate.estimator import Estimator


class Absence:
    """The absent terms of one estimator."""

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator

    @cached_property
    def _all(self) -> tuple[Floats, Floats]:
        return over_vocabulary(self._estimator, bernoulli.absent)

    @property
    def of_all(self) -> Floats:  # (labels,)
        """The sum over V, UNK included, without required terms. Exact, so that the order of terms does not matter."""
        return self._all[0]

    @cached_property
    def of_unk(self) -> Floats:  # (labels,)
        """log(1 - P(UNK))."""
        return np.asarray(bernoulli.absent(self._estimator.unknown_ratio())[0])

    @cached_property
    def required(self) -> Floats:  # (labels,)
        """How many required terms each label has, UNK apart."""
        return self._all[1] - np.isneginf(self.of_unk) if self._estimator.unknown == "unk" else self._all[1]

    def of_texts(self, present: Floats, required: Floats, unknown: Ints) -> Floats:  # (documents, labels)
        """What is absent from texts.

        present   what the absence of their terms would have added
        required  how many of their terms are required
        unknown   how many different unknown terms they have
        """
        absent = self.of_all - present
        if self._estimator.unknown == "unk":
            absent = np.where(unknown[:, np.newaxis] > 0, absent - self.of_unk, absent)
        return np.where(required < self.required, -np.inf, absent) if self.required.any() else absent


def columns(ratio: Ratio) -> tuple[Floats, Floats]:  # (terms, labels) -> (terms, labels), (terms, labels)
    """For each term what its absence would add, and whether it is required; to be summed over a text."""
    absent = bernoulli.absent(ratio)
    impossible = np.isneginf(absent)
    return np.where(impossible, 0.0, absent), impossible.astype(np.float64)

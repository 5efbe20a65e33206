"""Evidence: the numbers that a smoothing rule turns into a probability.

The same rules are read in two ways: on arrays of floats, for speed, and on single fractions, for figures that are
exact. So the rules use only + - * / and comparisons, and everything they need is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from likelier._base.numbers import Floats, Real, Value, log


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about some outcomes, usually terms, under some labels.

    count     how often the outcome was seen                                      (terms, labels)
    total     how often any outcome was seen                                      (labels,)
    outcomes  how many outcomes there are: |V| for words, 2 for present or absent
    seen      how many different outcomes were seen                               (labels,) or (terms, labels)
    share     the outcome's share of everything seen, all labels together         (terms, 1)
    named     what a mapping of terms to numbers says of these terms              (terms, 1)
    """

    count: Value
    total: Value
    outcomes: Value
    seen: Value
    share: Value
    named: Callable[[Mapping[str, Real]], Value]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A probability as a fraction that is not divided yet, so that it can be shown and its logarithm be taken."""

    numerator: Value
    denominator: Value

    @property
    def value(self) -> Value:
        """The probability itself."""
        return self.numerator / self.denominator

    def log(self) -> Floats:
        return log(self.numerator) - log(self.denominator)

    def log_complement(self) -> Floats:
        """log(1 - p)."""
        left = np.asarray(self.denominator - self.numerator)
        nothing = np.abs(left) <= 4 * np.finfo(np.float64).eps * self.denominator  # but for rounding
        return log(np.where(nothing, 0.0, left)) - log(self.denominator)

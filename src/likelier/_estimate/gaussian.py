"""The normal distribution of a numeric column under each label (John & Langley 1995; Mitchell 1997, chapter 6).

    p(x|c) = 1 / sqrt(2 pi sigma^2) * exp(-(x - mu)^2 / (2 sigma^2))

    mu       the mean of the column under label c                     s / n
    sigma^2  its variance there, by maximum likelihood                q / n - (s / n)^2
             or, if asked for, the variance of a sample               that times n / (n - 1)

n = how many values, s = their sum, q = the sum of their squares. The root covers 2 pi sigma^2. The density is
not a probability: it may be above 1, and its unit is that of 1/x.

The variance is at least `floor` times the variance of the whole column, all labels together. A label without values
has the mean and variance of the whole column, and one with a single value has the variance of the whole column: one
value has none. A column whose values are all equal says nothing: it adds 0.

scikit-learn adds 1e-9 times the largest variance of any column to every variance. Here a variance stays as it is
unless it is below its floor, and a column does not depend on the others. The floor is high enough that a label whose
values are nearly all equal does not outweigh all other columns, and low enough for labels that lie close together.

Mean and variance are worked out in fractions and rounded once. The rounding error of the mean is kept, so that
x - mu has all its digits when the numbers are large and close together.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats, Real, exact
from likelier._counts.moments import NumberSums
from likelier._estimate.smoothing import Formula

FLOOR = 1e-4  # a standard deviation of a hundredth of the whole column's
LEAST = -1e300  # in place of a logarithm that no float can hold
_SMALL = -400  # below two to this power a deviation is measured in larger units: its square would be lost


class Normal:
    """The normal distributions of one column, labels in the order of `sums`."""

    def __init__(self, sums: Sequence[NumberSums], floor: Real = FLOOR, *, sample: bool = False) -> None:
        """sample: divide by n - 1 for the variance, and not by n."""
        all_labels = NumberSums(
            sum((part.count for part in sums), Fraction(0)),
            sum((part.total for part in sums), Fraction(0)),
            sum((part.squares for part in sums), Fraction(0)),
        )
        whole = _mean_and_variance(all_labels, sample) or (Fraction(0), Fraction(0))
        found = [_of_label(part, sample, whole) for part in sums]
        least = exact(floor) * whole[1]
        means = [mean for mean, _ in found]
        variances = [max(variance, least) for _, variance in found]
        self.is_constant = whole[1] == 0  # all values are equal, or there are none
        self.means: Floats = _floats(means)
        self.variances: Floats = _floats(variances)
        self.floored: NDArray[np.bool_] = np.array([variance < least for _, variance in found], dtype=bool)
        self._exponent = _exponent(whole[1])
        self._prepare(means, variances)

    def _prepare(self, means: list[Fraction], variances: list[Fraction]) -> None:
        """What a question needs, with 2**exponent as the unit of numbers."""
        unit = Fraction(2) ** self._exponent
        self._means = _floats([mean / unit for mean in means])
        self._rests = _floats(
            [mean / unit - Fraction(near) for mean, near in zip(means, self._means.tolist(), strict=True)]
        )
        scaled = np.maximum(_floats([variance / unit**2 for variance in variances]), sys.float_info.min)
        self._doubled = 2 * scaled
        self._constants = -0.5 * np.log(2 * np.pi * scaled) - self._exponent * math.log(2)

    def log_density(self, numbers: Floats) -> Floats:  # (documents,) -> (documents, labels)
        """log p(x|c) of every number; a missing one (NaN) says nothing and gets 0."""
        if self.is_constant:
            return np.zeros((len(numbers), len(self.means)))
        missing = np.isnan(numbers)
        present = np.where(missing, 0.0, numbers)
        with np.errstate(over="ignore", under="ignore"):
            result: Floats = np.ldexp(present, -self._exponent)[:, None] - self._means
            result -= self._rests  # x - mu; from here on in place: a new array for each step takes longer
            result *= result
            result /= self._doubled
        np.subtract(self._constants, result, out=result)
        np.maximum(result, LEAST, out=result)
        result[missing] = 0.0
        return result

    def density(self, x: float, column: int) -> float:
        """p(x|c); `column` is the label's place. A column that says nothing has 1."""
        logarithm = float(self.log_density(np.array([x], dtype=np.float64))[0, column])
        return math.exp(min(logarithm, 709.0))  # the largest power that is a float

    def formula(self, x: float, column: int) -> Formula:
        """The density as a person writes it: number, mean, variance.

        >>> print(Normal([NumberSums(Fraction(3), Fraction(6), Fraction(14))]).formula(4, 0))  # of 1, 2 and 3
        N(4; 2, 0.667)
        """
        mean, variance = float(self.means[column]), float(self.variances[column])
        places = _places(math.sqrt(variance))
        asked = _short(x, min(_places(abs(x)) + 12, 15))  # 15 digits: a decimal as it was given
        return Formula(f"N({asked}; {_short(mean, places)}, {_short(variance, _places(variance))})")


def _of_label(sums: NumberSums, sample: bool, whole: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    mean, variance = _mean_and_variance(sums, sample) or whole
    return mean, whole[1] if variance == 0 and sums.count <= 1 else variance


def _mean_and_variance(sums: NumberSums, sample: bool) -> tuple[Fraction, Fraction] | None:
    if not sums.count:
        return None
    mean = sums.total / sums.count
    variance = sums.squares / sums.count - mean * mean
    return mean, variance * sums.count / (sums.count - 1) if sample and sums.count > 1 else variance


def _floats(fractions: list[Fraction]) -> Floats:
    return np.array([float(fraction) for fraction in fractions], dtype=np.float64)


def _exponent(variance: Fraction) -> int:
    """About the binary logarithm of the standard deviation if that is very small, else 0."""
    about = (variance.numerator.bit_length() - variance.denominator.bit_length()) // 2
    return about if variance and about < _SMALL else 0


def _places(size: float) -> int:
    """How many decimals show three digits of a number of this size."""
    return 2 - math.floor(math.log10(size)) if size > 0 else 3


def _short(number: float, places: int) -> str:
    number = float(number)
    if abs(number) >= 1e15 or places > 15:
        return f"{number:.3g}"
    decimal = f"{number:.{max(places, 0)}f}"
    return decimal.rstrip("0").rstrip(".") if "." in decimal else decimal

"""Two sets of verdicts on the same documents: which is better, and whether that can be chance.

right or wrong   accuracy of the first minus that of the second; exact McNemar test (sign flips where weights differ)
log loss         mean loss of the first minus that of the second, below 0 the first is better; test by sign flips

Both intervals are those of a mean of differences, document by document; see `significance`. A test says that a
difference can be chance where p is above 1 - level.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from likelier._base.errors import LikelierError, error
from likelier._evaluate.figures.arrays import Booleans, Floats, each_weight, weighted_mean
from likelier._evaluate.figures.significance import Interval, mcnemar, mean_interval, sign_flips


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of both.

    first, second  the figure of each
    difference     first minus second
    interval       of the difference; None with fewer than two documents
    p              how probable a difference of at least this size is if neither is better
    """

    first: float
    second: float
    difference: float
    interval: Interval | None
    p: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sets of verdicts on the same documents.

    names        what the two are called
    documents    how many documents, by weight
    accuracy     the shares of right verdicts
    log_loss     the mean log losses, in nats
    first_only   documents that are right under the first only, by weight
    second_only  documents that are right under the second only, by weight
    level        of the intervals; a p above 1 - level can be chance
    """

    names: tuple[str, str]
    documents: float
    accuracy: Difference
    log_loss: Difference
    first_only: float
    second_only: float
    level: float

    @property
    def better(self) -> str | None:
        """Which of the two is right more often; None where the difference can be chance."""
        return None if self._is_chance(self.accuracy) else self.names[self.accuracy.difference < 0]

    @property
    def better_by_log_loss(self) -> str | None:
        """Which of the two has the better probabilities; None where the difference can be chance."""
        return None if self._is_chance(self.log_loss) else self.names[self.log_loss.difference > 0]

    def _is_chance(self, difference: Difference) -> bool:
        return difference.p > 1 - self.level + 1e-12

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        plain = asdict(self)
        for name in ("accuracy", "log_loss"):
            interval = plain[name]["interval"]
            plain[name]["interval"] = None if interval is None else list(interval)
        plain["names"] = list(self.names)
        return plain | {"better": self.better, "better_by_log_loss": self.better_by_log_loss, "in_words": str(self)}

    def __str__(self) -> str:
        return f"{self._right_in_words()}\n{self._loss_in_words()}"

    def _right_in_words(self) -> str:
        found, (first, second) = self.accuracy, self.names
        if found.difference == 0:
            return f"{first} and {second} are right equally often: in {found.first * 100:.2f} % of the documents."
        better, worse = (first, second) if found.difference > 0 else (second, first)
        high, low = max(found.first, found.second), min(found.first, found.second)
        return (
            f"{better} is right more often than {worse}: {high * 100:.2f} % against {low * 100:.2f} %,"
            f" {_between(found, 100, ' points', 2)}. {self._verdict(found)}"
        )

    def _loss_in_words(self) -> str:
        found, (first, second) = self.log_loss, self.names
        if found.difference == 0:
            return f"Their probabilities are equally good: log loss {found.first:.4f}."
        better = first if found.difference < 0 else second
        return (
            f"{better} has the better probabilities: log loss {min(found.first, found.second):.4f} against"
            f" {max(found.first, found.second):.4f}, {_between(found, 1, '', 4)}. {self._verdict(found)}"
        )

    def _verdict(self, found: Difference) -> str:
        can = "can be chance" if self._is_chance(found) else "can hardly be chance"
        return f"That {can} ({'p < 0.0001' if found.p < 0.0001 else f'p = {found.p:.2g}'})."


def _between(found: Difference, times: float, unit: str, decimals: int) -> str:
    """The size of the difference and its interval, both as the better one sees them."""
    sign = times if found.difference > 0 else -times
    shown = f"by {sign * found.difference:.{decimals}f}{unit}"
    if found.interval is None:
        return shown
    low, high = sorted(sign * end for end in found.interval)
    return f"{shown} ({low:z.{decimals}f} to {high:z.{decimals}f})"


def compare(
    right: tuple[Booleans, Booleans],
    losses: tuple[Floats, Floats],
    *,
    weights: Floats | None = None,
    names: tuple[str, str] = ("the first", "the second"),
    level: float = 0.95,
    flips: int = 9999,
    seed: int = 0,
) -> Comparison:
    """Both tests.

    right: for each of the two, which documents are right; losses: for each of the two, the log loss of each document

    >>> one, two = np.array([True] * 9 + [False]), np.array([False] * 9 + [True])
    >>> found = compare((one, two), (np.full(10, 0.1), np.full(10, 0.2)), names=("A", "B"))
    >>> found.accuracy.difference, found.accuracy.p, found.better
    (0.8, 0.021484375, 'A')
    """
    if len({len(array) for array in (*right, *losses)}) > 1:
        raise documents_differ(f"one has {len(right[0])} documents, the other {len(right[1])}")
    each = each_weight(weights, len(right[0]))
    first_only, second_only = right[0] & ~right[1] & (each > 0), right[1] & ~right[0] & (each > 0)
    shares = right[0].astype(np.float64), right[1].astype(np.float64)
    if len(np.unique(each[first_only | second_only])) <= 1:
        p = mcnemar(int(first_only.sum()), int(second_only.sum()))
    else:
        p = sign_flips(each * (shares[0] - shares[1]), flips=flips, seed=seed)
    return Comparison(
        names,
        float(each.sum()),
        _difference(*shares, each, p, level),
        _difference(*losses, each, sign_flips(each * (losses[0] - losses[1]), flips=flips, seed=seed), level),
        float(each[first_only].sum()),
        float(each[second_only].sum()),
        level,
    )


def _difference(first: Floats, second: Floats, weights: Floats, p: float, level: float) -> Difference:
    one, two, both = (weighted_mean(values, weights) for values in (first, second, first - second))
    return Difference(one, two, both, mean_interval(first - second, weights, level=level), p)


def documents_differ(how: str) -> LikelierError:
    """The error for verdicts that are not on the same documents."""
    return error("comparison-documents-differ", how=how)

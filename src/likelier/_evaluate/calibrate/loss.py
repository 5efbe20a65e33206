"""The log loss of a weight and offsets, with its slopes: what temperature and Platt's rule make least.

    loss(a, b) = sum over documents of w (a E_t[D] - E_t[b] + log sum over labels of exp(b_c - a D_c))

D = d^g, the distances to a power. t are the targets: not 1 for the true label and 0 for the others, but Platt's
(n + 1) / (n + 2), with n documents of that label, and the rest for the labels that come nearest, by their
probabilities. It is as if each label had one more document, which turned out to be of another label. So documents that
are all judged rightly do not make a rule infinitely sure. The loss is convex in a and b.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from likelier._answer.posterior import posterior
from likelier._base.numbers import Floats
from likelier._evaluate.calibrate.cases import AT_ONCE, Cases

FEW_LABELS = 256  # up to which products are added up here and not by threads


@dataclass(frozen=True, slots=True)
class Slopes:
    """A value with its first and second derivatives; first the weight, then the offsets."""

    value: float
    first: Floats  # (1 + labels,)
    second: Floats  # (1 + labels, 1 + labels)


class Loss:
    """The loss over some documents, with distances to some power. Documents are columns here: sums are quicker so."""

    def __init__(self, found: Cases, power: float) -> None:
        behind = np.ascontiguousarray(found.behind.T)
        self.possible = np.isfinite(behind)
        self.raised = np.where(self.possible, behind, 0.0) ** power  # (labels, documents)
        self.weights = found.weights
        self.target_distance, self.target_per_label = self._targets(found)

    def _targets(self, found: Cases) -> tuple[float, Floats]:
        """Sums over documents: of w E_t[D], and of w t for each label. Nothing else depends on the targets."""
        per_label = found.weight_per_label
        own_target = (per_label + 1) / (per_label + 2)
        distance, labels = 0.0, np.zeros(len(per_label))
        for some in self._pieces():
            truth = found.truth[some, np.newaxis]
            others = -found.behind[some]
            np.put_along_axis(others, truth, -np.inf, axis=1)
            target = posterior(others) * (1 - own_target[truth])
            np.put_along_axis(target, truth, 1 - target.sum(axis=1, keepdims=True), axis=1)
            target *= self.weights[some, np.newaxis]
            distance += float((target.T * self.raised[:, some]).sum())
            labels += target.sum(axis=0)
        return distance, labels

    def _pieces(self) -> Iterator[slice]:
        labels, documents = self.raised.shape
        step = max(AT_ONCE // labels, 1)
        return (slice(begin, begin + step) for begin in range(0, documents, step))

    def _shares(self, some: slice, weight: float, offsets: Floats) -> tuple[Floats, Floats]:
        """The probabilities, and the logarithm of what divides them."""
        logits = offsets[:, np.newaxis] - weight * self.raised[:, some]
        logits[~self.possible[:, some]] = -np.inf
        highest = logits.max(axis=0)
        relative = np.exp(logits - highest)
        total = relative.sum(axis=0)
        return relative / total, np.log(total) + highest

    def value(self, weight: float, offsets: Floats) -> float:
        total = weight * self.target_distance - float((self.target_per_label * offsets).sum())
        for some in self._pieces():
            total += float((self.weights[some] * self._shares(some, weight, offsets)[1]).sum())
        return total

    def slope(self, weight: float) -> tuple[float, float]:
        """The first and second derivative by the weight, all offsets being 0."""
        first, second = self.target_distance, 0.0
        none = np.zeros(len(self.raised))
        for some in self._pieces():
            share, _ = self._shares(some, weight, none)
            raised = self.raised[:, some]
            mean = (share * raised).sum(axis=0)
            first -= float((self.weights[some] * mean).sum())
            second += float((self.weights[some] * (share * (raised - mean) ** 2).sum(axis=0)).sum())
        return first, second

    def slopes(self, weight: float, offsets: Floats) -> Slopes:
        labels = len(offsets)
        first = np.concatenate([[self.target_distance], -self.target_per_label])
        second = np.zeros((1 + labels, 1 + labels))
        value = weight * self.target_distance - float((self.target_per_label * offsets).sum())
        for some in self._pieces():
            share, log_total = self._shares(some, weight, offsets)
            raised, weights = self.raised[:, some], self.weights[some]
            mean = (share * raised).sum(axis=0)
            weighted = share * weights
            value += float((weights * log_total).sum())
            first[0] -= float((weights * mean).sum())
            first[1:] += weighted.sum(axis=1)
            second[0, 0] += float((weighted * (raised - mean) ** 2).sum())
            second[0, 1:] -= (weighted * (raised - mean)).sum(axis=1)
            second[1:, 1:] -= _products(weighted, share)
        second[1:, 0] = second[0, 1:]
        second[1:, 1:] += np.diag(first[1:] + self.target_per_label)  # the sum of the weighted shares
        return Slopes(value, first, second)


def _products(one: Floats, two: Floats) -> Floats:  # (labels, documents) twice -> (labels, labels)
    """one @ two.T. On a busy machine its threads wait for each other ten times as long as they work."""
    product: Floats = np.einsum("in,jn->ij", one, two) if len(one) <= FEW_LABELS else one @ two.T
    return product

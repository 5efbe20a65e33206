"""Rows of distinct terms and linear support vector machines, as the kernel makes them, in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

BLOCK = 8  # machines side by side
NOTHING = 1e-12


@dataclass(frozen=True)
class Rows:
    """Documents as the numbers of their terms, rising, and how often each occurs."""

    names: list[str]
    idf: list[float]
    documents: list[dict[int, int]]

    def scaled(self, documents: Sequence[int], labels: Sequence[int], count: int, weights: Sequence[float]) -> Scaled:
        """With the scales that follow from these documents."""
        telling = [self._telling(term, documents, labels, count, weights) for term in range(len(self.names))]
        scales = [math.sqrt(idf) * (0.5 + math.sqrt(square)) for idf, square in zip(self.idf, telling, strict=True)]
        return Scaled(self, [float(np.float32(scale)) for scale in scales])

    def _telling(
        self, term: int, documents: Sequence[int], labels: Sequence[int], count: int, weights: Sequence[float]
    ) -> float:
        """The sum of P(c) r(t,c)²."""
        everything, found = sum(weights[document] for document in documents), 0.0
        for label in range(count):
            ratio = 0.0
            for sign, is_label in ((1, True), (-1, False)):
                some = [document for document in documents if (labels[document] == label) is is_label]
                have = sum(weights[document] for document in some if term in self.documents[document])
                size = sum(weights[document] * len(self.documents[document]) for document in some)
                ratio += sign * math.log((have + 1) / (size + len(self.names)))
            share = sum(weights[document] for document in documents if labels[document] == label) / everything
            found += share * ratio**2
        return found


@dataclass(frozen=True)
class Scaled:
    """Rows and the scale of each term."""

    rows: Rows
    scales: list[float]

    def square(self, term: int) -> float:
        return self.scales[term] * self.scales[term]

    def length(self, document: int) -> float:
        return math.sqrt(in_order(f * self.square(term) for term, f in self.values(document)))

    def values(self, document: int) -> list[tuple[int, float]]:
        """The terms of a document with f."""
        return [(term, factor(times)) for term, times in self.rows.documents[document].items()]


def factor(times: int) -> float:
    """ln(1 + n), in 65536ths."""
    return round(65536 * math.log(1 + times)) / 65536


def in_order(numbers: object) -> float:
    """Added one after the other; `sum` of newer Python does better than that."""
    return reduce(lambda one, other: one + other, numbers, 0.0)  # type: ignore[call-overload,no-any-return]


def rows(terms: Sequence[Sequence[str]], least: int, most: int) -> Rows:
    """The terms of each document; those that at least `least` of them have."""
    df = Counter(term for each in terms for term in set(each))
    kept = sorted((name for name in df if df[name] >= least), key=lambda name: (-df[name], name.encode()))[:most]
    numbers = {name: number for number, name in enumerate(kept)}
    idf = [math.log((1 + len(terms)) / (1 + df[name])) + 1 for name in kept]
    counted = [Counter(numbers[term] for term in each if term in numbers) for each in terms]
    return Rows(kept, idf, [dict(sorted(each.items())) for each in counted])


class Dice:
    """SplitMix."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, limit: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        return (mixed ^ (mixed >> 31)) * limit >> 64


@dataclass
class Machines:
    """Weights (terms, lanes), those of f / |d|, and biases (lanes,)."""

    weights: np.ndarray
    biases: np.ndarray

    def margins(self, found: Scaled, document: int) -> np.ndarray:
        length = found.length(document)
        return (self.sums(found, document) / length if length else 0.0) + self.biases

    def sums(self, found: Scaled, document: int) -> np.ndarray:
        total = np.zeros(len(self.biases))
        for term, f in found.values(document):
            total += self.weights[term] * f
        return total


def fitted(
    found: Scaled, documents: Sequence[int], positive: Sequence[int | None], costs: Sequence[float],
    lanes: int, seed: int, tolerance: float, epochs: int,
) -> Machines:  # fmt: skip
    """Dual coordinate descent with shrinking; `positive` is the lane for which a document is on the positive side."""
    machines = Machines(np.zeros((len(found.scales), lanes)), np.zeros(lanes))
    alphas = {document: np.zeros(lanes) for document in documents}
    active = {document: set(range(lanes)) for document in documents}
    order, dice = list(documents), Dice(seed)
    count, bounds, is_whole = len(order), [math.inf] * lanes, True
    for _ in range(epochs):
        for place in range(count):
            other = place + dice.below(count - place)
            order[place], order[other] = order[other], order[place]
        highest, lowest, place = [-math.inf] * lanes, [math.inf] * lanes, 0
        while place < count:
            document = order[place]
            before = len(active[document])
            _descend(
                machines, found, document, positive[document], costs[document], alphas, active, bounds, highest, lowest
            )
            is_whole &= len(active[document]) == before
            if active[document]:
                place += 1
            else:
                count -= 1
                order[place], order[count] = order[count], order[place]
        if any(high - low > tolerance for high, low in zip(highest, lowest, strict=True)):
            bounds = [high if high > 0 else math.inf for high in highest]
        elif is_whole:
            break
        else:
            count, bounds, is_whole = len(order), [math.inf] * lanes, True
            active = {document: set(range(lanes)) for document in documents}
    return machines


def _descend(machines, found, document, positive, cost, alphas, active, bounds, highest, lowest):  # type: ignore[no-untyped-def]
    length, ridge = found.length(document), 0.5 / cost
    part = 1 / length if length else 0.0
    square = in_order(f * f * found.square(term) for term, f in found.values(document)) * part * part + 1.0 + ridge
    sums, steps = machines.sums(found, document), np.zeros(len(bounds))
    for lane in sorted(active[document]):
        alpha, sign = float(alphas[document][lane]), 1.0 if positive == lane else -1.0
        gradient = sign * (part * sums[lane] + machines.biases[lane]) - 1.0 + alpha * ridge
        if alpha == 0.0 and gradient > bounds[lane]:
            active[document].discard(lane)
            continue
        projected = min(gradient, 0.0) if alpha == 0.0 else gradient
        highest[lane], lowest[lane] = max(highest[lane], projected), min(lowest[lane], projected)
        if abs(projected) > NOTHING:
            alphas[document][lane] = max(alpha - gradient / square, 0.0)
            steps[lane] = (alphas[document][lane] - alpha) * sign
    if steps.any():
        along = steps * part
        for term, f in found.values(document):
            machines.weights[term] += along * (f * found.square(term))
        machines.biases += steps

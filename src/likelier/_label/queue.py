"""What is asked next.

At first at random, until each label has five documents. Then seven of ten questions are those whose answer is least
certain, and three are random: only these show how good the model is (see `judging`).

    uncertainty = -sum of P(c|d) log P(c|d)     the entropy of the posterior

A text of which the model knows hardly a word is uncertain whatever it is about, and asking for it teaches little: it is
not chosen. Nor is a text that is nearly the same as one that was just asked, as long as there are others.

Which draws are random depends on how many there were before, and everything else on the counts, the pool and the seed:
so the same labeling asks the same questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likelier._answer.verdict import Verdicts
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._label.pool import Chances, Places, Pool, alike

AHEAD = 5  # places that are decided already
EACH = 5  # documents of each label, before anything is chosen
PATIENCE = 20  # answers for each label, after which a rare one is not waited for
OF_TEN = (2, 5, 9)  # draws that are random
UNKNOWN = 0.8  # share of unknown terms
CANDIDATES = 200
SAME = 0.5  # likeness of texts that are nearly the same


@dataclass(frozen=True, eq=False)
class Judged:
    """Places that have no label yet, as the model sees them.

    columns  the verdict of each, as its place among the labels of the view; -1 for none
    """

    places: Places
    columns: NDArray[np.intp]
    entropies: Floats
    unknown: Floats
    labels: tuple[Label, ...]

    @classmethod
    def of(cls, places: Places, verdicts: Verdicts) -> Judged:
        """By their verdicts."""
        found = entropies(verdicts.probabilities)
        return cls(places, verdicts.columns, found, verdicts.unknown_share, verdicts.all_labels)

    def least_certain(self, chances: Chances) -> Places:
        """The first candidates to be asked; of equally uncertain ones chance decides."""
        rows = np.flatnonzero(self.unknown <= UNKNOWN)
        if len(rows) > CANDIDATES:
            least = np.partition(self.entropies[rows], len(rows) - CANDIDATES)[len(rows) - CANDIDATES]
            rows = rows[self.entropies[rows] >= least]
        order = np.lexsort((chances[self.places[rows]], -self.entropies[rows]))
        return self.places[rows[order][:CANDIDATES]]


def entropies(probabilities: Floats) -> Floats:  # (documents, labels) -> (documents,)
    """How uncertain a posterior is.

    >>> entropies(np.array([[0.5, 0.5], [1.0, 0.0]])).round(4).tolist()
    [0.6931, 0.0]
    """
    logs = np.log(probabilities, out=np.zeros_like(probabilities), where=probabilities > 0)
    return -np.asarray((probabilities * logs).sum(axis=1)) + 0.0


def is_beginning(documents: Sequence[int]) -> bool:
    """Whether it is too early to choose: some label has fewer than five documents; but nobody waits for ever.

    >>> is_beginning([5, 4]), is_beginning([5, 5]), is_beginning([40, 0])
    (True, False, False)
    """
    enough = sum(documents) >= PATIENCE * len(documents) or min(documents, default=0) >= EACH
    return len(documents) < 2 or not enough


def is_random(draw: int) -> bool:
    """Whether this draw is random, once there is a choice.

    >>> sum(map(is_random, range(100)))
    30
    """
    return draw % 10 in OF_TEN


def at_random(free: NDArray[np.bool_], chances: Chances) -> int | None:
    """The first free place in the random order."""
    places = np.flatnonzero(free)
    return int(places[chances[places].argmin()]) if len(places) else None


def unlike(candidates: Places, free: NDArray[np.bool_], pool: Pool, recent: Sequence[int]) -> int | None:
    """The first candidate that is not nearly the same as a recent question; if all are, the first."""
    there = [int(place) for place in candidates if free[place]]
    asked = [pool.terms(place) for place in recent]
    found: Iterator[int] = (place for place in there if not alike(pool.terms(place), asked, SAME))
    return next(found, there[0] if there else None)

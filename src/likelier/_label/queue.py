"""What is asked next.

At first at random, until each label has five documents. Then seven of ten questions are those whose answer is least
certain, and three are random: only these show how good the model is, and so they have no say in what is chosen (see
`judging`).

    certainty = (q1 - q2) / sqrt(n)     q1, q2: the two highest log scores;  n: the size of the known part of the text

For two labels and texts of one length this is the order of the entropy of the posterior. A sum of n terms that say
nothing strays as far as sqrt(n), so long texts are not taken as certain because they are long. Among many labels the
entropy asks for texts that could be anything, and this for texts that could be one of two.

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
PATIENCE = 100  # answers, after which a rare label is not waited for
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
    certainty: Floats
    unknown: Floats
    labels: tuple[Label, ...]

    @classmethod
    def of(cls, places: Places, verdicts: Verdicts, sizes: Floats) -> Judged:
        """By their verdicts; sizes: of the texts, in any unit."""
        known = sizes * (1 - verdicts.unknown_share)
        found = certainty(verdicts.log_scores, known)
        return cls(places, verdicts.columns, found, verdicts.unknown_share, verdicts.all_labels)

    def least_certain(self, chances: Chances) -> Places:
        """The first candidates to be asked; of equally uncertain ones chance decides."""
        rows = np.flatnonzero(self.unknown <= UNKNOWN)
        if len(rows) > CANDIDATES:
            most = np.partition(self.certainty[rows], CANDIDATES)[CANDIDATES]
            rows = rows[self.certainty[rows] <= most]
        order = np.lexsort((chances[self.places[rows]], self.certainty[rows]))
        return self.places[rows[order][:CANDIDATES]]


def joined(parts: Sequence[Judged | None]) -> Judged | None:
    """The verdicts on all places; None if some have none, or if the labels changed in between."""
    there = [each for each in parts if each is not None]
    if len(there) < len(parts) or len({each.labels for each in there}) != 1:
        return None
    names = ("places", "columns", "certainty", "unknown")
    places, columns, sure, unknown = (np.concatenate([getattr(each, name) for each in there]) for name in names)
    return Judged(places, columns, sure, unknown, there[0].labels)


def certainty(log_scores: Floats, known: Floats) -> Floats:  # (documents, labels), (documents,) -> (documents,)
    """By how much the best label is ahead of the next, for what is known of each text.

    >>> certainty(np.array([[-1.0, -3.0], [-5.0, -5.0], [-4.0, -np.inf]]), np.array([4.0, 4.0, 1.0])).tolist()
    [1.0, 0.0, inf]
    """
    second, first = np.partition(log_scores, -2, axis=1)[:, -2:].T
    with np.errstate(invalid="ignore"):  # where every label is impossible
        return np.nan_to_num((first - second) / np.sqrt(np.maximum(known, 1.0)), nan=0.0, posinf=np.inf)


def is_beginning(documents: Sequence[int]) -> bool:
    """Whether it is too early to choose: some label has fewer than five documents; but nobody waits for ever.

    >>> is_beginning([5, 4]), is_beginning([5, 5]), is_beginning([100, 0])
    (True, False, False)
    """
    enough = sum(documents) >= PATIENCE or min(documents, default=0) >= EACH
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

"""The pool: the texts to label. A text's place is its index, for good; more texts can be added at the end.

Chance is a number made from the seed and the place, so that texts that are added later do not disturb the order of
the others. Two such numbers are independent: one orders the random questions, the other one the texts that are looked
at in large pools.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._documents.batch import Batch
from likelier._kernel import Column, words
from likelier._model.view import View
from likelier._read.intake import asked
from likelier._text.texts import checked_texts, listed_texts, surrogate_error
from likelier._train.sample import mixed

Places = NDArray[np.intp]
Chances = NDArray[np.uint64]
MOST_BYTES, MOST_TEXTS = 2 << 20, 25_000  # that are judged after each lesson
FEWEST_TEXTS = 1000  # however long they are
ASKED, LOOKED_AT = 1, 2  # what chance decides


class Pool:
    """Texts, each at its place."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.texts: list[str] = []
        self.chances: Chances = np.zeros(0, dtype=np.uint64)  # the random order of questions
        self.sizes: Floats = np.zeros(0)  # bytes of each text
        self._order: Places = np.zeros(0, dtype=np.intp)  # in which texts are looked at
        self._column = Column.from_list([])
        self._batch: Batch | None = None
        self._folded: list[str] = []

    def add(self, texts: Iterable[str]) -> None:
        """More texts, behind the others."""
        every = [*self.texts, *listed_texts(checked_texts(texts))]
        try:
            self._column = Column.from_list(list(every))
        except UnicodeEncodeError:
            raise surrogate_error(every) from None
        self.texts = every  # who reads the old list is not disturbed
        self.chances = chances(self.seed, len(self.texts), ASKED)
        self.sizes = self._column.text_sizes().astype(np.float64)
        self._order = np.argsort(chances(self.seed, len(self.texts), LOOKED_AT), kind="stable")
        self._batch = None

    def __len__(self) -> int:
        return len(self.texts)

    def batch(self, view: View) -> Batch:
        """All texts, ready to be classified."""
        batch = self._batch
        if batch is None or len(batch) != len(self):
            batch = Batch.of_texts(self._column) if view.schema.is_plain else asked(view.schema, self.texts)
            self._batch = batch
        return batch

    def looked_at(self, free: NDArray[np.bool_]) -> Places:
        """The free places that are judged after a lesson: all of them, or of very many some that chance picks."""
        mean = float(self.sizes.mean()) if len(self) else 0.0
        most = int(min(MOST_TEXTS, max(MOST_BYTES / max(mean, 1.0), FEWEST_TEXTS)))
        return np.sort(self._order[free[self._order]][:most])

    def search(self, text: str) -> list[int]:
        """The places whose texts contain this, in upper or lower case."""
        start = len(self._folded)
        self._folded += [each.casefold() for each in self.texts[start:]]
        wanted = text.casefold()
        return [place for place, each in enumerate(self._folded) if wanted in each]

    def sequence(self, place: int) -> tuple[str, ...]:
        """The words of a text, in lower case."""
        return tuple(words(self.texts[place], True, False))

    def terms(self, place: int) -> frozenset[str]:
        """Its different words."""
        return frozenset(self.sequence(place))


def chances(seed: int, count: int, what: int) -> Chances:
    """A number for each place that looks like chance.

    >>> bool((chances(0, 3, ASKED) == chances(0, 5, ASKED)[:3]).all())
    True
    """
    start = mixed(np.array([seed % (1 << 62), what], dtype=np.uint64))
    both = mixed(start[:1] ^ (start[1:] << np.uint64(1)))
    found: Chances = mixed(np.arange(count, dtype=np.uint64) ^ both)
    return found


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words that two texts have in common (Jaccard).

    >>> likeness(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    return len(one & other) / max(len(one | other), 1)


def alike(one: frozenset[str], others: Sequence[frozenset[str]], least: float) -> bool:
    """Whether one of the others is at least so much like it."""
    return any(likeness(one, other) >= least for other in others)

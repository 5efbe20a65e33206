"""Made-up texts, for everybody who has no others.

The words follow the law of Zipf and Mandelbrot: the word of rank r has a probability in proportion to
(r + 2.7)^-1.15. The second label has part of the ranks dealt anew, so its words are partly more or less frequent.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

VOCABULARY = 120_000
MANDELBROT_SHIFT, ZIPF_EXPONENT = 2.7, 1.15
DEALT_ANEW = 0.2  # of the vocabulary, for the second label
WORDS_PER_DOCUMENT = 250  # mean; the spread is that of movie reviews
DOCUMENTS_PER_MEGABYTE = 750  # about

ONSETS = [*"bcdfghklmnprstvw", "th", "st", "ch"]
SYLLABLES = [first + vowel for first in ONSETS for vowel in "aeiou"]
ENDINGS = ["", "", "", "n", "s", "r", "l", "t", "ng", "ed"]
MARKS = [" ", ", ", ". ", "! ", "? ", ".<br /><br />", ' "', '" ', " - ", "; "]
MARK_SHARES = [0.865, 0.05, 0.05, 0.004, 0.004, 0.004, 0.006, 0.006, 0.007, 0.004]
ENDS_SENTENCE = np.array([mark[0] in ".!?" for mark in MARKS])


class MadeUpLanguage:
    """Words with their frequencies under two labels."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.words = _made_up_words(random)
        self.capitalised = [word.capitalize() for word in self.words]
        ranks = np.arange(len(self.words))
        other = ranks.copy()
        moved = random.random(len(ranks)) < DEALT_ANEW
        # A word moves by a factor of its rank, at most about threefold: everyday words stay everyday words.
        other[moved] = other[moved][np.argsort(np.log1p(other[moved]) + random.normal(0, 0.7, moved.sum()))]
        self.word_of_rank = {"first": ranks, "second": other}
        shares = (ranks + 1 + MANDELBROT_SHIFT) ** -ZIPF_EXPONENT
        self.cumulated = np.cumsum(shares / shares.sum())

    def documents(self, count: int) -> tuple[list[str], list[str]]:
        """Texts and labels."""
        labels = ["first" if coin else "second" for coin in self.random.integers(2, size=count)]
        return [self._document(label) for label in labels], labels

    def _document(self, label: str) -> str:
        size = int(np.clip(self.random.lognormal(np.log(WORDS_PER_DOCUMENT) - 0.18, 0.6), 10, 2_500))
        ranks = np.searchsorted(self.cumulated, self.random.random(size))
        word_ids = self.word_of_rank[label][np.minimum(ranks, len(self.words) - 1)].tolist()
        marks = self.random.choice(len(MARKS), size=size, p=MARK_SHARES)
        starts = np.r_[True, ENDS_SENTENCE[marks[:-1]]] | (self.random.random(size) < 0.03)  # and names
        spelled = (
            (self.capitalised if start else self.words)[word_id] + MARKS[mark]
            for word_id, mark, start in zip(word_ids, marks.tolist(), starts.tolist(), strict=True)
        )
        return "".join(spelled).rstrip() + "."


def _made_up_words(random: np.random.Generator) -> list[str]:
    """Different words, the frequent ones short; some with an apostrophe, an accent or digits."""
    wanted = VOCABULARY + VOCABULARY // 2
    # Frequent words have one syllable, rare ones up to five.
    lengths = 1 + random.binomial(4, np.linspace(0.01, 0.5, wanted) ** 0.5)
    lengths[:60] = 1
    pieces = random.choice(SYLLABLES, size=lengths.sum()).tolist()
    endings = random.choice(ENDINGS, size=wanted).tolist()
    stretches = pairwise([0, *np.cumsum(lengths).tolist()])
    plain = ["".join(pieces[a:b]) + ending for (a, b), ending in zip(stretches, endings, strict=True)]
    kinds: NDArray[np.float64] = random.random(wanted)
    spelled = (
        _spelled(word, kind, place) for place, (word, kind) in enumerate(zip(plain, kinds.tolist(), strict=True))
    )
    return list(dict.fromkeys(["a", "i", *spelled]))[:VOCABULARY]


def _spelled(word: str, kind: float, place: int) -> str:
    if kind < 0.02:
        return word + "'s"
    if kind < 0.022:
        return word.replace("e", "é")
    if kind < 0.03 and place > 500:
        return str(place % 2_100)
    return word

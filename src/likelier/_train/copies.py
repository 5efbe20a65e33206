"""Documents that are copies of another one, or share passages with it, as replies that quote do.

Leave-one-out leaves out a document and not the ones that it shares passages with, so on these it is better than on
documents that are really new. A passage shows in pairs of words that only a few documents have, all in the same one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likelier._kernel import Bags
from likelier._show.words import percent

RARE = 5  # documents that have a pair, at most
PAIRS, SHARE = 8, 0.1  # rare pairs that are in the same other document at least, and their share of all pairs
FEW = 100  # documents; with fewer, most pairs are rare
MANY = 0.2  # of the judged documents

Flags = NDArray[np.bool_]


def with_copies(bags: Bags, rows: NDArray[np.uint32], layer: int) -> Flags:
    """Which of these rows share passages with another document, by the pairs of words in a layer, or are copies."""
    pairs, shared, copies = bags.shared(rows, layer, RARE)
    return copies | ((shared >= PAIRS) & (shared >= SHARE * pairs))


def note(found: Flags, right: NDArray[np.uint8]) -> str | None:
    """What to say of the accuracy on documents that were judged; `found`: which of them share passages."""
    number, judged = int(np.count_nonzero(found)), len(found)
    if judged < FEW or number < MANY * judged:
        return None
    others = right[~found]
    but = f"; it is {percent(float(others.mean()))} on the others" if len(others) else ""
    return (
        f"{number:,} of {judged:,} judged documents are copies of another one or share passages with it, as replies"
        f" do: on new documents, expect a lower accuracy than {percent(float(right.mean()))}{but}"
    )

"""How much one thing tells about another once the label is known: class-conditional mutual information.

    I(X;Y|C) = sum over c, x, y of P(c,x,y) log( P(x,y|c) / (P(x|c) P(y|c)) )                              in nats

It is 0 where X and Y are independent, given the label, as naive Bayes takes them to be. In a sample of N documents,
chance alone gives about q df / (2 N): 2 N I is chi-square distributed, with (|X_c| - 1)(|Y_c| - 1) degrees of freedom
for every label c, where X_c and Y_c are the values in documents of c; q corrects for rare values (Williams 1976):

    q = 1 + (N sum over x of 1/n_x - 1) (N sum over y of 1/n_y - 1) / (6 N df)                        for each label

Pairs are ordered by  (I - q df / (2 N)) · I / min(H(X|C), H(Y|C)),  what one repeats of the other: information that is
a small part of what both have to say is hardly a repetition, since long documents have more of all words.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats

Places = NDArray[np.intp]
RARELY = 0.001  # how often chance may be taken for more than that
MOST_CORRECTION = 1.5


class Measures(NamedTuple):
    """What a table of counts says about its two columns.

    nats     I(X;Y|C)
    shared   the part of the column with less to say that the other says, from 0 to 1
    degrees  the degrees of freedom of 2 N I under independence
    sparse   sum over labels of df (q - 1) N
    """

    nats: float
    shared: float
    degrees: int
    sparse: float

    def correction(self, documents: float) -> float:
        """q, all labels together; it was made for values that are not too rare, and has a limit here."""
        return min(1 + self.sparse / max(self.degrees * documents, 1e-300), MOST_CORRECTION)

    def expected(self, documents: float) -> float:
        """The information that chance alone gives."""
        return self.correction(documents) * self.degrees / (2 * documents) if documents else 0.0

    def is_sure(self, documents: float, pairs: int) -> bool:
        """Whether it is more than chance gives to the best of `pairs` pairs (Wilson & Hilferty 1931).

        >>> table = np.array([[[30.0, 20.0], [20.0, 30.0]]])
        >>> measures(table).is_sure(100, 1), measures(10 * table).is_sure(1000, 1), measures(table).is_sure(100, 10**6)
        (False, True, False)
        """
        if self.degrees == 0 or documents == 0:
            return False
        spread = 2 / (9 * self.degrees)
        deviations = NormalDist().inv_cdf(1 - RARELY / pairs)
        ratio = 2 * documents * self.nats / (self.degrees * self.correction(documents))
        return float(ratio ** (1 / 3)) > 1 - spread + deviations * math.sqrt(spread)


def measures(table: Floats) -> Measures:  # (labels, x, y)
    """From how often each pair of values occurs under each label.

    >>> each_says_the_other = measures(np.array([[[3.0, 0.0], [0.0, 3.0]]]))
    >>> round(each_says_the_other.nats, 6), each_says_the_other.shared  # log 2
    (0.693147, 1.0)
    """
    x, y = table.sum(axis=2), table.sum(axis=1)
    labels = x.sum(axis=1)
    total = max(float(labels.sum()), 1e-300)
    whole = float(_n_log_n(labels).sum())
    entropies = [(whole - float(_n_log_n(part).sum())) / total for part in (x, y)]  # H(X|C), H(Y|C)
    together = (whole - float(_n_log_n(table).sum())) / total  # H(X,Y|C)
    nats, least = max(sum(entropies) - together, 0.0), min(entropies)
    nats = nats if nats > 1e-12 else 0.0  # what is left of rounding
    x, y, labels = x[labels > 0], y[labels > 0], labels[labels > 0]
    degrees = ((x > 0).sum(axis=1) - 1) * ((y > 0).sum(axis=1) - 1)
    rarity = [labels * np.where(part > 0, 1 / np.where(part > 0, part, 1.0), 0.0).sum(axis=1) - 1 for part in (x, y)]
    sparse = float((rarity[0] * rarity[1] * total / labels).sum()) / 6
    return Measures(nats, min(nats / least, 1.0) if least > 1e-9 else 0.0, int(degrees.sum()), sparse)


def of_pairs(alone: Floats, both: Floats, documents: Floats, first: Places, second: Places) -> tuple[Floats, ...]:
    """For many pairs of terms at once: nats, `shared`, and the degrees of freedom; (pairs,) each.

    alone: (labels, terms) documents that have each term; both: (labels, pairs) that have both; documents: (labels,)
    """
    nats, degrees, own = np.zeros(len(first)), np.zeros(len(first)), np.zeros(alone.shape[1])
    for there, pairs, number in zip(alone, both, documents.tolist(), strict=True):  # label by label: little memory
        whole = float(_n_log_n(np.array([number]))[0])
        entropy = whole - _n_log_n(there) - _n_log_n(number - there)
        a, b = there[first], there[second]
        nats += _n_log_n(pairs) + _n_log_n(a - pairs) + _n_log_n(b - pairs) + _n_log_n(number - a - b + pairs)
        nats += entropy[first] + entropy[second] - whole
        varies = (there > 0) & (there < number)
        degrees += varies[first] & varies[second]
        own += entropy
    least = np.minimum(own[first], own[second])
    total = max(float(documents.sum()), 1e-300)
    nats = np.maximum(nats, 0.0)
    return nats / total, np.where(least > 1e-9 * total, nats / np.maximum(least, 1e-300), 0.0), degrees


def _n_log_n(numbers: Floats) -> Floats:
    result: Floats = numbers * np.log(np.where(numbers > 0, numbers, 1.0))
    return result

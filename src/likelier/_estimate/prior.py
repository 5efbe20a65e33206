"""The prior: what is known of a document before it is read.

fitted   P(c) = N_c / N
uniform  P(c) = 1 / number of labels; the prior drops out, which is the maximum likelihood decision
given    a mapping of labels to probabilities
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from likelier._base.checks import is_one_of
from likelier._base.errors import error
from likelier._base.numbers import Floats, Real, exact, is_number, log, log_of_fraction
from likelier._counts.term_counts import TermCounts
from likelier._documents.labels import Label

Prior = Literal["fitted", "uniform"] | Mapping[Label, Real]


def check_prior(prior: object) -> None:
    """Whether this can be a prior, apart from the labels."""
    if isinstance(prior, Mapping):
        _check_given(prior)
    elif not is_one_of(prior, ("fitted", "uniform")):
        raise error("prior-unknown", got=prior)


def _check_given(prior: Mapping[Label, Real]) -> None:
    if not all(is_number(number) and 0 <= number <= 1 for number in prior.values()):
        raise error("prior-range", got=dict(prior))
    total = math.fsum(prior.values())
    if abs(total - 1) > 1e-9:
        raise error("prior-sum", got=total)


def priors(counts: TermCounts, prior: Prior) -> list[Fraction]:
    """P(c) for each label, exact.

    >>> from likelier import Counts
    >>> counts = Counts.from_table({"a": {"x": 1, "y": 1}}, documents={"x": 3, "y": 1})
    >>> priors(counts.sizes, "fitted")
    [Fraction(3, 4), Fraction(1, 4)]
    """
    return priors_of(counts.labels, prior, counts.snapshot.documents.tolist())


def priors_of(labels: Sequence[Label], prior: Prior, documents: Sequence[int | Fraction]) -> list[Fraction]:
    """The same from the number of documents of each label."""
    if prior == "uniform":
        return [Fraction(1, len(labels))] * len(labels)
    if isinstance(prior, Mapping):
        _check_labels(prior, labels)
        return [exact(prior[label]) for label in labels]
    all_documents = sum(documents)
    if not all_documents:
        raise error("prior-without-documents")
    return [Fraction(number) / all_documents for number in documents]


def log_priors(fractions: Sequence[Fraction]) -> Floats:  # (labels,)
    """log P(c) for each label."""
    return np.array([log_of_fraction(fraction) for fraction in fractions], dtype=np.float64)


def log_priors_of(numbers: NDArray[np.int64], there: NDArray[np.bool_], prior: Literal["fitted", "uniform"]) -> Floats:
    """log P(c) in many cases at once: each has documents by label, and says which labels there are.

    >>> log_priors_of(np.array([[3, 1], [3, 0]]), np.array([[True, True], [True, False]]), "uniform").round(4).tolist()
    [[-0.6931, -0.6931], [-0.0, -inf]]
    """
    weights = numbers.astype(np.float64) if prior == "fitted" else np.ones(there.shape)
    weights = np.where(there, weights, 0.0)
    total = weights.sum(axis=-1, keepdims=True)
    return log(weights) - log(total + (total == 0))


def _check_labels(prior: Mapping[Label, Real], labels: Sequence[Label]) -> None:
    if set(prior) != set(labels):
        raise error("prior-labels", labels=", ".join(map(repr, labels)), got=", ".join(map(repr, prior)))

"""Documents to log scores, one at a time or in batches, with the same numbers.

    log score(c) = log P(c) + what the first column adds + what the second adds + ...

`Part` is what every column must be able to do; `likelier._columns` has one class for each sort of column.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from likelier._base.numbers import Floats
from likelier._counts.term_counts import TermCounts
from likelier._documents.labels import Label
from likelier._documents.values import Values

Ints = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Added:
    """Log scores with what one column adds, and how many of its terms are known and unknown."""

    values: Floats  # (documents, labels)
    known: Ints  # (documents,)
    unknown: Ints  # (documents,)


class Part(ABC):
    """What one column of a document adds to its scores, under one view."""

    name: str
    counts: TermCounts
    estimator: Any = None  # the estimates of its terms or values; a normal distribution has none
    of_terms: ClassVar[bool] = False  # whether its values are texts, made of terms

    @property
    def counts_unknown(self) -> bool:
        """Whether unknown terms or values add anything."""
        return self.estimator is not None and self.estimator.unknown != "ignore"

    @property
    def refuses_unknown(self) -> bool:
        """Whether an unknown term or value makes every label impossible."""
        return self.estimator is not None and bool(np.isneginf(self.estimator.unknown_weight()).all())

    @property
    def has_absence(self) -> bool:
        """Whether terms that a document lacks add something."""
        return self.estimator is not None and self.estimator.absence is not None

    @abstractmethod
    def add(self, values: Any, start: Floats, *, few: bool, threads: int) -> Added:
        """The scores of documents with what this column adds: few by their own terms, many by the weights of all."""

    @abstractmethod
    def explained(self, values: Any, labels: tuple[Label, ...], *, plain: bool) -> Any:
        """What it adds for one document, to be taken apart (`Explained`); None where it is missing.

        plain: the document is this column's text and nothing more.
        """


class Refining(Protocol):
    """What a layer of refined weights does to scores."""

    def added(self, values: Mapping[str, Values], threads: int) -> Floats: ...

    def combined(self, calibrated: Floats, added: Floats) -> Floats: ...


@dataclass(frozen=True)
class Estimates:
    """One state of the counts, read under one set of settings."""

    labels: tuple[Label, ...]
    priors: list[Fraction]  # (labels,)
    log_prior: Floats  # (labels,)
    documents: list[Fraction] | None  # N_c, where the prior is fitted to them
    parts: Mapping[str, Part]
    refined: Refining | None = None  # the layer beside them, where there is one


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Log scores, and how many terms and values of each document are known and unknown."""

    values: Floats  # (documents, labels)
    known: Ints  # (documents,)
    unknown: Ints  # (documents, columns): each column has its own policy for them
    log_prior: Floats | None = None  # (documents, labels) in the values, where it is not that of the estimates
    refined: Floats | None = None  # (documents, labels) what a layer of refined weights adds to the calibrated scores

    @classmethod
    def starting(cls, values: Floats, columns: int) -> Scores:
        """Scores to which no column has added anything yet."""
        documents = len(values)
        return cls(values, np.zeros(documents, dtype=np.uint32), np.zeros((documents, columns), dtype=np.uint32))


def score(estimates: Estimates, columns: Mapping[str, Values], *, few: bool, threads: int) -> Scores:
    """The log scores of documents; each column adds its part to where the one before it ended."""
    documents = len(next(iter(columns.values())))
    values = np.empty((documents, len(estimates.log_prior)))
    values[:] = estimates.log_prior
    known, unknown = list[Ints](), list[Ints]()
    for name, part in estimates.parts.items():
        added = part.add(columns[name], values, few=few, threads=threads)
        values = added.values
        known.append(added.known)
        unknown.append(added.unknown)
    refined = None if estimates.refined is None else estimates.refined.added(columns, threads)
    if len(known) == 1:
        return Scores(values, known[0], unknown[0][:, np.newaxis], refined=refined)
    return Scores(values, np.add.reduce(known), np.stack(unknown, axis=1), refined=refined)

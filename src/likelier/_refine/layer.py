"""The layer of refined weights that a model holds beside its counts.

    score(c) = a log P(c|d) + sum of b(k) margin(k,c) over sets k of machines

log P(c|d) is what naive Bayes says, calibrated; a and b(k) are factors above 0. A text column has at most
two sets, which differ in how its texts become terms. So a score stays a sum over the terms
of a document, and the probabilities are its softmax.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._documents.values import Texts, Values
from likelier._refine.weights import Machines
from likelier._settings.values import Settings
from likelier._show.words import counted


@dataclass(eq=False)
class Layer:
    """Refined weights, and what they were fitted to.

    settings   of the naive Bayes part, with its calibration
    labels     in the order of the machines
    digest     of the counts when it was fitted
    documents  how many it was fitted to
    behind     how many others the model had then, and has learned and forgotten since
    judged     how many documents the factors were fitted to
    losses     log loss on these without the layer, and with it
    factor     of naive Bayes
    machines   of the text columns
    """

    settings: Settings
    labels: tuple[Label, ...]
    digest: str
    documents: float
    judged: int
    losses: tuple[float, float]
    factor: float
    machines: tuple[Machines, ...]
    behind: float = 0

    def fits(self, settings: Settings, labels: Sequence[Label]) -> bool:
        """Whether these settings and labels give the scores that it was fitted to, calibrated in the same way."""
        same = settings.scores_like(self.settings) and settings.calibration == self.settings.calibration
        return same and tuple(labels) == self.labels

    def added(self, values: Mapping[str, Values], threads: int) -> Floats:  # (documents, labels)
        """What the refined weights add to the scores of documents."""
        return self.weighed([each.of_values(_texts(values[each.column]), threads) for each in self.machines])

    def weighed(self, margins: Sequence[Floats]) -> Floats:  # (documents, labels) each
        """The sum of margins, those of each set of machines times its factor."""
        first, *rest = (each.factor * found for each, found in zip(self.machines, margins, strict=True))
        return sum(rest, start=first)

    def combined(self, calibrated: Floats, added: Floats) -> Floats:
        """The scores, from those of naive Bayes and what is added to them."""
        return self.factor * calibrated + added

    def to_dict(self) -> dict[str, Any]:
        """What it was fitted to, as plain values."""
        without, with_it = self.losses
        terms: dict[str, int] = {}
        for each in self.machines:
            terms[each.column] = terms.get(each.column, 0) + len(each.names)
        return {
            "digest": self.digest,
            "documents": self.documents,
            "behind": self.behind,
            "terms": terms,
            "judged": self.judged,
            "log_loss": with_it,
            "log_loss_without": without,
        }

    @property
    def in_words(self) -> str:
        """What it was fitted to, and what that has brought."""
        without, with_it = self.losses
        return f"{self}: log loss {with_it:.4f}, without {without:.4f}, on {self.judged:,} documents"

    def __str__(self) -> str:
        terms = sum(len(each.names) for each in self.machines)
        told = f"refined weights of {counted(terms, 'term')}, fitted to {counted(self.documents, 'document')}"
        return f"{told}, {counted(self.behind, 'document')} behind" if self.behind else told


def _texts(values: Values) -> Texts:
    assert isinstance(values, Texts)
    return values

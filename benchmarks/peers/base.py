"""What every peer is asked to do: train on texts, classify many, classify one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corpora import Part

WORDS, PAIRS, CLASSIFY, ONE_TEXT = "train words", "train words and bigrams", "classify", "one text"
TASKS = (WORDS, PAIRS, CLASSIFY, ONE_TEXT)

FEW_LABELS = 4  # with more labels the sample of a slow peer is smaller


class Peer:
    """One side. What is prepared is not timed: it brings the texts into the form that the peer asks for."""

    name = ""
    package = ""  # on PyPI
    definition = ""  # what it computes
    same = False  # whether that is naive Bayes, multinomial, alpha = 1, so that its verdicts must be those of likelier
    threads = 1
    tasks: tuple[str, ...] = (WORDS, CLASSIFY, ONE_TEXT)
    most: float | None = None  # megabytes: the peer is slow, so it is timed on a sample
    rest = 0.0  # seconds until what it does in the background is over

    def sample(self, labels: int) -> float | None:
        """Megabytes to train on and to classify, at most."""
        return None if self.most is None else self.most * min(1, FEW_LABELS / labels)

    def prepare(self, documents: Part) -> Any:
        """Documents as `train` takes them."""
        return documents

    def prepare_texts(self, texts: list[str]) -> Any:
        """Texts as `classify` takes them."""
        return texts

    def train(self, documents: Any, ngrams: int = 1) -> Any:
        """From prepared documents to a model that answers."""
        raise NotImplementedError

    def classify(self, model: Any, texts: Any) -> Any:
        """The label of each text and the probability of each label."""
        raise NotImplementedError

    def asking(self, model: Any) -> Callable[[str], Any]:
        """What gives the answer to one text."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ends what the peer has started."""

"""likelier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import likelier as lk
from corpora import Part
from peers.base import CLASSIFY, ONE_TEXT, PAIRS, WORDS, Peer


class Likelier(Peer):
    """likelier with defaults and the textbook settings: multinomial, alpha = 1, ledger on."""

    package = "likelier"
    definition = "naive Bayes, multinomial, alpha = 1, likelier's words"
    same = True

    def __init__(self, threads: int = 1) -> None:
        """With the number of threads in its name, where it is not one."""
        self.threads = threads
        self.name = "likelier" if threads == 1 else f"likelier, {threads} threads"
        self.tasks = (WORDS, PAIRS, CLASSIFY, ONE_TEXT) if threads == 1 else (WORDS, PAIRS, CLASSIFY)

    def train(self, documents: Part, ngrams: int = 1) -> lk.Model:
        """Counts the documents, and answers one question so that nothing is left for later."""
        model = lk.train(
            texts=documents.texts,
            labels=documents.labels,
            analyzer=lk.Analyzer(ngrams=ngrams),
            view="textbook",
            threads=self.threads,
        )
        model.classify(documents.texts[0])
        return model

    def classify(self, model: lk.Model, texts: list[str]) -> tuple[Any, Any]:
        """Through a new view, so that estimating the weights is part of the task."""
        verdicts = model.textbook(alpha=1).classify_many(texts, threads=self.threads)
        return verdicts.labels, verdicts.probabilities

    def asking(self, model: lk.Model) -> Callable[[str], Any]:
        """The library call."""
        return model.textbook(alpha=1).classify

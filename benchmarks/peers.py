"""The two sides of the comparison, with the same two tasks: train on texts, and classify texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import likelier as lk
from corpora import Part


class Peer(Protocol):
    """One side: what it is called, how many threads it may use, and the two tasks."""

    name: str
    threads: int

    def train(self, documents: Part) -> Any:
        """From a list of str to a model that answers."""

    def classify(self, trained: Any, texts: list[str]) -> tuple[Any, Any]:
        """The label of each text, and the probability of each label."""


@dataclass(frozen=True)
class Likelier:
    """likelier as it comes: multinomial, alpha = 1, ledger on."""

    threads: int = 1

    @property
    def name(self) -> str:
        """With the number of threads, where it is not one."""
        return "likelier" if self.threads == 1 else f"likelier, {self.threads} threads"

    def train(self, documents: Part) -> lk.Model:
        """Counts the documents, and answers one question so that nothing is left for later."""
        model = lk.train(texts=documents.texts, labels=documents.labels, view="textbook", threads=self.threads)
        model.classify(documents.texts[0])
        return model

    def classify(self, trained: lk.Model, texts: list[str]) -> tuple[Any, Any]:
        """Through a new view, so that estimating the weights is part of the task."""
        verdicts = trained.view(alpha=1).classify_many(texts, threads=self.threads)
        return verdicts.labels, verdicts.probabilities


@dataclass(frozen=True)
class ScikitLearn:
    """scikit-learn as it comes: its own tokens (a regular expression), multinomial, alpha = 1."""

    name: str = "scikit-learn"
    threads: int = 1

    def train(self, documents: Part) -> tuple[CountVectorizer, MultinomialNB]:
        """Counts the words of each document, then sums them by label."""
        vectorizer = CountVectorizer()
        counted = vectorizer.fit_transform(documents.texts)
        return vectorizer, MultinomialNB(alpha=1.0).fit(counted, documents.labels)

    def classify(self, trained: tuple[CountVectorizer, MultinomialNB], texts: list[str]) -> tuple[Any, Any]:
        """The labels are read off the probabilities, so that the texts are scored only once."""
        vectorizer, classifier = trained
        probabilities = classifier.predict_proba(vectorizer.transform(texts))
        return classifier.classes_[np.argmax(probabilities, axis=1)], probabilities

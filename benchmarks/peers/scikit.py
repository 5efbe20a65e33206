"""scikit-learn, which all ratios are about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from corpora import Part
from peers.base import TASKS, Peer

Trained = tuple[CountVectorizer, MultinomialNB]


class ScikitLearn(Peer):
    """scikit-learn with defaults: its own tokens (a regular expression), multinomial, alpha = 1."""

    name = package = "scikit-learn"
    definition = "naive Bayes, multinomial, alpha = 1, words of two letters or more"
    same = True
    tasks = TASKS

    def __init__(self, tokenizer: Callable[[str], list[str]] | None = None) -> None:
        """tokenizer: in place of the regular expression."""
        self.options = {} if tokenizer is None else {"tokenizer": tokenizer, "token_pattern": None}

    def train(self, documents: Part, ngrams: int = 1) -> Trained:
        """Counts the words of each document, then sums them by label."""
        vectorizer = CountVectorizer(ngram_range=(1, ngrams), **self.options)
        counted = vectorizer.fit_transform(documents.texts)
        return vectorizer, MultinomialNB(alpha=1.0).fit(counted, documents.labels)

    def classify(self, model: Trained, texts: list[str]) -> tuple[Any, Any]:
        """The labels are read off the probabilities, so that the texts are scored only once."""
        vectorizer, classifier = model
        probabilities = classifier.predict_proba(vectorizer.transform(texts))
        return classifier.classes_[np.argmax(probabilities, axis=1)], probabilities

    def asking(self, model: Trained) -> Callable[[str], Any]:
        """Probabilities alone."""
        vectorizer, classifier = model
        return lambda text: classifier.predict_proba(vectorizer.transform([text]))

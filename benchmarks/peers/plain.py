"""Naive Bayes in Python, document by document: river and NLTK. Both are timed on samples."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from corpora import Part
from peers.base import Peer


class River(Peer):
    """river with defaults: its own tokens, multinomial, alpha = 1; it learns one document at a time."""

    name = package = "river"
    definition = "naive Bayes, multinomial, alpha = 1, river's words; unknown words are smoothed"
    same = True
    most = 1.0

    def __init__(self) -> None:
        """Imports it, or fails."""
        from river import feature_extraction, naive_bayes

        self.bag, self.bayes = feature_extraction.BagOfWords, naive_bayes.MultinomialNB

    def empty(self, **options: Any) -> Any:
        """A model without documents; options: of its bag of words."""
        return self.bag(**options) | self.bayes(alpha=1)

    def train(self, documents: Part, ngrams: int = 1) -> Any:
        """One after the other."""
        model = self.empty()
        for text, label in zip(documents.texts, documents.labels, strict=True):
            model.learn_one(text, label)
        return model

    def classify(self, model: Any, texts: list[str]) -> list[Any]:
        """One after the other."""
        return [model.predict_proba_one(text) for text in texts]

    def asking(self, model: Any) -> Callable[[str], Any]:
        """Probabilities of one text."""
        return model.predict_proba_one


class Nltk(Peer):
    """NLTK as its book shows it: each word of a text is a feature that is true."""

    name = "NLTK"
    package = "nltk"
    definition = "naive Bayes, each word is there or unknown, 0.5 added; words of two letters or more"
    most = 0.5
    words = re.compile(r"\b\w\w+\b")

    def __init__(self) -> None:
        """Imports it, or fails."""
        from nltk import NaiveBayesClassifier

        self.classifier = NaiveBayesClassifier

    def features(self, text: str) -> dict[str, bool]:
        """The words of a text."""
        return dict.fromkeys(self.words.findall(text.lower()), True)

    def train(self, documents: Part, ngrams: int = 1) -> Any:
        """From texts to features to a model."""
        pairs = zip(documents.texts, documents.labels, strict=True)
        return self.classifier.train([(self.features(text), label) for text, label in pairs])

    def classify(self, model: Any, texts: list[str]) -> list[Any]:
        """One after the other."""
        return [model.prob_classify(self.features(text)) for text in texts]

    def asking(self, model: Any) -> Callable[[str], Any]:
        """Probabilities of one text."""
        return lambda text: model.prob_classify(self.features(text))

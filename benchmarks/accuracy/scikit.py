"""The naive Bayes models of scikit-learn with default settings: CountVectorizer's own tokens, alpha = 1.

Eight of them: four models, each with words alone and with pairs of words too. Nothing is chosen for them: the best
figure of the eight on the test part is what likelier is compared with.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

from accuracy.sets import Split

ORDERS = (1, 2)  # the most words of a term
MODELS: dict[str, tuple[Callable[[], Any], bool]] = {  # name → model, and whether a term counts once in a document
    "multinomial": (MultinomialNB, False),
    "binary": (MultinomialNB, True),
    "Bernoulli": (BernoulliNB, True),
    "complement": (ComplementNB, False),
}


def judged(splits: Sequence[Split], tell: Callable[[str], None]) -> list[dict[str, Any]]:
    """One row for each model and order, over all splits."""
    documents = sum(len(test.texts) for _, test in splits)
    rows = {
        (name, order): {"model": name, "ngrams": order, "documents": documents, "right": 0, "seconds": 0.0}
        for name in MODELS
        for order in ORDERS
    }
    for place, split in enumerate(splits):
        for order in ORDERS:
            tell(f"scikit-learn, n-grams 1 to {order}, split {place + 1} of {len(splits)}")
            for name, right, seconds in _judged(split, order):
                rows[name, order]["right"] += right
                rows[name, order]["seconds"] += seconds
    return [{**row, "accuracy": row["right"] / documents} for row in rows.values()]


def _judged(split: Split, order: int) -> list[tuple[str, int, float]]:
    """How many verdicts of each model are right; the time of counting is part of each."""
    (train, test), vectorizer = split, CountVectorizer(ngram_range=(1, order))
    start = time.perf_counter()
    learned = vectorizer.fit_transform(train.texts)
    asked = vectorizer.transform(test.texts)
    counting = time.perf_counter() - start
    truth, found = np.array(test.labels), []
    for name, (model, once) in MODELS.items():
        start = time.perf_counter()
        given = [counts.sign() if once else counts for counts in (learned, asked)]
        verdicts = model().fit(given[0], train.labels).predict(given[1])
        found.append((name, int((verdicts == truth).sum()), counting + time.perf_counter() - start))
    return found

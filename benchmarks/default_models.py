"""What default.py compares, each from texts and labels to something that answers.

likelier runs without options, with the textbook's settings, and with one fixed view. scikit-learn runs as most people
write it: one fit of `CountVectorizer` and `MultinomialNB`, and for contrast a search over a grid of settings, and a
linear support vector machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import LinearSVC

import likelier as lk
from corpora import Part

DEFAULT, TEXTBOOK, FIXED = "likelier", "likelier, textbook", "likelier, fixed view"
ONE_FIT, GRID, LINEAR = "scikit-learn, one fit", "scikit-learn, GridSearchCV", "scikit-learn, LinearSVC"
FIXED_VIEW = {"event": "complement", "weighting": "log-length", "idf": True, "prior": "uniform", "alpha": 0.3}
SETTINGS: dict[str, list[Any]] = {  # of the grid
    "counts__ngram_range": [(1, 1), (1, 2)],
    "counts__binary": [False, True],
    "model": [MultinomialNB(), ComplementNB()],
    "model__alpha": [0.1, 0.3, 1.0],
}
GRID_FOLDS, GRID_JOBS = 5, 2


def train(name: str, part: Part) -> Any:
    """A model that answers; see `labels_of`."""
    return MODELS[name](part)


def labels_of(model: Any, texts: Sequence[str]) -> list[Any]:
    """Its verdicts."""
    if isinstance(model, lk.Model):
        return list(model.classify_many(texts).labels)
    return list(model.predict(texts))


def right(model: Any, part: Part) -> int:
    """How many verdicts are right."""
    return sum(found == label for found, label in zip(labels_of(model, part.texts), part.labels, strict=True))


def _likelier(**options: Any) -> Callable[[Part], Any]:
    return lambda part: lk.train(texts=part.texts, labels=part.labels, **options)


def _one_fit(part: Part) -> Any:
    return make_pipeline(CountVectorizer(), MultinomialNB()).fit(part.texts, part.labels)


def _grid(part: Part) -> Any:
    pipeline = Pipeline([("counts", CountVectorizer()), ("model", MultinomialNB())])
    return GridSearchCV(pipeline, SETTINGS, cv=GRID_FOLDS, n_jobs=GRID_JOBS).fit(part.texts, part.labels)


def _linear(part: Part) -> Any:
    return make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LinearSVC()).fit(part.texts, part.labels)


MODELS: dict[str, Callable[[Part], Any]] = {
    DEFAULT: _likelier(),
    TEXTBOOK: _likelier(view="textbook"),
    FIXED: _likelier(view=FIXED_VIEW),
    ONE_FIT: _one_fit,
    GRID: _grid,
    LINEAR: _linear,
}

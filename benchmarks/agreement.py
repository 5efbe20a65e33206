"""Before anything is timed: with the same terms, likelier and scikit-learn give the same numbers.

scikit-learn is given likelier's terms (`CountVectorizer(analyzer=...)`), because its default tokens differ: it drops
words of one letter and cuts "don't" in two. Then vocabulary and counts must be equal, and log P(c) + log P(d|c),
log P(c|d) and P(c|d) must agree to 1e-9.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import likelier as lk
from corpora import Corpus, Part

TOLERANCE = 1e-9
TRAINED_ON, ASKED = 1_000, 500  # documents

Floats = NDArray[np.float64]


class Disagreement(Exception):
    """The two sides do not compute the same, so their times must not be compared."""


def check(corpus: Corpus) -> dict[str, object]:
    """What was compared on a sample, and the largest differences; raises Disagreement where they are too large."""
    train, test = corpus.train.first(TRAINED_ON), corpus.test.first(ASKED)
    analyzer = lk.Analyzer()
    model = lk.train(texts=train.texts, labels=train.labels, analyzer=analyzer, view="textbook", threads=1)
    vectorizer = CountVectorizer(analyzer=analyzer.terms)
    classifier = MultinomialNB(alpha=1.0).fit(vectorizer.fit_transform(train.texts), train.labels)
    _check_counts(model, vectorizer, classifier)
    differences = _differences(model, vectorizer, classifier, test)
    for name, difference in differences.items():
        if not difference <= TOLERANCE:  # this way round, so that NaN is refused too
            raise Disagreement(f"{name.replace('_', ' ')} differ by {difference:.3g}; {TOLERANCE:g} is allowed")
    return {
        "documents_trained_on": len(train.texts),
        "documents_asked": len(test.texts),
        "terms": model.counts.vocabulary_size,
        "largest_differences": differences,
    }


def _check_counts(model: lk.Model, vectorizer: CountVectorizer, classifier: MultinomialNB) -> None:
    terms = vectorizer.get_feature_names_out().tolist()
    if set(terms) != set(model.counts.vocabulary):
        odd = sorted(set(terms) ^ set(model.counts.vocabulary))
        raise Disagreement(f"{len(odd)} terms are in one vocabulary only, the first of them {odd[:5]}")
    if list(model.labels) != classifier.classes_.tolist():
        raise Disagreement(f"the labels are {model.labels} and {classifier.classes_.tolist()}")
    for label, theirs in zip(model.labels, classifier.feature_count_.tolist(), strict=True):
        for term, count in zip(terms, theirs, strict=True):
            if model.counts.of(term, label) != count:
                ours = model.counts.of(term, label)
                raise Disagreement(f"{term!r} stands {ours} or {count:g} times in the documents of {label!r}")


def _differences(
    model: lk.Model, vectorizer: CountVectorizer, classifier: MultinomialNB, test: Part
) -> dict[str, float]:
    counted = vectorizer.transform(test.texts)
    verdicts = model.view(alpha=1, unknown="ignore").classify_many(test.texts, threads=1)
    scores = verdicts.log_scores  # (documents, labels)
    log_posterior = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return {
        "joint_log_likelihoods": _largest(scores, classifier.predict_joint_log_proba(counted)),
        "log_probabilities": _largest(log_posterior, classifier.predict_log_proba(counted)),
        "probabilities": _largest(verdicts.probabilities, classifier.predict_proba(counted)),
    }


def _largest(ours: Floats, theirs: Floats) -> float:
    return float(np.max(np.abs(ours - theirs)))

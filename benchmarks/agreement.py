"""Before anything is timed: with the same terms, likelier and its peers give the same numbers.

Peers are given likelier's terms, because their own tokens differ: scikit-learn drops words of one letter and cuts
"don't" in two. Then vocabulary and counts must be equal, and log P(c) + log P(d|c), log P(c|d) and P(c|d) must agree
to 1e-9. `agreement_of_others.py` does the same for the peers beside scikit-learn.
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
Cells = dict[tuple[str, str], float]  # term, label → how often


class Disagreement(Exception):
    """The two sides do not compute the same, so their times must not be compared."""


def check(corpus: Corpus, analyzer: lk.Analyzer | None = None) -> dict[str, object]:
    """What was compared on a sample, and the largest differences; raises Disagreement where they are too large."""
    train, test = corpus.train.first(TRAINED_ON), corpus.test.first(ASKED)
    analyzer = analyzer or lk.Analyzer()
    model = lk.train(texts=train.texts, labels=train.labels, analyzer=analyzer, view="textbook", threads=1)
    vectorizer = CountVectorizer(analyzer=analyzer.terms)
    classifier = MultinomialNB(alpha=1.0).fit(vectorizer.fit_transform(train.texts), train.labels)
    if list(model.labels) != classifier.classes_.tolist():
        raise Disagreement(f"the labels are {model.labels} and {classifier.classes_.tolist()}")
    check_counts(model, _cells(vectorizer, classifier))
    differences = _differences(model, vectorizer, classifier, test)
    check_differences(differences)
    return {
        "documents_trained_on": len(train.texts),
        "documents_asked": len(test.texts),
        "terms": model.counts.vocabulary_size,
        "largest_differences": differences,
    }


def check_counts(model: lk.Model, theirs: Cells) -> None:
    """The counts of likelier must be those of the other side, and no more."""
    ours = {(term, label): tf for term, label, tf, _ in model.counts.cells() if tf}
    if ours != theirs:
        odd = [cell for cell in ours.keys() | theirs.keys() if ours.get(cell) != theirs.get(cell)]
        term, label = first = min(odd)
        counts = f"{ours.get(first, 0)} or {theirs.get(first, 0):g} times"
        raise Disagreement(f"{len(odd)} counts differ: {term!r} stands {counts} in the documents of {label!r}")


def check_differences(differences: dict[str, float]) -> None:
    """No difference may be larger than the tolerance."""
    for name, difference in differences.items():
        if not difference <= TOLERANCE:  # this way round, so that NaN is refused too
            raise Disagreement(f"{name.replace('_', ' ')} differ by {difference:.3g}; {TOLERANCE:g} is allowed")


def largest(ours: Floats, theirs: Floats) -> float:
    """The largest difference of two arrays."""
    """Relative where numbers are large: the score of a long text is a sum of thousands."""
    return float(np.max(np.abs(ours - theirs) / np.maximum(np.abs(theirs), 1.0)))


def _cells(vectorizer: CountVectorizer, classifier: MultinomialNB) -> Cells:
    terms, labels, counts = vectorizer.get_feature_names_out().tolist(), classifier.classes_, classifier.feature_count_
    rows, columns = np.nonzero(counts)
    values = counts[rows, columns].tolist()
    places = zip(columns.tolist(), labels[rows].tolist(), values, strict=True)
    return {(terms[column], label): value for column, label, value in places}


def _differences(
    model: lk.Model, vectorizer: CountVectorizer, classifier: MultinomialNB, test: Part
) -> dict[str, float]:
    counted = vectorizer.transform(test.texts)
    verdicts = model.textbook(alpha=1, unknown="ignore").classify_many(test.texts, threads=1)
    scores = verdicts.log_scores  # (documents, labels)
    log_posterior = scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)
    return {
        "joint_log_likelihoods": largest(scores, classifier.predict_joint_log_proba(counted)),
        "log_probabilities": largest(log_posterior, classifier.predict_log_proba(counted)),
        "probabilities": largest(verdicts.probabilities, classifier.predict_proba(counted)),
    }

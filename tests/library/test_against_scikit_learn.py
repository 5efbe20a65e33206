"""The same terms give scikit-learn's scores, where the definitions are the same.

scikit-learn's complement model leaves the prior out, so it is compared with a uniform one. Its BernoulliNB and
MultinomialNB smooth with alpha as likelier does.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

import likelier as lk
from corpora import documents

alphas = st.sampled_from([0.01, 0.5, 1, 3])
queries = ["goat goat wolf", "seven dwarf seven молоко", "", "don't a a a"]


def joint_log_likelihood(estimator, pairs, analyzer, *, once=False):
    """What scikit-learn gives for likelier's terms, before it is normalized."""
    vectorizer = CountVectorizer(analyzer=analyzer.terms, binary=once)
    counts = vectorizer.fit_transform([text for text, _ in pairs])
    estimator.fit(counts, [label for _, label in pairs])
    return estimator._joint_log_likelihood(vectorizer.transform(queries))


def scores(pairs, analyzer, **settings):
    model = lk.train(pairs, analyzer=analyzer)
    return model.view(**settings).classify_many(queries).log_scores


def usable(pairs):
    assume(any(text for text, _ in pairs))
    assume(len({label for _, label in pairs}) > 1)


@pytest.mark.parametrize(
    "analyzer", [lk.Analyzer(), lk.Analyzer(ngrams=2), lk.Analyzer(char_ngrams=(2, 4), words=False)]
)
@given(pairs=documents, alpha=alphas)
def test_multinomial(analyzer, pairs, alpha):
    usable(pairs)
    expected = joint_log_likelihood(MultinomialNB(alpha=alpha), pairs, analyzer)
    np.testing.assert_allclose(scores(pairs, analyzer, alpha=alpha), expected, rtol=1e-9, atol=1e-9)


@given(pairs=documents, alpha=alphas)
def test_binary(pairs, alpha):
    usable(pairs)
    expected = joint_log_likelihood(MultinomialNB(alpha=alpha), pairs, lk.Analyzer(), once=True)
    np.testing.assert_allclose(
        scores(pairs, lk.Analyzer(), event="binary", alpha=alpha), expected, rtol=1e-9, atol=1e-9
    )


@given(pairs=documents, alpha=alphas)
def test_bernoulli(pairs, alpha):
    usable(pairs)
    expected = joint_log_likelihood(BernoulliNB(alpha=alpha), pairs, lk.Analyzer(), once=True)
    np.testing.assert_allclose(
        scores(pairs, lk.Analyzer(), event="bernoulli", alpha=alpha), expected, rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("normalize", [False, True])
@given(pairs=documents, alpha=alphas)
def test_complement(normalize, pairs, alpha):
    usable(pairs)
    assume(not normalize or len({word for text, _ in pairs for word in text.split()}) > 1)  # 0/0 in scikit-learn
    expected = joint_log_likelihood(ComplementNB(alpha=alpha, norm=normalize), pairs, lk.Analyzer())
    found = scores(pairs, lk.Analyzer(), event="complement", alpha=alpha, prior="uniform", normalize=normalize)
    np.testing.assert_allclose(found + np.log(len(expected[0])), expected, rtol=1e-9, atol=1e-9)


@given(pairs=documents, weights=st.lists(st.sampled_from([0.5, 1, 2, 3.25]), min_size=12, max_size=12))
def test_weighted_documents(pairs, weights):
    usable(pairs)
    weights = weights[: len(pairs)]
    vectorizer = CountVectorizer(analyzer=lk.Analyzer().terms)
    counts = vectorizer.fit_transform([text for text, _ in pairs])
    peer = MultinomialNB().fit(counts, [label for _, label in pairs], sample_weight=weights)
    model = lk.train(pairs, weights=weights)
    expected = peer._joint_log_likelihood(vectorizer.transform(queries))
    np.testing.assert_allclose(model.classify_many(queries).log_scores, expected, rtol=1e-9, atol=1e-9)

"""scikit-learn's own battery of checks. Every check that it has for such estimators holds; one is excused.

It feeds numbers to an estimator. The classifier takes them as they are, as numeric columns, so all checks run on the
real thing. So that they also run over texts, two adapters spell every row of numbers as a text; TextCounts by itself
says that it takes texts only, and then a single check runs. Adapters change what comes in and the tags, nothing else.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import check_array, validate_data

from likelier.sklearn import NaiveBayesClassifier, TextCounts

ARRAY_API = "check_array_api_input"


def spelled(X):
    """Each row as a text with one word for each column: the column, and the value rounded to halves."""
    halves = np.floor(2 * np.asarray(X, dtype=float)).astype(int).tolist()
    return [" ".join(f"c{place}{'n' * (half < 0)}h{abs(half)}" for place, half in enumerate(row)) for row in halves]


class SpelledClassifier(NaiveBayesClassifier):
    """Each row of numbers as a text."""

    def _given(self, X, *, reset):
        array = check_array(X, estimator=self, input_name="X")
        documents = super()._given(spelled(array), reset=reset)
        validate_data(self, array, reset=reset, skip_check_array=True)
        return documents

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.allow_nan = False
        return tags


class SpelledCounts(TextCounts):
    """Each row of numbers as a text."""

    def fit(self, X, y=None):
        return super().fit(self._spelled(X, reset=True))

    def fit_transform(self, X, y=None):
        return super().fit_transform(self._spelled(X, reset=True))

    def transform(self, X):
        self._check_fitted()
        return super().transform(self._spelled(X, reset=False))

    def _spelled(self, X, *, reset):
        return spelled(validate_data(self, X, reset=reset))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = False, True
        return tags


ESTIMATORS = [  # and how many checks there are at least: scikit-learn adds some from time to time
    (NaiveBayesClassifier(), 50),
    (NaiveBayesClassifier(view="textbook"), 50),
    (NaiveBayesClassifier(numeric_rule="equal-frequency:8"), 50),
    (SpelledClassifier(), 50),
    (SpelledClassifier(view="textbook"), 50),
    (SpelledClassifier(event="bernoulli", alpha=0.1), 50),
    (SpelledCounts(), 35),
]


# A document of weight 2 is not the same as the document twice where settings are chosen: what is left out is the whole
# document, or one of two copies, and with weights it takes 100 documents to choose. So it is with other estimators that
# judge documents they have not seen, as with LogisticRegressionCV. With given settings the check holds.
WEIGHTS_ARE_COPIES = "SpelledClassifier()-check_sample_weight_equivalence_on_dense_data"
EXCUSED = pytest.mark.xfail(reason="a document is left out, but not its copy", strict=True)


def battery():
    """Every check of every estimator. One needs a process that is told so before SciPy is imported, see below."""
    for estimator, _ in ESTIMATORS:
        for each, check in estimator_checks_generator(estimator):
            name = check.func.__name__
            if name != ARRAY_API or "SCIPY_ARRAY_API" in os.environ:
                called = f"{each}-{name}"
                yield pytest.param(each, check, id=called, marks=[EXCUSED] if called == WEIGHTS_ARE_COPIES else [])


@pytest.mark.parametrize(("estimator", "check"), list(battery()))
def test_scikit_learn_says_that_it_is_an_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [NaiveBayesClassifier(), SpelledClassifier()], ids=str)
@pytest.mark.parametrize("documents", [12, 40, 150])
def test_weights_of_1_are_no_weights(estimator, documents):
    chance = np.random.default_rng(0)
    X = chance.normal(size=(documents, 4))
    y = (X[:, 0] + chance.normal(size=documents) > 0).astype(int)
    plain = clone(estimator).fit(X, y)
    weighed = clone(estimator).fit(X, y, sample_weight=np.ones(documents))
    np.testing.assert_array_equal(plain.predict_proba(X), weighed.predict_proba(X))


@pytest.mark.parametrize(("estimator", "least"), ESTIMATORS, ids=str)
def test_it_is_the_whole_battery_that_runs(estimator, least):
    assert sum(1 for _ in estimator_checks_generator(estimator)) >= least


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(estimator_checks, ARRAY_API), reason="there is no such check in this version")
def test_scikit_learn_says_so_too_where_other_arrays_are_allowed():
    options = ["-q", "-p", "no:cacheprovider", "-k", ARRAY_API]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", __file__, *options],
        env={**os.environ, "SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{len(ESTIMATORS)} passed" in run.stdout


# ---- checks that scikit-learn has, and does not run by itself --------------------------------------------------------
# Not its one of frames of pandas: it makes a frame of what comes without them, and none can be made of a sparse matrix.


@pytest.mark.parametrize(
    ("check", "estimator"),
    [
        ("check_dataframe_column_names_consistency", NaiveBayesClassifier()),
        ("check_dataframe_column_names_consistency", SpelledCounts()),
        ("check_set_output_transform", SpelledCounts()),
        ("check_set_output_transform_polars", SpelledCounts()),
        ("check_get_feature_names_out_error", SpelledCounts()),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:X (has|does not have valid) feature names")  # the checks mix both themselves
def test_further_checks_of_scikit_learn_hold(check, estimator):
    getattr(estimator_checks, check)(type(estimator).__name__, estimator)

"""Where the definitions agree, columns have the scores of scikit-learn's CategoricalNB, BernoulliNB and GaussianNB.

They differ on purpose in three places: a category that was never seen is an error there and a matter of policy here;
GaussianNB adds a share of the largest variance of any column to all variances, here a variance has a floor of its own;
and scikit-learn has no missing values.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.naive_bayes import GaussianNB

import likelier as lk
from against_scikit_learn import as_categories, as_numbers, as_truths, named

QUICK = settings(max_examples=60, deadline=None)
letters = st.sampled_from(["x", "y", "z"])
sizes = st.floats(-1000, 1000).map(lambda number: round(number, 3))


# ---- generated tables --------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.lists(letters, min_size=3, max_size=3), letters), min_size=2, max_size=30), st.data())
@QUICK
def test_categories(rows: list[Any], data: st.DataObject) -> None:
    as_categories([row for row, _ in rows], [label for _, label in rows], data.draw(st.sampled_from([0.3, 1, 2.5])))


@given(st.lists(st.tuples(st.lists(st.integers(0, 1), min_size=3, max_size=3), letters), min_size=2, max_size=30))
@QUICK
def test_truth_values(rows: list[Any]) -> None:
    as_truths([row for row, _ in rows], [label for _, label in rows], 0.7)


@given(
    st.lists(
        st.tuples(st.tuples(sizes, sizes).filter(lambda pair: abs(pair[0] - pair[1]) > 1), letters),
        min_size=1,
        max_size=10,
    ),
    st.sampled_from([None, 0.25, 2]),
)
@QUICK
def test_numbers(pairs: list[Any], weight: float | None) -> None:
    # both numbers of a pair stand under its label, so that no variance is 0
    rows = [[number] for both, _ in pairs for number in both]
    labels = [label for _, label in pairs for _ in range(2)]
    as_numbers(rows, labels, None if weight is None else [weight, 1] * len(pairs))


# ---- tables that come with scikit-learn --------------------------------------------------------------------------


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_measurements(load: Any) -> None:
    found = load()
    as_numbers(found.data.tolist(), [str(label) for label in found.target])


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_measurements_as_truth_values(load: Any) -> None:
    found = load()
    as_truths((found.data > found.data.mean(axis=0)).astype(int).tolist(), [str(label) for label in found.target])


def test_more_handwritten_digits_are_right_than_with_gaussian_nb() -> None:
    """Some pixels are 0 in nearly all pictures of a digit: without a floor they outweigh all others."""
    found = load_digits()
    learned, asked = (found.data[first::2].tolist() for first in (0, 1))
    labels, truth = (found.target[first::2].tolist() for first in (0, 1))
    model = lk.train(list(zip(named(learned), labels, strict=True)), numeric=list(named(learned)[0]), view="textbook")
    ours = sum(mine == right for mine, right in zip(model.classify_many(named(asked)).labels, truth, strict=True))
    theirs = (GaussianNB().fit(learned, labels).predict(asked) == truth).sum()
    assert ours > theirs


def test_pixels_as_categories() -> None:
    found = load_digits()
    as_categories([[str(int(pixel)) for pixel in row] for row in found.data], [str(label) for label in found.target])

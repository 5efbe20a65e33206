"""TextCounts gives the matrix of CountVectorizer, when both have the same terms."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline

import likelier as lk
from corpora import texts
from likelier.sklearn import TextCounts

TEXTS = [
    "The goat and the wolf: the WOLF ate a goat.",
    "Seven dwarfs, one wolf!",
    "",
    "don't say «вовк» to the goat",
    "New York, new york; NYC is new",
]
ANALYZERS = {
    "words": lk.Analyzer(),
    "pairs": lk.Analyzer(ngrams=2),
    "only pairs": lk.Analyzer(ngrams=(2, 3)),
    "pieces": lk.Analyzer(char_ngrams=(2, 4), words=False),
    "stop words": lk.Analyzer(stop_words=["the", "a"]),
    "stems": lk.Analyzer(language="en", stem=True, stop_words="en"),
    "replaced": lk.Analyzer(replace={"NYC": "new_york", "New York": "new_york"}, ngrams=2),
    "with spaces": lk.Analyzer(replace={"NYC": "new york"}, ngrams=2),
    "with case": lk.Analyzer(lowercase=False, punctuation="keep"),
}


def equal(one, two):
    """The same in shape, type, and every stored number and its place."""
    assert type(one) is type(two)
    assert one.shape == two.shape
    assert one.dtype == two.dtype
    assert one.has_sorted_indices
    two.sort_indices()
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(one, part), getattr(two, part), strict=True)


def both(analyzer=None, **options):
    analyzer = analyzer or lk.Analyzer()
    return TextCounts(analyzer, **options), CountVectorizer(analyzer=analyzer.terms, **options)


# ---- equal to scikit-learn ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ANALYZERS)
def test_the_matrix_is_that_of_scikit_learn_for_the_same_terms(name):
    ours, theirs = both(ANALYZERS[name])
    equal(ours.fit_transform(TEXTS), theirs.fit_transform(TEXTS))
    assert ours.vocabulary_ == theirs.vocabulary_
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    later = ["a wolf in New York", "unknown words", "", "the the goat"]
    equal(ours.transform(later), theirs.transform(later))


@pytest.mark.parametrize(
    "options",
    [
        {"binary": True},
        {"min_df": 2},
        {"min_df": 0.3},
        {"max_df": 2},
        {"max_df": 0.5, "min_df": 1},
        {"max_features": 3},
        {"max_features": 5, "binary": True},
        {"max_features": 1000},
        {"dtype": np.float32},
        {"dtype": np.uint8},
        {"vocabulary": ["wolf", "goat", "yeti"]},
        {"vocabulary": {"wolf": 1, "goat": 0}},
        {"vocabulary": {"wolf", "goat"}},
        {"vocabulary": ["wolf"], "binary": True},
    ],
    ids=lambda options: "-".join(options),
)
@pytest.mark.parametrize("analyzer", ["words", "pairs"])
def test_the_options_of_scikit_learn_do_what_they_do_there(options, analyzer):
    ours, theirs = both(ANALYZERS[analyzer], **options)
    equal(ours.fit_transform(TEXTS), theirs.fit_transform(TEXTS))
    equal(ours.transform(TEXTS[::-1]), theirs.transform(TEXTS[::-1]))
    assert ours.vocabulary_ == theirs.vocabulary_


@given(
    corpus=st.lists(texts, min_size=1, max_size=20),
    later=st.lists(texts, max_size=5),
    min_df=st.integers(1, 3),
    max_features=st.none() | st.integers(1, 6),
    ngrams=st.integers(1, 3),
)
@settings(max_examples=60, deadline=None)
def test_generated_texts_give_the_same_matrix(corpus, later, min_df, max_features, ngrams):
    ours, theirs = both(lk.Analyzer(ngrams=ngrams), min_df=min_df, max_features=max_features)
    try:
        expected = theirs.fit_transform(corpus)
    except ValueError:
        assume(False)
    equal(ours.fit_transform(corpus), expected)
    equal(ours.transform(later), theirs.transform(later))


def test_one_letter_words_stay_and_apostrophes_do_not_cut():
    assert TextCounts().fit(["I don't"]).get_feature_names_out().tolist() == ["don't", "i"]
    assert CountVectorizer().fit(["I don't"]).get_feature_names_out().tolist() == ["don"]


def test_the_result_does_not_depend_on_the_number_of_threads():
    corpus = [f"{text} {row} {row % 7}" for row, text in enumerate(TEXTS * 200)]
    equal(TextCounts(threads=1).fit_transform(corpus), TextCounts(threads=4).fit_transform(corpus))


@pytest.mark.skipif("sparse_interface" not in sklearn.get_config(), reason="older versions only give matrices")
def test_the_class_of_the_matrix_is_the_one_that_scikit_learn_is_set_to():
    with sklearn.config_context(sparse_interface="sparray"):
        assert isinstance(TextCounts().fit_transform(TEXTS), sparse.csr_array)
    assert isinstance(TextCounts().fit_transform(TEXTS), sparse.csr_matrix)


# ---- the rest of a transformer --------------------------------------------------------------------------------------


def test_fit_then_transform_is_fit_transform():
    equal(TextCounts(min_df=2).fit(TEXTS).transform(TEXTS), TextCounts(min_df=2).fit_transform(TEXTS))


@pytest.mark.parametrize(
    "form",
    [tuple, np.array, pd.Series, pl.Series, pa.array, iter, lambda X: np.array(X, dtype=object)],
    ids=["tuple", "array", "pandas", "polars", "pyarrow", "iterator", "objects"],
)
def test_texts_come_in_every_form(form):
    words = TextCounts()
    equal(words.fit_transform(form(TEXTS)), TextCounts().fit_transform(TEXTS))
    equal(words.transform(form(TEXTS)), TextCounts().fit_transform(TEXTS))


@pytest.mark.parametrize("form", [lambda X: X, lambda X: X.toarray(), sparse.csc_matrix])
def test_the_terms_of_each_document_come_back(form):
    ours, theirs = both()
    X = ours.fit_transform(TEXTS)
    expected = [terms.tolist() for terms in theirs.fit(TEXTS).inverse_transform(X)]
    assert [terms.tolist() for terms in ours.inverse_transform(form(X))] == expected


def test_a_given_vocabulary_needs_no_fit():
    words = TextCounts(vocabulary=["wolf", "goat"])
    assert words.transform(["goat goat wolf"]).toarray().tolist() == [[1, 2]]


@pytest.mark.parametrize(
    "vocabulary",
    [[], ["goat", "goat"], {"goat": 1}, {"goat": 0, "wolf": 0}, [3], 7, {"goat": 0.5}, [["goat"]], {1, "goat"}],
    ids=lambda vocabulary: "a mixed set" if isinstance(vocabulary, set) else str(vocabulary),  # whatever order it has
)
def test_a_vocabulary_that_makes_no_sense_is_refused(vocabulary):
    with pytest.raises(lk.SettingError, match="`vocabulary` is a list of terms, each once"):
        TextCounts(vocabulary=vocabulary).fit(TEXTS)


def test_the_most_frequent_words_as_stop_words_are_found_in_fit():
    words = TextCounts(lk.Analyzer(stop_words=1)).fit(["a b a", "a c"])
    assert words.get_feature_names_out().tolist() == ["b", "c"]
    assert words.analyzer_.stop_words == ("a",)
    assert words.transform(["a b"]).toarray().tolist() == [[1, 0]]


@pytest.mark.parametrize("name", ANALYZERS)
def test_a_pickle_counts_the_same(name):
    words = TextCounts(ANALYZERS[name], min_df=1, max_features=12).fit(TEXTS)
    twin = pickle.loads(pickle.dumps(words))
    equal(twin.transform(TEXTS), words.transform(TEXTS))
    assert twin.vocabulary_ == words.vocabulary_


def test_parameters_come_back_from_a_clone():
    given_ = {"analyzer": lk.Analyzer(ngrams=2), "min_df": 2, "vocabulary": ["a"], "dtype": np.float32}
    parameters = clone(TextCounts(**given_)).get_params()
    assert {name: parameters[name] for name in given_} == given_


def test_before_fit_it_says_so():
    for ask in ("transform", "inverse_transform", "get_feature_names_out"):
        with pytest.raises(NotFittedError, match="not fitted"):
            getattr(TextCounts(), ask)(["a"])


def test_a_failed_fit_leaves_the_last_one():
    words = TextCounts().fit(["goat"])
    with pytest.raises(lk.InputError, match="NoneType None as document 1"):
        words.fit(["wolf", None])
    assert words.vocabulary_ == {"goat": 0}


def test_no_texts_give_a_matrix_without_rows():
    assert TextCounts().fit(TEXTS).transform([]).shape[0] == 0


# ---- frames ---------------------------------------------------------------------------------------------------------


def test_pandas_output_is_a_frame_with_sparse_columns():
    words = TextCounts().set_output(transform="pandas")
    frame = words.fit_transform(TEXTS)
    assert frame.columns.tolist() == words.get_feature_names_out().tolist()
    assert all(isinstance(dtype, pd.SparseDtype) for dtype in frame.dtypes)
    equal(sparse.csr_matrix(frame.sparse.to_coo()), TextCounts().fit_transform(TEXTS))
    assert words.transform(TEXTS[::-1]).to_numpy().tolist() == frame.to_numpy()[::-1].tolist()


def test_a_frame_has_the_index_of_the_texts():
    frame = TextCounts().set_output(transform="pandas").fit_transform(pd.Series(["goat", "wolf"], index=["x", "y"]))
    assert frame.index.tolist() == ["x", "y"]


def test_the_terms_come_back_from_a_frame():
    words = TextCounts().set_output(transform="pandas")
    assert words.inverse_transform(words.fit_transform(["wolf goat"]))[0].tolist() == ["goat", "wolf"]


def test_no_texts_give_a_frame_without_rows():
    words = TextCounts().set_output(transform="pandas").fit(TEXTS)
    assert words.transform([]).shape == (0, len(words.vocabulary_))


def test_pandas_output_works_inside_column_transformers_and_pipelines():
    frame = pd.DataFrame({"message": ["a goat", "a wolf", "goat goat"], "size": [1, 2, 3]}, index=[7, 8, 9])
    columns = ColumnTransformer([("words", TextCounts(), "message")], remainder="passthrough")
    found = Pipeline([("columns", columns)]).set_output(transform="pandas").fit_transform(frame)
    assert found.columns.tolist() == ["words__a", "words__goat", "words__wolf", "remainder__size"]
    assert found.index.tolist() == [7, 8, 9]
    assert found.to_numpy().tolist() == [[1, 1, 0, 1], [1, 0, 1, 2], [0, 2, 0, 3]]


def test_pandas_output_may_be_set_for_everything():
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(clone(TextCounts()).fit_transform(TEXTS), pd.DataFrame)
    assert isinstance(TextCounts().fit_transform(TEXTS), sparse.csr_matrix)


def test_an_estimator_takes_the_frame():
    frame = pd.DataFrame({"message": TEXTS})
    columns = ColumnTransformer([("words", TextCounts(), "message")]).set_output(transform="pandas")
    model = Pipeline([("columns", columns), ("bayes", MultinomialNB())]).fit(frame, ["a", "b", "a", "b", "b"])
    same = Pipeline([("words", TextCounts()), ("bayes", MultinomialNB())]).fit(TEXTS, ["a", "b", "a", "b", "b"])
    np.testing.assert_array_equal(model.predict_proba(frame), same.predict_proba(TEXTS))


def test_polars_output_is_refused():
    with pytest.raises(lk.SettingError, match="Polars output does not support sparse data") as told:
        TextCounts().set_output(transform="polars").fit_transform(TEXTS)
    assert told.value.code == "output-dense"

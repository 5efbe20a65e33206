"""Bad input gets likelier's errors, and those of scikit-learn where its rules are broken. All are ValueErrors."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import likelier as lk
from likelier.sklearn import NaiveBayesClassifier, TextCounts

TEXTS, LABELS = ["goat wolf", "seven dwarfs"], ["a", "b"]
FRAME = pd.DataFrame({"age": [39, 50], "sex": ["m", "f"]})


def fit(X=TEXTS, y=LABELS, sample_weight=None, **parameters):
    return NaiveBayesClassifier(**parameters).fit(X, y, sample_weight=sample_weight)


CASES = {
    "y-missing": lambda: fit(y=None),
    "label-missing": lambda: fit(y=["a", None]),
    "labels-continuous": lambda: fit(y=[0.5, 1.0]),
    "label-kinds-mixed": lambda: fit(y=[1, "1"]),
    "label-kind": lambda: fit(y=[b"a", b"b"]),
    "lengths-differ": lambda: fit(y=["a"]),
    "weights-all-zero": lambda: fit(sample_weight=[0, 0]),
    "weight-range": lambda: fit(sample_weight=[1, -1]),
    "text-kind": lambda: fit(X=["a", None]),
    "text-surrogate": lambda: fit(X=["a", "b\ud800"]),
    "texts-not-a-list": lambda: fit(X="goat"),
    "documents-mapping": lambda: fit(X={"age": [39, 50]}),
    "array-of-words": lambda: fit(X=[["goat", "wolf"], ["seven", "dwarfs"]]),
    "columns-without-names": lambda: fit(text="message"),
    "column-unknown": lambda: fit(X=FRAME, numeric=["Age"]),
    "column-kinds": lambda: fit(X=FRAME, numeric=["age"], categorical=["age"]),
    "number-expected": lambda: fit(X=FRAME, numeric=["sex"]),
    "number-infinite": lambda: fit(X=FRAME.assign(age=[1, math.inf]), numeric=["age"]),
    "alpha-negative": lambda: fit(alpha=-1),
    "alpha-and-smoothing": lambda: fit(alpha=1, smoothing=lk.Additive(1)),
    "event-unknown": lambda: fit(event="poisson"),
    "analyzer-kind": lambda: fit(analyzer="word"),
    "threads-range": lambda: fit(threads=0),
    "settings-column-unknown": lambda: fit(columns={"body": {"alpha": 1}}),
    "columns-none": lambda: fit(X=FRAME.to_dict("records")).predict([{"height": 3}]),
    "value-missing": lambda: fit(X=FRAME, missing="refuse").predict(FRAME.assign(age=math.nan)),
    "texts-are-a-table": lambda: TextCounts().fit(pd.DataFrame({"message": TEXTS})),
    "stop-words-open": lambda: TextCounts(lk.Analyzer(stop_words=2), vocabulary=["a"]).fit(TEXTS),
    "vocabulary-empty": lambda: TextCounts().fit(["...", "!"]),
    "matrix-width": lambda: TextCounts().fit(TEXTS).inverse_transform(np.ones((1, 9))),
    "row-shape": lambda: fit(X=np.eye(2)).explain([1]),
    "column-twice": lambda: fit(X=pd.DataFrame(np.eye(2), columns=["a", "a"])),
    "column-name-kind": lambda: fit(X=np.eye(2), categorical=slice(1)),
    "vocabulary-kind": lambda: TextCounts(vocabulary="goat").fit(TEXTS),
    "df-range": lambda: TextCounts(min_df=-1).fit(TEXTS),
    "df-order": lambda: TextCounts(min_df=3).fit(TEXTS),
    "max-features-range": lambda: TextCounts(max_features=0).fit(TEXTS),
    "dtype-kind": lambda: TextCounts(dtype="words").fit_transform(TEXTS),
    "flag-kind": lambda: TextCounts(binary="yes").fit(TEXTS),
    "bind-columns": lambda: fit(X=FRAME, bind=5),
    "columns-kind": lambda: fit(X=FRAME, columns={"age": 5}),
}


@pytest.mark.parametrize("code", CASES)
def test_bad_input_has_an_error_with_a_code(code):
    with pytest.raises(lk.LikelierError, match=r"\nhint: ") as caught:
        CASES[code]()
    assert caught.value.code == code
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "y", [["a", math.nan], np.array([1.0, math.nan]), pd.Series(["a", None]), pd.Series([1, pd.NA])]
)
def test_every_kind_of_missing_label_is_refused(y):
    with pytest.raises(lk.InputError, match="every document needs a label, got"):
        fit(y=y)


def test_labels_of_another_kind_cannot_come_later():
    classifier = fit()
    with pytest.raises(lk.InputError, match="of one kind, got int and str"):
        classifier.partial_fit(["a"], [1])
    with pytest.raises(lk.InputError, match="of one kind, got int and str"):
        classifier.partial_fit(["a"], ["a"], classes=[1])


def test_several_labels_for_a_document_are_refused():
    with pytest.raises(ValueError, match="y should be a 1d array"):
        fit(y=[["a", "b"], ["a", "c"]])


def test_sparse_matrices_are_refused():
    with pytest.raises(TypeError, match="Sparse data was passed"):
        fit(X=sparse.eye(2, format="csr"))


def test_numbers_in_one_row_are_told_to_become_two_dimensional():
    with pytest.raises(ValueError, match="Reshape your data"):
        fit(X=[1.5, 2.5])


def test_infinities_in_an_array_are_refused():
    with pytest.raises(ValueError, match="infinity"):
        fit(X=[[1.0], [math.inf]])


@pytest.mark.parametrize(
    ("later", "message"),
    [
        (FRAME.rename(columns={"age": "Age"}), "feature names should match"),
        (FRAME[["age"]], "feature names should match"),
        (FRAME[["sex", "age"]], "same order"),
        (FRAME.assign(more=1), "feature names should match"),
        (np.ones((2, 3)), "3 features, but NaiveBayesClassifier is expecting 2"),
    ],
)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_a_question_has_the_columns_of_fit(later, message):
    with pytest.raises(ValueError, match=message):
        fit(X=FRAME).predict(later)


def test_texts_are_no_documents_of_a_model_of_numbers():
    with pytest.raises(lk.InputError, match="a document is a row with the columns 'age', 'sex'"):
        fit(X=FRAME).predict(["goat"])


def test_a_column_of_rows_that_the_model_does_not_have_is_worth_a_warning():
    classifier = fit(X=FRAME.to_dict("records"), numeric=["age"], categorical=["sex"])
    with pytest.warns(UserWarning, match="ignored: column 'Sex'"):
        classifier.predict([{"age": 40, "Sex": "f"}])


@pytest.mark.parametrize("X", [np.ones((2, 2)), FRAME, [1, 2]])
def test_a_table_is_no_document_of_a_model_of_texts(X):
    with pytest.raises(
        lk.InputError, match=r"in fit documents were texts or rows, got a (ndarray|DataFrame|list)"
    ) as told:
        fit().predict(X)
    assert told.value.code == "table-after-texts"
    with pytest.raises(lk.InputError, match=r"in fit documents were texts or rows, got a (ndarray|DataFrame|list)"):
        fit().partial_fit(X, LABELS)


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_with_one_column_is_no_column(table):
    with pytest.raises(lk.InputError, match="TextCounts takes one column of texts, got a table of the shape"):
        TextCounts().fit(table({"message": TEXTS}))


def test_nothing_is_no_text():
    with pytest.raises(lk.InputError, match="TextCounts takes several texts, got None"):
        TextCounts().fit(None)


def test_numbers_are_no_texts():
    with pytest.raises(lk.InputError, match="a text must be a `str`, got float"):
        TextCounts().fit(np.ones(3))

"""The classifier gives the numbers of the library, whatever comes in and in whichever parts."""

from __future__ import annotations

import pickle
import pickletools
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import likelier as lk
from corpora import documents, texts
from likelier.sklearn import NaiveBayesClassifier

TEXTS = ["cheap watches buy now", "buy cheap pills now", "meeting at noon", "lunch at noon tomorrow"]
LABELS = ["spam", "spam", "ham", "ham"]
QUESTIONS = ["cheap lunch", "buy at noon now", "", "nothing known"]

FRAME = pd.DataFrame(
    {
        "subject": ["cheap watches", "lunch at noon", "buy cheap now", "minutes of the meeting", "cheap lunch", "win"],
        "domain": ["shop", "work", "shop", "work", None, "shop"],
        "size": [10.5, 2.25, 11.0, 3.0, np.nan, 9.0],
        "urgent": [True, False, True, False, False, True],
        "number": [7, 3, 9, 1, 4, 4],
    }
)
FOLDERS = ["spam", "ham", "spam", "ham", "ham", "spam"]
KINDS = {"text": ["subject"], "categorical": ["domain"], "binary": ["urgent"], "numeric": ["size", "number"]}


def same(one, two):
    np.testing.assert_array_equal(one, two, strict=True)


# ---- the numbers of the library ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"alpha": 0.3},
        {"event": "bernoulli", "alpha": 0.1},
        {"event": "complement", "normalize": True},
        {"smoothing": lk.MEstimate(2), "unknown": "grow"},
        {"prior": "uniform", "min_count": 2, "unknown": "unk"},
        {"prior": {"ham": 0.9, "spam": 0.1}, "decide": lk.Thresholds({"spam": 0.9}, otherwise="ham")},
    ],
)
def test_texts_get_the_same_bits_as_from_a_model(view):
    verdicts = lk.train(texts=TEXTS, labels=LABELS).view(**view).classify_many(QUESTIONS)
    classifier = NaiveBayesClassifier(**view).fit(TEXTS, LABELS)
    same(classifier.predict_proba(QUESTIONS), verdicts.probabilities)
    same(classifier.predict_joint_log_proba(QUESTIONS), verdicts.log_scores)
    assert classifier.predict(QUESTIONS).tolist() == verdicts.labels


@pytest.mark.parametrize(
    "settled", [{}, {"numeric_rule": "equal-width:3"}, {"columns": {"size": {"numeric": [5, 10]}}}]
)
def test_a_frame_gets_the_same_bits_as_from_a_model(settled):
    view = {"numeric" if name == "numeric_rule" else name: value for name, value in settled.items()}
    verdicts = lk.train(FRAME, labels=FOLDERS, **KINDS).view(**view).classify_many(FRAME)
    classifier = NaiveBayesClassifier(**KINDS, **settled).fit(FRAME, FOLDERS)
    same(classifier.predict_proba(FRAME), verdicts.probabilities)


def test_numbers_are_the_numeric_columns_0_1_and_so_on():
    X, y = np.array([[1.5, 2], [3, np.nan], [5, 7], [4, 1]]), [0, 0, 1, 1]
    rows = [{"0": a, "1": b} for a, b in X.tolist()]
    model = lk.train(rows, labels=y, numeric=["0", "1"])
    classifier = NaiveBayesClassifier().fit(X, y)
    assert classifier.model_ == model
    same(classifier.predict_proba(X), model.classify_many(rows).probabilities)


def test_the_model_is_the_one_that_train_makes():
    assert NaiveBayesClassifier().fit(TEXTS, LABELS).model_ == lk.train(texts=TEXTS, labels=LABELS)


def test_weights_are_those_of_the_library():
    weights = [0.5, 2, 1, 3.25]
    model = lk.train(texts=TEXTS, labels=LABELS, weights=weights)
    for given_as in (weights, np.array(weights), pd.Series(weights)):
        assert NaiveBayesClassifier().fit(TEXTS, LABELS, sample_weight=given_as).model_ == model


def test_a_weight_for_all_documents_may_be_one_number():
    twice = NaiveBayesClassifier().fit(TEXTS * 2, LABELS * 2)
    assert NaiveBayesClassifier().fit(TEXTS, LABELS, sample_weight=2).model_.counts == twice.model_.counts


def test_logarithms_do_not_end_where_probabilities_become_0():
    classifier = NaiveBayesClassifier().fit(TEXTS, LABELS)
    question = ["cheap buy now " * 500]
    assert classifier.predict_proba(question)[0, 0] == 0
    assert -2000 < classifier.predict_log_proba(question)[0, 0] < -1000
    np.testing.assert_allclose(
        classifier.predict_log_proba(QUESTIONS), np.log(classifier.predict_proba(QUESTIONS)), rtol=1e-12
    )


# ---- always a label, and probabilities that sum to 1 ---------------------------------------------------------------

IMPOSSIBLE = ["cheap noon"]  # neither label has both words


def test_what_is_impossible_under_every_label_gets_the_prior():
    classifier = NaiveBayesClassifier(alpha=0).fit([*TEXTS, "cheap"], [*LABELS, "spam"])
    same(classifier.predict_proba(IMPOSSIBLE), np.array([[2 / 5, 3 / 5]]))
    np.testing.assert_allclose(np.exp(classifier.predict_log_proba(IMPOSSIBLE)), [[2 / 5, 3 / 5]], rtol=1e-15)
    assert classifier.predict(IMPOSSIBLE) == ["spam"]
    assert np.isneginf(classifier.predict_joint_log_proba(IMPOSSIBLE)).all()
    assert classifier.model_.classify(IMPOSSIBLE[0]).label is None


def test_a_decision_for_no_label_becomes_the_most_probable_one():
    classifier = NaiveBayesClassifier(decide=lk.Thresholds({"*": 0.999})).fit(TEXTS, LABELS)
    assert classifier.model_.classify("cheap lunch pills").label is None
    assert classifier.predict(["cheap lunch pills"]) == ["spam"]


def test_a_text_without_a_known_word_gets_a_label_even_where_the_model_gives_none():
    classifier = NaiveBayesClassifier(without_evidence="none").fit([*TEXTS, "cheap"], [*LABELS, "spam"])
    assert classifier.predict(["nothing known"]) == ["spam"]


# ---- learning in parts ---------------------------------------------------------------------------------------------


@given(
    pairs=documents, cuts=st.lists(st.integers(0, 12), max_size=3), questions=st.lists(texts, min_size=1, max_size=5)
)
@settings(max_examples=40, deadline=None)
def test_texts_in_any_parts_give_the_same_bits_as_at_once(pairs, cuts, questions):
    X, y = [text for text, _ in pairs], [label for _, label in pairs]
    edges = sorted({0, len(X), *(cut for cut in cuts if cut < len(X))})
    parts = NaiveBayesClassifier()
    for start, end in pairwise(edges):
        parts.partial_fit(X[start:end], y[start:end])
    whole = NaiveBayesClassifier().fit(X, y)
    same(parts.classes_, whole.classes_)
    same(parts.predict_proba(questions), whole.predict_proba(questions))
    assert parts.model_ == whole.model_


@pytest.mark.parametrize("cut", range(1, 6))
@pytest.mark.parametrize("rule", ["gaussian", "equal-frequency:2", "information"])
def test_a_frame_in_two_parts_gives_the_same_bits_as_at_once(cut, rule):
    whole = NaiveBayesClassifier(**KINDS, numeric_rule=rule).fit(FRAME, FOLDERS, sample_weight=[1, 2, 0.5, 1, 1, 3])
    parts = NaiveBayesClassifier(**KINDS, numeric_rule=rule)
    parts.partial_fit(FRAME[:cut], FOLDERS[:cut], sample_weight=[1, 2, 0.5, 1, 1, 3][:cut])
    parts.partial_fit(FRAME[cut:], FOLDERS[cut:], sample_weight=[1, 2, 0.5, 1, 1, 3][cut:])
    same(parts.predict_proba(FRAME), whole.predict_proba(FRAME))


def test_new_labels_and_new_words_may_come():
    classifier = NaiveBayesClassifier().partial_fit(TEXTS, LABELS).partial_fit(["invoice for March"], ["invoice"])
    assert classifier.classes_.tolist() == ["ham", "invoice", "spam"]
    assert classifier.predict(["an invoice"]) == ["invoice"]


def test_a_class_without_documents_has_probability_0_until_one_comes():
    classifier = NaiveBayesClassifier().partial_fit(TEXTS, LABELS, classes=["ham", "news", "spam"])
    assert classifier.classes_.tolist() == ["ham", "news", "spam"]
    plain = NaiveBayesClassifier().fit(TEXTS, LABELS)
    same(classifier.predict_proba(QUESTIONS)[:, [0, 2]], plain.predict_proba(QUESTIONS))
    assert (classifier.predict_proba(QUESTIONS)[:, 1] == 0).all()
    assert np.isneginf(classifier.predict_log_proba(QUESTIONS)[:, 1]).all()
    assert np.isneginf(classifier.predict_joint_log_proba(QUESTIONS)[:, 1]).all()
    classifier.partial_fit(["the news at noon"], ["news"])
    assert classifier.predict(["news"]) == ["news"]


def test_a_label_whose_documents_all_weigh_nothing_is_a_class_with_probability_0():
    classifier = NaiveBayesClassifier().fit(TEXTS, LABELS, sample_weight=[0, 0, 1, 1])
    assert classifier.classes_.tolist() == ["ham", "spam"]
    same(classifier.predict_proba(["cheap"]), np.array([[1.0, 0.0]]))


def test_fit_forgets_what_was_learned_before():
    classifier = NaiveBayesClassifier().fit(["one two"], ["numbers"]).fit(TEXTS, LABELS)
    assert classifier.classes_.tolist() == ["ham", "spam"]
    assert classifier.model_ == lk.train(texts=TEXTS, labels=LABELS)


def test_a_part_that_cannot_be_used_changes_nothing():
    classifier = NaiveBayesClassifier(prior={"ham": 0.5, "spam": 0.5}).fit(TEXTS, LABELS)
    before = classifier.model_.copy()
    with pytest.raises(lk.SettingError, match="news"):  # for which there is no prior
        classifier.partial_fit(["news at noon"], ["news"])
    with pytest.raises(lk.InputError, match="NoneType None as document 1"):
        classifier.partial_fit(["lunch", None], ["ham", "ham"])
    assert classifier.model_ == before
    assert classifier.classes_.tolist() == ["ham", "spam"]
    assert classifier.predict(["lunch"]) == ["ham"]


def test_a_setting_that_is_changed_holds_from_the_next_part_on():
    classifier = NaiveBayesClassifier(alpha=1, columns={"text": {"alpha": 5}}).fit(TEXTS[:2], LABELS[:2])
    classifier.set_params(alpha=0.1, columns=None).partial_fit(TEXTS[2:], LABELS[2:])
    same(
        classifier.predict_proba(QUESTIONS),
        NaiveBayesClassifier(alpha=0.1).fit(TEXTS, LABELS).predict_proba(QUESTIONS),
    )


# ---- labels --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "dtype"),
    [
        (np.array(LABELS), np.dtype("<U4")),
        (np.array(LABELS, dtype=object), np.dtype(object)),
        (LABELS, np.dtype("<U4")),
        (np.array([1, 1, 0, 0], dtype=np.int32), np.dtype(np.int32)),
        (np.array([1, 1, -1, -1], dtype=np.int8), np.dtype(np.int8)),
        ([1, 1, 0, 0], np.dtype(np.int64)),
        (np.array([True, True, False, False]), np.dtype(bool)),
        (np.array([2.0, 2.0, 1.0, 1.0], dtype=np.float32), np.dtype(np.float32)),
        ([2.0, 2.0, 1.0, 1.0], np.dtype(np.float64)),
        (pd.Series(LABELS), np.dtype(object)),
        (pl.Series(LABELS), np.dtype(object)),
        (pd.Series([1, 1, 0, 0]), np.dtype(np.int64)),
        (pd.Series([1, 1, 0, 0], dtype="Int64"), np.dtype(np.int64)),
        (pd.Series(LABELS, dtype="category"), np.dtype(object)),
    ],
)
def test_labels_come_back_as_they_went_in(y, dtype):
    classifier = NaiveBayesClassifier().fit(TEXTS, y)
    predicted = classifier.predict(TEXTS)
    assert classifier.classes_.dtype == predicted.dtype == dtype
    assert predicted.tolist() == list(y)
    assert classifier.classes_.tolist() == sorted(set(y))
    assert classifier.score(TEXTS, y) == 1


def test_whole_numbers_written_with_a_point_are_whole_numbers_to_the_model():
    assert NaiveBayesClassifier().fit(TEXTS, np.array([2.0, 2.0, 1.0, 1.0])).model_.labels == (1, 2)


def test_labels_may_become_longer_in_a_later_part():
    classifier = NaiveBayesClassifier().partial_fit(["a"], np.array(["x"])).partial_fit(["b"], np.array(["a long one"]))
    assert classifier.predict(["b"]) == ["a long one"]


# ---- forms of X ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [list, tuple, np.array, pd.Series, pl.Series, pa.array, iter, lambda X: np.array(X, dtype=object)],
    ids=["list", "tuple", "array", "pandas", "polars", "pyarrow", "iterator", "objects"],
)
def test_texts_come_in_every_form(form):
    expected = NaiveBayesClassifier().fit(TEXTS, LABELS)
    classifier = NaiveBayesClassifier().fit(form(TEXTS), LABELS)
    same(classifier.predict_proba(form(QUESTIONS)), expected.predict_proba(QUESTIONS))


FORMS = {
    "pandas": FRAME,
    "polars": pl.DataFrame(FRAME),
    "pyarrow": pa.Table.from_pandas(FRAME, preserve_index=False),
    "rows": FRAME.to_dict("records"),
}


@pytest.mark.parametrize("form", FORMS)
def test_columns_come_in_every_form(form):
    expected = NaiveBayesClassifier(**KINDS).fit(FRAME, FOLDERS)
    classifier = NaiveBayesClassifier(**KINDS).fit(FORMS[form], FOLDERS)
    same(classifier.predict_proba(FORMS[form]), expected.predict_proba(FRAME))
    assert set(classifier.feature_names_in_) == set(FRAME.columns)
    assert classifier.n_features_in_ == 5


def test_kinds_are_guessed_where_none_is_named():
    frame = FRAME.assign(message=[f"{subject} and some more words" for subject in FRAME["subject"]])
    classifier = NaiveBayesClassifier(ignore=["subject", "urgent"]).fit(frame, FOLDERS)
    assert classifier.model_.schema.in_words() == "domain categorical; size, number numeric; message text"
    assert classifier.predict(frame).tolist() == FOLDERS


@pytest.mark.parametrize("text", ["message", None])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_frame_with_one_text_column_is_a_model_of_plain_texts(text, frame):
    X = frame({"message": TEXTS})
    classifier = NaiveBayesClassifier(text=text).fit(X, LABELS)
    assert classifier.model_ == lk.train(texts=TEXTS, labels=LABELS)
    assert classifier.predict(X).tolist() == classifier.predict(TEXTS).tolist() == LABELS
    classifier.partial_fit(X, LABELS)
    classifier.partial_fit(TEXTS, LABELS)
    assert classifier.model_.documents == 12
    assert classifier.explain(pd.Series({"message": TEXTS[0]})).verdict.label == "spam"


def test_a_plain_text_column_is_found_among_others_in_every_question():
    X = pd.DataFrame({"id": range(4), "note": TEXTS, "other": ["x"] * 4})
    classifier = NaiveBayesClassifier(text="note").fit(X, LABELS)
    same(classifier.predict_proba(X), NaiveBayesClassifier().fit(TEXTS, LABELS).predict_proba(TEXTS))


def test_columns_of_an_array_are_named_by_place():
    X = np.array([["cheap pills", "shop", 3, "x"], ["lunch", "work", 1, "y"]], dtype=object)
    classifier = NaiveBayesClassifier(text=[0], categorical={1: ["shop", "work", "home"]}, ignore=[3]).fit(
        X, ["s", "h"]
    )
    assert classifier.model_.schema.in_words() == "0 text; 1 categorical; 2 numeric"
    assert classifier.predict(X).tolist() == ["s", "h"]
    assert classifier.explain(X[0]).verdict.label == "s"
    assert not hasattr(classifier, "feature_names_in_")


def test_an_array_of_truth_values_has_binary_columns():
    X = np.array([[True, False], [False, True]])
    assert NaiveBayesClassifier().fit(X, [0, 1]).model_.schema.in_words() == "0, 1 binary"


@pytest.mark.parametrize("places", [[1], (1,), 1, "1", range(1, 2), np.array([1]), pd.Index(["1"]), {1: ["0", "1"]}])
def test_places_are_given_in_every_form(places):
    classifier = NaiveBayesClassifier(categorical=places).fit(np.eye(2), [0, 1])
    assert classifier.model_.schema.in_words() == "0 numeric; 1 categorical"


def test_rules_of_numeric_columns_can_be_given_by_place():
    X = np.array([[1.0, 5.0], [2.0, 6.0], [8.0, 5.5]])
    classifier = NaiveBayesClassifier(numeric={1: [5.2]}, columns={0: {"numeric": "equal-width:2"}}).fit(X, [0, 0, 1])
    assert {name: type(own["numeric"]).__name__ for name, own in classifier.model_.settings.columns.items()} == {
        "0": "EqualWidth",
        "1": "Cuts",
    }


def test_a_numeric_column_may_have_its_rule_in_one_place_and_its_smoothing_in_another():
    X = np.array([[1.0], [2.0], [8.0]])
    classifier = NaiveBayesClassifier(numeric={0: [5]}, columns={0: {"alpha": 3}}).fit(X, [0, 0, 1])
    expected = NaiveBayesClassifier(columns={"0": {"alpha": 3, "numeric": [5]}}).fit(X, [0, 0, 1])
    same(classifier.predict_proba(X), expected.predict_proba(X))
    assert (
        classifier.predict_proba(X) != NaiveBayesClassifier(numeric={0: [5]}).fit(X, [0, 0, 1]).predict_proba(X)
    ).any()


def test_numbers_without_names_go_by_place_for_a_model_of_a_frame():
    frame = FRAME[["number", "size"]].fillna(5.0)
    classifier = NaiveBayesClassifier(numeric=["number", "size"]).fit(frame, FOLDERS)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        nameless = classifier.predict_proba(frame.to_numpy())
    same(nameless, classifier.predict_proba(frame))


def test_a_frame_goes_by_place_for_a_model_of_numbers_without_names():
    X = FRAME[["number", "size"]].fillna(5.0)
    classifier = NaiveBayesClassifier().fit(X.to_numpy(), FOLDERS)
    with pytest.warns(UserWarning, match="X has feature names"):
        named = classifier.predict_proba(X)
    same(named, classifier.predict_proba(X.to_numpy()))


def test_columns_that_were_left_out_in_fit_raise_no_warning_later():
    frame = FRAME.assign(id=[f"a{row}" for row in range(6)])
    classifier = NaiveBayesClassifier(**KINDS).fit(frame, FOLDERS)
    same(classifier.predict_proba(frame), NaiveBayesClassifier(**KINDS).fit(FRAME, FOLDERS).predict_proba(FRAME))


def test_missing_values_are_left_out_of_the_sum():
    classifier = NaiveBayesClassifier(**KINDS).fit(FRAME, FOLDERS)
    row = FRAME[:1].assign(size=np.nan, domain=None)
    others = NaiveBayesClassifier(text=["subject"], binary=["urgent"], numeric=["number"]).fit(FRAME, FOLDERS)
    np.testing.assert_allclose(classifier.predict_proba(row), others.predict_proba(row), rtol=1e-12)


def test_what_is_no_text_is_forgotten_when_texts_are_fitted():
    classifier = NaiveBayesClassifier(ignore=()).fit(FRAME[["number"]], FOLDERS).fit(TEXTS, LABELS)
    assert not hasattr(classifier, "n_features_in_")
    assert classifier.predict(TEXTS).tolist() == LABELS


# ---- explanations, parameters, pickles -----------------------------------------------------------------------------


def test_an_explanation_is_that_of_the_model():
    classifier = NaiveBayesClassifier(**KINDS).fit(FRAME, FOLDERS)
    expected = lk.train(FRAME, labels=FOLDERS, **KINDS).explain(FRAME.to_dict("records")[0])
    assert str(classifier.explain(FRAME.iloc[0])) == str(expected)
    assert str(classifier.explain(FRAME.to_dict("records")[0])) == str(expected)
    assert classifier.explain(FRAME.iloc[0]).verdict.label == "spam"


def test_before_fit_every_question_says_so():
    for ask in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "explain"):
        with pytest.raises(NotFittedError, match="not fitted"):
            getattr(NaiveBayesClassifier(), ask)(["a"])


def test_parameters_come_back_from_a_clone():
    given = {"text": ["a"], "analyzer": lk.Analyzer(ngrams=2), "alpha": 0.5, "columns": {"a": {"event": "bernoulli"}}}
    parameters = clone(NaiveBayesClassifier(**given)).get_params()
    assert {name: parameters[name] for name in given} == given
    assert set(parameters) >= {"event", "prior", "unknown", "min_count", "normalize", "threads", "missing"}


@pytest.mark.parametrize("X", [TEXTS, FRAME], ids=["texts", "frame"])
def test_a_pickle_gives_the_same_bits_and_goes_on_learning(X):
    y = LABELS if X is TEXTS else FOLDERS
    classifier = NaiveBayesClassifier(alpha=0.3).fit(X, y)
    twin = pickle.loads(pickle.dumps(classifier))
    same(twin.predict_proba(X), classifier.predict_proba(X))
    assert twin.model_ == classifier.model_
    assert twin.partial_fit(X, y).model_ == classifier.partial_fit(X, y).model_


def test_a_pickle_holds_the_model_file_and_no_object_of_the_model(tmp_path):
    classifier = NaiveBayesClassifier().fit(FRAME, FOLDERS)
    data = pickle.dumps(classifier)
    named = {str(argument) for _, argument, _ in pickletools.genops(data) if isinstance(argument, str)}
    assert {name for name in named if name.startswith("likelier")} == {"likelier.sklearn"}
    assert "Model" not in named
    (tmp_path / "model").write_bytes(classifier.__getstate__()["model_"])
    assert lk.load(tmp_path / "model") == classifier.model_


def test_a_pickle_of_an_estimator_without_a_model_is_one():
    assert pickle.loads(pickle.dumps(NaiveBayesClassifier(alpha=2))).alpha == 2

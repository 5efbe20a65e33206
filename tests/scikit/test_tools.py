"""The estimators work inside scikit-learn's tools."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import likelier as lk
from likelier.sklearn import NaiveBayesClassifier, TextCounts

SPAM = ["cheap watches buy now", "buy cheap pills now", "win a cheap watch", "pills and watches now", "buy and win now"]
HAM = ["meeting at noon", "lunch at noon tomorrow", "minutes of the meeting", "see you tomorrow", "lunch with you"]
TEXTS, LABELS = [*SPAM, *HAM] * 2, (["spam"] * 5 + ["ham"] * 5) * 2
FRAME = pd.DataFrame({"message": TEXTS, "size": np.linspace(1, 9, 20) ** 2, "sender": ["shop", "work"] * 10})


def test_a_pipeline_cleans_texts_before_they_are_classified():
    clean = FunctionTransformer(lambda texts: [text.replace("ch3ap", "cheap") for text in texts])
    pipeline = make_pipeline(clean, NaiveBayesClassifier()).fit(TEXTS, LABELS)
    assert pipeline.predict(["ch3ap ch3ap"]) == ["spam"]


def test_numbers_can_be_scaled_before():
    X = np.random.default_rng(0).normal(size=(40, 3))
    pipeline = make_pipeline(StandardScaler(), NaiveBayesClassifier()).fit(X, X[:, 0] > 0)
    assert pipeline.score(X, X[:, 0] > 0) > 0.8


def test_a_grid_is_searched_over_alpha_event_and_analyzer():
    grid = {
        "alpha": [0.1, 1],
        "event": ["multinomial", "bernoulli", "complement"],
        "analyzer": [None, lk.Analyzer(ngrams=2)],
    }
    search = GridSearchCV(NaiveBayesClassifier(threads=1), grid, cv=2, error_score="raise").fit(TEXTS, LABELS)
    assert len(search.cv_results_["params"]) == 12
    assert search.best_score_ == 1
    assert search.predict(["cheap cheap"]) == ["spam"]


def test_a_grid_is_searched_over_the_rule_for_numbers():
    kinds = {"text": ["message"], "numeric": ["size"], "categorical": ["sender"]}
    grid = {"numeric_rule": ["gaussian", "equal-width:3"], "columns": [None, {"message": {"event": "bernoulli"}}]}
    search = GridSearchCV(NaiveBayesClassifier(**kinds), grid, cv=2, error_score="raise").fit(FRAME, LABELS)
    assert len(search.cv_results_["params"]) == 4


@pytest.mark.slow
def test_processes_of_their_own_get_the_same_results():
    in_line = cross_val_predict(NaiveBayesClassifier(), TEXTS, LABELS, cv=2, method="predict_proba")
    apart = cross_val_predict(NaiveBayesClassifier(threads=1), TEXTS, LABELS, cv=2, method="predict_proba", n_jobs=2)
    np.testing.assert_array_equal(in_line, apart)


@pytest.mark.parametrize(
    "X", [TEXTS, np.array(TEXTS), FRAME, FRAME.to_dict("records")], ids=["list", "array", "frame", "rows"]
)
def test_scores_are_cross_validated(X):
    assert cross_val_score(NaiveBayesClassifier(), X, LABELS, cv=3).mean() > 0.8


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_probabilities_are_calibrated(method):
    calibrated = CalibratedClassifierCV(NaiveBayesClassifier(), method=method, cv=2).fit(TEXTS, LABELS)
    assert calibrated.predict(["cheap pills"]) == ["spam"]
    np.testing.assert_allclose(calibrated.predict_proba(TEXTS).sum(axis=1), 1)


def test_a_threshold_is_tuned():
    tuned = TunedThresholdClassifierCV(NaiveBayesClassifier(), scoring="balanced_accuracy", cv=2)
    assert tuned.fit(TEXTS, np.array(LABELS) == "spam").predict(["cheap pills"]) == [True]


def test_several_classifiers_vote():
    members = [("plain", NaiveBayesClassifier()), ("pairs", NaiveBayesClassifier(analyzer=lk.Analyzer(ngrams=2)))]
    for voting in ("hard", "soft"):
        assert VotingClassifier(members, voting=voting).fit(TEXTS, LABELS).predict(["cheap"]) == ["spam"]
    assert StackingClassifier(members, LogisticRegression(), cv=2).fit(TEXTS, LABELS).predict(["cheap"]) == ["spam"]


def test_one_against_the_rest():
    classifier = OneVsRestClassifier(NaiveBayesClassifier()).fit(TEXTS, LABELS)
    assert classifier.predict(["cheap pills"]) == ["spam"]


def test_a_scorer_reads_probabilities():
    assert get_scorer("neg_log_loss")(NaiveBayesClassifier().fit(TEXTS, LABELS), TEXTS, LABELS) > -0.2


def test_columns_are_transformed_each_in_its_way():
    columns = ColumnTransformer([("words", TextCounts(), "message"), ("size", StandardScaler(), ["size"])])
    pipeline = make_pipeline(columns, LogisticRegression()).fit(FRAME, LABELS)
    assert pipeline.score(FRAME, LABELS) == 1
    names = columns.fit(FRAME).get_feature_names_out()
    assert {"words__cheap", "size__size"} <= set(names)


def test_counts_feed_the_classifiers_of_scikit_learn():
    for classifier in (MultinomialNB(), ComplementNB(), make_pipeline(TfidfTransformer(), LogisticRegression())):
        assert make_pipeline(TextCounts(), classifier).fit(TEXTS, LABELS).predict(["cheap pills"]) == ["spam"]


def test_words_and_pieces_of_words_stand_side_by_side():
    union = FeatureUnion([("words", TextCounts()), ("pieces", TextCounts(lk.Analyzer(char_ngrams=3, words=False)))])
    names = union.fit(TEXTS).get_feature_names_out().tolist()
    assert "words__cheap" in names
    assert any(name.startswith("pieces__") and name.endswith("che") for name in names)


def test_a_grid_is_searched_over_the_analyzer_of_counts():
    pipeline = make_pipeline(TextCounts(), MultinomialNB())
    grid = {"textcounts__analyzer": [None, lk.Analyzer(ngrams=2)], "textcounts__min_df": [1, 2]}
    assert GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(TEXTS, LABELS).best_score_ > 0.8


# ---- weights find their way ----------------------------------------------------------------------------------------


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
def test_weights_are_routed_through_a_grid_and_a_pipeline():
    classifier = NaiveBayesClassifier().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    search = GridSearchCV(make_pipeline(classifier), {"naivebayesclassifier__alpha": [1]}, cv=2)
    weights = np.where(np.array(LABELS) == "spam", 3.0, 1.0)
    search.fit(TEXTS, LABELS, sample_weight=weights)
    model = search.best_estimator_[-1].model_
    assert model.counts.documents_per_label == {"ham": 10, "spam": 30}


@pytest.mark.usefixtures("routing")
def test_weights_that_nobody_asked_for_are_refused():
    search = GridSearchCV(NaiveBayesClassifier(), {"alpha": [1]}, cv=2)
    with pytest.raises(ValueError, match="sample_weight"):
        search.fit(TEXTS, LABELS, sample_weight=np.ones(20))


@pytest.mark.usefixtures("routing")
def test_parts_have_requests_of_their_own():
    classifier = NaiveBayesClassifier().set_partial_fit_request(sample_weight=True, classes=False)
    request = classifier.get_metadata_routing().partial_fit.requests
    assert request == {"sample_weight": True, "classes": False}


def test_the_score_can_be_weighted():
    classifier = NaiveBayesClassifier().fit(TEXTS, LABELS)
    wrong = ["ham" if row == 0 else label for row, label in enumerate(LABELS)]
    assert classifier.score(TEXTS, wrong, sample_weight=[0] + [1] * 19) == 1

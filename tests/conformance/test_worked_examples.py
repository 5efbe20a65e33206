"""Every worked example of the five texts that likelier follows, through the public names, to the digit.

`worked_examples.json` holds the figures as exact fractions; `source` says whose example it is.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import likelier as lk

approx = pytest.approx

CASES: dict[str, Any] = {
    case["id"]: case for case in json.loads((Path(__file__).parent / "worked_examples.json").read_text("utf-8"))
}
GOATS = CASES["goats/analysis"]["sentences"]
SETTINGS = ("event", "alpha", "unknown", "min_count")
PATIENTS = ["patients/m=0", "patients/m=2", "patient-F"]
CHECKED_BY_NAME = {
    *PATIENTS,
    "dependent-features",
    "gaussian",
    "goats/analysis",
    "goats/bag-of-words",
    "tweets/bayes-rule",
    "tweets/log-ratio",
    "tweets/prior-ratio",
    "names-ru",
    "arthrosis/bayes-rule",
    "maximum-likelihood",
    "reviews/stop-words=top-3",
}
QUERIES = [case for name, case in CASES.items() if name not in CHECKED_BY_NAME]


def german() -> lk.Analyzer:
    return lk.Analyzer(language="de", stop_words="de", lemmatize=True)


def goats() -> lk.Model:
    return lk.train([(sentence["text"], sentence["label"]) for sentence in GOATS], analyzer=german())


def trained_for(case: dict[str, Any]) -> lk.Model:
    """The model of the case's own sentences, or of the goats."""
    if "sentences" not in case:
        return lk.train([(" ".join(sentence["terms"]), sentence["label"]) for sentence in GOATS])
    analyzer = german() if case["id"].startswith("goats") else lk.Analyzer()
    return lk.train([(sentence["text"], sentence["label"]) for sentence in case["sentences"]], analyzer=analyzer)


def check_verdict(view: lk.View, case: dict[str, Any], document: str | dict[str, Any]) -> None:
    expected = case["expected"]
    verdict, explanation = view.classify(document), view.explain(document)
    assert verdict.label == expected["label"]
    for label, joint in expected["joint"].items():
        assert explanation.joint[label] == Fraction(joint["fraction"])
    for label, score in expected["log_joint"].items():
        assert verdict.log_scores[label] == (-math.inf if score is None else approx(score, rel=1e-12))
        assert explanation.sums[label] == verdict.log_scores[label]
    for label, posterior in expected["posterior"].items():
        if posterior is None:
            assert explanation.posterior is None
            assert verdict.probabilities[label] == 0
        else:
            assert explanation.posterior is not None
            assert explanation.posterior[label] == Fraction(posterior["fraction"])
            assert verdict.probabilities[label] == approx(posterior["value"], rel=1e-12)
    assert view.classify_many([document, document])[1] == verdict


@pytest.mark.parametrize("case", QUERIES, ids=[case["id"] for case in QUERIES])
def test_a_worked_query_comes_out_to_the_digit(case: dict[str, Any]) -> None:
    model = trained_for(case)
    view = model.view(**{name: case[name] for name in SETTINGS if name in case})
    for term, by_label in case.get("likelihood", {}).items():
        for label, expected in by_label.items():
            assert view.likelihood(term, label) == Fraction(expected["fraction"])
    if "vocabulary_size" in case:
        assert view.vocabulary_size == case["vocabulary_size"]
    if "tokens_per_class" in case:
        assert model.counts.tokens_per_label == case["tokens_per_class"]
    if "kept" in case:
        assert [term for term in model.counts.vocabulary if view.estimator.reading.knows(term)] == case["kept"]
    check_verdict(view, case, " ".join(case["query"]))


def test_no_case_is_forgotten() -> None:
    assert len(CASES) == 32
    assert len(QUERIES) + len(CHECKED_BY_NAME) == 32


@pytest.mark.parametrize("sentence", [*GOATS, CASES["goats/analysis"]["query"]], ids=lambda sentence: sentence["text"])
def test_a_german_sentence_becomes_the_lecture_s_terms(sentence: dict[str, Any]) -> None:
    assert german().terms(sentence["text"]) == sentence["terms"]


def test_the_vocabulary_stands_in_order_of_first_sight() -> None:
    assert goats().counts.vocabulary == CASES["goats/analysis"]["vocabulary_in_order_of_first_sight"]


def test_the_bag_of_words_is_the_lecture_s_table() -> None:
    case = CASES["goats/bag-of-words"]
    for sentence, label, row in zip(GOATS, case["labels"], case["rows"], strict=True):
        alone = lk.train([(sentence["text"], label)], analyzer=german())
        assert [alone.counts.of(term, label) for term in case["vocabulary"]] == row
    assert goats().counts.tokens_per_label == case["tokens_per_class"]
    assert goats().counts.documents_per_label == case["documents_per_class"]


def test_the_sentence_itself_gives_what_its_terms_give() -> None:
    query = CASES["goats/analysis"]["query"]
    expected = CASES["goats/multinomial/alpha=1"]["expected"]["posterior"]["OK"]["fraction"]
    posterior = goats().view(alpha=1).explain(query["text"]).posterior
    assert posterior is not None
    assert posterior["OK"] == Fraction(expected)


@pytest.mark.parametrize("case", ["tweets/bayes-rule", "arthrosis/bayes-rule"])
def test_bayes_rule(case: str) -> None:
    for rule in CASES[case]["rule"]:
        given, (posterior,) = rule["given"], [value for name, value in rule.items() if name.startswith("P(")]
        if "joint" in rule:
            (evidence,) = given.values()
            assert lk.bayes_rule(joint=rule["joint"], evidence=evidence) == approx(posterior, rel=1e-12)
        else:
            (likelihood,) = [value for name, value in given.items() if "|" in name]
            prior, evidence = given.get("P(A)"), given.get("P(B)", given.get("P(S)"))
            assert lk.bayes_rule(prior=prior, likelihood=likelihood, evidence=evidence) == approx(posterior, rel=1e-12)


def test_the_log_ratios_of_the_tweets() -> None:
    case = CASES["tweets/log-ratio"]
    counts = lk.Counts.from_table(case["counts"])
    view = counts.view(alpha=1, prior="uniform")
    assert counts.tokens_per_label == case["tokens_per_class"]
    for term, by_label in case["likelihood"].items():
        for label, expected in by_label.items():
            assert view.likelihood(term, label) == Fraction(expected["fraction"])
        ratio = view.likelihood(term, "pos") / view.likelihood(term, "neg")
        assert ratio == Fraction(case["ratio"][term]["fraction"])
    assert view.log_ratios("pos", "neg") == approx(case["log_ratio"], abs=1e-12)
    explanation = view.explain(" ".join(case["query"]))
    assert explanation.verdict.label == case["label"]
    assert explanation.log_odds == approx(case["log_odds"], rel=1e-12)
    telling = [item.name for item in explanation.items if item.kind == "term" and item.difference("pos", "neg")]
    assert telling == case["contributes"]
    assert explanation.joint["pos"] / explanation.joint["neg"] == case["likelihood_ratio"]


def test_the_log_prior_ratio_of_the_tweets() -> None:
    case, tweets = CASES["tweets/prior-ratio"], CASES["tweets/log-ratio"]
    view = lk.Counts.from_table(tweets["counts"], documents=case["documents_per_class"]).view()
    assert {label: float(view.prior(label)) for label in ("pos", "neg")} == case["prior"]
    assert float(view.prior("pos") / view.prior("neg")) == approx(case["ratio"], rel=1e-12)
    assert view.log_prior_ratio("pos", "neg") == approx(case["log_ratio"], rel=1e-12)
    verdict = view.classify(" ".join(tweets["query"]))
    assert verdict.log_odds("pos", "neg") == approx(case["log_odds_of_the_tweet"], rel=1e-12)


def test_a_threshold_of_0_8_leaves_the_message_about_cigarettes_unmarked() -> None:
    case = CASES["spam-ru/unknown=smooth"]
    view = trained_for(case).view(unknown="smooth", decide=lk.Thresholds({"SPAM": 0.8}))
    assert view.classify(" ".join(case["query"])).label == "HAM"


def test_the_unknown_name_gets_one_tenth() -> None:
    case = CASES["names-ru"]
    counts = lk.Counts.from_table({name: {"name": number} for name, number in case["counts"].items()})
    smoothed = counts.view(alpha=1, unknown="unk", prior="uniform")
    unsmoothed = counts.view(alpha=0, unknown="smooth", prior="uniform")
    for name, expected in case["smoothed_with_four_names"].items():
        assert float(smoothed.likelihood(name, "name")) == expected
    for name, expected in case["unsmoothed"].items():
        assert float(unsmoothed.likelihood(name, "name")) == approx(expected, rel=1e-12)


def test_a_uniform_prior_is_the_maximum_likelihood_decision() -> None:
    case = CASES["maximum-likelihood"]
    explanation = trained_for(case).view(prior="uniform").explain(" ".join(case["query"]))
    for label, joint in case["expected"]["joint"].items():
        assert explanation.joint[label] == Fraction(joint["fraction"])
        assert explanation.sums[label] == approx(case["expected"]["log_joint"][label], rel=1e-12)
        assert explanation.posterior is not None
        assert explanation.posterior[label] == Fraction(case["expected"]["posterior"][label]["fraction"])
    assert explanation.verdict.label == case["expected"]["label"]


def test_the_three_most_frequent_terms_are_stop_words() -> None:
    case = CASES["reviews/stop-words=top-3"]
    documents = [(sentence["text"], sentence["label"]) for sentence in case["sentences"]]
    model = lk.train(documents, analyzer=lk.Analyzer(stop_words=case["k"]))
    assert set(model.analyzer.stop_words) == set(case["removed"])
    assert not set(model.counts.vocabulary) & set(case["removed"])
    assert model.counts.vocabulary_size == 20 - 3


# ---- documents with columns --------------------------------------------------------------------------------------


def patients(case: dict[str, Any]) -> tuple[lk.Model, dict[str, Any]]:
    rows = [(dict(zip(case["columns"], row[:-1], strict=True)), row[-1]) for row in case["rows"]]
    return lk.train(rows, categorical=case["columns"]), dict(zip(case["columns"], case["query"], strict=True))


@pytest.mark.parametrize("name", PATIENTS)
def test_a_patient_is_judged_by_the_m_estimate_of_each_column(name: str) -> None:
    case = CASES[name]
    model, query = patients(case)
    view = model.view(smoothing=lk.MEstimate(case["smoothing"]["m"]))
    for outcome, by_label in case["likelihood"].items():
        place, value = outcome.split("=")
        for label, expected in by_label.items():
            found = view.likelihood(value, label, column=case["columns"][int(place)])
            assert found == Fraction(expected["fraction"])
    check_verdict(view, case, query)


def test_a_category_under_additive_alpha_is_the_m_estimate_with_m_equal_to_alpha_times_the_number_of_values() -> None:
    model, query = patients(CASES["patients/m=2"])
    assert model.view(alpha=1).explain(query).joint == model.view(smoothing=lk.MEstimate(2)).explain(query).joint


def dependent_rows(case: dict[str, Any]) -> dict[str, Any]:
    rows = [({"x1": one, "x2": two}, label) for one, two, label, _ in case["weighted_rows"]]
    return {"documents": rows, "weights": [weight for *_, weight in case["weighted_rows"]], "categorical": ["x1", "x2"]}


def test_the_naive_product_of_dependent_features_says_1() -> None:
    case = CASES["dependent-features"]
    view = lk.train(**dependent_rows(case)).view(smoothing=lk.MEstimate(0), prior=case["prior"])
    explanation = view.explain({"x1": 1, "x2": 1})
    assert explanation.verdict.label == case["naive"]["label"] == "1"
    for label in ("0", "1"):
        assert explanation.joint[label] == Fraction(str(case["naive"][label]))


def test_dependent_features_that_are_bound_say_0() -> None:
    case = CASES["dependent-features"]
    model = lk.train(**dependent_rows(case), bind=[("x1", "x2")])
    explanation = model.view(smoothing=lk.MEstimate(0), prior=case["prior"]).explain({"x1": 1, "x2": 1})
    assert explanation.verdict.label == case["joint"]["label"] == "0"
    for label in ("0", "1"):
        assert explanation.joint[label] == Fraction(str(case["joint"][label]))


def test_the_densities_of_the_normal_distribution() -> None:
    case = CASES["gaussian"]
    model = lk.train([({"x": number}, label) for number, label in case["rows"]], numeric=["x"])
    view = model.view(numeric="gaussian", prior="uniform")
    for label in ("a", "b"):
        assert view.column("x").mean(label) == case["mean"][label]
        assert view.column("x").variance(label) == case["variance"][label]
    (item,) = [item for item in view.explain({"x": case["query"]}).items if item.kind == "value"]
    for label, density in case["density"].items():
        assert math.exp(item.contributions[label]) == approx(density, rel=1e-14)
        assert item.factors[label].value == approx(density, rel=1e-14)

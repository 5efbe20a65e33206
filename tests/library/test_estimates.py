"""Likelihoods and scores under every event model, smoothing and unknown-word policy."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import likelier as lk
from corpora import EVENTS, SMOOTHINGS, documents, every_view, model_of, texts, views

queries = st.lists(st.sampled_from(["goat", "wolf", "seven", "молоко", "yeti", "лешему", "elf"]), max_size=8).map(
    " ".join
)
rare = st.sampled_from([1, 2, 3])


def view_of(model: lk.Model, settings: dict[str, object], min_count: int = 1) -> lk.View:
    assume(not (settings["event"] == "bernoulli" and settings["unknown"] == "unk" and min_count > 1))
    return model.view(**settings, min_count=min_count)


def vocabulary_of(model: lk.Model, view: lk.View) -> list[str]:
    return [term for term in model.counts.vocabulary if view.estimator.reading.knows(term)]


@given(documents, st.sampled_from(SMOOTHINGS), st.sampled_from(EVENTS), st.sampled_from(["ignore", "unk"]), rare)
def test_likelihoods_sum_to_1(pairs, smoothing, event, unknown, min_count):
    model = model_of(pairs)
    view = view_of(model, {"event": event, "smoothing": smoothing, "unknown": unknown}, min_count)
    vocabulary = vocabulary_of(model, view)
    assume(vocabulary)
    for label in model.labels:
        likelihoods = [view.likelihood(term, label) for term in vocabulary]
        if event == "bernoulli":  # present and absent: each term is a distribution of its own
            assert all(0 <= likelihood <= 1 for likelihood in likelihoods)
            continue
        if unknown == "unk":
            likelihoods.append(view.likelihood("yeti", label))
        assert sum(likelihoods) == 1


@given(documents, queries, views, rare)
def test_the_score_is_the_logarithm_of_the_exact_product(pairs, query, settings, min_count):
    view = view_of(model_of(pairs), settings, min_count)
    explanation = view.explain(query)
    for label, joint in explanation.joint.items():
        score = explanation.verdict.log_scores[label]
        assert score == (-math.inf if joint == 0 else pytest.approx(math.log(joint), rel=1e-12, abs=1e-12))
    if explanation.posterior is not None:
        for label, posterior in explanation.posterior.items():
            assert explanation.verdict.probabilities[label] == pytest.approx(float(posterior), rel=1e-11, abs=1e-300)


@given(documents, queries, views, rare)
def test_the_exact_product_is_the_definition(pairs, query, settings, min_count):
    """The joint against a plain reading of the textbook: prior times likelihoods, term by term."""
    model = model_of(pairs)
    view = view_of(model, settings, min_count)
    joint = view.explain(query).joint
    for label in model.labels:
        assert joint[label] == _joint_by_definition(model, view, query, label)


def _joint_by_definition(model: lk.Model, view: lk.View, query: str, label: str) -> Fraction:
    settings, vocabulary = view.settings, vocabulary_of(model, view)
    times = Counter(query.split())
    known = {term: n for term, n in times.items() if term in vocabulary}
    unknown = {term: n for term, n in times.items() if term not in vocabulary}
    product = Fraction(model.counts.documents_per_label[label], sum(model.counts.documents_per_label.values()))
    once = settings.event in ("binary", "bernoulli")
    power = -1 if settings.event == "complement" else 1
    if settings.unknown == "zero" and unknown:
        return Fraction(0)
    grown = len(unknown) if settings.unknown == "grow" else 0
    column = model.labels.index(label)
    for term, n in known.items():
        product *= view.estimator.exact.likelihood(term, column, grown) ** (power * (1 if once else n))
    if settings.event == "bernoulli":
        for term in vocabulary:
            product *= 1 if term in known else 1 - view.likelihood(term, label)
    if settings.unknown == "ignore":
        return product
    unseen = view.estimator.exact.likelihood(None, column, grown)
    if settings.event == "bernoulli" and settings.unknown == "unk":
        return product * (unseen if unknown else 1 - unseen)
    if unknown and unseen == 0:
        return Fraction(0)
    return product * unseen ** (power * (len(unknown) if once else sum(unknown.values())))


@given(documents, st.lists(queries, max_size=6), views, rare)
def test_a_batch_gives_the_same_numbers_as_one_by_one(pairs, some_queries, settings, min_count):
    model = model_of(pairs)
    view = view_of(model, settings, min_count)
    batch = view_of(model, settings, min_count).classify_many(some_queries)
    assert list(batch) == [view.classify(query) for query in some_queries]
    assert batch.labels == [verdict.label for verdict in batch]


@given(documents, queries, views, rare)
def test_explanations_add_up_to_the_score(pairs, query, settings, min_count):
    explanation = view_of(model_of(pairs), settings, min_count).explain(query)
    assert explanation.sums == explanation.verdict.log_scores


@given(documents, queries, views)
def test_no_number_is_ever_nan(pairs, query, settings):
    verdict = view_of(model_of(pairs), settings).classify(query)
    numbers = [
        verdict.probability,
        verdict.unknown_share,
        *verdict.probabilities.values(),
        *verdict.log_scores.values(),
    ]
    assert not any(math.isnan(number) for number in numbers)
    total = sum(verdict.probabilities.values())
    assert total == pytest.approx(1, abs=1e-12) if any(map(math.isfinite, verdict.log_scores.values())) else total == 0


@given(documents, st.randoms(use_true_random=False), texts, views)
def test_the_order_of_training_documents_does_not_change_a_single_bit(pairs, shuffler, query, settings):
    shuffled = list(pairs)
    shuffler.shuffle(shuffled)
    assert view_of(model_of(shuffled), settings).classify(query) == view_of(model_of(pairs), settings).classify(query)


@pytest.mark.parametrize("settings", every_view, ids=str)
def test_every_view_answers_a_plain_question(settings):
    model = model_of([("goat goat wolf", "ham"), ("wolf seven", "spam"), ("seven dwarf goat", "ham")])
    assert model.view(**settings).classify("goat wolf").label in {"ham", "spam", None}


def test_dirichlet_smoothing_is_an_m_estimate_of_the_background():
    model = model_of([("goat goat wolf", "ham"), ("wolf seven", "spam")])
    view = model.view(smoothing=lk.MEstimate(5, p="background"))
    # goat is 2 of 5 tokens of the corpus
    assert view.likelihood("goat", "spam") == (0 + 5 * Fraction(2, 5)) / (2 + 5)


def test_an_m_estimate_takes_given_probabilities():
    model = model_of([("goat goat wolf", "ham"), ("wolf", "spam")])
    view = model.view(smoothing=lk.MEstimate(2, p={"goat": 0.25, "wolf": 0.75}))
    assert view.likelihood("goat", "spam") == (0 + 2 * Fraction(1, 4)) / (1 + 2)
    assert view.classify("goat").log_scores["spam"] == pytest.approx(math.log(1 / 2 * 1 / 6))


def test_jelinek_mercer_mixes_label_and_corpus():
    view = model_of([("goat goat wolf", "ham"), ("wolf", "spam")]).view(smoothing=lk.JelinekMercer(0.75))
    assert view.likelihood("goat", "ham") == Fraction(3, 4) * Fraction(2, 3) + Fraction(1, 4) * Fraction(2, 4)


def test_absolute_discounting_moves_the_discount_to_the_corpus_shares():
    view = model_of([("goat goat wolf", "ham"), ("wolf", "spam")]).view(smoothing=lk.AbsoluteDiscounting(0.5))
    # two different terms under ham gave up one half each; goat is 2 of 4 tokens of the corpus
    assert view.likelihood("goat", "ham") == ((2 - Fraction(1, 2)) + Fraction(1, 2) * 2 * Fraction(2, 4)) / 3


def test_a_view_trains_nothing_and_leaves_the_counts_alone():
    model = model_of([("goat goat wolf", "ham"), ("wolf", "spam")])
    before, version = model.counts.digest(), model.counts.sizes.version
    for settings in every_view:
        model.view(**settings).classify("goat yeti")
    assert (model.counts.digest(), model.counts.sizes.version) == (before, version)


def test_log_ratios_leave_out_what_neither_label_can_have():
    model = model_of([("goat wolf", "ham"), ("wolf", "spam"), ("seven", "news")])
    ratios = model.view(alpha=0).log_ratios("ham", "spam")
    assert ratios == {"goat": math.inf, "wolf": pytest.approx(math.log(1 / 2))}


def test_top_terms_are_those_that_the_label_has_more_of():
    model = model_of([("goat goat goat the the", "ham"), ("wolf wolf the the", "spam"), ("seven the", "spam")])
    assert [found.term for found in model.view().top_terms("ham")] == ["goat"]
    assert [found.term for found in model.view().top_terms("spam", 1)] == ["wolf"]
    assert model.view().top_terms("ham")[0].times == 3


def test_terms_that_tell_equally_much_stand_in_order_of_their_names():
    one = lk.train([("pear apple fig", "fruit"), ("iron tin", "metal")])
    two = lk.train([("tin iron", "metal"), ("fig pear apple", "fruit")])
    assert [term.term for term in one.view().top_terms("fruit", 2)] == ["apple", "fig"]
    assert one.view().top_terms("fruit") == two.view().top_terms("fruit")
    assert list(one.view().log_ratios("fruit", "metal")) == ["apple", "fig", "pear", "iron", "tin"]
    assert list(one.view().log_ratios("fruit", "metal")) == list(two.view().log_ratios("fruit", "metal"))


def test_the_stored_view_answers_and_is_changed_one_setting_at_a_time():
    model = lk.train([("goat goat wolf", "ham"), ("wolf seven", "spam")])
    model.set_view(unknown="smooth")
    model.set_view(alpha=0.5)
    model.set_view(event="binary")
    expected = model.textbook(unknown="smooth", alpha=0.5, event="binary")
    assert model.settings == expected.settings == model.view().settings
    assert model.classify("goat yeti") == expected.classify("goat yeti")
    assert model.copy().settings == model.settings
    with pytest.raises(lk.SettingError, match="not both"):
        model.set_view(alpha=1, smoothing=lk.MEstimate())
    with pytest.raises(lk.SettingError, match="got 'eggs'"):
        model.set_view(decide=lk.Thresholds({"eggs": 0.5}))
    assert model.settings == expected.settings


@pytest.mark.parametrize(
    "decide",
    [
        lk.MostProbable(),
        lk.Thresholds({"spam": 0.8}, otherwise="ham"),
        lk.Thresholds({"*": 0.7}),
        lk.LeastCost({"spam": {"ham": 10}, "ham": {"spam": 1}, None: {"ham": 0.2, "spam": 0.2}}),
    ],
)
@pytest.mark.parametrize("settings", [{}, {"without_evidence": "none"}, {"alpha": 0}])
def test_probabilities_and_reasons_of_many_are_those_of_each(decide, settings):
    model = lk.train([("goat wolf", "ham"), ("wolf seven", "spam"), ("wolf", "ham"), ("wolf", "spam")])
    texts = ["goat", "seven", "wolf", "goat seven", "yeti", "", "goat goat wolf"] * 2
    verdicts = model.view(decide=decide, **settings).classify_many(texts)
    assert verdicts.probability.tolist() == [verdict.probability for verdict in verdicts]
    assert verdicts.reasons == [verdict.reason for verdict in verdicts]
    simply = [verdict.label == max(verdict.probabilities, key=verdict.probabilities.get) for verdict in verdicts]
    assert all(right or reason for right, reason in zip(simply, verdicts.reasons, strict=True))
    assert any(reason is None for reason in verdicts.reasons)


def test_a_term_that_every_document_has_cannot_be_absent_whatever_is_rounded():
    texts, labels, weights = ["goat"] * 3, ["ham", "ham", "spam"], [1, 1.000001, 1.000001]
    model = lk.train(texts=texts, labels=labels, weights=weights, view="textbook")
    view = model.view(event="bernoulli", smoothing=lk.MEstimate(m=5, p="background"), unknown="ignore")
    verdicts = view.classify_many(["goat", "yeti"])
    assert np.isfinite(verdicts.log_scores[0]).all()
    assert np.isneginf(verdicts.log_scores[1]).all()

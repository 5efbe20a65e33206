"""Views that weigh terms, choose n-grams and leave words out, against their definition in plain Python."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import EVENTS, SMOOTHINGS
from likelier._documents.kinds import Text
from likelier._documents.schema import plain
from likelier._explain.sentences import weightings
from reference.views import UNK
from weighed import EXTRA, WEIGHTINGS, Case, cases, model_of

queries = st.lists(
    st.sampled_from(["goat", "wolf", "seven", "молоко", "goat wolf goat", "yeti", "лешему", "a"]), max_size=7
).map(" ".join)
MANY = settings(max_examples=300, deadline=None)


# ---- equal to the definition -------------------------------------------------------------------------------------


@given(cases())
@MANY
def test_vocabulary_and_likelihoods_are_those_of_the_definition(case: Case) -> None:
    view, expected = case.view, case.definition
    assert {term for term in case.model.counts.vocabulary if view.estimator.knows(term)} == expected.vocabulary
    assert {term for term in case.model.counts.vocabulary if view.estimator.reading.skips(term)} == expected.skipped
    assert view.vocabulary_size == len(expected.outcomes)
    assert view.labels == tuple(expected.labels)
    grown = int(case.settings["unknown"] == "grow")
    asked = [(term, term, 0) for term in sorted(expected.vocabulary)[:4]]
    asked += [] if case.settings["unknown"] in ("ignore", "zero") else [("yeti", UNK, grown)]
    for term, defined, more in asked:
        for label in view.labels:
            likelihood = expected.likelihood(defined, label, more)
            # The logarithms of NumPy and of Python differ in the last bit.
            close = pytest.approx(float(likelihood), rel=1e-13) if case.settings["idf"] else likelihood
            assert view.likelihood(term, label) == close


@given(cases(), queries)
@MANY
def test_scores_are_those_of_the_definition(case: Case, query: str) -> None:
    scores, known, unknown = case.definition.scores(case.terms(query))
    verdict = case.view.classify(query)
    for label, score in scores.items():
        assert verdict.log_scores[label] == pytest.approx(score, rel=1e-11, abs=1e-11)
    assert verdict.unknown_share == pytest.approx(unknown / max(known + unknown, 1))


def test_a_norm_that_is_infinite_leaves_a_text_without_terms_alone() -> None:
    view = lk.train([("", "ham")]).view(
        event="complement", smoothing=lk.MEstimate(5, p="background"), unknown="unk", normalize=True
    )
    assert view.classify("").log_scores == {"ham": 0.0}
    assert view.classify("goat").label is None


@given(cases(), st.lists(queries, max_size=12))
@MANY
def test_many_texts_get_the_same_bits_as_one_by_one(case: Case, some: list[str]) -> None:
    many = case.view.classify_many([*some, *[""] * 9])
    view = case.view
    few = [view.classify(query) for query in some[:7]]
    assert list(many)[: len(few)] == few


@given(cases(), queries)
@MANY
def test_explanations_add_up_to_the_score(case: Case, query: str) -> None:
    explanation = case.view.explain(query)
    assert explanation.sums == explanation.verdict.log_scores == case.view.classify(query).log_scores
    for item in explanation.items:
        if item.kind == "term" and not case.settings["normalize"]:
            sign = -1 if case.settings["event"] == "complement" else 1
            for label, factor in item.factors.items():
                power = sign * item.times * item.idf
                expected = power * math.log(factor.value) if power and factor.value else 0 if not power else -math.inf
                assert item.contributions[label] == pytest.approx(expected, rel=1e-10, abs=1e-12)


@given(cases(), queries)
@settings(max_examples=100, deadline=None)
def test_every_form_of_an_explanation_can_be_made(case: Case, query: str) -> None:
    explanation = case.view.explain(query)
    for form in (explanation.to_text(), explanation.to_html(), explanation.to_latex()):
        assert "nan" not in form
    plain_values = explanation.to_dict()
    assert plain_values["idf"] == case.settings["idf"]
    for line in weightings(explanation):
        assert " ".join(explanation.to_text(width=200, full=True).split()).count(line) == 1
        assert line in explanation.to_html(full=True)


@given(cases())
@settings(max_examples=100, deadline=None)
def test_likelihoods_sum_to_1(case: Case) -> None:
    view, expected = case.view, case.definition
    if case.settings["event"] == "bernoulli" or not expected.vocabulary or case.settings["unknown"] == "unk":
        return
    for label in view.labels:
        total = sum(view.likelihood(term, label) for term in expected.vocabulary)
        # Where nothing was counted, or all that was counted says nothing, there may be nothing to share out.
        assert total == 1 or (total == 0 and not any(expected.count(term, label) for term in expected.vocabulary))


@given(cases(), st.randoms(use_true_random=False), queries)
@settings(max_examples=100, deadline=None)
def test_the_order_of_documents_does_not_change_a_single_bit(case: Case, shuffler, query: str) -> None:
    shuffled = list(case.documents)
    shuffler.shuffle(shuffled)
    other = model_of(case.model.schema, shuffled).view(**case.settings)
    assert other.classify(query) == case.view.classify(query)
    assert other.top_terms(other.labels[0]) == case.view.top_terms(case.view.labels[0])
    loaded = lk.Model.from_bytes(case.model.to_bytes()).view(**case.settings)
    assert loaded.classify(query) == case.view.classify(query)


# ---- by hand -----------------------------------------------------------------------------------------------------

GOATS = [("goat goat wolf", "ham"), ("wolf seven", "spam"), ("wolf", "spam")]


def test_idf_multiplies_the_counts_and_the_questions() -> None:
    view = lk.train(GOATS).view(idf=True)
    goat, wolf, seven = math.log(4 / 2), math.log(4 / 4), math.log(4 / 2)
    ham, spam = 2 * goat + 1 * wolf, 1 * seven + 2 * wolf
    assert float(view.likelihood("goat", "ham")) == pytest.approx((2 * goat + 1) / (ham + 3))
    assert float(view.likelihood("wolf", "spam")) == pytest.approx((0 + 1) / (spam + 3))
    expected = math.log(1 / 3) + 2 * goat * math.log((2 * goat + 1) / (ham + 3))
    assert view.classify("goat wolf goat").log_scores["ham"] == pytest.approx(expected)


def test_a_term_that_every_document_has_says_nothing_under_idf() -> None:
    view = lk.train(GOATS).view(idf=True, alpha=0)
    assert view.classify("wolf wolf").log_scores == view.classify("").log_scores


def test_a_term_that_every_document_has_is_no_part_of_the_norm() -> None:
    view = lk.train(GOATS).view(event="complement", normalize=True, idf=True)
    logs = [-math.log(view.likelihood(term, "ham")) for term in ("goat", "seven")]
    expected = math.log(1 / 3) + math.log(2) * logs[0] / sum(logs)
    assert view.classify("goat wolf").log_scores["ham"] == pytest.approx(expected)


def test_an_unknown_term_has_the_idf_of_a_term_without_documents() -> None:
    view = lk.train(GOATS).view(idf=True, unknown="smooth")
    (unknown,) = [item for item in view.explain("yeti yeti").items if item.kind == "unknown"]
    assert (unknown.times, unknown.idf) == (2, pytest.approx(math.log(4)))
    weight = math.log(4) * math.log(1 / (2 * math.log(2) + 3))
    assert unknown.contributions["ham"] == pytest.approx(2 * weight)


def test_a_question_counts_ln_of_1_plus_n_and_is_not_divided_by_its_length() -> None:
    model = model_of(plain(lk.Analyzer(), weighting="log-length"), [(text, label, 1) for text, label in GOATS])
    (goat,) = [item for item in model.view(weighting="log-length").explain("goat goat").items if item.kind == "term"]
    assert goat.times == pytest.approx(math.log(3), abs=1e-5)


def test_once_is_the_binary_model() -> None:
    model = lk.train(GOATS)
    for query in ("goat goat wolf", "seven seven yeti"):
        assert model.view(weighting="once").classify(query) == model.view(event="binary").classify(query)


def test_a_word_that_is_left_out_is_neither_known_nor_unknown() -> None:
    view = lk.train(GOATS).view(stop_words=["wolf"], unknown="zero")
    assert view.vocabulary_size == 2
    assert view.classify("goat wolf wolf") == view.classify("goat")
    assert view.classify("wolf").reason == "no known term in this text: the prior alone decides"
    assert [item.name for item in view.explain("goat wolf").items] == ["prior", "goat"]
    assert view.explain("goat wolf").spans == [("goat", 0, 4)]


def test_a_word_that_is_left_out_and_was_never_counted_is_unknown() -> None:
    assert lk.train(GOATS).view(stop_words=["yeti"]).classify("goat yeti").unknown_share == 1 / 2


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("event", EVENTS)
def test_counts_without_a_word_are_those_of_documents_without_it(event: str, smoothing: object) -> None:
    without = lk.train([(text.replace("wolf", ""), label) for text, label in GOATS])
    view = lk.train(GOATS).view(event=event, smoothing=smoothing, stop_words=["wolf"])
    for query in ("goat seven", "yeti", "seven seven"):
        expected = without.view(event=event, smoothing=smoothing).classify(query)
        assert view.classify(query).log_scores == expected.log_scores


@pytest.mark.parametrize("ngrams", [1, 2, 3, (2, 2), (2, 3), (3, 3)])
def test_chosen_ngrams_are_those_of_a_model_that_has_only_them(ngrams: int | tuple[int, int]) -> None:
    documents = [("the old goat and the old wolf", "ham", 1), ("the wolf and the goat", "spam", 1), ("old", "ham", 1)]
    wide = model_of(plain(lk.Analyzer(), ngrams=3), documents)
    alone = model_of(plain(lk.Analyzer(ngrams=ngrams)), documents)
    for query in ("the old goat", "old wolf and the yeti", "yeti"):
        for unknown in ("ignore", "smooth", "grow"):
            asked, expected = wide.view(ngrams=ngrams, unknown=unknown), alone.view(unknown=unknown)
            assert asked.classify(query) == expected.classify(query)
            assert asked.vocabulary_size == expected.vocabulary_size


def test_more_ngrams_that_are_counted_change_nothing_unless_they_are_asked_for() -> None:
    triples = [(text, label, 1) for text, label in GOATS]
    for weighting in EXTRA:
        wide, own = (model_of(plain(lk.Analyzer(), ngrams=n, weighting=weighting), triples) for n in (3, None))
        views = [each.view(weighting=weighting, idf=True) for each in (wide, own)]
        assert views[0].classify("goat goat wolf") == views[1].classify("goat goat wolf")


def test_a_column_has_a_weighting_of_its_own() -> None:
    rows = [({"subject": "goat goat wolf", "body": "seven goat"}, "ham"), ({"subject": "wolf", "body": "goat"}, "spam")]
    model = lk.train(rows, text=["subject", "body"])
    view = model.view(columns={"subject": {"weighting": "once", "idf": True, "stop_words": ["wolf"]}})
    assert view.column("subject").estimator.weighting == "once"
    assert view.column("body").estimator.weighting == "count"
    assert "subject: weighting once with idf" in view.explain({"subject": "goat", "body": "goat"}).to_text(full=True)


def test_top_terms_say_how_often_and_are_ranked_by_what_the_view_counts() -> None:
    documents = [("goat goat goat the", "ham", 1), ("goat the the", "ham", 1), ("wolf the", "spam", 1)]
    model = model_of(plain(lk.Analyzer(), weighting="log"), documents)
    assert [tuple(found[::2]) for found in model.view(weighting="log").top_terms("ham", 1)] == [("goat", 4)]
    assert [tuple(found[::2]) for found in model.view(weighting="once").top_terms("ham", 1)] == [("goat", 2)]
    assert "the" not in [found.term for found in model.view(stop_words=["the"]).top_terms("ham")]
    assert "the" not in model.view(stop_words=["the"]).log_ratios("ham", "spam")


# ---- what is shown -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_weighed_counts_are_shown_as_decimals_and_said_in_a_line(weighting: str) -> None:
    kind = Text(lk.Analyzer(), None, weighting)
    model = model_of(plain(kind.analyzer, weighting=kind.weighting), [(text, label, 1) for text, label in GOATS])
    explanation = model.view(weighting=weighting, idf=True).explain("goat goat seven")
    shown = explanation.to_text(full=True)
    assert f"weighting {weighting} with idf: n times in a document count" in shown
    assert "32768" not in shown  # a denominator
    (goat,) = [item for item in explanation.items if item.name == "goat"]
    assert isinstance(goat.factors["ham"].value, Fraction)
    assert goat.factors["ham"].value == model.view(weighting=weighting, idf=True).likelihood("goat", "ham")


def test_decimals_are_fractions_in_latex() -> None:
    shown = lk.train(GOATS).view(idf=True, smoothing=lk.JelinekMercer(0.7)).explain("goat seven").to_latex()
    assert r"0.7 \cdot \frac{1.386}{1.386}" in shown
    assert "Weighting count with idf" in shown


def test_without_weighting_nothing_is_said() -> None:
    explanation = lk.train(GOATS).view(stop_words=["seven"]).explain("goat")
    assert weightings(explanation) == []
    assert "weighting" not in str(explanation)


# ---- refusals ----------------------------------------------------------------------------------------------------


def test_a_term_that_is_left_out_has_no_likelihood() -> None:
    with pytest.raises(lk.InputError, match="'wolf' is left out by this view") as caught:
        lk.train(GOATS).view(stop_words=["wolf"], unknown="smooth").likelihood("wolf", "ham")
    assert caught.value.code == "term-left-out"


@pytest.mark.parametrize("view", [{"idf": True}, {"weighting": "log"}])
def test_powers_that_are_not_whole_have_no_exact_product(view: dict) -> None:
    model = model_of(plain(lk.Analyzer(), weighting="log"), [(text, label, 1) for text, label in GOATS])
    with pytest.raises(lk.SettingError, match="powers that are not integers") as caught:
        _ = model.view(**view).explain("goat").joint
    assert caught.value.code == "weighted-not-exact"


def test_counts_divided_by_lengths_have_an_exact_product() -> None:
    documents = [(text, label, 1) for text, label in GOATS]
    view = model_of(plain(lk.Analyzer(), weighting="count-length"), documents).view(weighting="count-length")
    explanation = view.explain("goat goat")
    expected = Fraction(1, 3) * view.likelihood("goat", "ham") ** 2
    assert explanation.joint["ham"] == expected
    assert explanation.verdict.log_scores["ham"] == pytest.approx(math.log(expected), rel=1e-12)


@pytest.mark.parametrize("view", [{"idf": True}, {"weighting": "once"}])
def test_a_table_without_document_frequencies_has_no_idf(view: dict) -> None:
    counts = lk.Counts.from_table({"happy": {"pos": 2}, "sad": {"neg": 1}}, documents={"pos": 1, "neg": 1})
    with pytest.raises(lk.SettingError, match="needs in how many documents each term occurs"):
        counts.view(**view)


@pytest.mark.parametrize("view", [{"idf": True}, {"weighting": "log"}])
def test_absolute_discounting_needs_whole_counts(view: dict) -> None:
    model = model_of(plain(lk.Analyzer(), weighting="log"), [(text, label, 1) for text, label in GOATS])
    with pytest.raises(lk.SettingError, match="there are smaller ones"):
        model.view(smoothing=lk.AbsoluteDiscounting(0.5), **view)

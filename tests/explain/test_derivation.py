"""Derivations: in symbols, with numbers, and what comes out; the figures of the lectures to the last digit."""

from __future__ import annotations

import csv
import io
import json
import math
import pickle
import re
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from explain.examples import EXAMPLES, HOSTILE, china, explanations, many_labels, one_label
from explain.tables import TABLES, documents_explained, patients, weather_numbers
from explain.test_latex import check_balance
from likelier._explain.derivation import FORMS, Derivation, derivation
from likelier._explain.explanation import Explanation
from likelier._explain.normalization import log_sum

# Carsten Gips, "NB: Text-Klassifikation mit Naive Bayes"
GOATS = [
    ("sieben zwerg fressen sieben ziege", "OK"),
    ("sieben ziege treten sieben wolf", "SPAM"),
    ("sieben wolf fressen sieben bock", "OK"),
    ("sieben bock treten sieben zwerg", "OK"),
]
GOAT = "sieben zwerg fressen sieben wolf"

# The English lecture on naive Bayes for tweets
TWEETS = [
    ("I am happy because I love the weather", "pos"),
    ("I am happy", "pos"),
    ("I am sad because I hate the weather", "neg"),
    ("I am sad", "neg"),
]
TWEET = "I am happy because I love ice cream"


def goats(**options: Any) -> Derivation:
    view = {name: options.pop(name) for name in ("alpha", "event", "unknown") if name in options}
    return lk.train(GOATS).textbook(**view).derivation(options.pop("text", GOAT), **options)


def tweets(**options: Any) -> Derivation:
    return lk.train(TWEETS, analyzer=lk.Analyzer(lowercase=False)).textbook().derivation(TWEET, **options)


# ---- the lectures ------------------------------------------------------------------------------------------------


def test_a_product_is_derived_in_symbols_then_with_numbers_then_worked_out():
    assert str(goats()).splitlines() == [
        "d = (sieben, zwerg, fressen, sieben, wolf)",
        "",
        "P(OK|d) ∝ P(OK) · P(sieben|OK)² · P(zwerg|OK) · P(fressen|OK) · P(wolf|OK)",
        "        = 3/4 · ((6+1)/(15+7))² · (2+1)/(15+7) · (2+1)/(15+7) · (1+1)/(15+7)",
        "        = 3/4 · (7/22)² · 3/22 · 3/22 · 2/22",
        "        = 1323/10307264",
        "        ≈ 0.75 · 0.3182² · 0.1364 · 0.1364 · 0.09091",
        "        ≈ 0.0001284",
        "",
        "P(SPAM|d) ∝ P(SPAM) · P(sieben|SPAM)² · P(zwerg|SPAM) · P(fressen|SPAM)",
        "            · P(wolf|SPAM)",
        "          = 1/4 · ((2+1)/(5+7))² · (0+1)/(5+7) · (0+1)/(5+7) · (1+1)/(5+7)",
        "          = 1/4 · (3/12)² · 1/12 · 1/12 · 2/12",
        "          = 1/55296",
        "          ≈ 0.25 · 0.25² · 0.08333 · 0.08333 · 0.1667",
        "          ≈ 1.808·10⁻⁵",
        "",
        "P(OK|d) = (1323/10307264)/(1323/10307264 + 1/55296)",
        "        = 1143072/1304123 ≈ 0.8765",
        "P(SPAM|d) = (1/55296)/(1323/10307264 + 1/55296)",
        "          = 161051/1304123 ≈ 0.1235",
        "",
        "ĉ = argmax P(c|d) = OK",
    ]


@pytest.mark.parametrize(
    ("view", "label", "factors", "result"),
    [
        ({"alpha": 0}, "OK", "0.75 · 0.4² · 0.133 · 0.133 · 0.067", "0.00014221956"),
        ({"alpha": 0}, "SPAM", "0.25 · 0.4² · 0 · 0 · 0.2", "0"),
        ({}, "OK", "0.75 · 0.318² · 0.136 · 0.136 · 0.091", "0.0001276540836"),
        ({}, "SPAM", "0.25 · 0.25² · 0.083 · 0.083 · 0.167", "0.00001797598438"),
        (
            {"event": "bernoulli"},
            "OK",
            "0.75 · 0.8 · 0.6 · 0.6 · (1 - 0.4) · (1 - 0.4) · 0.4 · (1 - 0.6)",
            "0.0124416",
        ),
        (
            {"event": "bernoulli"},
            "SPAM",
            "0.25 · 0.667 · 0.333 · 0.333 · (1 - 0.667) · (1 - 0.667) · 0.667 · (1 - 0.333)",
            "0.0009122091926",
        ),
    ],
)
def test_rounded_factors_give_the_products_of_the_lecture_to_the_last_digit(view, label, factors, result):
    lines = goats(**view, rounded=3, labels=[label]).to_text(width=120).splitlines()
    assert any(line.strip() == f"≈ {factors}" for line in lines)
    assert any(line.strip() == f"= {result}" for line in lines)


def test_the_exact_result_stands_beside_the_rounded_one():
    assert "exactly = 1323/10307264 ≈ 0.0001284" in str(goats(rounded=3))


def test_a_label_without_rivals_has_probability_1_however_factors_are_rounded():
    assert "P(OK|d) = 0.00014221956/0.00014221956\n        = 1\nP(SPAM|d) = 0\n" in str(goats(alpha=0, rounded=3))
    assert "P(OK|d) = 0.0001422/0.0001422\n        = 1\nP(SPAM|d) = 0\n" in str(goats(alpha=0))


def test_the_whole_vocabulary_has_exponent_0_where_the_text_lacks_a_term():
    shown = goats(whole_vocabulary=True, alpha=0, rounded=3, labels=["OK"]).to_text(width=200)
    symbols = (
        "P(OK) · P(sieben|OK)² · P(zwerg|OK) · P(fressen|OK) · P(ziege|OK)⁰ · P(treten|OK)⁰ · P(wolf|OK) · P(bock|OK)⁰"
    )
    assert symbols in shown
    assert "≈ 0.75 · 0.4² · 0.133 · 0.133 · 1 · 1 · 0.067 · 1" in shown
    assert "= 0.00014221956" in shown


def test_bernoulli_has_a_factor_for_each_absent_term_in_the_order_of_the_vocabulary():
    shown = goats(event="bernoulli", labels=["OK"]).to_text(width=200)
    assert (
        "P(OK) · P(sieben=1|OK) · P(zwerg=1|OK) · P(fressen=1|OK) · P(ziege=0|OK) · P(treten=0|OK) · P(wolf=1|OK)"
        " · P(bock=0|OK)"
    ) in shown
    assert "(3+1)/(3+2)" in shown
    assert "(1 - (1+1)/(3+2))" in shown
    assert "= 3/4 · 4/5 · 3/5 · 3/5 · (1 - 2/5) · (1 - 2/5) · 2/5 · (1 - 3/5)" in shown
    assert "= 972/78125 = 0.0124416" in shown


def test_counts_are_written_out_over_the_documents():
    shown = goats(expanded=GOATS).to_text(width=200)
    assert "((2+2+2+1)/(2+2+2+1+1+1+1+1+1+1+1+1+7))²" in shown
    assert "((2+1)/(2+1+1+1+7))²" in shown
    assert "(7/22)²" in shown
    assert "(1+1+1+1)/(1+1+1+2)" in goats(expanded=GOATS, event="bernoulli").to_text(width=200)
    # the complement of OK is SPAM
    assert "1/((2+1)/(2+1+1+1+7))²" in goats(expanded=GOATS, event="complement").to_text(width=200)


def test_counts_are_written_out_under_other_smoothings():
    view = lk.train(GOATS).textbook(smoothing=lk.JelinekMercer(0.7))
    assert "0.7·(2+2+2)/(2+2+2+1+1+1+1+1+1+1+1+1)+0.3·" in view.derivation(GOAT, expanded=GOATS).to_text(width=300)
    view = lk.train(GOATS).textbook(smoothing=lk.AbsoluteDiscounting(0.5))
    assert "((2+2+2-0.5)+0.5·" in view.derivation(GOAT, expanded=GOATS).to_text(width=400)


def test_other_documents_than_those_that_were_counted_are_refused():
    with pytest.raises(lk.InputError, match="must be those that were counted"):
        goats(expanded=GOATS[:3])
    with pytest.raises(lk.InputError, match="must be those that were counted"):
        goats(expanded=[("other words", label) for _, label in GOATS])


@pytest.mark.parametrize(
    ("unknown", "said", "factor"),
    [
        ("ignore", "lecker is not in the vocabulary and is ignored.", None),
        ("zero", "lecker is not in the vocabulary: P(lecker|c) = 0 for every label.", "P(lecker|OK)"),
        ("unk", "lecker is not in the vocabulary: P(lecker|c) → P(UNK|c).", "P(UNK|OK)"),
        ("grow", "lecker is not in the vocabulary: |V| grows by 1.", "P(lecker|OK)"),
        ("smooth", "lecker is not in the vocabulary: smoothing gives it a probability.", "P(lecker|OK)"),
    ],
)
def test_an_unknown_term_is_shown_where_it_enters(unknown, said, factor):
    shown = goats(text=f"{GOAT} lecker", unknown=unknown).to_text(width=200)
    assert "d = (sieben, zwerg, fressen, sieben, wolf, lecker)" in shown
    assert said in shown
    assert (factor or "P(wolf|OK)\n") in shown


def test_the_unk_term_has_the_fractions_of_the_lecture():
    shown = goats(text=f"{GOAT} lecker", unknown="unk", labels=["OK", "SPAM"]).to_text(width=200)
    assert "= 3/4 · (7/23)² · 3/23 · 3/23 · 2/23 · 1/23" in shown
    assert "= 1/4 · (3/13)² · 1/13 · 1/13 · 2/13 · 1/13" in shown


def test_where_an_unknown_term_makes_every_label_impossible_the_derivation_says_so():
    shown = str(goats(text=f"{GOAT} lecker", unknown="zero"))
    assert "= 0\n" in shown
    assert "Every label has probability 0, so that P(c|d) is not defined." in shown
    assert shown.endswith("No label is chosen.")


# The Russian article: three documents, 8 different words, 3 and 6 words by label
SPAM = [
    ("предоставляю услуги бухгалтера", "SPAM"),
    ("спешите купить виагру", "SPAM"),
    ("надо купить молоко", "HAM"),
]


def test_the_logarithms_of_the_article_come_out():
    view = lk.train(SPAM).textbook(unknown="smooth")
    shown = view.derivation("надо купить сигареты", form="logs", labels=["SPAM", "HAM"]).to_text(width=200)
    assert "q(SPAM) = log P(SPAM) + log P(надо|SPAM) + log P(купить|SPAM) + log P(сигареты|SPAM)" in shown
    assert "= log(2/3) + log(1/14) + log(2/14) + log(1/14)" in shown
    assert "= log(1/3) + log(2/11) + log(2/11) + log(1/11)" in shown
    assert "≈ -7.629\n" in shown
    assert "≈ -1.099 - 1.705 - 1.705 - 2.398\n       ≈ -6.906\n" in shown  # these add up to -6.907
    assert "P(SPAM|d) = e^(-7.629)/(e^(-7.629) + e^(-6.906))\n          = 1/(1 + e^0.723)\n          ≈ 0.327" in shown
    assert "≈ 0.673" in shown
    assert shown.endswith("ĉ = argmax P(c|d) = HAM")


def test_ratios_are_listed_by_occurrence_in_the_order_of_the_text():
    assert str(tweets(form="ratios")).splitlines() == [
        "d = (I, am, happy, because, I, love, ice, cream)",
        "",
        "ice and cream are not in the vocabulary and are ignored.",
        "",
        "P(pos)/P(neg) = 0.5/0.5 = 1",
        "P(I|pos)/P(I|neg) = 0.2/0.2 = 1",
        "P(am|pos)/P(am|neg) = 0.15/0.15 = 1",
        "P(happy|pos)/P(happy|neg) = 0.15/0.05 = 3",
        "P(because|pos)/P(because|neg) = 0.1/0.1 = 1",
        "P(I|pos)/P(I|neg) = 0.2/0.2 = 1",
        "P(love|pos)/P(love|neg) = 0.1/0.05 = 2",
        "",
        "P(pos|d)/P(neg|d) = 1 · 1 · 1 · 3 · 1 · 1 · 2",
        "                  = 6",
        "",
        "6 > 1: pos is more probable than neg.",
        "",
        "P(pos|d) = 6/(1 + 6)",
        "         ≈ 0.8571",
        "P(neg|d) = 1/(1 + 6)",
        "         ≈ 0.1429",
        "",
        "ĉ = argmax P(c|d) = pos",
    ]


def test_log_odds_add_up_as_in_the_lecture():
    shown = str(tweets(form="odds", rounded=4))
    assert "log(P(happy|pos)/P(happy|neg)) = log(0.15/0.05) = log 3 ≈ 1.0986" in shown
    assert "log(P(love|pos)/P(love|neg)) = log(0.1/0.05) = log 2 ≈ 0.6931" in shown
    assert "≈ 0 + 0 + 0 + 1.0986 + 0 + 0 + 0.6931" in shown
    assert "= 1.7917" in shown
    assert "1.7917 > 0: pos is more probable than neg." in shown
    assert "≈ 1.7918" in str(tweets(form="odds"))  # log 6; the rounded numbers add up to 1.7917


def test_what_is_rounded_is_about_equal():
    shown = str(lk.train(TWEETS).textbook().derivation("sad hate", form="ratios", labels=["pos", "neg"]))
    assert "P(sad|pos)/P(sad|neg) = 0.05/0.15 ≈ 0.3333" in shown
    assert "P(hate|pos)/P(hate|neg) = 0.05/0.1 = 0.5" in shown
    exact = "P(pos|d)/P(neg|d) = 1/6\n"
    assert f"{exact}                  ≈ 1 · 0.3333 · 0.5\n                  ≈ 0.1667\n" in shown


def test_the_labels_of_a_comparison_can_be_turned_around():
    shown = str(tweets(form="odds", rounded=4, labels=["neg", "pos"]))
    assert "-1.7917 < 0: pos is more probable than neg." in shown


def test_the_product_of_the_film_reviews():
    reviews = [
        ("just plain boring", "-"),
        ("entirely predictable and lacks energy", "-"),
        ("no surprises and very few laughs", "-"),
        ("very powerful", "+"),
        ("the most fun film of the summer", "+"),
    ]
    shown = lk.train(reviews).textbook().derivation("predictable with no fun").to_text(width=200)
    assert "with is not in the vocabulary and is ignored." in shown
    assert "P(-|d) ∝ P(-) · P(predictable|-) · P(no|-) · P(fun|-)" in shown
    assert "= 3/5 · (1+1)/(14+20) · (1+1)/(14+20) · (0+1)/(14+20)" in shown
    assert "= 2/5 · (0+1)/(9+20) · (0+1)/(9+20) · (1+1)/(9+20)" in shown
    assert "≈ 6.106·10⁻⁵" in shown  # 6.1 · 10⁻⁵ in the notes
    assert "≈ 3.280·10⁻⁵" in shown  # 3.2 · 10⁻⁵, which cuts off what this rounds


def test_the_patients_of_the_lecture():
    shown = derivation(patients(m=0), rounded=3).to_text(width=200)
    assert (
        "P(krank) · P(Nase läuft=0|krank) · P(Husten=1|krank) · P(Gerötete Haut=0|krank) · P(Fieber=1|krank)" in shown
    )
    assert "= 3/5 · 1/3 · 2/3 · 1/3 · 1/3" in shown
    assert "≈ 0.6 · 0.333 · 0.667 · 0.333 · 0.333" in shown
    assert "exactly = 2/135 ≈ 0.01481" in shown  # 0.015
    assert "= 2/5 · 1/2 · 0/2 · 2/2 · 0/2" in shown


# ---- columns -----------------------------------------------------------------------------------------------------


def test_a_density_is_named_then_written_out_then_worked_out():
    shown = derivation(weather_numbers(), labels=["yes"]).to_text(width=200)
    assert "p(temperature=66|yes)" in shown
    assert "≈ 9/14 · 2/9 · N(66; 73, 33.8) · N(90; 79.11, 92.8) · 3/9" in shown
    assert "1/√(2π · 33.8) · e^(-(66-73)²/(2 · 33.8))" in shown
    assert "≈ 0.6429 · 0.2222 · 0.03323 · 0.02186 · 0.3333" in shown


def test_the_complement_divides():
    shown = derivation(china(event="complement")).to_text(width=200)
    assert "P(china) · 1/P(chinese|not china)³" in shown
    assert "3/4 · 1/((1+1)/(3+6))³" in shown


# ---- labels and lengths ------------------------------------------------------------------------------------------


def test_labels_are_worked_out_in_the_order_that_is_asked_for():
    shown = str(goats(labels=["SPAM", "OK"]))
    assert shown.index("P(SPAM|d) ∝") < shown.index("P(OK|d) ∝")
    assert "P(OK|d)" not in str(goats(labels=["SPAM"]))
    assert "1 more label is not shown." in str(goats(labels=["SPAM"]))


def test_of_many_labels_six_are_worked_out_and_the_rest_is_counted():
    shown = derivation(many_labels())
    assert len(shown.labels) == 6
    assert "44 more labels are not shown." in str(shown)


@pytest.mark.parametrize("form", FORMS)
def test_a_long_text_is_cut_and_says_so(form):
    words = " ".join(text for text, _ in lk.demo.documents())
    model = lk.train(lk.demo.documents(), view="textbook")
    text = " ".join([*words.split()] * 5)
    shown = str(model.derivation(text, form=form))
    assert re.search(r"… \d+,\d{3} more\)", " ".join(shown.split()))
    assert re.search(r"… stands for \d,?\d* more terms and values, which matter less, together\.", shown)
    assert len(shown) < 30_000


def test_of_a_large_vocabulary_few_absent_terms_are_shown():
    model = lk.train(lk.demo.documents(), view="textbook")
    shown = str(model.view(event="bernoulli").derivation("where is my parcel", labels=["delivery"]))
    assert re.search(r"… stands for \d+ more terms that the text lacks, together\.", shown)
    assert shown.count("=0|delivery)") == 6
    whole = str(model.derivation("where is my parcel", whole_vocabulary=True, labels=["delivery"]))
    assert re.search(r"\d+ more terms of the vocabulary have exponent 0\.", whole)
    assert whole.count(")⁰") == 30


# ---- what is shown is what was computed --------------------------------------------------------------------------


def check_numbers(found: Derivation) -> None:
    """The factors multiply to the joint probability, their logarithms add up to the score, and so on."""
    explanation = found.explanation
    factors = found._factors
    try:
        joint: dict[Any, Fraction] | None = explanation.joint
    except lk.LikelierError:  # there is no exact product
        joint = None
    for label in found.labels:
        total = [each.contributions[label] for each in factors.all]
        score = explanation.naive_scores[label]
        assert (-math.inf in total) == (score == -math.inf)
        if score > -math.inf:
            assert math.fsum(total) == pytest.approx(score, rel=1e-9, abs=1e-9)
        exact = factors.exact(label)
        if exact is not None and joint is not None:
            assert exact == joint[label]


@settings(max_examples=60)
@given(explanations(), st.booleans())
def test_the_factors_of_a_text_multiply_to_its_joint_probability(explanation, whole):
    check_numbers(derivation(explanation, whole_vocabulary=whole))


@settings(max_examples=40)
@given(documents_explained())
def test_the_factors_of_a_document_with_columns_multiply_to_its_joint_probability(explanation):
    check_numbers(derivation(explanation))


@settings(max_examples=40)
@given(explanations())
def test_the_probabilities_that_are_shown_are_those_of_bayes_rule(explanation):
    found = derivation(explanation)
    scores = explanation.naive_scores
    total = log_sum(list(scores.values()))
    if total == -math.inf or explanation.calibration is not None:
        return
    lines = found.to_text(width=400)
    for label in found.labels:
        if scores[label] > -math.inf and math.exp(scores[label] - total) > 0.0001:
            shown = re.findall(rf"^P\({re.escape(str(label))}\|d\) = .*\n(?:  .*\n)*? +≈ (0\.\d+|1\.0+)$", lines, re.M)
            if shown:
                assert float(shown[-1]) == pytest.approx(math.exp(scores[label] - total), abs=1e-4)


# ---- forms -------------------------------------------------------------------------------------------------------


def options() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "form": st.sampled_from(FORMS),
            "rounded": st.none() | st.integers(1, 6),
            "whole_vocabulary": st.booleans(),
        }
    )


def check_forms(found: Derivation) -> None:
    """Every form is there, well-formed, and without a number that is none."""
    text = found.to_text(width=80)
    assert not re.search(r"\bnan\b|\binf\b", text)
    assert text == str(found)
    page = found.to_html()
    ElementTree.fromstring(re.sub(r"<style>.*?</style>", "", page, flags=re.S).replace("&#8289;", ""))
    check_balance(found.to_latex())
    markdown = found.to_markdown()
    assert markdown.count("$$") % 2 == 0
    assert not re.search("<(?!=)", re.sub(r"\$[^$]*\$", "", markdown).replace(r"\<", ""))
    rows = found.rows()
    assert len(list(csv.DictReader(io.StringIO(found.to_csv())))) == len(rows)
    json.dumps(found.to_dict(), allow_nan=False)
    assert {row["label"] for row in rows} == set(found.labels)


def derived(explanation: Explanation, **options: Any) -> Derivation | None:
    if options["form"] in ("ratios", "odds") and len(explanation.labels) < 2:
        with pytest.raises(lk.SettingError, match="compares two labels, got 1"):
            derivation(explanation, **options)
        return None
    return derivation(explanation, **options)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rounded", [None, 3])
@pytest.mark.parametrize("example", [*EXAMPLES, *TABLES])
def test_every_example_has_every_form(example, rounded, form):
    found = derived(example(), form=form, rounded=rounded, whole_vocabulary=rounded is not None)
    if found is not None:
        check_forms(found)


@settings(max_examples=100)
@given(explanations(), options())
def test_every_view_can_be_derived_in_every_form(explanation, options):
    found = derived(explanation, **options)
    if found is not None:
        check_forms(found)


@settings(max_examples=50)
@given(documents_explained(), options())
def test_every_document_with_columns_can_be_derived_in_every_form(explanation, options):
    found = derived(explanation, **options)
    if found is not None:
        check_forms(found)


def test_hostile_words_are_harmless_in_markdown_and_html():
    analyzer = lk.Analyzer(punctuation="keep", replace={"evil": HOSTILE})
    model = lk.train([("evil a", HOSTILE), ("b c", "tame")], analyzer=analyzer)
    found = model.textbook().derivation("evil b")
    assert "<script" not in found.to_html()
    assert "\x1b" not in str(found)
    formulas = re.findall(r"\\text\{[^{}]*\}", found.to_markdown())
    assert any("＜script＞" in each for each in formulas)
    assert not any(re.search(r"[$&#%_]|\\\\", each) for each in formulas)


def test_rows_have_exact_values():
    rows = goats(labels=["OK"]).rows()
    assert rows[1] == {
        "label": "OK",
        "factor": "P(sieben|OK)",
        "times": 2,
        "worked": "(6+1)/(15+7)",
        "value": Fraction(7, 22),
        "logarithm": 2 * math.log(7 / 22),
    } | {"logarithm": rows[1]["logarithm"]}
    assert rows[1]["logarithm"] == pytest.approx(2 * math.log(7 / 22))
    assert rows[-1]["value"] == Fraction(1323, 10307264)


def test_a_picture_goes_from_the_prior_to_the_verdict():
    picture = goats().to_svg()
    assert picture == lk.train(GOATS).textbook().explain(GOAT).to_svg()
    for word in ("sieben", "zwerg", "prior", "OK", "SPAM", "0.8765"):
        assert word in picture
    with pytest.raises(lk.SettingError, match="compares two labels"):
        one_label().to_svg()


def test_a_calibrated_model_shows_bayes_rule_and_then_the_calibration():
    model = lk.train(lk.demo.documents())
    shown = str(model.derivation(lk.demo.new_messages()[0]))
    assert "P_Bayes(" in shown
    assert "These probabilities are calibrated by discount, weight" in " ".join(shown.split())
    verdict = model.classify(lk.demo.new_messages()[0])
    assert f"P({verdict.label}|d) ≈ {verdict.probability:.4f}" in shown


def test_a_derivation_survives_pickling():
    found = goats(event="bernoulli")
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)


@pytest.mark.parametrize("event", ["multinomial", "bernoulli", "complement"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_derivation_stays_the_same_when_the_model_learns(event, whole):
    model = lk.train(GOATS, view={"event": event, "unknown": "unk"})
    shown = str(model.derivation(GOAT, whole_vocabulary=whole))
    again = model.derivation(GOAT, whole_vocabulary=whole)
    model.learn("sieben sieben ziege neu", "SPAM")
    assert str(again) == shown
    assert str(model.derivation(GOAT, whole_vocabulary=whole)) != shown


# ---- wrong options -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "sum"}, "must be one of product, logs, ratios, odds, got 'sum'"),
        ({"rounded": 0}, "must be a number of decimals from 1 to 15, got 0"),
        ({"rounded": 99}, "must be a number of decimals from 1 to 15, got 99"),
        ({"rounded": "3"}, "must be a number of decimals from 1 to 15, got '3'"),
        ({"labels": "OK"}, "must be a list of one label or more, got 'OK'"),
        ({"labels": ["ok"]}, "the labels here are 'OK', 'SPAM', got 'ok'"),
        ({"labels": ["OK"], "form": "ratios"}, "'ratios' compares two labels, got 1"),
        ({"labels": []}, "must be a list of one label or more"),
        ({"whole_vocabulary": 1}, "whole_vocabulary"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(lk.LikelierError, match=re.escape(message)):
        goats(**options)


def test_an_empty_model_is_refused():
    with pytest.raises(lk.LikelierError, match="has learned no document yet"):
        lk.Model().derivation("a")


def test_a_notebook_shows_the_picture_too() -> None:
    view = lk.train([("a a b", "x"), ("b c", "y")]).textbook()
    assert "<svg" in view.derivation("a")._repr_html_()
    assert "<svg" not in lk.train([("a", "x")]).textbook().derivation("a")._repr_html_()


def test_likeliers_own_words_can_be_other_words() -> None:
    german = {
        "is not in the vocabulary and is ignored.": "steht nicht im Vokabular und wird ignoriert.",
        "exactly": "genau",
        "factor": "Faktor",
        "From the prior to the verdict": "Vom Prior zur Entscheidung",
        "prior": "Vorwissen",
        "sum": "Summe",
        "probability": "Wahrscheinlichkeit",
        "a": "never",
    }
    found = lk.train([("a a b", "x"), ("b c", "y")]).textbook().derivation("a exactly", rounded=2).renamed(german)
    assert "exactly steht nicht im Vokabular und wird ignoriert." in str(found)
    assert "genau = " in str(found)
    assert "never" not in str(found)
    assert "Faktor" in found.rows()[0]
    drawn = found.to_svg()
    assert all(word in drawn for word in ("Vom Prior zur Entscheidung", "Vorwissen", "Summe", "Wahrscheinlichkeit"))
    assert "genau" in found.to_latex()


def test_what_is_infinite_or_zero_is_equal_and_not_about_equal() -> None:
    view = lk.train([("a a b", "x"), ("c d", "y")], view="textbook").textbook(alpha=0)
    odds = str(view.derivation("a c", form="odds"))
    assert "log 0 = -∞" in odds
    assert "= undefined" in odds
    assert "≈ undefined" not in odds
    logs = str(view.derivation("a c", form="logs", labels=["x"]))
    assert "\n     = -∞\n" in logs


@pytest.mark.parametrize("form", ["product", "logs"])
def test_a_fraction_that_is_too_long_is_about_its_decimal(form: str) -> None:
    view = lk.train([("a a b", "x"), ("c d", "y")], view="textbook").textbook(alpha=1e-30)
    shown = str(view.derivation("a", form=form, labels=["x"]))
    number = "1/2 · 0.6667" if form == "product" else "log(1/2) + log(0.6667)"
    assert f"≈ {number}" in shown.replace("log 0.6667", "log(0.6667)")


# ---- limits ------------------------------------------------------------------------------------------------------


def _letters(*labels: str, **options: Any) -> lk.View:
    """Each label has a letter of its own."""
    pairs = [(label, label) for label in labels]
    return lk.train(pairs, analyzer=lk.Analyzer(), view="textbook").textbook(**options)


@pytest.mark.parametrize(("times", "is_exact"), [(199, True), (200, False)])
def test_an_exact_product_has_at_most_200_factors(times: int, is_exact: bool) -> None:
    rows = _letters("a", "b").derivation("a " * times).rows()
    assert [row["value"] is not None for row in rows if row["factor"] == "product"] == [is_exact, is_exact]


@pytest.mark.parametrize(("text", "left"), [("w0", 11), ("w0 new", 10), ("b new other", 10)])
def test_the_rest_of_the_vocabulary_is_counted_with_unk(text: str, left: int) -> None:
    pairs = [(" ".join(f"w{place}" for place in range(40)), "x"), ("b", "y")]
    view = lk.train(pairs, view="textbook").textbook(unknown="unk")  # 41 terms and UNK, of which 30 are shown
    found = view.derivation(text, whole_vocabulary=True)
    assert f"{left} more terms of the vocabulary have exponent 0." in str(found)


def test_absent_terms_that_make_a_label_impossible_share_a_factor() -> None:
    pairs = [(" ".join(f"w{place}" for place in range(40)), "x"), ("b", "y")]
    shown = str(lk.train(pairs, view="textbook").textbook(event="bernoulli", alpha=0).derivation("b"))
    assert "P(x) · P(b=1|x) · …" in shown
    assert "nan" not in shown
    assert "… stands for 40 more terms that the text lacks, together." in shown


def test_a_divisor_that_is_rounded_to_0_is_infinite_and_the_exact_product_decides() -> None:
    pairs = [("a " * 3000 + "b", "x"), ("c", "y"), ("d " * 3000, "z")]
    shown = str(lk.train(pairs, view="textbook").textbook(event="complement").derivation("b c", rounded=2))
    assert "≈ 0.33 · 1/0 · 1/0\n       = ∞\nexactly = 36060025/6" in shown
    assert "P(y|d) = (6.010·10⁶)/(6.010·10⁶ + 1.505·10⁶ + 753003)\n       ≈ 0.73" in shown


def test_up_to_three_products_are_added_one_by_one() -> None:
    shown = str(_letters("a", "b", "c").derivation("a"))
    assert "P(a|d) = (1/6)/(1/6 + 1/12 + 1/12)\n       = 1/2 = 0.5" in shown
    assert "P(a|d) = 0.1/0.25" in str(_letters("a", "b", "c", "d").derivation("a"))
    logs = str(_letters("a", "b", "c").derivation("a", form="logs"))
    assert "P(a|d) = e^(-1.792)/(e^(-1.792) + e^(-2.485) + e^(-2.485))" in logs
    assert "P(a|d) = e^(-2.303)/Σ e^q(c')" in str(_letters("a", "b", "c", "d").derivation("a", form="logs"))


def test_a_label_whose_prior_is_0_stays_at_0_where_a_divisor_is_rounded_to_0() -> None:
    pairs = [("a " * 3000 + "b", "x"), ("c", "y"), ("d " * 3000, "z")]
    view = lk.train(pairs, view="textbook").textbook(event="complement", prior={"x": 0.5, "y": 0, "z": 0.5})
    assert "≈ 0 · 1/0 · 1/0\n       = 0\nexactly = 0" in str(view.derivation("b c", rounded=2, labels=["y"]))


def test_a_small_probability_is_a_power_of_ten_and_not_0() -> None:
    assert "\n       ≈ 6.259·10⁻⁹\n" in str(_letters_twenty("product"))
    assert "\n       ≈ 6.259·10⁻⁹\n" in str(_letters_twenty("logs"))


def _letters_twenty(form: str) -> Derivation:
    view = lk.train([("a a b", "x"), ("c d", "y")], view="textbook").textbook()
    return view.derivation("a " * 20, labels=["y"], form=form)


def test_small_weights_have_six_decimals() -> None:
    view = lk.train([("a a b", "x"), ("c d", "y")], view="textbook").textbook(event="complement", normalize=True)
    shown = str(view.derivation("a", form="logs", labels=["x"]))
    assert re.search(r"≈ -?\d\.\d{6}\n", shown)


def test_a_calibrated_probability_too_small_for_a_float_is_below_it() -> None:
    model = lk.train([("a a b", "x"), ("c d", "y")], view="textbook")
    view = model.textbook(calibration=lk.Temperature(1.5))
    assert "P(y|d) < 1·10⁻³⁰⁰" in str(view.derivation("a " * 2000))
    assert "P(y|d) = 0" in str(model.textbook(alpha=0, calibration=lk.Temperature(1.5)).derivation("a"))


def test_a_label_that_costs_decide_for_is_not_called_the_most_probable() -> None:
    model = lk.train([("a a b", "x"), ("c d", "y")], view="textbook")
    costs = lk.LeastCost({"x": {"y": 100}, "y": {"x": 1}})
    assert str(model.textbook(decide=costs).derivation("a")).endswith("\nĉ = y")
    assert str(model.textbook().derivation("a")).endswith("\nĉ = argmax P(c|d) = x")


@pytest.mark.parametrize(("words", "is_short"), [(13, True), (14, False)])
def test_a_result_is_a_fraction_while_that_can_be_read(words: int, is_short: bool) -> None:
    view = lk.train([("a " * 49, "x"), ("b " * 49, "y")], progress=False).textbook()
    shown = str(view.derivation("b " * words, labels=["x"]))
    assert (f"\n       = 1/{2 * 51**words}\n" in shown) == is_short


@pytest.mark.parametrize(("words", "is_short"), [(6, True), (7, False)])
def test_probabilities_are_worked_out_in_fractions_while_these_can_be_added(words: int, is_short: bool) -> None:
    view = lk.train([("a " * 49, "x"), ("b " * 49, "y")], progress=False).textbook()
    shown = str(view.derivation("b " * words, labels=["x"]))
    assert (f"P(x|d) = (1/{2 * 51**words})/(" in shown) == is_short

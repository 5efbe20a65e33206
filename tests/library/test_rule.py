"""Bayes' rule with names: the figures of the lectures, what follows from what, and every form."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import likelier as lk
from explain.examples import HOSTILE
from likelier._show.cells import clean
from typeset import compiled, slow_engines

TWEETS: dict[str, Any] = {"count_a": 35, "count_b": 5, "count_both": 4, "total": 100}
FORMS = [
    str,
    lk.Rule.to_text,
    lk.Rule.to_markdown,
    lk.Rule.to_html,
    lk.Rule.to_latex,
    lk.Rule.to_csv,
    lk.Rule.to_svg,
    lk.Rule._repr_html_,
]


def tweets() -> lk.Rule:
    return lk.rule(("positive", "amazing"), **TWEETS)


def lines(found: lk.Rule) -> list[str]:
    return found.to_text(width=200).splitlines()


# ---- the figures of the lectures ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "P(positive) = N(positive) / N = 35/100 = 0.35",
        "P(not positive) = 1 - P(positive) = 1 - 35/100 = 65/100 = 0.65",
        "P(amazing) = N(amazing) / N = 5/100 = 0.05",
        "P(positive and amazing) = N(positive and amazing) / N = 4/100 = 0.04",
        "P(positive|amazing) = P(positive and amazing) / P(amazing) = 4/100 / (5/100) = 4/5 = 0.8",
        "P(amazing|positive) = P(positive and amazing) / P(positive) = 4/100 / (35/100) = 4/35 ≈ 0.1143",
        "given amazing, positive is 2.29 times as probable as before",
    ],
)
def test_the_tweets_counted(line: str) -> None:
    assert line in lines(tweets())


def test_the_tweets_by_percentages() -> None:
    found = lk.rule(prior=0.4, likelihood=0.25, evidence=0.13)
    assert "P(A|B) = P(B|A) · P(A) / P(B) = 0.25 · 0.4 / 0.13 = 10/13 ≈ 0.7692" in lines(found)
    assert round(float(found), 4) == 0.7692


def test_arthrosis() -> None:
    found = lk.rule(("arthrosis", "stiff joint"), prior=0.0001, likelihood=0.8, evidence=0.1)
    symbols = "P(stiff joint|arthrosis) · P(arthrosis) / P(stiff joint)"
    assert f"P(arthrosis|stiff joint) = {symbols} = 0.8 · 0.0001 / 0.1 = 0.0008" in lines(found)
    assert float(found) == 0.0008


def test_the_rule_is_derived_from_the_two_conditional_probabilities() -> None:
    assert tweets().general.text(100).splitlines() == [
        "P(positive|amazing) = P(positive and amazing) / P(amazing)",
        "P(amazing|positive) = P(positive and amazing) / P(positive)",
        "P(positive and amazing) = P(amazing|positive) · P(positive)",
        "P(positive|amazing) = P(amazing|positive) · P(positive) / P(amazing)",
    ]


# ---- what follows from what --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "line"),
    [
        ({"joint": 0.04, "likelihood": 0.3}, "P(A) = P(A and B) / P(B|A) = 0.04 / 0.3 = 2/15 ≈ 0.1333"),
        ({"joint": 0.1, "prior": 0.4}, "P(B|A) = P(A and B) / P(A) = 0.1 / 0.4 = 0.25"),
        ({"joint": "4/100", "evidence": "5/100"}, "P(A|B) = P(A and B) / P(B) = 4/100 / (5/100) = 4/5 = 0.8"),
        ({"joint": "4%", "evidence": "5%"}, "P(A|B) = P(A and B) / P(B) = 0.04 / 0.05 = 0.8"),
        ({"count_both": 4, "count_b": 50}, "P(A|B) = N(A and B) / N(B) = 4/50 = 0.08"),
        ({"count_both": 4, "count_a": 35}, "P(B|A) = N(A and B) / N(A) ≈ 0.1143".replace(" ≈", " = 4/35 ≈")),
        (
            {"prior": 0.01, "likelihood": 0.9, "likelihood_otherwise": 0.05},
            "P(B) = P(A and B) + P(B and not A) = 0.009 + 0.0495 = 0.0585",
        ),
        (
            {"joint": 0.05, "evidence": 0.2, "likelihood_otherwise": 0.3},
            "P(not A) = P(B and not A) / P(B|not A) = 0.15 / 0.3 = 0.5",
        ),
        (
            {"prior": 0.5, "evidence": 0.2, "likelihood_otherwise": 0.3},
            "P(A and B) = P(B) - P(B and not A) = 0.2 - 0.15 = 0.05",
        ),
        ({"prior": Fraction(1, 3)}, "P(not A) = 1 - P(A) = 1 - 1/3 = 2/3 ≈ 0.6667"),
        ({"prior": 1, "likelihood": 1, "evidence": 1}, "P(A|B) = P(B|A) · P(A) / P(B) = 1 · 1 / 1 = 1"),
    ],
)
def test_whatever_follows_is_derived(numbers: dict[str, Any], line: str) -> None:
    assert line in lines(lk.rule(**numbers))


def test_what_does_not_follow_is_left_out() -> None:
    found = lk.rule(prior=0.3)
    known = {name: value for name, value in vars(found).items() if isinstance(value, Fraction)}
    assert known == {"prior": Fraction(3, 10), "prior_complement": Fraction(7, 10)}
    assert "P(A|B) does not follow from these numbers" in lines(found)
    with pytest.raises(lk.InputError, match=r"Bayes' rule needs prior, likelihood and evidence.*; got prior"):
        float(found)


def test_an_event_that_never_happens_has_no_conditional_probability() -> None:
    found = lk.rule(prior=0, evidence=0.5, joint=0)
    assert found.likelihood is None
    assert found.posterior == 0


probabilities = st.fractions(min_value=0, max_value=1, max_denominator=1000)
counts = st.integers(min_value=0, max_value=10**6)


@given(probabilities, probabilities, probabilities)
def test_the_identities_hold_exactly(prior: Fraction, likelihood: Fraction, otherwise: Fraction) -> None:
    assume(prior * likelihood or (1 - prior) * otherwise)
    found = lk.rule(prior=prior, likelihood=likelihood, likelihood_otherwise=otherwise)
    assert found.posterior is not None
    assert found.evidence is not None
    assert found.posterior * found.evidence == found.joint == likelihood * prior
    assert found.prior_complement == 1 - prior
    assert float(found) == lk.bayes_rule(prior=prior, likelihood=likelihood, likelihood_otherwise=otherwise)


@given(counts, counts, counts, counts)
def test_counts_and_probabilities_give_the_same(both: int, only_a: int, only_b: int, neither: int) -> None:
    a, b, total = both + only_a, both + only_b, both + only_a + only_b + neither
    assume(b)
    counted = lk.rule(count_a=a, count_b=b, count_both=both, total=total)
    parts = [Fraction(number, total) for number in (a, b, both)]
    given = lk.rule(prior=parts[0], evidence=parts[1], joint=parts[2])
    names = ("prior", "evidence", "joint", "likelihood", "posterior", "prior_complement", "evidence_complement")
    assert [getattr(counted, name) for name in names] == [getattr(given, name) for name in names]
    assert counted.posterior == Fraction(both, b)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_floats_are_never_contradicted_by_their_rounding(prior: float, likelihood: float, otherwise: float) -> None:
    evidence = prior * likelihood + (1 - prior) * otherwise
    assume(evidence > 1e-300)
    posterior = lk.bayes_rule(prior=prior, likelihood=likelihood, evidence=min(evidence, 1.0))
    assert posterior == pytest.approx(prior * likelihood / evidence, rel=1e-6, abs=1e-12)
    assert 0 <= posterior <= 1


# ---- errors ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"count_a": 35, "count_both": 36}, "`count_both` cannot be more than `count_a`, got 36 and 35"),
        ({"count_b": 5, "count_both": 6}, "`count_both` cannot be more than `count_b`, got 6 and 5"),
        ({"count_both": 6, "total": 5}, "`count_both` cannot be more than `total`, got 6 and 5"),
        (
            {"count_a": 60, "count_b": 60, "count_both": 10, "total": 100},
            r"`count_a` \+ `count_b` - `count_both` cannot be more than `total`, got 110 and 100",
        ),
        ({"count_a": -1}, "`count_a` must be an integer of 0 or more, got -1"),
        ({"count_a": True}, "`count_a` must be an integer of 0 or more, got True"),
        ({"total": 0}, "`total` must be an integer of 1 or more, got 0"),
        ({"count_a": 1, "prior": 0.5}, "give probabilities or counts, not both; got prior, count_a"),
        ({"count_b": 0, "count_both": 0, "total": 10}, r"P\(B\) must be more than 0, got 0"),
        ({"prior": 0.5, "evidence": 0}, r"P\(B\) must be more than 0, got 0"),
        ({"joint": 0.3, "evidence": 0.2}, r"P\(A and B\) cannot be more than P\(B\), got 0.3 and 0.2"),
        ({"joint": 0.3, "prior": 0.2}, r"P\(A and B\) cannot be more than P\(A\), got 0.3 and 0.2"),
        ({"joint": 0.3, "likelihood": 0}, r"P\(A and B\) cannot be more than P\(B\|A\), got 0.3 and 0"),
        (
            {"joint": 0.3, "prior": 0.5, "likelihood": 0.5},
            r"contradict each other: P\(A and B\) = P\(B\|A\) · P\(A\) gives 0.25, not 0.3",
        ),
        (
            {"prior": 0.5, "likelihood": 0.5, "likelihood_otherwise": 0.1, "evidence": 0.4},
            r"P\(B\) = P\(A and B\) \+ P\(B and not A\) gives 0.3, not 0.4",
        ),
        (
            {"prior": 0.5, "evidence": 0.1, "likelihood_otherwise": 0.4},
            r"P\(A and B\) = P\(B\) - P\(B and not A\) gives -0.1, not a probability from 0 to 1",
        ),
        ({"prior": 0.9, "evidence": 0.9, "joint": 0.5}, "the probability of A or B and cannot be more than 1, got 1.3"),
        ({"prior": "x"}, "`prior` is not a probability such as 0.8, 4/5 or 80%, got 'x'"),
        ({"prior": "1/0"}, "`prior` is not a probability"),
        ({"prior": "-1/2"}, "`prior` is not a probability"),
        ({"prior": "nan"}, "`prior` is not a probability"),
        ({"prior": "120%"}, "`prior` must be a probability from 0 to 1, got 120%"),
        ({"prior": float("nan")}, "`prior` must be a probability from 0 to 1, got nan"),
        ({"names": ("a",)}, "`names` must be two different names"),
        ({"names": "ab"}, "`names` must be two different names"),
        ({"names": ("a", " \n")}, "`names` must be two different names"),
        ({"names": ("a", 3)}, "`names` must be two different names"),
    ],
)
def test_numbers_that_cannot_be_are_refused(numbers: dict[str, Any], message: str) -> None:
    with pytest.raises(lk.InputError, match=message):
        lk.rule(**numbers if "names" not in numbers else {**numbers, "prior": 0.5})


# ---- forms -------------------------------------------------------------------------------------------------------


def test_rows_have_exact_results_and_csv_has_them_in_full() -> None:
    assert tweets().rows()[-2] == {
        "probability": "P(amazing|positive)",
        "formula": "P(positive and amazing) / P(positive)",
        "numbers": "4/100 / (35/100) = 4/35",
        "result": Fraction(4, 35),
    }
    last = list(csv.DictReader(io.StringIO(tweets().to_csv())))[-2]
    assert float(last["result"]) == 4 / 35


def test_latex_has_bars_and_opposite_events() -> None:
    source = tweets().to_latex()
    assert r"P(\text{positive} \mid \text{amazing}) &= \frac{P(\text{positive} \cap \text{amazing})}" in source
    assert r"P(\overline{\text{positive}}) &= 1 - P(\text{positive}) = 1 - \frac{35}{100} = \frac{65}{100}" in source
    assert r"\frac{4}{35} \approx 0.1143" in source


def test_the_page_has_formulas_and_the_picture() -> None:
    page = tweets()._repr_html_()
    assert page.count("<math") == 2
    assert "<mfrac><mrow><mn>4</mn></mrow><mrow><mn>35</mn></mrow></mfrac>" in page
    assert "<svg" in page
    assert "<svg" not in lk.rule(prior=0.3)._repr_html_()


def test_the_picture_has_the_counts() -> None:
    shown = tweets().to_svg()
    assert all(f">{number}<" in shown for number in (31, 4))
    assert "neither: 64" in shown


def test_other_words_are_in_the_picture_the_table_and_the_note_but_not_in_the_names() -> None:
    found = lk.rule(("neither", "both"), **TWEETS)
    german = {"neither": "weder noch", "result": "Ergebnis", found.notes[0]: "wahrscheinlicher als vorher"}
    renamed = found.renamed(german)
    shown = renamed.to_svg()
    assert "weder noch: 64" in shown
    assert "neither\u200e: 35" in shown
    assert [*renamed.rows()[0]][-1] == "Ergebnis"
    assert str(renamed).endswith("wahrscheinlicher als vorher")
    assert renamed == found
    assert str(found).endswith("as before")


def test_json_values_have_every_probability() -> None:
    plain = json.loads(json.dumps(tweets().to_dict()))
    assert plain["posterior"] == 0.8
    assert plain["probabilities"]["likelihood"] == {"value": 4 / 35, "exact": "4/35"}


@given(probabilities, probabilities, probabilities, st.text(min_size=1), st.text(min_size=1))
def test_every_form_of_any_rule(prior: Fraction, likelihood: Fraction, other: Fraction, one: str, two: str) -> None:
    assume(one.split() and two.split() and one.split() != two.split() and (prior * likelihood or (1 - prior) * other))
    found = lk.rule((one, two), prior=prior, likelihood=likelihood, likelihood_otherwise=other)
    for form in FORMS:
        assert form(found)
    for formula in (found.general, found.worked):
        ElementTree.fromstring(formula.mathml())


@pytest.mark.parametrize("small", [5e-324, "1e-150"])
def test_tiny_numbers_have_every_form(small: float | str) -> None:
    found = lk.rule(prior=small, likelihood=1, evidence=small)
    for form in FORMS:
        assert form(found)
    assert found.posterior == 1


@pytest.mark.parametrize("form", FORMS)
def test_hostile_names_are_harmless(form: Any) -> None:
    shown = form(lk.rule((HOSTILE, "\u202eقلب"), **TWEETS))
    assert "\x1b" not in shown
    assert "\x00" not in shown
    if form is not lk.Rule.to_csv and form is not str and form is not lk.Rule.to_text:
        assert "<script" not in shown.replace(r"\<", "")
    if form is lk.Rule.to_latex:
        assert r"\end{align*} 50" not in shown
        assert shown.count(r"\end{align*}") == 2


def test_names_stand_on_one_line() -> None:
    assert "P(a b)" in str(lk.rule(("a\n\n b", "c"), prior=0.5))
    assert clean(str(lk.rule((HOSTILE, "c"), **TWEETS)).replace("\n", "")) == str(
        lk.rule((HOSTILE, "c"), **TWEETS)
    ).replace("\n", "")


@pytest.mark.parametrize("engine", slow_engines)
def test_the_document_compiles(engine: str) -> None:
    page = compiled(lk.rule((HOSTILE, "stiff joint"), **TWEETS).to_latex(document=True), engine)
    assert "0.1143" in page.text
    assert not compiled(tweets().to_latex(document=True), engine).too_wide


def test_the_prior_follows_from_the_evidence_and_both_likelihoods() -> None:
    found = lk.rule(likelihood="1/2", likelihood_otherwise="1/5", evidence="3/10")
    assert (found.prior, found.posterior) == (Fraction(1, 3), Fraction(5, 9))
    assert "(3/10 - 1/5) / (1/2 - 1/5)" in found.to_text(width=100)
    with pytest.raises(lk.InputError, match=r"P\(A\) = \(P\(B\) - P\(B\|not A\)\) / \(P\(B\|A\) - .* gives -0.33"):
        lk.rule(likelihood=0.5, likelihood_otherwise=0.2, evidence=0.1)

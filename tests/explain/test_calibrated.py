"""Explanations of a calibrated view: the sum is that of naive Bayes, then calibration is a step to the log odds."""

from __future__ import annotations

import math

import pytest

import likelier as lk
from explain.examples import CHINA
from likelier._answer.calibration import Calibration, Discount, Platt, Temperature
from likelier._answer.isotonic import Isotonic, TopLabel
from likelier._explain.explanation import Explanation
from likelier._explain.sentences import calibrated, odds
from likelier._explain.table import rows

TEXT = "Chinese Chinese Chinese Tokyo Japan"  # china: 0.6898, japan: 0.3102, so the log odds are 0.799
IN_FAVOUR = 2 * math.log(2)


def explained(rule: Calibration, text: str = TEXT, **settings: object) -> Explanation:
    return lk.train(CHINA).view(calibration=rule, **settings).explain(text)


def last_line(rule: Calibration, text: str = TEXT, **settings: object) -> str:
    return odds(explained(rule, text, **settings), str)


def step(rule: Calibration, text: str = TEXT, **settings: object) -> str:
    return calibrated(explained(rule, text, **settings))


def test_calibration_is_a_step_from_the_sum_to_the_log_odds():
    # 0.79899 / 2 = 0.39950, exp(0.39950) = 1.49
    said = "calibrated by temperature 2: sum +0.799, divided by the temperature 2 = +0.399"
    assert step(Temperature(2)) == said
    assert last_line(Temperature(2)) == "log odds +0.399: china is 1.49 times as probable as japan"


def test_a_discount_says_why():
    # five terms: 5^-0.5 = 0.4472; 0.799 - 0.2 = 0.599 and 0.599 * 0.4472 = 0.268
    rule = Discount(1, -0.5, 1, {"japan": 0.2})
    assert step(rule) == (
        "calibrated by discount, weight 1, power -0.5: sum +0.599, "
        "times 0.4472 because words of a text repeat each other = +0.268"
    )
    assert "(correction of the prior)" in str(explained(rule))
    # with 5 of 10 terms half of the prior, log 3 - 0.2, is left out of the sum; half of log 3 comes last
    assert step(Discount(1, -0.5, 10, {"japan": 0.2})).endswith(
        "-0.449 of the prior because there are only 5 known terms = +0.150; "
        "then times 0.4472 because words of a text repeat each other = +0.067; "
        "then +0.549 for the prior that is left = +0.616"
    )


def test_a_correction_that_takes_the_prior_away_is_no_reason():
    even = Discount(1, 0, 1, {"china": -math.log(3 / 4), "japan": -math.log(1 / 4)})
    shown = str(explained(even)).partition("\n\n")[0]
    assert "prior" not in shown
    assert "frequent" not in shown
    assert "the correction of the prior is in favor of japan" in str(explained(Discount(1, 0, 1, {"japan": 9.0})))


def test_without_a_known_term_a_discount_leaves_the_prior():
    rule = Discount(0.5, -0.5, 4, {"japan": 9})
    assert step(rule, "Berlin", event="bernoulli").endswith(
        "without a known term or value only the prior counts = +1.099"
    )
    shown = str(explained(rule, "Berlin"))
    assert "correction" not in shown
    assert shown.startswith("china, probability 0.7500\nno known term in this text: the prior alone decides\n\n")


def test_another_label_than_that_of_the_highest_sum_may_be_in_front():
    # 2 log 2 for japan, 0.799 for china: exp(1.386 - 0.799) = 1.80
    rule = Platt(1, {"china": 0, "japan": IN_FAVOUR})
    found = explained(rule)
    assert (found.verdict.label, found.sums["china"] > found.sums["japan"]) == ("japan", True)
    assert found.log_scores["japan"] > found.log_scores["china"]
    assert calibrated(found) == (
        "calibrated by Platt, weight 1: sum -0.799, times 1 = -0.799; "
        "then +1.386 for the fitted offsets of the labels = +0.587"
    )
    assert odds(found, str) == "log odds +0.587: japan is 1.8 times as probable as china"


def test_labels_that_are_about_equally_probable():
    # 0.799 / 1000 is less than 0.005
    assert last_line(Temperature(1000)) == "log odds +0.0008: china is hardly more probable than japan"


def test_a_label_whose_probability_is_too_small_for_a_number():
    # 0.799 / 1e-6 is far beyond the 745 from which on exp(-x) is 0
    assert last_line(Temperature(1e-6)).endswith("china is about 10^346997 times as probable as japan")


def test_equal_sums_need_not_be_equally_probable():
    rule = Platt(1, {"china": 0, "japan": math.log(3)})
    said = "log odds +1.099: japan is 3 times as probable as china"
    assert last_line(rule, "Berlin", prior="uniform") == said


RISING = ((-2.0, 0.1), (2.0, 0.9))
RULES = [Temperature(3), Platt(2, {"china": 5, "japan": -5}), Isotonic({"china": RISING}, others=RISING)]


@pytest.mark.parametrize("rule", RULES)
def test_what_is_impossible_stays_so(rule):
    assert last_line(rule, alpha=0) == "china is impossible"  # it never says Tokyo
    assert last_line(rule, "Chinese Berlin", unknown="zero") == "every label is impossible"


@pytest.mark.parametrize("form", ["to_text", "to_html", "to_latex"])
def test_every_form_says_that_it_is_calibrated(form):
    shown = " ".join(getattr(explained(Temperature(2)), form)().split())
    assert "calibrated by temperature 2" in shown
    assert "calibrated" not in getattr(lk.train(CHINA).explain(TEXT), form)()


# ---- LaTeX -------------------------------------------------------------------------------------------------------


def test_latex_has_the_probability_of_bayes_rule_and_then_the_calibrated_one():
    shown = explained(Temperature(2)).to_latex()
    by_rule, _, calibrated = shown.partition("These probabilities are calibrated by temperature 2:\\par\n")
    # 0.6898 / 0.3102 = 2.2235, and its root is 1.4911: 1.4911 / 2.4911 = 0.5986
    assert r"P_{\text{Bayes}}(\text{china} \mid d) &= " in by_rule
    assert r"\approx 0.6898" in by_rule
    assert "0.5986" not in by_rule
    assert r"P(\text{china} \mid d) &\approx 0.5986" in calibrated
    assert r"P(\text{japan} \mid d) &\approx 0.4014" in calibrated


def test_latex_decides_by_calibrated_probabilities():
    shown = explained(Platt(1, {"china": 0, "japan": IN_FAVOUR})).to_latex()
    assert r"\hat{c} = \operatorname*{arg\,max}_{c} P(c \mid d) = \text{japan}" in shown


def test_latex_of_a_calibrated_probability_that_is_too_small_for_a_number():
    assert r"P(\text{japan} \mid d) &< 1 \cdot 10^{-300}" in explained(Temperature(1e-6)).to_latex()


def test_latex_of_an_impossible_label_in_a_calibrated_view():
    assert r"P(\text{china} \mid d) &= 0" in explained(Temperature(2), alpha=0).to_latex()


def test_latex_without_a_calibration_has_one_kind_of_probability():
    shown = lk.train(CHINA).explain(TEXT).to_latex()
    assert "Bayes" not in shown
    assert shown.count(r"P(\text{china} \mid d) &=") == 1


# ---- which labels are compared -----------------------------------------------------------------------------------

# "a b" has the scores log(4/147) for x, log(2/147) for y, log(1/147) for z
THREE = [("a b", "x"), ("a c", "y"), ("d e", "z")]
FOR_Z = Platt(1, {"x": 0, "y": 0, "z": 3})
ALWAYS_Z = Isotonic({"x": ((0, 0.1),), "y": ((0, 0.2),), "z": ((0, 0.7),)}, others=((0, 0.5),))
IN_FRONT = [FOR_Z, TopLabel(FOR_Z, ((-2, 0.5), (2, 0.9))), ALWAYS_Z]


def three(rule: Calibration) -> Explanation:
    return lk.train(THREE).view(calibration=rule).explain("a b")


@pytest.mark.parametrize("rule", IN_FRONT, ids=["Platt", "top label", "isotonic"])
def test_the_most_probable_label_is_compared_with_the_next(rule):
    found = three(rule)
    by_probability = sorted(found.verdict.probabilities, key=lambda label: -found.verdict.probabilities[label])
    assert found.labels == by_probability
    assert found.winner == found.verdict.label == "z"
    assert found.runner_up == by_probability[1]


@pytest.mark.parametrize("rule", IN_FRONT, ids=["Platt", "top label", "isotonic"])
def test_the_last_line_is_about_the_label_that_is_decided(rule):
    found = three(rule)
    assert f": z is {found.verdict.probability / found.verdict.probabilities[found.runner_up]:.3g} times" in odds(
        found, str
    )


def test_the_rows_add_up_to_the_scores_of_the_labels_that_are_compared():
    found = three(FOR_Z)
    table = rows(found, 20)
    # z against x: 1/7 against 2/7, twice
    assert sum(row.difference for row in table) == pytest.approx(-2 * math.log(2))
    assert found.log_odds == pytest.approx(3 - 2 * math.log(2))
    assert [sum(row.contributions[place] for row in table) for place in (0, 1)] == pytest.approx(
        [math.log(1 / 147), math.log(4 / 147)]
    )


def test_plain_values_have_the_label_that_is_decided_first():
    plain = three(FOR_Z).to_dict()
    assert (plain["winner"], plain["runner_up"], [each["label"] for each in plain["labels"]]) == ("z", "x", [*"zxy"])
    assert sum(item["difference"] for item in plain["items"]) == pytest.approx(plain["log_odds"] - 3)
    assert [each["value"] for each in plain["steps"]] == pytest.approx([plain["log_odds"] - 3, plain["log_odds"]])


def test_terminal_and_page_have_a_column_for_the_label_that_is_decided():
    found = three(FOR_Z)
    assert "item                       z against x" in found.to_text().splitlines()
    assert "<bdi>z</bdi> against <bdi>x</bdi>" in found.to_html()
    assert 'for <bdi>z</bdi></span> <span class="against" style="--w:.6">for <bdi>x</bdi>' in found.to_html()


def test_of_equally_probable_labels_the_one_that_is_decided_is_first():
    # all the same, whatever the scores: the first in sorted order is taken, and it has the lowest score
    same = ((0, 0.5),)
    found = lk.train([("d e", "a"), ("a b", "b"), ("a c", "c")]).view(calibration=Isotonic({}, others=same))
    assert found.explain("a b").labels == ["a", "b", "c"]
    assert found.explain("a b").verdict.label == "a"


def test_equally_probable_labels_behind_the_first_stand_by_score():
    # softmax of 0 for x, and minus 1000 and more for the others is 0
    found = lk.train([("a b", "x"), ("d e", "y"), ("a c", "z")]).view(calibration=Temperature(1e-6)).explain("a b")
    assert found.verdict.probabilities == {"x": 1, "y": 0, "z": 0}
    assert found.labels == ["x", "z", "y"]


# ---- without evidence --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", [FOR_Z, ALWAYS_Z], ids=["Platt", "isotonic"])
def test_a_calibration_that_knows_labels_is_named_where_it_decides(rule):
    verdict = lk.train(THREE).view(calibration=rule).classify("berlin")
    assert verdict.label == "z"
    assert verdict.reason == "no known term in this text: only the prior and the calibration decide"


def test_absent_terms_decide_together_with_a_calibration():
    verdict = lk.train(THREE).view(event="bernoulli", calibration=FOR_Z).classify("berlin")
    assert verdict.reason.endswith(": only the prior, the absent terms and the calibration decide")


def test_a_temperature_leaves_it_to_the_prior():
    verdict = lk.train(THREE).view(calibration=Temperature(2)).classify("berlin")
    assert verdict.reason == "no known term in this text: the prior alone decides"


def test_latex_under_a_discount_is_naive_bayes_and_then_calibrated():
    plain, found = lk.train(CHINA).explain(TEXT).to_latex(), explained(Discount(1, -0.5, 1, {"japan": 0.2})).to_latex()
    derivation = plain[: plain.index(r"\begin{align*}" + "\n" + r"P(\text{china}")]
    assert found.startswith(derivation)
    assert "calibrated by discount" in found
    assert r"P(\text{china} \mid d) &\approx 0.5666" in found

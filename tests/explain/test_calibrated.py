"""Explanations of a calibrated view: the sum is that of naive Bayes, the last line speaks of honest probabilities."""

from __future__ import annotations

import math

import pytest

import likelier as lk
from explain.examples import CHINA
from likelier.calibrate import Calibration, Isotonic, Platt, Temperature
from likelier.explain import Explanation
from likelier.explain.table import odds

TEXT = "Chinese Chinese Chinese Tokyo Japan"  # china: 0.6898, japan: 0.3102, so the log odds are 0.799
IN_FAVOUR = 2 * math.log(2)


def explained(rule: Calibration, text: str = TEXT, **settings: object) -> Explanation:
    return lk.train(CHINA).view(calibration=rule, **settings).explain(text)


def last_line(rule: Calibration, text: str = TEXT, **settings: object) -> str:
    return odds(explained(rule, text, **settings), str)


def test_how_much_more_probable_is_said_by_calibrated_probabilities():
    # exp(0.799 / 2) = 1.49
    said = "log odds +0.799; calibrated by temperature 2: china is 1.49 times as probable as japan"
    assert last_line(Temperature(2)) == said


def test_another_label_than_that_of_the_highest_score_may_be_in_front():
    # 2 log 2 for japan, 0.799 for china: exp(1.386 - 0.799) = 1.80
    rule = Platt(1, {"china": 0, "japan": IN_FAVOUR})
    found = explained(rule)
    assert (found.verdict.label, found.log_scores["china"] > found.log_scores["japan"]) == ("japan", True)
    assert odds(found, str) == (
        "log odds +0.799; calibrated by Platt, weight 1: japan is 1.8 times as probable as china"
    )


def test_labels_that_are_about_equally_probable():
    # 0.799 / 1000 is less than 0.005
    said = "log odds +0.799; calibrated by temperature 1000: china and japan are about equally probable"
    assert last_line(Temperature(1000)) == said


def test_a_label_whose_probability_is_too_small_for_a_number():
    # 0.799 / 1e-6 is far beyond the 745 from which on exp(-x) is 0
    said = "log odds +0.799; calibrated by temperature 1e-06: japan is as good as impossible"
    assert last_line(Temperature(1e-6)) == said


def test_equal_scores_need_not_be_equally_probable():
    rule = Platt(1, {"china": 0, "japan": math.log(3)})
    said = "log odds 0.000; calibrated by Platt, weight 1: japan is 3 times as probable as china"
    assert last_line(rule, "Berlin", prior="uniform") == said


RISING = ((-2.0, 0.1), (2.0, 0.9))
RULES = [Temperature(3), Platt(2, {"china": 5, "japan": -5}), Isotonic({"china": RISING}, others=RISING)]


@pytest.mark.parametrize("rule", RULES)
def test_what_is_impossible_stays_so(rule):
    assert last_line(rule, alpha=0) == "china is impossible"  # it never says Tokyo
    assert last_line(rule, "Chinese Berlin", unknown="zero") == "every label is impossible"


LATEX = pytest.param("to_latex", marks=pytest.mark.xfail(strict=True, reason="it shows only the sum of naive Bayes"))


@pytest.mark.parametrize("form", ["to_text", "to_html", LATEX])
def test_every_form_says_that_it_is_calibrated(form):
    shown = " ".join(getattr(explained(Temperature(2)), form)().split())
    assert "calibrated by temperature 2" in shown
    assert "calibrated" not in getattr(lk.train(CHINA).explain(TEXT), form)()

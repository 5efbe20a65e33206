"""Thresholds do what they were picked for, and no other one does it better."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from likelier._evaluate.figures.metrics import Figures
from likelier._evaluate.figures.thresholds import Threshold, cost, plainest, threshold

approx = pytest.approx
LABELS = ("ham", "news", "spam")
COSTS = {
    "ham": {"spam": 1, "news": 2},
    "news": {"spam": 3, "ham": 1},
    "spam": {"ham": 10, "news": 4},
    None: {"ham": 1, "news": 1, "spam": 0.5},
}
#                            spam  spam  ham   spam  ham
SURE = np.array([[0.02, 0.98], [0.05, 0.95], [0.23, 0.77], [0.35, 0.65], [0.9, 0.1]])
TRUTH = np.array([1, 1, 0, 1, 0])


def pick(**target: Any) -> Threshold:
    return threshold(TRUTH, SURE, ("ham", "spam"), "spam", **target)


def test_a_false_positive_rate_of_0_is_above_the_surest_wrong_document() -> None:
    found = pick(false_positive_rate=0)
    assert (found.threshold, found.precision, found.recall, found.false_positive_rate) == (0.9, 1.0, approx(2 / 3), 0.0)


def test_a_threshold_in_words_and_as_plain_values() -> None:
    found = pick(false_positive_rate=0, otherwise="ham")
    assert str(found) == (
        "spam if its probability is at least 0.9, otherwise ham (false positive rate of at most 0 %),"
        " precision 1.0000, recall 0.6667, false positive rate 0 %"
    )
    assert json.loads(json.dumps(found.to_dict()))["threshold"] == 0.9
    assert str(pick(recall=0)) == (
        "spam if its probability is at least 1, otherwise no label (recall of at least 0), recall 0.0000,"
        " false positive rate 0 %"
    )
    assert str(pick(recall=1)).startswith("spam if it is the most probable label (recall of at least 1),")


def test_a_threshold_next_to_1_is_shown_with_all_its_digits() -> None:
    spam = np.array([0.9999999999, 0.99999999])
    found = threshold(
        np.array([1, 0]), np.stack([1 - spam, spam], axis=1), ("ham", "spam"), "spam", false_positive_rate=0
    )
    assert str(found).startswith("spam if its probability is at least 0.999999999, ")


def test_a_false_positive_rate_of_one_half_is_no_threshold_at_all() -> None:
    found = pick(false_positive_rate=0.5)
    assert (found.threshold, found.precision, found.recall, found.false_positive_rate) == (0.0, 0.75, 1.0, 0.5)


def test_precision_picks_the_lowest_threshold() -> None:
    assert pick(precision=0.75).threshold == 0.0
    assert pick(precision=0.76).threshold == 0.9


def test_recall_picks_the_highest_threshold() -> None:
    assert pick(recall=0.3).threshold == 0.97  # 0.95 < 0.96, 0.97 <= 0.98
    assert pick(recall=0.6).threshold == 0.9
    assert pick(recall=1).threshold == 0.0


def test_a_recall_of_nothing_needs_no_decision() -> None:
    found = pick(recall=0)
    assert (found.threshold, found.decided, found.precision) == (1.0, 0.0, None)


def test_best_f1_of_equals_is_the_lowest() -> None:
    #  none 0    0.98: 1/2    0.95: 4/5    0.77: 4/6    0.65: 6/7
    assert pick(f_beta=1).threshold == 0.0
    assert pick(f_beta=0.5).threshold == 0.9


def test_of_equally_good_f1_the_lowest_threshold_is_taken() -> None:
    spam = np.array([0.9, 0.8, 0.7, 0.6])  # right, wrong, wrong, right: 2·1 / (2 + 1) = 2·2 / (2 + 4)
    found = threshold(np.array([1, 0, 0, 1]), np.stack([1 - spam, spam], axis=1), ("ham", "spam"), "spam", f_beta=1)
    assert (found.threshold, found.decided) == (0.0, 4.0)


def test_least_cost_weighs_both_mistakes() -> None:
    cheap = {"spam": {"ham": 1}, "ham": {"spam": 2}}
    dear = {"spam": {"ham": 10}, "ham": {"spam": 2}}
    assert pick(costs=cheap, otherwise="ham").threshold == 0.0
    assert pick(costs=dear, otherwise="ham").threshold == 0.9


def test_equal_costs_pick_the_lowest_threshold() -> None:
    equal = {"spam": {"ham": 1}, "ham": {"spam": 1}}  # 0.95 and 0.65: one mistake each
    assert pick(costs=equal, otherwise="ham").threshold == 0.0


def test_weights_move_the_threshold() -> None:
    heavy = np.array([1.0, 1.0, 1.0, 1.0, 999.0])
    assert pick(false_positive_rate=0.001).threshold == 0.9
    assert pick(false_positive_rate=0.001, weights=heavy).threshold == 0.0


def test_a_document_where_another_label_is_likelier_is_never_reached() -> None:
    sure = np.array([[0.4, 0.3, 0.3], [0.1, 0.1, 0.8]])
    found = threshold(np.array([2, 2]), sure, LABELS, "spam", recall=0.5)
    assert found.recall == 0.5
    with pytest.raises(lk.InputError, match=r"the best on these documents is 0.5"):
        threshold(np.array([2, 2]), sure, LABELS, "spam", recall=0.6)


def test_a_target_that_certain_mistakes_forbid_is_refused() -> None:
    sure = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(lk.InputError, match=r"no threshold for 'spam' reaches false_positive_rate=0.1") as refused:
        threshold(np.array([0, 1, 0]), sure, ("ham", "spam"), "spam", false_positive_rate=0.1)
    assert refused.value.code == "threshold-unreachable"
    assert refused.value.hint == "false_positive_rate=0.5 can be reached"
    assert threshold(np.array([0, 1, 0]), sure, ("ham", "spam"), "spam", false_positive_rate=0.5).threshold == 0.0


def test_the_hint_of_a_refused_precision_works_when_it_is_typed() -> None:
    with pytest.raises(lk.InputError, match=r"reaches precision=0.9") as refused:
        threshold(np.array([0, 1, 0]), np.array([[0.3, 0.7]] * 3), ("ham", "spam"), "spam", precision=0.9)
    reachable = float(refused.value.hint.removeprefix("precision=").removesuffix(" can be reached"))
    assert threshold(
        np.array([0, 1, 0]), np.array([[0.3, 0.7]] * 3), ("ham", "spam"), "spam", precision=reachable
    ).precision == approx(1 / 3)


def test_a_label_that_no_document_has_has_no_recall() -> None:
    with pytest.raises(lk.InputError, match="it is not defined here"):
        threshold(np.array([0]), np.array([[0.3, 0.7]]), ("ham", "spam"), "spam", recall=0.1)


def test_one_target_is_needed() -> None:
    with pytest.raises(
        lk.SettingError, match="must be one of false_positive_rate, precision, recall, costs, f_beta, got none"
    ):
        pick()
    with pytest.raises(lk.SettingError, match="got false_positive_rate and recall"):
        pick(false_positive_rate=0.1, recall=0.1)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), True, "0.1"])
def test_a_target_is_a_share(wrong: Any) -> None:
    with pytest.raises(lk.SettingError, match="`false_positive_rate` must be a number from 0 to 1"):
        pick(false_positive_rate=wrong)


def test_the_fallback_is_another_label() -> None:
    with pytest.raises(lk.SettingError, match="`otherwise` must be another label or None, got 'spam'"):
        pick(false_positive_rate=0.1, otherwise="spam")
    with pytest.raises(lk.InputError, match="got 'Ham'"):
        pick(false_positive_rate=0.1, otherwise="Ham")


def test_no_label_needs_a_cost() -> None:
    with pytest.raises(lk.SettingError, match="do not say what that costs") as refused:
        pick(costs={"spam": {"ham": 1}, "ham": {"spam": 1}})
    assert refused.value.hint == "add a row for it: None: {'ham': 1, 'spam': 1}"


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_plainest_number_does_the_same(one: float, two: float) -> None:
    above, highest = sorted((one, two))
    if above < highest:
        found = plainest(above, highest)
        assert above < found <= highest
        assert len(repr(found)) <= max(len(repr(highest)), 18)


# ---- against trying every threshold ------------------------------------------------------------------------------


@st.composite
def verdicts(draw: st.DrawFn) -> Figures:
    documents = draw(st.integers(1, 14))
    rows = st.lists(st.sampled_from([0, 1, 2, 3, 8, 40]), min_size=3, max_size=3)
    table = np.array(draw(st.lists(rows, min_size=documents, max_size=documents)), dtype=np.float64)
    table[:, 2] += 1e-3
    truth = np.array(draw(st.lists(st.integers(-1, 2), min_size=documents, max_size=documents)), dtype=np.intp)
    certain = draw(st.booleans())
    probabilities = np.where(table < 0.01, 0, table) if certain else table
    probabilities = np.where(probabilities.any(axis=1, keepdims=True), probabilities, table)
    probabilities = probabilities / probabilities.sum(axis=1, keepdims=True)
    weights = np.array(draw(st.lists(st.sampled_from([1.0, 2.0]), min_size=documents, max_size=documents)))
    return Figures(truth, probabilities.argmax(axis=1), probabilities, LABELS, weights)


Outcome = dict[str, Any]


def outcome(figures: Figures, at: float, otherwise: str | None) -> Outcome:
    """What a threshold does, by really deciding with it."""
    rule = lk.Thresholds({"spam": at}, otherwise=otherwise)
    with np.errstate(divide="ignore"):
        decided, _ = rule.choose(np.log(figures.probabilities), figures.probabilities, LABELS)
    # Below the threshold, a fallback gives a label of its own; the label itself is what the threshold decides about.
    is_given, has_it, weights = decided == 2, figures.truth == 2, figures.weights
    assert weights is not None
    right, wrong = float(weights[is_given & has_it].sum()), float(weights[is_given & ~has_it].sum())
    positives, negatives = float(weights[has_it].sum()), float(weights[~has_it].sum())
    spent = cost(figures.truth, decided, LABELS, COSTS, weights=weights).total
    return {
        "threshold": at,
        "precision": right / (right + wrong) if right + wrong else None,
        "recall": right / positives if positives else None,
        "false_positive_rate": wrong / negatives if negatives else None,
        "f": 2 * right / (positives + right + wrong) if positives + right + wrong else 0.0,
        "cost": spent,
    }


def all_outcomes(figures: Figures, otherwise: str | None) -> list[Outcome]:
    tried = {0.0, 1.0, *figures.probabilities[:, 2].tolist()}
    return [outcome(figures, at, otherwise) for at in sorted(tried)]


TARGETS: dict[str, tuple[dict[str, Any], Callable[[Outcome], bool]]] = {
    "false_positive_rate": (
        {"false_positive_rate": 0.25},
        lambda each: each["false_positive_rate"] is None or each["false_positive_rate"] <= 0.25,
    ),
    "precision": ({"precision": 0.6}, lambda each: each["precision"] is not None and each["precision"] >= 0.6),
    "recall": ({"recall": 0.4}, lambda each: each["recall"] is not None and each["recall"] >= 0.4),
}


@pytest.mark.parametrize("name", TARGETS)
@given(figures=verdicts(), otherwise=st.sampled_from([None, "ham"]))
def test_the_threshold_for_a_target_is_the_best_that_reaches_it(
    name: str, figures: Figures, otherwise: str | None
) -> None:
    target, reaches = TARGETS[name]
    able = [each for each in all_outcomes(figures, otherwise) if reaches(each)]
    if not able:
        with pytest.raises(lk.InputError, match="no threshold for 'spam' reaches"):
            figures.threshold("spam", otherwise=otherwise, **target)
        return
    found = figures.threshold("spam", otherwise=otherwise, **target)
    best = able[-1] if name == "recall" else able[0]
    really = outcome(figures, found.threshold, otherwise)
    for figure in ("precision", "recall", "false_positive_rate"):
        assert really[figure] == approx(best[figure])
        assert really[figure] == approx(getattr(found, figure))
    assert reaches(really)


@given(figures=verdicts(), otherwise=st.sampled_from([None, "ham"]))
def test_no_threshold_costs_less_than_the_cheapest(figures: Figures, otherwise: str | None) -> None:
    found = figures.threshold("spam", costs=COSTS, otherwise=otherwise)
    really = outcome(figures, found.threshold, otherwise)
    least = min(each["cost"] for each in all_outcomes(figures, otherwise))
    assert really["cost"] == approx(least)
    assert really["recall"] == approx(found.recall)


@given(figures=verdicts())
def test_no_threshold_has_a_better_f_than_the_best(figures: Figures) -> None:
    found = figures.threshold("spam", f_beta=1)
    best = max(each["f"] for each in all_outcomes(figures, None))
    assert outcome(figures, found.threshold, None)["f"] == approx(best)


def test_the_decision_can_be_used_in_a_view() -> None:
    model = lk.train(
        [("cheap pills", "spam"), ("cheap watch", "spam"), ("lunch at noon", "ham"), ("cheap lunch", "ham")]
    )
    found = pick(false_positive_rate=0, otherwise="ham")
    assert model.view(decide=found.decision).classify("cheap").label == "ham"

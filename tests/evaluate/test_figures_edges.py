"""Figures at their limits: no documents, one label, nothing right, nothing decided; and input that cannot be used."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier._evaluate.figures.accuracy import accuracy
from likelier._evaluate.figures.curves import label_curves, steps
from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.figures.intervals import wilson
from likelier._evaluate.figures.losses import log_loss, log_losses
from likelier._evaluate.figures.reliability import reliability, reliability_of
from likelier._evaluate.figures.suspects import confident_mistakes, label_errors
from likelier._show.cells import width

approx = pytest.approx
LABELS = ("ham", "spam")


def of(truth: list[int], probabilities: list[list[float]], decided: list[int] | None = None, **given: Any) -> Figures:
    table = np.array(probabilities, dtype=np.float64)
    labels = given.pop("labels", LABELS)
    return Figures(
        np.array(truth), np.array(table.argmax(axis=1) if decided is None else decided), table, labels, **given
    )


# ---- limits ------------------------------------------------------------------------------------------------------


def test_one_document_of_one_label() -> None:
    found = of([0], [[1.0]], labels=("only",))
    assert (found.accuracy.share, found.log_loss.loss, found.brier, found.calibration_error) == (1, 0, 0, 0)
    assert (found.area("only"), found.average_precision("only")) == (None, 1)
    assert found.per_label.one(0).f == 1


def test_all_right() -> None:
    found = of([0, 1, 1], [[1, 0], [0, 1], [0, 1]])
    assert (found.accuracy.share, found.accuracy.interval.high, found.log_loss.loss, found.brier) == (1, 1, 0, 0)
    assert found.accuracy.interval.low == approx(0.4385, abs=1e-4)  # 3 / (3 + z²)
    assert (found.area("spam"), found.confusion.mistakes(), found.confident_mistakes().tolist()) == (1, [], [])
    assert "mistakes" not in str(found)


def test_all_wrong_and_certain() -> None:
    found = of([1, 0], [[1, 0], [0, 1]])
    assert (found.accuracy.share, found.accuracy.interval.low, found.brier, found.area("spam")) == (0, 0, 2, 0)
    assert found.log_loss.loss == approx(-math.log(2**-52))
    assert (found.log_loss.exact, found.log_loss.impossible, found.calibration_error) == (None, 2, 1)
    assert tuple(found.per_label.macro()) == (0, 0, 0)


def test_no_label_is_a_mistake_and_has_no_precision() -> None:
    found = of([0, 1], [[0, 0], [0, 0]], [-1, -1])
    assert (found.accuracy.share, found.accuracy.without_label) == (0, 1)
    assert found.per_label.micro().precision is None
    assert found.per_label.micro().recall == 0
    assert (found.brier, found.calibration_error, found.reliability.bins[0].confidence) == (1, 0, 0)
    assert "(no label)" in str(found)


def test_a_label_of_probability_0_for_all_is_not_right_by_being_first() -> None:
    assert of([0], [[0, 0]], [-1]).reliability.accuracy == 0


def test_an_unknown_true_label_is_a_mistake_even_where_none_was_decided() -> None:
    found = of([-1, -1], [[0.9, 0.1], [0, 0]], [0, -1])
    assert (found.accuracy.share, found.accuracy.unknown, found.accuracy.without_label) == (0, 1, 0.5)
    assert found.log_loss.impossible == 2
    assert found.confusion.mistakes() == [(None, "ham", 1), (None, None, 1)]
    assert found.brier == approx(((0.81 + 0.01 + 1) + 1) / 2)
    assert found.per_label.macro().precision == 0
    assert found.per_label.weighted() == (None, None, None)
    assert "(unknown label)" in str(found)


def test_a_label_that_is_never_decided_has_no_precision_and_counts_as_0_in_averages() -> None:
    found = of([0, 0, 1], [[0.9, 0.1]] * 3).per_label
    spam = found.one(1)
    assert (spam.precision, spam.recall, spam.f) == (None, 0, 0)
    assert found.macro().precision == approx((2 / 3 + 0) / 2)


def test_a_label_that_is_neither_decided_nor_true_has_nothing() -> None:
    found = of([0], [[0.9, 0.1, 0]], labels=("a", "b", "c")).per_label
    assert (found.one(2).precision, found.one(2).recall, found.one(2).f) == (None, None, None)
    assert tuple(found.macro()) == (1, 1, 1)


def test_curves_of_a_label_that_no_document_has_are_empty() -> None:
    found = of([0, 0], [[0.9, 0.1], [0.8, 0.2]]).curves("spam")
    assert (found.roc.area, found.precision_recall.area, found.gains) == (None, None, ())
    assert len(found.roc.x) == len(found.precision_recall.x) == 0


def test_the_smallest_probability_has_a_finite_loss_without_the_floor() -> None:
    found = log_loss(np.array([1]), np.array([[1.0, 5e-324]]))
    assert found.exact == approx(744.44, abs=0.01)
    assert (found.impossible, found.floored) == (0, 1)
    assert found.loss == approx(-math.log(2**-52))


def test_a_certain_verdict_has_a_loss_of_0_and_not_of_minus_0() -> None:
    assert math.copysign(1, log_losses(np.array([0]), np.array([[1.0]]))[0]) == 1


def test_equal_width_bins_hold_their_upper_bound() -> None:
    found = reliability_of(np.array([0.0, 0.1, 0.2, 0.21, 1.0]), np.array([False] * 4 + [True]), bins=10)
    assert [(round(point.low, 12), round(point.high, 12), point.documents) for point in found.bins] == [
        (0.0, 0.1, 2),
        (0.1, 0.2, 1),
        (0.2, 0.3, 1),
        (0.9, 1.0, 1),
    ]


def test_equal_mass_bins_keep_equal_probabilities_together() -> None:
    probability = np.array([0.5, 0.6, 0.7, 0.8] + [1.0] * 4)
    found = reliability_of(probability, np.ones(8, dtype=bool), bins=4, binning="mass")
    assert [(point.low, point.high, point.documents) for point in found.bins] == [
        (0.5, 0.6, 2),
        (0.7, 0.8, 2),
        (1.0, 1.0, 4),
    ]


def test_documents_of_one_probability_go_into_the_bin_of_their_middle() -> None:
    found = reliability_of(np.array([0.5, 0.9, 0.9, 0.9]), np.ones(4, dtype=bool), bins=2, binning="mass")
    assert [point.documents for point in found.bins] == [1, 3]


def test_the_interval_of_a_bin_knows_its_weights() -> None:
    found = reliability_of(np.array([0.9, 0.9]), np.array([True, False]), weights=np.array([3.0, 1.0]))
    assert tuple(found.bins[0].interval) == approx(tuple(wilson(0.75, 1.6)))  # 4² / (9 + 1)


def test_the_maximum_error_is_that_of_the_worst_bin() -> None:
    found = reliability_of(np.array([0.9] * 9 + [0.55]), np.array([True] * 9 + [False]), bins=10)
    assert found.maximum_error == approx(0.55)
    assert found.expected_error == approx(0.9 * 0.1 + 0.1 * 0.55)


def test_ties_in_gains_are_shared_out_evenly() -> None:
    found = of([1] * 2 + [0] * 8, [[0.5, 0.5]] * 10).curves("spam").gains
    assert [tenth.gain for tenth in found] == approx([tenth.share for tenth in found])
    assert found[0].found == approx(0.2)


def test_the_area_is_the_fraction_of_pairs_in_the_right_order_rounded_once() -> None:
    random = np.random.default_rng(0)
    for _ in range(20):
        chances, truth = random.integers(0, 50, 240) / 50, np.arange(240) % 6 == 0
        mine, others = chances[truth][:, np.newaxis], chances[~truth]
        pairs = int((mine > others).sum()) + Fraction(int((mine == others).sum()), 2)
        assert steps(chances, truth, np.ones(240)).area == float(pairs / (40 * 200))


@pytest.mark.parametrize("chance", [1e-30, 0.3, 0.999999999999])
def test_documents_whose_probabilities_are_equal_but_for_rounding_are_ties(chance: float) -> None:
    nearly = np.array([chance, np.nextafter(chance, 0), np.nextafter(chance, 1)])
    has_label = np.array([True, True, False])
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        found = steps(nearly, has_label[order], np.ones(3))
        assert (found.area, found.thresholds.tolist()) == (0.5, [nearly.min()])


def test_probabilities_near_0_and_near_1_that_differ_by_more_than_rounding_are_no_ties() -> None:
    chances = np.array([1 - 1e-14, 1 - 1e-13, 1e-30, 0.999e-30, 0.0])
    assert len(steps(chances, np.arange(5) < 2, np.ones(5)).thresholds) == 5


def test_thinning_keeps_the_area_the_ends_and_the_shape() -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, size=20_000)
    spam = np.clip(random.normal(loc=0.4 + 0.2 * truth, scale=0.15), 0, 1)
    table = np.stack([1 - spam, spam], axis=1)
    thin, whole = (label_curves(truth, table, LABELS, "spam", points=points) for points in (100, None))
    for kind in ("roc", "precision_recall"):
        one, two = getattr(thin, kind), getattr(whole, kind)
        assert one.area == two.area
        assert 50 < len(one.x) <= 100 < len(two.x)
        assert (one.x[0], one.y[0], one.x[-1], one.y[-1]) == (two.x[0], two.y[0], two.x[-1], two.y[-1])
    assert np.abs(np.interp(whole.roc.x, thin.roc.x, thin.roc.y) - whole.roc.y).max() < 0.03


def test_a_thousand_labels_are_kept_as_the_cells_that_are_not_empty() -> None:
    labels = tuple(f"label {place}" for place in range(1000))
    truth = np.arange(2000) % 1000
    probabilities = np.zeros((2000, 1000))
    probabilities[np.arange(2000), (truth + (np.arange(2000) < 10)) % 1000] = 1
    found = Figures(truth, probabilities.argmax(axis=1), probabilities, labels)
    assert len(found.confusion.documents) == 1010
    report = str(found)
    assert "980 more, together" in report
    assert len(report.splitlines()) < 45
    plain = found.to_dict()
    assert len(plain["per_label"]) == 1000
    assert len(plain["curves"]) == 20


def test_twenty_one_labels_all_have_a_row() -> None:
    table = np.eye(21)
    assert "together" not in str(of(list(range(21)), table.tolist(), labels=tuple(range(21)))).replace(
        "all together", ""
    )


def test_wide_and_steering_labels_do_not_break_the_report() -> None:
    labels = ("垃圾邮件" * 20, "a\x1b[31mb\n", "ham" * 40)
    found = of(
        [0, 1, 2, 2], np.full((4, 3), 1 / 3).tolist(), [1, 2, 0, -1], labels=labels, weights=np.full(4, 1234567.25)
    )
    report = str(found)
    assert "\x1b" not in report
    assert max(map(width, report.splitlines())) <= 80


def test_the_report_says_what_there_is_to_say() -> None:
    found = of([0, 0, 0, 1, 1], [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.2, 0.8], [0, 1]])
    assert (
        str(found)
        == """\
accuracy            80.0 %  4 of 5 right
                            37.6 % to 96.4 % with 95 % certainty
most frequent       60.0 %  always ham
log loss            0.3511
Brier score         0.2320  0 is the best, 2 the worst
calibration error   24.0 %  said 84.0 %, was right in 80.0 %: too sure

label              documents  decided  precision  recall     F1  ROC area
ham                        3        2      1.000   0.667  0.800     1.000
spam                       2        3      0.667   1.000  0.800     1.000
mean over labels                           0.833   0.833  0.800
mean by documents                          0.867   0.800  0.800
all together                               0.800   0.800  0.800

most frequent mistakes
1  ham  taken for spam"""
    )


def test_figures_of_weights_say_how_many_documents_they_are_worth() -> None:
    assert "as if by 1.6 documents of equal weight" in str(of([0, 1], [[0.9, 0.1]] * 2, weights=np.array([3.0, 1.0])))


# ---- cost --------------------------------------------------------------------------------------------------------

COSTS = {"spam": {"ham": 10}, "ham": {"spam": 1}}


def test_cost_counts_each_mistake_with_its_price() -> None:
    found = of([0, 0, 1, 1, 1], [[0.5, 0.5]] * 5, [0, 1, 1, 1, 0]).cost(COSTS)
    assert (found.total, found.mean, found.always, found.always_mean) == (11, 2.2, "ham", 0.6)


def test_a_right_decision_may_cost_something() -> None:
    assert of([1], [[0, 1]]).cost({"spam": {"ham": 10, "spam": 2}, "ham": {"spam": 1}}).total == 2


def test_no_label_has_its_own_cost() -> None:
    found = of([0, 1], [[0.5, 0.5]] * 2, [-1, -1])
    assert found.cost({**COSTS, None: {"ham": 0.25, "spam": 0.5}}).total == 0.75
    with pytest.raises(lk.SettingError, match="do not say what that costs"):
        found.cost(COSTS)


def test_doing_nothing_may_be_cheapest() -> None:
    assert of([0, 1], [[0.5, 0.5]] * 2).cost({**COSTS, None: {"ham": 0, "spam": 0}}).always is None


def test_a_document_of_unknown_label_has_no_cost() -> None:
    found = of([-1, 0], [[0.5, 0.5]] * 2, [1, 1]).cost(COSTS)
    assert (found.total, found.mean, found.documents, found.left_out) == (10, 10, 1, 1)
    assert of([-1], [[0.5, 0.5]]).cost(COSTS).mean == 0


def test_costs_are_those_of_least_cost() -> None:
    with pytest.raises(lk.SettingError, match="the costs of deciding 'ham' are missing"):
        of([0], [[1, 0]]).cost({"spam": {"ham": 10}})


# ---- documents to look at ----------------------------------------------------------------------------------------


def test_label_errors_are_ranked_by_log_odds_against_the_given_label() -> None:
    table = np.array([[0.91, 0.05, 0.04], [0.90, 0.001, 0.099], [0.5, 0.3, 0.2]])
    truth, decided = np.array([1, 1, 1]), np.array([0, 0, 0])
    assert label_errors(truth, decided, table).tolist() == [1, 0]
    assert confident_mistakes(truth, decided, table).tolist() == [0, 1, 2]
    assert confident_mistakes(truth, decided, table, 1).tolist() == [0]


def test_log_scores_tell_certain_verdicts_apart() -> None:
    table = np.array([[1.0, 0.0]] * 3)
    scores = np.array([[-10.0, -900.0], [-10.0, -2000.0], [-10.0, -1000.0]])
    truth, decided = np.array([1, 1, 1]), np.array([0, 0, 0])
    assert label_errors(truth, decided, table).tolist() == [0, 1, 2]
    assert label_errors(truth, decided, table, log_scores=scores).tolist() == [1, 2, 0]
    assert confident_mistakes(truth, decided, table, log_scores=scores).tolist() == [1, 2, 0]


def test_documents_without_a_label_or_of_an_unknown_one_are_no_label_errors() -> None:
    table = np.array([[0.99, 0.01]] * 2)
    assert label_errors(np.array([-1, 1]), np.array([0, -1]), table).tolist() == []
    assert confident_mistakes(np.array([-1, 1]), np.array([0, -1]), table).tolist() == [0]


@pytest.mark.parametrize("wrong", [-0.1, 1.5, math.nan, "0.9"])
def test_label_errors_have_a_probability(wrong: float) -> None:
    with pytest.raises(lk.SettingError, match="`at_least` must be a probability from 0 to 1"):
        of([0], [[1, 0]]).label_errors(wrong)


# ---- what cannot be used -----------------------------------------------------------------------------------------


def test_no_documents_are_refused() -> None:
    with pytest.raises(lk.InputError, match="at least one document that counts, got none") as refused:
        Figures(np.zeros(0), np.zeros(0), np.zeros((0, 2)), LABELS)
    assert refused.value.code == "no-documents"
    with pytest.raises(lk.InputError, match="got 2 of weight 0"):
        of([0, 1], [[1, 0], [0, 1]], weights=np.zeros(2))
    with pytest.raises(lk.InputError, match="at least one document"):
        accuracy(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([0], [0, 1], [[1, 0]]), "got 1 truths, 2 decisions, 1 rows of probabilities"),
        (([0], [0], [[1, 0, 0]]), r"got the shape \(1, 3\) for 2 labels"),
        (([0], [0], [1]), r"got the shape \(1,\) for 2 labels"),
        (([2], [0], [[1, 0]]), "`truth` must hold columns from 0 to 1, or -1 for none, got 2 for document 0"),
        (
            ([0, 0], [0, -2], [[1, 0]] * 2),
            "`decided` must hold columns from 0 to 1, or -1 for none, got -2 for document 1",
        ),
        (([0], [0], [[math.nan, 0]]), "from 0 to 1, got nan for document 0"),
        (([0], [0], [[-3.5, 0]]), "from 0 to 1, got -3.5 for document 0"),
        (([0, 1], [0, 0], [[1, 0], [1, 1.5]]), "from 0 to 1, got 1.5 for document 1"),
    ],
)
def test_arrays_that_do_not_belong_together_are_refused(arrays: tuple[list[Any], ...], message: str) -> None:
    with pytest.raises(lk.InputError, match=message):
        Figures(*map(np.array, arrays), LABELS)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [-1.0, math.nan, math.inf, 1e10])
def test_weights_that_are_none_are_refused(wrong: float) -> None:
    with pytest.raises(lk.InputError, match="a weight must be a number from 0 to 1e"):
        of([0, 1], [[1, 0], [0, 1]], weights=np.array([1.0, wrong]))


def test_a_label_that_is_not_there_is_refused() -> None:
    with pytest.raises(lk.InputError, match="got 'Spam'"):
        of([0], [[1, 0]]).area("Spam")


@pytest.mark.parametrize("wrong", [0, -1, math.nan, math.inf, "1", True])
def test_beta_is_above_0(wrong: float) -> None:
    with pytest.raises(lk.SettingError, match="`beta` must be a number above 0"):
        of([0], [[1, 0]]).per_label.macro(beta=wrong)


@pytest.mark.parametrize("wrong", [0, -1e-9, 2, math.nan, "1e-9"])
def test_the_floor_is_above_0(wrong: float) -> None:
    with pytest.raises(lk.SettingError, match="`floor` must be a number above 0 and at most 1"):
        log_loss(np.array([0]), np.array([[1.0]]), floor=wrong)


def test_bins_are_a_number_of_one_of_two_kinds() -> None:
    for wrong in (0, 1001, 2.5, True):
        with pytest.raises(lk.SettingError, match="`bins` must be a whole number from 1 to 1000"):
            reliability(np.array([0]), np.array([[1.0]]), bins=wrong)
    with pytest.raises(lk.SettingError, match="`binning` must be 'width' or 'mass', got 'size'"):
        reliability(np.array([0]), np.array([[1.0]]), binning="size")  # type: ignore[arg-type]


def test_whole_numbers_and_truth_values_are_labels_too() -> None:
    for labels in ((1, 2), (False, True)):
        found = of([0, 1], [[0.9, 0.1], [0.2, 0.8]], labels=labels)
        assert found.area(labels[1]) == 1
        assert json.loads(json.dumps(found.to_dict()))["per_label"][1]["label"] == labels[1]

"""Fitting calibration rules: equal to what others compute, finite where data say too little, honest on fresh data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression, isotonic_regression

from likelier._answer.calibration import Calibration, Platt, Temperature
from likelier._answer.isotonic import MOST_POINTS, Isotonic
from likelier._base.errors import InputError
from likelier._evaluate.calibrate.calibration_set import CalibrationSet, FittedCalibration, calibration_set
from likelier._evaluate.calibrate.isotonic_regression import at_most, fit_isotonic, pool
from likelier._evaluate.calibrate.scaling import POWERS, RIDGE, CalibrationLoss, fit_platt, fit_temperature, platt

Floats = NDArray[np.float64]
Columns = NDArray[np.intp]
Fit = Callable[..., FittedCalibration[Any]]
FITS: list[Fit] = [fit_temperature, fit_platt, fit_isotonic]
every_fit = pytest.mark.parametrize("fit", FITS, ids=lambda fit: fit.__name__)
few = settings(max_examples=25, deadline=None)


def too_sure(documents: int, labels: int, times: float, *, seed: int = 0) -> tuple[Floats, Columns, list[str]]:
    """Scores that are `times` the true log odds, as when every word stood there that often."""
    random = np.random.default_rng(seed)
    honest = log_softmax(random.normal(0, 2, (documents, labels)), axis=1)
    truth = (random.random((documents, 1)) > np.exp(honest).cumsum(axis=1)[:, :-1]).sum(axis=1)
    return honest * times, truth, [f"label {column}" for column in range(labels)]


def log_loss(rule: Calibration, scores: Floats, truth: Columns, labels: list[str]) -> float:
    return float(-np.log(rule.apply(scores, labels)[np.arange(len(truth)), truth]).mean())


# ---- pooling adjacent violators ------------------------------------------------------------------------------------

weighted = st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 4)), min_size=1, max_size=40)


def spread(values: Floats, weights: Floats) -> Floats:
    blocks = pool(values, weights)
    return np.repeat(blocks.mean, np.diff(blocks.start, append=len(values)))


@settings(max_examples=200, deadline=None)
@given(weighted)
def test_pooling_equals_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    values, weights = np.array(pairs, dtype=np.float64).T
    expected = isotonic_regression(values, sample_weight=weights)
    np.testing.assert_allclose(spread(values, weights), expected, rtol=1e-12, atol=1e-12)


def test_pooling_many_values_equals_scikit_learn() -> None:
    random = np.random.default_rng(0)
    values = (random.random(20_000) < np.linspace(0, 1, 20_000)).astype(np.float64)
    weights = random.integers(1, 5, 20_000).astype(np.float64)
    np.testing.assert_allclose(spread(values, weights), isotonic_regression(values, sample_weight=weights), rtol=1e-12)


def test_one_violator_behind_many_that_rise_is_pooled_with_all_it_is_below() -> None:
    values = np.append(np.arange(50_000.0), 49_990.0)
    np.testing.assert_allclose(spread(values, np.ones(len(values))), isotonic_regression(values), rtol=1e-12)


def test_equal_neighbors_are_one_block() -> None:
    assert pool(np.array([1.0, 1.0, 2.0]), np.ones(3)).start.tolist() == [0, 2]


def test_few_enough_blocks_stay_as_they_are() -> None:
    blocks = pool(np.array([1.0, 2.0, 3.0]), np.ones(3))
    assert at_most(blocks, 3) is blocks


def test_blocks_that_differ_least_are_merged() -> None:
    blocks = at_most(pool(np.array([1.0, 2.0, 9.0, 9.5]), np.ones(4)), 2)
    assert blocks.mean.tolist() == [1.5, 9.25]


# ---- against other programs ----------------------------------------------------------------------------------------


def test_the_temperature_has_the_least_loss_that_scipy_finds() -> None:
    scores, truth, labels = too_sure(3000, 4, 3)
    rule = fit_temperature(scores, truth, labels).rule

    def loss(log_weight: float, power: float) -> float:
        behind = (scores.max(axis=1, keepdims=True) - scores) ** power
        logarithms = log_softmax(-behind * math.exp(log_weight), axis=1)
        return float(-logarithms[np.arange(len(truth)), truth].mean())

    found = {power: minimize_scalar(loss, args=(power,), bracket=(-3, 3)) for power in POWERS}
    best = min(POWERS, key=lambda power: found[power].fun)
    assert rule.power == best
    assert rule.value == pytest.approx(math.exp(-found[best].x), rel=5e-3)  # but for the targets


def test_for_two_labels_platt_equals_scikit_learn() -> None:
    scores, truth, labels = too_sure(2000, 2, 4)
    log_odds = scores[:, 1] - scores[:, 0]
    theirs = _SigmoidCalibration().fit(log_odds, truth)
    found = calibration_set(scores, truth, labels)
    ours = platt(found, Temperature(1.0))
    assert ours.weight == pytest.approx(-theirs.a_, rel=1e-3)  # but for the ridge, and how far they go
    assert ours.offsets[labels[1]] - ours.offsets[labels[0]] == pytest.approx(-theirs.b_, abs=1e-3)


def test_platt_for_more_labels_has_the_least_loss_that_scipy_finds() -> None:
    scores, truth, labels = too_sure(400, 3, 3, seed=4)
    scores -= scores.max(axis=1, keepdims=True)
    target = targets(scores, truth)

    def loss(place: Floats) -> float:
        logarithms = log_softmax(place[0] * scores + place[1:], axis=1)
        return float(-(target * logarithms).sum() + RIDGE / 2 * (place[1:] ** 2).sum())

    def slopes(place: Floats) -> Floats:
        more = softmax(place[0] * scores + place[1:], axis=1) - target
        return np.concatenate([[(more * scores).sum()], more.sum(axis=0) + RIDGE * place[1:]])

    best = minimize(loss, [1.0, 0.0, 0.0, 0.0], jac=slopes, method="BFGS", options={"gtol": 1e-7})
    ours = platt(calibration_set(scores, truth, labels), Temperature(1.0))
    place = np.array([ours.weight, *ours.offsets.values()])
    assert loss(place) <= best.fun * (1 + 1e-12)
    assert slopes(place) == pytest.approx(0, abs=1e-6)  # but for the digits of the rule
    assert place == pytest.approx(best.x, abs=1e-7)


def targets(scores: Floats, truth: Columns) -> Floats:
    """(n + 1) / (n + 2) for the true label, the rest for the others by their probabilities."""
    documents = np.bincount(truth)
    result = np.empty_like(scores)
    for row, column in enumerate(truth.tolist()):
        others = np.delete(np.arange(scores.shape[1]), column)
        own = (documents[column] + 1) / (documents[column] + 2)
        result[row, others] = (1 - own) * softmax(scores[row, others])
        result[row, column] = own
    return result


def test_isotonic_equals_scikit_learn_with_a_document_more_at_both_ends() -> None:
    scores, truth, labels = too_sure(500, 2, 2)
    log_odds = np.round(scores[:, 1] - scores[:, 0])  # with many ties
    ours = fit_isotonic(np.stack([0 * log_odds, log_odds], axis=1), truth, labels).rule
    theirs = IsotonicRegression(out_of_bounds="clip").fit(
        np.concatenate([[-1e6], log_odds, [1e6]]), np.concatenate([[1], truth, [0]])
    )
    asked = np.unique(log_odds)
    got = ours.apply(np.stack([0 * asked, asked], axis=1), labels)[:, 1]
    np.testing.assert_allclose(got, theirs.predict(asked), rtol=1e-12)


# ---- what does not matter ------------------------------------------------------------------------------------------


def numbers_of(rule: Calibration) -> list[float]:
    if isinstance(rule, Temperature):
        return [rule.value, rule.power]
    if isinstance(rule, Platt):
        return [rule.weight, rule.power, *rule.offsets.values()]
    assert isinstance(rule, Isotonic)
    return [number for points in (*rule.points.values(), rule.others) for point in points for number in point]


@every_fit
@few
@given(seed=st.integers(0, 10**6), labels=st.integers(2, 4))
def test_the_order_of_documents_does_not_matter_to_the_last_bit(fit: Fit, seed: int, labels: int) -> None:
    scores, truth, names = too_sure(60, labels, 3, seed=seed)
    order = np.random.default_rng(seed).permutation(60)
    assert fit(scores[order], truth[order], names) == fit(scores, truth, names)


@every_fit
@pytest.mark.parametrize("labels", [2, 5])
def test_the_last_bits_of_exp_and_log_do_not_matter_to_the_last_bit(
    fit: Fit, labels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They differ between processors."""
    scores, truth, names = too_sure(300, labels, 3)
    here = fit(scores, truth, names)
    random = np.random.default_rng(0)
    for name in ("exp", "log"):
        monkeypatch.setattr(np, name, on_another_processor(getattr(np, name), random))
    assert fit(scores, truth, names) == here


def on_another_processor(function: Any, random: np.random.Generator) -> Callable[[Any], Any]:
    def other(values: Any) -> Any:
        found = function(values)
        return np.where(np.isfinite(found), found * (1 + random.integers(-2, 3, np.shape(found)) * 2.0**-53), found)

    return other


@every_fit
@few
@given(seed=st.integers(0, 10**6), labels=st.integers(2, 4))
def test_a_document_of_weight_2_is_the_document_twice(fit: Fit, seed: int, labels: int) -> None:
    scores, truth, names = too_sure(60, labels, 3, seed=seed)
    times = np.random.default_rng(seed).integers(1, 4, 60)
    twice = fit(np.repeat(scores, times, axis=0), np.repeat(truth, times), names).rule
    assert numbers_of(fit(scores, truth, names, times).rule) == pytest.approx(numbers_of(twice), rel=1e-6, abs=1e-7)


@every_fit
def test_scores_that_differ_by_a_constant_in_each_document_give_the_same_rule(fit: Fit) -> None:
    scores, truth, labels = too_sure(200, 3, 3)
    scores = np.round(scores * 8) / 8
    shift = -np.arange(200.0)[:, np.newaxis]
    assert fit(scores + shift, truth, labels) == fit(scores, truth, labels)


def test_the_maps_of_two_labels_are_mirror_images() -> None:
    scores, truth, labels = too_sure(300, 2, 3)
    points = fit_isotonic(scores, truth, labels).rule.points
    one, two = np.array(points[labels[0]]), np.array(points[labels[1]])
    np.testing.assert_allclose(one[:, 0], -two[::-1, 0], atol=1e-12)
    np.testing.assert_allclose(one[:, 1], 1 - two[::-1, 1], atol=1e-12)


# ---- little or strange data ----------------------------------------------------------------------------------------


@every_fit
def test_documents_that_are_all_judged_rightly_do_not_make_a_rule_infinitely_sure(fit: Fit) -> None:
    truth = np.arange(40) % 2
    scores = np.where(truth[:, np.newaxis] == [0, 1], 0.0, -50.0)
    rule = fit(scores, truth, ["a", "b"]).rule
    assert rule.apply(scores, ["a", "b"]).max(axis=1) == pytest.approx(21 / 22, abs=0.003)  # (n + 1) / (n + 2)


@every_fit
def test_scores_that_say_the_contrary_are_not_believed(fit: Fit) -> None:
    scores, truth, labels = too_sure(400, 2, 3)
    rule = fit(-scores, truth, labels).rule
    probabilities = rule.apply(-scores, labels)
    assert probabilities[:, 1] == pytest.approx(truth.mean(), abs=0.04)


@every_fit
def test_scores_that_say_nothing_leave_the_share_or_a_half(fit: Fit) -> None:
    truth = (np.arange(100) < 25).astype(np.intp)
    rule = fit(np.zeros((100, 2)), truth, ["a", "b"]).rule
    (probabilities,) = rule.apply(np.zeros((1, 2)), ["a", "b"])
    assert probabilities[1] == pytest.approx(0.5 if fit is fit_temperature else 0.25, abs=0.02)


@every_fit
def test_a_label_without_documents_has_a_small_probability_and_not_none(fit: Fit) -> None:
    scores, truth, _ = too_sure(200, 2, 3)
    scores = np.hstack([scores, scores[:, :1] - 5])
    probabilities = fit(scores, truth, ["a", "b", "c"]).rule.apply(scores, ["a", "b", "c"])
    assert (probabilities[:, 2] > 0).all()
    assert probabilities[:, 2].mean() < 0.1


@every_fit
@few
@given(seed=st.integers(0, 10**6), size=st.sampled_from([1e-6, 1.0, 1e6, 1e300]))
def test_every_size_of_scores_and_impossible_labels_give_finite_rules(fit: Fit, seed: int, size: float) -> None:
    scores, truth, labels = too_sure(50, 3, 1, seed=seed)
    scores = scores * size
    scores[np.random.default_rng(seed).random(scores.shape) < 0.2] = -np.inf
    fitted = fit(scores, truth, labels)
    possible = np.isfinite(scores[np.arange(50), truth])
    assert (fitted.documents, fitted.left_out) == (possible.sum(), (~possible).sum())
    assert np.isfinite(numbers_of(fitted.rule)).all()
    sums = fitted.rule.apply(scores, labels).sum(axis=1)
    np.testing.assert_allclose(sums, np.isfinite(scores).any(axis=1), rtol=1e-12)


@every_fit
def test_documents_that_cannot_be_used_are_left_out_and_counted(fit: Fit) -> None:
    scores, truth, labels = too_sure(100, 3, 3)
    more = np.array([[0.0, 1.0, 2.0], [-np.inf, 0.0, 0.0], [-np.inf, -np.inf, -np.inf], [0.0, 1.0, 2.0]])
    fitted = fit(np.vstack([more, scores]), np.concatenate([[-1, 0, 1, 2], truth]), labels, [1, 1, 1, 0] + [1] * 100)
    assert (fitted.documents, fitted.left_out) == (100, 4)
    assert fitted.rule == fit(scores, truth, labels).rule


@every_fit
def test_fewer_than_20_documents_are_too_few(fit: Fit) -> None:
    scores, truth, labels = too_sure(25, 2, 3)
    truth[:6] = -1
    with pytest.raises(InputError, match=r"at least 20 documents .* got 19, and 6 that cannot be used") as caught:
        fit(scores, truth, labels)
    assert caught.value.code == "calibration-too-few"


@every_fit
def test_documents_of_one_label_are_refused(fit: Fit) -> None:
    with pytest.raises(InputError, match="at least two labels, got 30 documents that all have 'b'") as caught:
        fit(np.zeros((30, 2)), np.ones(30, dtype=int), ["a", "b"])
    assert caught.value.code == "calibration-one-label"


@pytest.mark.parametrize(
    ("truth", "weights", "rule"),
    [
        ([0, 1], None, "one true label and one weight for every document, got 3 rows of scores, 2 true labels"),
        ([0, 1, 0], [1, 1], "got 3 rows of scores, 3 true labels, 2 weights"),
        ([0, 1, 2], None, "columns from 0 to 1, and -1 for an unknown label, got 2 for document 2"),
        ([0, -2, 1], None, "got -2 for document 1"),
        (["a", "b", "a"], None, "`truth` has the column of the label"),
        ([0.0, 1.0, 1.0], None, "`truth` has the column of the label"),
        ([0, 1, 1], [1, -1, 1], "a weight must be a number from 0 to .* for document 1"),
        ([0, 1, 1], [1, 1, np.nan], "a weight must be a number from 0 to .* for document 2"),
        ([0, 1, 1], ["x", 1, 1], "a weight must be a number from 0 to"),
    ],
)
def test_truth_and_weights_that_do_not_fit_are_refused(truth: Any, weights: Any, rule: str) -> None:
    with pytest.raises(InputError, match=rule):
        fit_temperature(np.zeros((3, 2)), truth, ["a", "b"], weights)


def test_no_documents_at_all_are_too_few() -> None:
    with pytest.raises(InputError, match="got 0, and 0 that cannot be used"):
        fit_platt(np.zeros((0, 2)), [], ["a", "b"])


# ---- isotonic maps -------------------------------------------------------------------------------------------------


def test_isotonic_maps_rise_between_0_and_1_and_have_few_points() -> None:
    scores, truth, labels = too_sure(20_000, 3, 3)
    rule = fit_isotonic(scores, truth, labels).rule
    for points in (*rule.points.values(), rule.others):
        at, probability = np.array(points).T
        assert (np.diff(at) > 0).all()
        assert (np.diff(probability) >= 0).all()
        assert 0 < probability[0] < probability[-1] < 1
        assert len(points) <= MOST_POINTS


def test_a_rare_label_shares_the_map_of_all_labels() -> None:
    scores, truth, labels = too_sure(300, 3, 3)
    truth[truth == 2] = 0
    truth[:9] = 2
    assert fit_isotonic(scores, truth, labels).rule.points[labels[2]] == ()
    truth[:10] = 2
    assert len(fit_isotonic(scores, truth, labels).rule.points[labels[2]])


def test_of_equally_many_documents_the_shared_map_is_near_the_label_s_own() -> None:
    scores, truth, labels = too_sure(20_000, 2, 3)
    rule = fit_isotonic(scores, truth, labels).rule
    shared = Isotonic({}, rule.others)
    np.testing.assert_allclose(shared.apply(scores, labels), rule.apply(scores, labels), atol=0.08)


# ---- honest on fresh data ------------------------------------------------------------------------------------------


@every_fit
@pytest.mark.parametrize("labels", [2, 5])
def test_a_rule_undoes_what_made_the_scores_too_sure(fit: Fit, labels: int) -> None:
    scores, truth, names = too_sure(4000, labels, 5)
    fresh, fresh_truth, _ = too_sure(4000, labels, 5, seed=1)
    rule = fit(scores, truth, names).rule
    best = log_loss(Temperature(5.0), fresh, fresh_truth, names)
    assert (
        log_loss(rule, fresh, fresh_truth, names) < best + 0.03 < log_loss(Temperature(1.0), fresh, fresh_truth, names)
    )


def test_a_temperature_finds_how_much_too_sure_the_scores_are() -> None:
    scores, truth, labels = too_sure(8_000, 3, 5)
    rule = fit_temperature(scores, truth, labels).rule
    assert rule.power == 1
    assert rule.value == pytest.approx(5, rel=0.05)


def test_a_temperature_finds_that_evidence_repeats_itself() -> None:
    honest, truth, labels = too_sure(8_000, 2, 1)
    behind = honest.max(axis=1, keepdims=True) - honest
    rule = fit_temperature(-(behind**2), truth, labels).rule
    assert rule.power == 0.5
    assert rule.value == pytest.approx(1, rel=0.05)


def test_documents_in_many_pieces_give_the_same_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    scores, truth, labels = too_sure(100, 3, 3)
    whole = [numbers_of(fit(scores, truth, labels).rule) for fit in FITS]
    monkeypatch.setattr("likelier._evaluate.calibrate.scaling.AT_ONCE", 7)
    monkeypatch.setattr("likelier._evaluate.calibrate.calibration_set.AT_ONCE", 7)
    for fit, numbers in zip(FITS, whole, strict=True):
        assert numbers_of(fit(scores, truth, labels).rule) == pytest.approx(numbers, rel=1e-8, abs=1e-9)


def test_a_calibration_set_has_an_order_of_its_own() -> None:
    scores, truth, labels = too_sure(50, 3, 3)
    one, two = calibration_set(scores, truth, labels), calibration_set(scores[::-1], truth[::-1], labels)
    assert isinstance(one, CalibrationSet)
    assert (one.behind == two.behind).all()


def test_the_derivatives_of_the_loss_are_those_of_small_steps() -> None:
    scores, truth, labels = too_sure(50, 3, 2)
    scores[3, (truth[3] + 1) % 3] = -np.inf
    loss = CalibrationLoss(calibration_set(scores, truth, labels), 0.5)
    place, size = np.array([0.7, 0.3, -0.2, 0.1]), 1e-5
    here = loss.derivatives(place[0], place[1:])
    assert here.value == pytest.approx(loss.value(place[0], place[1:]), rel=1e-12)
    for number in range(4):
        step = size * np.eye(4)[number]
        up, down = (loss.derivatives(at[0], at[1:]) for at in (place + step, place - step))
        assert here.gradient[number] == pytest.approx((up.value - down.value) / (2 * size), rel=1e-6, abs=1e-6)
        np.testing.assert_allclose(
            here.hessian[number], (up.gradient - down.gradient) / (2 * size), rtol=1e-5, atol=1e-5
        )
    alone = loss.derivatives(0.7, np.zeros(3))
    assert loss.along_weight(0.7) == pytest.approx((alone.gradient[0], alone.hessian[0, 0]), rel=1e-12)

"""Choosing a calibration: by documents that a rule was not fitted to, the simpler where it is as good."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import log_softmax

from likelier._answer.calibration import NoCalibration, Platt, Temperature
from likelier._answer.isotonic import Isotonic
from likelier._base.errors import InputError, SettingError
from likelier._evaluate.calibrate.choose import KINDS, choose
from likelier._evaluate.calibrate.isotonic_regression import fit_isotonic, fit_top_label
from likelier._evaluate.calibrate.scaling import fit_platt, fit_temperature

Floats = NDArray[np.float64]
Columns = NDArray[np.intp]
LABELS = ["ham", "spam"]


def drawn(log_odds: Floats, *, seed: int) -> Columns:
    """Labels that come true as often as these log odds say."""
    return (np.random.default_rng(seed).random(len(log_odds)) < 1 / (1 + np.exp(-log_odds))).astype(np.intp)


def as_scores(log_odds: Floats) -> Floats:
    return np.stack([np.zeros(len(log_odds)), log_odds], axis=1)


def spread(documents: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(0, 3, documents)


def calibration_error(probabilities: Floats, truth: Columns) -> float:
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    which = np.minimum((sure * 15).astype(int), 14)
    return sum(abs((sure - right)[which == place].sum()) for place in range(15)) / len(truth)


def test_scores_that_are_too_sure_get_a_temperature() -> None:
    honest = spread(5000)
    rule = choose(as_scores(honest * 4), drawn(honest, seed=1), LABELS).rule
    assert isinstance(rule, Temperature)
    assert (rule.value, rule.power) == (pytest.approx(4, rel=0.1), 1)


def test_scores_that_lean_to_one_label_get_platts_rule() -> None:
    honest = spread(5000)
    chosen = choose(as_scores(honest * 4 + 9), drawn(honest, seed=1), LABELS)
    assert isinstance(chosen.rule, Platt)


def test_scores_of_a_stranger_shape_get_isotonic_maps() -> None:
    odds = spread(5000)
    steps = np.where(np.abs(odds) < 3, -0.5, np.sign(odds) * 3)
    chosen = choose(as_scores(odds), drawn(steps, seed=1), LABELS)
    assert isinstance(chosen.rule, Isotonic)


def test_honest_scores_that_no_rule_makes_better_stay_as_they_are() -> None:
    honest = spread(300)
    found = [choose(as_scores(honest), drawn(honest, seed=seed), LABELS) for seed in range(20)]
    kept = [chosen for chosen in found if isinstance(chosen.rule, NoCalibration)]
    assert kept
    assert all(chosen.tried[0].behind == 0 for chosen in kept)


def test_isotonic_does_not_win_by_learning_few_documents_by_heart() -> None:
    honest = spread(60)
    scores, truth = as_scores(honest * 4), drawn(honest, seed=1)
    chosen = choose(scores, truth, LABELS)
    by_heart = fit_isotonic(scores, truth, LABELS).rule
    own = -np.log(by_heart.apply(scores, LABELS)[np.arange(60), truth]).mean()
    losses = {tried.kind: tried.log_loss for tried in chosen.tried}
    assert own < losses["temperature"] < losses["isotonic"]
    assert isinstance(chosen.rule, Temperature)


def test_the_rules_are_fitted_to_all_documents() -> None:
    honest = spread(500)
    scores, truth = as_scores(honest * 4), drawn(honest, seed=1)
    chosen = choose(scores, truth, LABELS)
    assert [tried.kind for tried in chosen.tried] == list(KINDS)
    assert [tried.rule for tried in chosen.tried] == [
        NoCalibration(),
        *(fit(scores, truth, LABELS).rule for fit in (fit_temperature, fit_platt, fit_top_label, fit_isotonic)),
    ]
    assert (chosen.documents, chosen.judged, chosen.left_out) == (500, 500, 0)


def test_the_loss_of_no_calibration_is_that_of_the_posterior() -> None:
    honest = spread(500)
    scores, truth = as_scores(honest), drawn(honest, seed=1)
    expected = -log_softmax(scores, axis=1)[np.arange(500), truth].mean()
    assert choose(scores, truth, LABELS).tried[0].log_loss == pytest.approx(expected, rel=1e-9)


def test_probabilities_too_small_for_a_float_have_a_finite_loss() -> None:
    truth = np.arange(100) % 2
    log_odds = np.where(truth == 1, 5000.0, -5000.0)
    log_odds[:4] *= -1
    none = choose(as_scores(log_odds), truth, LABELS).tried[0]
    assert none.log_loss == pytest.approx(5000 * 4 / 100)


def test_the_best_is_behind_by_nothing() -> None:
    honest = spread(500)
    chosen = choose(as_scores(honest * 4), drawn(honest, seed=1), LABELS)
    best = min(chosen.tried, key=lambda tried: tried.log_loss)
    assert (best.behind, best.behind_error) == (0, 0)
    for tried in chosen.tried:
        assert tried.behind == pytest.approx(tried.log_loss - best.log_loss, abs=1e-12)


def test_the_same_documents_in_another_order_give_the_same_choice_to_the_last_bit() -> None:
    honest = spread(400)
    scores, truth = as_scores(honest * 4), drawn(honest, seed=1)
    order = np.random.default_rng(5).permutation(400)
    assert choose(scores[order], truth[order], LABELS) == choose(scores, truth, LABELS)


def test_another_seed_deals_the_documents_in_another_way() -> None:
    honest = spread(400)
    scores, truth = as_scores(honest * 4), drawn(honest, seed=1)
    one, two = choose(scores, truth, LABELS), choose(scores, truth, LABELS, seed=1)
    assert one.tried[0].log_loss == two.tried[0].log_loss
    assert one.tried[3].log_loss != two.tried[3].log_loss


def test_of_very_many_documents_a_sample_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likelier._evaluate.calibrate.choose.ENOUGH_TO_JUDGE", 500)
    honest = spread(1000)
    chosen = choose(as_scores(honest * 4), drawn(honest, seed=1), LABELS)
    assert (chosen.documents, chosen.judged) == (1000, 250)


def test_very_many_documents_give_the_power_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likelier._evaluate.calibrate.scaling.ENOUGH_FOR_POWER", 5000)
    honest = spread(20_000)
    rule = fit_temperature(as_scores(honest * 4), drawn(honest, seed=1), LABELS).rule
    assert (rule.value, rule.power) == (pytest.approx(4, rel=0.05), 1)


def test_a_label_with_a_single_document_is_no_obstacle() -> None:
    honest = spread(100)
    scores = np.hstack([as_scores(honest * 4), np.full((100, 1), -20.0)])
    truth = drawn(honest, seed=1)
    truth[0] = 2
    chosen = choose(scores, truth, [*LABELS, "rare"])
    assert np.isfinite([tried.log_loss for tried in chosen.tried]).all()


def test_what_was_tried_can_be_printed() -> None:
    honest = spread(5000)
    lines = str(choose(as_scores(honest * 4), drawn(honest, seed=1), LABELS)).splitlines()
    assert len(lines) == 6
    assert [line[2:] for line in lines if line.startswith("→")] == [lines[2][2:]]
    assert "temperature" in lines[2]


def test_the_calibration_error_on_fresh_documents_is_a_third_at_most() -> None:
    """Naive Bayes on words that come in pairs: every word says the same twice."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 4000)
    words = random.random((4000, 12)) < np.where(truth[:, np.newaxis] == 1, 0.6, 0.4)
    log_odds = 2 * np.where(words, np.log(0.6 / 0.4), np.log(0.4 / 0.6)).sum(axis=1)
    scores = as_scores(log_odds)
    rule = choose(scores[:2000], truth[:2000], LABELS).rule
    before = calibration_error(NoCalibration().apply(scores[2000:], LABELS), truth[2000:])
    after = calibration_error(rule.apply(scores[2000:], LABELS), truth[2000:])
    assert before > 0.08
    assert after < before / 3


@pytest.mark.parametrize("folds", [1, 21, 2.0, True, "5", None])
def test_folds_are_from_2_to_20(folds: Any) -> None:
    with pytest.raises(SettingError, match="`folds` must be an integer from 2 to 20") as caught:
        choose(np.zeros((30, 2)), np.arange(30) % 2, LABELS, folds=folds)
    assert caught.value.code == "calibration-folds-range"


def test_too_few_documents_are_refused() -> None:
    with pytest.raises(InputError, match="at least 20 documents"):
        choose(np.zeros((19, 2)), np.arange(19) % 2, LABELS)

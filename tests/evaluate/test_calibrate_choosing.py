"""Choosing a calibration: by documents that it was not fitted to; none if that is no worse, or the present one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import log_softmax

import likelier as lk
from likelier._answer.calibration import Calibration, Discount, NoCalibration, Platt, Temperature
from likelier._answer.scores import Scores
from likelier._base.errors import InputError, SettingError
from likelier._evaluate.calibrate.choose import CalibrationChoice, choose
from likelier._evaluate.calibrate.discount import fit_discount

Floats = NDArray[np.float64]
Columns = NDArray[np.intp]
LABELS = ["ham", "spam"]
NONE = NoCalibration()


def drawn(log_odds: Floats, *, seed: int = 1) -> Columns:
    """Labels that come true as often as these log odds say."""
    return (np.random.default_rng(seed).random(len(log_odds)) < 1 / (1 + np.exp(-log_odds))).astype(np.intp)


def as_scores(log_odds: Floats) -> Floats:
    return np.stack([np.zeros(len(log_odds)), log_odds], axis=1)


def spread(documents: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(0, 3, documents)


def chosen(
    scores: Floats,
    truth: Columns,
    *,
    current: Calibration = NONE,
    known: Columns | None = None,
    labels: list[str] = LABELS,
    prior: Floats | None = None,
    **options: Any,
) -> CalibrationChoice:
    numbers = np.full(len(truth), 16) if known is None else known
    log_prior = np.log(np.full(len(labels), 1 / len(labels))) if prior is None else np.log(prior)
    every = np.repeat(log_prior[np.newaxis], len(truth), axis=0)
    found = Scores(scores, numbers, np.zeros((len(truth), 1), dtype=np.uint32), every)
    return choose(found, truth, labels, current=current, **options)


def calibration_error(probabilities: Floats, truth: Columns) -> float:
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    which = np.minimum((sure * 15).astype(int), 14)
    return sum(abs((sure - right)[which == place].sum()) for place in range(15)) / len(truth)


def test_scores_that_are_too_sure_get_a_discount() -> None:
    honest = spread(5000)
    found = chosen(as_scores(honest * 4), drawn(honest))
    assert [tried.kind for tried in found.tried] == ["none", "discount"]
    assert found.rule is found.tried[1].rule
    assert isinstance(found.rule, Discount)
    assert found.rule.factors(16)[0] == pytest.approx(1 / 4, rel=0.1)


def test_honest_scores_that_no_rule_makes_better_stay_as_they_are() -> None:
    honest = spread(300)
    found = [chosen(as_scores(honest), drawn(honest, seed=seed)) for seed in range(20)]
    kept = [each for each in found if each.rule == NONE]
    assert len(kept) > 5
    assert all(each.tried[0].behind == 0 for each in kept)


def test_the_rule_is_fitted_to_all_documents() -> None:
    honest = spread(500)
    scores, truth = as_scores(honest * 4), drawn(honest)
    found = chosen(scores, truth)
    fitted = fit_discount(scores, truth, np.full(500, 16))
    assert fitted is not None
    assert isinstance(found.rule, Discount)
    assert (found.rule.weight, found.rule.power) == pytest.approx((fitted.weight, fitted.power), rel=1e-6)
    assert (found.documents, found.judged, found.left_out) == (500, 500, 0)


# ---- the rule that the view has now ----------------------------------------------------------------------------------


def test_offsets_are_kept_and_fitted_with() -> None:
    """Half of the documents are ham, the prior says nine of ten: the offsets take it back."""
    honest, prior = spread(2000), np.array([0.9, 0.1])
    scores, truth = as_scores(honest * 4) + np.log(prior), drawn(honest)
    current = Discount(2, -0.5, 4, dict(zip(LABELS, -np.log(prior), strict=True)))
    found = chosen(scores, truth, current=current, prior=prior)
    assert [tried.kind for tried in found.tried] == ["none", "current", "discount"]
    assert isinstance(found.rule, Discount)
    assert found.rule is found.tried[2].rule
    assert found.rule.offsets == current.offsets
    assert found.rule.factors(16)[0] == pytest.approx(1 / 4, rel=0.1)
    asked = {"log_prior": np.log(prior), "known": np.full(2000, 16)}
    after, before = (rule.apply(scores, LABELS, **asked).argmax(axis=1) for rule in (found.rule, current))
    assert (after == before).all()


def test_a_rule_that_is_as_good_stays() -> None:
    honest = spread(2000)
    scores, truth = as_scores(honest * 4), drawn(honest)
    first = chosen(scores, truth).rule
    again = chosen(scores, truth, current=first)
    assert again.rule is first
    assert [tried.name for tried in again.tried][1] == f"{first.name} (current)"


def test_a_rule_that_is_no_longer_good_is_replaced() -> None:
    honest = spread(2000)
    found = chosen(as_scores(honest * 4), drawn(honest), current=Discount(4, 0, 4))
    assert found.rule is found.tried[2].rule


@pytest.mark.parametrize("old", [Temperature(4.0), Platt(0.25, {"ham": 0.0, "spam": 0.0})])
def test_a_rule_of_an_older_file_gives_way_to_a_discount_that_is_as_good(old: Calibration) -> None:
    honest = spread(2000)
    found = chosen(as_scores(honest * 4), drawn(honest), current=old)
    assert [tried.kind for tried in found.tried] == ["none", "discount", "current"]
    assert isinstance(found.rule, Discount)
    assert found.rule.offsets == {}


def test_a_rule_of_an_older_file_stays_if_it_is_better() -> None:
    honest = spread(5000)
    old = Platt(0.25, {"ham": 0.0, "spam": -9 / 4})
    assert chosen(as_scores(honest * 4 + 9), drawn(honest), current=old).rule is old


def test_a_default_model_keeps_its_labels() -> None:
    """Where a uniform prior was chosen, the offsets of the rule are minus log of the shares."""
    pairs = [(f"goat wolf w{place % 7}", "ham") for place in range(60)]
    pairs += [(f"seven wolf w{place % 5}", "spam") for place in range(20)]
    model = lk.train(pairs, view="textbook")
    offsets = {"ham": -np.log(0.75), "spam": -np.log(0.25)}
    model.set_view(calibration=Discount(5, 0, 2, offsets))
    evaluation = model.evaluate(pairs)
    for tried in evaluation.calibration().tried[1:]:
        assert isinstance(tried.rule, Discount)
        assert tried.rule.offsets == offsets
        after = evaluation.under(calibration=tried.rule)
        assert after.verdicts.columns.tolist() == evaluation.verdicts.columns.tolist()


# ---- how they are compared -------------------------------------------------------------------------------------------


def test_the_loss_of_no_calibration_is_that_of_the_posterior() -> None:
    honest = spread(500)
    scores, truth = as_scores(honest), drawn(honest)
    expected = -log_softmax(scores, axis=1)[np.arange(500), truth].mean()
    assert chosen(scores, truth).tried[0].log_loss == pytest.approx(expected, rel=1e-9)


def test_the_loss_of_the_rule_of_now_is_that_of_its_verdicts() -> None:
    pairs = [(f"goat w{place % 7}", "ham") for place in range(30)]
    pairs += [(f"seven goat w{place % 5}", "spam") for place in range(30)]
    evaluation = lk.train(pairs, view="textbook").evaluate(pairs).under(calibration=Discount(0.5, 0, 4, {"ham": 0.3}))
    tried = {each.kind: each.log_loss for each in evaluation.calibration().tried}
    assert tried["current"] == pytest.approx(evaluation.figures.log_loss.loss, rel=1e-9)


def test_probabilities_too_small_for_a_float_have_a_finite_loss() -> None:
    truth = np.arange(100) % 2
    log_odds = np.where(truth == 1, 5000.0, -5000.0)
    log_odds[:4] *= -1
    assert chosen(as_scores(log_odds), truth).tried[0].log_loss == pytest.approx(5000 * 4 / 100)


def test_the_best_is_behind_by_nothing() -> None:
    honest = spread(500)
    found = chosen(as_scores(honest * 4), drawn(honest), current=Discount(3, 0, 4))
    best = min(found.tried, key=lambda tried: tried.log_loss)
    assert (best.behind, best.behind_error) == (0, 0)
    for tried in found.tried:
        assert tried.behind == pytest.approx(tried.log_loss - best.log_loss, abs=1e-12)


def test_the_same_documents_in_another_order_give_the_same_choice_to_the_last_bit() -> None:
    honest = spread(400)
    scores, truth, known = as_scores(honest * 4), drawn(honest), np.arange(400) % 30 + 1
    order = np.random.default_rng(5).permutation(400)
    assert chosen(scores[order], truth[order], known=known[order]) == chosen(scores, truth, known=known)


def test_another_seed_gives_other_folds() -> None:
    honest = spread(400)
    scores, truth = as_scores(honest * 4), drawn(honest)
    one, two = chosen(scores, truth), chosen(scores, truth, seed=1)
    assert one.tried[0].log_loss == two.tried[0].log_loss
    assert one.tried[1].log_loss != two.tried[1].log_loss


def test_of_very_many_documents_a_sample_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likelier._evaluate.calibrate.choose.ENOUGH", 500)
    honest = spread(1000)
    found = chosen(as_scores(honest * 4), drawn(honest))
    assert (found.documents, found.judged) == (1000, 250)


def test_a_label_with_a_single_document_is_no_obstacle() -> None:
    honest = spread(100)
    scores = np.hstack([as_scores(honest * 4), np.full((100, 1), -20.0)])
    truth = drawn(honest)
    truth[0] = 2
    found = chosen(scores, truth, labels=[*LABELS, "rare"])
    assert np.isfinite([tried.log_loss for tried in found.tried]).all()


def test_what_was_tried_can_be_printed() -> None:
    honest = spread(5000)
    current = Discount(4, 0, 4)
    lines = str(chosen(as_scores(honest * 4), drawn(honest), current=current)).splitlines()
    assert len(lines) == 4
    assert [line[2:] for line in lines if line.startswith("→")] == [lines[3][2:]]
    assert lines[2].endswith("discount, weight 4 (current)")


def test_the_calibration_error_on_fresh_documents_is_a_third_at_most() -> None:
    """Naive Bayes on words that come in pairs: every word says the same twice."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 4000)
    words = random.random((4000, 12)) < np.where(truth[:, np.newaxis] == 1, 0.6, 0.4)
    log_odds = 2 * np.where(words, np.log(0.6 / 0.4), np.log(0.4 / 0.6)).sum(axis=1)
    scores, known = as_scores(log_odds), np.full(2000, 16)
    rule = chosen(scores[:2000], truth[:2000]).rule
    before = calibration_error(NONE.apply(scores[2000:], LABELS), truth[2000:])
    after = calibration_error(rule.apply(scores[2000:], LABELS, known=known), truth[2000:])
    assert before > 0.08
    assert after < before / 3


# ---- what cannot be used ---------------------------------------------------------------------------------------------


def test_documents_that_cannot_be_used_are_left_out_and_counted() -> None:
    honest = spread(100)
    scores, truth = as_scores(honest * 4), drawn(honest)
    more = np.array([[0.0, 1.0], [-np.inf, 0.0], [-np.inf, -np.inf], [0.0, 1.0], [0.0, 1.0]])
    found = chosen(
        np.vstack([more, scores]),
        np.concatenate([[-1, 0, 1, 1, 1], truth]),
        weights=np.array([1, 1, 1, 0, 1] + [1] * 100, dtype=np.float64),
        known=np.array([16, 16, 16, 16, 0] + [16] * 100),
    )
    assert (found.documents, found.left_out) == (100, 5)
    assert replace(found, left_out=0) == chosen(scores, truth, weights=np.ones(100))


@pytest.mark.parametrize("folds", [1, 21, 2.0, True, "5", None])
def test_folds_are_from_2_to_20(folds: Any) -> None:
    with pytest.raises(SettingError, match="`folds` must be an integer from 2 to 20") as caught:
        chosen(np.zeros((30, 2)), np.arange(30) % 2, folds=folds)
    assert caught.value.code == "calibration-folds-range"


@pytest.mark.parametrize("folds", [2, 20])
def test_twenty_documents_are_enough(folds: int) -> None:
    found = chosen(as_scores(spread(20)), np.arange(20) % 2, folds=folds)
    assert np.isfinite([tried.log_loss for tried in found.tried]).all()


@pytest.mark.parametrize("documents", [0, 19])
def test_too_few_documents_are_refused(documents: int) -> None:
    truth = np.concatenate([np.arange(documents) % 2, [-1] * 6]).astype(np.intp)
    refused = f"at least 20 documents .* got {documents}, and 6 that cannot be used"
    with pytest.raises(InputError, match=refused) as caught:
        chosen(np.zeros((documents + 6, 2)), truth)
    assert caught.value.code == "calibration-too-few"


def test_documents_of_one_label_are_refused() -> None:
    with pytest.raises(InputError, match="at least two labels, got 30 documents that all have 'spam'") as caught:
        chosen(np.zeros((30, 2)), np.ones(30, dtype=np.intp))
    assert caught.value.code == "calibration-one-label"

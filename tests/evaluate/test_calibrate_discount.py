"""Fitting a discount: the least loss, finite where data say too little, the same in any order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from likelier._answer.calibration import Discount
from likelier._evaluate.calibrate.discount import FEWEST, fit_discount

Floats = NDArray[np.float64]
Columns = NDArray[np.intp]
few = settings(max_examples=25, deadline=None)


def too_sure(documents: int, labels: int, times: float, *, seed: int = 0) -> tuple[Floats, Columns, Columns]:
    """Scores that are `times` the true log odds, and for texts of n terms the root of n/16 times that."""
    random = np.random.default_rng(seed)
    honest = log_softmax(random.normal(0, 2, (documents, labels)), axis=1)
    truth = (random.random((documents, 1)) > np.exp(honest).cumsum(axis=1)[:, :-1]).sum(axis=1)
    known = random.integers(4, 65, documents)
    return honest * times * np.sqrt(known / 16)[:, np.newaxis], truth, known


def fitted(scores: Floats, truth: Columns, known: Columns, weights: Floats | None = None) -> Discount:
    rule = fit_discount(scores, truth, known, weights)
    assert rule is not None
    return rule


def names(scores: Floats) -> list[str]:
    return [f"label {column}" for column in range(scores.shape[1])]


def numbers_of(rule: Discount) -> list[float]:
    return [rule.weight, rule.power, rule.least, rule.bend]


def log_loss(rule: Discount, scores: Floats, truth: Columns, known: Columns) -> float:
    found = log_softmax(rule.calibrated(scores, names(scores), known=known), axis=1)
    return float(-found[np.arange(len(truth)), truth].mean())


def test_no_other_numbers_have_a_lower_loss() -> None:
    scores, truth, known = too_sure(3000, 4, 3)
    rule = fitted(scores, truth, known)
    long = known >= rule.least

    def loss(place: Floats) -> float:
        weight, power, bend = np.exp(place[0]), *np.clip(place[1:], [-1, 0.01], [0, 1])
        other = Discount(weight, power, rule.least, bend=bend)
        return log_loss(other, scores[long], truth[long], known[long])

    best = minimize(loss, [0.0, -0.3, 0.9], method="Nelder-Mead", options={"maxiter": 400})
    assert log_loss(rule, scores[long], truth[long], known[long]) == pytest.approx(best.fun, rel=1e-3)


@pytest.mark.parametrize("labels", [2, 5])
def test_a_discount_undoes_what_made_long_texts_too_sure(labels: int) -> None:
    rule = fitted(*too_sure(20_000, labels, 3))
    assert rule.power == pytest.approx(-0.5, abs=0.05)
    assert rule.factors(16)[0] == pytest.approx(1 / 3, rel=0.1)
    assert rule.bend == pytest.approx(1, abs=0.05)
    assert rule.offsets == {}


@few
@given(seed=st.integers(0, 10**6), labels=st.integers(2, 4))
def test_the_order_of_documents_does_not_matter(seed: int, labels: int) -> None:
    scores, truth, known = too_sure(60, labels, 3, seed=seed)
    order = np.random.default_rng(seed).permutation(60)
    one, two = fitted(scores, truth, known), fitted(scores[order], truth[order], known[order])
    assert numbers_of(one) == pytest.approx(numbers_of(two), rel=1e-6)


@pytest.mark.parametrize("labels", [2, 5])
def test_the_last_bits_of_exp_and_log_do_not_matter_to_the_last_bit(
    labels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They differ between processors."""
    given = [too_sure(documents, labels, 3, seed=documents) for documents in range(60, 90)]
    here = [fitted(*each) for each in given]
    random = np.random.default_rng(0)
    for name in ("exp", "log"):
        monkeypatch.setattr(np, name, on_another_processor(getattr(np, name), random))
    assert [fitted(*each) for each in given] == here


def on_another_processor(function: Any, random: np.random.Generator) -> Callable[[Any], Any]:
    def other(values: Any) -> Any:
        found = function(values)
        return np.where(np.isfinite(found), found * (1 + random.integers(-2, 3, np.shape(found)) * 2.0**-53), found)

    return other


def test_a_document_of_weight_2_is_the_document_twice() -> None:
    scores, truth, known = too_sure(60, 3, 3)
    known[:] = np.where(known > 30, 40, 10)  # so that the shortest are the same
    times = np.random.default_rng(0).integers(1, 4, 60)
    twice = fitted(np.repeat(scores, times, axis=0), np.repeat(truth, times), np.repeat(known, times))
    weighted = fitted(scores, truth, known, times.astype(np.float64))
    assert numbers_of(weighted) == pytest.approx(numbers_of(twice), rel=1e-6)


def test_scores_that_differ_by_a_constant_in_each_document_give_the_same_rule() -> None:
    scores, truth, known = too_sure(200, 3, 3)
    scores = np.round(scores * 8) / 8
    assert fitted(scores - np.arange(200.0)[:, np.newaxis], truth, known) == fitted(scores, truth, known)


def test_documents_that_are_all_judged_rightly_do_not_make_a_rule_infinitely_sure() -> None:
    truth = np.arange(40) % 2
    scores = np.where(truth[:, np.newaxis] == [0, 1], 0.0, -50.0)
    found = fitted(scores, truth, np.full(40, 9)).apply(scores, ["a", "b"], known=np.full(40, 9))
    assert found.max(axis=1) == pytest.approx(40 / 41, abs=1e-3)


def test_scores_that_say_the_contrary_are_not_believed() -> None:
    scores, truth, known = too_sure(400, 2, 3)
    found = fitted(-scores, truth, known).apply(-scores, ["a", "b"], known=known)
    assert found == pytest.approx(0.5, abs=0.01)


@few
@given(seed=st.integers(0, 10**6), size=st.sampled_from([1e-6, 1.0, 1e6, 1e300]))
def test_every_size_of_scores_and_impossible_labels_give_finite_rules(seed: int, size: float) -> None:
    scores, truth, known = too_sure(50, 3, 1, seed=seed)
    scores = scores * size
    scores[np.random.default_rng(seed).random(scores.shape) < 0.2] = -np.inf
    rule = fitted(scores, truth, known)
    assert np.isfinite(numbers_of(rule)).all()
    sums = rule.apply(scores, names(scores), known=known).sum(axis=1)
    np.testing.assert_allclose(sums, np.isfinite(scores).any(axis=1), rtol=1e-12)


def test_documents_that_say_nothing_are_not_fitted_to() -> None:
    scores, truth, known = too_sure(100, 3, 3)
    more = np.array([[0.0, 1.0, 2.0], [-np.inf, 0.0, 0.0], [0.0, 1.0, 2.0]])
    rule = fitted(
        np.vstack([more, scores]),
        np.concatenate([[0, 0, 2], truth]),
        np.concatenate([[0, 9, 9], known]),
        np.concatenate([[1.0, 1.0, 0.0], np.ones(100)]),
    )
    assert rule == fitted(scores, truth, known)


def test_there_is_no_rule_for_too_few_documents() -> None:
    scores, truth, known = too_sure(FEWEST - 1, 2, 3)
    assert fit_discount(scores, truth, known) is None
    assert fit_discount(*too_sure(50, 2, 3)[:2], np.zeros(50)) is None

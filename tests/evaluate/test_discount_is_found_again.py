"""Fitting a discount: the weight, power and bend that made the labels are found again, and nothing is ever infinite."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp

from likelier._answer.calibration import Discount
from likelier._evaluate.calibrate.discount import FEWEST, HIGHEST, LOWEST, STIFF, USUAL_POWER, fit_discount

Floats = NDArray[np.float64]


def made_by(
    rule: Discount, documents: int, labels: int = 2, spread: float = 4.0, seed: int = 0
) -> tuple[Floats, Any, Any]:
    """Scores, labels that are drawn by the probabilities of the rule, and how many terms are known."""
    chance = np.random.default_rng(seed)
    known = np.exp(chance.uniform(np.log(5), np.log(500), documents)).astype(int)
    scores = chance.normal(0, spread, (documents, labels)) * np.sqrt(known)[:, np.newaxis] / 5
    probabilities = rule.apply(scores, [f"label {column}" for column in range(labels)], known=known)
    truth = (chance.random((documents, 1)) > probabilities.cumsum(axis=1)[:, :-1]).sum(axis=1)
    return scores, truth, known


def log_loss(rule: Discount, scores: Floats, truth: Any, known: Any) -> float:
    found = rule.apply(scores, list(range(scores.shape[1])), known=known)[np.arange(len(truth)), truth]
    return -float(np.log(np.maximum(found, 1e-300)).mean())


@pytest.mark.parametrize(("weight", "power"), [(1.0, 0.0), (0.3, 0.0), (2.0, -0.5), (4.0, -0.8), (3.0, -1.0)])
def test_the_weight_and_the_power_that_made_the_labels_are_found_again(weight: float, power: float) -> None:
    truth = Discount(weight, power, 5)
    found = fit_discount(*made_by(truth, 20_000))
    assert found is not None
    assert found.bend == 1
    assert found.power == pytest.approx(power, abs=0.06)
    for known in (10, 50, 300):
        assert found.factors(known)[0] == pytest.approx(truth.factors(known)[0], rel=0.1)


@pytest.mark.parametrize("bend", [0.4, 0.7, 1.0])
def test_the_bend_of_many_labels_is_found_again(bend: float) -> None:
    truth = Discount(3.0, -0.5, 5, bend=bend)
    found = fit_discount(*made_by(truth, 20_000, labels=12))
    assert found is not None
    assert found.bend == pytest.approx(bend, abs=0.05)
    assert found.power == pytest.approx(-0.5, abs=0.1)
    fresh = made_by(truth, 4000, labels=12, seed=1)
    assert log_loss(found, *fresh) == pytest.approx(log_loss(truth, *fresh), abs=0.005)


def test_two_labels_have_no_bend() -> None:
    found = fit_discount(*made_by(Discount(3.0, -0.5, 5, bend=0.4), 2000))
    assert found is not None
    assert found.bend == 1


def penalized(at: Any, scores: Floats, truth: Any, known: Any) -> float:
    """The sum that is made least, by its definition: one more document, shared out, is in second place."""
    log_weight, power, bend = at
    lengths = np.log(known) - np.log(known).mean()
    behind = scores.max(axis=1, keepdims=True) - scores
    values = -((np.exp(log_weight + power * lengths)[:, np.newaxis] * behind) ** bend)
    logs = values - logsumexp(values, axis=1, keepdims=True)
    rows = np.arange(len(truth))
    second = np.argsort(-scores, axis=1)[:, 1]
    loss = -logs[rows, truth].sum() - logs[rows, second].sum() / len(truth)
    return float(loss + STIFF * (power - USUAL_POWER) ** 2 + STIFF * (bend - 1) ** 2)


@pytest.mark.parametrize(("labels", "documents"), [(3, 60), (5, 500), (20, 300)])
def test_no_other_numbers_have_less_loss(labels: int, documents: int) -> None:
    scores, truth, known = made_by(Discount(2.0, -0.4, 5, bend=0.8), documents, labels=labels)
    known = np.maximum(known, int(np.quantile(known, 0.1)))  # so that none is left out as too short
    found = fit_discount(scores, truth, known)
    assert found is not None
    typical = float(np.log(known).mean())
    mine = penalized((np.log(found.weight) + found.power * typical, found.power, found.bend), scores, truth, known)
    bounds = list(zip(LOWEST, HIGHEST, strict=True))
    asked: Any = lambda at: penalized(at, scores, truth, known)  # noqa: E731
    best = min(
        minimize(asked, start, bounds=bounds, method="L-BFGS-B").fun
        for start in ([0.0, -0.5, 1.0], [-2.0, -0.2, 0.5], [-4.0, -0.8, 0.9])
    )
    assert mine <= best * (1 + 1e-4)


def test_it_is_finite_where_all_are_right() -> None:
    chance = np.random.default_rng(0)
    scores = np.column_stack([np.zeros(100), -chance.uniform(5, 50, 100)])
    found = fit_discount(scores, np.zeros(100, dtype=int), np.full(100, 20))
    assert found is not None
    sure = found.apply(scores, ["a", "b"], known=np.full(100, 20))[:, 0]
    assert 0.5 < sure.min() <= sure.max() < 1
    more = fit_discount(np.tile(scores, (20, 1)), np.zeros(2000, dtype=int), np.full(2000, 20))
    assert more is not None
    assert more.weight > found.weight  # the more documents are right, the surer it is


def test_it_is_finite_where_all_are_wrong() -> None:
    scores = np.tile([0.0, -10.0, -20.0], (100, 1))
    found = fit_discount(scores, np.full(100, 2), np.full(100, 20))
    assert found is not None
    assert found.apply(scores[:1], ["a", "b", "c"], known=[20])[0] == pytest.approx([1 / 3] * 3, abs=0.02)


def test_too_few_documents_have_no_rule() -> None:
    scores, truth, known = made_by(Discount(1, -0.5, 5), 100)
    assert fit_discount(scores[: FEWEST - 1], truth[: FEWEST - 1], known[: FEWEST - 1]) is None
    assert fit_discount(scores[:FEWEST], truth[:FEWEST], known[:FEWEST]) is not None
    unknown = np.where(np.arange(100) < FEWEST - 1, known, 0)
    assert fit_discount(scores, truth, unknown) is None
    impossible = np.where(np.arange(100)[:, np.newaxis] < FEWEST - 1, scores, -np.inf)
    assert fit_discount(impossible, truth, known) is None
    assert fit_discount(scores, truth, known, (np.arange(100) < FEWEST - 1).astype(float)) is None


def test_documents_without_a_known_term_and_of_weight_0_say_nothing() -> None:
    scores, truth, known = made_by(Discount(1, -0.5, 5), 300)
    some = np.arange(300) % 3 > 0
    expected = fit_discount(scores[some], truth[some], known[some])
    assert fit_discount(scores, truth, np.where(some, known, 0)) == expected
    assert fit_discount(scores, truth, known, some.astype(float)) == expected


def test_a_weight_of_2_is_the_same_document_twice() -> None:
    scores, truth, known = made_by(Discount(1, -0.5, 5), 200, labels=4)
    one = fit_discount(scores, truth, known, np.full(200, 2.0))
    two = fit_discount(np.repeat(scores, 2, axis=0), np.repeat(truth, 2), np.repeat(known, 2))
    assert one is not None
    assert two is not None
    assert [one.weight, one.power, one.bend] == pytest.approx([two.weight, two.power, two.bend], rel=0.01)


def test_what_is_the_same_for_all_labels_changes_nothing() -> None:
    scores, truth, known = made_by(Discount(1, -0.5, 5), 200, labels=4)
    one, other = fit_discount(scores, truth, known), fit_discount(scores - 1e5, truth, known)
    assert one is not None
    assert other is not None
    assert [one.weight, one.power, one.bend] == pytest.approx([other.weight, other.power, other.bend], rel=1e-3)


def test_the_rule_begins_where_all_but_the_shortest_documents_are() -> None:
    scores, truth, _ = made_by(Discount(1, -0.5, 5), 100)
    known = np.arange(1, 101)
    found = fit_discount(scores, truth, known)
    assert found is not None
    assert found.least == pytest.approx(np.quantile(known, 0.01))
    short = fit_discount(scores, truth, np.ones(100))
    assert short is not None
    assert short.least == 1


@given(
    st.integers(FEWEST, 40), st.integers(2, 6), st.sampled_from([0.0, 1e-9, 1e-3, 1.0, 1e3, 1e8]), st.integers(0, 10**6)
)
@settings(deadline=None, max_examples=100)
def test_there_is_a_rule_for_any_scores(documents: int, labels: int, spread: float, seed: int) -> None:
    chance = np.random.default_rng(seed)
    scores = chance.normal(0, spread, (documents, labels))
    truth, known = chance.integers(0, labels, documents), chance.integers(1, 1000, documents)
    scores[chance.random(scores.shape) < 0.1] = -np.inf
    scores[np.arange(documents), truth] = np.where(
        np.isneginf(scores[np.arange(documents), truth]), 0, scores[np.arange(documents), truth]
    )
    found = fit_discount(scores, truth, known)
    assert found is not None
    applied = found.apply(scores, list(range(labels)), known=known)
    assert applied.sum(axis=1) == pytest.approx(1)
    judged = known >= found.least
    uniform = np.log(np.isfinite(scores[judged]).sum(axis=1)).mean()
    loss = log_loss(found, scores[judged], truth[judged], known[judged])
    assert loss <= uniform + 0.25  # not much worse than saying nothing

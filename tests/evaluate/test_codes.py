"""What cannot be evaluated or calibrated is refused with its own code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier._answer.calibration import Discount, Platt, Temperature
from likelier._evaluate.figures.metrics import Figures

PAIRS = [("goat wolf", "ham"), ("goat", "ham"), ("wolf seven", "spam"), ("seven", "spam")]


def figures(**options: Any) -> Figures:
    given: dict[str, Any] = {
        "truth": np.array([0, 1, 1]),
        "decided": np.array([0, 1, -1]),
        "probabilities": np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]),
        "labels": ("ham", "spam"),
    }
    return Figures(**{**given, **options})


CASES = {
    "figures-shape": lambda: figures(probabilities=np.ones((3, 3))),
    "level-range": lambda: figures(level=1).accuracy,
    "beta-range": lambda: figures().per_label.one(0, beta=0),
    "reliability-bins": lambda: figures().reliability_in(bins=0),
    "label-errors-range": lambda: figures().label_errors(2),
    "cost-of-none-missing": lambda: figures().cost({"ham": {"spam": 1}, "spam": {"ham": 5}}),
    "threshold-target": lambda: figures().threshold("spam"),
    "threshold-target-range": lambda: figures().threshold("spam", false_positive_rate=2),
    "threshold-otherwise": lambda: figures().threshold("spam", false_positive_rate=0.5, otherwise="spam"),
    "chance-range": lambda: figures().compare(figures(), flips=1),
    "comparison-documents-differ": lambda: figures().compare(figures(truth=np.array([1, 1, 1]))),
    "temperature-range": lambda: Temperature(0),
    "calibration-power-range": lambda: Temperature(1.0, power=2),
    "platt-weight-range": lambda: Platt(-1, {}),
    "calibration-discount-range": lambda: Discount(1, 0.5, 1),
    "platt-offsets-range": lambda: Platt(1, {"ham": float("inf")}),
    "scores-range": lambda: Temperature(1.0).apply(np.array([[np.nan, 0.0]]), ["ham", "spam"]),
    "left-out-not-learnt": lambda: lk.train(PAIRS).evaluate([("wolf wolf wolf", "ham")]),
}


@pytest.mark.parametrize("code", CASES)
def test_each_has_its_code_message_and_hint(code: str) -> None:
    with pytest.raises(lk.LikelierError, match=r".") as caught:
        CASES[code]()
    assert caught.value.code == code
    assert caught.value.message
    assert caught.value.hint

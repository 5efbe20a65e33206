"""Compares the scores of columns with those of scikit-learn, to 1e-9."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.preprocessing import OrdinalEncoder

import likelier as lk


def scores(model: lk.Model, rows: list[dict[str, Any]], **settings: Any) -> NDArray[np.float64]:
    return model.textbook(**settings).classify_many(rows).log_scores


def named(rows: list[list[Any]]) -> list[dict[str, Any]]:
    return [{f"c{place}": value for place, value in enumerate(row)} for row in rows]


def check(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def as_categories(rows: list[list[str]], labels: list[str], alpha: float = 1) -> None:
    encoder = OrdinalEncoder()
    codes = encoder.fit_transform(rows)
    theirs = CategoricalNB(alpha=alpha, force_alpha=True).fit(codes, labels)
    model = lk.train(
        list(zip(named(rows), labels, strict=True)),
        categorical=list(named(rows)[0]),
        missing_values=[],
        view="textbook",
    )
    check(scores(model, named(rows), alpha=alpha), theirs.predict_joint_log_proba(codes))


def as_truths(rows: list[list[int]], labels: list[str], alpha: float = 1) -> None:
    theirs = BernoulliNB(alpha=alpha, force_alpha=True).fit(rows, labels)
    model = lk.train(list(zip(named(rows), labels, strict=True)), binary=list(named(rows)[0]), view="textbook")
    check(scores(model, named(rows), alpha=alpha), theirs.predict_joint_log_proba(rows))


def as_numbers(rows: list[list[float]], labels: list[str], weights: list[float] | None = None) -> None:
    theirs = GaussianNB(var_smoothing=0).fit(rows, labels, sample_weight=weights)
    pairs = list(zip(named(rows), labels, strict=True))
    model = lk.train(pairs, numeric=list(named(rows)[0]), weights=weights, view="textbook")
    check(scores(model, named(rows), numeric=lk.Gaussian(floor=1e-12)), theirs.predict_joint_log_proba(rows))

"""Leave-one-out equals brute force: training without each document, and asking about it under the same settings."""

from __future__ import annotations

from typing import Any

import numpy as np

import likelier as lk
from likelier.data.batch import Batch
from likelier.evaluate.leaving import leave_one_out
from likelier.model import Model
from likelier.scoring import Scores, score
from likelier.view import View


def brute_force(model: Model, view: View, batch: Batch, row: int) -> Scores:
    """The log scores of one document by a model of all others, for all labels of the whole model."""
    others = Model(schema=model.schema, ledger=False)
    others.count(batch.keep(np.delete(np.arange(len(batch)), row)), threads=1)
    mine = View.of(others.counts, model.schema, view.settings)
    few = bool(row % 2)
    if not few:
        others.counts.settle()
    found = score(mine.estimates, batch.keep(np.array([row])).columns, few=few, threads=1)
    values = np.full((1, len(view.labels)), -np.inf)
    values[:, [view.labels.index(label) for label in mine.labels]] = found.values
    return Scores(values, found.known, found.unknown)


def check(model: Model, batch: Batch, threads: int = 1, **view: Any) -> None:
    """Every score, and how many terms are known and unknown."""
    asked = model.view(**view)
    found = leave_one_out(asked, batch, threads)
    assert found.values.shape == (len(batch), len(model.labels))
    assert not np.isnan(found.values).any()
    for row in range(len(batch)):
        if len(set(batch.labels or [])) == len(batch) == 1:
            assert np.isneginf(found.values).all()
            continue
        expected = brute_force(model, asked, batch, row)
        np.testing.assert_allclose(found.values[row], expected.values[0], rtol=1e-12, atol=1e-13, err_msg=f"row {row}")
        assert found.known[row] == expected.known[0]
        assert found.unknown[row] == expected.unknown[0]


def of_texts(pairs: list[tuple[str, str]], weights: list[float] | None = None) -> tuple[Model, Batch]:
    batch = Batch.of_texts([text for text, _ in pairs], [label for _, label in pairs], weights)
    model = Model(analyzer=lk.Analyzer(), ledger=False)
    model.count(batch, threads=1)
    return model, batch

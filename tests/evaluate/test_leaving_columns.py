"""Leave-one-out of documents with columns equals brute force, for every kind of column."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import EVENTS, SMOOTHINGS, UNKNOWN, UNSMOOTHED, labels
from evaluate.test_leaving import brute_force, check, even_weights, fits
from likelier._base.errors import LearningError
from likelier._documents.batch import Batch
from likelier._evaluate.leaving.one_out import leave_one_out
from likelier._model.models import Model
from likelier._read.intake import labeled
from tables import BODY, COLUMNS, documents, rows

NUMERIC = [
    "gaussian",
    "gaussian:sample",
    "gaussian:0.5",
    "equal-width:3",
    "equal-width:10",
    "equal-frequency:2",
    "equal-frequency:5",
    "information",
    [0, 2, 50],
]
VIEWS = st.fixed_dictionaries(
    {
        "event": st.sampled_from(EVENTS),
        "smoothing": st.sampled_from(SMOOTHINGS + UNSMOOTHED),
        "unknown": st.sampled_from(UNKNOWN),
        "numeric": st.sampled_from(NUMERIC),
        "prior": st.sampled_from(["fitted", "uniform"]),
        "min_count": st.sampled_from([1, 2]),
    }
)


def of_rows(pairs: list[Any], weights: list[float] | None = None, **columns: Any) -> tuple[Model, Batch]:
    """A model of rows and the same rows as a batch."""
    model = lk.train(pairs, weights=weights, ledger=False, **columns)
    (batch,) = labeled(pairs, weights=weights, schema=model.schema)
    return model, batch


def check_view(model: Model, batch: Batch, view: dict[str, Any]) -> None:
    assume(fits(model, view) and not (view["event"] == "complement" and view["smoothing"] in UNSMOOTHED))
    check(model, batch, **view)


# ---- equal to brute force ----------------------------------------------------------------------------------------


@given(documents, VIEWS)
@settings(max_examples=150, deadline=None)
def test_rows_with_all_kinds_of_columns_equal_brute_force(pairs: list[Any], view: dict[str, Any]) -> None:
    check_view(*of_rows([(BODY, "ham"), *pairs], **COLUMNS), view)


@given(st.lists(st.tuples(rows, labels, even_weights), min_size=1, max_size=8), VIEWS)
@settings(max_examples=80, deadline=None)
def test_weighted_rows_equal_brute_force(triples: list[Any], view: dict[str, Any]) -> None:
    pairs = [(BODY, "ham"), *((row, label) for row, label, _ in triples)]
    check_view(*of_rows(pairs, [1, *(weight for *_, weight in triples)], **COLUMNS), view)


@given(documents, VIEWS, st.sampled_from([1, 2, 3]))
@settings(max_examples=80, deadline=None)
def test_declared_values_stay_and_rare_values_become_unknown(
    pairs: list[Any], view: dict[str, Any], least: float
) -> None:
    declared = COLUMNS | {"categorical": {"color": ["red", "green", "violet"]}}
    own = {"color": {"min_count": least}, "fever": {"min_count": least}}
    check_view(*of_rows([(BODY, "ham"), *pairs], **declared), view | {"columns": own})


@given(documents, VIEWS)
@settings(max_examples=60, deadline=None)
def test_bound_columns_equal_brute_force(pairs: list[Any], view: dict[str, Any]) -> None:
    model = lk.train([(BODY, "ham"), *pairs], bind=[("color", "fever")], ledger=False, **COLUMNS)
    (batch,) = labeled([(BODY, "ham"), *pairs], schema=model.schema)
    check_view(model, batch, view)


@given(documents, st.sampled_from(UNKNOWN))
@settings(max_examples=60, deadline=None)
def test_a_mapping_for_p_names_values_that_are_there(pairs: list[Any], unknown: Any) -> None:
    p = {"red": 0.4, "green": 0.2, "blue": 0.2, "ö & co": 0.1, "gray": 0.1}
    cuts = {"below 5": 0.25, "5 and more": 0.5, "never": 0.25}
    own = {
        "color": {"smoothing": lk.MEstimate(2, p=p), "unknown": unknown},
        "age": {"smoothing": lk.MEstimate(2, p=cuts), "numeric": [5]},
    }
    check(*of_rows([(BODY, "ham"), *pairs], **COLUMNS), columns=own)


# ---- numbers -----------------------------------------------------------------------------------------------------


def a_column(chance: random.Random, kind: str, size: int) -> list[Any]:
    """Rows with one number, which says something about the label."""
    number = {
        "whole": lambda place: chance.choice([None, *(chance.randint(0, 12) for _ in range(9))]),
        "float": lambda place: 1.5 * place + chance.randint(-300, 300) / 128,
        "blocks": lambda place: chance.randint(0, 3) + 10 * place + chance.choice([0, 40]),
        "near": lambda place: 1e9 + chance.randint(0, 9) / 128,
        "small": lambda place: chance.randint(-5, 5) * 1e-230,
        "equal": lambda place: 7,
    }[kind]
    places = [chance.randrange(3) for _ in range(size)]
    return [({"size": 1}, "l0"), *(({"size": number(place)}, f"l{place}") for place in places)]


@pytest.mark.parametrize("kind", ["whole", "float", "blocks", "near", "small", "equal"])
@given(st.randoms(use_true_random=False), st.sampled_from(NUMERIC), st.booleans())
@settings(max_examples=40, deadline=None)
def test_a_numeric_column_equals_brute_force(kind: str, chance: random.Random, rule: Any, weighted: bool) -> None:
    pairs = a_column(chance, kind, chance.randint(1, 50))[0 if kind == "whole" else 1 :]
    weights = [chance.choice([0.25, 1, 3]) for _ in pairs] if weighted else None
    check(*of_rows(pairs, weights, numeric=["size"]), numeric=rule, alpha=chance.choice([0, 1]))


@pytest.mark.parametrize("rule", ["equal-width:4", "equal-frequency:4", "information"])
def test_cut_points_are_those_without_the_document(rule: str) -> None:
    pairs = [
        ({"size": size}, "small" if size < 20 else "large") for size in (1, 2, 3, 4, 5, 19, 21, 40, 41, 42, 43, 90)
    ]
    model, batch = of_rows(pairs, numeric=["size"])
    found = check(model, batch, numeric=rule)
    cuts = tuple(model.view(numeric=rule).column("size").cuts)
    kept = leave_one_out(model.view(numeric=cuts), batch, 1)
    assert (found.values != kept.values).any()  # or the cut points would not have changed at all


def test_a_column_with_many_cuts_equals_brute_force() -> None:
    pairs = [({"size": 15 * block + each}, "ab"[block % 2]) for block in range(30) for each in range(15)]
    model, batch = of_rows(pairs, numeric=["size"])
    view = model.view(numeric="information")
    assert len(view.column("size").cuts) == 29
    found = leave_one_out(view, batch, 1)
    for row in range(0, len(pairs), 31):
        expected = brute_force(batch, row, view)
        assert expected is not None
        assert found.values[row] == pytest.approx(expected.values[0], rel=1e-12)


@pytest.mark.parametrize("rule", NUMERIC)
def test_some_documents_of_a_column_have_the_scores_they_have_among_all(rule: Any) -> None:
    pairs = [({"size": size}, label) for size, label in ((2, "a"), (4, "a"), (1, "a"), (1, "a"), (8, "b"), (0.3, "b"))]
    model, batch = of_rows(pairs, numeric=["size"])
    view, some = model.view(numeric=rule), np.array([0, 1])
    assert leave_one_out(view, batch.keep(some), 1).values.tolist() == leave_one_out(view, batch, 1).values[:2].tolist()


def test_a_label_with_one_number_has_the_variance_of_the_column_and_one_without_any_its_mean_too() -> None:
    pairs = [({"size": size}, label) for size, label in ((1, "a"), (3, "a"), (8, "b"), (9, "c"), (None, "c"))]
    found = check(*of_rows(pairs, numeric=["size"]))
    # Without 1: a has 3 alone, and the column 3, 8, 9 has mean 20/3 and variance 62/9.
    variance = 62 / 9
    density = -0.5 * np.log(2 * np.pi * variance) - (1 - 3) ** 2 / (2 * variance)
    assert found.values[0, 0] == pytest.approx(np.log(1 / 4) + density, rel=1e-13)
    # Without 9: c has a document and no number, and the column 1, 3, 8 has mean 4 and variance 26/3.
    density = -0.5 * np.log(2 * np.pi * 26 / 3) - (9 - 4) ** 2 / (2 * 26 / 3)
    assert found.values[3, 2] == pytest.approx(np.log(1 / 4) + density, rel=1e-13)


# ---- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["gaussian", "information", [5]])
@pytest.mark.parametrize(
    "other",
    [
        ({"size": 99}, "a"),
        ({"size": 8}, "a"),
        ({"color": "blue"}, "a"),
        ({"color": "red"}, "b"),
        ({"note": "x y"}, "b"),
    ],
    ids=["no such number", "a number of another label", "no such value", "a value of another label", "other terms"],
)
def test_rows_that_were_not_learned_cannot_be_left_out(rule: Any, other: Any) -> None:
    pairs = [
        ({"size": 1, "color": "red", "note": "x y"}, "a"),
        ({"size": 3, "color": "red", "note": "x"}, "a"),
        ({"size": 8, "color": "green", "note": "x"}, "b"),
    ]
    model = lk.train(pairs, numeric=["size"], categorical=["color"], text=["note"])
    (batch,) = labeled([pairs[0], other], schema=model.schema)
    with pytest.raises(LearningError, match="document 1 was not, or not with this label and weight"):
        leave_one_out(model.view(numeric=rule), batch, 1)

"""What holds for all documents: a weight is a number of copies, order does not matter, and nothing is ever NaN."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likelier._evaluate.figures.figures import Figures
from likelier._show.cells import width

approx = pytest.approx


@st.composite
def judged(draw: st.DrawFn, weighted: bool | None = None) -> Figures:
    """Any verdicts: with ties, certainty, impossible labels, unknown truths and documents without a label."""
    documents, labels = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    rows = st.lists(st.sampled_from([0, 0, 1, 2, 5, 100]), min_size=labels, max_size=labels)
    table = np.array(draw(st.lists(rows, min_size=documents, max_size=documents)), dtype=np.float64)
    probabilities = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    columns = st.lists(st.integers(-1, labels - 1), min_size=documents, max_size=documents)
    truth, decided = np.array(draw(columns), dtype=np.intp), np.array(draw(columns), dtype=np.intp)
    decided = np.where(decided == 0, np.where(probabilities.any(axis=1), probabilities.argmax(axis=1), -1), decided)
    weights = None
    if weighted if weighted is not None else draw(st.booleans()):
        given = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0]), min_size=documents, max_size=documents))
        weights = np.array(given)
        weights[draw(st.integers(0, documents - 1))] = 1.0
    return Figures(truth, decided, probabilities, tuple("abcd"[:labels]), weights)


def points(figures: Figures) -> dict[str, Any]:
    """All figures without the intervals, which know how many documents there are, and the number of documents."""
    plain = figures.to_dict()

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(inner) for key, inner in value.items() if key not in LEFT_OUT}
        return [without(inner) for inner in value] if isinstance(value, list) else value

    return without(plain)


LEFT_OUT = ("interval", "documents", "effective_documents")


def same(one: Any, two: Any) -> None:
    """Equal up to rounding, whatever is inside what."""
    if isinstance(one, dict):
        assert one.keys() == two.keys()
        one, two = list(one.values()), list(two.values())
    if isinstance(one, list):
        assert len(one) == len(two)
        for first, second in zip(one, two, strict=True):
            same(first, second)
    else:
        assert one == (approx(two, rel=1e-9, abs=1e-12) if isinstance(two, float) else two)


@given(judged(), st.data())
def test_a_weight_of_two_is_the_document_twice(figures: Figures, data: st.DataObject) -> None:
    times = np.array(data.draw(st.lists(st.sampled_from([0, 1, 2]), min_size=len(figures), max_size=len(figures))))
    times[np.flatnonzero(figures.weights is None or figures.weights > 0)[:1]] = 2
    base = np.ones(len(figures)) if figures.weights is None else figures.weights
    weighted = Figures(figures.truth, figures.decided, figures.probabilities, figures.labels, base * times)
    rows = np.repeat(np.arange(len(figures)), times)
    copied = Figures(
        figures.truth[rows], figures.decided[rows], figures.probabilities[rows], figures.labels, base[rows]
    )
    same(points(weighted), points(copied))


@given(judged(), st.randoms())
def test_the_order_of_documents_does_not_matter(figures: Figures, random: Any) -> None:
    order = list(range(len(figures)))
    random.shuffle(order)
    weights = None if figures.weights is None else figures.weights[order]
    other = Figures(figures.truth[order], figures.decided[order], figures.probabilities[order], figures.labels, weights)
    same(figures.to_dict(), other.to_dict())


@given(judged(), st.permutations(range(4)))
def test_the_order_of_labels_does_not_matter(figures: Figures, shuffled: list[int]) -> None:
    order = [place for place in shuffled if place < len(figures.labels)]
    place_of = np.array([*(order.index(place) for place in range(len(order))), -1])
    other = Figures(
        place_of[figures.truth],
        place_of[figures.decided],
        figures.probabilities[:, order],
        tuple(figures.labels[place] for place in order),
        figures.weights,
    )
    same(figures.to_dict()["accuracy"], other.to_dict()["accuracy"])
    same(figures.to_dict()["averages"], other.to_dict()["averages"])
    assert (figures.log_loss.loss, figures.brier) == approx((other.log_loss.loss, other.brier), rel=1e-9, abs=1e-12)
    for label in figures.labels:
        same(figures.area(label), other.area(label))
        same(figures.average_precision(label), other.average_precision(label))


@given(judged())
def test_every_value_is_plain_finite_json(figures: Figures) -> None:
    plain = figures.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


@given(judged())
def test_figures_are_within_their_bounds(figures: Figures) -> None:
    assert 0 <= figures.accuracy.interval.low <= figures.accuracy.share <= figures.accuracy.interval.high <= 1
    assert 0 <= figures.log_loss.loss <= -math.log(figures.log_loss.floor) * (1 + 1e-12)
    assert 0 <= figures.brier <= 2 + 1e-12
    for found in (figures.reliability, figures.reliability_by_mass):
        assert 0 <= found.expected_error <= found.maximum_error + 1e-12 <= 1 + 1e-9
    for label in figures.labels:
        assert figures.area(label) is None or 0 <= figures.area(label) <= 1
        assert figures.average_precision(label) is None or 0 <= figures.average_precision(label) <= 1


@given(judged())
def test_sums_agree(figures: Figures) -> None:
    matrix, labels = figures.confusion.matrix, figures.per_label
    assert matrix.sum() == approx(figures.accuracy.documents)
    assert matrix[:-1].sum(axis=1) == approx(labels.support)
    assert matrix[:, :-1].sum(axis=0) == approx(labels.decided)
    assert matrix.diagonal()[:-1] == approx(labels.right)
    assert labels.right.sum() == approx(figures.accuracy.right)
    assert matrix[:, -1].sum() == approx(figures.accuracy.without_label * figures.accuracy.documents)
    assert matrix[-1].sum() == approx(figures.accuracy.unknown * figures.accuracy.documents)


@given(judged())
def test_gains_end_with_everything(figures: Figures) -> None:
    for column, label in enumerate(figures.labels):
        tenths = figures.curves(label).gains
        assert bool(tenths) == bool(figures.per_label.support[column])
        if tenths:
            assert (tenths[-1].gain, tenths[-1].lift) == approx((1.0, 1.0))
            assert all(one.gain <= two.gain + 1e-12 for one, two in pairwise(tenths))


@given(judged())
def test_the_report_fits_a_terminal(figures: Figures) -> None:
    report = str(figures)
    assert max(map(width, report.splitlines())) <= 80
    assert "nan" not in report
    assert "inf" not in report


@given(judged(), judged())
@settings(max_examples=50)
def test_a_comparison_the_other_way_round_is_its_mirror(one: Figures, two: Figures) -> None:
    number = min(len(one), len(two))
    first, second = (
        Figures(one.truth[:number] * 0, each.decided[:number], each.probabilities[:number], each.labels)
        for each in (one, two)
    )
    there, back = first.compare(second, names=("A", "B")), second.compare(first, names=("B", "A"))
    assert there.better == back.better
    assert there.better_by_log_loss == back.better_by_log_loss
    for name in ("accuracy", "log_loss"):
        assert getattr(there, name).p == approx(getattr(back, name).p)
        assert getattr(there, name).difference == approx(-getattr(back, name).difference, abs=1e-12)
    assert there.first_only == back.second_only
    assert "nan" not in str(there)
    json.dumps(there.to_dict(), allow_nan=False)


@given(judged())
def test_rows_to_look_at_are_mistakes(figures: Figures) -> None:
    mistakes = figures.confident_mistakes().tolist()
    assert len(set(mistakes)) == len(mistakes)
    assert set(mistakes) == set(np.flatnonzero(~figures.right & (figures.decided >= 0)).tolist())
    sure = [figures.probabilities[row, figures.decided[row]] for row in mistakes]
    assert sure == sorted(sure, reverse=True)
    errors = figures.label_errors(0.6).tolist()
    assert set(errors) == {
        row for row in mistakes if figures.truth[row] >= 0 and figures.probabilities[row, figures.decided[row]] >= 0.6
    }

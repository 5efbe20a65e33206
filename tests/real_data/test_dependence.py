"""Dependence in real data."""

from __future__ import annotations

import pytest

from likelier import dependence
from real_tables import TABLES


def test_education_is_in_adult_twice():
    pair = dependence(TABLES / "adult.train.csv.gz").pairs[0]
    assert {pair.first, pair.second} == {"education", "education-num"}
    assert pair.shared == pytest.approx(1, abs=1e-6)


@pytest.mark.slow
def test_hong_kong_is_counted_twice_in_reuters():
    found = dependence(TABLES.parent / "text" / "reuters_single_raw.train.jsonl.gz")
    (pair,) = [pair for pair in found.pairs if {pair.first, pair.second} == {"hong", "kong"}]
    assert pair.side_by_side == 52
    assert pair.bind()["analyzer"].terms("Hong Kong") == ["hong_kong"]

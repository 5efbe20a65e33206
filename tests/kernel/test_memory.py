"""Weights that are remembered, numbers that are kept up, and sums that are rounded once."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likelier import Analyzer
from likelier._kernel import Gate, Memory, Table, find_all, rounded_sums, vocabulary_spread, vocabulary_sums

ANALYSIS = Analyzer().analysis
NONE = np.zeros(0, dtype=np.uint32)
GATE = Gate()


def table() -> Table:
    made = Table()
    made.count(["a b a", "b c"], np.array([0, 1], dtype=np.uint32), None, ANALYSIS, 1)
    return made


def test_what_is_missing_is_named_until_it_is_remembered():
    made, base = table(), np.array([0.5, 5.0])
    memory = Memory(made, 2, "count")
    ids = memory.score(made, "b x a a", ANALYSIS, base, None, GATE.reading)
    assert isinstance(ids, np.ndarray)
    assert made.texts(ids) == ["b", "a"]
    memory.put(ids, np.array([1, 1], dtype=np.uint8), np.array([[1.0, 10.0], [2.0, 20.0]]))
    found = memory.score(made, "b x a a", ANALYSIS, base, np.array([-1.0, -2.0]), GATE.reading)
    assert isinstance(found, tuple)
    assert (found[0].tolist(), *found[1:]) == ([4.5, 53.0], 3, 1, 1, 1.0, 1, 53.0, 4.5)
    assert len(memory) == 4


def test_nothing_is_answered_for_a_table_that_has_changed_or_a_gate_that_is_shut():
    made, base, gate = table(), np.zeros(2), Gate()
    memory = Memory(made, 2, "count")

    def score() -> object:
        return memory.score(made, "x", ANALYSIS, base, None, gate.reading)

    assert score() is not None
    with gate.writing, ThreadPoolExecutor(1) as other:
        assert other.submit(score).result() is None
        assert score() is not None
    made.put_documents(0, 1)
    assert score() is None


ONE, STATE, ROW = np.array([0], dtype=np.uint32), np.array([1], dtype=np.uint8), np.zeros((1, 2))


def memory_of(made: Table) -> Memory:
    return Memory(made, 2, "count")


@pytest.mark.parametrize(
    "fault",
    [
        lambda made: Memory(made, 0, "count"),
        lambda made: Memory(made, 2, "twice"),
        lambda made: memory_of(made).put(ONE, np.zeros(2, dtype=np.uint8), ROW),
        lambda made: memory_of(made).put(ONE, STATE, np.zeros((1, 3))),
        lambda made: memory_of(made).put(ONE + 99, STATE, ROW),
        lambda made: memory_of(made).score(made, "a", ANALYSIS, np.zeros(3), None, GATE.reading),
        lambda made: memory_of(made).score(made, "a", ANALYSIS, np.zeros(2), np.zeros(1), GATE.reading),
    ],
)
def test_what_does_not_fit_is_refused(fault):
    with pytest.raises(ValueError, match=r"column|scale|state|such an id"):
        fault(table())


def test_a_table_that_knows_nothing_of_a_statistic_or_a_spread_says_so():
    with pytest.raises(ValueError, match='a statistic is tf, df or weighted, not "idf"'):
        vocabulary_sums(table(), "idf", 1, None, NONE, [0, 1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='terms are spread by own, elsewhere or both, not "all"'):
        vocabulary_spread(table(), "tf", "all", 1, None, NONE, [0, 1])  # type: ignore[arg-type]


def test_terms_are_found_all_at_once():
    assert table().texts(find_all(table(), ["c", "yeti", "a"])) == ["c", "a"]


finite = st.floats(allow_nan=False, allow_infinity=False, max_value=1e300, min_value=-1e300)
numbers = st.lists(st.tuples(st.one_of(finite, st.floats(-20, 0)), st.integers(0, 2), st.integers(0, 40)), max_size=30)


@settings(deadline=None)
@given(numbers)
def test_sums_are_those_of_fsum(rows):
    rows = sorted(rows, key=lambda row: row[1])
    columns = [np.array([row[place] for row in rows], dtype) for place, dtype in enumerate(("f8", "u4", "u8"))]
    expected = [
        math.fsum(number for number, which, times in rows if which == place for _ in range(times)) for place in range(4)
    ]
    assert rounded_sums(*columns, 4).tolist() == expected


@pytest.mark.parametrize(
    ("values", "which", "times"),
    [
        ([1.0], [0, 0], [1]),
        ([1.0], [0], []),
        ([math.nan], [0], [1]),
        ([-math.inf], [0], [1]),
        ([1.0, 1.0], [1, 0], [1, 1]),
        ([1.0], [4], [1]),
        ([1.0], [0], [2**32]),
    ],
)
def test_sums_that_cannot_be_made_are_refused(values, which, times):
    with pytest.raises(ValueError, match=r"same length|finite"):
        rounded_sums(np.array(values), np.array(which, "u4"), np.array(times, "u8"), 4)

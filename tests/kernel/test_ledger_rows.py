"""Documents with several columns in the ledger.

fingerprint = XXH3-128 of the values as bytes, seeded as for texts
"""

from __future__ import annotations

import struct
from collections import Counter
from typing import Any

import numpy as np
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from kernel.generated import QUICK
from kernel.test_ledger import NAMES, content
from likelier._kernel import Column, Ledger

words = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
number_or_none = st.none() | st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0])
Row = tuple[str | None, str | None, float | None, int, int]  # text, choice, number, label, weight
rows_of_any_kind = st.lists(
    st.tuples(
        st.none() | words,
        st.none() | words,
        number_or_none,
        st.integers(0, len(NAMES) - 1),
        st.integers(0, 2**40),
    ),
    max_size=12,
)


def encoded(value: str | float | None) -> bytes:
    if value is None:
        return b"\0"
    if isinstance(value, str):
        return b"\1" + struct.pack("<Q", len(value.encode())) + value.encode()
    return b"\2" + struct.pack("<d", 0.0 if value == 0 else value)


def fingerprint(values: tuple[str | float | None, ...], label: str, weight: int) -> int:
    seed = xxhash.xxh3_64_intdigest(label.encode(), seed=weight)
    return xxhash.xxh3_128_intdigest(b"".join(map(encoded, values)), seed=seed)


def text_column(texts: list[str | None], *, as_column: bool = False) -> Any:
    filled = [text or "" for text in texts]
    missing = np.array([row for row, text in enumerate(texts) if text is None], np.int64)
    return ("text", Column.from_list([*filled]) if as_column else filled, missing)


def choice_column(choices: list[str | None], order: int = 1) -> Any:
    values = sorted({choice for choice in choices if choice is not None})[::order]
    which = [-1 if choice is None else values.index(choice) for choice in choices]
    return ("choices", values, np.array(which, np.int64))


def number_column(numbers: list[float | None]) -> Any:
    return np.array([np.nan if number is None else number for number in numbers], np.float64)


def noted(rows: list[Row], *, millionths: int = 1, as_column: bool = False, order: int = 1) -> Ledger:
    texts, choices, numbers, labels, weights = ([row[place] for row in rows] for place in range(5))
    columns = [text_column(texts, as_column=as_column), choice_column(choices, order), number_column(numbers)]  # type: ignore[arg-type]
    ledger = Ledger()
    ledger.add(columns, np.array(labels, np.uint32), np.array(weights, np.uint64), NAMES, millionths)
    return ledger


@QUICK
@given(rows_of_any_kind, st.sampled_from([1, 10, 1000]))
def test_a_ledger_holds_the_documented_fingerprints_of_rows(rows: list[Row], millionths: int) -> None:
    expected = Counter(fingerprint(row[:3], NAMES[row[3]], row[4] * millionths) for row in rows)
    assert content(noted(rows, millionths=millionths)) == sorted(expected.items())


@QUICK
@given(rows_of_any_kind)
def test_a_column_of_texts_and_other_numbers_for_values_make_no_difference(rows: list[Row]) -> None:
    assert content(noted(rows, as_column=True, order=-1)) == content(noted(rows))


def test_the_fingerprint_of_a_known_row_never_changes() -> None:
    assert content(noted([("buy now", "shop.example", 39.5, 1, 1)])) == [(KNOWN, 1)]


KNOWN = 0xE0838F807713269FA2234BA50EBEAF12


def test_values_do_not_run_into_each_other() -> None:
    pairs: list[tuple[str | None, str | None]] = [
        ("a", ""),
        ("", "a"),
        ("a", None),
        (None, "a"),
        ("", None),
        (None, ""),
    ]
    assert len(content(noted([(*pair, None, 0, 1) for pair in pairs]))) == len(pairs)


def test_a_row_of_numbers_has_minus_zero_as_zero_and_nan_as_missing() -> None:
    ledger = Ledger()
    numbers = np.array([0.0, -0.0, np.nan, -np.nan, 1.0])
    ledger.add([numbers], np.zeros(5, np.uint32), None, NAMES, 1)
    assert sorted(times for _, times in content(ledger)) == [1, 2, 2]


def test_without_weights_each_row_weighs_one_unit() -> None:
    ledger = Ledger()
    ledger.add([number_column([2.0])], np.array([0], np.uint32), None, NAMES, 10)
    assert content(ledger) == [(fingerprint((2.0,), "ham", 10), 1)]


def test_more_rows_than_are_held_at_once_are_noted_in_their_order() -> None:
    count = 40_000
    rows: list[Row] = [(f"text {n}", f"{n % 7}", float(n % 5), n % 2, 1) for n in range(count)]
    rows[-1] = (None, None, None, 1, 1)
    expected = Counter(fingerprint(row[:3], NAMES[row[3]], 1) for row in rows)
    assert content(noted(rows)) == sorted(expected.items())
    assert content(noted(rows, as_column=True)) == sorted(expected.items())


LABELS = np.zeros(2, np.uint32)
NOTHING = np.array([], np.int64)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (("text", ["a"], NOTHING), "must have the same length"),
        (("text", ["a", "b"], np.array([2])), "a row that is missing does not exist"),
        (("text", ["a", "b"], np.array([-1])), "a row that is missing does not exist"),
        (("text", Column.from_list(["a", None]), NOTHING), "a text is missing"),
        (("choices", ["a"], np.array([0])), "must have the same length"),
        (("choices", ["a"], np.array([0, 1])), "there is no such value"),
        (("choices", ["a"], np.array([0, -2])), "there is no such value"),
        (("other", ["a"], np.array([0, 0])), "a column is "),
        (np.zeros(3), "must have the same length"),
    ],
)
def test_columns_that_do_not_fit_are_refused_and_nothing_is_noted(column: Any, message: str) -> None:
    ledger = Ledger()
    with pytest.raises(ValueError, match=message):
        ledger.add([np.zeros(2), column], LABELS, None, NAMES, 1)
    assert len(ledger) == 0


def test_weights_of_another_length_and_labels_without_a_name_are_refused() -> None:
    with pytest.raises(ValueError, match="must have the same length"):
        Ledger().add([np.zeros(2)], LABELS, np.ones(1, np.uint64), NAMES, 1)
    with pytest.raises(ValueError, match="every label needs a name"):
        Ledger().add([np.zeros(2)], LABELS + 9, None, NAMES, 1)


@pytest.mark.parametrize("column", [("text", ["a", "\ud800"], NOTHING), ("choices", ["\ud800"], np.array([0, 0]))])
def test_half_of_a_character_is_refused_and_nothing_is_noted(column: Any) -> None:
    ledger = Ledger()
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        ledger.add([column], LABELS, None, NAMES, 1)
    assert len(ledger) == 0

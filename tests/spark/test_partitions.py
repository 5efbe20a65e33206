"""What a worker does with a partition, without Spark: any rows, split in any way, give the counts of local training."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from spark_parts import FRAMES, TEXT, saved_counts, table_of, trained

MOST = st.sampled_from([1, 3, 1000])
COUNTED: list[dict[str, Any]] = [
    {"view": "textbook"},
    {"view": {"ngrams": 2}},
    {"view": {"weighting": "log"}},
    {"view": {"weighting": "once-length", "ngrams": (1, 3)}},
    {"analyzer": lk.Analyzer(language="de", lemmatize=True)},
    {"analyzer": lk.Analyzer(char_ngrams=(2, 3), words=False)},
]


def parts_of(table: pa.Table, cuts: list[int]) -> list[pa.Table]:
    places = [0, *sorted({cut % (len(table) + 1) for cut in cuts}), len(table)]
    return [table.slice(start, end - start) for start, end in pairwise(places)]


@given(FRAMES, st.lists(st.integers(0, 20), max_size=4), MOST, st.sampled_from(COUNTED), st.booleans())
def test_any_split_of_texts_gives_the_same_counts_and_ledger(
    rows: list[dict[str, Any]], cuts: list[int], most: int, options: dict[str, Any], weighed: bool
) -> None:
    table = table_of(rows)
    given_weights = table["weight"].to_pylist() if weighed else None
    plain = table.select(["label", "text"])
    local = lk.train(plain, label="label", text="text", weights=given_weights, **{"view": "textbook", **options})
    parts = parts_of(table, cuts)
    model = trained(table, parts, most=most, weights="weight" if weighed else None, text="text", **options)
    assert saved_counts(model) == saved_counts(local)


@given(FRAMES, st.lists(st.integers(0, 20), max_size=4), MOST, st.booleans())
def test_any_split_of_a_table_gives_the_same_counts_and_ledger(
    rows: list[dict[str, Any]], cuts: list[int], most: int, weighed: bool
) -> None:
    there = {"color": "red", "size": 1.5, "new": True, "other": "goat"}  # a column without any value is an error
    table = table_of([*rows, {**rows[0], **there}])
    given_weights = table["weight"].to_pylist() if weighed else None
    kinds: dict[str, Any] = {
        "text": ["text", "other"],
        "categorical": ["color"],
        "numeric": ["size"],
        "binary": ["new"],
    }
    local = lk.train(table.drop_columns(["weight"]), label="label", weights=given_weights, view="textbook", **kinds)
    parts = parts_of(table, cuts)
    model = trained(table, parts, most=most, weights="weight" if weighed else None, **kinds)
    assert saved_counts(model) == saved_counts(local)


@given(
    st.lists(st.tuples(TEXT, st.integers(-12, 12)), min_size=1, max_size=9), st.lists(st.integers(0, 20), max_size=3)
)
def test_integers_as_labels_are_sorted_as_numbers(rows: list[tuple[str, int]], cuts: list[int]) -> None:
    table = pa.table({"text": [text for text, _ in rows], "label": [label for _, label in rows]})
    model = trained(table, parts_of(table, cuts), most=1, weights=None, text="text")
    local = lk.train(table, text="text", label="label", view="textbook")
    assert (model.labels, saved_counts(model)) == (local.labels, saved_counts(local))


def test_sums_that_no_integer_holds_are_refused() -> None:
    from likelier.spark._gathered import Gathered
    from likelier.spark._rows import SCHEMA

    row = {"kind": 0, "column": 0, "term": None, "label": "str:a", "tf": None, "df": 0, "weighted": 0}
    with pytest.raises(lk.LikelierError, match="the sums of a label"):
        Gathered(lk.train([("a", "a")]).schema, 1, [pa.Table.from_pylist([row], schema=SCHEMA)])

"""Generated tables for properties: rows with text, categories, truth values and numbers, some of them missing."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import likelier as lk
from corpora import labels, texts, weights

near = st.integers(-50, 50).map(lambda step: 1e9 + step / 128)
numbers = st.one_of(
    st.integers(-3, 3).map(float), near, st.floats(-1e6, 1e6), st.sampled_from([0.1, 0.2, 1e-300, 3e149])
)
rows = st.fixed_dictionaries(
    {
        "subject": st.none() | texts,
        "body": texts,
        "color": st.sampled_from([None, "red", "green", "blue", "ö & co"]),
        "fever": st.sampled_from([None, True, False]),
        "size": st.none() | numbers,
        "age": st.none() | st.integers(0, 99),
    }
)
documents = st.lists(st.tuples(rows, labels), min_size=1, max_size=10)
weighted = st.lists(st.tuples(rows, labels, weights), min_size=1, max_size=10)
COLUMNS: dict[str, Any] = {
    "text": {"subject": lk.Analyzer(ngrams=2), "body": lk.Analyzer()},
    "categorical": ["color"],
    "binary": ["fever"],
    "numeric": ["size", "age"],
}
BODY = {"subject": "goat", "body": "wolf", "color": "red", "fever": True, "size": 1.5, "age": 7}


def model_of(pairs: list[tuple[dict[str, Any], Any]], **options: Any) -> lk.Model:
    """The model of these rows; one row in which nothing is missing makes every column there."""
    return lk.train([(BODY, "ham"), *pairs], **COLUMNS, **options)

"""Documents that share rare terms: as many as the reference counts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from kernel.generated import PLAIN, QUICK, sentences
from likelier._kernel import Analysis, Bags

labeled = st.lists(st.tuples(sentences, st.integers(0, 1)), min_size=1, max_size=12)


def bags(documents: list[tuple[str, int]], threads: int = 1) -> Bags:
    texts, labels = zip(*documents, strict=True)
    analysis = Analysis(**{**PLAIN, "ngrams": (1, 2)})
    return Bags(list(texts), np.array(labels, dtype=np.uint32), ["x", "y"], analysis, (1, 1), threads)


def expected(documents: list[tuple[str, int]], row: int, rare: int, order: int) -> tuple[int, int, bool]:
    terms = [set(reference.terms(text, **{**PLAIN, "ngrams": (order, order)})) for text, _ in documents]
    frequency = Counter(term for each in terms for term in each)
    own = {term for term in terms[row] if frequency[term] <= rare}
    shared = [len(own & other) for place, other in enumerate(terms) if place != row]
    return len(terms[row]), max(shared, default=0), documents.count(documents[row]) > 1


@QUICK
@given(labeled, st.integers(0, 5), st.integers(0, 1), st.integers(1, 3))
def test_terms_shared_with_another_document_are_those_of_the_reference(
    documents: list[tuple[str, int]], rare: int, layer: int, threads: int
) -> None:
    rows = np.arange(len(documents), dtype=np.uint32)[::-1].copy()
    found = [each.tolist() for each in bags(documents, threads).shared(rows, layer, rare)]
    assert list(zip(*found, strict=True)) == [expected(documents, row, rare, layer + 1) for row in rows.tolist()]


def test_many_rows_and_threads_give_the_same() -> None:
    documents = [(f"a{row % 700} b{row % 650} c{row}", row % 2) for row in range(1000)]
    rows = np.arange(1000, dtype=np.uint32)
    one, four = (bags(documents, threads).shared(rows, 1, 3) for threads in (1, 4))
    assert [each.tolist() for each in one] == [each.tolist() for each in four]


@pytest.mark.parametrize(("row", "layer", "match"), [(2, 1, "no such row"), (0, 3, "no such layer")])
def test_rows_and_layers_that_are_not_there_are_refused(row: int, layer: int, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        bags([("a b", 0), ("b c", 1)]).shared(np.array([row], dtype=np.uint32), layer, 5)

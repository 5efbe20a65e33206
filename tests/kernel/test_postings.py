"""Postings: the counts that are not 0, and sums of weights in that form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.generated import PLAIN, QUICK, Document, analyses, documents, sentences, table_of, texts
from likelier._counts.by_column import Counts
from likelier._counts.snapshot import Postings, StoredTable
from likelier._kernel import Analysis, Table, score_postings
from reference import Settings

STATISTICS = ("tf", "df", "weighted")
NOTHING: list[Document] = [("", label, 1) for label in range(4)]  # all labels are there


def rows_of(found: Postings, labels: int) -> Any:
    rows = np.zeros((len(found.ends), labels), dtype=np.uint64)
    rows[found.rows, found.columns] = found.numbers
    return rows


@QUICK
@given(documents, analyses, st.permutations(range(4)), st.integers(1, 4))
def test_postings_are_the_rows_where_they_are_not_0(
    documents: list[Document], settings: Settings, order: list[int], labels: int
) -> None:
    table = table_of([*documents, *NOTHING], settings)
    ids = np.arange(table.ids(), dtype=np.uint32)[::-1].copy()
    for statistic in STATISTICS:
        rows, found = table.rows(ids, order[:labels], statistic), table.postings(ids, order[:labels], statistic)
        assert np.array_equal(rows_of(Postings(*found), labels), rows)
        assert (found[2] > 0).all()
        assert np.array_equal(table.sums_of_terms(ids, statistic), table.rows(ids, order, statistic).sum(axis=1))


def test_what_stands_in_a_file_has_the_same_postings():
    counts = Counts.from_table({"a": {"x": 2, "z": 1}, "b": {"y": 3}, "c": {"z": 5, "y": 1, "x": 1}}).sizes
    stored, table = StoredTable(counts.arrays()), counts.table
    ids = np.array([2, 0, 1, 2], dtype=np.uint32)
    in_table = np.array([table.find(term) for term in stored.texts(ids)], dtype=np.uint32)
    for statistic in STATISTICS:
        for order in ([0, 1, 2], [2, 0], [1]):
            labels = [counts.snapshot.order[place] for place in order]
            found = rows_of(Postings(*stored.postings(ids, order, statistic)), len(order))
            assert np.array_equal(found, rows_of(Postings(*table.postings(in_table, labels, statistic)), len(order)))
            assert np.array_equal(found, stored.rows(ids, order, statistic))
        assert stored.sums_of_terms(ids, statistic).tolist() == table.sums_of_terms(in_table, statistic).tolist()


def test_a_label_and_a_statistic_must_be_there():
    table = table_of([("a", 0, 1)], PLAIN)
    ids = np.zeros(1, dtype=np.uint32)
    with pytest.raises(ValueError, match="there is no such label"):
        table.postings(ids, [1], "tf")
    with pytest.raises(ValueError, match="tf, df or weighted"):
        table.sums_of_terms(ids, "idf")  # type: ignore[arg-type]


def weights_of(table: Table, seed: int, labels: int = 4) -> tuple[Any, Any, Any, Any]:
    """Any weights for terms and labels, with postings where the table has counts."""
    numbers, ids = np.random.default_rng(seed), np.arange(table.ids(), dtype=np.uint32)
    ends, columns, _ = table.postings(ids, list(range(labels)), "tf")
    terms = numbers.normal(size=table.ids()), numbers.normal(size=table.ids())
    of_labels = numbers.normal(size=labels), numbers.normal(size=labels)
    kept = numbers.choice([0, 1, 2], table.ids(), p=[0.2, 0.7, 0.1]).astype(np.uint8)
    return terms, of_labels, (ends, columns, numbers.normal(size=len(columns))), kept


@QUICK
@given(documents, st.lists(sentences | texts, max_size=5), analyses, st.sampled_from(["count", "once", "log"]))
def test_scores_are_those_of_weights_for_every_term_and_label(
    documents: list[Document], questions: list[str], settings: Settings, scale: Any
) -> None:
    table, analysis = table_of([*documents, *NOTHING], settings), Analysis(**settings)
    questions += [text for text, _, _ in documents]
    terms, labels, postings, kept = weights_of(table, seed=len(questions))
    base = np.random.default_rng(1).normal(size=(len(questions), 4))
    rows = np.outer(terms[0], labels[0]) + np.outer(terms[1], labels[1])
    rows[Postings(*postings).rows, postings[1]] += postings[2]
    sums, *counted = score_postings(table, questions, analysis, terms, labels, postings, kept, base, scale, 2)
    expected, *expected_counts = table.score(questions, analysis, rows, kept, base, scale, 1)
    np.testing.assert_allclose(sums, expected, rtol=1e-11, atol=1e-11)
    assert [array.tolist() for array in counted] == [array.tolist() for array in expected_counts]
    for row, text in enumerate(questions):
        own = base[row : row + 1]
        alone = score_postings(table, [text], analysis, terms, labels, postings, kept, own, scale, 1)
        assert alone[0].tolist() == sums[row : row + 1].tolist()


def test_arrays_must_fit_together():
    table, analysis = table_of([("a b", 0, 1), ("b c", 1, 1), *NOTHING], PLAIN), Analysis(**PLAIN)
    terms, labels, postings, kept = weights_of(table, seed=0)
    base = np.zeros((1, 4))
    for broken in (
        ((terms[0][:1], terms[1]), labels, postings, kept, base),
        (terms, (labels[0], labels[1][:2]), postings, kept, base),
        (terms, labels, (postings[0], postings[1], postings[2][:1]), kept, base),
        (terms, labels, (postings[0], postings[1][:1], postings[2][:1]), kept, base),
        (terms, labels, postings, kept[:1], base),
        (terms, labels, postings, kept, np.zeros((2, 4))),
    ):
        with pytest.raises(ValueError, match="must fit together"):
            score_postings(table, ["a"], analysis, *broken, "count", 1)

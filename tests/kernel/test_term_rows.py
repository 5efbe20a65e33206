"""Rows of distinct terms and the machines that are fitted to them: against plain Python, and against liblinear."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from kernel.generated import PLAIN, QUICK, sentences, texts
from likelier._kernel import Analysis, TermRows
from reference import machines as plain

PAIRS: reference.Settings = {**PLAIN, "ngrams": (1, 2), "char_ngrams": (2, 3)}
several = st.lists(sentences | texts, min_size=1, max_size=8)


def corpus(documents: int, labels: int, seed: int = 0) -> tuple[list[str], np.ndarray]:
    """Texts whose words say something of their label; some are empty."""
    chance = random.Random(seed)
    which = np.array([chance.randrange(labels) for _ in range(documents)], dtype=np.uint32)
    words = [
        [f"w{chance.randrange(30) + chance.randrange(2) * 7 * label}" for _ in range(chance.randrange(12))]
        for label in which.tolist()
    ]
    return [" ".join(each) for each in words], which


def term_rows(found: list[str], settings: reference.Settings = PAIRS, most: int = 10**6, threads: int = 2) -> TermRows:
    return TermRows(found, Analysis(**settings), 2, most, threads)


@QUICK
@given(several, st.integers(1, 20))
def test_rows_are_those_of_plain_python(found: list[str], most: int) -> None:
    rows = term_rows(found, most=most)
    expected = plain.rows([reference.terms(text, **PAIRS) for text in found], 2, most)
    assert rows.names() == expected.names
    assert (len(rows), rows.entries()) == (len(found), sum(map(len, expected.documents)))


@pytest.mark.parametrize("labels", [2, 3, 11])
def test_machines_are_those_of_plain_python_to_the_bit(labels: int) -> None:
    found, which = corpus(80, labels)
    rows = term_rows(found, {**PLAIN, "ngrams": (1, 2)})
    costs = np.array([1.0 + place % 3 for place in range(80)])
    folds = np.arange(80, dtype=np.uint32) % 4
    given: dict[str, Any] = {"folds": folds, "judged": 3, "costs": costs, "tolerance": 0.1, "epochs": 7}
    margins, weights, biases, scales = rows.fit(which, labels, **given)
    terms = plain.rows([reference.terms(text, **{**PLAIN, "ngrams": (1, 2)}) for text in found], 2, 10**6)
    by_labels = which.tolist(), labels, costs.tolist()
    whole = terms.scaled(range(80), *by_labels)
    assert scales.tolist() == whole.scales
    for first in range(0, 1 if labels == 2 else labels, plain.BLOCK):
        lanes = 1 if labels == 2 else min(plain.BLOCK, labels - first)
        begin = 1 if labels == 2 else first
        positive = [label - begin if begin <= label < begin + lanes else None for label in which.tolist()]
        expected = plain.fitted(whole, range(80), positive, costs, lanes, first, 0.1, 7)
        assert (weights[:, first : first + lanes] == expected.weights.astype(np.float32)).all()
        assert (biases[first : first + lanes] == expected.biases).all()
        for fold in range(3):
            rest = [document for document in range(80) if folds[document] != fold]
            scaled = terms.scaled(rest, *by_labels)
            expected = plain.fitted(scaled, rest, positive, costs, lanes, first, 0.1, 7)
            for document in range(fold, 80, 4):
                assert (margins[document, first : first + lanes] == expected.margins(scaled, document)).all()
    assert not margins[3::4].any()  # of the fold that is not judged


@pytest.mark.parametrize(("labels", "documents"), [(2, 60), (2, 400), (5, 300)])
def test_the_objective_is_that_of_liblinear_within_a_thousandth(labels: int, documents: int) -> None:
    linear = pytest.importorskip("sklearn.svm").LinearSVC
    found, which = corpus(documents, labels, seed=documents)
    rows = term_rows(found)
    terms = plain.rows([reference.terms(text, **PAIRS) for text in found], 2, 10**6)
    terms = terms.scaled(range(documents), which.tolist(), labels, [1.0] * documents)
    matrix = np.zeros((documents, len(terms.scales)))
    for document in range(documents):
        for term, f in terms.values(document):
            matrix[document, term] = f * terms.scales[term] / terms.length(document)
    _, weights, biases, scales = rows.fit(which, labels, tolerance=1e-4, epochs=1000)
    weights = weights / scales[:, np.newaxis]
    for machine in range(weights.shape[1]):
        signs = np.where(which == (1 if labels == 2 else machine), 1.0, -1.0)

        def objective(weights: np.ndarray, bias: float, signs: np.ndarray = signs) -> float:
            losses = np.maximum(0, 1 - signs * (matrix @ weights + bias)) ** 2
            return float((weights @ weights + bias**2) / 2 + losses.sum())

        theirs = linear(tol=1e-8, max_iter=100_000).fit(matrix, signs)
        best = objective(theirs.coef_[0], float(theirs.intercept_[0]))
        mine = objective(weights[:, machine].astype(np.float64), float(biases[machine]))
        assert mine == pytest.approx(best, rel=1e-3)


def test_threads_change_no_bit() -> None:
    found, which = corpus(200, 20)
    folds = np.arange(200, dtype=np.uint32) % 3
    one, two = (
        term_rows(found, threads=threads).fit(which, 20, folds=folds, judged=3, threads=threads) for threads in (1, 2)
    )
    assert all((mine == other).all() for mine, other in zip(one, two, strict=True))


def test_nothing_is_ever_nan() -> None:
    margins, weights, biases, _ = term_rows(["", "", ""]).fit(
        np.array([0, 1, 1], dtype=np.uint32), 3, folds=np.array([0, 1, 2], dtype=np.uint32), judged=3
    )
    assert np.isfinite(margins).all()
    assert weights.size == 0
    assert np.isfinite(biases).all()


def test_whoever_reports_an_error_ends_the_fit() -> None:
    found, which = corpus(300, 40)

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        term_rows(found).fit(which, 40, tolerance=0, epochs=2000, report=stop)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"labels": [0]}, "every document needs a label"),
        ({"labels": [0, 5]}, "at least two labels"),
        ({"count": 1}, "at least two labels"),
        ({"costs": [1.0, -1.0]}, "costs must be above 0"),
        ({"costs": [1.0]}, "costs must be above 0"),
        ({"cost": float("nan")}, "costs must be above 0"),
        ({"judged": 1}, "every document needs a label and a fold"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    options: dict[str, Any] = {"labels": [0, 1], "count": 2, **given}
    options["labels"] = np.array(options["labels"], dtype=np.uint32)
    if "costs" in options:
        options["costs"] = np.array(options["costs"])
    with pytest.raises(ValueError, match=message):
        term_rows(["a b", "b c"]).fit(**options)

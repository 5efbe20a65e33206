"""The ledger: how often each document was learned, by a fingerprint that is the same on every machine.

fingerprint = XXH3-128 of the text, seeded with XXH3-64 of the label's name, seeded with the weight
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from kernel.generated import PLAIN, QUICK, Document, documents, sentences, texts
from likelier._kernel import Analysis, Ledger, Table

Array = np.ndarray[Any, Any]

NAMES = ["ham", "spam", "", "новости с очень длинным именем"]


def fingerprint(text: str, label: str, weight: int) -> int:
    return xxhash.xxh3_128_intdigest(text.encode(), seed=xxhash.xxh3_64_intdigest(label.encode(), seed=weight))


def ledger_of(documents: list[Document]) -> Ledger:
    ledger = Ledger()
    labels = np.array([label for _, label, _ in documents], dtype=np.uint32)
    weights = np.array([weight for _, _, weight in documents], dtype=np.uint64)
    note(ledger, [text for text, _, _ in documents], labels, weights)
    return ledger


def note(ledger: Ledger, texts: list[str], labels: Array, weights: Array | None, millionths: int = 1) -> None:
    Table().count(texts, labels, weights, Analysis(**PLAIN), 1, ledger, NAMES, millionths)


def noted(documents: list[Document]) -> Counter[int]:
    return Counter(fingerprint(text, NAMES[label], weight) for text, label, weight in documents)


def content(ledger: Ledger) -> list[tuple[int, int]]:
    halves, times = (array.tolist() for array in ledger.sorted())
    return [((high << 64) | low, n) for high, low, n in zip(halves[::2], halves[1::2], times, strict=True)]


@QUICK
@given(documents)
def test_a_ledger_holds_the_documented_fingerprints_sorted_with_how_often_each(documents: list[Document]) -> None:
    assert content(ledger_of(documents)) == sorted(noted(documents).items())


@QUICK
@given(st.text(max_size=1000).filter(lambda text: text.isprintable()), st.integers(0, 2**50))
def test_the_fingerprint_is_that_of_xxhash_for_any_length_and_weight(text: str, weight: int) -> None:
    assert content(ledger_of([(text, 1, weight)])) == [(fingerprint(text, "spam", weight), 1)]


def test_the_fingerprint_of_a_known_document_never_changes() -> None:
    assert content(ledger_of([("buy now", 1, 1)])) == [(0x69F5B626A232CCAD5B432688BE1B8856, 1)]


@QUICK
@given(texts)
def test_text_label_and_weight_each_make_another_fingerprint(text: str) -> None:
    variants = [(text, 0, 1), (text + "!", 0, 1), (text, 1, 1), (text, 2, 1), (text, 0, 2)]
    assert len(content(ledger_of(variants))) == 5


def test_a_composed_and_a_decomposed_text_are_two_documents() -> None:
    assert len(content(ledger_of([("é", 0, 1), ("e\u0301", 0, 1)]))) == 2


def test_without_weights_each_document_weighs_one_unit() -> None:
    ledger = Ledger()
    note(ledger, ["a"], np.array([0], np.uint32), None, 10)
    assert content(ledger) == [(fingerprint("a", "ham", 10), 1)]


@QUICK
@given(documents)
def test_its_length_is_the_number_of_documents(documents: list[Document]) -> None:
    assert len(ledger_of(documents)) == len(documents)


@QUICK
@given(documents, st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(documents: list[Document], shuffler) -> None:  # type: ignore[no-untyped-def]
    assert content(ledger_of(shuffler.sample(documents, len(documents)))) == content(ledger_of(documents))


@QUICK
@given(documents, documents)
def test_subtracting_what_was_merged_is_the_identity(mine: list[Document], other: list[Document]) -> None:
    ledger, extra = ledger_of(mine), ledger_of(other)
    ledger.merge(extra)
    assert content(ledger) == sorted(noted(mine + other).items())
    assert ledger.holds(extra)
    assert ledger.subtract(extra)
    assert content(ledger) == content(ledger_of(mine))


few = st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(0, 1), st.just(1)), max_size=6)


@QUICK
@given(few, few)
def test_only_what_is_held_is_subtracted(mine: list[Document], other: list[Document]) -> None:
    ledger, held = ledger_of(mine), noted(other) <= noted(mine)
    assert ledger.holds(ledger_of(other)) == held
    assert ledger.subtract(ledger_of(other)) == held
    left = noted(mine) - noted(other) if held else noted(mine)
    assert content(ledger) == sorted(left.items())


def test_a_ledger_may_be_subtracted_from_itself() -> None:
    ledger = ledger_of([("a", 0, 1), ("a", 0, 1)])
    assert ledger.subtract(ledger)
    assert (len(ledger), content(ledger)) == (0, [])


def test_a_ledger_merged_with_itself_holds_everything_twice() -> None:
    ledger = ledger_of([("a", 0, 1)])
    ledger.merge(ledger)
    assert content(ledger) == [(fingerprint("a", "ham", 1), 2)]


@QUICK
@given(documents, sentences)
def test_a_copy_goes_its_own_way(documents: list[Document], text: str) -> None:
    ledger = ledger_of(documents)
    copy = ledger.copy()
    copy.merge(ledger_of([(text, 0, 1)]))
    assert content(ledger) == sorted(noted(documents).items())
    assert content(copy) == sorted(noted([*documents, (text, 0, 1)]).items())


@pytest.mark.parametrize(("labels", "weights"), [([0], None), ([0, 0], [1])])
def test_texts_labels_and_weights_of_different_lengths_are_refused(
    labels: list[int], weights: list[int] | None
) -> None:
    given_weights = None if weights is None else np.array(weights, np.uint64)
    with pytest.raises(ValueError, match="must have the same length"):
        note(Ledger(), ["a", "b"], np.array(labels, np.uint32), given_weights)


def test_a_label_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="every label needs a name"):
        note(Ledger(), ["a"], np.array([9], np.uint32), None)


def test_threads_do_not_change_the_ledger() -> None:
    many = [(f"{n} " * 300, n % 2, 1) for n in range(2000)]
    ledger = Ledger()
    labels = np.array([label for _, label, _ in many], np.uint32)
    Table().count([text for text, _, _ in many], labels, None, Analysis(**PLAIN), 4, ledger, NAMES)
    assert content(ledger) == content(ledger_of(many))


@QUICK
@given(few, few)
def test_common_documents_are_counted_as_often_as_the_other_has_them(
    mine: list[Document], other: list[Document]
) -> None:
    assert ledger_of(mine).common(ledger_of(other)) == sum(document in mine for document in other)

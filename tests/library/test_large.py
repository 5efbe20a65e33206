"""Large documents and vocabularies work."""

from __future__ import annotations

import pytest

import likelier as lk

pytestmark = pytest.mark.slow


def test_a_document_of_100_mb():
    text = "the quick brown fox jumps over the lazy dog " * 2_300_000
    model = lk.train([(text, "long"), ("cat", "short")])
    assert model.counts.of("the", "long") == 4_600_000
    assert model.classify(text).label == "long"
    model.forget(text, "long")
    assert model.counts.vocabulary == ["cat"]


def test_ten_million_terms():
    texts = [" ".join(f"w{n}" for n in range(start, start + 1000)) for start in range(0, 10_000_000, 1000)]
    model = lk.train(texts=texts, labels=["ab"[n % 2] for n in range(len(texts))], view="textbook")
    assert model.counts.vocabulary_size == 10_000_000
    assert model.classify("w1 w2 w5000").label == "a"
    assert model.learn("w5 new", "b") == 0
    assert model.counts.vocabulary_size == 10_000_001
    assert model.classify_many(["w1000 w1999", "w0"]).labels == ["b", "a"]

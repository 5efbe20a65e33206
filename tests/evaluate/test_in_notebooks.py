"""What a notebook shows of an evaluation."""

from __future__ import annotations

import re

import likelier as lk

TEXTS = [("cheap watches", "spam"), ("cheap pills", "spam"), ("lunch today", "ham"), ("lunch at noon", "ham")]


def test_figures_with_their_interval_the_confusion_matrix_and_each_label() -> None:
    source = lk.train(TEXTS).evaluate(TEXTS)._repr_html_()
    text = " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", " ", source, flags=re.DOTALL).split())
    assert "Evaluation : 4 documents, leave-one-out" in text
    assert "accuracy 100 % 4 of 4 right 95 % confidence interval: 51.0 % to 100 %" in text
    assert "true ↓ &nbsp; decided → ham spam all ham 2 100 % 0 2 spam 0 2 100 % 2" in text
    assert "ham 2 2 1.000 1.000 1.000 1.000" in text


def test_many_labels_have_a_list_of_mistakes_that_is_cut() -> None:
    texts = [(f"word{place // 2}", f"label {place}") for place in range(60)]
    source = lk.train(texts, view="textbook").evaluate(texts)._repr_html_()
    assert "here are the 20 most frequent of" in source
    assert source.count("<tr>") < 60
    assert "40 more, together" in source


def test_labels_never_become_markup() -> None:
    texts = [(f"a{place} b", label) for label in ("<script>x</script>", "<img src=x>") for place in range(3)]
    source = lk.train(texts).evaluate(texts)._repr_html_()
    assert "<script>" not in source
    assert "<img" not in source
    assert "&lt;script&gt;" in source

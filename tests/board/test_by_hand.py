"""Tables and derivations against fractions that are worked out here, from the weighted documents alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from corpora import documents, texts, weights

ALPHA = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3, 10)])
EVENT = st.sampled_from(["multinomial", "binary", "bernoulli", "complement"])
LABELS = ("ham", "spam")
Pairs = list[tuple[str, str]]


class ByHand:
    """Additive smoothing, in fractions."""

    def __init__(self, pairs: Pairs, given: list[float], event: str, alpha: Fraction) -> None:
        self.event, self.alpha = event, alpha
        self.documents: Counter[str] = Counter()
        self.counts: dict[str, Counter[str]] = {label: Counter() for _, label in pairs}
        self.vocabulary = list(dict.fromkeys(word for text, _ in pairs for word in text.split()))
        for (text, label), weight in zip(pairs, given, strict=True):
            exact = Fraction(str(weight))
            self.documents[label] += exact  # type: ignore[assignment]
            words = text.split()
            for word in words if event in ("multinomial", "complement") else set(words):
                self.counts[label][word] += exact  # type: ignore[assignment]

    def prior(self, label: str) -> Fraction:
        return Fraction(self.documents[label]) / sum(self.documents.values())

    def likelihood(self, word: str, label: str) -> Fraction:
        """P(t|c); of the other labels under the complement model."""
        if self.event == "bernoulli":
            return (self.counts[label][word] + self.alpha) / (self.documents[label] + 2 * self.alpha)
        counted = [self.counts[each] for each in self.counts if (each == label) != (self.event == "complement")]
        total = sum(each.total() for each in counted)
        return (sum(each[word] for each in counted) + self.alpha) / (total + self.alpha * len(self.vocabulary))

    def product(self, words: list[str], label: str) -> Fraction:
        found = self.prior(label)
        if self.event == "bernoulli":
            for word in self.vocabulary:
                found *= self.likelihood(word, label) if word in words else 1 - self.likelihood(word, label)
            return found
        known = [word for word in words if word in self.vocabulary]
        for word in sorted(set(known)) if self.event == "binary" else known:
            one = self.likelihood(word, label)
            found *= 1 / one if self.event == "complement" else one
        return found


def both(pairs: Pairs, data: st.DataObject, event: str, alpha: Fraction) -> tuple[lk.View, ByHand]:
    pairs = [*pairs, ("goat goat", "ham"), ("wolf", "spam")]
    some = data.draw(st.lists(weights, min_size=len(pairs), max_size=len(pairs)))
    all_texts, all_labels = zip(*pairs, strict=True)
    model = lk.train(texts=all_texts, labels=all_labels, weights=some, view="textbook")
    view = model.textbook(event=event, alpha=float(alpha))  # type: ignore[arg-type]
    return view, ByHand([(" ".join(view.analyzer.terms(text)), label) for text, label in pairs], some, event, alpha)


@given(documents, st.data(), EVENT, ALPHA)
def test_every_cell_is_the_fraction_worked_out_by_hand(
    pairs: Pairs, data: st.DataObject, event: str, alpha: Fraction
) -> None:
    view, hand = both(pairs, data, event, alpha)
    head = {"bernoulli": "P(t=1|{})", "complement": "P(t|not {})"}.get(event, "P(t|{})")
    counted = {row["term"]: row for row in view.count_table(by="term", most=None).rows()}
    likely = {row["term"]: row for row in view.likelihood_table(by="term", most=None, form="steps").rows()}
    ratios = {row["term"]: row for row in view.ratio_table(*LABELS, most=None, form="reduced").rows()}
    priors = {row["label"]: row["P(c)"] for row in view.prior_table().rows()}
    for label in view.labels:
        assert priors[label] == hand.prior(label)
        assert counted["documents"][label] == hand.documents[label]
        for word in hand.vocabulary:
            assert counted[word][label] == hand.counts[label][word]
            assert likely[word][head.format(label)] == hand.likelihood(word, label) == view.likelihood(word, label)
    one, other = LABELS[::-1] if event == "complement" else LABELS
    for word in hand.vocabulary:
        assert ratios[word]["ratio"] == hand.likelihood(word, one) / hand.likelihood(word, other)
        assert math.exp(ratios[word]["log ratio"]) == pytest.approx(float(ratios[word]["ratio"]))
    assert ratios["prior"]["ratio"] == hand.prior("ham") / hand.prior("spam")


@given(documents, texts, st.data(), EVENT, ALPHA)
def test_a_derivation_comes_to_the_product_worked_out_by_hand(
    pairs: Pairs, text: str, data: st.DataObject, event: str, alpha: Fraction
) -> None:
    view, hand = both(pairs, data, event, alpha)
    words = view.analyzer.terms(text)
    products = {label: hand.product(words, label) for label in view.labels}
    for options in ({}, {"whole_vocabulary": True}, {"form": "logs"}):
        rows: list[dict[str, Any]] = view.derivation(text, **options).rows()  # type: ignore[arg-type]
        assert {row["label"]: row["value"] for row in rows if row["factor"] == "product"} == products
    found = view.classify(text).probabilities
    for label, product in products.items():
        assert found[label] == pytest.approx(float(product / sum(products.values())))


@given(documents, st.data(), EVENT, ALPHA)
def test_no_float_is_written_out(pairs: Pairs, data: st.DataObject, event: str, alpha: Fraction) -> None:
    view, _ = both(pairs, data, event, alpha)
    tables = [view.count_table(), view.prior_table(), view.likelihood_table(form="steps"), view.ratio_table(*LABELS)]
    shown = [*map(str, tables), *(str(view.derivation("goat wolf", form=form)) for form in ("product", "logs", "odds"))]
    assert not any(re.search(r"\.\d{10}", each) for each in shown)

"""The search for settings of plain texts against the library itself: the same verdicts, the same counts."""

from __future__ import annotations

import random
from functools import cache

import pytest

import likelier as lk
from likelier._text.analyzer import Analyzer
from likelier._train.texts import LabeledTexts, TextSearch
from likelier.demo import documents

SETTINGS = ("event", "smoothing", "weighting", "ngrams")


@cache
def searched(labels: int) -> tuple[list[tuple[str, str]], TextSearch]:
    """Some messages and the search over them."""
    names = sorted({label for _, label in documents()})[:labels]
    messages = [(text, label) for text, label in documents() if label in names]
    data = LabeledTexts([text for text, _ in messages], [label for _, label in messages], 1)
    search = TextSearch(data, Analyzer())
    search.best()
    return messages, search


@pytest.mark.parametrize("labels", [2, 4])
def test_settings_are_judged_as_evaluate_judges_them(labels):
    messages, search = searched(labels)
    for candidate, trial in list(search.trials.items())[::3]:
        own = candidate.of_text(search.smoothing(candidate), ())
        view = {name: own[name] for name in SETTINGS if own.get(name) is not None}
        model = lk.train(messages, view={**view, "prior": candidate.prior})
        assert len(trial.right) == len(messages)
        assert trial.accuracy == model.evaluate(messages).figures.accuracy.share, candidate


def test_the_counts_are_those_of_the_texts():
    messages, _ = searched(4)
    chosen = lk.train(messages)
    again = lk.train(messages, like=chosen)
    assert chosen.counts.digest() == again.counts.digest()
    assert chosen.counts == again.counts
    assert chosen.classify("my parcel") == again.classify("my parcel")


def test_the_order_of_documents_does_not_matter():
    messages, _ = searched(4)
    shuffled = messages[:]
    random.Random(1).shuffle(shuffled)
    one, other = lk.train(messages), lk.train(shuffled)
    assert one.selection == other.selection
    assert one.settings == other.settings
    assert one.counts.digest() == other.counts.digest()


def test_without_a_known_word_the_shares_of_the_labels_are_left():
    messages = documents()[:100]
    model = lk.train(messages)
    shares = {label: model.counts.documents_per_label[label] / 100 for label in model.labels}
    assert model.classify("").probabilities == pytest.approx(shares)
    assert model.classify("Grüezi mitenand").probabilities == pytest.approx(shares)

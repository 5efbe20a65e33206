"""Evaluations whose page must be good."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import likelier as lk
from likelier._answer.calibration import Temperature
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.report.page import report
from likelier._evaluate.run import evaluate
from likelier.demo import documents as messages

HOSTILE = "<script>alert(1)</script>\"><img src=x onerror=alert(2)> & 'q' \x1b[31m\x00\x9f\ufffe\u202e evil"
ARABIC = "سلام عليكم"
LANGUAGES = 113


@cache
def shop() -> Evaluation:
    """Messages to a shop: six labels, some mistakes."""
    return evaluate(lk.train(messages()).textbook(), messages())


@cache
def two_labels() -> Evaluation:
    """5 of 6 right; 4 documents are ham."""
    documents = [("a b", "ham"), ("a b b", "ham"), ("a a", "ham"), ("b a", "ham"), ("x y", "spam"), ("y x a b", "spam")]
    model = lk.train([*documents, ("x y", "spam"), ("a b x", "ham"), ("a b", "ham")])
    return evaluate(model.textbook(), [*documents[:5], ("a b a b", "spam")], method="held-out")


@cache
def hostile() -> Evaluation:
    """Labels and texts that would like to be more than text."""
    documents = [(f"{HOSTILE} cat dog {number}", HOSTILE) for number in range(6)]
    documents += [(f"مرحبا بالعالم {number} dog", ARABIC) for number in range(6)]
    documents += [("cat dog", ARABIC), ("مرحبا بالعالم", HOSTILE), (HOSTILE, ARABIC), ("word " * 3000, "long " * 60)]
    return evaluate(lk.train(documents).textbook(), documents)


@cache
def many_labels() -> Evaluation:
    """113 labels, neighbors of which are easily confused."""
    chance = random.Random(0)
    documents = []
    for number in range(LANGUAGES * 8):
        place = number % LANGUAGES
        near = [(place + chance.choice([0, 0, 0, 1])) % LANGUAGES for _ in range(4)]
        documents.append((" ".join(f"w{each}" for each in near), f"language {place}"))
    return evaluate(lk.train(documents).textbook(), documents)


@cache
def perfect() -> Evaluation:
    documents = [("good fine", "pos"), ("bad poor", "neg")] * 5
    return evaluate(lk.train(documents).textbook(), documents)


@cache
def one_label() -> Evaluation:
    documents = [("good fine", "only"), ("bad poor", "only")]
    return evaluate(lk.train(documents).textbook(), documents)


@cache
def nothing_decided() -> Evaluation:
    """No document has a known term, and one has a label that was not seen in training."""
    model = lk.train([("good fine", "pos"), ("bad poor", "neg")])
    view = model.textbook(without_evidence="none")
    return evaluate(view, [("else", "pos"), ("other", "neg"), ("more", "neutral")], method="held-out")


@cache
def weighted() -> Evaluation:
    given = {
        "texts": ["good fine", "good poor", "bad poor", "bad fine good"],
        "labels": ["pos", "pos", "neg", "neg"],
        "weights": [1, 2.5, 1, 0.5],
    }
    return evaluate(lk.train(**given).textbook(), **given)


@cache
def columns() -> Evaluation:
    """Rows with text, a category and a number; the name of one column looks like HTML."""
    rows = [
        {"label": label, "name": f"{word} {number}", "<b>class": kind, "fare": fare + number % 5}
        for number in range(30)
        for label, word, kind, fare in (("died", "mr", "third", 8.0), ("survived", "mrs", "first", 30.0))
    ]
    rows.append({"label": "died", "name": "mrs", "<b>class": "first", "fare": 31.0})
    return evaluate(lk.train(rows, label="label").textbook(), rows, label="label")


@cache
def calibrated() -> Evaluation:
    return shop().under(calibration=Temperature(3.0))


EXAMPLES = [
    shop,
    two_labels,
    hostile,
    many_labels,
    perfect,
    one_label,
    nothing_decided,
    weighted,
    columns,
    calibrated,
]


@cache
def page_of(example: Callable[[], Evaluation]) -> str:
    """Its page with everything that can be given."""
    tried = [("multinomial, alpha 1", 0.5123, False), ("complement, alpha 0.5", 0.4321, True)]
    return report(example(), title="Messages to a shop", tried=tried, tried_by="log loss", date="2026-03-01")

"""Leave-one-out over bags of ids equals leave-one-out over counts, for every event, weighting, and layer of terms."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import WORDS
from likelier._answer.scores import Scores
from likelier._documents.batch import Batch
from likelier._documents.schema import plain
from likelier._documents.weights import extra
from likelier._evaluate.leaving.one_out import leave_one_out
from likelier._kernel import Bags, Table, mixed_rows
from likelier._model.models import Model
from likelier._train.judge import widened
from likelier._train.texts import OWN, PIECES, WIDER, LabeledTexts

ALPHAS = [1.0, 0.3, 0.05, 4.0]
EVENTS = ["multinomial", "complement"]
WEIGHTINGS = ["count", "once", "log", "count-length", "once-length", "log-length"]
LAYERS: dict[str, tuple[lk.Analyzer, tuple[int, int], list[int], list[int]]] = {
    # an analyzer, the n-grams that are counted, the layers of its own terms, the layers that are judged
    "words": (lk.Analyzer(), (1, 2), [OWN], [OWN]),
    "pairs": (lk.Analyzer(), (1, 2), [OWN], [OWN, WIDER]),
    "pieces": (lk.Analyzer(char_ngrams=(2, 3)), (1, 1), [OWN, PIECES], [OWN, PIECES]),
    "own pairs": (lk.Analyzer(ngrams=2), (1, 3), [OWN], [OWN]),
    "runs of three": (lk.Analyzer(ngrams=2), (1, 3), [OWN], [OWN, WIDER]),
    "pairs alone": (lk.Analyzer(ngrams=(2, 2)), (2, 3), [OWN], [OWN, WIDER]),
}
EQUAL = 1e-9

Pairs = list[tuple[str, str]]


def general(pairs: Pairs, layers: str, event: str, weighting: Any, alpha: float, prior: str) -> Scores:
    """By the counts without each document."""
    analyzer, counted, own, together = LAYERS[layers]
    model = Model(schema=widened(plain(analyzer), counted, extra(weighting)), ledger=False)
    batch = Batch.of_texts([text for text, _ in pairs], [label for _, label in pairs])
    model.count(batch, threads=1)
    ngrams = counted if together != own else None
    view = model.view(event=event, weighting=weighting, alpha=alpha, prior=prior, ngrams=ngrams)
    return leave_one_out(view, batch, 1)


def judged(
    pairs: Pairs, layers: str, event: str, weighting: str, *, right: bool, threads: int = 1
) -> tuple[LabeledTexts, Any, Any]:
    """By the bags: scores (documents, alphas, labels) or what is right (documents, alphas, priors), and known terms."""
    analyzer, counted, own, together = LAYERS[layers]
    data = LabeledTexts([text for text, _ in pairs], [label for _, label in pairs], threads)
    scale, _, by_length = weighting.partition("-")
    rows = np.arange(len(pairs), dtype=np.uint32)
    scores, known, marks = data.bags(analyzer, counted).leave_one_out(
        rows, event, scale, own if by_length else None, ALPHAS, [together], right
    )
    found = marks if right else scores
    return data, found.reshape(len(pairs), len(ALPHAS), -1), known


def check(pairs: Pairs, layers: str, event: str, weighting: str) -> None:
    """Scores, known terms, and which documents are right under both priors."""
    data, scores, known = judged(pairs, layers, event, weighting, right=False)
    _, right, known_too = judged(pairs, layers, event, weighting, right=True)
    assert known.tolist() == known_too.tolist()
    for place, alpha in enumerate(ALPHAS):
        for prior, name in enumerate(["uniform", "fitted"]):
            expected = general(pairs, layers, event, weighting, alpha, name)
            assert known.tolist() == expected.known.tolist()
            numbers = np.repeat(data.documents[np.newaxis], len(pairs), axis=0) - np.eye(len(data.labels))[data.truth]
            with np.errstate(divide="ignore"):
                found = scores[:, place] + (np.log(numbers) if name == "fitted" else np.where(numbers, 0, -np.inf))
            np.testing.assert_allclose(apart(found), apart(expected.values), rtol=0, atol=EQUAL)
            highest = apart(expected.values) >= -EQUAL
            assert right[:, place, prior].tolist() == (highest.argmax(axis=1) == data.truth).tolist()


def apart(scores: Any) -> Any:
    """How far each label is behind the best: what is the same for all labels is left out."""
    return scores - scores.max(axis=1, keepdims=True)


CORPUS: Pairs = [
    ("goat wolf goat", "ham"),
    ("goat wolf goat", "ham"),  # repeated
    ("", "ham"),
    ("wolf wolf dwarf", "spam"),  # the only one with "dwarf"
    ("seven seven goat", "spam"),
    ("seven goat wolf goat wolf", "news"),  # the only one of its label
    ("goat", "eggs"),
    ("молоко seven", "eggs"),
]


@pytest.mark.parametrize(("event", "weighting", "layers"), [*product(EVENTS, WEIGHTINGS, LAYERS)])
def test_bags_are_judged_as_counts_are(event: str, weighting: str, layers: str) -> None:
    check(CORPUS, layers, event, weighting)


texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join) | st.just("goat goat")
labels = st.sampled_from(["ham", "spam", "news", "eggs"])
corpora = st.lists(st.tuples(texts, labels), min_size=2, max_size=12).filter(
    lambda pairs: len({label for _, label in pairs}) > 1
)


@given(corpora, st.sampled_from(EVENTS), st.sampled_from(WEIGHTINGS), st.sampled_from(list(LAYERS)))
@settings(max_examples=150, deadline=None)
def test_generated_bags_are_judged_as_counts_are(pairs: Pairs, event: str, weighting: str, layers: str) -> None:
    check(pairs, layers, event, weighting)


@pytest.mark.parametrize(
    "pairs",
    [
        [("", "ham"), ("", "spam"), ("", "spam")],
        [("goat", "ham"), ("goat", "spam"), ("goat", "spam")],
        [("goat", "ham"), ("wolf", "spam"), ("dwarf", "news")],
        [("goat goat", "ham")] * 3 + [("goat", "spam")],
    ],
    ids=["no term", "one term", "no term twice", "repeated"],
)
def test_odd_corpora_are_judged_as_counts_are(pairs: Pairs) -> None:
    for event, weighting, layers in product(EVENTS, ["count", "once-length"], LAYERS):
        check(pairs, layers, event, weighting)


def many(number: int = 3000) -> Pairs:
    """Enough for several threads."""
    chance = np.random.default_rng(0)
    words = np.array([f"w{place}" for place in range(500)])
    rows = chance.zipf(1.3, (number, 40)) % 500
    return [(" ".join(words[row]), f"label {row.sum() % 5}") for row in rows]


@pytest.mark.parametrize(("event", "layers"), [*product(EVENTS, ["pairs", "pieces"])])
def test_threads_change_no_bit(event: str, layers: str) -> None:
    pairs = many()
    one, several = (judged(pairs, layers, event, "log-length", right=False, threads=threads) for threads in (1, 3))
    assert (one[1] == several[1]).all()
    assert (one[2] == several[2]).all()


def test_layers_that_are_asked_for_together_are_those_that_are_asked_for_alone() -> None:
    pairs = many(200)
    data = LabeledTexts([text for text, _ in pairs], [label for _, label in pairs], 1)
    bags, rows = data.bags(lk.Analyzer(), (1, 2)), np.arange(0, 200, 3, dtype=np.uint32)
    asked = "multinomial", "once", [OWN], ALPHAS
    both, known, _ = bags.leave_one_out(rows, *asked, [[OWN], [OWN, WIDER]], False)
    for place, layers in enumerate([[OWN], [OWN, WIDER]]):
        alone, known_alone, _ = bags.leave_one_out(rows, *asked, [layers], False)
        assert (both.reshape(len(rows), 2, -1)[:, place].ravel() == alone).all()
        assert (known.reshape(len(rows), 2)[:, place] == known_alone).all()


def bags_of(pairs: Pairs) -> Bags:
    return LabeledTexts([text for text, _ in pairs], [label for _, label in pairs], 1).bags(lk.Analyzer(), (1, 2))


def test_what_bags_cannot_be_asked_is_refused() -> None:
    bags, rows = bags_of(CORPUS), np.arange(2, dtype=np.uint32)
    good: dict[str, Any] = {"event": "complement", "scale": "log", "length": None, "alphas": ALPHAS}
    several: list[tuple[dict[str, Any], str]] = [
        ({"event": "bernoulli"}, "multinomial or complement"),
        ({"scale": "square"}, "count, once or log"),
        ({"length": [3]}, "no such layer"),
        ({"together": [[3]]}, "no such layer"),
        ({"alphas": [1.0, 0.0, 1.0, 1.0]}, "no such alpha"),
        ({"alphas": [1.0, np.inf, 1.0, 1.0]}, "no such alpha"),
        ({"alphas": [1.0, np.nan, 1.0, 1.0]}, "no such alpha"),
        ({"rows": np.array([8], dtype=np.uint32)}, "no such row"),
    ]
    for changed, why in several:
        with pytest.raises(ValueError, match=why):
            bags.leave_one_out(**{"rows": rows, "together": [[OWN]], "right": False, **good, **changed})
    analysis = lk.Analyzer().analysis
    with pytest.raises(ValueError, match="every text needs a label"):
        Bags(["a"], np.array([1], dtype=np.uint32), ["x"], analysis, (1, 1), 1)
    with pytest.raises(ValueError, match="every text needs a label"):
        mixed_rows(["a", "b"], np.array([0], dtype=np.uint32), ["x"])


def test_bags_are_used_up_by_their_table() -> None:
    bags = bags_of(CORPUS)
    with pytest.raises(ValueError, match="every label needs a number"):
        bags.table([0])
    assert isinstance(bags.table([0, 1, 2, 3]), Table)
    with pytest.raises(ValueError, match="used up"):
        bags.table([0, 1, 2, 3])
    with pytest.raises(ValueError, match="used up"):
        bags.layers()


@given(corpora, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_documents_are_mixed_by_what_is_in_them(pairs: Pairs, chance: Any) -> None:
    shuffled = list(pairs)
    chance.shuffle(shuffled)
    mixed = []
    for some in (pairs, shuffled):
        data = LabeledTexts([text for text, _ in some], [label for _, label in some], 1)
        assert sorted(data.mixed.tolist()) == list(range(len(some)))
        mixed.append([some[row] for row in data.mixed])
    assert mixed[0] == mixed[1]

"""One text at a time: the same verdicts as in a batch, and after any changes those of a model that never had others."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import documents, labels, model_of, texts, views
from likelier._answer.calibration import Discount, Platt, Temperature
from likelier._answer.posterior import posterior, posterior_of_one
from likelier._documents.schema import plain
from likelier._estimate import remembered

MORE_VIEWS: list[dict[str, Any]] = [
    {"min_count": 2},
    {"min_count": 3, "unknown": "unk"},
    {"min_count": 2, "event": "bernoulli"},
    {"stop_words": ("goat", "a", "yeti")},
    {"stop_words": ("goat", "a"), "event": "bernoulli", "min_count": 2},
    {"event": "complement", "normalize": True},
    {"event": "complement", "normalize": True, "unknown": "unk", "min_count": 2},
    {"event": "complement", "normalize": True, "smoothing": lk.JelinekMercer(0.6), "stop_words": ("wolf",)},
    {"event": "complement", "smoothing": lk.AbsoluteDiscounting(0.5)},
    {"event": "complement", "smoothing": lk.AbsoluteDiscounting(0.5), "unknown": "unk", "normalize": True},
    {"event": "bernoulli", "unknown": "unk"},
    {"event": "bernoulli", "unknown": "unk", "smoothing": lk.Additive(0)},
    {"event": "bernoulli", "smoothing": lk.MEstimate(5, p="background")},
    {"idf": True},
    {"idf": True, "event": "complement", "normalize": True},
    {"idf": True, "min_count": 2, "stop_words": ("goat",)},
    {"decide": lk.Thresholds({"ham": 0.9}, otherwise="spam")},
    {"calibration": Temperature(3.0, 0.5)},
    {"calibration": Platt(0.5, {"ham": 0.25, "spam": -0.25})},
    {"calibration": Discount(1.3, -0.4, 5, {"ham": 0.25, "spam": -0.75})},
    {"calibration": Discount(0.7, 0, 3), "event": "bernoulli"},
    {"without_evidence": "none"},
]
all_views = st.one_of(views, st.sampled_from(MORE_VIEWS))
WIDE_VIEWS: list[dict[str, Any]] = [
    {},
    {"ngrams": 2},
    {"ngrams": (2, 2), "event": "complement", "normalize": True},
    {"ngrams": 2, "min_count": 2, "idf": True},
    {"weighting": "log-length"},
    {"weighting": "log-length", "ngrams": 2, "idf": True, "stop_words": ("goat", "wolf dwarf")},
    {"weighting": "log-length", "event": "complement", "normalize": True},
    {"event": "bernoulli", "stop_words": ("goat",)},
]


def is_impossible(model: lk.Model, view: dict[str, Any]) -> bool:
    """A complement needs another label, thresholds and offsets name labels."""
    one = len(model.labels) == 1
    return (one and view.get("event") == "complement") or ("decide" in view and not {"ham", "spam"} <= {*model.labels})


@settings(deadline=None)
@given(documents, st.lists(texts, min_size=1, max_size=5), all_views, st.sampled_from([0, 1, 400, 10**9]))
def test_a_verdict_alone_is_that_in_a_batch(pairs, asked, view_settings, cells):
    model = model_of(pairs)
    if is_impossible(model, view_settings):
        return
    asked = [*asked, f"{asked[0]} yeti yeti", ""]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembered, "CELLS_PER_QUESTION", cells)  # all weights never, soon, or at once
        alone = model.view(**view_settings)
        verdicts = [alone.classify(text) for text in asked * 2]
    many = model.view(**view_settings).classify_many(asked * 20)
    assert verdicts == many[: len(verdicts)]


changes = st.lists(st.tuples(st.booleans(), st.integers(0, 11), texts, labels), max_size=8)


def changed(model: lk.Model, pairs: list[tuple[str, str]], steps: Any, ask: Any) -> list[tuple[str, str]]:
    """Learns and forgets documents one by one and asks in between; what is left in the end."""
    left = list(pairs)
    for forget, place, text, label in steps:
        if forget and len(left) > 1:
            model.forget(*left.pop(place % len(left)))
        else:
            left.append((text, label))
            model.learn(text, label)
        ask()
    return left


@settings(deadline=None)
@given(documents, changes, texts, all_views)
def test_after_changes_a_view_answers_like_a_new_model(pairs, steps, text, view_settings):
    model = model_of(pairs)
    if is_impossible(model, view_settings):
        return
    view = model.view(**view_settings)

    def ask() -> None:
        if not is_impossible(model, view_settings):
            view.classify(text)

    left = changed(model, pairs, steps, ask)
    fresh = model_of(left)
    assert model == fresh
    assert model.ledger.sorted()[0].tolist() == fresh.ledger.sorted()[0].tolist()
    if not is_impossible(model, view_settings):
        assert view.classify(f"{text} yeti") == fresh.view(**view_settings).classify(f"{text} yeti")


@settings(deadline=None)
@given(documents, changes, texts, st.sampled_from(WIDE_VIEWS))
def test_after_changes_a_view_of_more_terms_answers_like_a_new_model(pairs, steps, text, view_settings):
    def of(some: list[tuple[str, str]]) -> lk.Model:
        model = lk.Model(schema=plain(lk.Analyzer(), ngrams=2, weighting="log-length"))
        model.learn_many(some)
        return model

    model = of(pairs)
    if is_impossible(model, view_settings):
        return
    view = model.view(**view_settings)

    def ask() -> None:
        if not is_impossible(model, view_settings):
            view.classify(text)

    left = changed(model, pairs, steps, ask)
    assert model == of(left)
    if not is_impossible(model, view_settings):
        assert view.classify(f"{text} yeti") == of(left).view(**view_settings).classify(f"{text} yeti")


@settings(deadline=None)
@given(documents, documents, texts, all_views)
def test_after_merging_and_weights_that_are_not_whole_too(first, second, text, view_settings):
    if isinstance(view_settings.get("smoothing"), lk.AbsoluteDiscounting):
        return
    model = model_of(first)
    if is_impossible(model, view_settings):
        return
    view = model.view(**view_settings)
    view.classify(text)
    model.learn_many(second)
    model.learn(text, "news", weight=0.3)
    view.classify(text)
    model.learn(text, "news")
    fresh = lk.train(
        texts=[*(each for each, _ in first + second), text, text],
        labels=[*(each for _, each in first + second), "news", "news"],
        weights=[1] * len(first + second) + [0.3, 1],
        view="textbook",
    )
    if not is_impossible(model, view_settings):
        assert view.classify(text) == fresh.view(**view_settings).classify(text)


@pytest.mark.parametrize("unknown", ["ignore", "unk"])
def test_where_unk_has_no_probability_the_norm_is_infinite(unknown):
    model = lk.train([("goat", "a"), ("goat wolf", "a"), ("yak", "b"), ("yak", "b")], view="textbook")
    view = model.view(event="complement", smoothing=lk.AbsoluteDiscounting(0.5), unknown=unknown, normalize=True)
    norm = view.estimator.norm
    assert np.isinf(norm).all() if unknown == "unk" else np.isfinite(norm).all()


# ---- the work that is done -----------------------------------------------------------------------------------------


@pytest.fixture
def touched(monkeypatch):
    """How many terms' counts are read from the table, and whether those of all terms are."""
    from likelier._counts.snapshot import Snapshot

    numbers: list[int] = []

    def watch(name: str) -> None:
        read = getattr(Snapshot, name)

        def counted(self: Snapshot, ids: Any, statistic: Any) -> Any:
            numbers.append(len(ids))
            return read(self, ids, statistic)

        monkeypatch.setattr(Snapshot, name, counted)

    watch("rows")
    watch("sums_of_terms")
    return numbers


QUICK_VIEWS = [
    {},
    {"unknown": "smooth"},
    {"min_count": 2},
    {"stop_words": ("word1", "word2")},
    {"event": "bernoulli"},
    {"event": "bernoulli", "smoothing": lk.JelinekMercer()},
    {"event": "complement", "normalize": True},
    {"event": "complement", "smoothing": lk.AbsoluteDiscounting()},
    {"idf": True},
    {"calibration": Temperature(2.0)},
    {"calibration": Discount(0.8, -0.3, 2, {"spam": 0.5})},
]


@pytest.mark.parametrize("view_settings", QUICK_VIEWS)
def test_after_a_change_only_the_terms_of_the_text_are_looked_at(touched, view_settings):
    found = []
    for size in (2_000, 40_000):
        every = [" ".join(f"word{number}" for number in range(start, size, 50)) for start in range(50)]
        model = lk.train([(text, "ab"[place % 2]) for place, text in enumerate(every)], view="textbook")
        view = model.view(**view_settings)
        view.classify("word1 word7 word9")
        touched.clear()
        for change in (model.learn, model.forget):
            change("word7 word8 new", "a")
            view.classify("word1 word7 word9 other")
        found.append(list(touched))
    assert found[0] == found[1]
    assert max(found[0]) <= 3


def test_a_question_that_was_asked_before_looks_at_no_term(touched):
    model = lk.train([("goat wolf", "ham"), ("dwarf", "spam")], view="textbook")
    view = model.view()
    view.classify("goat dwarf yeti")
    touched.clear()
    assert view.classify("dwarf goat goat yak").label == "ham"
    assert touched == []


def test_texts_that_bring_new_terms_again_and_again_estimate_all_of_them(touched, monkeypatch):
    monkeypatch.setattr(remembered, "CELLS_PER_QUESTION", 60)
    terms = [f"word{number}" for number in range(100)]
    model = lk.train([(" ".join(terms[:50]), "ham"), (" ".join(terms[50:]), "spam")], view="textbook")
    view = model.view()
    touched.clear()
    for number, term in enumerate(terms):
        assert view.classify(term).label == ("ham" if number < 50 else "spam")
    assert touched == [1, 1] * 3 + [100, 100]  # 200 cells: the fourth is as dear as all


# ---- verdicts ------------------------------------------------------------------------------------------------------


def test_what_a_verdict_says_can_be_asked_in_any_order():
    model = lk.train([("goat wolf", "ham"), ("dwarf", "spam")], view="textbook")
    expected = model.classify_many(["goat yeti"] * 20)[0]
    for name in ("reason", "unknown_share", "log_scores", "probabilities", "probability", "label"):
        assert getattr(model.classify("goat yeti"), name) == getattr(expected, name)
    assert repr(model.classify("goat yeti")) == repr(expected)
    assert dataclasses.asdict(model.classify("goat yeti")) == dataclasses.asdict(expected)
    assert dataclasses.replace(model.classify("goat yeti"), label="spam").label == "spam"
    for twin in (pickle.loads(pickle.dumps(model.classify("goat yeti"))), copy.deepcopy(model.classify("goat yeti"))):
        assert twin == expected
    with pytest.raises(AttributeError, match="'Verdict' object has no attribute 'lable'"):
        _ = model.classify("goat").lable  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.classify("goat").label = "spam"  # type: ignore[misc]


@settings(deadline=None)
@given(st.lists(st.floats(-800, 0), min_size=1, max_size=300), st.integers(0, 3))
def test_probabilities_of_one_text_have_the_bits_of_a_batch(scores, others):
    one = np.array(scores)
    batch = np.vstack([one, *[one[::-1]] * others])
    assert posterior_of_one(scores) == posterior(batch)[0].tolist()


# ---- learning and forgetting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ledger", [True, False])
def test_one_text_is_learned_and_forgotten_as_many_are(ledger):
    one, many = lk.Model(ledger=ledger), lk.Model(ledger=ledger)
    many.learn_many([("goat wolf", 1), ("goat", 2)])
    assert [one.learn("goat wolf", 1), one.learn("goat", 2)] == [0, 0]
    assert one == many
    assert one.learn("goat", 2, weight=3) == 0
    assert one.learn("goat", 2, weight=3) is not ledger
    for _ in range(2):
        one.forget("goat", 2, weight=3)
    assert one == many
    one.forget("goat", 2)
    assert one.labels == (1,)
    assert [each["documents"] for each in one.provenance] == [1, 1, 3, 3, 3, 3, 1]


@pytest.mark.parametrize("ledger", [True, False])
@pytest.mark.parametrize(
    ("text", "label", "weight"), [("goat", 1, 1), ("goat", 2, 2), ("yak", 2, 1), ("goat", True, 1)]
)
def test_one_text_that_was_not_learned_is_not_forgotten(ledger, text, label, weight):
    model = lk.Model(ledger=ledger)
    model.learn_many([("goat wolf", 1), ("goat", 2)])
    before = model.copy()
    with pytest.raises((lk.LearningError, lk.InputError)):
        model.forget(text, label, weight=weight)
    assert model == before
    assert model.view().classify("goat") == before.view().classify("goat")


def test_without_a_ledger_no_term_is_left_in_more_documents_than_there_are():
    model = lk.Model(ledger=False)
    model.learn_many([("goat wolf", "a"), ("goat dwarf", "a"), ("yak", "b")])
    before = model.copy()
    with pytest.raises(lk.LearningError) as error:
        model.forget("wolf", "a")  # then two documents with goat would be one document
    assert error.value.code == "counts-not-held"
    assert model == before
    model.forget("goat wolf", "a")
    assert model.counts.of("goat", "a") == 1


def test_a_text_that_is_no_unicode_is_refused_and_changes_nothing():
    model = lk.train([("goat", "ham"), ("dwarf", "spam")], view="textbook")
    before = model.copy()
    for ask in (
        lambda: model.learn("\ud800", "ham"),
        lambda: model.forget("\ud800", "ham"),
        lambda: model.classify("\ud800"),
    ):
        with pytest.raises(lk.InputError) as error:
            ask()
        assert error.value.code == "text-surrogate"
    assert model == before


def test_sums_that_get_too_large_by_one_text_are_refused():
    model = lk.Model()
    model.learn("goat", "ham", weight=0.5)  # from now on a unit is a millionth
    for _ in range(42):
        model.counts.add(model.counts.copy())
    before = model.copy()
    with pytest.raises(lk.LearningError) as error:
        model.learn("goat " * 3000, "ham", weight=10**9)
    assert error.value.code == "counts-too-large"
    assert model == before

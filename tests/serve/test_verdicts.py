"""Verdicts as JSON: alone, in a batch and with accept-encoding, whatever the labels are called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import likelier as lk
from serving import Served

TEXTS = ["goat wolf", "goat", "wolf bear", "yeti", ""]
LABELS = {
    "plain": ["ham", "spam", "Ярлык", "ham"],
    "quoted": ['the "other"', "back\\slash", "line\nend", "ham"],
    "numbers": [1, 2, 30, 4],
    "many": [f"label {place}" for place in range(120)],
}


@pytest.fixture(scope="module", params=LABELS)
def named(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Served, lk.Model]]:
    """A server of a model with such labels, and the model."""
    words = ("goat", "wolf", "bear", "goat wolf")
    model = lk.Model()
    model.learn_many([(words[place % 4], label) for place, label in enumerate(LABELS[request.param])])
    path = tmp_path_factory.mktemp("named") / "named.likelier"
    model.save(path)
    found = Served(Path(path), "--read-only")
    yield found, model
    found.kill()


def test_a_batch_says_what_single_texts_and_the_library_say(named: tuple[Served, lk.Model]) -> None:
    server, model = named
    batch = server.post("/v1/classify", {"texts": TEXTS})["verdicts"]
    for text, together in zip(TEXTS, batch, strict=True):
        alone, expected = server.post("/v1/classify", {"text": text}), model.classify(text)
        assert {name: alone[name] for name in together} == together
        assert (together["label"], together["reason"]) == (expected.label, expected.reason)
        assert together["probabilities"] == {str(label): share for label, share in expected.probabilities.items()}
        assert (together["probability"], together["unknown_share"]) == (expected.probability, expected.unknown_share)


def test_the_answer_is_the_same_for_clients_that_accept_no_gzip(named: tuple[Served, lk.Model]) -> None:
    server, _ = named
    for body in ({"text": "goat"}, {"texts": TEXTS}, {"texts": TEXTS * 100}):
        plain, zipped = (
            server.ask("POST", "/v1/classify", body, accept_encoding=each) for each in ("identity", "gzip")
        )
        assert plain.json() == zipped.json()
        assert "content-encoding" not in plain.headers
    assert zipped.headers["content-encoding"] == "gzip"


def test_the_highest_labels_come_first(named: tuple[Served, lk.Model]) -> None:
    server, _ = named
    found = server.post("/v1/classify", {"texts": ["goat"], "top": 2})["verdicts"][0]["probabilities"]
    assert len(found) == 2
    assert [*found.values()] == sorted(found.values(), reverse=True)

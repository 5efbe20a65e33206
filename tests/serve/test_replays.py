"""Replays: the model that the log gives is the one that was served."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
from likelier._model.exchange import Labeled
from likelier._serve.drafts import changing_view, forgetting, learning, relabeling, undoing
from likelier._serve.log import Wanted
from serve.desk import Desk, answer

Open = Callable[..., Desk]


@pytest.fixture
def desk(folder: Path) -> Iterator[Open]:
    """Opens a desk for a model."""
    opened: list[Desk] = []

    def make(model: str = "shop.likelier") -> Desk:
        opened.append(Desk(folder / model))
        return opened[-1]

    yield make
    for each in opened:
        each.leave()


def test_a_document_is_the_same_whatever_the_order_of_its_columns(desk: Open, models: Path):
    found = desk("tickets.likelier")
    ticket = {"subject": "a b", "channel": "mail", "days": 3}
    found.turn(learning([Labeled(ticket, "billing")]))
    answer(found.ask(forgetting([Labeled({"days": 3.0, "channel": "mail", "subject": "a b"}, "billing")])))
    assert found.replayed(models / "tickets.likelier").digest() == found.digest()


def test_without_a_ledger_what_is_part_of_several_texts_is_forgotten_again_after_them(desk: Open, folder: Path):
    model = lk.load(folder / "shop.likelier")
    bare = lk.Model(model.counts, schema=model.schema, ledger=False)
    bare.save(folder / "bare.likelier")
    shutil.copy(folder / "bare.likelier", folder / "original")
    found = desk("bare.likelier")
    found.turn(learning([Labeled("xa xb", "spam"), Labeled("xc xd", "spam")]))
    answer(found.ask(forgetting([Labeled("xa xb xc xd", "spam")])))
    assert found.replayed(folder / "original").digest() == found.digest()


def test_a_label_that_is_spelled_anew_is_spelled_so_again(desk: Open, folder: Path):
    lk.train([("a b", "Odd"), ("c d", "even")], clean_labels=True, view="textbook").save(folder / "clean.likelier")
    shutil.copy(folder / "clean.likelier", folder / "original")
    found = desk("clean.likelier")
    found.turn(forgetting([Labeled("a b", "Odd")]))
    answer(found.ask(learning([Labeled("e f", "odd")])))
    again = found.replayed(folder / "original")
    assert again.scribe.live.model.labels == found.scribe.live.model.labels
    assert again.digest() == found.digest()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("model", ["shop.likelier", "tickets.likelier"])
def test_any_lessons_replay_to_the_same_model(desk: Open, models: Path, model: str, seed: int):
    found = desk(model)
    found.scribe.start()
    _teach_anything(found, random.Random(seed), model)
    again = found.replayed(models / model)
    live, other = found.scribe.live, again.scribe.live
    assert (live.position, live.digest, found.digest()) == (other.position, other.digest, again.digest())
    assert live.model.labels == other.model.labels
    assert live.model.settings == other.model.settings


def _teach_anything(found: Desk, chance: random.Random, model: str) -> None:
    """Lessons of all kinds, some of them refused, several in a turn."""
    texts = [f"w{number} w{number + 1} w{number % 3}" for number in range(6)]
    labels = ["billing", "delivery", "new1", "new2"]

    def one() -> Labeled:
        text = chance.choice(texts)
        ticket = {"subject": text, "channel": chance.choice(["mail", "post"]), "days": chance.choice([1, 2.5, None])}
        document = text if model == "shop.likelier" else dict(chance.sample(list(ticket.items()), 3))
        return Labeled(document, chance.choice(labels), chance.choice([1, 1, 2, 0.25]))

    def drafting() -> Any:
        kind = chance.choice(["learn", "learn", "learn", "forget", "relabel", "undo", "undo", "view"])
        each = one()
        if kind == "learn":
            return learning([each, *(one() for _ in range(chance.randrange(3)))])
        if kind == "forget":
            return forgetting([each])
        if kind == "relabel":
            return relabeling(each.document, each.label, None, each.weight)
        if kind == "undo":
            return undoing(found.log, Wanted(positions=[chance.randint(1, 60)]))
        return changing_view(lambda model: model.settings.changed_from_dict({"alpha": chance.choice([0.5, 1, 2])}))

    for _ in range(40):
        asked = [found.ask(drafting()) for _ in range(chance.randint(1, 6))]
        for each in asked:
            answer(each)


# ---- many --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_log_of_fifty_thousand_lessons_replays_to_the_same_model(desk: Open, models: Path):
    found, chance = desk(), random.Random(1)
    found.scribe.start()
    labels = list(found.scribe.live.model.labels)
    taught = [Labeled(f"text {number} w{number % 997}", chance.choice(labels)) for number in range(60_000)]
    for start in range(0, len(taught), 5_000):
        assert isinstance(answer(found.ask(learning(taught[start : start + 5_000]))), dict)
    for start in range(0, 20_000, 5_000):
        assert isinstance(answer(found.ask(forgetting(taught[start : start + 5_000]))), dict)
    again = found.replayed(models / "shop.likelier")
    assert again.scribe.live.position == 80_000
    assert again.digest() == found.digest()

"""Turns: what is written is taught, what is taught is written, and a replay gives the same model."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
from likelier._base.errors import error
from likelier._model.exchange import Labeled
from likelier._serve.drafts import changing_view, forgetting, learning, relabeling, undoing
from likelier._serve.log import Rows, Wanted
from likelier._serve.sqlite_log import SqliteLog
from serve.desk import Desk, answer, kinds

SPAM = Labeled("cheap watches", "spam")
HAM = Labeled("lunch at noon", "praise")
ODD = Labeled("odd one", "odd")
THRESHOLD = lk.Thresholds({"odd": 0.9})


class Lossy(SqliteLog):
    """Once, says after a commit that the connection is gone."""

    loses = False

    @contextmanager
    def turn(self) -> Iterator[Rows]:
        with super().turn() as rows:
            yield rows
        if self.loses:
            self.loses = False
            raise error("log-unavailable", name=self.name, reason="the connection was lost")


@pytest.fixture
def desk(folder: Path) -> Iterator[Callable[..., Desk]]:
    """Opens a desk for a model."""
    opened: list[Desk] = []

    def make(model: str = "shop.likelier", *, lossy: bool = False) -> Desk:
        log = Lossy(folder / f"{model}.log.sqlite") if lossy else None
        opened.append(Desk(folder / model, log))
        return opened[-1]

    yield make
    for each in opened:
        each.leave()


Open = Callable[..., Desk]


# ---- a commit whose answer is lost -------------------------------------------------------------------------------


def test_a_lesson_that_was_written_before_the_connection_broke_is_taught_once(desk: Open):
    found = desk(lossy=True)
    found.log.loses = True
    before = found.scribe.live.model.documents
    assert found.turn(learning([SPAM]))[0]["position"] == 1
    assert (kinds(found), found.scribe.live.model.documents) == (["learn"], before + 1)


def test_a_load_that_was_written_before_the_connection_broke_is_not_written_again(desk: Open, folder: Path):
    found = desk(lossy=True)
    lk.train([("good", "yes"), ("bad", "no")]).save(folder / "shop.likelier")
    found.log.loses = True
    answers = found.turn(found.load(), learning([SPAM]))
    assert [each["position"] for each in answers] == [2, 1]
    assert kinds(found) == ["learn", "load"]


def test_a_change_of_view_that_was_written_before_the_connection_broke_holds(desk: Open):
    found = desk(lossy=True)
    found.log.loses = True
    found.turn(changing_view(lambda model: model.settings.changed_from_dict({"alpha": 0.25})))
    assert found.scribe.live.model.settings.to_dict()["smoothing"]["alpha"] == 0.25


# ---- what shares a turn ------------------------------------------------------------------------------------------


def test_a_lesson_that_shares_a_turn_with_a_load_is_where_the_log_says(desk: Open, folder: Path):
    found = desk()
    lk.train([("good", "yes"), ("bad", "no")]).save(folder / "shop.likelier")
    shutil.copy(folder / "shop.likelier", folder / "loaded")
    found.turn(found.load(), learning([SPAM]), learning([HAM]))
    assert kinds(found) == ["learn", "learn", "load"]
    assert found.scribe.live.model.labels == ("no", "yes")
    assert found.replayed(folder / "loaded").digest() == found.digest()


def test_a_view_that_shares_a_turn_with_the_end_of_its_label_does_not_end_the_server(desk: Open, models: Path):
    first = desk()
    first.turn(learning([ODD]))
    found = first.replayed(models / "shop.likelier")  # its scribe has not started
    answers = found.turn(forgetting([ODD]), changing_view(lambda model: model.settings.changed(decide=THRESHOLD)))
    assert [each["position"] for each in answers] == [2, 3]
    assert found.failures == []
    assert found.replayed(models / "shop.likelier").scribe.live.model.settings.decide == THRESHOLD


def test_a_lesson_after_which_the_model_could_not_answer_is_refused(desk: Open):
    found = desk()
    found.turn(learning([ODD]))
    answer(found.ask(changing_view(lambda model: model.settings.changed(decide=THRESHOLD))))
    before = found.digest()
    assert answer(found.ask(forgetting([ODD]))).code == "lesson-unfit"
    assert found.digest() == before


def test_a_text_that_is_forgotten_twice_in_a_turn_is_forgotten_once(desk: Open):
    found = desk()
    answer_of = found.turn(learning([SPAM]))[0]
    asked = [found.ask(forgetting([SPAM])) for _ in range(2)]
    answers = [answer(each) for each in asked]
    assert answer_of["position"] == 1
    assert sorted(isinstance(each, dict) for each in answers) == [False, True]
    assert next(each for each in answers if not isinstance(each, dict)).code == "document-not-learnt"


def test_what_cannot_be_drafted_is_refused_alone(desk: Open):
    def broken(rows: Any, live: Any) -> Any:
        raise ZeroDivisionError("a defect")

    answers = desk().turn(learning([SPAM]), broken, learning([HAM]))
    assert isinstance(answers[1], ZeroDivisionError)
    assert [answers[0]["position"], answers[2]["position"]] == [1, 2]


def test_nobody_waits_forever_when_the_scribe_fails(desk: Open, monkeypatch: pytest.MonkeyPatch):
    found = desk()
    monkeypatch.setattr(found.scribe, "_teach", lambda request: 1 / 0)
    asked = [found.ask(learning([SPAM])), found.ask(learning([HAM]))]
    found.scribe.start()
    assert [answer(each).code for each in asked] == ["server-failed"] * 2
    assert answer(found.ask(learning([SPAM]))).code == "server-stopping"
    assert len(found.failures) == 1


# ---- keys --------------------------------------------------------------------------------------------------------


def test_a_request_with_a_key_that_changed_nothing_is_answered_as_the_first_time(desk: Open):
    found = desk()
    found.turn(learning([SPAM]))
    first = answer(found.ask(relabeling(SPAM.document, "spam", None, 1), "k1"))
    answer(found.ask(relabeling(SPAM.document, "praise", None, 1)))
    again = answer(found.ask(relabeling(SPAM.document, "spam", None, 1), "k1"))
    assert first == again
    assert first["lessons"] == 0
    assert kinds(found) == ["learn", "nothing", "relabel"]


def test_a_load_with_a_key_counts_once(desk: Open, folder: Path):
    found = desk()
    lk.train([("good", "yes"), ("bad", "no")]).save(folder / "shop.likelier")
    found.scribe.start()
    drafting = found.load()
    first = answer(found.ask(drafting, "k1"))
    answer(found.ask(learning([Labeled("fine", "yes")])))
    assert answer(found.ask(drafting, "k1")) == first
    assert kinds(found) == ["load", "learn"]


def test_a_file_that_is_still_the_same_is_not_loaded_again(desk: Open):
    found = desk()
    assert found.turn(learning([SPAM]), found.load())[1]["lessons"] == 0
    assert kinds(found) == ["learn"]


# ---- the clock ---------------------------------------------------------------------------------------------------


def test_times_do_not_decrease_when_the_clock_goes_backwards(desk: Open, monkeypatch: pytest.MonkeyPatch):
    found, times = desk(), [3_000_000_000_000, 2_000_000_000_000, 1_000_000_000_000, 4_000_000_000_000]
    found.scribe.start()
    for each in times:
        monkeypatch.setattr(time, "time_ns", lambda each=each: each)
        answer(found.ask(learning([SPAM])))
    assert [each.at for each in found.log.lessons(Wanted())] == [
        3_000_000_000,
        3_000_000_000,
        3_000_000_000,
        4_000_000_000,
    ]


# ---- replays -----------------------------------------------------------------------------------------------------


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

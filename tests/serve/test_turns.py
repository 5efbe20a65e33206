"""Turns: what is written is taught, what is taught is written, and only then it is acknowledged."""

from __future__ import annotations

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
from likelier._serve.drafts import changing_view, forgetting, learning, relabeling
from likelier._serve.log import Rows, Wanted
from likelier._serve.requests import Request
from likelier._serve.sqlite_log import SqliteLog
from serve.desk import Desk, answer, kinds

SPAM = Labeled("cheap watches", "spam")
HAM = Labeled("lunch at noon", "praise")
ODD = Labeled("odd one", "odd")
THRESHOLD = lk.Thresholds({"odd": 0.9})


class Lossy(SqliteLog):
    """Once, says before a commit that the disk is full, or after it that the connection is gone."""

    fails = loses = False

    @contextmanager
    def turn(self) -> Iterator[Rows]:
        with super().turn() as rows:
            yield rows
            if self.fails:
                self.fails = False
                raise error("log-full", name=self.name)
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


# ---- the order ---------------------------------------------------------------------------------------------------


def test_a_lesson_is_acknowledged_when_it_is_in_the_log_and_in_the_model(desk: Open, monkeypatch: pytest.MonkeyPatch):
    found, seen = desk(), list[tuple[int, int, int]]()
    accept = Request.accept

    def look(request: Request) -> None:
        written = found.log.position()  # by another connection, which sees what is committed
        seen.append((request.lessons[-1].position, written, found.scribe.live.position))
        accept(request)

    monkeypatch.setattr(Request, "accept", look)
    found.turn(learning([SPAM]), learning([HAM]))
    assert seen == [(1, 2, 1), (2, 2, 2)]


def test_a_lesson_whose_commit_fails_is_not_in_the_model(desk: Open):
    found = desk(lossy=True)
    found.log.fails, before = True, found.digest()
    assert found.turn(learning([SPAM]))[0].code == "log-full"
    assert (kinds(found), found.digest(), found.scribe.live.position) == ([], before, 0)


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

"""After `kill -9` the labeling is what it was: the same questions, the same labels, nothing lost, nothing twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

import likelier as lk
from likelier._workbench.store import Stored
from likelier.demo import documents
from serving import Labeled, Served, stand

TRUTH = dict(documents())


def shown(served: Labeled) -> dict[str, Any]:
    """What a page shows, without the version."""
    return {name: value for name, value in served.state().items() if name != "version"}


def test_a_labeling_is_the_same_after_kill_9_whenever_it_comes(start: Callable[..., Labeled], pool: Path) -> None:
    shop = start(pool, "--labels", "billing,delivery")
    for turn in range(4):
        for _ in range(7):
            question = shop.state()["queue"][0]
            shop.do("answer", place=question["place"], label=TRUTH[question["text"]])
        shop.do("skip", place=shop.state()["queue"][1]["place"])
        shop.do("word", word=f"invoice {turn}", label="billing")
        shop.do("undo")
        before, position = shown(shop), stand(shop)
        shop.kill()
        shop = start(pool)
        assert shown(shop) == before
        assert stand(shop) == position


def test_questions_that_were_shown_come_first_after_kill_9(start: Callable[..., Labeled], pool: Path) -> None:
    shop = start(pool, "--labels", "billing,delivery")
    for _ in range(12):
        question = shop.state()["queue"][0]
        after = shop.do("answer", place=question["place"], label=TRUTH[question["text"]])
    shop.kill()  # at once: the queue may not be refilled yet
    again = start(pool).state()
    asked = [each["place"] for each in after["queue"]]
    assert [each["place"] for each in again["queue"]][: len(asked)] == asked
    assert again["progress"] == after["progress"]
    assert len(again["queue"]) == 5


def test_an_undo_that_was_not_worked_up_before_kill_9_is_no_hindrance() -> None:
    texts = list(TRUTH)
    labeling = lk.Labeling(texts, ("billing", "delivery"), refills_later=True)
    lessons = [labeling.answer(place, TRUTH[texts[place]]) for place in range(40)]
    lessons.append(labeling.accept(0.5))
    state = labeling.state()  # the last that is stored
    lessons += filter(None, [labeling.undo()])
    again = Stored(texts, lessons, state, 0).labeling(labeling.model.copy())
    assert (again.labeled, again.lessons) == (labeling.labeled, labeling.lessons)
    assert len(lessons[-2].places) > 10


def test_a_lesson_that_was_not_worked_up_before_kill_9_counts_once(start: Callable[..., Labeled], pool: Path) -> None:
    texts = [text for text, _ in documents()]
    shop, alone = start(pool, "--labels", "billing,delivery"), lk.Labeling(texts, ("billing", "delivery"))
    for _ in range(12):
        question = shop.state()["queue"][0]
        shop.do("answer", place=question["place"], label=TRUTH[question["text"]])
        alone.answer(question["place"], TRUTH[question["text"]])
    shop.kill()
    again = start(pool)
    for _ in range(5):  # what is asked after the crash is what is asked without one
        question = again.state()["queue"][0]
        again.do("answer", place=question["place"], label=TRUTH[question["text"]])
        alone.answer(question["place"], TRUTH[question["text"]])
        assert [each["place"] for each in again.state()["queue"]] == [each.place for each in alone.next(5)]


def test_acknowledged_answers_survive_kill_9_and_none_counts_twice(start: Callable[..., Labeled], pool: Path) -> None:
    done: dict[int, str] = {}
    shop = start(pool, "--labels", "billing,delivery")

    def work(places: range, served: Labeled) -> None:
        with httpx.Client(base_url=served.url, trust_env=False) as client:
            for place in places:
                body = {"place": place, "label": TRUTH[documents()[place][0]]}
                try:
                    client.post("/v1/labeling/answer", json=body).raise_for_status()
                except httpx.HTTPError:
                    return
                done[place] = body["label"]

    for turn in range(3):
        places = range(turn * 60, turn * 60 + 60)
        threads = [threading.Thread(target=work, args=[places[start::2], shop]) for start in range(2)]
        for each in threads:
            each.start()
        while len(done) < turn * 20 + 10:
            pass
        shop.process.kill()
        for each in threads:
            each.join()
        shop.kill()
        shop = start(pool)
        found = shop.get("/v1/labeling/search?text=&limit=1000")["found"]
        labeled = {each["place"]: each["label"] for each in found if each["label"] is not None}
        assert done.items() <= labeled.items()
        assert len(labeled) <= len(done) + 2 * (turn + 1)  # what was under way may have been written
        model = lk.Model.from_bytes(shop.client.get("/v1/export/model").content)
        assert model.documents == len(labeled)


def test_a_labeling_that_was_stopped_goes_on(start: Callable[..., Labeled], pool: Path) -> None:
    shop = start(pool, "--labels", "billing,delivery", "--seed", "3")
    shop.do("answer", place=5, label="billing")
    before = shown(shop)
    assert shop.stop() == 0
    assert shown(start(pool)) == before


def test_texts_and_labels_of_the_page_are_there_after_kill_9(start: Callable[..., Labeled]) -> None:
    shop = start()
    shop.post("/v1/labeling/pool?name=pasted.txt", {"texts": ["cheap watches", "lunch at noon"]})
    shop.do("labels", label="spam")
    before = shown(shop)
    shop.kill()
    assert shown(start()) == before


def test_a_model_that_was_adopted_begins_without_the_old_labels(start: Callable[..., Labeled], pool: Path) -> None:
    shop = start(pool, "--labels", "billing,delivery")
    shop.do("answer", place=0, label="billing")
    shop.stop()
    model = pool.with_name("shop.likelier")
    lk.train([("cheap watches", "spam"), ("lunch at noon", "ham")]).save(model)
    served = Served(model, "--teach-openly", "--adopt")
    try:
        state = served.get("/v1/labeling")
        assert state["progress"]["labeled"] == 0
        assert state["progress"]["pool"] == 240
        answered = served.post("/v1/labeling/answer", {"place": 0, "label": "spam"})
        assert answered["last"]["number"] == 1
        assert [each["number"] for each in served.get("/v1/labeling/history")["lessons"]] == [1, 0]
    finally:
        served.kill()

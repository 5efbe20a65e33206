"""A labeling that is killed in the middle of anything: it goes on as a labeling in Python that was told the same."""

from __future__ import annotations

import csv
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import likelier as lk
from likelier.demo import documents
from serving import Labeled, stand

LABELS = ("billing", "delivery")
POOL = 3000
KILLS = 12

Step = tuple[str, dict[str, Any]]


def texts() -> list[str]:
    """Messages to a shop, each with some words of another one: many, so that judging them takes a while."""
    chance, every = random.Random(0), [text for text, _ in documents()]
    return [f"{chance.choice(every)} {chance.choice(every)[:30]} {number}" for number in range(POOL)]


def any_step(chance: random.Random) -> Step:
    """What somebody might do next."""
    what = chance.choices(("answer", "skip", "accept", "undo", "word"), (12, 2, 1, 5, 2))[0]
    given = {
        "answer": {"place": chance.randrange(POOL), "label": chance.choice(("billing", "delivery", "praise"))},
        "skip": {"place": chance.randrange(POOL)},
        "accept": {"threshold": 0.97},
        "undo": {},
        "word": {
            "word": chance.choice(("invoice", "parcel", "thank you")),
            "label": chance.choice(LABELS),
            "weight": 2,
        },
    }
    return what, given[what]


def follow(twin: lk.Labeling, step: Step) -> None:
    """The same in Python."""
    what, given = step
    if what == "word":
        twin.teach(given["word"], given["label"], weight=given["weight"])
    else:
        getattr(twin, what)(*given.values())


def same(shop: Labeled, twin: lk.Labeling) -> bool:
    """Whether both have learned the same, bit for bit, and say the same of it."""
    state, known = shop.get("/v1/labeling"), twin.progress()
    progress, last = state["progress"], twin.lessons[-1].number if twin.lessons else None
    words = {(each["word"], each["label"]): each["weight"] for each in state["words"]}
    return (
        stand(shop)[2] == twin.model.counts.digest()
        and (progress["labeled"], progress["skipped"]) == (known.labeled, known.skipped)
        and progress["by_label"] == known.by_label
        and words == twin.words
        and (state["last"] or {}).get("number") == last
    )


def teach(shop: Labeled, chance: random.Random, done: list[Step], tried: list[Step], refused: list[str]) -> None:
    """One step after the other, until the server is gone."""
    with httpx.Client(base_url=shop.url, trust_env=False, timeout=60) as client:
        while True:
            what, given = any_step(chance)
            tried.append((what, given))
            try:
                answer = client.post(f"/v1/labeling/{what}", json=given)
            except httpx.TransportError:
                return
            if answer.status_code != 200:
                refused.append(answer.json()["code"])
            done.append((what, given))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_nothing_is_lost_or_done_twice_whenever_it_is_killed(
    start: Callable[..., Labeled], tmp_path: Path, seed: int
) -> None:
    pool, chance, moment = tmp_path / "pool.csv", random.Random(seed), random.Random(seed)
    with pool.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["message"], *([each] for each in texts())])
    twin = lk.Labeling(texts(), LABELS, refills_later=True)
    shop = start(pool, "--labels", ",".join(LABELS))
    for _ in range(KILLS):
        done, tried, refused = list[Step](), list[Step](), list[str]()
        hand = threading.Thread(target=teach, args=[shop, chance, done, tried, refused])
        hand.start()
        steps = moment.randint(1, 12)
        while len(done) < steps and hand.is_alive():
            time.sleep(0.001)
        time.sleep(moment.uniform(0, 0.1))  # any moment is right
        shop.process.kill()
        hand.join()
        shop.kill()
        shop = start(pool)
        for step in done:
            follow(twin, step)
        if not same(shop, twin):  # the step that was under way
            assert len(tried) == len(done) + 1, shop.errors
            follow(twin, tried[-1])
            assert same(shop, twin)
        assert {*refused} <= {"labeling-undo"}  # there is nothing to undo
        assert len(done) >= steps

"""What a server must be: its lessons are those that it has acknowledged, and its model is what they come to.

The model is made again by hand, from the first model file and with the library alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import likelier as lk
from serve.clients import Record, Request
from serving import Served

PAGE = 1000
Taught = tuple[Any, ...]  # kind, text, weight, learned, forgot, position that is undone


def taught_by(request: Request, undone: dict[int, Taught], old: Any = None) -> list[Taught]:
    """The lessons that a request asks for.

    undone: lessons by position; old: the label before, where only the answer says it.
    """
    body, weight = request.body, request.body.get("weight", 1)
    kind = request.path.rpartition("/")[2]
    if kind == "undo":
        _, text, weight, learned, forgot, _ = undone[body["position"]]
        return [("undo", text, weight, forgot, learned, body["position"])]
    if kind == "relabel":
        return [(kind, body["text"], weight, body["label"], old, None)]
    texts, labels = ([body["text"]], [body["label"]]) if "text" in body else (body["texts"], body["labels"])
    pairs = list(zip(texts, labels, strict=True))
    if kind == "learn":
        return [(kind, text, weight, label, None, None) for text, label in pairs]
    return [(kind, text, weight, None, label, None) for text, label in pairs]


def listed(lesson: dict[str, Any]) -> Taught:
    """A lesson as the server lists it."""
    names = ("kind", "document", "weight", "learned", "forgot", "undoes")
    return tuple(lesson.get(name) for name in names)


def pages(served: Served, path: str, name: str, token: str) -> Iterator[dict[str, Any]]:
    """Everything that the server lists there."""
    after = 0
    while True:
        found = served.get(f"{path}?after={after}&limit={PAGE}", token=token)
        yield from found[name]
        if "next" not in found:
            return
        after = found["next"]


def teach(model: lk.Model, lesson: Taught) -> None:
    """Teaches a lesson as a user of the library does."""
    _, text, weight, learned, forgot, _ = lesson
    if learned is not None and forgot is not None:
        assert model.relabel(text, learned, old=forgot, weight=weight) == forgot
    elif learned is not None:
        model.learn(text, learned, weight=weight)
    else:
        model.forget(text, forgot, weight=weight)


class Replica:
    """A model that is taught by hand what the server lists, after that was compared with what it acknowledged."""

    def __init__(self, original: Path) -> None:
        self.model = lk.load(original)
        self.lessons: dict[int, Taught] = {}
        self.present: Counter[tuple[Any, ...]] = Counter()  # text, label, weight

    def follow(self, found: Iterable[Taught]) -> None:
        """Teaches the lessons that are new."""
        for position, each in enumerate(found, 1):
            if position in self.lessons:
                assert self.lessons[position] == each, f"lesson {position} has changed: {each}"
            else:
                self.lessons[position] = each
                teach(self.model, each)
                _, text, weight, learned, forgot, _ = each
                self.present[text, learned, weight] += learned is not None
                self.present[text, forgot, weight] -= forgot is not None

    def compare(self, served: Served, token: str) -> None:
        """The server has the same counts and documents."""
        found = served.get("/v1/model?counts_digest=true", token=token)
        assert found["position"] == len(self.lessons), f"{found['position']} instead of {len(self.lessons)}"
        assert found["counts_digest"] == self.model.counts.digest(), "the counts are not those of the log"
        documents = pages(served, "/v1/documents", "documents", token)
        there = Counter((each["text"], each["label"], each["weight"]) for each in documents)
        assert there == +self.present, "other documents are in the model than were taught"


def check(served: Served, record: Record, replica: Replica, token: str) -> int:
    """Every acknowledged lesson is there once, and no other, except some of those that wait for their answer.

    Gives how many requests are written and were not acknowledged yet.
    """
    found = list(pages(served, "/v1/lessons", "lessons", token))
    assert [each["position"] for each in found] == list(range(1, len(found) + 1)), "positions have gaps"
    assert sorted(each["at"] for each in found) == [each["at"] for each in found], "times decrease"
    lessons = dict(enumerate(map(listed, found), 1))
    names = {each["position"]: each["by"] for each in found}
    unexplained = set(lessons)
    for request in record.acknowledged:
        assert request.answer is not None
        wanted = taught_by(request, lessons, request.answer.get("old"))
        assert len(wanted) == request.answer["lessons"], request
        for position, each in zip(request.positions, wanted, strict=True):
            assert lessons.get(position) == each, f"{request}: lesson {position} is {lessons.get(position)}"
            assert names[position] == request.client, f"{request}: lesson {position} is by {names[position]}"
            assert position in unexplained, f"{request}: lesson {position} was acknowledged twice"
            unexplained.remove(position)
    written = sum(_explain(each, lessons, names, unexplained) for each in record.open.values())
    assert not unexplained, f"nobody taught {[lessons[position] for position in unexplained]}"
    replica.follow(lessons[position] for position in sorted(lessons))
    replica.compare(served, token)
    return written


def _explain(request: Request, lessons: dict[int, Taught], names: dict[int, str], unexplained: set[int]) -> bool:
    """Whether the lessons of a request without an answer are there; then all of them, in a row."""
    mine = sorted(position for position in unexplained if names[position] == request.client)
    if not mine:
        return False
    wanted = taught_by(request, lessons, lessons[mine[0]][4])
    assert [lessons[position] for position in mine] == wanted, f"{request} is not what was written"
    assert mine == list(range(mine[0], mine[0] + len(mine)))
    unexplained.difference_update(mine)
    return True


def replayed_by_hand(original: Path, record: Record, target: Path) -> str:
    """The digest of the counts after all acknowledged requests, in the order of their positions."""
    model, done = lk.load(original), dict[int, Taught]()
    for request in sorted(record.acknowledged, key=lambda each: each.positions.start):
        assert request.answer is not None
        for position, each in zip(request.positions, taught_by(request, done, request.answer.get("old")), strict=True):
            done[position] = each
            teach(model, each)
    model.save(target)
    return lk.load(target).counts.digest()
